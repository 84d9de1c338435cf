//! Segments: what follows the views between commands.

use leaderboard_core::dimensions::parse_dimensions;

use proptest::prelude::*;

use super::*;

/// Returns a board with these dimensions, over these views.
pub(super) fn divided(dimensions: &str, views: &[&str]) -> Board {
    let segments = parse_dimensions(dimensions.as_bytes()).unwrap();
    viewed(Schema { segments, ..plain() }, views)
}

/// Returns the names and the numbers of members of the segments of the first dimension, best first.
pub(super) fn ranked(board: &Board, view: &str, when: When) -> Vec<(String, u64)> {
    let reading = board.read(Some(view.as_bytes()), when, Tally::Shown).unwrap();
    let rows = reading.segments(0, 0, 1_000);
    rows.iter().map(|row| (String::from_utf8(row.name.to_vec()).unwrap(), row.members)).collect()
}

pub(super) fn pairs(segments: &[(&str, u64)]) -> Vec<(String, u64)> {
    segments.iter().map(|(name, members)| ((*name).to_owned(), *members)).collect()
}

/// Adds points of 300 members, each in one of this number of segments: `s0`, `s1`, and so on.
fn crowd_in_segments(board: &mut Board, segments: u64) {
    let dimensions: Vec<_> = board.count_segments().map(|(name, _)| name).collect();
    for number in 0..300_u64 {
        let name = of_many(number);
        let segment = format!("s{}", number % segments).into_bytes();
        let segments: Vec<_> = dimensions.iter().map(|name| (name.as_bytes(), &segment[..])).collect();
        let write = Write { segments: &segments, ..at(0) };
        board.add(&write, Decimal::whole(100), &name).unwrap();
    }
}

#[test]
fn a_period_that_begins_between_commands_has_its_segments() {
    for views in [&["day:2", "all"][..], &["day:2"]] {
        let mut board = divided("team:SUM", views);
        crowd_in_segments(&mut board, 3);
        let own: [(&[u8], &[u8]); 1] = [(b"team", b"s1")];
        add(&mut board, &Write { segments: &own, ..at(DAY) }, 5, b"ann").unwrap();
        // The order of the next period is prepared, and becomes the present one without a command.
        work(&mut board, 2 * DAY - 1);
        work(&mut board, 2 * DAY);
        assert_eq!(ranked(&board, "day:2", When::Now), pairs(&[("s1", 1)]));
        board.check();
        add(&mut board, &Write { segments: &own, ..at(2 * DAY) }, 5, b"bob").unwrap();
        assert_eq!(ranked(&board, "day:2", When::Now), pairs(&[("s1", 2)]));
        assert_eq!(ranked(&board, "day:2", When::Back(1)), pairs(&[("s1", 101), ("s0", 100), ("s2", 100)]));
        assert_eq!(ranked(&loaded(&saved(&board)), "day:2", When::Now), pairs(&[("s1", 2)]));
    }
}

/// A segment, how many members it has, and their dense ranks and names.
type SegmentRows = (String, u64, Vec<(u64, Vec<u8>)>);

/// What a division of a period shows, best segment first.
fn division(board: &Board, when: When) -> Vec<SegmentRows> {
    let reading = board.read(Some(b"day"), when, Tally::Shown).unwrap();
    let rows = ranked(board, "day", when).into_iter().map(|(name, members)| {
        let own = reading.in_segment(0, name.as_bytes());
        let rows = own.rows(0, 1_000, Ranks::Dense).map(|row| (row.rank, board.name(row.id).to_vec()));
        (name, members, rows.collect())
    });
    rows.collect()
}

