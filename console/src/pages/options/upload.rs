//! Importing options from CSV. A file is compared with the board, the page shows the difference, and a button applies
//! exactly this difference. The page contains the file and a hash of the difference. If the difference has changed in
//! the meantime, it is shown again and not applied.

use askama::Template;
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::access::Role;
use crate::app::App;
use crate::candidates_csv::{Difference, Values};
use crate::i18n::numbers::grouped;
use crate::options;
use crate::pages::frame::{Failure, Frame, Page, Shown, failure, page};
use crate::pages::names::{Member, shown};
use crate::pages::options::{done, prepare, refused};
use crate::problem::{Fault, Problem};

/// The largest file, in bytes.
const LARGEST_FILE: usize = 8 << 20;
/// The largest form, in bytes: the file in Base64 and some other fields.
pub const LARGEST_FORM: usize = (LARGEST_FILE / 3 + 1) * 4 + (64 << 10);
/// The most lines of each kind of difference that a page shows.
const MOST_SHOWN: usize = 1_000;

#[derive(Template)]
#[template(path = "options_csv.html")]
struct DifferencePage {
    frame: Frame,
    key: String,
    difference: Difference,
    faults: Vec<Fault>,
    /// The reason why the file was not applied.
    notice: Option<String>,
    /// The file in Base64, because forms change the line breaks of texts.
    file: String,
    hash: String,
}

/// The fields that a form has sent.
#[derive(Default)]
pub struct Sent {
    pub file: Vec<u8>,
    pub text: Vec<u8>,
    hash: String,
}

/// Shows what a file would change.
pub async fn compare(State(app): State<App>, frame: Frame, Path(key): Path<String>, form: Multipart) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let sent = read(form).await.shown(&frame)?;
    let file = if sent.file.is_empty() { sent.text } else { sent.file };
    let texts = &frame.words.options;
    let reason = match file.len() {
        0 => Some(texts.csv_none),
        size if size > LARGEST_FILE => Some(texts.csv_too_large),
        _ => None,
    };
    if reason.is_some() {
        let (mut list, _) = prepare(&app, frame, key, 0).await?;
        list.csv_error = reason;
        return refused(&list);
    }
    let found = find(&app, frame, key, &file).await?;
    let status = if found.faults.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    page(&found).map(|page| (status, page).into_response())
}

/// Applies the difference that the page showed, if the difference has not changed.
pub async fn apply(State(app): State<App>, frame: Frame, Path(key): Path<String>, form: Multipart) -> Page {
    frame.caller.require_for(Role::Editor, &key).shown(&frame)?;
    let sent = read(form).await.shown(&frame)?;
    let file = STANDARD.decode(&sent.file).map_err(|_| Problem::invalid("the file is not Base64"));
    let file = file.shown(&frame)?;
    let mut found = find(&app, frame, key, &file).await?;
    if !found.faults.is_empty() || found.hash != sent.hash {
        found.notice = Some(found.frame.words.options.moved.to_owned());
    } else {
        match options::apply(&app, &found.frame.caller, &found.key, &found.difference).await {
            Ok(()) => return Ok(done(&found.key, 0, "applied")),
            Err(problem) if problem.status().is_client_error() => {
                found.notice = Some(problem.detail().to_owned());
            }
            Err(problem) => return Err(failure(&found.frame, &problem)),
        }
    }
    page(&found).map(|page| (StatusCode::CONFLICT, page).into_response())
}

/// The difference between the file and the board at this moment, or the faults of the file.
async fn find(app: &App, frame: Frame, key: String, file: &[u8]) -> Result<DifferencePage, Failure> {
    let (difference, faults) = match options::compare(&app.link, &key, file).await {
        Ok(difference) => (difference, Vec::new()),
        Err(problem) if !problem.errors().is_empty() => (Difference::default(), problem.errors().to_vec()),
        Err(problem) => return Err(failure(&frame, &problem)),
    };
    Ok(DifferencePage {
        hash: blake3::hash(format!("{difference:?}").as_bytes()).to_hex().to_string(),
        file: STANDARD.encode(file),
        frame,
        key,
        difference,
        faults,
        notice: None,
    })
}

/// Reads the fields of a form with a file.
///
/// # Errors
/// 413 for a form that is too large; 400 for one that is broken.
pub async fn read(mut form: Multipart) -> Result<Sent, Problem> {
    let mut sent = Sent::default();
    let refused = |error: axum::extract::multipart::MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(),
        _ => Problem::invalid(error.body_text()),
    };
    while let Some(field) = form.next_field().await.map_err(refused)? {
        take(&mut sent, field).await.map_err(refused)?;
    }
    Ok(sent)
}

async fn take(sent: &mut Sent, field: Field<'_>) -> Result<(), axum::extract::multipart::MultipartError> {
    match field.name() {
        Some("file") => sent.file = field.bytes().await?.to_vec(),
        Some("text") => sent.text = field.bytes().await?.to_vec(),
        Some("hash") => sent.hash = field.text().await?,
        _ => {}
    }
    Ok(())
}

/// An option of a difference, as the page shows it.
struct Entry {
    member: Member,
    values: [Cell; 3],
}

/// A value, and the old value if it was different.
struct Cell {
    from: Option<String>,
    to: String,
}

fn texts(values: &Values) -> [String; 3] {
    let meta = values.meta.as_deref().map(shown).unwrap_or_default();
    [grouped(&values.weight.to_string()), grouped(&values.initial.to_string()), meta]
}

impl Entry {
    fn of(member: &leaderboard_client::Name, from: Option<&Values>, to: &Values) -> Self {
        let before = from.map_or_else(|| texts(to), texts);
        let mut before = before.into_iter();
        let values = texts(to).map(|to| Cell { from: before.next().filter(|from| *from != to), to });
        Self { member: member.clone().into(), values }
    }
}

impl DifferencePage {
    fn added(&self) -> Vec<Entry> {
        let added = self.difference.added.iter().take(MOST_SHOWN);
        added.map(|(member, to)| Entry::of(member, None, to)).collect()
    }

    fn changed(&self) -> Vec<Entry> {
        let changed = self.difference.changed.iter().take(MOST_SHOWN);
        changed.map(|change| Entry::of(&change.member, Some(&change.from), &change.to)).collect()
    }

    /// How many of `number` options the page leaves out.
    fn left_out(&self, number: usize) -> usize {
        number.saturating_sub(MOST_SHOWN)
    }

    fn is_nothing(&self) -> bool {
        self.difference.added.is_empty() && self.difference.changed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_tells_what_it_was_only_where_that_was_another() {
        let from = Values { weight: 1, initial: 5, meta: None };
        let to = Values { weight: 1, initial: 7, meta: Some(b"a".to_vec()) };
        let entry = Entry::of(&"m".into(), Some(&from), &to);
        let cells = entry.values.map(|cell| (cell.from, cell.to));
        let cell = |from: Option<&str>, to: &str| (from.map(str::to_owned), to.to_owned());
        assert_eq!(cells, [cell(None, "1"), cell(Some("5"), "7"), cell(Some(""), "a")]);
    }
}
