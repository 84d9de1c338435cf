//! Compares limits with a model.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

mod errors;
mod model;

use proptest::prelude::*;

use super::*;
use crate::mover::Relocation;
use crate::mover::tests::Restless;
use model::{Model, Vote};

/// Counts: the rule, the start of the period, hashes and votes.
type Listing = (usize, i64, Vec<(u64, u32)>);

fn listing(limits: &Limits) -> Vec<Listing> {
    let rules = limits.limits.iter().enumerate();
    let counts = rules.flat_map(|(rule, limit)| limit.usage.iter().map(move |counts| (rule, counts)));
    counts.map(|(rule, counts)| (rule, counts.period.start, counts.iter().collect())).collect()
}

fn rule(words: &str) -> Rule {
    let words: Vec<_> = words.split(' ').collect();
    let mut rule =
        Rule::new(words[0].as_bytes(), words[1].as_bytes(), words[2].parse().unwrap(), words[3].as_bytes())
            .unwrap();
    for bonus in words[4..].chunks(4) {
        rule.add_bonus(bonus[1].as_bytes(), bonus[2].as_bytes(), bonus[3].parse().unwrap()).unwrap();
    }
    rule
}

fn limits(rules: &[&str]) -> Limits {
    let mut limits = Limits::default();
    rules.iter().for_each(|words| limits.add(rule(words)).unwrap());
    limits
}

fn by(voter: &[u8]) -> Ballot<'_> {
    Ballot { voter: Some(voter), tags: &[] }
}

/// Votes for a member if the limits allow it. Returns whether the vote was counted.
fn vote(limits: &mut Limits, now: Millis, voter: &[u8]) -> bool {
    let cost = limits.cost(&by(voter), &[(b"m", 1)]).unwrap();
    let counts = limits.judge(now, &by(voter), &cost).is_none();
    if counts {
        limits.count(&Calendar::default(), now, &cost);
    }
    counts
}

fn relocate(limits: &mut Limits) {
    let (mut at, mut moves) = (Some(0), 0);
    while let Some(from) = at {
        at = Relocation::run(from, &mut Restless::default(), |walk| limits.relocate(walk));
        assert!(at.is_none_or(|at| at > from));
        moves += 1;
    }
    assert!(moves <= limits.effort() + 1, "{moves} steps to move {} allocations", limits.effort());
}

fn reload(limits: &Limits, calendar: &Calendar, now: u64) -> Limits {
    let mut loaded = Limits::default();
    limits.rules().for_each(|rule| loaded.add(rule.clone()).unwrap());
    for saved in limits.saved(now) {
        assert_eq!(saved.entries(), saved.iter().count());
        for entries in saved.iter().collect::<Vec<_>>().chunks(7) {
            assert_eq!(loaded.restore(calendar, now, saved.rule, saved.start(), entries), Ok(()));
        }
    }
    loaded
}

#[derive(Debug, Clone)]
enum Step {
    /// A vote. A vote that was decided on another server is counted even if a rule does not allow it.
    Vote(Vote, bool),
    /// The clock advances by this number of milliseconds.
    Tick(u64),
    /// The clock jumps forward or back.
    Leap(i64),
    /// The clock is put back to the time before the last jump.
    PutRight,
    Work,
    Replace(Rule),
    Remove(u8),
    Reload,
    Move,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    const DAY: i64 = 86_400_000;
    let leap = prop_oneof![-5_000..5_000_i64, -3 * DAY..3 * DAY, -500 * DAY..500 * DAY];
    let tick =
        prop_oneof![4 => 0..700_u64, 2 => 0..90_000_u64, 1 => 0..9_000_000_u64, 1 => 0..200_000_000_u64];
    let step = prop_oneof![
        24 => (model::votes(), prop::bool::weighted(0.1)).prop_map(|(vote, decided)| Step::Vote(vote, decided)),
        10 => tick.prop_map(Step::Tick),
        2 => leap.prop_map(Step::Leap),
        2 => Just(Step::PutRight),
        3 => Just(Step::Work),
        1 => model::rules().prop_map(Step::Replace),
        1 => (0..8_u8).prop_map(Step::Remove),
        1 => Just(Step::Reload),
        1 => Just(Step::Move),
    ];
    proptest::collection::vec(step, 0..120)
}

/// Compares the quotas of a voter and a member with the quotas of the model.
fn compare_quota(limits: &Limits, model: &Model, now: u64, ballot: &Ballot<'_>, member: Option<&[u8]>) {
    let quotas: Vec<_> = limits
        .quota(&model.calendar, now, ballot, member)
        .map(|Quota { rule, used, max, wait }| (rule, used, max, wait))
        .collect();
    assert_eq!(quotas, model.quota(now as i64, ballot, member));
}

