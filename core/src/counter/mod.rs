//! A counter: the number of events, in slices of time of several lengths (precisions).
//!
//! A [`lane`] contains the counts of one precision: the latest slices of time, up to the current slice. An increase
//! adds to one slice of each lane. A read returns the slices that are kept at the present time; writes replace the
//! oldest slices. So no cleaning is needed, and an idle counter shows the right slices.

mod lane;
mod native;
mod ring;
mod rules;
mod snapshot;

use crate::Error;
use crate::board::{Effect, Written};
use crate::event::Event;
use crate::requests::{self, Fingerprint, Request, Requests};
use crate::time::{Clock, Millis, TimeSource};
use lane::{Lane, first_kept};

pub use rules::{
    Alter, MAX_PRECISIONS, MAX_SAMPLES, Rules, parse_precision, parse_precision_edits, parse_precisions,
};

/// The code of an increase, which is the start of its [`Fingerprint`]. The code is saved: never change it.
const INCREASE: u8 = 32;

/// The count of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// When the slice begins.
    pub start: Millis,
    /// The sum of the increases in the slice.
    pub count: i64,
}

/// The range of slices to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// A moment in the first slice; `None` means the first slice with a count.
    pub from: Option<Millis>,
    /// A moment in the last slice; `None` means up to the last slice with a count.
    pub to: Option<Millis>,
    /// Whether slices without a count are included.
    pub fill: bool,
}

/// The reply to an increase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Increase {
    /// The effect of the write.
    pub effect: Effect,
    /// The total since creation.
    pub total: i64,
}

impl Written for Increase {
    fn effect(&self) -> Effect {
        self.effect
    }
}

/// One counter.
#[derive(Debug, Clone)]
pub struct Counter {
    samples: u32,
    dedup: u32,
    clock: Clock,
    /// Whether chunks of a saved counter are still missing.
    loading: bool,
    /// The counter's time at its last write. The current slices of all lanes contain this moment.
    last: Millis,
    total: i64,
    /// The lanes, by ascending precision.
    lanes: Box<[Lane]>,
    requests: Option<Box<Requests>>,
}

impl Counter {
    /// Returns a counter without counts.
    ///
    /// # Errors
    /// The errors of [`Rules::check`].
    pub fn new(mut rules: Rules) -> Result<Self, Error> {
        rules.check()?;
        rules.precisions.sort_unstable();
        let lanes = rules.precisions.iter().map(|seconds| Lane::new(*seconds, 0)).collect();
        let Rules { samples, clock, dedup, .. } = rules;
        Ok(Self { samples, dedup, clock, loading: false, last: 0, total: 0, lanes, requests: None })
    }

    /// Returns the counter's rules, with ascending precisions.
    #[must_use]
    pub fn rules(&self) -> Rules {
        let precisions = self.lanes.iter().map(|lane| lane.seconds).collect();
        Rules { precisions, samples: self.samples, clock: self.clock, dedup: self.dedup }
    }

    /// Returns the total since the counter was made.
    #[must_use]
    pub const fn total(&self) -> i64 {
        self.total
    }

    /// Returns the counter's time at its last write.
    #[must_use]
    pub const fn last(&self) -> Millis {
        self.last
    }

    /// Returns the counter's present time, given the source of time of a command.
    #[must_use]
    pub fn now_of(&self, origin: TimeSource) -> Millis {
        match origin {
            TimeSource::Client { wall, max_future } => self.clock.now(self.last, wall, max_future),
            TimeSource::Decided { now } => now.unwrap_or(self.last),
        }
    }

    const fn keep(&self) -> Millis {
        (self.dedup as Millis).saturating_mul(1000)
    }

    /// Returns how many request ids are remembered at a moment of the counter's clock.
    #[must_use]
    pub fn requests(&self, now: Millis) -> usize {
        let kept = |requests: &Requests| requests.count_kept(now.max(self.last), self.keep());
        self.requests.as_deref().filter(|_| self.dedup > 0).map_or(0, kept)
    }

