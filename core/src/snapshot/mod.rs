//! Values as bytes: what RDB files, `DUMP`, the append-only file and digests are made of. Here is what all native types
//! share; the parts of a board, a league and a counter are in the folder of each.
//!
//! A saved value is a sequence of *chunks* of about 64 KB, each complete in itself. So an append-only file can bring
//! them one command at a time, and saving never needs one great buffer.
//!
//! The code that writes a part stands beside the code that reads it.
//!
//! Loading trusts nothing. A chunk is read as a whole, and its order, ranges and names are checked, before the value
//! takes anything of it. A number in a chunk never decides how much memory is reserved.

pub mod chunk;
pub mod requests;
pub mod rules;
pub mod wire;
