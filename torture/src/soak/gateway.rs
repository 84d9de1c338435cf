//! The gateway under test: a process with both doors, and the tokens of its clients.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use leaderboard_testkit::wait_until;
use tempfile::TempDir;

/// At most this number of clients of the RESP door, so that a crowd of idle connections reaches the limit.
pub const MOST_CLIENTS: usize = 150;
/// Requests that the hasty token may send in a second.
const RATE: &str = "20";

/// A running gateway. Dropping it kills the process, and fails if the gateway ended by itself or panicked.
pub struct Gateway {
    dir: TempDir,
    process: Child,
}

/// The tokens of the clients. Each kind of client has its own budget.
pub struct Tokens {
    /// Reads and writes all boards.
    pub player: String,
    /// Reads large pages slowly, and leaves before the answer.
    pub rude: String,
    /// May only read.
    pub viewer: String,
    /// May not send more than `RATE` requests in a second.
    pub hasty: String,
}

/// Returns the program: `$LEADERBOARD_GATEWAY`, or the release build.
fn program() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let given = std::env::var_os("LEADERBOARD_GATEWAY").map(PathBuf::from);
    // A relative path is relative to the workspace, wherever the test runs.
    let path = workspace.join(given.unwrap_or("target/release/leaderboard-gateway".into()));
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}: run `make build`", path.display()))
}

impl Gateway {
    /// Starts a gateway before servers with these ports, and returns when it listens.
    pub fn start(ports: impl Iterator<Item = u16>) -> (Self, Tokens) {
        let dir = tempfile::Builder::new().prefix("lb-soak-").tempdir().expect("a temporary directory");
        let file = dir.path().join("tokens");
        let tokens = Tokens {
            player: token(&file, "player", "editor", &[]),
            rude: token(&file, "rude", "editor", &[]),
            viewer: token(&file, "viewer", "viewer", &[]),
            hasty: token(&file, "hasty", "editor", &["--rate", RATE]),
        };
        let log = File::create(dir.path().join("log")).expect("a log");
        let urls = ports.flat_map(|port| ["--redis".to_owned(), format!("redis://127.0.0.1:{port}")]);
        let process = Command::new(program())
            .args(["--http", "127.0.0.1:0", "--resp", "127.0.0.1:0", "--live-ms", "200"])
            .args(["--resp-connections", &MOST_CLIENTS.to_string()])
            .arg("--tokens")
            .arg(file)
            .args(urls)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log"))
            .stderr(log)
            .spawn()
            .expect("a process");
        let mut gateway = Self { dir, process };
        // It prints this address last.
        wait_until(|| {
            assert!(gateway.is_alive(), "the gateway ended at its start:\n{}", gateway.log());
            gateway.printed("http").is_some()
        });
        (gateway, tokens)
    }

    /// Returns the process id.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Returns the address for HTTP clients.
    pub fn http(&self) -> SocketAddr {
        self.printed("http").expect("its address")
    }

    /// Returns the address for Redis clients.
    pub fn resp(&self) -> SocketAddr {
        self.printed("redis").expect("the address of its door")
    }

    fn is_alive(&mut self) -> bool {
        self.process.try_wait().expect("its state").is_none()
    }

    fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    fn printed(&self, scheme: &str) -> Option<SocketAddr> {
        let log = self.log();
        let (lines, _) = log.rsplit_once('\n')?;
        let greeting = format!("leaderboard-gateway: {scheme}://");
        lines.lines().find_map(|line| line.strip_prefix(&greeting)?.parse().ok())
    }
}

/// Makes a token for all keys.
fn token(file: &Path, name: &str, role: &str, more: &[&str]) -> String {
    let mut command = Command::new(program());
    command.args(["token", "new", "--name", name, "--role", role]).args(more).arg(file);
    let output = command.stdin(Stdio::null()).output().expect("an ended program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let ended_by_itself = !self.is_alive();
        // This fails if the process has ended already.
        let _ = self.process.kill().and_then(|()| self.process.wait());
        let log = self.log();
        if thread::panicking() {
            eprintln!("--- the gateway printed ---\n{log}");
            return;
        }
        assert!(!ended_by_itself, "the gateway ended by itself:\n{log}");
        assert!(!log.contains("panicked at"), "something in the gateway panicked:\n{log}");
        assert!(!log.contains("ThreadSanitizer"), "threads of the gateway race:\n{log}");
    }
}
