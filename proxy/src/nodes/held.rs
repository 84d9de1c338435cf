//! Values that commands hold until the servers have answered the commands, even if the senders have stopped waiting.
//! With these values, a program can limit how much unfinished work each of its callers has on the servers.

use std::any::Any;
use std::sync::Arc;

/// A value of any type. It is dropped when the last answer has come, or when no answer can come any more.
pub type Held = Arc<dyn Any + Send + Sync>;

tokio::task_local! {
    static HELD: Held;
}

/// Does some work. All commands that this work sends hold `held`.
pub async fn holding<F: Future>(held: Held, work: F) -> F::Output {
    HELD.scope(held, work).await
}

/// Returns the value that the commands of this task hold, if the task runs within [`holding`].
pub fn held() -> Option<Held> {
    HELD.try_with(Arc::clone).ok()
}
