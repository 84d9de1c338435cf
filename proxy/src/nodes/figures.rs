//! Counts for `INFO` of the gateway, about the connections and commands to the nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts over all users of the gateway's clients.
#[derive(Debug, Default)]
pub struct Figures {
    /// How many commands were given to the sender.
    pub sent: AtomicU64,
    /// How often a command was sent again.
    pub repeated: AtomicU64,
    /// How often a node redirected a command to another node.
    pub redirected: AtomicU64,
    /// How many commands got no answer.
    pub silent: AtomicU64,
    /// Pipelines that servers have not answered yet, and whose senders have stopped waiting.
    pub late: AtomicU64,
    /// Connections that are open at present.
    pub connections: AtomicU64,
}

/// Adds to a count.
pub fn count(figure: &AtomicU64, number: usize) {
    if number > 0 {
        figure.fetch_add(u64::try_from(number).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Counts one connection as open, until it is dropped.
pub struct Counted(Arc<Figures>);

impl Counted {
    pub fn new(figures: Arc<Figures>) -> Self {
        count(&figures.connections, 1);
        Self(figures)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
