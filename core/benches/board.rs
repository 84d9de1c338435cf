//! How long the core takes on its own, without a server: `cargo bench -p leaderboard-core`, with the
//! number of members as an argument, and `index`, `ids`, `segments` or `votes` to measure only that part. It shows the
//! effect of a change of the core; `make bench` measures what users get.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a program for developers"
)]

use std::hint::black_box;
use std::time::Instant;

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Reading, Write};
use leaderboard_core::calendar::Unit;
use leaderboard_core::calendar::When;
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::dimensions::{Dimensions, parse_dimensions};
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::TimeSource;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Decimal, Schema};

/// A fixed sequence that looks random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn name(&mut self, members: u64) -> String {
        format!("m:{:012}", self.below(members))
    }
}

fn write(wall: u64) -> Write<'static> {
    Write::new(TimeSource::Client { wall, max_future: 0 })
}

fn now(board: &Board) -> Reading<'_> {
    board.read(None, When::Now, Tally::Shown).unwrap()
}

fn timed(what: &str, names: &[String], mut step: impl FnMut(usize, &[u8])) {
    let begin = Instant::now();
    for (at, name) in names.iter().enumerate() {
        step(at, name.as_bytes());
    }
    let each = begin.elapsed().as_nanos() as f64 / names.len() as f64;
    println!("{what:<24} {each:>8.0} ns");
}

/// Measures a part of a board, with a number of members or voters.
type Part = fn(u64, &mut Random);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let members = words.iter().find_map(|word| word.parse().ok()).unwrap_or(1_000_000_u64);
    let all: [(&str, Part); 4] = [("index", index), ("ids", ids), ("segments", segments), ("votes", votes)];
    let is_named = |part: &str| words.iter().any(|word| word == part);
    let measures_all = !all.iter().any(|(part, _)| is_named(part));
    let mut random = Random(88_172_645_463_325_252);
    for (part, measure) in all {
        if measures_all || is_named(part) {
            measure(members, &mut random);
        }
    }
}

/// A board with `members` members.
fn filled(members: u64, random: &mut Random) -> Board {
    let mut board = Board::new(Schema::default(), &[Spec::new(Kind::All)]).unwrap();
    let all: Vec<String> = (0..members).map(|number| format!("m:{number:012}")).collect();
    println!("{members} members");
    timed("first add", &all, |at, name| {
        let points = Decimal::whole(random.below(1_000_000) as i64);
        board.add(&write(1_000 + at as u64 / 300), points, name).unwrap();
    });
    board
}

fn index(members: u64, random: &mut Random) {
    let mut board = filled(members, random);
    let names: Vec<String> = (0..1_000_000).map(|_| random.name(members)).collect();
    for round in 0..3 {
        timed("add", &names, |at, name| {
            let points = Decimal::whole(random.below(1_000_000) as i64);
            board.add(&write(10_000_000 * (round + 1) + at as u64 / 300), points, name).unwrap();
        });
    }
    timed("rank", &names, |_, name| {
        black_box(now(&board).rank(name, Ranks::Ordinal));
    });
    timed("dense rank", &names, |_, name| {
        black_box(now(&board).rank(name, Ranks::Dense));
    });
    timed("top 100", &names[..10_000], |_, _| {
        black_box(
            now(&board).rows(0, 100, Ranks::Ordinal).map(|row| board.name(row.id).len()).sum::<usize>(),
        );
    });
    println!("{:<24} {:>8.1} bytes", "a member", board.memory() as f64 / members as f64);
}

/// Adds with request ids: new ones, the same ones again, and new ones while the same number is forgotten.
fn ids(members: u64, random: &mut Random) {
    const SECOND: u64 = 1000;
    let mut board = filled(members, random);
    let names: Vec<String> = (0..1_000_000).map(|_| random.name(members)).collect();
    let mut add = |what: &str, second: u64, kind: &str| {
        timed(what, &names, |at, name| {
            let points = Decimal::whole(at as i64 * 7_919 % 1_000_000);
            let id = format!("{kind}{at:019}");
            let request = (!kind.is_empty()).then_some(id.as_bytes());
            board.add(&Write { request, ..write(second * SECOND + at as u64 / 300) }, points, name).unwrap();
        });
    };
    for (second, kind) in [(1_000, "a"), (1_020, "b"), (1_040, "c")] {
        add("add, no id", second, "");
        add("add, new id", second + 10, kind);
    }
    add("add, repeated id", 1_050, "c");
    // The first ids are forgotten one after another.
    add("add, ids expire", 1_640, "d");
    add("add, ids expire", 1_645, "e");
}

