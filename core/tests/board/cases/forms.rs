//! A small board gets its form with a tree in the middle of any command. From then on it is the same board as one that had a tree
//! from the start.

use leaderboard_core::dimensions::{parse_dimension_edits, parse_dimensions};
use proptest::prelude::*;

use super::segments::divided;
use super::*;

/// With so many views and dimensions, a board gets its tree between 100 and 200 members.
const VIEWS: [&str; 13] = [
    "all", "hour", "day", "week", "month", "hour:2", "hour:3", "hour:4", "day:2", "day:3", "day:4", "week:2",
    "week:3",
];
const DIMENSIONS: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
/// The members that come and go before the first command.
const FIRST: usize = 60;

#[derive(Debug, Clone)]
enum Step {
    Add(u64, i64, u64),
    AddSegmented(u64, i64, u64),
    AddMany(u64, Vec<(i64, u64)>),
    Set(u64, i64, u64),
    Late(u64, i64, u64),
    SetSegment(usize, u64, u64),
    SetMeta(u64),
    Hide(u64),
    Unhide(u64),
    Remove(u64),
    Alter(usize, bool),
    Work,
}

fn name_of(number: u64) -> Vec<u8> {
    format!("m{number}").into_bytes()
}

fn segment_of(number: u64) -> Vec<u8> {
    format!("s{}", number % 5).into_bytes()
}

/// Returns a step: most steps are writes of a member. The first number of a write is how far the clock goes before it.
fn step() -> impl Strategy<Value = Step> {
    let passed = || prop_oneof![6 => Just(0), 6 => 1..1_000_u64, 1 => Just(HOUR / 3), 1 => Just(5 * HOUR)];
    let (points, member) = (|| -3..7_i64, || 0..220_u64);
    prop_oneof![
        8 => (passed(), points(), member()).prop_map(|(passed, points, member)| Step::Add(passed, points, member)),
        8 => (passed(), points(), member())
            .prop_map(|(passed, points, member)| Step::AddSegmented(passed, points, member)),
        3 => (passed(), prop::collection::vec((points(), member()), 1..12))
            .prop_map(|(passed, pairs)| Step::AddMany(passed, pairs)),
        3 => (passed(), points(), member()).prop_map(|(passed, score, member)| Step::Set(passed, score, member)),
        2 => (0..30 * HOUR, points(), member())
            .prop_map(|(before, points, member)| Step::Late(before, points, member)),
        2 => (0..4_usize, member(), member())
            .prop_map(|(dimension, member, segment)| Step::SetSegment(dimension, member, segment)),
        1 => member().prop_map(Step::SetMeta),
        1 => member().prop_map(Step::Hide),
        1 => member().prop_map(Step::Unhide),
        1 => member().prop_map(Step::Remove),
        1 => (1..VIEWS.len(), any::<bool>()).prop_map(|(view, adds)| Step::Alter(view, adds)),
        1 => Just(Step::Work),
    ]
}

/// Takes a step on a board at a time. Returns the time after it.
fn take(board: &mut Board, now: u64, step: &Step) -> u64 {
    let pair = |points: i64, member: u64| (Decimal::whole(points), name_of(member));
    match step {
        Step::Add(passed, points, member) => {
            let (points, name) = pair(*points, *member);
            board.add(&at(now + passed), points, &name).unwrap();
            return now + passed;
        }
        Step::AddSegmented(passed, points, member) => {
            let ((points, name), segment) = (pair(*points, *member), segment_of(*member));
            let segments = DIMENSIONS.map(|dimension| (dimension, &segment[..]));
            board.add(&Write { segments: &segments, ..at(now + passed) }, points, &name).unwrap();
            return now + passed;
        }
        Step::AddMany(passed, pairs) => {
            let pairs: Vec<_> = pairs.iter().map(|(points, member)| pair(*points, *member)).collect();
            let pairs: Vec<_> = pairs.iter().map(|(points, name)| (*points, &name[..])).collect();
            board.add_many(&at(now + passed), &pairs).unwrap();
            return now + passed;
        }
        Step::Set(passed, score, member) => {
            let (score, name) = pair(*score, *member);
            board.set(&at(now + passed), score, &name, Condition::default()).unwrap();
            return now + passed;
        }
        Step::Late(before, points, member) => {
            let (points, name) = pair(*points, *member);
            // Some of these moments are before all kept periods.
            _ = board.add(&late(now, now.saturating_sub(*before)), points, &name);
        }
        Step::SetSegment(dimension, member, segment) => {
            let segments = [(DIMENSIONS[*dimension], &segment_of(*segment)[..])];
            board.set_segments(&name_of(*member), &segments, client(now)).unwrap();
        }
        Step::SetMeta(member) => _ = board.set_meta(&name_of(*member), b"a text").unwrap(),
        Step::Hide(member) => _ = board.hide_all(&[&name_of(*member)]).unwrap(),
        Step::Unhide(member) => _ = board.unhide(&name_of(*member)),
        Step::Remove(member) => _ = board.remove(&name_of(*member)),
        Step::Alter(view, adds) => {
            let edit = if *adds { Edit::Add } else { Edit::Drop };
            // An error, if the board has the view already, or does not have it.
            _ = board.alter(&Alter { views: vec![(kind(VIEWS[*view]), edit)], ..Alter::default() });
        }
        Step::Work => _ = board.work(MONDAY + now),
    }
    now
}

