//! Rules of counters that are invalid.

use super::*;

fn why(rules: Rules) -> Option<String> {
    Counter::new(rules).err().map(|error| error.to_string())
}

fn is_refused(precisions: &[u32]) -> bool {
    why(rules(precisions, 3)).is_some()
}

#[test]
fn precisions_that_cannot_be() {
    assert!(!is_refused(&[1]) && !is_refused(&[315_360_000]) && !is_refused(&[315_360_000, 1]));
    assert!(is_refused(&[]));
    assert!(is_refused(&[0]));
    assert!(is_refused(&[1, 0]));
    assert!(is_refused(&[315_360_001]));
    assert!(is_refused(&[u32::MAX]));
    assert!(is_refused(&[1, 1]));
    assert!(is_refused(&[5, 1, 60, 5]), "in no order");
}

#[test]
fn up_to_16_precisions() {
    let many = |count: u32| (1..=count).rev().collect::<Vec<_>>();
    assert_eq!(MAX_PRECISIONS, 16);
    assert!(!is_refused(&many(16)));
    assert!(is_refused(&many(17)));
    let counter = new(&many(16), 3);
    assert_eq!(counter.rules().precisions, (1..=16).collect::<Vec<_>>());
}

#[test]
fn samples_that_cannot_be() {
    assert_eq!(MAX_SAMPLES, 10_000);
    for samples in [0, 10_001, u32::MAX] {
        assert_eq!(why(rules(&[1], samples)).as_deref(), Some("SAMPLES is out of range"));
    }
    for samples in [1, 10_000] {
        assert_eq!(why(rules(&[1], samples)), None);
    }
}

#[test]
fn ids_remembered_for_too_long() {
    let remembered = |dedup| why(Rules { dedup, ..rules(&[1], 3) });
    assert_eq!(remembered(315_360_001).as_deref(), Some("DEDUP is out of range"));
    assert_eq!(remembered(u32::MAX).as_deref(), Some("DEDUP is out of range"));
    assert_eq!(remembered(315_360_000), None);
    assert_eq!(remembered(0), None);
}
