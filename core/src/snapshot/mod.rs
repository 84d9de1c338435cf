//! A board as bytes: what RDB files, `DUMP`, the append-only file and digests are made of.
//!
//! A saved board is a sequence of *chunks* of some 64 KB, each complete in itself, so that an
//! append-only file can bring them one command at a time and saving never needs one great buffer:
//!
//! ```text
//!  head      format, schema, clock; views and their periods
//!  rules     of a board that is voted on: when, and how much
//!  entries   ranked members of the default view, best first: name, score, moment, text
//!  others    members that only other parts know, by name: name, text
//!  view      entries of another view, best first: member, score, moment       (for each of them)
//!  points    of one period of a view: member, points                          (for each of them)
//!  past      ended periods of a view with one order, best first: member, score (for each of those)
//!  options   that were declared, in that order: member, weight, votes to start with
//!  used      of a limit in a period: hash of who used it, how much            (for each of them)
//!  voters    sketches: of everybody or of a member, ever or in a period of a view, by how late votes came
//!  requests  ids remembered, oldest first, with their age
//!  end       how many of each there were
//! ```
//!
//! Each part is as many chunks as it takes, none where it is empty. Members are named once; from then
//! on they go by their place in that list. Views are saved as they were left: who loads a board
//! brings them to the present.
//!
//! The order of a board is the order of its entries here: the sequence of equals needs no number. The
//! same board gives the same bytes in every process, and a board that was loaded gives them again.
//!
//! Loading trusts nothing: entries enter by the same doors as those of commands, which check
//! order, ranges and names; nothing is reserved because a number says so. A chunk that cannot be
//! taken whole leaves the board as it was.

mod absorb;
mod campaign;
mod head;
mod load;
mod past;
mod save;
mod wire;

pub(crate) use absorb::Loading;

/// Version of the format, in the head of each saved board. Raised when older software could not
/// read what is written.
pub const FORMAT: u8 = 1;

/// Bytes after which a chunk is closed.
const CHUNK: usize = 64 * 1024;

const HEAD: u8 = 1;
const ENTRIES: u8 = 2;
const OTHERS: u8 = 3;
const REQUESTS: u8 = 4;
const END: u8 = 5;
const VIEW: u8 = 6;
const POINTS: u8 = 7;
const PAST: u8 = 8;
const RULES: u8 = 9;
const CHOICES: u8 = 10;
const USED: u8 = 11;
const VOTERS: u8 = 12;

/// A member with a text beside it.
const WITH_META: u8 = 1;

#[cfg(test)]
mod tests;
