//! A board: its rules, its members, their order, and the requests it has seen.
//!
//! [`write`] changes it, [`read`] answers from it; here is what both stand on. Every change goes one
//! way: read the clock, check all, change all, tell what changed.

mod entry;
mod read;
mod write;

use std::collections::BTreeMap;

use crate::Error;
use crate::index::{Index, Key, MemberId};
use crate::members::Members;
use crate::mover::Mover;
use crate::requests::Requests;
use crate::schema::Schema;
use crate::score::Score;
use crate::size_class::round_up;
use crate::time::{Millis, Stamp};

pub use read::{Neighbour, Row, Rows, Standing};
pub use write::{Condition, Effect, Outcome, Position, Write};

/// Longest text kept beside a member, in bytes.
pub const MAX_META: usize = 4096;

/// About what a node of the maps beside the members takes for each entry.
const MAP_ENTRY: usize = 48;

/// One leaderboard.
#[derive(Debug, Clone)]
pub struct Board {
    pub(crate) schema: Schema,
    /// Now, as of the last write: the greatest `AT` seen on an event clock.
    pub(crate) last: Millis,
    pub(crate) members: Members,
    /// The order of the view `all`.
    pub(crate) index: Index,
    pub(crate) requests: Option<Box<Requests>>,
    /// What few members have.
    pub(crate) extras: Option<Box<Extras>>,
}

/// What only some members have, found by their number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extras {
    /// The texts beside members.
    pub(crate) texts: BTreeMap<MemberId, Box<[u8]>>,
    /// Bytes that all texts take.
    text_bytes: usize,
    /// On a board of the last score, the latest event of members whose score it left as it was.
    pub(crate) events: BTreeMap<MemberId, Millis>,
}

impl Extras {
    pub(crate) fn set_text(&mut self, id: MemberId, text: &[u8]) {
        self.remove_text(id);
        self.text_bytes = self.text_bytes.saturating_add(round_up(text.len()));
        self.texts.insert(id, text.into());
    }

    fn remove_text(&mut self, id: MemberId) -> bool {
        let old = self.texts.remove(&id);
        self.text_bytes = self.text_bytes.saturating_sub(old.as_ref().map_or(0, |text| round_up(text.len())));
        old.is_some()
    }

    fn entries(&self) -> usize {
        self.texts.len().saturating_add(self.events.len())
    }

    fn memory(&self) -> usize {
        let maps = self.entries().saturating_mul(MAP_ENTRY);
        size_of::<Self>().saturating_add(maps).saturating_add(self.text_bytes)
    }

    fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        let (texts, events) = (std::mem::take(&mut self.texts), std::mem::take(&mut self.events));
        self.texts = texts.into_iter().map(|(id, text)| (renumbered(id), text)).collect();
        self.events = events.into_iter().map(|(id, at)| (renumbered(id), at)).collect();
    }
}

impl Board {
    /// An empty board.
    ///
    /// # Errors
    /// Those of [`Schema::check`].
    pub fn new(schema: Schema) -> Result<Self, Error> {
        schema.check()?;
        Ok(Self {
            schema,
            last: 0,
            members: Members::default(),
            index: Index::small(schema.ties),
            requests: None,
            extras: None,
        })
    }

    /// The board's rules.
    #[must_use]
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// For how many seconds request ids are remembered from now on.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] naming `DEDUP`.
    pub fn set_dedup(&mut self, seconds: u32) -> Result<(), Error> {
        let schema = Schema { dedup: seconds, ..self.schema };
        schema.check()?;
        let (last, keep) = (self.last, self.keep());
        if let Some(requests) = &mut self.requests {
            // A saved board does not hold what was too old until now, so this one forgets it too.
            requests.cut(last, keep);
        }
        self.schema = schema;
        Ok(())
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

    /// How many members are ranked.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.index.len()
    }

    /// Whether no member is ranked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
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

    /// Changes over to the form for many members.
    fn enlarge(&mut self) -> Result<(), Error> {
        let mut members = self.members.clone();
        let numbers: BTreeMap<_, _> = members.enlarge()?.into_iter().collect();
        let renumbered = |id: MemberId| numbers.get(&id).copied().unwrap_or(id);
        let mut index = Index::tree(self.schema.ties);
        for (key, id) in self.index.iter_from(0) {
            index.append(key, renumbered(id), &mut members)?;
        }
        (self.members, self.index) = (members, index);
        if let Some(extras) = &mut self.extras {
            extras.renumber(renumbered);
        }
        Ok(())
    }

    /// Forgets a member with everything about it.
    fn drop_member(&mut self, id: MemberId) {
        if let Some(place) = self.index.find(id, &self.members) {
            self.index.remove(place, id, &mut self.members);
        }
        if let Some(extras) = &mut self.extras {
            extras.remove_text(id);
            extras.events.remove(&id);
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
        self.extras.as_ref()?.texts.get(&id).map(|text| &**text)
    }

    /// A later event than its moment that left a member's score as it was.
    pub(crate) fn event_of(&self, id: MemberId) -> Option<Millis> {
        self.extras.as_ref()?.events.get(&id).copied()
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
        [self.members.memory(), self.index.memory(), extras, requests]
            .into_iter()
            .fold(round_up(size_of::<Self>()), usize::saturating_add)
    }

    /// About how many allocations freeing the board takes.
    #[must_use]
    pub fn effort(&self) -> usize {
        let extras = self.extras.as_ref().map_or(0, |extras| extras.entries());
        let requests = self.requests.as_ref().map_or(0, |requests| requests.effort());
        [self.members.effort(), self.index.effort(), extras, requests]
            .into_iter()
            .fold(1, usize::saturating_add)
    }

    /// Lets the allocator move the board's parts to better places, from a step on; the step to go on
    /// with, or nothing when all is done.
    pub fn relocate(&mut self, step: u64, mover: &mut impl Mover) -> Option<u64> {
        const PART: u32 = 56;
        let mut at = (step & ((1 << PART) - 1)) as usize;
        for part in step >> PART..5 {
            let next = match (part, &mut self.requests) {
                (0, _) => self.index.relocate(at, mover),
                (1, _) => self.members.relocate_names(at, mover),
                (2, _) => self.members.relocate_table(at, mover),
                (3, Some(requests)) => requests.relocate_ids(at, mover),
                (_, Some(requests)) => requests.relocate_table(at, mover),
                _ => None,
            };
            if let Some(next) = next {
                return Some(part << PART | next as u64);
            }
            at = 0;
        }
        None
    }

    /// Walks the whole board and panics where something does not hold. Only tests call it.
    #[doc(hidden)]
    pub fn check(&self) {
        self.index.check(&self.members);
        let texts = self.extras.as_ref().map_or(0, |extras| extras.texts.len() as u64);
        assert!(
            self.members.len() as u64 <= self.len().saturating_add(texts),
            "a member without entry and text"
        );
        for (_, id) in self.index.iter_from(0) {
            assert_eq!(self.members.find(self.members.name(id)), Some(id));
        }
    }

    /// Where a score with its moment stands in the order.
    const fn key(&self, score: Score, moment: Millis) -> Key {
        Key { grade: self.schema.grade(score), moment }
    }

    fn score_of(&self, grade: u64) -> Score {
        self.schema.score(grade)
    }
}
