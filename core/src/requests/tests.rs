//! Compares request ids with a map.

use super::*;
use crate::mover::tests::walk_all;
use crate::time::TimeSource;
use proptest::prelude::*;

fn request(id: u32, kind: u8) -> Request {
    Request::new(&id.to_le_bytes(), Fingerprint::of(kind))
}

#[test]
fn a_fingerprint_tells_kind_members_and_points_apart() {
    let all = [
        Fingerprint::of(1),
        Fingerprint::of(2),
        Fingerprint::of(1).and(b"a", 1),
        Fingerprint::of(1).and(b"a", 2),
        Fingerprint::of(1).and(b"b", 1),
        Fingerprint::of(1).and(b"a", 1).and(b"b", 1),
        Fingerprint::of(1).and(b"b", 1).and(b"a", 1),
    ];
    let marks: std::collections::HashSet<u32> = all.iter().map(|print| print.finish()).collect();
    assert_eq!(marks.len(), all.len());
    // The value is saved, so it must be the same in every process.
    assert_eq!(Fingerprint::of(1).and(b"a", 1).finish(), all[2].finish());
}

#[test]
fn the_same_id_for_another_write_is_an_error() {
    let mut requests = Requests::new(0);
    requests.remember(request(1, 1), 1_000, 500);
    assert_eq!(requests.seen(&request(1, 1), 1_500, 500), Ok(Seen::Before));
    assert_eq!(requests.seen(&request(1, 2), 1_500, 500), Err(Error::RequestReused));
    assert_eq!(requests.seen(&request(1, 2), 1_501, 500), Ok(Seen::Never));
}

#[test]
fn a_clock_that_goes_back_neither_frees_nor_keeps_an_id() {
    let mut requests = Requests::new(1_000);
    requests.remember(request(1, 1), 1_000, 500);
    requests.remember(request(2, 1), 50_000, 500);
    requests.turn_back(40_000);
    requests.remember(request(3, 1), 10_000, 500);
    assert_eq!(requests.count_kept(10_000, 100), 2);
    assert_eq!(requests.count_kept(10_101, 100), 0);
}

#[test]
fn many_ids_take_at_most_forty_bytes_each_and_are_forgotten() {
    let mut requests = Requests::new(0);
    for id in 0..200_000 {
        requests.remember(request(id, 1), u64::from(id), 1_000);
    }
    let each = requests.memory() as f64 / 200_000.0;
    assert!(each <= 40.0, "{each} bytes a request");
    for id in 200_000..260_000 {
        requests.forget(u64::from(id), 1_000);
        requests.remember(request(id, 1), u64::from(id), 1_000);
    }
    assert_eq!(requests.count_kept(259_999, 1_000), 1_001);
    assert!(requests.memory() < 250_000, "{} bytes left", requests.memory());
}

proptest! {
    #[test]
    fn as_a_map(
        steps in proptest::collection::vec((0..300_u32, 1..3_u8, 0..3_u32, 0..400_u64), 0..3_000),
    ) {
        let keep = 3_000;
        let mut requests = Requests::new(50);
        let mut model = std::collections::HashMap::<u32, (u8, u32, u64)>::new();
        let mut now = 50;
        for (id, kind, attempt, step) in steps {
            now += step / 8;
            model.retain(|_, (.., time)| now - *time <= keep);
            let expected = match model.get(&id) {
                None => Ok(Seen::Never),
                Some((other, ..)) if *other != kind => Err(Error::RequestReused),
                Some((_, first, _)) if *first == attempt && attempt > 0 => Ok(Seen::SameAttempt),
                Some(_) => Ok(Seen::Before),
            };
            let request = request(id, kind).of_attempt(attempt);
            prop_assert_eq!(requests.seen(&request, now, keep), expected);
            if expected == Ok(Seen::Never) {
                requests.forget(now, keep);
                requests.remember(request, now, keep);
                model.insert(id, (kind, attempt, now));
            }
            prop_assert_eq!(requests.count_kept(now, keep), model.len());
        }
        let mut restored = Requests::new(now as i64 - keep as i64);
        let kept: Vec<_> = requests.kept(now, keep).collect();
        for part in kept.chunks(100) {
            let saved = || part.iter().copied().map(Ok);
            prop_assert!(restored.restore(saved().chain(saved().take(1)), now, keep).is_err());
            prop_assert_eq!(restored.restore(saved(), now, keep), Ok(()));
            prop_assert!(restored.restore(saved(), now, keep).is_err());
        }
        prop_assert!(restored.kept(now, keep).eq(kept));
        for (id, (kind, attempt, _)) in model {
            let same = if attempt > 0 { Seen::SameAttempt } else { Seen::Before };
            let of = |attempt| request(id, kind).of_attempt(attempt);
            prop_assert_eq!(restored.seen(&of(attempt), now, keep), Ok(same));
            prop_assert_eq!(restored.seen(&of(attempt + 1), now, keep), Ok(Seen::Before));
        }
    }
}

