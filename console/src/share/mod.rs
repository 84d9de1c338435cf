//! Shares: how much one caller can use of the console and of the servers at once. A caller is a token. If there are no
//! tokens, a caller is an IPv4 address or a network of IPv6.
//!
//! ```text
//! request -> a seat of its caller -> [the heavy place of its caller] -> [room for the reply] -> server
//! ```
//!
//! Each request takes a seat. A request that asks for a large reply is heavy: it takes one of the few heavy places of
//! its caller, and keeps this place until its own answer has been sent. It asks for one large reply after the other,
//! and each reply takes room that all callers share. A command that was sent to the server holds its seat, place and
//! room until its reply has come, even if the request was abandoned before. So the number of commands that wait in the
//! server stays limited. A `Visit` is everything that one request has taken; it also counts the bytes that the request
//! has read. The task of the request carries the visit, and `link` finds it there.

mod body;
mod visit;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::access::proxy::Origin;

pub use body::holding;
pub use visit::{Hold, ROOM, Rooms, Visit};

/// A request is heavy if a reply can be larger than this, in bytes.
pub const LIGHT: u64 = 192 << 10;
/// How many heavy requests one caller can have at once.
const HEAVY: usize = 4;
/// How many reads the console makes at once for its own work: rankings that are followed live, and figures of plots.
const OF_THE_CONSOLE: usize = 64;
/// How long a request waits for its seat, then for its place, and then for its room; each of the three may take this
/// time.
const WAIT: Duration = Duration::from_secs(1);
/// If there are more shares than this, the shares of callers without a running request are removed.
const MANY: usize = 1_000;

/// The shares of all callers that have a running request.
#[derive(Debug)]
pub struct Shares {
    callers: Mutex<HashMap<Who, Weak<Share>>>,
    seats: usize,
}

/// The owner of a share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    Token(String),
    Origin(Origin),
}

/// The share of one caller.
#[derive(Debug)]
pub struct Share {
    /// Requests that run or wait for a seat.
    inside: Arc<Semaphore>,
    seats: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
}

/// The seat of a running request.
#[derive(Debug)]
pub struct Seat {
    _inside: OwnedSemaphorePermit,
    _seat: OwnedSemaphorePermit,
}

impl Shares {
    /// Gives each caller this number of seats. The same number of requests of the caller can wait for a seat.
    pub fn new(seats: u32) -> Self {
        let seats = usize::try_from(seats).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS / 2);
        Self { callers: Mutex::default(), seats }
    }

    /// The share of a caller.
    pub fn of(&self, who: Who) -> Arc<Share> {
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = callers.get(&who).and_then(Weak::upgrade) {
            return share;
        }
        if callers.len() >= MANY {
            callers.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(Share::new(self.seats));
        callers.insert(who, Arc::downgrade(&share));
        share
    }
}

impl Share {
    fn new(seats: usize) -> Self {
        Self {
            inside: Arc::new(Semaphore::new(seats.saturating_mul(2))),
            seats: Arc::new(Semaphore::new(seats)),
            heavy: Arc::new(Semaphore::new(HEAVY)),
        }
    }

    pub fn of_the_console() -> Self {
        Self::new(OF_THE_CONSOLE)
    }

    /// Returns whether no request and no exchange with the servers holds a seat of the console's own share.
    #[cfg(test)]
    pub fn is_free(&self) -> bool {
        self.seats.available_permits() == OF_THE_CONSOLE
    }

    /// Waits a limited time for a seat.
    pub async fn seat(&self) -> Option<Seat> {
        let inside = Arc::clone(&self.inside).try_acquire_owned().ok()?;
        let seat = timeout(WAIT, Arc::clone(&self.seats).acquire_owned()).await.ok()?.ok()?;
        Some(Seat { _inside: inside, _seat: seat })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_lasts_as_long_as_its_caller_has_a_request() {
        let shares = Shares::new(1);
        let token = |name: usize| Who::Token(name.to_string());
        let first = shares.of(token(0));
        assert!(Arc::ptr_eq(&first, &shares.of(token(0))));
        for name in 1..=3 * MANY {
            shares.of(token(name));
        }
        assert!(shares.callers.lock().unwrap().len() <= MANY + 1, "those that are gone are forgotten");
        assert!(Arc::ptr_eq(&first, &shares.of(token(0))));
    }

    #[tokio::test]
    async fn a_heavy_place_is_free_when_the_answer_was_sent_and_the_reply_has_come() {
        let share = Arc::new(Share::new(1));
        let free = || share.heavy.available_permits();
        let visit = Visit::new(Arc::clone(&share), share.seat().await);
        let rooms = Rooms::default();
        let light = visit.hold(LIGHT, &rooms).await.unwrap();
        assert!(!visit.is_heavy());
        let first = visit.hold(ROOM, &rooms).await.unwrap();
        drop(first);
        let given_up = visit.hold(ROOM, &rooms).await.unwrap();
        assert_eq!(free(), HEAVY - 1, "one place for all that a request asks for");
        let answer = body::holding(axum::response::Response::new("rows".into()), visit);
        let sent = axum::body::to_bytes(answer.into_body(), 100).await.unwrap();
        assert_eq!((&*sent, free()), (b"rows".as_slice(), HEAVY - 1), "the server still builds a reply");
        drop((light, given_up));
        assert_eq!((free(), share.seats.available_permits()), (HEAVY, 1));
    }

    #[tokio::test]
    async fn a_request_may_read_so_much() {
        let visit = Visit::new(Arc::new(Share::new(1)), None);
        visit.note(5 << 20);
        assert_eq!(visit.check(), Ok(()));
        visit.note(1);
        assert_eq!(visit.check().unwrap_err().status().as_u16(), 413);
        Arc::clone(&visit).scope(async { Visit::allow_a_file() }).await;
        assert_eq!(visit.check(), Ok(()));
        visit.note(27 << 20);
        assert!(visit.check().unwrap_err().detail().contains("32 MiB"));
        visit.begin_anew();
        assert_eq!(visit.check(), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_seat_is_waited_for_but_not_by_too_many() {
        let share = Share::new(1);
        let first = share.seat().await.unwrap();
        let (second, third) = tokio::join!(share.seat(), async {
            let third = share.seat().await;
            drop(first);
            third
        });
        assert!(second.is_some() && third.is_none());
        assert!(share.seat().await.is_none(), "it waits for some time only");
    }
}
