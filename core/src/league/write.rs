//! Writes that join a member and writes that add points. Both have the same steps:
//!
//! ```text
//! stamp → identify → judge → enter → add → finish
//! ```
//!
//! A write that is late, has to wait for the next period, or is repeated changes nothing.

use super::last::Last;
use super::read::Place;
use super::records::Active;
use super::season::{Live, Season};
use super::{League, LeagueTies, Period};
use crate::Error;
use crate::board::{Effect, Outcome, Position, Written};
use crate::event::Event;
use crate::index::{Key, MemberId};
use crate::requests::{self, Fingerprint, Request};
use crate::score::{Decimal, Score};
use crate::time::{Millis, Stamp};

/// The reply to a join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joining {
    /// The effect of the write.
    pub effect: Effect,
    /// The member's place after the write; `None` if the member is not in the current period.
    pub place: Option<Place>,
    /// Whether the member joined with this write.
    pub joined: bool,
    /// Whether the write is too late for the current period, so that the member has to wait for the next period.
    pub waiting: bool,
    /// The outcome of the member's last season. It is returned at the first join after that season.
    pub last: Option<Last>,
}

impl Written for Joining {
    fn effect(&self) -> Effect {
        self.effect
    }
}

/// The code of a write that adds points, which is the start of its [`Fingerprint`]. The code is saved: never change
/// it.
const ADD: u8 = 16;

/// The decision about a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judgement {
    /// The period of the event has ended.
    Late,
    /// Members can no longer join the period.
    Waits,
    /// The member is in the period.
    IsIn(MemberId),
    /// The member joins the period.
    Enters,
}

/// A write that is being carried out.
#[derive(Clone, Copy)]
struct Case<'a> {
    member: &'a [u8],
    /// The member's number; `None` for a member that the league does not know.
    id: Option<MemberId>,
    stamp: Stamp,
    period: Period,
    judgement: Judgement,
}

impl League {
    /// Makes a member join the current period, and sets its meta.
    ///
    /// # Errors
    /// The errors of the clock, and [`Error::Full`]. After an error, the league is unchanged.
    pub fn join(&mut self, event: &Event, member: &[u8], meta: Option<&[u8]>) -> Result<Joining, Error> {
        let case = self.judge(event, member)?;
        let (mut id, mut effect, mut last) = (case.id, Effect::Repeated, None);
        match case.judgement {
            Judgement::Late | Judgement::Waits => effect = Effect::HeldBack,
            Judgement::IsIn(id) => {
                if let Some(meta) = meta.filter(|meta| self.records.meta(id).unwrap_or_default() != *meta) {
                    self.records.set_meta(id, meta)?;
                    self.open(case.period);
                    effect = self.finish(case.stamp, None);
                }
            }
            Judgement::Enters => {
                let entered = self.enter(&case, meta)?;
                (id, last) = (Some(entered.0), entered.1);
                effect = self.finish(case.stamp, None);
            }
        }
        Ok(Joining {
            effect,
            place: id.and_then(|id| self.place_in(case.period, id)),
            joined: case.judgement == Judgement::Enters,
            waiting: case.judgement == Judgement::Waits,
            last,
        })
    }

    /// Adds points to a member's score in the current period. If the member is not in the period, it joins the
    /// period.
    ///
    /// # Errors
    /// The errors of the clock, of the points and of the request id, [`Error::Overflow`] and [`Error::Full`]. After
    /// an error, the league is unchanged.
    pub fn add(&mut self, event: &Event, points: Decimal, member: &[u8]) -> Result<Outcome, Error> {
        let points = points.to_score(self.rules.decimals, "points")?;
        let case = self.judge(event, member)?;
        let fingerprint = || Fingerprint::of(ADD).and(member, points.units());
        let id = event.request.filter(|_| self.rules.dedup > 0);
        let request = id.map(|id| Request::new(id, fingerprint()));
        if self.is_repeated(event, request.as_ref(), case.stamp)? {
            // A repeated write does not advance an event clock.
            let now = if self.is_on_server_clock() { case.stamp.now } else { self.last };
            return Ok(self.unchanged(case.id, self.period_at(now), Effect::Repeated));
        }
        let id = match case.judgement {
            Judgement::Late | Judgement::Waits => {
                return Ok(self.unchanged(case.id, case.period, Effect::HeldBack));
            }
            Judgement::Enters => self.enter(&case, None)?.0,
            Judgement::IsIn(id) => {
                self.go_on(case.period, id, points)?;
                id
            }
        };
        let now = self.add_to(id, points, case.stamp.at)?;
        Ok(Outcome { effect: self.finish(case.stamp, request), now, before: None })
    }

