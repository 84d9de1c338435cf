//! A private server with the module, and its clients.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use leaderboard_client::{Leaderboard, Request};
use redis::{Cmd, Connection, FromRedisValue};
use tempfile::TempDir;

use client::Result;
use client::failed;

/// To copy a sorted set of ten million takes long. Only a server that hangs takes this long.
const REPLY_TIMEOUT: Duration = Duration::from_secs(120);
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Ends the server when this program ends for any reason: then the pipe on standard input closes.
const KEEPER: &str = r#""$@" </dev/null & trap '' INT TERM; cat >/dev/null; kill $! 2>/dev/null; wait $!"#;

/// A running server. Drop ends it.
pub struct Server {
    keeper: Child,
    port: u16,
    /// Holds the log and the server's other files, outside the working directory.
    folder: TempDir,
}

impl Server {
    /// Starts the server on a free port, without persistence.
    pub fn start(program: &Path, module: &Path) -> Result<Self> {
        // Before 7.0, DEBUG is always allowed and the setting is unknown.
        let debug: &[&str] =
            if version_of(program)?.contains("v=6.") { &[] } else { &["--enable-debug-command", "yes"] };
        let module = module
            .canonicalize()
            .map_err(failed(format_args!("no module at {} (make build)", module.display())))?;
        let folder = TempDir::new().map_err(failed("cannot make a temporary folder"))?;
        let port = free_port()?;
        let keeper = Command::new("sh")
            .args(["-c", KEEPER, "sh"])
            .arg(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--logfile", "log"])
            .args(["--save", "", "--appendonly", "no"])
            .args(debug)
            .arg("--dir")
            .arg(folder.path())
            .arg("--loadmodule")
            .arg(module)
            .stdin(Stdio::piped())
            .spawn()
            .map_err(failed("cannot start the server"))?;
        let server = Self { keeper, port, folder };
        server.wait_until_ready()?;
        server.configure()?;
        Ok(server)
    }

    /// A new connection to database 0.
    pub fn client(&self) -> Result<Client> {
        self.client_of(0)
    }

    /// A new connection to one of the databases.
    pub fn client_of(&self, database: u8) -> Result<Client> {
        let connection = redis::Client::open(format!("redis://127.0.0.1:{}/{database}", self.port))
            .and_then(|client| client.get_connection_with_timeout(REPLY_TIMEOUT))
            .map_err(failed("cannot connect"))?;
        connection.set_read_timeout(Some(REPLY_TIMEOUT)).map_err(failed("cannot set a timeout"))?;
        Ok(Client(connection))
    }

    /// The server's port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Deletes all keys.
    pub fn empty(&self) -> Result<()> {
        self.client()?.ask(&["FLUSHALL", "SYNC"])
    }

    /// The server's name and version.
    pub fn version(&self) -> Result<String> {
        let info = self.client()?.info("server")?;
        let field = |name| info.text(name).ok();
        let valkey = field("valkey_version").map(|version| format!("Valkey {version}"));
        valkey
            .or_else(|| field("redis_version").map(|version| format!("Redis {version}")))
            .ok_or_else(|| "the server does not tell its version".to_owned())
    }

    fn wait_until_ready(&self) -> Result<()> {
        let started = Instant::now();
        loop {
            match self.client().and_then(|mut client| client.ask::<String>(&["PING"])) {
                Ok(_) => return Ok(()),
                Err(error) if started.elapsed() > START_TIMEOUT || self.log().contains("server aborting") => {
                    return Err(format!(
                        "the server does not answer ({error}); its log ends\n{}",
                        self.log()
                    ));
                }
                Err(_) => sleep(Duration::from_millis(20)),
            }
        }
    }

    fn log(&self) -> String {
        let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        let mut last: Vec<&str> = log.lines().rev().take(8).collect();
        last.reverse();
        last.join("\n")
    }

    /// The script's ids expire after ten minutes. Deleting them in the background would slow down whatever is measured
    /// then.
    fn configure(&self) -> Result<()> {
        let mut client = self.client()?;
        client.ask::<()>(&["DEBUG", "SET-ACTIVE-EXPIRE", "0"])?;
        client.ask(&["CONFIG", "SET", "slowlog-max-len", "100000"])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // The program ends: nothing can be done about a failure here.
        let _ended = self.keeper.wait();
    }
}

/// A connection whose errors name the command.
pub struct Client(pub Connection);

impl Client {
    /// Sends one command.
    pub fn ask<T: FromRedisValue>(&mut self, words: &[&str]) -> Result<T> {
        let mut command = Cmd::new();
        command.arg(words);
        command.query(&mut self.0).map_err(failed(words.join(" ")))
    }

    /// Sends one request. Where commands are timed or compared, their words are sent as they are, and no reply is read
    /// as a type.
    pub fn lb<R: FromRedisValue>(&mut self, request: &Request<R>) -> Result<R> {
        self.0.lb(request).map_err(failed(request))
    }

    /// One section of INFO.
    pub fn info(&mut self, section: &str) -> Result<Info> {
        self.ask(&["INFO", section]).map(Info)
    }
}

/// The text of INFO.
pub struct Info(pub String);

impl Info {
    /// The text of a field.
    pub fn text(&self, name: &str) -> Result<&str> {
        self.0
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(field, _)| field.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .ok_or_else(|| format!("INFO has no {name}"))
    }

    /// Processor time of the main thread so far. Needs the section `cpu`.
    pub fn cpu_seconds(&self) -> Result<f64> {
        Ok(self.number("used_cpu_user_main_thread")? + self.number("used_cpu_sys_main_thread")?)
    }

    /// A field that is a number.
    pub fn number(&self, name: &str) -> Result<f64> {
        self.text(name)?.parse().map_err(failed(format_args!("INFO's {name} is no number")))
    }
}

/// The version of a program. This finds a missing program now, not after minutes of filling.
pub fn version_of(program: &Path) -> Result<String> {
    Command::new(program)
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .map_err(failed(format_args!("cannot run {}", program.display())))
}

fn free_port() -> Result<u16> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(failed("cannot find a free port"))
}
