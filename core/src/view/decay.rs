//! Decay: in each step from a period to the next, a share of the whole score is kept, rounded towards 0:
//! `S(i) = R(i) + trunc(share · S(i-1))`.
//!
//! There is no formula for a score after k periods, since each of the k steps rounds. So a step must be fast, and
//! few steps must be needed:
//!
//! * A step is one or two multiplications, without a division ([`Decay::step`]): 0.4 to 1.3 nanoseconds, with
//!   several scores in parallel.
//! * After a limited number of steps, a score does not change any more. With the greatest share below 1, this takes
//!   about 4,000 periods ([`LONGEST`]). Negative scores decay like positive scores, so all steps use distances from
//!   0.
//! * Steps keep the order of scores. So if the first and the last score of a sequence become equal, all scores of
//!   the sequence become equal ([`Decay::fade`]). So a board that was idle for long needs only a few evaluations,
//!   for any number of members.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "distances have 63 bits, factors 64 or 96, and products 128; tests go to the ends"
)]

use crate::share::Share;

/// The whole (a share of 1), in the smallest unit of a share.
const WHOLE: u64 = 1_000_000_000;
/// After this number of periods, no score changes any more.
pub(super) const LONGEST: u32 = 4_000;
/// A step takes one multiplication for a score whose distance from 0 is less than this, and two for other scores.
const NEAR: u64 = 1 << 34;
/// The number of scores that are stepped in parallel: a processor runs several multiplications at once.
const LANES: usize = 8;
/// Sequences of at most this length are stepped without a test whether their scores become equal.
const RUN: usize = 64;

/// The decay of scores from period to period.
///
/// # Steps without division
/// A step multiplies the distance from 0 by the share as a binary fraction. This fraction is too large by at most
/// one unit of its last bit: `2^-64`, or `2^-96` for large distances. So the product is too large by less than
/// `2^-30`. This is less than `1 / WHOLE`, and the exact product is a multiple of `1 / WHOLE`. So the error never
/// reaches the next whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decay {
    share: Share,
    /// The share with 64 bits after the point. A share of 1 does not fit; it needs no steps.
    near: u64,
    /// The share with 96 bits after the point: the first 32 bits, and the other 64 bits.
    far: [u64; 2],
}

impl Decay {
    pub(super) fn new(share: Share) -> Self {
        let factor = |bits: u32| (u128::from(share.billionths()) << bits) / u128::from(WHOLE) + 1;
        let far = factor(96);
        Self { share, near: factor(64) as u64, far: [(far >> 64) as u64, far as u64] }
    }

    /// Returns the share of a score that is kept from one period to the next.
    pub(super) const fn share(self) -> Share {
        self.share
    }

    fn keeps_all(self) -> bool {
        self.share == Share::ALL
    }

    fn near_step(self, distance: u64) -> u64 {
        ((u128::from(distance) * u128::from(self.near)) >> 64) as u64
    }

    fn far_step(self, distance: u64) -> u64 {
        let [high, low] = self.far.map(|part| u128::from(distance) * u128::from(part));
        ((high + (low >> 64)) >> 32) as u64
    }

    /// Returns the distance from 0 of a score in the next period. `distance` is its distance in this period.
    fn step(self, distance: u64) -> u64 {
        if distance < NEAR { self.near_step(distance) } else { self.far_step(distance) }
    }

    /// Returns the score after a number of periods.
    pub(super) fn after(self, units: i64, periods: u32) -> i64 {
        let mut distance = units.unsigned_abs();
        for _ in 0..if self.keeps_all() { 0 } else { periods } {
            let left = self.step(distance);
            if left == distance {
                break;
            }
            distance = left;
        }
        signed(distance, units)
    }

    /// Returns the number of periods after which a score does not change any more. For a score of 0, it is 1: the
    /// entry leaves the order after one period.
    pub(super) fn steps(self, units: i64) -> u32 {
        let mut distance = units.unsigned_abs();
        let mut steps = u32::from(units == 0);
        while !self.keeps_all() {
            let left = self.step(distance);
            if left == distance {
                break;
            }
            (distance, steps) = (left, steps + 1);
        }
        steps
    }

