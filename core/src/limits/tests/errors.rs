//! Tests of the error texts for wrong rules, wrong ballots and damaged saved boards.

use super::*;

fn text<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn of_names() {
    let named = |name: &[u8]| text(Rule::new(name, b"voter", 1, b"day"));
    assert_eq!(named(b""), "rule must have 1 to 64 bytes");
    assert_eq!(named(&[b'x'; 65]), "rule must have 1 to 64 bytes");
    let bad = "is not the name of a rule: no spaces or control characters, no + in tags";
    assert_eq!(named(b"a b"), format!("'a?b' {bad}"));
    assert_eq!(named(b"\x7f\0"), format!("'??' {bad}"));
    assert_eq!(named(b"closed"), "LIMIT 'closed' has the name of a rule of the board");
    for name in [b"Attempts".as_slice(), b"full", b"JOINED", b"bounds"] {
        assert!(matches!(Rule::new(name, b"voter", 1, b"day"), Err(Error::ReservedRule(_))));
    }
    assert!(Rule::new(b"a+\xff", b"voter", 1, b"day").is_ok());
}

#[test]
fn of_scopes_maxes_and_units() {
    let many: Vec<_> = (0..17).map(|number| number.to_string()).collect();
    let (many, long) = (many.join("+"), format!("a+{}", "x".repeat(65)));
    for scope in ["", "+", "voter+", "+a", "a++b", "a+a", "member+MEMBER", "a b", "a\n", &many, &long] {
        let error = text(Rule::new(b"a", scope.as_bytes(), 1, b"day"));
        let shown = crate::error::Quoted::new(scope.as_bytes());
        let why = "is not a scope: member, voter or tag names, each once, joined by +";
        assert_eq!(error, format!("{shown} {why}"));
    }
    assert!(Rule::new(b"a", b"a+A+Voter+MEMBER", 1, b"day").is_ok());
    assert_eq!(
        text(Rule::new(b"a", b"voter", 0, b"day")),
        "LIMIT 'a': max must be a whole number from 1 to 4294967295"
    );
    assert_eq!(
        text(Rule::new(b"a", b"voter", 1 << 32, b"day")),
        "LIMIT 'a': max must be a whole number from 1 to 4294967295"
    );
    for unit in ["", "days", "90s", "1s", "seconds"] {
        let error = text(Rule::new(b"a", b"voter", 1, unit.as_bytes()));
        assert_eq!(error, "LIMIT 'a': unit must be one of second, minute, hour, day, week, month, year, all");
    }
}

#[test]
fn of_bonuses() {
    const TOO_MANY: &str =
        "LIMIT 'a': extra must be a whole number from 1, and max and all extras at most 4294967295";
    let mut rule = rule("a voter 4294967290 day BONUS channel acme 4");
    let before = rule.clone();
    let mut add = |tag: &[u8], value: &[u8], extra| text(rule.add_bonus(tag, value, extra));
    assert_eq!(add(b"", b"v", 1), "tag must have 1 to 64 bytes");
    assert_eq!(add(&[b't'; 65], b"v", 1), "tag must have 1 to 64 bytes");
    let bad = "is not the name of a tag: no spaces or control characters, no + in tags";
    assert_eq!(add(b"a+b", b"v", 1), format!("'a+b' {bad}"));
    assert_eq!(add(b"a\t", b"v", 1), format!("'a?' {bad}"));
    assert_eq!(add(b"t", b"", 1), "tag value must have 1 to 256 bytes");
    assert_eq!(add(b"t", &[0; 257], 1), "tag value must have 1 to 256 bytes");
    assert_eq!(add(b"t", b"v", 0), TOO_MANY);
    assert_eq!(add(b"t", b"v", 2), TOO_MANY);
    assert_eq!(add(b"t", b"v", u64::MAX), TOO_MANY);
    assert_eq!(add(b"channel", b"acme", 1), "BONUS 'channel' 'acme' is given twice");
    assert_eq!(rule, before);
    assert_eq!(rule.add_bonus(b"channel", b"Acme", 1), Ok(()));

    let mut full = Rule::new(b"filled", b"voter", 1, b"all").unwrap();
    (0..64_u8).for_each(|value| full.add_bonus(b"t", &[value], 1).unwrap());
    assert_eq!(text(full.add_bonus(b"t", b"64", 1)), "LIMIT 'filled' has more than 64 bonuses");
}

#[test]
fn of_boards() {
    let mut limits = Limits::default();
    (0..16).for_each(|number| limits.add(rule(&format!("r{number} voter 1 day"))).unwrap());
    assert_eq!(text(limits.add(rule("r3 voter 1 day"))), "LIMIT 'r3' is given twice");
    let error = "LIMIT leaves the board with more than 16 rules";
    assert_eq!(text(limits.add(rule("r16 voter 1 day"))), error);
    assert_eq!(text(limits.replace(rule("r16 voter 1 day"))), error);
    assert_eq!(limits.replace(rule("r3 member 2 day")), Ok(()));
    assert_eq!(limits.rules().find(|rule| rule.name() == b"r3").map(Rule::max), Some(2));
    assert!(limits.remove(b"r3") && !limits.remove(b"r3"));
}

#[test]
fn of_ballots() {
    let rules = limits(&["a member 1 day", "b voter+terminal 1 day"]);
    let cost = |voter, tags| text(rules.cost(&Ballot { voter, tags }, &[(b"m", 1)]));
    assert_eq!(cost(None, &[(b"terminal", b"web")]), "BY is needed: the rule 'b' counts by voter");
    let error = "TAG 'terminal' is needed: the rule 'b' counts by it";
    assert_eq!(cost(Some(b"v"), &[(b"Terminal", b"web")]), error);
}

#[test]
fn of_saved_boards() {
    let calendar = Calendar::default();
    let mut limits = limits(&["a voter 1 day", "b voter 1 all"]);
    let mut restore =
        |rule, start, entries: &[(u64, u32)]| limits.restore(&calendar, 5, rule, start, entries);
    assert_eq!(text(restore(2, 0, &[(1, 1)])), "bad data: rule of a limit");
    assert_eq!(text(restore(0, 0, &[(1, 0)])), "bad data: unused entry of a limit");
    for (rule, start) in [(0, i64::MAX), (0, i64::MIN), (0, 86_400_000), (1, i64::MAX)] {
        assert_eq!(text(restore(rule, start, &[(1, 1)])), "bad data: period of a limit");
    }
    assert_eq!(text(restore(0, 0, &[(1, 1), (2, 1), (1, 2)])), "bad data: entry of a limit twice");
    assert_eq!(restore(0, 0, &[(1, 1), (2, 7)]), Ok(()));
    assert_eq!(text(restore(0, 0, &[(3, 1), (2, 1)])), "bad data: entry of a limit twice");
    assert_eq!(restore(1, i64::MIN, &[(1, 1)]), Ok(()));
    let entries: Vec<_> = limits.saved(5).map(|saved| saved.entries()).collect();
    assert_eq!(entries, [2, 1], "a refused entry has left nothing");
}

#[test]
fn a_rule_is_shown_as_it_is_written() {
    let mut rule = rule("perminute Voter+Terminal 5 MINUTE BONUS channel acme 5");
    assert_eq!(rule.to_string(), "perminute voter+Terminal 5 minute BONUS channel acme 5");
    rule.add_bonus(b"t", b"a \"\xff", 1).unwrap();
    assert!(rule.to_string().ends_with(r#" BONUS t "a \"\xff" 1"#), "{rule}");
}