/// Returns a board that members have left whose names had this length.
fn left_by(length: usize) -> Board {
    let dimensions = parse_dimensions(b"a:SUM,b:COUNT,c:BEST,d").unwrap();
    let mut board = viewed(Schema { segments: dimensions, ..plain() }, &VIEWS);
    let names: Vec<_> = (0..FIRST).map(|number| format!("{number:0length$}").into_bytes()).collect();
    let pairs: Vec<_> = names.iter().map(|name| (Decimal::whole(1), &name[..])).collect();
    board.add_many(&at(0), &pairs).unwrap();
    names.iter().for_each(|name| assert!(board.remove(name)));
    board
}

proptest! {
    #![proptest_config(crate::cases(12))]

    #[test]
    fn a_board_is_the_same_whenever_it_gets_its_tree(steps in prop::collection::vec(step(), 300)) {
        // Names of 512 bytes need a tree.
        let [mut small, mut large] = [20, 512].map(left_by);
        let mut now = 0;
        for (number, step) in steps.iter().enumerate() {
            let after = take(&mut small, now, step);
            assert_eq!(take(&mut large, now, step), after);
            now = after;
            if number % 20 == 0 {
                small.check();
                assert!(saved(&small) == saved(&large), "after step {number}: {step:?}");
            }
        }
        small.check();
        assert!(saved(&small) == saved(&large));
    }
}

/// The more lists of members a board has, the fewer members it has when it gets a tree: also with the write of a member that was there.
#[test]
fn a_board_with_many_lists_gets_its_tree_with_the_write_of_any_member() {
    let views =
        ["all", "hour", "day", "week", "month", "hour:2", "hour:3", "hour:4", "day:2", "day:3", "day:4"];
    let mut grown = divided("a:SUM,b:SUM,c:SUM,d:SUM", &views);
    for number in 0..200 {
        let segment = format!("s{}", number % 7).into_bytes();
        let names = [b"a", b"b", b"c", b"d"];
        let own: Vec<_> = names.iter().map(|name| (&name[..], &segment[..])).collect();
        let name = format!("m{number}");
        add(&mut grown, &Write { segments: &own, ..at(number) }, 1, name.as_bytes()).unwrap();
        add(&mut grown, &at(number), 1, b"m0").unwrap();
        grown.check();
    }
    assert_eq!(order(&grown, "day:3", When::Now)[..2], lines(&[("m0", 201), ("m1", 1)]));
    assert!(saved(&loaded(&saved(&grown))) == saved(&grown));
    // The same with dimensions that come later.
    let mut altered = viewed(plain(), &views);
    for number in 0..200 {
        add(&mut altered, &at(number), 1, format!("m{number}").as_bytes()).unwrap();
    }
    let segments = parse_dimension_edits(b"+a:SUM,+b:SUM,+c:SUM,+d:SUM").unwrap();
    altered.alter(&Alter { segments, ..Alter::default() }).unwrap();
    altered.check();
    add(&mut altered, &at(300), 1, b"m0").unwrap();
    altered.check();
    assert_eq!(order(&altered, "day:3", When::Now)[..2], lines(&[("m0", 2), ("m1", 1)]));
}
