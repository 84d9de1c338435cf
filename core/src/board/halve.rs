//! Splits a part: a copy of the part gets one half of its members, and the part itself keeps the other half. A plain board
//! is copied to both of its halves (see [`super::spread`]).
//!
//! Both halves are the saved part without the members of the other half, so they have everything that a saved board has:
//! scores, moments, the order of equals, ended periods, texts and hidden members. Both halves keep all request ids,
//! because an id does not tell to which members it belongs, and all used attempts, which are counted by hashes of members.

use super::Board;
use crate::Error;
use crate::catalog::{CatalogEntry, Hold};
use crate::parts::{Parts, Role};
use crate::time::Millis;

/// A half of a part: its number on the board that has twice the number of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Half {
    /// The number of the half. The part itself becomes the half with the even number.
    pub number: u16,
    /// The new number of parts.
    pub parts: Parts,
}

impl Board {
    /// Makes this part one of its two halves: removes the members of the other half. The half with the even number takes
    /// writes at once. The half with the odd number is a copy, which takes no writes until it is opened. Both halves of
    /// a plain board, which are parts 0 and 1 of 2, are copies. Returns false if the board is this half already.
    ///
    /// # Errors
    /// [`Error::Stale`] if the board is another part, or if the attempt with this token does not hold it;
    /// [`Error::Corrupt`] if the members of the half cannot be loaded. The board is unchanged then.
    pub fn halve(&mut self, half: Half, token: u64, wall: Millis) -> Result<bool, Error> {
        let Half { number, parts } = half;
        let role = Role::Part { number, parts };
        if self.schema.role == role {
            return Ok(false);
        }
        let keeps_writing = match self.schema.role {
            Role::Part { number: own, parts: present } => {
                if present.doubled() != Some(parts) || own != number >> 1 {
                    return Err(Error::Stale("part"));
                }
                number & 1 == 0
            }
            Role::Whole if parts == Parts::TWO => false,
            Role::Whole => return Err(Error::Stale("part")),
            Role::Root(_) => return Err(Error::NotAPart),
        };
        let entry = self.catalog();
        let hold = match entry.hold {
            Some(Hold::Split { token: present, until }) if present == token => match keeps_writing {
                true if until <= wall => return Err(Error::Stale("token")),
                true => None,
                false => Some(Hold::Copy { token }),
            },
            _ => return Err(Error::Stale("token")),
        };
        let mut board = self.share(role, CatalogEntry { hold, target: None, ..entry })?;
        board.figures = self.figures;
        board.add_held_back(self);
        *self = board;
        Ok(true)
    }

    /// Returns a board with this role and this catalogue entry, which has the members of this board that belong to the
    /// role.
    fn share(&self, role: Role, entry: CatalogEntry) -> Result<Self, Error> {
        let (mut board, mut failed) = (None, None);
        self.save_share(role, entry, |chunk| {
            let loaded = match &mut board {
                None => Self::load(chunk).map(|new| board = Some(new)),
                Some(board) => board.load_chunk(chunk).map(|_| ()),
            };
            failed = failed.or(loaded.err());
        });
        let mut board = match (board, failed) {
            (Some(board), None) => board,
            (_, failed) => return Err(failed.unwrap_or(Error::Corrupt("an empty board"))),
        };
        if let Some(requests) = board.requests.as_deref_mut() {
            requests.forget_writes();
        }
        Ok(board)
    }

    /// Returns whether the board takes no writes from clients while the server's clock shows `wall`.
    #[must_use]
    pub fn is_held(&self, wall: Millis) -> bool {
        match self.catalog().hold {
            None => false,
            Some(Hold::Split { until, .. }) => wall < until,
            Some(Hold::Copy { .. }) => true,
        }
    }

    /// Notes that a write was carried out. It ends an attempt to split the part whose time has passed: the copy lacks the
    /// write.
    pub(super) fn end_split(&mut self) {
        let catalog = self.extras.as_mut().and_then(|extras| extras.catalog.as_mut());
        if let Some(entry) = catalog
            && let Some(Hold::Split { .. }) = entry.hold
        {
            entry.hold = None;
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
