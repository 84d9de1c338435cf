//! A ranking as CSV: rank, member, score and text of up to 100,000 members, page by page. A member whose rank changes
//! during the download can be missing or occur twice; an ended period is exact.

use axum::extract::{Path, State};
use leaderboard_client::{Row, info, top};

use crate::access::Role;
use crate::app::App;
use crate::download::{BYTE_ORDER_MARK, CSV, Lines, cell, file, file_name};
use crate::pages::arguments::Query;
use crate::pages::frame::{Frame, Page, Shown};
use crate::pages::reading::Reading;
use crate::problem::Problem;

/// The most lines of a file.
const MOST: u64 = 100_000;
/// How many lines are read at once.
const STEP: u64 = 1_000;

/// The file.
pub async fn rows(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(reading): Query<Reading>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    let name = name_of(&key, &reading);
    // The first lines are read before the download begins, because an error can still be shown as a page now.
    let told = app.link.ask(&info(&key)).await.shown(&frame)?;
    told.ok_or_else(|| Problem::not_found(frame.words.board.absent)).shown(&frame)?;
    let first = read(&app, &key, &reading, 0).await.shown(&frame)?;
    Ok(file(CSV, &name, RankedLines { app, key, reading, offset: 0, read: Some(first) }))
}

struct RankedLines {
    app: App,
    key: String,
    reading: Reading,
    offset: u64,
    /// The first lines, which were already read.
    read: Option<Vec<Row>>,
}

impl Lines for RankedLines {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let is_first = self.offset == 0;
        if self.offset >= MOST {
            return Ok(None);
        }
        let rows = match self.read.take() {
            Some(rows) => rows,
            None => read(&self.app, &self.key, &self.reading, self.offset).await?,
        };
        if rows.is_empty() && !is_first {
            return Ok(None);
        }
        self.offset = self.offset.saturating_add(STEP);
        written(&rows, is_first).map(Some).map_err(|error| Problem::internal(error.to_string()))
    }
}

async fn read(app: &App, key: &str, reading: &Reading, offset: u64) -> Result<Vec<Row>, Problem> {
    app.link.ask(&reading.put(top(key, STEP).offset(offset).with_meta())).await
}

fn written(rows: &[Row], is_first: bool) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    if is_first {
        out.write_record([&format!("{BYTE_ORDER_MARK}rank"), "member", "score", "meta"])?;
    }
    for row in rows {
        let meta = row.meta.as_deref().unwrap_or_default();
        let (member, meta) = (cell(row.member.as_bytes()), cell(meta));
        out.write_record([&row.rank.to_string(), &member, row.score.as_str(), &meta])?;
    }
    out.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

fn name_of(key: &str, reading: &Reading) -> String {
    let (dimension, segment) = reading.segment().unwrap_or_default();
    file_name(&[key, &reading.view, &reading.period, dimension, segment], "csv")
}

#[cfg(test)]
mod tests {
    use super::*;
    use leaderboard_client::{Name, Score};

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        let row = |member: &str, meta: Option<&str>| Row {
            rank: 1,
            member: Name::from(member),
            score: Score::from("-5"),
            meta: meta.map(|meta| meta.as_bytes().to_vec()),
        };
        let rows = [row("=1+2", None), row("a,\"b\"", Some("@x"))];
        let text = String::from_utf8(written(&rows, true).unwrap()).unwrap();
        assert_eq!(text, "\u{feff}rank,member,score,meta\n1,'=1+2,-5,\n1,\"a,\"\"b\"\"\",-5,'@x\n");
    }

    #[test]
    fn the_name_of_the_file_is_plain() {
        let reading = Reading { view: "day:7".into(), period: "2026-11-22".into(), ..Reading::default() };
        assert_eq!(name_of("a/\"榜", &reading), "a____day_7_2026-11-22.csv");
        let reading = Reading { dimension: "country".into(), segment: "S/E".into(), ..reading };
        assert_eq!(name_of("a", &reading), "a_day_7_2026-11-22_country_S_E.csv");
    }
}
