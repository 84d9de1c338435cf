//! Rules of leagues that are invalid, and writes that are refused.

use super::*;

fn is_refused(rules: Rules) -> bool {
    League::new(rules).is_err()
}

fn tiers(tiers: Vec<Tier>) -> Rules {
    Rules { tiers, ..plain() }
}

#[test]
fn leagues_that_cannot_be() {
    assert!(!is_refused(plain()));
    assert!(is_refused(tiers(Vec::new())));
    assert!(is_refused(tiers(vec![tier("low", ONE, NONE), tier("top", ONE, ONE)])), "out of the top");
    assert!(is_refused(tiers(vec![tier("low", ONE, ONE), tier("top", NONE, ONE)])), "out of the lowest");
    assert!(is_refused(tiers(vec![tier("a", ONE, NONE), tier("a", NONE, ONE)])), "the same name");
    let over = TierAmount::Share(10_001);
    assert!(is_refused(tiers(vec![tier("low", over, NONE), tier("top", NONE, ONE)])), "over 100 %");
    assert!(is_refused(Rules { group: 0, ..plain() }));
    assert!(is_refused(Rules { group: 1_000_001, ..plain() }));
    assert!(!is_refused(Rules { group: 1_000_000, ..plain() }));
    assert!(is_refused(Rules { retain: 10_001, ..plain() }));
    assert!(is_refused(Rules { decimals: 10, ..plain() }));
}

#[test]
fn names_of_tiers() {
    let named = |name: &str| is_refused(tiers(vec![tier(name, NONE, NONE)]));
    for bad in ["", "a b", "a,b", "a\nb", "\u{7f}", &"x".repeat(65)] {
        assert!(named(bad), "{bad:?}");
    }
    assert!(!named(&"x".repeat(64)) && !named("É") && !named("a+b"));
    let both = tiers(vec![tier("Gold", ONE, NONE), tier("gold", NONE, ONE)]);
    assert!(!is_refused(both), "names are compared exactly");
}

#[test]
fn up_to_64_tiers() {
    let many = |count: usize| {
        let zone = |here: bool| if here { NONE } else { ONE };
        let tier = |at: usize| tier(&format!("t{at}"), zone(at + 1 == count), zone(at == 0));
        tiers((0..count).map(tier).collect())
    };
    assert!(is_refused(many(65)));
    let mut league = new(many(64));
    for week in 0..63 {
        assert_eq!(tier_of(&join(&mut league, week * WEEK, "a")), week as usize);
    }
    assert_eq!(tier_of(&join(&mut league, 63 * WEEK, "a")), 63);
    assert_eq!(tier_of(&join(&mut league, 64 * WEEK, "a")), 62);
}

#[test]
fn points_out_of_range_change_nothing() {
    let mut league = new(Rules { decimals: 2, ..plain() });
    let most = Decimal::parse(b"92233720368547758.07", "points").unwrap();
    let least = Decimal::parse(b"-92233720368547758.07", "points").unwrap();
    let one = Decimal::parse(b"0.01", "points").unwrap();
    assert!(league.add(&at(0), most, b"a").is_ok());
    assert!(league.add(&at(0), least, b"b").is_ok());
    let before = saved(&league);
    let minus = Decimal::parse(b"-0.01", "points").unwrap();
    assert_eq!(league.add(&at(0), one, b"a").err(), Some(Error::Overflow));
    assert_eq!(league.add(&at(0), minus, b"b").err(), Some(Error::Overflow));
    let fine = Decimal::parse(b"0.001", "points").unwrap();
    assert_eq!(league.add(&at(0), fine, b"c").err(), Some(Error::TooManyDigits("points", 2)));
    let great = Decimal::whole(i64::MAX);
    assert_eq!(league.add(&at(0), great, b"c").err(), Some(Error::OutOfRange("points")));
    assert_eq!(saved(&league), before);
    assert!(!remove(&mut league, 0, "c"));
}

#[test]
fn unknown_tiers() {
    let mut league = new(plain());
    let before = saved(&league);
    assert!(league.set_tier(b"a", b"none").is_err());
    assert!(league.set_tier(b"a", b"LOW").is_err());
    assert!(!remove(&mut league, 0, "a"));
    assert_eq!(saved(&league), before);
}
