//! Members as such: who is known, who is forgotten, and the texts beside them.

use super::Board;
use crate::Error;
use crate::index::MemberId;

impl Board {
    /// Whether anything of the board refers to a member.
    pub(super) fn knows(&self, id: MemberId) -> bool {
        self.meta_of(id).is_some()
            || self.campaign().is_some_and(|campaign| campaign.knows(id))
            || self.views.iter().any(|view| view.knows(id, &self.members))
    }

    /// Forgets a member with everything about it.
    pub(super) fn drop_member(&mut self, id: MemberId) {
        for view in &mut self.views {
            view.remove(id, &mut self.members);
        }
        if let Some(extras) = &mut self.extras {
            extras.remove_text(id);
            if let Some(campaign) = &mut extras.campaign {
                campaign.remove(id);
            }
        }
        self.members.remove(id);
    }

    /// The text beside a member.
    #[must_use]
    pub fn meta(&self, member: &[u8]) -> Option<&[u8]> {
        let id = self.members.find(member)?;
        self.meta_of(id)
    }

    /// The text beside a member, by its number in a [`Row`].
    #[must_use]
    pub fn meta_of(&self, id: MemberId) -> Option<&[u8]> {
        self.extras.as_ref()?.texts.get(id).map(|text| &**text)
    }

    /// Forgets a member: its scores, its text. Whether it was there.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let found = self.members.find(member);
        let Some(id) = found else { return false };
        let facts = self.facts();
        let known = self.meta_of(id).is_some()
            || self.campaign().is_some_and(|campaign| campaign.knows(id))
            || self.views.iter().any(|view| view.shows(id, &facts, &|| self.note_worked()));
        self.drop_member(id);
        known
    }

    /// Sets the text beside a member, who needs no score; an empty one deletes it. Whether anything
    /// changed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_meta(&mut self, member: &[u8], text: &[u8]) -> Result<bool, Error> {
        let found = self.members.find(member);
        if text.is_empty() {
            let Some(id) = found else { return Ok(false) };
            let removed = self.extras.as_mut().is_some_and(|extras| extras.remove_text(id));
            if removed && !self.knows(id) {
                self.drop_member(id);
            }
            return Ok(removed);
        }
        let id = match found {
            Some(id) => id,
            None => self.enter_member(member)?,
        };
        if self.meta_of(id) == Some(text) {
            return Ok(false);
        }
        self.extras.get_or_insert_default().set_text(id, text);
        Ok(true)
    }
}
