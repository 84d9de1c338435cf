//! A board: its rules, its members, its views, and the ids of requests that it remembers.
//!
//! All writes of scores go through [`write`]; [`points`] and [`vote`] are the kinds of writes. [`read`] reads a
//! board, and [`background`] works between commands. This file contains the code that all of them share.

mod alter;
mod background;
mod candidates;
mod catalog;
mod change;
mod check;
mod claims;
mod effect;
mod entrants;
mod figures;
mod find;
mod halve;
mod hidden;
mod import;
mod join;
mod judge;
mod keep;
mod membership;
mod merge;
mod native;
mod news;
mod part_reads;
mod periods;
mod points;
mod prizes;
mod read;
mod root_prizes;
mod rows;
mod rules;
mod score_rules;
mod segment_follow;
mod segment_reads;
mod segments;
mod settle;
mod snapshot;
mod spread;
mod statistics;
#[cfg(test)]
mod tests;
mod view_lists;
mod vote;
mod vote_reads;
mod voter_periods;
mod write;

use std::cell::Cell;

use crate::Error;
use crate::campaign::Campaign;
use crate::catalog::CatalogEntry;
use crate::index::MemberId;
use crate::members::Members;
use crate::native::NativeType;
use crate::requests::Requests;
use crate::schema::{Schema, Tally};
use crate::size_class::{bytes_of, round_up};
use crate::sorted::Sorted;
use crate::time::{Millis, Stamp, TimeSource};
use crate::view::{BoardContext, BoardContextMut, Garbage, HiddenMembers, Spec, StartingEntries, View};
use segments::Segments;
use snapshot::loading::Loading;

pub use alter::Alter;
pub use candidates::{CandidateRow, Declaration};
pub use claims::{Claim, Claimed, Settled};
pub use effect::{Effect, Outcome, Outcomes, Position, Written};
pub use entrants::Joined;
pub use figures::Figures;
use figures::HeldBack;
pub use find::{MAX_FOUND, MAX_PATTERN};
pub use halve::Half;
pub use hidden::MAX_HIDDEN;
pub use import::{NewRow, PIECE, Present};
pub use part_reads::{DatedPlace, Side};
pub use periods::KeptPeriod;
pub use points::Condition;
pub use prizes::{PrizePage, PrizeQuery, PrizeRow};
pub use read::{AmongRow, Around, Neighbour, Reading, Standing, hundredths};
pub use root_prizes::{RootClaim, RootPeriod, pack_winners};
pub use rows::{DatedRow, Row, Rows};
pub use rules::Rules;
pub use segment_reads::{SegmentRow, SegmentScore};
pub use statistics::{HistogramBucket, Mean, Stats, edge};
pub use view_lists::{Carry, Decays, Edit, Retain, parse_edits, parse_views};
pub use vote::{Verdict, Vote};
pub use write::{Positions, Write};

/// The maximum length of a member's text, in bytes.
pub const MAX_META: usize = 4096;

/// Returns the tallies for which a board has views.
const fn tallies(schema: &Schema) -> &'static [Tally] {
    if schema.shown { &[Tally::Shown, Tally::Real] } else { &[Tally::Shown] }
}

/// Returns the views of a board, in their order.
fn by_tally<'a>(schema: &Schema, specs: &'a [Spec]) -> impl Iterator<Item = (Tally, &'a Spec)> {
    tallies(schema).iter().flat_map(move |tally| specs.iter().map(move |spec| (*tally, spec)))
}

/// One leaderboard.
#[derive(Debug, Clone)]
pub struct Board {
    pub(crate) schema: Schema,
    /// The board's time at its last write. On an event clock, this is the greatest `AT` of all writes.
    pub(crate) last: Millis,
    pub(crate) members: Members,
    /// The board's views, the default view first. If real votes are counted apart, the same views follow for real
    /// votes.
    pub(crate) views: Box<[View]>,
    pub(crate) requests: Option<Box<Requests>>,
    /// Data that only some boards have.
    pub(crate) extras: Option<Box<Extras>>,
    /// The number of the last write. Entries with equal scores and moments are in the order of these numbers.
    pub(crate) sequences: u64,
    /// Data that only boards with views of periods have.
    upkeep: Option<Box<Upkeep>>,
    /// How many orders were derived for readers since the kept orders were last dropped.
    worked: Cell<u32>,
    /// The hash of the rules since they last changed; 0 if it has not been computed.
    rules_hash: Cell<u64>,
    figures: Figures,
    /// The hash of the members at the top, set by [`Board::note_top`].
    top: u64,
    /// While a saved board is being loaded: its members, by their numbers in the saved bytes.
    pub(crate) loading: Option<Box<Loading>>,
}

