//! Random commands in a server under a checker of memory, and large values that the server copies, moves through files and frees in
//! each way. The server is Valkey, whose build takes its memory from libc: so the checker knows each allocation of the module. The
//! checker ends the server's process with an error if it finds one, also for memory that is lost.

use leaderboard_testkit::{
    Flavor, Server, bgrewriteaof_and_wait, digest, info, pipeline, run, wait_for_sync, wait_until, words,
};
use redis::Connection;

use crate::servers;

const SERVER: Flavor = Flavor::Valkey91;
/// Texts of a board: more allocations than the module frees at once.
const TEXTS: usize = 5_000;
/// Members of a board with periods, on which the module works between commands.
const MEMBERS: usize = 3_000;
/// How a key goes.
const WAYS: [&[&str]; 5] = [
    &["DEL", "board"],
    &["UNLINK", "board"],
    &["SET", "board", "text"],
    &["FLUSHALL", "ASYNC"],
    &["FLUSHALL", "SYNC"],
];

/// Plays a session. Returns the number of calls.
pub fn session(seed: u64) -> u64 {
    servers::rounds_in(SERVER, seed, 2, 1) + freed()
}

/// Frees values in each way. Returns the number of calls.
fn freed() -> u64 {
    let server = Server::builder(SERVER).arg("appendonly", "yes").start();
    let replica = Server::start(SERVER);
    replica.replica_of(&server);
    let mut con = server.connection();
    let calls = WAYS.iter().map(|way| {
        let calls = fill(&mut con);
        run(&mut con, &["COPY", "board", "copy"]);
        let before = digest(&mut con, "board");
        run(&mut con, &["DEBUG", "RELOAD"]);
        bgrewriteaof_and_wait(&mut con);
        assert_eq!(digest(&mut con, "copy"), before);
        run(&mut con, way);
        run(&mut con, &["FLUSHALL", "ASYNC"]);
        calls
    });
    let calls = calls.sum();
    wait_for_sync(&server, &replica);
    wait_until(|| info(&mut con, "memory", "lazyfree_pending_objects") == "0");
    calls
}

/// Makes a board that a thread frees, a league and a counter. Returns the number of calls.
fn fill(con: &mut Connection) -> u64 {
    let rows = (0..MEMBERS).flat_map(|member| [member.to_string(), format!("member{member}")]);
    let madd = ["LB.MADD".to_owned(), "board".to_owned()].into_iter().chain(rows).collect::<Vec<_>>();
    let texts = (0..TEXTS).map(|member| {
        words(&["LB.SETMETA".to_owned(), "board".to_owned(), format!("member{member}"), "t".repeat(100)])
    });
    let others = [
        words(&[
            "LB.LEAGUE.CREATE",
            "league",
            "TIERS",
            "a,b",
            "PROMOTE",
            "1,0",
            "DEMOTE",
            "0,1",
            "CYCLE",
            "week",
        ]),
        words(&["LB.LEAGUE.ADD", "league", "5", "ann"]),
        words(&["LB.COUNTER.INCR", "counter"]),
    ];
    let create = words(&["LB.CREATE", "board", "VIEWS", "all,3600s:3"]);
    let commands: Vec<_> = [create, words(&madd)].into_iter().chain(texts).chain(others).collect();
    let replies = pipeline(con, &commands);
    assert!(replies.iter().all(Result::is_ok), "{:?}", replies.iter().find(|reply| reply.is_err()));
    replies.len() as u64
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_are_freed_in_each_way() {
        super::freed();
    }
}
