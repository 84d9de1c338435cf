//! Everything that can be read of a board's views, against the model.

use leaderboard_core::board::{Reading, When};
use leaderboard_core::calendar::Calendar;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::{Board, Score};

use crate::model::{Model, ranks, score};
use crate::view::{Line, Name, View};

/// Rank, name and score.
type Row = (u64, Name, Score);

const KINDS: [Ranks; 3] = [Ranks::Ordinal, Ranks::Competition, Ranks::Dense];

/// Compares a board with a model that stands at the same moment.
pub fn all(board: &Board, model: &Model) {
    assert_eq!((board.schema(), board.last()), (&model.schema, model.last));
    let specs: Vec<_> = model.views.iter().map(|view| view.spec).collect();
    assert_eq!(board.specs().copied().collect::<Vec<_>>(), specs);
    assert_eq!(board.len(), model.ranking(0, start(&model.views[0])).len() as u64);
    for (number, view) in model.views.iter().enumerate() {
        let name = view.spec.kind.to_string();
        let name = Some(name.as_bytes()).filter(|_| number > 0);
        current(board, model, number, name);
        past(board, model, number, name);
        periods(board, model, number);
    }
    for (name, meta) in &model.metas {
        assert_eq!(board.meta(name), Some(&meta[..]));
    }
}

fn start(view: &View) -> Option<i64> {
    view.span.map(|(period, _)| period.start)
}

fn current(board: &Board, model: &Model, number: usize, name: Option<&[u8]>) {
    let view = &model.views[number];
    let lines = model.ranking(number, start(view));
    let before = start(view).zip(view.reach()).map(|(start, (unit, _))| back(model, unit, start, 1));
    let previous = before.map_or_else(Vec::new, |start| model.ranking(number, Some(start)));
    let reading = board.read(name, When::Now, Tally::Shown).unwrap();
    order(board, &reading, &lines, &previous, true);
    assert!(board.read(name, When::Back(0), Tally::Shown).unwrap().len() == reading.len());
}

fn back(model: &Model, unit: leaderboard_core::calendar::Unit, start: i64, count: u32) -> i64 {
    model.schema.calendar.back(unit, start, count).start
}

/// Every period that is kept, in every way to name it, and those around it that are not.
fn past(board: &Board, model: &Model, number: usize, name: Option<&[u8]>) {
    let view = &model.views[number];
    let (Some((unit, _)), Some(now)) = (view.reach(), start(view)) else { return };
    let calendar: &Calendar = &model.schema.calendar;
    for count in 1..=view.spec.retain + 2 {
        let period = calendar.back(unit, now, count);
        if period.start < 0 {
            break;
        }
        let lines = model.ranking(number, Some(period.start));
        let previous = model.ranking(number, Some(back(model, unit, period.start, 1)));
        let label = calendar.label(unit, period.start);
        let middle = period.start + (period.end - period.start) / 2;
        for when in [
            When::Back(count),
            When::Label(label.as_bytes()),
            When::At(period.start as u64),
            When::At(middle as u64),
            When::At(period.end as u64 - 1),
        ] {
            let reading = board.read(name, when, Tally::Shown).unwrap();
            assert_eq!(reading.len(), lines.len() as u64, "{when:?}");
            if when == When::Back(count) {
                order(board, &reading, &lines, &previous, false);
            } else if let Some((member, units, _)) = lines.first() {
                let top = reading.rank_and_score(member, Ranks::Ordinal);
                assert_eq!(top, Some((1, score(*units))), "{when:?}");
            }
        }
    }
    let end = calendar.period(unit, now).end;
    assert!(board.read(name, When::At(end as u64), Tally::Shown).unwrap().is_empty());
}

fn periods(board: &Board, model: &Model, number: usize) {
    let view = &model.views[number];
    let kept = board.periods(view.spec.kind.to_string().as_bytes()).unwrap();
    let got = kept.iter().map(|kept| (kept.label.clone(), kept.period, kept.members));
    let mut expected = Vec::new();
    match (view.reach(), view.span) {
        (None, _) => expected.push(("all".to_owned(), None, model.ranking(number, None).len() as u64)),
        (Some((unit, _)), Some((mut period, _))) => {
            let calendar = &model.schema.calendar;
            for _ in 0..=view.spec.retain {
                if period.end <= view.since {
                    break;
                }
                let members = model.ranking(number, Some(period.start)).len() as u64;
                expected.push((calendar.label(unit, period.start), Some(period), members));
                period = calendar.back(unit, period.start, 1);
            }
        }
        _ => {}
    }
    assert_eq!(got.collect::<Vec<_>>(), expected);
}

/// Lines with names cut short, so that a failing case can be read.
fn shown(lines: &[Row]) -> String {
    lines.iter().map(|(rank, name, score)| format!("{rank} {name:?} {}, ", score.units())).collect()
}

/// A whole order, in all its ranks and from each member's place.
fn order(board: &Board, reading: &Reading, lines: &[Line], previous: &[Line], is_current: bool) {
    assert_eq!(reading.len(), lines.len() as u64);
    for kind in KINDS {
        let counted = ranks(lines, kind);
        let rows = reading.range(1, -1, kind).unwrap();
        let got: Vec<Row> =
            rows.map(|row| (row.rank, Name(board.name(row.id).to_vec()), row.score)).collect();
        let row = |(line, rank): (&Line, &u64)| (*rank, line.0.clone(), score(line.1));
        let expected: Vec<Row> = lines.iter().zip(&counted).map(row).collect();
        assert!(got == expected, "{kind:?}: {}\nbut expected {}", shown(&got), shown(&expected));
        let before = ranks(previous, kind);
        for (at, (name, units, moment)) in lines.iter().enumerate() {
            let standing = reading.standing(name, kind).unwrap();
            assert_eq!((standing.rank, standing.score), (counted[at], score(*units)));
            assert_eq!(standing.members, lines.len() as u64);
            assert_eq!(standing.at, is_current.then_some(*moment), "moment of {name:?}");
            let then = previous.iter().position(|line| line.0 == *name);
            assert_eq!(standing.previous, then.map(|then| (before[then], score(previous[then].1))));
            let next_to = |at: usize| lines.get(at).map(|line| &line.0[..]);
            assert_eq!(standing.ahead.map(|other| board.name(other.id)), next_to(at.wrapping_sub(1)));
            assert_eq!(standing.behind.map(|other| board.name(other.id)), next_to(at + 1));
        }
    }
    let (from, len) = (lines.len() as u64 / 3, lines.len() as u64 / 2);
    let some = reading.rows(from, len, Ranks::Dense).map(|row| Name(board.name(row.id).to_vec()));
    let expected = lines.iter().skip(from as usize).take(len as usize).map(|line| line.0.clone());
    assert_eq!(some.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
