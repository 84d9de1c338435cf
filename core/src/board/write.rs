//! Changing a board: points, scores, removals, texts beside members.

use std::collections::{HashMap, HashSet};

use super::Board;
use super::entry::{self, Entry};
use crate::Error;
use crate::index::{MemberId, Place};
use crate::requests::{Fingerprint, Request, Requests};
use crate::schema::Aggregate;
use crate::score::{Decimal, Score};
use crate::time::{Millis, Origin, Stamp};

/// What all writes have in common.
#[derive(Debug, Clone, Copy)]
pub struct Write<'a> {
    /// When the event happened; now where nothing is said.
    pub at: Option<Millis>,
    /// The request's id.
    pub request: Option<&'a [u8]>,
    /// Who says what time it is, and whether the write was decided before.
    pub origin: Origin,
    /// Whether the position before the write is wanted.
    pub with_change: bool,
}

/// What came of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It was applied at this time: replicate it, and tell who listens.
    Applied(Stamp),
    /// Its request was applied before: nothing has changed.
    Repeated,
    /// Its condition did not hold: nothing has changed.
    HeldBack,
}

/// A member's score, and its rank from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The exact score.
    pub score: Score,
    /// The ordinal rank.
    pub rank: u64,
}

/// The reply to a write of one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// What came of it.
    pub effect: Effect,
    /// Where the member stands now.
    pub now: Option<Position>,
    /// Where it stood before, if that was asked for and it stood anywhere.
    pub before: Option<Position>,
}

/// When a score may be set, as in `ZADD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Condition {
    /// Only if the member has no score (`Some(false)`), only if it has one (`Some(true)`).
    pub present: Option<bool>,
    /// Only if the new score is less (`Less`) or greater than the one it has.
    pub compared: Option<std::cmp::Ordering>,
}

impl Condition {
    fn allows(self, old: Option<Score>, new: Score) -> bool {
        let present = self.present.is_none_or(|wanted| wanted == old.is_some());
        let compared = match (self.compared, old) {
            (Some(wanted), Some(old)) => new.cmp(&old) == wanted,
            _ => true,
        };
        present && compared
    }

    const fn code(self) -> i64 {
        let present = match self.present {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        match self.compared {
            None => present,
            Some(compared) => present | (8 | (compared as i64 & 3)) << 2,
        }
    }
}

/// The kinds of writes that a request id can stand for. Saved in fingerprints: never renumber.
const ADD: u8 = 1;
const ADD_MANY: u8 = 2;
const SET: u8 = 3;

impl Board {
    /// Adds points to a member, as the board aggregates.
    ///
    /// # Errors
    /// Bad points, an overflow, a reused request id, a bad `AT`: nothing has changed then.
    pub fn add(&mut self, write: &Write, points: Decimal, member: &[u8]) -> Result<Outcome, Error> {
        let points = points.to_score(self.schema.decimals, "points")?;
        let print = || Fingerprint::of(ADD).and(member, points.units());
        let Some((stamp, request)) = self.begin(write, print)? else {
            return Ok(self.repeated(write, member));
        };
        let found = self.find(member);
        let entry = entry::added(self.schema.aggregate, self.old_entry(found), points, stamp)?;
        self.apply(write, stamp, request, member, found, entry)
    }

    /// Gives a member this score, if the condition holds.
    ///
    /// # Errors
    /// As [`Board::add`].
    pub fn set(
        &mut self,
        write: &Write,
        score: Decimal,
        member: &[u8],
        condition: Condition,
    ) -> Result<Outcome, Error> {
        let score = score.to_score(self.schema.decimals, "score")?;
        let print = || Fingerprint::of(SET).and(member, score.units()).and(b"", condition.code());
        let Some((stamp, request)) = self.begin(write, print)? else {
            return Ok(self.repeated(write, member));
        };
        let found = self.find(member);
        let old = found.and_then(|(_, place)| place).map(|place| self.score_of(place.key.grade));
        let decided = matches!(write.origin, Origin::Decided { .. });
        if !decided && !condition.allows(old, score) {
            let now = self.position(found);
            return Ok(Outcome { effect: Effect::HeldBack, now, before: now.filter(|_| write.with_change) });
        }
        let entry = entry::put(self.schema.aggregate, self.old_entry(found), score, stamp);
        self.apply(write, stamp, request, member, found, entry)
    }

