//! Commands that bring rankings in and out, and combine them.

pub mod combine;
pub mod export;
pub mod import;
mod room;
