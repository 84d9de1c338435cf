//! Boards that are followed live. One task reads each combination of board, view and count, for any number of
//! followers. Without followers, there is no task. A slow follower gets the newest state and misses the states before
//! it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use leaderboard_client::{Request, Row, count, top};
use redis::{FromRedisValue, Value};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::access::Caller;
use crate::link::{Link, problem};
use crate::problem::Problem;
use crate::settings::Settings;

/// What is followed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Watch {
    pub key: String,
    /// The view; the default view if `None`.
    pub view: Option<String>,
    /// The number of lines.
    pub count: u64,
    /// Whether to show the real votes instead of the shown votes.
    pub real: bool,
    /// Whether to include the texts of the members.
    pub meta: bool,
    /// The dimension and the segment whose members alone are followed.
    pub segment: Option<(String, Vec<u8>)>,
}

/// The state of a board at a moment.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Grows with each change.
    pub number: u64,
    /// The moment when the board was first seen in this state, in ms.
    pub at: i64,
    pub members: u64,
    pub rows: Vec<Row>,
    /// The reason why the board could not be read. Rows and members are then from the last reading that succeeded.
    pub problem: Option<Problem>,
    /// The moment of the last reading that succeeded, in ms.
    pub read: i64,
    json: OnceLock<String>,
}

impl Snapshot {
    /// The JSON text of the state. The first caller makes it, and all followers share it.
    pub fn json(&self, make: impl FnOnce() -> String) -> &str {
        self.json.get_or_init(make)
    }
}

/// All rankings that are followed.
pub struct Live {
    link: Arc<Link>,
    settings: Arc<Settings>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    polled: HashMap<Watch, Polled>,
    followers: u32,
}

#[derive(Debug)]
struct Polled {
    newest: Arc<watch::Sender<Arc<Snapshot>>>,
    /// The number of followers with each token, by the name of the token.
    followers: HashMap<String, u32>,
    task: AbortHandle,
}

impl Live {
    /// Starts with no followed rankings.
    pub fn new(link: Arc<Link>, settings: Arc<Settings>) -> Self {
        Self { link, settings, state: Arc::default() }
    }

    /// Follows a board. The board can be absent.
    ///
    /// # Errors
    /// 429 if the caller has already used its whole share; 503 if there are too many followed rankings or followers.
    pub fn follow(&self, caller: &Caller, watch: Watch) -> Result<Follower, Problem> {
        let mut state = locked(&self.state);
        // Without tokens, all callers are the same caller, so there are no shares.
        if self.settings.tokens.is_some() {
            state.judge(&self.settings, caller, &watch)?;
        }
        if state.followers >= self.settings.max_listeners {
            return Err(Problem::unavailable("too many live streams are open: see --max-listeners"));
        }
        let max_live = usize::try_from(self.settings.max_live).unwrap_or(usize::MAX);
        let is_full = state.polled.len() >= max_live;
        let polled = match state.polled.entry(watch.clone()) {
            Entry::Occupied(polled) => polled.into_mut(),
            Entry::Vacant(_) if is_full => {
                return Err(Problem::unavailable("too many boards are followed live: see --max-live"));
            }
            Entry::Vacant(place) => place.insert(self.read_on(watch.clone())),
        };
        let token = caller.name().to_owned();
        let followers = polled.followers.entry(token.clone()).or_default();
        *followers = followers.saturating_add(1);
        let newest = polled.newest.subscribe();
        state.followers = state.followers.saturating_add(1);
        Ok(Follower { state: Arc::clone(&self.state), watch, token, newest, seen: 0 })
    }

    /// Starts to read a board.
    fn read_on(&self, watch: Watch) -> Polled {
        let newest = Arc::new(watch::Sender::default());
        let every = Duration::from_millis(self.settings.live_ms);
        let reading = poll(Arc::clone(&self.link), every, watch, Arc::clone(&newest));
        Polled { newest, followers: HashMap::new(), task: tokio::spawn(reading).abort_handle() }
    }
}

