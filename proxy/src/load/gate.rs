//! The gate before gathers: it limits how many parts are asked at the same time. A gather of a board with 64 parts needs
//! 64 places. Gathers that get no place wait in the order in which they came, for a limited time.
//!
//! A connection carries out one gather at a time. So a client with many commands in flight has one place in the queue,
//! like a client with one command.
//!
//! The limit protects the time that the parts have to answer: by Little's law, the time of an answer is the number of
//! parts that are asked at once, divided by the number of answers a second. Without a limit, this time grows with the
//! number of clients until every gather ends at its deadline.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout};

use super::client;

/// The maximum number of gathers that wait at the same time.
const MOST_WAITING: usize = 4_096;
/// The shortest and the longest time after which a refused client is asked to try again.
const SOON: Duration = Duration::from_millis(10);
const LATE: Duration = Duration::from_secs(10);

/// The places for gathers, and the queue before them.
pub struct Gate {
    places: Semaphore,
    most: u32,
    patience: Duration,
    waiting: AtomicUsize,
    /// The number of places that the waiting gathers need.
    wanted: AtomicU64,
    /// How long a gather holds its places, in microseconds: an average in which recent gathers count more.
    held: AtomicU64,
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
    permit: Option<SemaphorePermit<'a>>,
}

impl Gate {
    /// Returns a gate with this number of places, at least 1. Gathers wait at most for the time `patience`.
    pub fn new(places: u32, patience: Duration) -> Self {
        let most = places.max(1);
        Self {
            places: Semaphore::new(usize::try_from(most).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)),
            most,
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

    /// Returns the number of places.
    pub const fn most(&self) -> u32 {
        self.most
    }

    /// Returns how many places are taken at present.
    pub fn taken(&self) -> u32 {
        let free = u32::try_from(self.places.available_permits()).unwrap_or(u32::MAX);
        self.most.saturating_sub(free)
    }

    /// Returns how long a gather may wait.
    pub const fn patience(&self) -> Duration {
        self.patience
    }

    /// Waits for the places of a gather. The wait ends when the commands that came together have taken longer than the
    /// limit, or the timeout of the gather. After that, a gather enters only if there are free places, so a client that
    /// sends many commands at once is not refused while nobody else needs the places.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn enter(&self, ticket: Ticket) -> Result<Place<'_>, Busy> {
        if ticket.parts <= 1 {
            return Ok(Place { gate: self, since: Instant::now(), permit: None });
        }
        let wanted = u32::from(ticket.parts).min(self.most);
        if let Ok(permit) = self.places.try_acquire_many(wanted) {
            return Ok(self.place(permit));
        }
        let left = self.patience.min(ticket.timeout).saturating_sub(ticket.came.elapsed());
        if left.is_zero() || self.waiting() >= MOST_WAITING {
            return Err(self.busy(wanted));
        }
        let waiting = Waiting::new(self, wanted);
        let permit = tokio::select! {
            permit = timeout(left, self.places.acquire_many(wanted)) => permit.ok().and_then(Result::ok),
            () = client::gone(), if ticket.is_droppable => None,
        };
        drop(waiting);
        permit.map(|permit| self.place(permit)).ok_or_else(|| self.busy(wanted))
    }

    fn place<'a>(&'a self, permit: SemaphorePermit<'a>) -> Place<'a> {
        Place { gate: self, since: Instant::now(), permit: Some(permit) }
    }

    /// Includes the time of a gather in the average.
    fn learn(&self, held: Duration) {
        let held = u64::try_from(held.as_micros()).unwrap_or(u64::MAX);
        // Two gathers that end at the same time may lose one of the two values, which does not matter.
        let old = self.held.load(Relaxed);
        let new = if old == 0 { held } else { old.saturating_sub(old / 8).saturating_add(held / 8) };
        self.held.store(new, Relaxed);
    }

    /// Returns the error for a gather that gets no place. All gathers before it, and the gathers that have places now,
    /// have to end first.
    fn busy(&self, wanted: u32) -> Busy {
        let before = self.wanted.load(Relaxed).saturating_add(wanted.into()).saturating_add(self.most.into());
        let wait = self.held.load(Relaxed).saturating_mul(before).checked_div(self.most.into());
        Busy { again: Duration::from_micros(wait.unwrap_or_default()).clamp(SOON, LATE) }
    }
}

/// How one command enters the gate. Time in the queue does not count as time of the parts: the deadline of the command
/// follows from the moment when it enters.
pub struct Entry<'a> {
    gate: &'a Gate,
    ticket: Ticket,
    deadline: OnceLock<Instant>,
}

impl<'a> Entry<'a> {
    /// Returns the entry of a command that has not entered yet.
    pub const fn new(gate: &'a Gate, ticket: Ticket) -> Self {
        Self { gate, ticket, deadline: OnceLock::new() }
    }

    /// Waits for the places of the command. Returns them with the deadline of the command. A command that asks its
    /// parts a second time keeps its deadline.
    ///
    /// # Errors
    /// [`Busy`].
    pub async fn enter(&self) -> Result<(Place<'a>, Instant), Busy> {
        let ticket = match self.deadline.get() {
            None => self.ticket,
            Some(deadline) => {
                let (came, timeout) = (Instant::now(), deadline.saturating_duration_since(Instant::now()));
                Ticket { came, timeout, ..self.ticket }
            }
        };
        let place = self.gate.enter(ticket).await?;
        Ok((place, self.deadline()))
    }

