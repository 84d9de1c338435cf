//! Clusters of three primaries with one replica each.

use std::collections::HashMap;

use super::parts::slot;
use super::wire::Wire;
use crate::servers::{Builder, Flavor, Server, info, query, run, try_run, wait_for_sync, wait_until};

const PRIMARIES: usize = 3;
const NODES: usize = 2 * PRIMARIES;
const SLOTS: usize = 16_384;
/// A node time-out in ms, so long that no replica takes over without a command.
const NEVER: &str = "60000";

pub struct Cluster {
    /// The primaries, followed by their replicas in the same order.
    pub nodes: Vec<Server>,
}

impl Cluster {
    pub fn start(flavor: Flavor) -> Cluster {
        Cluster::of(Server::builder(flavor))
    }

    /// Starts a cluster of nodes with these settings. After a node joins the cluster, it refuses commands for the
    /// length of the node time-out, so this time is short until all nodes have joined.
    pub fn of(node: Builder) -> Cluster {
        let node =
            node.in_cluster().arg("cluster-node-timeout", "1000").arg("cluster-replica-validity-factor", "0");
        let cluster = Cluster { nodes: (0..NODES).map(|_| node.clone().start()).collect() };
        cluster.meet();
        for (number, node) in cluster.nodes[..PRIMARIES].iter().enumerate() {
            let (first, end) = (number * SLOTS / PRIMARIES, (number + 1) * SLOTS / PRIMARIES);
            let slots: Vec<_> = (first..end).map(|slot| slot.to_string()).collect();
            let words: Vec<_> =
                ["CLUSTER", "ADDSLOTS"].into_iter().chain(slots.iter().map(String::as_str)).collect();
            run(&mut node.connection(), &words);
        }
        for (number, node) in cluster.nodes[PRIMARIES..].iter().enumerate() {
            let primary = cluster.id(number);
            wait_until(|| try_run(&mut node.connection(), &["CLUSTER", "REPLICATE", &primary]).is_ok());
        }
        cluster.wait_until_well();
        cluster.node_timeout(NEVER);
        cluster
    }

    /// Connects all nodes with each other, which is faster than gossip.
    fn meet(&self) {
        // A node accepts an epoch only while it knows no other node.
        for (number, node) in self.nodes.iter().enumerate() {
            run(&mut node.connection(), &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let mut con = node.connection();
            for other in &self.nodes[number + 1..] {
                let (port, bus) = (other.port().to_string(), other.bus().to_string());
                run(&mut con, &["CLUSTER", "MEET", "127.0.0.1", &port, &bus]);
            }
        }
        for node in &self.nodes {
            wait_until(|| {
                let known = view(node);
                known.len() == NODES && known.values().all(|known| !known.flags.contains("handshake"))
            });
        }
    }

    /// Waits until all nodes have the same view: all slots are served, no node has failed, and the replicas follow.
    #[track_caller]
    pub fn wait_until_well(&self) {
        for node in &self.nodes {
            wait_until(|| {
                let known = view(node);
                let primaries =
                    known.values().filter(|known| known.flags.contains("master") && !known.slots.is_empty());
                query::<String, _>(&mut node.connection(), &["CLUSTER", "INFO"]).contains("cluster_state:ok")
                    && known.values().all(|known| !known.flags.contains("fail"))
                    && primaries.count() == PRIMARIES
            });
            wait_until(|| {
                let mut con = node.connection();
                let is = |con: &mut _, field, value: &str| info(con, "replication", field) == value;
                is(&mut con, "role", "master") || is(&mut con, "master_link_status", "up")
            });
        }
    }

    pub fn node_timeout(&self, ms: &str) {
        for node in &self.nodes {
            run(&mut node.connection(), &["CONFIG", "SET", "cluster-node-timeout", ms]);
        }
    }

    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(|node| format!("redis://127.0.0.1:{}", node.port())).collect()
    }

    pub fn id(&self, number: usize) -> String {
        query(&mut self.nodes[number].connection(), &["CLUSTER", "MYID"])
    }

    /// Returns the primary of a slot, from the view of the first node that is running.
    pub fn primary_of(&self, slot: u16) -> usize {
        let known = view(self.nodes.iter().find(|node| is_running(node)).expect("a node"));
        let serves = |known: &Known| known.slots.iter().any(|(first, last)| (*first..=*last).contains(&slot));
        let (_, owner) = known.iter().find(|(_, known)| serves(known)).expect("a primary");
        self.nodes.iter().position(|node| node.port() == owner.port).expect("one of ours")
    }

