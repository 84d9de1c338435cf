//! What holds for every call of every command, with random calls; see [`leaderboard_testkit::checked`].

use leaderboard_commands::plain::Protocol;
use leaderboard_testkit::checked::Checked;
use leaderboard_testkit::random::{Random, seed};

/// Calls of one test.
const CALLS: usize = 60_000;
/// Calls between two looks at all keys.
const BETWEEN_LOOKS: usize = 50;

fn run(protocol: Protocol, seed: u64) {
    let (mut checked, mut random) = (Checked::new(protocol), Random::new(seed));
    for call in 0..CALLS {
        checked.pass_time(&mut random);
        checked.call(&mut random);
        if call % BETWEEN_LOOKS == 0 {
            checked.look(&mut random);
        }
    }
}

#[test]
fn all_commands_keep_their_promises_in_resp2() {
    run(Protocol::Resp2, seed());
}

#[test]
fn all_commands_keep_their_promises_in_resp3() {
    run(Protocol::Resp3, seed() + 1);
}
