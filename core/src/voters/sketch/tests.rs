//! Compares sketches with sets, and their errors with the errors that the authors of the method publish.
#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "numbers of a test")]

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// Returns a hash of a number, without a pattern: the finalizer of `SplitMix64`.
fn hash(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// Counts a hash, and checks the footprint.
fn insert(sketch: &mut Sketch, hash: u64) {
    let mut footprint = sketch.footprint();
    sketch.insert(hash, &mut footprint);
    assert_eq!(footprint, sketch.footprint());
}

fn of(hashes: impl IntoIterator<Item = u64>) -> Sketch {
    let mut sketch = Sketch::default();
    hashes.into_iter().for_each(|hash| insert(&mut sketch, hash));
    sketch
}

fn saved(sketch: &Sketch) -> Vec<u8> {
    let mut out = Vec::new();
    sketch.save(&mut out);
    out
}

fn check(sketch: &Sketch) {
    match &sketch.0 {
        State::Few(tokens) => assert!(tokens.is_sorted()),
        State::List(list) => list.check(),
        State::Many(_) => assert_eq!(sketch.footprint().bytes, registers::BYTES),
    }
}

#[test]
fn a_sketch_takes_24_bytes_in_place() {
    assert_eq!(size_of::<Sketch>(), 24);
    assert_eq!(
        [0, 3, 4, 5, 1700, MOST as u64].map(|n| of((0..n).map(hash)).footprint().bytes),
        [0, 0, 32, 32, 7168, 8192]
    );
}

#[test]
fn the_error_is_below_one_percent() {
    let sizes: [u64; 6] = [10, 100, 1000, 2000, 5000, 30_000];
    let (mut squares, mut sums) = ([0.0; 6], [0.0; 6]);
    let seeds = 100;
    for seed in 0..seeds {
        let (mut sketch, mut counted) = (Sketch::default(), 0);
        for (at, size) in sizes.into_iter().enumerate() {
            (counted..size).for_each(|number| insert(&mut sketch, hash(hash(seed) ^ number)));
            counted = size;
            let error = sketch.estimate() as f64 / size as f64 - 1.0;
            squares[at] += error * error;
            sums[at] += error;
        }
    }
    let root = squares.map(|sum: f64| (sum / seeds as f64).sqrt());
    assert_eq!(root[..3], [0.0; 3], "few are counted");
    assert!(root.iter().all(|error| *error < 0.0085), "{root:?}");
    // The limit is three standard errors of the mean.
    let bias = sums.map(|sum: f64| (sum / seeds as f64).abs());
    assert!(bias.iter().all(|bias| *bias < 0.0024), "{bias:?}");
}

#[test]
fn counts_are_exact_until_registers_take_over() {
    let mut wrong = 0;
    for seed in 0..20 {
        let mut sketch = Sketch::default();
        for number in 0..MOST as u64 {
            assert!(sketch.estimate() + 1 >= number);
            insert(&mut sketch, hash(seed << 32 | number));
        }
        wrong += u64::from(sketch.estimate() != MOST as u64);
    }
    assert!(wrong <= 1, "two voters share a token once in a hundred times");
}

#[test]
fn an_estimate_does_not_fall_where_registers_take_over() {
    for seed in 0..20 {
        let mut sketch = of((0..MOST as u64).map(|number| hash(seed << 32 | number)));
        for number in MOST as u64..2200 {
            insert(&mut sketch, hash(seed << 32 | number));
            let error = sketch.estimate().abs_diff(number + 1);
            assert!(sketch.estimate() >= MOST as u64 && error < 80, "{} of {number}", sketch.estimate());
        }
        assert!(matches!(sketch.0, State::Many(_)));
    }
}

#[test]
fn tokens_tell_registers_what_the_hashes_do() {
    let hashes: Vec<u64> = (0..3000).map(|number| hash(number) >> (number % 64)).collect();
    for hash in &hashes {
        assert_eq!(token_of(hash_of(token_of(*hash))), token_of(*hash));
    }
    let mut direct = Registers::new();
    hashes.iter().for_each(|hash| direct.insert(*hash));
    assert_eq!(saved(&of(hashes)), direct.bytes());
}

#[test]
fn a_hash_that_begins_with_zeros_is_a_voter_like_any_other() {
    for zeros in 30..64 {
        let rare = u64::MAX >> zeros;
        let mut sketch = of([hash(1), rare]);
        assert_eq!(sketch.estimate(), 2);
        sketch.merge(&of((0..1_790).map(|number| hash(number + 10))));
        assert!(matches!(sketch.0, State::Many(_)));
        assert!(sketch.estimate() < 1900);
        assert!(Sketch::load(&saved(&sketch)).is_ok());
    }
    assert_eq!(of([0, u64::MAX, 1]).estimate(), 3);
}

/// Generates sizes near all borders between the forms of a sketch.
fn sizes() -> impl Strategy<Value = u64> {
    prop_oneof![4 => 0..10_u64, 3 => 0..200_u64, 2 => 1_780..1_800_u64, 1 => 1_000..4_000_u64]
}

/// Generates hashes of voters. Two values of this strategy may share voters. Some of the hashes begin with many
/// zeros.
fn voters() -> impl Strategy<Value = Vec<u64>> {
    (0..3_u64, 0..1_000_u64, sizes(), any::<bool>()).prop_map(|(crowd, from, count, rare)| {
        let shift = |number: u64| if rare { number % 45 } else { 0 };
        (from..from + count).map(|number| hash(crowd << 32 | number) >> shift(number)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_set_alone_counts(hashes in voters(), seed in any::<u64>(), again in 0..50_usize) {
        let sketch = of(hashes.iter().copied());
        check(&sketch);
        let mut shuffled = hashes.clone();
        shuffled.sort_by_key(|number| hash(number ^ seed));
        shuffled.extend(hashes.iter().take(again));
        let other = of(shuffled);
        prop_assert_eq!(saved(&sketch), saved(&other));
        prop_assert_eq!(sketch.estimate(), other.estimate());
    }

    #[test]
    fn merging_is_the_union(some in voters(), others in voters()) {
        let (mut one, two) = (of(some.iter().copied()), of(others.iter().copied()));
        let all = of(some.into_iter().chain(others));
        let mut back = two.clone();
        back.merge(&one);
        one.merge(&two);
        for merged in [&one, &back] {
            check(merged);
            prop_assert_eq!(saved(merged), saved(&all));
            prop_assert_eq!(merged.estimate(), all.estimate());
        }
        one.merge(&two);
        one.merge(&one.clone());
        prop_assert_eq!(saved(&one), saved(&all));
    }

    #[test]
    fn what_is_saved_is_what_was(hashes in voters(), more in voters()) {
        let sketch = of(hashes.iter().copied());
        let mut loaded = Sketch::load(&saved(&sketch)).expect("saved a moment ago");
        check(&loaded);
        prop_assert_eq!(loaded.is_empty(), hashes.is_empty());
        hashes.iter().for_each(|hash| insert(&mut loaded, *hash));
        prop_assert_eq!(saved(&loaded), saved(&sketch));
        more.iter().for_each(|hash| insert(&mut loaded, *hash));
        prop_assert_eq!(saved(&loaded), saved(&of(hashes.into_iter().chain(more))));
    }

    #[test]
    fn few_are_counted_like_a_set(numbers in proptest::collection::vec(0..300_u64, 0..400)) {
        let exact: BTreeSet<_> = numbers.iter().copied().collect();
        let sketch = of(numbers.into_iter().map(hash));
        prop_assert_eq!(sketch.estimate(), exact.len() as u64);
        prop_assert_eq!(sketch.is_empty(), exact.is_empty());
    }

    #[test]
    fn bytes_from_outside_do_no_harm(bytes in hostile(), hashes in voters()) {
        let Ok(mut sketch) = Sketch::load(&bytes) else { return Ok(()) };
        check(&sketch);
        prop_assert_eq!(&saved(&sketch), &bytes);
        let mut other = of(hashes.iter().copied());
        other.merge(&sketch);
        prop_assert!(other.estimate() <= i64::MAX as u64);
        prop_assert!(sketch.estimate() <= i64::MAX as u64);
        hashes.iter().for_each(|hash| insert(&mut sketch, *hash));
        prop_assert_eq!(saved(&sketch), saved(&other));
        prop_assert!(Sketch::load(&saved(&sketch)).is_ok());
    }
}

/// Generates bytes that are nearly a sketch, or registers with extreme values.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let tokens = proptest::collection::vec(any::<u32>(), 0..20).prop_map(|mut tokens| {
        tokens.sort_unstable();
        tokens.into_iter().flat_map(u32::to_le_bytes).collect()
    });
    let odd = (voters(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(voters, at, byte)| {
        let mut bytes = saved(&of(voters));
        if !bytes.is_empty() {
            *at.get_mut(&mut bytes) = byte;
        }
        bytes
    });
    prop_oneof![
        2 => proptest::collection::vec(any::<u8>(), 0..40),
        2 => tokens,
        4 => odd,
        2 => proptest::collection::vec(register(), 1..8).prop_map(|some| full_of(&some)),
    ]
}

/// Generates any register, or a register whose bit of the value 0 is in the correct position.
fn register() -> impl Strategy<Value = u32> {
    let below = any::<u32>().prop_map(|bits| bits & 0xf_ffff);
    prop_oneof![
        Just(0),
        (0..=211_u32, below.clone()).prop_map(|(value, below)| value << 20 | below),
        (21..=208_u32, below.clone()).prop_map(|(value, below)| value << 20 | below),
        (1..=20_u32, below).prop_map(|(value, below)| {
            let start = 20 - value;
            value << 20 | below >> (start + 1) << (start + 1) | 1 << start
        }),
        Just(208 << 20 | 0xf_ffff),
    ]
}

fn full_of(registers: &[u32]) -> Vec<u8> {
    let (lower, upper) = (registers.iter().cycle(), registers.iter().cycle().skip(1));
    let pairs = lower.zip(upper).map(|(lower, upper)| u64::from(*lower) | u64::from(*upper) << 28);
    pairs.flat_map(|pair| pair.to_le_bytes().into_iter().take(7)).take(registers::BYTES).collect()
}

#[test]
fn what_cannot_be_is_refused() {
    let list = |tokens: &[u32]| tokens.iter().flat_map(|token| token.to_le_bytes()).collect::<Vec<_>>();
    assert!(Sketch::load(&list(&[38, 64])).is_ok());
    for bytes in [list(&[64, 38]), list(&[64, 64]), list(&[39]), list(&[63]), vec![0; 3], vec![0; 7172]] {
        assert!(Sketch::load(&bytes).is_err());
    }
    let endless = Sketch::load(&full_of(&[208 << 20 | 0xf_ffff])).expect("can occur");
    assert_eq!(endless.estimate(), i64::MAX as u64);
}
