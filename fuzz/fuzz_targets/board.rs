//! Any commands leave a board whose invariants hold, with the scores of plain maps; and a replica that
//! is told what was decided saves the same bytes.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Arbitrary;
use leaderboard_core::board::{Alter, Condition, Declaration, Edit, Effect, Retain, Verdict, When, Write};
use leaderboard_core::campaign::Changes;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Aggregate, Order, Ranks, Tally, Ties};
use leaderboard_core::time::{Clock, Origin, Stamp};
use leaderboard_core::view::{Kind, Share, Spec};
use leaderboard_core::{Board, Decimal, Error, Schema};
use libfuzzer_sys::fuzz_target;

/// The views that there may be beside `all`.
const VIEWS: [&str; 5] = ["minute", "minute:3", "hour", "300s:2", "day:7"];
const WEIGHTS: [u32; 4] = [0, 1, 3, 1_000_000_000];
const SCOPES: [&str; 4] = ["voter", "member", "ip", "voter+member"];
const UNITS: [&str; 5] = ["second", "minute", "hour", "day", "all"];

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
        condition: u8,
    },
    Vote {
        votes: u32,
        member: u8,
        ballot: u8,
        late: u16,
    },
    VoteMany {
        votes: u8,
        first: u16,
        count: u8,
        ballot: u8,
        late: u16,
    },
    Declare {
        member: u16,
        weight: Option<u8>,
        initial: Option<u64>,
    },
    /// A list of neighbours, so that there are many options.
    DeclareMany {
        first: u16,
        count: u8,
        initial: u8,
    },
    Views(u8),
    Retain(u8),
    Carry(u8, u8),
    Limit {
        rule: u8,
        scope: u8,
        max: u8,
        unit: u8,
    },
    Lift(u8),
    /// Minutes from now; nothing takes a bound away.
    Hours(Option<i8>, Option<i8>),
    Dedup(u8),
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
    Compare,
}

#[derive(Debug, Arbitrary)]
struct Input {
    rules: (bool, u8, u8),
    /// Shown votes apart from real ones, declared options only, a clock of events.
    kind: (bool, bool, bool),
    /// Which views there are beside `all`.
    views: u8,
    steps: Vec<(Step, Option<u8>)>,
}

struct Game {
    board: Board,
    /// It is told what was decided, and nothing else.
    replica: Board,
    scores: BTreeMap<Vec<u8>, i128>,
    /// The same for real votes, where they are counted apart.
    real: BTreeMap<Vec<u8>, i128>,
    /// Options: weight, initial votes.
    options: BTreeMap<Vec<u8>, (u32, u64)>,
    /// Members with voters.
    voted: BTreeSet<Vec<u8>>,
    wall: u64,
}

fn schema(
    (ascending, aggregate, ties): (bool, u8, u8),
    (shown, declared, events): (bool, bool, bool),
) -> Schema {
    let aggregates = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
    // Most have sums, since only those can be voted on.
    let aggregate = aggregates[usize::from((aggregate % 8).saturating_sub(4))];
    let is_sum = aggregate == Aggregate::Sum;
    Schema {
        order: if ascending { Order::Asc } else { Order::Desc },
        aggregate,
        ties: [Ties::First, Ties::Last, Ties::Lex][usize::from(ties % 3)],
        clock: if events { Clock::Event } else { Clock::Server },
        dedup: 1,
        shown: shown && is_sum,
        declared: declared && is_sum,
        ..Schema::default()
    }
}

fn kind(view: &str) -> Kind {
    Kind::parse(view.as_bytes()).expect("a view")
}

