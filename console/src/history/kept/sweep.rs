//! Forgets the counters of boards and servers that have not been noted for long.

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_client::counters;

use super::recorder::everybody;
use super::{Kept, SAMPLES};
use crate::catalog::{self, Kind};
use crate::history::seconds;
use crate::link::Link;
use crate::problem::Problem;

/// How many boards and servers have counters at most. Those that were noted last stay.
const MOST: usize = 500;
/// How long counters stay after the last sample, in days.
const DAYS: u64 = 62;
const DAY: u64 = 86_400;
/// How many pages of the list of counters one step reads. A page looks at up to 100,000 keys.
const PAGES: usize = 50;

/// A sweep that goes through the list of counters in steps. It forgets something only at the end of the list, when all counters of each
/// board and server are known.
#[derive(Default)]
pub struct Sweeper {
    cursor: Option<String>,
    /// The counters that were found, by what their keys begin with.
    found: BTreeMap<String, BTreeSet<String>>,
}

impl Sweeper {
    /// Goes on through the list. At its end, forgets the counters of what was not noted for [`DAYS`] days, and of the oldest beyond
    /// [`MOST`]. Returns whether it was the end.
    ///
    /// # Errors
    /// If the servers do not answer, or do not allow it. The next step begins anew.
    pub async fn step(&mut self, link: &Link, kept: &Kept) -> Result<bool, Problem> {
        let Self { cursor, mut found } = std::mem::take(self);
        let cursor = collect(link, kept, cursor, &mut found).await?;
        if cursor.is_some() {
            *self = Self { cursor, found };
            return Ok(false);
        }
        kept.note_all_rules(&found);
        forget(link, &found).await?;
        Ok(true)
    }
}

/// Reads some pages of the list. Returns the cursor of the next page; `None` at the end.
async fn collect(
    link: &Link,
    kept: &Kept,
    mut cursor: Option<String>,
    found: &mut BTreeMap<String, BTreeSet<String>>,
) -> Result<Option<String>, Problem> {
    let Some(prefix) = kept.prefix() else { return Ok(None) };
    let caller = everybody()?;
    for _ in 0..PAGES {
        let page = catalog::list(link, &caller, Kind::Counter, Some(prefix), cursor.as_deref(), None).await?;
        for key in page.keys {
            if let Some(start) = start_of(prefix, &key) {
                found.entry(start.to_owned()).or_default().insert(key.clone());
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    Ok(cursor)
}

/// Forgets what is too old or too much. What has no counter of samples counts as the oldest.
async fn forget(link: &Link, found: &BTreeMap<String, BTreeSet<String>>) -> Result<(), Problem> {
    let asked = found.keys().map(|start| counters::get(format!("{start}{SAMPLES}"), DAY).cmd());
    let replies = link.pipeline(asked).await?;
    let mut noted: Vec<(u64, &String)> = Vec::new();
    for (start, reply) in found.keys().zip(replies) {
        let slices = match reply {
            Ok(reply) => counters::get("", DAY).parse(reply).unwrap_or_default(),
            // It has no slices of days: it is none of the recorder's.
            Err(problem) if problem.status().is_client_error() && !problem.is_forbidden() => Vec::new(),
            Err(problem) => return Err(problem),
        };
        let last = slices.last().and_then(|slice| u64::try_from(slice.start).ok()).unwrap_or(0);
        noted.push((last / 1_000, start));
    }
    for figures in too_old(noted, seconds()).into_iter().filter_map(|start| found.get(start)) {
        link.pipeline(figures.iter().map(|key| redis::cmd("UNLINK").arg(key).to_owned())).await?;
    }
    Ok(())
}

/// Which of these were noted too long ago, by the second of the last sample, or are too many.
fn too_old(mut noted: Vec<(u64, &String)>, now: u64) -> Vec<&String> {
    noted.sort_unstable_by(|one, other| other.cmp(one));
    let oldest = now.saturating_sub(DAYS.saturating_mul(DAY));
    let gone = noted.iter().enumerate().filter(|(place, (last, _))| *place >= MOST || *last < oldest);
    gone.map(|(_, (_, start))| *start).collect()
}

/// What the keys of all counters of the same board or server begin with. `None` for another key.
fn start_of<'a>(prefix: &str, key: &'a str) -> Option<&'a str> {
    let mut parts = key.strip_prefix(prefix)?.strip_prefix(':')?.splitn(3, ':');
    let kind = parts.next().filter(|kind| ["board", "server"].contains(kind))?;
    let (name, _figure) = (parts.next()?, parts.next()?);
    let colons = 3;
    key.get(..prefix.len().saturating_add(kind.len()).saturating_add(name.len()).saturating_add(colons))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::kept::Subject;

    #[test]
    fn counters_of_one_board_begin_alike() {
        let kept = Kept::new("lb", false);
        for (subject, start) in [
            (Subject::Board("songs:100%"), "lb:board:songs%3A100%25:"),
            (Subject::Server("127.0.0.1:6379"), "lb:server:127.0.0.1%3A6379:"),
        ] {
            for figure in ["votes", "held_back:voter:day"] {
                let key = kept.key(subject, figure).unwrap();
                assert_eq!(start_of("lb", &key), Some(start), "{key}");
            }
        }
        let others = ["lb:turn", "other:board:a:b", "lbx:board:a:b"];
        assert_eq!(others.map(|key| start_of("lb", key)), [None; 3]);
    }

    #[test]
    fn the_oldest_and_those_that_are_too_many_go() {
        let names: Vec<String> = (0..=MOST).map(|number| number.to_string()).collect();
        let now = 100 * DAY;
        let noted = |last: &dyn Fn(u64) -> u64| {
            let noted = (0..).zip(&names).map(|(number, name)| (last(number), name)).collect();
            too_old(noted, now).into_iter().cloned().collect::<Vec<_>>()
        };
        assert_eq!(noted(&|number| now - 10_000 + number), ["0"]);
        assert_eq!(noted(&|number| if number == 7 { 37 * DAY } else { now }), ["7"]);
    }
}
