//! The list of boards, leagues and counters.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::routing::get;
use futures_util::{StreamExt, TryStreamExt, stream};
use leaderboard_client::{Info, InfoValue, counters, info, leagues};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::catalog::{Kind, list};
use crate::pages::arguments::Query;
use crate::pages::board::key_shown;
use crate::pages::board_info::{self, BoardInfo};
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::{board_path, encoded};
use crate::pages::times::Zone;
use crate::problem::Problem;

/// For how many keys the page asks at once.
const AT_ONCE: usize = 64;

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards", get(show))
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    filter: String,
    #[serde(default)]
    kind: String,
    cursor: Option<String>,
    #[serde(default)]
    deleted: String,
    /// `number` or `memory`; else by key.
    #[serde(default)]
    sort: String,
}

/// What is before this mark in several keys is the name of a group.
const SEPARATOR: char = ':';

#[derive(Template)]
#[template(path = "boards.html")]
struct Boards {
    frame: Frame,
    kind: &'static str,
    filter: String,
    deleted: String,
    sort: &'static str,
    /// The entries in groups of one prefix. Sorted by a number, they are one group.
    groups: Vec<Group>,
    next: Option<String>,
}

/// Entries whose keys have the same prefix.
struct Group {
    /// The prefix; `None` for entries without one, and for a single entry of its prefix.
    prefix: Option<String>,
    number: i64,
    memory: u64,
    entries: Vec<Entry>,
}

impl Group {
    fn of(prefix: Option<String>, entries: Vec<Entry>) -> Self {
        let number = entries.iter().fold(0, |sum: i64, entry| sum.saturating_add(entry.number));
        let memory = entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.memory));
        Self { prefix, number, memory, entries }
    }
}

/// Groups entries, which are in the order of their keys.
fn grouped(entries: Vec<Entry>) -> Vec<Group> {
    let prefix =
        |entry: &Entry| entry.name.split_once(SEPARATOR).map(|(prefix, _)| format!("{prefix}{SEPARATOR}"));
    let mut groups: Vec<(Option<String>, Vec<Entry>)> = Vec::new();
    for entry in entries {
        let its = prefix(&entry);
        match groups.last_mut().filter(|(last, _)| *last == its) {
            Some((_, entries)) => entries.push(entry),
            None => groups.push((its, vec![entry])),
        }
    }
    let named = |(prefix, entries): (Option<String>, Vec<Entry>)| {
        Group::of(prefix.filter(|_| entries.len() > 1), entries)
    };
    groups.into_iter().map(named).collect()
}

impl Boards {
    /// Whether the visitor may make a board, a league or a counter.
    fn makes(&self) -> bool {
        self.frame.caller.has(Role::Admin)
    }
}

/// A board, a league or a counter.
struct Entry {
    /// The key in a form that can be displayed.
    name: String,
    path: String,
    /// Views, tiers or precisions.
    parts: Vec<String>,
    /// Members, or the total of a counter.
    number: i64,
    memory: u64,
    state: Activity,
}

impl Entry {
    fn is_campaign(&self) -> bool {
        !matches!(self.state, Activity::Nothing)
    }
}

/// The present activity of a board, a league or a counter.
enum Activity {
    Nothing,
    NotYet(String),
    Open(Option<String>),
    Closed(String),
    Period(String),
}

async fn show(State(app): State<App>, frame: Frame, Query(choice): Query<Choice>) -> Page {
    let (kind, name) = match choice.kind.as_str() {
        "league" => (Kind::League, "league"),
        "counter" => (Kind::Counter, "counter"),
        _ => (Kind::Board, "board"),
    };
    let own = app.kept.prefix();
    let found = list(&app.link, &frame.caller, kind, Some(&choice.filter), choice.cursor.as_deref(), own);
    let found = found.await.shown(&frame)?;
    let entries = stream::iter(found.keys).map(|key| entry(&app, kind, key)).buffered(AT_ONCE);
    let entries: Vec<Option<Entry>> = entries.try_collect().await.shown(&frame)?;
    // A missing entry was deleted after the list was read.
    let mut entries: Vec<Entry> = entries.into_iter().flatten().collect();
    let (sort, groups) = match choice.sort.as_str() {
        "number" => {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.number));
            ("number", vec![Group::of(None, entries)])
        }
        "memory" => {
            entries.sort_by_key(|entry| std::cmp::Reverse(entry.memory));
            ("memory", vec![Group::of(None, entries)])
        }
        _ => ("key", grouped(entries)),
    };
    let groups = groups.into_iter().filter(|group| !group.entries.is_empty()).collect();
    let (filter, deleted) = (choice.filter, choice.deleted);
    page(&Boards { frame, kind: name, filter, deleted, sort, groups, next: found.next })
}

async fn entry(app: &App, kind: Kind, key: String) -> Result<Option<Entry>, Problem> {
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
