//! What clients send, and when it arrives: with delays, repeats, and phones whose clocks are wrong.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use leaderboard_testkit::random::Random;

use super::expected::{PAGES, SONGS};
use super::model::board::Member;
use super::model::calendar::{DAY, HOUR, MINUTE, SECOND};
use super::model::segments::Segment;
use super::players::{COUNTRIES, Players};
use super::request::{Action, Request};

/// One of this number of players votes much more than others.
const PLAYERS_FOR_A_FAN: usize = 60;

/// A request on its way.
struct Sent {
    arrives: u64,
    number: u64,
    request: Request,
}

impl PartialEq for Sent {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Sent {}

impl PartialOrd for Sent {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sent {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.arrives, self.number).cmp(&(other.arrives, other.number))
    }
}

/// All requests that have not arrived yet.
#[derive(Default)]
pub struct Traffic {
    sent: BinaryHeap<Reverse<Sent>>,
    numbers: u64,
    ids: u64,
    /// Whether the nations have platforms.
    pub has_platforms: bool,
}

impl Traffic {
    /// Sends a request that arrives then.
    pub fn send(&mut self, arrives: u64, request: Request) {
        self.numbers += 1;
        self.sent.push(Reverse(Sent { arrives, number: self.numbers, request }));
    }

    /// Returns an id that no other request has.
    pub fn new_id(&mut self) -> u64 {
        self.ids += 1;
        self.ids
    }

    /// Returns the next request that arrives before a moment, and when.
    pub fn next_before(&mut self, time: u64) -> Option<(u64, Request)> {
        self.sent.peek().filter(|Reverse(sent)| sent.arrives < time)?;
        self.sent.pop().map(|Reverse(sent)| (sent.arrives, sent.request))
    }

    /// Draws what the players do in the hour that begins then.
    pub fn play(&mut self, players: &mut Players, hour: u64, turns: usize, random: &mut Random) {
        for member in players.active(hour, turns, random) {
            let moment = hour + random.below(HOUR);
            let action = self.action(member, players, random);
            let arrives = moment + delay(random);
            let at = random.percent(85).then_some(moment);
            let at = if matches!(action, Action::Roll { .. }) { Some(moment) } else { at };
            let at = at.map(|at| told(at, random));
            let id = self.new_id();
            self.send(arrives, Request { action, id, at, is_quiet: random.percent(80) });
        }
    }

    /// Now and then sends a request again: the answer was lost.
    pub fn repeat(&mut self, request: &Request, time: u64, random: &mut Random) {
        match random.below(1_000) {
            0..40 => self.send(time + 1 + random.below(2 * MINUTE), request.clone()),
            40..45 => self.send(time + random.below(50 * MINUTE), request.clone()),
            _ => {}
        }
    }

    fn action(&mut self, member: Member, players: &mut Players, random: &mut Random) -> Action {
        let points = players.points(member, random);
        match random.below(100) {
            0..30 => Action::Score { pairs: self.match_of(member, points, players, random) },
            30..45 => Action::Roll { member, points },
            45..62 => {
                let (country, guild) = (players.countries[member], players.guilds[member]);
                Action::Nation { member, points, country, guild }
            }
            62..65 => self.place(member, random),
            65..70 => Action::Join { member },
            70..80 => Action::Play { member, points },
            80..92 => self.vote(member, players, random),
            _ => Action::Count { counter: random.below(PAGES as u64) as usize, by: 1 + random.within(0..3) },
        }
    }

    fn match_of(
        &self,
        member: Member,
        points: i64,
        players: &Players,
        random: &mut Random,
    ) -> Vec<(Member, i64)> {
        let points = match random.below(100) {
            0..2 => 0,
            2..5 => -points.min(3),
            _ => points,
        };
        let other = random.below(players.len() as u64) as usize;
        if random.percent(80) || other == member {
            return vec![(member, points)];
        }
        vec![(member, points), (other, players.points(other, random))]
    }

    /// A player travels or tells its platform.
    fn place(&self, member: Member, random: &mut Random) -> Action {
        let (dimension, segment) = match random.below(10) {
            0..5 if self.has_platforms => ("platform", random.below(3)),
            0..8 => ("country", random.below(COUNTRIES)),
            _ => ("guild", random.below(4)),
        };
        Action::Place { member, dimension, segment: segment as Segment }
    }

    /// A vote. Some come from a few fans, who meet the limits.
    fn vote(&self, member: Member, players: &Players, random: &mut Random) -> Action {
        let fans = (players.len() / PLAYERS_FOR_A_FAN) as u64;
        let voter = if random.percent(20) { random.below(fans) as Member } else { member };
        let votes = |random: &mut Random| {
            let most = if random.percent(3) { 9 } else { 3 };
            1 + random.within(0..most)
        };
        let song = |random: &mut Random| {
            let songs = SONGS.len() as u64;
            random.below(songs).min(random.below(songs)) as Member
        };
        let mut pairs = vec![(song(random), votes(random))];
        let other = song(random);
        if random.percent(20) && other != pairs[0].0 {
            pairs.push((other, 1));
        }
        Action::Vote { voter, pairs, by_partner: random.percent(15) }
    }
}

/// Returns how long a request is on its way.
fn delay(random: &mut Random) -> u64 {
    match random.below(1_000) {
        0..930 => 30 + random.below(3 * SECOND),
        930..980 => random.below(10 * MINUTE),
        980..995 => random.below(6 * HOUR),
        _ => random.below(3 * DAY),
    }
}

/// Returns the moment that a phone tells. Some phones have kept an event for weeks, and the clocks of some are ahead: by so little
/// that it is taken for now, or by more.
fn told(moment: u64, random: &mut Random) -> u64 {
    match random.below(6_000) {
        0..3 => moment + 70 * SECOND + random.below(40 * MINUTE),
        3..20 => moment + random.below(40 * SECOND),
        20..26 => moment - random.below(20 * DAY),
        _ => moment,
    }
}
