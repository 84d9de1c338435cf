//! A group of a league with the moves of its members, and the standings of one member in several periods.

use futures_util::future::try_join_all;
use leaderboard_client::redis::Value;
use leaderboard_client::{LeagueStanding, Request, Row, Zone, leagues};

use crate::app::App;
use crate::pages::league::avatar::Avatar;
use crate::pages::names::Member;
use crate::problem::Problem;

/// A group of a period.
pub struct Which<'a> {
    pub key: &'a str,
    pub tier: &'a str,
    pub number: u64,
    /// The label of a past period; empty for the current period.
    pub period: &'a str,
    pub count: u64,
}

/// A line of a group.
pub struct Line {
    pub rank: u64,
    pub member: Member,
    pub avatar: Avatar,
    pub score: String,
    pub meta: Option<Vec<u8>>,
    /// The zone of the member; `None` if the member left the group between two commands.
    pub zone: Option<Zone>,
}

/// A group.
#[derive(Default)]
pub struct Group {
    pub lines: Vec<Line>,
    /// The number of all members of the group.
    pub members: u64,
}

/// The first lines of a group. If the group is absent, the result has no lines.
///
/// # Errors
/// As [`crate::link::Link::ask`].
pub async fn read(app: &App, which: &Which<'_>) -> Result<Group, Problem> {
    let request = leagues::group(which.key, which.tier, which.number).count(which.count);
    let request = in_period(request, which.period);
    let rows = match app.link.ask(&request).await {
        Ok(rows) => rows,
        // The period has fewer groups than this number.
        Err(problem) if problem.is_invalid() => return Ok(Group::default()),
        Err(problem) => return Err(problem),
    };
    let standings = standings(app, which.key, which.period, &rows).await?;
    let members = standings.iter().flatten().map(|standing| standing.members).max().unwrap_or(0);
    let lines = rows.into_iter().zip(standings).map(|(row, standing)| line(row, standing)).collect();
    Ok(Group { lines, members })
}

fn line(row: Row, standing: Option<LeagueStanding>) -> Line {
    let member = Member::from(row.member);
    Line {
        rank: row.rank,
        avatar: Avatar::of(&member, row.meta.as_deref()),
        member,
        score: row.score.to_string(),
        meta: row.meta,
        zone: standing.map(|standing| standing.zone),
    }
}

/// Asks the server for the zone of each row. Only the server knows which rules were valid at the end of a past period.
async fn standings(
    app: &App,
    key: &str,
    period: &str,
    rows: &[Row],
) -> Result<Vec<Option<LeagueStanding>>, Problem> {
    let requests: Vec<_> =
        rows.iter().map(|row| in_period(leagues::standing(key, row.member.as_bytes()), period)).collect();
    let replies = app.link.pipeline(requests.iter().map(Request::cmd)).await?;
    let read = |(request, reply): (&Request<Option<LeagueStanding>>, Result<Value, _>)| {
        reply.ok().and_then(|reply| request.parse(reply).ok()).flatten()
    };
    Ok(requests.iter().zip(replies).map(read).collect())
}

/// A request about a period, which is given by its label. An empty label means the current period.
pub fn in_period<R>(request: Request<R>, label: &str) -> Request<R> {
    if label.is_empty() { request } else { request.period(label) }
}

/// The standing of a member in a period.
pub struct Past {
    /// The label of a past period; empty for the current period.
    pub period: String,
    pub standing: Option<LeagueStanding>,
}

impl Past {
    pub fn zone(&self) -> Option<Zone> {
        self.standing.as_ref().map(|standing| standing.zone)
    }
}

/// The standings of a member in the current period and in these past periods.
///
/// # Errors
/// As [`crate::link::Link::ask`].
pub async fn periods(app: &App, key: &str, member: &Member, labels: &[String]) -> Result<Vec<Past>, Problem> {
    let all = std::iter::once(String::new()).chain(labels.iter().cloned());
    let past = all.map(async |period| {
        let request = in_period(leagues::standing(key, &member.0), &period);
        Ok(Past { standing: app.link.ask(&request).await?, period })
    });
    try_join_all(past).await
}
