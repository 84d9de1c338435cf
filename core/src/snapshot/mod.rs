//! Values as bytes, for RDB files, `DUMP`, the append-only file and digests. This module contains the code that all
//! native types share. The parts of a board, a league and a counter are in their own folders.
//!
//! A saved value is a sequence of *chunks* of about 64 KB, each complete in itself. So an append-only file can
//! contain one command for each chunk, and saving never needs one large buffer.
//!
//! The code that writes a part is next to the code that reads it.
//!
//! Loading does not trust the bytes. A chunk is read as a whole, and its order, ranges and names are checked,
//! before any of it changes the value. A number in a chunk never decides how much memory is reserved.

pub mod chunk;
pub mod prizes;
pub mod requests;
pub mod rules;
pub mod wire;
