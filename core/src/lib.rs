//! The core of the product, without a server: exact scores, the order of a board, its members, the request ids that
//! it remembers, and the binary form in which it is saved.
//!
//! Nothing here reads a clock, opens a socket or uses Redis. Time is a parameter. Randomness is one number, which
//! the host sets once ([`secret::seed`]). The crate `leaderboard` (the Redis module) is a thin layer around
//! [`Board`].
#![deny(unsafe_code)]

pub mod amount;
pub mod arrived;
mod bits;
pub mod board;
pub mod board_rule;
mod bucket;
pub mod calendar;
pub mod campaign;
mod candidates;
pub mod catalog;
mod chunked;
pub mod combine;
pub mod counter;
pub mod dimensions;
pub mod double;
pub mod effort;
pub mod error;
pub mod event;
mod glob;
mod index;
pub mod integer;
pub mod league;
pub mod levels;
pub mod limits;
mod members;
pub mod mover;
pub mod native;
pub mod notation;
mod order;
mod packed;
pub mod part_list;
pub mod parts;
mod prefetch;
pub mod prizes;
mod repeats;
mod requests;
pub mod schema;
pub mod score;
pub mod secret;
mod segments;
pub mod share;
pub mod short_name;
pub mod size_class;
mod snapshot;
mod sorted;
mod sorted_lists;
mod table;
pub mod time;
mod total;
pub mod view;
mod voters;
mod words;

pub use amount::Amount;
pub use board::Board;
pub use counter::Counter;
pub use error::Error;
pub use event::Event;
pub use league::League;
pub use members::MAX_NAME;
pub use native::NativeType;
pub use requests::{MAX_ATTEMPT, MAX_REQUEST};
pub use schema::Schema;
pub use score::{Decimal, Score};
pub use voters::Sketch as VoterSketch;
