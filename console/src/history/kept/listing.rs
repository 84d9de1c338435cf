//! The boards that are noted, and which of them are new. The list is read by walks over all keys of the servers, some steps of a walk
//! each minute: a server with few keys is walked whole each minute, and one with millions of keys takes several minutes.

use std::collections::{BTreeMap, BTreeSet};

use super::recorder::everybody;
use crate::catalog::{self, Bounds, Kind};
use crate::link::Link;
use crate::problem::Problem;

/// How many boards are noted: first those whose pages were visited in the last hour, then the first ones of the list.
const MOST_NOTED: usize = 200;
/// What is read in a minute: a step looks at 1,000 keys. A walk that finds more boards ends there, and nothing is known of the others.
const BOUNDS: Bounds = Bounds { keys: 10_000, steps: 200 };

/// What the walks have found.
#[derive(Default)]
pub struct Listing {
    /// The boards of the last walk.
    boards: BTreeSet<String>,
    /// The minute in which that walk began; `None` if it has not seen all boards.
    whole: Option<u64>,
    walk: Walk,
    /// Boards that are new and may have no counters, and a minute in which they were not there.
    new: BTreeMap<String, u64>,
}

/// A walk that has not ended.
#[derive(Default)]
struct Walk {
    begun: u64,
    cursor: Option<String>,
    found: BTreeSet<String>,
}

impl Listing {
    /// Goes on with the walk, or begins one.
    ///
    /// # Errors
    /// If the servers do not answer. The next step begins a new walk.
    pub async fn step(&mut self, link: &Link, minute: u64) -> Result<(), Problem> {
        let mut walk = std::mem::take(&mut self.walk);
        if walk.cursor.is_none() {
            walk.begun = minute;
        }
        let caller = everybody()?;
        let cursor = walk.cursor.as_deref();
        let page = catalog::list_within(link, &caller, Kind::Board, (None, None), cursor, BOUNDS).await?;
        walk.found.extend(page.keys);
        walk.cursor = page.next;
        let is_full = walk.found.len() >= BOUNDS.keys;
        if walk.cursor.is_some() && !is_full {
            self.walk = walk;
            return Ok(());
        }
        self.note_new(walk.found.iter());
        self.whole = walk.cursor.is_none().then_some(walk.begun);
        self.boards = walk.found;
        Ok(())
    }

    /// Notes which of these boards are new: the last walk saw all boards, and did not see them. A walk finds every key that stays on
    /// its server from the walk's begin to its end.
    fn note_new<'a>(&mut self, keys: impl Iterator<Item = &'a String>) {
        let Some(minute) = self.whole else { return };
        for key in keys.filter(|key| !self.boards.contains(*key)) {
            self.new.entry(key.clone()).or_insert(minute);
        }
    }

    /// The new boards among those that were read, and a minute in which they were not there.
    pub fn new_of<'a>(&mut self, read: impl Iterator<Item = &'a String> + Clone) -> BTreeMap<String, u64> {
        self.note_new(read.clone());
        let read: BTreeSet<&String> = read.collect();
        self.new.retain(|key, _| read.contains(key));
        self.new.clone()
    }

    /// The boards that were new are noted from now on.
    pub fn settle(&mut self) {
        self.new.clear();
    }

    /// The boards to note: those that were visited, and then others of the list.
    pub fn chosen(&self, visited: Vec<String>) -> Vec<String> {
        let mut keys: BTreeSet<&String> = visited.iter().collect();
        for key in self.boards.iter().chain(&self.walk.found) {
            if keys.len() >= MOST_NOTED {
                break;
            }
            keys.insert(key);
        }
        keys.into_iter().cloned().collect()
    }
}
