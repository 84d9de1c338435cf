//! Two nodes of a cluster. The first one has all slots at the start.

use std::collections::HashMap;

use leaderboard_testkit::{Flavor, Server, query, run, try_run, wait_until};
use redis::{Connection, Value};

pub struct Nodes {
    pub source: Server,
    pub target: Server,
}

impl Nodes {
    /// Starts the nodes. Returns when both nodes know that all slots are served.
    pub fn start() -> Nodes {
        // After a node joins the cluster, it refuses commands for this time, so the time is short until both nodes
        // have joined.
        let node =
            || Server::builder(Flavor::Valkey91).in_cluster().arg("cluster-node-timeout", "500").start();
        let nodes = Nodes { source: node(), target: node() };
        let (port, bus) = (nodes.target.port().to_string(), nodes.target.bus().to_string());
        let mut cons = [nodes.source.connection(), nodes.target.connection()];
        run(&mut cons[0], &["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
        run(&mut cons[0], &["CLUSTER", "MEET", "127.0.0.1", &port, &bus]);
        for con in &mut cons {
            wait_until(|| {
                let [info, list] = ["INFO", "NODES"].map(|what| query::<String, _>(con, &["CLUSTER", what]));
                let all_well = ["handshake", "fail"].iter().all(|flag| !list.contains(flag));
                info.contains("cluster_state:ok") && list.lines().count() == 2 && all_well
            });
        }
        for con in &mut cons {
            run(con, &["CONFIG", "SET", "cluster-node-timeout", "60000"]);
        }
        nodes
    }

    pub fn client(&self) -> Client {
        Client { nodes: [self.source.connection(), self.target.connection()], at: 0 }
    }

    /// Starts the migration of the slot of a key.
    pub fn migrate(&self, key: &str) {
        let mut con = self.source.connection();
        let slot: u32 = query(&mut con, &["CLUSTER", "KEYSLOT", key]);
        let (slot, target) = (slot.to_string(), self.target_id());
        run(&mut con, &["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", &slot, &slot, "NODE", &target]);
    }

    fn target_id(&self) -> String {
        query(&mut self.target.connection(), &["CLUSTER", "MYID"])
    }

    /// Holds migrations from now on: a migration waits when all keys are sent, and sends later changes as they are
    /// made.
    pub fn hold_migrations(&self) {
        run(&mut self.source.connection(), &["DEBUG", "SLOTMIGRATION", "PREVENT-PAUSE", "1"]);
    }

    /// Lets held migrations end.
    pub fn let_migrations_end(&self) {
        run(&mut self.source.connection(), &["DEBUG", "SLOTMIGRATION", "PREVENT-PAUSE", "0"]);
    }
}

/// Returns a node's state of the last migration.
#[track_caller]
pub fn migration(node: &Server) -> String {
    let mut con = node.connection();
    let all: Vec<HashMap<String, Value>> = query(&mut con, &["CLUSTER", "GETSLOTMIGRATIONS"]);
    redis::from_redis_value(all[0]["state"].clone()).expect("a text")
}

/// A client that sends each command to the node that has the key.
pub struct Client {
    nodes: [Connection; 2],
    at: usize,
}

impl Client {
    #[track_caller]
    pub fn run<A: AsRef<[u8]>>(&mut self, command: &[A]) -> Value {
        let mut answer = Err(String::new());
        wait_until(|| {
            answer = try_run(&mut self.nodes[self.at], command);
            let moved = answer.as_ref().is_err_and(|error| error.starts_with("MOVED "));
            self.at = if moved { 1 - self.at } else { self.at };
            !moved
        });
        answer.unwrap_or_else(|error| panic!("{error}"))
    }
}
