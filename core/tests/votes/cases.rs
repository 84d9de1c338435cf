//! Special cases that the specification names, one by one, worked out by hand.

use leaderboard_core::board::{
    Alter, Condition, Declaration, Edit, Effect, Listed, Verdict, Vote, When, Write,
};
use leaderboard_core::campaign::Changes;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::{Clock, Origin};
use leaderboard_core::view::{Kind, Share, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema};

use crate::{MAX_FUTURE, loaded, saved};

/// A Monday at midnight, UTC.
const MONDAY: u64 = 1_552_867_200_000;
const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

fn plain() -> Schema {
    Schema::default()
}

fn with_shown() -> Schema {
    Schema { shown: true, ..plain() }
}

fn spec(name: &str, retain: u32) -> Spec {
    Spec { retain, ..Spec::new(Kind::parse(name.as_bytes()).unwrap()) }
}

fn board(schema: Schema, views: &[&str]) -> Board {
    let specs: Vec<_> = views.iter().map(|name| spec(name, 2)).collect();
    Board::new(schema, &specs).unwrap()
}

/// Rules such as `day voter 2 day BONUS channel acme 3`.
fn limit(rule: &str) -> Rule {
    let words: Vec<&[u8]> = rule.split(' ').map(str::as_bytes).collect();
    let number = |word: &[u8]| std::str::from_utf8(word).unwrap().parse().unwrap();
    let mut rule = Rule::new(words[0], words[1], number(words[2]), words[3]).unwrap();
    for bonus in words[4..].chunks(4) {
        rule.add_bonus(bonus[1], bonus[2], number(bonus[3])).unwrap();
    }
    rule
}

fn limited(schema: Schema, views: &[&str], rules: &[&str]) -> Board {
    let mut board = board(schema, views);
    alter(
        &mut board,
        Changes { limits: rules.iter().map(|rule| limit(rule)).collect(), ..Changes::default() },
    );
    board
}

fn alter(board: &mut Board, voting: Changes) {
    board.alter(&Alter { voting, ..Alter::default() }).unwrap();
}

fn client(now: u64) -> Origin {
    Origin::Client { wall: MONDAY + now, max_future: MAX_FUTURE }
}

/// A write at a time after that Monday.
fn at(now: u64) -> Write<'static> {
    Write { at: None, request: None, origin: client(now), with_change: false, view: None }
}

fn by(voter: &str) -> Ballot<'_> {
    Ballot { voter: Some(voter.as_bytes()), tags: &[] }
}

/// What came of a vote: nothing where it was counted.
type Held = Option<(String, Option<u64>)>;

fn held<T>(verdict: Verdict<T>) -> Held {
    match verdict {
        Verdict::Accepted(_) => None,
        Verdict::HeldBack { rule, wait } => Some((String::from_utf8(rule).unwrap(), wait)),
    }
}

fn back(rule: &str, wait: Option<u64>) -> Held {
    Some((rule.to_owned(), wait))
}

fn vote(board: &mut Board, write: &Write, ballot: &Ballot, votes: u64, name: &str) -> Held {
    let verdict = held(board.vote(write, ballot, (name.as_bytes(), votes)).unwrap());
    board.check();
    verdict
}

fn declare(board: &mut Board, now: u64, name: &str, weight: Option<u32>, initial: Option<u64>) {
    board.declare(name.as_bytes(), Declaration { weight, initial }, client(now)).unwrap();
    board.check();
}

/// Names and scores of a view in a period, best first.
fn order(board: &Board, view: &str, when: When, tally: Tally) -> Vec<(String, i64)> {
    let rows = board.read(Some(view.as_bytes()), when, tally).unwrap().rows(0, u64::MAX, Ranks::Ordinal);
    let name = |id| String::from_utf8(board.name(id).to_vec()).unwrap();
    rows.map(|row| (name(row.id), row.score.units())).collect()
}

fn shown(board: &Board, view: &str, when: When) -> Vec<(String, i64)> {
    order(board, view, when, Tally::Shown)
}

fn real(board: &Board, view: &str) -> Vec<(String, i64)> {
    order(board, view, When::Now, Tally::Real)
}

fn lines(lines: &[(&str, i64)]) -> Vec<(String, i64)> {
    lines.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
}

