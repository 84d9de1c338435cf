//! The model of voters: a list of all votes. Each read goes through the whole list.

use std::collections::BTreeSet;

use leaderboard_core::Schema;
use leaderboard_core::calendar::{Period, Unit};
use leaderboard_core::time::Stamp;
use leaderboard_core::view::Kind;
use leaderboard_testkit::name::Name;

use super::view::View;

/// A vote, its moment, and the moment at which it arrived.
#[derive(Debug, Clone)]
struct Cast {
    voter: &'static str,
    members: Vec<Name>,
    at: u64,
    came: u64,
    /// The views that counted the vote when it arrived.
    views: Vec<Kind>,
}

#[derive(Debug, Clone, Default)]
pub struct Voters(Vec<Cast>);

impl Voters {
    /// Counts a vote. `views` are the views of shown votes, or of all votes if the board does not separate
    /// them.
    pub fn count(
        &mut self,
        schema: &Schema,
        views: &[View],
        voter: &'static str,
        members: &[Name],
        Stamp { now, at }: Stamp,
    ) {
        // If the clock was put back, an older vote may have arrived later than now. It counts as arrived now,
        // or at its own moment if this is later.
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

    /// Forgets the votes that are older than every kept window of a view. They could be read again only if
    /// the clock went back.
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

    /// Returns the number of voters of a view in the period with this start. In a period that has ended, only
    /// votes that arrived before its end count.
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

/// Returns the unit of a view's periods, and how many of them its window contains.
fn periods_of(view: &View) -> Option<(Unit, u32)> {
    match view.spec.kind {
        Kind::All => None,
        Kind::Periods { unit, count } => Some((unit, count.into())),
    }
}
