//! The native engine: the vault tools in Rust, in process.

mod error;
mod filter;
pub mod frontmatter;
mod path;
mod root;

pub use error::{EngineError, NoteError};
pub use path::VaultPath;
pub use root::{Identity, Kind, Place, Root};
