//! Finding members: by the whole name, a part of it, or a pattern.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use leaderboard_client::{FoundMember, mscore};
use serde::Deserialize;

use crate::access::Role;
use crate::api::found::search;
use crate::app::App;
use crate::catalog::escaped;
use crate::pages::arguments::Query;
use crate::pages::board::key_shown;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, encoded, member_path};
use crate::pages::reading::{Reading, with_query};
use crate::problem::Problem;

/// A page ends when this number of members is found.
const ENOUGH: usize = 50;

/// The route.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/find", get(find))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Sought {
    member: String,
    cursor: u64,
}

impl Sought {
    /// The pattern: as it is written if it has a `*` or a `?`, else any name that contains the text.
    fn pattern(&self) -> String {
        if self.member.contains(['*', '?']) {
            return self.member.clone();
        }
        format!("*{}*", escaped(&self.member))
    }
}

#[derive(Template)]
#[template(path = "found.html")]
struct FoundPage {
    frame: Frame,
    name: String,
    path: String,
    sought: Sought,
    rows: Vec<Line>,
    next: u64,
}

/// A member that was found.
struct Line {
    name: String,
    path: String,
    meta: String,
    score: String,
    rank: String,
}

impl FoundPage {
    /// The address of the next page.
    fn next(&self) -> String {
        format!("{}/find?member={}&cursor={}", self.path, encoded(&self.sought.member), self.next)
    }
}

async fn find(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(sought): Query<Sought>,
    Query(reading): Query<Reading>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let to = |path: String| Ok(Redirect::to(&with_query(&path, &reading.query())).into_response());
    if sought.member.is_empty() {
        return to(board_path(&key, ""));
    }
    let named = member_path(&key, &Member(sought.member.clone().into_bytes()), "");
    if sought.cursor == 0 && is_ranked(&app, &key, &sought.member).await.shown(&frame)? {
        return to(named);
    }
    let found = search(&app, &key, &sought.pattern(), (sought.cursor, ENOUGH), true).await;
    let (next, members) = match found {
        Ok(found) => found,
        // The names of a board over parts cannot be looked through.
        Err(problem) if !problem.is_unavailable() && sought.cursor == 0 => return to(named),
        Err(problem) => return Err(problem).shown(&frame),
    };
    match members.as_slice() {
        // The page of the member says that nobody has this name.
        [] if sought.cursor == 0 && next == 0 => return to(named),
        [only] if sought.cursor == 0 && next == 0 => {
            return to(member_path(&key, &Member(only.member.0.clone()), ""));
        }
        _ => {}
    }
    let rows = members.into_iter().map(|member| line(&frame, &key, member)).collect();
    page(&FoundPage { frame, name: key_shown(&key), path: board_path(&key, ""), sought, rows, next })
}

/// Whether a member with exactly this name is ranked.
async fn is_ranked(app: &App, key: &str, member: &str) -> Result<bool, Problem> {
    let places = app.link.ask(&mscore(key, [member])).await?;
    Ok(places.first().is_some_and(Option::is_some))
}

fn line(frame: &Frame, key: &str, found: FoundMember) -> Line {
    let member = Member(found.member.0);
    Line {
        path: member_path(key, &member, ""),
        name: member.shown(),
        meta: found.meta.map(|meta| Member(meta).shown()).unwrap_or_default(),
        score: found.score.map(|score| frame.number(&score)).unwrap_or_default(),
        rank: found.rank.map(|rank| frame.number(rank)).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_part_of_a_name_and_a_pattern_is_a_pattern() {
        let pattern = |member: &str| Sought { member: member.to_owned(), cursor: 0 }.pattern();
        assert_eq!(pattern("ann"), "*ann*");
        assert_eq!(pattern("a[1]\\"), "*a\\[1\\]\\\\*");
        assert_eq!(pattern("ann*"), "ann*");
        assert_eq!(pattern("m?"), "m?");
    }
}
