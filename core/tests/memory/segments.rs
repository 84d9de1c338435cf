//! Boards with segments.

use leaderboard_core::board::{Alter, Write};
use leaderboard_core::calendar::When;
use leaderboard_core::dimensions::{parse_dimension_edits, parse_dimensions};
use leaderboard_core::native::Work;
use leaderboard_core::schema::Tally;
use leaderboard_core::{Board, NativeType, Schema};

use crate::kinds::{BEGIN, DAY, Kind, MOST, at, board, mixed, name, points};

/// The numbers of members: few, and more than fit the small form of a board.
const SIZES: [usize; 3] = [3, 300, MOST];

fn divided(dimensions: &str, views: &[&str]) -> Board {
    let segments = parse_dimensions(dimensions.as_bytes()).unwrap();
    board(Schema { segments, ..Schema::default() }, views, 2)
}

/// Returns the segment of a member. There are this number of segments.
fn segment(number: usize, segments: usize) -> Vec<u8> {
    format!("segment {}", mixed(number) % segments).into_bytes()
}

/// Adds points of members. In each dimension of the board, every member is in one of this number of segments.
fn fill(board: &mut Board, members: usize, segments: usize, moment: u64) {
    let dimensions: Vec<_> = board.count_segments().map(|(name, _)| name).collect();
    for number in 0..members {
        let own = segment(number, segments);
        let own: Vec<_> = dimensions.iter().map(|name| (name.as_bytes(), &own[..])).collect();
        board.add(&Write { segments: &own, ..at(moment) }, points(number), &name(number)).unwrap();
    }
}

fn filled(dimensions: &str, views: &[&str], members: usize, segments: usize) -> Board {
    let mut board = divided(dimensions, views);
    fill(&mut board, members, segments, 0);
    board
}

/// Returns a board whose members have moved to other segments after a period has ended. Some are in no segment.
fn moved(members: usize) -> Board {
    let mut board = filled("team:SUM", &["day", "day:2"], members, 20);
    fill(&mut board, members, 20, DAY);
    for number in 0..members {
        let own = if number % 5 == 0 { Vec::new() } else { segment(number, 7) };
        board.set_segments(&name(number), &[(b"team", &own)], at(DAY).origin).unwrap();
    }
    board
}

/// Returns a board with hidden members, of which the segments of the present and of the last period were read.
fn read(members: usize) -> Board {
    let mut board = filled("team:SUM,guild:BEST", &["day"], members, 4);
    fill(&mut board, members, 4, DAY);
    let hidden: Vec<_> = (0..members).step_by(7).map(name).collect();
    board.hide_all(&hidden.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    for when in [When::Now, When::Back(1)] {
        let reading = board.read(None, when, Tally::Shown).unwrap();
        assert!((0..2).all(|dimension| !reading.segments(dimension, 0, 10).is_empty()));
    }
    board
}

/// Returns a board that has prepared the orders and the rankings of its next period, with a write after that and a hidden member.
fn prepared(members: usize) -> Board {
    let mut board = filled("team:SUM,guild:BEST", &["day:3"], members, members);
    let soon = DAY - 60_000;
    fill(&mut board, members.min(2), 1, soon);
    board.hide_all(&[&name(2)]).unwrap();
    while board.work(BEGIN + soon) == Work::Now {}
    fill(&mut board, 1, 1, soon + 1);
    board
}

/// Returns a board with a dimension that was added, and some garbage of a dimension that was dropped.
fn altered(members: usize) -> Board {
    let mut board = filled("team:SUM", &["all", "day"], members, 20);
    let segments = parse_dimension_edits(b"+guild:SUM,-team").unwrap();
    board.alter(&Alter { segments, ..Alter::default() }).unwrap();
    fill(&mut board, members, 20, 1);
    (0..5).for_each(|_| _ = board.work(board.last()));
    board
}

pub fn all() -> Vec<Kind> {
    let mut all: Vec<Kind> = Vec::new();
    let mut add = |name: String, make: Box<dyn Fn() -> Board>| all.push((name, make));
    for n in SIZES {
        for segments in [1, 2, 200] {
            let make = move || filled("team:SUM", &["all", "week"], n, segments);
            add(format!("{n} members in {segments} segments"), Box::new(make));
        }
        let make = move || filled("team,guild:BEST", &["all"], n, 20);
        add(format!("{n} members in two dimensions"), Box::new(make));
        let make = move || filled("team:SUM", &["day:3"], n, 20);
        add(format!("{n} members in segments of a rolling view"), Box::new(make));
        add(format!("{n} members that moved to other segments"), Box::new(move || moved(n)));
        add(format!("{n} members in segments of a prepared period"), Box::new(move || prepared(n)));
        add(format!("{n} members in segments that were read"), Box::new(move || read(n)));
        add(format!("{n} members in a dimension that was added"), Box::new(move || altered(n)));
    }
    all
}
