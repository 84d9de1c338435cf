//! Sends a write to a counter, and returns its reply in the form of the model.

use leaderboard_core::Event;
use leaderboard_core::board::Effect;
use leaderboard_core::counter::{Counter, Increase};
use leaderboard_core::time::TimeSource;

use crate::model::{Told, Write};

pub fn send(counter: &mut Counter, write: &Write, origin: TimeSource) -> Result<Told, String> {
    let event = Event { at: write.at, request: write.id.as_deref(), origin };
    let Increase { effect, total } = counter.increase(&event, write.by).map_err(|error| error.to_string())?;
    let stamp = match effect {
        Effect::Applied(stamp) => Some(stamp),
        Effect::Repeated | Effect::SameAttempt => None,
        Effect::HeldBack => panic!("counters have no rules that hold anything back"),
    };
    Ok(Told { stamp, total: total.into() })
}
