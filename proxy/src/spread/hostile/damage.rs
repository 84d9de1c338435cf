//! A board is destroyed behind the gateway's back. Every read is exact or an error, LB.PARTS says what is wrong with which
//! part, and LB.REPAIR makes the board whole and says what is lost.

use super::super::simulation::cluster::{NODES, node_of};
use super::cluster::Cluster;
use super::gateway::Gateway;
use super::state::{State, member, part_key, state};
use super::step::Told;

const PARTS: u16 = 8;

/// Commands behind the gateway, what LB.PARTS says of part 3, and the part whose members are lost.
struct Damage {
    name: &'static str,
    lines: &'static [&'static str],
    told: &'static str,
    lost: bool,
}

const DAMAGE: [Damage; 10] = [
    Damage { name: "a part is deleted", lines: &["DEL KEY"], told: "it does not exist", lost: true },
    Damage {
        name: "a part is made again",
        lines: &["DEL KEY", "LB.CREATE KEY VIEWS all DEDUP 3600 PART 3 OF 8"],
        told: "it belongs to another board that had this name",
        lost: true,
    },
    Damage {
        name: "a part of another board comes back",
        lines: &[
            "DEL KEY",
            "LB.CREATE KEY VIEWS all DEDUP 3600 PART 3 OF 8 INCARNATION 5",
            "LB.ADD KEY 1 MEMBER",
        ],
        told: "it belongs to another board that had this name",
        lost: true,
    },
    Damage {
        name: "a part of a board with other parts",
        lines: &["DEL KEY", "LB.CREATE KEY VIEWS all DEDUP 3600 PART 1 OF 2 INCARNATION 5"],
        told: "its key holds part 1 of 2",
        lost: true,
    },
    Damage {
        name: "a part is altered",
        lines: &["LB.ALTER KEY DEDUP 77"],
        told: "its rules are not those of the root",
        lost: false,
    },
    Damage {
        name: "a part expires",
        lines: &["PEXPIRE KEY 500000"],
        told: "the key expires in ",
        lost: false,
    },
    Damage { name: "the root expires", lines: &["PEXPIRE game 500000"], told: "nil", lost: false },
    Damage { name: "the root is deleted", lines: &["DEL game"], told: "its root is lost", lost: false },
    Damage {
        name: "root and part are deleted",
        lines: &["DEL game", "DEL KEY"],
        told: "it does not exist",
        lost: true,
    },
    Damage {
        name: "a part is overwritten",
        lines: &["DEL KEY", "SET KEY text"],
        told: "its key holds something else",
        lost: true,
    },
];

/// Makes a board with a member in each part, and returns the points of all members as the top shows them.
async fn make(cluster: &Cluster, gateway: &Gateway) -> Vec<String> {
    assert_eq!(gateway.say("LB.CREATE game VIEWS all DEDUP 3600 PARTS 8").await, "OK");
    for part in 0..PARTS {
        gateway.say(&format!("LB.ADD game {} {} ID first", part + 1, member(PARTS, part))).await;
    }
    assert!(matches!(state(cluster), Ok(State::Whole { .. })));
    (0..PARTS).map(|part| format!(" {} {}]", member(PARTS, part), part + 1)).collect()
}

/// Checks that each read has all of these members, or is an error. Returns whether all were answered.
async fn reads_are_exact(cluster: &Cluster, members: &[String]) -> bool {
    let gateway = Gateway::new(cluster, "B");
    let top = gateway.say("LB.TOP game 100").await;
    let is_exact = top.starts_with("[[") && members.iter().all(|member| top.contains(member));
    assert!(
        is_exact || top.starts_with("PARTSDOWN") || top.starts_with("ERR the parts do not agree"),
        "{top}"
    );
    for line in ["LB.COUNT game", "LB.STATS game", "LB.INFO game", "LB.RANGE game 1 -1"] {
        let reply = gateway.say(line).await;
        let is_error = reply.starts_with("PARTSDOWN") || reply.starts_with("ERR the parts do not agree");
        assert_eq!(is_error, !is_exact, "{line}: {reply}, but LB.TOP: {top}");
        assert!(is_error || line != "LB.COUNT game" || reply == members.len().to_string(), "{reply}");
    }
    is_exact
}

