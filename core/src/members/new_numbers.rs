//! The numbers that members get when a small board changes to the form for many members.

use crate::index::MemberId;

/// The new number of each member, by its old number. A board that keeps many ended periods looks up each member very often.
#[derive(Debug, Default)]
pub struct NewNumbers {
    by_old: Vec<Option<MemberId>>,
}

impl NewNumbers {
    /// Returns the new number of a member. Another number stays as it is.
    pub fn of(&self, old: MemberId) -> MemberId {
        self.by_old.get(old as usize).copied().flatten().unwrap_or(old)
    }
}

impl FromIterator<(MemberId, MemberId)> for NewNumbers {
    fn from_iter<I: IntoIterator<Item = (MemberId, MemberId)>>(pairs: I) -> Self {
        let mut by_old = Vec::new();
        for (old, new) in pairs {
            let at = old as usize;
            if by_old.len() <= at {
                by_old.resize(at.saturating_add(1), None);
            }
            if let Some(place) = by_old.get_mut(at) {
                *place = Some(new);
            }
        }
        Self { by_old }
    }
}
