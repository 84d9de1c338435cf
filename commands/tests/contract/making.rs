//! Boards of random rules: the words that make them, and their models.

use leaderboard_testkit::random::Random;

use super::board::{Aggregate, Board, Rules, Table, Ties};
use super::calendar::{DAY, HOUR, MINUTE, View, Zone};

/// The first moment of all sessions: Monday the second of March 2026, 00:00 UTC.
pub const BEGIN: i64 = 1_772_409_600_000;

const ZONES: [(&str, i64); 3] = [("UTC", 0), ("+05:30", 5 * HOUR + 30 * MINUTE), ("-03:00", -3 * HOUR)];
const VIEWS: [&str; 7] = ["all", "hour", "day", "day:3", "week", "5400s", "hour:4"];

/// Makes a board of random rules. Returns the words that make it, and the board.
pub fn board(random: &mut Random, begin: i64) -> (String, Board) {
    let (name, offset) = *random.pick(&ZONES);
    let zone = Zone { name, offset, origin: *random.pick(&[0, BEGIN + 7 * MINUTE]) };
    let views = views(random, &zone);
    let aggregate =
        *random.pick(&[Aggregate::Sum, Aggregate::Sum, Aggregate::Sum, Aggregate::Max, Aggregate::Last]);
    let has_rolling = views.iter().any(View::is_rolling);
    let ties = match random.below(if aggregate == Aggregate::Sum || !has_rolling { 6 } else { 2 }) {
        0 => Ties::Lex,
        1 => Ties::RevLex,
        2 | 3 => Ties::First,
        _ => Ties::Last,
    };
    let has_events = random.percent(50);
    let retain = views.iter().map(|view| (view.name.clone(), random.within(0..4))).collect();
    let mut board = Board {
        zone,
        views,
        aggregate,
        descending: random.percent(70),
        ties,
        has_events,
        last: if has_events { 0 } else { begin },
        retain,
        floor: [].into(),
        prize_days: *random.pick(&[1, 2, 4, 30]),
        dimensions: dimensions(random, aggregate),
        writes: Vec::new(),
        moves: Vec::new(),
        changes: Vec::new(),
        commands: 0,
        hidden: [].into(),
        joined: [].into(),
        rules: Rules { declared: random.percent(20), ..Rules::default() },
        attempts: Vec::new(),
        requests: [].into(),
        tables: Vec::new(),
        fixed: [].into(),
        claims: [].into(),
    };
    let tables = tables(random, &board, board.last);
    let words = words(&board, &tables);
    board.tables = tables;
    (words, board)
}

fn views(random: &mut Random, zone: &Zone) -> Vec<View> {
    let mut names = VIEWS;
    random.shuffle(&mut names);
    let count = random.within(2..5) as usize;
    names[..count].iter().map(|name| View::new(name, zone)).collect()
}

fn dimensions(random: &mut Random, aggregate: Aggregate) -> Vec<(String, String)> {
    if random.percent(50) {
        return Vec::new();
    }
    let _ = aggregate;
    let all = [("country", "SUM"), ("guild", "COUNT"), ("team", "BEST")];
    let all = all.iter().filter(|_| random.percent(70));
    all.map(|(name, kind)| ((*name).to_owned(), (*kind).to_owned())).collect()
}

fn tables(random: &mut Random, board: &Board, now: i64) -> Vec<Table> {
    let mut all = Vec::new();
    for view in board.views.iter().filter(|view| !view.is_all()) {
        let dimensions = board.dimensions.iter().map(|dimension| dimension.0.as_str());
        for per in [""].into_iter().chain(dimensions) {
            if random.percent(60) {
                all.push(Table { view: view.name.clone(), per: per.to_owned(), places: places(random), now });
            }
        }
    }
    all
}

/// Returns a random prize table that is not empty.
pub fn places(random: &mut Random) -> String {
    let count = random.within(1..4);
    let all: Vec<_> = (0..count).map(|place| format!("{}=p{place}", one_place(random))).collect();
    all.join(",")
}

fn one_place(random: &mut Random) -> String {
    let first = random.within(1..4);
    match random.below(5) {
        0 => first.to_string(),
        1 => format!("{first}-{}", first + random.within(0..3)),
        2 => format!(
            "{first}-{}%",
            random.pick(&["1", "25", "33.3", "34", "50", "66.67", "100", "0.01", "60"])
        ),
        3 => format!(">={}", random.within(-5..25)),
        _ => format!("<={}", random.within(-5..25)),
    }
}

fn words(board: &Board, tables: &[Table]) -> String {
    let names: Vec<_> = board.views.iter().map(|view| view.name.as_str()).collect();
    let retain = board.views.iter().filter(|view| !view.is_all());
    let retain: Vec<_> = retain.map(|view| format!("{}={}", view.name, board.retain[&view.name])).collect();
    let dimensions = board.dimensions.iter().map(|(name, kind)| format!("{name}:{kind}"));
    let dimensions: Vec<_> = dimensions.collect();
    let mut words = format!("LB.CREATE b VIEWS {} RETAIN {}", names.join(","), retain.join(","));
    words += &format!(" TZ {} ORIGIN {} DEDUP 9999999", board.zone.name, board.zone.origin);
    words += &format!(" AGGREGATE {}", format!("{:?}", board.aggregate).to_uppercase());
    words += &format!(" TIES {}", format!("{:?}", board.ties).to_uppercase());
    words += &format!(" PRIZEDAYS {}", board.prize_days);
    words += if board.descending { "" } else { " ORDER ASC" };
    words += if board.has_events { " CLOCK EVENT" } else { "" };
    words += if board.rules.declared { " DECLARED" } else { "" };
    if !dimensions.is_empty() {
        words += &format!(" SEGMENTS {}", dimensions.join(","));
    }
    tables.iter().fold(words, |words, table| words + &table_words(table))
}

/// Returns the option that sets a table.
pub fn table_words(table: &Table) -> String {
    let places = if table.places.is_empty() { "<empty>" } else { &table.places };
    let per = if table.per.is_empty() { String::new() } else { format!(" PER {}", table.per) };
    format!(" PRIZES {} {places}{per}", table.view)
}

/// Returns how far the clock goes on.
pub fn step(random: &mut Random, board: &Board, now: i64) -> i64 {
    let boundary = |random: &mut Random| {
        let view = random.pick(&board.views);
        if view.is_all() { 1 } else { view.unit.left(now) + random.within(-1..2) }
    };
    match random.below(100) {
        0..55 => 0,
        55..65 => 1,
        65..75 => random.within(1..20 * MINUTE),
        75..95 => boundary(random).max(0),
        95..98 => random.within(0..8 * HOUR),
        _ => random.within(0..6) * DAY + boundary(random).max(0),
    }
}
