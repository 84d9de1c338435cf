//! The handlers, one file a family. Each reads its arguments, makes one call of the core, and
//! replies; a write goes on to replicas and listeners between the last two.

pub mod add;
pub mod boards;
pub mod campaign;
pub mod range;
pub mod remove;
pub mod restore;
pub mod set;
pub mod standing;
pub mod texts;
pub mod vote;
mod writing;
