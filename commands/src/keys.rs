//! The places of a command's keys among its words, and what the command does to the keys.

use std::ffi::CStr;

use crate::argument::Argument;
use crate::arguments::Args;
use crate::options::{self, List};

/// The effect of a command on a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The command only reads the key.
    Read,
    /// The command adds to the value. This can need memory.
    Write,
    /// The command replaces the value, whatever its type.
    Replace,
    /// The command changes the value without new memory.
    Alter,
    /// The command removes data from the value.
    Remove,
}

impl Access {
    /// Returns whether this access can need memory.
    pub const fn needs_memory(self) -> bool {
        matches!(self, Self::Write | Self::Replace)
    }
}

/// The places of keys. The command's name is at place 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One key at this place.
    At(u8),
    /// The number of keys is at this place, and the keys follow.
    CountedAt(u8),
    /// One key after this option, if the call contains the option. The options begin at the place.
    Behind(&'static CStr, u8),
    /// The number of keys follows this word (the first such word from a place on), and the keys follow the number.
    CountedBehind(&'static CStr, u8),
}

/// Keys among a command's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyArgument {
    /// The places of these keys.
    pub place: Place,
    /// The effect of the command on these keys.
    pub access: Access,
}

impl KeyArgument {
    /// Returns one key at this place, with this access.
    pub const fn at(place: u8, access: Access) -> Self {
        Self { place: Place::At(place), access }
    }

    /// Returns the place, if there is one key.
    pub const fn single(&self) -> Option<u8> {
        match self.place {
            Place::At(place) => Some(place),
            Place::CountedAt(_) | Place::Behind(..) | Place::CountedBehind(..) => None,
        }
    }

    /// Returns the places of the keys in a call; no places if the number of keys in the call is wrong.
    pub fn places(&self, words: &[Argument], accepted: List) -> std::ops::Range<usize> {
        let count = match self.place {
            Place::At(place) => return usize::from(place)..usize::from(place).saturating_add(1),
            Place::Behind(word, from) => {
                let word = word.to_str().unwrap_or_default();
                let place = options::place_of(word, usize::from(from), words, accepted);
                return place.map_or(0..0, |place| place..place.saturating_add(1));
            }
            Place::CountedAt(place) => usize::from(place),
            Place::CountedBehind(word, from) => {
                let is_word = |other: &Argument| other.bytes().eq_ignore_ascii_case(word.to_bytes());
                let behind = words.iter().skip(usize::from(from)).position(is_word);
                behind.map_or(words.len(), |at| at.saturating_add(usize::from(from)).saturating_add(1))
            }
        };
        let first = count.saturating_add(1);
        let number = words.get(count..).and_then(|rest| Args::new(rest).count("").ok()).unwrap_or(0);
        let end = usize::try_from(number).ok().and_then(|number| first.checked_add(number));
        first..end.filter(|end| *end <= words.len()).unwrap_or(first)
    }
}

/// Returns the first argument.
pub const fn first(access: Access) -> KeyArgument {
    KeyArgument::at(1, access)
}

/// Returns whether the places of some keys depend on the arguments.
#[must_use]
pub fn are_searched(keys: &[KeyArgument]) -> bool {
    keys.iter().any(|key| key.single().is_none())
}