/// Data of a board that changes as time passes.
#[derive(Debug, Clone)]
struct Upkeep {
    /// The range of moments in which the current periods of all views are correct.
    current: (i64, i64),
    /// Data that is to be freed.
    garbage: Vec<Garbage>,
    /// Members of freed data. The board checks whether anything still refers to these members.
    gone: Vec<MemberId>,
    /// On a board with `KEEP`: members with a text or a segment, from the ended periods that the running command drops.
    dropped: Vec<MemberId>,
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
        Self { current: (i64::MIN, i64::MAX), garbage: Vec::new(), gone: Vec::new(), dropped: Vec::new() }
    }
}

/// Data that only some boards have: texts, hidden members, a campaign, the catalogue entry of a root or a part, and
/// segments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extras {
    /// Texts, by member.
    pub(crate) texts: Sorted<MemberId, Box<[u8]>>,
    /// The bytes that all texts take.
    text_bytes: usize,
    /// The hidden members. Other readers do not see them.
    pub(crate) hidden: HiddenMembers,
    /// Data that only boards with voting have.
    pub(crate) campaign: Option<Box<Campaign>>,
    /// The catalogue entry of a root or a part.
    pub(crate) catalog: Option<CatalogEntry>,
    /// The segments of members, if the board has dimensions.
    pub(crate) segments: Option<Box<Segments>>,
    held_back: HeldBack,
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

    fn memory(&self, members: &Members) -> usize {
        let campaign = self.campaign.as_ref().map_or(0, |campaign| campaign.memory());
        let segments = self.segments.as_ref();
        let segments = segments.map_or(0, |segments| segments.memory(&self.hidden, members));
        [self.texts.memory(), self.text_bytes, self.hidden.memory(), campaign, segments]
            .into_iter()
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    fn effort(&self) -> usize {
        let campaign = self.campaign.as_ref().map_or(0, |campaign| campaign.effort());
        let segments = self.segments.as_ref().map_or(0, |segments| segments.effort());
        [self.texts.len(), self.texts.allocations(), self.hidden.allocations(), campaign, segments]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.texts.rekey(&renumbered);
        self.hidden.rekey(&renumbered);
        if let Some(campaign) = &mut self.campaign {
            campaign.renumber(renumbered);
        }
    }
}

/// Returns the entries that members have at the start of each period: the initial votes of candidates.
fn starting_of(campaign: Option<&Campaign>) -> Option<&dyn StartingEntries> {
    campaign.map(|campaign| &campaign.candidates as &dyn StartingEntries)
}

impl Board {
    /// Returns an empty board with these views, the default view first.
    ///
    /// # Errors
    /// The errors of [`Schema::check`], and errors for views that cannot be on the same board.
    pub fn new(schema: Schema, specs: &[Spec]) -> Result<Self, Error> {
        schema.check()?;
        alter::check_views(&schema, specs)?;
        let mut members = Members::default();
        let new = |(tally, spec): (Tally, &Spec)| View::new(*spec, tally, &schema, &mut members);
        let views = by_tally(&schema, specs).map(new).collect();
        let mut board = Self {
            schema,
            last: 0,
            members,
            views,
            requests: None,
            extras: None,
            sequences: 0,
            upkeep: None,
            worked: Cell::new(0),
            rules_hash: Cell::new(0),
            figures: Figures::default(),
            top: 0,
            loading: None,
        };
        board.set_dimensions();
        Ok(board)
    }

