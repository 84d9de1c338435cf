//! What a command holds until the servers have answered it, even if its sender does not wait any more. So a program can
//! bound what the servers still have to do for one of its callers.

use std::any::Any;
use std::sync::Arc;

/// Anything. It is dropped when the last answer has come, or when no answer can come any more.
pub type Held = Arc<dyn Any + Send + Sync>;

tokio::task_local! {
    static HELD: Held;
}

/// Does some work. The commands that it sends hold `held`.
pub async fn holding<F: Future>(held: Held, work: F) -> F::Output {
    HELD.scope(held, work).await
}

/// What the commands of this task hold.
pub fn held() -> Option<Held> {
    HELD.try_with(Arc::clone).ok()
}
