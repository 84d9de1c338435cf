//! A private server with the module, and its clients.

use std::ffi::OsStr;
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

/// The maximum wait for a reply. Copying a sorted set of ten million members takes long, but only a server that hangs
/// takes this long.
const REPLY_TIMEOUT: Duration = Duration::from_secs(120);
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Stops the server when this program ends for any reason, because the pipe on standard input closes then.
const KEEPER: &str = r#""$@" </dev/null & trap '' INT TERM; cat >/dev/null; kill $! 2>/dev/null; wait $!"#;

/// A running server. Dropping this value stops it.
pub struct Server {
    keeper: Child,
    port: u16,
    /// Contains the log and the other files of the server, outside the working directory.
    folder: TempDir,
}

impl Server {
    /// Starts the server on a free port, without persistence.
    pub fn start(program: &Path, modules: &[&Path]) -> Result<Self> {
        // Before version 7.0, DEBUG is always allowed and this setting does not exist.
        let debug: &[&str] =
            if version_of(program)?.contains("v=6.") { &[] } else { &["--enable-debug-command", "yes"] };
        let found = |module: &&Path| {
            let missing = format_args!("no module at {} (make build)", module.display()).to_string();
            module.canonicalize().map_err(failed(missing))
        };
        let modules: Vec<_> = modules.iter().map(found).collect::<Result<_>>()?;
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
            .args(modules.iter().flat_map(|module| [OsStr::new("--loadmodule"), module.as_os_str()]))
            .stdin(Stdio::piped())
            .spawn()
            .map_err(failed("cannot start the server"))?;
        let server = Self { keeper, port, folder };
        server.wait_until_ready()?;
        server.configure()?;
        Ok(server)
    }

    /// Opens a new connection to database 0.
    pub fn client(&self) -> Result<Client> {
        self.client_of(0)
    }

    /// Opens a new connection to a database.
    pub fn client_of(&self, database: u8) -> Result<Client> {
        let connection = redis::Client::open(format!("redis://127.0.0.1:{}/{database}", self.port))
            .and_then(|client| client.get_connection_with_timeout(REPLY_TIMEOUT))
            .map_err(failed("cannot connect"))?;
        connection.set_read_timeout(Some(REPLY_TIMEOUT)).map_err(failed("cannot set a timeout"))?;
        Ok(Client(connection))
    }

    /// Returns the server's port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Deletes all keys.
    pub fn empty(&self) -> Result<()> {
        self.client()?.ask(&["FLUSHALL", "SYNC"])
    }

    /// Returns the server's name and version.
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

    /// Changes settings of the server. The script's ids expire after ten minutes. If the server deleted them in the
    /// background, it would slow down the measurement that runs at this moment.
    fn configure(&self) -> Result<()> {
        let mut client = self.client()?;
        client.ask::<()>(&["DEBUG", "SET-ACTIVE-EXPIRE", "0"])?;
        client.ask(&["CONFIG", "SET", "slowlog-max-len", "100000"])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // The program ends here, so a failure cannot be handled.
        let _ended = self.keeper.wait();
    }
}

/// A connection whose errors contain the command.
pub struct Client(pub Connection);

impl Client {
    /// Sends one command.
    pub fn ask<T: FromRedisValue>(&mut self, words: &[&str]) -> Result<T> {
        let mut command = Cmd::new();
        command.arg(words);
        command.query(&mut self.0).map_err(failed(words.join(" ")))
    }

    /// Sends one request. Commands that are timed or compared are sent with `ask` instead, as plain words, and their
    /// replies are not read as types of the client.
    pub fn lb<R: FromRedisValue>(&mut self, request: &Request<R>) -> Result<R> {
        self.0.lb(request).map_err(failed(request))
    }

    /// Returns one section of INFO.
    pub fn info(&mut self, section: &str) -> Result<Info> {
        self.ask(&["INFO", section]).map(Info)
    }
}

/// The text of INFO.
pub struct Info(pub String);

impl Info {
    /// Returns the text of a field.
    pub fn text(&self, name: &str) -> Result<&str> {
        self.0
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(field, _)| field.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .ok_or_else(|| format!("INFO has no {name}"))
    }

    /// Returns the processor time of the main thread so far, in seconds. Needs the section `cpu`.
    pub fn cpu_seconds(&self) -> Result<f64> {
        Ok(self.number("used_cpu_user_main_thread")? + self.number("used_cpu_sys_main_thread")?)
    }

    /// Returns the value of a field that is a number.
    pub fn number(&self, name: &str) -> Result<f64> {
        self.text(name)?.parse().map_err(failed(format_args!("INFO's {name} is no number")))
    }
}

/// Returns the version of a program. This call finds a missing program before the measurement, not after minutes of
/// filling.
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
