//! The commands of the product, without a server: their rows, options, handlers and replies.
//!
//! * [`table`] lists the commands, `options` declares their options, `handlers` serves them: parse, call the core
//!   once, reply.
//! * [`host`] is what a command needs of the server that it runs in: keys, replies, time, replication. The module gives
//!   it the real server; [`plain`] is one in memory.
//! * [`native`] lists the native types, [`figures`] what a server counts.
#![deny(unsafe_code)]

pub mod argument;
mod arguments;
mod call;
pub mod command;
mod commit;
mod cursor;
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
