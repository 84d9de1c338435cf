//! A league as a value of the server: one of the native types.

use super::League;
use crate::Error;
use crate::mover::{Mover, Relocation};
use crate::native::{NativeType, Work};
use crate::size_class::bytes_of;
use crate::time::Millis;

impl NativeType for League {
    fn save(&self, emit: impl FnMut(&[u8])) {
        self.save_chunks(emit);
    }

    fn load(chunk: &[u8]) -> Result<Self, Error> {
        Self::load_head(chunk)
    }

    fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        self.load_next(chunk)
    }

    fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    fn now(&self, wall: Millis, max_future: Millis) -> Millis {
        self.rules.clock.now(self.last, wall, max_future)
    }

    fn is_timeless(&self) -> bool {
        false
    }

    fn advance(&mut self, now: Millis) {
        self.period = Some(self.period_at(now));
    }

    fn has_work(&self) -> bool {
        self.has_work_now()
    }

    fn work(&mut self, _: Millis) -> Work {
        if self.work_some() { Work::Now } else { Work::Later(i64::MAX) }
    }

    fn members(&self) -> u64 {
        self.records.known()
    }

    fn memory(&self) -> usize {
        let requests = self.requests.as_ref().map_or(0, |requests| requests.memory());
        let prizes = self.prizes.as_ref().map_or(0, |prizes| prizes.memory());
        let parts = [self.records.memory(), self.seasons.memory(), self.settled.memory(), requests, prizes];
        let names = self.rules.tiers.iter().map(|tier| bytes_of::<u8>(tier.name.len()));
        let tiers = bytes_of::<super::Tier>(self.rules.tiers.capacity());
        parts.into_iter().chain(names).fold(bytes_of::<Self>(1).saturating_add(tiers), usize::saturating_add)
    }

    fn effort(&self) -> usize {
        let requests = self.requests.as_ref().map_or(0, |requests| requests.effort());
        let prizes = self.prizes.as_ref().map_or(0, |prizes| prizes.effort());
        let parts =
            [self.records.effort(), self.seasons.effort(), self.settled.allocations(), requests, prizes];
        parts.into_iter().fold(1, usize::saturating_add)
    }

    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| {
            self.records.relocate(walk);
            if let Some(requests) = &mut self.requests {
                requests.relocate(walk);
            }
            let seasons = &mut self.seasons;
            let open = seasons.open.as_deref_mut().into_iter();
            open.chain(&mut seasons.closed)
                .chain(&mut seasons.dropped)
                .for_each(|season| season.relocate(walk));
        })
    }
}
