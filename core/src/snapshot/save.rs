//! From a board to chunks.

use std::collections::HashMap;

use super::wire::{put_bytes, put_difference, put_number, put_signed};
use super::{CHUNK, END, ENTRIES, OTHERS, POINTS, REQUESTS, VIEW, WITH_META};
use crate::board::Board;
use crate::bucket::Bucket;
use crate::index::{Key, MemberId};
use crate::schema::Aggregate;
use crate::view::View;

/// A chunk being filled. Each begins with the same words.
pub(super) struct Chunk<'a, F: FnMut(&[u8])> {
    pub(super) bytes: Vec<u8>,
    /// How long the words at the beginning are.
    words: usize,
    out: &'a mut F,
}

impl<'a, F: FnMut(&[u8])> Chunk<'a, F> {
    pub(super) fn new(kind: u8, out: &'a mut F) -> Self {
        Self { bytes: vec![kind], words: 1, out }
    }

    /// A chunk about a view, and perhaps some of its periods.
    pub(super) fn of_view(kind: u8, view: usize, starts: &[i64], out: &'a mut F) -> Self {
        let mut chunk = Self::new(kind, out);
        put_number(&mut chunk.bytes, view as u64);
        starts.iter().for_each(|start| put_signed(&mut chunk.bytes, *start));
        chunk.words = chunk.bytes.len();
        chunk
    }

    /// Closes the chunk if it is long enough; whether a new one begins.
    pub(super) fn close_if_full(&mut self) -> bool {
        let full = self.bytes.len() >= CHUNK;
        if full {
            (self.out)(&self.bytes);
            self.bytes.truncate(self.words);
        }
        full
    }

    pub(super) fn finish(self) {
        if self.bytes.len() > self.words {
            (self.out)(&self.bytes);
        }
    }
}

/// Every member by its place among those that were named.
pub(super) type Numbers = HashMap<MemberId, u64>;

impl Board {
    /// Gives the board as chunks, one after the other.
    pub fn save(&self, mut out: impl FnMut(&[u8])) {
        out(&self.head());
        self.save_rules(&mut out);
        let mut numbers = Numbers::new();
        self.save_entries(&mut numbers, &mut out);
        let others = self.save_others(&mut numbers, &mut out);
        let [mut entries, mut points, mut past] = [0_u64; 3];
        for (number, view) in self.views.iter().enumerate() {
            if number > 0 {
                entries = entries.saturating_add(self.save_view(number, view, &numbers, &mut out));
            }
            let Some(periods) = view.periods() else { continue };
            for (start, bucket) in periods.counted() {
                save_points((number, *start), bucket, &numbers, &mut out);
                points = points.saturating_add(bucket.len() as u64);
            }
            past = past.saturating_add(self.save_past(number, periods, &numbers, &mut out));
        }
        let campaign = self.save_campaign(&numbers, &mut out);
        let requests = self.save_requests(&mut out);
        let mut end = vec![END];
        for count in [self.len(), others, requests, entries, points, past].into_iter().chain(campaign) {
            put_number(&mut end, count);
        }
        out(&end);
    }

    /// Whether members are named by their place anywhere.
    fn needs_numbers(&self) -> bool {
        self.views.len() > 1
            || self.views.iter().any(|view| view.periods().is_some())
            || self.campaign().is_some()
    }

    fn save_entries(&self, numbers: &mut Numbers, out: &mut impl FnMut(&[u8])) {
        let Some(view) = self.views.first() else { return };
        let numbered = self.needs_numbers();
        let mut chunk = Chunk::new(ENTRIES, out);
        let mut before = (0, 0, 0);
        for (number, (key, id)) in (0_u64..).zip(view.index.iter_from(0)) {
            if numbered {
                numbers.insert(id, number);
            }
            let bytes = &mut chunk.bytes;
            bytes.push(self.flags(id));
            put_bytes(bytes, self.members.name(id));
            let arrived = self.put_entry(bytes, view, (key, id), before);
            self.put_meta(bytes, id);
            before = if chunk.close_if_full() { (0, 0, 0) } else { (key.rank_key, key.moment, arrived) };
        }
        chunk.finish();
    }

    fn flags(&self, id: MemberId) -> u8 {
        if self.meta_of(id).is_some() { WITH_META } else { 0 }
    }

    fn put_meta(&self, bytes: &mut Vec<u8>, id: MemberId) {
        if let Some(meta) = self.meta_of(id) {
            put_bytes(bytes, meta);
        }
    }

