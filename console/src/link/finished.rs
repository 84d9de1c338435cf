//! Work with the servers that is finished even if the request that began it is abandoned.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::future::BoxFuture;
use leaderboard_proxy::{Client, Held, holding, serving};
use tokio::runtime::Handle;

use crate::share::Hold;

/// Does some work, whose commands hold `hold` until they are answered. If the caller stops waiting, a task of its own
/// finishes the work; reads that still wait for a place are dropped. A task for each request would cost more: almost all requests wait for their answers.
pub fn finished<T: Send + 'static>(
    hold: Hold,
    work: impl Future<Output = T> + Send + 'static,
) -> Finished<T> {
    let (held, client): (Held, _) = (Arc::new(hold), Client::default());
    let work = serving(client.clone(), holding(held, work));
    Finished { work: Some(Box::pin(work)), client }
}

/// A future that a new task finishes if it is dropped early. When it is ready, `work` is `None`.
pub struct Finished<T: Send + 'static> {
    work: Option<BoxFuture<'static, T>>,
    client: Client,
}

impl<T: Send + 'static> Future for Finished<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let Some(work) = &mut self.work else { return Poll::Pending };
        let output = ready!(work.as_mut().poll(context));
        self.work = None;
        Poll::Ready(output)
    }
}

impl<T: Send + 'static> Drop for Finished<T> {
    fn drop(&mut self) {
        // Work that panicked must not be polled again.
        if std::thread::panicking() {
            return;
        }
        if let (Some(work), Ok(runtime)) = (self.work.take(), Handle::try_current()) {
            self.client.has_gone();
            runtime.spawn(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::share::{Rooms, Share, Visit};

    /// Returns a hold for one exchange with the servers, and the share that it takes a seat from.
    async fn hold() -> (Hold, Arc<Share>) {
        let share = Arc::new(Share::of_the_console());
        let visit = Visit::new(Arc::clone(&share), None);
        (visit.hold(1, &Rooms::default()).await.unwrap(), share)
    }

    #[tokio::test]
    async fn work_goes_on_when_its_caller_stops_waiting() {
        let (hold, share) = hold().await;
        let (go, is_done) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
        let (asked, done) = (Arc::clone(&go), Arc::clone(&is_done));
        let work = finished(hold, async move {
            asked.notified().await;
            done.store(true, Ordering::Relaxed);
        });
        tokio::select! {
            biased;
            () = work => panic!("it waits"),
            () = tokio::task::yield_now() => {}
        }
        tokio::task::yield_now().await;
        assert!(!share.is_free(), "the work still holds its share");
        go.notify_one();
        tokio::time::timeout(std::time::Duration::from_secs(5), async {
            while !share.is_free() {
                tokio::task::yield_now().await;
            }
        })
        .await
        .unwrap();
        assert!(is_done.load(Ordering::Relaxed));
    }

    #[tokio::test]
    async fn what_is_held_is_free_when_the_work_is_done() {
        let (hold, share) = hold().await;
        assert_eq!(finished(hold, async { 7 }).await, 7);
        assert!(share.is_free());
    }
}
