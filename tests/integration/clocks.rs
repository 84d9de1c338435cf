//! Work between commands while the server's clock goes back. Timers of servers depend on that clock.

use std::thread;
use std::time::Duration;

use leaderboard_testkit::{Flavor, Server, query, run, wait_until};
use redis::Connection;

const DAY: i64 = 86_400_000;

/// Starts a server whose module works between commands for this number of microseconds at once.
fn server(flavor: Flavor, slice: &str) -> (Server, Connection) {
    let server = Server::builder(flavor).own_clock().module_args(&["tick-us", slice]).start();
    let con = server.connection();
    (server, con)
}

/// Makes a board with a view that is freed between commands after it was dropped.
fn fill(con: &mut Connection, members: usize) {
    run(con, &["LB.CREATE", "board", "VIEWS", "all,year"]);
    for first in (0..members).step_by(5_000) {
        let pairs = (first..first + 5_000).flat_map(|number| [number.to_string(), format!("m{number}")]);
        let words = ["LB.MADD", "board", "QUIET"].map(str::to_owned).into_iter().chain(pairs);
        run(con, &words.collect::<Vec<_>>());
    }
}

#[test]
fn work_goes_on_after_the_clock_has_gone_back() {
    for flavor in Flavor::all() {
        let (server, mut con) = server(flavor, "1000");
        fill(&mut con, 20_000);
        server.set_clock(-DAY);
        run(&mut con, &["LB.ALTER", "board", "VIEWS", "-year"]);
        let mut memory = || -> u64 { query(&mut con, &["MEMORY", "USAGE", "board"]) };
        let dropped = memory();
        wait_until(|| memory() < dropped * 19 / 20);
    }
}

#[test]
fn a_clock_that_goes_back_during_work_does_not_stop_the_server() {
    for flavor in Flavor::all() {
        // One slice packs a whole year.
        let (server, mut con) = server(flavor, "1000000");
        fill(&mut con, 200_000);
        server.set_clock(400 * DAY);
        run(&mut con, &["LB.ADD", "board", "1", "ann"]);
        // The work begins within 100 ms and takes longer than the time between two leaps.
        for days in 1..=75 {
            thread::sleep(Duration::from_millis(2));
            server.set_clock((400 - days) * DAY);
        }
        // A server that stands still replies to nobody until its clock is right again.
        let reply: String = query(&mut con, &["PING"]);
        assert_eq!(reply, "PONG");
    }
}
