//! Reading a period: a sorted list of all its members. Every reader sees the members that are not hidden.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::schema::{Ranks, Ties};

use super::score::{self, Score};
use super::{Entry, Name, Rules};

/// A line of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The member.
    pub name: Name,
    /// The member's score.
    pub score: Score,
    /// When it got this score.
    pub moment: u64,
    is_hidden: bool,
}

/// Rank, member, score.
pub type Row = (u64, Name, Score);

/// The member above or below, its score, and units between them, level by level.
pub type Neighbour = Option<(Name, Score, Vec<i128>)>;

/// What LB.STANDING answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The member's rank.
    pub rank: u64,
    /// The member's score.
    pub score: Score,
    /// How many members there are.
    pub members: u64,
    /// In hundredths of a percent.
    pub percentile: u64,
    /// The next better member.
    pub ahead: Neighbour,
    /// The next worse member.
    pub behind: Neighbour,
    /// When the member got its score.
    pub at: u64,
}

/// Members, sum, least, greatest, median.
pub type Stats = (u64, Option<i128>, Option<Score>, Option<Score>, Option<Score>);

/// All who are in a period, best first.
pub struct Ranking {
    rules: Rules,
    lines: Vec<Line>,
}

impl Ranking {
    /// Sorts the entries of a period.
    pub fn new(rules: &Rules, entries: &BTreeMap<Name, Entry>, hidden: &BTreeSet<Name>) -> Self {
        let mut all: Vec<(&Name, &Entry)> = entries.iter().collect();
        all.sort_by(|(one, a), (other, b)| {
            let times = (a.moment, a.number).cmp(&(b.moment, b.number));
            score::places(rules, &a.score, &b.score).then_with(|| match rules.ties {
                Ties::First => times,
                Ties::Last => times.reverse(),
                Ties::Lex => one.cmp(other),
                Ties::RevLex => other.cmp(one),
            })
        });
        let lines = all.into_iter().map(|(name, entry)| Line {
            name: name.clone(),
            score: entry.score.clone(),
            moment: entry.moment,
            is_hidden: hidden.contains(name),
        });
        Self { rules: rules.clone(), lines: lines.collect() }
    }

    /// All of them, the hidden ones too, from the end that is asked for.
    fn directed(&self, rev: bool) -> Vec<&Line> {
        if rev { self.lines.iter().rev().collect() } else { self.lines.iter().collect() }
    }

    /// What everybody sees.
    pub fn seen(&self, rev: bool) -> Vec<&Line> {
        self.directed(rev).into_iter().filter(|line| !line.is_hidden).collect()
    }

    /// What everybody sees before a member, hidden or not, and behind it.
    fn cut(&self, name: &[u8], rev: bool) -> Option<(Vec<&Line>, &Line, Vec<&Line>)> {
        let all = self.directed(rev);
        let place = all.iter().position(|line| line.name == name)?;
        let seen = |lines: &[&'_ Line]| lines.iter().filter(|line| !line.is_hidden).count();
        let before = seen(&all[..place]);
        let behind = seen(&all[place + 1..]);
        let seen = self.seen(rev);
        let own = all[place];
        Some((seen[..before].to_vec(), own, seen[seen.len() - behind..].to_vec()))
    }

    /// Rank and score of a member.
    pub fn position(&self, name: &[u8], ranks: Ranks, rev: bool) -> Option<(u64, Score)> {
        let (before, own, _) = self.cut(name, rev)?;
        Some((rank(&before, &own.score, ranks), own.score.clone()))
    }

    /// All rows that everybody sees.
    pub fn rows(&self, ranks: Ranks, rev: bool) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for (place, line) in self.seen(rev).into_iter().enumerate() {
            let ordinal = place as u64 + 1;
            let rank = match (ranks, rows.last()) {
                (Ranks::Ordinal, _) | (_, None) => ordinal,
                (_, Some((rank, _, score))) if *score == line.score => *rank,
                (Ranks::Competition, _) => ordinal,
                (Ranks::Dense, Some((rank, ..))) => rank + 1,
            };
            rows.push((rank, line.name.clone(), line.score.clone()));
        }
        rows
    }

    /// Rows around a member.
    pub fn around(
        &self,
        name: &[u8],
        [above, below]: [u64; 2],
        fill: bool,
        ranks: Ranks,
        rev: bool,
    ) -> Vec<Row> {
        let Some((before, own, behind)) = self.cut(name, rev) else { return Vec::new() };
        let all = self.rows(ranks, rev);
        let (has_above, has_below) = (before.len() as u64, behind.len() as u64);
        let (mut up, mut down) = (above.min(has_above), below.min(has_below));
        if fill {
            (up, down) = (up + (below - down).min(has_above - up), down + (above - up).min(has_below - down));
        }
        let mut rows = all[(has_above - up) as usize..before.len()].to_vec();
        rows.push((rank(&before, &own.score, ranks), own.name.clone(), own.score.clone()));
        let first = all.len() - behind.len();
        rows.extend_from_slice(&all[first..first + down as usize]);
        rows
    }

