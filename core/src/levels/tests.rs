use super::*;
use proptest::prelude::*;

fn levels(text: &str) -> Levels {
    Levels::parse(text.as_bytes()).unwrap()
}

fn medals() -> Levels {
    levels("gold:DESC:2000,silver:DESC:2000,bronze:DESC:2000")
}

fn tuple(values: &[i128]) -> Tuple {
    values.iter().copied().collect()
}

#[test]
fn levels_as_people_write_them() {
    for (text, shown) in [
        ("gold:DESC:2000", "gold:DESC:2000"),
        ("points:desc:0100000,conceded:Asc:10000", "points:DESC:100000,conceded:ASC:10000"),
        ("a-B_9:DESC:9223372036854775807", "a-B_9:DESC:9223372036854775807"),
    ] {
        assert_eq!(levels(text).to_string(), shown);
    }
    let error = |text: &str| Levels::parse(text.as_bytes()).unwrap_err().to_string();
    for text in
        ["", "gold", "gold:DESC", "gold:DESC:0", "gold:UP:5", ":DESC:5", "go ld:DESC:5", "gold:DESC:-5"]
    {
        assert!(error(text).starts_with("LEVELS '"), "{text}");
    }
    for text in ["gold:DESC:1.0", "gold:DESC:5:6", "or\u{e9}:DESC:5", &format!("{}:DESC:5", "x".repeat(33))] {
        assert!(error(text).starts_with("LEVELS '"), "{text}");
    }
    assert_eq!(error("a:DESC:1,,b:DESC:1"), error(""));
    assert_eq!(error("gold:DESC:5,gold:ASC:6"), "LEVELS names gold twice");
    let nine: Vec<_> = (0..9).map(|number| format!("{number}:DESC:1")).collect();
    assert_eq!(error(&nine.join(",")), "LEVELS names more than 8 levels");
    let large = "LEVELS are too large: the product of all 2*max+1 must fit 64 bits";
    assert_eq!(error("a:DESC:9223372036854775808"), large);
    assert_eq!(error("a:DESC:9223372036854775807,b:DESC:1"), large);
    assert_eq!(error("a:DESC:1,b:DESC:9223372036854775807"), large);
    // There are (2·1 + 1)·(2·m + 1) codes. The greatest code is (3·(2·m + 1) - 1) / 2.
    assert_eq!(levels("a:DESC:1,b:DESC:3074457345618258602").count(), 2);
    assert_eq!(error("a:DESC:1,b:DESC:3074457345618258603"), large);
}

#[test]
fn a_code_is_one_number_for_all_levels() {
    let code = |values: &[i128]| medals().code(&tuple(values)).map(Score::units);
    assert_eq!(code(&[12, 5, 3]), Ok(12 * 4001 * 4001 + 5 * 4001 + 3));
    assert_eq!(code(&[0, 0, -1]), Ok(-1));
    assert_eq!(code(&[0, 2001, 9999]).unwrap_err().to_string(), "silver");
    let league = levels("points:DESC:100,conceded:ASC:10");
    assert_eq!(league.code(&tuple(&[1, 3])).map(Score::units), Ok(21 - 3));
    assert!(!medals().has(Score::MAX) && !medals().has(Score::MIN) && medals().has(Score::ZERO));
}

#[test]
fn values_beyond_all_scores_have_a_place_among_them() {
    let (all, most) = (medals(), (4001_i128.pow(3) - 1) / 2);
    let code = |values: &[i128]| i128::from(all.code(&tuple(values)).unwrap().units());
    for (values, floor) in [
        (&[2001, 0, 0][..], most),
        (&[5000, -5000, 0], most),
        (&[-2001, 5000, 5000], -most - 1),
        (&[7, 2001, -9], code(&[7, 2000, 2000])),
        (&[7, -2001, 9], code(&[6, 2000, 2000])),
        (&[7, 7, 9000], code(&[7, 7, 2000])),
        (&[7, 7, -9000], code(&[7, 6, 2000])),
    ] {
        assert_eq!(all.floor(&tuple(values)), (floor, false), "{values:?}");
    }
    assert_eq!(all.floor(&tuple(&[7, -7, 2000])), (code(&[7, -7, 2000]), true));
}

