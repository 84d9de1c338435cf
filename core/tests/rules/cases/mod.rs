//! Cases with results worked out by hand from the specification. This file has the `Desk` that they use. It returns
//! rows as text: `1 ann 9, 2 bob 5`.

mod around;
mod bounds;
mod ends;
mod figures;
mod hiding;
mod keeping;
mod levels;
mod metas;
mod sets;

use leaderboard_core::Board;
use leaderboard_core::board::Condition;
use leaderboard_core::schema::{Aggregate, Ranks, Tally, Ties};

use crate::play::{self, Read};
use leaderboard_testkit::board::read::Row;
use leaderboard_testkit::board::score::{self, Level, Score};
use leaderboard_testkit::board::{Fate, KINDS, Kind, Name, Op, Rules, Sent};

/// A midnight, UTC.
const MIDNIGHT: u64 = 1_699_920_000_000;
const DAY: u64 = 86_400_000;

fn kind(name: &str) -> Kind {
    *KINDS.iter().find(|kind| kind.name == name).unwrap()
}

fn kinds(names: &[&str]) -> Vec<Kind> {
    names.iter().map(|name| kind(name)).collect()
}

fn plain() -> Rules {
    Rules {
        ascending: false,
        aggregate: Aggregate::Sum,
        ties: Ties::First,
        decimals: 0,
        is_event: false,
        levels: Vec::new(),
        kinds: kinds(&["all"]),
        retain: 3,
        keep: 0,
        shown: false,
    }
}

fn viewed(names: &[&str]) -> Rules {
    Rules { kinds: kinds(names), ..plain() }
}

fn keeping(keep: usize, names: &[&str]) -> Rules {
    Rules { keep, ..viewed(names) }
}

const fn level(name: &'static str, ascending: bool, max: i64) -> Level {
    Level { name, ascending, max }
}

/// Returns the rules of a board with the levels `gold:DESC:100,silver:DESC:100,faults:ASC:100`.
fn medals() -> Rules {
    let levels = vec![level("gold", false, 100), level("silver", false, 100), level("faults", true, 100)];
    Rules { levels, ..plain() }
}

struct Desk {
    board: Board,
    rules: Rules,
    now: u64,
}

/// The parameters of a read of a period.
struct Look<'a> {
    desk: &'a Desk,
    view: &'static str,
    tally: Tally,
    back: u64,
    ranks: Ranks,
    rev: bool,
}

fn desk(rules: Rules) -> Desk {
    let board = play::made(&rules).unwrap();
    Desk { board, rules, now: MIDNIGHT }
}

/// Returns a desk whose members got these scores, one after the other.
fn with(rules: Rules, scores: &[(&str, i64)]) -> Desk {
    let mut desk = desk(rules);
    for (name, score) in scores {
        desk.now += 1;
        desk.add(name, [*score]);
    }
    desk
}

fn names(list: &str) -> Vec<Name> {
    list.split(' ').map(|name| name.as_bytes().to_vec()).collect()
}

impl Desk {
    /// Sends a write, and returns its reply as text: `rank score` or `-` for each member, or the error.
    fn send(&mut self, sent: &Sent, at: Option<u64>) -> String {
        let told = play::send(&mut self.board, &self.rules, sent, at, play::client(self.now));
        self.board.check();
        match told {
            Err(error) => error.to_string(),
            Ok(told) => {
                let places = told.now.iter().map(|place| match place {
                    Some((score, rank)) => format!("{rank} {}", score::shown(&self.rules, score)),
                    None => "-".to_owned(),
                });
                let fate = match told.fate {
                    Fate::Applied(..) => "",
                    Fate::Repeated => " repeated",
                    Fate::HeldBack => " held back",
                };
                places.collect::<Vec<_>>().join(", ") + fate
            }
        }
    }

    fn write(&mut self, op: Op) -> String {
        self.send(&Sent { op, id: None, view: 0, meta: None }, None)
    }

    fn add<const N: usize>(&mut self, name: &str, points: [i64; N]) -> String {
        self.write(Op::Add(points.to_vec(), name.into()))
    }

    /// Adds points for an event at this number of milliseconds after `MIDNIGHT`.
    fn add_at(&mut self, name: &str, points: i64, at: u64) -> String {
        let op = Op::Add(vec![points], name.into());
        self.send(&Sent { op, id: None, view: 0, meta: None }, Some(MIDNIGHT + at))
    }

