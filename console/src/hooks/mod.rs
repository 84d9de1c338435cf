//! The payer: tells receivers over HTTP what boards have to tell: that a period has ended, who has won its prizes, and
//! who is at the top.
//!
//! What was delivered is kept beside each board ([`state`]), and one gateway at a time has the lease of a board
//! ([`lease`]). So each delivery arrives at least once, in the order of each board and hook, through restarts and with
//! several gateways. All tries of a delivery have one id, by which a receiver knows a repetition.

mod body;
mod deliver;
mod file;
mod find;
mod keeper;
mod lease;
mod post;
mod resend;
mod sign;
pub mod state;
mod watched;

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub use file::{Event, Hook};
pub use keeper::keep;
pub use resend::resend;
pub use watched::{Told, Waiting};

use leaderboard_client::{Row, Winner};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use watched::Watched;

use crate::access::audit::Audit;
use crate::link::Link;

/// How rows are written as JSON: as in the HTTP API.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// A winner, and the text of the member.
    pub winner: fn(Winner, Option<Vec<u8>>) -> serde_json::Result<Value>,
    /// A line of a ranking.
    pub line: fn(Row) -> serde_json::Result<Value>,
}

/// What deliveries are made with. Clones share it.
#[derive(Clone)]
pub struct Desk {
    pub hooks: Arc<Hooks>,
    pub link: Arc<Link>,
    pub audit: Arc<Audit>,
    /// Cancelled when the process receives the signal to end.
    pub stopping: CancellationToken,
    pub rows: Rows,
}

/// The hooks of a gateway.
#[derive(Debug)]
pub struct Hooks {
    pub list: Vec<Hook>,
    /// Whether winners are marked as claimed when they were delivered.
    claims: bool,
    /// The name of this gateway in leases.
    holder: String,
    pub watched: Watched,
}

impl Hooks {
    /// Reads the hooks of a file; without a file, there are none.
    ///
    /// # Errors
    /// If the file cannot be read, or a hook is not valid.
    pub fn open(file: Option<&Path>, claims: bool) -> Result<Self, String> {
        let list = file.map_or(Ok(Vec::new()), file::read)?;
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        let holder = u128::from_le_bytes(bytes);
        Ok(Self { list, claims, holder: format!("{holder:032x}"), watched: Watched::default() })
    }

    /// How long a delivery takes at the most, in ms.
    fn longest(&self) -> u64 {
        self.list.iter().map(|hook| hook.receiver.timeout_ms()).max().unwrap_or_default()
    }

    pub fn find(&self, name: &str) -> Option<&Hook> {
        self.list.iter().find(|hook| hook.name == name)
    }

    /// The deliveries of boards that pass the filter, and that are tried again. Those of hooks that are no longer in the file are not.
    pub fn waiting(&self, sees: impl Fn(&str) -> bool) -> Vec<Waiting> {
        let waiting = self.watched.waiting(sees).into_iter();
        waiting.filter(|waiting| self.find(&waiting.hook).is_some()).collect()
    }

    /// The hooks that are about a board.
    pub fn about(&self, key: &str) -> impl Iterator<Item = &Hook> {
        self.list.iter().filter(move |hook| hook.is_about(key))
    }
}

/// The time of this machine, in ms since the Unix epoch.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