    /// Returns the deadline of the command. It begins to run now at the latest.
    pub fn deadline(&self) -> Instant {
        *self.deadline.get_or_init(|| after(self.ticket.timeout))
    }

    /// Returns until when a command waits for the result of another command that enters in its place.
    pub fn patience(&self) -> Instant {
        after(self.gate.patience().saturating_add(self.ticket.timeout))
    }
}

fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now)
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.permit.is_some() {
            self.gate.learn(self.since.elapsed());
        }
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
mod tests {
    use futures_util::future::join_all;
    use tokio::sync::Mutex;
    use tokio::time::{advance, sleep};

    use super::super::client::{Client, serving};
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(1);

    fn gate(places: u32) -> Gate {
        Gate::new(places, Duration::from_millis(500))
    }

    fn ticket(parts: u16) -> Ticket {
        Ticket { parts, came: Instant::now(), timeout: TIMEOUT, is_droppable: true }
    }

    #[tokio::test(start_paused = true)]
    async fn gathers_wait_in_their_order_and_large_ones_are_not_overtaken() {
        let (gate, order) = (gate(8), Mutex::new(Vec::new()));
        let gathers = [8, 2, 8, 2, 2].into_iter().enumerate().map(|(number, parts)| {
            let (gate, order) = (&gate, &order);
            async move {
                let place = gate.enter(ticket(parts)).await.unwrap();
                sleep(Duration::from_millis(10)).await;
                order.lock().await.push(number);
                drop(place);
            }
        });
        join_all(gathers).await;
        assert_eq!(*order.lock().await, [0, 1, 2, 3, 4]);
        assert_eq!((gate.waiting(), gate.taken()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_gather_with_more_parts_than_places_takes_all() {
        let gate = gate(8);
        let place = gate.enter(ticket(1_024)).await.unwrap();
        assert_eq!(gate.taken(), 8);
        // A command that asks one part never waits.
        assert!(gate.enter(ticket(1)).await.is_ok());
        assert!(gate.enter(ticket(2)).await.is_err());
        drop(place);
        assert!(gate.enter(ticket(2)).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_ends_with_the_time_that_it_took_until_now() {
        let gate = gate(8);
        let place = gate.enter(ticket(8)).await.unwrap();
        advance(Duration::from_millis(40)).await;
        drop(place);
        let place = gate.enter(ticket(8)).await.unwrap();
        let began = Instant::now();
        let busy = gate.enter(ticket(8)).await.err().unwrap();
        assert_eq!(began.elapsed(), gate.patience());
        // The gather that has the places, and this one: each took 40 ms before.
        assert_eq!(busy.again, Duration::from_millis(80));
        // A timeout that is shorter than the patience is the limit, and a late command does not wait at all.
        let began = Instant::now();
        assert!(gate.enter(Ticket { timeout: Duration::from_millis(30), ..ticket(8) }).await.is_err());
        assert_eq!(began.elapsed(), Duration::from_millis(30));
        let late = ticket(8);
        advance(Duration::from_millis(500)).await;
        let began = Instant::now();
        assert!(gate.enter(late).await.is_err());
        assert_eq!(began.elapsed(), Duration::ZERO);
        // Without other gathers, a late command is not refused.
        drop(place);
        assert!(gate.enter(late).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_queue_has_an_end() {
        let gate = gate(8);
        let place = gate.enter(ticket(8)).await.unwrap();
        let mut began: Vec<_> = Vec::new();
        for _ in 0..MOST_WAITING {
            began.push(Box::pin(gate.enter(ticket(2))));
        }
        for gather in &mut began {
            assert!(futures_util::poll!(gather).is_pending());
        }
        let now = Instant::now();
        let busy = gate.enter(ticket(2)).await.err().unwrap();
        assert!(busy.again >= SOON && now.elapsed() == Duration::ZERO);
        began.clear();
        assert_eq!(gate.waiting(), 0);
        drop(place);
    }

    #[tokio::test(start_paused = true)]
    async fn a_gather_that_waits_is_dropped_when_its_client_has_gone() {
        let gate = gate(8);
        let place = gate.enter(ticket(8)).await.unwrap();
        let client = Client::default();
        let (read, write) = (ticket(8), Ticket { is_droppable: false, ..ticket(8) });
        let began = Instant::now();
        let both = serving(client.clone(), async {
            tokio::join!(
                async { (gate.enter(read).await.is_ok(), began.elapsed()) },
                async { (gate.enter(write).await.is_ok(), began.elapsed()) },
                async {
                    client.queued().await;
                    sleep(Duration::from_millis(7)).await;
                    client.has_gone();
                }
            )
        });
        let (read, write, ()) = both.await;
        assert_eq!(read, (false, Duration::from_millis(7)));
        assert_eq!(write, (false, gate.patience()), "a write waits on");
        drop(place);
    }
}
