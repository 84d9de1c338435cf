//! The rules of scores, each at its edge.

use super::*;
use leaderboard_core::board_rule::BoardRule;
use leaderboard_core::calendar::Hours;
use leaderboard_core::campaign::Bounds;
use leaderboard_core::limits::Attempts;

fn ruled(schema: Schema, views: &[&str], rules: RuleChanges) -> Board {
    let mut board = viewed(schema, views);
    alter(&mut board, rules);
    board
}

fn events() -> Schema {
    Schema { clock: Clock::Event, ..plain() }
}

fn attempts(max: u64, unit: &str) -> RuleChanges {
    RuleChanges { attempts: Some(Attempts::new(max, unit.as_bytes()).unwrap()), ..RuleChanges::default() }
}

fn members(max: u32) -> RuleChanges {
    RuleChanges { max_members: Some(max), ..RuleChanges::default() }
}

/// A write at a moment of the board's clock.
fn then(now: u64) -> Write<'static> {
    Write { at: Some(MONDAY + now), ..at(now) }
}

/// Adds a point, and returns the rule that holds it back.
fn holds(board: &mut Board, write: &Write, name: &str) -> Option<(BoardRule, Option<u64>)> {
    let before = saved(board);
    match board.add(write, Decimal::whole(1), name.as_bytes()) {
        Ok(outcome) => {
            assert!(matches!(outcome.effect, Effect::Applied(_)));
            None
        }
        Err(Error::HeldBack(rule, wait)) => {
            assert!(saved(board) == before, "a write that is held back changes nothing");
            Some((rule, wait))
        }
        Err(error) => unreachable!("{error}"),
    }
}

#[test]
fn attempts_are_counted_in_each_period_of_the_boards_now() {
    let mut board = ruled(events(), &["all"], attempts(2, "day"));
    assert_eq!(holds(&mut board, &then(0), "ann"), None);
    assert_eq!(holds(&mut board, &then(DAY - 1), "ann"), None);
    assert_eq!(holds(&mut board, &then(DAY - 1), "ann"), Some((BoardRule::Attempts, Some(1))));
    assert_eq!(holds(&mut board, &then(DAY - 1), "bob"), None);
    assert_eq!(holds(&mut board, &then(DAY), "ann"), None);
    // A late write counts for the day of the board's now.
    assert_eq!(holds(&mut board, &then(0), "ann"), None);
    assert_eq!(holds(&mut board, &then(0), "ann"), Some((BoardRule::Attempts, Some(DAY))));
    board.remove(b"ann");
    assert_eq!(holds(&mut board, &then(DAY), "ann"), Some((BoardRule::Attempts, Some(DAY))));
    let forced = Write { force: true, ..then(DAY) };
    assert_eq!(holds(&mut board, &forced, "ann"), None);
    assert_eq!(quota(&board, DAY, &Ballot::default(), Some("ann")), [(2, 2, Some(DAY))]);
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
    assert_eq!(board.held_back().collect::<Vec<_>>(), [(&b"attempts"[..], 3)]);
}

#[test]
fn each_pair_of_a_list_is_an_attempt() {
    let mut board = ruled(events(), &["all"], attempts(3, "all"));
    let pair = |name: &'static [u8]| (Decimal::whole(1), name);
    let many = |board: &mut Board, names: &[&'static [u8]]| {
        board.add_many(&then(0), &names.iter().map(|name| pair(name)).collect::<Vec<_>>()).map(|_| ())
    };
    assert_eq!(many(&mut board, &[b"ann", b"bob", b"ann"]), Ok(()));
    let held = Err(Error::HeldBack(BoardRule::Attempts, None));
    assert_eq!(many(&mut board, &[b"bob", b"ann", b"ann"]), held);
    assert_eq!(many(&mut board, &[b"bob", b"ann", b"bob"]), Ok(()));
    assert_eq!(many(&mut board, &[b"cat", b"ann"]), held);
    assert_eq!(many(&mut board, &[b"cat", b"cat", b"cat", b"cat"]), held);
}

