//! The handlers, one file for each family. A handler reads its arguments, calls the core once and replies. A
//! write goes to replicas and listeners before the reply.

pub mod add;
mod alter;
pub mod boards;
pub mod campaign;
pub mod catalog;
pub mod counters;
pub mod growth;
pub mod hide;
pub mod leagues;
pub mod moving;
pub mod names;
pub mod part;
pub mod prizes;
pub mod range;
pub mod remove;
pub mod restore;
pub mod root_prizes;
mod rows;
pub mod segments;
pub mod set;
pub mod shrink;
pub mod standing;
pub mod statistics;
pub mod texts;
pub mod vote;
mod writing;
