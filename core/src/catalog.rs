//! The entry of a board over parts in its own catalogue. The root and all parts of one board have the same incarnation,
//! a random number. So parts of an earlier board with the same name are never taken for parts of this board. The rules
//! have a number, the revision. The root also has a state, which tells what some client has to finish.

use crate::Error;
use crate::parts::Parts;
use crate::time::Millis;
use crate::words::words;

/// The state of the root of a board over parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// All parts were made, and they were given the rules of the root.
    #[default]
    Whole,
    /// The root exists, and some parts may be missing.
    Making,
    /// The root has new rules, and some parts may have older rules. Or the root was a plain board, and its parts may not
    /// take writes yet.
    Altering,
    /// The board is being deleted, and some parts may be left.
    Ending,
    /// The board is being restored from a backup, and some parts may be missing. Only the program that restores it can
    /// finish it, because it has their members.
    Restoring,
    /// The parts are being split. Some shares of the members have one part, and others have two.
    Growing,
}
words!(
    State,
    "state",
    "whole, making, altering, ending, restoring, growing",
    Whole = "whole",
    Making = "making",
    Altering = "altering",
    Ending = "ending",
    Restoring = "restoring",
    Growing = "growing"
);

/// The entry of a root or a part, or of a plain board that is being spread. A root or part that was made without a number has the default entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CatalogEntry {
    /// The random number of this board, below 2^63. Boards that are made by hand may have 0.
    pub incarnation: u64,
    /// How often the rules of the board have been altered, below 2^63.
    pub revision: u64,
    /// A number that names the command which made or last altered the board, below 2^63. It is 0 when the client has
    /// got the reply to this command.
    pub request: u64,
    /// What has to be finished. A part is always whole.
    pub state: State,
    /// The number of parts that a growing root will have.
    pub target: Option<Parts>,
    /// Why a part takes no writes at present.
    pub hold: Option<Hold>,
}

/// The reason why a part or a plain board takes no writes, while it is being split. The token is the random number of one attempt to split
/// a part; it is above 0 and below 2^63.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The part is being copied. It takes writes again when the server's clock reaches `until`, in milliseconds.
    Split {
        /// The attempt that copies the part.
        token: u64,
        /// When the attempt ends without effect.
        until: Millis,
    },
    /// The part is a copy. It takes writes as soon as the copied part has given its share of the members away.
    Copy {
        /// The attempt that made the copy.
        token: u64,
    },
}

impl Hold {
    /// Returns the number of the attempt.
    #[must_use]
    pub const fn token(self) -> u64 {
        match self {
            Self::Split { token, .. } | Self::Copy { token } => token,
        }
    }
}