    /// Returns a primary other than this one.
    pub fn other_primary(&self, one: usize) -> usize {
        let owners: Vec<_> = (0..16).map(|part| self.primary_of(part * 1_024)).collect();
        owners.into_iter().find(|owner| *owner != one).expect("another primary")
    }

    /// Waits until each replica has all writes of its primary so far.
    pub fn wait_until_replicas_have_all(&self) {
        for (primary, replica) in self.nodes.iter().zip(&self.nodes[PRIMARIES..]) {
            wait_for_sync(primary, replica);
        }
    }

    /// Returns the primary of a key.
    pub fn home(&self, key: &str) -> usize {
        self.primary_of(slot(key))
    }

    /// Opens a connection to the primary of a key.
    #[track_caller]
    pub fn wire(&self, key: &str) -> Wire {
        Wire::to(self.nodes[self.home(key)].port())
    }

    #[track_caller]
    pub fn wire_resp3(&self, key: &str) -> Wire {
        Wire::to_resp3(self.nodes[self.home(key)].port())
    }

    /// Sends the command to all nodes.
    pub fn everywhere(&self, line: &str) {
        for node in &self.nodes {
            Wire::to(node.port()).run(line);
        }
    }

    /// Returns the process id of a running node.
    pub fn process(&self, number: usize) -> u32 {
        info(&mut self.nodes[number].connection(), "server", "process_id").parse().expect("a number")
    }

    /// Moves a slot and its keys with commands that all servers have.
    pub fn move_slot(&self, slot: u16, to: usize) {
        let from = self.primary_of(slot);
        if from == to {
            return;
        }
        let ids = [self.id(from), self.id(to)];
        let port = self.nodes[to].port().to_string();
        let slot = slot.to_string();
        let mut cons = [self.nodes[from].connection(), self.nodes[to].connection()];
        run(&mut cons[1], &["CLUSTER", "SETSLOT", &slot, "IMPORTING", &ids[0]]);
        run(&mut cons[0], &["CLUSTER", "SETSLOT", &slot, "MIGRATING", &ids[1]]);
        loop {
            let keys: Vec<String> = query(&mut cons[0], &["CLUSTER", "GETKEYSINSLOT", &slot, "10"]);
            let Some(key) = keys.first() else { break };
            run(&mut cons[0], &["MIGRATE", "127.0.0.1", &port, key, "0", "20000"]);
        }
        for con in cons.iter_mut().rev() {
            run(con, &["CLUSTER", "SETSLOT", &slot, "NODE", &ids[1]]);
        }
    }

    /// Moves slots with the command of Valkey 9, and waits until they have moved.
    pub fn migrate_slots(&self, from: usize, to: usize, slots: (u16, u16)) {
        let (first, last) = (slots.0.to_string(), slots.1.to_string());
        let id = self.id(to);
        let words = ["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", &first, &last, "NODE", &id];
        run(&mut self.nodes[from].connection(), &words);
        wait_until(|| {
            let all: Vec<HashMap<String, redis::Value>> =
                query(&mut self.nodes[from].connection(), &["CLUSTER", "GETSLOTMIGRATIONS"]);
            let state: String = redis::from_redis_value(all[0]["state"].clone()).expect("a text");
            assert!(!["failed", "cancelled", "canceled"].contains(&state.as_str()), "{:?}", all[0]);
            state == "success"
        });
    }
}

fn is_running(node: &Server) -> bool {
    // A stopped process still accepts connections, so this check needs a reply.
    Wire::try_to(node.port()).is_ok_and(|mut wire| {
        wire.raw(b"PING\r\n");
        wire.answers_soon()
    })
}

struct Known {
    port: u16,
    flags: String,
    slots: Vec<(u16, u16)>,
}

/// Returns the view that a node has of all nodes, by their ids.
fn view(node: &Server) -> HashMap<String, Known> {
    let list: String = query(&mut node.connection(), &["CLUSTER", "NODES"]);
    list.lines().map(known).collect()
}

fn known(line: &str) -> (String, Known) {
    let words: Vec<_> = line.split(' ').collect();
    let address = words[1].split(['@', ',']).next().expect("an address");
    let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let served = words[8..].iter().filter(|slots| !slots.starts_with('['));
    let slots = served.map(|slots| {
        let (first, last) = slots.split_once('-').unwrap_or((slots, slots));
        (first.parse().expect("a slot"), last.parse().expect("a slot"))
    });
    (words[0].to_owned(), Known { port, flags: words[2].to_owned(), slots: slots.collect() })
}
