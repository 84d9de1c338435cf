//! Boards that are spread over the nodes of a cluster: what a client asks of one board, asked of all its parts.

pub mod asked;
pub mod gather;
mod root;

use redis::Value;

use crate::nodes::{Sender, Transport};

pub use root::Root;

/// What is known of spread boards, and the way to their parts, for one user.
pub struct Engine<T> {
    sender: Sender<T>,
}

impl<T: Transport> Engine<T> {
    pub const fn new(sender: Sender<T>) -> Self {
        Self { sender }
    }

    /// Carries out commands in their order, and gives their replies.
    pub async fn execute(&self, batch: Vec<Vec<Vec<u8>>>) -> Vec<Value> {
        let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(1);
        let commands = batch.into_iter().map(|words| crate::nodes::Command {
            slot: words.get(1).map(|key| leaderboard_core::parts::slot(key)),
            words,
            repeatable: false,
        });
        let answers = self.sender.ask(commands.collect(), deadline).await;
        answers.into_iter().map(|answer| answer.unwrap_or(Value::Nil)).collect()
    }
}
