//! Tests that read replies in the forms of RESP2 and RESP3.

use leaderboard_client::{
    Applied, Created, InfoValue, Joined, LimitRule, Outcome, Row, Score, VoteOutcome, add, create, info,
    leagues, options, score, standing, top, vote,
};
use redis::Value::{Int, Nil, Okay};

use crate::values::{array, bulk, flat, map, read};

#[test]
fn scores_are_texts_whatever_their_form() {
    for (reply, due) in [(Int(-5), "-5"), (bulk("10.5"), "10.5"), (bulk("12/5/3"), "12/5/3")] {
        let score: Score = read(&score("game", "ann"), &reply).expect("a score");
        assert_eq!((score.as_str(), score.to_string().as_str()), (due, due));
    }
    assert_eq!(read(&score("game", "ann"), &Nil), None);
    assert_eq!([Score::from("12").to_i64(), Score::from("1.5").to_i64()], [Some(12), None]);
}

#[test]
fn a_write_tells_score_rank_and_change() {
    let held_back = Applied { score: None, rank: None, applied: false, before: None, within: None };
    assert_eq!(read(&add("game", 5, "ann"), &array([Nil, Nil, Int(0)])), held_back);
    let change = read(&add("game", 5, "ann"), &array([bulk("10.5"), Int(1), Int(1), Int(5), Int(2)]));
    assert_eq!(change.before, Some((Some("5".into()), Some(2))));
}

#[test]
fn a_board_is_made_or_there_is_one() {
    for (reply, made) in [(Okay, true), (Int(1), true), (Int(0), false)] {
        assert_eq!(read(&create("game"), &reply), Created(made));
    }
}

#[test]
fn a_line_has_a_meta_or_not() {
    let line = |meta: Option<&str>| Row {
        rank: 1,
        member: "ann".into(),
        score: "5".into(),
        meta: meta.map(|meta| meta.as_bytes().to_vec()),
    };
    let reply = |meta| array([array([Int(1), bulk("ann"), Int(5), meta])]);
    assert_eq!(read(&top("game", 1), &reply(bulk("Ann"))), [line(Some("Ann"))]);
    assert_eq!(read(&top("game", 1), &reply(Nil)), [line(None)]);
    assert_eq!(read(&top("game", 1), &array([array([Int(1), bulk("ann"), Int(5)])])), [line(None)]);
}

#[test]
fn fields_that_are_new_are_passed_over() {
    let reply = map([
        ("rank", Int(2)),
        ("news", array([Int(1), Int(2), Int(3)])),
        ("score", Int(5)),
        ("members", Int(2)),
        ("percentile", bulk("50.00")),
        ("ahead", array([bulk("bob"), Int(7), Int(2)])),
        ("behind", Nil),
        ("previous", Nil),
        ("change", Nil),
        ("at", Int(99)),
    ]);
    let ann = read(&standing("game", "ann"), &reply).expect("a member");
    assert_eq!((ann.rank, ann.at, ann.ahead.expect("a neighbour").gap.as_str()), (2, Some(99), "2"));
}

#[test]
fn a_vote_is_accepted_or_held_back() {
    let reply = array([Int(0), bulk("daily"), Int(-1)]);
    let held_back = VoteOutcome::HeldBack { rule: "daily".to_owned(), retry_after_ms: -1 };
    assert_eq!(read(&vote("poll", 1, "ann"), &reply), held_back);
    let reply = array([Int(1), array([array([Int(5), Int(1), Int(1)])])]);
    assert!(matches!(read(&vote("poll", 1, "ann"), &reply), VoteOutcome::Accepted(all) if all.len() == 1));
}

#[test]
fn options_are_maps_in_a_page() {
    let fields = ["weight", "initial", "real", "shown", "voters"].map(|name| (name, Int(7)));
    let [weight, initial, real, shown, voters] = fields;
    let option = map([("member", bulk("ann")), weight, initial, ("meta", Nil), real, shown, voters]);
    let page = read(&options("poll", 0), &array([bulk("12"), array([option])]));
    assert_eq!((page.cursor, page.options[0].shown.as_str(), page.options[0].voters), (12, "7", 7));
}

#[test]
fn a_join_tells_the_last_period() {
    let last = map([
        ("period", bulk("2019-W12")),
        ("tier", bulk("gold")),
        ("group", Int(1)),
        ("rank", Int(9)),
        ("members", Int(9)),
        ("score", bulk("0.5")),
        ("outcome", bulk("demoted")),
        ("reward", Int(0)),
    ]);
    let nowhere = ["tier", "group", "rank", "members"].map(|name| (name, Nil));
    let [tier, group, rank, members] = nowhere;
    let reply =
        map([tier, group, rank, members, ("joined", Int(0)), ("waiting", Int(1)), ("last", last.clone())]);
    let joined: Joined = read(&leagues::join("words", "ann"), &reply);
    assert_eq!((joined.tier, joined.joined, joined.waiting), (None, false, true));
    assert_eq!(joined.last.map(|last| (last.outcome, last.rank)), Some((Outcome::Demoted, 9)));
}

#[test]
fn info_is_read_by_what_stands_there() {
    let reply = map([
        ("views", bulk("all")),
        ("dedup", Int(600)),
        ("members", array([Int(3), Int(4)])),
        ("limit", array([bulk("daily voter 8 day")])),
        ("held_back", map([("closed", Int(2)), ("daily", Int(1))])),
        ("mixed", array([Int(1), bulk("x")])),
        ("none", Nil),
    ]);
    let info = read(&info("game"), &reply).expect("a board");
    assert_eq!((info.text("views"), info.number("dedup")), (Some("all"), Some(600)));
    assert_eq!(info.numbers("members"), Some(&[3, 4][..]));
    assert_eq!(info.limits().iter().map(LimitRule::line).collect::<Vec<_>>(), ["daily voter 8 day"]);
    assert_eq!(info.held_back(), [("closed".to_owned(), 2), ("daily".to_owned(), 1)]);
    assert_eq!(info.get("mixed"), Some(&InfoValue::Other(array([Int(1), bulk("x")]))));
    let names: Vec<&str> = info.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["views", "dedup", "members", "limit", "held_back", "mixed", "none"]);
    assert_eq!(flat(&array([map([("a", Int(1))])])), array([array([bulk("a"), Int(1)])]));
}
