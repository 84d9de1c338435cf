//! The way to the nodes that have the parts of boards, for the clients of the door: each with the user that it says it is.
//! `send` repeats what was surely not carried out, over any [`Transport`].

mod send;

use redis::Value;

pub use send::Sender;

/// What a client says who it is. Nothing: the servers' default user without a password.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Credentials {
    pub user: Option<String>,
    pub password: Option<String>,
}

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
pub enum Broken {
    /// It was not sent.
    NotSent(String),
    /// It was sent, and may have been carried out.
    Lost(String),
}

/// Why a command has no answer in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Nobody answered in time, or it was surely not carried out.
    Silent(String),
    /// A write that may have been carried out.
    Unknown(String),
}

/// One attempt to send commands to the nodes: those of a cluster, or simulated ones.
pub trait Transport: Send + Sync {
    /// Sends each command once, those of a slot in their order. The answers are in the order of the commands; errors of
    /// servers are answers, `MOVED` too.
    fn send(&self, commands: &[&Command]) -> impl Future<Output = Vec<Result<Value, Broken>>> + Send;
}