    /// Counts an event that adds `by` to the counter.
    ///
    /// # Errors
    /// A bad `AT`, a reused request id, [`Error::CountOverflow`]. After an error, the counter is unchanged.
    pub fn increase(&mut self, event: &Event, by: i64) -> Result<Increase, Error> {
        let stamp = self.clock.stamp(self.last, event.at, event.origin)?;
        let id = event.request.filter(|_| self.dedup > 0);
        let request = id.map(|id| Request::new(id, Fingerprint::of(INCREASE).and(b"", by)));
        let times = (stamp.now.max(self.last), self.keep());
        if requests::is_repeated(self.requests.as_deref(), request.as_ref(), times, event.origin)? {
            return Ok(Increase { effect: Effect::Repeated, total: self.total });
        }
        let at = stamp.at.min(stamp.now);
        let total = sum(self.total, by)?;
        self.judge(at, stamp.now, by)?;
        // From here on, no step fails.
        self.touch(stamp.now);
        self.total = total;
        for lane in &mut self.lanes {
            let slice = lane.slice(at);
            if slice >= first_kept(lane.current(), self.samples) {
                lane.set(slice, lane.get(slice).saturating_add(by), self.samples);
            }
        }
        let keep = self.keep();
        requests::finish(&mut self.requests, request, stamp.now, keep);
        Ok(Increase { effect: Effect::Applied(stamp), total })
    }

    /// Checks that the slices of a moment can be increased in all lanes that keep these slices.
    fn judge(&self, at: Millis, now: Millis, by: i64) -> Result<(), Error> {
        for lane in &self.lanes {
            let slice = lane.slice(at);
            if slice >= first_kept(lane.slice(now), self.samples) {
                sum(lane.get(slice), by)?;
            }
        }
        Ok(())
    }

    /// Moves the clock to the time of a write.
    fn touch(&mut self, now: Millis) {
        if let Some(requests) = &mut self.requests {
            requests.turn_back(self.last.saturating_sub(now));
        }
        self.last = now;
        for lane in &mut self.lanes {
            lane.come_to(lane.slice(now), self.samples);
        }
    }

    /// Returns the slices of a precision that are kept at the moment `now` of the counter's clock, oldest first.
    ///
    /// # Errors
    /// [`Error::NoSuchPrecision`].
    pub fn read(&self, precision: u32, range: Range, now: Millis) -> Result<Vec<Sample>, Error> {
        let lane = self.lanes.iter().find(|lane| lane.seconds == precision);
        let lane = lane.ok_or(Error::NoSuchPrecision(precision))?;
        if range.from.zip(range.to).is_some_and(|(from, to)| from > to) {
            return Ok(Vec::new());
        }
        let current = lane.slice(now);
        let first = range.from.map_or(0, |from| lane.slice(from)).max(first_kept(current, self.samples));
        let last = range.to.map_or(current, |to| lane.slice(to)).min(current);
        let sample = |(slice, count)| Sample { start: lane.start(slice), count };
        let counted: Vec<_> = lane.slices(first..last.saturating_add(1)).collect();
        if !range.fill {
            return Ok(counted.into_iter().map(sample).collect());
        }
        let first = range.from.map(|_| first).or(counted.first().map(|(slice, _)| *slice));
        let last = range.to.map(|_| last).or(counted.last().map(|(slice, _)| *slice));
        let (Some(first), Some(last)) = (first, last) else { return Ok(Vec::new()) };
        Ok((first..=last).map(|slice| sample((slice, lane.get(slice)))).collect())
    }

    /// Changes the rules: makes all requested changes, or none. `now` is the counter's present time.
    ///
    /// # Errors
    /// The errors of [`Rules::check`]; [`Error::NoSuchPrecision`].
    pub fn alter(&mut self, alter: &Alter, now: Millis) -> Result<(), Error> {
        let Rules { precisions, samples, dedup, .. } = alter.applied_to(self.rules())?;
        self.touch(now);
        if alter.dedup.is_some() {
            let keep = (self.keep(), Millis::from(dedup).saturating_mul(1000));
            requests::change_keep(&mut self.requests, now, keep);
        }
        let mut lanes = std::mem::take(&mut self.lanes).into_vec();
        let mut kept = |seconds: u32| {
            let place = lanes.iter().position(|lane| lane.seconds == seconds);
            place.map(|place| lanes.swap_remove(place))
        };
        let lane = |seconds: &u32| kept(*seconds).unwrap_or_else(|| Lane::new(*seconds, now));
        self.lanes = precisions.iter().map(lane).collect();
        self.lanes.iter_mut().for_each(|lane| lane.cut(samples));
        (self.samples, self.dedup) = (samples, dedup);
        Ok(())
    }
}

/// Returns the sum of two counts.
fn sum(count: i64, by: i64) -> Result<i64, Error> {
    count.checked_add(by).filter(|sum| *sum != i64::MIN).ok_or(Error::CountOverflow)
}
