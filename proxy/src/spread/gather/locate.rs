//! Finds a deep place without reading all rows ahead of it. For this, samples are read: entries at equal distances in
//! each part.
//!
//! A sample contains the exact number of entries of its own part that are ahead of it. For each other part, the two
//! samples next to it on both sides give the least and the greatest number of entries that can be ahead of it:
//!
//! ```text
//! part 0   a ....... b ....... c        c is the entry looked at. Ahead of it are exactly two distances of part 0,
//! part 1       d ....... e ....... f    and of part 1 at least all up to d and at most all before e.
//! ```
//!
//! So after each round, only a section of each part is left in which the place can be. The next round takes samples of
//! these sections. The last round reads the rows, and its result decides. If the place has moved since the samples were
//! taken, the last round shows this. Then the search is repeated, beginning further ahead.

use std::sync::Arc;

use leaderboard_core::Score;

use super::answer::{Answer, Spot, Take};
use super::ask::Question;
use super::operation::Operation;
use super::order::{Order, Place};
use super::page::{Entry, From, Line, Page, Wanted, too_many_rows};
use super::round::{Gather, Stop};
use super::{MOST_ROWS, Refused};
use crate::nodes::Transport;

/// Up to this offset it is not more expensive to read all rows that are ahead.
const SHALLOW: u64 = 10_000;
/// Up to this number of rows are read at once instead of searched by samples.
const FEW: u64 = 256;
/// The maximum number of samples of one part, and of all parts together.
const MOST_SAMPLES: u64 = 256;
const ALL_SAMPLES: u64 = 65_536;
/// The maximum number of rounds of samples. If the place is not found after them, the remaining entries are equal, or
/// the ranking changes faster than it is read.
const ROUNDS: u32 = 10;
/// The maximum number of searches for a place, if the place moves during the search.
const TRIES: u32 = 4;

/// The data about a part that its samples give.
#[derive(Debug, Clone)]
pub struct Sampled {
    pub part: u16,
    pub members: u64,
    /// The entries before `first` are ahead of the place that is searched. The entries from `end` on are behind it.
    first: u64,
    end: u64,
    spots: Vec<Spot>,
}

impl Sampled {
    /// Returns the scores of the first and the last sample.
    pub fn ends(&self) -> impl Iterator<Item = Score> {
        [self.spots.first(), self.spots.last()].into_iter().flatten().map(|spot| spot.score)
    }

    /// Returns how many entries of this part are ahead of a place: the least and the greatest possible number.
    pub fn ahead_of(&self, order: Order, place: Place) -> (u64, u64) {
        let is_ahead = |spot: &Spot| order.place(spot.score, spot.moment, self.part) < place;
        self.ahead(self.spots.partition_point(is_ahead))
    }

    /// Returns how many entries of this part are ahead of a place if `number` samples are ahead of it: the least and
    /// the greatest possible number.
    fn ahead(&self, number: usize) -> (u64, u64) {
        let last = number.checked_sub(1).and_then(|last| self.spots.get(last));
        let least = last.map_or(self.first, |spot| spot.before.saturating_add(1));
        (least, self.spots.get(number).map_or(self.end, |spot| spot.before).max(least))
    }
}

/// An entry, with the least and the greatest number of entries of all parts that can be ahead of it.
#[derive(Debug, Clone)]
struct Candidate {
    entry: Entry,
    least: u64,
    most: u64,
}

/// Returns how many samples to take of each part if the board has `parts` parts.
pub fn samples_of_each(parts: u16) -> u64 {
    of_each(ALL_SAMPLES, parts).min(MOST_SAMPLES)
}

/// Returns the share of each part if `all` is divided evenly among `parts` parts.
pub fn of_each(all: u64, parts: u16) -> u64 {
    all.checked_div(parts.into()).unwrap_or(all)
}

/// Returns whether it is expensive to read all rows that are ahead of a page.
pub fn is_deep(offset: u64, count: u64) -> bool {
    offset > SHALLOW.max(count.min(MOST_ROWS))
}