    /// Adds points to many members as one request: all or nothing. The positions are those at the
    /// end of it.
    ///
    /// # Errors
    /// As [`Board::add`]; nothing has changed for any member then.
    pub fn add_many(
        &mut self,
        write: &Write,
        pairs: &[(Decimal, &[u8])],
    ) -> Result<(Effect, Vec<Option<Position>>), Error> {
        let decimals = self.schema.decimals;
        let pairs = pairs
            .iter()
            .map(|(points, member)| Ok((points.to_score(decimals, "points")?, *member)))
            .collect::<Result<Vec<_>, Error>>()?;
        let print = || {
            let begin = Fingerprint::of(ADD_MANY);
            pairs.iter().fold(begin, |print, (points, member)| print.and(member, points.units()))
        };
        let effect = match self.begin(write, print)? {
            None => Effect::Repeated,
            Some((stamp, request)) => {
                self.check_sums(&pairs)?;
                let ids = self.enter_all(&pairs)?;
                for ((points, _), id) in pairs.iter().zip(ids) {
                    let found = (id, self.index.find(id, &self.members));
                    let entry =
                        entry::added(self.schema.aggregate, self.old_entry(Some(found)), *points, stamp)?;
                    self.enter(id, found.1, entry);
                }
                self.finish(stamp, request);
                Effect::Applied(stamp)
            }
        };
        let positions = pairs.iter().map(|(_, member)| self.position(self.find(member))).collect();
        Ok((effect, positions))
    }

    /// Reads the clock and looks the request up; nothing where it was applied before.
    fn begin(
        &self,
        write: &Write,
        fingerprint: impl FnOnce() -> Fingerprint,
    ) -> Result<Option<(Stamp, Option<Request>)>, Error> {
        let stamp = self.schema.clock.stamp(self.last, write.at, write.origin)?;
        let Some(id) = write.request.filter(|_| self.schema.dedup > 0) else {
            return Ok(Some((stamp, None)));
        };
        let request = Request::new(id, fingerprint());
        if let (Some(requests), Origin::Client { .. }) = (&self.requests, write.origin)
            && requests.seen(&request, stamp.now.max(self.last), self.keep())?
        {
            return Ok(None);
        }
        Ok(Some((stamp, Some(request))))
    }

    fn repeated(&self, write: &Write, member: &[u8]) -> Outcome {
        let now = self.position(self.find(member));
        Outcome { effect: Effect::Repeated, now, before: now.filter(|_| write.with_change) }
    }

    /// A member's number and the place of its entry.
    fn find(&self, member: &[u8]) -> Option<(MemberId, Option<Place>)> {
        let id = self.members.find(member)?;
        Some((id, self.index.find(id, &self.members)))
    }

    fn position(&self, found: Option<(MemberId, Option<Place>)>) -> Option<Position> {
        let place = found?.1?;
        let rank = self.index.rank(place).saturating_add(1);
        Some(Position { score: self.score_of(place.key.grade), rank })
    }

    fn old_entry(&self, found: Option<(MemberId, Option<Place>)>) -> Option<Entry> {
        let (id, place) = found?;
        let key = place?.key;
        let event = self.event_of(id);
        Some(Entry { score: self.score_of(key.grade), moment: key.moment, event })
    }

    fn apply(
        &mut self,
        write: &Write,
        stamp: Stamp,
        request: Option<Request>,
        member: &[u8],
        found: Option<(MemberId, Option<Place>)>,
        entry: Entry,
    ) -> Result<Outcome, Error> {
        let before = if write.with_change { self.position(found) } else { None };
        let (id, place) = match found {
            Some(found) => found,
            None => (self.enter_member(member)?, None),
        };
        let rank = self.enter(id, place, entry).saturating_add(1);
        self.finish(stamp, request);
        let now = Some(Position { score: entry.score, rank });
        Ok(Outcome { effect: Effect::Applied(stamp), now, before })
    }

