//! A counter as a value of the server: one of the native types.

use super::Counter;
use super::lane::Lane;
use crate::Error;
use crate::mover::{Mover, Relocation};
use crate::native::{NativeType, Work};
use crate::size_class::bytes_of;
use crate::time::Millis;

impl NativeType for Counter {
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
        self.loading
    }

    fn now(&self, wall: Millis, max_future: Millis) -> Millis {
        self.clock.now(self.last, wall, max_future)
    }

    fn is_timeless(&self) -> bool {
        true
    }

    fn advance(&mut self, _: Millis) {}

    fn has_work(&self) -> bool {
        false
    }

    fn work(&mut self, _: Millis) -> Work {
        Work::Later(i64::MAX)
    }

    fn members(&self) -> u64 {
        0
    }

    fn memory(&self) -> usize {
        let lanes = self
            .lanes
            .iter()
            .map(Lane::memory)
            .fold(bytes_of::<Lane>(self.lanes.len()), usize::saturating_add);
        let requests = self.requests.as_ref().map_or(0, |requests| requests.memory());
        bytes_of::<Self>(1).saturating_add(lanes).saturating_add(requests)
    }

    fn effort(&self) -> usize {
        let requests = self.requests.as_ref().map_or(0, |requests| requests.effort());
        self.lanes.len().saturating_add(2).saturating_add(requests)
    }

    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| {
            walk.steps(1, |_, mover| self.lanes = mover.relocate_slice(std::mem::take(&mut self.lanes)));
            walk.steps(self.lanes.len(), |at, mover| {
                if let Some(lane) = self.lanes.get_mut(at) {
                    lane.ended_mut().relocate(mover);
                }
            });
            if let Some(requests) = &mut self.requests {
                requests.relocate(walk);
            }
        })
    }
}
