//! Memory for requests that are not whole yet. A client can send such a request before its password was checked, so
//! there is a limit for all clients together.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::request::Refusal;

/// The memory is given out in pieces of this number of bytes. Of a client's memory, only whole pieces are counted.
const PIECE: usize = 64 << 10;
/// The maximum number of bytes of all large requests together.
const ALL: usize = 1 << 30;

/// Returns the memory that all clients share.
pub fn all() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(ALL / PIECE))
}

/// The share of one client in this memory.
pub struct Room {
    all: Arc<Semaphore>,
    held: Option<OwnedSemaphorePermit>,
}

impl Room {
    pub fn new(all: &Arc<Semaphore>) -> Self {
        Self { all: Arc::clone(all), held: None }
    }

    /// Takes enough memory for a request of this size.
    ///
    /// # Errors
    /// If too little of the memory is left.
    pub fn fit(&mut self, bytes: usize) -> Result<(), Refusal> {
        let wanted = bytes / PIECE;
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if wanted == 0 {
            self.held = None;
        }
        let Some(more) = wanted.checked_sub(held).filter(|more| *more > 0) else { return Ok(()) };
        let more =
            u32::try_from(more).ok().and_then(|more| Arc::clone(&self.all).try_acquire_many_owned(more).ok());
        match (more, &mut self.held) {
            (None, _) => Err("the gateway has no memory for this request now".to_owned()),
            (Some(more), Some(held)) => {
                held.merge(more);
                Ok(())
            }
            (more, held) => {
                *held = more;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_clients_share_what_there_is() {
        let all = Arc::new(Semaphore::new(4));
        let [mut one, mut other] = [Room::new(&all), Room::new(&all)];
        assert_eq!(one.fit(PIECE - 1), Ok(()));
        assert_eq!(one.fit(PIECE), Ok(()));
        assert_eq!(one.fit(3 * PIECE), Ok(()));
        assert_eq!((all.available_permits(), other.fit(PIECE)), (1, Ok(())));
        assert!(other.fit(2 * PIECE).is_err());
        // The client keeps the memory for its large request when a smaller one follows, until all its requests are
        // whole.
        assert_eq!((one.fit(PIECE), all.available_permits()), (Ok(()), 0));
        assert_eq!((one.fit(0), all.available_permits()), (Ok(()), 3));
        drop(other);
        assert_eq!(all.available_permits(), 4);
    }
}
