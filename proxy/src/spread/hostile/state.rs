//! The state of a board on the nodes, without a gateway.

use std::collections::BTreeMap;

use leaderboard_core::parts::Parts;

use super::cluster::Cluster;
use super::gateway::Gateway;

/// The name of the board.
pub const NAME: &str = "game";

/// Returns the key of a part.
pub fn part_key(count: u16, part: u16) -> String {
    String::from_utf8(Parts::new(count, "PARTS").unwrap().key(NAME.as_bytes(), part)).unwrap()
}

/// Returns the part of a member.
pub fn part_of(count: u16, member: &str) -> u16 {
    Parts::new(count, "PARTS").unwrap().of(member.as_bytes())
}

/// Returns a member that belongs to this part.
pub fn member(count: u16, part: u16) -> String {
    (0..).map(|number| format!("m{number}")).find(|name| part_of(count, name) == part).unwrap()
}

/// A state in which a board serves clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There is no key.
    Absent,
    /// The key has a plain board.
    Plain,
    /// The root and all parts agree.
    Whole { parts: u16, incarnation: String, revision: String, rules: String },
}

/// Returns the rules of a key, without what differs between a root and its parts.
pub fn rules(cluster: &Cluster, key: &str) -> String {
    ["views", "order", "dedup"].map(|name| cluster.field(key, name)).join(" ")
}

/// Returns the state of the board if it serves clients. Otherwise, it returns what is wrong.
pub fn state(cluster: &Cluster) -> Result<State, String> {
    let keys = cluster.keys();
    if keys.is_empty() {
        return Ok(State::Absent);
    }
    if !keys.iter().any(|key| key == NAME) {
        return Err(format!("there is no root, but {keys:?}"));
    }
    let parts = cluster.field(NAME, "keys");
    if !parts.contains("game:{") {
        // A command of a board that was deleted can come late, and make a part. The part has no members, and it is an
        // error when the plain board is gone.
        let is_empty = |key: &String| key == NAME || cluster.field(key, "last") == "0";
        // A failover can bring back a plain board that was deleted. Parts of a later board stay, until they are in the
        // way of another board over parts.
        let is_brought_back = cluster.world().losses.iter().any(|loss| loss.key == NAME.as_bytes());
        return if is_brought_back || keys.iter().all(is_empty) {
            Ok(State::Plain)
        } else {
            Err(format!("a plain board beside {keys:?}"))
        };
    }
    let count = parts.split(' ').count() as u16;
    let mut wanted: Vec<_> = (0..count).map(|part| part_key(count, part)).chain([NAME.to_owned()]).collect();
    wanted.sort_unstable();
    // A failover can bring back a part of a deleted board with another number of parts. Nothing reads it.
    let is_brought_back = |key: &String| cluster.world().losses.iter().any(|loss| loss.key == key.as_bytes());
    let keys: Vec<_> = keys.into_iter().filter(|key| wanted.contains(key) || !is_brought_back(key)).collect();
    if keys != wanted {
        return Err(format!("the keys are {keys:?}, and not {wanted:?}"));
    }
    let fields = |key: &str| ["incarnation", "revision", "schema"].map(|name| cluster.field(key, name));
    let numbers: BTreeMap<_, _> = wanted.iter().map(|key| (key.as_str(), fields(key))).collect();
    let [incarnation, revision, _] = numbers[NAME].clone();
    if numbers.values().any(|other| *other != numbers[NAME]) {
        return Err(format!("they do not agree: {numbers:?}"));
    }
    let state = cluster.field(NAME, "state");
    if state != "whole" {
        return Err(format!("the root is {state}"));
    }
    if incarnation.is_empty() || incarnation == "0" {
        return Err(format!("the incarnation is '{incarnation}'"));
    }
    Ok(State::Whole { parts: count, incarnation, revision, rules: rules(cluster, NAME) })
}

/// Returns whether an error says which command mends the board.
pub fn names_a_mend(error: &str) -> bool {
    ["LB.REPAIR game", "DEL game", "LB.CREATE game", "LB.ALTER game"].iter().any(|line| error.contains(line))
}

/// Brings a board to a state in which it serves clients, as the errors say, when nothing disturbs any more. Checks all
/// that a client reads on the way. Returns the state, and the replies of LB.REPAIR that had to use FORCE.
pub async fn settle(cluster: &Cluster) -> (State, Vec<String>) {
    let gateway = Gateway::new(cluster, "Z");
    let mut forced = Vec::new();
    let first = gateway.say("LB.TOP game 100").await;
    if first.starts_with('[') {
        let state = state(cluster).unwrap_or_else(|wrong| panic!("a read says {first}, but {wrong}"));
        let parts = gateway.say("LB.PARTS game").await;
        match state {
            State::Absent => assert_eq!(parts, "nil"),
            State::Plain => assert_eq!(parts, "ERR the key holds no board over parts"),
            State::Whole { parts: count, .. } => {
                assert_eq!(parts.matches(" nil]").count(), usize::from(count), "nothing is wrong: {parts}");
            }
        }
        assert!(
            ["[]", "ERR the key holds no board over parts"]
                .contains(&gateway.say("LB.REPAIR game").await.as_str())
        );
        return (state, forced);
    }
    assert!(names_a_mend(&first), "no mend is named: {first}");
    let parts = gateway.say("LB.PARTS game").await;
    assert!(parts.starts_with('['), "{parts}");
    let count = parts.matches("game:{").count();
    assert!(parts.matches(" nil]").count() < count, "{first}, but LB.PARTS says: {parts}");
    let mut reply = gateway.say("LB.REPAIR game").await;
    if !reply.starts_with('[') {
        assert!(reply.contains("LB.REPAIR game FORCE"), "{reply}");
        assert!(reply.contains("part "), "the error names the part: {reply}");
        reply = gateway.say("LB.REPAIR game FORCE").await;
        forced.push(reply.clone());
    }
    assert!(reply.starts_with('['), "{reply}");
    assert_ne!(reply, "[]", "{first}");
    assert_eq!(gateway.say("LB.REPAIR game").await, "[]", "nothing is left to do");
    let top = Gateway::new(cluster, "Y").say("LB.TOP game 100").await;
    assert!(top.starts_with('['), "{top}");
    (state(cluster).unwrap_or_else(|wrong| panic!("after {reply}: {wrong}")), forced)
}
