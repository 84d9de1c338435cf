//! Leagues in real servers: groups, tiers, seasons, and all that a native type owes. Leagues have event clocks where
//! nothing else is said, so no test waits for a boundary.

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

/// A session of which both protocols show the same, but for maps: those stand as flat arrays.
/// `@2019-03-18T10:05` stands for that moment of UTC, `place(gold 1 2 9)` for the fields of that place.
#[track_caller]
fn plays(session: &str) {
    votes::plays(&placed(session));
}

/// The same on one connection, which speaks RESP2.
#[track_caller]
pub fn play(con: &mut Connection, session: &str) {
    votes::play_dated(con, &placed(session));
}

/// The text with its places as the fields of a reply: tier, group, rank and members, or `nil`.
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
