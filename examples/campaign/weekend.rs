//! The invented votes of one weekend, the same in each run.

use client::Random;
use leaderboard_client::{Quota, Request, VoteOutcome, quota, vote};

/// A second. All times are in ms.
pub const SECOND: u64 = 1_000;
pub const MINUTE: u64 = 60 * SECOND;
/// A day. Each day of this weekend has 24 hours.
pub const DAY: u64 = 24 * 60 * MINUTE;
/// Friday, 15 May 2026, 18:00 in Paris.
pub const OPENS: u64 = 1_778_860_800_000;
/// Sunday, 22:00 in Paris.
pub const CLOSES: u64 = 1_779_048_000_000;
/// The offset of Paris from UTC on this weekend.
pub const OFFSET: u64 = 120 * MINUTE;
/// The options: name, weight, initial votes.
pub const CHOICES: [(&str, u64, u64); 8] = [
    ("ada", 1, 0),
    ("bela", 1, 0),
    ("cora", 2, 0),
    ("dario", 1, 2_500),
    ("ella", 1, 0),
    ("fynn", 1, 0),
    ("gina", 1, 0),
    ("hugo", 1, 0),
];
const VOTERS: u64 = 6_000;
const VISITS: u64 = 20_000;
const FLOODS: u64 = 6;
const LATECOMERS: u64 = 150;

/// Votes of one voter for one option.
#[derive(Clone)]
pub struct Vote {
    /// The moment of the vote, in ms.
    pub at: u64,
    pub votes: u64,
    pub option: &'static str,
    pub voter: String,
    /// The voter's device.
    pub terminal: &'static str,
    /// Whether the vote comes through the partner.
    pub partner: bool,
    /// The request id, so that a retry counts once.
    pub request: Option<String>,
}

impl Vote {
    /// Returns the command of the vote.
    pub fn request(&self, key: &str) -> Request<VoteOutcome> {
        let request = self.tagged(vote(key, self.votes, self.option).by(&self.voter));
        let request = self.request.iter().fold(request, |request, id| request.id(id));
        request.at(self.at.cast_signed())
    }

    /// Returns the request for the votes that its voter may still use.
    pub fn quota(&self, key: &str) -> Request<Vec<Quota>> {
        let request = quota(key).by(&self.voter).member(self.option);
        self.tagged(request).at(self.at.cast_signed())
    }

    fn tagged<R>(&self, request: Request<R>) -> Request<R> {
        let request = request.tag("terminal", self.terminal);
        if self.partner { request.tag("channel", "acme") } else { request }
    }
}

/// Returns the votes of the weekend in order of time. Some voters vote fast, some groups vote in the same second, and
/// some votes come too late.
pub fn weekend() -> Vec<Vote> {
    let mut random = Random::new(7);
    let begin = OPENS.saturating_add(5 * MINUTE);
    let mut votes = Vec::new();
    for visit in 0..VISITS {
        let mut at = random.from(begin, CLOSES);
        let vote = random_vote(&mut random, at);
        let hurry = visit.is_multiple_of(100);
        let count = if hurry { 8 } else { random.below(3).saturating_add(1) };
        for _ in 0..count {
            at = at.saturating_add(random.from(SECOND, if hurry { 6 * SECOND } else { MINUTE }));
            votes.push(Vote { at, votes: random.below(2).saturating_add(1), ..vote.clone() });
        }
    }
    for _ in 0..FLOODS {
        let second = random.from(begin, CLOSES).next_multiple_of(SECOND);
        let flood = random_vote(&mut random, second).option;
        let moments = (second..second.saturating_add(SECOND)).step_by(10);
        votes.extend(moments.map(|at| Vote { option: flood, ..random_vote(&mut random, at) }));
    }
    votes.extend((0..LATECOMERS).map(|_| {
        let at = random.from(CLOSES, CLOSES.saturating_add(10 * MINUTE));
        random_vote(&mut random, at)
    }));
    votes.sort_by_key(|vote| vote.at);
    for (number, vote) in votes.iter_mut().enumerate() {
        vote.request = Some(format!("r{number}"));
    }
    votes
}

/// Returns a vote of a random voter. Options at the start of the list get more votes.
pub fn random_vote(random: &mut Random, at: u64) -> Vote {
    let voter = random.below(VOTERS);
    let choices = CHOICES.len() as u64;
    let choice = random.below(choices).min(random.below(choices.saturating_mul(2)));
    let option =
        CHOICES.into_iter().nth(usize::try_from(choice).unwrap_or(0)).map_or("ada", |choice| choice.0);
    let terminal = if random.below(4) == 0 { "laptop" } else { "phone" };
    let partner = voter.is_multiple_of(10);
    Vote { at, votes: 1, option, voter: format!("v{voter}"), terminal, partner, request: None }
}
