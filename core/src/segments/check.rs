//! Checks the orders of segments against the views, for tests and fuzzers.
#![allow(clippy::panic, reason = "a failed check is meant to panic")]

use std::collections::BTreeMap;

use super::Dimension;
use super::SegmentId;
use super::hidden::HiddenBySegment;
use super::next_ranking::NextRanking;
use super::orders::ViewSegments;
use super::ranking::RankedSegments;
use super::values::Values;
use crate::dimensions::Metric;
use crate::index::MemberId;
use crate::members::Members;
use crate::schema::Schema;
use crate::view::{HiddenMembers, PreparedOrder, View};

impl Dimension {
    /// Checks the dimension in all views, and panics if something is wrong.
    pub fn check(
        &self,
        views: &[View],
        (schema, members, hidden): (&Schema, &Members, Option<&HiddenMembers>),
    ) {
        assert_eq!(self.views.len(), views.len());
        for (segments, view) in self.views.iter().zip(views) {
            assert_eq!(segments.view, (view.tally, view.spec.kind));
            let mut expected: BTreeMap<SegmentId, Vec<MemberId>> = BTreeMap::new();
            for (_, id) in view.index.iter_from(0) {
                if let Some(segment) = self.segment(id, members) {
                    expected.entry(segment).or_default().push(id);
                }
            }
            segments.orders.check();
            let hidden_of = self.hidden_of(hidden, members);
            let present = HiddenBySegment::new(hidden, |id| self.segment(id, members));
            assert_eq!(*hidden_of, present, "the hidden members of segments");
            check_orders(segments, &expected, (schema, members, hidden), hidden_of);
            segments.check_ranking(view, &self.values, self.spec.metric, (schema, members, hidden_of));
            segments.check_next(view, &self.values, self.spec.metric, (schema, members, hidden_of));
        }
        let mut members_of: BTreeMap<SegmentId, u32> = BTreeMap::new();
        for segment in members.ids().filter_map(|id| self.segment(id, members)) {
            let count = members_of.entry(segment).or_default();
            *count = count.saturating_add(1);
        }
        assert_eq!(self.values.filled(), members_of.len() as u64);
    }
}

impl ViewSegments {
    /// Checks the next ranking, and panics if it is not what its orders and the last changes tell.
    fn check_next(
        &self,
        view: &View,
        values: &Values,
        metric: Metric,
        (schema, members, hidden): (&Schema, &Members, &HiddenBySegment),
    ) {
        let prepared = view.prepared();
        let (Some(next), Some(PreparedOrder { number, index, leaf: whole, .. })) = (&self.next, prepared)
        else {
            return;
        };
        let (Some(members_leaf), Some(leaf)) = (self.spare, self.spare_segment) else { return };
        if number != next.number {
            return;
        }
        let (mut values, orders, changes) = (values.clone(), &next.orders, self.changes.as_ref());
        let members = (members, members_leaf);
        let values = &mut values;
        let ranked = RankedSegments {
            values,
            leaf,
            changes,
            orders,
            schema,
            members,
            hidden,
            metric,
            whole: (index, whole),
        };
        let NextRanking { ranking, cursor, .. } = &next.ranking;
        let mut ids: Vec<_> = ranking.iter_from(0).map(|(_, segment)| segment).collect();
        ranked.check(ranking, &ids);
        ids.retain(|segment| cursor.is_none_or(|cursor| *segment < cursor));
        ids.sort_unstable();
        let is_due = |segment: &SegmentId| {
            let has_change = changes.is_none_or(|changes| changes.is_ranked(*segment, ranked.values));
            cursor.is_none_or(|cursor| *segment < cursor) && has_change && ranked.key(*segment).is_some()
        };
        let due: Vec<_> = orders.segments_from(0).filter(is_due).collect();
        assert_eq!(ids, due, "the segments of the next period that are ranked");
    }
}

fn check_orders(
    segments: &ViewSegments,
    expected: &BTreeMap<SegmentId, Vec<MemberId>>,
    (schema, members, hidden): (&Schema, &Members, Option<&HiddenMembers>),
    hidden_of: &HiddenBySegment,
) {
    let mut visible = 0_u64;
    for (segment, ids) in expected {
        let Some(seen) = segments.seen(*segment, schema, members, hidden_of) else {
            panic!("a segment without an order")
        };
        let is_seen = |id: &&MemberId| hidden.is_none_or(|hidden| hidden.get(**id).is_none());
        let shown: Vec<_> = ids.iter().filter(is_seen).copied().collect();
        assert_eq!(seen.walk(0).map(|(_, id)| id).collect::<Vec<_>>(), shown, "the order of a segment");
        assert!(
            ids.iter().all(|id| seen.find(*id).is_some()),
            "a member that cannot be found in its segment"
        );
        visible = u64::from(!shown.is_empty()).saturating_add(visible);
    }
    assert_eq!(segments.len(), visible, "segments with visible members");
}
