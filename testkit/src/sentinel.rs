//! A sentinel: a process that watches a primary and its replicas, and promotes a replica when the primary is gone.

use std::fs;
use std::process::{Child, Command, Stdio};

use redis::{Connection, RedisResult};
use tempfile::TempDir;

use crate::client::query;
use crate::server::{Flavor, Server, free_port};
use crate::wait::{PATIENCE, wait_until};

/// The name of the primary.
const NAME: &str = "game";

/// A running sentinel. Dropping it kills the process.
pub struct Sentinel {
    _dir: TempDir,
    port: u16,
    process: Child,
}

impl Sentinel {
    /// Starts a sentinel that watches `primary`. A promotion needs two sentinels.
    pub fn start(flavor: Flavor, primary: &Server) -> Sentinel {
        let dir = tempfile::Builder::new().prefix("lb-").tempdir().expect("a temporary directory");
        let port = free_port();
        let (path, of_primary) = (dir.path().join("sentinel.conf"), primary.port());
        let settings = format!(
            "bind 127.0.0.1\nport {port}\ndir {}\nsentinel monitor {NAME} 127.0.0.1 {of_primary} 2\n\
             sentinel down-after-milliseconds {NAME} 1000\nsentinel failover-timeout {NAME} 2000\n\
             sentinel parallel-syncs {NAME} 2\n",
            dir.path().display()
        );
        fs::write(&path, settings).expect("a configuration file");
        let mut command = Command::new(flavor.binary());
        command.arg(path).arg("--sentinel").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().expect("a sentinel");
        let sentinel = Sentinel { _dir: dir, port, process };
        wait_until(|| sentinel.connect().is_ok());
        sentinel
    }

    /// Returns the port of the primary, as the sentinel tells it to clients.
    pub fn primary(&self) -> u16 {
        let [_, port]: [String; 2] =
            query(&mut self.connection(), &["SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME]);
        port.parse().expect("a port")
    }

    /// Whether the sentinel knows this number of other sentinels and of replicas, and finds nobody down.
    pub fn sees(&self, sentinels: usize, replicas: usize) -> bool {
        let lists = ["MASTERS", "SENTINELS", "REPLICAS"].map(|list| self.flags(list));
        let is_down =
            |flags: &String| ["s_down", "o_down", "disconnected"].iter().any(|flag| flags.contains(flag));
        lists.each_ref().map(Vec::len) == [1, sentinels, replicas] && !lists.iter().flatten().any(is_down)
    }

    fn flags(&self, list: &str) -> Vec<String> {
        let command = ["SENTINEL", list, NAME];
        let words = if list == "MASTERS" { &command[..2] } else { &command };
        let rows: Vec<Vec<String>> = query(&mut self.connection(), words);
        let flags =
            |row: Vec<String>| row.chunks(2).find(|pair| pair[0] == "flags").map(|pair| pair[1].clone());
        rows.into_iter().filter_map(flags).collect()
    }

    fn connection(&self) -> Connection {
        self.connect().expect("a connection")
    }

    fn connect(&self) -> RedisResult<Connection> {
        let connection = redis::Client::open(("127.0.0.1", self.port))?.get_connection()?;
        connection.set_read_timeout(Some(PATIENCE))?;
        Ok(connection)
    }
}

impl Drop for Sentinel {
    fn drop(&mut self) {
        // This fails if the process has ended already.
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}
