//! Periods that a clock skips. They take memory only for what was written. Reads of them return the same as
//! if the board had been read in every period.

use super::*;
use leaderboard_core::NativeType;

const SECOND: u64 = 1_000;

/// Returns a board on a clock of events with one view: a window of `count` seconds. It keeps the maximum
/// number of periods.
fn window(count: u32) -> Board {
    board(on_events(Aggregate::Sum), &[spec(&format!("1s:{count}"), 10_000)])
}

fn fill(board: &mut Board, at: u64, from: u32, to: u32) {
    let names: Vec<_> = (from..to).map(|number| format!("m{number:06}").into_bytes()).collect();
    let pairs: Vec<_> = (0..).zip(&names).map(|(points, name)| (Decimal::whole(points), &name[..])).collect();
    board.add_many(&late(0, at), &pairs).unwrap();
}

/// Returns the number of members in each kept period, oldest first.
fn counts(board: &Board, view: &str) -> Vec<u64> {
    let mut counts: Vec<_> =
        board.periods(view.as_bytes()).unwrap().iter().map(|kept| kept.members).collect();
    counts.reverse();
    counts
}

#[test]
fn a_jump_over_a_whole_window_takes_no_memory_for_the_periods_between() {
    let mut board = window(366);
    fill(&mut board, 0, 0, 5_000);
    let before = board.memory();
    add(&mut board, &late(0, 366 * SECOND), 1, b"zoe").unwrap();
    assert!(board.memory() < before + 16_000, "{} bytes, {before} before", board.memory());
    let expected: Vec<_> = std::iter::repeat_n(5_000, 366).chain([1]).collect();
    assert_eq!(counts(&board, "1s:366"), expected);
    assert_eq!(order(&board, "1s:366", When::Back(1)).len(), 5_000);
    board.advance(MONDAY);
    assert!(board.memory() < before + 16_000, "reading took {} bytes", board.memory() - before);
}

#[test]
fn points_that_expire_on_the_way_are_worked_out_when_somebody_reads_that() {
    let mut board = window(60);
    for second in 0..40 {
        fill(&mut board, second * SECOND, 0, 10 + 10 * second as u32);
    }
    let mut seen = board.clone();
    let before = board.memory();
    add(&mut board, &late(0, 10_000 * SECOND), 1, b"zoe").unwrap();
    assert!(board.memory() < before + before / 2, "{} bytes, {before} before", board.memory());
    // The board `seen` is written to in every second. The writes add 0 points to the member `there`, and change no
    // other score.
    for second in 59..100 {
        add(&mut seen, &late(0, second * SECOND), 0, b"there").unwrap();
        if second % 3 == 0 {
            let own = order(&seen, "1s:60", When::Now).into_iter().filter(|line| line.0 != "there");
            let label = (MONDAY + second * SECOND).to_string();
            let others = order(&board, "1s:60", When::Label(label.as_bytes()));
            assert!(own.eq(others), "second {second}");
        }
        board.advance(board.last());
    }
    assert!(board.memory() < before + before / 2, "reading took {} bytes", board.memory());
    assert!(saved(&loaded(&saved(&board))) == saved(&board));
}

#[test]
fn a_late_write_changes_no_period_that_was_not_read_yet() {
    for aggregate in [Aggregate::Sum, Aggregate::Max, Aggregate::Last] {
        let schema = on_events(aggregate);
        let specs = [spec("day:4", 20)];
        let mut board = Board::new(schema, &specs).unwrap();
        for (day, points, name) in
            [(0, 9, b"ann"), (1, 5, b"ann"), (1, 6, b"bob"), (2, 3, b"ann"), (2, 1, b"bob")]
        {
            add(&mut board, &late(0, day * DAY), points, name).unwrap();
        }
        let mut read = board.clone();
        for board in [&mut board, &mut read] {
            add(board, &late(0, 5 * DAY), 1, b"zoe").unwrap();
        }
        let orders = |board: &Board| -> Vec<_> {
            (1..6).map(|back| order(board, "day:4", When::Back(back))).collect()
        };
        let expected = orders(&read);
        for (points, name) in [(100, b"ann"), (50, b"bob"), (7, b"cat")] {
            add(&mut board, &late(0, 2 * DAY), points, name).unwrap();
        }
        assert_eq!(orders(&board), expected, "{aggregate}");
    }
}

#[test]
fn what_is_remembered_for_skipped_periods_does_not_grow_with_every_period_written_since() {
    let mut board = window(60);
    fill(&mut board, 0, 0, 40);
    fill(&mut board, 10 * SECOND, 0, 40);
    // This write skips periods in which points expire. The orders of these periods follow from the last
    // period before them.
    fill(&mut board, 65 * SECOND, 0, 40);
    let memory = |board: &mut Board, from: u64| {
        for second in from..from + 40 {
            fill(board, second * SECOND, 0, 40);
            work(board, second * SECOND);
        }
        board.memory()
    };
    let once = memory(&mut board, 130);
    let again = memory(&mut board, 170);
    let mut other = window(60);
    fill(&mut other, 129 * SECOND, 0, 40);
    let plain = [memory(&mut other, 130), memory(&mut other, 170)];
    let more = again.saturating_sub(once);
    assert!(more < plain[1] - plain[0] + 8_000, "{more} more, {} without", plain[1] - plain[0]);
}

