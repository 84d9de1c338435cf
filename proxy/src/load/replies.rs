//! The memory of replies that clients have not read yet. One reply has a limit, and all replies together have one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The memory is given out in pieces of this number of bytes. Of a client's memory, only whole pieces are counted, so
/// that short replies cost nothing.
const PIECE: usize = 16 << 10;

/// The memory that all clients share.
pub struct Replies {
    /// The maximum number of bytes of one reply.
    most: usize,
    pieces: Arc<Semaphore>,
    all: u32,
    unread: AtomicU64,
    /// How many clients were disconnected because their replies did not fit.
    pub overflowed: AtomicU64,
    /// How many clients were disconnected because they did not read.
    pub stalled: AtomicU64,
}

/// The memory of one client's replies. It is given back when this is dropped.
#[derive(Default)]
pub struct Share(Option<OwnedSemaphorePermit>);

impl Replies {
    /// Returns memory for `all` bytes, and a limit of `most` bytes for one reply.
    pub fn new(most: usize, all: usize) -> Self {
        let pieces = u32::try_from(all / PIECE).unwrap_or(u32::MAX).max(1);
        Self {
            most,
            pieces: Arc::new(Semaphore::new(usize::try_from(pieces).unwrap_or(usize::MAX))),
            all: pieces,
            unread: AtomicU64::new(0),
            overflowed: AtomicU64::new(0),
            stalled: AtomicU64::new(0),
        }
    }

    /// Returns the maximum number of bytes of one reply.
    pub const fn most(&self) -> usize {
        self.most
    }

    /// Returns how many bytes of replies wait until their clients read them.
    pub fn unread(&self) -> u64 {
        self.unread.load(Relaxed)
    }

    /// Takes memory for a reply that has at most this number of bytes, before it is asked for. Returns `None` if other
    /// clients do not give enough memory back in time.
    pub async fn reserve(&self, bytes: u64, patience: Duration) -> Option<Share> {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.most);
        let wanted = pieces(bytes).min(self.all);
        if wanted == 0 {
            return Some(Share::default());
        }
        let permit = timeout(patience, Arc::clone(&self.pieces).acquire_many_owned(wanted)).await;
        Some(Share(Some(permit.ok()?.ok()?)))
    }

    /// Changes a client's memory to the number of bytes that its replies have. Returns false if they do not fit.
    pub fn settle(&self, share: &mut Share, bytes: usize) -> bool {
        let wanted = pieces(bytes);
        let held = share.0.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let held = u32::try_from(held).unwrap_or(u32::MAX);
        if let Some(more) = wanted.checked_sub(held).filter(|more| *more > 0) {
            let Ok(more) = Arc::clone(&self.pieces).try_acquire_many_owned(more) else { return false };
            match &mut share.0 {
                Some(permit) => permit.merge(more),
                none => *none = Some(more),
            }
        }
        if let Some(permit) = &mut share.0 {
            let spare = held.saturating_sub(wanted);
            drop(permit.split(usize::try_from(spare).unwrap_or_default()));
        }
        true
    }

    /// Counts bytes that a client is to read.
    pub fn unread_by(&self, bytes: usize) -> Unread<'_> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.unread.fetch_add(bytes, Relaxed);
        Unread { replies: self, bytes }
    }
}

fn pieces(bytes: usize) -> u32 {
    u32::try_from(bytes / PIECE).unwrap_or(u32::MAX)
}

/// Bytes that a client has not read. When this is dropped, they do not wait any longer.
pub struct Unread<'a> {
    replies: &'a Replies,
    bytes: u64,
}

impl Unread<'_> {
    /// Notes that the client has read some of the bytes.
    pub fn read(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).min(self.bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
        self.replies.unread.fetch_sub(bytes, Relaxed);
    }
}

impl Drop for Unread<'_> {
    fn drop(&mut self) {
        self.replies.unread.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(100);

    fn left(replies: &Replies) -> usize {
        replies.pieces.available_permits()
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_keeps_as_much_as_it_has() {
        let replies = Replies::new(8 * PIECE, 10 * PIECE);
        let mut one = replies.reserve(u64::MAX, SOON).await.unwrap();
        assert_eq!(left(&replies), 2, "a reply cannot be larger than its limit");
        assert!(replies.reserve(3 * PIECE as u64, SOON).await.is_none());
        let mut small = replies.reserve(PIECE as u64 - 1, SOON).await.unwrap();
        assert_eq!(left(&replies), 2);
        assert!(replies.settle(&mut one, 2 * PIECE));
        assert_eq!(left(&replies), 8);
        assert!(replies.settle(&mut small, 8 * PIECE) && !replies.settle(&mut one, 3 * PIECE));
        assert!(replies.settle(&mut one, 0));
        assert_eq!(left(&replies), 2);
        drop(small);
        assert_eq!(left(&replies), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_gets_what_others_give_back() {
        let replies = Replies::new(8 * PIECE, 8 * PIECE);
        let mut one = replies.reserve(8 * PIECE as u64, SOON).await.unwrap();
        let (other, settled) = tokio::join!(replies.reserve(4 * PIECE as u64, SOON), async {
            tokio::time::sleep(SOON / 2).await;
            replies.settle(&mut one, PIECE)
        });
        assert!(other.is_some() && settled);
    }

    #[test]
    fn unread_bytes_are_counted() {
        let replies = Replies::new(100, 100);
        let mut unread = replies.unread_by(30);
        let other = replies.unread_by(5);
        unread.read(10);
        assert_eq!(replies.unread(), 25);
        drop(other);
        unread.read(40);
        drop(unread);
        assert_eq!(replies.unread(), 0);
    }
}
