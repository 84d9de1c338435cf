//! Three primaries that share the slots, and their replicas.

use crate::nodes::real::servers::{Flavor, Server, query, run, wait_until};

const PRIMARIES: usize = 3;
const SLOTS: usize = 16_384;

pub struct Nodes(pub Vec<Server>);

impl Nodes {
    pub fn start(flavor: Flavor) -> Nodes {
        Nodes::with_replicas(flavor, 0)
    }

    /// Starts the nodes. Each of the first `replicas` primaries gets a replica. The number of a replica is the number
    /// of its primary plus three.
    pub fn with_replicas(flavor: Flavor, replicas: usize) -> Nodes {
        let nodes = Nodes((0..PRIMARIES + replicas).map(|_| Nodes::node(flavor)).collect());
        for (number, node) in nodes.0.iter().enumerate().take(PRIMARIES) {
            let slots =
                (number * SLOTS / PRIMARIES..(number + 1) * SLOTS / PRIMARIES).map(|slot| slot.to_string());
            let words: Vec<_> = ["CLUSTER", "ADDSLOTS"].map(str::to_owned).into_iter().chain(slots).collect();
            run(&mut node.connection(), &words);
        }
        for (number, node) in nodes.0.iter().enumerate() {
            run(&mut node.connection(), &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
        }
        for node in &nodes.0[1..] {
            let (port, bus) = (node.port().to_string(), node.bus().to_string());
            let mut meet = vec!["CLUSTER", "MEET", "127.0.0.1", &port];
            if node.flavor() != Flavor::Redis62 {
                meet.push(&bus);
            }
            run(&mut nodes.0[0].connection(), &meet);
        }
        nodes.wait("cluster_known_nodes", &nodes.0.len().to_string());
        for number in 0..replicas {
            let id: String = query(&mut nodes.0[number].connection(), &["CLUSTER", "MYID"]);
            run(&mut nodes.0[PRIMARIES + number].connection(), &["CLUSTER", "REPLICATE", &id]);
        }
        nodes.wait("cluster_state", "ok");
        for number in 0..replicas {
            wait_until(|| nodes.info(PRIMARIES + number, "replication", "master_link_status") == "up");
        }
        nodes
    }

    fn node(flavor: Flavor) -> Server {
        Server::builder(flavor).in_cluster().arg("cluster-node-timeout", "1000").start()
    }

    fn info(&self, number: usize, section: &str, field: &str) -> String {
        crate::nodes::real::servers::info(&mut self.0[number].connection(), section, field)
    }

    /// Waits until CLUSTER INFO of each node has this value in this field.
    fn wait(&self, field: &str, value: &str) {
        let line = format!("{field}:{value}\r\n");
        for node in &self.0 {
            wait_until(|| query::<String, _>(&mut node.connection(), &["CLUSTER", "INFO"]).contains(&line));
        }
    }

    pub fn id(&self, number: usize) -> String {
        query(&mut self.0[number].connection(), &["CLUSTER", "MYID"])
    }

    /// Returns the number of the primary that has a slot at the start.
    pub fn owner(slot: u16) -> usize {
        (0..PRIMARIES).rfind(|number| usize::from(slot) >= number * SLOTS / PRIMARIES).unwrap()
    }

    /// Marks a slot on both nodes as being moved.
    pub fn begin(&self, slot: u16, from: usize, to: usize) {
        let slot = slot.to_string();
        run(&mut self.0[to].connection(), &["CLUSTER", "SETSLOT", &slot, "IMPORTING", &self.id(from)]);
        run(&mut self.0[from].connection(), &["CLUSTER", "SETSLOT", &slot, "MIGRATING", &self.id(to)]);
    }

    /// Moves keys from one node to the other.
    pub fn migrate(&self, from: usize, to: usize, keys: &[&str]) {
        let port = self.0[to].port().to_string();
        let mut words = vec!["MIGRATE", "127.0.0.1", &port, "", "0", "5000", "KEYS"];
        words.extend(keys);
        run(&mut self.0[from].connection(), &words);
    }

    /// Ends the move: the slot now belongs to the new node.
    pub fn end(&self, slot: u16, from: usize, to: usize) {
        let (slot, id) = (slot.to_string(), self.id(to));
        for node in [to, from] {
            run(&mut self.0[node].connection(), &["CLUSTER", "SETSLOT", &slot, "NODE", &id]);
        }
    }

    pub fn all(&self) -> Vec<&Server> {
        self.0.iter().collect()
    }
}
