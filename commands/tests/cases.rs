//! What random calls have found, each as a few commands.

use leaderboard_commands::plain::PlainServer;

const HOUR: u64 = 3_600_000;
/// The first moment of an hour.
const START: u64 = 1_700_000_000_000 / HOUR * HOUR;

fn run(server: &mut PlainServer, clock: u64, command: &str) -> String {
    server.settings.clock = clock;
    String::from_utf8_lossy(&server.run(&command.split(' ').collect::<Vec<_>>())).into_owned()
}

#[test]
fn a_removal_leaves_a_replica_that_no_client_reads_what_it_leaves_the_primary() {
    let (mut primary, replica) = (PlainServer::default(), PlainServer::default());
    run(&mut primary, START, "LB.CREATE b VIEWS hour RETAIN 1");
    run(&mut primary, START + 1, "LB.ADD b 5 max");
    run(&mut primary, START + HOUR, "LB.ADD b 5 joe");
    // The primary forgets max when it is read. The replica still has max, in the hour before its last write.
    run(&mut primary, START + 9 * HOUR, "LB.TOP b 10");
    assert_eq!(run(&mut primary, START + 9 * HOUR, "LB.REM b max joe"), ":1\r\n");
    primary.take_stream().iter().for_each(|words| _ = replica.apply(words));
    assert_eq!(primary.saved(b"b"), replica.saved(b"b"));
}
