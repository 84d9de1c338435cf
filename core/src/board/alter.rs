//! What may change of a board's rules once it is made: views, what they keep and carry over, and for
//! how long ids are remembered.

use super::{Board, tallies};
use crate::Error;
use crate::campaign::{Campaign, Changes};
use crate::error::Quoted;
use crate::schema::{Aggregate, Schema};
use crate::view::{Kind, MAX_RETAIN, MAX_VIEWS, Share, Spec, View};

/// Changes to a board's rules; nothing that is not named.
#[derive(Debug, Clone, Default)]
pub struct Alter {
    /// Views to add, behind those that there are, and views to drop, in the order given.
    pub views: Vec<(Kind, Edit)>,
    /// How many past periods stay readable: of all views of periods, or of single ones.
    pub retain: Option<Retain>,
    /// What single views carry over; nothing to end it.
    pub carry: Vec<(Kind, Option<Share>)>,
    /// For how many seconds ids are remembered.
    pub dedup: Option<u32>,
    /// When votes count, and how many.
    pub voting: Changes,
}

/// What becomes of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    /// It is added, and begins empty.
    Add,
    /// It is dropped, with its past.
    Drop,
}

/// How many past periods stay readable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retain {
    /// So many of each view.
    All(u32),
    /// So many of these.
    Each(Vec<(Kind, u32)>),
}

impl Retain {
    /// Sets it in the rules of views.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming `RETAIN`, [`Error::NoSuchView`], [`Error::NoRetain`].
    pub fn apply(&self, specs: &mut [Spec]) -> Result<(), Error> {
        let pairs = match self {
            Self::All(number) => {
                for spec in specs.iter_mut() {
                    spec.retain = retained(*number)?;
                }
                return Ok(());
            }
            Self::Each(pairs) => pairs,
        };
        for (kind, number) in pairs {
            if *kind == Kind::All {
                return Err(Error::NoRetain);
            }
            find(specs, *kind)?.retain = retained(*number)?;
        }
        Ok(())
    }
}

/// Sets what views carry over.
///
/// # Errors
/// [`Error::NoSuchView`].
pub fn apply_carry(specs: &mut [Spec], carry: &[(Kind, Option<Share>)]) -> Result<(), Error> {
    carry.iter().try_for_each(|(kind, share)| {
        find(specs, *kind)?.carry = *share;
        Ok(())
    })
}

fn retained(number: u32) -> Result<u32, Error> {
    if number > MAX_RETAIN { Err(Error::OutOfRange("RETAIN")) } else { Ok(number) }
}

fn find(specs: &mut [Spec], kind: Kind) -> Result<&mut Spec, Error> {
    let missing = || Error::NoSuchView(quoted(kind));
    specs.iter_mut().find(|spec| spec.kind == kind).ok_or_else(missing)
}

fn quoted(kind: Kind) -> Quoted {
    Quoted::new(kind.to_string().as_bytes())
}

/// Whether a board can have these views.
///
/// # Errors
/// With what does not go together.
pub(super) fn check_views(schema: &Schema, specs: &[Spec]) -> Result<(), Error> {
    if specs.is_empty() {
        return Err(Error::NoView);
    }
    if specs.len() > MAX_VIEWS {
        return Err(Error::TooMany("VIEWS", MAX_VIEWS, "views"));
    }
    let mut seen = Vec::new();
    for spec in specs {
        if seen.contains(&spec.kind) {
            return Err(Error::RepeatedView(quoted(spec.kind)));
        }
        seen.push(spec.kind);
        retained(spec.retain)?;
        if spec.carry.is_some() {
            if schema.aggregate != Aggregate::Sum {
                return Err(Error::NeedsSum("CARRY"));
            }
            if !matches!(spec.kind, Kind::Periods { count: 1, .. }) {
                return Err(Error::NoCarry(quoted(spec.kind)));
            }
        }
    }
    Ok(())
}