    /// Returns the board's rules.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the specs of the board's views, the default view first.
    pub fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.named_views().map(|view| &view.spec)
    }

    /// Returns the views that clients can name, the default view first.
    pub(crate) fn named_views(&self) -> impl Iterator<Item = &View> {
        self.views.iter().take(self.width())
    }

    /// Returns how many views clients can name.
    pub(crate) fn width(&self) -> usize {
        self.views.len().checked_div(tallies(&self.schema).len()).unwrap_or(0)
    }

    pub(crate) fn campaign(&self) -> Option<&Campaign> {
        self.extras.as_ref()?.campaign.as_deref()
    }

    /// Returns the campaign. A board without a campaign gets an empty one.
    pub(crate) fn campaign_mut(&mut self) -> &mut Campaign {
        self.extras.get_or_insert_default().campaign.get_or_insert_default()
    }

    /// Returns the board's time at its last write.
    #[must_use]
    pub const fn last(&self) -> Millis {
        self.last
    }

    /// Returns the board's present time, given the source of time of a command.
    #[must_use]
    pub fn now_of(&self, origin: TimeSource) -> Millis {
        match origin {
            TimeSource::Client { wall, max_future } => self.now(wall, max_future),
            TimeSource::Decided { now } => now.unwrap_or(self.last),
        }
    }

    /// Returns how many members are ranked in the default view, including hidden members.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.views.first().map_or(0, |view| view.index.len())
    }

    /// Returns whether no member is ranked in the default view.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) const fn keep(&self) -> Millis {
        (self.schema.dedup as Millis).saturating_mul(1000)
    }

    /// Returns how many request ids are remembered at a moment of the board's clock.
    #[must_use]
    pub fn requests(&self, now: Millis) -> usize {
        // After an event clock or the wall clock was ahead, ids keep the later times until the next write.
        let kept = |requests: &Requests| requests.count_kept(now.max(self.last), self.keep());
        self.requests.as_deref().filter(|_| self.schema.dedup > 0).map_or(0, kept)
    }

    /// Moves the board's clock to the time of a write.
    fn touch(&mut self, stamp: Stamp) {
        if let Some(requests) = &mut self.requests {
            requests.turn_back(self.last.saturating_sub(stamp.now));
        }
        // A clock that leapt and was put right without a write in between may have ended periods and set tables, too.
        self.prizes_mut().into_iter().for_each(|prizes| prizes.turn_back(stamp.now));
        self.last = stamp.now;
    }

    pub(crate) fn context(&self) -> BoardContext<'_> {
        let starting = starting_of(self.campaign());
        BoardContext { schema: &self.schema, members: &self.members, starting, hidden: self.hidden_members() }
    }

    /// Returns the views, and the other data of the board that they need when time passes.
    pub(crate) fn split(&mut self) -> (&mut [View], BoardContextMut<'_>) {
        let Self { views, members, schema, extras, upkeep, .. } = self;
        let starting = starting_of(extras.as_ref().and_then(|extras| extras.campaign.as_deref()));
        let garbage = &mut upkeep.get_or_insert_default().garbage;
        (views, BoardContextMut { schema, members, starting, garbage })
    }

    /// Changes the board to the form for many members.
    ///
    /// # Errors
    /// The errors of [`Members::insert`]. Then the board keeps its form.
    pub(crate) fn enlarge(&mut self) -> Result<(), Error> {
        self.finalize_views();
        self.free_small();
        let numbers = self.members.enlarge()?;
        let renumbered = |id| numbers.of(id);
        for view in &mut self.views {
            view.enlarge(&self.schema, &mut self.members, &numbers);
        }
        if let Some(extras) = &mut self.extras {
            extras.renumber(renumbered);
        }
        // The orders of segments are built again, without the hidden members.
        self.renumber_segments(&numbers);
        if let Some(loading) = &mut self.loading {
            loading.renumber(renumbered);
        }
        if let Some(upkeep) = &mut self.upkeep {
            upkeep.dropped.iter_mut().for_each(|id| *id = renumbered(*id));
        }
        Ok(())
    }

    /// Returns a member's name, by its number in a [`Row`].
    #[must_use]
    pub fn name(&self, id: MemberId) -> &[u8] {
        self.members.name(id)
    }
}
