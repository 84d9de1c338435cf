//! The replies of the commands as types. RESP2 and RESP3 replies give equal values.

mod info;
mod league;
mod name;
mod number;
mod packed;
mod prizes;
mod ranking;
mod reading;
mod score;
mod segments;
mod standing;
mod votes;

pub use info::{Info, InfoValue};
pub use league::{Joined, LastPeriod, LeagueStanding, Outcome, Zone, ZoneRow};
pub use name::Name;
pub use number::{Created, ImportStep, Sample};
pub use packed::{Page, PageRow};
pub use prizes::{Claim, GroupWinner, GroupWinnersPage, Winner, WinnersPage};
pub use ranking::{AmongRow, Bucket, FoundMember, FoundPage, PastStanding, Period, RankScore, Row, Stats};
pub use score::{Applied, Score};
pub use segments::{SegmentRank, SegmentRow};
pub use standing::{Neighbour, Standing};
pub use votes::{OptionsPage, Quota, VoteOutcome, VotingOption};