/// The number of segments.
const SEGMENTS: u64 = 200;

/// Adds to boards with and without a dimension: random points in 200 segments, then few different scores in one segment.
fn segments(members: u64, random: &mut Random) {
    for (what, count, points) in [("random scores", SEGMENTS, 1_000_000), ("few scores", 1, 3)] {
        let [plain, divided] = [Dimensions::default(), parse_dimensions(b"country:SUM").unwrap()]
            .map(|dimensions| in_segments(members, (dimensions, count), points, random));
        let more = (divided - plain) / members as f64;
        println!("{what}: {more:.1} bytes more a member with a dimension of {count} segments");
    }
}

/// Measures additions to a board. In each dimension, a member is in one of `count` segments; the n-th segment has about 1/n as
/// many members as the first one. Returns the bytes of the board after it was filled.
fn in_segments(
    members: u64,
    (dimensions, count): (Dimensions, u64),
    points: u64,
    random: &mut Random,
) -> f64 {
    let named: Vec<_> = dimensions.names().collect();
    let schema = Schema { segments: dimensions, ..Schema::default() };
    let mut board = Board::new(schema, &[Spec::new(Kind::All)]).unwrap();
    let all: Vec<String> = (0..members).map(|number| format!("m:{number:012}")).collect();
    timed(&format!("first add, {} dimension", named.len()), &all, |at, name| {
        let power = random.below(1_000_000) as f64 / 1_000_000.0;
        let segment = format!("{:03}", ((count + 1) as f64).powf(power) as u64);
        let own: Vec<_> = named.iter().map(|name| (name.as_bytes(), segment.as_bytes())).collect();
        let write = Write { segments: &own, ..write(1_000 + at as u64 / 300) };
        board.add(&write, Decimal::whole(random.below(points) as i64), name).unwrap();
    });
    let bytes = board.memory() as f64;
    let names: Vec<String> = (0..members).map(|_| random.name(members)).collect();
    timed(&format!("add, {} dimension", named.len()), &names, |at, name| {
        let points = Decimal::whole(random.below(points) as i64);
        board.add(&write(10_000_000 + at as u64 / 300), points, name).unwrap();
    });
    bytes
}

/// Votes of `voters` voters for a thousand candidates, on five views.
fn votes(voters: u64, random: &mut Random) {
    let options: Vec<String> = (0..1_000_000).map(|_| format!("option:{}", random.below(1_000))).collect();
    let names: Vec<String> = (0..1_000_000).map(|_| random.name(voters)).collect();
    println!("{voters} voters, 1000 options, five views");
    for (what, rules, known) in
        [("vote", &[][..], false), ("vote, voter", &[], true), ("vote, voter, 3 limits", &RULES, true)]
    {
        let mut board = Board::new(Schema::default(), &VIEWS.map(Spec::new)).unwrap();
        let limits = rules.iter().map(|[name, scope, max, unit]| {
            Rule::new(name.as_bytes(), scope.as_bytes(), max.parse().unwrap(), unit.as_bytes()).unwrap()
        });
        let voting = RuleChanges { limits: limits.collect(), ..RuleChanges::default() };
        board.alter(&Alter { voting, ..Alter::default() }).unwrap();
        for round in 0..2 {
            timed(what, &options, |at, option| {
                let tags: [(&[u8], &[u8]); 1] = [(b"terminal", &names[at].as_bytes()[..9])];
                let ballot = Ballot { voter: known.then(|| names[at].as_bytes()), tags: &tags };
                let now = 1_600_000_000_000 + round * 2_000_000 + at as u64 / 300;
                black_box(board.vote(&write(now), &ballot, (option, 1)).unwrap());
            });
        }
        println!("{:<24} {:>8.1} bytes", "a voter", board.memory() as f64 / voters as f64);
    }
}

const VIEWS: [Kind; 5] = [
    Kind::All,
    Kind::Periods { unit: Unit::Hour, count: 1 },
    Kind::Periods { unit: Unit::Day, count: 1 },
    Kind::Periods { unit: Unit::Week, count: 1 },
    Kind::Periods { unit: Unit::Month, count: 1 },
];
const RULES: [[&str; 4]; 3] = [
    ["perminute", "voter", "1000", "minute"],
    ["devices", "voter+terminal", "1000", "day"],
    ["flood", "member", "1000000", "second"],
];