#[test]
fn numbers_joined_by_slashes() {
    let read = |text: &str| medals().read(text.as_bytes()).map(|tuple| tuple.to_string());
    assert_eq!(read("12/5/3").as_deref(), Some("12/5/3"));
    assert_eq!(read("-0012/0/-0").as_deref(), Some("-12/0/0"));
    for text in
        ["", "1", "1/2", "1/2/3/4", "1/2/", "/1/2", "1/+2/3", "1/2.0/3", "1//3", "1/2/-", "1/--2/3", "1 /2/3"]
    {
        assert_eq!(read(text), None, "{text}");
    }
    let long = "9".repeat(100);
    assert!(medals().read(format!("{long}/-{long}/0").as_bytes()).is_some());
}

/// Generates levels, and several tuples of values for them.
fn cases(count: usize) -> impl Strategy<Value = (Levels, Vec<Tuple>)> {
    let level = (prop::bool::ANY, prop_oneof![1..4_i64, 1..100_i64, Just(2000)]);
    prop::collection::vec(level, 1..=MAX_LEVELS).prop_flat_map(move |all| {
        let word = |(at, (is_up, max)): (usize, &(bool, i64))| {
            format!("l{at}:{}:{max}", if *is_up { "ASC" } else { "DESC" })
        };
        let words = |all: &[(bool, i64)]| all.iter().enumerate().map(word).collect::<Vec<_>>().join(",");
        let mut all = all;
        let found = loop {
            match Levels::parse(words(&all).as_bytes()) {
                Ok(found) => break found,
                Err(_) => _ = all.pop(),
            }
        };
        let values: Vec<_> = all.iter().map(|(_, max)| i128::from(-max)..=i128::from(*max)).collect();
        let tuples = prop::collection::vec(values, count);
        (Just(found), tuples.prop_map(|tuples| tuples.iter().map(|values| tuple(values)).collect()))
    })
}

/// Compares two tuples level by level. The tuple that is better in the first different level is greater.
fn compare(levels: &Levels, a: &Tuple, b: &Tuple) -> std::cmp::Ordering {
    let turned =
        |tuple: &Tuple| levels.pairs(tuple).map(|(level, value)| level.turned(value)).collect::<Vec<_>>();
    turned(a).cmp(&turned(b))
}

proptest! {
    #[test]
    fn codes_lead_back_and_keep_the_order((levels, tuples) in cases(2)) {
        let code = |tuple: &Tuple| levels.code(tuple).unwrap();
        let [a, b] = [&tuples[0], &tuples[1]];
        prop_assert_eq!(&levels.values(code(a)), a);
        prop_assert!(levels.has(code(a)));
        prop_assert_eq!(code(a).cmp(&code(b)), compare(&levels, a, b));
        let sum = i128::from(code(a).units()) + i128::from(code(b).units());
        match levels.code(&a.plus(b)) {
            Ok(code) => prop_assert_eq!(i128::from(code.units()), sum),
            Err(name) => prop_assert_eq!(levels.check(&a.plus(b)), Err(name)),
        }
    }

    #[test]
    fn every_number_is_the_code_of_values_or_of_none((levels, _) in cases(0), units in -i64::MAX..=i64::MAX) {
        let code = Score::from_units(units).unwrap();
        if levels.has(code) {
            prop_assert_eq!(levels.code(&levels.values(code)), Ok(code));
        }
        let codes = levels.0.iter().fold(1_i128, |codes, level| codes * level.values());
        prop_assert_eq!(levels.has(code), i128::from(units).abs() <= (codes - 1) / 2);
    }

    #[test]
    fn a_place_among_codes_is_that_among_scores((levels, tuples) in cases(2), times in 1..4_i128, at in 0..MAX_LEVELS) {
        let bound: Tuple = tuples[0].values().enumerate().map(|(level, v)| if level == at { v * times } else { v }).collect();
        let code = i128::from(levels.code(&tuples[1]).unwrap().units());
        let (floor, is_score) = levels.floor(&bound);
        let expected = compare(&levels, &tuples[1], &bound);
        let found = code.cmp(&floor);
        prop_assert_eq!(found.is_gt(), expected.is_gt());
        prop_assert_eq!(is_score && found.is_eq(), expected.is_eq());
        prop_assert_eq!(is_score, levels.check(&bound).is_ok());
    }
}
