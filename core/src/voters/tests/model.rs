//! A model of voters with sets, and random steps.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::calendar::{Calendar, Unit};
use crate::voters::*;

type Sets = BTreeMap<Option<VoteBatch>, BTreeSet<u64>>;

/// Returns a window of consecutive periods. In these tests, periods have numbers.
pub fn window(from: i64, to: i64) -> PeriodWindow {
    let calendar = Calendar::default();
    let count = u16::try_from(to - from + 1).expect("no longer than that");
    let window = PeriodWindow::new(&calendar, Unit::Seconds(1), count, to * 1000);
    assert_eq!(window.bounds(), Some((from * 1000, to * 1000)));
    window
}

/// Returns the batch of votes for a period that are `late` periods late.
pub fn batch(series: u8, period: i64, late: u16) -> VoteBatch {
    VoteBatch { series, start: period * 1000, late }
}

pub fn in_time(series: u8, period: i64) -> VoteBatch {
    batch(series, period, 0)
}

/// The voters as plain sets. Expired voters are removed at once.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub records: BTreeMap<Option<MemberId>, Sets>,
    pub floors: BTreeMap<u8, i64>,
}

impl Model {
    fn floor(&self, series: u8) -> i64 {
        self.floors.get(&series).copied().unwrap_or(i64::MIN)
    }

    fn keep(&mut self, keeps: impl Fn(&VoteBatch) -> bool) {
        for sets in self.records.values_mut() {
            sets.retain(|batch, _| batch.as_ref().is_none_or(&keeps));
        }
    }

    fn expire_before(&mut self, series: u8, kept: i64) {
        self.keep(|batch| batch.series != series || batch.start >= kept);
        self.floors.insert(series, kept);
    }

    /// Limits the lateness of votes: they count as if they had been cast in the current period at the latest. Votes
    /// for the current or a later period count as not late.
    fn follow_clock_back(&mut self, series: u8, (from, to): (i64, i64)) {
        for sets in self.records.values_mut() {
            for (batch, voters) in std::mem::take(sets) {
                let late = |batch: VoteBatch| match batch.start / 1000 {
                    period if batch.series == series && period >= from => {
                        batch.late.min(u16::try_from((to - period).max(0)).expect("not that late"))
                    }
                    _ => batch.late,
                };
                let batch = batch.map(|batch| VoteBatch { late: late(batch), ..batch });
                sets.entry(batch).or_default().extend(voters);
            }
        }
    }

    fn count(&mut self, voter: u64, candidate: MemberId, batches: &[VoteBatch]) {
        let kept = batches.iter().filter(|batch| batch.start >= self.floor(batch.series));
        let batches: Vec<_> = kept.copied().map(Some).chain([None]).collect();
        for record in [None, Some(candidate)] {
            let sets = self.records.entry(record).or_default();
            batches.iter().for_each(|batch| _ = sets.entry(*batch).or_default().insert(voter));
        }
    }

    fn within(
        &self,
        candidate: Option<MemberId>,
        series: u8,
        (from, to): (i64, i64),
        has_ended: bool,
    ) -> u64 {
        let Some(sets) = self.records.get(&candidate) else { return 0 };
        let counts = |batch: &VoteBatch| {
            let period = batch.start / 1000;
            let in_time = !has_ended || period + i64::from(batch.late) <= to;
            batch.series == series && from <= period && period <= to && in_time
        };
        let counted = sets.iter().filter(|(batch, _)| batch.as_ref().is_some_and(counts));
        counted.flat_map(|(_, voters)| voters).collect::<BTreeSet<_>>().len() as u64
    }
}

/// Returns the hash of a voter. It is the same in every test.
pub fn hash(voter: u64) -> u64 {
    let hash = (voter + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
}

#[derive(Debug, Clone)]
pub enum Step {
    Vote(u64, MemberId, Vec<VoteBatch>),
    /// Several voters vote, each for the same consecutive candidates. The fields: the number of voters, the first
    /// candidate, the number of candidates, and the batches.
    Crowd(u64, MemberId, u32, Vec<VoteBatch>),
    Expire(u8, i64),
    /// Puts the clock back. After that, the window contains the periods from the first to the second number.
    PutBack(u8, i64, i64),
    DropSeries(u8),
    Remove(MemberId),
    /// Changes the ids of candidates, by an exclusive or with this number.
    Renumber(MemberId),
    Work,
    Reload,
}

const RANGE: std::ops::Range<i64> = -3..12;

fn batches() -> impl Strategy<Value = Vec<VoteBatch>> {
    let late = prop_oneof![3 => Just(0), 2 => 0..5_u16, 1 => 0..366_u16];
    proptest::collection::vec((0..3_u8, RANGE, late), 0..4)
        .prop_map(|all| all.into_iter().map(|(series, period, late)| batch(series, period, late)).collect())
}

pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0..40_u64, 0..200_u32, batches()).prop_map(|(voter, id, at)| Step::Vote(voter, id, at)),
        3 => (1..8_u64, 0..200_u32, 1..90_u32, batches())
            .prop_map(|(voters, id, count, at)| Step::Crowd(voters, id, count, at)),
        4 => (0..3_u8, RANGE).prop_map(|(series, kept)| Step::Expire(series, kept * 1000)),
        2 => (0..3_u8, RANGE, 0..5_i64).prop_map(|(series, from, more)| Step::PutBack(series, from, from + more)),
        1 => (0..3_u8).prop_map(Step::DropSeries),
        2 => (0..200_u32).prop_map(Step::Remove),
        1 => (0..300_u32).prop_map(Step::Renumber),
        4 => Just(Step::Work),
        1 => Just(Step::Reload),
    ]
}

