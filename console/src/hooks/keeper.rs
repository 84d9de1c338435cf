//! Finds the boards that hooks are about, and visits each of them when it has something to tell.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::task::JoinSet;

use super::deliver::visit;
use super::{Desk, now};
use crate::access::{Caller, Role};
use crate::catalog::{self, Kind};
use crate::problem::Problem;

/// How often is looked for boards that are due.
const TICK: Duration = Duration::from_millis(250);
/// How many boards are visited at once.
const AT_ONCE: usize = 64;
/// How many visits begin in a tick. Each asks the servers some small things, so this bounds what they do for boards with nothing to tell.
const PER_TICK: usize = 50;
/// How many pages of keys are read between two looks at boards that are due.
const PAGES: usize = 4;
/// How long after the end of a list of keys the next one begins, in ms.
const REST: u64 = 5_000;
/// How long a board is left alone after an error, in ms.
const AFTER_ERROR: u64 = 10_000;

/// Keeps receivers up to date for as long as the console runs.
pub async fn keep(desk: Desk) {
    if desk.hooks.list.is_empty() {
        return;
    }
    let mut keeper = Keeper::default();
    while !desk.stopping.is_cancelled() {
        keeper.find_boards(&desk).await;
        keeper.collect(&desk);
        keeper.visit(&desk);
        tokio::time::sleep(TICK).await;
    }
    // A delivery that is on the way may end, so that it is not repeated after a restart.
    while keeper.visits.join_next().await.is_some() {}
}

type Visited = (String, Result<Option<u64>, Problem>);

#[derive(Default)]
struct Keeper {
    /// The boards, and when each is due, in ms. A board that is visited is not in it.
    due: BTreeMap<String, u64>,
    visited: BTreeSet<String>,
    visits: JoinSet<Visited>,
    /// The boards of the list that is being read, and the cursor of its next page.
    found: BTreeSet<String>,
    cursor: Option<String>,
    /// When the next list begins, in ms.
    next_list: u64,
}

impl Keeper {
    /// Reads some pages of the list of boards. At its end, boards that are not in it are forgotten.
    async fn find_boards(&mut self, desk: &Desk) {
        if self.cursor.is_none() && now() < self.next_list {
            return;
        }
        let Ok(caller) = Caller::new("hooks", Role::Viewer, &["*".to_owned()], true) else { return };
        for _ in 0..PAGES {
            let page =
                catalog::list(&desk.link, &caller, Kind::Board, None, self.cursor.as_deref(), None).await;
            let Ok(page) = page else {
                // A list that broke off says nothing about boards that are gone.
                (self.cursor, self.next_list) = (None, now().saturating_add(REST));
                self.found.clear();
                return;
            };
            let about = page.keys.into_iter().filter(|key| desk.hooks.about(key).next().is_some());
            for key in about {
                if !self.visited.contains(&key) {
                    self.due.entry(key.clone()).or_insert(0);
                }
                self.found.insert(key);
            }
            self.cursor = page.next;
            if self.cursor.is_none() {
                self.end_list(desk);
                return;
            }
        }
    }

    fn end_list(&mut self, desk: &Desk) {
        let found = std::mem::take(&mut self.found);
        self.due.retain(|key, _| {
            let stays = found.contains(key);
            if !stays {
                desk.hooks.watched.forget(key);
            }
            stays
        });
        self.next_list = now().saturating_add(REST);
    }

    /// Takes the results of visits that have ended.
    fn collect(&mut self, desk: &Desk) {
        while let Some(done) = self.visits.try_join_next() {
            // A visit that panicked is not known by its key. Its board is found again with the next list.
            let Ok((key, result)) = done else {
                self.visited.clear();
                continue;
            };
            self.visited.remove(&key);
            match result {
                Ok(Some(next)) => _ = self.due.insert(key, next),
                Ok(None) => desk.hooks.watched.forget(&key),
                Err(problem) => {
                    if desk.hooks.watched.trouble(&key, problem.detail()) {
                        eprintln!("leaderboard-gateway: hooks: {key}: {}", problem.detail());
                    }
                    self.due.insert(key, now().saturating_add(AFTER_ERROR));
                }
            }
        }
    }

    /// Begins visits to boards that are due.
    fn visit(&mut self, desk: &Desk) {
        let now = now();
        let room = AT_ONCE.saturating_sub(self.visits.len()).min(PER_TICK);
        let due = self.due.iter().filter(|(_, next)| **next <= now).map(|(key, next)| (*next, key.clone()));
        let mut due: Vec<_> = due.collect();
        // Those that have waited longest come first.
        due.sort_unstable();
        for (_, key) in due.into_iter().take(room) {
            self.due.remove(&key);
            self.visited.insert(key.clone());
            let desk = desk.clone();
            self.visits.spawn(async move {
                let done = visit(&desk, &key).await;
                (key, done)
            });
        }
    }
}
