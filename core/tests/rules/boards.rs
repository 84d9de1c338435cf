//! Random rules of boards.

use leaderboard_core::schema::{Aggregate, Ties};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::steps::Profile;
use leaderboard_testkit::board::score::Level;
use leaderboard_testkit::board::{KINDS, Kind, Rules};

const SINGLE: usize = 4;
const NAMES: [&str; 8] = ["gold", "silver", "bronze", "Tin", "lead_5", "iron-6", "7", "h"];

fn kinds(profile: Profile) -> impl Strategy<Value = Vec<Kind>> {
    let most = if profile == Profile::Keep { SINGLE } else { KINDS.len() };
    let usual = ["all", "day", "day:7"].map(|name| KINDS.iter().find(|kind| kind.name == name).copied());
    let usual: Vec<Kind> =
        usual.into_iter().flatten().filter(|kind| profile != Profile::Keep || !kind.is_rolling()).collect();
    prop_oneof![
        2 => Just(usual),
        3 => subsequence(KINDS[..most].to_vec(), 1..=4).prop_shuffle(),
    ]
}

fn levels() -> impl Strategy<Value = Vec<Level>> {
    let level = (any::<bool>(), select(vec![1, 2, 5, 6, 40, 80]));
    proptest::collection::vec(level, 1..=8).prop_map(|levels| {
        let named = levels.into_iter().zip(NAMES);
        named.map(|((ascending, max), name)| Level { name, ascending, max }).collect()
    })
}

fn few_levels() -> impl Strategy<Value = Vec<Level>> {
    prop_oneof![3 => levels().prop_map(|levels| levels.into_iter().take(3).collect()), 1 => levels()]
}

pub fn rules(profile: Profile) -> impl Strategy<Value = Rules> {
    let sum = Just(Aggregate::Sum);
    let others = select(vec![Aggregate::Max, Aggregate::Min, Aggregate::Last]);
    let aggregate = profile.pick(vec![([3, 3, 3, 1], sum.boxed()), ([2, 2, 2, 0], others.boxed())]);
    let ties = select(vec![Ties::First, Ties::Last, Ties::Lex, Ties::RevLex]);
    let keep = profile.pick(vec![([1, 0, 1, 1], Just(0).boxed()), ([0, 1, 0, 0], (1..9_usize).boxed())]);
    let levels =
        profile.pick(vec![([1, 6, 0, 1], Just(Vec::new()).boxed()), ([0, 1, 1, 0], few_levels().boxed())]);
    let parts = (any::<bool>(), aggregate, ties, select(vec![0_u8, 0, 2, 9]), any::<bool>());
    let sizes = (levels, kinds(profile), select(vec![3_u64, 3, 1, 0]), keep);
    (parts, sizes).prop_map(
        move |((ascending, aggregate, ties, decimals, is_event), (levels, kinds, retain, keep))| {
            let is_plain = levels.is_empty();
            Rules {
                ascending: ascending && is_plain,
                aggregate,
                ties,
                decimals: if is_plain && profile != Profile::Shown { decimals } else { 0 },
                is_event,
                levels,
                kinds,
                retain,
                keep,
                shown: profile == Profile::Shown,
            }
        },
    )
}