fn play_vote(limits: &mut Limits, model: &mut Model, now: u64, vote: &Vote, decided: bool) {
    vote.lend(|ballot, votes| {
        let Ok(cost) = limits.cost(ballot, votes) else {
            assert!(model.lacks(ballot));
            return;
        };
        assert!(!model.lacks(ballot));
        assert!(cost.voter().is_none_or(|hash| Some(hash) == ballot.voter.map(hash_of_voter)));
        let held = limits.judge(now, ballot, &cost).map(|held| (held.rule, held.wait));
        assert_eq!(held, model.judge(now as i64, ballot, votes));
        if held.is_none() || decided {
            limits.count(&model.calendar, now, &cost);
            model.count(now as i64, ballot, votes);
        }
        for (member, _) in votes.iter().take(3) {
            compare_quota(limits, model, now, ballot, Some(member));
        }
        compare_quota(limits, model, now, ballot, None);
    });
}

fn play(calendar: Calendar, rules: Vec<Rule>, steps: Vec<Step>) {
    let (mut limits, mut model) = (Limits::default(), Model::new(calendar));
    for rule in rules {
        limits.replace(rule.clone()).unwrap();
        model.replace(rule);
    }
    let (mut now, mut before) = (1_793_512_790_000_u64, 1_793_512_790_000);
    for step in steps {
        match step {
            Step::Vote(vote, decided) => play_vote(&mut limits, &mut model, now, &vote, decided),
            Step::Tick(by) => now += by,
            Step::Leap(by) => (before, now) = (now, now.saturating_add_signed(by)),
            Step::PutRight => now = before,
            Step::Work => {
                assert!(!limits.work(now), "nothing here is large");
                model.work(now as i64);
            }
            Step::Replace(rule) => {
                limits.replace(rule.clone()).unwrap();
                model.replace(rule);
            }
            Step::Remove(name) => {
                assert_eq!(limits.remove(&[b'r', b'0' + name]), model.remove(&[b'r', b'0' + name]))
            }
            Step::Reload => {
                limits = reload(&limits, &calendar, now);
                model.reload(now as i64);
            }
            Step::Move => relocate(&mut limits),
        }
        assert!(limits.rules().eq(model.rules()));
        assert_eq!(listing(&limits), model.saved());
    }
}

proptest! {
    #[test]
    fn as_plain_lists(
        calendar in model::calendars(),
        rules in proptest::collection::vec(model::rules(), 0..5),
        steps in steps(),
    ) {
        play(calendar, rules, steps);
    }

    #[test]
    fn a_rule_is_made_of_its_words(written in model::rules()) {
        let words: Vec<_> = written.words().map(|word| word.to_vec()).collect();
        let number = |word: &[u8]| std::str::from_utf8(word).unwrap().parse().unwrap();
        let mut read = Rule::new(&words[0], &words[1], number(&words[2]), &words[3]).unwrap();
        for bonus in words[4..].chunks(4) {
            prop_assert_eq!(&bonus[0], b"BONUS");
            read.add_bonus(&bonus[1], &bonus[2], number(&bonus[3])).unwrap();
        }
        prop_assert_eq!(read, written);
    }
}

#[test]
fn a_clock_that_leapt_and_was_put_right_frees_no_voter() {
    let mut limits = limits(&["daily voter 1 day"]);
    let (noon, day) = (1_793_534_400_000, 86_400_000);
    assert!(vote(&mut limits, noon, b"v"));
    assert!(vote(&mut limits, noon + 5 * day, b"v"));
    assert!(!limits.work(noon + 5 * day + 1_000));
    assert!(!vote(&mut limits, noon + 2_000, b"v"));
    assert!(vote(&mut limits, noon + 3_000, b"w"));
    assert!(!vote(&mut limits, noon + 5 * day, b"v"), "the counts there were kept");
    // After an hour in the later period, the counts of the earlier period are freed.
    assert!(vote(&mut limits, noon + 5 * day, b"w"));
    assert!(!limits.work(noon + 5 * day + 3_600_000));
    assert!(vote(&mut limits, noon + 4_000, b"v"));
}

