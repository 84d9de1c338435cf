//! A board as a value of the server: one of the native types.

use super::{Board, Upkeep};
use crate::Error;
use crate::campaign::Campaign;
use crate::effort;
use crate::levels::Levels;
use crate::mover::{Mover, Relocation};
use crate::native::{NativeType, Work};
use crate::parts::Role;
use crate::size_class::bytes_of;
use crate::time::{Clock, Millis};
use crate::view::{Garbage, View};

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

    fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    fn refusal(&self) -> Option<Error> {
        match self.schema.role {
            Role::Root(parts) => Some(Error::Spread(parts.count())),
            Role::Whole | Role::Part { .. } => None,
        }
    }

    fn holds_back(&self, wall: Millis) -> Option<Error> {
        self.is_held(wall).then_some(Error::Held)
    }

    fn note_write(&mut self) {
        self.end_split();
    }

    fn is_bound(&self) -> bool {
        self.schema.role != Role::Whole
    }

    fn now(&self, wall: Millis, max_future: Millis) -> Millis {
        self.schema.clock.now(self.last, wall, max_future)
    }

    fn is_timeless(&self) -> bool {
        self.is_loading() || self.upkeep.as_ref().is_none_or(|upkeep| upkeep.current.1 == i64::MAX)
    }

    fn advance(&mut self, now: Millis) {
        Self::advance(self, now);
    }

    fn has_work(&self) -> bool {
        let waits = |upkeep: &Upkeep| !upkeep.garbage.is_empty() || !upkeep.gone.is_empty();
        let busy = || {
            self.views.iter().any(|view| view.is_big())
                || self.upkeep.as_deref().is_some_and(waits)
                || self.has_old_segments()
                || self.campaign().is_some_and(Campaign::is_big)
        };
        self.loading.is_none() && busy()
    }

    fn work(&mut self, now: Millis) -> Work {
        if self.free_some() || self.free_votes(now) {
            return Work::Now;
        }
        let left = if self.is_due(now) { self.periods_to_leave() } else { Vec::new() };
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let (views, mut rest) = self.split();
        let mut later = i64::MAX;
        for mut view in views.iter_mut().filter_map(View::in_periods) {
            match view.work(now, &mut rest) {
                Work::Now => {
                    self.bound();
                    self.roll_segments_over(&left);
                    return Work::Now;
                }
                Work::Later(moment) => later = later.min(moment),
            }
        }
        if self.prepare_segments() { Work::Now } else { Work::Later(later) }
    }

    fn first_end(&self) -> i64 {
        Self::first_end(self)
    }

    fn end_after(&self, moment: Millis) -> i64 {
        Self::end_after(self, moment)
    }

    fn last_write(&self) -> Millis {
        self.last
    }

    fn is_ended_by_time(&self) -> bool {
        self.schema.clock == Clock::Server
    }

    fn has_watched_top(&self) -> bool {
        self.schema.notify_top > 0
    }

    fn has_new_top(&mut self) -> bool {
        Self::has_new_top(self)
    }

    fn members(&self) -> u64 {
        self.len()
    }

    fn memory(&self) -> usize {
        let extras = self.extras.as_ref().map_or(0, |extras| extras.memory(&self.members));
        let requests = self.requests.as_ref().map_or(0, |requests| requests.memory());
        let lists = bytes_of::<View>(self.views.len());
        let views = self.views.iter().map(View::memory);
        let upkeep = self.upkeep.as_ref().map_or(0, |upkeep| upkeep.memory());
        let levels = self.schema.levels.as_ref().map_or(0, Levels::memory);
        let dimensions = self.schema.segments.memory();
        [self.members.memory(), lists, extras, requests, upkeep, levels, dimensions]
            .into_iter()
            .chain(views)
            .fold(bytes_of::<Self>(1), usize::saturating_add)
    }

    fn effort(&self) -> usize {
        let extras = self.extras.iter().map(|extras| extras.effort());
        let requests = self.requests.iter().map(|requests| requests.effort());
        let garbage = self.upkeep.iter().flat_map(|upkeep| &upkeep.garbage).map(Garbage::effort);
        let views = self.views.iter().map(View::effort);
        let others = extras.chain(requests).chain(garbage);
        effort::sum(std::iter::once(self.members.effort()).chain(views).chain(others))
    }

    fn relocate(&mut self, from: usize, mover: &mut impl Mover) -> Option<usize> {
        Relocation::run(from, mover, |walk| {
            self.members.relocate(walk);
            if let Some(requests) = &mut self.requests {
                requests.relocate(walk);
            }
            if let Some(campaign) = self.extras.as_mut().and_then(|extras| extras.campaign.as_mut()) {
                campaign.attempts.relocate(walk);
                campaign.limits.relocate(walk);
                campaign.voters.relocate(walk);
            }
            self.views.iter_mut().for_each(|view| view.relocate(walk));
            if let Some(segments) = self.extras.as_mut().and_then(|extras| extras.segments.as_mut()) {
                segments.relocate(walk);
            }
        })
    }
}
