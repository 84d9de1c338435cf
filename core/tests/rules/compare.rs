//! Compares everything that can be read of a board with a model at the same moment.

use std::collections::BTreeMap;
use std::ops::Range;

use leaderboard_core::Board;
use leaderboard_core::schema::{Ranks, Tally};

use crate::play::{self, Read};
use leaderboard_testkit::board::read::{Ranking, Row};
use leaderboard_testkit::board::{Entry, Model, Name, View, bound};
use leaderboard_testkit::random::Random;

/// If there are at most this many members, all of them are read.
const FEW: usize = 12;
const RANKS: [Ranks; 3] = [Ranks::Ordinal, Ranks::Competition, Ranks::Dense];
const QUANTILES: [u64; 7] = [0, 1, 250_000_000, 333_333_333, 500_000_000, 999_999_999, 1_000_000_000];

/// A generator of numbers that look random. The same seed gives the same numbers.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }

    pub fn within(&mut self, range: Range<i64>) -> i64 {
        range.start + self.below((range.end - range.start) as usize) as i64
    }

    pub fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Compares everything. With `some`, compares only a part that the dice choose.
pub fn all(board: &Board, model: &Model, names: &[Name], dice: &mut Dice, some: bool) {
    assert_eq!(
        board.count(),
        model.ranking(&model.views[0].entries).seen(false).len() as u64,
        "LB.INFO members"
    );
    assert_eq!(play::hidden(board), model.hidden.iter().cloned().collect::<Vec<_>>(), "LB.HIDDEN");
    for name in names {
        assert_eq!(board.meta(name), model.metas.get(name).map(|meta| &meta[..]), "meta of {}", shown(name));
    }
    for view in &model.views {
        kept(board, model, view);
    }
    for (views, tally) in [(&model.views, Tally::Shown), (&model.real, Tally::Real)] {
        for view in views {
            for back in 0..=model.rules.retain + 1 {
                if back == 0 || !some || dice.is(40) {
                    Place { board, model, view, tally, back, names }.compare(dice);
                }
            }
        }
    }
}

fn shown(name: &[u8]) -> String {
    name.escape_ascii().to_string()
}

/// Compares the periods that LB.PERIODS lists, and checks that it lists all periods with members.
fn kept(board: &Board, model: &Model, view: &View) {
    let count = |entries: &BTreeMap<Name, Entry>| model.ranking(entries).seen(false).len() as u64;
    let listed = board.periods(view.kind.name.as_bytes()).unwrap();
    if !view.kind.is_period() {
        assert_eq!(listed[0].members, count(&view.entries));
        return;
    }
    let mut missing: Vec<u64> =
        view.past.iter().filter(|(_, entries)| count(entries) > 0).map(|(number, _)| *number).collect();
    for kept in listed {
        let number = kept.period.unwrap().start as u64 / view.kind.length;
        missing.retain(|other| *other != number);
        let entries = if view.current == Some(number) { Some(&view.entries) } else { view.past.get(&number) };
        assert_eq!(kept.members, entries.map_or(0, count), "LB.PERIODS {} {}", view.kind.name, kept.label);
    }
    assert_eq!(missing, [], "periods that LB.PERIODS {} does not list", view.kind.name);
}

/// A period of a view, `back` periods ago.
struct Place<'a> {
    board: &'a Board,
    model: &'a Model,
    view: &'a View,
    tally: Tally,
    back: u64,
    names: &'a [Name],
}

impl Place<'_> {
    fn ranking(&self, back: u64) -> Ranking {
        let entries = match (back, self.view.current) {
            (0, _) => Some(&self.view.entries),
            (_, Some(current)) => current.checked_sub(back).and_then(|number| self.view.past.get(&number)),
            (_, None) => None,
        };
        self.model.ranking(entries.unwrap_or(&BTreeMap::new()))
    }

    fn read(&self) -> Read<'_> {
        Read::new(self.board, &self.model.rules, (self.view.kind, self.tally), self.back)
    }

    fn compare(&self, dice: &mut Dice) {
        let (ranking, previous) = (self.ranking(self.back), self.ranking(self.back + 1));
        let what = format!("{} of {:?}, {} ago", self.view.kind.name, self.tally, self.back);
        self.values(&ranking, &what);
        if self.model.rules.levels.is_empty() {
            self.figures(&ranking, dice, &what);
        }
        let few = ranking.seen(false).len() <= 100;
        for ranks in RANKS {
            for rev in [false, true] {
                if few || dice.is(40) {
                    let what = format!("{what}, {ranks:?}, REV {rev}");
                    Order { place: self, ranking: &ranking, previous: &previous, ranks, rev, what }
                        .compare(dice);
                }
            }
        }
    }

    /// Compares reads that only boards without levels have.
    fn figures(&self, ranking: &Ranking, dice: &mut Dice, what: &str) {
        let read = self.read();
        assert_eq!(read.mean(), ranking.mean(), "mean of {what}");
        let scores: Vec<i64> =
            ranking.rows(Ranks::Ordinal, false).iter().map(|(_, _, score)| score[0]).collect();
        let mut end = || {
            let score = if scores.is_empty() { 0 } else { scores[dice.below(scores.len())] };
            score.saturating_add(dice.within(-3..4)).max(-i64::MAX)
        };
        let (one, other) = (end(), end());
        let (low, high, buckets) = (one.min(other), one.max(other), dice.below(12) as u64 + 1);
        let (got, expected) = (read.histogram(low, high, buckets), ranking.histogram(low, high, buckets));
        assert_eq!(got, expected, "LB.HISTOGRAM {low} {high} {buckets} of {what}");
    }

    /// Compares reads that depend neither on the direction nor on the kind of ranks.
    fn values(&self, ranking: &Ranking, what: &str) {
        let read = self.read();
        let seen = ranking.seen(false);
        assert_eq!(read.len(), seen.len() as u64, "LB.COUNT of {what}");
        assert_eq!(read.stats(), ranking.stats(), "LB.STATS of {what}");
        for share in QUANTILES {
            assert_eq!(read.quantile(share), ranking.quantile(share), "LB.QUANTILE {share} of {what}");
        }
        let turned = self.read().counted(Ranks::Dense, true);
        assert_eq!((turned.len(), turned.stats()), (read.len(), read.stats()), "REV of {what}");
        if self.back == 0 {
            let mut dated = read.dated();
            dated.sort();
            let mut lines: Vec<_> =
                seen.iter().map(|line| (line.name.clone(), line.score.clone(), line.moment)).collect();
            lines.sort();
            assert_eq!(dated, lines, "moments of {what}");
        }
    }
}