#[test]
fn an_idle_board_gives_everything_back() {
    let mut limits = limits(&["a voter 1 minute", "b voter 1 all"]);
    assert!(vote(&mut limits, 60_000, b"v"));
    assert!(!limits.work(120_000));
    assert!(!limits.work(127_499));
    assert_eq!(listing(&limits).len(), 2);
    assert!(!limits.work(127_500));
    assert_eq!(listing(&limits).iter().map(|(rule, ..)| *rule).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_vote_shows_that_a_clock_was_put_right() {
    let mut limits = limits(&["a voter 1 minute"]);
    assert!(vote(&mut limits, 60_000, b"v"));
    assert!(!limits.work(120_000));
    assert!(vote(&mut limits, 60_001, b"w"));
    assert!(!limits.work(130_000), "seen past the minute for the first time since");
    assert!(!vote(&mut limits, 60_002, b"v"));
}

#[test]
fn what_is_large_is_freed_in_steps() {
    let mut limits = limits(&["a voter 1 second", "b voter+member 9 all"]);
    let names: Vec<_> = (0..40_000_u32).map(u32::to_le_bytes).collect();
    for name in &names {
        assert!(vote(&mut limits, 5_500, name));
    }
    assert!(names.iter().all(|name| !vote(&mut limits, 5_999, name)));
    assert!(limits.is_big());
    relocate(&mut limits);
    let each = limits.memory() as f64 / 80_000.0;
    assert!((16.0..23.0).contains(&each), "{each} bytes an entry");
    assert!(listing(&reload(&limits, &Calendar::default(), 5_999)) == listing(&limits));

    assert!(!limits.work(6_000));
    assert!(limits.work(6_125));
    let (before, mut steps) = (limits.memory(), 1);
    while limits.work(6_125) {
        steps += 1;
        relocate(&mut limits);
        assert!(steps % 4 != 0 || vote(&mut limits, 6_125, names[steps].as_slice()));
    }
    assert!(steps > 4, "{steps} steps");
    assert!((limits.memory() as f64) < before as f64 * 0.51);
    // The counts of a removed rule are freed in steps too, even if only votes are cast and no background work is
    // done.
    assert!(limits.remove(b"b"));
    let mut votes = 0;
    while limits.is_big() {
        assert!(vote(&mut limits, 7_000 + votes * 1_000, b"v"));
        votes += 1;
    }
    assert!((4..80).contains(&votes), "{votes} votes");
    assert!(limits.memory() < 2_000);
}

#[test]
fn few_votes_take_little() {
    let mut limits = limits(&["a voter 9 day"]);
    let rules = limits.memory();
    assert!(vote(&mut limits, 5, b"v"));
    assert!(limits.memory() - rules <= 160, "{} bytes", limits.memory() - rules);
    (0..8_u8).for_each(|voter| assert!(vote(&mut limits, 5, &[voter])));
    assert!(limits.memory() - rules <= 600, "{} bytes", limits.memory() - rules);
}

#[test]
fn counts_end_with_32_bits() {
    let mut limits = limits(&["a member 4294967295 all"]);
    let cost = limits.cost(&by(b"v"), &[(b"m", u64::MAX), (b"m", 5)]).unwrap();
    assert_eq!(limits.judge(0, &by(b"v"), &cost).unwrap().wait, None);
    limits.count(&Calendar::default(), u64::MAX, &cost);
    limits.count(&Calendar::default(), 0, &cost);
    let quota = |limits: &Limits, member: &'static [u8]| {
        limits.quota(&Calendar::default(), 0, &by(b"v"), Some(member)).next().unwrap().used
    };
    assert_eq!((quota(&limits, b"m"), quota(&limits, b"n")), (u64::from(u32::MAX), 0));
    // A cost without votes adds no count.
    let none = limits.cost(&by(b"v"), &[(b"n", 0)]).unwrap();
    limits.count(&Calendar::default(), 0, &none);
    assert_eq!(limits.saved(0).next().unwrap().entries(), 1);
}

#[test]
fn rules_of_one_scope_share_hashes() {
    let limits = limits(&["a voter 1 day", "b VOTER 2 hour", "c voter+member 3 day"]);
    let cost = limits.cost(&by(b"v"), &[(b"m", 1), (b"n", 2), (b"m", 3)]).unwrap();
    let votes = |costs: &[ValueCost]| costs.iter().map(|cost| cost.votes).collect::<Vec<_>>();
    assert_eq!(cost.by_rule().map(votes).collect::<Vec<_>>(), [vec![6], vec![6], vec![4, 2]]);
    assert_eq!(cost.voter(), Some(hash_of_voter(b"v")));
    // Saved boards depend on this value.
    assert_eq!(hash_of_voter(b"v"), 557_206_820_366_908_330);
    let long = [b'x'; 700];
    let both = [&[188, 2][..], &long, &[188, 2], &long].concat();
    let expected = u64::from_le_bytes(blake3::hash(&both).as_bytes()[..8].try_into().unwrap());
    assert_eq!(cost::hash([&long[..], &long].into_iter()), expected);
}