/// A step of a test on a board that remembers ids.
#[derive(Debug, Clone)]
enum Step {
    /// This number of ids, from an id on, is written within one millisecond, all for one kind of write.
    Burst(u32, u32, u8),
    /// The clock advances.
    Tick(u64),
    /// The clock was ahead, and is put back.
    TurnBack(u64),
    /// From now on, ids are remembered for this number of milliseconds.
    Keep(u64),
    Move,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..9_000_u32, 0..3_000_u32, 1..3_u8).prop_map(|(from, count, kind)| Step::Burst(from, count, kind)),
        4 => (0..700_u64).prop_map(Step::Tick),
        1 => (0..300_u64).prop_map(Step::TurnBack),
        1 => (1..1_500_u64).prop_map(Step::Keep),
        1 => Just(Step::Move),
    ]
}

/// For each id: the kind of its write, and when it was applied, on a clock that is never put back.
type Applied = std::collections::HashMap<u32, (u8, u64)>;

/// Writes an id like a board, and compares the result with the model.
fn play(
    requests: &mut Option<Box<Requests>>,
    model: &mut Applied,
    id: u32,
    kind: u8,
    [now, real, keep]: [u64; 3],
) {
    let request = request(id, kind);
    if let Some(requests) = requests {
        requests.prefetch(&request);
    }
    let expected = match model.get(&id) {
        None => Ok(false),
        Some((other, _)) if *other == kind => Ok(true),
        Some(_) => Err(Error::RequestReused),
    };
    let origin = TimeSource::Client { wall: now, max_future: 0 };
    assert_eq!(is_repeated(requests.as_deref(), Some(&request), (now, keep), origin), expected);
    if expected == Ok(false) {
        finish(requests, Some(request), now, keep);
        model.insert(id, (kind, real));
    }
}

fn check(requests: &Requests, model: &Applied, now: u64, keep: u64) {
    assert_eq!(requests.count_kept(now, keep), model.len());
    assert!(
        requests.len() >= requests.table.numbers().count(),
        "an old one of the same id may wait to be forgotten"
    );
    assert!(requests.kept(now, keep).is_sorted_by(|(_, age), (_, next)| age >= next));
    let entries: usize = requests.chunks.iter().map(|chunk| bytes_of::<Remembered>(chunk.capacity())).sum();
    let list = bytes_of::<Vec<Remembered>>(requests.chunks.capacity());
    assert_eq!(requests.memory(), bytes_of::<Requests>(1) + entries + list + requests.table.memory());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// `now` is the time of the board's clock, `real` is the time that has passed.
    #[test]
    fn bursts_are_remembered_and_forgotten(steps in proptest::collection::vec(step(), 0..40)) {
        let (mut requests, mut model) = (Some(Box::new(Requests::new(500))), Applied::new());
        let (mut now, mut real, mut keep) = (500, 500, 800);
        for step in steps {
            match step {
                Step::Burst(from, count, kind) => (from..from + count)
                    .for_each(|id| play(&mut requests, &mut model, id, kind, [now, real, keep])),
                Step::Tick(by) => (now, real) = (now + by, real + by),
                Step::TurnBack(by) => {
                    let by = by.min(now);
                    now -= by;
                    requests.as_mut().unwrap().turn_back(by);
                }
                Step::Keep(next) => {
                    change_keep(&mut requests, now, (keep, next));
                    keep = next;
                }
                Step::Move => {
                    let requests = requests.as_mut().unwrap();
                    walk_all(|from, mover| Relocation::run(from, mover, |walk| requests.relocate(walk)));
                }
            }
            model.retain(|_, (_, time)| real - *time <= keep);
            check(requests.as_ref().unwrap(), &model, now, keep);
        }
    }
}

#[test]
fn few_ids_at_a_time_never_take_the_room_of_many() {
    let mut requests = None;
    for id in 0..5_000_u32 {
        finish(&mut requests, Some(request(id, 1)), u64::from(id), 10);
        assert!(requests.as_ref().unwrap().memory() < 55_000);
    }
    assert_eq!(requests.unwrap().count_kept(4_999, 10), 11);
}
