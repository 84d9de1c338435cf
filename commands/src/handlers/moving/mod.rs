//! Commands that import, export and combine rankings.

pub mod combine;
pub mod export;
pub mod import;
mod room;