impl CatalogEntry {
    /// Checks that this is the incarnation that a command names.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub const fn check(&self, incarnation: u64) -> Result<(), Error> {
        if self.incarnation == incarnation { Ok(()) } else { Err(Error::Stale("incarnation")) }
    }

    /// Returns the entry of the root after its rules were altered. `revision` is the number that the command gives to
    /// the new rules; without one, the next number is used.
    ///
    /// # Errors
    /// [`Error::Stale`] if another command has altered the rules before, or if the board is being deleted or restored;
    /// [`Error::Growing`].
    pub fn altered(self, revision: Option<u64>, request: u64) -> Result<Self, Error> {
        let next = self.revision.saturating_add(1);
        if revision.is_some_and(|revision| revision != next) {
            return Err(Error::Stale("revision"));
        }
        self.needs_no_end()?;
        if self.state == State::Growing {
            return Err(Error::Growing);
        }
        Ok(Self { revision: next, request, state: State::Altering, ..self })
    }

    /// Returns the entry of the root after all parts have the rules with this number. If `told` is true, the client
    /// gets the reply to its command now, so the request is forgotten.
    ///
    /// # Errors
    /// [`Error::Stale`] if the rules of the root have another number, or if the board is growing or being deleted.
    pub fn completed(self, revision: u64, told: bool) -> Result<Self, Error> {
        if self.revision != revision {
            return Err(Error::Stale("revision"));
        }
        if [State::Ending, State::Growing].contains(&self.state) {
            return Err(Error::Stale("state"));
        }
        Ok(Self { state: State::Whole, request: if told { 0 } else { self.request }, ..self })
    }

    /// Returns the entry after the root or part got rules from elsewhere: the rules with this number.
    ///
    /// # Errors
    /// [`Error::Stale`] if the present rules are later, or if the board is growing, or being deleted or restored.
    pub fn adopted(self, revision: u64, is_root: bool) -> Result<Self, Error> {
        if revision < self.revision {
            return Err(Error::Stale("revision"));
        }
        self.needs_no_end()?;
        if self.state == State::Growing {
            return Err(Error::Stale("state"));
        }
        Ok(Self { revision, state: if is_root { State::Altering } else { State::Whole }, ..self })
    }

    /// Returns the entry of a part after it came from a backup: it belongs to a new board.
    #[must_use]
    pub const fn reborn(self, incarnation: u64) -> Self {
        Self { incarnation, ..self }
    }

    /// Returns the entry of a root that begins to grow from `parts` to `target` parts, which is twice the number. A root
    /// that is growing to this number keeps its entry.
    ///
    /// # Errors
    /// [`Error::BadTarget`]; [`Error::Stale`] if the rules have another number, or if something else is to be finished.
    pub fn growing(self, revision: u64, parts: Parts, target: Parts) -> Result<Self, Error> {
        if parts.doubled() != Some(target) {
            return Err(Error::BadTarget(parts.count()));
        }
        if self.revision != revision {
            return Err(Error::Stale("revision"));
        }
        match self.state {
            State::Whole => Ok(Self { state: State::Growing, target: Some(target), ..self }),
            State::Growing if self.target == Some(target) => Ok(self),
            _ => Err(Error::Stale("state")),
        }
    }

    /// Returns the entry of a growing root after all of its parts were split.
    ///
    /// # Errors
    /// [`Error::Stale`] if the root does not grow to this number of parts.
    pub fn grown(self, target: Parts) -> Result<Self, Error> {
        if (self.state, self.target) == (State::Growing, Some(target)) {
            Ok(Self { state: State::Whole, target: None, ..self })
        } else {
            Err(Error::Stale("state"))
        }
    }

    /// Returns the entry of a part that takes no writes from `now` on, until `until`. Repeating this with the same token
    /// makes the time longer.
    ///
    /// # Errors
    /// [`Error::Stale`] if another attempt holds the part, or if the time of this attempt has passed.
    pub fn held(self, token: u64, now: Millis, until: Millis) -> Result<Self, Error> {
        let may_hold = match self.hold {
            None => true,
            Some(Hold::Split { token: present, until }) => (present == token) == (now < until),
            Some(Hold::Copy { .. }) => false,
        };
        if !may_hold {
            return Err(Error::Stale("token"));
        }
        Ok(Self { hold: Some(Hold::Split { token, until }), ..self })
    }

    /// Returns the entry of a copy that takes writes from now on.
    ///
    /// # Errors
    /// [`Error::Stale`] if another attempt made the copy, or if the part is no copy and takes no writes.
    pub fn opened(self, token: u64) -> Result<Self, Error> {
        match self.hold {
            None => Ok(self),
            Some(Hold::Copy { token: present }) if present == token => Ok(Self { hold: None, ..self }),
            Some(_) => Err(Error::Stale("token")),
        }
    }

    /// Checks that the board is neither being deleted nor restored.
    fn needs_no_end(self) -> Result<(), Error> {
        match self.state {
            State::Ending | State::Restoring => Err(Error::Stale("state")),
            State::Whole | State::Making | State::Altering | State::Growing => Ok(()),
        }
    }
}
