//! All visible data of the values of all types. Tests compare it before and after an action that must not change it.

use leaderboard_testkit::session::shown;
use leaderboard_testkit::{digest, info, pipeline, query, run};
use redis::Connection;

use super::{Kind, NATIVES, Native};
use leaderboard_testkit::payload::split;

/// All visible data of a value.
struct Portrait {
    kind: &'static dyn Kind,
    parts: Vec<(&'static str, String)>,
    /// The replies and the state of a copy after later writes. Empty on a replica, which accepts no writes.
    later: Vec<String>,
}

impl Portrait {
    fn of(con: &mut Connection, native: &Native, kind: &'static dyn Kind) -> Portrait {
        let mut parts = kind.read(con);
        parts.push(("digest", digest(con, kind.key())));
        let dump: Vec<u8> = query(con, &["DUMP", kind.key()]);
        // The footer contains the version of the server, so it is left out.
        parts.push(("dump", split(&dump).0.escape_ascii().to_string()));
        Portrait { kind, parts, later: later(con, native, kind) }
    }
}

fn later(con: &mut Connection, native: &Native, kind: &dyn Kind) -> Vec<String> {
    let commands = kind.later();
    if commands.is_empty() || is_replica(con) {
        return Vec::new();
    }
    run(con, &["COPY", kind.key(), "scratch"]);
    let replies = pipeline(con, &commands);
    for (command, reply) in commands.iter().zip(&replies) {
        let is_fine = reply.as_ref().map_or_else(|error| native.may_be(error), |_| true);
        assert!(is_fine, "{}: {reply:?}", command.join(&b' ').escape_ascii());
    }
    let mut all: Vec<String> = replies.iter().map(shown).collect();
    all.push(digest(con, "scratch"));
    run(con, &["DEL", "scratch"]);
    all
}

fn is_replica(con: &mut Connection) -> bool {
    info(con, "replication", "role") == "slave"
}

/// The visible data of all values.
pub struct Portraits(Vec<Portrait>);

impl Portraits {
    pub fn of(con: &mut Connection) -> Portraits {
        let all =
            NATIVES.iter().flat_map(|native| (native.kinds)().into_iter().map(move |kind| (native, kind)));
        Portraits(all.map(|(native, kind)| Portrait::of(con, native, kind)).collect())
    }

    /// Checks that nothing has changed: for reads, for later writes, and for repeated requests.
    #[track_caller]
    pub fn compare(&self, con: &mut Connection, way: &str) {
        println!("{way}");
        for (before, now) in self.0.iter().zip(Portraits::of(con).0) {
            let key = before.kind.key();
            for (before, now) in before.parts.iter().zip(&now.parts) {
                assert!(now == before, "{way}, {key}: other {}:\n{}\n{}", now.0, now.1, before.1);
            }
            if !(now.later.is_empty() || before.later.is_empty()) {
                assert_eq!(now.later, before.later, "{way}, {key}: later");
            }
        }
        if !is_replica(con) {
            self.retry(con, way);
        }
    }

    #[track_caller]
    fn retry(&self, con: &mut Connection, way: &str) {
        for before in &self.0 {
            let key = before.kind.key();
            before.kind.retry(con);
            let now = ("digest", digest(con, key));
            assert!(before.parts.contains(&now), "{way}, {key}: changed by a request again");
        }
    }
}