fn specs(views: u8, aggregate: Aggregate) -> Vec<Spec> {
    let mut specs = vec![Spec::new(Kind::All)];
    for (bit, view) in VIEWS.into_iter().enumerate() {
        if views >> bit & 1 == 1 {
            let kind = kind(view);
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

fn rule(rule: u8, scope: u8, max: u8, unit: u8) -> Rule {
    let scope = SCOPES[usize::from(scope) % SCOPES.len()].as_bytes();
    let unit = UNITS[usize::from(unit) % UNITS.len()].as_bytes();
    let mut rule = Rule::new(&[b'a' + rule % 4], scope, u64::from(max) + 1, unit).expect("a rule");
    if max % 2 == 1 {
        rule.add_bonus(b"ip", b"1", 5).expect("a bonus");
    }
    rule
}

/// Who votes: perhaps nobody, perhaps without a tag.
struct Voter {
    name: Option<[u8; 1]>,
    address: Option<[u8; 1]>,
}

impl Voter {
    fn new(ballot: u8) -> Self {
        let name = (ballot % 32 != 0).then_some([b'A' + ballot % 32]);
        Self { name, address: (ballot < 224).then_some([b'0' + ballot / 32]) }
    }

    fn cast<T>(&self, vote: impl FnOnce(&Ballot) -> T) -> T {
        let tags: Vec<(&[u8], &[u8])> = self.address.iter().map(|ip| (&b"ip"[..], &ip[..])).collect();
        vote(&Ballot { voter: self.name.as_ref().map(|name| &name[..]), tags: &tags })
    }
}

/// A write as the primary decided it.
fn decided(stamp: Stamp, id: Option<&[u8]>) -> Write<'_> {
    let origin = Origin::Decided { now: Some(stamp.now) };
    Write { at: Some(stamp.at), request: id, origin, with_change: false, view: None }
}

impl Game {
    const fn origin(&self) -> Origin {
        Origin::Client { wall: self.wall, max_future: 0 }
    }

    fn now(&self) -> u64 {
        self.board.now_of(self.origin())
    }

    fn write_of<'a>(&self, id: Option<&'a [u8]>, late: u16) -> Write<'a> {
        let is_event = self.board.schema().clock == Clock::Event;
        // Some seconds, or some minutes.
        let late = u64::from(late).saturating_sub(20_000) * 10;
        let at = (is_event || late > 0).then_some(self.wall - late);
        Write { at, request: id, origin: self.origin(), with_change: false, view: None }
    }

    fn write(&mut self, id: Option<&[u8]>, points: i64, members: &[Vec<u8>]) -> Result<(), Error> {
        let write = self.write_of(id, 0);
        let points = Decimal::whole(points);
        let effect = match members {
            [member] => self.board.add(&write, points, member)?.effect,
            members => {
                let pairs: Vec<_> = members.iter().map(|member| (points, &member[..])).collect();
                self.board.add_many(&write, &pairs)?.0
            }
        };
        if let Effect::Applied(stamp) = effect {
            let again = decided(stamp, id);
            match members {
                [member] => _ = self.replica.add(&again, points, member).expect("what was decided"),
                members => {
                    let pairs: Vec<_> = members.iter().map(|member| (points, &member[..])).collect();
                    self.replica.add_many(&again, &pairs).expect("what was decided");
                }
            }
            let units = i128::from(points.to_score(0, "points")?.units());
            let aggregate = self.board.schema().aggregate;
            for member in members {
                for scores in [&mut self.scores, &mut self.real] {
                    let old = scores.get(member).copied();
                    scores.insert(member.clone(), added(aggregate, old, units));
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, id: Option<&[u8]>, score: i64, member: Vec<u8>, condition: u8) -> Result<(), Error> {
        let write = self.write_of(id, 0);
        let condition = Condition {
            present: [None, None, Some(true), Some(false)][usize::from(condition % 4)],
            compared: [None, None, Some(std::cmp::Ordering::Less), Some(std::cmp::Ordering::Greater)]
                [usize::from(condition / 4 % 4)],
        };
        let before = saved(&self.board);
        let outcome = self.board.set(&write, Decimal::whole(score), &member, condition)?;
        match outcome.effect {
            Effect::Applied(stamp) => {
                let again = self.replica.set(&decided(stamp, id), Decimal::whole(score), &member, condition);
                assert_eq!(again.expect("what was decided").now, outcome.now);
                let score = i128::from(score);
                let old = self.scores.insert(member.clone(), score);
                if self.board.schema().aggregate == Aggregate::Sum {
                    *self.real.entry(member).or_default() += score - old.unwrap_or(0);
                } else {
                    self.real.insert(member, score);
                }
            }
            Effect::HeldBack => assert!(saved(&self.board) == before, "what was held back changed something"),
            Effect::Repeated => {}
        }
        Ok(())
    }

    fn vote(
        &mut self,
        id: Option<&[u8]>,
        votes: u64,
        members: &[Vec<u8>],
        ballot: u8,
        late: u16,
    ) -> Result<(), Error> {
        let voter = Voter::new(ballot);
        let write = self.write_of(id, late);
        let pairs: Vec<_> = members.iter().map(|member| (&member[..], votes)).collect();
        let before = saved(&self.board);
        let verdict = voter.cast(|ballot| match pairs[..] {
            [pair] => match self.board.vote(&write, ballot, pair)? {
                Verdict::Accepted(outcome) => Ok(Verdict::Accepted(outcome.effect)),
                Verdict::HeldBack { rule, wait } => Ok(Verdict::HeldBack { rule, wait }),
            },
            _ => match self.board.vote_many(&write, ballot, &pairs)? {
                Verdict::Accepted((effect, _)) => Ok(Verdict::Accepted(effect)),
                Verdict::HeldBack { rule, wait } => Ok(Verdict::HeldBack { rule, wait }),
            },
        })?;
        let stamp = match verdict {
            Verdict::Accepted(Effect::Applied(stamp)) => stamp,
            Verdict::Accepted(_) => return Ok(()),
            Verdict::HeldBack { rule, wait } => {
                assert!(rule == b"closed" || self.board.limits().any(|limit| limit.name() == rule));
                assert_ne!(wait, Some(0));
                assert!(saved(&self.board) == before, "what was held back changed something");
                return Ok(());
            }
        };
        let again = decided(stamp, id);
        voter.cast(|ballot| match pairs[..] {
            [pair] => {
                let verdict = self.replica.vote(&again, ballot, pair);
                assert!(matches!(verdict, Ok(Verdict::Accepted(_))), "{verdict:?}");
            }
            _ => {
                let verdict = self.replica.vote_many(&again, ballot, &pairs);
                assert!(matches!(verdict, Ok(Verdict::Accepted(_))), "{verdict:?}");
            }
        });
        for member in members {
            let weight = self.options.get(member).map_or(1, |(weight, _)| *weight);
            *self.scores.entry(member.clone()).or_default() += i128::from(votes) * i128::from(weight);
            *self.real.entry(member.clone()).or_default() += i128::from(votes);
            if voter.name.is_some() {
                self.voted.insert(member.clone());
            }
        }
        Ok(())
    }

    fn declare(&mut self, member: Vec<u8>, weight: Option<u32>, initial: Option<u64>) -> Result<(), Error> {
        let said = Declaration { weight, initial };
        let (known, next) = (self.options.contains_key(&member), self.now());
        let changed = self.board.declare(&member, said, self.origin())?;
        let (old_weight, old) = self.options.get(&member).copied().unwrap_or((1, 0));
        let new = (weight.unwrap_or(old_weight), initial.unwrap_or(old));
        assert_eq!(changed, (!known || new != (old_weight, old)).then_some(next));
        if let Some(now) = changed {
            let again = self.replica.declare(&member, said, Origin::Decided { now: Some(now) });
            assert_eq!(again, Ok(Some(now)));
        }
        if new.1 != old {
            *self.scores.entry(member.clone()).or_default() += i128::from(new.1) - i128::from(old);
        }
        self.options.insert(member, new);
        Ok(())
    }

    fn alter(&mut self, alter: &Alter) -> Result<(), Error> {
        let now = self.now();
        self.board.advance(now);
        self.board.alter(alter)?;
        self.replica.advance(now);
        assert_eq!(self.replica.alter(alter), Ok(()));
        Ok(())
    }

    fn alter_voting(&mut self, voting: Changes) -> Result<(), Error> {
        self.alter(&Alter { voting, ..Alter::default() })
    }

    fn step(&mut self, step: &Step, id: Option<&[u8]>) -> Result<(), Error> {
        let view = |number: u8| kind(VIEWS[usize::from(number) % VIEWS.len()]);
        match *step {
            Step::Add { points, member } => self.write(id, points, &[name(member.into())])?,
            Step::AddMany { points, first, count } => self.write(id, points.into(), &names(first, count))?,
            Step::Set { score, member, condition } => self.set(id, score, name(member.into()), condition)?,
            Step::Vote { votes, member, ballot, late } => {
                self.vote(id, u64::from(votes) + 1, &[name(member.into())], ballot, late)?;
            }
            Step::VoteMany { votes, first, count, ballot, late } => {
                self.vote(id, u64::from(votes) + 1, &names(first, count), ballot, late)?;
            }
            Step::Declare { member, weight, initial } => {
                let weight = weight.map(|weight| WEIGHTS[usize::from(weight) % WEIGHTS.len()]);
                self.declare(name(member % 2_000), weight, initial)?;
            }
            Step::DeclareMany { first, count, initial } => {
                for member in names(first, count) {
                    if self.declare(member, None, Some(initial.into())).is_err() {
                        break;
                    }
                }
            }
            Step::Views(number) => {
                let kind = view(number);
                let edit = if self.board.view_of(kind).is_some() { Edit::Drop } else { Edit::Add };
                self.alter(&Alter { views: vec![(kind, edit)], ..Alter::default() })?;
            }
            Step::Retain(number) => {
                self.alter(&Alter { retain: Some(Retain::All(u32::from(number % 8))), ..Alter::default() })?;
            }
            Step::Carry(number, share) => {
                let share = Share::from_billionths(u32::from(share) * 3_900_000);
                self.alter(&Alter { carry: vec![(view(number), share)], ..Alter::default() })?;
            }
            Step::Limit { rule: name, scope, max, unit } => {
                let limits = vec![rule(name, scope, max, unit)];
                self.alter_voting(Changes { limits, ..Changes::default() })?;
            }
            Step::Lift(rule) => {
                let lifted = vec![vec![b'a' + rule % 4]];
                self.alter_voting(Changes { lifted, ..Changes::default() })?;
            }
            Step::Hours(opens, closes) => {
                let hour = |minutes: Option<i8>| {
                    minutes.map_or(0, |minutes| self.wall.saturating_add_signed(i64::from(minutes) * 60_000))
                };
                let (opens, closes) = (Some(hour(opens)), Some(hour(closes)));
                self.alter_voting(Changes { opens, closes, ..Changes::default() })?;
            }
            Step::Dedup(seconds) => {
                self.alter(&Alter { dedup: Some(u32::from(seconds)), ..Alter::default() })?;
            }
            Step::Remove { first, count } => {
                for member in names(first, count) {
                    let had_text = self.board.meta(&member).is_some();
                    let had_option = self.options.remove(&member).is_some();
                    let had_voters = self.voted.remove(&member);
                    let had_score =
                        self.scores.remove(&member).is_some() | self.real.remove(&member).is_some();
                    let had_any = had_text || had_option || had_voters || had_score;
                    assert_eq!(self.board.remove(&member), had_any);
                    assert_eq!(self.replica.remove(&member), had_any);
                }
            }
            Step::SetMeta { member, len } => {
                let changed = self.board.set_meta(&name(member % 2_000), &vec![b'm'; len.into()])?;
                assert_eq!(
                    self.replica.set_meta(&name(member % 2_000), &vec![b'm'; len.into()]),
                    Ok(changed)
                );
            }
            Step::Wait(millis) => self.wall += u64::from(millis),
            Step::Sleep(minutes, seconds) => {
                self.wall += u64::from(minutes) * 60_000 + u64::from(seconds) * 1_000;
                self.board.advance(self.now());
            }
            Step::Work(times) => {
                for _ in 0..times {
                    self.board.work(self.now());
                }
            }
            Step::Reload => self.board = reload(&saved(&self.board)),
            Step::Compare => self.compare(),
        }
        Ok(())
    }

    fn compare(&mut self) {
        let now = self.now();
        self.board.advance(now);
        self.replica.advance(now);
        let (board, replica) = (saved(&self.board), saved(&self.replica));
        assert!(board == replica, "the replica is another board");
    }

    fn check(&self) {
        self.board.check();
        assert_eq!(self.board.len(), self.scores.len() as u64);
        self.check_scores(Tally::Shown, &self.scores);
        if self.board.schema().shown {
            self.check_scores(Tally::Real, &self.real);
        }
        let (next, page) = self.board.options(0, usize::MAX);
        assert!(next != 0 || page.len() == self.options.len());
        for option in page {
            let name = self.board.name(option.id);
            let (weight, initial) = self.options[name];
            assert_eq!((option.choice.weight, option.choice.initial.units()), (weight, initial as i64));
            assert_eq!(i128::from(option.shown.units()), self.scores.get(name).copied().unwrap_or(0));
            assert_eq!(i128::from(option.real.units()), self.real.get(name).copied().unwrap_or(0));
            assert_eq!(option.voters > 0, self.voted.contains(name));
        }
        for spec in self.board.specs() {
            let view = spec.kind.to_string();
            for when in [When::Now, When::Back(1)] {
                self.board.voters(None, Some(view.as_bytes()), Some(when)).expect("a view");
            }
        }
        Voter::new(33).cast(|ballot| {
            let quota = self.board.quota(ballot, Some(b"m"), None, self.origin()).expect("no moment");
            assert_eq!(quota.len(), self.board.limits().count());
        });
    }

    fn check_scores(&self, tally: Tally, scores: &BTreeMap<Vec<u8>, i128>) {
        let reading = self.board.read(None, When::Now, tally).expect("the view all");
        let mut count = 0;
        for row in reading.rows(0, u64::MAX, Ranks::Competition) {
            let score = i128::from(row.score.units());
            assert_eq!(scores.get(self.board.name(row.id)), Some(&score));
            count += 1;
        }
        assert_eq!(count, scores.len());
    }
}

fuzz_target!(|input: Input| {
    let schema = schema(input.rules, input.kind);
    let board = Board::new(schema, &specs(input.views, schema.aggregate)).expect("a sound schema");
    let mut game = Game {
        replica: board.clone(),
        board,
        scores: BTreeMap::new(),
        real: BTreeMap::new(),
        options: BTreeMap::new(),
        voted: BTreeSet::new(),
        wall: 1_700_000_000_000,
    };
    for (step, id) in &input.steps {
        let id = id.map(|id| [id % 16]);
        game.board.advance(game.now());
        let before = saved(&game.board);
        if game.step(step, id.as_ref().map(|id| &id[..])).is_err() {
            assert!(saved(&game.board) == before, "an error changed something: {step:?}");
        }
        game.check();
    }
    game.compare();
});
