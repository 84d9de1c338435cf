//! The entry of a board over parts in its own catalogue. The root and all parts of one board have the same incarnation,
//! a random number. So parts of an earlier board with the same name are never taken for parts of this board. The rules
//! have a number, the revision. The root also has a state, which tells what some client has to finish.

use crate::Error;
use crate::words::words;

/// The state of the root of a board over parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum State {
    /// All parts were made, and they were given the rules of the root.
    #[default]
    Whole,
    /// The root exists, and some parts may be missing.
    Making,
    /// The root has new rules, and some parts may have older rules.
    Altering,
    /// The board is being deleted, and some parts may be left.
    Ending,
    /// The board is being restored from a backup, and some parts may be missing. Only the program that restores it can
    /// finish it, because it has their members.
    Restoring,
}
words!(
    State,
    "state",
    "whole, making, altering, ending, restoring",
    Whole = "whole",
    Making = "making",
    Altering = "altering",
    Ending = "ending",
    Restoring = "restoring"
);

/// The entry of a root or a part. A root or part that was made without a number has the default entry.
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
    /// [`Error::Stale`] if another command has altered the rules before, or if the board is being deleted or restored.
    pub fn altered(self, revision: Option<u64>, request: u64) -> Result<Self, Error> {
        let next = self.revision.saturating_add(1);
        if revision.is_some_and(|revision| revision != next) {
            return Err(Error::Stale("revision"));
        }
        self.needs_rules()?;
        Ok(Self { revision: next, request, state: State::Altering, ..self })
    }

    /// Returns the entry of the root after all parts have the rules with this number. If `told` is true, the client
    /// gets the reply to its command now, so the request is forgotten.
    ///
    /// # Errors
    /// [`Error::Stale`] if the rules of the root have another number, or if the board is being deleted.
    pub fn completed(self, revision: u64, told: bool) -> Result<Self, Error> {
        if self.revision != revision {
            return Err(Error::Stale("revision"));
        }
        if self.state == State::Ending {
            return Err(Error::Stale("state"));
        }
        Ok(Self { state: State::Whole, request: if told { 0 } else { self.request }, ..self })
    }

    /// Returns the entry after the root or part got rules from elsewhere: the rules with this number.
    ///
    /// # Errors
    /// [`Error::Stale`] if the present rules are later, or if the board is being deleted or restored.
    pub fn adopted(self, revision: u64, is_root: bool) -> Result<Self, Error> {
        if revision < self.revision {
            return Err(Error::Stale("revision"));
        }
        self.needs_rules()?;
        Ok(Self { revision, state: if is_root { State::Altering } else { State::Whole }, ..self })
    }

    /// Returns the entry of a part after it came from a backup: it belongs to a new board.
    #[must_use]
    pub const fn reborn(self, incarnation: u64) -> Self {
        Self { incarnation, ..self }
    }

    /// Checks that the rules may change now.
    fn needs_rules(self) -> Result<(), Error> {
        match self.state {
            State::Ending | State::Restoring => Err(Error::Stale("state")),
            State::Whole | State::Making | State::Altering => Ok(()),
        }
    }
}
