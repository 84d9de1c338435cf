//! Changes the rules of an existing board: its views, the periods that the views keep and the shares that they
//! carry over, how long request ids are remembered, and the rules of votes.

use super::view_lists::{Carry, Decays, Edit, Retain, decayed, find, quoted, retained};
use super::{Board, by_tally};
use crate::Error;
use crate::campaign::{Campaign, RuleChanges};
use crate::dimensions::DimensionEdit;
use crate::parts::Role;
use crate::requests;
use crate::schema::{Aggregate, Schema};
use crate::time::{Clock, Millis, Stamp};
use crate::view::{Garbage, Kind, MAX_VIEWS, Spec, View};

/// Changes to a board's rules. A rule without a change stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Alter {
    /// Views to add behind the existing views, and views to drop, in the given order.
    pub views: Vec<(Kind, Edit)>,
    /// How many past periods stay readable.
    pub retain: Option<Retain>,
    /// The share of points that each view carries over into the next period.
    pub carry: Carry,
    /// The shares by which the scores of views decay.
    pub decay: Decays,
    /// For how many seconds request ids are remembered.
    pub dedup: Option<u32>,
    /// How many members each view keeps. 0 means all members.
    pub keep: Option<u32>,
    /// Whether only members that have joined can score from now on. This rule does not end.
    pub declared: bool,
    /// The number of watched places at the top. An event is published when another member takes one of these places.
    pub notify_top: Option<u32>,
    /// Dimensions of segments to add and to drop.
    pub segments: Vec<DimensionEdit>,
    /// The rules of writes, and the prizes.
    pub voting: RuleChanges,
    /// The board's present time. Prize tables that are set apply to the periods that end after it.
    pub now: Millis,
}

/// Checks whether a board with this schema can have these views.
///
/// # Errors
/// The errors name the rules that exclude each other.
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
        if schema.role != Role::Whole && spec.retain == 0 && spec.kind != Kind::All {
            return Err(Error::NotWithParts("RETAIN 0"));
        }
        check_decay(schema, spec)?;
        if spec.carry.is_some() && schema.aggregate != Aggregate::Sum {
            return Err(Error::NeedsSum("CARRY"));
        }
        if schema.keep > 0 && (spec.carry.is_some() || spec.kind.is_rolling()) {
            return Err(Error::NoKeep(quoted(spec.kind)));
        }
        if spec.carry.is_some() && schema.levels.is_some() {
            return Err(Error::Conflict("LEVELS", "CARRY"));
        }
        if spec.carry.is_some() && !matches!(spec.kind, Kind::Periods { count: 1, .. }) {
            return Err(Error::NoCarry(quoted(spec.kind)));
        }
    }
    Ok(())
}

fn check_decay(schema: &Schema, spec: &Spec) -> Result<(), Error> {
    let Some(share) = spec.decay else { return Ok(()) };
    decayed(share)?;
    if schema.levels.is_some() {
        return Err(Error::Conflict("LEVELS", "DECAY"));
    }
    if schema.aggregate != Aggregate::Sum {
        return Err(Error::NeedsSum("DECAY"));
    }
    if schema.shown {
        return Err(Error::NotWithShown("DECAY"));
    }
    if !matches!(spec.kind, Kind::Periods { count: 1, .. }) {
        return Err(Error::NoDecay(quoted(spec.kind)));
    }
    if spec.carry.is_some() { Err(Error::CarryAndDecay(quoted(spec.kind))) } else { Ok(()) }
}

impl Board {
    /// Changes the rules: all of the requested changes, or none.
    ///
    /// The errors that [`Board::new`] returns for such rules, and [`Error::NoSuchView`].
    pub fn alter(&mut self, alter: &Alter) -> Result<(), Error> {
        let schema = Schema {
            dedup: alter.dedup.unwrap_or(self.schema.dedup),
            keep: alter.keep.unwrap_or(self.schema.keep),
            declared: self.schema.declared || alter.declared,
            notify_top: alter.notify_top.unwrap_or(self.schema.notify_top),
            segments: self.schema.segments.edited(&alter.segments)?,
            ..self.schema.clone()
        };
        schema.check()?;
        let specs = self.altered(alter)?;
        self.take_rules(schema, &specs, &alter.voting, alter.now)
    }

