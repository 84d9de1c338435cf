//! The page with the winners of a period: who has won what, and who has claimed; and the same as a file.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use leaderboard_client::{
    InfoValue, Name, Period, Request, Winner, WinnersPage, info, mgetmeta, periods, prizes,
};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::download::{self, BYTE_ORDER_MARK, CSV, Lines, cell, file_name};
use crate::pages::arguments::Query;
use crate::pages::board::{LINES, key_shown};
use crate::pages::board_info::BoardInfo;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{Member, board_path, member_path};
use crate::pages::reading::{Reading, with_query};
use crate::problem::Problem;

/// How many winners of a file are read at once.
const STEP: u64 = 1_000;
/// The name of the running period.
const RUNNING: &str = "0";

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/prizes", get(show)).route("/boards/{key}/prizes.csv", get(file))
}

/// Which winners the page shows, besides the reading. Without a period, they are those of the last one that ended.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Choice {
    cursor: u64,
    /// `true` for the prizes that can still be claimed.
    unclaimed: String,
}

impl Choice {
    fn is_unclaimed(&self) -> bool {
        self.unclaimed == "true"
    }

    fn request(&self, key: &str, reading: &Reading, (cursor, count): (u64, u64)) -> Request<WinnersPage> {
        let request = reading.put_period(prizes(key, cursor).count(count));
        let request = if reading.dimension.is_empty() { request } else { request.per(&reading.dimension) };
        if self.is_unclaimed() { request.unclaimed() } else { request }
    }
}

#[derive(Template)]
#[template(path = "winners.html")]
struct Winners {
    frame: Frame,
    name: String,
    path: String,
    /// The tables of the board, as they are written.
    tables: Vec<String>,
    views: Vec<String>,
    dimensions: Vec<String>,
    periods: Vec<Period>,
    reading: Reading,
    choice: Choice,
    rows: Vec<Line>,
    next: u64,
}

/// A winner.
struct Line {
    rank: String,
    name: String,
    path: Option<String>,
    segment: Option<String>,
    score: String,
    prize: String,
    claimed: Option<String>,
}

impl Winners {
    /// The address of this page, or of its file, with another cursor.
    fn at(&self, below: &str, cursor: u64) -> String {
        let query = with_query(&format!("{}{below}", self.path), &self.reading.query());
        let query = if self.choice.is_unclaimed() { with_query(&query, "unclaimed=true") } else { query };
        if cursor == 0 { query } else { with_query(&query, &format!("cursor={cursor}")) }
    }

    /// The label of the period that the page shows, if it has ended.
    fn ended(&self) -> Option<&str> {
        match self.reading.period.as_str() {
            "" => self.periods.get(1).map(|period| period.label.as_str()),
            RUNNING => None,
            label => Some(label),
        }
    }

    /// Whether the page shows this period.
    fn is_shown(&self, number: &usize, period: &Period) -> bool {
        match self.reading.period.as_str() {
            "" => *number == 1,
            RUNNING => *number == 0,
            label => period.label == label,
        }
    }
}

/// The tables of a board, as they are written: view, places, and the dimension.
fn tables(info: &BoardInfo) -> Vec<String> {
    match info.told.get("prizes") {
        Some(InfoValue::Texts(tables)) => tables.clone(),
        _ => Vec::new(),
    }
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(mut reading): Query<Reading>,
    Query(choice): Query<Choice>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    let info = BoardInfo::of(told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?);
    let tables = tables(&info);
    let views: Vec<_> = info.views.iter().filter(|view| *view != "all").cloned().collect();
    if reading.view.is_empty() {
        let of_table = tables.first().and_then(|table| table.split(' ').next()).map(str::to_owned);
        reading.view = of_table.or_else(|| views.first().cloned()).unwrap_or_default();
    }
    let mut rows = WinnersPage { cursor: 0, winners: Vec::new() };
    let mut kept = Vec::new();
    if !views.is_empty() {
        let request = choice.request(&key, &reading, (choice.cursor, LINES));
        rows = app.link.ask(&request).await.shown(&frame)?;
        kept = app.link.ask(&periods(&key, &reading.view)).await.shown(&frame)?;
    }
    let lines = rows.winners.into_iter().map(|winner| line(&frame, &key, &info, winner)).collect();
    page(&Winners {
        frame,
        name: key_shown(&key),
        path: board_path(&key, ""),
        tables,
        views,
        dimensions: info.dimensions,
        periods: kept,
        reading,
        choice,
        rows: lines,
        next: rows.cursor,
    })
}

