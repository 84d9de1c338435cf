//! Commands of leagues.

pub mod reading;
pub mod rules;
pub mod writing;
