//! `leaderboard-gateway`: the console and the door. The console is an HTTP API and admin pages for servers with the
//! leaderboard module. The door shows clients of Redis one board where the servers have many parts. The program keeps
//! no data of its own: the boards on the servers hold everything. A restart loses the sessions of browsers and the data
//! of the plots.

mod arguments;
mod backup;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use leaderboard_console::{App, tokens};
use leaderboard_proxy::{Door, Load, People, Servers, Timing};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::arguments::{Command, Serve, Task, TokenTask};

/// A request makes many small allocations: with the allocator of glibc, a vote takes 30 % more instructions.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = Command::parse();
    let done = match command.task {
        Some(Task::Token(task)) => perform(task),
        Some(Task::Backup { board, folder, servers }) => {
            run(backup::back_up(&servers.redis, &board, &folder))
        }
        Some(Task::Restore { folder, board, servers }) => {
            run(backup::restore(&servers.redis, &folder, board.as_deref()))
        }
        Some(Task::Verify { folder }) => backup::verify(&folder),
        None => start(command.serve),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            log(&reason);
            ExitCode::FAILURE
        }
    }
}

/// Carries out a task on a tokens file.
fn perform(task: TokenTask) -> Result<(), String> {
    match task {
        TokenTask::New { file, name, role, keys, days, limits } => {
            println!("{}", tokens::make(&file, tokens::New { name, role, keys, days, limits })?);
        }
        TokenTask::List { file } => tokens::listed(&file)?.iter().for_each(|line| println!("{line}")),
        TokenTask::Drop { file, name } => tokens::withdraw(&file, &name)?,
    }
    Ok(())
}

/// Serves until SIGINT or SIGTERM.
fn start(settings: Serve) -> Result<(), String> {
    if let Some(reason) = settings.console.refusal() {
        return Err(reason);
    }
    settings.console.notice().iter().chain(&settings.proxy.notice()).for_each(|notice| log(notice));
    run(serve(settings))
}

/// Does work that needs servers.
fn run(work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    // TLS to the server uses this provider, which is the only one that is built in.
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "TLS was set up twice".to_owned())?;
    tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?.block_on(work)
}

/// Opens both addresses, and serves them.
async fn serve(settings: Serve) -> Result<(), String> {
    let Serve { servers: arguments::Servers { redis }, console, proxy } = settings;
    let (address, timing, patience) = (console.http, proxy.timing(), console.longest());
    let load = Arc::new(Load::new(proxy.limits()));
    let timing_of_console = Timing { timeout: console.timeout(), ..timing };
    let servers = Servers::sharing(&redis, timing_of_console, Arc::clone(&load))?;
    let app = App::new(console, servers)?;
    let listener = TcpListener::bind(address).await.map_err(|error| format!("--http {address}: {error}"))?;
    // Each connection needs a file descriptor. If the limit cannot be raised, connections wait for a free one.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    let door = Door::open(&proxy).await?;
    if let Some(door) = &door {
        println!("leaderboard-gateway: {}", door.url()?);
    }
    println!("leaderboard-gateway: http://{bound}");
    let users = People::new(&redis, timing, load)?;
    let stopping = app.stopping.clone();
    tokio::spawn(stop_at_the_end(stopping.clone()));
    let clients = async {
        if let Some(door) = door {
            door.serve(users, stopping, patience).await;
        }
    };
    tokio::join!(leaderboard_console::serve(app, listener), clients);
    Ok(())
}

fn log(text: &str) {
    eprintln!("leaderboard-gateway: {text}");
}

async fn stop_at_the_end(stopping: CancellationToken) {
    end().await;
    stopping.cancel();
}

async fn end() {
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate => {}
    }
}
