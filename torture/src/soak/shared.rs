//! What all clients of a soak share: the addresses, the boards, the counts, and what was found.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::gateway::Tokens;
use super::nodes::Board;
use super::tally::Tally;

/// The longest time in which an answer comes, also on a slow machine and in a fault. A request that takes longer hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);
/// After this number of findings, the load ends.
const ENOUGH: usize = 5;

/// What clients share.
pub struct Shared {
    /// The address for HTTP clients.
    pub http: SocketAddr,
    /// The address for Redis clients.
    pub resp: SocketAddr,
    /// The tokens for HTTP clients.
    pub tokens: Tokens,
    /// All boards.
    pub boards: Vec<Board>,
    /// The counts of answers.
    pub tally: Tally,
    findings: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl Shared {
    /// What clients share when nobody has sent anything.
    pub fn new(http: SocketAddr, resp: SocketAddr, tokens: Tokens, boards: Vec<Board>) -> Self {
        let (tally, findings, is_over) = Default::default();
        Self { http, resp, tokens, boards, tally, findings, is_over }
    }

    /// Notes something that is wrong.
    pub fn found(&self, finding: String) {
        eprintln!("found: {finding}");
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.push(finding);
        if findings.len() >= ENOUGH {
            self.end();
        }
    }

    /// Takes what was found.
    pub fn findings(&self) -> Vec<String> {
        std::mem::take(&mut *self.findings.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Lets clients work.
    pub fn begin(&self) {
        self.is_over.store(false, Relaxed);
    }

    /// Lets the clients end.
    pub fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Returns whether the clients end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }
}

/// A client with a way of its own. It goes on until the load ends.
pub trait Client {
    /// Does one thing. An error is a finding.
    fn step(&mut self) -> Result<(), String>;
}
