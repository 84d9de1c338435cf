//! Notes the figures of boards and servers, once a minute.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use leaderboard_client::{counters, info};
use redis::Cmd;

use super::listing::Listing;
use super::reading::Reading;
use super::sweep::Sweeper;
use super::{Kept, PRECISIONS, SAMPLES, SLICES, Subject};
use crate::access::{Caller, Role};
use crate::history::sampler::figures;
use crate::history::{History, seconds};
use crate::link::{Link, Present};
use crate::problem::Problem;

/// The minutes between two steps of a sweep.
const SWEEP_EVERY: u64 = 10;
/// How many boards are asked together.
const TOGETHER: usize = 50;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Notes for as long as the console runs.
pub async fn record(link: &Link, history: &History, kept: &Kept) {
    if kept.prefix().is_none() || kept.is_read_only {
        return;
    }
    let mut recorder = Recorder::default();
    recorder.begin(link, seconds().div_euclid(60)).await;
    loop {
        let minute = next_minute().await;
        // A minute that could not be noted leaves a gap.
        let noted = recorder.note(link, history, kept, minute).await;
        let trouble = noted.err().map(|problem| problem.detail().to_owned());
        if kept.set_trouble(trouble.clone())
            && let Some(trouble) = trouble
        {
            eprintln!("leaderboard-gateway: history is not kept: {trouble}");
        }
    }
}

/// Waits for the next minute, and returns its number.
async fn next_minute() -> u64 {
    let second = seconds();
    let next = second.div_euclid(60).saturating_add(1);
    tokio::time::sleep(Duration::from_secs(next.saturating_mul(60).saturating_sub(second))).await;
    next
}

/// The name of a subject, owned.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Name {
    Board(String),
    Server(String),
}

impl Name {
    fn subject(&self) -> Subject<'_> {
        match self {
            Self::Board(key) => Subject::Board(key),
            Self::Server(address) => Subject::Server(address),
        }
    }

    const fn board(&self) -> Option<&String> {
        match self {
            Self::Board(key) => Some(key),
            Self::Server(_) => None,
        }
    }
}

/// The counters of a subject, and by how much they grow.
type Counted = Vec<(String, i64)>;

/// What is known from the minutes before.
#[derive(Default)]
pub struct Recorder {
    before: HashMap<Name, Reading>,
    listing: Listing,
    /// The minute of the next step of the sweep.
    next_sweep: u64,
    sweeper: Sweeper,
    /// The counters that are known to be there.
    made: BTreeSet<String>,
}

impl Recorder {
    /// Reads the list of boards: those that are made from now on are new. If no server answers, the first minute reads the list.
    pub async fn begin(&mut self, link: &Link, minute: u64) {
        self.listing.step(link, minute).await.unwrap_or_default();
    }

    /// Notes a minute, unless another gateway does.
    ///
    /// # Errors
    /// If the servers do not answer, or do not allow it.
    pub async fn note(
        &mut self,
        link: &Link,
        history: &History,
        kept: &Kept,
        minute: u64,
    ) -> Result<(), Problem> {
        self.listing.step(link, minute).await?;
        let mut now = read_servers(link, minute).await?;
        now.extend(read_boards(link, self.listing.chosen(history.wanted()), minute).await?);
        for (name, reading) in &now {
            kept.note_rules(name.subject(), reading.counts.iter().map(|(figure, _)| figure.as_str()));
        }
        // The readings are kept in any case: this gateway may have the next turn.
        let before = std::mem::replace(&mut self.before, now.clone().into_iter().collect());
        let growth =
            |(name, reading): &(Name, Reading)| Some((name.clone(), reading.since(before.get(name)?)?));
        let mut counted: HashMap<Name, Counted> = now.iter().filter_map(growth).collect();
        let new = self.listing.new_of(now.iter().filter_map(|(name, _)| name.board()));
        // A gateway that has just started has nothing to count. It leaves the turn to one that has read the minute before.
        if counted.is_empty() || !has_turn(link, kept, minute).await? {
            return Ok(());
        }
        counted.extend(whole_counts(link, kept, &new, &now).await?);
        self.listing.settle();
        self.count(link, kept, minute, &counted).await?;
        if self.next_sweep <= minute {
            self.next_sweep = minute.saturating_add(SWEEP_EVERY);
            if self.sweeper.step(link, kept).await? {
                // Counters that were swept away are made again when they are needed.
                self.made.clear();
            }
        }
        Ok(())
    }

