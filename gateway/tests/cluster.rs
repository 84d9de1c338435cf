//! Tests of a gateway with a cluster of three nodes.

use serde_json::json;

use crate::servers::{Flavor, Server, query, run, wait_until};
use crate::setup::{make, row, rows};
use crate::support::{Gateway, Stream};

const NODES: usize = 3;

/// The nodes of a cluster, which share the slots.
pub struct Cluster(pub Vec<Server>);

impl Cluster {
    pub fn start(flavor: Flavor) -> Cluster {
        let cluster = Cluster((0..NODES).map(|_| Cluster::node(flavor)).collect());
        for (number, node) in cluster.0.iter().enumerate() {
            let mut con = node.connection();
            let (first, last) = (number * 16_384 / NODES, (number + 1) * 16_384 / NODES - 1);
            run(&mut con, &["CLUSTER", "ADDSLOTSRANGE", &first.to_string(), &last.to_string()]);
            run(&mut con, &["CLUSTER", "SET-CONFIG-EPOCH", &(number + 1).to_string()]);
        }
        for node in &cluster.0[1..] {
            let (port, bus) = (node.port().to_string(), node.bus().to_string());
            run(&mut cluster.0[0].connection(), &["CLUSTER", "MEET", "127.0.0.1", &port, &bus]);
        }
        for node in &cluster.0 {
            wait_until(|| Cluster::is_well(node));
        }
        for node in &cluster.0 {
            run(&mut node.connection(), &["CONFIG", "SET", "cluster-node-timeout", "60000"]);
        }
        cluster
    }

    /// Starts a node. After a node joins the cluster, it refuses commands for the length of the node time-out, so this
    /// time is short until all nodes have joined.
    fn node(flavor: Flavor) -> Server {
        Server::builder(flavor).in_cluster().arg("cluster-node-timeout", "500").start()
    }

    fn is_well(node: &Server) -> bool {
        let ask = |what| query::<String, _>(&mut node.connection(), &["CLUSTER", what]);
        let (info, list) = (ask("INFO"), ask("NODES"));
        let all_well = ["handshake", "fail"].iter().all(|flag| !list.contains(flag));
        info.contains("cluster_state:ok") && list.lines().count() == NODES && all_well
    }

    fn keys(&self) -> Vec<u64> {
        self.0.iter().map(|node| query(&mut node.connection(), &["DBSIZE"])).collect()
    }
}

#[test]
fn boards_of_all_nodes_are_one_place() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let cluster = Cluster::start(flavor);
        // The gateway learns the other nodes from one node.
        let gateway = Gateway::builder(&[&cluster.0[2]]).arg("--live-ms", "50").start();
        let api = gateway.api();
        let keys: Vec<_> = (0..30).map(|n| format!("board:{n:02}")).collect();
        for key in &keys {
            make(&api, key, json!({"views": "all", "shown": true}));
        }
        let spread = cluster.keys();
        assert!(spread.iter().all(|keys| *keys > 0) && spread.iter().sum::<u64>() == 30, "{spread:?}");
        let mut listed = api.get("/boards").value(200)["boards"].as_array().expect("boards").clone();
        listed.sort_by_key(|board| board["key"].to_string());
        let expected: Vec<_> = keys.iter().map(|key| json!({"key": key, "kind": "board"})).collect();
        assert_eq!(listed, expected);
        let ops: Vec<_> = (0..90)
            .map(|n| json!({"op": "vote", "key": keys[n % 30], "votes": [{"member": "tide", "votes": n / 30 + 1}]}))
            .collect();
        let results = api.post("/batch", json!({"ops": ops})).value(200)["results"].clone();
        for n in 0..90 {
            let score = ["1", "3", "6"][n / 30];
            assert_eq!(results[n]["body"]["results"][0]["score"], score, "{n}: {}", results[n]);
        }
        for key in &keys {
            api.get(&format!("/boards/{key}/top")).is(200, rows(&[(1, "tide", "6")]));
        }
        let mut streams: Vec<_> = keys[..6]
            .iter()
            .map(|key| Stream::open(gateway.address(), &format!("/boards/{key}/live"), &[]))
            .collect();
        for stream in &mut streams {
            assert_eq!(stream.rows(), json!([row(1, "tide", "6")]));
        }
        let file = "member,weight,initial,meta\ntide,2,0,Tide\nreef,1,50,Reef\n";
        for key in &keys[..6] {
            api.text("PUT", &format!("/boards/{key}/options.csv"), "text/csv", file.as_bytes()).status(200);
            assert_eq!(api.get(&format!("/boards/{key}/options.csv")).status(200).text().lines().count(), 3);
        }
        for stream in &mut streams {
            assert_eq!(stream.rows()[0], row(1, "reef", "50"));
        }
        api.post("/leagues/play", json!({"tiers": "a", "promote": "0", "demote": "0", "cycle": "day"}))
            .status(201);
        api.post("/leagues/play/join", json!({"member": "ann"})).status(200);
        api.post("/counters/clicks", json!({})).is(200, json!({"total": "1"}));
        // A key cannot be copied to a key on another node. This is an error of the request, not a fault of the server.
        let alike: Vec<_> = keys
            .iter()
            .map(|key| api.post("/boards", json!({"key": format!("new:{key}"), "like": keys[0]})))
            .filter(|reply| reply.status != 201)
            .collect();
        assert!(!alike.is_empty());
        for reply in alike {
            reply.problem(422);
        }
        api.get("//metrics").status(200);
    }
}