/// One way to read a period.
struct Order<'a> {
    place: &'a Place<'a>,
    ranking: &'a Ranking,
    previous: &'a Ranking,
    ranks: Ranks,
    rev: bool,
    what: String,
}

impl Order<'_> {
    fn compare(&self, dice: &mut Dice) {
        let read = self.place.read().counted(self.ranks, self.rev);
        let rows = self.ranking.rows(self.ranks, self.rev);
        assert_eq!(read.rows(0, u64::MAX), rows, "rows of {}", self.what);
        let (before, count) = (dice.below(rows.len() + 3), dice.below(6));
        let window: Vec<Row> = rows.iter().skip(before).take(count).cloned().collect();
        assert_eq!(
            read.rows(before as u64, count as u64),
            window,
            "OFFSET {before} COUNT {count} of {}",
            self.what
        );
        self.range(&read, &rows, dice);
        self.between(&read, dice);
        for name in self.some_names(dice) {
            self.member(&read, &name, dice);
        }
        let count = dice.below(9) + 1;
        let names: Vec<Name> = (0..count).map(|_| self.any_name(dice)).collect();
        let among = self.ranking.among(&names, self.ranks, self.rev);
        assert_eq!(read.among(&names), among, "LB.AMONG of {}", self.what);
    }

    fn any_name(&self, dice: &mut Dice) -> Name {
        let names = self.place.names;
        if names.is_empty() || dice.is(5) {
            b"nobody".to_vec()
        } else {
            names[dice.below(names.len())].clone()
        }
    }

    fn some_names(&self, dice: &mut Dice) -> Vec<Name> {
        match self.place.names.len() {
            0..=FEW => self.place.names.to_vec(),
            _ => (0..FEW / 2).map(|_| self.any_name(dice)).collect(),
        }
    }

    fn range(&self, read: &Read, rows: &[Row], dice: &mut Dice) {
        let end = rows.len() as i64 + 3;
        let mut rank = || match dice.within(-end..end) {
            0 => 1,
            rank => rank,
        };
        let (first, last) = (rank(), rank());
        let place = |rank: i64| if rank < 0 { rows.len() as i64 + rank } else { rank - 1 };
        let (from, to) = (place(first).max(0), (place(last) + 1).clamp(0, rows.len() as i64));
        let expected = if from < to { &rows[from as usize..to as usize] } else { &[] };
        assert_eq!(read.range(first, last), expected, "LB.RANGE {first} {last} of {}", self.what);
    }

    fn between(&self, read: &Read, dice: &mut Dice) {
        let rules = &self.place.model.rules;
        let scores: Vec<_> =
            self.ranking.rows(Ranks::Ordinal, false).into_iter().map(|(_, _, score)| score).collect();
        let mut random = Random::new(dice.below(1 << 32) as u64);
        let (min, max) = (bound::any(rules, &scores, &mut random), bound::any(rules, &scores, &mut random));
        let holds = |score: &[i64]| min.is_below(rules, score) && max.is_above(rules, score);
        let rows = self.ranking.where_score(holds, self.ranks, self.rev);
        let texts = [&min.text[..], &max.text[..]];
        let what = format!("{texts:?} of {}", self.what);
        let all = read.between(texts, 0, u64::MAX);
        assert_eq!(all, (rows.len() as u64, rows.clone()), "LB.RANGEBYSCORE {what}");
        let (offset, count) = (dice.below(rows.len() + 2), dice.below(4));
        let window: Vec<Row> = rows.iter().skip(offset).take(count).cloned().collect();
        let (_, part) = read.between(texts, offset as u64, count as u64);
        assert_eq!(part, window, "OFFSET {offset} COUNT {count} LB.RANGEBYSCORE {what}");
    }

    fn member(&self, read: &Read, name: &[u8], dice: &mut Dice) {
        let what = format!("{} in {}", shown(name), self.what);
        let (ranks, rev) = (self.ranks, self.rev);
        assert_eq!(read.position(name), self.ranking.position(name, ranks, rev), "rank of {what}");
        for fill in [false, true] {
            let count = dice.below(4) as u64;
            let most = self.ranking.seen(false).len() + 2;
            for sides in [[count, count], [dice.below(most) as u64, dice.below(most) as u64]] {
                let rows = self.ranking.around(name, sides, fill, ranks, rev);
                assert_eq!(read.around(name, sides, fill), rows, "LB.AROUND {sides:?} FILL {fill} of {what}");
            }
        }
        let is_current = self.place.back == 0;
        let standing = self.ranking.standing(name, ranks, rev).map(|mut standing| {
            standing.at = if is_current { standing.at } else { 0 };
            (standing, self.previous.position(name, ranks, rev), is_current)
        });
        assert_eq!(read.standing(name), standing, "LB.STANDING of {what}");
    }
}