/// Votes used of each rule, votes that may be, and the time that is left.
fn quota(board: &Board, now: u64, ballot: &Ballot, member: Option<&str>) -> Vec<(u32, u32, Option<u64>)> {
    let quota = board.quota(ballot, member.map(str::as_bytes), None, client(now)).unwrap();
    quota.iter().map(|each| (each.used, each.max, each.wait)).collect()
}

fn listed(board: &Board) -> Vec<Listed> {
    board.options(0, 1_000).1
}

#[test]
fn initial_votes_given_while_periods_run_count_in_all_at_once_and_elsewhere_from_the_next_on() {
    let mut board = board(with_shown(), &["all", "day", "hour", "day:2"]);
    vote(&mut board, &at(5), &by("v"), 3, "ann");
    declare(&mut board, 6, "ann", None, Some(10));
    declare(&mut board, 6, "bob", None, Some(2));
    let none = lines(&[("ann", 3)]);
    assert_eq!(shown(&board, "all", When::Now), lines(&[("ann", 13), ("bob", 2)]));
    for view in ["day", "hour", "day:2"] {
        assert_eq!(shown(&board, view, When::Now), none);
    }
    board.advance(MONDAY + HOUR);
    assert_eq!(shown(&board, "hour", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert_eq!(shown(&board, "hour", When::Back(1)), none);
    assert_eq!(shown(&board, "day", When::Now), none);
    board.advance(MONDAY + DAY);
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert_eq!(shown(&board, "day", When::Back(1)), none);
    assert_eq!(shown(&board, "day:2", When::Now), none);
    for view in ["all", "day:2"] {
        assert_eq!(real(&board, view), none);
    }
    assert_eq!(real(&board, "day"), []);
    // Another number moves `all` by the difference, and the day that runs not at all.
    declare(&mut board, DAY, "ann", None, Some(4));
    assert_eq!(shown(&board, "all", When::Now), lines(&[("ann", 7), ("bob", 2)]));
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 2)]));
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn a_view_that_had_not_begun_begins_with_initial_votes_and_a_score_is_set_on_top_of_them() {
    for begun in [false, true] {
        let mut board = board(with_shown(), &["day", "all"]);
        declare(&mut board, 0, "ann", None, Some(10));
        assert_eq!(shown(&board, "day", When::Now), []);
        if begun {
            vote(&mut board, &at(1), &by("v"), 1, "bob");
            assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 10), ("bob", 1)]));
        }
        let outcome = board.set(&at(2), Decimal::whole(7), b"ann", Condition::default()).unwrap();
        assert_eq!(outcome.now.unwrap().score.units(), 7, "with the view begun: {begun}");
        assert_eq!(real(&board, "day").into_iter().rfind(|line| line.0 == "ann").unwrap().1, -3);
    }
}

#[test]
fn a_weight_counts_from_now_on_and_never_in_real_votes() {
    let mut board = board(with_shown(), &["all", "day"]);
    vote(&mut board, &at(0), &by("v"), 2, "ann");
    declare(&mut board, 1, "ann", Some(10), None);
    vote(&mut board, &at(2), &by("v"), 2, "ann");
    declare(&mut board, 3, "ann", Some(0), None);
    vote(&mut board, &at(4), &by("w"), 5, "ann");
    board.add(&at(5), Decimal::whole(3), b"ann").unwrap();
    for view in ["all", "day"] {
        assert_eq!(shown(&board, view, When::Now), lines(&[("ann", 2 + 20 + 3)]));
        assert_eq!(real(&board, view), lines(&[("ann", 9 + 3)]));
    }
    let [ann] = listed(&board)[..] else { panic!("one option") };
    assert_eq!((ann.choice.weight, ann.real.units(), ann.shown.units(), ann.voters), (0, 12, 25, 2));
    // Who is first voted for with the weight 0 is there, with 0.
    declare(&mut board, 6, "bob", Some(0), None);
    vote(&mut board, &at(6), &by("v"), 1, "bob");
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 25), ("bob", 0)]));
}

