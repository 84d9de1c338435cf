//! A board as bytes: what RDB files, `DUMP`, the append-only file and digests are made of.
//!
//! A saved board is a sequence of *chunks* of some 64 KB, each complete in itself, so that an
//! append-only file can bring them one command at a time and saving never needs one great buffer:
//!
//! ```text
//!  head      format, schema, clock
//!  entries   ranked members in rank order: name, score, moment, text        (as many as it takes)
//!  unranked  members that have only a text, by name                         (if there are any)
//!  requests  ids remembered, oldest first, with their age                   (if there are any)
//!  end       how many of each there were
//! ```
//!
//! The order of a board is the order of its entries here: arrival among equals needs no number. The
//! same board gives the same bytes in every process, and a board that was loaded gives them again.
//!
//! Loading trusts nothing: entries enter by the same doors as those of commands, which check
//! order, ranges and names; nothing is reserved because a number says so. A chunk that cannot be
//! taken whole leaves the board as it was.

mod load;
mod save;
mod wire;

/// Version of the format, in the head of each saved board. Raised when older software could not
/// read what is written.
pub const FORMAT: u8 = 1;

/// Bytes after which a chunk is closed.
const CHUNK: usize = 64 * 1024;

const HEAD: u8 = 1;
const ENTRIES: u8 = 2;
const UNRANKED: u8 = 3;
const REQUESTS: u8 = 4;
const END: u8 = 5;

/// An entry with a text beside its member.
const WITH_META: u8 = 1;
/// An entry with a later event than its moment.
const WITH_EVENT: u8 = 2;

#[cfg(test)]
mod tests;
