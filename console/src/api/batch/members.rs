//! Operations about several members of a board.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leaderboard_client::{AmongRow, Name, RankScore, Request, Standing, among, mscore, mstanding};
use serde::Serialize;

use crate::api::members::MemberStanding;
use crate::api::names::{Member, Meta};
use crate::api::rankings::bounded;
use crate::api::reading::reading;
use crate::problem::Problem;

reading! { lines
    /// Some members.
    Listed {
        /// Their names.
        pub members: Option<Vec<String>>,
        /// Their names in Base64.
        pub members_b64: Option<Vec<String>>,
    }
}

impl Listed {
    /// The names of the members.
    ///
    /// # Errors
    /// 422 for an empty list, for too many names, and for a text that is not Base64.
    pub fn names(&self) -> Result<Vec<Vec<u8>>, Problem> {
        let names: Vec<_> = match (&self.members, &self.members_b64) {
            (Some(names), None) => names.iter().map(|name| name.clone().into_bytes()).collect(),
            (None, Some(names)) => names.iter().map(decoded).collect::<Result<_, _>>()?,
            _ => return Err(Problem::invalid("members: give members or members_b64")),
        };
        bounded("members", u64::try_from(names.len()).unwrap_or(u64::MAX))?;
        if names.is_empty() { Err(Problem::invalid("members: give at least one")) } else { Ok(names) }
    }

    /// The request for the standings of the members.
    pub fn standings(&self, key: &str, names: &[Vec<u8>]) -> Request<Vec<Option<Standing>>> {
        self.put(mstanding(key, names))
    }

    /// The request for the ranks and scores of the members.
    pub fn scores(&self, key: &str, names: &[Vec<u8>]) -> Request<Vec<Option<RankScore>>> {
        self.put(mscore(key, names))
    }

    /// The request for the ranking among the members.
    pub fn among(&self, key: &str, names: &[Vec<u8>]) -> Request<Vec<AmongRow>> {
        self.put(among(key, names))
    }
}

fn decoded(name: &String) -> Result<Vec<u8>, Problem> {
    STANDARD.decode(name).map_err(|error| Problem::invalid(format!("members_b64: no Base64: {error}")))
}

/// What the server answers about each member; null for an unknown member.
#[derive(Debug, Serialize)]
pub struct Each<T> {
    members: Vec<Option<T>>,
}

impl<T> Each<T> {
    /// Joins each name with its reply.
    pub fn of<R>(names: Vec<Vec<u8>>, replies: Vec<Option<R>>, told: impl Fn(Vec<u8>, R) -> T) -> Self {
        let pairs = names.into_iter().zip(replies);
        Self { members: pairs.map(|(name, reply)| reply.map(|reply| told(name, reply))).collect() }
    }
}

impl Each<MemberStanding> {
    /// The standings of the members.
    pub fn standings(names: Vec<Vec<u8>>, replies: Vec<Option<Standing>>) -> Self {
        Self::of(names, replies, MemberStanding::of)
    }
}

/// Rank and score of a member.
#[derive(Debug, Serialize)]
pub struct Ranked {
    #[serde(flatten)]
    member: Member,
    rank: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    #[serde(flatten)]
    meta: Meta,
}

impl Each<Ranked> {
    /// The ranks and scores of the members.
    pub fn scores(names: Vec<Vec<u8>>, replies: Vec<Option<RankScore>>) -> Self {
        Self::of(names, replies, |name, reply| Ranked {
            member: Name(name).into(),
            rank: reply.rank,
            score: Some(reply.score.0),
            meta: reply.meta.into(),
        })
    }

    /// The ranks of the members, without their scores.
    pub fn ranks(names: Vec<Vec<u8>>, replies: Vec<Option<RankScore>>) -> Self {
        Self::of(names, replies, |name, reply| Ranked {
            member: Name(name).into(),
            rank: reply.rank,
            score: None,
            meta: reply.meta.into(),
        })
    }
}

/// The ranking among some members.
#[derive(Debug, Serialize)]
pub struct Among {
    rows: Vec<AmongLine>,
}

/// A line of the ranking among some members.
#[derive(Debug, Serialize)]
pub struct AmongLine {
    /// The place among these members.
    place: u64,
    /// The rank among all members of the board.
    rank: u64,
    #[serde(flatten)]
    member: Member,
    score: String,
    #[serde(flatten)]
    meta: Meta,
}

impl From<Vec<AmongRow>> for Among {
    fn from(rows: Vec<AmongRow>) -> Self {
        let line = |row: AmongRow| AmongLine {
            place: row.place,
            rank: row.rank,
            member: row.member.into(),
            score: row.score.0,
            meta: row.meta.into(),
        };
        Self { rows: rows.into_iter().map(line).collect() }
    }
}
