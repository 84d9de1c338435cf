//! Who voted for whom and when, done plainly: a list of votes, which is gone through for every question.

use std::collections::BTreeSet;

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Period, Unit};
use leaderboard_core::time::Stamp;
use leaderboard_core::view::Kind;
use leaderboard_testkit::name::Name;

use super::view::View;

/// A vote, and when it came.
#[derive(Debug, Clone)]
struct Cast {
    voter: &'static str,
    members: Vec<Name>,
    at: u64,
    came: u64,
    /// The views whose windows took it in then.
    views: Vec<Kind>,
}

#[derive(Debug, Clone, Default)]
pub struct Voters(Vec<Cast>);

impl Voters {
    /// Counts a vote, whatever the board has beside views of shown votes.
    pub fn count(
        &mut self,
        schema: &Schema,
        views: &[View],
        voter: &'static str,
        members: &[Name],
        Stamp { now, at }: Stamp,
    ) {
        // On a clock that was put back, what came later than now has come by now, or in its own time.
        for cast in &mut self.0 {
            cast.came = cast.came.min(now.max(cast.at));
        }
        views.iter().for_each(|view| self.forget(schema, view, now));
        let counts = |view: &&View| {
            periods_of(view).is_none_or(|(unit, count)| {
                let current = schema.calendar.period(unit, now as i64).start;
                schema.calendar.back(unit, current, count - 1).start <= at as i64
            })
        };
        let views = views.iter().filter(counts).map(|view| view.spec.kind).collect();
        self.0.push(Cast { voter, members: members.to_vec(), at, came: now, views });
    }

    /// Forgets the votes that no window takes in which is kept. They matter only to a clock that goes back.
    fn forget(&mut self, schema: &Schema, view: &View, now: u64) {
        let Some((unit, count)) = periods_of(view) else { return };
        let current = schema.calendar.period(unit, now as i64).start;
        let kept = schema.calendar.back(unit, current, view.spec.retain + count - 1).start;
        for cast in self.0.iter_mut().filter(|cast| (cast.at as i64) < kept) {
            cast.views.retain(|kind| *kind != view.spec.kind);
        }
    }

    pub fn remove(&mut self, member: &Name) {
        self.0.iter_mut().for_each(|cast| cast.members.retain(|of| of != member));
    }

    pub fn drop_view(&mut self, kind: Kind) {
        self.0.iter_mut().for_each(|cast| cast.views.retain(|of| *of != kind));
    }

    pub fn overall(&self, member: Option<&Name>) -> u64 {
        self.those(member, |_| true)
    }

    /// The voters of a view in the period that starts then: once it has ended, of votes that came before
    /// its end.
    pub fn within(
        &self,
        schema: &Schema,
        view: &View,
        member: Option<&Name>,
        start: i64,
        has_ended: bool,
    ) -> u64 {
        let Some((unit, count)) = periods_of(view) else { return self.overall(member) };
        let Period { end, .. } = schema.calendar.period(unit, start);
        let from = schema.calendar.back(unit, start, count - 1).start;
        self.those(member, |cast| {
            let is_in = from <= cast.at as i64 && (cast.at as i64) < end;
            let in_time = !has_ended || (cast.came as i64) < end;
            is_in && in_time && cast.views.contains(&view.spec.kind)
        })
    }

    fn those(&self, member: Option<&Name>, counts: impl Fn(&Cast) -> bool) -> u64 {
        let of = |cast: &&Cast| member.is_none_or(|member| cast.members.contains(member));
        let votes = self.0.iter().filter(|cast| counts(cast)).filter(of);
        votes.map(|cast| cast.voter).collect::<BTreeSet<_>>().len() as u64
    }
}

/// Unit and number of the periods whose voters count in one of a view.
fn periods_of(view: &View) -> Option<(Unit, u32)> {
    match view.spec.kind {
        Kind::All => None,
        Kind::Periods { unit, count } => Some((unit, count.into())),
    }
}