#[test]
fn initial_votes_are_there_on_top_of_what_is_carried_over_but_are_not_carried_themselves() {
    let half = Share::parse(b"0.5").unwrap();
    let mut board =
        Board::new(with_shown(), &[Spec { carry: half, ..spec("day", 3) }, spec("all", 0)]).unwrap();
    declare(&mut board, 0, "ann", None, Some(10));
    vote(&mut board, &at(1), &by("v"), 8, "ann");
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 18)]));
    board.advance(MONDAY + DAY);
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 14)]));
    assert_eq!(real(&board, "day"), lines(&[("ann", 4)]));
    board.advance(MONDAY + 2 * DAY);
    assert_eq!(shown(&board, "day", When::Now), lines(&[("ann", 10)]));
    assert_eq!(real(&board, "day"), []);
    assert_eq!(shown(&board, "day", When::Back(2)), lines(&[("ann", 18)]));
}

#[test]
fn days_that_nobody_saw_have_initial_votes_too() {
    for carry in [None, Share::parse(b"0.5").unwrap()] {
        let mut board =
            Board::new(with_shown(), &[Spec { carry, ..spec("day", 5) }, spec("all", 0)]).unwrap();
        declare(&mut board, 0, "ann", None, Some(3));
        vote(&mut board, &at(0), &by("v"), 2, "bob");
        declare(&mut board, 1, "cat", None, Some(1));
        let mut awake = board.clone();
        for day in 1..=3 {
            awake.advance(MONDAY + day * DAY);
        }
        board.advance(MONDAY + 3 * DAY);
        assert!(saved(&board) == saved(&awake));
        // Bob carries 1 over into the second day, and came before cat.
        let second = if carry.is_some() {
            vec![("ann", 3), ("bob", 1), ("cat", 1)]
        } else {
            vec![("ann", 3), ("cat", 1)]
        };
        let days = [
            (0, lines(&[("ann", 3), ("cat", 1)])),
            (1, lines(&[("ann", 3), ("cat", 1)])),
            (2, lines(&second)),
        ];
        for (back, expected) in days {
            assert_eq!(shown(&board, "day", When::Back(back)), expected, "{back} days ago");
        }
        assert_eq!(shown(&board, "day", When::Back(3)), lines(&[("ann", 3), ("bob", 2)]));
        assert_eq!(shown(&board, "day", When::Back(4)), []);
        assert_eq!(board.periods(b"day").unwrap().len(), 4);
        assert!(saved(&loaded(&saved(&board))) == saved(&board));
    }
}

#[test]
fn equal_options_stand_in_the_order_in_which_they_were_given_their_votes() {
    for carry in [None, Share::parse(b"0.5").unwrap()] {
        let mut board =
            Board::new(with_shown(), &[Spec { carry, ..spec("day", 5) }, spec("all", 0)]).unwrap();
        declare(&mut board, 0, "ann", None, None);
        declare(&mut board, 0, "bob", None, Some(1));
        declare(&mut board, 0, "ann", None, Some(1));
        vote(&mut board, &at(0), &by("v"), 1, "cat");
        let mut asleep = board.clone();
        asleep.advance(MONDAY + 2 * DAY);
        board.advance(MONDAY + DAY);
        board.advance(MONDAY + 2 * DAY);
        for (what, board) in [("awake", &board), ("asleep", &asleep)] {
            for view in ["all", "day"] {
                assert_eq!(
                    shown(board, view, When::Now)[..2],
                    lines(&[("bob", 1), ("ann", 1)]),
                    "{what}, {view}"
                );
            }
            assert_eq!(shown(board, "day", When::Back(1))[..2], lines(&[("bob", 1), ("ann", 1)]), "{what}");
        }
    }
}

#[test]
fn votes_held_back_on_a_clock_of_events_leave_no_trace_behind_a_boundary() {
    let share = Share::from_billionths(1);
    let schema = Schema { clock: Clock::Event, ..with_shown() };
    let mut board = Board::new(schema, &[Spec { carry: share, ..spec("hour", 0) }]).unwrap();
    alter(&mut board, Changes { limits: vec![limit("each voter 1 second")], ..Changes::default() });
    declare(&mut board, 0, "ann", None, Some(1));
    let event = |now: u64| Write { at: Some(MONDAY + now), ..at(0) };
    assert_eq!(vote(&mut board, &event(0), &by("v"), 1, "ann"), None);
    let before = saved(&board);
    assert_eq!(vote(&mut board, &event(HOUR), &by("v"), 2, "bob"), back("each", None));
    assert!(saved(&board) == before);
}

