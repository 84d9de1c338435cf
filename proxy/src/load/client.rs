//! The client for whom a task works. A command that waits for a place lets the connection know, which then watches
//! whether the client is still there. A command of a client that has gone does not wait any longer.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The client of a task. Clones are the same client.
#[derive(Clone, Default)]
pub struct Client(Arc<State>);

#[derive(Default)]
struct State {
    queued: Notify,
    gone: CancellationToken,
}

tokio::task_local! {
    static CLIENT: Client;
}

impl Client {
    /// Waits until a command of this client waits for a place.
    pub async fn queued(&self) {
        self.0.queued.notified().await;
    }

    /// Notes that the client has gone. Its commands do not wait any longer.
    pub fn has_gone(&self) {
        self.0.gone.cancel();
    }
}

/// Does some work for a client.
pub async fn serving<F: Future>(client: Client, work: F) -> F::Output {
    CLIENT.scope(client, work).await
}

/// Lets the connection of the client know that a command waits. Then waits until the client has gone, without an end if
/// this task does not work for a client.
pub async fn gone() {
    match CLIENT.try_with(Client::clone) {
        Ok(client) => {
            client.0.queued.notify_one();
            client.0.gone.cancelled().await;
        }
        Err(_) => std::future::pending().await,
    }
}
