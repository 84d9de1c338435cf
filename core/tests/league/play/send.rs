//! Sends a write to a league, and returns its reply in the form of the model.

use leaderboard_core::Error;
use leaderboard_core::Event;
use leaderboard_core::board::{Effect, Outcome};
use leaderboard_core::league::{Joining, League};
use leaderboard_core::time::{Stamp, TimeSource};

use crate::model::{Op, Told};

const fn stamp(effect: Effect) -> Option<Stamp> {
    match effect {
        Effect::Applied(stamp) => Some(stamp),
        Effect::Repeated | Effect::SameAttempt | Effect::HeldBack => None,
    }
}

pub fn send(league: &mut League, op: &Op, at: Option<u64>, origin: TimeSource) -> Result<Told, Error> {
    match op {
        Op::Join(name, meta) => {
            let write = Event { at, request: None, origin };
            let Joining { effect, place, joined, waiting, last } =
                league.join(&write, name, meta.as_deref())?;
            Ok(Told::Joining { stamp: stamp(effect), place, joined, waiting, last })
        }
        Op::Add(points, name, id) => {
            let write = Event { at, request: id.as_deref(), origin };
            let Outcome { effect, now, before } = league.add(&write, *points, name)?;
            assert_eq!(before, None);
            Ok(Told::Outcome { stamp: stamp(effect), now })
        }
    }
}

/// Returns the reply if nothing was applied. Such a reply may still show members that were removed.
pub fn unapplied(told: Result<Told, Error>) -> Option<Result<Told, Error>> {
    Some(told).filter(|told| told.as_ref().is_ok_and(|told| told.stamp().is_none()))
}
