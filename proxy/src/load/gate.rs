//! The gate before gathers: it limits how many parts are asked at the same time. A gather of a board with 64 parts needs
//! 64 places. Gathers that get no place wait in the order in which they came, for a limited time.
//!
//! A connection carries out one gather at a time. So a client with many commands in flight has one place in the queue,
//! like a client with one command.
//!
//! The limit protects the time that the parts have to answer: by Little's law, the time of an answer is the number of
//! parts that are asked at once, divided by the number of answers a second. Without a limit, this time grows with the
//! number of clients until every gather ends at its deadline. The operator gives the largest limit. The gate begins with
//! an eighth of it, gives out more places while gathers are fast, and fewer when a round takes longer than [`SLOW`]: then
//! the nodes, or this gateway, answer fewer parts a second than the largest limit expects.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep, timeout};

use super::{client, tally};

/// The maximum number of gathers that wait at the same time.
const MOST_WAITING: usize = 1_024;
/// A round of a gather that takes longer is slow.
const SLOW: Duration = Duration::from_millis(250);
/// A round that takes less time is fast.
const FAST: Duration = Duration::from_millis(125);
/// The gate gives out at least this number of places, if the operator allows as many.
const LEAST: u32 = 64;
/// The shortest and the longest time after which a refused client is asked to try again.
const SOON: Duration = Duration::from_millis(10);
const LATE: Duration = Duration::from_secs(10);

/// The places for gathers, and the queue before them.
pub struct Gate {
    places: Semaphore,
    most: u32,
    /// How many places there are at least. No gather takes more.
    least: u32,
    patience: Duration,
    limit: Mutex<Limit>,
    waiting: AtomicUsize,
    /// The number of places that the waiting gathers need.
    wanted: AtomicU64,
    /// How long a gather holds its places, in microseconds: an average in which recent gathers count more.
    held: AtomicU64,
}

/// The present number of places, and when it last became smaller.
struct Limit {
    places: u32,
    shrunk: Instant,
}

/// The reason why a gather was not carried out: there was no place. The client can try again after this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// The time that the gathers before it need, as far as can be estimated.
    pub again: Duration,
}

/// A gather that has not entered yet.
#[derive(Debug, Clone, Copy)]
pub struct Ticket {
    /// How many parts the gather asks. A gather that asks one part enters at once.
    pub parts: u16,
    /// When the gateway began to carry out the commands that came together with this one.
    pub came: Instant,
    /// How long the gather may take after it has entered.
    pub timeout: Duration,
    /// Whether the gather can be dropped when its client has gone.
    pub is_droppable: bool,
}

/// The places of a gather. They become free when this is dropped.
pub struct Place<'a> {
    gate: &'a Gate,
    since: Instant,
    /// How many parts the gather asks in a round.
    parts: u16,
    permit: Option<SemaphorePermit<'a>>,
}

impl Gate {
    /// Returns a gate with at most this number of places, at least 1. Gathers wait at most for the time `patience`.
    pub fn new(places: u32, patience: Duration) -> Self {
        let most = places.max(1);
        let least = most.div_euclid(8).max(LEAST).min(most);
        Self {
            places: Semaphore::new(usize::try_from(least).unwrap_or_default()),
            most,
            least,
            limit: Mutex::new(Limit { places: least, shrunk: Instant::now() }),
            patience,
            waiting: AtomicUsize::new(0),
            wanted: AtomicU64::new(0),
            held: AtomicU64::new(0),
        }
    }

    /// Returns how many gathers wait at present.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Returns the present number of places.
    pub fn limit(&self) -> u32 {
        self.limit.lock().unwrap_or_else(PoisonError::into_inner).places
    }

    /// Returns how many places are taken at present.
    pub fn taken(&self) -> u32 {
        let free = u32::try_from(self.places.available_permits()).unwrap_or(u32::MAX);
        self.limit().saturating_sub(free)
    }

    /// Returns how long a gather may wait.
    pub const fn patience(&self) -> Duration {
        self.patience
    }

