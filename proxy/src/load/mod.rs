//! The load of the gateway: what it limits, and what it counts about gathers. All users and both ports of a gateway
//! share one [`Load`].
//!
//! `gate` limits how many parts are asked at once, and `entry` gives a command its deadline when it enters. `replies` limits the memory of replies that clients have not read.
//! `client` connects a waiting command with the connection of its client. `gathers`, `unanswered` and `states` are
//! counts for monitoring, and `tally` counts what one gather sends.

mod client;
mod entry;
mod gate;
mod gathers;
mod histogram;
mod replies;
mod states;
mod tally;
mod unanswered;

use std::time::Duration;

pub use client::{Client, serving};
pub use entry::Entry;
pub use gate::{Busy, Gate, Ticket};
pub use gathers::{Counts, Ended, Gathers, Recent};
pub use histogram::Histogram;
pub use replies::Replies;
pub use states::States;
pub use tally::{note_repeated, note_sent, tallying};
pub use unanswered::{Lost, Unanswered};

/// The limits of a gateway.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many parts the gathers of all clients may ask at once.
    pub places: u32,
    /// How long a gather may wait for its places.
    pub patience: Duration,
    /// The maximum number of bytes of one reply.
    pub reply: usize,
    /// The maximum number of bytes of the replies that all clients have not read.
    pub replies: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            places: default_places(),
            patience: Duration::from_millis(500),
            reply: 64 << 20,
            replies: 512 << 20,
        }
    }
}

/// Returns the number of parts that may be asked at once if the operator gives no number. A processor handles about
/// 200,000 answers of parts a second, so these places are about 10 ms of its work: enough that it never waits for the
/// network, and far from the timeout of a gather.
pub fn default_places() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, |processors| processors.get());
    u32::try_from(processors).unwrap_or(u32::MAX).saturating_mul(2_048)
}

/// The limits and counts of a gateway.
pub struct Load {
    /// The places for gathers.
    pub gate: Gate,
    /// The memory of replies.
    pub replies: Replies,
    /// Counts of gathers, by command.
    pub gathers: Gathers,
    /// Counts of commands for one part that got no answer.
    pub unanswered: Unanswered,
    /// The states of the roots that the gateway knows.
    pub states: States,
}

impl Load {
    /// Returns a load with these limits. Nothing is under way.
    pub fn new(limits: Limits) -> Self {
        Self {
            gate: Gate::new(limits.places, limits.patience),
            replies: Replies::new(limits.reply, limits.replies),
            gathers: Gathers::default(),
            unanswered: Unanswered::default(),
            states: States::default(),
        }
    }
}

impl Default for Load {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}
