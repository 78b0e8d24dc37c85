//! The native engine: the vault tools in Rust, in process.

mod collation;
mod error;
mod filter;
pub mod frontmatter;
mod outline;
mod path;
mod root;
mod search;
mod tags;
mod walk;
mod wiki_link;

pub use error::{EngineError, NoteError};
pub use path::VaultPath;
pub use root::{Identity, Kind, Place, Root};
