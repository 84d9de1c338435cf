//! Connections to the nodes that have the parts of boards. Each client of the gateway uses them with its own user.
//!
//! `send` repeats commands that were surely not carried out, over any [`Transport`]. `cluster` is the transport to real
//! servers, and `pools` has one such transport for each user. `map` knows which node has a slot: it keeps a `table` of
//! the data that `slots` reads from the servers. `node` is the connection to one node. `transaction` sends commands
//! that are carried out together, and `held` contains the values that commands hold until they are answered. `written`
//! notes the nodes to which a client writes, and `replicas` waits for the replicas of these nodes.

mod cluster;
mod figures;
mod gathers;
mod held;
mod map;
mod node;
mod pools;
#[cfg(test)]
mod real;
mod replicas;
mod send;
mod slots;
mod table;
mod transaction;
mod written;

use redis::Value;
use tokio::time::{Instant, timeout_at};

pub use cluster::{Cluster, packed};
pub use figures::Figures;
pub use held::{Held, holding};
pub use node::{Node, NodeError};
pub use pools::{Credentials, Pools, reached_at, seeds};
pub use replicas::Wanted;
pub use send::{RetryingClient, pause};
#[cfg(test)]
pub use transaction::Attempt;
pub use transaction::Transactional;
pub use written::{Written, noting};

/// A command for the node that has a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The slot of its keys. If it is `None`, any node may answer.
    pub slot: Option<u16>,
    /// The name of the command, and its arguments.
    pub words: Vec<Vec<u8>>,
    /// Whether the command can be sent again if it was not answered. This is true for reads, and for writes with a
    /// request id.
    pub repeatable: bool,
}

/// The reason why an attempt to send a command got no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptError {
    /// The command was not sent.
    NotSent(String),
    /// The command was sent, and may have been carried out.
    Lost(String),
}

/// The reason why a command still has no answer after all attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandError {
    /// The command was surely not carried out.
    Silent(String),
    /// The command may have been carried out. A command that can be repeated was repeated until the deadline.
    Unknown(String),
}

/// Makes one attempt to send commands to the nodes: real nodes of a cluster, or simulated nodes.
pub trait Transport: Send + Sync {
    /// Sends each command once; the commands of a slot are sent in their order. The answers are in the order of the
    /// commands. Errors of servers are answers, including `MOVED`.
    fn send(&self, commands: &[&Command]) -> impl Future<Output = Vec<Result<Value, AttemptError>>> + Send;

    /// Sends commands as [`send`](Self::send) does, but does not wait for answers after the deadline. At the deadline,
    /// this default implementation reports for all commands that they may have been carried out. A transport that knows
    /// more about each command returns more exact errors.
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

    /// Returns a number for the node to which commands of a slot are sent at present. Commands with the same number are
    /// sent together, and do not wait for commands with other numbers.
    fn way(&self, _slot: Option<u16>) -> usize {
        0
    }

    /// Returns the address of the node that has a slot at present, if it is known.
    fn node(&self, _slot: u16) -> Option<String> {
        None
    }

    /// Returns how many replicas of a node have everything that the node has carried out until now. Waits for the
    /// wanted replicas, but not longer than until the deadline. `written` is the time before the first write that
    /// matters: the result is `None` if the node has restarted or become a primary since then.
    ///
    /// # Errors
    /// The server's error, if the user may not wait.
    fn replicas(
        &self,
        _node: &str,
        _wanted: Wanted,
        _written: Instant,
        _deadline: Instant,
    ) -> impl Future<Output = Result<Option<u64>, Value>> + Send {
        async { Ok(Some(0)) }
    }
}
