//! Values that real users tripped over, each through the tools, and named after the value.

mod frontmatter;
mod links;
mod names;
mod patches;
mod removals;
mod searches;
mod tags;
