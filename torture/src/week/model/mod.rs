//! The model: boards, segments, a league, a campaign, counters and prizes, from the product's documents alone. It is plain sums, sorted
//! anew whenever something is asked, and shares no code with the product.

pub mod board;
pub mod calendar;
pub mod campaign;
pub mod counter;
pub mod league;
pub mod prizes;
pub mod segments;
