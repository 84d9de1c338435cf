//! Links between a primary and its replicas that are cut again and again, as clients write: by the primary, by the replica, and by a
//! replica that was a primary for a moment. Partial and full syncs follow. In the end all servers have the same values.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server, run, try_run, wait_until};

use crate::clients::{Client, sums, write_meanwhile};
use crate::digests::expect_same;
use crate::requests::{compare, found, make};
use crate::workers::note;

/// Cuts of a session.
const CUTS: u64 = 40;
/// How many requests each client sends at once, at the most.
const WINDOWS: [u64; 2] = [4, 40];
/// Acknowledged requests between two cuts, at the most.
const APART: u64 = 600;

/// Cuts links. Returns how many.
pub fn session(seed: u64) -> u64 {
    cuts(seed, CUTS)
}

fn cuts(seed: u64, cuts: u64) -> u64 {
    let mut random = Random::new(seed);
    let flavor = Flavor::all()[(seed % 4) as usize];
    let diskless = *random.pick(&["yes", "no"]);
    let backlog = *random.pick(&["16kb", "64mb"]);
    note(format!("{flavor:?}, diskless: {diskless}, backlog: {backlog}").as_bytes());
    let start = || {
        let builder = Server::builder(flavor).arg("repl-diskless-sync", diskless);
        builder.arg("repl-backlog-size", backlog).start()
    };
    let servers: Vec<Server> = (0..3).map(|_| start()).collect();
    make(&mut servers[0].connection(), WINDOWS.len() as u64);
    servers[1..].iter().for_each(|replica| replica.replica_of(&servers[0]));
    let clients = (0..).zip(WINDOWS).map(|(number, window)| Client::new(number, window, &mut random));
    let mut clients: Vec<Client> = clients.collect();
    write_meanwhile(&servers[0], &mut clients, |wait| {
        for _ in 0..cuts {
            cut(&servers, &mut random);
            wait(random.below(APART));
        }
    });
    let [_, drawn] = sums(&clients);
    let drawings = clients.iter().map(|client| &client.drawing);
    compare("in the end", &found(&mut servers[0].connection(), drawings), &drawn, &drawn);
    expect_same(&servers[0], &servers);
    cuts
}

/// Cuts the link of a replica. The primary comes first.
pub fn cut(servers: &[Server], random: &mut Random) {
    let replica = random.pick(&servers[1..]);
    match random.below(3) {
        0 => _ = run(&mut servers[0].connection(), &["CLIENT", "KILL", "TYPE", "replica"]),
        // Refused while the replica loads a full sync.
        1 => _ = try_run(&mut replica.connection(), &["CLIENT", "KILL", "TYPE", "master"]),
        _ => leave_and_follow(replica, &servers[0]),
    }
}

/// Makes a replica a primary for a moment. Another full sync follows.
pub fn leave_and_follow(replica: &Server, primary: &Server) {
    // Refused while the replica loads a full sync.
    if try_run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]).is_ok() {
        follow(replica, primary);
    }
}

/// Makes a server a replica. It may load at first, if it is a replica already.
pub fn follow(replica: &Server, primary: &Server) {
    let mut command = redis::cmd("REPLICAOF");
    command.arg("127.0.0.1").arg(primary.port());
    wait_until(|| command.exec(&mut replica.connection()).is_ok());
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn replicas_have_the_same_values_after_their_links_were_cut() {
        let run = Run::new("cuts", 12, leaderboard_testkit::random::seed()).all(|seed| super::cuts(seed, 3));
        assert!(run.failures.is_empty(), "{run}");
    }
}
