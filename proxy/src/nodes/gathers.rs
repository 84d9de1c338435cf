//! Whether the servers carry out `LB.GATHER` for a user. Servers with an earlier version of the module, and servers before
//! Redis 7.0, do not, and the rights of a user may not include it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How long the command is not sent after a server has refused it. So a refused user rarely appears in the log of
/// denied commands, and the command is used soon after all servers know it.
const PAUSE: Duration = Duration::from_secs(60);

/// Remembers that a server has refused the command.
pub struct Gathers {
    refused: Mutex<Option<Instant>>,
}

impl Gathers {
    pub const fn new() -> Self {
        Self { refused: Mutex::new(None) }
    }

    /// Returns whether the command may be sent.
    pub fn is_on(&self) -> bool {
        let refused = *self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.is_none_or(|at| at.elapsed() >= PAUSE)
    }

    /// Notes that a server has refused the command.
    pub fn refuse(&self) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_refused_command_is_tried_again_after_a_while() {
        let gathers = Gathers::new();
        assert!(gathers.is_on());
        gathers.refuse();
        assert!(!gathers.is_on());
        tokio::time::advance(PAUSE).await;
        assert!(gathers.is_on());
    }
}