    /// Waits for the places of a gather. The wait ends when the commands that came together have taken longer than the
    /// limit, or the timeout of the gather. After that, a gather enters only if there are free places, so a client that
    /// sends many commands at once is not refused while nobody else needs the places.
    ///
    /// If the queue is full, the error comes only after the time that the gathers before it need, or at the timeout of the
    /// gather. Otherwise clients that ask again at once would take most of the gateway's time.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn enter(&self, ticket: Ticket) -> Result<Place<'_>, Busy> {
        if ticket.parts <= 1 {
            return Ok(Place { gate: self, since: Instant::now(), parts: ticket.parts, permit: None });
        }
        let wanted = u32::from(ticket.parts).min(self.least);
        if let Ok(permit) = self.places.try_acquire_many(wanted) {
            return Ok(self.place(ticket, permit));
        }
        let left = self.patience.min(ticket.timeout).saturating_sub(ticket.came.elapsed());
        if left.is_zero() {
            return Err(self.busy(wanted));
        }
        if self.waiting() >= MOST_WAITING {
            let longest = ticket.timeout.saturating_sub(ticket.came.elapsed());
            tokio::select! {
                () = sleep(self.busy(wanted).again.min(longest)) => {}
                () = client::gone(), if ticket.is_droppable => {}
            }
            return Err(self.busy(wanted));
        }
        let waiting = Waiting::new(self, wanted);
        let permit = tokio::select! {
            permit = timeout(left, self.places.acquire_many(wanted)) => permit.ok().and_then(Result::ok),
            () = client::gone(), if ticket.is_droppable => None,
        };
        drop(waiting);
        permit.map(|permit| self.place(ticket, permit)).ok_or_else(|| self.busy(wanted))
    }

    fn place<'a>(&'a self, ticket: Ticket, permit: SemaphorePermit<'a>) -> Place<'a> {
        Place { gate: self, since: Instant::now(), parts: ticket.parts, permit: Some(permit) }
    }

    /// Includes the time of a gather in the average.
    fn learn(&self, held: Duration) {
        let held = u64::try_from(held.as_micros()).unwrap_or(u64::MAX);
        // Two gathers that end at the same time may lose one of the two values, which does not matter.
        let old = self.held.load(Relaxed);
        let new = if old == 0 { held } else { old.saturating_sub(old / 8).saturating_add(held / 8) };
        self.held.store(new, Relaxed);
    }

    /// Changes the number of places by the time of a round, and gives the places of the gather back. After a slow round,
    /// there are fewer places, but not again until new gathers can show the effect.
    fn adapt(&self, round: Duration, mut permit: SemaphorePermit<'_>) {
        let mut limit = self.limit.lock().unwrap_or_else(PoisonError::into_inner);
        let held = u32::try_from(permit.num_permits()).unwrap_or(u32::MAX);
        if round > SLOW && limit.shrunk.elapsed() > SLOW {
            let fewer = (limit.places / 4).min(limit.places.saturating_sub(self.least)).min(held);
            if let Some(taken) = permit.split(usize::try_from(fewer).unwrap_or_default()) {
                taken.forget();
                *limit = Limit { places: limit.places.saturating_sub(fewer), shrunk: Instant::now() };
            }
        } else if round < FAST {
            let more = held.div_ceil(16).min(self.most.saturating_sub(limit.places));
            limit.places = limit.places.saturating_add(more);
            self.places.add_permits(usize::try_from(more).unwrap_or_default());
        }
    }

    /// Returns the error for a gather that gets no place. All gathers before it, and the gathers that have places now,
    /// have to end first.
    fn busy(&self, wanted: u32) -> Busy {
        let limit = u64::from(self.limit());
        let before = self.wanted.load(Relaxed).saturating_add(wanted.into()).saturating_add(limit);
        let wait = self.held.load(Relaxed).saturating_mul(before).checked_div(limit);
        Busy { again: Duration::from_micros(wait.unwrap_or_default()).clamp(SOON, LATE) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let Some(permit) = self.permit.take() else { return };
        let held = self.since.elapsed();
        self.gate.learn(held);
        // A gather gives as many commands to the sender as it has parts, in each of its rounds.
        let rounds = tally::sent().checked_div(usize::from(self.parts)).unwrap_or_default().max(1);
        self.gate.adapt(held.checked_div(u32::try_from(rounds).unwrap_or(u32::MAX)).unwrap_or(held), permit);
    }
}

/// Counts a gather as waiting, until it is dropped.
struct Waiting<'a> {
    gate: &'a Gate,
    wanted: u64,
}

impl<'a> Waiting<'a> {
    fn new(gate: &'a Gate, wanted: u32) -> Self {
        gate.waiting.fetch_add(1, Relaxed);
        gate.wanted.fetch_add(wanted.into(), Relaxed);
        Self { gate, wanted: wanted.into() }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.gate.waiting.fetch_sub(1, Relaxed);
        self.gate.wanted.fetch_sub(self.wanted, Relaxed);
    }
}

#[cfg(test)]
mod tests;