#[test]
fn what_a_condition_holds_back_is_no_attempt() {
    let mut board = ruled(events(), &["all"], attempts(1, "all"));
    let greater = Condition { compared: Some(std::cmp::Ordering::Greater), ..Condition::default() };
    let set = |board: &mut Board, score: i64| {
        board.set(&then(0), Decimal::whole(score), b"ann", greater).map(|outcome| outcome.effect)
    };
    let forced = Write { force: true, ..then(0) };
    board.add(&forced, Decimal::whole(5), b"ann").unwrap();
    assert_eq!(set(&mut board, 4), Ok(Effect::HeldBack));
    assert!(matches!(set(&mut board, 6), Ok(Effect::Applied(_))));
    assert_eq!(set(&mut board, 3), Ok(Effect::HeldBack));
    assert_eq!(set(&mut board, 7), Err(Error::HeldBack(BoardRule::Attempts, None)));
}

#[test]
fn a_full_board_takes_the_members_that_it_has() {
    let mut board = ruled(events(), &["day", "all"], members(2));
    assert_eq!(holds(&mut board, &then(0), "ann"), None);
    assert_eq!(holds(&mut board, &then(1), "bob"), None);
    board.hide(b"bob").unwrap();
    assert_eq!(holds(&mut board, &then(1), "cat"), Some((BoardRule::Full, Some(DAY - 1))));
    assert_eq!(holds(&mut board, &then(2), "ann"), None);
    // The next day begins empty.
    assert_eq!(holds(&mut board, &then(DAY), "cat"), None);
    // This write does not enter the current day.
    assert_eq!(holds(&mut board, &then(1), "dan"), None);
    assert_eq!(holds(&mut board, &then(DAY), "ann"), None);
    assert_eq!(holds(&mut board, &then(DAY), "bob"), Some((BoardRule::Full, Some(DAY))));
    assert_eq!(quota(&board, DAY, &Ballot::default(), Some("eve")), [(2, 2, Some(DAY))]);
    let list: Vec<_> = [b"eve", b"fay", b"gus"].map(|name| (Decimal::whole(1), &name[..])).to_vec();
    // A list with more new members than MAXMEMBERS never fits.
    assert_eq!(board.add_many(&then(2 * DAY), &list), Err(Error::HeldBack(BoardRule::Full, None)));
    assert!(board.add_many(&then(2 * DAY), &list[..2]).is_ok());
}

#[test]
fn members_that_stay_in_a_window_count_before_the_clock_gets_there() {
    let mut board = ruled(events(), &["day:2"], members(2));
    assert_eq!(holds(&mut board, &then(0), "ann"), None);
    assert_eq!(holds(&mut board, &then(DAY), "bob"), None);
    // Tomorrow, only bob is left of them.
    let two: Vec<_> = [b"cat", b"dan"].map(|name| (Decimal::whole(1), &name[..])).to_vec();
    let full = Err(Error::HeldBack(BoardRule::Full, Some(DAY)));
    assert_eq!(board.add_many(&then(2 * DAY), &two), full);
    assert_eq!(holds(&mut board, &then(2 * DAY), "cat"), None);
    assert_eq!(holds(&mut board, &then(2 * DAY), "ann"), Some((BoardRule::Full, Some(DAY))));
}