#[test]
fn raising_what_is_kept_lists_no_period_that_was_dropped() {
    let mut board = board(of(Aggregate::Sum), &[spec("day", 1)]);
    for day in 0..4 {
        add(&mut board, &at(day * DAY), 1, b"ann").unwrap();
    }
    board.alter(&Alter { retain: Some(Retain::All(9)), ..Alter::default() }).unwrap();
    assert_eq!(counts(&board, "day"), [1, 1]);
    assert_eq!(order(&board, "day", When::Back(2)), []);
    add(&mut board, &at(4 * DAY), 1, b"ann").unwrap();
    assert_eq!(counts(&board, "day"), [1, 1, 1]);
}

#[test]
fn two_leaps_of_a_clock_that_were_only_looked_at_leave_nothing() {
    let specs = [spec("hour:3", 2), carry("hour", "0.5", 2), spec("minute:90", 9)];
    for many in [false, true] {
        let mut board = board(of(Aggregate::Sum), &specs);
        if many {
            crowd(&mut board, &at(0));
        }
        for (minute, name) in [(0, b"ann"), (50, b"bob"), (70, b"ann"), (70, b"cat")] {
            add(&mut board, &at(minute * 60 * SECOND), 4, name).unwrap();
        }
        let mut asleep = board.clone();
        for minute in [125, 130, 200, 71] {
            board.advance(MONDAY + minute * 60 * SECOND);
            board.check();
            work(&mut board, minute * 60 * SECOND);
        }
        asleep.advance(MONDAY + 71 * 60 * SECOND);
        assert!(saved(&board) == saved(&asleep));
        for board in [&mut board, &mut asleep] {
            add(board, &at(140 * 60 * SECOND), 1, b"bob").unwrap();
        }
        assert!(saved(&board) == saved(&asleep));
    }
}

/// Votes on the server that decides about the vote, and on the replica that gets the decision.
fn vote_on_both(primary: &mut Board, replica: &mut Board, now: u64, name: &str) {
    assert_eq!(vote(primary, &at(now), &by("v"), 1, name), None);
    let decided = TimeSource::Decided { now: Some(MONDAY + now) };
    assert_eq!(vote(replica, &Write { origin: decided, ..late(now, now) }, &by("v"), 1, name), None);
}

#[test]
fn initial_votes_of_periods_on_the_way_to_those_of_a_leap_leave_the_order_of_these_as_it_is() {
    for many in [false, true] {
        let mut primary = board(with_shown(), &[carry("day", "0.5", 2), spec("all", 0)]);
        if many {
            crowd(&mut primary, &at(0));
        }
        let mut replica = primary.clone();
        // The clock is four days ahead, and then it is corrected.
        for name in ["ann", "bob", "bob"] {
            vote_on_both(&mut primary, &mut replica, 4 * DAY, name);
        }
        declare(&mut primary, 0, "ann", None, Some(1));
        let declaration = Declaration { initial: Some(1), ..Declaration::default() };
        replica.declare(b"ann", declaration, TimeSource::Decided { now: Some(MONDAY) }).unwrap();
        // The primary is read every day. A copy of the replica is read for the first time on each of these
        // days.
        for day in 1..=5 {
            let mut asleep = replica.clone();
            for board in [&mut primary, &mut asleep] {
                board.advance(MONDAY + day * DAY);
                board.check();
            }
            assert_eq!(order(&asleep, "day", When::Now), order(&primary, "day", When::Now), "day {day}");
            assert!(saved(&asleep) == saved(&primary), "day {day}, many members: {many}");
        }
        // Both members have two votes, and ann got hers first.
        assert_eq!(order(&primary, "day", When::Back(1)), lines(&[("ann", 2), ("bob", 2)]));
    }
}

#[test]
fn a_write_that_is_refused_or_held_back_turns_no_view() {
    let schema = on_events(Aggregate::Sum);
    let mut board = board(schema, &[spec("day:30", 30), spec("all", 2)]);
    fill(&mut board, 0, 0, 3_000);
    add(&mut board, &late(0, 0), MOST, b"ann").unwrap();
    let (before, bytes) = (saved(&board), board.memory());
    let ahead = late(0, 29 * DAY);
    assert_eq!(board.add(&ahead, Decimal::whole(1), b"ann").err(), Some(Error::Overflow));
    let twice = [(Decimal::whole(1), &b"bob"[..]), (Decimal::whole(1), b"ann")];
    assert_eq!(board.add_many(&ahead, &twice).err(), Some(Error::Overflow));
    let only = Condition { present: Some(true), compared: None };
    assert_eq!(board.set(&ahead, Decimal::whole(1), b"nobody", only).unwrap().effect, Effect::HeldBack);
    assert_eq!(board.memory(), bytes, "something was left behind");
    assert_eq!(board.now(0, 0), MONDAY);
    assert!(saved(&board) == before);
    // A day later, ann's points have left the window of `day:30`, but not the view `all`.
    let gone = late(0, 30 * DAY);
    assert_eq!(board.add(&gone, Decimal::whole(1), b"ann").err(), Some(Error::Overflow));
    let day = Write { view: Some(b"day:30"), ..gone };
    assert_eq!(board.set(&day, Decimal::whole(1), b"ann", only).unwrap().effect, Effect::HeldBack);
    assert_eq!(board.memory(), bytes, "something was left behind");
}

