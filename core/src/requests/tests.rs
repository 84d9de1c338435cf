//! Request ids against a map.

use super::*;
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
    // The same in each process, as it is saved.
    assert_eq!(Fingerprint::of(1).and(b"a", 1).finish(), all[2].finish());
}

#[test]
fn the_same_id_for_another_write_is_an_error() {
    let mut requests = Requests::new(0);
    requests.remember(request(1, 1), 1_000, 500);
    assert_eq!(requests.seen(&request(1, 1), 1_500, 500), Ok(true));
    assert_eq!(requests.seen(&request(1, 2), 1_500, 500), Err(Error::RequestReused));
    assert_eq!(requests.seen(&request(1, 2), 1_501, 500), Ok(false));
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
    fn as_a_map(steps in proptest::collection::vec((0..300_u32, 1..3_u8, 0..400_u64), 0..3_000)) {
        let keep = 3_000;
        let mut requests = Requests::new(50);
        let mut model = std::collections::HashMap::<u32, (u8, u64)>::new();
        let mut now = 50;
        for (id, kind, step) in steps {
            now += step / 8;
            model.retain(|_, (_, time)| now - *time <= keep);
            let expected = match model.get(&id) {
                None => Ok(false),
                Some((other, _)) if *other == kind => Ok(true),
                Some(_) => Err(Error::RequestReused),
            };
            prop_assert_eq!(requests.seen(&request(id, kind), now, keep), expected);
            if expected == Ok(false) {
                requests.forget(now, keep);
                requests.remember(request(id, kind), now, keep);
                model.insert(id, (kind, now));
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
    }
}
