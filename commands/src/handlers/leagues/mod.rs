//! Commands of leagues.

pub mod prizes;
pub mod reading;
pub mod rules;
pub mod writing;