#[test]
fn only_who_joined_may_score() {
    let mut board = ruled(Schema { declared: true, ..plain() }, &["all"], members(2));
    let join = |board: &mut Board, now: u64, name: &str| board.join_member(&at(now), name.as_bytes());
    assert_eq!(holds(&mut board, &at(0), "ann"), Some((BoardRule::Joined, None)));
    assert!(join(&mut board, 1, "ann").unwrap().is_new);
    assert!(!join(&mut board, 2, "ann").unwrap().is_new);
    assert_eq!(holds(&mut board, &at(3), "ann"), None);
    assert!(join(&mut board, 4, "bob").unwrap().is_new);
    assert_eq!(join(&mut board, 5, "cat"), Err(Error::HeldBack(BoardRule::Full, None)));
    assert_eq!(
        board.declare(b"cat", Declaration::default(), client(5)),
        Err(Error::HeldBack(BoardRule::Full, None))
    );
    assert!(matches!(board.leave_member(b"ann", client(6)), Ok(Effect::Applied(_))));
    assert_eq!(board.leave_member(b"ann", client(6)), Ok(Effect::Repeated));
    assert_eq!(holds(&mut board, &at(7), "ann"), Some((BoardRule::Joined, None)));
    assert_eq!(board.len(), 1, "the scores stay");
    assert!(join(&mut board, 8, "cat").unwrap().is_new);
    board.remove(b"cat");
    assert!(!board.has_joined(b"cat"));
    // Nothing is left of a member that leaves without a score.
    let before = saved(&board);
    join(&mut board, 8, "dan").unwrap();
    board.leave_member(b"dan", client(8)).unwrap();
    assert_eq!(saved(&board).len(), before.len());
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
    let mut later = viewed(plain(), &["all"]);
    assert_eq!(holds(&mut later, &at(0), "ann"), None);
    later.alter(&Alter { declared: true, ..Alter::default() }).unwrap();
    later.alter(&Alter::default()).unwrap();
    assert_eq!(holds(&mut later, &at(0), "ann"), Some((BoardRule::Joined, None)));
    assert!(saved(&loaded(&saved(&later))) == saved(&later));
    let mut open = viewed(plain(), &["all"]);
    assert_eq!(join(&mut open, 0, "ann"), Err(Error::NeedsDeclared("LB.JOIN")));
    assert_eq!(open.leave_member(b"ann", client(0)), Err(Error::NeedsDeclared("LB.LEAVE")));
}

#[test]
fn a_join_is_remembered_by_its_id() {
    let mut board = ruled(Schema { declared: true, ..plain() }, &["all"], members(1));
    let join = |board: &mut Board, id: &[u8], name: &[u8]| {
        board.join_member(&Write { request: Some(id), ..at(1) }, name)
    };
    assert!(join(&mut board, b"1", b"ann").unwrap().is_new);
    board.leave_member(b"ann", client(2)).unwrap();
    assert_eq!(join(&mut board, b"1", b"ann").unwrap().effect, Effect::Repeated);
    assert!(!board.has_joined(b"ann"));
    assert_eq!(join(&mut board, b"1", b"bob"), Err(Error::RequestReused));
    assert!(join(&mut board, b"2", b"bob").unwrap().is_new);
    assert_eq!(join(&mut board, b"3", b"ann"), Err(Error::HeldBack(BoardRule::Full, None)));
    board.leave_member(b"bob", client(2)).unwrap();
    assert!(join(&mut board, b"3", b"ann").unwrap().is_new, "what was held back used up no id");
}

#[test]
fn bounds_hold_for_what_is_written() {
    let bounds = |min: &str, max: &str| RuleChanges {
        bounds: Some(Bounds::new(min.as_bytes(), max.as_bytes()).unwrap()),
        ..RuleChanges::default()
    };
    let mut board = ruled(Schema { decimals: 1, ..events() }, &["all"], bounds("(0", "10"));
    let add = |board: &mut Board, points: &str| {
        let points = Decimal::parse(points.as_bytes(), "points").unwrap();
        board.add(&then(0), points, b"ann").map(|_| ())
    };
    let outside = Err(Error::HeldBack(BoardRule::Bounds, None));
    assert_eq!(add(&mut board, "0"), outside);
    assert_eq!(add(&mut board, "0.1"), Ok(()));
    assert_eq!(add(&mut board, "10"), Ok(()), "the points count, not the sum");
    assert_eq!(add(&mut board, "10.1"), outside);
    assert_eq!(board.set(&then(0), Decimal::whole(11), b"ann", Condition::default()).map(|_| ()), outside);
    let again = loaded(&saved(&board));
    assert_eq!(again.write_rules().bounds.unwrap().to_string(), "0.1 10");
    assert_eq!(again.rules_hash(), board.rules_hash());
    alter(&mut board, bounds("-inf", "+inf"));
    assert_eq!(add(&mut board, "999"), Ok(()));
    assert!(board.write_rules().bounds.is_none());
    let nothing = RuleChanges { bounds: Some(Bounds::new(b"5", b"4").unwrap()), ..RuleChanges::default() };
    let refused = board.alter(&Alter { voting: nothing, ..Alter::default() });
    assert_eq!(refused, Err(Error::EmptyBounds));
}

