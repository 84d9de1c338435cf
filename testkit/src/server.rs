//! Servers under test: the supported kinds, and a guard that runs a server in a directory of its own.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use redis::{
    Connection, ConnectionAddr, IntoConnectionInfo, ProtocolVersion, RedisConnectionInfo, RedisResult,
};
use tempfile::TempDir;

use super::client::run;
use super::wait::{PATIENCE, wait_until};
use super::workspace::root;
use super::{checker, clock};

/// The servers that one build of the module must support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// Redis 6.2.
    Redis62,
    /// The installed `redis-server`, which is Redis 7.0, or the program in `$REDIS_SERVER`.
    Redis70,
    /// Redis 8.2.
    Redis82,
    /// Valkey 9.1.
    Valkey91,
}

impl Flavor {
    /// Returns all kinds.
    pub fn all() -> [Flavor; 4] {
        [Flavor::Redis62, Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91]
    }

    /// Returns the path of the program.
    pub fn binary(self) -> PathBuf {
        let downloaded = |name| {
            let path = root().join("target/servers").join(name).join("server");
            assert!(path.exists(), "{} is missing: run `make servers`", path.display());
            path
        };
        match self {
            Flavor::Redis62 => downloaded("redis-6.2"),
            Flavor::Redis70 => std::env::var_os("REDIS_SERVER").unwrap_or("redis-server".into()).into(),
            Flavor::Redis82 => downloaded("redis-8.2"),
            Flavor::Valkey91 => downloaded("valkey-9.1"),
        }
    }

    /// Returns the arguments that allow DEBUG. Redis 6.2 always allows it and does not have this setting.
    fn debug_args(self) -> &'static [&'static str] {
        match self {
            Flavor::Redis62 => &[],
            Flavor::Redis70 | Flavor::Redis82 | Flavor::Valkey91 => &["--enable-debug-command", "yes"],
        }
    }
}

/// Returns the path of the module: `$LEADERBOARD_MODULE`, or the release build, because the tests run the build that
/// users get.
fn module() -> PathBuf {
    let path = match std::env::var_os("LEADERBOARD_MODULE") {
        Some(path) => PathBuf::from(path),
        None => root().join("target/release/libleaderboard.so"),
    };
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}: run `make build`", path.display()))
}

/// The settings of a server before it starts.
#[derive(Clone)]
pub struct Builder {
    flavor: Flavor,
    settings: Vec<String>,
    module_args: Vec<String>,
    in_cluster: bool,
    panicking: Option<PathBuf>,
    has_own_clock: bool,
}

impl Builder {
    /// Adds a setting of redis.conf.
    pub fn arg(mut self, name: &str, value: &str) -> Self {
        self.settings.extend([format!("--{name}"), value.to_owned()]);
        self
    }

    /// Adds arguments of the module.
    pub fn module_args(mut self, args: &[&str]) -> Self {
        self.module_args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    /// Loads another build of the module, which panics where a test requests it. So the log may contain panics.
    pub fn panicking(mut self, module: PathBuf) -> Self {
        self.panicking = Some(module);
        self
    }

    /// Gives the server a clock of its own: see [`Server::set_clock`].
    pub fn own_clock(mut self) -> Self {
        self.has_own_clock = true;
        self
    }

    /// Makes the server a node of a cluster that has no other nodes yet.
    pub fn in_cluster(mut self) -> Self {
        self.in_cluster = true;
        self
    }

    /// Starts the server, and returns when it replies. If the process ends instead, panics and prints its log.
    pub fn start(self) -> Server {
        const TRIES: usize = 20;
        for _ in 0..TRIES {
            let (port, bus) = self.ports();
            let mut server = Server {
                dir: tempfile::Builder::new().prefix("lb-").tempdir().expect("a temporary directory"),
                port,
                bus,
                builder: self.clone(),
                process: None,
            };
            if server.launch().is_ok() {
                return server;
            }
        }
        panic!("{TRIES} free ports were all taken by others")
    }

    /// Returns a free port for clients, and a free port for other nodes if the server is in a cluster.
    fn ports(&self) -> (u16, Option<u16>) {
        match (self.in_cluster, self.flavor) {
            (false, _) => (free_port(), None),
            // On Redis 6.2, the port for other nodes is always the port for clients plus 10,000.
            (true, Flavor::Redis62) => loop {
                let port = free_port();
                if is_free(port + 10_000) {
                    return (port, Some(port + 10_000));
                }
            },
            (true, _) => (free_port(), Some(free_port())),
        }
    }

    /// Returns the arguments that make the server a node of a cluster, with `bus` as the port for other nodes.
    fn cluster_args(&self, bus: u16) -> Vec<String> {
        let port = ["--cluster-port".to_owned(), bus.to_string()];
        let port = if self.flavor == Flavor::Redis62 { Vec::new() } else { port.to_vec() };
        ["--cluster-enabled", "yes"].map(str::to_owned).into_iter().chain(port).collect()
    }
}

fn is_free(port: u16) -> bool {
    TcpListener::bind(("127.0.0.1", port)).is_ok()
}

/// Returns a free port, 11,000 to 20,999, that this process has not returned before. This port and the port 10,000 above it
/// are below the range of outgoing connections: until a server starts on the port, no connection of another test takes it.
pub fn free_port() -> u16 {
    const FIRST: u32 = 11_000;
    const COUNT: u32 = 10_000;
    static CALLS: AtomicU32 = AtomicU32::new(0);
    // Processes that run at the same time begin at different ports.
    let begin = std::process::id().wrapping_mul(257);
    let mut ports = std::iter::repeat_with(|| {
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        (FIRST + begin.wrapping_add(call) % COUNT) as u16
    });
    ports.by_ref().take(COUNT as usize).find(|port| is_free(*port)).expect("a free port")
}

struct PortTaken;

/// A server with the module. Dropping it kills the process and removes the directory. Dropping it also fails the test
/// if the server crashed or the module panicked, even if no reply showed that.
pub struct Server {
    dir: TempDir,
    port: u16,
    bus: Option<u16>,
    builder: Builder,
    process: Option<Child>,
}

impl Server {
    /// Starts a server with the usual settings.
    pub fn start(flavor: Flavor) -> Server {
        Server::builder(flavor).start()
    }

