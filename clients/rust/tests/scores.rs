//! Tests that write scores, and that remove and hide members.

use leaderboard_client::{
    Applied, Name, add, count, create, getmeta, hidden, hide, madd, mgetmeta, mset, rem, remrange,
    remrangebyscore, rolladd, set, setmeta, unhide,
};

use crate::client::with_each;

fn applied(score: &str, rank: u64, applied: bool) -> Applied {
    Applied { score: Some(score.into()), rank: Some(rank), applied, before: None, within: None }
}

#[test]
fn points_are_added_once_for_each_request() {
    with_each(|client| {
        let ann = add("game", "5", "ann").id("one").meta("Ann");
        assert_eq!(client.get(ann.clone()), applied("5", 1, true));
        assert_eq!(client.get(ann), applied("5", 1, false));
        let change = client.get(add("game", 7, "bob").with_change());
        assert_eq!(change, Applied { before: Some((None, None)), ..applied("7", 1, true) });
        let change = client.get(add("game", -3, "bob").with_change());
        assert_eq!(change, Applied { before: Some((Some("7".into()), Some(1))), ..applied("4", 2, true) });
        assert_eq!(client.get(getmeta("game", "ann")), Some(b"Ann".to_vec()));
        assert_eq!(client.get(rolladd("week", 5, "ann").window(7, "day")), applied("5", 1, true));
    });
}

#[test]
fn lists_are_one_request() {
    with_each(|client| {
        let sums = client.get(madd("game", [(5, "ann"), (4, "bob"), (1, "ann")]).id("one"));
        assert_eq!(sums, [applied("6", 1, true), applied("4", 2, true), applied("6", 1, true)]);
        let scores = client.get(mset("game", [("9", "bob")]));
        assert_eq!(scores, [applied("9", 1, true)]);
    });
}

#[test]
fn conditions_hold_a_score_back() {
    with_each(|client| {
        let nobody = Applied { score: None, rank: None, applied: false, before: None, within: None };
        assert_eq!(client.get(set("game", 5, "ann").xx()), nobody);
        assert_eq!(client.get(set("game", 5, "ann").nx()), applied("5", 1, true));
        assert_eq!(client.get(set("game", 4, "ann").gt()), applied("5", 1, false));
        assert_eq!(client.get(set("game", 4, "ann").xx().lt()), applied("4", 1, true));
    });
}

#[test]
fn scores_are_exact_texts() {
    with_each(|client| {
        client.get(create("cents").decimals(2));
        assert_eq!(client.get(add("cents", "0.10", "ann")), applied("0.1", 1, true));
        assert_eq!(client.get(add("cents", "0.2", "ann")), applied("0.3", 1, true));
        client.get(create("medals").levels("gold:DESC:99,silver:DESC:99"));
        assert_eq!(client.get(add("medals", "1/2", "ann")), applied("1/2", 1, true));
        let least = "-9223372036854775807";
        assert_eq!(client.get(add("game", least, "ann")), applied(least, 1, true));
    });
}

#[test]
fn members_go_and_hide() {
    with_each(|client| {
        client.get(madd("game", (1..=9).map(|points| (points, format!("m{points}")))));
        assert_eq!(client.get(rem("game", ["m1", "m2", "none"])), 2);
        assert_eq!(client.get(remrange("game", 1, 2)), 2);
        assert_eq!(client.get(remrangebyscore("game", "(3", 4)), 1);
        assert_eq!(client.get(hide("game", ["m5", "m3"])), 2);
        assert_eq!(client.get(hidden("game")), [Name::from("m3"), Name::from("m5")]);
        assert_eq!(client.get(count("game")), 2);
        assert_eq!(client.get(unhide("game", ["m5"])), 1);
        assert_eq!(client.get(count("game")), 3);
    });
}

#[test]
fn texts_and_names_are_any_bytes() {
    with_each(|client| {
        let (name, text) = (Name(b"\xff\0\r\n".to_vec()), b"\xfe meta".to_vec());
        client.get(setmeta("game", &name, &text));
        assert_eq!(client.get(mgetmeta("game", [&name, &"none".into()])), [Some(text.clone()), None]);
        client.get(add(b"\xff key", 1, &name).meta(&text));
        let row = client.get(leaderboard_client::top(b"\xff key", 1).with_meta()).remove(0);
        assert_eq!((row.member.to_str(), row.member == name, row.meta), (None, true, Some(text)));
    });
}
