//! The work between commands: it packs closed seasons, settles seasons out of reach of RETAIN, and frees memory.
//! Every command gives the same reply whether or not this work was done.

use super::League;
use super::last::Last;
use super::packed::SeasonPacking;
use super::records::Active;
use super::season::{Body, Live, Season};
use super::seasons::{SeasonGarbage, Seasons};
use crate::sorted::Sorted;

/// The number of members that one step settles.
const STEP: u64 = 64;
/// The maximum number of seasons that may wait for this work. If there are more, every write does some of the work.
/// This happens on a server that is never idle or that loads a file.
const MOST_WAITING: usize = 2;

impl League {
    /// Does a little of the work. Returns whether more work is left.
    pub(super) fn work_some(&mut self) -> bool {
        self.seasons.free_some() || self.settle_some() || self.seasons.pack_some()
    }

    /// Returns whether there is work to do.
    pub(super) fn has_work_now(&self) -> bool {
        let seasons = &self.seasons;
        !seasons.garbage.is_empty() || !seasons.dropped.is_empty() || seasons.unpacked > 0
    }

    /// Does some of the work if too many seasons wait for it.
    pub(super) fn catch_up(&mut self) {
        let seasons = &self.seasons;
        let waiting = [seasons.dropped.len(), seasons.unpacked, seasons.garbage.len()];
        if waiting.into_iter().fold(0, usize::saturating_add) > MOST_WAITING {
            self.work_some();
        }
    }

    /// Settles some members of the oldest season that is out of reach of RETAIN. Returns false when there is no
    /// such season.
    fn settle_some(&mut self) -> bool {
        let Some(season) = self.seasons.dropped.front_mut() else { return false };
        match season.pack_some() {
            PackingStep::Before => {}
            PackingStep::Partly => return true,
            PackingStep::Now(live) => {
                self.seasons.discard_live(live);
                return true;
            }
        }
        let Body::Packed(packed) = &season.body else { return false };
        let (from, to) = (self.seasons.done, self.seasons.done.saturating_add(STEP).min(packed.len()));
        let mut forgotten = Vec::new();
        for (spot, id) in (from..to).filter_map(|position| packed.at(position)) {
            if self.records.active(id) == Active::In(season.head.number) {
                self.settled.insert(id, &Last::of(&season.head, spot));
                self.records.set_active(id, Active::Settled);
            } else {
                forgotten.push(id);
            }
        }
        self.seasons.done = to;
        if to == packed.len() {
            self.seasons.done = 0;
            let garbage = self.seasons.dropped.pop_front();
            garbage.into_iter().for_each(|season| self.seasons.discard(season));
        }
        for id in forgotten {
            // The member may be forgotten already, and its number may be given to another member.
            if self.records.find(self.records.name(id)) == Some(id) {
                self.forget(id);
            }
        }
        true
    }
}

/// The state of the packing of a season after one step.
enum PackingStep {
    Before,
    Partly,
    /// The season is packed now. Its live groups are no longer needed.
    Now(Live),
}

impl Season {
    /// Packs a few entries of the season.
    fn pack_some(&mut self) -> PackingStep {
        match &mut self.body {
            Body::Packed(_) => return PackingStep::Before,
            Body::Live(live) => {
                let live = std::mem::replace(live, Live::new(0));
                self.body = Body::Packing(Box::new(SeasonPacking::new(live)));
            }
            Body::Packing(packing) => {
                if !packing.step()
                    && let Some((packed, live)) = packing.finish()
                {
                    self.body = Body::Packed(Box::new(packed));
                    return PackingStep::Now(live);
                }
            }
        }
        PackingStep::Partly
    }
}

impl Seasons {
    /// Packs a few entries of the oldest closed season that is not packed. Returns false when all closed seasons
    /// are packed.
    fn pack_some(&mut self) -> bool {
        if self.unpacked == 0 {
            return false;
        }
        let Some(season) = self.closed.iter_mut().find(|season| season.live().is_some()) else {
            return false;
        };
        if let PackingStep::Now(live) = season.pack_some() {
            self.unpacked = self.unpacked.saturating_sub(1);
            self.discard_live(live);
        }
        true
    }

    /// Frees a little memory. Returns false when there is nothing to free.
    fn free_some(&mut self) -> bool {
        let Some(last) = self.garbage.last_mut() else { return false };
        let more = match last {
            SeasonGarbage::Groups(groups) => groups.drain_some(),
            SeasonGarbage::Packed(packed) => packed.drain_some(),
            SeasonGarbage::Moved(moved) => {
                *moved = Sorted::default();
                false
            }
        };
        if !more {
            self.garbage.pop();
        }
        true
    }
}
