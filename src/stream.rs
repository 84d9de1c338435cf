//! Commands for replicas and the append-only file that are not the one that a client sent.

use std::ffi::CStr;

use redis_module::raw;

use crate::argument::{Argument, Owned};
use crate::call::Call;

/// A word of a command.
pub enum Word<'a> {
    /// A string of the server.
    Argument(Argument),
    Bytes(&'a [u8]),
}

impl<'a> Word<'a> {
    pub fn of(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self::Bytes(text.as_ref())
    }
}

impl From<Argument> for Word<'_> {
    fn from(argument: Argument) -> Self {
        Self::Argument(argument)
    }
}

/// Takes the commands, in their order. The server sends all that a client's command gives as one transaction.
pub struct Stream<'a>(&'a Call<'a>);

impl<'a> Stream<'a> {
    pub const fn of(call: &'a Call<'a>) -> Self {
        Self(call)
    }

    /// Sends a command with these words.
    pub fn send<'w>(&self, name: &CStr, words: impl Iterator<Item = Word<'w>>) {
        let mut own = Vec::new();
        let all = words.map(|word| match word {
            Word::Argument(argument) => argument.raw(),
            Word::Bytes(bytes) => {
                let string = Owned::of(bytes);
                let raw = string.raw();
                own.push(string);
                raw
            }
        });
        let all: Vec<_> = all.collect();
        // SAFETY: a live context; the format takes an array with its length. The server holds its own references to
        // the strings.
        unsafe {
            raw::RedisModule_Replicate
                .map(|send| send(self.0.ctx(), name.as_ptr(), c"v".as_ptr(), all.as_ptr(), all.len()));
        }
    }
}