impl<T: Transport> Gather<'_, T> {
    /// Returns samples of all entries of all parts.
    pub async fn sample_all(&self, count: u64) -> Result<Vec<Sampled>, Stop> {
        let answers = self.ask_all(Operation::sample(count, 0, None)).await?;
        Ok(answers.into_iter().map(|answer| self.sampled(answer, 0, None)).collect::<Take<_>>()?)
    }

    /// Reads samples of a section of a part: its entries from `first` up to `end`.
    pub fn sampled(&self, mut answer: Answer, first: u64, end: Option<u64>) -> Take<Sampled> {
        let spots = answer.spots(&self.call.root.schema)?;
        let members = answer.members;
        Ok(Sampled { part: answer.part, members, first, end: end.unwrap_or(members), spots })
    }

    /// Returns rows from a place on, which can be near the first place or deep.
    pub async fn page_at(&self, offset: u64, count: u64, with_meta: bool) -> Result<Page, Stop> {
        if !is_deep(offset, count) {
            return self.page_from_top(offset, count, with_meta).await;
        }
        let samples = self.sample_all(samples_of_each(self.parts().end)).await?;
        self.deep_page(&samples, offset, count, with_meta).await
    }

    /// Returns the row of one place, found with samples of all entries.
    pub async fn line_by(&self, samples: &[Sampled], place: u64) -> Result<Option<Line>, Stop> {
        let page = match place {
            ..=FEW => self.page_from_top(place, 1, false).await?,
            _ => self.deep_page(samples, place, 1, false).await?,
        };
        Ok(page.lines.into_iter().next())
    }

    pub async fn page_from_top(&self, offset: u64, count: u64, with_meta: bool) -> Result<Page, Stop> {
        let wanted = Wanted { offset, count, likely_skip: offset, with_meta };
        Ok(self.page(From::Top, wanted).await?.unwrap_or_else(Page::empty))
    }

    /// Returns rows from a deep place on, found with samples of all entries.
    async fn deep_page(
        &self,
        samples: &[Sampled],
        offset: u64,
        count: u64,
        with_meta: bool,
    ) -> Result<Page, Stop> {
        let total = samples.iter().map(|part| part.members).fold(0, u64::saturating_add);
        if offset >= total || count == 0 {
            return Ok(Page::empty());
        }
        if count.min(total.saturating_sub(offset)) > MOST_ROWS {
            return Err(too_many_rows().into());
        }
        for attempt in 0..TRIES {
            // Each time the place has moved, the search begins further ahead.
            let margin = 16_u64.saturating_pow(attempt.saturating_add(1));
            let Some(found) = self.locate(samples, offset.saturating_sub(margin), count).await? else {
                continue;
            };
            let likely_skip = offset.saturating_sub(found.least);
            let wanted = Wanted { offset, count, likely_skip, with_meta };
            if let Some(page) = self.page(From::Entry(&found.entry), wanted).await? {
                return Ok(page);
            }
        }
        Err(Refused::Invalid("ERR the ranking changes too fast to find this place".to_owned()).into())
    }

    /// Returns an entry with `target` entries ahead of it, or somewhat fewer. `None` if this may be the first entry.
    async fn locate(&self, samples: &[Sampled], target: u64, count: u64) -> Result<Option<Candidate>, Stop> {
        let close = count.saturating_mul(2).max(FEW).max(u64::from(self.parts().end).saturating_mul(2));
        let mut samples = samples.to_vec();
        let (mut bounds, mut width) = (Bounds::default(), u64::MAX);
        for _ in 0..ROUNDS {
            bounds = bounds.closer(self.order, &samples, target);
            let left = bounds.narrow(self.order, &mut samples);
            let missing = target.saturating_sub(bounds.ahead.as_ref().map_or(0, |ahead| ahead.least));
            if missing <= close || left == 0 || left >= width {
                break;
            }
            width = left;
            self.sample_stretches(&mut samples).await?;
        }
        Ok(bounds.ahead)
    }

    /// Takes samples of the section that is left of each part.
    async fn sample_stretches(&self, samples: &mut [Sampled]) -> Result<(), Stop> {
        let count = samples_of_each(self.parts().end);
        let left = samples.iter().filter(|part| part.first < part.end);
        let questions: Vec<_> = left
            .map(|part| {
                let last = Some(part.end.saturating_sub(1));
                Question { part: part.part, operation: Arc::new(Operation::sample(count, part.first, last)) }
            })
            .collect();
        let mut answers = self.ask(questions).await?.into_iter().peekable();
        for part in samples {
            part.spots.clear();
            if let Some(answer) = answers.next_if(|answer| answer.part == part.part) {
                *part = self.sampled(answer, part.first, Some(part.end))?;
            }
        }
        Ok(())
    }
}

