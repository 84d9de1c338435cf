//! What is shown of a board, a league or a counter in the list.

use leaderboard_client::{Info, InfoValue, counters, info, leagues};

use crate::app::App;
use crate::catalog::Kind;
use crate::pages::board::key_shown;
use crate::pages::board_info::{self, BoardInfo};
use crate::pages::names::{board_path, encoded};
use crate::pages::times::Zone;
use crate::problem::Problem;

/// A board, a league or a counter.
#[derive(Debug, Clone)]
pub struct Entry {
    pub key: String,
    /// The key in a form that can be displayed.
    pub name: String,
    pub path: String,
    /// Views, tiers or precisions.
    pub parts: Vec<String>,
    /// Members, or the total of a counter.
    pub number: i64,
    pub memory: u64,
    pub state: Activity,
}

impl Entry {
    pub fn is_campaign(&self) -> bool {
        !matches!(self.state, Activity::Nothing)
    }
}

/// The present activity of a board, a league or a counter.
#[derive(Debug, Clone)]
pub enum Activity {
    Nothing,
    NotYet(String),
    Open(Option<String>),
    Closed(String),
    Period(String),
}

/// Reads what is shown of a key; `None` if it is gone.
///
/// # Errors
/// If the server does not answer.
pub async fn entry(app: &App, kind: Kind, key: String) -> Result<Option<Entry>, Problem> {
    let request = match kind {
        Kind::Board => info(&key),
        Kind::League => leagues::info(&key),
        Kind::Counter => counters::info(&key),
    };
    let told = app.link.ask(&request).await?;
    Ok(told.map(|told| match kind {
        Kind::Board => board(&key, told),
        Kind::League => league(&key, &told),
        Kind::Counter => counter(&key, &told),
    }))
}

fn board(key: &str, told: Info) -> Entry {
    let board = BoardInfo::of(told);
    let state = match board.state {
        board_info::State::NoCampaign => Activity::Nothing,
        board_info::State::NotYet => Activity::NotYet(moment(&board.zone, board.opens)),
        board_info::State::Open => {
            Activity::Open((board.closes != 0).then(|| moment(&board.zone, board.closes)))
        }
        board_info::State::Closed => Activity::Closed(moment(&board.zone, board.closes)),
    };
    let number = i64::try_from(board.members).unwrap_or(i64::MAX);
    Entry {
        key: key.to_owned(),
        path: board_path(key, ""),
        name: key_shown(key),
        parts: board.views,
        number,
        memory: board.memory,
        state,
    }
}

fn moment(zone: &Zone, ms: i64) -> String {
    format!("{} {}", zone.minute(ms), zone.name)
}

fn league(key: &str, told: &Info) -> Entry {
    let members = told.numbers("members").unwrap_or_default().iter().sum();
    let state = Activity::Period(told.text("period").unwrap_or_default().to_owned());
    Entry {
        key: key.to_owned(),
        path: format!("/leagues/{}", encoded(key)),
        name: key_shown(key),
        parts: parts(told, "tiers"),
        number: members,
        memory: memory(told),
        state,
    }
}

fn counter(key: &str, told: &Info) -> Entry {
    Entry {
        key: key.to_owned(),
        path: format!("/counters/{}", encoded(key)),
        name: key_shown(key),
        parts: parts(told, "precisions").into_iter().map(|seconds| format!("{seconds} s")).collect(),
        number: told.number("total").unwrap_or(0),
        memory: memory(told),
        state: Activity::Nothing,
    }
}

fn parts(told: &Info, name: &str) -> Vec<String> {
    match told.get(name) {
        Some(InfoValue::Text(text)) => text.split(',').map(str::to_owned).collect(),
        Some(InfoValue::Number(number)) => vec![number.to_string()],
        Some(InfoValue::Numbers(numbers)) => numbers.iter().map(ToString::to_string).collect(),
        Some(InfoValue::Texts(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn memory(told: &Info) -> u64 {
    told.number("memory").and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0)
}
