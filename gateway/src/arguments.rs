//! The command line of the program: the servers, the settings of the console and of the door, and the short tasks.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use leaderboard_console::Role;

/// HTTP API and admin pages for Redis and Valkey servers with the leaderboard module.
#[derive(Debug, Parser)]
#[command(name = "leaderboard-gateway", version, about, args_conflicts_with_subcommands = true)]
pub struct Command {
    #[command(flatten)]
    pub serve: Serve,
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// Tasks after which the program ends.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Make, list and withdraw the tokens of a tokens file.
    #[command(subcommand)]
    Token(TokenTask),
    /// Back a board up, with all its parts, into a folder that is empty or does not exist.
    Backup {
        /// The key of the board.
        board: String,
        /// The folder.
        folder: PathBuf,
        #[command(flatten)]
        servers: Servers,
    },
    /// Restore a board from a backup. If it breaks off, repeat it: it goes on.
    Restore {
        /// The folder of the backup.
        folder: PathBuf,
        /// The key of the new board. Without it, the board gets the key that it had.
        board: Option<String>,
        #[command(flatten)]
        servers: Servers,
    },
    /// Check the files of a backup, without a server.
    Verify {
        /// The folder of the backup.
        folder: PathBuf,
    },
}

/// Tasks on a tokens file.
#[derive(Debug, Subcommand)]
pub enum TokenTask {
    /// Make a token, write its hash to the file, and print the token. The token is printed only this once.
    New {
        /// The tokens file. If it does not exist, it is made so that only you can read it.
        file: PathBuf,
        /// A name for the user of the token. The audit log shows this name.
        #[arg(long)]
        name: String,
        /// What the token may do: viewer, voter, editor or admin.
        #[arg(long)]
        role: Role,
        /// The keys that the token is for, such as 'songs:*'. Can be given several times.
        #[arg(long = "keys", value_name = "GLOB", default_value = "*")]
        keys: Vec<String>,
        /// After how many days the token ends; never, if this is not given.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_600))]
        days: Option<u32>,
        #[command(flatten)]
        limits: leaderboard_console::Limits,
    },
    /// List the names, roles and keys of a tokens file.
    List {
        /// The tokens file.
        file: PathBuf,
    },
    /// Withdraw a token. A running console refuses it within a second.
    Drop {
        /// The tokens file.
        file: PathBuf,
        /// The name that the token was made with.
        #[arg(long)]
        name: String,
    },
}

/// What the program serves, and for which servers.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub struct Serve {
    #[command(flatten)]
    pub servers: Servers,

    #[command(flatten)]
    pub console: leaderboard_console::Settings,

    #[command(flatten)]
    pub proxy: leaderboard_proxy::Settings,
}

/// The servers.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub struct Servers {
    /// The server: redis://, rediss:// (TLS) or unix://. Give it several times for the nodes of a replica set or a
    /// cluster. In a cluster, any node that answers names the other nodes. In a replica set, the primary is used.
    #[arg(
        long,
        value_name = "URL",
        env = "LEADERBOARD_REDIS",
        value_delimiter = ' ',
        default_value = "redis://127.0.0.1:6379",
        hide_env_values = true
    )]
    pub redis: Vec<String>,
}
