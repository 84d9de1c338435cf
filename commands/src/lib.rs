//! The commands of the product, without a server: their rows, options, handlers and replies.
//!
//! * [`table`] lists the commands, `options` declares their options, and `handlers` serves them: a handler parses the
//!   arguments, calls the core once, and replies.
//! * [`host`] contains the functions of the server that commands need: keys, replies, time, replication. The module
//!   implements them with the real server; [`plain`] implements them in memory.
//! * [`answers`] is the form in which a server gives the answers of several parts of a board at once.
//! * [`native`] lists the native types, and [`figures`] lists the counts of a server.
#![deny(unsafe_code)]

pub mod answers;
pub mod argument;
mod arguments;
mod call;
pub mod command;
mod commit;
pub mod cursor;
pub mod figures;
mod handlers;
pub mod host;
pub mod keys;
mod keyspace;
pub mod native;
pub mod news;
mod options;
pub mod plain;
mod refusal;
mod reply;
pub mod shape;
mod sorted_sets;
pub mod syntax;
pub mod table;
pub mod word;