#[test]
fn limits_of_the_right_day_hold_when_a_clock_that_leapt_is_put_right() {
    let mut board = limited(plain(), &["all", "day"], &["daily voter 2 day"]);
    assert_eq!(vote(&mut board, &at(HOUR), &by("v"), 2, "ann"), None);
    assert_eq!(vote(&mut board, &at(HOUR), &by("v"), 1, "ann"), back("daily", Some(23 * HOUR)));
    // A day ahead for one vote, then back.
    assert_eq!(vote(&mut board, &at(DAY + HOUR), &by("v"), 1, "ann"), None);
    assert_eq!(quota(&board, DAY + HOUR, &by("v"), None), [(1, 2, Some(23 * HOUR))]);
    assert_eq!(quota(&board, 2 * HOUR, &by("v"), None), [(2, 2, Some(22 * HOUR))]);
    assert_eq!(vote(&mut board, &at(2 * HOUR), &by("v"), 1, "ann"), back("daily", Some(22 * HOUR)));
    assert_eq!(vote(&mut board, &at(2 * HOUR), &by("w"), 1, "ann"), None);
    // The vote of the leap counts when its day comes.
    assert_eq!(quota(&board, DAY, &by("v"), None), [(1, 2, Some(DAY))]);
    assert_eq!(vote(&mut board, &at(DAY), &by("v"), 2, "ann"), back("daily", Some(DAY)));
    assert_eq!(shown(&board, "all", When::Now), lines(&[("ann", 4)]));
}

#[test]
fn many_votes_are_held_back_as_a_whole_if_the_last_of_them_breaks_a_rule() {
    let mut board = limited(plain(), &["all", "day"], &["sum voter 9 day", "each member 3 day"]);
    let many = |board: &mut Board, votes: &[Vote]| held(board.vote_many(&at(0), &by("v"), votes).unwrap());
    assert_eq!(many(&mut board, &[(b"ann", 2), (b"bob", 1)]), None);
    let before = saved(&board);
    // Each member is counted for itself, and twice is counted together.
    assert_eq!(many(&mut board, &[(b"ann", 1), (b"bob", 1), (b"cat", 4)]), back("each", None));
    assert_eq!(many(&mut board, &[(b"bob", 1), (b"cat", 1), (b"ann", 2)]), back("each", Some(DAY)));
    assert_eq!(many(&mut board, &[(b"bob", 1), (b"ann", 1), (b"bob", 2)]), back("each", Some(DAY)));
    // All together are charged to the voter.
    assert_eq!(many(&mut board, &[(b"cat", 3), (b"dan", 3), (b"eve", 1)]), back("sum", Some(DAY)));
    assert!(saved(&board) == before);
    assert_eq!(many(&mut board, &[(b"cat", 3), (b"dan", 3)]), None);
    assert_eq!(quota(&board, 0, &by("v"), Some("ann")), [(9, 9, Some(DAY)), (2, 3, Some(DAY))]);
    assert_eq!(quota(&board, 0, &Ballot::default(), Some("dan")), [(3, 3, Some(DAY))]);
}

#[test]
fn votes_with_a_bonus_have_more() {
    let mut board = limited(plain(), &["all"], &["daily voter 2 day BONUS channel acme 3 BONUS ip 1 1"]);
    let tagged = |tags| Ballot { voter: Some(b"v"), tags };
    let (both, one) = ([(&b"channel"[..], &b"acme"[..]), (b"ip", b"1")], [(&b"channel"[..], &b"acme"[..])]);
    assert_eq!(vote(&mut board, &at(0), &by("v"), 3, "ann"), back("daily", None));
    assert_eq!(vote(&mut board, &at(0), &tagged(&one), 5, "ann"), None);
    assert_eq!(vote(&mut board, &at(0), &tagged(&one), 1, "ann"), back("daily", Some(DAY)));
    assert_eq!(vote(&mut board, &at(0), &by("v"), 1, "ann"), back("daily", Some(DAY)));
    assert_eq!(quota(&board, 0, &by("v"), None), [(5, 2, Some(DAY))]);
    assert_eq!(quota(&board, 0, &tagged(&both), None), [(5, 6, Some(DAY))]);
    assert_eq!(vote(&mut board, &at(0), &tagged(&both), 1, "ann"), None);
}

