//! The players: where they live, how good they are, and when they play.

use chrono_tz::Tz;
use leaderboard_testkit::random::Random;

use super::model::board::Member;
use super::model::calendar;
use super::model::segments::Segment;

/// The countries have these time zones in turn.
const ZONES: [Tz; 6] = [
    Tz::Europe__Berlin,
    Tz::Asia__Kolkata,
    Tz::America__New_York,
    Tz::America__Sao_Paulo,
    Tz::Asia__Seoul,
    Tz::Australia__Sydney,
];
pub const COUNTRIES: u64 = 30;
/// How busy a player is at each hour of its own day.
const HOURS: [u64; 24] = [6, 3, 2, 1, 1, 2, 5, 9, 10, 8, 8, 9, 13, 12, 9, 9, 11, 14, 18, 24, 28, 27, 20, 12];

/// All players.
pub struct Players {
    /// The country in which each player is now.
    pub countries: Vec<Segment>,
    pub guilds: Vec<Segment>,
    skills: Vec<i64>,
    /// The players by zone.
    by_zone: Vec<Vec<Member>>,
}

impl Players {
    pub fn new(number: usize, random: &mut Random) -> Self {
        let mut players = Self {
            countries: Vec::new(),
            guilds: Vec::new(),
            skills: Vec::new(),
            by_zone: vec![Vec::new(); 6],
        };
        let guilds = (number as u64 / 25).max(4);
        for member in 0..number {
            // Some countries and guilds have many more members than others.
            let country = random.below(COUNTRIES).min(random.below(COUNTRIES));
            players.countries.push(country as Segment);
            players.guilds.push(random.below(guilds).min(random.below(guilds)) as Segment);
            players.skills.push(1 + random.within(0..40).min(random.within(0..40)));
            players.by_zone[country as usize % ZONES.len()].push(member);
        }
        players
    }

    /// Returns who plays in the hour that begins then: each player as often as it has turns. A player has this number of turns
    /// on a day, on average.
    pub fn active(&self, hour: u64, turns: usize, random: &mut Random) -> Vec<Member> {
        let mut active = Vec::new();
        for (zone, players) in ZONES.iter().zip(&self.by_zone) {
            let busy = HOURS[calendar::hour_of_day(*zone, hour)] as usize;
            let number = players.len() * turns * busy / HOURS.iter().sum::<u64>() as usize;
            // Players in front play more.
            let draw = |random: &mut Random| random.below(players.len() as u64) as usize;
            active.extend((0..number).map(|_| players[draw(random).min(draw(random))]));
        }
        active
    }

    /// Returns the points of a player's match.
    pub fn points(&self, member: Member, random: &mut Random) -> i64 {
        1 + random.within(0..self.skills[member] + 5)
    }

    /// The number of players.
    pub fn len(&self) -> usize {
        self.skills.len()
    }
}

/// Returns the name of a player.
pub fn name(member: Member) -> String {
    format!("p{member:05}")
}

/// Returns the name of a country, a guild or a platform.
pub fn segment_name(dimension: &str, segment: Segment) -> String {
    format!("{dimension}-{segment}")
}
