//! Segments in saved boards: a board that was loaded goes on as the board that was saved.

use leaderboard_core::dimensions::parse_dimensions;

use proptest::prelude::*;

use super::segments::{Step, any_ties, carry_out, views};
use super::*;

/// Steps of a session of few members, so that segments often lose their last member.
fn few() -> impl Strategy<Value = Step> {
    let member = || 0..4_u64;
    let team = || 0..3_u16;
    prop_oneof![
        8 => (member(), -1..3_i64, proptest::option::of(team())).prop_map(|(member, points, team)| Step::Add(member, points, team)),
        4 => (member(), team()).prop_map(|(member, team)| Step::Move(member, team)),
        3 => member().prop_map(Step::Remove),
        1 => member().prop_map(Step::Hide),
        1 => member().prop_map(Step::Show),
        4 => prop_oneof![0..2 * HOUR, Just(HOUR), 0..3 * DAY, Just(DAY)].prop_map(Step::Pass),
    ]
}

proptest! {
    #[test]
    fn a_board_that_was_loaded_between_any_commands_saves_the_same_bytes(
        steps in proptest::collection::vec((few(), proptest::bool::weighted(0.2)), 1..60),
        (specs, keep) in views(),
        ties in any_ties(),
    ) {
        let segments = parse_dimensions(b"team:SUM,guild:COUNT,best:BEST").unwrap();
        let mut kept = board(Schema { segments, ties, keep, ..plain() }, &specs);
        let mut copy = kept.clone();
        let mut now = 0;
        for (step, is_loaded) in &steps {
            if let Step::Pass(millis) = step {
                now += millis;
            }
            carry_out(&mut kept, now, step);
            carry_out(&mut copy, now, step);
            kept.check();
            if *is_loaded {
                copy = loaded(&saved(&copy));
            }
            prop_assert!(saved(&kept) == saved(&copy));
        }
    }
}