#[test]
fn a_retry_is_answered_as_applied_before_whatever_has_happened_since() {
    let mut board = limited(plain(), &["all", "day"], &["once voter 1 all"]);
    let write = Write { request: Some(b"q"), ..at(0) };
    assert_eq!(vote(&mut board, &write, &by("v"), 1, "ann"), None);
    alter(&mut board, Changes { closes: Some(MONDAY + 5), ..Changes::default() });
    let before = saved(&board);
    assert_eq!(vote(&mut board, &at(5), &by("w"), 1, "ann"), back("closed", None));
    assert_eq!(vote(&mut board, &at(4), &by("v"), 1, "ann"), back("once", None));
    let retry = board.vote(&Write { origin: client(9), ..write }, &by("v"), (b"ann", 1)).unwrap();
    let Verdict::Accepted(outcome) = retry else { panic!("held back") };
    assert_eq!((outcome.effect, outcome.now.unwrap().rank), (Effect::Repeated, 1));
    for (ballot, votes) in [(by("w"), 1), (by("v"), 2)] {
        let other = board.vote(&Write { origin: client(9), ..write }, &ballot, (b"ann", votes));
        assert_eq!(other.err(), Some(Error::RequestReused));
    }
    assert!(saved(&board) == before);
}

#[test]
fn votes_are_closed_by_their_own_moment_and_wait_by_the_clock() {
    let mut board = board(plain(), &["all"]);
    let hours = Changes { opens: Some(MONDAY + 10), closes: Some(MONDAY + 20), ..Changes::default() };
    alter(&mut board, hours);
    let late = |now: u64, event: u64| Write { at: Some(MONDAY + event), ..at(now) };
    assert_eq!(vote(&mut board, &at(4), &by("v"), 1, "ann"), back("closed", Some(6)));
    assert_eq!(vote(&mut board, &at(10), &by("v"), 1, "ann"), None);
    assert_eq!(vote(&mut board, &late(12, 9), &by("v"), 1, "ann"), back("closed", None));
    assert_eq!(vote(&mut board, &at(19), &by("v"), 1, "ann"), None);
    assert_eq!(vote(&mut board, &at(20), &by("v"), 1, "ann"), back("closed", None));
    assert_eq!(vote(&mut board, &late(HOUR, 19), &by("v"), 1, "ann"), None);
    alter(&mut board, Changes { opens: Some(0), closes: Some(0), ..Changes::default() });
    assert_eq!(vote(&mut board, &at(HOUR), &by("v"), 1, "ann"), None);
    assert_eq!(shown(&board, "all", When::Now), lines(&[("ann", 4)]));
}

#[test]
fn votes_that_were_decided_ask_no_rule_but_are_charged() {
    let mut replica = limited(Schema { declared: true, ..plain() }, &["all"], &["once voter 1 day"]);
    alter(&mut replica, Changes { closes: Some(1), ..Changes::default() });
    let decided = Origin::Decided { now: Some(MONDAY) };
    let write = Write { at: Some(MONDAY), origin: decided, ..at(0) };
    for used in [3, 6] {
        assert_eq!(vote(&mut replica, &write, &by("v"), 3, "ann"), None);
        assert_eq!(quota(&replica, 0, &by("v"), None), [(used, 1, Some(DAY))]);
    }
    assert_eq!(replica.voters(Some(b"ann"), None, None), Ok(1));
    // The server that it was told by went by other rules.
    assert_eq!(vote(&mut replica, &write, &Ballot::default(), 1, "ann"), None);
    assert_eq!(shown(&replica, "all", When::Now), lines(&[("ann", 7)]));
}

