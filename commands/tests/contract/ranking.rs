//! Rankings, worked out from the applied writes.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::board::{Aggregate, Board, Ties, Write};
use super::calendar::View;

/// A member's entry in a period of a view.
#[derive(Debug, Clone)]
pub struct Entry {
    pub member: String,
    pub score: i64,
    pub moment: i64,
    /// The place of the write that gave the score among all writes.
    pub order: usize,
    /// The moment of the latest event, on LAST boards.
    event: i64,
    /// Scores by period, of rolling views of MAX boards.
    best: BTreeMap<i64, (i64, i64, usize)>,
}

impl Board {
    /// Says whether a write counts in a period: one that came after the period had ended counts in no period of its view.
    fn counts(view: &View, period: i64, write: &Write) -> bool {
        let at = view.period(write.at);
        view.is_all() || (view.period(write.now) <= period && at <= period && at > period - view.periods)
    }

    /// Returns all members of a period, hidden ones too, best first.
    pub fn ranking(&self, view: &View, period: i64) -> Vec<Entry> {
        let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
        for (order, write) in self.writes.iter().enumerate() {
            if Self::counts(view, period, write) {
                match entries.get_mut(write.member.as_str()) {
                    Some(entry) => self.fold(entry, write, order, view),
                    None => {
                        entries.insert(&write.member, first(write, order, view));
                    }
                }
            }
        }
        let mut all: Vec<_> = entries.into_values().collect();
        all.sort_by(|one, other| self.compare(one, other));
        all
    }

    fn fold(&self, entry: &mut Entry, write: &Write, order: usize, view: &View) {
        let given = (write.points, write.at, order);
        match self.aggregate {
            Aggregate::Sum if write.points != 0 => {
                (entry.score, entry.order) = (entry.score + write.points, order);
                entry.moment = entry.moment.max(write.at);
            }
            Aggregate::Last if write.at >= entry.event => {
                entry.event = write.at;
                if write.points != entry.score {
                    (entry.score, entry.moment, entry.order) = given;
                }
            }
            Aggregate::Max => best_of(entry, write, order, view),
            _ => {}
        }
    }

    fn compare(&self, one: &Entry, other: &Entry) -> Ordering {
        let scores = one.score.cmp(&other.score);
        let scores = if self.descending { scores.reverse() } else { scores };
        let times = (one.moment, one.order).cmp(&(other.moment, other.order));
        scores.then(match self.ties {
            Ties::First => times,
            Ties::Last => times.reverse(),
            Ties::Lex => one.member.cmp(&other.member),
            Ties::RevLex => other.member.cmp(&one.member),
        })
    }

    /// Returns the members of a period that all see, best first.
    pub fn visible(&self, view: &View, period: i64) -> Vec<Entry> {
        let mut all = self.ranking(view, period);
        all.retain(|entry| !self.hidden.contains(&entry.member));
        all
    }

    /// Returns a member's entry and the rank that it sees, among members that hold.
    pub fn standing(
        &self,
        (view, period): (&View, i64),
        member: &str,
        holds: impl Fn(&str) -> bool,
    ) -> Option<(Entry, usize)> {
        let all = self.ranking(view, period);
        let place = all.iter().position(|entry| entry.member == member && holds(member))?;
        let before = all[..place].iter();
        let before = before.filter(|entry| !self.hidden.contains(&entry.member) && holds(&entry.member));
        Some((all[place].clone(), before.count() + 1))
    }
}

fn first(write: &Write, order: usize, view: &View) -> Entry {
    let (score, moment, event) = (write.points, write.at, write.at);
    let best = [(view.period(write.at), (score, moment, order))].into();
    Entry { member: write.member.clone(), score, moment, order, event, best }
}

/// The best of the periods counts; of equals, that of the older period. LB.SET takes the place of all.
fn best_of(entry: &mut Entry, write: &Write, order: usize, view: &View) {
    let period = view.period(write.at);
    let given = (write.points, write.at, order);
    if write.is_set {
        if write.points == entry.score {
            return;
        }
        entry.best = [(period, given)].into();
    } else {
        let kept = entry.best.entry(period).or_insert(given);
        if write.points > kept.0 {
            *kept = given;
        }
    }
    let best = entry.best.values().rev().max_by_key(|kept| kept.0).expect("a period");
    (entry.score, entry.moment, entry.order) = *best;
}
