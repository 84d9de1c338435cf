//! Two primaries of a cluster without replicas, and the boards on them: one board over both nodes, and a plain board on each.

use leaderboard_testkit::slots::slot;
use leaderboard_testkit::{Flavor, Server, info, query, run, wait_until};

const NODES: usize = 2;
const SLOTS: u16 = 16_384;
/// The parts of the board over both nodes.
pub const PARTS: u16 = 16;
/// Clients repeat a request for this number of seconds at the most: much longer than a fault, and so short that the servers soon have
/// as many ids as they ever have.
const DEDUP: &str = "120";

/// A board. Its place in a list of boards is its number.
#[derive(Clone, Debug)]
pub struct Board {
    /// The key of a plain board, or the name of a board over parts.
    pub key: String,
    /// Whether the board has parts on both nodes.
    pub is_spread: bool,
}

/// Starts a cluster. A node that joins refuses commands for the length of its node time-out, so this time is short until then.
pub fn start(flavor: Flavor) -> Vec<Server> {
    let builder = Server::builder(flavor).in_cluster().arg("cluster-node-timeout", "1000");
    let builder = builder.arg("appendonly", "yes").arg("appendfsync", "always");
    let nodes: Vec<Server> = (0..NODES).map(|_| builder.clone().start()).collect();
    for (number, node) in nodes.iter().enumerate() {
        let mut con = node.connection();
        run(&mut con, &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
        let slots = (0..SLOTS).filter(|slot| home(*slot) == number).map(|slot| slot.to_string());
        let words: Vec<String> =
            ["CLUSTER", "ADDSLOTS"].map(str::to_owned).into_iter().chain(slots).collect();
        run(&mut con, &words);
    }
    let [port, bus] = [nodes[1].port(), nodes[1].bus()].map(|port| port.to_string());
    run(&mut nodes[0].connection(), &["CLUSTER", "MEET", "127.0.0.1", &port, &bus]);
    nodes.iter().for_each(join);
    nodes
}

/// Waits until a node that has started is a part of the cluster. From then on it counts no node as failed: a node that is gone comes
/// back as it was.
pub fn join(node: &Server) {
    let mut con = node.connection();
    wait_until(|| {
        let state: String = query(&mut con, &["CLUSTER", "INFO"]);
        state.contains("cluster_state:ok") && state.contains(&format!("cluster_known_nodes:{NODES}"))
    });
    run(&mut con, &["CONFIG", "SET", "cluster-node-timeout", "600000"]);
}

/// The boards of a soak, the spread one first.
pub fn boards() -> Vec<Board> {
    let plain = |node| {
        let mut keys = (0..).map(|number| format!("plain:{number}"));
        let key = keys.find(|key| home(slot(key)) == node).expect("a key");
        Board { key, is_spread: false }
    };
    let spread = Board { key: "spread".to_owned(), is_spread: true };
    [spread].into_iter().chain((0..NODES).map(plain)).collect()
}

/// The commands that make the boards, for the RESP door.
pub fn commands(boards: &[Board]) -> Vec<Vec<String>> {
    let parts = PARTS.to_string();
    let made = boards.iter().map(|board| {
        let parts = if board.is_spread { vec!["PARTS", &parts] } else { Vec::new() };
        let words = ["LB.CREATE", &board.key, "VIEWS", "all,day:7", "DEDUP", DEDUP];
        words.into_iter().chain(parts).map(str::to_owned).collect()
    });
    made.collect()
}

/// The number of the node of a key.
pub fn home_of(key: &str) -> usize {
    home(slot(key))
}

/// The process id of a running node.
pub fn process(node: &Server) -> u32 {
    info(&mut node.connection(), "server", "process_id").parse().expect("a number")
}

fn home(slot: u16) -> usize {
    usize::from(slot / (SLOTS / NODES as u16))
}