#[tokio::test(start_paused = true)]
async fn all_damage_is_told_and_mended() {
    for damage in DAMAGE {
        let cluster = Cluster::new(1);
        let guard = Told(&cluster, damage.name.to_owned());
        let gateway = Gateway::new(&cluster, "A");
        let mut members = make(&cluster, &gateway).await;
        for line in damage.lines {
            let line = line.replace("KEY", &part_key(PARTS, 3)).replace("MEMBER", &member(PARTS, 3));
            cluster.direct(&line);
        }
        let is_served = reads_are_exact(&cluster, &members).await;
        assert_eq!(is_served, damage.name.contains("expires"), "{}", damage.name);
        let parts = gateway.say("LB.PARTS game").await;
        let row = parts.split("] [").nth(3).unwrap();
        assert!(row.contains(&part_key(PARTS, 3)) && row.contains(damage.told), "{}: {row}", damage.name);
        let lost_root = damage.name.contains("root") && damage.name.contains("deleted");
        let wrong = if lost_root { 8 } else { usize::from(damage.told != "nil") };
        assert_eq!(
            parts.matches(" nil] [").count() + usize::from(parts.ends_with(" nil]]")),
            8 - wrong,
            "{parts}"
        );
        repair(&cluster, &gateway, &damage, &mut members).await;
        drop(guard);
    }
}

async fn repair(cluster: &Cluster, gateway: &Gateway, damage: &Damage, members: &mut Vec<String>) {
    let mut reply = gateway.say("LB.REPAIR game").await;
    if damage.lines.iter().any(|line| line.starts_with("SET")) {
        // LB.REPAIR does not delete what is no board.
        for line in ["LB.REPAIR game", "LB.REPAIR game FORCE"] {
            let reply = gateway.say(line).await;
            let wanted = format!("PARTSDOWN the key of part 3 holds something else: {}", part_key(PARTS, 3));
            assert_eq!(reply, wanted, "{line}");
        }
        cluster.direct(&format!("DEL {}", part_key(PARTS, 3)));
    }
    if damage.lost {
        assert!(!reply.starts_with('['), "{}: {reply}", damage.name);
        // Without FORCE, no part was made or deleted.
        members.remove(3);
        reply = gateway.say("LB.REPAIR game FORCE").await;
        assert!(reply.contains("made part 3 of 8"), "{}: {reply}", damage.name);
    }
    assert!(reply.starts_with('[') && reply != "[]", "{}: {reply}", damage.name);
    assert!(matches!(state(cluster), Ok(State::Whole { .. })), "{}: {:?}", damage.name, state(cluster));
    assert!(reads_are_exact(cluster, members).await, "{}", damage.name);
    let keys: Vec<_> = (0..PARTS).map(|part| part_key(PARTS, part)).chain(["game".to_owned()]).collect();
    for key in keys {
        assert_eq!(cluster.direct(&format!("PTTL {key}")), redis::Value::Int(-1), "{key} expires");
    }
}

/// DEL of a damaged board leaves no part behind, whatever board the part belongs to.
#[tokio::test(start_paused = true)]
async fn a_damaged_board_is_deleted_with_all_parts() {
    for damage in DAMAGE {
        let cluster = Cluster::new(1);
        let guard = Told(&cluster, damage.name.to_owned());
        let gateway = Gateway::new(&cluster, "A");
        make(&cluster, &gateway).await;
        for line in damage.lines {
            let line = line.replace("KEY", &part_key(PARTS, 3)).replace("MEMBER", &member(PARTS, 3));
            cluster.direct(&line);
        }
        assert_eq!(gateway.say("DEL game").await, "1", "{}", damage.name);
        // A text is no part, so it stays.
        let has_text = damage.lines.iter().any(|line| line.starts_with("SET"));
        let left = if has_text { vec![part_key(PARTS, 3)] } else { Vec::new() };
        assert_eq!(cluster.keys(), left, "{}", damage.name);
        assert_eq!(gateway.say("LB.TOP game 100").await, "[]", "{}", damage.name);
        drop(guard);
    }
}

