//! Special cases that the contract names, with results worked out by hand. This file has the functions through which
//! the cases use a counter.

mod altered;
mod amounts;
mod clocks;
mod damaged;
mod decided;
mod fill;
mod kept;
mod late;
mod leaps;
mod lookalikes;
mod moved;
mod ranges;
mod refused;
mod requests;
mod saves;

use leaderboard_core::board::{Edit, Effect};
use leaderboard_core::counter::{
    Alter, Counter, Increase, MAX_PRECISIONS, MAX_SAMPLES, Range, Rules, Sample,
};
use leaderboard_core::time::{Clock, MAX_MILLIS, Stamp, TimeSource};
use leaderboard_core::{Error, Event, NativeType};

use crate::mover::Restless;
use crate::{MAX_FUTURE, loaded, saved};

/// A Monday at midnight, UTC.
const MONDAY: u64 = 1_552_867_200_000;
const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;

/// The highest count.
const MOST: i64 = i64::MAX;

fn rules(precisions: &[u32], samples: u32) -> Rules {
    Rules { precisions: precisions.to_vec(), samples, clock: Clock::Server, dedup: 600 }
}

fn new(precisions: &[u32], samples: u32) -> Counter {
    Counter::new(rules(precisions, samples)).unwrap()
}

/// Returns a counter on a clock of events.
fn following(precisions: &[u32], samples: u32) -> Counter {
    Counter::new(Rules { clock: Clock::Event, ..rules(precisions, samples) }).unwrap()
}

/// Returns the time source of a client whose clock is at this number of milliseconds after `MONDAY`.
const fn client(now: u64) -> TimeSource {
    TimeSource::Client { wall: MONDAY + now, max_future: MAX_FUTURE }
}

/// Returns an event at `now`, in milliseconds after `MONDAY`.
const fn at(now: u64) -> Event<'static> {
    Event { at: None, request: None, origin: client(now) }
}

/// Returns an event at another moment than `now`. Both are in milliseconds after `MONDAY`.
const fn of(now: u64, event: u64) -> Event<'static> {
    Event { at: Some(MONDAY + event), ..at(now) }
}

/// Returns an event at this number of milliseconds before `MONDAY`.
const fn before(now: u64, event: u64) -> Event<'static> {
    Event { at: Some(MONDAY - event), ..at(now) }
}

fn with_id(event: Event<'static>, id: &'static str) -> Event<'static> {
    Event { request: Some(id.as_bytes()), ..event }
}

/// Counts an event, and checks that it is applied. Returns the total.
fn put(counter: &mut Counter, event: &Event, by: i64) -> i64 {
    let Increase { effect, total } = counter.increase(event, by).unwrap();
    assert!(matches!(effect, Effect::Applied(_)), "not applied");
    assert_eq!(counter.total(), total);
    total
}

fn add(counter: &mut Counter, now: u64, by: i64) -> i64 {
    put(counter, &at(now), by)
}

/// Counts 1 at each of these moments.
fn add_all(counter: &mut Counter, times: &[u64]) {
    times.iter().for_each(|now| _ = add(counter, *now, 1));
}

/// Returns the error of an increase that is refused, and checks that it changes nothing.
fn refusal(counter: &mut Counter, event: &Event, by: i64) -> String {
    let before = saved(counter);
    let error = counter.increase(event, by).unwrap_err();
    assert!(saved(counter) == before, "refused, but changed");
    error.to_string()
}

/// Sends a request that was applied before, and checks that it changes nothing. Returns the total.
fn repeat(counter: &mut Counter, event: &Event, by: i64) -> i64 {
    let before = saved(counter);
    let Increase { effect, total } = counter.increase(event, by).unwrap();
    assert_eq!(effect, Effect::Repeated);
    assert!(saved(counter) == before, "repeated, but changed");
    total
}

/// Returns the start of each sample in milliseconds after `MONDAY`, and its count.
fn shown(samples: &[Sample]) -> Vec<(i64, i64)> {
    samples.iter().map(|sample| (sample.start as i64 - MONDAY as i64, sample.count)).collect()
}

fn get(counter: &Counter, now: u64, precision: u32, range: Range) -> Vec<(i64, i64)> {
    let now = counter.now_of(client(now));
    shown(&counter.read(precision, range, now).unwrap())
}

/// Returns all samples of a precision.
fn look(counter: &Counter, now: u64, precision: u32) -> Vec<(i64, i64)> {
    get(counter, now, precision, Range::default())
}

/// Returns a range between these moments, in milliseconds after `MONDAY`.
fn range(from: Option<i64>, to: Option<i64>, fill: bool) -> Range {
    let moment = |edge: Option<i64>| edge.map(|edge| MONDAY.checked_add_signed(edge).unwrap());
    Range { from: moment(from), to: moment(to), fill }
}

fn alter(counter: &mut Counter, now: u64, alter: &Alter) {
    let now = counter.now_of(client(now));
    counter.alter(alter, now).unwrap();
}

fn precisions(edits: &[(u32, Edit)]) -> Alter {
    Alter { precisions: edits.to_vec(), ..Alter::default() }
}

fn samples(samples: u32) -> Alter {
    Alter { samples: Some(samples), ..Alter::default() }
}

fn dedup(dedup: u32) -> Alter {
    Alter { dedup: Some(dedup), ..Alter::default() }
}
