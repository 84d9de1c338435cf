//! `leaderboard-gateway`: the console and the door. The console is an HTTP API and admin pages beside servers with the
//! leaderboard module; the door gives clients of Redis one board where there are many parts. It keeps no data of its own:
//! boards hold everything, a restart loses sessions of browsers and plots.

mod accept;
mod access;
mod api;
mod app;
mod bodies;
mod catalog;
mod changes;
mod config;
mod door;
mod exposition;
mod guard;
mod history;
mod link;
mod live;
mod nodes;
mod options;
mod options_csv;
mod pages;
mod problem;
mod server;
mod share;
mod spread;
mod words;

use std::process::ExitCode;

use clap::Parser;

use crate::access::tokens;
use crate::app::App;
use crate::config::{Command, Settings, Task};

fn main() -> ExitCode {
    let command = Command::parse();
    let done = match command.task {
        Some(Task::Token(task)) => tokens::perform(task),
        None => serve(command.serve),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("leaderboard-gateway: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until the process is told to end.
fn serve(settings: Settings) -> Result<(), String> {
    if let Some(reason) = settings.refusal() {
        return Err(reason);
    }
    if settings.tokens.is_none() && !settings.hosts.is_empty() {
        eprintln!(
            "leaderboard-gateway: without --tokens, whoever reaches {} may do everything",
            settings.hosts.join(", ")
        );
    }
    if let Some(notice) = settings.door.notice() {
        eprintln!("leaderboard-gateway: {notice}");
    }
    // TLS to the server goes through this provider; the only one that is built in.
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "TLS was set up twice".to_owned())?;
    tokio::runtime::Runtime::new()
        .map_err(|error| format!("cannot start: {error}"))?
        .block_on(async { server::run(App::new(settings)?).await })
}
