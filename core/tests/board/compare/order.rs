//! Compares a whole order: all kinds of ranks, all ways to read a part of it, and the position of each
//! member.

use leaderboard_core::board::{Around, Neighbour, Reading, Row, Rows, Standing};
use leaderboard_core::schema::Ranks;
use leaderboard_core::{Board, Error, Score};

use crate::model::score;
pub use crate::model::view::Line;

const KINDS: [Ranks; 3] = [Ranks::Ordinal, Ranks::Competition, Ranks::Dense];

/// A line that a reading returns: rank, name, score.
type Told<'a> = (u64, &'a [u8], Score);

/// The expected order of a period, and of the period before it.
pub struct Expected<'a> {
    pub lines: &'a [Line],
    pub previous: &'a [Line],
    pub is_current: bool,
}

/// Compares the number of members, and the member at the top.
pub fn top(reading: &Reading, lines: &[Line], what: &str) {
    assert_eq!(reading.len(), lines.len() as u64, "{what}");
    if let Some((name, units, _)) = lines.first() {
        assert_eq!(reading.rank_and_score(name, Ranks::Ordinal), Some((1, score(*units))), "{what}");
    }
}

/// Returns the rank of each line of a ranking, counted one by one.
fn ranks(lines: &[Line], ranks: Ranks) -> Vec<u64> {
    let mut counted = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let ordinal = at as u64 + 1;
        let same_as_before = at > 0 && lines[at - 1].1 == line.1;
        counted.push(match (ranks, counted.last()) {
            (Ranks::Ordinal, _) | (_, None) => ordinal,
            (_, Some(before)) if same_as_before => *before,
            (Ranks::Competition, _) => ordinal,
            (Ranks::Dense, Some(before)) => before + 1,
        });
    }
    counted
}

/// Returns the lines of a ranking with their ranks.
fn ranked(lines: &[Line], kind: Ranks) -> Vec<Told<'_>> {
    let counted = ranks(lines, kind).into_iter().zip(lines);
    counted.map(|(rank, line)| (rank, &line.0[..], score(line.1))).collect()
}

fn told<'a>(board: &'a Board, row: &Row) -> Told<'a> {
    (row.rank, board.name(row.id), row.score)
}

/// Returns lines as text with shortened names, so that a failure can be read.
fn shown(lines: &[Told]) -> String {
    let tail = |name: &[u8]| name[name.len().saturating_sub(8)..].escape_ascii().to_string();
    lines.iter().map(|(rank, name, score)| format!("{rank} {} {}, ", tail(name), score.units())).collect()
}

fn same(board: &Board, rows: Rows, expected: &[Told], what: &str) {
    assert_eq!(rows.remaining(), expected.len() as u64, "{what}");
    let (mut at_once, mut dated) = (Vec::new(), Vec::new());
    rows.clone().for_all(|row| at_once.push(told(board, &row)));
    rows.clone().for_all_dated(|row| dated.push((row.id, row.score)));
    assert!(rows.clone().map(|row| (row.id, row.score)).eq(dated), "{what}");
    let got: Vec<_> = rows.map(|row| told(board, &row)).collect();
    assert!(got == at_once, "{what}: {}\nbut at once {}", shown(&got), shown(&at_once));
    assert!(got == expected, "{what}: {}\nbut expected {}", shown(&got), shown(expected));
}

/// Compares an order in every way to read a part of it.
pub fn cuts(board: &Board, reading: &Reading, lines: &[Line]) {
    for kind in KINDS {
        let told = ranked(lines, kind);
        for (rank, name, score) in &told {
            assert_eq!(reading.rank_and_score(name, kind), Some((*rank, *score)));
            assert_eq!((reading.rank(name, kind), reading.score(name)), (Some(*rank), Some(*score)));
        }
        ranges(board, reading, &told, kind);
        scores(board, reading, &told, kind);
        neighbourhoods(board, reading, &told, kind);
    }
}

