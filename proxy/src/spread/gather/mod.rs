//! Gathering: the gateway asks the parts of a board, and makes one answer from their answers.
//!
//! A gather needs an answer from every part, unless the client allows with `PARTIAL` that silent parts are left out.
//! Without such an answer, the gather ends with an error. Each answer has to come from the right part, with the rules
//! of the root, and all answers have to be of one period. There is no snapshot over parts: each member of the answering
//! parts is counted exactly once, but a rank may be wrong by the number of writes that happen during the gather.

mod answer;
mod around;
mod ask;
mod by_score;
mod candidates;
mod estimate;
mod lists;
mod locate;
mod many;
mod member;
mod merge;
mod operation;
mod options;
mod order;
mod page;
mod part_set;
mod rank;
mod ranks;
mod recent;
pub mod reply;
mod round;
mod rows;
mod scope;
mod standing;
mod statistics;
mod texts;
mod top;
mod voters;
mod whole;
mod winners;

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use leaderboard_core::Error;
use redis::Value;
use tokio::time::{Instant, sleep};

use self::estimate::Samples;
pub use self::page::{Line, too_many_rows};
use self::part_set::PartSet;
pub use self::recent::TopCache;
use self::round::{Call, Gather, Stop};
pub use self::rows::Packed;
use self::scope::Scope;
pub use self::whole::{Extent, extent, whole_parts};
pub use self::winners::{Best, best, may_win};
use super::asked::{Asked, Own};
use super::root::Root;
use crate::load::Busy;
use crate::nodes::{RetryingClient, Transport};

/// The maximum number of rows of one reply.
pub const MOST_ROWS: u64 = 100_000;
/// The first pause before parts are asked again because their clocks do not agree on the period; and the longest pause.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The reason why a read has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// `silent` of the `parts` parts did not answer.
    PartsDown { silent: u16, parts: u16 },
    /// The gateway carries out as many gathers as it may. The client may try again after this time.
    Busy(Duration),
    /// A part is different from the data of the root. The caller may read the root again and repeat the read once.
    Disagree(Disagreement),
    /// The error of a part, unchanged.
    Server(Value),
    /// The text of an error, which begins with its code.
    Invalid(String),
}

/// How a part differs from the data of the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// The key of this part is absent, or does not hold a part of this board.
    Gone(u16),
    /// The key of this part holds another part, or a part of a board with another number of parts.
    Other(u16),
    /// This part has other rules than the root.
    Rules(u16),
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(part) => write!(f, "part {part} does not exist"),
            Self::Other(part) => write!(f, "the key of part {part} has another part"),
            Self::Rules(part) => write!(f, "part {part} has other rules"),
        }
    }
}

impl From<Busy> for Refused {
    fn from(busy: Busy) -> Self {
        Self::Busy(busy.again)
    }
}

/// Returns whether a read asks the part of one member, and no other part.
pub fn asks_one_part(asked: &Asked<'_>) -> bool {
    asked.wants(Own::Estimate) || ["LB.SCORE", "LB.GETMETA"].contains(&asked.row.name)
}

/// Carries out a read over all parts of a board.
///
/// # Errors
/// See [`Refused`].
pub async fn read<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    read_with(&Samples::default(), sender, root, asked, deadline).await
}

/// Carries out a read as [`read`] does. Estimates use `samples`, which may be some seconds old.
async fn read_with<T: Transport>(
    samples: &Samples,
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    // A board over parts has no segments.
    if let Some(option) = ["IN", "WITHIN"].into_iter().find(|option| asked.has(option)) {
        return Err(Refused::Invalid(format!("ERR {}", Error::NotWithParts(option))));
    }
    let silent = Mutex::new(PartSet::default());
    let call = Call { sender, root, asked, deadline, silent: &silent };
    // Statistics are the same from both ends of the ranking.
    let scope = Scope::new(root, asked, asked.applies("REV"))
        .map_err(|error| Refused::Invalid(format!("ERR {error}")))?;
    let mut patience = Patience::default();
    loop {
        match answer(&Gather::new(call, scope, patience.start), samples).await {
            Ok(value) => return Ok(call.reply(value)),
            Err(stop) => patience.goes_on(call, stop).await?,
        }
    }
}

/// Repeats a read until all parts agree on the period.
struct Patience {
    /// The start of the period, if it is known.
    start: Option<i64>,
    pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { start: None, pause: FIRST_PAUSE }
    }
}

impl Patience {
    /// Prepares the next attempt, after one that has ended like this. Waits for parts whose clocks are behind.
    ///
    /// # Errors
    /// The reason why the read has no answer, or that the deadline has passed.
    async fn goes_on<T: Transport>(&mut self, call: Call<'_, T>, stop: Stop) -> Result<(), Refused> {
        let apart = match stop {
            Stop::Refused(refused) => return Err(refused),
            Stop::Behind(smallest) => {
                self.start = Some(smallest);
                1
            }
            Stop::Apart(parts) => {
                sleep(self.pause).await;
                (self.start, self.pause) = (None, self.pause.saturating_mul(2).min(LONGEST_PAUSE));
                parts
            }
        };
        if Instant::now() >= call.deadline { Err(call.down(apart.into())) } else { Ok(()) }
    }
}

async fn answer<T: Transport>(gather: &Gather<'_, T>, samples: &Samples) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    match asked.row.name {
        "LB.TOP" => top::top(gather).await,
        "LB.RANGE" => top::range(gather).await,
        "LB.RANGEBYSCORE" => by_score::range(gather).await,
        "LB.COUNT" => by_score::count(gather).await,
        "LB.AROUND" => around::around(gather).await,
        "LB.RANK" if asked.wants(Own::Estimate) => estimate::rank(gather, samples).await,
        "LB.RANK" => rank::rank(gather).await,
        "LB.SCORE" => rank::score(gather).await,
        "LB.MSCORE" => many::scores(gather).await,
        "LB.AMONG" => many::among(gather).await,
        "LB.STANDING" => standing::one(gather).await,
        "LB.MSTANDING" => standing::many(gather).await,
        "LB.STATS" => statistics::stats(gather).await,
        "LB.QUANTILE" => statistics::quantiles(gather).await,
        "LB.HISTOGRAM" => statistics::histogram(gather).await,
        "LB.PERIODS" => lists::periods(gather).await,
        "LB.HIDDEN" => lists::hidden(gather).await,
        "LB.OPTIONS" => candidates::list(gather).await,
        "LB.QUOTA" => candidates::quota(gather).await,
        "LB.VOTERS" => voters::voters(gather).await,
        "LB.EXPORT" => whole::told(gather).await,
        "LB.GETMETA" => texts::one(gather).await,
        "LB.MGETMETA" => texts::many(gather).await,
        name => Err(Refused::Invalid(format!("ERR {name} does not work over parts")).into()),
    }
}

impl<T> Call<'_, T> {
    /// Returns the reply to a client. With `PARTIAL`, the reply also has the number of parts that answered and the
    /// number of all parts.
    fn reply(&self, value: Value) -> Value {
        if !self.asked.wants(Own::Partial) {
            return value;
        }
        let parts = self.root.parts.count();
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner).len();
        let answered = i64::from(parts).saturating_sub(silent.into());
        Value::Array(vec![Value::Int(answered), Value::Int(parts.into()), value])
    }
}

#[cfg(test)]
mod tests;