    /// Replaces scores by the scores after `periods` periods. The scores must be in ascending or descending order.
    pub(super) fn fade(self, scores: &mut [i64], periods: u32) {
        let (Some(first), Some(last)) = (scores.first(), scores.last()) else { return };
        let ends = (self.after(*first, periods), self.after(*last, periods));
        if !self.keeps_all() {
            self.fade_between(scores, ends, periods);
        }
    }

    /// Does the same as [`Self::fade`], when the results for the first and the last score are known.
    fn fade_between(self, scores: &mut [i64], (first, last): (i64, i64), periods: u32) {
        if first == last {
            return scores.fill(first);
        }
        if scores.len() <= RUN {
            return scores.chunks_mut(LANES).for_each(|lanes| self.fade_few(lanes, periods));
        }
        let (front, back) = scores.split_at_mut(scores.len() / 2);
        let after = |units: Option<&i64>| units.map_or(0, |units| self.after(*units, periods));
        let (end, begin) = (after(front.last()), after(back.first()));
        self.fade_between(front, (first, end), periods);
        self.fade_between(back, (begin, last), periods);
    }

    /// Does the same as [`Self::fade`] for a few scores, in parallel.
    fn fade_few(self, scores: &mut [i64], periods: u32) {
        let (Some(first), Some(last)) = (scores.first(), scores.last()) else { return };
        let mut lanes = [0_u64; LANES];
        lanes.iter_mut().zip(&*scores).for_each(|(lane, units)| *lane = units.unsigned_abs());
        // When the score with the greatest distance does not change any more, no score changes any more.
        let mut farthest = first.unsigned_abs().max(last.unsigned_abs());
        for _ in 0..periods {
            let before = farthest;
            farthest = self.step(farthest);
            if before < NEAR {
                lanes.iter_mut().for_each(|lane| *lane = self.near_step(*lane));
            } else {
                lanes.iter_mut().for_each(|lane| *lane = self.far_step(*lane));
            }
            if farthest == before {
                break;
            }
        }
        scores.iter_mut().zip(lanes).for_each(|(units, lane)| *units = signed(lane, *units));
    }

    /// Returns the smallest score that is not 0 after one period, after two periods, and so on. The list ends when
    /// no score is large enough.
    pub(super) fn thresholds(self) -> impl Iterator<Item = i64> {
        let (share, whole) = (i64::from(self.share.billionths()), WHOLE.cast_signed());
        // Returns the smallest score that is at least `left` after one step.
        let before = move |left: i64| {
            let rest = (left % share * whole + share - 1) / share;
            (left / share).checked_mul(whole)?.checked_add(rest)
        };
        std::iter::successors(before(1), move |least| before(*least))
    }
}

