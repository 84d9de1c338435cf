//! From a board to chunks.

use super::wire::{put_bytes, put_difference, put_number};
use super::{CHUNK, END, ENTRIES, FORMAT, HEAD, REQUESTS, UNRANKED, WITH_EVENT, WITH_META};
use crate::board::Board;
use crate::schema::{Aggregate, Order, Schema, Ties};
use crate::time::Clock;

/// A chunk being filled.
struct Chunk<'a, F: FnMut(&[u8])> {
    kind: u8,
    bytes: Vec<u8>,
    out: &'a mut F,
}

impl<'a, F: FnMut(&[u8])> Chunk<'a, F> {
    fn new(kind: u8, out: &'a mut F) -> Self {
        Self { kind, bytes: vec![kind], out }
    }

    /// Closes the chunk if it is long enough; whether a new one begins.
    fn close_if_full(&mut self) -> bool {
        let full = self.bytes.len() >= CHUNK;
        if full {
            (self.out)(&self.bytes);
            self.bytes.clear();
            self.bytes.push(self.kind);
        }
        full
    }

    fn finish(self) {
        if self.bytes.len() > 1 {
            (self.out)(&self.bytes);
        }
    }
}

impl Board {
    /// Gives the board as chunks, one after the other.
    pub fn save(&self, mut out: impl FnMut(&[u8])) {
        out(&self.head());
        self.save_entries(&mut out);
        let unranked = self.save_unranked(&mut out);
        let requests = self.save_requests(&mut out);
        let mut end = vec![END];
        for count in [self.len(), unranked, requests] {
            put_number(&mut end, count);
        }
        out(&end);
    }

    fn head(&self) -> Vec<u8> {
        let Schema { order, aggregate, ties, decimals, clock, dedup } = self.schema;
        let order = match order {
            Order::Desc => 0,
            Order::Asc => 1,
        };
        let aggregate = match aggregate {
            Aggregate::Sum => 0,
            Aggregate::Max => 1,
            Aggregate::Min => 2,
            Aggregate::Last => 3,
        };
        let ties = match ties {
            Ties::First => 0,
            Ties::Last => 1,
            Ties::Lex => 2,
        };
        let clock = match clock {
            Clock::Server => 0,
            Clock::Event => 1,
        };
        let mut head = vec![HEAD, FORMAT, order, aggregate, ties, decimals, clock];
        put_number(&mut head, u64::from(dedup));
        put_number(&mut head, self.last);
        head
    }

    fn save_entries(&self, out: &mut impl FnMut(&[u8])) {
        let mut chunk = Chunk::new(ENTRIES, out);
        let mut before = (0, 0);
        for (key, id) in self.index.iter_from(0) {
            let meta = self.meta_of(id);
            let event = self.event_of(id);
            let flags =
                if meta.is_some() { WITH_META } else { 0 } | if event.is_some() { WITH_EVENT } else { 0 };
            let bytes = &mut chunk.bytes;
            bytes.push(flags);
            put_bytes(bytes, self.members.name(id));
            put_number(bytes, key.grade.saturating_sub(before.0));
            put_difference(bytes, before.1, key.moment);
            if let Some(event) = event {
                put_number(bytes, event.saturating_sub(key.moment));
            }
            if let Some(meta) = meta {
                put_bytes(bytes, meta);
            }
            before = if chunk.close_if_full() { (0, 0) } else { (key.grade, key.moment) };
        }
        chunk.finish();
    }

    fn save_unranked(&self, out: &mut impl FnMut(&[u8])) -> u64 {
        let Some(extras) = &self.extras else { return 0 };
        let mut unranked: Vec<(&[u8], &[u8])> = extras
            .texts
            .iter()
            .filter(|(id, _)| self.index.find(**id, &self.members).is_none())
            .map(|(id, text)| (self.members.name(*id), &**text))
            .collect();
        unranked.sort_unstable();
        let mut chunk = Chunk::new(UNRANKED, out);
        for (name, text) in &unranked {
            put_bytes(&mut chunk.bytes, name);
            put_bytes(&mut chunk.bytes, text);
            chunk.close_if_full();
        }
        chunk.finish();
        unranked.len() as u64
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
