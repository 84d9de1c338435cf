//! Compares everything that can be read of a counter with a model.

use leaderboard_core::NativeType;
use leaderboard_core::counter::{Counter, Range};
use leaderboard_core::time::{MAX_MILLIS, TimeSource};

use crate::model::Model;
use crate::play::start;
use crate::steps::{Edge, Look, Looks};

/// The number of random ranges that are read of each precision.
const LOOKS: usize = 3;

/// Compares all reads at a time of the server's clock. `max_future` is the maximum time from now to an `AT`.
pub fn all(counter: &Counter, model: &Model, (wall, max_future): (u64, u64), mut looks: Looks) {
    let now = model.now(wall, max_future);
    assert_eq!(counter.last(), model.last, "the last now");
    assert_eq!(i128::from(counter.total()), model.total, "the total");
    assert_eq!(counter.now(wall, max_future), now);
    assert_eq!(counter.now_of(TimeSource::Client { wall, max_future }), now);
    for moment in [now, model.last, wall] {
        assert_eq!(counter.requests(moment), model.requests(moment), "requests at {moment}");
    }
    assert!(!counter.is_loading());
    rules(counter, model);
    for precision in &model.rules.precisions {
        reads(counter, model, *precision, now, &mut looks);
    }
    let none = (1..).find(|precision| !model.rules.precisions.contains(precision)).unwrap();
    same(counter, model, none, Range::default(), now);
}

fn rules(counter: &Counter, model: &Model) {
    let (own, other) = (counter.rules(), &model.rules);
    assert_eq!(own.precisions, other.precisions);
    assert_eq!((own.samples, own.clock, own.dedup), (other.samples, other.clock, other.dedup));
}

fn reads(counter: &Counter, model: &Model, precision: u32, now: u64, looks: &mut Looks) {
    for fill in [false, true] {
        same(counter, model, precision, Range { fill, ..Range::default() }, now);
    }
    for Look { from, to, fill, shift } in looks.take(LOOKS) {
        let now = now.saturating_add_signed(shift).min(MAX_MILLIS);
        let moment = |edge: Edge| match edge {
            Edge::None => None,
            Edge::Of(slice, offset) => {
                let moment = start(precision, slice, model.rules.samples, now) + i128::from(offset);
                Some(moment.clamp(0, MAX_MILLIS.into()) as u64)
            }
            Edge::Epoch => Some(0),
            Edge::End => Some(MAX_MILLIS),
        };
        same(counter, model, precision, Range { from: moment(from), to: moment(to), fill }, now);
    }
}

fn same(counter: &Counter, model: &Model, precision: u32, range: Range, now: u64) {
    let Range { from, to, fill } = range;
    let what = format!("precision {precision} from {from:?} to {to:?}, fill {fill}, at {now}");
    let expected = model.read(precision, Range { from, to, fill }, now);
    let got = counter.read(precision, range, now).map_err(|error| error.to_string());
    assert_eq!(got, expected, "{what}");
}

/// Checks the memory that a counter reports. It is at least the size of its struct. At most, each slice has a count
/// of 8 bytes, and the allocator adds a quarter. An id takes 24 bytes and its place in a table.
pub fn memory(counter: &Counter, model: &Model, ids: usize) {
    let (precisions, samples) = (model.rules.precisions.len(), model.rules.samples as usize);
    let rings = precisions * (64 + samples * 10);
    let requests = if ids > 0 { 1_024 + ids * 64 } else { 0 };
    let most = size_of::<Counter>() * 5 / 4 + 64 + rings + requests;
    let memory = counter.memory();
    assert!((size_of::<Counter>()..=most).contains(&memory), "{memory} bytes, at most {most}");
    assert!(counter.effort() <= 16 + 2 * precisions + ids);
}
