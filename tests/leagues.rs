//! Tests of leagues on real servers: groups, tiers, seasons, and everything that a native type must support. The
//! leagues use the time of the events unless a test says otherwise, so no test waits for the end of a period.

mod adding;
mod clock;
mod errors;
mod integration;
mod joining;
mod memory;
mod reading;
mod replication;
mod rules;
mod seasons;
mod shapes;

use redis::Connection;

use crate::votes;

/// Runs a session that gives the same replies in both protocols, except for maps, which are written as flat arrays.
/// `@2019-03-18T10:05` is replaced by this moment in UTC, and `place(gold 1 2 9)` by the fields of this place.
#[track_caller]
fn plays(session: &str) {
    votes::plays(&placed(session));
}

/// Runs such a session on one connection with RESP2.
#[track_caller]
pub fn play(con: &mut Connection, session: &str) {
    votes::play_dated(con, &placed(session));
}

/// Replaces each place by the fields of a reply: tier, group, rank and members, or `nil`.
fn placed(text: &str) -> String {
    let mut parts = text.split("place(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, rest) = part.split_once(')').expect("the end of a place");
        let fields = match place.split(' ').collect::<Vec<_>>()[..] {
            [tier, group, rank, members] => [&format!("\"{tier}\""), group, rank, members].map(str::to_owned),
            _ => [const { String::new() }; 4].map(|_| "nil".to_owned()),
        };
        let [tier, group, rank, members] = fields;
        out.push_str(&format!(r#""tier" {tier} "group" {group} "rank" {rank} "members" {members}"#));
        out.push_str(rest);
    }
    out
}

#[test]
fn places_are_fields() {
    assert_eq!(
        placed("[place(gold 1 2 9) 5 place(nil)]"),
        r#"["tier" "gold" "group" 1 "rank" 2 "members" 9 5 "tier" nil "group" nil "rank" nil "members" nil]"#
    );
}