/// Each node loses all keys: one of them has the root.
#[tokio::test(start_paused = true)]
async fn a_node_without_keys_is_told() {
    for node in 0..NODES {
        let cluster = Cluster::new(1);
        let guard = Told(&cluster, format!("node {node}"));
        let gateway = Gateway::new(&cluster, "A");
        let mut members = make(&cluster, &gateway).await;
        let lost = |part: &u16| node_of(part_key(PARTS, *part).as_bytes()) == node;
        let gone: Vec<_> = (0..PARTS).filter(lost).collect();
        assert!(!gone.is_empty() && gone.len() < usize::from(PARTS));
        cluster.world().flush(node);
        assert!(!reads_are_exact(&cluster, &members).await);
        for part in &gone {
            let line = format!("LB.ADD game 1 {}", member(PARTS, *part));
            let reply = gateway.say(&line).await;
            assert!(reply.starts_with("PARTSDOWN"), "{line}: {reply}");
        }
        let parts = gateway.say("LB.PARTS game").await;
        assert_eq!(parts.matches("it does not exist").count(), gone.len(), "{parts}");
        let told = gateway.say("LB.REPAIR game FORCE").await;
        for part in gone.iter().rev() {
            assert!(told.contains(&format!("made part {part} of 8")), "{told}");
            members.remove(usize::from(*part));
        }
        assert!(reads_are_exact(&cluster, &members).await);
        drop(guard);
    }
}

/// A whole board is deleted, and then each key of it comes back, as after a failover. The next board has none of it.
#[tokio::test(start_paused = true)]
async fn a_key_that_comes_back_is_in_no_new_board() {
    let keys: Vec<_> = (0..PARTS).map(|part| part_key(PARTS, part)).collect();
    for key in &keys {
        for comes_first in [true, false] {
            let cluster = Cluster::new(1);
            let guard = Told(&cluster, format!("{key}, {comes_first}"));
            let gateway = Gateway::new(&cluster, "A");
            make(&cluster, &gateway).await;
            let saved = cluster.world().save(key);
            assert_eq!(gateway.say("DEL game").await, "1");
            let create = "LB.CREATE game DEDUP 60 PARTS 8";
            if comes_first {
                cluster.world().restore(key, &saved);
                for line in [create, "LB.CREATE game PARTS 2", "LB.CREATE game", "LB.ADD game 5 ann"] {
                    let reply = gateway.say(line).await;
                    assert!(reply.starts_with("PARTSDOWN the root of this board is lost"), "{line}: {reply}");
                }
                assert_eq!(gateway.say("DEL game").await, "1");
                assert_eq!(cluster.keys(), Vec::<String>::new());
                assert_eq!(gateway.say(create).await, "OK");
            } else {
                assert_eq!(gateway.say(create).await, "OK");
                cluster.world().restore(key, &saved);
                assert!(!reads_are_exact(&cluster, &[]).await);
                let told = gateway.say("LB.REPAIR game FORCE").await;
                assert!(told.contains("of another board that had this name"), "{told}");
            }
            assert_eq!(gateway.say("LB.TOP game 100").await, "[]");
            assert_eq!(cluster.field("game", "dedup"), "60");
            assert_eq!(gateway.say("DEL game").await, "1");
            assert_eq!(cluster.keys(), Vec::<String>::new());
            drop(guard);
        }
    }
}
