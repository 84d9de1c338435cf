//! Boards that are spread over the nodes of a cluster: what a client asks of one board, asked of all its parts.
//!
//! A command goes to its key as it is, until the key says that it is the root of a spread board. `engine` keeps the order
//! of a client's commands, `roots` remembers which boards are spread, `gather` carries out reads, `change` writes, and
//! `rules` what makes, alters, tells of and deletes boards.

pub mod asked;
mod change;
mod engine;
pub mod gather;
mod info;
mod keys;
mod look;
mod refusal;
mod root;
mod roots;
mod route;
mod rules;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use engine::{Engine, Timing};
pub use refusal::unanswered;
pub use root::key_slot;
