//! Files of many lines: they are read from the server page by page while they are sent, so that no file is in memory as a
//! whole.

use std::future::Future;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;

use crate::problem::Problem;
use crate::share::Visit;

/// The lines of a file.
pub trait Lines: Send + 'static {
    /// Reads the next lines, as bytes of the file; `None` at the end.
    fn next(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, Problem>> + Send;
}

/// The content type of comma-separated values.
pub const CSV: &str = "text/csv; charset=utf-8";
/// The content type of lines of JSON.
pub const JSON_LINES: &str = "application/jsonl; charset=utf-8";

/// A file of this content type and name.
pub fn file(kind: &'static str, name: &str, lines: impl Lines) -> Response {
    // The body is read after the handler has returned, and still uses the visit of the request.
    let state = (lines, Visit::of_this_request());
    let chunks = try_unfold(state, async |(mut lines, visit)| {
        let next = match &visit {
            Some(visit) => {
                // The earlier lines have already been sent.
                visit.begin_anew();
                Arc::clone(visit).scope(lines.next()).await
            }
            None => lines.next().await,
        };
        let next = next.map_err(|problem| std::io::Error::other(problem.detail().to_owned()))?;
        Ok::<_, std::io::Error>(next.map(|chunk| (chunk, (lines, visit))))
    });
    let head =
        [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))];
    (head, Body::from_stream(chunks)).into_response()
}

/// A name of a file that is plain in every system, made of these parts and an ending. Empty parts are left out.
pub fn file_name(parts: &[&str], ending: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let part = |part: &&str| part.chars().take(64).map(plain).collect::<String>();
    let name = parts.iter().filter(|part| !part.is_empty()).map(part).collect::<Vec<_>>().join("_");
    format!("{name}.{ending}")
}

/// A cell that no spreadsheet reads as a formula.
pub fn cell(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.into_owned() }
}

/// The first bytes of a file: they show spreadsheets that it is UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";
