//! Limits, voting hours and retries.

use super::*;
use leaderboard_core::NativeType;

#[test]
fn votes_held_back_on_a_clock_of_events_leave_no_trace_behind_a_boundary() {
    let share = Share::from_billionths(1);
    let schema = Schema { clock: Clock::Event, ..with_shown() };
    let mut board = board(schema, &[Spec { carry: share, ..spec("hour", 0) }]);
    alter(&mut board, RuleChanges { limits: vec![limit("each voter 1 second")], ..RuleChanges::default() });
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
    // The clock is a day ahead for one vote, then it goes back.
    assert_eq!(vote(&mut board, &at(DAY + HOUR), &by("v"), 1, "ann"), None);
    assert_eq!(quota(&board, DAY + HOUR, &by("v"), None), [(1, 2, Some(23 * HOUR))]);
    assert_eq!(quota(&board, 2 * HOUR, &by("v"), None), [(2, 2, Some(22 * HOUR))]);
    assert_eq!(vote(&mut board, &at(2 * HOUR), &by("v"), 1, "ann"), back("daily", Some(22 * HOUR)));
    assert_eq!(vote(&mut board, &at(2 * HOUR), &by("w"), 1, "ann"), None);
    // The vote of the leap counts when the clock reaches its day.
    assert_eq!(quota(&board, DAY, &by("v"), None), [(1, 2, Some(DAY))]);
    assert_eq!(vote(&mut board, &at(DAY), &by("v"), 2, "ann"), back("daily", Some(DAY)));
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 4)]));
}

#[test]
fn many_votes_are_held_back_as_a_whole_if_the_last_of_them_breaks_a_rule() {
    let mut board = limited(plain(), &["all", "day"], &["sum voter 9 day", "each member 3 day"]);
    let many = |board: &mut Board, votes: &[Vote]| held(board.vote_many(&at(0), &by("v"), votes).unwrap());
    assert_eq!(many(&mut board, &[(b"ann", 2), (b"bob", 1)]), None);
    let before = saved(&board);
    // Votes are counted for each member. Two entries for the same member are added up.
    assert_eq!(many(&mut board, &[(b"ann", 1), (b"bob", 1), (b"cat", 4)]), back("each", None));
    assert_eq!(many(&mut board, &[(b"bob", 1), (b"cat", 1), (b"ann", 2)]), back("each", Some(DAY)));
    assert_eq!(many(&mut board, &[(b"bob", 1), (b"ann", 1), (b"bob", 2)]), back("each", Some(DAY)));
    // All votes of the list are charged to the voter.
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
    alter(&mut board, RuleChanges { closes: Some(MONDAY + 5), ..RuleChanges::default() });
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
    let mut board = viewed(plain(), &["all"]);
    let hours = RuleChanges { opens: Some(MONDAY + 10), closes: Some(MONDAY + 20), ..RuleChanges::default() };
    alter(&mut board, hours);
    let late = |now: u64, event: u64| Write { at: Some(MONDAY + event), ..at(now) };
    assert_eq!(vote(&mut board, &at(4), &by("v"), 1, "ann"), back("closed", Some(6)));
    assert_eq!(vote(&mut board, &at(10), &by("v"), 1, "ann"), None);
    assert_eq!(vote(&mut board, &late(12, 9), &by("v"), 1, "ann"), back("closed", None));
    assert_eq!(vote(&mut board, &at(19), &by("v"), 1, "ann"), None);
    assert_eq!(vote(&mut board, &at(20), &by("v"), 1, "ann"), back("closed", None));
    assert_eq!(vote(&mut board, &late(HOUR, 19), &by("v"), 1, "ann"), None);
    alter(&mut board, RuleChanges { opens: Some(0), closes: Some(0), ..RuleChanges::default() });
    assert_eq!(vote(&mut board, &at(HOUR), &by("v"), 1, "ann"), None);
    assert_eq!(order(&board, "all", When::Now), lines(&[("ann", 4)]));
}

#[test]
fn votes_that_were_decided_ask_no_rule_but_are_charged() {
    let mut replica = limited(Schema { declared: true, ..plain() }, &["all"], &["once voter 1 day"]);
    alter(&mut replica, RuleChanges { closes: Some(1), ..RuleChanges::default() });
    let decided = TimeSource::Decided { now: Some(MONDAY) };
    let write = Write { at: Some(MONDAY), origin: decided, ..at(0) };
    for used in [3, 6] {
        assert_eq!(vote(&mut replica, &write, &by("v"), 3, "ann"), None);
        assert_eq!(quota(&replica, 0, &by("v"), None), [(used, 1, Some(DAY))]);
    }
    assert_eq!(replica.voters(Some(b"ann"), None, None), Ok(1));
    // The replica does not check its own rules, because another server has decided the vote by its rules.
    assert_eq!(vote(&mut replica, &write, &Ballot::default(), 1, "ann"), None);
    assert_eq!(order(&replica, "all", When::Now), lines(&[("ann", 7)]));
}

#[test]
fn a_rule_that_is_set_again_goes_on_where_it_counts_the_same() {
    let mut board = limited(plain(), &["all"], &["a voter 2 day", "b voter 5 day"]);
    assert_eq!(vote(&mut board, &at(0), &by("v"), 2, "ann"), None);
    let set = |rule: &str| RuleChanges { limits: vec![limit(rule)], ..RuleChanges::default() };
    alter(&mut board, set("a voter 3 day"));
    assert_eq!(quota(&board, 0, &by("v"), None), [(2, 3, Some(DAY)), (2, 5, Some(DAY))]);
    alter(&mut board, set("a voter 3 hour"));
    assert_eq!(quota(&board, 0, &by("v"), None), [(0, 3, Some(HOUR)), (2, 5, Some(DAY))]);
    // A rule that is lifted and set in one change is a new rule: it goes to the end, and its count begins at
    // 0.
    alter(&mut board, RuleChanges { lifted: vec![b"b".to_vec(), b"a".to_vec()], ..set("b voter 5 day") });
    assert_eq!(quota(&board, 0, &by("v"), None), [(0, 5, Some(DAY))]);
    let missing = RuleChanges { lifted: vec![b"a".to_vec()], ..RuleChanges::default() };
    assert!(board.alter(&Alter { voting: missing, ..Alter::default() }).is_err());
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
    assert_eq!(error(&with_ip, b"bob"), Error::NotACandidate);
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
        board
            .declare(
                b"ann",
                Declaration { initial: Some(i64::MAX as u64), ..Declaration::default() },
                client(1)
            )
            .err(),
        Some(Error::Overflow)
    );
    let mut free = board.clone();
    alter(&mut free, RuleChanges { lifted: vec![b"sum".to_vec()], ..RuleChanges::default() });
    let freed = saved(&free);
    assert_eq!(free.vote(&at(1), &open, (b"ann", 9_300_000_000)).err(), Some(Error::Overflow));
    let both = [(&b"bob"[..], 1), (b"ann", 9_300_000_000)];
    assert_eq!(free.vote_many(&at(1), &open, &both).err(), Some(Error::Overflow));
    assert!(saved(&free) == freed && saved(&board) == before);
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