#[test]
fn a_rule_that_is_set_again_goes_on_where_it_counts_the_same() {
    let mut board = limited(plain(), &["all"], &["a voter 2 day", "b voter 5 day"]);
    assert_eq!(vote(&mut board, &at(0), &by("v"), 2, "ann"), None);
    let set = |rule: &str| Changes { limits: vec![limit(rule)], ..Changes::default() };
    alter(&mut board, set("a voter 3 day"));
    assert_eq!(quota(&board, 0, &by("v"), None), [(2, 3, Some(DAY)), (2, 5, Some(DAY))]);
    alter(&mut board, set("a voter 3 hour"));
    assert_eq!(quota(&board, 0, &by("v"), None), [(0, 3, Some(HOUR)), (2, 5, Some(DAY))]);
    // Lifted and set in one: behind the others, and anew.
    alter(&mut board, Changes { lifted: vec![b"b".to_vec(), b"a".to_vec()], ..set("b voter 5 day") });
    assert_eq!(quota(&board, 0, &by("v"), None), [(0, 5, Some(DAY))]);
    let missing = Changes { lifted: vec![b"a".to_vec()], ..Changes::default() };
    assert!(board.alter(&Alter { voting: missing, ..Alter::default() }).is_err());
}

#[test]
fn an_option_that_is_removed_is_forgotten_but_its_voters_stay_voters_and_its_votes_used() {
    let mut board = limited(with_shown(), &["all", "day"], &["daily voter 3 day", "each member 3 day"]);
    declare(&mut board, 0, "ann", Some(2), Some(5));
    assert_eq!(vote(&mut board, &at(1), &by("v"), 3, "ann"), None);
    assert!(board.remove(b"ann"));
    assert!(listed(&board).is_empty());
    assert_eq!(board.voters(Some(b"ann"), None, None), Ok(0));
    assert_eq!(board.voters(None, Some(b"day"), None), Ok(1));
    assert_eq!(quota(&board, 1, &by("v"), Some("ann")), [(3, 3, Some(DAY - 1)); 2]);
    board.advance(MONDAY + DAY);
    assert_eq!(shown(&board, "day", When::Now), []);
    assert_eq!(vote(&mut board, &at(DAY), &by("w"), 1, "ann"), None);
    assert_eq!(shown(&board, "all", When::Now), lines(&[("ann", 1)]));
    assert_eq!(board.voters(None, None, None), Ok(2));
}

