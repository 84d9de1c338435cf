//! Makes a plain board the root of two parts. Copies of the board become the parts (see [`super::halve`]).
//!
//! While the copies are made, the board is held: it is read as before, and takes no writes. It becomes the root only if it
//! has taken no writes since then. A board that was held once keeps the incarnation of the attempt, so that a later attempt
//! recognizes the copies of an earlier one.

use super::{Board, Rules, alter};
use crate::Error;
use crate::catalog::{CatalogEntry, Hold, State};
use crate::parts::{Parts, Role};
use crate::schema::Schema;
use crate::time::Millis;

impl Board {
    /// Checks that a board with these rules can have parts.
    ///
    /// # Errors
    /// [`Error::NotWithParts`], naming the rule.
    fn check_spreadable(&self) -> Result<(), Error> {
        let schema = Schema { role: Role::Root(Parts::TWO), ..self.schema.clone() };
        schema.check()?;
        alter::check_views(&schema, &self.specs().copied().collect::<Vec<_>>())?;
        if self.limits().next().is_some() {
            return Err(Error::NotWithParts("LIMIT"));
        }
        let rules = self.write_rules();
        if rules.max_members.is_some() {
            return Err(Error::NotWithParts("MAXMEMBERS"));
        }
        self.check_root_prizes()
    }

    /// Lets a plain board take no writes from `now` until `until`, so that it can be copied to the parts of a board of
    /// this incarnation. Repeating this with the same token makes the time longer.
    ///
    /// # Errors
    /// [`Error::NotWithParts`]; [`Error::Stale`] if the board is not plain, if it was held for another incarnation, or if
    /// another attempt holds it.
    pub fn hold_for_parts(
        &mut self,
        (incarnation, token): (u64, u64),
        (now, until): (Millis, Millis),
    ) -> Result<(), Error> {
        if self.schema.role != Role::Whole {
            return Err(Error::Stale("state"));
        }
        self.check_spreadable()?;
        let entry = self.catalog();
        if entry.incarnation > 0 {
            entry.check(incarnation)?;
        }
        self.put_catalog(CatalogEntry { incarnation, ..entry }.held(token, now, until)?);
        Ok(())
    }

    /// Makes a plain board the root of two parts. Its state is [`State::Altering`], because its parts do not take writes
    /// yet. Returns false if the board is this root already.
    ///
    /// # Errors
    /// [`Error::Stale`] if the board is not plain, or if the attempt with this token does not hold it while the server's
    /// clock shows `wall`. The board is unchanged then.
    pub fn become_root(&mut self, incarnation: u64, token: u64, wall: Millis) -> Result<bool, Error> {
        let (role, entry) = (Role::Root(Parts::TWO), self.catalog());
        entry.check(incarnation)?;
        if self.schema.role == role {
            return Ok(false);
        }
        if self.schema.role != Role::Whole {
            return Err(Error::Stale("state"));
        }
        match entry.hold {
            Some(Hold::Split { token: present, until }) if present == token && wall < until => {}
            _ => return Err(Error::Stale("token")),
        }
        let Rules { schema, specs, voting } = self.rules();
        let mut root = Self::new(Schema { role, ..schema }, &specs)?;
        root.check_voting(&voting)?;
        root.set_voting(&voting);
        root.put_catalog(CatalogEntry { incarnation, state: State::Altering, ..CatalogEntry::default() });
        self.give_prizes_to(&mut root);
        *self = root;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