/// The two entries between which a place lies.
#[derive(Debug, Default)]
struct Bounds {
    /// An entry that surely has at most the wanted number of entries ahead of it.
    ahead: Option<Candidate>,
    /// An entry that surely has more than the wanted number of entries ahead of it.
    behind: Option<Candidate>,
}

impl Candidate {
    /// The place of the entry over all parts, and its place within its part.
    fn at(&self, order: Order) -> (Place, u64) {
        (self.entry.place(order), self.entry.before)
    }
}

impl Bounds {
    /// Returns the closest entries that the samples give: the last entry before the target and the first entry behind
    /// the target. Samples of a section do not show anything about entries outside of the bounds that are already
    /// known.
    fn closer(mut self, order: Order, samples: &[Sampled], target: u64) -> Self {
        let floor = self.ahead.as_ref().map(|ahead| ahead.at(order));
        let ceiling = self.behind.as_ref().map(|behind| behind.at(order));
        for candidate in Walk::new(order, samples) {
            let at = candidate.at(order);
            if floor.is_some_and(|floor| at <= floor) {
                continue;
            }
            if ceiling.is_some_and(|ceiling| at >= ceiling) {
                break;
            }
            if candidate.least > target {
                self.behind = Some(candidate);
                break;
            }
            if candidate.most <= target {
                self.ahead = Some(candidate);
            }
        }
        self
    }

    /// Keeps of each part only the section between the two bounds, and returns how many entries all sections have.
    fn narrow(&self, order: Order, samples: &mut [Sampled]) -> u64 {
        let mut width = 0_u64;
        for part in samples {
            let at = |spot: &Spot| (order.place(spot.score, spot.moment, part.part), spot.before);
            let ahead_of = |candidate: &Candidate| {
                let candidate = candidate.at(order);
                part.ahead(part.spots.partition_point(|spot| at(spot) < candidate))
            };
            let first = self.ahead.as_ref().map_or(part.first, |ahead| ahead_of(ahead).0);
            let end = self.behind.as_ref().map_or(part.end, |behind| ahead_of(behind).1);
            (part.first, part.end) = (first.max(part.first), end.min(part.end));
            width = width.saturating_add(part.end.saturating_sub(part.first));
        }
        width
    }
}

/// Walks through the samples of all parts in the order of the ranking, and counts the entries ahead of each sample.
struct Walk<'a> {
    samples: &'a [Sampled],
    order: std::vec::IntoIter<usize>,
    /// How many samples of each part have been passed.
    passed: Vec<usize>,
    least: u64,
    most: u64,
}

impl<'a> Walk<'a> {
    fn new(order: Order, samples: &'a [Sampled]) -> Self {
        let mut all: Vec<(Place, u64, usize)> = Vec::new();
        for (at, part) in samples.iter().enumerate() {
            let place = |spot: &Spot| (order.place(spot.score, spot.moment, part.part), spot.before, at);
            all.extend(part.spots.iter().map(place));
        }
        all.sort_unstable();
        let order: Vec<_> = all.into_iter().map(|(_, _, at)| at).collect();
        let ahead = samples.iter().map(|part| part.ahead(0));
        let (least, most) = ahead.fold((0_u64, 0_u64), |(least, most), part| {
            (least.saturating_add(part.0), most.saturating_add(part.1))
        });
        Self { samples, order: order.into_iter(), passed: vec![0; samples.len()], least, most }
    }
}

impl Iterator for Walk<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let at = self.order.next()?;
        let (part, passed) = (self.samples.get(at)?, self.passed.get_mut(at)?);
        let spot = part.spots.get(*passed)?;
        let own = part.ahead(*passed);
        *passed = passed.saturating_add(1);
        let next = part.ahead(*passed);
        let (least, most) = (self.least.saturating_sub(own.0), self.most.saturating_sub(own.1));
        (self.least, self.most) = (least.saturating_add(next.0), most.saturating_add(next.1));
        let Spot { score, moment, before, .. } = *spot;
        let entry = Entry { score, moment, part: part.part, before };
        // In the entry's own part, the number of entries ahead of it is known exactly.
        Some(Candidate { entry, least: least.saturating_add(before), most: most.saturating_add(before) })
    }
}
