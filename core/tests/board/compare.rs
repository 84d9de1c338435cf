//! Everything that can be read of a board, against the model.

use leaderboard_core::NativeType;
use leaderboard_core::board::{Neighbour, Row, Rows, Standing};
use leaderboard_core::schema::Ranks;
use leaderboard_core::{Board, Error, Score};

use crate::model::{Member, Model, ranks, score};
use crate::steps::name;
use crate::{MAX_FUTURE, now};

const KINDS: [Ranks; 3] = [Ranks::Ordinal, Ranks::Competition, Ranks::Dense];

/// A line of a ranking: rank, name, score.
type Line<'a> = (u64, &'a [u8], Score);

pub fn all(board: &Board, model: &Model, wall: u64) {
    assert_eq!(board.schema(), &model.schema);
    assert_eq!(board.last(), model.last);
    assert_eq!(board.now(wall, MAX_FUTURE), model.now(wall));
    for now in [model.now(wall), model.last, wall] {
        assert_eq!(board.requests(now), model.requests(now), "requests at {now}");
    }
    assert_eq!((board.len(), board.is_empty()), (model.members.len() as u64, model.members.is_empty()));
    let ranking = model.ranking();
    for kind in KINDS {
        let lines = lines(&ranking, kind);
        ranges(board, &lines, kind);
        scores(board, model, &lines, kind);
        neighbourhoods(board, &lines, kind);
        for at in 0..ranking.len() {
            standing(board, &ranking, &lines, at, kind);
        }
    }
    metas(board, model);
    strangers(board);
}

fn lines<'a>(ranking: &[&'a Member], kind: Ranks) -> Vec<Line<'a>> {
    let ranks = ranks(ranking, kind);
    ranking.iter().zip(ranks).map(|(member, rank)| (rank, &member.name[..], score(member.score))).collect()
}

fn line<'a>(board: &'a Board, row: &Row) -> Line<'a> {
    (row.rank, board.name(row.id), row.score)
}

fn same(board: &Board, rows: Rows, expected: &[Line]) {
    assert_eq!(rows.remaining(), expected.len() as u64);
    assert_eq!(rows.map(|row| line(board, &row)).collect::<Vec<_>>(), expected);
}

fn ranges(board: &Board, lines: &[Line], kind: Ranks) {
    let len = lines.len();
    for (before, count) in
        [(0, u64::MAX), (0, 3), (1, 2), (len as u64 / 2, 5), (len as u64, 1), (u64::MAX, 9)]
    {
        let from = usize::try_from(before).unwrap_or(len).min(len);
        let count_there = usize::try_from(count).unwrap_or(len).min(len - from);
        same(board, now(board).rows(before, count, kind), &lines[from..from + count_there]);
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
        same(board, now(board).range(first, last, kind).unwrap(), &expected);
    }
    assert_eq!(now(board).range(0, -1, kind).err(), Some(Error::ZeroRank("first")));
    assert_eq!(now(board).range(1, 0, kind).err(), Some(Error::ZeroRank("last")));
}

fn scores(board: &Board, model: &Model, lines: &[Line], kind: Ranks) {
    let some = |at: usize| model.members.get(at).map_or(0, |member| member.score as i64);
    let (a, b) = (some(0), some(model.members.len() / 2));
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
        assert_eq!(now(board).count_between(low, high), within.len() as u64);
        for (offset, count) in [(0, u64::MAX), (1, 3), (within.len(), 1)] {
            let from = offset.min(within.len());
            let to = within.len().min(from + usize::try_from(count).unwrap_or(within.len()));
            same(board, now(board).rows_between(low, high, offset as u64, count, kind), &within[from..to]);
        }
    }
}

fn neighbourhoods(board: &Board, lines: &[Line], kind: Ranks) {
    let len = lines.len();
    for at in [0, 1, len / 2, len.saturating_sub(1)].into_iter().filter(|at| *at < len) {
        for count in [0, 1, 4, len, usize::MAX] {
            let expected =
                &lines[at.saturating_sub(count)..at.saturating_add(count).saturating_add(1).min(len)];
            same(board, now(board).around(lines[at].1, count as u64, kind), expected);
        }
    }
}

fn standing(board: &Board, ranking: &[&Member], lines: &[Line], at: usize, kind: Ranks) {
    let (rank, name, score) = lines[at];
    assert_eq!(now(board).rank_and_score(name, kind), Some((rank, score)));
    assert_eq!((now(board).rank(name, kind), now(board).score(name)), (Some(rank), Some(score)));
    let Standing { rank: stood, score: scored, members, percentile, ahead, behind, previous, at: moment } =
        now(board).standing(name, kind).unwrap();
    assert_eq!((stood, scored, members), (rank, score, lines.len() as u64));
    assert_eq!((moment, previous), (Some(ranking[at].moment), None));
    let better = match kind {
        Ranks::Ordinal => at,
        _ => ranking.iter().position(|other| other.score == ranking[at].score).unwrap(),
    };
    assert_eq!(percentile, hundredths(lines.len() - better, lines.len()));
    let next_to = |other: usize| {
        let other = ranking.get(other)?;
        Some((&other.name[..], other.score, other.score.abs_diff(ranking[at].score)))
    };
    assert_eq!(told(board, ahead), next_to(at.wrapping_sub(1)));
    assert_eq!(told(board, behind), next_to(at + 1));
}

fn told(board: &Board, neighbour: Option<Neighbour>) -> Option<(&[u8], i128, u128)> {
    neighbour.map(|it| (board.name(it.id), it.score.units().into(), it.gap.into()))
}

/// By long division, to the nearest, so that nothing is shared with the board.
fn hundredths(part: usize, whole: usize) -> u64 {
    let (down, rest) = (part * 10_000 / whole, part * 10_000 % whole);
    (if rest * 2 >= whole { down + 1 } else { down }) as u64
}

fn metas(board: &Board, model: &Model) {
    for (name, meta) in &model.metas {
        assert_eq!(board.meta(name), Some(&meta[..]));
    }
    for row in now(board).rows(0, u64::MAX, Ranks::Ordinal) {
        assert_eq!(board.meta_of(row.id), model.metas.get(board.name(row.id)).map(|meta| &meta[..]));
    }
}

/// Nobody who is not there is found, even where a text is kept for somebody else.
fn strangers(board: &Board) {
    for stranger in [&b"nobody"[..], &name(9_999), b"\0"] {
        assert_eq!(now(board).rank_and_score(stranger, Ranks::Ordinal), None);
        assert_eq!((now(board).rank(stranger, Ranks::Dense), now(board).score(stranger)), (None, None));
        assert_eq!((now(board).standing(stranger, Ranks::Ordinal), board.meta(stranger)), (None, None));
        assert_eq!(now(board).around(stranger, 5, Ranks::Ordinal).count(), 0);
    }
}
