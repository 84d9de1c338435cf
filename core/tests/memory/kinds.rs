//! Boards of all kinds. A kind is made in the same way each time.

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Declaration, Write};
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::levels::Levels;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::native::Work;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::Aggregate;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{self, Spec};
use leaderboard_core::{Board, Decimal, Schema};

use crate::segments;

/// A name, and a function that makes such a board.
pub type Kind = (String, Box<dyn Fn() -> Board>);

/// The moment at which all boards begin: a Monday at midnight, UTC.
pub const BEGIN: u64 = 1_552_867_200_000;
/// The maximum number of members of most boards.
pub const MOST: usize = 1_100;
const FIVE: [&str; 5] = ["all", "hour", "day", "week", "month"];
const MINUTE: u64 = 60_000;
pub const DAY: u64 = 1_440 * MINUTE;

pub fn board(schema: Schema, views: &[&str], retain: u32) -> Board {
    let spec = |name: &&str| Spec { retain, ..Spec::new(view::Kind::parse(name.as_bytes()).unwrap()) };
    let schema = Schema { clock: Clock::Event, ..schema };
    Board::new(schema, &views.iter().map(spec).collect::<Vec<_>>()).unwrap()
}

fn of(aggregate: Aggregate) -> Schema {
    Schema { aggregate, ..Schema::default() }
}

/// Returns a write on a clock of events, this number of milliseconds after `BEGIN`.
pub fn at(moment: u64) -> Write<'static> {
    let origin = TimeSource::Client { wall: BEGIN, max_future: 0 };
    Write { at: Some(BEGIN + moment), ..Write::new(origin) }
}

pub fn name(number: usize) -> Vec<u8> {
    format!("member{number:08}").into_bytes()
}

/// Returns numbers in a mixed order.
pub fn mixed(number: usize) -> usize {
    number.wrapping_mul(7919) % 100_003
}

pub fn points(number: usize) -> Decimal {
    Decimal::whole((mixed(number) % 1000) as i64)
}

fn fill(board: &mut Board, members: usize, moment: u64) {
    for number in 0..members {
        board.add(&at(moment), points(number + moment as usize), &name(number)).unwrap();
    }
}

fn plain(members: usize) -> Board {
    let mut board = board(Schema::default(), &["all"], 1);
    fill(&mut board, members, 0);
    board
}

fn with_levels(members: usize) -> Board {
    let levels = Levels::parse(b"won:DESC:100000").unwrap();
    let mut board = board(Schema { levels: Some(levels), ..Schema::default() }, &["all"], 1);
    fill(&mut board, members, 0);
    board
}

fn with_requests(members: usize) -> Board {
    let mut board = board(Schema::default(), &["all"], 1);
    for number in 0..members {
        let id = format!("request{number}");
        board.add(&Write { request: Some(id.as_bytes()), ..at(0) }, points(number), &name(number)).unwrap();
    }
    board
}

/// Returns a board with a text for each member. `order` gives the order in which the texts are set.
fn with_texts(members: usize, text: &str, order: fn(usize) -> usize) -> Board {
    let mut board = plain(members);
    for number in 0..members {
        board.set_meta(&name(order(number) % members), text.as_bytes()).unwrap();
    }
    board
}

/// Returns a board of last scores on which each member got two scores.
fn last(members: usize, order: fn(usize) -> usize) -> Board {
    let mut board = board(of(Aggregate::Last), &["all"], 1);
    fill(&mut board, members, 0);
    for number in (0..members).map(|number| order(number) % members) {
        board.add(&at(1_000), points(number), &name(number)).unwrap();
    }
    board
}

/// Fills this number of periods, and does all work for each of them. The first period has `all` members, so that the
/// board can take its large form.
fn periods(mut board: Board, all: usize, members: usize, step: u64, periods: u64) -> Board {
    for period in 0..periods {
        fill(&mut board, if period == 0 { all } else { members }, period * step);
        while board.work(BEGIN + period * step) == Work::Now {}
    }
    board
}

/// Returns a part with this number of periods, which keep their moments. All work for them is done.
fn part(members: usize, periods: u64) -> Board {
    let role = Role::Part { number: 0, parts: Parts::new(2, "PARTS").unwrap() };
    let specs: Vec<_> = board(Schema::default(), &["minute", "minute:3"], 100).specs().copied().collect();
    let mut part = Board::new(Schema { role, ..Schema::default() }, &specs).unwrap();
    for now in (0..periods).map(|period| BEGIN + period * MINUTE) {
        let origin = TimeSource::Decided { now: Some(now) };
        let write = Write { at: Some(now), origin, ..at(0) };
        let own = (0..).filter(|number| role.check(&name(*number)).is_ok()).take(members);
        own.for_each(|number| _ = part.add(&write, points(number), &name(number)).unwrap());
        while part.work(now) == Work::Now {}
    }
    part
}

