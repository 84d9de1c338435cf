//! Tests that import, export and combine rankings.

use leaderboard_client::{ImportStep, Row, count, export, import, import_step, inter, madd, top, union};

use crate::client::with_each;

#[test]
fn a_ranking_goes_out_and_comes_back() {
    with_each(|client| {
        client.get(madd("game", [(5, "ann"), (6, "bob"), (7, "cat")]));
        assert_eq!(client.get(export("sorted", "game")), 3);
        assert_eq!(client.get(import("whole", "sorted")), 3);
        assert_eq!(client.get(import("whole", "sorted").nx()), 0);
        let first = client.get(import_step("stepwise", "sorted", "0").count(2));
        assert_eq!(first.members, 2);
        let last = client.get(import_step("stepwise", "sorted", &first.cursor).merge());
        assert_eq!(last, ImportStep { cursor: "0".to_owned(), members: 1 });
        assert_eq!(client.get(count("stepwise")), 3);
    });
}

#[test]
fn rankings_are_combined() {
    with_each(|client| {
        client.get(madd("one", [(5, "ann"), (6, "bob")]));
        client.get(madd("two", [(5, "bob"), (1, "cat")]));
        assert_eq!(client.get(union("both", ["one", "two"])), 3);
        assert_eq!(client.get(inter("common", ["one", "two"]).weights(["2", "1"]).aggregate("SUM")), 1);
        let bob = Row { rank: 1, member: "bob".into(), score: "17".into(), meta: None };
        assert_eq!(client.get(top("common", 5)), [bob]);
    });
}
