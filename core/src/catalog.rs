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
    /// The parts are being merged. Some shares of the members have one part, and others still have two. Or both parts of
    /// the board become a plain board.
    Shrinking,
}
words!(
    State,
    "state",
    "whole, making, altering, ending, restoring, growing, shrinking",
    Whole = "whole",
    Making = "making",
    Altering = "altering",
    Ending = "ending",
    Restoring = "restoring",
    Growing = "growing",
    Shrinking = "shrinking"
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
    /// Twice the number of parts of the root: the number that a growing root will have, and that a shrinking root had. A
    /// part that was merged while the board shrinks has the number of parts of which it was merged.
    pub target: Option<Parts>,
    /// Why a part takes no writes at present.
    pub hold: Option<Hold>,
}

/// The reason why a part or a plain board takes no writes, while it is being split or merged. A root that becomes a plain
/// board is held, too. The token is the random number of one attempt to do that; it is above 0 and below 2^63.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The part is being copied. It takes writes again when the server's clock reaches `until`, in milliseconds.
    Split {
        /// The attempt that copies the part.
        token: u64,
        /// When the attempt ends without effect.
        until: Millis,
    },
    /// The part is a copy. It takes writes as soon as the copied part has given its share of the members away. Or the part
    /// is given away: another part is about to get its members, or has got them.
    Copy {
        /// The attempt that made the copy, or that gives the part away.
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
    /// [`Error::Growing`]; [`Error::Shrinking`].
    pub fn altered(self, revision: Option<u64>, request: u64) -> Result<Self, Error> {
        let next = self.revision.saturating_add(1);
        if revision.is_some_and(|revision| revision != next) {
            return Err(Error::Stale("revision"));
        }
        self.needs_no_end()?;
        match self.state {
            State::Growing => return Err(Error::Growing),
            State::Shrinking => return Err(Error::Shrinking),
            _ => {}
        }
        Ok(Self { revision: next, request, state: State::Altering, ..self })
    }

    /// Returns the entry of the root after all parts have the rules with this number. If `told` is true, the client
    /// gets the reply to its command now, so the request is forgotten.
    ///
    /// # Errors
    /// [`Error::Stale`] if the rules of the root have another number, or if the board is growing, shrinking or being deleted.
    pub fn completed(self, revision: u64, told: bool) -> Result<Self, Error> {
        if self.revision != revision {
            return Err(Error::Stale("revision"));
        }
        if [State::Ending, State::Growing, State::Shrinking].contains(&self.state) {
            return Err(Error::Stale("state"));
        }
        Ok(Self { state: State::Whole, request: if told { 0 } else { self.request }, ..self })
    }

    /// Returns the entry after the root or part got rules from elsewhere: the rules with this number.
    ///
    /// # Errors
    /// [`Error::Stale`] if the present rules are later, or if the board is growing or shrinking, or being deleted or
    /// restored.
    pub fn adopted(self, revision: u64, is_root: bool) -> Result<Self, Error> {
        if revision < self.revision {
            return Err(Error::Stale("revision"));
        }
        self.needs_no_end()?;
        if self.is_moving() {
            return Err(Error::Stale("state"));
        }
        // A root that has these rules already may have been finished since the sender has read it.
        let state = match is_root {
            true if revision == self.revision => self.state,
            true => State::Altering,
            false => State::Whole,
        };
        // The rules with the next number come after the board has shrunk.
        let target = self.target.filter(|_| revision == self.revision);
        Ok(Self { revision, state, target, ..self })
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
    /// [`Error::Stale`] if the root has another number of parts, or the rules another number, or if something else is to be
    /// finished.
    pub fn growing(self, revision: u64, parts: Parts, target: Parts) -> Result<Self, Error> {
        if parts.doubled() != Some(target) {
            return Err(Error::Stale("parts"));
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

    /// Returns whether the parts of a root are being split or merged.
    #[must_use]
    pub fn is_moving(self) -> bool {
        [State::Growing, State::Shrinking].contains(&self.state)
    }

    /// Returns the entry of a root that begins to shrink from `parts` to `target` parts, which is half of the number. A
    /// root over two parts has no such number: it becomes a plain board.
    ///
    /// # Errors
    /// [`Error::Stale`] if the root has another number of parts, or the rules another number, or if something else is to be
    /// finished.
    pub fn shrinking(self, revision: u64, parts: Parts, target: Option<Parts>) -> Result<Self, Error> {
        if parts.halved() != target {
            return Err(Error::Stale("parts"));
        }
        if self.revision != revision {
            return Err(Error::Stale("revision"));
        }
        if self.state != State::Whole {
            return Err(Error::Stale("state"));
        }
        Ok(Self { state: State::Shrinking, target: target.map(|_| parts), ..self })
    }

    /// Returns the entry of a shrinking root after all of its parts were merged. The rules get the next number. So a part
    /// that was given away, and that a server brings back later, is older than all parts.
    ///
    /// # Errors
    /// [`Error::Stale`] if the root does not shrink to this number of parts.
    pub fn shrunk(self, target: Parts) -> Result<Self, Error> {
        if self.state != State::Shrinking || self.target != target.doubled() {
            return Err(Error::Stale("state"));
        }
        Ok(Self { state: State::Altering, target: None, revision: self.revision.saturating_add(1), ..self })
    }

    /// Checks that an attempt holds the part while the server's clock shows `wall`.
    ///
    /// # Errors
    /// [`Error::Stale`].
    pub const fn check_held(self, token: u64, wall: Millis) -> Result<(), Error> {
        match self.hold {
            Some(Hold::Split { token: present, until }) if present == token && wall < until => Ok(()),
            _ => Err(Error::Stale("token")),
        }
    }

    /// Returns the entry of a part that is given away. It takes no writes until it is opened.
    ///
    /// # Errors
    /// [`Error::Stale`] if the attempt does not hold the part while the server's clock shows `wall`.
    pub fn given(self, token: u64, wall: Millis) -> Result<Self, Error> {
        let given = Some(Hold::Copy { token });
        if self.hold != given {
            self.check_held(token, wall)?;
        }
        Ok(Self { hold: given, ..self })
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
            State::Whole | State::Making | State::Altering | State::Growing | State::Shrinking => Ok(()),
        }
    }
}