fn voted(options: usize, voters: usize, limits: &[[&str; 4]]) -> Board {
    let mut board = board(Schema::default(), &FIVE, 1);
    let rule = |[name, scope, max, unit]: &[&str; 4]| {
        let mut rule =
            Rule::new(name.as_bytes(), scope.as_bytes(), max.parse().unwrap(), unit.as_bytes()).unwrap();
        rule.add_bonus(b"channel", b"acme", 5).unwrap();
        rule
    };
    let voting = RuleChanges { limits: limits.iter().map(rule).collect(), ..RuleChanges::default() };
    board.alter(&Alter { voting, ..Alter::default() }).unwrap();
    for number in 0..voters {
        let voter = format!("voter{number}");
        let ballot = Ballot { voter: Some(voter.as_bytes()), tags: &[(b"ip", b"1")] };
        let member = name(mixed(number) % options);
        board.vote(&at(number as u64 * 100), &ballot, (&member, 1)).unwrap();
    }
    board
}

fn declared(options: usize) -> Board {
    let mut board = board(Schema { shown: true, declared: true, ..Schema::default() }, &FIVE, 1);
    for number in 0..options {
        let origin = TimeSource::Decided { now: Some(BEGIN) };
        let said =
            Declaration { weight: Some(2), initial: Some(number as u64 + 1), ..Declaration::default() };
        board.declare(&name(number), said, origin).unwrap();
        board.vote(&at(1), &Ballot::default(), (&name(number), 1)).unwrap();
    }
    board
}

const LIMITS: [[&str; 4]; 3] = [
    ["daily", "voter", "5", "day"],
    ["flood", "member+ip", "1000000", "second"],
    ["ever", "voter+ip", "9", "all"],
];

pub fn all() -> Vec<Kind> {
    let mut all: Vec<Kind> = Vec::new();
    let mut add = |name: String, make: Box<dyn Fn() -> Board>| all.push((name, make));
    for members in [0, 1, 16, 60, 150, 256, 400, 1_024, 1_025] {
        add(format!("{members} members"), Box::new(move || plain(members)));
    }
    for members in [0, 400] {
        add(format!("{members} members with levels"), Box::new(move || with_levels(members)));
    }
    for n in [3, 10, 100, MOST] {
        add(format!("{n} request ids"), Box::new(move || with_requests(n)));
        add(format!("{n} short texts"), Box::new(move || with_texts(n, "x", |number| number)));
        add(format!("{n} texts"), Box::new(move || with_texts(n, "a text of a few words", mixed)));
        add(format!("{n} last scores"), Box::new(move || last(n, |number| number)));
        add(format!("{n} last scores in no order"), Box::new(move || last(n, mixed)));
        add(
            format!("five views of {n}"),
            Box::new(move || periods(board(Schema::default(), &FIVE, 1), n, n, 60 * MINUTE, 3)),
        );
        add(
            format!("rolling sums of {n}"),
            Box::new(move || periods(board(Schema::default(), &["day:7"], 1), n, n, DAY, 3)),
        );
        add(
            format!("rolling best scores of {n}"),
            Box::new(move || periods(board(of(Aggregate::Max), &["all", "day:7"], 2), n, n, DAY, 3)),
        );
        add(format!("votes for {n}"), Box::new(move || voted(n, 3 * n, &LIMITS)));
        add(format!("{n} declared options"), Box::new(move || declared(n)));
    }
    for (n, of, count) in [(5, 5, 300), (5, 300, 300), (300, 300, 40), (1, 300, 30)] {
        add(
            format!("{count} periods of {n} of {of}"),
            Box::new(move || periods(board(Schema::default(), &["minute"], 10_000), of, n, MINUTE, count)),
        );
    }
    for members in [5, 100, 200, 1_500] {
        add(format!("a part of {members}"), Box::new(move || part(members, 6)));
    }
    for (options, voters) in [(1, 4_000), (10, 9_000), (300, 2_000)] {
        add(format!("{voters} voters for {options}"), Box::new(move || voted(options, voters, &[])));
    }
    all.extend(segments::all());
    all
}