fn line(frame: &Frame, key: &str, info: &BoardInfo, winner: Winner) -> Line {
    let shown = |Name(bytes): Name| Member(bytes).shown();
    let member = Member(winner.member.0);
    Line {
        rank: frame.number(winner.rank),
        name: member.shown(),
        path: Some(member_path(key, &member, "")),
        segment: winner.value.map(shown),
        score: frame.number(&winner.score),
        prize: shown(winner.prize),
        claimed: winner.claimed.map(|claimed| info.zone.minute(claimed)),
    }
}

/// All winners of the period, as a file.
async fn file(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(reading): Query<Reading>,
    Query(choice): Query<Choice>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let name = file_name(&[&key, "prizes", &reading.view, &reading.period, &reading.dimension], "csv");
    let mut lines = WinnerLines { app, key, reading, choice, cursor: Some(0), read: None };
    // The first lines are read before the download begins, because an error can still be shown as a page now.
    lines.read = lines.next().await.shown(&frame)?;
    Ok(download::file(CSV, &name, lines))
}

struct WinnerLines {
    app: App,
    key: String,
    reading: Reading,
    choice: Choice,
    /// The cursor of the next page; `None` at the end.
    cursor: Option<u64>,
    /// The first lines, which were already read.
    read: Option<Vec<u8>>,
}

impl Lines for WinnerLines {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        if let Some(read) = self.read.take() {
            return Ok(Some(read));
        }
        let Some(cursor) = self.cursor else { return Ok(None) };
        let request = self.choice.request(&self.key, &self.reading, (cursor, STEP));
        let page = self.app.link.ask(&request).await?;
        let names: Vec<&[u8]> = page.winners.iter().map(|winner| winner.member.as_bytes()).collect();
        let metas = match names.as_slice() {
            [] => Vec::new(),
            names => self.app.link.ask(&mgetmeta(&self.key, names)).await?,
        };
        self.cursor = Some(page.cursor).filter(|cursor| *cursor > 0);
        let is_first = cursor == 0;
        written(&page.winners, &metas, is_first)
            .map(Some)
            .map_err(|error| Problem::internal(error.to_string()))
    }
}

fn written(winners: &[Winner], metas: &[Option<Vec<u8>>], is_first: bool) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    if is_first {
        let rank = format!("{BYTE_ORDER_MARK}rank");
        out.write_record([&rank, "member", "meta", "score", "prize", "claimed", "segment"])?;
    }
    for (number, winner) in winners.iter().enumerate() {
        let meta = metas.get(number).and_then(Option::as_deref).unwrap_or_default();
        let claimed = winner.claimed.map(|claimed| claimed.to_string()).unwrap_or_default();
        let segment = winner.value.as_ref().map_or(&b""[..], Name::as_bytes);
        let [member, meta, prize, segment] =
            [winner.member.as_bytes(), meta, winner.prize.as_bytes(), segment].map(cell);
        let rank = winner.rank.to_string();
        out.write_record([&rank, &member, &meta, winner.score.as_str(), &prize, &claimed, &segment])?;
    }
    out.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_winners_and_their_claims() {
        let winner = |claimed, value: Option<&str>| Winner {
            rank: 1,
            member: Name::from("=ann"),
            score: "5".into(),
            prize: Name::from("gold"),
            claimed,
            value: value.map(Name::from),
        };
        let winners = [winner(Some(7), None), winner(None, Some("SE"))];
        let text = written(&winners, &[Some(b"Ann".to_vec()), None], true).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "\u{feff}rank,member,meta,score,prize,claimed,segment\n1,'=ann,Ann,5,gold,7,\n1,'=ann,,5,gold,,SE\n"
        );
    }
}
