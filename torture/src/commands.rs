//! Random commands in a server in memory: sessions on boards against the model, and calls of all commands of the table with a
//! replica beside them.

use leaderboard_commands::plain::Protocol;
use leaderboard_testkit::checked::Checked;
use leaderboard_testkit::pair::{PROFILES, Profile};
use leaderboard_testkit::played::Session;
use leaderboard_testkit::random::Random;

/// Calls of a session with all commands.
const CALLS: u64 = 4_000;
/// Calls between two looks at all keys.
const BETWEEN_LOOKS: u64 = 50;

/// Plays a session: one in ten on a board of many members, one in ten with all commands. Returns the number of calls.
pub fn session(seed: u64) -> u64 {
    let profiles = [&PROFILES[..], &[Profile::Segments]].concat();
    let profile = profiles[(seed / 10) as usize % profiles.len()];
    match seed % 10 {
        0 => all_commands(seed),
        1 => Session::of_many(profile, seed).play() as u64,
        _ => Session::of_few(profile, seed).play() as u64,
    }
}

fn all_commands(seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let protocol = *random.pick(&[Protocol::Resp2, Protocol::Resp3]);
    let mut checked = Checked::new(protocol);
    for call in 0..CALLS {
        checked.pass_time(&mut random);
        checked.call(&mut random);
        if call % BETWEEN_LOOKS == 0 {
            checked.look(&mut random);
        }
    }
    CALLS
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn some_sessions_are_as_the_model_says() {
        let run = Run::new("calls", 20_000, leaderboard_testkit::random::seed()).all(super::session);
        assert!(run.failures.is_empty(), "{run}");
    }
}