#[test]
fn voters_count_in_the_period_of_their_votes_and_late_ones_where_a_window_takes_them_in() {
    let mut board = board(plain(), &["day", "day:2", "all"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    vote(&mut board, &at(DAY), &by("w"), 1, "ann");
    let late = Write { at: Some(MONDAY + 1), ..at(DAY) };
    vote(&mut board, &late, &by("x"), 1, "bob");
    let voters = |board: &Board, member, view: &str, back| {
        board.voters(member, Some(view.as_bytes()), Some(When::Back(back)))
    };
    for board in [&board, &loaded(&saved(&board))] {
        assert_eq!([0, 1, 2].map(|back| voters(board, None, "day", back).unwrap()), [1, 1, 0]);
        assert_eq!(voters(board, None, "day:2", 0), Ok(3));
        assert_eq!(voters(board, Some(&b"bob"[..]), "day", 0), Ok(0));
        assert_eq!(voters(board, Some(&b"bob"[..]), "day:2", 0), Ok(1));
        assert_eq!(board.voters(Some(b"ann"), None, None), Ok(2));
        assert_eq!(board.voters(None, None, None), Ok(3));
    }
}

#[test]
fn a_late_vote_that_counts_in_no_view_has_a_voter() {
    let mut board = board(plain(), &["hour"]);
    let late = |now| Write { at: Some(MONDAY), ..at(now) };
    vote(&mut board, &late(HOUR), &by("v"), 1, "ann");
    assert_eq!(board.voters(None, None, None), Ok(1));
    assert_eq!(board.voters(None, Some(b"hour"), None), Ok(0));
}

#[test]
fn voters_of_a_member_stay_when_no_period_tells_of_it_any_more() {
    let mut board = Board::new(plain(), &[spec("hour", 0)]).unwrap();
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    let mut asleep = board.clone();
    for hour in [1, 2, 3] {
        board.advance(MONDAY + hour * HOUR);
    }
    for board in [&mut board, &mut asleep] {
        vote(board, &at(4 * HOUR), &by("w"), 1, "ann");
        assert_eq!(board.voters(Some(b"ann"), None, None), Ok(2));
    }
    assert!(saved(&board) == saved(&asleep));
}

#[test]
fn errors_come_before_rules_and_change_nothing() {
    let rules = ["daily voter+ip 1 day", "late tag 1 day"];
    let mut board = limited(Schema { declared: true, ..plain() }, &["all", "hour"], &rules);
    declare(&mut board, 0, "ann", None, None);
    let before = saved(&board);
    let tags = [(&b"ip"[..], &b"1"[..])];
    let with_ip = Ballot { voter: Some(b"v"), tags: &tags };
    let mut error = |ballot: &Ballot, name: &[u8]| board.vote(&at(0), ballot, (name, 1)).unwrap_err();
    assert_eq!(error(&with_ip, b"bob"), Error::NotAnOption);
    assert!(matches!(error(&Ballot::default(), b"ann"), Error::MissingVoter(_)));
    assert!(matches!(error(&by("v"), b"ann"), Error::MissingTag(..)));
    assert!(matches!(error(&with_ip, b"ann"), Error::MissingTag(..)));
    assert!(saved(&board) == before);
    assert!(board.periods(b"hour").unwrap().is_empty());
}

#[test]
fn votes_beyond_the_range_of_scores_change_nothing() {
    let mut board = limited(with_shown(), &["all", "day"], &["sum voter 4000000000 day"]);
    declare(&mut board, 0, "ann", Some(1_000_000_000), None);
    assert_eq!(vote(&mut board, &at(0), &by("v"), 2, "ann"), None);
    for _ in 0..4 {
        assert_eq!(vote(&mut board, &at(1), &by("v"), 5, "ann"), None);
    }
    let before = saved(&board);
    let open = Ballot { voter: Some(b"w"), tags: &[] };
    assert_eq!(
        board.declare(b"ann", Declaration { weight: None, initial: Some(i64::MAX as u64) }, client(1)).err(),
        Some(Error::Overflow)
    );
    let mut free = board.clone();
    alter(&mut free, Changes { lifted: vec![b"sum".to_vec()], ..Changes::default() });
    let freed = saved(&free);
    assert_eq!(free.vote(&at(1), &open, (b"ann", 9_300_000_000)).err(), Some(Error::Overflow));
    let both = [(&b"bob"[..], 1), (b"ann", 9_300_000_000)];
    assert_eq!(free.vote_many(&at(1), &open, &both).err(), Some(Error::Overflow));
    assert!(saved(&free) == freed && saved(&board) == before);
}

#[test]
fn a_board_that_grows_keeps_options_voters_and_what_they_start_with() {
    let mut board = limited(with_shown(), &["all", "day"], &["daily voter 1000 day"]);
    declare(&mut board, 0, "zoe", Some(3), Some(7));
    declare(&mut board, 0, "amy", None, Some(1));
    vote(&mut board, &at(1), &by("v"), 2, "zoe");
    vote(&mut board, &at(1), &by("w"), 1, "zoe");
    for number in 0..300 {
        let name = format!("member {number}");
        vote(&mut board, &at(2), &by("v"), 1, &name);
        if number == 150 {
            declare(&mut board, 2, "member 9", None, Some(5));
        }
    }
    for mut board in [board.clone(), loaded(&saved(&board))] {
        let names: Vec<_> = listed(&board).iter().map(|option| board.name(option.id).to_vec()).collect();
        assert_eq!(names, [&b"zoe"[..], b"amy", b"member 9"]);
        let zoe = listed(&board)[0];
        assert_eq!((zoe.real.units(), zoe.shown.units(), zoe.voters), (3, 16, 2));
        assert_eq!(board.voters(Some(b"member 200"), Some(b"day"), None), Ok(1));
        assert_eq!(quota(&board, 2, &by("v"), None), [(302, 1000, Some(DAY - 2))]);
        board.advance(MONDAY + DAY);
        board.check();
        assert_eq!(shown(&board, "day", When::Now), lines(&[("zoe", 7), ("member 9", 5), ("amy", 1)]));
        assert_eq!(real(&board, "day"), []);
        assert_eq!(board.read(Some(b"day"), When::Back(1), Tally::Shown).unwrap().len(), 302);
    }
}

#[test]
fn a_board_that_is_voted_on_saves_its_rules_in_format_3_and_no_other_does() {
    const RULES: u8 = 10;
    let mut plain = board(plain(), &["all", "day"]);
    plain.add(&at(0), Decimal::whole(1), b"ann").unwrap();
    assert!(vote(&mut plain, &at(0), &Ballot::default(), 1, "ann").is_none());
    let chunks = saved(&plain);
    assert_eq!(chunks[0][1], 3, "the format");
    assert!(chunks.iter().all(|chunk| chunk[0] < RULES));
    let mut voted =
        limited(with_shown(), &["all", "day"], &["a voter+ip 5 day BONUS ip 1 2", "b member 9 all"]);
    alter(&mut voted, Changes { opens: Some(MONDAY), closes: Some(MONDAY + DAY), ..Changes::default() });
    declare(&mut voted, 0, "ann", Some(4), Some(6));
    let ballot = Ballot { voter: Some(b"v"), tags: &[(b"ip", b"1")] };
    assert_eq!(vote(&mut voted, &at(3), &ballot, 6, "bob"), None);
    let chunks = saved(&voted);
    assert_eq!((chunks[0][1], chunks[1][0]), (3, RULES));
    let again = loaded(&chunks);
    assert!(saved(&again) == chunks);
    assert!(again.limits().eq(voted.limits()) && again.hours() == voted.hours());
    assert_eq!(quota(&again, 3, &ballot, Some("bob")), [(6, 7, Some(DAY - 3)), (6, 9, None)]);
    assert_eq!(listed(&again), listed(&voted));
    assert_eq!(again.voters(None, Some(b"day"), None), Ok(1));
}

#[test]
fn a_view_that_is_dropped_takes_its_voters_along() {
    let mut board = board(plain(), &["all", "day", "hour"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    for edit in [Edit::Drop, Edit::Add] {
        let views = vec![(Kind::parse(b"day").unwrap(), edit)];
        board.alter(&Alter { views, ..Alter::default() }).unwrap();
    }
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
    vote(&mut board, &at(1), &by("w"), 1, "ann");
    assert_eq!(board.voters(None, Some(b"day"), None), Ok(1));
    assert_eq!(board.voters(None, Some(b"hour"), None), Ok(2));
}

#[test]
fn what_is_done_between_commands_changes_nothing_that_is_saved() {
    let mut board = limited(plain(), &["all"], &["each voter 1 second"]);
    assert_eq!(vote(&mut board, &at(0), &by("v"), 1, "ann"), None);
    let before = saved(&board);
    for now in [1_000, 1_125, 5_000] {
        board.work(MONDAY + now);
        assert!(saved(&board) == before, "after {now} ms");
    }
}

#[test]
fn an_option_declared_on_a_clock_that_leapt_is_the_same_on_a_replica_that_was_never_read() {
    let mut board = board(with_shown(), &["hour", "all"]);
    vote(&mut board, &at(0), &by("v"), 1, "ann");
    let mut replica = board.clone();
    board.advance(MONDAY + HOUR);
    declare(&mut board, 2 * HOUR, "ann", None, Some(1));
    let said = Declaration { weight: None, initial: Some(1) };
    replica.declare(b"ann", said, Origin::Decided { now: Some(MONDAY + 2 * HOUR) }).unwrap();
    for board in [&mut board, &mut replica] {
        board.advance(MONDAY + HOUR);
        assert_eq!(shown(board, "hour", When::Now), []);
        assert_eq!(shown(board, "hour", When::Back(1)), lines(&[("ann", 1)]));
    }
    assert!(saved(&board) == saved(&replica));
}

#[test]
fn votes_of_a_leap_are_carried_over_into_days_that_nobody_saw() {
    let half = Share::parse(b"0.5").unwrap();
    let mut board = Board::new(plain(), &[Spec { carry: half, ..spec("day", 3) }]).unwrap();
    // A day ahead for one vote, then back.
    vote(&mut board, &at(DAY), &by("v"), 2, "ann");
    board.advance(MONDAY);
    let mut asleep = board.clone();
    for day in [1, 2, 3] {
        board.advance(MONDAY + day * DAY);
    }
    asleep.advance(MONDAY + 3 * DAY);
    for board in [&board, &asleep] {
        assert_eq!(shown(board, "day", When::Back(2)), lines(&[("ann", 2)]));
        assert_eq!(shown(board, "day", When::Back(1)), lines(&[("ann", 1)]));
    }
    assert!(saved(&board) == saved(&asleep));
}
