//! What one request has: its seat, its heavy place, and the bytes that it may read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::{LIGHT, Seat, Share, WAIT};
use crate::problem::Problem;

/// Bytes of lists that one request may read. A thousand rows with the longest names and texts are less.
const BYTES: u64 = 5 << 20;
/// The same where all options of a board become a file, or are compared with one.
pub const BYTES_OF_A_FILE: u64 = 32 << 20;
/// Bytes that one unit of room stands for. A reply is as large at the most, where it can be cut.
pub const ROOM: u64 = 512 << 10;
/// Units of room that all callers share: 8 MiB. The server builds no more for all of them at once, and nobody waits longer
/// than it takes to build that.
const ROOMS: usize = 16;

tokio::task_local! {
    static VISIT: Arc<Visit>;
}

/// What one request has.
#[derive(Debug)]
pub struct Visit {
    share: Arc<Share>,
    seat: Option<Seat>,
    heavy: OnceCell<OwnedSemaphorePermit>,
    /// A request asks for one large reply after the other.
    turn: Arc<Semaphore>,
    read: AtomicU64,
    most: AtomicU64,
}

impl Visit {
    pub fn new(share: Arc<Share>, seat: Option<Seat>) -> Arc<Self> {
        Arc::new(Self {
            share,
            seat,
            heavy: OnceCell::new(),
            turn: Arc::new(Semaphore::new(1)),
            read: AtomicU64::new(0),
            most: AtomicU64::new(BYTES),
        })
    }

    /// The visit of this task; one without a seat where no request runs.
    pub fn current(console: &Arc<Share>) -> Arc<Self> {
        VISIT.try_with(Arc::clone).unwrap_or_else(|_| Self::new(Arc::clone(console), None))
    }

    /// The visit of this task, if a request runs.
    pub fn of_this_request() -> Option<Arc<Self>> {
        VISIT.try_with(Arc::clone).ok()
    }

    /// Runs what belongs to this visit.
    pub async fn scope<F: Future>(self: Arc<Self>, work: F) -> F::Output {
        VISIT.scope(self, work).await
    }

    /// Whether no request with a seat runs: the console reads for itself.
    pub fn is_of_the_console(&self) -> bool {
        self.seat.is_none()
    }

    pub fn is_heavy(&self) -> bool {
        self.heavy.initialized()
    }

    /// Counts bytes of a list that was read.
    pub fn note(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// What was read has been passed on, piece by piece: the budget begins anew.
    pub fn begin_anew(&self) {
        self.read.store(0, Ordering::Relaxed);
    }

    /// Lets the request of this task read all options of a board.
    pub fn allow_a_file() {
        let _ = VISIT.try_with(|visit| visit.most.store(BYTES_OF_A_FILE, Ordering::Relaxed));
    }

    /// # Errors
    /// 413 for a request that has read more than it may.
    pub fn check(&self) -> Result<(), Problem> {
        let most = self.most.load(Ordering::Relaxed);
        if self.read.load(Ordering::Relaxed) <= most {
            return Ok(());
        }
        let mib = most >> 20;
        let detail = format!("more than {mib} MiB would come: ask for fewer rows, or without their texts");
        Err(Problem::reply_too_large(detail))
    }

    /// What a reply of this size holds until it has come.
    ///
    /// # Errors
    /// 429 and 503 where others hold it for too long.
    pub async fn hold(self: &Arc<Self>, largest: u64, rooms: &Rooms) -> Result<Hold, Problem> {
        let mut permits = Vec::new();
        let full = || Problem::unavailable("the console has too much to read at once");
        if self.is_of_the_console() {
            permits.push(wait(&self.share.seats, 1).await.ok_or_else(full)?);
        }
        if largest > LIGHT {
            self.become_heavy().await?;
            // Only what the same request has asked for comes before.
            permits.extend(Arc::clone(&self.turn).acquire_owned().await);
            permits.push(wait(&rooms.0, largest.div_ceil(ROOM)).await.ok_or_else(full)?);
        }
        Ok(Hold { _visit: Arc::clone(self), _permits: permits })
    }

    async fn become_heavy(&self) -> Result<(), Problem> {
        let place = async || {
            let detail = "too many requests for large replies of one token, or of one address, at once";
            wait(&self.share.heavy, 1).await.ok_or_else(|| Problem::too_many(detail))
        };
        self.heavy.get_or_try_init(place).await.map(drop)
    }
}

async fn wait(places: &Arc<Semaphore>, count: u64) -> Option<OwnedSemaphorePermit> {
    let count = u32::try_from(count).unwrap_or(u32::MAX).min(u32::try_from(ROOMS).unwrap_or(u32::MAX));
    timeout(WAIT, Arc::clone(places).acquire_many_owned(count)).await.ok()?.ok()
}

/// Room for the large replies of all callers.
#[derive(Debug, Clone)]
pub struct Rooms(Arc<Semaphore>);

impl Default for Rooms {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(ROOMS)))
    }
}

/// What is held until a reply has come.
#[derive(Debug)]
pub struct Hold {
    _visit: Arc<Visit>,
    _permits: Vec<OwnedSemaphorePermit>,
}