pub fn apply(voters: &mut Voters, model: &mut Model, step: Step) {
    match step {
        Step::Vote(voter, candidate, batches) => {
            voters.count(hash(voter), candidate, &batches);
            model.count(voter, candidate, &batches);
        }
        Step::Crowd(crowd, from, count, batches) => {
            for (voter, candidate) in
                (0..crowd).flat_map(|voter| (0..count).map(move |at| (voter, from + at)))
            {
                voters.count(hash(voter * 7), candidate, &batches);
                model.count(voter * 7, candidate, &batches);
            }
        }
        Step::Expire(series, kept) => {
            voters.expire_before(series, kept);
            model.expire_before(series, kept);
        }
        Step::PutBack(series, from, to) => {
            voters.follow_clock_back(series, &window(from, to));
            model.follow_clock_back(series, (from, to));
        }
        Step::DropSeries(series) => {
            voters.drop_series(series);
            model.keep(|batch| batch.series != series);
            model.floors.insert(series, i64::MAX);
        }
        Step::Remove(candidate) => {
            voters.remove(candidate);
            model.records.remove(&Some(candidate));
        }
        Step::Renumber(mask) => {
            voters.renumber(|candidate| candidate ^ mask);
            let records = std::mem::take(&mut model.records).into_iter();
            model.records = records.map(|(id, sets)| (id.map(|id| id ^ mask), sets)).collect();
        }
        Step::Work => _ = voters.work(),
        Step::Reload => *voters = reload(voters, &model.floors),
    }
}

pub fn reload(voters: &Voters, floors: &BTreeMap<u8, i64>) -> Voters {
    let mut loaded = Voters::default();
    for candidate in std::iter::once(None).chain(voters.candidates().map(Some)) {
        for (batch, bytes) in saved(voters, candidate) {
            loaded.restore(&[(candidate, batch, &bytes)], 3).expect("saved a moment ago");
        }
    }
    floors.iter().for_each(|(series, kept)| loaded.expire_before(*series, *kept));
    loaded
}

fn saved(voters: &Voters, candidate: Option<MemberId>) -> Vec<(Option<VoteBatch>, Vec<u8>)> {
    let bytes = |sketch: &Sketch| {
        let mut out = Vec::new();
        sketch.save(&mut out);
        out
    };
    voters.sketches(candidate).map(|(batch, sketch)| (batch, bytes(sketch))).collect()
}

pub fn check(voters: &Voters, model: &Model) {
    voters.check();
    assert_eq!((voters.board.len() == 0), model.records.is_empty());
    assert!(voters.candidates().eq(model.records.keys().flatten().copied()));
    assert_eq!(voters.len(), voters.candidates().count());
    for (candidate, sets) in &model.records {
        let counts = voters.sketches(*candidate).map(|(batch, sketch)| (batch, sketch.estimate()));
        assert!(counts.eq(sets.iter().map(|(batch, voters)| (*batch, voters.len() as u64))));
        assert_eq!(voters.overall(*candidate).estimate(), sets[&None].len() as u64);
    }
}

pub fn look(voters: &Voters, model: &Model, candidate: Option<MemberId>) {
    for (series, from, to) in [(0, -9, 99), (0, 0, 5), (1, 3, 3), (1, 3, 6), (2, 5, 5), (2, -300, 400)] {
        for has_ended in [false, true] {
            let expected = model.within(candidate, series, (from, to), has_ended);
            assert_eq!(voters.within(candidate, series, &window(from, to), has_ended).estimate(), expected);
        }
    }
    assert_eq!(voters.overall(Some(1_000_000)).estimate(), 0);
    assert_eq!(
        candidate.is_none_or(|candidate| voters.contains(candidate)),
        voters.sketches(candidate).count() > 0
    );
}
