//! Counts different voters: in a few bytes for few voters, and in 7 KB for any number of voters.
//!
//! Only a token of 32 bits is stored for a voter's hash: its low 26 bits, and the number of its leading zeros. Up
//! to three tokens are stored in place, and up to 1,791 tokens in a [list](super::list). More tokens are replaced
//! by [registers](super::registers), which take less memory from this number on. Registers can be computed from the
//! tokens.
//!
//! ```text
//!  voters      0 to 3              4 to 1,791             1,792 and more
//!  in place    the tokens          a list                 a pointer             24 bytes
//!  on the heap                     4 bytes a voter        7,168 bytes
//! ```
//!
//! The estimate and the saved bytes of a sketch depend only on the set of its voters. They do not depend on the
//! order of the votes, on how often a voter voted, or on whether sketches were merged or saved in the meantime. So
//! a primary, a replica and a loaded board save the same bytes.
//!
//! The crate `exaloglog` has such tokens too, but they are private and take two allocations for one voter. In
//! builds that check for overflow, its estimate panics for a hash with 37 leading zeros.

use std::borrow::Cow;
use std::mem;

use arrayvec::ArrayVec;

use super::footprint::Footprint;
use super::list::{TOKEN, TokenList};
use super::registers::{self, Registers};
use crate::Error;
use crate::mover::Mover;

/// The maximum number of tokens that are stored in place.
const FEW: usize = 3;
/// The maximum number of tokens of a list. With one more token, registers are not larger than the list.
const MOST: usize = registers::BYTES / TOKEN - 1;
/// The number of low bits of a hash that are part of a token.
const LOW_BITS: u32 = 26;
/// The number of bits of a token for the number of zeros.
const ZEROS_BITS: u32 = 6;
/// The maximum number of zeros that are counted: the number of bits above the low bits.
const MOST_ZEROS: u32 = u64::BITS - LOW_BITS;
const TOP_BIT: u64 = 1 << (u64::BITS - 1);

/// A set of voters. They are distinguished by 26 + 6 bits of their hashes, or by registers of 7 KB.
#[derive(Debug, Clone, Default)]
pub struct Sketch(State);

#[derive(Debug, Clone)]
enum State {
    /// The tokens, sorted.
    Few(ArrayVec<u32, FEW>),
    /// More than [`FEW`] tokens, and about [`MOST`] tokens at most.
    List(TokenList),
    Many(Registers),
}

impl Default for State {
    fn default() -> Self {
        Self::Few(ArrayVec::new_const())
    }
}

impl State {
    /// Returns the form for these tokens, which must be sorted and all different.
    fn of(tokens: &[u32]) -> Self {
        if let Ok(few) = tokens.try_into() {
            return Self::Few(few);
        }
        if tokens.len() > MOST {
            return Self::Many(of_tokens(tokens));
        }
        Self::List(TokenList::of(tokens))
    }
}

impl Sketch {
    /// Counts a voter by a hash of 64 bits. All bits must be nearly random. A voter that was counted before changes
    /// nothing. The footprint is updated.
    pub(super) fn insert(&mut self, hash: u64, footprint: &mut Footprint) {
        let before = match &mut self.0 {
            State::Few(tokens) => {
                let token = token_of(hash);
                let Err(at) = tokens.binary_search(&token) else { return };
                if tokens.try_insert(at, token).is_ok() {
                    return;
                }
                let mut all = tokens.to_vec();
                all.insert(at, token);
                self.0 = State::List(TokenList::of(&all));
                Footprint::default()
            }
            State::List(list) => {
                let before = list.footprint();
                let is_full = list.push(token_of(hash));
                if is_full && list.sort() > MOST {
                    self.0 = State::of(&list.sorted());
                } else if !is_full && list.footprint() == before {
                    return;
                }
                before
            }
            State::Many(registers) => return registers.insert(hash),
        };
        footprint.take(before);
        footprint.add(self.footprint());
    }

