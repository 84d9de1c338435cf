//! Starts and stops the gateway for tests, and runs the short tasks of its program.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use tempfile::TempDir;

use super::http::Api;
use crate::servers::{Server, wait_until};

const GREETING: &str = "leaderboard-gateway: http://";
const DOOR_GREETINGS: [&str; 2] = ["leaderboard-gateway: redis://", "leaderboard-gateway: rediss://"];

/// Returns the program under test: `$LEADERBOARD_GATEWAY`, or the release build if it is not set.
pub fn program() -> PathBuf {
    let built = || {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        package.parent().expect("a workspace").join("target/release/leaderboard-gateway")
    };
    let path = std::env::var_os("LEADERBOARD_GATEWAY").map_or_else(built, |given| {
        // Tests run in the folder of the package, but a relative path is usually meant relative to the workspace.
        let given = PathBuf::from(given);
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        if given.is_absolute() { given } else { workspace.join(given) }
    });
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}: run `make build`", path.display()))
}

/// Runs `leaderboard-gateway token` with these arguments.
pub fn tokens(args: &[&str]) -> Output {
    Command::new(program()).arg("token").args(args).stdin(Stdio::null()).output().expect("an ended program")
}

/// The settings of a gateway that has not started.
pub struct Builder {
    http: &'static str,
    args: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Builder {
    /// Sets an address to use instead of a free port of 127.0.0.1.
    pub fn listen(mut self, address: &'static str) -> Self {
        self.http = address;
        self
    }

    /// Adds a flag with its value.
    pub fn arg(mut self, name: &str, value: &str) -> Self {
        self.args.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// Adds flags with their values.
    pub fn args(self, all: &[(&str, &str)]) -> Self {
        all.iter().fold(self, |it, (name, value)| it.arg(name, value))
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn flag(mut self, name: &str) -> Self {
        self.args.push(name.to_owned());
        self
    }

    /// Starts the gateway, and returns when it listens. Panics with the gateway's output if the gateway ends instead.
    pub fn start(self) -> Gateway {
        let dir = tempfile::Builder::new().prefix("lb-gateway-").tempdir().expect("a temporary directory");
        let log = File::create(dir.path().join("log")).expect("a log");
        let process = Command::new(program())
            .args(["--http", self.http])
            .args(&self.args)
            .envs(self.environment)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log"))
            .stderr(log)
            .spawn()
            .expect("a process");
        let mut gateway = Gateway { dir, process, address: None, ended: false };
        wait_until(|| {
            gateway.address = gateway.printed(GREETING);
            assert!(gateway.alive(), "it ended at its start");
            gateway.address.is_some()
        });
        gateway
    }
}

/// A running gateway. Dropping this value kills it, and fails the test if the gateway ended by itself or panicked.
pub struct Gateway {
    dir: TempDir,
    process: Child,
    address: Option<SocketAddr>,
    ended: bool,
}

impl Gateway {
    /// Starts a gateway for a server, without tokens.
    pub fn beside(server: &Server) -> Gateway {
        Gateway::builder(&[server]).start()
    }

    /// Returns settings with one `--redis` flag for each server.
    pub fn builder(servers: &[&Server]) -> Builder {
        let urls: Vec<_> =
            servers.iter().map(|server| format!("redis://127.0.0.1:{}", server.port())).collect();
        Gateway::builder_of(&urls)
    }

    /// Returns settings with one `--redis` flag for each URL. This gateway keeps no history: it would write to the
    /// server's counters each minute, and tests that look for changes on the server would find those.
    pub fn builder_of(urls: &[String]) -> Builder {
        let args = urls.iter().flat_map(|url| ["--redis".to_owned(), url.clone()]).collect();
        let environment = vec![("LEADERBOARD_HISTORY".to_owned(), String::new())];
        Builder { http: "127.0.0.1:0", args, environment }
    }

    pub fn address(&self) -> SocketAddr {
        self.address.expect("its address")
    }

    /// Returns the address for Redis clients.
    pub fn door(&self) -> SocketAddr {
        DOOR_GREETINGS.iter().find_map(|greeting| self.printed(greeting)).expect("the address of its door")
    }

    /// Returns an `Api` that sends requests without a token.
    pub fn api(&self) -> Api {
        Api::new(self.address())
    }

    pub fn alive(&mut self) -> bool {
        self.process.try_wait().expect("its state").is_none()
    }

    /// Returns everything that the gateway printed.
    pub fn log(&self) -> String {
        let log = fs::read(self.dir.path().join("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }

    /// Sends the signal to end, as a service manager does, and waits until the gateway has ended. Returns whether it
    /// ended without an error.
    pub fn terminate(&mut self) -> bool {
        signal(self.process.id(), "TERM");
        let mut status = None;
        wait_until(|| {
            status = self.process.try_wait().expect("its state");
            status.is_some()
        });
        self.ended = true;
        status.is_some_and(|status| status.success())
    }

    /// Kills the gateway, as a failure of its machine does.
    pub fn kill(&mut self) {
        self.process.kill().expect("a running gateway");
        self.process.wait().expect("its end");
        self.ended = true;
    }

    /// Returns the address in the printed line that begins with this greeting.
    fn printed(&self, greeting: &str) -> Option<SocketAddr> {
        let log = self.log();
        let (lines, _) = log.rsplit_once('\n')?;
        lines.lines().find_map(|line| line.strip_prefix(greeting)?.parse().ok())
    }
}

/// Sends a signal to a process of this test.
pub fn signal(process: u32, name: &str) {
    let done = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(done.expect("kill").success(), "no SIG{name} to {process}");
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let ended_by_itself = !self.ended && !self.alive();
        // This fails if the process has already ended.
        let _ = self.process.kill().and_then(|()| self.process.wait());
        let log = self.log();
        if thread::panicking() {
            eprintln!("--- the gateway printed ---\n{log}");
            return;
        }
        assert!(!ended_by_itself, "the gateway ended by itself:\n{log}");
        assert!(!log.contains("panicked at"), "something in the gateway panicked:\n{log}");
    }
}