#[test]
fn work_between_commands_takes_over_only_what_was_prepared() {
    let mut board = board(of(Aggregate::Sum), &[spec("minute:3", 2)]);
    crowd(&mut board, &at(0));
    add(&mut board, &at(0), 5, b"ann").unwrap();
    let mut ready = board.clone();
    work(&mut ready, 59_000);
    // Long after the boundary, work between commands has no reason to build an order.
    let bytes = board.memory();
    work(&mut board, 190_000);
    assert_eq!(board.memory(), bytes);
    for board in [&mut board, &mut ready] {
        work(board, 61_000);
        board.advance(MONDAY + 61_000);
        assert_eq!(order(board, "minute:3", When::Now)[0], ("ann".to_owned(), 5));
    }
    assert!(saved(&board) == saved(&ready));
}

#[test]
fn a_score_that_is_set_takes_nobody_out_of_the_counts_of_ended_periods() {
    let schema = on_events(Aggregate::Min);
    let mut board = board(schema, &[spec("day:7", 9)]);
    add(&mut board, &late(0, 0), -2, b"ann").unwrap();
    add(&mut board, &late(0, 3 * DAY), 1, b"bob").unwrap();
    // From now on, bob's points in other periods are hidden.
    board.set(&late(0, 9 * DAY), Decimal::whole(-2), b"bob", Condition::default()).unwrap();
    board.check();
    assert_eq!(counts(&board, "day:7"), [1, 1, 1, 2, 2, 2, 2, 1, 1, 1]);
    assert_eq!(order(&board, "day:7", When::Back(1)), lines(&[("bob", 1)]));
}

#[test]
fn who_can_be_read_of_nowhere_is_not_counted_as_removed() {
    let mut board = board(of(Aggregate::Sum), &[spec("minute:3", 2)]);
    add(&mut board, &at(0), 1, b"ann").unwrap();
    add(&mut board, &at(60_000), 1, b"bob").unwrap();
    add(&mut board, &at(4 * 60_000), 1, b"cat").unwrap();
    // The kept windows end with the minutes 2, 3 and 4. The first one has ann and bob, the second one has
    // bob, and the last one has cat. A minute later, the first one is dropped, and no read finds ann.
    assert_eq!(counts(&board, "minute:3"), [2, 1, 1]);
    board.advance(MONDAY + 5 * 60_000);
    assert!(!board.remove(b"ann"));
    assert!(board.remove(b"bob"));
}

const MINUTE: u64 = 60 * SECOND;

fn size(board: &Board) -> usize {
    saved(board).iter().map(Vec::len).sum()
}

/// Checks that the size of saved bytes, and the memory of the loaded board, depend on what was written. The
/// time without writes and the number of kept periods do not change them.
#[test]
fn an_idle_board_is_saved_as_small_as_one_that_never_was() {
    let decaying = Spec { decay: Share::from_billionths(990_000_000), ..spec("minute", 1_440) };
    let sharing = Spec { carry: Share::from_billionths(500_000_000), ..spec("minute", 1_440) };
    for view in [decaying, sharing, spec("minute:60", 1_440), spec("minute:2", 10_000)] {
        let mut board = board(on_events(Aggregate::Sum), &[view]);
        for minute in 0..3 {
            fill(&mut board, minute * MINUTE, 0, 1_000);
        }
        while board.work(board.last()) == Work::Now {}
        let (bytes, memory) = (size(&board), board.memory());
        let within = |what: &str, now: usize, before: usize| {
            assert!(now <= before + before / 10 + 1_000, "{} {what}: {now}, {before} before", view.kind);
        };
        // The board is idle for a day. First it is only read, then it is written to.
        board.advance(MONDAY + DAY);
        within("bytes, looked at", size(&board), bytes);
        let mut again = loaded(&saved(&board));
        within("memory, looked at", again.memory(), memory);
        add(&mut board, &late(0, DAY), 1, b"zoe").unwrap();
        let ended = order(&board, &view.kind.to_string(), When::Back(1_437));
        assert!(ended.len() > 900 || view.carry.is_some(), "{}", ended.len());
        let written = size(&board);
        // The ended period is saved with its moments. The current period has only one member.
        within("bytes, written to", written, bytes);
        let mut after: Board = loaded(&saved(&board));
        while after.work(after.last()) == Work::Now {}
        within("memory, written to", after.memory(), memory + memory / 4);
        assert_eq!(order(&after, &view.kind.to_string(), When::Back(1_437)), ended);
        add(&mut again, &late(0, DAY), 1, b"zoe").unwrap();
        assert!(saved(&again) == saved(&board) && saved(&after) == saved(&board));
    }
}
