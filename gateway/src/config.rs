//! The command line: what the console serves, where, and for whom. Every flag is also an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::access::Role;
use crate::access::proxy::Network;
use crate::door;

/// HTTP API and admin pages for Redis and Valkey servers with the leaderboard module.
#[derive(Debug, Parser)]
#[command(name = "leaderboard-gateway", version, about, args_conflicts_with_subcommands = true)]
pub struct Command {
    #[command(flatten)]
    pub serve: Settings,
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// Tasks that end at once.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Make, list and withdraw the tokens of a tokens file.
    #[command(subcommand)]
    Token(TokenTask),
}

/// What to do with a tokens file.
#[derive(Debug, Subcommand)]
pub enum TokenTask {
    /// Make a token, write its hash to the file, and print the token. It is shown this once.
    New {
        /// The tokens file; it is made, readable by you alone, if there is none.
        file: PathBuf,
        /// Whom the token is for. The audit log names it.
        #[arg(long)]
        name: String,
        /// What it may do: viewer, voter, editor or admin.
        #[arg(long)]
        role: Role,
        /// The keys it is for, such as 'songs:*'. Can be given several times.
        #[arg(long = "keys", value_name = "GLOB", default_value = "*")]
        keys: Vec<String>,
    },
    /// List the names, roles and keys of a tokens file.
    List {
        /// The tokens file.
        file: PathBuf,
    },
    /// Withdraw a token. A running console follows within a second.
    Drop {
        /// The tokens file.
        file: PathBuf,
        /// The name that the token was made with.
        #[arg(long)]
        name: String,
    },
}

/// The settings of a console that serves.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// The server: redis://, rediss:// (TLS) or unix://. Give it several times for the nodes of a replica set or a
    /// cluster: any that answers tells of the others of a cluster; of a replica set, the primary is used.
    #[arg(
        long,
        value_name = "URL",
        env = "LEADERBOARD_REDIS",
        value_delimiter = ' ',
        default_value = "redis://127.0.0.1:6379",
        hide_env_values = true
    )]
    pub redis: Vec<String>,

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

    /// How many bits of an IPv6 address tell one visitor from another.
    #[arg(long, value_name = "BITS", env = "LEADERBOARD_IPV6_BITS", default_value_t = 64,
        value_parser = clap::value_parser!(u8).range(1..=128))]
    pub ipv6_bits: u8,

    /// A proxy whose X-Forwarded-For tells the address of a request, such as 10.0.0.0/8. Can be given several times.
    #[arg(
        long = "trusted-proxy",
        value_name = "ADDRESS[/BITS]",
        env = "LEADERBOARD_TRUSTED_PROXIES",
        value_delimiter = ' '
    )]
    pub trusted_proxies: Vec<Network>,

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

    #[command(flatten)]
    pub door: door::Settings,
}

impl Settings {
    /// How long the server may take to answer.
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// What one token can take of `all`, at least one.
    pub fn share_of(&self, all: u32) -> u32 {
        let share = u64::from(all).saturating_mul(u64::from(self.token_share)).div_euclid(100).max(1);
        u32::try_from(share).unwrap_or(all)
    }

    /// Why a console with these settings must not start, if so.
    pub fn refusal(&self) -> Option<String> {
        (self.tokens.is_none() && !self.http.ip().is_loopback()).then(|| {
            format!("--http {} can be reached from other machines: this needs --tokens FILE", self.http)
        })
    }
}