    /// Changes the rules to these. Rules of the schema that cannot be altered must be those of the board.
    ///
    /// # Errors
    /// The errors of [`Board::alter`].
    pub(super) fn take_rules(
        &mut self,
        schema: Schema,
        specs: &[Spec],
        voting: &RuleChanges,
        now: Millis,
    ) -> Result<(), Error> {
        schema.check()?;
        check_views(&schema, specs)?;
        self.check_voting(voting)?;
        self.check_prizes(&schema, specs, voting)?;
        self.finalize_views();
        self.settle_for(specs);
        // With more dimensions, the step takes longer.
        if self.has_many_lists_with(schema.segments.specs().len()) {
            self.enlarge()?;
        }
        self.set_voting(voting);
        let is_watched_anew = schema.notify_top != self.schema.notify_top;
        self.set_dedup(schema);
        if is_watched_anew {
            self.note_top();
        }
        self.set_prizes(specs, voting, now);
        let waiting = self.waiting_garbage();
        self.set_views(specs);
        self.note_dropped(waiting);
        self.forget_dropped(&mut []);
        self.set_dimensions();
        self.keep_series(specs);
        // If a view had no numbers of writes, its entries get the first numbers.
        let most = self.views.iter().map(|view| view.index.len()).max();
        self.sequences = self.sequences.max(most.unwrap_or(0));
        self.bound();
        self.tidy();
        self.keep_best(&mut []);
        self.settle_segments();
        Ok(())
    }

    /// Moves a clock of events forward, so that periods end without a write.
    ///
    /// # Errors
    /// [`Error::NeedsEvents`]; [`Error::BeforeClock`] if the clock is later already.
    pub fn move_clock(&mut self, now: Millis) -> Result<(), Error> {
        if self.schema.clock != Clock::Event {
            return Err(Error::NeedsEvents("NOW"));
        }
        if now < self.last {
            return Err(Error::BeforeClock("NOW"));
        }
        self.advance(now);
        self.finalize_views();
        self.touch(Stamp { now, at: now });
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
                    find(&mut specs, *kind, "VIEWS")?;
                    specs.retain(|spec| spec.kind != *kind);
                }
            }
        }
        if let Some(retain) = &alter.retain {
            retain.apply(&mut specs)?;
        }
        alter.carry.apply(&mut specs)?;
        alter.decay.apply(&mut specs)?;
        Ok(specs)
    }

    fn set_dedup(&mut self, schema: Schema) {
        let (last, before) = (self.last, self.keep());
        self.schema = schema;
        self.rules_changed();
        let keep = (before, self.keep());
        // A saved board does not contain ids that were too old until now. So this board forgets these ids too.
        requests::change_keep(&mut self.requests, last, keep);
    }

    /// Changes the specs of the views, adds the new views, and drops the views that have no spec any more.
    fn set_views(&mut self, specs: &[Spec]) {
        let mut old = std::mem::take(&mut self.views).into_vec();
        let mut views = Vec::with_capacity(old.len());
        for (tally, spec) in by_tally(&self.schema, specs) {
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
        self.rules_changed();
        if !old.is_empty() {
            let columns: Vec<_> = old.iter().flat_map(View::columns).collect();
            let numbers = columns.into_iter().map(|column| self.members.release(column));
            let numbers = numbers.filter(|numbers| !numbers.is_empty()).map(Garbage::Numbers);
            let garbage = &mut self.upkeep.get_or_insert_default().garbage;
            garbage.extend(numbers);
            garbage.extend(old.into_iter().flat_map(View::into_garbage));
        }
    }

    /// Checks new rules of writes.
    ///
    /// # Errors
    /// The errors of [`Board::alter`].
    pub(crate) fn check_voting(&self, changes: &RuleChanges) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        if changes.has_limits() {
            if self.schema.aggregate != Aggregate::Sum {
                return Err(Error::NeedsSum("voting"));
            }
            self.schema.needs_decimals("voting")?;
        }
        let needs_whole = [
            ("LIMIT", !changes.limits.is_empty()),
            ("MAXMEMBERS", changes.max_members.is_some_and(|max| max > 0)),
        ];
        match needs_whole.into_iter().find(|(_, is_there)| *is_there && self.schema.role != Role::Whole) {
            Some((option, _)) => Err(Error::NotWithParts(option)),
            None => self.campaign().unwrap_or(&Campaign::default()).check(changes, &self.schema),
        }
    }

    pub(crate) fn set_voting(&mut self, changes: &RuleChanges) {
        if !changes.is_empty() {
            let schema = self.schema.clone();
            self.campaign_mut().change(changes, &schema);
            self.rules_changed();
        }
    }

    /// Forgets the voters of dropped views.
    fn keep_series(&mut self, specs: &[Spec]) {
        let Some(campaign) = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut()) else { return };
        for number in campaign.series.keep(|kind| specs.iter().any(|spec| spec.kind == kind)) {
            campaign.voters.drop_series(number);
        }
    }
}
