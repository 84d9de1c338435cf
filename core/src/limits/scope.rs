//! What a rule counts by: the member, the voter, tags, or several of them at once.

use std::fmt;

use arrayvec::ArrayVec;

use super::{Ballot, MAX_PARTS, MAX_WORD};
use crate::Error;
use crate::error::Quoted;
use crate::size_class::{bytes_of, round_up};

/// One of the things that a rule counts by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The member that is voted for.
    Member,
    /// Who votes.
    Voter,
    /// The value of the tag of this name.
    Tag(Box<[u8]>),
}

impl Part {
    fn parse(word: &[u8]) -> Option<Self> {
        if word.eq_ignore_ascii_case(b"member") {
            return Some(Self::Member);
        }
        if word.eq_ignore_ascii_case(b"voter") {
            return Some(Self::Voter);
        }
        let fits = !word.is_empty() && word.len() <= MAX_WORD && is_plain(word);
        fits.then(|| Self::Tag(word.into()))
    }

    fn word(&self) -> &[u8] {
        match self {
            Self::Member => b"member",
            Self::Voter => b"voter",
            Self::Tag(name) => name,
        }
    }
}

/// Whether a word has no spaces and no control characters.
pub(super) fn is_plain(word: &[u8]) -> bool {
    word.iter().all(|byte| *byte > b' ' && *byte != 0x7f)
}

/// What votes are counted by, in the order in which it was written: 1 to [`MAX_PARTS`] parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope(Vec<Part>);

/// The values of a scope's parts in a request; nothing stands for the member.
pub(super) type Values<'a> = ArrayVec<Option<&'a [u8]>, MAX_PARTS>;

impl Scope {
    /// Reads `member`, `voter` (both in any case) and tag names, joined by `+`.
    ///
    /// # Errors
    /// [`Error::BadScope`] where a part is empty, stands twice, is too long or has a space or a control
    /// character, or where there are more than [`MAX_PARTS`].
    pub fn parse(word: &[u8]) -> Result<Self, Error> {
        let bad = Error::BadScope(Quoted::new(word));
        let mut parts = Vec::new();
        for word in word.split(|byte| *byte == b'+') {
            let part = Part::parse(word).ok_or(bad)?;
            if parts.contains(&part) || parts.len() == MAX_PARTS {
                return Err(bad);
            }
            parts.push(part);
        }
        parts.shrink_to_fit();
        Ok(Self(parts))
    }

    /// The parts, in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Whether each member is counted for itself.
    #[must_use]
    pub fn has_member(&self) -> bool {
        self.0.contains(&Part::Member)
    }

    /// The scope as it is written.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let words: Vec<_> = self.0.iter().map(Part::word).collect();
        words.join(&b'+')
    }

    /// Puts down what a ballot says of the parts; else the first one that it leaves open.
    pub(super) fn values<'a>(&self, ballot: &Ballot<'a>, values: &mut Values<'a>) -> Result<(), &Part> {
        values.clear();
        for part in &self.0 {
            // There are never more parts than have room.
            values.push(match part {
                Part::Member => None,
                Part::Voter => Some(ballot.voter.ok_or(part)?),
                Part::Tag(name) => Some(ballot.tag(name).ok_or(part)?),
            });
        }
        Ok(())
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let names =
            self.0.iter().map(|part| if let Part::Tag(name) = part { round_up(name.len()) } else { 0 });
        names.fold(bytes_of::<Part>(self.0.capacity()), usize::saturating_add)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::rule::shown(&self.to_bytes()).fmt(f)
    }
}