#[test]
fn hours_hold_for_the_moment_of_the_write() {
    let rules = RuleChanges {
        hours: Some(Hours::parse(b"mon=18:00-20:00").unwrap()),
        closes: Some(MONDAY + 7 * DAY + 19 * HOUR),
        ..RuleChanges::default()
    };
    let mut board = ruled(plain(), &["all"], rules);
    let closed = |wait| Some((BoardRule::Closed, wait));
    assert_eq!(holds(&mut board, &at(18 * HOUR - 1), "ann"), closed(Some(1)));
    assert_eq!(holds(&mut board, &at(18 * HOUR), "ann"), None);
    let late = Write { at: Some(MONDAY + 17 * HOUR), ..at(19 * HOUR) };
    assert_eq!(holds(&mut board, &late, "ann"), closed(None), "it is open now");
    assert_eq!(holds(&mut board, &at(20 * HOUR), "ann"), closed(Some(7 * DAY - 2 * HOUR)));
    assert_eq!(quota(&board, 20 * HOUR, &Ballot::default(), Some("ann")), [(1, 1, Some(7 * DAY - 2 * HOUR))]);
    assert_eq!(
        vote(&mut board, &at(20 * HOUR), &by("v"), 1, "ann").map(|(rule, _)| rule),
        Some("closed".to_owned())
    );
    assert_eq!(holds(&mut board, &at(7 * DAY + 19 * HOUR - 1), "ann"), None);
    assert_eq!(holds(&mut board, &at(7 * DAY + 19 * HOUR), "ann"), closed(None), "CLOSES is over");
    assert_eq!(holds(&mut board, &Write { force: true, ..at(7 * DAY + 19 * HOUR) }, "ann"), None);
    assert_eq!(board.held_back().collect::<Vec<_>>(), [(&b"closed"[..], 5)]);
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn a_clock_of_events_moves_without_a_write() {
    let mut board = viewed(events(), &["day"]);
    board.add(&then(0), Decimal::whole(1), b"ann").unwrap();
    board.move_clock(MONDAY + DAY).unwrap();
    assert_eq!(board.now_of(client(0)), MONDAY + DAY);
    assert_eq!(board.len(), 0);
    assert_eq!(order_of(&board, "day", When::Back(1), Tally::Shown), lines(&[("ann", 1)]));
    assert_eq!(board.move_clock(MONDAY + DAY - 1), Err(Error::BeforeClock("NOW")));
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
    assert_eq!(viewed(plain(), &["day"]).move_clock(MONDAY), Err(Error::NeedsEvents("NOW")));
}

#[test]
fn rules_of_scores_need_no_sums() {
    let schema = Schema { aggregate: Aggregate::Max, declared: true, ..events() };
    let mut board = ruled(schema, &["all"], RuleChanges { opens: Some(MONDAY), ..attempts(1, "3600s") });
    board.join_member(&at(0), b"ann").unwrap();
    assert_eq!(holds(&mut board, &then(0), "ann"), None);
    assert_eq!(holds(&mut board, &then(0), "ann").map(|(rule, _)| rule), Some(BoardRule::Attempts));
    let again = Board::new(board.rules().schema, &board.rules().specs).unwrap();
    let mut again = again;
    alter(&mut again, board.rules().voting);
    assert_eq!(again.rules_hash(), board.rules_hash());
}
