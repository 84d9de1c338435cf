//! Segments in saved boards: a board that was loaded goes on as the board that was saved.

use leaderboard_core::dimensions::parse_dimensions;

use proptest::prelude::*;

use super::segments::{Step, any_ties, carry_out, pairs, ranked, views};
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

#[test]
fn a_board_that_was_loaded_while_the_clock_was_put_back_knows_in_which_segments_a_period_ended() {
    let mut kept = viewed(Schema { segments: parse_dimensions(b"team:SUM").unwrap(), ..plain() }, &["day"]);
    carry_out(&mut kept, 0, &Step::Add(2, 1, None));
    let own: [(&[u8], &[u8]); 1] = [(b"team", b"one")];
    add(&mut kept, &Write { segments: &own, ..at(DAY) }, 1, &of_many(2)).unwrap();
    // The clock is put back, and then goes on.
    kept.advance(MONDAY + DAY - 1);
    let mut copy = loaded(&saved(&kept));
    for board in [&mut kept, &mut copy] {
        board.advance(MONDAY + DAY);
        assert_eq!(ranked(board, "day", When::Now), pairs(&[("one", 1)]));
        assert_eq!(ranked(board, "day", When::Back(1)), []);
    }
}
