//! Any commands leave a board whose invariants hold, with the scores of a plain map.
#![no_main]

use std::collections::BTreeMap;

use arbitrary::Arbitrary;
use leaderboard_core::board::{Condition, Effect, When, Write};
use leaderboard_core::schema::{Aggregate, Order, Ranks, Tally, Ties};
use leaderboard_core::time::Origin;
use leaderboard_core::view::{Kind, Share, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Step {
    Add {
        points: i64,
        member: u8,
    },
    /// A list of neighbours, so that boards grow large.
    AddMany {
        points: i16,
        first: u16,
        count: u8,
    },
    Set {
        score: i64,
        member: u8,
    },
    Remove {
        first: u16,
        count: u8,
    },
    SetMeta {
        member: u16,
        len: u8,
    },
    Wait(u16),
    /// So many minutes, and some seconds.
    Sleep(u8, u8),
    /// Some of what can be done ahead.
    Work(u8),
    Reload,
}

#[derive(Debug, Arbitrary)]
struct Input {
    rules: (bool, u8, u8),
    /// Which views there are beside `all`.
    views: u8,
    steps: Vec<(Step, Option<u8>)>,
}

struct Game {
    board: Board,
    scores: BTreeMap<Vec<u8>, i128>,
    wall: u64,
}

fn schema((ascending, aggregate, ties): (bool, u8, u8)) -> Schema {
    Schema {
        order: if ascending { Order::Asc } else { Order::Desc },
        aggregate: [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last]
            [usize::from(aggregate % 4)],
        ties: [Ties::First, Ties::Last, Ties::Lex][usize::from(ties % 3)],
        dedup: 1,
        ..Schema::default()
    }
}

fn specs(views: u8, aggregate: Aggregate) -> Vec<Spec> {
    let mut specs = vec![Spec::new(Kind::All)];
    for (bit, view) in ["minute", "minute:3", "hour", "300s:2", "day:7"].into_iter().enumerate() {
        if views >> bit & 1 == 1 {
            let kind = Kind::parse(view.as_bytes()).expect("a view");
            let half = Share::from_billionths(500_000_000);
            let carry = half.filter(|_| !kind.is_rolling() && aggregate == Aggregate::Sum);
            specs.push(Spec { carry, retain: u32::from(views >> 5), ..Spec::new(kind) });
        }
    }
    specs
}

fn name(number: u16) -> Vec<u8> {
    [&number.to_be_bytes()[..], &vec![b'x'; usize::from(number % 29)]].concat()
}

fn names(first: u16, count: u8) -> Vec<Vec<u8>> {
    (0..u16::from(count)).map(|more| name(first.wrapping_add(more) % 2_000)).collect()
}

fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

fn reload(chunks: &[Vec<u8>]) -> Board {
    let mut board = Board::load(&chunks[0]).expect("a saved head");
    for (number, chunk) in chunks.iter().enumerate().skip(1) {
        assert_eq!(board.absorb(chunk), Ok(number + 1 == chunks.len()));
    }
    board
}

/// What the aggregate makes of points that come to a score, as time never runs back here.
fn added(aggregate: Aggregate, old: Option<i128>, points: i128) -> i128 {
    match (aggregate, old) {
        (_, None) | (Aggregate::Last, _) => points,
        (Aggregate::Sum, Some(old)) => old + points,
        (Aggregate::Max, Some(old)) => old.max(points),
        (Aggregate::Min, Some(old)) => old.min(points),
    }
}

impl Game {
    fn write(&mut self, id: Option<&[u8]>, points: i64, members: &[Vec<u8>]) -> Result<(), Error> {
        let origin = Origin::Client { wall: self.wall, max_future: 0 };
        let write = Write { at: None, request: id, origin, with_change: false, view: None };
        let points = Decimal::whole(points);
        let effect = match members {
            [member] => self.board.add(&write, points, member)?.effect,
            members => {
                let pairs: Vec<_> = members.iter().map(|member| (points, &member[..])).collect();
                self.board.add_many(&write, &pairs)?.0
            }
        };
        if let Effect::Applied(_) = effect {
            let units = i128::from(points.to_score(0, "points")?.units());
            for member in members {
                let old = self.scores.get(member).copied();
                self.scores.insert(member.clone(), added(self.board.schema().aggregate, old, units));
            }
        }
        Ok(())
    }

    fn set(&mut self, id: Option<&[u8]>, score: i64, member: Vec<u8>) -> Result<(), Error> {
        let origin = Origin::Client { wall: self.wall, max_future: 0 };
        let write = Write { at: None, request: id, origin, with_change: false, view: None };
        let outcome = self.board.set(&write, Decimal::whole(score), &member, Condition::default())?;
        if let Effect::Applied(_) = outcome.effect {
            self.scores.insert(member, score.into());
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, id: Option<&[u8]>) -> Result<(), Error> {
        match *step {
            Step::Add { points, member } => self.write(id, points, &[name(member.into())])?,
            Step::AddMany { points, first, count } => self.write(id, points.into(), &names(first, count))?,
            Step::Set { score, member } => self.set(id, score, name(member.into()))?,
            Step::Remove { first, count } => {
                for member in names(first, count) {
                    let had_text = self.board.meta(&member).is_some();
                    let had_score = self.scores.remove(&member).is_some();
                    assert_eq!(self.board.remove(&member), had_text || had_score);
                }
            }
            Step::SetMeta { member, len } => {
                self.board.set_meta(&name(member % 2_000), &vec![b'm'; len.into()])?;
            }
            Step::Wait(millis) => self.wall += u64::from(millis),
            Step::Sleep(minutes, seconds) => {
                self.wall += u64::from(minutes) * 60_000 + u64::from(seconds) * 1_000;
                self.board.advance(self.wall);
            }
            Step::Work(times) => {
                for _ in 0..times {
                    self.board.work(self.wall);
                }
            }
            Step::Reload => self.board = reload(&saved(&self.board)),
        }
        Ok(())
    }

    fn check(&self) {
        self.board.check();
        assert_eq!(self.board.len(), self.scores.len() as u64);
        for row in
            self.board.read(None, When::Now, Tally::Shown).expect("the view all").rows(0, u64::MAX, Ranks::Competition)
        {
            let score = i128::from(row.score.units());
            assert_eq!(self.scores.get(self.board.name(row.id)), Some(&score));
        }
    }
}

fuzz_target!(|input: Input| {
    let schema = schema(input.rules);
    let board = Board::new(schema, &specs(input.views, schema.aggregate)).expect("a sound schema");
    let mut game = Game { board, scores: BTreeMap::new(), wall: 1_700_000_000_000 };
    for (step, id) in &input.steps {
        let id = id.map(|id| [id % 16]);
        game.board.advance(game.wall);
        let before = saved(&game.board);
        if game.step(step, id.as_ref().map(|id| &id[..])).is_err() {
            assert!(saved(&game.board) == before, "an error changed something: {step:?}");
        }
        game.check();
    }
});
