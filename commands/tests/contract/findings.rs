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

/// "1 for the first claim and its retries with the same ID", and "a read or write after any idle time sees exactly what it
/// would have seen had the server never slept": a write of somebody else made the same retry claim the prize of another period.
#[test]
fn a_retry_of_a_claim_does_not_depend_on_the_writes_of_others() {
    let mut pair = Pair::new();
    pair.says(0, "LB.CREATE b VIEWS hour PRIZES hour 1=cup", "OK");
    pair.says(0, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(HOUR, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(2 * HOUR - 1, "LB.CLAIM b ann ID pay", "[cup 1 1]");
    pair.says(2 * HOUR, "LB.CLAIM b ann ID pay", "[cup 1 1]");
    pair.says(2 * HOUR, "LB.PRIZES b 0 UNCLAIMED", "[0 [[1 ann 3 cup -]]]");
    pair.says(2 * HOUR, "LB.ADD b 1 bob", "[1 1 1]");
    pair.says(2 * HOUR, "LB.CLAIM b ann ID pay", "[cup 1 1]");
    pair.says(2 * HOUR, "LB.PRIZES b 0 UNCLAIMED", "[0 [[1 ann 3 cup -]]]");
}

/// "nil without a prize or in a running period": a clock that was put right made a period run again that had a claim.
#[test]
fn a_period_that_runs_again_pays_when_it_ends_again() {
    let mut pair = Pair::new();
    pair.says(0, "LB.CREATE b VIEWS hour RETAIN 100 PRIZES hour 1-2=cup", "OK");
    pair.says(0, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(1, "LB.ADD b 2 bob", "[2 2 1]");
    pair.says(50 * HOUR, "LB.ADD b 1 cem", "[1 1 1]");
    pair.says(50 * HOUR, "LB.CLAIM b ann AT 0 ID pay", "[cup 1 1]");
    pair.says(2, "LB.ADD b 9 dan", "[9 1 1]");
    pair.says(3, "LB.CLAIM b bob PERIOD 0", "-");
    pair.says(3, "LB.CLAIM b ann PERIOD 0 ID pay", "[cup 1 1]");
    pair.says(HOUR, "LB.CLAIM b bob AT 0", "[cup 2 1]");
    pair.says(HOUR, "LB.CLAIM b dan AT 0", "-");
}

/// An ID that is too old to be known claims again, while the boundary that forgets its old claim has not come.
#[test]
fn an_id_that_claims_again_is_saved_once() {
    let mut pair = Pair::new();
    let day = 24 * HOUR;
    pair.says(0, "LB.CREATE b VIEWS day,week RETAIN 0 PRIZEDAYS 1 PRIZES week 1=cup PRIZES day 1=tea", "OK");
    pair.says(0, "LB.ADD b 3 ann", "[3 1 1]");
    let next_week = 4 * day;
    pair.says(next_week, "LB.CLAIM b ann VIEW week ID pay", "[cup 1 1]");
    pair.says(next_week, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(next_week + 2 * day, "LB.ADD b 3 ann", "[3 1 1]");
    pair.says(next_week + 3 * day, "LB.CLAIM b ann VIEW day ID pay", "[tea 1 1]");
    assert!(pair.0[0].reload().is_empty(), "all is loaded");
    pair.says(next_week + 3 * day, "LB.CLAIM b ann VIEW day ID pay", "[tea 1 1]");
    pair.says(next_week + 3 * day, "LB.CLAIM b ann VIEW week ID pay", "!IDREUSED");
}

/// "Replicas, the AOF and a restart give the same board": LB.JOIN with an ID, of a member that was in and only moves.
#[test]
fn a_restart_after_a_join_that_only_moves_leaves_the_board_as_its_replica() {
    let mut pair = Pair::new();
    pair.says(0, "LB.CREATE b DECLARED SEGMENTS team", "OK");
    pair.says(0, "LB.JOIN b ann", "1");
    pair.says(1, "LB.JOIN b ann ID move SEGMENT team red", "0");
    assert!(pair.0[0].reload().is_empty(), "all is loaded");
    pair.says(2, "LB.ADD b 1 ann", "[1 1 1]");
    let Pair([server, replica]) = &pair;
    assert!(server.saved(b"b") == replica.saved(b"b"), "the saved board");
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
