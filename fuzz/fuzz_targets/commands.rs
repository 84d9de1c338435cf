//! Whole commands in memory: any sequence of calls keeps what `leaderboard_testkit::checked` says. Each two bytes of the
//! input are the seed of one call, so a mutation changes, adds or moves calls.
#![no_main]

use leaderboard_commands::plain::Protocol;
use leaderboard_testkit::checked::Checked;
use leaderboard_testkit::random::Random;
use libfuzzer_sys::fuzz_target;

/// Calls between two looks at all keys.
const BETWEEN_LOOKS: usize = 20;

fuzz_target!(|input: &[u8]| {
    let mut checked = Checked::new(Protocol::Resp3);
    for (call, seed) in input.chunks_exact(2).enumerate() {
        let mut random = Random::new(u64::from(seed[0]) << 8 | u64::from(seed[1]));
        checked.pass_time(&mut random);
        checked.call(&mut random);
        if call % BETWEEN_LOOKS == 0 {
            checked.look(&mut random);
        }
    }
});