    /// Place among them, member, score, rank.
    pub fn among(&self, names: &[Name], ranks: Ranks, rev: bool) -> Vec<(u64, Name, Score, u64)> {
        let rows = self.rows(ranks, rev);
        let rows: Vec<Row> = rows.into_iter().filter(|(_, name, _)| names.contains(name)).collect();
        let scores: Vec<&Score> = rows.iter().map(|(_, _, score)| score).collect();
        let place = |number: usize| rank_behind(&scores[..number], scores[number], ranks);
        let among = rows.iter().enumerate();
        among
            .map(|(number, (rank, name, score))| (place(number), name.clone(), score.clone(), *rank))
            .collect()
    }

    /// What LB.STANDING answers.
    pub fn standing(&self, name: &[u8], ranks: Ranks, rev: bool) -> Option<Standing> {
        let (before, own, behind) = self.cut(name, rev)?;
        let own_rank = rank(&before, &own.score, ranks);
        let members = (before.len() + 1 + behind.len()) as u64;
        let above = match ranks {
            Ranks::Ordinal => before.len() as u64,
            Ranks::Competition | Ranks::Dense => {
                before.iter().filter(|line| line.score != own.score).count() as u64
            }
        };
        let percentile = ((members - above) * 20_000 + members) / (2 * members);
        let neighbour =
            |line: &&Line| (line.name.clone(), line.score.clone(), self.gap(&line.score, &own.score));
        Some(Standing {
            rank: own_rank,
            score: own.score.clone(),
            members,
            percentile,
            ahead: before.last().map(neighbour),
            behind: behind.first().map(neighbour),
            at: own.moment,
        })
    }

    /// Level by level the better minus the worse; of plain scores, the units between them.
    fn gap(&self, a: &[i64], b: &[i64]) -> Vec<i128> {
        let is_better = score::places(&self.rules, a, b) == Ordering::Less;
        let (better, worse) = if is_better { (a, b) } else { (b, a) };
        let gaps = better.iter().zip(worse).map(|(better, worse)| i128::from(*better) - i128::from(*worse));
        let is_plain = self.rules.levels.is_empty();
        gaps.map(|gap| if is_plain { gap.abs() } else { gap }).collect()
    }

    /// The scores that everybody sees, the least first.
    fn scores(&self) -> Vec<Score> {
        let mut scores: Vec<Score> = self.seen(false).iter().map(|line| line.score.clone()).collect();
        scores.sort_by(|a, b| score::compare(&self.rules.levels, a, b));
        scores
    }

    /// The score that this share of members reaches at most.
    pub fn quantile(&self, billionths: u64) -> Option<Score> {
        let scores = self.scores();
        let members = scores.len() as u64;
        let number = (billionths * members).div_ceil(1_000_000_000).max(1);
        scores.into_iter().nth(number as usize - 1)
    }

    /// What LB.STATS answers.
    pub fn stats(&self) -> Stats {
        let scores = self.scores();
        let is_plain = self.rules.levels.is_empty();
        let sum = is_plain.then(|| scores.iter().map(|score| i128::from(score[0])).sum());
        let median = self.quantile(500_000_000);
        (scores.len() as u64, sum, scores.first().cloned(), scores.last().cloned(), median)
    }

    /// The mean with six digits after the point, halves rounded away from 0.
    pub fn mean(&self) -> Option<String> {
        let (members, sum, ..) = self.stats();
        let parts = i128::from(members) * 10_i128.pow(u32::from(self.rules.decimals));
        let millionths = sum.filter(|_| members > 0)? * 1_000_000;
        let rounded = (millionths.abs() * 2 + parts) / (parts * 2) * millionths.signum();
        Some(score::decimal(rounded, 6))
    }

    /// From, to, members of each bucket between two counts of units.
    pub fn histogram(&self, low: i64, high: i64, buckets: u64) -> Vec<(i64, i64, u64)> {
        let (low, high, all) = (i128::from(low), i128::from(high), i128::from(buckets));
        let edge = |number: i128| low + (number * (high - low) + all - 1).div_euclid(all);
        let scores: Vec<i128> = self.scores().iter().map(|score| i128::from(score[0])).collect();
        let row = |number: i128| {
            let (from, to) = (edge(number), edge(number + 1));
            let is_last = number + 1 == all;
            let holds = |score: &&i128| from <= **score && (**score < to || is_last && **score == to);
            (from as i64, to as i64, scores.iter().filter(holds).count() as u64)
        };
        (0..all).map(row).collect()
    }

    /// Rows whose scores fulfil the condition.
    pub fn where_score(&self, holds: impl Fn(&[i64]) -> bool, ranks: Ranks, rev: bool) -> Vec<Row> {
        self.rows(ranks, rev).into_iter().filter(|(_, _, score)| holds(score)).collect()
    }
}

/// The rank of a score behind those.
fn rank(before: &[&Line], score: &Score, ranks: Ranks) -> u64 {
    rank_behind(&before.iter().map(|line| &line.score).collect::<Vec<_>>(), score, ranks)
}

fn rank_behind(before: &[&Score], score: &Score, ranks: Ranks) -> u64 {
    let others = before.iter().filter(|other| **other != score);
    1 + match ranks {
        Ranks::Ordinal => before.len(),
        Ranks::Competition => others.count(),
        Ranks::Dense => others.collect::<BTreeSet<_>>().len(),
    } as u64
}