    /// Returns the settings of a server that has not started yet.
    pub fn builder(flavor: Flavor) -> Builder {
        let (settings, module_args) = (Vec::new(), Vec::new());
        Builder { flavor, settings, module_args, in_cluster: false, panicking: None, has_own_clock: false }
    }

    /// Returns the kind of the server.
    pub fn flavor(&self) -> Flavor {
        self.builder.flavor
    }

    /// Returns the port for clients.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the port for other nodes of the cluster.
    pub fn bus(&self) -> u16 {
        self.bus.expect("a node of a cluster")
    }

    /// Returns the directory of the server's files.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Returns everything that the server has printed since its first start.
    pub fn log(&self) -> String {
        fs::read(self.log_path()).map(|log| String::from_utf8_lossy(&log).into_owned()).unwrap_or_default()
    }

    /// Returns whether the process runs.
    pub fn alive(&mut self) -> bool {
        self.process.as_mut().is_some_and(|process| process.try_wait().expect("its state").is_none())
    }

    /// Opens a RESP2 connection.
    pub fn connection(&self) -> Connection {
        self.connect(ProtocolVersion::RESP2).expect("a connection")
    }

    /// Opens a RESP3 connection.
    pub fn connection_resp3(&self) -> Connection {
        self.connect(ProtocolVersion::RESP3).expect("a RESP3 connection")
    }

    /// Makes this server a replica of `primary`.
    pub fn replica_of(&self, primary: &Server) {
        run(&mut self.connection(), &["REPLICAOF", "127.0.0.1", &primary.port.to_string()]);
    }

    /// Saves a snapshot, and restarts the server from it, or from the AOF if that is on.
    pub fn restart(&mut self) {
        self.shutdown("SAVE");
        self.start_again();
    }

    /// Restarts without a new snapshot, so the data comes from the AOF or from an earlier snapshot.
    pub fn restart_nosave(&mut self) {
        self.shutdown("NOSAVE");
        self.start_again();
    }

    /// Kills the process with SIGKILL, so that it has no time to save anything.
    pub fn kill9(&mut self) {
        let mut process = self.process.take().expect("a running server");
        process.kill().expect("a process to kill");
        process.wait().expect("its end");
    }

    /// Stops the process where it is: it keeps its connections, and answers nobody until `resume`.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Lets a paused process go on.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Sets by how many milliseconds the server's clock is ahead of the system's clock, or behind it if this is negative. The
    /// server must have a clock of its own. It keeps the clock when it starts again.
    pub fn set_clock(&self, ahead: i64) {
        assert!(self.builder.has_own_clock, "the server has no clock of its own");
        clock::set(self.dir(), ahead);
    }

    fn signal(&self, name: &str) {
        let process = self.process.as_ref().expect("a running server").id();
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {process}")]).status();
        assert!(sent.expect("a shell").success(), "no signal {name}");
    }

    /// Starts the server again in the same directory and on the same port, after `kill9` or `shutdown`.
    pub fn start_again(&mut self) {
        assert!(self.process.is_none(), "the server runs already");
        wait_until(|| self.launch().is_ok());
    }

    /// Starts the server again, and kills it after this time: while it loads, or a little later.
    pub fn start_and_kill(&mut self, after: Duration) {
        assert!(self.process.is_none(), "the server runs already");
        self.process = Some(self.spawn());
        thread::sleep(after);
        self.kill9();
    }

