//! Decay: a share of each whole score goes on into the next period, rounded down, again and again:
//! `S(i) = R(i) + floor(share · S(i-1))`.
//!
//! What is left of a score after k periods has no formula, since each of the k steps rounds. So a step has to be
//! cheap, and there have to be few of them:
//!
//! * A step is one multiplication for all scores but the greatest ([`Decay::step`]).
//! * A score comes to an end: a positive one to 0, a negative one to where rounding down holds it (-1 at a share of
//!   0.5). With the greatest share below 1 that takes about 4,000 periods ([`LONGEST`]).
//! * Steps keep the order of scores. So of a run of scores whose ends come to the same, all do ([`Decay::fade`]):
//!   a board that slept for long takes a few evaluations, however many members it has.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "shares are below one whole, so no product of a part with a part leaves its range; tests go to the ends"
)]

use crate::share::Share;

/// One whole, in the smallest unit of a share.
const WHOLE: i64 = 1_000_000_000;
/// So many scores go through the steps side by side: a processor has several multiplications under way at once.
const LANES: usize = 32;

/// After so many periods no score changes any more.
pub(super) const LONGEST: u32 = 4_000;

/// How scores decay from period to period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decay {
    share: Share,
    /// The share as a fraction of 2^64, rounded up.
    factor: u64,
    /// Below this, rounding the factor up makes no difference to the result.
    exact: u64,
}

impl Decay {
    pub(super) fn new(share: Share) -> Self {
        let (mut part, mut whole) = (u64::from(share.billionths()), WHOLE.unsigned_abs());
        for prime in [2, 5] {
            while part.is_multiple_of(prime) && whole.is_multiple_of(prime) {
                (part, whole) = (part / prime, whole / prime);
            }
        }
        let factor = (u128::from(part) << 64) / u128::from(whole) + 1;
        // The factor is too great by at most 2^-64, and what is cut off is at most `(whole - 1) / whole`.
        Self { share, factor: u64::try_from(factor).unwrap_or(u64::MAX), exact: u64::MAX / whole }
    }

    fn keeps_all(self) -> bool {
        self.share == Share::ALL
    }

    /// What is left of a score in the next period.
    fn step(self, units: i64) -> i64 {
        let share = i64::from(self.share.billionths());
        match u64::try_from(units) {
            _ if self.keeps_all() => units,
            Ok(units) if units < self.exact => ((u128::from(units) * u128::from(self.factor)) >> 64) as i64,
            _ => share * units.div_euclid(WHOLE) + (share * units.rem_euclid(WHOLE)).div_euclid(WHOLE),
        }
    }

    /// What is left of a score after so many periods.
    pub(super) fn after(self, units: i64, periods: u32) -> i64 {
        let mut units = units;
        for _ in 0..periods {
            let left = self.step(units);
            if left == units {
                break;
            }
            units = left;
        }
        units
    }

    /// After how many periods a score does not change any more. One of 0 leaves after the first.
    pub(super) fn steps(self, units: i64) -> u32 {
        let (mut units, mut steps) = (units, u32::from(units == 0));
        loop {
            let left = self.step(units);
            if left == units {
                return steps;
            }
            (units, steps) = (left, steps + 1);
        }
    }

    /// Puts what is left after so many periods in the place of scores that are in order, ascending or descending.
    pub(super) fn fade(self, scores: &mut [i64], periods: u32) {
        let (Some(first), Some(last)) = (scores.first(), scores.last()) else { return };
        if self.keeps_all() {
            return;
        }
        let ends = [*first, *last].map(|units| self.after(units, periods));
        if ends[0] == ends[1] {
            scores.fill(ends[0]);
        } else if scores.len() <= LANES {
            for _ in 0..periods.min(self.steps(*first).max(self.steps(*last))) {
                scores.iter_mut().for_each(|units| *units = self.step(*units));
            }
        } else {
            let (low, high) = scores.split_at_mut(scores.len() / 2);
            self.fade(low, periods);
            self.fade(high, periods);
        }
    }

    /// The smallest score of which something is left after one period, after two, and so on. It ends where no score
    /// is great enough.
    pub(super) fn thresholds(self) -> impl Iterator<Item = i64> {
        let share = i64::from(self.share.billionths());
        // The smallest score of which so much is left.
        let before = move |left: i64| {
            let rest = (left % share * WHOLE + share - 1) / share;
            (left / share).checked_mul(WHOLE)?.checked_add(rest)
        };
        std::iter::successors(before(1), move |least| before(*least))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "numbers of a test")]

    use proptest::prelude::*;

    use super::*;

    fn decay(billionths: u32) -> Decay {
        Decay::new(Share::from_billionths(billionths).unwrap())
    }

    /// The same step, as it is written down.
    fn plain(billionths: u32, units: i64) -> i64 {
        let whole = i128::from(WHOLE);
        i64::try_from((i128::from(billionths) * i128::from(units)).div_euclid(whole)).unwrap()
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
            -i64::MAX..=1_000 - i64::MAX,
            (0..1_000_i64).prop_map(|by| 18_446_744_073 + 500 - by),
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
                prop_assert_eq!(decay.step(*units), plain(share, *units));
            }
            let units = many[0];
            let steps = (0..periods).fold(units, |units, _| plain(share, units));
            prop_assert_eq!(decay.after(units, periods), steps);
        }

        #[test]
        fn factors_are_exact_up_to_their_end(share in 1..=990_000_000_u32) {
            let decay = decay(share);
            for below in 0..200 {
                let units = i64::try_from(decay.exact).unwrap_or(i64::MAX) - below;
                prop_assert_eq!(decay.step(units), plain(share, units));
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
        assert_eq!([10, 9, 1, 0, -1, -10].map(|units| left(900_000_000, units)), [9, 8, 0, 0, -1, -9]);
        assert_eq!([5, 0, -5].map(|units| left(1_000_000_000, units)), [5, 0, -5]);
        assert_eq!(decay(990_000_000).steps(i64::MAX), 3_945);
        assert_eq!(decay(990_000_000).after(-1_000_000, u32::MAX), -99);
        assert_eq!(decay(500_000_000).thresholds().take(4).collect::<Vec<_>>(), [2, 4, 8, 16]);
    }
}
