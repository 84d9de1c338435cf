//! The requests of clients and operators, and their words.

use leaderboard_commands::plain::Words;

use super::model::board::Member;
use super::model::prizes::{Table, written};
use super::model::segments::Segment;
use super::players::{name, segment_name};

pub const TIERS: [&str; 3] = ["bronze", "silver", "gold"];

/// A board of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    Arena,
    Form,
    Nations,
}

impl Key {
    pub fn name(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Form => "form",
            Self::Nations => "nations",
        }
    }
}

/// What a request is about.
#[derive(Clone)]
pub enum Action {
    /// Points in the arena: of one player, or of both players of a match.
    Score {
        pairs: Vec<(Member, i64)>,
    },
    /// Points for a player's form.
    Roll {
        member: Member,
        points: i64,
    },
    /// Points for a player and its nation.
    Nation {
        member: Member,
        points: i64,
        country: Segment,
        guild: Segment,
    },
    /// A player is in a segment from now on.
    Place {
        member: Member,
        dimension: &'static str,
        segment: Segment,
    },
    /// A player opens the page of its league.
    Join {
        member: Member,
    },
    /// Points in the league.
    Play {
        member: Member,
        points: i64,
    },
    /// Votes for songs.
    Vote {
        voter: Member,
        pairs: Vec<(Member, i64)>,
        by_partner: bool,
    },
    /// Events of a page.
    Count {
        counter: usize,
        by: i64,
    },
    /// A player's prize of the day that began then.
    Claim {
        member: Member,
        start: u64,
    },
    /// The operator corrects the score of the present day.
    Correct {
        member: Member,
        score: i64,
    },
    Remove {
        key: Key,
        member: Member,
    },
    Hide {
        key: Key,
        member: Member,
    },
    Unhide {
        key: Key,
        member: Member,
    },
    LeaveLeague {
        member: Member,
    },
    Tier {
        member: Member,
        tier: usize,
    },
    Alter(Alter),
}

/// Rules that the operator changes.
#[derive(Clone, Copy, Debug)]
pub enum Alter {
    /// The arena gets a view of weeks.
    AddWeek,
    /// The arena keeps this number of days.
    KeepDays(usize),
    /// The prizes of the arena's days.
    Prizes(Table),
    /// The nations get a dimension of platforms.
    AddPlatform,
    /// The limit of votes for a day, and the bonus.
    DailyVotes(u64, u64),
    /// The campaign ends then.
    Closes(u64),
    /// How many of a group of each tier move up, as numbers.
    Promote([usize; 3]),
    /// The size of groups that open from now on.
    Group(usize),
    /// The pages are counted in slices of this number of seconds, too.
    Precision(u64),
}

/// A request.
#[derive(Clone)]
pub struct Request {
    pub action: Action,
    pub id: u64,
    /// The moment of the event, as the client says it.
    pub at: Option<u64>,
    /// Whether the client wants to know only how much was applied.
    pub is_quiet: bool,
}

impl Request {
    /// Returns the words of the request.
    pub fn words(&self) -> Words {
        let line = match &self.action {
            Action::Score { pairs } if pairs.len() > 1 => {
                format!("LB.MADD arena{} {}", self.options(), listed(pairs))
            }
            Action::Score { pairs } => format!("LB.ADD arena {}{}", listed(pairs), self.options()),
            Action::Roll { member, points } => {
                format!("LB.ROLLADD form {points} {}{}", name(*member), self.options())
            }
            Action::Nation { member, points, country, guild } => {
                let within = if self.is_quiet { "" } else { " WITHIN country" };
                let [country, guild] =
                    [("country", country), ("guild", guild)].map(|(of, number)| segment_name(of, *number));
                let places = format!("SEGMENT country {country} SEGMENT guild {guild}");
                format!("LB.ADD nations {points} {} {places}{within}{}", name(*member), self.options())
            }
            Action::Play { member, points } => {
                format!("LB.LEAGUE.ADD course {points} {}{}", name(*member), self.options())
            }
            Action::Vote { voter, pairs, by_partner } => {
                let tag = if *by_partner { " TAG channel acme" } else { "" };
                let options = format!("BY {}{tag}{}", name(*voter), self.options());
                let votes = pairs.iter().map(|(option, votes)| format!("{votes} song{option}"));
                match &votes.collect::<Vec<_>>()[..] {
                    [one] => format!("LB.VOTE finals {one} {options}"),
                    all => format!("LB.MVOTE finals {options} {}", all.join(" ")),
                }
            }
            Action::Count { counter, by } => {
                format!("LB.COUNTER.INCR page:{counter} BY {by}{}", self.options())
            }
            Action::Claim { member, start } => {
                format!("LB.CLAIM arena {} VIEW day AT {start} ID r{}", name(*member), self.id)
            }
            Action::Correct { member, score } => {
                format!("LB.SET arena {score} {} ID r{}", name(*member), self.id)
            }
            other => without_id(other),
        };
        line.split(' ').map(|word| word.as_bytes().to_vec()).collect()
    }

    fn options(&self) -> String {
        let at = self.at.map(|at| format!(" AT {at}")).unwrap_or_default();
        let quiet = if self.is_quiet { " QUIET" } else { "" };
        format!(" ID r{}{at}{quiet}", self.id)
    }
}

/// Returns the words of a request without an id: to repeat it changes nothing.
fn without_id(action: &Action) -> String {
    match action {
        Action::Place { member, dimension, segment } => {
            let segment = segment_name(dimension, *segment);
            format!("LB.SEGMENT nations {} {dimension} {segment}", name(*member))
        }
        Action::Join { member } => format!("LB.LEAGUE.JOIN course {}", name(*member)),
        Action::Remove { key, member } => format!("LB.REM {} {}", key.name(), name(*member)),
        Action::Hide { key, member } => format!("LB.HIDE {} {}", key.name(), name(*member)),
        Action::Unhide { key, member } => format!("LB.UNHIDE {} {}", key.name(), name(*member)),
        Action::LeaveLeague { member } => format!("LB.LEAGUE.REM course {}", name(*member)),
        Action::Tier { member, tier } => format!("LB.LEAGUE.TIER course {} {}", name(*member), TIERS[*tier]),
        Action::Alter(alter) => altering(alter),
        _ => unreachable!("a request with an id"),
    }
}

fn altering(alter: &Alter) -> String {
    match alter {
        Alter::AddWeek => "LB.ALTER arena VIEWS +week".to_owned(),
        Alter::KeepDays(days) => format!("LB.ALTER arena RETAIN day={days}"),
        Alter::Prizes(table) => format!("LB.ALTER arena PRIZES day {}", written(table)),
        Alter::AddPlatform => "LB.ALTER nations SEGMENTS +platform:COUNT".to_owned(),
        Alter::DailyVotes(most, bonus) => {
            format!("LB.ALTER finals LIMIT daily voter {most} day BONUS channel acme {bonus}")
        }
        Alter::Closes(at) => format!("LB.ALTER finals CLOSES {at}"),
        Alter::Promote([low, middle, high]) => {
            format!("LB.LEAGUE.ALTER course PROMOTE {low},{middle},{high}")
        }
        Alter::Group(size) => format!("LB.LEAGUE.ALTER course GROUP {size}"),
        Alter::Precision(seconds) => format!("LB.COUNTER.ALTER page:0 PRECISIONS +{seconds}"),
    }
}

fn listed(pairs: &[(Member, i64)]) -> String {
    pairs.iter().map(|(member, points)| format!("{points} {}", name(*member))).collect::<Vec<_>>().join(" ")
}
