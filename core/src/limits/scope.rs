//! The scope of a rule: the member, the voter, tags, or several of them together.

use arrayvec::ArrayVec;

use super::ballot::Ballot;
use crate::Error;
use crate::error::Quoted;
use crate::size_class::{bytes_of, round_up};

/// The maximum number of parts of a scope.
const MAX_PARTS: usize = 16;
/// The maximum length of the name of a rule or a tag, in bytes.
pub const MAX_WORD: usize = 64;

/// A part of a scope. Votes are counted separately for each value of this part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScopePart {
    /// The member that gets the votes.
    Member,
    /// The voter.
    Voter,
    /// The value of the tag with this name.
    Tag(Box<[u8]>),
}

impl ScopePart {
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

/// Returns whether a word has no spaces and no control characters.
pub(super) fn is_plain(word: &[u8]) -> bool {
    word.iter().all(|byte| *byte > b' ' && *byte != 0x7f)
}

/// The parts by whose values votes are counted, in the order of the text: 1 to [`MAX_PARTS`] parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope(Vec<ScopePart>);

/// The values of a scope's parts in a request. `None` is used for the part `member`.
pub(super) type Values<'a> = ArrayVec<Option<&'a [u8]>, MAX_PARTS>;

impl Scope {
    /// Reads `member`, `voter` (both in upper or lower case) and names of tags, joined by `+`.
    ///
    /// # Errors
    /// [`Error::BadScope`] if a part is empty, occurs twice, is too long or has a space or a control character, or
    /// if there are too many parts.
    pub(super) fn parse(word: &[u8]) -> Result<Self, Error> {
        let bad = Error::BadScope(Quoted::new(word));
        let mut parts = Vec::new();
        for word in word.split(|byte| *byte == b'+') {
            let part = ScopePart::parse(word).ok_or(bad)?;
            if parts.contains(&part) || parts.len() == MAX_PARTS {
                return Err(bad);
            }
            parts.push(part);
        }
        parts.shrink_to_fit();
        Ok(Self(parts))
    }

    /// Returns the parts, in order.
    pub(super) fn parts(&self) -> &[ScopePart] {
        &self.0
    }

    /// Returns whether votes are counted for each member separately.
    pub(super) fn has_member(&self) -> bool {
        self.0.contains(&ScopePart::Member)
    }

    /// Returns the text of the scope.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let words: Vec<_> = self.0.iter().map(ScopePart::word).collect();
        words.join(&b'+')
    }

    /// Replaces `values` with the ballot's values for the parts. The error is the first part for which the ballot
    /// has no value.
    pub(super) fn values<'a>(&self, ballot: &Ballot<'a>, values: &mut Values<'a>) -> Result<(), &ScopePart> {
        values.clear();
        for part in &self.0 {
            // A scope has at most [`MAX_PARTS`] parts, so there is room for the value.
            values.push(match part {
                ScopePart::Member => None,
                ScopePart::Voter => Some(ballot.voter.ok_or(part)?),
                ScopePart::Tag(name) => Some(ballot.tag(name).ok_or(part)?),
            });
        }
        Ok(())
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        let names =
            self.0.iter().map(|part| if let ScopePart::Tag(name) = part { round_up(name.len()) } else { 0 });
        names.fold(bytes_of::<ScopePart>(self.0.capacity()), usize::saturating_add)
    }
}