impl State {
    /// Checks whether a token has something left of its share.
    fn judge(&self, settings: &Settings, caller: &Caller, watch: &Watch) -> Result<(), Problem> {
        let token = caller.name();
        let own = || self.polled.values().filter_map(|polled| polled.followers.get(token));
        let streams: u32 = own().fold(0, |all, streams| all.saturating_add(*streams));
        let most = settings.share_of(settings.max_listeners);
        if streams >= caller.streams().map_or(most, |own| own.min(most)) {
            let detail =
                "this token has too many live streams open: see --token-share and token new --streams";
            return Err(Problem::too_many(detail));
        }
        let is_new = self.polled.get(watch).is_none_or(|polled| !polled.followers.contains_key(token));
        let boards = u32::try_from(own().count()).unwrap_or(u32::MAX);
        if is_new && boards >= settings.share_of(settings.max_live) {
            return Err(Problem::too_many("this token follows too many boards live: see --token-share"));
        }
        Ok(())
    }
}

impl Polled {
    fn leave(&mut self, token: &str) {
        if let Some(followers) = self.followers.get_mut(token) {
            *followers = followers.saturating_sub(1);
            if *followers == 0 {
                self.followers.remove(token);
            }
        }
    }
}

/// A follower of a ranking. When the last follower is dropped, the reading ends.
#[derive(Debug)]
pub struct Follower {
    state: Arc<Mutex<State>>,
    watch: Watch,
    token: String,
    newest: watch::Receiver<Arc<Snapshot>>,
    seen: u64,
}

impl Follower {
    /// The first call returns the current state; each later call waits for the next different state. A call can be
    /// cancelled without loss.
    pub async fn next(&mut self) -> Arc<Snapshot> {
        let Ok(newest) = self.newest.wait_for(|newest| newest.number > self.seen).await else {
            // The sender is kept while there are followers, so this does not happen.
            return std::future::pending().await;
        };
        self.seen = newest.number;
        Arc::clone(&newest)
    }
}

