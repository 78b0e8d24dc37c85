//! Pictures of every page in both themes and both languages, held against those in `tests/pictures`.
//!
//! They are painted without a display and without a GPU (`canvas`), over a home that is always the same at a moment that is
//! always the same (`furnished`). `ARCHITECTURE.md` tells how they are taken anew.

mod canvas;
mod furnished;
mod tests;