/// Returns a distance from 0 as a score, on the same side of 0 as `units`.
const fn signed(distance: u64, units: i64) -> i64 {
    if units < 0 { -distance.cast_signed() } else { distance.cast_signed() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "numbers of a test")]

    use proptest::prelude::*;

    use super::*;

    fn decay(billionths: u32) -> Decay {
        Decay::new(Share::from_billionths(billionths).unwrap())
    }

    /// Does the same step, computed as in its definition.
    fn plain(billionths: u32, units: i64) -> i64 {
        let whole = i128::from(WHOLE);
        i64::try_from(i128::from(billionths) * i128::from(units) / whole).unwrap()
    }

    fn share() -> impl Strategy<Value = u32> {
        prop_oneof![
            3 => 1..=990_000_000_u32,
            2 => (1..=99_u32).prop_map(|hundredths| hundredths * 10_000_000),
            1 => Just(500_000_000),
            1 => 989_999_000..=990_000_000_u32,
            1 => 1..=1_000_u32,
            1 => Just(1_000_000_000),
        ]
    }

    fn units() -> impl Strategy<Value = i64> {
        prop_oneof![
            -i64::MAX..=i64::MAX,
            -300..=300_i64,
            -2_000_000_000_000..=2_000_000_000_000_i64,
            i64::MAX - 1_000..=i64::MAX,
            (1_i64 << 34) - 500..=(1_i64 << 34) + 500,
            -(1_i64 << 34) - 500..=500 - (1_i64 << 34),
            -i64::MAX..=1_000 - i64::MAX,
            (any::<i64>(), 0..60_u32).prop_map(|(units, shift)| units.max(-i64::MAX) >> shift),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn steps_are_those_of_whole_numbers(
            share in share(),
            many in proptest::collection::vec(units(), 100),
            periods in 0..50_u32,
        ) {
            let decay = decay(share);
            for units in &many {
                prop_assert_eq!(decay.after(*units, 1), plain(share, *units));
            }
            let units = many[0];
            let steps = (0..periods).fold(units, |units, _| plain(share, units));
            prop_assert_eq!(decay.after(units, periods), steps);
        }

        #[test]
        fn products_just_behind_a_whole_number_are_rounded_right(odd in 0..100_000_000_u64, more in 0..9_000_000_000_i64) {
            // This is the inverse of the share, modulo `WHOLE`. The product of both ends with a 1.
            let share = odd * 10 + 1;
            let inverse = (0..29).fold((1_u64, share, 399_999_999_u32), |(power, base, left), _| {
                (if left % 2 == 1 { power * base % WHOLE } else { power }, base * base % WHOLE, left / 2)
            });
            let distance = inverse.0 as i64 + (more >> (more % 34)) * WHOLE as i64;
            let share = share as u32;
            prop_assert_eq!(u64::from(share) * inverse.0 % WHOLE, 1);
            for units in [distance, -distance, WHOLE as i64 - distance, distance - WHOLE as i64] {
                prop_assert_eq!(decay(share).after(units, 1), plain(share, units));
            }
        }

        #[test]
        fn a_score_comes_to_its_end(share in share(), units in units()) {
            let (decay, steps) = (decay(share), decay(share).steps(units));
            prop_assert!(steps <= LONGEST);
            let end = decay.after(units, steps);
            prop_assert_eq!(end, decay.after(units, u32::MAX));
            prop_assert_eq!(end, plain(share, end));
            if steps > 0 && units != 0 {
                prop_assert!(decay.after(units, steps - 1) != end);
            }
        }

        #[test]
        fn an_order_fades_as_each_of_its_scores(
            share in share(),
            mut scores in proptest::collection::vec(units(), 0..300),
            periods in prop_oneof![0..5_u32, 0..500_u32, Just(5_000_u32)],
            is_rising: bool,
        ) {
            let decay = decay(share);
            scores.sort_unstable();
            if !is_rising {
                scores.reverse();
            }
            let each: Vec<_> = scores.iter().map(|units| decay.after(*units, periods)).collect();
            decay.fade(&mut scores, periods);
            prop_assert_eq!(scores, each);
        }

        #[test]
        fn thresholds_are_the_first_of_which_something_is_left(share in share(), number in 0..4_000_usize) {
            let decay = decay(share);
            let periods = number as u32 + 1;
            match decay.thresholds().nth(number) {
                Some(least) => {
                    prop_assert!(decay.after(least, periods) > 0);
                    prop_assert_eq!(decay.after(least - 1, periods), 0);
                }
                None => prop_assert_eq!(decay.after(i64::MAX, periods), 0),
            }
        }
    }

    #[test]
    fn known_scores() {
        let left = |billionths, units| decay(billionths).after(units, 1);
        assert_eq!([10, 9, 1, 0, -1, -10].map(|units| left(900_000_000, units)), [9, 8, 0, 0, 0, -9]);
        assert_eq!([5, 0, -5].map(|units| left(1_000_000_000, units)), [5, 0, -5]);
        assert_eq!(decay(990_000_000).steps(i64::MAX), 3_945);
        assert_eq!(decay(990_000_000).after(-1_000_000, u32::MAX), 0);
        assert_eq!(decay(990_000_000).steps(-i64::MAX), 3_945);
        assert_eq!(decay(500_000_000).thresholds().take(4).collect::<Vec<_>>(), [2, 4, 8, 16]);
    }
}
