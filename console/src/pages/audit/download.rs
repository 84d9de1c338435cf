//! The audit log as JSON lines: the whole file if there is one, else the records in memory. It contains only records of
//! keys that the caller sees.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use serde::Deserialize;
use tokio::fs::File;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};

use crate::access::Caller;
use crate::app::App;
use crate::download::JSON_LINES;
use crate::problem::Problem;

/// Answers with the log, oldest first.
pub async fn download(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    caller.require_audit()?;
    let body = match &app.settings.audit {
        Some(path) => {
            let file = File::open(path).await;
            let file = file.map_err(|error| Problem::internal(format!("the audit log: {error}")))?;
            Body::from_stream(seen_lines(BufReader::new(file).lines(), caller))
        }
        None => Body::from(in_memory(&app, &caller)),
    };
    let head = [(CONTENT_TYPE, JSON_LINES), (CONTENT_DISPOSITION, "attachment; filename=\"audit.jsonl\"")];
    Ok((head, body).into_response())
}

fn in_memory(app: &App, caller: &Caller) -> String {
    let records = app.audit.latest(|record| caller.sees(&record.key));
    let lines = records.iter().rev().filter_map(|record| serde_json::to_string(record).ok());
    lines.map(|line| line + "\n").collect()
}

/// The part of a line that decides whether a caller may see it.
#[derive(Deserialize)]
struct Line {
    key: String,
}

fn seen_lines(
    lines: Lines<BufReader<File>>,
    caller: Caller,
) -> impl Stream<Item = Result<String, std::io::Error>> {
    stream::try_unfold((lines, caller), next_seen)
}

type Place = (Lines<BufReader<File>>, Caller);

async fn next_seen((mut lines, caller): Place) -> Result<Option<(String, Place)>, std::io::Error> {
    while let Some(line) = lines.next_line().await? {
        if serde_json::from_str::<Line>(&line).is_ok_and(|line| caller.sees(&line.key)) {
            return Ok(Some((line + "\n", (lines, caller))));
        }
    }
    Ok(None)
}