impl Drop for Follower {
    /// Uses the same lock as [`Live::follow`]. A follower that comes at this moment either finds the task or starts a
    /// new one.
    fn drop(&mut self) {
        let mut state = locked(&self.state);
        state.followers = state.followers.saturating_sub(1);
        if let Some(polled) = state.polled.get_mut(&self.watch) {
            polled.leave(&self.token);
            if polled.followers.is_empty() {
                polled.task.abort();
                state.polled.remove(&self.watch);
            }
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn poll(link: Arc<Link>, every: Duration, watch: Watch, newest: Arc<watch::Sender<Arc<Snapshot>>>) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last = 0;
    loop {
        ticks.tick().await;
        let read = read(&link, &watch).await;
        last = if read.is_ok() { now() } else { last };
        newest.send_if_modified(|newest| replace(newest, read, last));
    }
}

/// Replaces the newest state. `last` is the moment of the last reading that succeeded. Returns whether the state has changed.
fn replace(newest: &mut Arc<Snapshot>, read: Result<(Vec<Row>, u64), Problem>, last: i64) -> bool {
    let (rows, members, problem) = match read {
        Ok((rows, members)) => (rows, members, None),
        Err(problem) => (newest.rows.clone(), newest.members, Some(problem)),
    };
    let is_same = newest.rows == rows && newest.members == members && newest.problem == problem;
    if newest.number > 0 && is_same {
        return false;
    }
    let (number, json) = (newest.number.saturating_add(1), OnceLock::new());
    *newest = Arc::new(Snapshot { number, at: now(), members, rows, problem, read: last, json });
    true
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

async fn read(link: &Link, watch: &Watch) -> Result<(Vec<Row>, u64), Problem> {
    let mut lines = chosen(top(&watch.key, watch.count), watch);
    if watch.meta {
        lines = lines.with_meta();
    }
    let number = chosen(count(&watch.key), watch);
    let mut replies = link.pipeline([lines.cmd(), number.cmd()]).await?.into_iter();
    Ok((parse(&lines, replies.next())?, parse(&number, replies.next())?))
}

fn chosen<R>(request: Request<R>, watch: &Watch) -> Request<R> {
    let request = match &watch.view {
        Some(view) => request.view(view),
        None => request,
    };
    let request = match &watch.segment {
        Some((dimension, segment)) => request.in_segment(dimension, segment),
        None => request,
    };
    if watch.real { request.real() } else { request }
}

fn parse<R: FromRedisValue>(
    request: &Request<R>,
    reply: Option<Result<Value, Problem>>,
) -> Result<R, Problem> {
    let reply = reply.ok_or_else(|| Problem::internal("the server left a reply out"))??;
    request.parse(reply).map_err(|error| problem(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replace(newest: &mut Arc<Snapshot>, read: Result<(Vec<Row>, u64), Problem>) -> bool {
        super::replace(newest, read, 7)
    }
    use leaderboard_client::{Name, Score};

    fn lines() -> Vec<Row> {
        vec![Row { rank: 1, member: Name::from("ember"), score: Score::from("5"), meta: None }]
    }

    #[test]
    fn only_what_changed_is_told() {
        let mut newest = Arc::new(Snapshot::default());
        assert!(replace(&mut newest, Ok((Vec::new(), 0))), "the first state, even of an absent board");
        assert_eq!(newest.number, 1);
        assert!(!replace(&mut newest, Ok((Vec::new(), 0))));
        assert!(replace(&mut newest, Ok((lines(), 1))));
        assert!(!replace(&mut newest, Ok((lines(), 1))));
        assert!(replace(&mut newest, Ok((lines(), 2))), "one more member below the lines");
        assert_eq!(newest.number, 3);
    }

    #[test]
    fn a_problem_keeps_the_lines_and_goes_away() {
        let gone = || Err(Problem::unavailable("no server answers"));
        let mut newest = Arc::new(Snapshot::default());
        replace(&mut newest, Ok((lines(), 1)));
        assert!(replace(&mut newest, gone()));
        assert_eq!((newest.rows.clone(), newest.problem.is_some()), (lines(), true));
        assert!(!replace(&mut newest, gone()), "the same problem");
        assert!(replace(&mut newest, Ok((lines(), 1))), "the same lines, but the server is back");
        assert_eq!(newest.problem, None);
    }

    /// No server is asked. The reading fails, which is also a state.
    fn live(flags: &[&str]) -> (Live, Caller) {
        let live = Live::new(Arc::new(Link::of_no_server()), Arc::new(Settings::of(flags)));
        (live, Caller::anybody(false).unwrap())
    }

    fn board(key: &str) -> Watch {
        Watch { key: key.to_owned(), view: None, count: 10, real: false, meta: false, segment: None }
    }

    #[tokio::test]
    async fn the_followers_of_a_board_share_its_reading() {
        let (live, anybody) = live(&[]);
        let mut first = live.follow(&anybody, board("a")).unwrap();
        let seen = first.next().await;
        assert!(seen.problem.is_some());
        let mut second = live.follow(&anybody, board("a")).unwrap();
        assert!(Arc::ptr_eq(&seen, &second.next().await), "one who comes later sees the state at once");
        assert_eq!(locked(&live.state).polled.len(), 1);
        drop(first);
        assert_eq!(locked(&live.state).polled.len(), 1, "somebody still follows");
        drop(second);
        let state = locked(&live.state);
        assert_eq!((state.polled.len(), state.followers), (0, 0));
    }

    #[tokio::test]
    async fn boards_and_followers_have_bounds() {
        let (live, anybody) = live(&["--max-live", "1", "--max-listeners", "2"]);
        let refused = |key| live.follow(&anybody, board(key)).unwrap_err().detail().to_owned();
        let first = live.follow(&anybody, board("a")).unwrap();
        assert!(refused("b").contains("--max-live"));
        let second = live.follow(&anybody, board("a")).unwrap();
        assert!(refused("a").contains("--max-listeners"));
        drop((first, second));
        assert!(live.follow(&anybody, board("b")).is_ok(), "places become free again");
    }
}
