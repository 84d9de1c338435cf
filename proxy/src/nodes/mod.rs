//! The way to the nodes that have the parts of boards, for the clients of the door: each with the user that it says it is.
//! `send` repeats what was surely not carried out, over any [`Transport`]; `cluster` is the real one, and `pools` has one
//! for each user. `transaction` keeps commands together, and `held` is what commands hold until they are answered. `map` knows which node has a slot (`table`, from what `slots` reads), `node` connects to it.

mod cluster;
mod figures;
mod held;
mod map;
mod node;
mod pools;
#[cfg(test)]
mod real;
mod send;
mod slots;
mod table;
mod transaction;

use redis::Value;
use tokio::time::{Instant, timeout_at};

pub use cluster::{Cluster, packed};
pub use figures::Figures;
pub use held::{Held, holding};
pub use node::{Node, NodeError};
pub use pools::{Credentials, Pools, reached_at, seeds};
pub use send::RetryingClient;

/// A command for the node that has a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The slot of its keys; none: any node may answer.
    pub slot: Option<u16>,
    /// Its name and its arguments.
    pub words: Vec<Vec<u8>>,
    /// Whether it can be sent again when no answer came: reads, and writes with a request id.
    pub repeatable: bool,
}

/// Why an attempt brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptError {
    /// It was not sent.
    NotSent(String),
    /// It was sent, and may have been carried out.
    Lost(String),
}

/// Why a command has no answer in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandError {
    /// Nobody answered in time, or it was surely not carried out.
    Silent(String),
    /// A write that may have been carried out.
    Unknown(String),
}

/// One attempt to send commands to the nodes: those of a cluster, or simulated ones.
pub trait Transport: Send + Sync {
    /// Sends each command once, those of a slot in their order. The answers are in the order of the commands; errors of
    /// servers are answers, `MOVED` too.
    fn send(&self, commands: &[&Command]) -> impl Future<Output = Vec<Result<Value, AttemptError>>> + Send;

    /// As [`send`](Self::send), but waits for no answer beyond the deadline. A transport that knows more of what became of
    /// each command tells it better than this.
    fn send_by(
        &self,
        commands: &[&Command],
        deadline: Instant,
    ) -> impl Future<Output = Vec<Result<Value, AttemptError>>> + Send {
        async move {
            let lost = |_: &&Command| Err(AttemptError::Lost("no answer in time".to_owned()));
            let answers = timeout_at(deadline, self.send(commands)).await;
            answers.unwrap_or_else(|_| commands.iter().map(lost).collect())
        }
    }

    /// The way that commands of a slot take now. Those of one way are sent together; those of other ways do not wait for
    /// them.
    fn way(&self, _slot: Option<u16>) -> usize {
        0
    }
}
