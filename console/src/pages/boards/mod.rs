//! The list of boards, leagues and counters, sorted and grouped over all keys, and shown page by page. `entries` reads what is shown of
//! each key; `listing` reads all keys, and keeps long lists for some seconds.

mod entries;
mod listing;

use std::cmp::Reverse;
use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;

use crate::access::Role;
use crate::app::App;
use crate::catalog::Kind;
use crate::pages::arguments::Query;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::names::encoded;
use entries::{Activity, Entry};
use listing::Listings;

/// How many entries a page has.
const ROWS: usize = 100;
/// What is before this mark in several keys is the name of a group.
const SEPARATOR: char = ':';

/// The routes.
pub fn router() -> Router<App> {
    Router::new().route("/boards", get(show)).layer(Extension(Arc::new(Listings::default())))
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    filter: String,
    #[serde(default)]
    kind: String,
    /// From 1.
    #[serde(default)]
    page: usize,
    #[serde(default)]
    deleted: String,
    /// `number` or `memory`; else by key.
    #[serde(default)]
    sort: String,
}

#[derive(Template)]
#[template(path = "boards.html")]
struct Boards {
    frame: Frame,
    kind: &'static str,
    filter: String,
    deleted: String,
    sort: &'static str,
    /// The entries of this page in groups of one prefix. Sorted by a number, they are one group.
    groups: Vec<Group>,
    /// The first and the last entry of this page, from 1, and the number of all.
    span: (usize, usize),
    total: usize,
    page: usize,
    /// Whether there are more keys than one list has.
    is_cut: bool,
}

impl Boards {
    /// Whether the visitor may make a board, a league or a counter.
    fn makes(&self) -> bool {
        self.frame.caller.has(Role::Admin)
    }

    /// The address of another page of this list.
    fn address(&self, page: usize) -> String {
        let filter = encoded(&self.filter);
        format!("/boards?kind={}&filter={filter}&sort={}&page={page}", self.kind, self.sort)
    }

    /// `1–100 of 3,003`.
    fn place(&self) -> String {
        let (first, last) = self.span;
        let text = self.frame.words.boards.span.replace("{from}", &self.frame.number(first));
        text.replace("{to}", &self.frame.number(last)).replace("{}", &self.frame.number(self.total))
    }
}

/// Entries whose keys have the same prefix, as far as they are on this page. The numbers are those of all entries of the group.
struct Group {
    /// The prefix; `None` for entries without one, and for a single entry of its prefix.
    prefix: Option<String>,
    count: usize,
    number: i64,
    memory: u64,
    entries: Vec<Entry>,
}

async fn show(
    State(app): State<App>,
    Extension(listings): Extension<Arc<Listings>>,
    frame: Frame,
    Query(choice): Query<Choice>,
) -> Page {
    let (kind, name) = match choice.kind.as_str() {
        "league" => (Kind::League, "league"),
        "counter" => (Kind::Counter, "counter"),
        _ => (Kind::Board, "board"),
    };
    // A key that was just deleted is not in a list that was read before.
    if !choice.deleted.is_empty() {
        listings.forget();
    }
    let listing = listings.read(&app, &frame.caller, kind, &choice.filter).await.shown(&frame)?;
    let mut entries: Vec<&Entry> =
        listing.entries.iter().filter(|entry| frame.caller.sees(&entry.key)).collect();
    let sort = match choice.sort.as_str() {
        "number" => {
            entries.sort_by_key(|entry| Reverse(entry.number));
            "number"
        }
        "memory" => {
            entries.sort_by_key(|entry| Reverse(entry.memory));
            "memory"
        }
        _ => "key",
    };
    let all = if sort == "key" { grouped(&entries) } else { vec![(None, entries.as_slice())] };
    let last_page = entries.len().div_ceil(ROWS).max(1);
    let number = choice.page.clamp(1, last_page);
    let start = number.saturating_sub(1).saturating_mul(ROWS);
    let end = start.saturating_add(ROWS).min(entries.len());
    page(&Boards {
        kind: name,
        filter: choice.filter,
        deleted: choice.deleted,
        sort,
        groups: part(&all, start, end),
        span: (start.saturating_add(1), end),
        total: entries.len(),
        page: number,
        is_cut: listing.is_cut,
        frame,
    })
}

/// A prefix, and the entries with it.
type Prefixed<'a> = (Option<String>, &'a [&'a Entry]);

/// Groups entries, which are in the order of their keys.
fn grouped<'a>(entries: &'a [&'a Entry]) -> Vec<Prefixed<'a>> {
    let prefix =
        |entry: &Entry| entry.name.split_once(SEPARATOR).map(|(prefix, _)| format!("{prefix}{SEPARATOR}"));
    let groups = entries.chunk_by(|one, other| prefix(one) == prefix(other));
    let named = |group: &'a [&'a Entry]| {
        let its = group.first().and_then(|entry| prefix(entry));
        (its.filter(|_| group.len() > 1), group)
    };
    groups.map(named).collect()
}

/// The groups of the entries from `start` to `end`.
fn part(all: &[Prefixed<'_>], start: usize, end: usize) -> Vec<Group> {
    let mut before = 0_usize;
    let mut groups = Vec::new();
    for (prefix, entries) in all {
        let here = |place: usize| place.saturating_sub(before).min(entries.len());
        let shown = entries.get(here(start)..here(end)).unwrap_or_default();
        before = before.saturating_add(entries.len());
        if shown.is_empty() {
            continue;
        }
        groups.push(Group {
            prefix: prefix.clone(),
            count: entries.len(),
            number: entries.iter().fold(0, |sum: i64, entry| sum.saturating_add(entry.number)),
            memory: entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.memory)),
            entries: shown.iter().map(|entry| (*entry).clone()).collect(),
        });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(keys: &[String]) -> Vec<Entry> {
        let entry = |key: &String| Entry {
            key: key.clone(),
            name: key.clone(),
            path: String::new(),
            parts: Vec::new(),
            number: 2,
            memory: 3,
            state: Activity::Nothing,
        };
        keys.iter().map(entry).collect()
    }

    #[test]
    fn a_group_over_two_pages_has_the_totals_of_all_its_keys_on_both() {
        let keys: Vec<String> =
            (0..150).map(|number| format!("asia:{number:03}")).chain(["x".to_owned()]).collect();
        let all = entries(&keys);
        let all: Vec<&Entry> = all.iter().collect();
        let groups = grouped(&all);
        let told = |start, end| -> Vec<(Option<String>, usize, i64, u64, usize)> {
            let group =
                |group: Group| (group.prefix, group.count, group.number, group.memory, group.entries.len());
            part(&groups, start, end).into_iter().map(group).collect()
        };
        let asia = |shown| (Some("asia:".to_owned()), 150, 300, 450, shown);
        assert_eq!(told(0, 100), [asia(100)]);
        assert_eq!(told(100, 151), [asia(50), (None, 1, 2, 3, 1)]);
        assert_eq!(told(0, 0), []);
    }
}
