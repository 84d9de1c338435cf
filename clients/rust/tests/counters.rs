//! Tests of the client's commands for counters of events.

use leaderboard_client::{Sample, counters};

use crate::client::with_each;

#[test]
fn events_are_counted_in_slices() {
    with_each(|client| {
        client.get(counters::create("visits").precisions("1,60").samples(5).clock("EVENT"));
        assert_eq!(client.get(counters::incr("visits").at(1_000)), 1);
        assert_eq!(client.get(counters::incr("visits").by(5).id("one").at(3_000)), 6);
        assert_eq!(client.get(counters::incr("visits").by(-2).at(61_000)), 4);
        let [first, second] = [(0, 6), (60_000, -2)].map(|(start, count)| Sample { start, count });
        assert_eq!(client.get(counters::get("visits", 60)), [first, second]);
        assert_eq!(client.get(counters::get("visits", 60).from(60_000).to(70_000)), [second]);
        let several = client.get(counters::mget(60, ["visits", "absent"]).to(0).fill());
        assert_eq!(several, [vec![first], Vec::new()]);
    });
}

#[test]
fn rules_are_told_and_changed() {
    with_each(|client| {
        client.get(counters::create("visits").precisions("1,60"));
        client.get(counters::alter("visits").precisions("+5,-1").dedup(9));
        let info = client.get(counters::info("visits")).expect("a counter");
        assert_eq!((info.text("precisions"), info.number("dedup")), (Some("5,60"), Some(9)));
        assert_eq!(client.get(counters::info("absent")), None);
    });
}