#[test]
fn a_divided_period_follows_the_members_that_are_hidden_or_removed_after_it_was_read() {
    let mut board = board(
        Schema { segments: parse_dimensions(b"team:SUM").unwrap(), ..plain() },
        &[spec("day", 3), spec("hour", 3)],
    );
    // Two segments of more members than a list has, and one of few.
    for number in 0..300_u64 {
        let segment = format!("s{}", if number % 20 == 0 { 2 } else { number % 2 }).into_bytes();
        let segments: [(&[u8], &[u8]); 1] = [(b"team", &segment)];
        let write = Write { segments: &segments, ..at(number) };
        add(&mut board, &write, i64::try_from(number / 7).unwrap(), &of_many(number)).unwrap();
    }
    add(&mut board, &at(DAY), 1, &of_many(7)).unwrap();
    let ended = division(&board, When::Back(1));
    assert_eq!(ended.len(), 3);
    let fresh = |board: &Board| division(&loaded(&saved(board)), When::Back(1));
    for (step, number) in (0_u64..300).filter(|number| number % 3 == 0 || number % 20 == 0).enumerate() {
        let name = of_many(number);
        match step % 4 {
            0 => _ = board.hide_all(&[&name]).unwrap(),
            1 => _ = board.unhide_all(&[&of_many(number - 3)]),
            2 => _ = board.set_segments(&name, &[(b"team", b"s1")], client(DAY)).unwrap(),
            _ => assert!(board.remove(&name)),
        }
        assert_eq!(division(&board, When::Back(1)), fresh(&board), "after step {step}");
    }
    // All members of the small segment go, so it goes too.
    for number in (0..300_u64).filter(|number| number % 20 == 0) {
        board.remove(&of_many(number));
    }
    assert_eq!(division(&board, When::Back(1)), fresh(&board));
    assert_eq!(ranked(&board, "day", When::Back(1)).len(), 2);
    // Hours end, and the day before keeps its division.
    for hour in 1..4 {
        add(&mut board, &at(DAY + hour * HOUR), 1, &of_many(7)).unwrap();
        assert_eq!(division(&board, When::Back(1)), fresh(&board));
    }
}

#[test]
fn hidden_members_stay_hidden_in_their_segment_when_a_board_becomes_large() {
    let mut board = divided("team:SUM", &["all"]);
    let own: [(&[u8], &[u8]); 1] = [(b"team", b"s1")];
    for name in [&b"bob"[..], b"ann"] {
        add(&mut board, &Write { segments: &own, ..at(0) }, 5, name).unwrap();
    }
    board.hide_all(&[b"ann"]).unwrap();
    crowd_in_segments(&mut board, 3);
    assert_eq!(ranked(&board, "all", When::Now), pairs(&[("s1", 101), ("s0", 100), ("s2", 100)]));
    board.check();
}

#[test]
fn no_segment_is_ranked_in_a_period_that_comes_back_without_its_members() {
    let mut board = divided("team:SUM", &["day:3", "hour:2"]);
    crowd_in_segments(&mut board, 3);
    for hour in 2..4 {
        add(&mut board, &at(hour * HOUR), 1, b"ann").unwrap();
    }
    // The first hour is not kept any more when the clock is put back to it.
    board.advance(MONDAY + HOUR - 1);
    board.check();
    assert_eq!(ranked(&board, "hour:2", When::Now), []);
}

#[test]
fn equal_segments_stand_in_the_order_in_which_hiding_changed_their_sums() {
    let mut board = divided("team:SUM", &["all"]);
    let members = [("a3", 3), ("a0", 0), ("a", 1), ("b3", 3), ("b", 1), ("c0", 0), ("c1", 0), ("d0", 0)];
    for (name, points) in members {
        let own: [(&[u8], &[u8]); 1] = [(b"team", &name.as_bytes()[..1])];
        add(&mut board, &Write { segments: &own, ..at(0) }, points, name.as_bytes()).unwrap();
    }
    // Without `a0`, the sum of `a` is the same.
    board.hide_all(&[b"a3", b"b3", b"a0"]).unwrap();
    assert_eq!(ranked(&board, "all", When::Now), pairs(&[("a", 1), ("b", 1), ("c", 2), ("d", 1)]));
    // A segment goes with its last member.
    board.hide_all(&[b"c0", b"d0", b"c1"]).unwrap();
    assert_eq!(ranked(&board, "all", When::Now), pairs(&[("a", 1), ("b", 1)]));
    // It comes back with its first one. The second one does not change its sum.
    board.unhide_all(&[b"c0", b"d0", b"c1"]);
    assert_eq!(ranked(&board, "all", When::Now), pairs(&[("a", 1), ("b", 1), ("c", 2), ("d", 1)]));
    board.unhide_all(&[b"a3", b"b3", b"a0"]);
    assert_eq!(ranked(&board, "all", When::Now), pairs(&[("a", 3), ("b", 2), ("c", 2), ("d", 1)]));
    board.check();
}

