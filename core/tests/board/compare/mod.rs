//! Compares everything that can be read of a board with a model at the same moment.

mod order;
pub mod votes;

use leaderboard_core::Board;
use leaderboard_core::NativeType;
use leaderboard_core::board::{Around, Reading};
use leaderboard_core::calendar::When;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::view::Kind;
use leaderboard_testkit::name::{self, Name};

use crate::MAX_FUTURE;
use crate::model::Model;
use crate::model::view::View;
use order::{Expected, Line};

/// Compares all reads. `names` are the members whose votes are compared.
pub fn all(board: &Board, model: &Model, wall: u64, names: &[Name]) {
    let now = model.now(wall);
    assert_eq!((board.schema(), board.last()), (&model.schema, model.last));
    assert_eq!(board.now(wall, MAX_FUTURE), now);
    for moment in [now, model.last, wall] {
        assert_eq!(board.requests(moment), model.requests(moment), "requests at {moment}");
    }
    let specs: Vec<_> = model.views.iter().map(|view| view.spec).collect();
    assert_eq!(board.specs().copied().collect::<Vec<_>>(), specs);
    for (number, view) in model.views.iter().enumerate() {
        if is_followed(model, view) {
            orders(board, model, view, Tally::Shown);
            periods(board, model, view);
        }
        // Without votes, real and shown scores are the same, and it takes long to find that there are no
        // voters.
        if !names.is_empty() {
            if is_followed(model, view) {
                orders(board, model, model.real.get(number).unwrap_or(view), Tally::Real);
            }
            votes::voters(board, model, view, now, names);
        }
    }
    default_view(board, model);
    votes::all(board, model, now, names);
}

/// Returns whether the model follows a view. After a leap, it follows only the view `all`.
fn is_followed(model: &Model, view: &View) -> bool {
    !model.leapt || view.spec.kind == Kind::All
}

fn start(view: &View) -> Option<i64> {
    view.span.map(|(period, _)| period.start)
}

/// Compares the reads that do not name a view.
fn default_view(board: &Board, model: &Model) {
    let view = &model.views[0];
    let reading = board.read(None, When::Now, Tally::Shown).unwrap();
    assert_eq!((board.len(), board.is_empty()), (reading.len(), reading.is_empty()));
    if is_followed(model, view) {
        let lines = view.ranking(&model.schema);
        order::top(&reading, &lines, "by default");
        order::cuts(board, &reading, &lines);
    }
    for (name, meta) in &model.metas {
        assert_eq!(board.meta(name), Some(&meta[..]));
    }
    for row in reading.rows(0, u64::MAX, Ranks::Ordinal) {
        let name = Name(board.name(row.id).to_vec());
        assert_eq!(board.meta_of(row.id), model.metas.get(&name).map(|meta| &meta[..]));
    }
    strangers(board, &reading);
}

/// Returns the order of the period before the period with this start.
fn previous(model: &Model, view: &View, start: Option<i64>) -> Vec<Line> {
    let Some((start, (unit, _))) = start.zip(view.reach()) else { return Vec::new() };
    view.ranking_of(&model.schema, Some(model.schema.calendar.back(unit, start, 1).start))
}

/// Compares the current period, each kept period by all names that it has, two periods that are no longer
/// kept, and the period that comes next.
fn orders(board: &Board, model: &Model, view: &View, tally: Tally) {
    let lines = order(board, model, (view, tally), start(view), When::Now);
    assert_eq!(read(board, (view, tally), When::Back(0)).len(), lines.len() as u64);
    let (Some((unit, _)), Some(now)) = (view.reach(), start(view)) else { return };
    let calendar = &model.schema.calendar;
    for count in 1..=view.spec.retain + 2 {
        let period = calendar.back(unit, now, count);
        if period.start < 0 {
            break;
        }
        let lines = order(board, model, (view, tally), Some(period.start), When::Back(count));
        let label = calendar.label(unit, period.start);
        let middle = period.start + (period.end - period.start) / 2;
        let moments = [period.start, middle, period.end - 1].map(|moment| When::At(moment as u64));
        for when in [When::Label(label.as_bytes())].into_iter().chain(moments) {
            let what = format!("{} of {tally:?}, {when:?}", view.spec.kind);
            order::top(&read(board, (view, tally), when), &lines, &what);
        }
    }
    let end = calendar.period(unit, now).end;
    assert!(read(board, (view, tally), When::At(end as u64)).is_empty());
}

fn read<'a>(board: &'a Board, (view, tally): (&View, Tally), when: When) -> Reading<'a> {
    board.read(Some(view.spec.kind.to_string().as_bytes()), when, tally).unwrap()
}

/// Compares the order of a period with the model, and returns it.
fn order(
    board: &Board,
    model: &Model,
    (view, tally): (&View, Tally),
    start: Option<i64>,
    when: When,
) -> Vec<Line> {
    let (lines, previous) = (view.ranking_of(&model.schema, start), previous(model, view, start));
    let expected = Expected { lines: &lines, previous: &previous, is_current: when == When::Now };
    let what = format!("{} of {tally:?}, {when:?}", view.spec.kind);
    expected.compare(board, &read(board, (view, tally), when), &what);
    lines
}

fn periods(board: &Board, model: &Model, view: &View) {
    let kept = board.periods(view.spec.kind.to_string().as_bytes()).unwrap();
    let got = kept.iter().map(|kept| (kept.label.clone(), kept.period, kept.members));
    let mut expected = Vec::new();
    match (view.reach(), view.span) {
        (None, _) => expected.push(("all".to_owned(), None, view.entries.len() as u64)),
        (Some((unit, _)), Some((mut period, _))) => {
            let calendar = &model.schema.calendar;
            for _ in 0..=view.spec.retain {
                if period.end <= view.first {
                    break;
                }
                let members = view.ranking_of(&model.schema, Some(period.start)).len() as u64;
                expected.push((calendar.label(unit, period.start), Some(period), members));
                period = calendar.back(unit, period.start, 1);
            }
        }
        _ => {}
    }
    assert_eq!(got.collect::<Vec<_>>(), expected);
}

/// Checks that no read finds a member that is not on the board.
fn strangers(board: &Board, reading: &Reading) {
    for stranger in [&b"nobody"[..], &name::any(9_999), b"\0"] {
        assert_eq!(reading.rank_and_score(stranger, Ranks::Ordinal), None);
        assert_eq!((reading.rank(stranger, Ranks::Dense), reading.score(stranger)), (None, None));
        assert_eq!((reading.standing(stranger, Ranks::Ordinal), board.meta(stranger)), (None, None));
        assert_eq!(reading.around(stranger, Around::both(5), Ranks::Ordinal).count(), 0);
    }
}
