//! Boundaries: how a view comes from one period to the next, or to one far later. The way back, when a
//! clock that had leapt ahead is put right, is in [`super::leap`]; what a write makes final is in
//! [`super::settle`].
//!
//! A boundary costs what expires at it, however many periods are skipped and however many are kept: the
//! ended order is set aside as it is, or as a copy, and the current one is brought up to date. Where
//! hardly anybody is left, it is made of those. Where many expire and many are left, it is built anew,
//! about 0.4 microseconds a member. No first answer can do with much less: each member whose points
//! expire can come before or behind whoever is asked for, so each has to be looked at. That is why big
//! boards prepare the next order ahead ([`super::prepare`]).

use std::cmp::Ordering;
use std::mem;

use super::boundary::{Anchor, Boundary};
use super::fade::{self, Rows};
use super::past::Live;
use super::span::Span;
use super::{Facts, Garbage, Order, Past, View};
use crate::candidates::Candidates;
use crate::index::{Index, Key, MemberId, MemberLookup, compare_keys};
use crate::members::Members;
use crate::schema::{Schema, Ties};

/// Entries in order, as an index is built from them.
pub(super) type Entries = Vec<(Key, MemberId)>;

/// Up to one in so many members, those whose points expire are moved one by one.
const FEW: u64 = 4;

/// What becomes of the current order at a boundary.
enum Turned {
    /// Another one takes its place, in the other column.
    Replaced(Index),
    /// It is changed where it is.
    Changed(Vec<(MemberId, Option<Key>)>),
}

impl View {
    /// Whether the current period is another one at a moment.
    pub(crate) fn is_due(&self, now: i64) -> bool {
        let span = self.timeline.periods().and_then(|periods| periods.span);
        span.is_some_and(|span| !span.contains(now))
    }

    /// Begins with the period of the first write; whether it had not begun.
    pub(crate) fn start(&mut self, schema: &Schema, now: i64) -> bool {
        let spec = self.spec;
        let Some(periods) = self.timeline.periods_mut().filter(|periods| periods.span.is_none()) else {
            return false;
        };
        periods.span = Span::at(&spec, schema, now);
        periods.since = periods.span.map_or(0, |span| span.period.start);
        periods.kept = i64::MIN;
        periods.share = spec.carry;
        true
    }

    /// Makes the period current that holds a moment.
    pub(crate) fn turn(&mut self, now: i64, board: &mut Turning) {
        let span = self.timeline.periods().and_then(|periods| periods.span);
        let Some((old, new)) = span.zip(Span::at(&self.spec, board.schema, now)) else { return };
        if new.period.start > old.period.start {
            self.go_on(old, new, board);
        } else {
            self.go_back(new, board);
        }
        self.set_kept(board.schema);
    }

    pub(super) fn go_on(&mut self, old: Span, new: Span, board: &mut Turning) {
        let ready = self.take_next(&new, board);
        // Where nothing else is left of the last period, what was prepared are the options.
        let begun = ready.is_some() && !self.has_buckets();
        match ready.map_or_else(|| self.turned(&old, &new, board), Turned::Replaced) {
            Turned::Replaced(index) => self.replace(old, index, board.garbage),
            Turned::Changed(left) => {
                self.set_copy_aside(old);
                self.change_all(left, board);
            }
        }
        let Some(periods) = self.timeline.periods_mut() else { return };
        let share = mem::replace(&mut periods.share, self.spec.carry);
        if !periods.boundary.is_reversible() {
            let anchor = Anchor { span: old, share, sequences: Default::default() };
            periods.boundary = Boundary::Reversible(Box::new(anchor));
        }
        periods.span = Some(new);
        if !begun {
            self.enter_initials(board);
        }
    }

    fn turned(&mut self, old: &Span, new: &Span, board: &mut Turning) -> Turned {
        if !self.spec.kind.is_rolling() || self.is_ahead() {
            let entries = self.entries_in(new, board);
            return Turned::Replaced(self.build(&entries, board));
        }
        let Some(periods) = self.timeline.periods() else { return Turned::Changed(Vec::new()) };
        let rows = Rows::new(periods, board.schema, old.from, old.period.start);
        let few = self.index.len() / FEW;
        if rows.count_expiring(new) as u64 <= few {
            return Turned::Changed(self.left(rows, rows.expiring(new), new, board.members));
        }
        let facts = board.facts();
        let entries = if rows.count_left(new) as u64 <= few {
            let left = self.left(rows, rows.staying(new), new, board.members);
            let mut entries: Entries = left.into_iter().filter_map(|(id, key)| Some((key?, id))).collect();
            entries.sort_by(self.order(&facts));
            entries
        } else {
            fade::merged(&self.index, rows, new, self.order(&facts))
        };
        Turned::Replaced(self.build(&entries, board))
    }

    /// What is left of some members, by ascending id.
    fn left(
        &self,
        rows: Rows,
        ids: Vec<MemberId>,
        new: &Span,
        members: &Members,
    ) -> Vec<(MemberId, Option<Key>)> {
        let found = |id| self.find(id, members).map(|place| (id, place.key));
        let entries: Vec<_> = ids.into_iter().filter_map(found).collect();
        let left = rows.left(&entries, new);
        entries.into_iter().map(|(id, _)| id).zip(left).collect()
    }

