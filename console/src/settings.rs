//! What the operator says about the console: what it serves, where, and for whom. Every flag is also an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::access::proxy::Proxies;

/// The settings of a console that serves.
#[derive(Debug, Clone, Args)]
// Groups of flags are named after their struct, and the proxy has one of this name.
#[group(skip)]
pub struct Settings {
    /// Where to listen. Another address than this machine's own needs --tokens.
    #[arg(long, value_name = "ADDRESS:PORT", env = "LEADERBOARD_HTTP", default_value = "127.0.0.1:7380")]
    pub http: SocketAddr,

    /// The file of tokens. Without it, whoever reaches the address may do everything.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_TOKENS")]
    pub tokens: Option<PathBuf>,

    /// Refuse every change of the console. Clients of --resp may do what the servers let their users do.
    #[arg(long, env = "LEADERBOARD_READ_ONLY")]
    pub read_only: bool,

    /// A name under which browsers reach the console, such as board.example.org; '*' is every name. Can be given several
    /// times. localhost, the name of this machine and the address that a connection came in at are always accepted.
    /// Requests with a token in Authorization, /healthz and /metrics can use any name.
    #[arg(long = "host", value_name = "NAME", env = "LEADERBOARD_HOSTS", value_delimiter = ' ')]
    pub hosts: Vec<String>,

    /// The file to append the audit log to, a line of JSON for each change. Without it, the last 10,000 are kept in
    /// memory.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_AUDIT")]
    pub audit: Option<PathBuf>,

    /// Give each vote the tag `ip`: the address that it came from, of an IPv6 address the network.
    #[arg(long, env = "LEADERBOARD_TAG_IP")]
    pub tag_ip: bool,

    /// Which proxies are trusted, and how addresses are compared.
    #[command(flatten)]
    pub proxies: Proxies,

    /// For how many milliseconds at most to wait for an answer of the server.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_TIMEOUT_MS", default_value_t = 2_000,
        value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub timeout_ms: u64,

    /// How many requests are served at once; more are turned away with 503.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_REQUESTS", default_value_t = 1_024,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_requests: u32,

    /// How many requests of one token are served at once, or of one address where there are no tokens. As many wait for
    /// a second at most; more are turned away with 429.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_PER_TOKEN", default_value_t = 128,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_per_token: u32,

    /// How often the board behind a live stream is read, in milliseconds.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_LIVE_MS", default_value_t = 1_000,
        value_parser = clap::value_parser!(u64).range(50..=60_000))]
    pub live_ms: u64,

    /// How many different boards, views and counts can be followed live at once.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_LIVE", default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub max_live: u32,

    /// How many live streams can be open at once.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_LISTENERS", default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_listeners: u32,

    /// How much of --max-live, and of --max-listeners, one token can take, in percent.
    #[arg(long, value_name = "PERCENT", env = "LEADERBOARD_TOKEN_SHARE", default_value_t = 25,
        value_parser = clap::value_parser!(u8).range(1..=100))]
    pub token_share: u8,
}

impl Settings {
    /// How long the server may take to answer.
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// No request takes longer: a few answers of the server, one after another.
    pub const fn longest(&self) -> Duration {
        self.timeout().saturating_mul(5)
    }

    /// What one token can take of `all`, at least one.
    pub fn share_of(&self, all: u32) -> u32 {
        let share = u64::from(all).saturating_mul(u64::from(self.token_share)).div_euclid(100).max(1);
        u32::try_from(share).unwrap_or(all)
    }

    /// What an operator ought to know about a console with these settings.
    pub fn notice(&self) -> Option<String> {
        (self.tokens.is_none() && !self.hosts.is_empty())
            .then(|| format!("without --tokens, whoever reaches {} may do everything", self.hosts.join(", ")))
    }

    /// Why a console with these settings must not start, if so.
    pub fn refusal(&self) -> Option<String> {
        (self.tokens.is_none() && !self.http.ip().is_loopback()).then(|| {
            format!("--http {} can be reached from other machines: this needs --tokens FILE", self.http)
        })
    }

    /// The settings that these flags make.
    #[cfg(test)]
    pub fn of(flags: &[&str]) -> Self {
        use clap::Parser;

        #[derive(Parser)]
        struct Command {
            #[command(flatten)]
            settings: Settings,
        }
        Command::parse_from(["console"].iter().chain(flags)).settings
    }
}
