//! What one request has taken: its seat, its heavy place, and the bytes that it may read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::{LIGHT, Seat, Share, WAIT};
use crate::problem::Problem;

/// How many bytes of lists one request may read. A thousand rows with the longest names and texts have fewer bytes.
const BYTES: u64 = 5 << 20;
/// The same limit for requests that write all options of a board to a file or compare them with a file, and for each piece of a
/// file that is read while it is sent.
pub const BYTES_OF_A_FILE: u64 = 32 << 20;
/// The bytes of one unit of room. If a reply can be split into pieces, each piece is at most this large.
pub const ROOM: u64 = 512 << 10;
/// The units of room that all callers share, together 8 MiB. The server never builds more than this at once for all
/// callers, and no request waits longer than the server takes to build it.
const ROOMS: usize = 16;

tokio::task_local! {
    static VISIT: Arc<Visit>;
}

/// What one request has taken.
#[derive(Debug)]
pub struct Visit {
    share: Arc<Share>,
    seat: Option<Seat>,
    heavy: OnceCell<OwnedSemaphorePermit>,
    /// Ensures that a request asks for one large reply after the other.
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

    /// The visit of this task. If no request runs in this task, a new visit without a seat.
    pub fn current(console: &Arc<Share>) -> Arc<Self> {
        VISIT.try_with(Arc::clone).unwrap_or_else(|_| Self::new(Arc::clone(console), None))
    }

    /// The visit of this task; `None` if no request runs in it.
    pub fn of_this_request() -> Option<Arc<Self>> {
        VISIT.try_with(Arc::clone).ok()
    }

    /// Runs work that belongs to this visit.
    pub async fn scope<F: Future>(self: Arc<Self>, work: F) -> F::Output {
        VISIT.scope(self, work).await
    }

    /// Runs work of this request to its end, in a task of its own, even if the caller stops waiting for it.
    ///
    /// # Errors
    /// 500 if the work panics.
    pub async fn to_the_end<T: Send + 'static>(
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Problem> {
        let task = match Self::of_this_request() {
            Some(visit) => tokio::spawn(visit.scope(work)),
            None => tokio::spawn(work),
        };
        task.await.map_err(|_| Problem::internal("a fault"))
    }

    /// Whether the visit has no seat: the console then reads for itself, not for a request.
    pub fn is_of_the_console(&self) -> bool {
        self.seat.is_none()
    }

    pub fn is_heavy(&self) -> bool {
        self.heavy.initialized()
    }

    /// Counts the bytes of a list that was read.
    pub fn note(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Sets the count of bytes to 0, because everything that was read has been sent on.
    pub fn begin_anew(&self) {
        self.read.store(0, Ordering::Relaxed);
    }

    /// Lets the request of this task read as much as a file may have.
    pub fn allow_a_file() {
        let _ = VISIT.try_with(|visit| visit.most.store(BYTES_OF_A_FILE, Ordering::Relaxed));
    }

    /// # Errors
    /// 413 if the request has read more than it may.
    pub fn check(&self) -> Result<(), Problem> {
        let most = self.most.load(Ordering::Relaxed);
        if self.read.load(Ordering::Relaxed) <= most {
            return Ok(());
        }
        let mib = most >> 20;
        let detail = format!("more than {mib} MiB would come: ask for fewer rows, or without their texts");
        Err(Problem::reply_too_large(detail))
    }

    /// Takes what a reply of this size needs, until the reply has come.
    ///
    /// # Errors
    /// 429 and 503 if other requests do not free it in time.
    pub async fn hold(self: &Arc<Self>, largest: u64, rooms: &Rooms) -> Result<Hold, Problem> {
        let mut permits = Vec::new();
        let full = || Problem::unavailable("the console has too much to read at once");
        if self.is_of_the_console() {
            permits.push(wait(&self.share.seats, 1).await.ok_or_else(full)?);
        }
        if largest > LIGHT {
            self.become_heavy().await?;
            // Only earlier commands of the same request can be in front.
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