    /// Puts an index in the place of the current one, which is the order of the ended period unless
    /// nobody wrote in that.
    fn replace(&mut self, old: Span, index: Index, garbage: &mut Vec<Garbage>) {
        let ended = mem::replace(&mut self.index, index);
        let Some(periods) = self.timeline.periods_mut() else { return };
        // The new one has the other column to itself.
        let other = periods.other;
        periods
            .past
            .iter_mut()
            .filter(|past| past.order.occupies(other))
            .for_each(|past| past.order.detach());
        mem::swap(&mut self.leaf, &mut periods.other);
        if periods.boundary.is_reversible() {
            garbage.push(Garbage::Index(ended));
        } else {
            let order = Order::Live(Live::new(ended, periods.other, true));
            periods.unpacked = true;
            periods.past.push_front(Past::new(old.period, old.period.start, order));
        }
    }

    /// Sets a copy of the current order aside: 5 nanoseconds a member.
    fn set_copy_aside(&mut self, old: Span) {
        let Some(periods) = self.timeline.periods_mut().filter(|periods| !periods.boundary.is_reversible())
        else {
            return;
        };
        let live = Live::new(self.index.clone(), self.leaf, false);
        periods.unpacked = true;
        periods.past.push_front(Past::new(old.period, old.period.start, Order::Live(live)));
    }

    /// Gives members what is left of their entries.
    fn change_all(&mut self, left: Vec<(MemberId, Option<Key>)>, board: &mut Turning) {
        let Some(periods) = self.timeline.periods() else { return };
        for (id, key) in left {
            let mut index_members = board.members.index_members_mut(self.leaf, periods.sequences());
            match (self.index.find(id, &index_members), key) {
                (Some(place), Some(key)) if place.key != key => {
                    self.index.update(place, key, id, &mut index_members);
                }
                (Some(place), None) => self.index.remove(place, id, &mut index_members),
                _ => {}
            }
        }
    }

    /// Those who are left when another period is current, in their order.
    pub(super) fn entries_in(&self, span: &Span, board: &Turning) -> Entries {
        if self.is_ahead() {
            return self.recount(span, board);
        }
        if self.spec.carry.is_none() {
            return Vec::new();
        }
        let facts = board.facts();
        let left = |(key, id)| self.remaining(&facts, id, key, span).map(|key| (key, id));
        let mut entries: Entries = self.index.iter_from(0).filter_map(left).collect();
        // Mostly in order as it is, which a stable sort makes use of.
        entries.sort_by(self.order(&facts));
        entries
    }

    /// Who stands before whom, by the numbers of the writes as they are now.
    pub(super) fn order<'a>(
        &'a self,
        facts: &'a Facts,
    ) -> impl Fn(&(Key, MemberId), &(Key, MemberId)) -> Ordering + 'a {
        let index_members = self.index_members(facts.members);
        order_by(facts, move |id, moment| index_members.sequence(id, moment))
    }

    /// An index of these entries, whose leaves go to the column that is not in use.
    pub(super) fn build(&self, entries: &[(Key, MemberId)], board: &mut Turning) -> Index {
        let mut index = Self::empty(board.schema, self.index.is_tree());
        let Some(periods) = self.timeline.periods() else { return index };
        let sequences = periods.contributions.sequences(&periods.buckets);
        let mut index_members = board.members.index_members_mut(periods.other, sequences);
        for (key, id) in entries {
            // Sorted as they are, none can be out of order.
            let _ = index.append(*key, *id, &mut index_members);
        }
        index
    }
}

/// Who stands before whom. Most differ by their keys, so that no member has to be looked at; equals
/// differ by the number of the write that brought them there. Where nobody knows that any more, names
/// decide, so that every server comes to the same order.
pub(super) fn order_by<'a>(
    facts: &'a Facts,
    sequence: impl Fn(MemberId, u64) -> Option<u64> + 'a,
) -> impl Fn(&(Key, MemberId), &(Key, MemberId)) -> Ordering + 'a {
    let ties = facts.schema.ties;
    move |(a, id), (b, other)| {
        let sequences = || match ties {
            Ties::First => sequence(*id, a.moment).cmp(&sequence(*other, b.moment)),
            Ties::Last => sequence(*other, b.moment).cmp(&sequence(*id, a.moment)),
            Ties::Lex => Ordering::Equal,
        };
        let names = || facts.members.name(*id).cmp(facts.members.name(*other));
        compare_keys(ties, *a, *b).then_with(sequences).then_with(names)
    }
}

/// What a boundary needs of the board.
pub(crate) struct Turning<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) members: &'a mut Members,
    /// The options that start periods with shown votes.
    pub(crate) candidates: Option<&'a Candidates>,
    pub(crate) garbage: &'a mut Vec<Garbage>,
}

impl Turning<'_> {
    pub(crate) fn facts(&self) -> Facts<'_> {
        Facts { schema: self.schema, members: self.members, candidates: self.candidates }
    }
}
