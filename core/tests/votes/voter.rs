//! Who voted for whom and when, done plainly: sets of voters.

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_core::Schema;
use leaderboard_core::view::Kind;

use crate::view::{Name, View};

/// The voters of the board or of a member, ever or in a period of a view.
type Group = (Option<Name>, Option<(String, i64)>);

#[derive(Debug, Clone, Default)]
pub struct Voters(BTreeMap<Group, BTreeSet<&'static str>>);

impl Voters {
    /// Counts a voter of a moment, whatever the board has beside views of shown votes.
    pub fn count(&mut self, schema: &Schema, views: &[View], voter: &'static str, members: &[Name], at: u64) {
        let mut periods = vec![None];
        for view in views {
            self.forget(schema, view);
            periods
                .extend(period_of(schema, view, at).map(|start| Some((view.spec.kind.to_string(), start))));
        }
        for period in periods {
            self.0.entry((None, period.clone())).or_default().insert(voter);
            for member in members {
                self.0.entry((Some(member.clone()), period.clone())).or_default().insert(voter);
            }
        }
    }

    /// Forgets those of periods that no window takes in which is kept.
    fn forget(&mut self, schema: &Schema, view: &View) {
        let (Kind::Periods { unit, count }, Some((period, _))) = (view.spec.kind, view.span) else { return };
        let back = view.spec.retain + u32::from(count) - 1;
        let kept = schema.calendar.back(unit, period.start, back).start;
        let name = view.spec.kind.to_string();
        self.0.retain(|(_, of), _| of.as_ref().is_none_or(|(kind, start)| *kind != name || *start >= kept));
    }

    pub fn remove(&mut self, member: &Name) {
        self.0.retain(|(of, _), _| of.as_ref() != Some(member));
    }

    pub fn drop_view(&mut self, kind: Kind) {
        let name = kind.to_string();
        self.0.retain(|(_, of), _| of.as_ref().is_none_or(|(kind, _)| *kind != name));
    }

    pub fn overall(&self, member: Option<&Name>) -> u64 {
        self.0.get(&(member.cloned(), None)).map_or(0, |voters| voters.len() as u64)
    }

    /// The voters of the window of a view that begins its last period then.
    pub fn between(&self, schema: &Schema, view: &View, member: Option<&Name>, start: i64) -> u64 {
        let Kind::Periods { unit, count } = view.spec.kind else { return self.overall(member) };
        let from = schema.calendar.back(unit, start, u32::from(count) - 1).start;
        let name = view.spec.kind.to_string();
        let within = self.0.iter().filter(|((of, period), _)| {
            let is_in = |(kind, at): &(String, i64)| *kind == name && from <= *at && *at <= start;
            of.as_ref() == member && period.as_ref().is_some_and(is_in)
        });
        within.flat_map(|(_, voters)| voters).collect::<BTreeSet<_>>().len() as u64
    }
}

/// The period of a view that a voter of a moment counts in: of those that have ended only what a
/// rolling window takes in.
fn period_of(schema: &Schema, view: &View, at: u64) -> Option<i64> {
    let (Kind::Periods { unit, .. }, Some((period, from))) = (view.spec.kind, view.span) else { return None };
    let at = at as i64;
    let is_current = period.start <= at && at < period.end;
    let is_late = view.spec.kind.is_rolling() && from <= at;
    (is_current || is_late).then(|| schema.calendar.period(unit, at).start)
}
