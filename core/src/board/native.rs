//! A board as the server sees it: one native type among others.

use super::Board;
use crate::Error;
use crate::mover::Mover;
use crate::native::NativeType;
use crate::time::Millis;
use crate::view::Work;

impl NativeType for Board {
    fn save(&self, emit: impl FnMut(&[u8])) {
        Self::save(self, emit);
    }

    fn load(chunk: &[u8]) -> Result<Self, Error> {
        Self::load(chunk)
    }

    fn load_chunk(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        Self::load_chunk(self, chunk)
    }

    fn now(&self, wall: Millis, max_future: Millis) -> Millis {
        Self::now(self, wall, max_future)
    }

    fn is_timeless(&self) -> bool {
        Self::is_timeless(self)
    }

    fn advance(&mut self, now: Millis) {
        Self::advance(self, now);
    }

    fn has_work(&self) -> bool {
        self.is_served()
    }

    fn work(&mut self, now: Millis) -> Work {
        Self::work(self, now)
    }

    fn members(&self) -> u64 {
        self.len()
    }

    fn memory(&self) -> usize {
        Self::memory(self)
    }

    fn effort(&self) -> usize {
        Self::effort(self)
    }

    fn relocate(&mut self, step: u64, mover: &mut impl Mover) -> Option<u64> {
        Self::relocate(self, step, mover)
    }
}
