//! Stories that the random sessions found, in which the server did not do what the contract says.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};

use super::replies::text;

/// A server and its replica.
struct Pair([PlainServer; 2]);

impl Pair {
    fn new() -> Pair {
        let settings = Settings { protocol: Protocol::Resp2, ..Settings::default() };
        Pair([settings.clone(), settings].map(PlainServer::new))
    }

    /// Runs a command at this time of the server's clock.
    fn run(&mut self, clock: u64, words: &str) -> String {
        let Pair([server, replica]) = self;
        (server.settings.clock, replica.settings.clock) = (clock, clock);
        let words: Vec<_> = words.split(' ').collect();
        let reply = text(&server.run(&words));
        server.take_stream().iter().for_each(|words| drop(replica.apply(words)));
        reply
    }

    /// Runs a command whose reply is known.
    fn says(&mut self, clock: u64, words: &str, expected: &str) {
        assert_eq!(self.run(clock, words), expected, "{words}");
    }
}

const HOUR: u64 = 3_600_000;

/// "`HELDBACK rule retry-after-ms` (-1: never)": so many new members never fit, whatever period it is.
#[test]
fn a_list_that_never_fits_waits_forever() {
    let mut pair = Pair::new();
    pair.says(0, "LB.CREATE b VIEWS day MAXMEMBERS 1", "OK");
    pair.says(0, "LB.MADD b 1 ann 1 bob", "!HELDBACK full -1");
}

/// "Replicas, the AOF and a restart give the same board."
#[test]
fn removing_nobody_leaves_the_board_as_its_replica() {
    let mut pair = Pair::new();
    pair.says(0, "LB.CREATE b VIEWS hour RETAIN 0 PRIZES hour 1=cup", "OK");
    pair.says(0, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(HOUR, "LB.ADD b 3 bob", "[3 1 1]");
    pair.says(HOUR, "LB.CLAIM b ann ID pay", "[cup 1 1]");
    pair.says(2 * HOUR, "LB.REM b ann", "0");
    let Pair(servers) = &pair;
    let [server, replica] =
        servers.each_ref().map(|server| text(&server.run(&["LB.CLAIM", "b", "ann", "ID", "pay"])));
    assert_eq!(server, replica, "the retry of the claim");
}
