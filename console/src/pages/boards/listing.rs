//! Lists of all keys of a kind, with what is shown of each.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::entries::{Entry, entry};
use crate::access::Caller;
use crate::app::App;
use crate::catalog::{Bounds, Kind, list_within};
use crate::problem::Problem;

/// How much one list reads: up to 10,000 keys that are found, among a million keys that are looked at.
const BOUNDS: Bounds = Bounds { keys: 10_000, steps: 1_000 };
/// For how many keys the console asks at once.
const AT_ONCE: usize = 64;
/// A list with more keys than this is kept: it takes the server a part of a second.
const LONG: usize = 500;
/// How long, and how many lists.
const KEPT: Duration = Duration::from_secs(5);
const MOST: usize = 4;

/// A list of keys.
pub struct Listing {
    /// In the order of their keys.
    pub entries: Vec<Entry>,
    /// Whether there are more keys.
    pub is_cut: bool,
}

/// What a list is of: the name of its caller, the kind and the filter.
type Of = (String, Kind, String);

/// The lists that are kept.
#[derive(Default)]
pub struct Listings(Mutex<Vec<(Of, Instant, Arc<Listing>)>>);

impl Listings {
    /// Returns a list, from memory if it was read some seconds before.
    ///
    /// # Errors
    /// If the servers do not answer.
    pub async fn read(
        &self,
        app: &App,
        caller: &Caller,
        kind: Kind,
        filter: &str,
    ) -> Result<Arc<Listing>, Problem> {
        let of = (caller.name().to_owned(), kind, filter.to_owned());
        if let Some(listing) = self.kept(&of) {
            return Ok(listing);
        }
        let listing = Arc::new(read(app, caller, kind, filter).await?);
        if listing.entries.len() > LONG {
            self.keep(of, &listing);
        }
        Ok(listing)
    }

    /// Forgets all lists.
    pub fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn kept(&self, of: &Of) -> Option<Arc<Listing>> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|(_, at, _)| at.elapsed() < KEPT);
        lists.iter().find(|(its, _, _)| its == of).map(|(_, _, listing)| Arc::clone(listing))
    }

    fn keep(&self, of: Of, listing: &Arc<Listing>) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|(its, _, _)| *its != of);
        if lists.len() >= MOST {
            lists.remove(0);
        }
        lists.push((of, Instant::now(), Arc::clone(listing)));
    }
}

async fn read(app: &App, caller: &Caller, kind: Kind, filter: &str) -> Result<Listing, Problem> {
    let found = list_within(&app.link, caller, kind, (Some(filter), app.kept.prefix()), None, BOUNDS).await?;
    let entries = stream::iter(found.keys).map(|key| entry(app, kind, key)).buffered(AT_ONCE);
    let entries: Vec<Option<Entry>> = entries.try_collect().await?;
    // A missing entry was deleted after the list was read.
    Ok(Listing { entries: entries.into_iter().flatten().collect(), is_cut: found.next.is_some() })
}