    /// Starts the server again, and waits until it has ended because it cannot load its module or its data.
    pub fn start_in_vain(&mut self) {
        assert!(self.process.is_none(), "the server runs already");
        self.process = Some(self.spawn());
        wait_until(|| !self.alive());
        self.process = None;
    }

    /// Stops the server. `how` is SAVE or NOSAVE. A checker of memory lets the process end with an error if it found one.
    pub fn shutdown(&mut self, how: &str) {
        // The call ends with an error of the server, or because the connection ends.
        let refused = redis::cmd("SHUTDOWN").arg(how).query::<()>(&mut self.connection()).err();
        if let Some(error) = refused.filter(|error| !error.is_io_error()) {
            panic!("SHUTDOWN {how}: {error}");
        }
        wait_until(|| !self.alive());
        let status = self.process.take().and_then(|mut process| process.wait().ok());
        assert!(status.is_some_and(|status| status.success()), "SHUTDOWN {how}: {status:?}");
    }

    /// Returns the path of the server's Unix socket.
    pub fn socket(&self) -> PathBuf {
        self.dir().join("socket")
    }

    /// Returns the path of the append-only file that the server writes to.
    pub fn append_only_file(&self) -> PathBuf {
        let files = fs::read_dir(self.dir().join("appendonlydir"));
        let files = files.into_iter().flatten().map(|file| file.expect("a file").path());
        let last = files.filter(|path| path.to_string_lossy().ends_with(".incr.aof")).max();
        // Redis 6.2 has one file.
        last.unwrap_or_else(|| self.dir().join("appendonly.aof"))
    }

    fn log_path(&self) -> PathBuf {
        self.dir().join("log")
    }

    fn connect(&self, protocol: ProtocolVersion) -> RedisResult<Connection> {
        // The connection skips CLIENT SETINFO, because this command would show in MONITOR and in statistics.
        let settings = RedisConnectionInfo::default().set_protocol(protocol).set_skip_set_lib_name();
        let address = ConnectionAddr::Unix(self.socket()).into_connection_info()?;
        let connection = redis::Client::open(address.set_redis_settings(settings))?.get_connection()?;
        connection.set_read_timeout(Some(PATIENCE))?;
        Ok(connection)
    }

    fn launch(&mut self) -> Result<(), PortTaken> {
        let seen = self.log().len();
        self.process = Some(self.spawn());
        wait_until(|| self.answers() || !self.alive());
        if self.alive() {
            return Ok(());
        }
        self.process = None;
        let log = self.log().split_off(seen);
        // If this fails, the server is dropped, and that prints its log.
        assert!(log.contains("Address already in use"), "{:?} did not start", self.flavor());
        Err(PortTaken)
    }

    fn answers(&self) -> bool {
        self.connect(ProtocolVersion::RESP2).is_ok_and(|mut con| redis::cmd("PING").exec(&mut con).is_ok())
    }

    fn spawn(&self) -> Child {
        let log = File::options().create(true).append(true).open(self.log_path()).expect("a log");
        let binary = self.flavor().binary();
        let (program, args) = checker::command(&binary);
        let clock = self.builder.has_own_clock.then(|| clock::environment(self.dir()));
        Command::new(program)
            .args(args)
            .envs(clock.into_iter().flatten())
            .args(["--bind", "127.0.0.1", "--port", &self.port.to_string()])
            .arg("--unixsocket")
            .arg(self.socket())
            .arg("--dir")
            .arg(self.dir())
            .args(["--save", "", "--repl-diskless-sync-delay", "0"])
            .args(self.flavor().debug_args())
            .args(self.bus.iter().flat_map(|bus| self.builder.cluster_args(*bus)))
            .args(&self.builder.settings)
            .arg("--loadmodule")
            .arg(self.builder.panicking.clone().unwrap_or_else(module))
            .args(&self.builder.module_args)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log"))
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| {
                panic!("cannot run {}: {error}: run `make deps servers`", binary.display())
            })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if checker::is_on() && !thread::panicking() && self.alive() {
            // The checker looks for lost memory when the process ends.
            self.shutdown("NOSAVE");
        }
        let ended_by_itself = self.process.is_some() && !self.alive();
        if let Some(process) = &mut self.process {
            // This fails if the process has ended already.
            let _ = process.kill().and_then(|()| process.wait());
        }
        let log = self.log();
        if thread::panicking() {
            eprintln!("--- log of {:?} ---\n{log}", self.flavor());
            return;
        }
        assert!(!ended_by_itself, "{:?} ended by itself:\n{log}", self.flavor());
        let panic = Some("panicked at").filter(|_| self.builder.panicking.is_none());
        for sign in ["BUG REPORT START"].into_iter().chain(panic).chain(checker::finding(&log)) {
            assert!(!log.contains(sign), "{:?} logged \"{sign}\":\n{log}", self.flavor());
        }
    }
}