impl Expected<'_> {
    pub fn compare(&self, board: &Board, reading: &Reading, what: &str) {
        assert_eq!(reading.len(), self.lines.len() as u64, "{what}");
        for kind in KINDS {
            let told = ranked(self.lines, kind);
            same(board, reading.range(1, -1, kind).unwrap(), &told, what);
            let (from, len) = (told.len() / 3, told.len() / 2);
            let some = reading.rows(from as u64, len as u64, kind);
            same(board, some, &told[from..from + len], what);
            let before = ranks(self.previous, kind);
            for at in 0..told.len() {
                self.standing(board, reading, &told, at, (kind, &before), what);
            }
        }
    }

    fn standing(
        &self,
        board: &Board,
        reading: &Reading,
        told: &[Told],
        at: usize,
        (kind, before): (Ranks, &[u64]),
        what: &str,
    ) {
        let (rank, name, score) = told[at];
        let standing = reading.standing(name, kind).unwrap();
        let moment = self.is_current.then_some(self.lines[at].2);
        assert_eq!(standing.at, moment, "moment of {:?} in {what}", self.lines[at].0);
        let then = self.previous.iter().position(|line| line.0 == self.lines[at].0);
        let previous = then.map(|then| (before[then], crate::model::score(self.previous[then].1)));
        let better = match kind {
            Ranks::Ordinal => at,
            _ => told.iter().position(|other| other.2 == score).unwrap(),
        };
        let Standing { rank: stood, score: scored, members, percentile, previous: was, .. } = standing;
        assert_eq!((stood, scored, members), (rank, score, told.len() as u64));
        assert_eq!((percentile, was), (hundredths(told.len() - better, told.len()), previous), "{what}");
        let next_to = |other: usize| {
            let (_, name, units) = *told.get(other)?;
            Some((name, units))
        };
        let neighbour = |it: Neighbour| (board.name(it.id), it.score);
        assert_eq!(standing.ahead.map(neighbour), next_to(at.wrapping_sub(1)));
        assert_eq!(standing.behind.map(neighbour), next_to(at + 1));
    }
}

/// Returns a part of a whole in hundredths of a percent, rounded to the nearest. It uses long division, so
/// that it shares no code with the board.
fn hundredths(part: usize, whole: usize) -> u64 {
    let (down, rest) = (part * 10_000 / whole, part * 10_000 % whole);
    (if rest * 2 >= whole { down + 1 } else { down }) as u64
}

fn ranges(board: &Board, reading: &Reading, lines: &[Told], kind: Ranks) {
    let len = lines.len();
    for (before, count) in
        [(0, u64::MAX), (0, 3), (1, 2), (len as u64 / 2, 5), (len as u64, 1), (u64::MAX, 9)]
    {
        let from = usize::try_from(before).unwrap_or(len).min(len);
        let count_there = usize::try_from(count).unwrap_or(len).min(len - from);
        same(board, reading.rows(before, count, kind), &lines[from..from + count_there], "rows");
    }
    let size = len as i64;
    for (first, last) in [
        (1, -1),
        (1, 1),
        (-1, -1),
        (-3, -2),
        (2, 5),
        (5, 2),
        (-size.max(1), size.max(1)),
        (-size - 1, 2),
        (size / 2 + 1, size + 9),
        (size + 1, size + 2),
        (i64::MIN, i64::MAX),
        (i64::MAX, i64::MIN),
    ] {
        let number = |rank: i64| if rank < 0 { i128::from(size) + i128::from(rank) + 1 } else { rank.into() };
        let wanted = |at: usize| (number(first)..=number(last)).contains(&(at as i128 + 1));
        let expected: Vec<_> = (0..len).filter(|at| wanted(*at)).map(|at| lines[at]).collect();
        same(board, reading.range(first, last, kind).unwrap(), &expected, "ranks");
    }
    assert_eq!(reading.range(0, -1, kind).err(), Some(Error::ZeroRank("first")));
    assert_eq!(reading.range(1, 0, kind).err(), Some(Error::ZeroRank("last")));
}

fn scores(board: &Board, reading: &Reading, lines: &[Told], kind: Ranks) {
    // Scores a third and two thirds down the order, so that they differ from board to board.
    let some = |part: usize| lines.get(lines.len() * part / 3).map_or(0, |line| line.2.units());
    let (a, b) = (some(1), some(2));
    let most = i64::MAX;
    for (low, high) in [
        (-most, most),
        (-most, -most),
        (most, most),
        (0, 5),
        (a.min(b), a.max(b)),
        (a, a),
        (b.saturating_sub(1).max(-most), b),
        (b, b.saturating_add(1)),
    ] {
        let (low, high) = (score(low.into()), score(high.into()));
        let within: Vec<_> = lines.iter().filter(|line| (low..=high).contains(&line.2)).copied().collect();
        assert_eq!(reading.count_between(low, high), within.len() as u64);
        for (offset, count) in [(0, u64::MAX), (1, 3), (within.len(), 1)] {
            let from = offset.min(within.len());
            let to = within.len().min(from + usize::try_from(count).unwrap_or(within.len()));
            let rows = reading.rows_between(low, high, offset as u64, count, kind);
            same(board, rows, &within[from..to], "by score");
        }
    }
}

fn neighbourhoods(board: &Board, reading: &Reading, lines: &[Told], kind: Ranks) {
    let len = lines.len();
    for at in [0, 1, len / 2, len.saturating_sub(1)].into_iter().filter(|at| *at < len) {
        for count in [0, 1, 4, len, usize::MAX] {
            let from = at.saturating_sub(count);
            let to = at.saturating_add(count).saturating_add(1).min(len);
            same(
                board,
                reading.around(lines[at].1, Around::both(count as u64), kind),
                &lines[from..to],
                "around",
            );
        }
    }
}
