//! The settings that the operator gives: what the console serves, where, and for whom. Every flag is also an
//! environment variable.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::access::limits::Limits;
use crate::access::oidc;
use crate::access::proxy::Proxies;
use crate::web_origin::WebOrigin;

/// The settings for serving the console.
#[derive(Debug, Clone, Args)]
// By default, a group of flags has the name of its struct, and the proxy already has a group of this name.
#[group(skip)]
pub struct Settings {
    /// The address to listen on. An address that other machines can reach needs --tokens.
    #[arg(long, value_name = "ADDRESS:PORT", env = "LEADERBOARD_HTTP", default_value = "127.0.0.1:7380")]
    pub http: SocketAddr,

    /// The file of tokens. Without this file, every client that reaches the address may do everything.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_TOKENS")]
    pub tokens: Option<PathBuf>,

    /// Which provider signs people in.
    #[command(flatten)]
    pub oidc: oidc::Flags,

    /// Refuse every change through the console. Clients of --resp may still do what the servers allow their users.
    #[arg(long, env = "LEADERBOARD_READ_ONLY")]
    pub read_only: bool,

    /// A name under which browsers reach the console, such as board.example.org; '*' accepts every name. Can be given
    /// several times. localhost, the name of this machine and the address that a connection came in at are always
    /// accepted. Requests with a token in Authorization and requests for /healthz, /readyz and /metrics can use any name.
    #[arg(long = "host", value_name = "NAME", env = "LEADERBOARD_HOSTS", value_delimiter = ' ')]
    pub hosts: Vec<String>,

    /// The file to which the audit log is appended, a line of JSON for each change. Without this file, the last 10,000
    /// changes are kept in memory.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_AUDIT")]
    pub audit: Option<PathBuf>,

    /// The file of hooks: a TOML file that says which events of which boards are told to which addresses.
    #[arg(long, value_name = "FILE", env = "LEADERBOARD_HOOKS")]
    pub hooks: Option<PathBuf>,

    /// Mark winners as claimed when a hook has delivered them.
    #[arg(long, env = "LEADERBOARD_HOOKS_CLAIM", requires = "hooks")]
    pub hooks_claim: bool,

    /// What the keys of the counters begin with in which the console keeps the data of plots, once a minute; '' keeps nothing.
    #[arg(long, value_name = "PREFIX", env = "LEADERBOARD_HISTORY", default_value = "lb:history")]
    pub history: String,

    /// Give each vote the tag `ip`: the address that the vote came from. For an IPv6 address, the tag is its network.
    #[arg(long, env = "LEADERBOARD_TAG_IP")]
    pub tag_ip: bool,

    /// Which proxies are trusted, and how addresses are compared.
    #[command(flatten)]
    pub proxies: Proxies,

    /// The longest time to wait for an answer of the server, in milliseconds.
    #[arg(long, value_name = "MS", env = "LEADERBOARD_TIMEOUT_MS", default_value_t = 2_000,
        value_parser = clap::value_parser!(u64).range(10..=60_000))]
    pub timeout_ms: u64,

    /// How many requests are served at once. More requests are refused with 503.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_REQUESTS", default_value_t = 1_024,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_requests: u32,

    /// How many requests of one token are served at once, or of one address if there are no tokens. The same number of
    /// requests can wait, for at most a second. More requests are refused with 429.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_PER_TOKEN", default_value_t = 128,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_per_token: u32,

    /// How many requests a token may send in a second, if it was not made with its own --rate, and a session of a person
    /// without a token. There is no limit if this is not given.
    #[arg(long, value_name = "N", env = "LEADERBOARD_MAX_RATE", requires = "tokens")]
    pub max_rate: Option<NonZeroU32>,

    /// A web site whose pages may use the API with tokens, such as https://game.example.org. Can be given several times.
    #[arg(
        long = "cors",
        value_name = "ORIGIN",
        env = "LEADERBOARD_CORS",
        value_delimiter = ' ',
        requires = "tokens"
    )]
    pub cors: Vec<WebOrigin>,

    /// The time between two readings of a board that is followed live, in milliseconds.
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
    /// The longest time that the server may take to answer.
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// The longest time of a request: enough for a few answers of the server, one after another.
    pub const fn longest(&self) -> Duration {
        self.timeout().saturating_mul(5)
    }

    /// The limits of tokens that have none of their own.
    pub const fn limits(&self) -> Limits {
        Limits { rate: self.max_rate, streams: None }
    }

    /// The part of `all` that one token can take, at least one.
    pub fn share_of(&self, all: u32) -> u32 {
        let share = u64::from(all).saturating_mul(u64::from(self.token_share)).div_euclid(100).max(1);
        u32::try_from(share).unwrap_or(all)
    }

    /// A warning for the operator about these settings; `None` if there is nothing to warn of.
    pub fn notice(&self) -> Option<String> {
        (self.tokens.is_none() && !self.hosts.is_empty())
            .then(|| format!("without --tokens, whoever reaches {} may do everything", self.hosts.join(", ")))
    }

    /// The reason why a console with these settings must not start; `None` if it may start.
    pub fn refusal(&self) -> Option<String> {
        if self.hooks.is_some() && self.read_only {
            return Some("--hooks notes what was delivered in the servers: not with --read-only".to_owned());
        }
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
