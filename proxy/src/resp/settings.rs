//! The operator's settings for the door, the gateway's port for clients of Redis.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::load::{Limits, default_places};
use crate::spread;

/// The settings of the door.
#[derive(Debug, Clone, Args)]
// A group of flags gets the name of its struct, and the console has a struct with the same name.
#[group(skip)]
pub struct Settings {
    /// Where to listen for clients of Redis: they find boards that are spread over many nodes as one board each. The
    /// users and passwords are those of the servers. Without it, there is no such door.
    #[arg(long, value_name = "ADDRESS:PORT", env = "LEADERBOARD_RESP")]
    pub resp: Option<SocketAddr>,

    /// The certificates of --resp, a PEM file with the gateway's own first: clients come with TLS then.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_RESP_CERT", requires_all = ["resp", "resp_key"])]
    pub resp_cert: Option<PathBuf>,

    /// The private key of --resp-cert, a PEM file.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_RESP_KEY", requires_all = ["resp", "resp_cert"])]
    pub resp_key: Option<PathBuf>,

    /// How many clients of --resp there can be at once; more are turned away.
    #[arg(long, value_name = "N", env = "LEADERBOARD_RESP_CONNECTIONS", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub resp_connections: u32,

    /// For how many milliseconds at most to ask the parts of a spread board, unless a command says another TIMEOUT.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_GATHER_TIMEOUT_MS", default_value_t = 1_000,
        value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub gather_timeout_ms: u64,

    /// How many parts the commands of all clients may ask at once at most: a read of a board with 64 parts takes 64 of these
    /// places. Commands for one part take none. Without it, 2,048 for each processor.
    #[arg(long, value_name = "PARTS", env = "LEADERBOARD_GATHERS",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub gathers: Option<u32>,

    /// For how many milliseconds a command waits for its places at most. Then it is the error BUSY.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_GATHER_WAIT_MS", default_value_t = 500,
        value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub gather_wait_ms: u64,

    /// The largest reply to a client of --resp, in MiB. A larger reply is replaced by an error.
    #[arg(long, value_name = "MIB", env = "LEADERBOARD_REPLY_MB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=4_096))]
    pub reply_mb: u32,

    /// How many MiB of replies the clients of --resp can leave unread, all together. A client whose reply does not fit
    /// is disconnected.
    #[arg(long, value_name = "MIB", env = "LEADERBOARD_REPLIES_MB", default_value_t = 512,
        value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub replies_mb: u32,

    /// For how many milliseconds the top of a spread board is answered from memory; 0: never.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_CACHE_MS", default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(0..=10_000))]
    pub cache_ms: u64,
}

impl Settings {
    /// Returns how long to wait for spread boards, and how long to remember their tops.
    pub const fn timing(&self) -> spread::Timing {
        spread::Timing {
            timeout: Duration::from_millis(self.gather_timeout_ms),
            gather: Duration::from_millis(self.gather_timeout_ms),
            cache: Duration::from_millis(self.cache_ms),
        }
    }

    /// Returns what the gateway limits.
    pub fn limits(&self) -> Limits {
        let bytes = |mib: u32| usize::try_from(mib).unwrap_or(usize::MAX).saturating_mul(1 << 20);
        Limits {
            places: self.gathers.unwrap_or_else(default_places),
            patience: Duration::from_millis(self.gather_wait_ms),
            reply: bytes(self.reply_mb),
            replies: bytes(self.replies_mb),
        }
    }

    /// Returns a warning for the operator, if passwords would be sent in plain text.
    pub fn notice(&self) -> Option<String> {
        let address = self.resp.filter(|address| !address.ip().is_loopback() && self.resp_cert.is_none())?;
        Some(format!(
            "--resp {address} can be reached from other machines, and passwords go there in plain text: \
             --resp-cert and --resp-key turn TLS on"
        ))
    }
}