#[test]
fn a_segment_that_ends_leaves_no_place_in_a_view_that_was_added_later() {
    let mut board = divided("team:SUM,best:BEST", &["all"]);
    crowd_in_segments(&mut board, 300);
    alter_views(&mut board, "week", Edit::Add);
    for number in 0..300 {
        add(&mut board, &at(0), number, &of_many(number)).unwrap();
    }
    board.remove(&of_many(299));
    board.check();
    assert_eq!(ranked(&board, "week", When::Now)[..2], pairs(&[("s298", 1), ("s297", 1)]));
    // Its number goes to another segment.
    let own: [(&[u8], &[u8]); 1] = [(b"team", b"new")];
    add(&mut board, &Write { segments: &own, ..at(0) }, 1_000, b"ann").unwrap();
    board.check();
    assert_eq!(ranked(&board, "week", When::Now)[..2], pairs(&[("new", 1), ("s298", 1)]));
}

/// Returns two copies of a board: one with all work between commands until a moment, and one without it.
fn with_and_without_work(board: &Board, until: u64) -> [Board; 2] {
    let mut worker = board.clone();
    work(&mut worker, until);
    [worker, board.clone()]
}

/// Checks that boards are the same after a boundary.
fn check_same(boards: &mut [Board; 2], now: u64) {
    boards.iter_mut().for_each(|board| board.advance(MONDAY + now));
    boards.iter().for_each(Board::check);
    let [worker, plain] = boards;
    assert_eq!(ranked(worker, "day:2", When::Now), ranked(plain, "day:2", When::Now));
    assert!(saved(worker) == saved(plain));
}

#[test]
fn a_segment_of_which_only_hidden_members_stay_leaves_a_prepared_ranking() {
    let mut board = divided("team:SUM", &["day:2"]);
    crowd_in_segments(&mut board, 300);
    let own: [(&[u8], &[u8]); 1] = [(b"team", b"pair")];
    add(&mut board, &Write { segments: &own, ..at(0) }, 500, b"ann").unwrap();
    for number in 0..200_u64 {
        add(&mut board, &at(DAY + number), 1, &of_many(number)).unwrap();
    }
    add(&mut board, &Write { segments: &own, ..at(DAY + 1_000) }, 500, b"bob").unwrap();
    board.hide_all(&[b"bob"]).unwrap();
    let mut boards = with_and_without_work(&board, 2 * DAY - 1);
    check_same(&mut boards, 2 * DAY);
    assert_eq!(ranked(&boards[0], "day:2", When::Now).len(), 200);
    // A member that is shown again is in the ranking that is prepared next.
    boards.iter_mut().for_each(|board| _ = board.unhide_all(&[b"bob"]));
    check_same(&mut boards, 2 * DAY + 1);
    assert_eq!(ranked(&boards[0], "day:2", When::Now)[0], ("pair".to_owned(), 1));
}

#[test]
fn boundaries_without_a_write_between_them_take_what_was_prepared() {
    let mut board = divided("team:SUM", &["day:2"]);
    crowd_in_segments(&mut board, 300);
    // The clock is a day ahead for some writes, of which some begin segments. Then it goes back.
    for number in 0..20_u64 {
        let value = format!("new {number}").into_bytes();
        let own: [(&[u8], &[u8]); 1] = [(b"team", &value)];
        add(&mut board, &Write { segments: &own, ..at(DAY + number) }, 100, &value).unwrap();
    }
    for number in 0..200_u64 {
        add(&mut board, &at(DAY + number), 1, &of_many(number)).unwrap();
    }
    add(&mut board, &at(1), 1, &of_many(1)).unwrap();
    let mut boards = [board.clone(), board];
    for day in 1..4 {
        // Only one board works before the boundary, and none is written to.
        work(&mut boards[0], day * DAY - 1);
        check_same(&mut boards, day * DAY);
    }
}