    /// Score, moment and, where the view has them, the number of the write and the latest event; that
    /// number.
    fn put_entry(
        &self,
        bytes: &mut Vec<u8>,
        view: &View,
        (key, id): (Key, MemberId),
        before: (u64, u64, u64),
    ) -> u64 {
        put_number(bytes, key.rank_key.saturating_sub(before.0));
        put_difference(bytes, before.1, key.moment);
        let arrived = view.sequence().map_or(0, |column| self.members.sequence(id, column));
        if view.sequence().is_some() {
            put_difference(bytes, before.2, arrived);
        }
        if self.schema.aggregate == Aggregate::Last {
            let event = view.event(id, key.moment).unwrap_or(key.moment);
            put_number(bytes, event.saturating_sub(key.moment));
        }
        arrived
    }

    /// Names the members that are not ranked in the default view, and numbers them.
    fn save_others(&self, numbers: &mut Numbers, out: &mut impl FnMut(&[u8])) -> u64 {
        let mut others = self.others(numbers);
        others.sort_unstable();
        others.dedup();
        let mut chunk = Chunk::new(OTHERS, out);
        for (number, (name, id)) in (self.len()..).zip(&others) {
            numbers.insert(*id, number);
            chunk.bytes.push(self.flags(*id));
            put_bytes(&mut chunk.bytes, name);
            self.put_meta(&mut chunk.bytes, *id);
            chunk.close_if_full();
        }
        chunk.finish();
        others.len() as u64
    }

    fn others(&self, numbers: &Numbers) -> Vec<(&[u8], MemberId)> {
        let mut others = Vec::new();
        let Some(first) = self.views.first() else { return others };
        let texts = self.extras.iter().flat_map(|extras| extras.texts.keys());
        let unranked = texts.filter(|id| first.find(*id, &self.members).is_none());
        others.extend(unranked.map(|id| (self.members.name(id), id)));
        let mut add = |id: MemberId| {
            if !numbers.contains_key(&id) {
                others.push((self.members.name(id), id));
            }
        };
        let candidates = self.campaign().into_iter().flat_map(|campaign| campaign.candidates.from(0));
        candidates.for_each(|(id, _)| add(id));
        self.campaign().into_iter().flat_map(|campaign| campaign.voters.options()).for_each(&mut add);
        for view in self.views.iter().skip(1) {
            view.index.iter_from(0).for_each(|(_, id)| add(id));
        }
        for view in &self.views {
            let Some(periods) = view.periods() else { continue };
            periods.counted().flat_map(|(_, bucket)| bucket.iter()).for_each(|(id, _)| add(id));
            periods.each_ended(&self.facts(), |_, _, order| {
                order.ranking(&self.schema, &self.members).walk(0).for_each(|(_, id)| add(id));
            });
        }
        others
    }

    fn save_view(&self, number: usize, view: &View, numbers: &Numbers, out: &mut impl FnMut(&[u8])) -> u64 {
        let mut chunk = Chunk::of_view(VIEW, number, &[], out);
        let mut before = (0, 0, 0);
        for (key, id) in view.index.iter_from(0) {
            let bytes = &mut chunk.bytes;
            put_number(bytes, numbers.get(&id).copied().unwrap_or(0));
            let arrived = self.put_entry(bytes, view, (key, id), before);
            before = if chunk.close_if_full() { (0, 0, 0) } else { (key.rank_key, key.moment, arrived) };
        }
        chunk.finish();
        view.index.len()
    }

    fn save_requests(&self, out: &mut impl FnMut(&[u8])) -> u64 {
        let Some(requests) = &self.requests else { return 0 };
        let mut chunk = Chunk::new(REQUESTS, out);
        let mut count = 0_u64;
        for (request, age) in requests.kept(self.last, self.keep()) {
            for half in request.hash {
                chunk.bytes.extend_from_slice(&half.to_le_bytes());
            }
            put_number(&mut chunk.bytes, u64::from(request.fingerprint));
            put_number(&mut chunk.bytes, age);
            count = count.saturating_add(1);
            chunk.close_if_full();
        }
        chunk.finish();
        count
    }
}

fn save_points((view, start): (usize, i64), bucket: &Bucket, numbers: &Numbers, out: &mut impl FnMut(&[u8])) {
    let number = |id| numbers.get(&id).copied().unwrap_or(0);
    let mut points: Vec<_> = bucket.iter().map(|(id, points)| (number(id), points)).collect();
    points.sort_unstable_by_key(|(number, _)| *number);
    let mut chunk = Chunk::of_view(POINTS, view, &[start], out);
    let mut before = (0, start as u64, 0);
    for (number, points) in points {
        put_number(&mut chunk.bytes, number.saturating_sub(before.0));
        put_signed(&mut chunk.bytes, points.units);
        put_difference(&mut chunk.bytes, before.1, points.moment);
        put_difference(&mut chunk.bytes, before.2, points.sequence);
        before = if chunk.close_if_full() {
            (0, start as u64, 0)
        } else {
            (number, points.moment, points.sequence)
        };
    }
    chunk.finish();
}
