//! Checks the orders of segments against the views, for tests and fuzzers.
#![allow(clippy::panic, reason = "a failed check is meant to panic")]

use std::collections::BTreeMap;

use super::Dimension;
use super::SegmentId;
use super::hidden::HiddenBySegment;
use super::orders::ViewSegments;
use crate::index::MemberId;
use crate::members::Members;
use crate::schema::Schema;
use crate::view::{HiddenMembers, View};

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
        }
        let mut members_of: BTreeMap<SegmentId, u32> = BTreeMap::new();
        for segment in members.ids().filter_map(|id| self.segment(id, members)) {
            let count = members_of.entry(segment).or_default();
            *count = count.saturating_add(1);
        }
        assert_eq!(self.values.filled(), members_of.len() as u64);
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