    fn set<const N: usize>(&mut self, name: &str, score: [i64; N]) -> String {
        self.write(Op::Set(score.to_vec(), name.into(), Condition::default()))
    }

    /// Sets scores like LB.MSET, in the first view.
    fn set_many(&mut self, pairs: &[(i64, &str)]) -> String {
        self.write(Op::SetMany(pairs_of(pairs)))
    }

    fn add_many(&mut self, pairs: &[(i64, &str)]) -> String {
        self.write(Op::Many(pairs_of(pairs)))
    }

    fn hide(&mut self, list: &str) {
        names(list).iter().for_each(|name| assert!(play::hide(&mut self.board, name)));
    }

    fn unhide(&mut self, list: &str) {
        self.board.advance(self.now);
        names(list).iter().for_each(|name| assert!(play::unhide(&mut self.board, name)));
    }

    fn remove(&mut self, name: &str) -> bool {
        self.board.advance(self.now);
        self.board.remove(name.as_bytes())
    }

    fn keep(&mut self, keep: usize) {
        self.board.advance(self.now);
        play::set_keep(&mut self.board, keep).unwrap();
    }

    /// Moves the clock to one second after the start of this day. `MIDNIGHT` begins day 0.
    fn go_to_day(&mut self, day: u64) {
        self.now = MIDNIGHT + day * DAY + 1_000;
        self.board.advance(self.now);
    }

    fn meta(&self, name: &str) -> Option<&[u8]> {
        self.board.meta(name.as_bytes())
    }

    fn see(&self, view: &'static str) -> Look<'_> {
        Look { desk: self, view, tally: Tally::Shown, back: 0, ranks: Ranks::Ordinal, rev: false }
    }

    /// Returns all rows of the first view.
    fn top(&self) -> String {
        self.see(self.rules.kinds[0].name).rows()
    }
}

fn pairs_of(pairs: &[(i64, &str)]) -> Vec<(Score, Name)> {
    pairs.iter().map(|(score, name)| (vec![*score], name.as_bytes().to_vec())).collect()
}

fn told(rules: &Rules, rows: &[Row]) -> String {
    let row = |(rank, name, score): &Row| {
        format!("{rank} {} {}", String::from_utf8_lossy(name), score::shown(rules, score))
    };
    rows.iter().map(row).collect::<Vec<_>>().join(", ")
}

impl<'a> Look<'a> {
    fn ago(self, back: u64) -> Self {
        Self { back, ..self }
    }

    fn rev(self) -> Self {
        Self { rev: true, ..self }
    }

    fn by(self, ranks: Ranks) -> Self {
        Self { ranks, ..self }
    }

    fn real(self) -> Self {
        Self { tally: Tally::Real, ..self }
    }

    fn read(&self) -> Read<'a> {
        let Desk { board, rules, .. } = self.desk;
        Read::new(board, rules, (kind(self.view), self.tally), self.back).counted(self.ranks, self.rev)
    }

    fn rows(&self) -> String {
        told(&self.desk.rules, &self.read().rows(0, u64::MAX))
    }

    fn range(&self, first: i64, last: i64) -> String {
        told(&self.desk.rules, &self.read().range(first, last))
    }

    fn around(&self, name: &str, above: u64, below: u64) -> String {
        told(&self.desk.rules, &self.read().around(name.as_bytes(), [above, below], false))
    }

    fn filled(&self, name: &str, above: u64, below: u64) -> String {
        told(&self.desk.rules, &self.read().around(name.as_bytes(), [above, below], true))
    }

    /// Returns rows as text: `place name score (rank)`.
    fn among(&self, list: &str) -> String {
        let rows = self.read().among(&names(list));
        let row = |(place, name, score, rank): &(u64, Name, Score, u64)| {
            let score = score::shown(&self.desk.rules, score);
            format!("{place} {} {score} ({rank})", String::from_utf8_lossy(name))
        };
        rows.iter().map(row).collect::<Vec<_>>().join(", ")
    }

    fn rank(&self, name: &str) -> Option<u64> {
        self.read().position(name.as_bytes()).map(|(rank, _)| rank)
    }

    fn between(&self, min: &str, max: &str) -> String {
        let (count, rows) = self.read().between([min, max], 0, u64::MAX);
        assert_eq!(count, rows.len() as u64);
        told(&self.desk.rules, &rows)
    }

    fn quantile(&self, billionths: u64) -> Option<Score> {
        self.read().quantile(billionths)
    }
}
