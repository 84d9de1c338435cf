//! The greatest gains of the last hour, for the page of suspects: of the first members of boards whose pages were visited, by the
//! minute, and of single writes through this gateway's HTTP API. All of it is in memory of fixed size.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use leaderboard_client::{Row, top};

use crate::history::{History, seconds};
use crate::link::Link;

/// How many members of a board are compared.
const FIRST: u64 = 100;
/// How many gains are kept of each kind.
const KEPT: usize = 20;
/// How many boards have gains.
const MOST_BOARDS: usize = 64;
/// The seconds between two looks, and for how long a gain is kept.
const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;

/// A gain of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    pub member: Vec<u8>,
    /// The points. A member that came to the first ones within a minute has gained at least this number of them.
    pub points: f64,
    /// When, in seconds since the Unix epoch.
    pub at: u64,
}

/// The gains of a board.
#[derive(Debug, Default)]
struct Board {
    /// The second of the last look, and what it saw.
    seen: Option<(u64, Seen)>,
    by_minute: Vec<Gain>,
    single: Vec<Gain>,
}

/// The scores of the first members.
#[derive(Debug)]
struct Seen {
    scores: HashMap<Vec<u8>, f64>,
    /// The score of the last of them; 0 if all members are among them.
    last: f64,
}

/// The gains of all boards.
#[derive(Debug, Default)]
pub struct Gains(Mutex<HashMap<String, Board>>);

impl Gains {
    /// Notes what a single write has added.
    pub fn note(&self, key: &str, member: &[u8], points: &str) {
        if let Some(points) = number(points) {
            let gain = Gain { member: member.to_vec(), points, at: seconds() };
            self.with(key, |board| keep(&mut board.single, gain));
        }
    }

    /// The gains of a board in the last hour, greatest first: by the minute, and of single writes.
    pub fn of(&self, key: &str) -> [Vec<Gain>; 2] {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = seconds().saturating_sub(HOUR);
        let recent = |gains: &Vec<Gain>| gains.iter().filter(|gain| gain.at >= oldest).cloned().collect();
        boards
            .get(key)
            .map_or_else(Default::default, |board| [recent(&board.by_minute), recent(&board.single)])
    }

    fn with(&self, key: &str, change: impl FnOnce(&mut Board)) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !boards.contains_key(key) && boards.len() >= MOST_BOARDS {
            let last = |board: &Board| {
                let gains = board.by_minute.iter().chain(&board.single).map(|gain| gain.at);
                gains.chain(board.seen.as_ref().map(|seen| seen.0)).max()
            };
            let oldest = boards.iter().min_by_key(|(_, board)| last(board)).map(|(key, _)| key.clone());
            oldest.and_then(|key| boards.remove(&key));
        }
        change(boards.entry(key.to_owned()).or_default());
    }

    /// Compares the first members with those of the look before, if that was about a minute ago.
    fn look(&self, key: &str, rows: &[Row], at: u64) {
        let scored = rows.iter().filter_map(|row| Some((row.member.0.clone(), number(row.score.as_str())?)));
        let scores: HashMap<Vec<u8>, f64> = scored.collect();
        let is_all = u64::try_from(rows.len()).unwrap_or(u64::MAX) < FIRST;
        let last = rows.last().filter(|_| !is_all).and_then(|row| number(row.score.as_str())).unwrap_or(0.0);
        self.with(key, |board| {
            let before = board.seen.take().filter(|(then, _)| at.saturating_sub(*then) < 2 * MINUTE);
            for (member, score) in &scores {
                let Some((_, before)) = &before else { break };
                let points = (score - before.scores.get(member).copied().unwrap_or(before.last)).abs();
                if points > 0.0 {
                    keep(&mut board.by_minute, Gain { member: member.clone(), points, at });
                }
            }
            board.seen = Some((at, Seen { scores, last }));
        });
    }
}

/// Keeps a gain, if it is among the greatest of the last hour.
fn keep(gains: &mut Vec<Gain>, gain: Gain) {
    let oldest = gain.at.saturating_sub(HOUR);
    gains.retain(|gain| gain.at >= oldest);
    let place = gains.partition_point(|other| other.points >= gain.points);
    gains.insert(place, gain);
    gains.truncate(KEPT);
}

/// A score as a number, of a board with levels the first of them. The 53 bits of precision are enough to compare gains.
fn number(score: &str) -> Option<f64> {
    score.split('/').next()?.parse().ok()
}

/// Looks at boards with recent visits once a minute, for as long as the console runs.
pub async fn follow(link: &Link, history: &History, gains: &Gains) {
    loop {
        for key in history.wanted() {
            if let Ok(rows) = link.ask(&top(&key, FIRST)).await {
                gains.look(&key, &rows, seconds());
            }
        }
        tokio::time::sleep(Duration::from_secs(MINUTE)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leaderboard_client::{Name, Score};

    fn rows(scores: &[(&str, &str)]) -> Vec<Row> {
        let row = |(rank, (member, score)): (u64, &(&str, &str))| Row {
            rank,
            member: Name(member.as_bytes().to_vec()),
            score: Score((*score).to_owned()),
            meta: None,
        };
        (1..).zip(scores).map(row).collect()
    }

    fn names(gains: &[Gain]) -> Vec<(String, f64)> {
        gains.iter().map(|gain| (String::from_utf8(gain.member.clone()).unwrap(), gain.points)).collect()
    }

    fn named(gains: &[(&str, f64)]) -> Vec<(String, f64)> {
        gains.iter().map(|(name, points)| ((*name).to_owned(), *points)).collect()
    }

    #[test]
    fn gains_are_those_of_a_minute_greatest_first() {
        let (gains, now) = (Gains::default(), seconds());
        gains.look("b", &rows(&[("ann", "10"), ("bob", "7.5")]), now);
        gains.look("b", &rows(&[("cem", "99"), ("ann", "12"), ("bob", "7.5")]), now + 60);
        assert_eq!(names(&gains.of("b")[0]), named(&[("cem", 99.0), ("ann", 2.0)]));
        // Nothing is known of the minutes that were not looked at.
        gains.look("b", &rows(&[("ann", "500")]), now + 600);
        assert_eq!(gains.of("b")[0].len(), 2);
    }

    #[test]
    fn who_comes_to_the_first_ones_has_gained_at_least_the_distance() {
        let (gains, now) = (Gains::default(), seconds());
        let names: Vec<String> = (0..100).map(|number| format!("m{number}")).collect();
        let full: Vec<_> = names.iter().map(|name| (name.as_str(), "50")).collect();
        gains.look("b", &rows(&full), now);
        let mut next = full.clone();
        *next.last_mut().unwrap() = ("new", "80");
        gains.look("b", &rows(&next), now + 60);
        assert_eq!(self::names(&gains.of("b")[0]), named(&[("new", 30.0)]));
    }

    #[test]
    fn only_the_greatest_single_gains_are_kept() {
        let gains = Gains::default();
        (0..100).for_each(|points: u32| gains.note("b", b"ann", &points.to_string()));
        gains.note("b", b"ann", "no number");
        let kept = &gains.of("b")[1];
        assert_eq!((kept.len(), kept[0].points, kept[19].points), (KEPT, 99.0, 80.0));
    }

    #[test]
    fn memory_is_bounded() {
        let gains = Gains::default();
        (0..1_000).for_each(|board| gains.note(&board.to_string(), b"ann", "1"));
        assert_eq!(gains.0.lock().unwrap().len(), MOST_BOARDS);
    }
}