    /// A new member without an entry.
    pub(crate) fn enter_member(&mut self, member: &[u8]) -> Result<MemberId, Error> {
        if self.members.outgrown_by(1, member.len()) {
            self.enlarge()?;
        }
        self.members.insert(member)
    }

    /// Puts an entry in its place; how many entries are before it.
    fn enter(&mut self, id: MemberId, place: Option<Place>, entry: Entry) -> u64 {
        self.set_event(id, entry.event);
        let key = self.key(entry.score, entry.moment);
        match place {
            None => self.index.insert(key, id, &mut self.members),
            Some(place) if place.key == key => self.index.rank(place),
            Some(place) => self.index.update(place, key, id, &mut self.members),
        }
    }

    pub(crate) fn set_event(&mut self, id: MemberId, event: Option<Millis>) {
        match event {
            Some(event) => {
                self.extras.get_or_insert_default().events.insert(id, event);
            }
            None => {
                if let Some(extras) = &mut self.extras {
                    extras.events.remove(&id);
                }
            }
        }
    }

    /// Ends a write: the clock has moved, the request is remembered, old ones are forgotten.
    fn finish(&mut self, stamp: Stamp, request: Option<Request>) {
        self.touch(stamp);
        let keep = self.keep();
        if let Some(requests) = &mut self.requests {
            requests.forget(stamp.now, keep);
        }
        if let Some(request) = request {
            let begin = || Box::new(Requests::new(stamp.now.try_into().unwrap_or(i64::MAX)));
            self.requests.get_or_insert_with(begin).remember(request, stamp.now, keep);
        }
    }

    /// Makes sure that no sum on the way can leave the range.
    fn check_sums(&self, pairs: &[(Score, &[u8])]) -> Result<(), Error> {
        if self.schema.aggregate != Aggregate::Sum {
            return Ok(());
        }
        let extremes = self.index.extremes().map_or([0, 0], |(best, worst)| {
            [best, worst].map(|grade| self.score_of(grade).units().unsigned_abs())
        });
        let most = pairs.iter().try_fold(extremes[0].max(extremes[1]), |sum, (points, _)| {
            sum.checked_add(points.units().unsigned_abs())
        });
        if most.is_some_and(|most| most <= Score::MAX.units().unsigned_abs()) {
            return Ok(());
        }
        let mut sums: HashMap<&[u8], Score> = HashMap::new();
        for (points, member) in pairs {
            let sum = sums
                .entry(member)
                .or_insert_with(|| self.old_entry(self.find(member)).map_or(Score::ZERO, |old| old.score));
            *sum = sum.plus(*points)?;
        }
        Ok(())
    }

    /// The numbers of all members of a list, new ones entered; none of them if that fails.
    fn enter_all(&mut self, pairs: &[(Score, &[u8])]) -> Result<Vec<MemberId>, Error> {
        let most = pairs.iter().map(|pair| pair.1.len()).fold(0, usize::saturating_add);
        if self.members.outgrown_by(pairs.len(), most) {
            let new: HashSet<&[u8]> =
                pairs.iter().map(|pair| pair.1).filter(|name| self.members.find(name).is_none()).collect();
            let bytes = new.iter().map(|name| name.len()).fold(0, usize::saturating_add);
            if self.members.outgrown_by(new.len(), bytes) {
                self.enlarge()?;
            }
        }
        let (mut ids, mut new) = (Vec::with_capacity(pairs.len()), Vec::new());
        for (_, member) in pairs {
            let id = match self.members.find(member) {
                Some(id) => Ok(id),
                None => self.members.insert(member).inspect(|id| new.push(*id)),
            };
            match id {
                Ok(id) => ids.push(id),
                Err(error) => {
                    new.into_iter().for_each(|id| self.members.remove(id));
                    return Err(error);
                }
            }
        }
        Ok(ids)
    }

    /// Forgets a member: its scores, its text. Whether it was there.
    pub fn remove(&mut self, member: &[u8]) -> bool {
        let found = self.members.find(member);
        if let Some(id) = found {
            self.drop_member(id);
        }
        found.is_some()
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
            if self.index.find(id, &self.members).is_none() {
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
