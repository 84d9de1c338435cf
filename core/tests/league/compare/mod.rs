//! Compares everything that can be read of a league with a model. The league has been advanced to the moment of the
//! comparison.

mod period;

use leaderboard_core::NativeType;
use leaderboard_core::calendar::When;
use leaderboard_core::league::League;
use leaderboard_core::time::Clock;
use leaderboard_testkit::name::Name;

use crate::MAX_FUTURE;
use crate::model::Model;

/// The maximum number of played periods that are read by their labels.
const LABELS: usize = 6;

/// Compares all reads, for members with these names and for an unknown member.
pub fn all(league: &League, model: &Model, wall: u64, names: &[Name]) {
    let now = model.now(wall);
    assert_eq!(league.last(), model.last);
    assert_eq!(league.now(wall, MAX_FUTURE), now);
    for moment in [now, model.last, wall] {
        assert_eq!(league.requests(moment), model.requests(moment), "requests at {moment}");
    }
    rules(league, model);
    let showing = model
        .showing_gone(now)
        .filter(|showing| league.read(When::Now).unwrap().sizes() == showing.sizes(now));
    let model = showing.as_ref().unwrap_or(model);
    assert_eq!(league.read(When::Now).unwrap().sizes(), model.sizes(now));
    for name in names {
        assert_eq!(league.meta(name), model.meta(name), "meta of {name:?}");
    }
    if model.rules.clock == Clock::Event && model.last == 0 {
        return;
    }
    assert_eq!(league.period(), Some(model.period(now)));
    periods(league, model, now, names);
    let bad = league.read(When::Label(b"no label")).map(drop);
    assert!(bad.is_err());
}

fn rules(league: &League, model: &Model) {
    let (own, other) = (league.rules(), &model.rules);
    assert_eq!(format!("{own:?}"), format!("{other:?}"));
}

/// Compares the current period, the periods before it, and some that were played, by all names of each period.
fn periods(league: &League, model: &Model, now: u64, names: &[Name]) {
    period::same(league, model, now, model.period(now).start, When::Now, names);
    let most = model.rules.retain.min(3);
    for back in 0..=most + 1 {
        let start = model.back(now, back).start;
        period::same(league, model, now, start, When::Back(back), names);
    }
    let (calendar, unit) = (model.rules.calendar, model.rules.unit);
    for start in model.played().into_iter().rev().take(LABELS) {
        let label = calendar.label(unit, start);
        period::same(league, model, now, start, When::Label(label.as_bytes()), names);
        let last = calendar.period(unit, start).end as u64 - 1;
        period::same(league, model, now, start, When::At(last), names);
    }
}