/// A step of a session. Members and segments are given by their numbers.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Add(u64, i64, Option<u16>),
    Move(u64, u16),
    Remove(u64),
    Hide(u64),
    Show(u64),
    /// This number of steps of the work between commands.
    Work(usize),
    /// This number of milliseconds pass.
    Pass(u64),
    /// The clock goes back by this number of milliseconds.
    Back(u64),
    /// Time passes until five minutes before midnight, and the next day is prepared.
    Prepare,
}

fn step() -> impl Strategy<Value = Step> {
    let member = || 0..320_u64;
    let team = || prop_oneof![3 => 0..5_u16, 1 => 5..300_u16];
    prop_oneof![
        8 => (member(), prop_oneof![-3..4_i64, 90..200_i64], proptest::option::of(team())).prop_map(|(member, points, team)| Step::Add(member, points, team)),
        4 => (member(), team()).prop_map(|(member, team)| Step::Move(member, team)),
        1 => member().prop_map(Step::Remove),
        1 => member().prop_map(Step::Hide),
        1 => member().prop_map(Step::Show),
        8 => (0..60_usize).prop_map(Step::Work),
        2 => Just(Step::Prepare),
        4 => prop_oneof![0..2 * HOUR, Just(10 * 60_000), Just(60_000), 0..3 * DAY].prop_map(Step::Pass),
        1 => prop_oneof![0..2 * HOUR, 0..2 * DAY].prop_map(Step::Back),
    ]
}

/// The rules of a session: the views, how many of the best are kept, and the share that is left by decay.
type Views = (Vec<Spec>, u32);

pub(super) fn views() -> impl Strategy<Value = Views> {
    let plain = |names: &[&str]| (names.iter().map(|name| spec(name, 2)).collect(), 0);
    let faded = Spec { decay: Share::parse(b"0.9", "DECAY").unwrap(), ..spec("day", 2) };
    prop_oneof![
        Just(plain(&["day:2", "all"])),
        Just(plain(&["hour:3", "day"])),
        Just(plain(&["day:3", "hour:2"])),
        Just((vec![spec("hour:3", 0), spec("day", 0)], 0)),
        Just((vec![carry("day", "0.5", 2), spec("all", 2)], 0)),
        Just((vec![faded], 0)),
        Just((vec![faded, spec("all", 2)], 280)),
    ]
}

/// Team 0 is no team.
fn team(number: u16) -> Vec<u8> {
    if number == 0 { Vec::new() } else { format!("team {number}").into_bytes() }
}

pub(super) fn carry_out(board: &mut Board, now: u64, step: &Step) {
    let name = |member: &u64| of_many(member);
    // The commands do this before they remove or hide anybody.
    board.advance(MONDAY + now);
    match step {
        Step::Add(member, points, number) => {
            let value = number.map(team).unwrap_or_default();
            let all: [(&[u8], &[u8]); 2] = [(b"team", &value), (b"guild", &value)];
            let segments = if number.is_some() { &all[..] } else { &[] };
            board.add(&Write { segments, ..at(now) }, Decimal::whole(*points), &name(member)).unwrap();
        }
        Step::Move(member, number) => {
            let value = team(*number);
            board.set_segments(&name(member), &[(b"team", &value), (b"best", &value)], client(now)).unwrap();
        }
        Step::Remove(member) => _ = board.remove(&name(member)),
        Step::Hide(member) => _ = board.hide_all(&[&name(member)]).unwrap(),
        Step::Show(member) => _ = board.unhide_all(&[&name(member)]),
        Step::Work(_) | Step::Pass(_) | Step::Back(_) | Step::Prepare => {}
    }
}

