//! A board: its rules, its members, its views, and the requests it has seen.
//!
//! [`write`] changes it, [`read`] answers from it, [`background`] does in small steps what can be done
//! ahead; here is what all stand on. Every change goes one way: read the clock, check all, change
//! all, tell what changed.

mod alter;
mod background;
mod batch;
mod change;
mod check;
mod membership;
mod options;
mod periods;
mod read;
mod vote;
mod vote_reads;
mod voter_periods;
mod write;

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::Error;
use crate::campaign::Campaign;
use crate::index::MemberId;
use crate::members::Members;
use crate::mover::Mover;
use crate::requests::Requests;
use crate::schema::{Schema, Tally};
use crate::size_class::{bytes_of, round_up};
use crate::snapshot::Loading;
use crate::sorted::Sorted;
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{BoardParts, Facts, Garbage, Spec, StartingEntries, View};

pub use alter::{Alter, Edit, Retain, apply_carry};
pub use batch::Outcomes;
pub use options::{Declaration, Listed};
pub use periods::{Kept, When};
pub use read::{Neighbour, Reading, Row, Rows, Standing};
pub use vote::{Verdict, Vote};
pub use write::{Condition, Effect, Outcome, Position, Write};

/// Longest text kept beside a member, in bytes.
pub const MAX_META: usize = 4096;

/// The counts that a board's views are there for.
const fn tallies(schema: &Schema) -> &'static [Tally] {
    if schema.shown { &[Tally::Shown, Tally::Real] } else { &[Tally::Shown] }
}

/// One leaderboard.
#[derive(Debug, Clone)]
pub struct Board {
    pub(crate) schema: Schema,
    /// Now, as of the last write: the greatest `AT` seen on an event clock.
    pub(crate) last: Millis,
    pub(crate) members: Members,
    /// Its views, the default one first. Where real votes are counted apart, all once more for those.
    pub(crate) views: Box<[View]>,
    pub(crate) requests: Option<Box<Requests>>,
    /// What few members have.
    pub(crate) extras: Option<Box<Extras>>,
    /// How many writes were applied, as far as equals have to be told apart by that.
    pub(crate) sequences: u64,
    /// What only boards with periods have.
    upkeep: Option<Box<Upkeep>>,
    /// How many orders were worked out for readers and are still there.
    worked: Cell<u32>,
    /// Members by their number in a saved board, while that is being loaded.
    pub(crate) loading: Option<Box<Loading>>,
}

/// What time brings about.
#[derive(Debug, Clone)]
struct Upkeep {
    /// The time in which all views have the right period: from, until.
    current: (i64, i64),
    /// What is to be freed.
    garbage: Vec<Garbage>,
    /// Members that were in what was freed, and that perhaps nothing refers to any more.
    gone: Vec<MemberId>,
}

impl Upkeep {
    fn memory(&self) -> usize {
        let gone = bytes_of::<MemberId>(self.gone.capacity());
        let list = bytes_of::<Garbage>(self.garbage.capacity());
        let garbage = self.garbage.iter().map(Garbage::memory);
        garbage.fold(bytes_of::<Self>(1), usize::saturating_add).saturating_add(gone).saturating_add(list)
    }
}

impl Default for Upkeep {
    fn default() -> Self {
        Self { current: (i64::MIN, i64::MAX), garbage: Vec::new(), gone: Vec::new() }
    }
}

/// What only some members have, found by their number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extras {
    /// The texts beside members.
    pub(crate) texts: Sorted<MemberId, Box<[u8]>>,
    /// Bytes that all texts take.
    text_bytes: usize,
    /// What only a board that is voted on has.
    pub(crate) campaign: Option<Box<Campaign>>,
}

impl Extras {
    pub(crate) fn set_text(&mut self, id: MemberId, text: &[u8]) {
        self.remove_text(id);
        self.text_bytes = self.text_bytes.saturating_add(round_up(text.len()));
        self.texts.insert(id, text.into());
    }

    fn remove_text(&mut self, id: MemberId) -> bool {
        let old = self.texts.remove(id);
        self.text_bytes = self.text_bytes.saturating_sub(old.as_ref().map_or(0, |text| round_up(text.len())));
        old.is_some()
    }

