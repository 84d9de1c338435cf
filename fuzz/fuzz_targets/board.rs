//! Any commands leave a board whose invariants hold, with the scores of plain maps; and a replica that
//! is told what was decided saves the same bytes.
#![no_main]

#[path = "board/steps.rs"]
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::NativeType;
use leaderboard_core::board::{Alter, Condition, Declaration, Edit, Effect, Retain, Verdict, Write};
use leaderboard_core::calendar::When;
use leaderboard_core::campaign::RuleChanges;
use leaderboard_core::dimensions::parse_dimension_edits;
use leaderboard_core::schema::{Aggregate, Ranks, Tally};
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::{Board, Decimal, Error};
use libfuzzer_sys::fuzz_target;

use steps::*;

struct Game {
    board: Board,
    /// It gets what was decided, and nothing else.
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

impl Game {
    const fn origin(&self) -> TimeSource {
        TimeSource::Client { wall: self.wall, max_future: 0 }
    }

    fn now(&self) -> u64 {
        self.board.now_of(self.origin())
    }

    fn write_of<'a>(&self, id: Option<&'a [u8]>, late: u16) -> Write<'a> {
        let is_event = self.board.schema().clock == Clock::Event;
        // Some seconds, or some minutes.
        let late = u64::from(late).saturating_sub(20_000) * 10;
        let at = (is_event || late > 0).then_some(self.wall - late);
        // The model has no rules of scores.
        Write { at, request: id, force: true, ..Write::new(self.origin()) }
    }

    fn write(
        &mut self,
        id: Option<&[u8]>,
        points: i64,
        members: &[Vec<u8>],
        segment: u8,
    ) -> Result<(), Error> {
        let segments = &country(segment)[..];
        let write = Write { segments, ..self.write_of(id, 0) };
        let points = Decimal::whole(points);
        let effect = match members {
            [member] => self.board.add(&write, points, member)?.effect,
            members => {
                let pairs: Vec<_> = members.iter().map(|member| (points, &member[..])).collect();
                self.board.add_many(&write, &pairs)?.0
            }
        };
        if let Effect::Applied(stamp) = effect {
            let again = Write { segments, ..decided(stamp, id) };
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
            Effect::Repeated | Effect::SameAttempt => {}
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
        let said = Declaration { weight, initial, ..Declaration::default() };
        let (known, next) = (self.options.contains_key(&member), self.now());
        let effect = self.board.declare(&member, said, self.origin())?;
        let (old_weight, old) = self.options.get(&member).copied().unwrap_or((1, 0));
        let new = (weight.unwrap_or(old_weight), initial.unwrap_or(old));
        let has_changed = !known || new != (old_weight, old);
        assert_eq!(effect == Effect::Repeated, !has_changed);
        if let Effect::Applied(stamp) = effect {
            assert_eq!((stamp.now, stamp.at), (next, next));
            let again = self.replica.declare(&member, said, TimeSource::Decided { now: Some(next) });
            assert_eq!(again, Ok(effect));
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

    fn alter_voting(&mut self, voting: RuleChanges) -> Result<(), Error> {
        self.alter(&Alter { voting, ..Alter::default() })
    }

    fn step(&mut self, step: &Step, id: Option<&[u8]>) -> Result<(), Error> {
        let view = |number: u8| kind(VIEWS[usize::from(number) % VIEWS.len()]);
        match *step {
            Step::Add { points, member, segment } => {
                self.write(id, points, &[name(member.into())], segment)?;
            }
            Step::AddMany { points, first, count, segment } => {
                self.write(id, points.into(), &names(first, count), segment)?;
            }
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
                self.alter(&Alter {
                    carry: leaderboard_core::board::Carry(vec![(view(number), share)]),
                    ..Alter::default()
                })?;
            }
            Step::Limit { rule: name, scope, max, unit } => {
                let limits = vec![rule(name, scope, max, unit)];
                self.alter_voting(RuleChanges { limits, ..RuleChanges::default() })?;
            }
            Step::Lift(rule) => {
                let lifted = vec![vec![b'a' + rule % 4]];
                self.alter_voting(RuleChanges { lifted, ..RuleChanges::default() })?;
            }
            Step::VotingWindow(opens, closes) => {
                let hour = |minutes: Option<i8>| {
                    minutes.map_or(0, |minutes| self.wall.saturating_add_signed(i64::from(minutes) * 60_000))
                };
                let (opens, closes) = (Some(hour(opens)), Some(hour(closes)));
                self.alter_voting(RuleChanges { opens, closes, ..RuleChanges::default() })?;
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
                    let had_segment = !self.board.segments_of(&member).is_empty();
                    let had_any = had_segment || had_text || had_option || had_voters || had_score;
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
            Step::SetSegments { member, segment } => {
                let (member, now) = (name(member % 2_000), self.now());
                let changed = self.board.set_segments(&member, &country(segment), self.origin())?;
                let decided = TimeSource::Decided { now: Some(now) };
                assert_eq!(self.replica.set_segments(&member, &country(segment), decided), Ok(changed));
            }
            Step::Guild => {
                let has = self.board.schema().segments.find(b"guild").is_ok();
                let edits: &[u8] = if has { b"-guild" } else { b"+guild" };
                let segments = parse_dimension_edits(edits).expect("edits");
                self.alter(&Alter { segments, ..Alter::default() })?;
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
        let (next, page) = self.board.candidates(0, usize::MAX);
        assert!(next != 0 || page.len() == self.options.len());
        for option in page {
            let name = self.board.name(option.id);
            let (weight, initial) = self.options[name];
            assert_eq!((option.candidate.weight, option.candidate.initial.units()), (weight, initial as i64));
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
        self.check_segments();
        Voter::new(33).cast(|ballot| {
            let quota = self.board.quota(ballot, Some(b"m"), None, self.origin()).expect("no moment");
            assert_eq!(quota.len(), self.board.limits().count());
        });
    }

    /// The rankings of segments agree with the rows of each segment.
    fn check_segments(&self) {
        for number in 0..self.board.schema().segments.names().count() {
            let reading = self.board.read(None, When::Now, Tally::Shown).expect("the view all");
            let mut count = 0;
            for segment in reading.segments(number, 0, u64::MAX) {
                let rows = reading.in_segment(number, segment.name).rows(0, u64::MAX, Ranks::Competition);
                assert_eq!(rows.count() as u64, segment.members);
                count += segment.members;
            }
            assert!(count <= self.board.len());
        }
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
    let specs = specs(input.views, schema.aggregate);
    let board = Board::new(schema, &specs).expect("a sound schema");
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
