//! An order as a plain list, and the values that a part has to report about it for a gatherer.

use std::collections::BTreeSet;

use leaderboard_core::board::{DatedPlace, DatedRow, Reading, Side};
use leaderboard_core::schema::{Order, Ranks, Ties};
use leaderboard_core::{Amount, Board, Decimal, Schema};

pub type Name = String;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: Name,
    pub score: i64,
    /// The moment that reads have to return: `unknown` if the part does not store it.
    pub moment: u64,
}

/// Returns the value that a read returns instead of an unknown moment.
pub fn unknown(ties: Ties) -> u64 {
    if ties == Ties::Last { 0 } else { i64::MAX as u64 }
}

/// The entries of a period, best first, including the hidden members.
pub struct List<'a> {
    pub entries: &'a [Entry],
    pub hidden: &'a BTreeSet<Name>,
    pub schema: &'a Schema,
}

/// A period of a board to compare with a list.
pub struct Asked<'a> {
    pub board: &'a Board,
    pub reading: Reading<'a>,
    pub what: String,
}

/// The list as it is read from one end.
struct Ordered<'a> {
    all: Vec<&'a Entry>,
    seen: Vec<&'a Entry>,
    hidden: &'a BTreeSet<Name>,
    schema: &'a Schema,
    from_last: bool,
}

impl List<'_> {
    pub fn compare(&self, asked: &Asked) {
        for from_last in [false, true] {
            let reading = if from_last { asked.reading.reversed() } else { asked.reading };
            let asked = Asked { board: asked.board, reading, what: format!("{} {from_last}", asked.what) };
            let mut all: Vec<_> = self.entries.iter().collect();
            if from_last {
                all.reverse();
            }
            let seen = all.iter().copied().filter(|entry| !self.hidden.contains(&entry.name)).collect();
            let ordered = Ordered { all, seen, hidden: self.hidden, schema: self.schema, from_last };
            ordered.compare_rows(&asked);
            ordered.compare_places(&asked);
            ordered.compare_points(&asked);
            ordered.compare_samples(&asked);
            ordered.compare_ranges(&asked);
        }
    }
}

