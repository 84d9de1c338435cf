//! Scores of many members from a CSV file: what it would change, and setting them in pieces that do not stop the server.

mod read;

use leaderboard_client::{Info, info, mscore, mset};

use crate::access::Caller;
use crate::access::audit::Event;
use crate::app::App;
use crate::fresh_id::fresh_id;
use crate::problem::Problem;
use crate::share::Visit;

pub use read::read;

/// How many members a file has at most.
pub const MOST_ROWS: usize = 100_000;
/// The largest file, in bytes.
pub const LARGEST_FILE: usize = 8 << 20;
/// How many scores are set in one step: the server serves no other client meanwhile.
const PIECE: usize = 100;
/// How many scores are read at once.
const READ: usize = 500;
/// How many changes are shown.
const MOST_SHOWN: usize = 500;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub member: Vec<u8>,
    pub score: String,
}

/// What a file would change.
#[derive(Debug, Default)]
pub struct Changes {
    /// Members that are not ranked in the default view.
    pub new: usize,
    pub changed: usize,
    pub same: usize,
    /// The first changes: the member, its score now, and the score of the file.
    pub first: Vec<(Vec<u8>, Option<String>, String)>,
}

impl Changes {
    /// How many members would get another score.
    pub const fn count(&self) -> usize {
        self.new.saturating_add(self.changed)
    }
}

/// Reads a file, and compares it with the default view of a board.
///
/// # Errors
/// 404 for an absent board; 400 with all faults of the file; and if the server does not answer.
pub async fn compare(app: &App, key: &str, file: &[u8]) -> Result<Changes, Problem> {
    let (_, rows) = load(app, key, file).await?;
    let mut changes = Changes::default();
    for rows in rows.chunks(READ) {
        let places = app.link.ask(&mscore(key, rows.iter().map(|row| &row.member))).await?;
        for (row, place) in rows.iter().zip(places) {
            let now = place.map(|place| place.score.as_str().to_owned());
            match &now {
                Some(now) if is_same(now, &row.score) => {
                    changes.same = changes.same.saturating_add(1);
                    continue;
                }
                Some(_) => changes.changed = changes.changed.saturating_add(1),
                None => changes.new = changes.new.saturating_add(1),
            }
            if changes.first.len() < MOST_SHOWN {
                changes.first.push((row.member.clone(), now, row.score.clone()));
            }
        }
    }
    Ok(changes)
}

/// Whether two decimal numbers are equal.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim_start_matches('+');
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        let digits = digits.trim_start_matches('0');
        let digits =
            if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
        if digits.is_empty() { String::new() } else { format!("{sign}{digits}") }
    };
    one == other || plain(one) == plain(other)
}

/// Sets all scores of a file in the default view, past all rules, in pieces. It goes on to its end even if the caller stops waiting.
/// Returns how many were set.
///
/// # Errors
/// As [`compare`]; an error in the middle says how many scores were set before. The file can be sent again.
pub async fn apply(app: &App, caller: &Caller, key: &str, file: &[u8]) -> Result<usize, Problem> {
    let (told, rows) = load(app, key, file).await?;
    let (app, caller, key) = (app.clone(), caller.clone(), key.to_owned());
    let work = async move {
        let (done, result) = set_all(&app, &key, &told, &rows).await;
        let detail = format!("{done} of {} scores set", rows.len());
        let outcome = result.clone().map_err(|problem| problem.detail().to_owned());
        app.audit.note(&caller, Event { action: "import", key, detail, ..Event::default() }, outcome);
        result.map(|()| done)
    };
    Visit::to_the_end(work).await?
}

/// Sets scores until one piece is refused. Returns how many were set.
async fn set_all(app: &App, key: &str, told: &Info, rows: &[Row]) -> (usize, Result<(), Problem>) {
    // A board whose clock is the time of the writes needs the moment of these.
    let at = (told.text("clock") == Some("EVENT")).then(|| told.number("now").unwrap_or(0));
    // Over parts, a list needs an id: a piece of it may have to be sent again.
    let id = match told.parts().map(|_| fresh_id()).transpose() {
        Ok(id) => id,
        Err(problem) => return (0, Err(problem)),
    };
    let mut done = 0_usize;
    for rows in rows.chunks(PIECE) {
        let request = mset(key, rows.iter().map(|row| (row.score.as_str(), &row.member))).force();
        let request = if let Some(at) = at { request.at(at) } else { request };
        let request = if let Some(id) = &id { request.id(format!("{id}:{done}")) } else { request };
        if let Err(problem) = app.link.ask(&request).await {
            let problem = if done > 0 { problem.behind_a_change() } else { problem };
            return (done, Err(problem.of(&format!("after {done} scores"))));
        }
        done = done.saturating_add(rows.len());
    }
    (done, Ok(()))
}

/// The rules of the board, and the lines of the file.
async fn load(app: &App, key: &str, file: &[u8]) -> Result<(Info, Vec<Row>), Problem> {
    Visit::allow_a_file();
    let told = app.link.ask(&info(key)).await?;
    let told = told.ok_or_else(|| Problem::no_board(format!("key: there is no board '{key}'")))?;
    let has_levels = told.text("levels").is_some_and(|levels| !levels.is_empty());
    let decimals = told.number("decimals").and_then(|digits| usize::try_from(digits).ok()).unwrap_or(0);
    let rows = read(file, (!has_levels).then_some(decimals)).map_err(Problem::invalid_lines)?;
    Ok((told, rows))
}
