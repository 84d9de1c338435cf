//! The catalogue entry of a root or a part, and changes of rules that keep it.

use super::{Alter, Board};
use crate::Error;
use crate::campaign::RuleChanges;
use crate::catalog::{CatalogEntry, State};
use crate::parts::{Parts, Role};
use crate::schema::Schema;
use crate::view::Spec;

impl Board {
    /// Returns the catalogue entry of a root or a part. A plain board has the default entry until a gateway begins to
    /// spread it.
    #[must_use]
    pub fn catalog(&self) -> CatalogEntry {
        self.extras.as_ref().and_then(|extras| extras.catalog).unwrap_or_default()
    }

    /// Gives a root or a part its catalogue entry.
    ///
    /// # Errors
    /// [`Error::NeedsParts`] if the board is whole, and the entry is not the default.
    pub fn set_catalog(&mut self, entry: CatalogEntry) -> Result<(), Error> {
        if entry == self.catalog() {
            return Ok(());
        }
        if self.schema.role == Role::Whole {
            return Err(Error::NeedsParts("INCARNATION"));
        }
        self.put_catalog(entry);
        Ok(())
    }

    pub(super) fn put_catalog(&mut self, entry: CatalogEntry) {
        self.extras.get_or_insert_default().catalog = Some(entry);
        self.rules_changed();
    }

    pub(super) const fn is_root(&self) -> bool {
        matches!(self.schema.role, Role::Root(_))
    }

    /// Returns the entry of a root of this incarnation.
    ///
    /// # Errors
    /// [`Error::NotARoot`] or [`Error::Stale`].
    pub fn root_entry(&self, incarnation: u64) -> Result<CatalogEntry, Error> {
        if !self.is_root() {
            return Err(Error::NotARoot);
        }
        let entry = self.catalog();
        entry.check(incarnation).map(|()| entry)
    }

    /// Returns the entry of a root or part of this incarnation.
    ///
    /// # Errors
    /// [`Error::NotAPart`] or [`Error::Stale`].
    pub fn bound_entry(&self, incarnation: u64) -> Result<CatalogEntry, Error> {
        if self.schema.role == Role::Whole {
            return Err(Error::NotAPart);
        }
        let entry = self.catalog();
        entry.check(incarnation).map(|()| entry)
    }

    /// Works like [`Board::alter`]. The new rules of a root get the next number. If the command names a number, it must
    /// be this one. `request` names the command.
    ///
    /// # Errors
    /// The errors of [`Board::alter`], [`Error::Stale`], and [`Error::NeedsParts`] if a board without parts or a part is
    /// altered with a number.
    pub fn alter_numbered(
        &mut self,
        alter: &Alter,
        revision: Option<u64>,
        request: Option<u64>,
    ) -> Result<(), Error> {
        if !self.is_root() {
            return match (revision, request) {
                (None, None) => {
                    self.alter(alter)?;
                    // The copy of an attempt to split the board lacks the change.
                    self.end_split();
                    Ok(())
                }
                _ => Err(Error::NeedsParts("REVISION")),
            };
        }
        let entry = self.catalog().altered(revision, request.unwrap_or_default())?;
        self.alter(alter)?;
        self.set_catalog(entry)
    }

    /// Gives a root or a part all rules that the board has in another key: the rules with this number. The views keep
    /// their data, except for views that go.
    ///
    /// # Errors
    /// The errors of [`Board::bound_entry`], [`CatalogEntry::adopted`] and [`Board::new`]; [`Error::OtherRules`] if
    /// rules would change that cannot be altered.
    pub fn adopt(
        &mut self,
        incarnation: u64,
        revision: u64,
        (schema, specs, voting): (&Schema, &[Spec], &RuleChanges),
    ) -> Result<(), Error> {
        let entry = self.bound_entry(incarnation)?.adopted(revision, self.is_root())?;
        let alterable = Schema {
            dedup: schema.dedup,
            keep: schema.keep,
            notify_top: schema.notify_top,
            ..self.schema.clone()
        };
        let wanted = Schema { role: self.schema.role, ..schema.clone() };
        if alterable != wanted {
            return Err(Error::OtherRules);
        }
        self.take_rules(wanted, specs, voting, self.last)?;
        self.set_catalog(entry)
    }

    /// Ends the growth of a root, which has this number of parts from now on. Returns false if it had them already.
    ///
    /// # Errors
    /// The errors of [`Board::root_entry`] and [`CatalogEntry::grown`].
    pub fn finish_growth(&mut self, incarnation: u64, target: Parts) -> Result<bool, Error> {
        let entry = self.root_entry(incarnation)?;
        let role = Role::Root(target);
        if self.schema.role == role && entry.state == State::Whole {
            return Ok(false);
        }
        let entry = entry.grown(target)?;
        self.schema.role = role;
        self.set_catalog(entry).map(|()| true)
    }

    /// Lets a root shrink to half of its parts, or lets a root over two parts become a plain board if `target` is `None`.
    /// From now on, the root has the new number of parts. Returns false if it shrinks to this number already.
    ///
    /// # Errors
    /// The errors of [`Board::root_entry`] and [`CatalogEntry::shrinking`].
    pub fn begin_shrinking(
        &mut self,
        incarnation: u64,
        revision: u64,
        target: Option<Parts>,
    ) -> Result<bool, Error> {
        let entry = self.root_entry(incarnation)?;
        let Some(present) = self.schema.role.parts() else { return Err(Error::NotARoot) };
        let role = Role::Root(target.unwrap_or(Parts::TWO));
        let is_begun = self.schema.role == role && entry.target == target.and_then(Parts::doubled);
        if entry.state == State::Shrinking && is_begun {
            return Ok(false);
        }
        let entry = entry.shrinking(revision, present, target)?;
        self.schema.role = role;
        self.set_catalog(entry).map(|()| true)
    }

    /// Ends the shrinking of a root to this number of parts. Returns false if it has ended already.
    ///
    /// # Errors
    /// The errors of [`Board::root_entry`] and [`CatalogEntry::shrunk`].
    pub fn finish_shrinking(&mut self, incarnation: u64, target: Parts) -> Result<bool, Error> {
        let entry = self.root_entry(incarnation)?;
        if self.schema.role != Role::Root(target) {
            return Err(Error::Stale("state"));
        }
        if [State::Whole, State::Altering].contains(&entry.state) {
            return Ok(false);
        }
        self.set_catalog(entry.shrunk(target)?).map(|()| true)
    }

    /// Returns what has to be finished, if the board is a root.
    #[must_use]
    pub fn state(&self) -> State {
        self.catalog().state
    }
}

#[cfg(test)]
mod tests;
