//! Writes that another server decided, or that come from the append-only file.

use super::*;

const fn decided(now: Option<u64>, event: u64) -> Event<'static> {
    let now = match now {
        Some(now) => Some(MONDAY + now),
        None => None,
    };
    Event { at: Some(MONDAY + event), request: None, origin: TimeSource::Decided { now } }
}

fn stamp(now: u64, event: u64) -> Effect {
    Effect::Applied(Stamp { now: MONDAY + now, at: MONDAY + event })
}

#[test]
fn a_replica_does_what_the_primary_did() {
    let mut counter = new(&[1, 5, 60], 3);
    let mut replica = counter.clone();
    let events =
        [(at(0), 1), (of(4_000, 500), 2), (of(4_000, 3_999), -3), (of(5_000, 65_000), 4), (at(HOUR), 5)];
    let more = [(of(0, 0), 6), (at(1_000), 7), (at(MINUTE + 1_000), 0), (of(2_000, 0), MOST - 22)];
    for (event, by) in events.into_iter().chain(more) {
        let Increase { effect, total } = counter.increase(&event, by).unwrap();
        let Effect::Applied(stamp) = effect else { panic!("not applied") };
        let origin = TimeSource::Decided { now: Some(stamp.now) };
        let again = replica.increase(&Event { at: Some(stamp.at), request: None, origin }, by).unwrap();
        assert_eq!(again, Increase { effect: Effect::Applied(stamp), total });
        assert!(saved(&replica) == saved(&counter));
    }
}

#[test]
fn without_now_it_is_the_moment_of_the_event() {
    let mut counter = new(&[1], 3);
    assert_eq!(counter.increase(&decided(None, 5_000), 1).unwrap().effect, stamp(5_000, 5_000));
    assert_eq!(counter.increase(&decided(None, 1_000), 2).unwrap().effect, stamp(1_000, 1_000));
    assert_eq!(counter.last(), MONDAY + 1_000);
    assert_eq!(look(&counter, 1_000, 1), [(1_000, 2)]);
}

#[test]
fn what_was_decided_has_a_moment() {
    let mut counter = new(&[1], 3);
    let origin = TimeSource::Decided { now: Some(MONDAY) };
    let event = Event { at: None, request: None, origin };
    assert_eq!(counter.increase(&event, 1), Err(Error::MissingAt));
    assert_eq!(counter.total(), 0);
}

#[test]
fn no_clock_stands_against_it() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &decided(Some(HOUR), HOUR), 1);
    // This step back is so small that a client's clock would not move the counter's clock back.
    put(&mut counter, &decided(Some(HOUR - 1_000), HOUR - 1_000), 2);
    assert_eq!(counter.last(), MONDAY + HOUR - 1_000);
    let read = |counter: &Counter, now| shown(&counter.read(1, Range::default(), MONDAY + now).unwrap());
    assert_eq!(read(&counter, HOUR), [(HOUR as i64 - 1_000, 2)]);
    put(&mut counter, &decided(Some(DAY), DAY), 4);
    assert_eq!(read(&counter, DAY), [(DAY as i64, 4)]);
}

#[test]
fn what_was_decided_twice_counts_once_but_another_write_with_its_id_counts() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(at(0), "a"), 1);
    assert_eq!(repeat(&mut counter, &with_id(decided(Some(10), 10), "a"), 1), 1);
    put(&mut counter, &with_id(decided(Some(20), 20), "a"), 5);
    assert_eq!((counter.total(), counter.requests(MONDAY + 20)), (6, 1));
}

#[test]
fn the_ids_of_what_was_decided_are_remembered() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &with_id(decided(Some(0), 0), "a"), 1);
    assert_eq!(repeat(&mut counter, &with_id(at(5), "a"), 1), 1);
    refusal(&mut counter, &with_id(at(5), "a"), 2);
}

#[test]
fn a_clock_of_events_never_goes_back() {
    let mut counter = following(&[1], 3);
    put(&mut counter, &decided(Some(5_000), 5_000), 1);
    assert_eq!(counter.increase(&decided(Some(3_000), 3_000), 2).unwrap().effect, stamp(5_000, 3_000));
    assert_eq!(counter.increase(&decided(None, 4_000), 4).unwrap().effect, stamp(5_000, 4_000));
    assert_eq!(look(&counter, 0, 1), [(3_000, 2), (4_000, 4), (5_000, 1)]);
}

#[test]
fn an_event_after_the_now_of_its_write_counts_as_now() {
    // No server decides such a write, but a command can contain it.
    let mut counter = new(&[1, 60], 3);
    put(&mut counter, &decided(Some(0), 30_000), 3);
    assert_eq!((look(&counter, 0, 1), look(&counter, 0, 60)), (vec![(0, 3)], vec![(0, 3)]));
    assert_eq!((look(&counter, 30_000, 1), counter.last()), (vec![], MONDAY));
}

#[test]
fn out_of_range_all_the_same() {
    let mut counter = new(&[1], 3);
    put(&mut counter, &decided(Some(0), 0), MOST);
    assert_eq!(refusal(&mut counter, &decided(Some(0), 0), 1), "the count would be out of range");
}

#[test]
fn the_now_of_what_was_decided() {
    let mut counter = new(&[1], 3);
    add(&mut counter, 5_000, 1);
    let now = |now| counter.now_of(TimeSource::Decided { now });
    assert_eq!((now(Some(MONDAY)), now(None)), (MONDAY, MONDAY + 5_000));
}