    /// Counts the growth of all subjects. A counter that is not known to be there is made before.
    async fn count(
        &mut self,
        link: &Link,
        kept: &Kept,
        minute: u64,
        counted: &HashMap<Name, Counted>,
    ) -> Result<(), Problem> {
        let mut numbers: BTreeMap<String, i64> = BTreeMap::new();
        for (name, figures) in counted {
            let keyed = |(figure, by): &(String, i64)| Some((kept.key(name.subject(), figure)?, *by));
            numbers.extend(figures.iter().filter_map(keyed));
        }
        let new: Vec<_> = numbers.keys().filter(|key| !self.made.contains(*key)).cloned().collect();
        if !new.is_empty() {
            make(link, &new).await?;
            self.made.extend(new);
        }
        let id = minute.to_string();
        let commands = numbers.iter().map(|(key, by)| counters::incr(key).by(*by).id(&id).cmd());
        all_done(link.pipeline(commands).await?)
    }
}

/// Makes counters. Those that are there stay as they are.
async fn make(link: &Link, keys: &[String]) -> Result<(), Problem> {
    let known = link.pipeline(keys.iter().map(|key| counters::info(key).cmd())).await?;
    let absent = keys.iter().zip(&known).filter(|(_, reply)| is_absent(reply)).map(|(key, _)| key);
    let commands: Vec<Cmd> =
        absent.map(|key| counters::create(key).precisions(PRECISIONS).samples(SLICES).cmd()).collect();
    if commands.is_empty() {
        return Ok(());
    }
    all_done(link.pipeline(commands).await?)
}

/// Whether there is no such counter.
const fn is_absent(reply: &Result<redis::Value, Problem>) -> bool {
    matches!(reply, Ok(redis::Value::Nil))
}

/// The first error of some replies.
fn all_done(replies: Vec<Result<redis::Value, Problem>>) -> Result<(), Problem> {
    replies.into_iter().collect::<Result<Vec<_>, _>>().map(drop)
}

/// Takes the turn of a minute. Of several gateways, the first one gets it: with the same ID, another number is an error.
async fn has_turn(link: &Link, kept: &Kept, minute: u64) -> Result<bool, Problem> {
    let Some(key) = kept.turn() else { return Ok(false) };
    let number = getrandom::u32().map_err(|error| Problem::internal(error.to_string()))?;
    match link.ask(&counters::incr(&key).by(i64::from(number)).id(minute.to_string())).await {
        Ok(_) => Ok(true),
        Err(problem) if problem.is_request_reused() => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// All counts of the new boards that have no counter: they are counted from zero. A board with a counter was noted before, and a walk may
/// have missed it because its slot moved to another server.
async fn whole_counts(
    link: &Link,
    kept: &Kept,
    new: &BTreeMap<String, u64>,
    now: &[(Name, Reading)],
) -> Result<HashMap<Name, Counted>, Problem> {
    let keys: Vec<_> = new.keys().filter_map(|key| kept.key(Subject::Board(key), SAMPLES)).collect();
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    let replies = link.pipeline(keys.iter().map(|key| counters::info(key).cmd())).await?;
    let fresh: BTreeMap<_, _> =
        new.iter().zip(&replies).filter(|(_, reply)| is_absent(reply)).map(|(new, _)| new).collect();
    let whole = |(name, reading): &(Name, Reading)| {
        let absent = fresh.get(name.board()?)?;
        Some((name.clone(), reading.since_absent(**absent)?))
    };
    Ok(now.iter().filter_map(whole).collect())
}

/// The caller for lists of all keys.
pub fn everybody() -> Result<Caller, Problem> {
    Caller::new("history", Role::Viewer, &["*".to_owned()], true).map_err(Problem::internal)
}

async fn read_servers(link: &Link, minute: u64) -> Result<Vec<(Name, Reading)>, Problem> {
    let commands = [redis::cmd("INFO"), redis::cmd("INFO").arg("leaderboard").to_owned()];
    let present = link.roll_call(&commands, PATIENCE).await?;
    let reading = |node: &Present| Some(Reading::of_server(minute, figures(node)?));
    let named = |node: &Present| Some((Name::Server(node.name.clone()), reading(node)?));
    Ok(present.iter().filter_map(named).collect())
}

async fn read_boards(link: &Link, keys: Vec<String>, minute: u64) -> Result<Vec<(Name, Reading)>, Problem> {
    let mut readings = Vec::new();
    for some in keys.chunks(TOGETHER) {
        let replies = link.pipeline(some.iter().map(|key| info(key).cmd())).await?;
        for (key, reply) in some.iter().zip(replies) {
            // A key may have become another type, or a board may be on a server that does not answer.
            let told = reply.ok().and_then(|reply| info(key).parse(reply).ok()).flatten();
            if let Some(told) = told.filter(|told| told.part().is_none()) {
                readings.push((Name::Board(key.clone()), Reading::of_board(minute, &told)));
            }
        }
    }
    Ok(readings)
}