proptest! {
    #[test]
    fn what_is_prepared_between_commands_is_what_a_command_makes(
        steps in proptest::collection::vec(step(), 1..60),
        (specs, keep) in views(),
        ties in prop_oneof![Just(Ties::First), Just(Ties::Last), Just(Ties::Lex)],
        teams in prop_oneof![Just(3_u64), Just(300)],
    ) {
        let segments = parse_dimensions(b"team:SUM,guild:COUNT,best:BEST").unwrap();
        let mut worker = board(Schema { segments, ties, keep, ..plain() }, &specs);
        crowd_in_segments(&mut worker, teams);
        let mut plain = worker.clone();
        let mut now = 0;
        for step in &steps {
            match step {
                Step::Work(times) => (0..*times).for_each(|_| _ = worker.work(MONDAY + now)),
                Step::Pass(millis) => now += millis,
                Step::Back(millis) => now = now.saturating_sub(*millis),
                Step::Prepare => {
                    now = now.max(now / DAY * DAY + DAY - 5 * 60_000);
                    while worker.work(MONDAY + now) == Work::Now {}
                }
                step => {
                    carry_out(&mut worker, now, step);
                    carry_out(&mut plain, now, step);
                    worker.check();
                }
            }
        }
        for _ in 0..2 {
            now += DAY;
            while worker.work(MONDAY + now - 60_000) == Work::Now {}
            while worker.work(MONDAY + now) == Work::Now {}
            worker.check();
            for board in [&mut worker, &mut plain] {
                board.advance(MONDAY + now);
                board.check();
            }
            prop_assert!(saved(&worker) == saved(&plain));
            for view in specs.iter().map(|spec| spec.kind.to_string()) {
                let view = view.as_str();
                prop_assert_eq!(ranked(&worker, view, When::Now), ranked(&plain, view, When::Now));
                prop_assert_eq!(ranked(&worker, view, When::Back(1)), ranked(&plain, view, When::Back(1)));
            }
        }
    }
}

/// A write to a large segment: the member, its points, how many milliseconds pass before it, how late it is, and the segment to which
/// the member goes.
type LargeStep = (u64, i64, u64, Option<u64>, Option<u16>);

fn large_step() -> impl Strategy<Value = LargeStep> {
    let late =
        prop_oneof![6 => Just(None), 2 => (0..20_u64).prop_map(Some), 1 => (0..3 * HOUR).prop_map(Some)];
    (0..1_500_u64, -1..2_i64, 0..2_u64, late, proptest::option::weighted(0.2, 1..3_u16))
}

proptest! {
    /// A segment with a tree of many leaves in which hundreds of members have the same score.
    #[test]
    fn equal_scores_of_a_large_segment_have_the_order_of_the_view(
        steps in proptest::collection::vec(large_step(), 1..250),
        names in prop_oneof![Just(&["all"][..]), Just(&["day:2"][..]), Just(&["hour", "all"][..])],
        (ties, order) in (any_ties(), prop_oneof![Just(Order::Desc), Just(Order::Asc)]),
        aggregate in prop_oneof![Just(Aggregate::Sum), Just(Aggregate::Max), Just(Aggregate::Last)],
    ) {
        let segments = parse_dimensions(b"team:COUNT").unwrap();
        let specs: Vec<_> = names.iter().map(|name| spec(name, 2)).collect();
        let mut board = board(Schema { segments, ties, order, aggregate, ..plain() }, &specs);
        let start = 4 * HOUR;
        for number in 0..1_500_u64 {
            let value = team(1 + u16::from(number % 10 == 0));
            let own: [(&[u8], &[u8]); 1] = [(b"team", &value)];
            let write = Write { segments: &own, ..at(start + number / 300) };
            board.add(&write, Decimal::whole(number as i64 % 3), format!("{number}").as_bytes()).unwrap();
        }
        board.check();
        let mut now = start + 10;
        for (member, points, pause, late_by, moves_to) in steps {
            now += pause;
            let value = moves_to.map(team).unwrap_or_default();
            let own: [(&[u8], &[u8]); 1] = [(b"team", &value)];
            let segments = if moves_to.is_some() { &own[..] } else { &[] };
            let write = Write { segments, ..late_by.map_or(at(now), |by| late(now, now - by)) };
            board.add(&write, Decimal::whole(points), format!("{member}").as_bytes()).unwrap();
        }
        board.check();
        let copy = loaded(&saved(&board));
        copy.check();
        prop_assert_eq!(ranked(&copy, names[0], When::Now), ranked(&board, names[0], When::Now));
    }
}

pub(super) fn any_ties() -> impl Strategy<Value = Ties> {
    prop_oneof![3 => Just(Ties::First), 3 => Just(Ties::Last), 1 => Just(Ties::Lex), 1 => Just(Ties::RevLex)]
}