    fn memory(&self) -> usize {
        let campaign = self.campaign.as_ref().map_or(0, |campaign| campaign.memory());
        [self.texts.memory(), self.text_bytes, campaign]
            .into_iter()
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    fn effort(&self) -> usize {
        let campaign = self.campaign.as_ref().map_or(0, |campaign| campaign.effort());
        [self.texts.len(), self.texts.allocations(), campaign].into_iter().fold(1, usize::saturating_add)
    }

    /// The same as [`Board::relocate`] for the parts 4 and 5.
    fn relocate(&mut self, part: u64, from: usize, mover: &mut impl Mover) -> Option<u64> {
        let campaign = self.campaign.as_mut()?;
        let next = match part {
            4 => campaign.limits.relocate(from, mover),
            _ => campaign.voters.relocate(from, mover),
        };
        next.map(|next| next as u64)
    }

    fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.texts.rekey(&renumbered);
        if let Some(campaign) = &mut self.campaign {
            campaign.renumber(renumbered);
        }
    }
}

/// The entries that members start each period with: the initial votes of candidates.
fn starting_of(campaign: Option<&Campaign>) -> Option<&dyn StartingEntries> {
    campaign.map(|campaign| &campaign.candidates as &dyn StartingEntries)
}

impl Board {
    /// An empty board with these views, the default one first.
    ///
    /// # Errors
    /// Those of [`Schema::check`], and of views that cannot be.
    pub fn new(schema: Schema, specs: &[Spec]) -> Result<Self, Error> {
        schema.check()?;
        alter::check_views(&schema, specs)?;
        let mut members = Members::default();
        let new = |(tally, spec): (Tally, &Spec)| View::new(*spec, tally, &schema, &mut members);
        let views = tallies(&schema).iter().flat_map(|tally| specs.iter().map(|spec| (*tally, spec)));
        let views = views.map(new).collect();
        Ok(Self {
            schema,
            last: 0,
            members,
            views,
            requests: None,
            extras: None,
            sequences: 0,
            upkeep: None,
            worked: Cell::new(0),
            loading: None,
        })
    }

