//! Members: which the board knows, forgetting them, and their texts.

use super::Board;
use super::change::Target;
use super::write::Write;
use crate::Error;
use crate::index::MemberId;
use crate::parts::Role;

impl Board {
    /// Checks that members belong here, where the board is a part.
    ///
    /// # Errors
    /// [`Error::WrongPart`] for the first that does not.
    pub fn check_own<'a>(&self, members: impl IntoIterator<Item = &'a [u8]>) -> Result<(), Error> {
        match self.schema.role {
            Role::Whole | Role::Root(_) => Ok(()),
            role @ Role::Part { .. } => members.into_iter().try_for_each(|member| role.check(member)),
        }
    }

    /// Whether anything in the board refers to a member.
    pub(super) fn knows(&self, id: MemberId) -> bool {
        self.meta_of(id).is_some()
            || self.is_hidden(id)
            || self.campaign().is_some_and(|campaign| campaign.knows(id))
            || self.views.iter().any(|view| view.knows(id, &self.members))
    }

    /// Forgets a member and everything about it.
    pub(super) fn drop_member(&mut self, id: MemberId) {
        self.forget_hidden(id);
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

    /// A member's text.
    #[must_use]
    pub fn meta(&self, member: &[u8]) -> Option<&[u8]> {
        let id = self.members.find(member)?;
        self.meta_of(id)
    }

    /// A member's text, by its number in a [`Row`](super::Row).
    #[must_use]
    pub fn meta_of(&self, id: MemberId) -> Option<&[u8]> {
        self.extras.as_ref()?.texts.get(id).map(|text| &**text)
    }

    /// Forgets a member and everything about it; whether there was anything to read of it.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let Some(id) = self.members.find(member) else { return false };
        let facts = self.facts();
        let known = self.meta_of(id).is_some()
            || self.is_hidden(id)
            || self.campaign().is_some_and(|campaign| campaign.knows(id))
            || self.views.iter().any(|view| view.shows(id, &facts, &|| self.note_worked()));
        self.drop_member(id);
        known
    }

    /// Sets a member's text; an empty one deletes it. The member needs no score. Tells whether anything
    /// changed.
    ///
    /// # Errors
    /// [`Error::Full`].
    pub fn set_meta(&mut self, member: &[u8], text: &[u8]) -> Result<bool, Error> {
        let found = self.members.find(member);
        if text.is_empty() {
            let Some(id) = found else { return Ok(false) };
            let removed = self.meta_of(id).is_some();
            self.set_text_or_forget(id, text);
            return Ok(removed);
        }
        let id = found.map_or_else(|| self.enter_member(member), Ok)?;
        Ok(self.set_text(id, text))
    }

    /// Sets the text that a write gives to its member.
    pub(super) fn set_given_text(&mut self, write: &Write, targets: &[Target]) {
        let text = write.meta.filter(|text| !text.is_empty());
        if let (Some(text), Some(id)) = (text, targets.last().and_then(|target| target.id)) {
            self.set_text(id, text);
        }
    }

    /// Deletes the text of a write's member, if the write asks for that.
    pub(super) fn delete_given_text(&mut self, write: &Write, targets: &mut [Target]) {
        if let (Some([]), Some(target)) = (write.meta, targets.last_mut()) {
            target.id = target.id.filter(|id| !self.set_text_or_forget(*id, b""));
        }
    }

    /// Sets the text of a member that the board knows, or deletes it. Whether the member was forgotten, since
    /// nothing else is known of it.
    pub(super) fn set_text_or_forget(&mut self, id: MemberId, text: &[u8]) -> bool {
        let is_gone = self.set_text(id, text) && text.is_empty() && !self.knows(id);
        if is_gone {
            self.drop_member(id);
        }
        is_gone
    }

    /// Sets the text of a member that the board knows; an empty one deletes it. Tells whether anything changed.
    pub(super) fn set_text(&mut self, id: MemberId, text: &[u8]) -> bool {
        if self.meta_of(id) == Some(text) {
            return false;
        }
        if text.is_empty() {
            return self.extras.as_mut().is_some_and(|extras| extras.remove_text(id));
        }
        self.extras.get_or_insert_default().set_text(id, text);
        true
    }
}