    /// Prefetches the memory that [`insert`](Self::insert) changes. Sketches are at distant places in memory. This
    /// should be called for all sketches before the first of them is changed; then the processor waits for all of
    /// them together.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        match &self.0 {
            State::Few(_) => {}
            State::List(list) => list.prefetch(),
            State::Many(registers) => registers.prefetch(hash),
        }
    }

    /// Adds the voters of another sketch.
    pub fn merge(&mut self, other: &Self) {
        let all = match (self.canonical(), other.canonical()) {
            (Canonical::Tokens(tokens), Canonical::Tokens(others)) => {
                let mut tokens = [tokens, others].concat();
                // A stable sort is fast on two sorted parts, one after the other.
                tokens.sort();
                tokens.dedup();
                State::of(&tokens)
            }
            (Canonical::Tokens(tokens), Canonical::Many(registers))
            | (Canonical::Many(registers), Canonical::Tokens(tokens)) => {
                let mut registers = registers.into_owned();
                add_tokens(&mut registers, &tokens);
                State::Many(registers)
            }
            (Canonical::Many(registers), Canonical::Many(others)) => {
                let mut registers = registers.into_owned();
                registers.merge(&others);
                State::Many(registers)
            }
        };
        self.0 = all;
    }

    /// Returns an estimate of the number of voters. Below 1,792, it is the number of tokens, which is exact unless
    /// two voters have the same token (this happens in one of a hundred sets of 1,791 voters). From 1,792 on, the
    /// standard error is 0.8 %.
    pub fn estimate(&self) -> u64 {
        match self.canonical() {
            Canonical::Tokens(tokens) => tokens.len() as u64,
            // There were too many voters for a list, so a lower estimate is wrong. An estimate from bytes that a
            // client sent may be infinite, but must fit into a reply.
            Canonical::Many(registers) => {
                (registers.estimate().round() as u64).clamp(MOST.saturating_add(1) as u64, i64::MAX as u64)
            }
        }
    }

    /// Returns whether voters are stored as tokens, so that their number is exact and fast to compute.
    pub const fn is_exact(&self) -> bool {
        !matches!(self.0, State::Many(_))
    }

    /// Returns whether no voter was counted.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, State::Few(tokens) if tokens.is_empty())
    }

    #[inline]
    pub(super) fn footprint(&self) -> Footprint {
        match &self.0 {
            State::Few(_) => Footprint::default(),
            State::List(list) => list.footprint(),
            State::Many(_) => Footprint::list::<u8>(registers::BYTES),
        }
    }

    /// Appends the bytes that are saved: 4 bytes for each voter, or 7,168 bytes in total from 1,792 voters on.
    pub fn save(&self, out: &mut Vec<u8>) {
        match self.canonical() {
            Canonical::Many(registers) => out.extend_from_slice(registers.bytes()),
            Canonical::Tokens(tokens) => out.extend(tokens.iter().flat_map(|token| token.to_le_bytes())),
        }
    }

    /// Returns the sketch that was saved as these bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if no set of voters has these bytes.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        if let Ok(bytes) = bytes.try_into() {
            return Ok(Self(State::Many(Registers::load(bytes)?)));
        }
        let (tokens, rest) = bytes.as_chunks::<TOKEN>();
        let tokens: Vec<_> = tokens.iter().map(|token| u32::from_le_bytes(*token)).collect();
        if tokens.len() > MOST || !rest.is_empty() {
            return Err(Error::Corrupt("length of a voters' sketch"));
        }
        let ascending = tokens.iter().zip(tokens.iter().skip(1)).all(|(token, next)| token < next);
        if !ascending || tokens.iter().any(|token| zeros_of(*token) > MOST_ZEROS) {
            return Err(Error::Corrupt("voters of a sketch"));
        }
        Ok(Self(State::of(&tokens)))
    }

    pub(super) fn relocate(&mut self, mover: &mut impl Mover) {
        self.0 = match mem::take(&mut self.0) {
            State::List(list) => State::List(list.relocate(mover)),
            State::Many(registers) => State::Many(registers.relocate(mover)),
            few @ State::Few(_) => few,
        };
    }

    /// Returns the form that depends only on the set of voters.
    fn canonical(&self) -> Canonical<'_> {
        match &self.0 {
            State::Few(tokens) => Canonical::Tokens(Cow::Borrowed(tokens)),
            State::Many(registers) => Canonical::Many(Cow::Borrowed(registers)),
            State::List(list) => {
                let tokens = list.sorted();
                if tokens.len() > MOST {
                    Canonical::Many(Cow::Owned(of_tokens(&tokens)))
                } else {
                    Canonical::Tokens(tokens.into())
                }
            }
        }
    }
}

/// A form that is the same for equal sets of voters: the tokens in order, each of them once, or registers for many
/// voters.
enum Canonical<'a> {
    Tokens(Cow<'a, [u32]>),
    Many(Cow<'a, Registers>),
}

/// Returns the token of a hash.
const fn token_of(hash: u64) -> u32 {
    let zeros = (hash | ((1 << LOW_BITS) - 1)).leading_zeros();
    (hash as u32) << ZEROS_BITS | zeros
}

const fn zeros_of(token: u32) -> u32 {
    token & ((1 << ZEROS_BITS) - 1)
}

/// Returns a hash that has this token. All such hashes change registers in the same way, since registers only use
/// the low bits and the leading zeros.
const fn hash_of(token: u32) -> u64 {
    let low = (token >> ZEROS_BITS) as u64;
    if zeros_of(token) < MOST_ZEROS { low | TOP_BIT >> zeros_of(token) } else { low }
}

fn of_tokens(tokens: &[u32]) -> Registers {
    let mut registers = Registers::new();
    add_tokens(&mut registers, tokens);
    registers
}

fn add_tokens(registers: &mut Registers, tokens: &[u32]) {
    tokens.iter().for_each(|token| registers.insert(hash_of(*token)));
}

#[cfg(test)]
mod tests;