impl Ordered<'_> {
    fn compare_rows(&self, Asked { board, reading, what }: &Asked) {
        let told = |DatedRow { id, score, moment }| Entry {
            name: String::from_utf8(board.name(id).to_vec()).unwrap(),
            score: score.units(),
            moment,
        };
        let len = self.seen.len();
        assert_eq!(reading.len(), len as u64, "{what}");
        for (before, count) in [(0, u64::MAX), (len as u64 / 3, 5), (len as u64, 1), (u64::MAX, u64::MAX)] {
            let mut rows = Vec::new();
            reading.rows(before, count, Ranks::Ordinal).for_all_dated(|row| rows.push(told(row)));
            let from = len.min(usize::try_from(before).unwrap());
            let to = len.min(from.saturating_add(usize::try_from(count).unwrap()));
            let expected: Vec<_> = self.seen[from..to].iter().map(|entry| (*entry).clone()).collect();
            let first = rows.iter().zip(&expected).position(|(row, entry)| row != entry);
            let pair = first.map(|at| (at, &rows[at], &expected[at]));
            assert!(rows == expected, "{what}: {} of {}: {pair:?}", rows.len(), expected.len());
        }
    }

    fn compare_places(&self, Asked { reading, what, .. }: &Asked) {
        assert_eq!(reading.dated_place(b"nobody"), None);
        for (at, entry) in self.some(&self.all) {
            let is_seen = |entry: &&&Entry| !self.hidden.contains(&entry.name);
            let before = self.all[..at].iter().filter(is_seen).count() as u64;
            let DatedPlace { before: told, score, moment, is_hidden } =
                reading.dated_place(entry.name.as_bytes()).unwrap();
            assert_eq!(
                (told, score.units(), moment),
                (before, entry.score, entry.moment),
                "{what} {entry:?}"
            );
            assert_eq!(is_hidden, !is_seen(&&entry), "{what} {entry:?}");
        }
    }

    fn compare_points(&self, Asked { reading, what, .. }: &Asked) {
        let mut points = vec![(0, 0), (i64::MAX, 5), (-i64::MAX, i64::MAX as u64)];
        for (_, Entry { score, moment, .. }) in self.some(&self.all) {
            let moments =
                [moment.saturating_sub(1), *moment, (moment + 1).min(i64::MAX as u64), 0, i64::MAX as u64];
            points.extend(moments.map(|moment| (*score, moment)));
            points.push((score + 1, *moment));
        }
        for (score, moment) in points {
            for side in [Side::Before, Side::After] {
                let point = reading.point(Amount::Decimal(Decimal::whole(score)), moment, side).unwrap();
                let expected =
                    self.seen.iter().filter(|entry| self.is_before(entry, score, moment, side)).count();
                let told = reading.before_point(point);
                assert_eq!(told, expected as u64, "{what}: {side:?} {score} {moment}");
            }
        }
    }

    fn is_before(&self, entry: &Entry, score: i64, moment: u64, side: Side) -> bool {
        if (entry.score, entry.moment) == (score, moment) {
            return side == Side::After;
        }
        let is_better = match self.schema.order {
            Order::Desc => entry.score > score,
            Order::Asc => entry.score < score,
        };
        let is_earlier = match self.schema.ties {
            Ties::Last => entry.moment > moment,
            _ => entry.moment < moment,
        };
        let is_ahead = if entry.score == score { is_earlier } else { is_better };
        is_ahead != self.from_last
    }

    fn compare_samples(&self, Asked { reading, what, .. }: &Asked) {
        let len = self.seen.len() as i64;
        for (most, first, last) in [
            (1, 0, -1),
            (2, 0, -1),
            (7, 0, -1),
            (1_024, 0, -1),
            (5, len / 4, len / 2),
            (3, -3, -1),
            (4, 2, 1),
            (4, len, -1),
            (4, 1, i64::MAX),
            (1_024, -i64::MAX, i64::MAX),
        ] {
            let place =
                |place: i64| if place < 0 { i128::from(place) + i128::from(len) } else { place.into() };
            let (from, to) = (place(first).max(0), place(last).min(i128::from(len) - 1));
            let places: Vec<i128> = (from..=to).collect();
            let places: Vec<i128> = match places.len() {
                all if all as u64 <= most => places,
                _ if most == 1 => vec![from],
                _ => (0..i128::from(most)).map(|n| from + (to - from) * n / i128::from(most - 1)).collect(),
            };
            let expected: Vec<_> =
                places.iter().map(|place| (*place as u64, self.seen[*place as usize])).collect();
            let sample: Vec<_> = reading.sample(most, first, last).collect();
            assert_eq!(sample.len(), expected.len(), "{what}: {most} {first} {last}");
            for (at, (before, entry)) in sample.iter().zip(expected) {
                assert_eq!(
                    (at.before, at.score.units(), at.moment),
                    (before, entry.score, entry.moment),
                    "{what}"
                );
                assert!(!at.is_hidden);
            }
        }
    }

    fn compare_ranges(&self, Asked { board, reading, what }: &Asked) {
        let sum: i128 = self.seen.iter().map(|entry| i128::from(entry.score)).sum();
        assert_eq!(reading.sum(), sum, "{what}");
        let score = |units| leaderboard_core::Score::from_units(units).unwrap();
        for (low, high) in [(0, 3), (-5, 5), (4, 4), (-i64::MAX, i64::MAX), (100, 1_000)] {
            let is_within = |entry: &&&Entry| low <= entry.score && entry.score <= high;
            let within = self.seen.iter().filter(is_within).count() as u64;
            let is_ahead = |entry: &&&Entry| {
                let from_greatest = (board.schema().order == Order::Desc) != self.from_last;
                if from_greatest { entry.score > high } else { entry.score < low }
            };
            let before = self.seen.iter().filter(is_ahead).count() as u64;
            assert_eq!(reading.span(score(low), score(high)), (before, within), "{what}: {low} to {high}");
            let counted: u64 =
                reading.histogram(score(low), score(high), 3).iter().map(|bucket| bucket.members).sum();
            assert_eq!(counted, within, "{what}: {low} to {high}");
        }
    }

    /// Returns some entries with their places, among them the entries around place 1,000, where the kept moments end.
    fn some<'e>(&self, all: &'e [&'e Entry]) -> impl Iterator<Item = (usize, &'e Entry)> {
        let step = all.len() / 12 + 1;
        let places = (0..all.len()).filter(move |at| at % step == 0 || (985..1_005).contains(at));
        places.map(|at| (at, all[at]))
    }
}
