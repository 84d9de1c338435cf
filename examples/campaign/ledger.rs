//! The expected replies to votes. This is a second implementation of the board's rules, with separate counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use leaderboard_client::{Applied, Quota, VoteOutcome};

use crate::weekend::{CLOSES, DAY, MINUTE, OFFSET, OPENS, SECOND, Vote};
use client::Result;

/// The rules of the board, in order.
const RULES: [Rule; 4] = [
    Rule { name: "perminute", scope: |vote| vote.voter.clone(), max: 5, extra: 0, unit: MINUTE },
    Rule {
        name: "devices",
        scope: |vote| format!("{}+{}", vote.voter, vote.terminal),
        max: 6,
        extra: 0,
        unit: DAY,
    },
    Rule { name: "daily", scope: |vote| vote.voter.clone(), max: 8, extra: 4, unit: DAY },
    Rule { name: "flood", scope: |vote| vote.option.to_owned(), max: 40, extra: 0, unit: SECOND },
];

/// A rule that allows at most `max` votes in a unit of time for each value of the scope, and `extra` more votes for
/// the partner's voters.
struct Rule {
    name: &'static str,
    scope: fn(&Vote) -> String,
    max: u64,
    extra: u64,
    unit: u64,
}

impl Rule {
    fn allows(&self, vote: &Vote) -> u64 {
        self.max.saturating_add(if vote.partner { self.extra } else { 0 })
    }

    /// Returns the end of the unit of time that contains a moment. Days are calendar days of Paris.
    fn end(&self, at: u64) -> u64 {
        at.saturating_add(OFFSET + 1).next_multiple_of(self.unit).saturating_sub(OFFSET)
    }
}

/// The result of a vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Counted,
    Repeated,
    HeldBack(String, i64),
}

/// The number of votes sent, and their results.
#[derive(Default)]
pub struct Ledger {
    pub sent: u64,
    pub counted: u64,
    pub repeated: u64,
    pub held_back: BTreeMap<String, u64>,
    requests: HashSet<String>,
    pub real: HashMap<&'static str, u64>,
    pub voters: HashSet<String>,
    pub voters_of: HashSet<(&'static str, String)>,
    /// Votes used, by rule, value of the rule's scope and end of the unit of time.
    used: HashMap<(&'static str, String, u64), u64>,
}

impl Ledger {
    /// Checks the result of a vote against the expected result, and counts it.
    pub fn count(&mut self, vote: &Vote, outcome: &VoteOutcome) -> Result<Verdict> {
        let verdict = verdict(outcome).ok_or_else(|| format!("a vote was answered with {outcome:?}"))?;
        let due = self.due(vote);
        if verdict != due {
            return Err(format!("{}: {verdict:?}, but {due:?} was due", vote.request("-")));
        }
        self.sent = self.sent.saturating_add(1);
        match &verdict {
            Verdict::Repeated => self.repeated = self.repeated.saturating_add(1),
            Verdict::HeldBack(rule, _) => add(self.held_back.entry(rule.clone()).or_default(), 1),
            Verdict::Counted => self.apply(vote),
        }
        Ok(verdict)
    }

    fn due(&self, vote: &Vote) -> Verdict {
        if vote.request.as_ref().is_some_and(|request| self.requests.contains(request)) {
            return Verdict::Repeated;
        }
        let held_back = |rule: &str, wait| Verdict::HeldBack(rule.to_owned(), wait);
        if vote.at < OPENS {
            return held_back("closed", OPENS.saturating_sub(vote.at).cast_signed());
        }
        if vote.at >= CLOSES {
            return held_back("closed", -1);
        }
        let over = |rule: &&Rule| self.used(rule, vote).saturating_add(vote.votes) > rule.allows(vote);
        let wait = |rule: &Rule| rule.end(vote.at).saturating_sub(vote.at).cast_signed();
        RULES.iter().find(over).map_or(Verdict::Counted, |rule| held_back(rule.name, wait(rule)))
    }

    fn used(&self, rule: &Rule, vote: &Vote) -> u64 {
        self.used.get(&(rule.name, (rule.scope)(vote), rule.end(vote.at))).copied().unwrap_or(0)
    }

    fn apply(&mut self, vote: &Vote) {
        for rule in &RULES {
            let of = (rule.name, (rule.scope)(vote), rule.end(vote.at));
            add(self.used.entry(of).or_default(), vote.votes);
        }
        add(&mut self.counted, 1);
        add(self.real.entry(vote.option).or_default(), vote.votes);
        self.voters.insert(vote.voter.clone());
        self.voters_of.insert((vote.option, vote.voter.clone()));
        self.requests.extend(vote.request.clone());
    }

    pub fn check_quota(&self, quotas: &[Quota], vote: &Vote) -> Result<()> {
        let due = |rule: &Rule| Quota {
            rule: rule.name.to_owned(),
            used: self.used(rule, vote),
            max: rule.allows(vote),
            ms: rule.end(vote.at).saturating_sub(vote.at).cast_signed(),
        };
        let due: Vec<_> = RULES.iter().map(due).collect();
        if quotas == due { Ok(()) } else { Err(format!("LB.QUOTA: {quotas:?}, but {due:?} was due")) }
    }
}

fn add(count: &mut u64, more: u64) {
    *count = count.saturating_add(more);
}

/// Returns the result of one vote; `None` if the reply is not a possible reply to one vote.
fn verdict(outcome: &VoteOutcome) -> Option<Verdict> {
    match outcome {
        VoteOutcome::HeldBack { rule, retry_after_ms } => {
            Some(Verdict::HeldBack(rule.clone(), *retry_after_ms))
        }
        VoteOutcome::Accepted(positions) => match positions[..] {
            [Applied { score: Some(_), rank: Some(_), applied, .. }] => {
                Some(if applied { Verdict::Counted } else { Verdict::Repeated })
            }
            _ => None,
        },
    }
}
