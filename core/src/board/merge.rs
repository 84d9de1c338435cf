//! Merges two parts to one part, and makes the root of two parts a plain board (see [`super::join`]).
//!
//! The members of a part go to another key as bytes. Before that, the part is given away: it takes no writes any more. So
//! the board in the other key has all of its members. If it does not get them, the part is opened again.

use super::{Board, Half};
use crate::Error;
use crate::catalog::{CatalogEntry, Hold, State};
use crate::parts::{Parts, Role};
use crate::snapshot::wire::{Reader, put_bytes};
use crate::time::Millis;

/// The number of bytes of the checksum behind a board.
const CHECKSUM: usize = 8;

const WRONG: Error = Error::Corrupt("a board in an argument");

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    blake3::hash(bytes).as_bytes().first_chunk().copied().unwrap_or_default()
}

impl Board {
    /// Returns the saved board: each chunk with its length, and a checksum.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save(|chunk| put_bytes(&mut bytes, chunk));
        let sum = checksum(&bytes);
        bytes.extend(sum);
        bytes
    }

    /// Loads a board from the bytes of [`Board::to_bytes`].
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the bytes are not those of a board.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (chunks, sum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(WRONG)?;
        if checksum(chunks) != *sum {
            return Err(WRONG);
        }
        let mut reader = Reader(chunks);
        let mut board = Self::load(reader.bytes(0, chunks.len())?)?;
        while !board.load_chunk(reader.bytes(0, chunks.len())?)? {}
        reader.finish().map(|()| board)
    }

    /// Makes the part with an even number one part with the part behind it, `other`. `half` is this part, and the number
    /// of parts before. The part takes writes at once. Returns false if the parts are merged already.
    ///
    /// # Errors
    /// [`Error::Stale`] if one of the boards is another part or has other rules, or if the attempt with this token does not
    /// hold this part while the server's clock shows `wall`, or did not hold the other part; the errors of joining two
    /// boards. The board is unchanged then.
    pub fn merge(&mut self, other: &Self, half: Half, token: u64, wall: Millis) -> Result<bool, Error> {
        let Half { number, parts } = half;
        let (low, high) = (number & !1, number | 1);
        let Some(halved) = parts.halved().filter(|_| number == low) else { return Err(Error::Stale("part")) };
        let (role, entry) = (Role::Part { number: number >> 1, parts: halved }, self.catalog());
        if self.schema.role == role && entry.target == Some(parts) {
            return Ok(false);
        }
        entry.check_held(token, wall)?;
        self.check_share_of(entry, token, Half { number: low, parts })?;
        other.check_share_of(entry, token, Half { number: high, parts })?;
        *self = self.join(other, role, CatalogEntry { hold: None, target: Some(parts), ..entry })?;
        Ok(true)
    }

    /// Makes the root of two parts, which are given, the plain board that has their members. Returns false if it is this
    /// plain board already.
    ///
    /// # Errors
    /// [`Error::NotARoot`]; the errors of [`Board::merge`].
    pub fn become_plain(
        &mut self,
        [low, high]: [&Self; 2],
        (incarnation, token): (u64, u64),
        wall: Millis,
    ) -> Result<bool, Error> {
        if self.schema.role == Role::Whole && self.catalog().incarnation == incarnation {
            return Ok(false);
        }
        let entry = self.root_entry(incarnation)?;
        let is_ready = self.schema.role == Role::Root(Parts::TWO) && entry.target.is_none();
        if !is_ready || entry.state != State::Shrinking {
            return Err(Error::Stale("state"));
        }
        entry.check_held(token, wall)?;
        for (number, part) in [(0, low), (1, high)] {
            part.check_share_of(entry, token, Half { number, parts: Parts::TWO })?;
        }
        let mut plain =
            low.join(high, Role::Whole, CatalogEntry { incarnation, ..CatalogEntry::default() })?;
        self.give_prizes_to(&mut plain);
        *self = plain;
        Ok(true)
    }

    /// Checks that the board is this part of the board with a catalogue entry, and that an attempt holds it.
    fn check_share_of(&self, entry: CatalogEntry, token: u64, half: Half) -> Result<(), Error> {
        let own = self.catalog();
        own.check(entry.incarnation)?;
        if self.schema.role != (Role::Part { number: half.number, parts: half.parts }) {
            return Err(Error::Stale("part"));
        }
        if own.revision != entry.revision {
            return Err(Error::Stale("revision"));
        }
        if own.hold.map(Hold::token) == Some(token) { Ok(()) } else { Err(Error::Stale("token")) }
    }
}

#[cfg(test)]
mod tests;
