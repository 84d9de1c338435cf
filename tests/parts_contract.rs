//! Parts of a board that is spread over several keys, and the root with its rules, as a gatherer needs them: LB.CREATE
//! with PART and PARTS, writes that name the number of parts, and LB.PART.

mod asked;
mod ended;
mod made;
mod questions;
pub mod ranking;
mod written;