    /// The board's rules.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The rules of its views, the default one first.
    pub fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.named_views().map(|view| &view.spec)
    }

    /// The views as clients name them, the default one first.
    pub(crate) fn named_views(&self) -> impl Iterator<Item = &View> {
        self.views.iter().take(self.width())
    }

    /// How many those are.
    pub(crate) fn width(&self) -> usize {
        self.views.len().checked_div(tallies(&self.schema).len()).unwrap_or(0)
    }

    pub(crate) fn campaign(&self) -> Option<&Campaign> {
        self.extras.as_ref()?.campaign.as_deref()
    }

    /// The campaign, and the members that it is about.
    pub(crate) fn campaign_mut(&mut self) -> &mut Campaign {
        self.extras.get_or_insert_default().campaign.get_or_insert_default()
    }

    /// The board's clock as of its last write.
    #[must_use]
    pub const fn last(&self) -> Millis {
        self.last
    }

    /// The board's now, when the server's clock shows `wall`.
    #[must_use]
    pub fn now(&self, wall: Millis, max_future: Millis) -> Millis {
        self.schema.clock.now(self.last, wall, max_future)
    }

    /// The board's now for somebody who says what time it is.
    #[must_use]
    pub fn now_of(&self, origin: TimeSource) -> Millis {
        match origin {
            TimeSource::Client { wall, max_future } => self.now(wall, max_future),
            TimeSource::Decided { now } => now.unwrap_or(self.last),
        }
    }

    /// Whether time changes nothing about it: no view has begun to count periods.
    #[must_use]
    pub fn is_timeless(&self) -> bool {
        self.upkeep.as_ref().is_none_or(|upkeep| upkeep.current.1 == i64::MAX)
    }

    /// How many members are ranked in the default view.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.views.first().map_or(0, |view| view.index.len())
    }

    /// Whether no member is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) const fn keep(&self) -> Millis {
        (self.schema.dedup as Millis).saturating_mul(1000)
    }

    /// How many request ids are remembered at this moment of the board's clock.
    #[must_use]
    pub fn requests(&self, now: Millis) -> usize {
        // A clock that was put right turns the ids' times back with the next write only.
        let kept = |requests: &Requests| requests.count_kept(now.max(self.last), self.keep());
        self.requests.as_deref().filter(|_| self.schema.dedup > 0).map_or(0, kept)
    }

    /// Moves the clock to a write's now.
    fn touch(&mut self, stamp: Stamp) {
        if let Some(requests) = &mut self.requests {
            requests.turn_back(self.last.saturating_sub(stamp.now));
        }
        self.last = stamp.now;
    }

    pub(crate) fn facts(&self) -> Facts<'_> {
        let starting = starting_of(self.campaign());
        Facts { schema: &self.schema, members: &self.members, starting }
    }

    /// The views, and what they need of the board when time passes.
    pub(crate) fn split(&mut self) -> (&mut [View], BoardParts<'_>) {
        let Self { views, members, schema, extras, upkeep, .. } = self;
        let starting = starting_of(extras.as_ref().and_then(|extras| extras.campaign.as_deref()));
        let garbage = &mut upkeep.get_or_insert_default().garbage;
        (views, BoardParts { schema, members, starting, garbage })
    }

    /// Changes over to the form for many members.
    fn enlarge(&mut self) -> Result<(), Error> {
        self.settle_views();
        self.tidy();
        let mut members = self.members.clone();
        let numbers: BTreeMap<_, _> = members.enlarge()?.into_iter().collect();
        let renumbered = |id: MemberId| numbers.get(&id).copied().unwrap_or(id);
        let mut views = self.views.clone();
        for view in &mut views {
            view.enlarge(&self.schema, &mut members, &numbers)?;
        }
        (self.members, self.views) = (members, views);
        if let Some(extras) = &mut self.extras {
            extras.renumber(renumbered);
        }
        if let Some(loading) = &mut self.loading {
            loading.renumber(renumbered);
        }
        Ok(())
    }

    /// A member's name, by its number in a [`Row`].
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        self.members.name(id)
    }

    /// Bytes of the board, its own struct included.
    #[must_use]
    pub fn memory(&self) -> usize {
        let extras = self.extras.as_ref().map_or(0, |extras| extras.memory());
        let requests = self.requests.as_ref().map_or(0, |requests| requests.memory());
        let lists = bytes_of::<View>(self.views.len());
        let views = self.views.iter().map(View::memory);
        let upkeep = self.upkeep.as_ref().map_or(0, |upkeep| upkeep.memory());
        [self.members.memory(), lists, extras, requests, upkeep]
            .into_iter()
            .chain(views)
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    /// About how many allocations freeing the board takes.
    #[must_use]
    pub fn effort(&self) -> usize {
        let extras = self.extras.as_ref().map_or(0, |extras| extras.effort());
        let requests = self.requests.as_ref().map_or(0, |requests| requests.effort());
        [self.members.effort(), extras, requests]
            .into_iter()
            .chain(self.views.iter().map(View::effort))
            .fold(1, usize::saturating_add)
    }

    /// Lets the allocator move the board's parts to better places, from a step on; the step to go on
    /// with, or nothing when all is done.
    pub fn relocate(&mut self, step: u64, mover: &mut impl Mover) -> Option<u64> {
        const PART: u32 = 56;
        /// Before the views.
        const PARTS: u64 = 6;
        let within = step & ((1 << PART) - 1);
        let mut at = within;
        for part in step >> PART..PARTS.saturating_add(self.views.len() as u64) {
            let here = usize::try_from(at).unwrap_or(0);
            let view = part.checked_sub(PARTS).and_then(|view| usize::try_from(view).ok());
            let next = match (part, &mut self.requests, view.and_then(|view| self.views.get_mut(view))) {
                (0, ..) => self.members.relocate_names(here, mover).map(|next| next as u64),
                (1, ..) => self.members.relocate_table(here, mover).map(|next| next as u64),
                (2, Some(requests), _) => requests.relocate_ids(here, mover).map(|next| next as u64),
                (3, Some(requests), _) => requests.relocate_table(here, mover).map(|next| next as u64),
                (4 | 5, ..) => self.extras.as_mut().and_then(|extras| extras.relocate(part, here, mover)),
                (PARTS.., _, Some(view)) => view.relocate(at, mover),
                _ => None,
            };
            if let Some(next) = next {
                return Some(part << PART | next);
            }
            at = 0;
        }
        None
    }
}