    /// Judges a write. If the league uses the server's clock, brings the league to the write's moment.
    fn judge<'a>(&mut self, event: &Event, member: &'a [u8]) -> Result<Case<'a>, Error> {
        let stamp = self.rules.clock.stamp(self.last, event.at, event.origin)?;
        let period = self.period_at(stamp.now);
        if self.is_on_server_clock() {
            self.period = Some(period);
        }
        let at = i64::try_from(stamp.at).unwrap_or(i64::MAX);
        let id = self.records.find(member);
        let is_in = id.filter(|id| self.is_in(period, *id));
        let judgement = match is_in {
            _ if at < period.start => Judgement::Late,
            Some(id) => Judgement::IsIn(id),
            None if at >= self.rules.deadline(period) => Judgement::Waits,
            None => Judgement::Enters,
        };
        Ok(Case { member, id, stamp, period, judgement })
    }

    /// Returns whether a member is in a period. A season may be used again after a clock was put back. Members that
    /// were removed while the clock was ahead are not in that season.
    pub(super) fn is_in(&self, period: Period, id: MemberId) -> bool {
        let Some(season) = self.seasons.at(period.start) else { return false };
        self.records.active(id) == Active::In(season.head.number)
            || (season.names(id, &self.records) && season.removed.get(id).is_none())
    }

    /// Returns the place of a member in a period.
    fn place_in(&self, period: Period, id: MemberId) -> Option<Place> {
        let season = self.seasons.at(period.start).filter(|_| self.is_in(period, id))?;
        season.spot(id, &self.records).map(Place::of)
    }

    fn unchanged(&self, id: Option<MemberId>, period: Period, effect: Effect) -> Outcome {
        let place = id.and_then(|id| self.place_in(period, id));
        let now = place.map(|place| Position { score: place.score, rank: place.rank });
        Outcome { effect, now, before: None }
    }

    /// Returns whether a request was applied before.
    fn is_repeated(&self, event: &Event, request: Option<&Request>, stamp: Stamp) -> Result<bool, Error> {
        let now = stamp.now.max(self.last);
        requests::is_repeated(self.requests.as_deref(), request, (now, self.keep()), event.origin)
    }

    fn is_open(&self, period: Period) -> bool {
        self.seasons.open.as_ref().is_some_and(|open| open.head.start == period.start)
    }

    /// Prepares a period for adding points to a member that is in the period.
    fn go_on(&mut self, period: Period, id: MemberId, points: Score) -> Result<(), Error> {
        if !self.is_open(period) {
            // If this addition fails, the season must not have been opened.
            let place = self.place_in(period, id);
            place.map_or(Score::ZERO, |place| place.score).plus(points)?;
        }
        self.open(period);
        Ok(())
    }

    /// Opens the season of a period.
    pub(super) fn open(&mut self, period: Period) {
        let is_open = self.is_open(period);
        if !is_open {
            self.settle_prizes(period, self.oldest(period));
        }
        self.seasons.open(period.start, &self.rules, &mut self.records, &mut self.settled);
        if !is_open {
            self.seasons.drop_before(self.oldest(period));
        }
    }

    /// Makes a member join a period. Returns the member's id, and the outcome of the member's previous season.
    fn enter(&mut self, case: &Case, meta: Option<&[u8]>) -> Result<(MemberId, Option<Last>), Error> {
        let id = case.id.map_or_else(|| self.records.insert(case.member), Ok)?;
        if let Err(error) = meta.map_or(Ok(()), |meta| self.records.set_meta(id, meta)) {
            self.forget(id);
            return Err(error);
        }
        self.open(case.period);
        let (tier, last) = self.tier_for(id, case.period);
        self.seasons.leave(id, &self.records);
        self.settled.remove(id);
        self.records.set_tier(id, None);
        let moment = match self.rules.ties {
            LeagueTies::Scored => case.stamp.at,
            LeagueTies::Joined => self.seasons.open.as_deref_mut().map_or(0, Season::count_join),
        };
        let key = Key { rank_key: Score::ZERO.descending(), moment };
        if let Some((number, live)) = live_of(self.seasons.open.as_deref_mut()) {
            let group = live.groups.next(tier, self.rules.group);
            self.records.set_active(id, Active::In(number));
            self.records.set_group(id, group);
            live.groups.insert(group, key, id, &mut self.records);
        }
        Ok((id, last))
    }

    /// Adds points to a member of the open season. Returns its position after that.
    fn add_to(&mut self, id: MemberId, points: Score, at: Millis) -> Result<Option<Position>, Error> {
        let Some((_, live)) = live_of(self.seasons.open.as_deref_mut()) else { return Ok(None) };
        let group = self.records.group(id);
        let Some(place) = live.groups.place(group, id, &self.records) else { return Ok(None) };
        let score = Score::from_descending(place.key.rank_key).plus(points)?;
        let before = if points == Score::ZERO {
            live.groups.get(group).index.rank(place)
        } else {
            let moment = match self.rules.ties {
                LeagueTies::Scored => place.key.moment.max(at),
                LeagueTies::Joined => place.key.moment,
            };
            let key = Key { rank_key: score.descending(), moment };
            live.groups.update(group, place, key, id, &mut self.records)
        };
        Ok(Some(Position { score, rank: before.saturating_add(1) }))
    }

    /// Finishes a write: moves the clock, remembers the request, and forgets old requests.
    fn finish(&mut self, stamp: Stamp, request: Option<Request>) -> Effect {
        self.touch(stamp);
        self.catch_up();
        let keep = self.keep();
        requests::finish(&mut self.requests, request, stamp.now, keep);
        Effect::Applied(stamp)
    }
}

/// Returns the number and the groups of the open season; `None` if there is no open season.
fn live_of(open: Option<&mut Season>) -> Option<(u32, &mut Live)> {
    let open = open?;
    Some((open.head.number, open.live_mut()?))
}
