//! Ranks over parts: how many entries are ahead, how many entries have a better score, and how many different better
//! scores there are.

use std::collections::BTreeMap;

use leaderboard_core::Score;
use leaderboard_core::schema::Ranks;

use super::Refused;
use super::operation::{Operation, Point};
use super::order::{Order, Place};
use super::page::{Entry, Line, Page};
use super::round::{Gather, Stop};
use crate::nodes::Transport;

/// The last dense rank that a client can request, because all scores before it are read.
const LAST_DENSE: u64 = 10_000;

/// The maximum number of points in the requests of one round: for all parts together, and for one part. While a server
/// answers for the points, it does nothing else.
const ALL_POINTS: usize = 65_536;
const PART_POINTS: usize = 500;

/// The position of an entry among the entries of all parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The number of entries that are ahead of the entry.
    pub before: u64,
    /// The number of entries that have a better score, if equal scores share a rank. Otherwise the same number as
    /// `before`.
    pub better: u64,
    pub rank: u64,
}

impl Position {
    /// Returns the position of an entry if equal scores do not share a rank.
    pub const fn ordinal(before: u64) -> Self {
        Self { before, better: before, rank: before.saturating_add(1) }
    }
}

impl<T: Transport> Gather<'_, T> {
    /// Returns the positions of entries.
    pub async fn positions(&self, entries: &[Entry], ranks: Ranks) -> Result<Vec<Position>, Stop> {
        let at_once = ALL_POINTS.checked_div(self.parts().len()).unwrap_or(1).clamp(1, PART_POINTS);
        let position =
            |(before, better): (u64, u64)| Position { before, better, rank: better.saturating_add(1) };
        let mut positions = Vec::with_capacity(entries.len());
        for entries in entries.chunks(at_once) {
            let (before, better) = self.count_ahead(entries, ranks != Ranks::Ordinal).await?;
            positions.extend(before.into_iter().zip(better).map(position));
        }
        if ranks == Ranks::Dense {
            let last = positions.iter().map(|position| position.before).max();
            let scores = self.best_scores(last).await?;
            for (position, entry) in positions.iter_mut().zip(entries) {
                position.rank = scores.rank(entry.score);
            }
        }
        Ok(positions)
    }

    /// Returns two numbers for each of these entries: how many entries of all parts are ahead of the entry, and how
    /// many have a better score. If `by_score` is false, the second number is the same as the first.
    async fn count_ahead(&self, entries: &[Entry], by_score: bool) -> Result<(Vec<u64>, Vec<u64>), Stop> {
        let notation = self.call.root.schema.notation();
        let places = entries.iter().map(|entry| Point::of(&notation, entry));
        let of_score = |entry: &Entry| Point::ahead_of(&notation, entry.score, self.order.foremost());
        let scores = entries.iter().filter(|_| by_score).map(of_score);
        let points: Vec<_> = places.chain(scores).collect();
        // A part knows the places of its own entries.
        let parts = self.parts().filter(|part| by_score || entries.iter().any(|entry| entry.part != *part));
        let mut before: Vec<_> = entries.iter().map(|entry| entry.before).collect();
        let mut better = vec![0_u64; entries.len()];
        for mut answer in self.ask_each(parts, Operation::places(&points)).await? {
            let part = answer.part;
            let others = before.iter_mut().zip(entries).map(|(sum, entry)| (sum, entry.part != part));
            let mut sums = others.chain(better.iter_mut().map(|sum| (sum, true)));
            answer.numbers(points.len(), |count| {
                if let Some((sum, true)) = sums.next() {
                    *sum = sum.saturating_add(count);
                }
            })?;
        }
        if !by_score {
            better.clone_from(&before);
        }
        Ok((before, better))
    }

    /// Returns how many entries have a better score than this one.
    async fn count_better(&self, score: Score) -> Result<u64, Stop> {
        let point = Point::ahead_of(&self.call.root.schema.notation(), score, self.order.foremost());
        let mut better = 0_u64;
        for mut answer in self.ask_all(Operation::places(&[point])).await? {
            answer.numbers(1, |count| better = better.saturating_add(count))?;
        }
        Ok(better)
    }

    /// Returns the ranks of the lines of a page.
    pub async fn ranks_of(&self, page: &Page, ranks: Ranks) -> Result<Vec<u64>, Stop> {
        let ordinals = || (page.before().saturating_add(1)..).take(page.lines.len());
        let Some(first) = page.lines.first() else { return Ok(Vec::new()) };
        match ranks {
            Ranks::Ordinal => Ok(ordinals().collect()),
            Ranks::Competition => {
                // If the stretch begins in the middle of equal scores, some entries with this score may be ahead of the
                // stretch.
                let is_cut = page.is_cut && first.tied_from == 0 && page.ahead > 0;
                let ahead = if is_cut { self.count_better(first.score).await? } else { page.ahead };
                let rank = |line: &Line| match line.tied_from {
                    0 => ahead.saturating_add(1),
                    tied_from => page.ahead.saturating_add(tied_from).saturating_add(1),
                };
                Ok(page.lines.iter().map(rank).collect())
            }
            Ranks::Dense => {
                let last = ordinals().last().map(|rank| rank.saturating_sub(1));
                if page.ahead == 0 {
                    check_dense(last)?;
                    return Ok(page.lines.iter().map(|line| line.scores_ahead.saturating_add(1)).collect());
                }
                let scores = self.best_scores(last).await?;
                Ok(page.lines.iter().map(|line| scores.rank(line.score)).collect())
            }
        }
    }

    /// Returns all scores from the best to the score of the entry that has `before` entries ahead of it.
    async fn best_scores(&self, before: Option<u64>) -> Result<BestScores, Stop> {
        let Some(before) = before else { return Ok(BestScores::default()) };
        check_dense(Some(before))?;
        let page = self.page_from_top(0, before.saturating_add(1), false).await?;
        let mut scores = BestScores { order: Some(self.order), ranks: BTreeMap::new() };
        for line in page.lines {
            scores.ranks.insert(self.order.place(line.score, 0, 0), line.scores_ahead.saturating_add(1));
        }
        Ok(scores)
    }
}

/// Dense ranks of the best scores.
#[derive(Debug, Default)]
struct BestScores {
    order: Option<Order>,
    ranks: BTreeMap<Place, u64>,
}

impl BestScores {
    /// Returns the dense rank of a score: the number of different better scores, plus one.
    fn rank(&self, score: Score) -> u64 {
        let Some(order) = self.order else { return 1 };
        let better = self.ranks.range(..order.place(score, 0, 0)).next_back();
        better.map_or(1, |(_, rank)| rank.saturating_add(1))
    }
}

fn check_dense(before: Option<u64>) -> Result<(), Refused> {
    match before {
        Some(LAST_DENSE..) => {
            Err(Refused::Invalid(format!("ERR RANKS DENSE over parts reaches down to rank {LAST_DENSE}")))
        }
        _ => Ok(()),
    }
}