impl Board {
    /// Changes the rules, all of what is asked for or nothing.
    ///
    /// # Errors
    /// As for making a board with such rules; [`Error::NoSuchView`] for views that are not there.
    pub fn alter(&mut self, alter: &Alter) -> Result<(), Error> {
        let schema = Schema { dedup: alter.dedup.unwrap_or(self.schema.dedup), ..self.schema };
        schema.check()?;
        let specs = self.altered(alter)?;
        check_views(&schema, &specs)?;
        self.check_voting(&alter.voting)?;
        self.settle_views();
        self.set_voting(&alter.voting);
        self.set_dedup(schema);
        self.drop_views(&specs);
        self.set_views(&specs);
        self.keep_series(&specs);
        // Entries that were there when numbers were first asked for have the first ones.
        let most = self.views.iter().map(|view| view.index.len()).max();
        self.sequences = self.sequences.max(most.unwrap_or(0));
        self.bound();
        self.tidy();
        Ok(())
    }

    fn altered(&self, alter: &Alter) -> Result<Vec<Spec>, Error> {
        let mut specs: Vec<Spec> = self.specs().copied().collect();
        let mut named = Vec::new();
        for (kind, edit) in &alter.views {
            if named.contains(kind) {
                return Err(Error::RepeatedView(quoted(*kind)));
            }
            named.push(*kind);
            match edit {
                Edit::Add => specs.push(Spec::new(*kind)),
                Edit::Drop => {
                    find(&mut specs, *kind)?;
                    specs.retain(|spec| spec.kind != *kind);
                }
            }
        }
        if let Some(retain) = &alter.retain {
            retain.apply(&mut specs)?;
        }
        apply_carry(&mut specs, &alter.carry)?;
        Ok(specs)
    }

    fn set_dedup(&mut self, schema: Schema) {
        let (last, keep) = (self.last, self.keep());
        if let Some(requests) = &mut self.requests {
            // A saved board does not hold what was too old until now, so this one forgets it too.
            requests.cut(last, keep);
        }
        self.schema = schema;
    }

    fn drop_views(&mut self, specs: &[Spec]) {
        let stays = |view: &View| specs.iter().any(|spec| spec.kind == view.spec.kind);
        let (stay, go): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.views).into_vec().into_iter().partition(stays);
        self.views = stay.into_boxed_slice();
        if !go.is_empty() {
            let columns: Vec<_> = go.iter().flat_map(View::columns).collect();
            self.members.release(&columns);
            let garbage = go.into_iter().flat_map(View::into_garbage);
            self.upkeep.get_or_insert_default().garbage.extend(garbage);
        }
    }

    /// Gives the views their new rules, and adds those that are not there.
    fn set_views(&mut self, specs: &[Spec]) {
        let mut old = std::mem::take(&mut self.views).into_vec();
        let mut views = Vec::with_capacity(old.len());
        for (tally, spec) in
            tallies(&self.schema).iter().flat_map(|tally| specs.iter().map(|spec| (*tally, spec)))
        {
            let found = old.iter().position(|view| (view.tally, view.spec.kind) == (tally, spec.kind));
            views.push(match found {
                Some(at) => {
                    let mut view = old.swap_remove(at);
                    let garbage = &mut self.upkeep.get_or_insert_default().garbage;
                    view.set_spec(*spec, &self.schema, &mut self.members, garbage);
                    view
                }
                None => View::new(*spec, tally, &self.schema, &mut self.members),
            });
        }
        self.views = views.into_boxed_slice();
    }

    /// Whether the rules of voting can be set so.
    ///
    /// # Errors
    /// As [`Board::alter`].
    pub(crate) fn check_voting(&self, changes: &Changes) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        if self.schema.aggregate != Aggregate::Sum {
            return Err(Error::NeedsSum("voting"));
        }
        match self.campaign() {
            Some(campaign) => campaign.check(changes),
            None => Campaign::default().check(changes),
        }
    }

    pub(crate) fn set_voting(&mut self, changes: &Changes) {
        if !changes.is_empty() {
            self.campaign_mut().change(changes);
        }
    }

    /// Forgets the voters of views that are gone.
    fn keep_series(&mut self, specs: &[Spec]) {
        let Some(campaign) = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut()) else { return };
        for number in campaign.series.keep(|kind| specs.iter().any(|spec| spec.kind == kind)) {
            campaign.voters.drop_series(number);
        }
    }
}
