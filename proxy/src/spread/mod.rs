//! Boards that are spread over the nodes of a cluster: a client sends a command for one board, and the gateway asks all
//! parts of the board.
//!
//! A command is sent to its key unchanged, until the server answers that the key is the root of a spread board.
//! `engine` keeps the order of a client's commands, `roots` remembers which boards are spread, `gather` carries out
//! reads, `change` carries out writes, `prizes` pays the winners of periods, `rules` makes, alters and describes boards, `moving` imports and exports
//! them, and `keys` deletes them.

pub mod asked;
pub mod catalog;
mod change;
mod engine;
pub mod gather;
#[cfg(test)]
mod hostile;
pub mod info;
mod keys;
mod layout;
mod look;
mod moving;
mod prizes;
pub mod refusal;
mod root;
mod roots;
mod route;
mod rules;
#[cfg(test)]
pub mod simulated;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;

pub use engine::{Engine, Timing};
pub use refusal::{Effect, OTHER_PARTS, unanswered};
pub use root::key_slot;
pub use route::only_reads;
