//! Gathering: asking the parts of a board, and making one answer of theirs.
//!
//! A gather is complete or an error: each part answers once, as the part that the root says, and of one period. There is
//! no snapshot over parts: nobody comes twice or is missing, but a rank may be off by what was written meanwhile.

mod answer;
mod around;
mod by_score;
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
mod rank;
mod ranks;
mod recent;
mod reply;
mod round;
mod rows;
mod scope;
mod standing;
mod statistics;
mod texts;
mod top;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use redis::Value;
use tokio::time::{Instant, sleep};

use self::estimate::Samples;
pub use self::recent::TopCache;
use self::round::{Call, Gather, Stop};
use self::scope::Scope;
use super::asked::{Asked, Own};
use super::root::Root;
use crate::nodes::{RetryingClient, Transport};

/// Most rows of one reply.
const MOST_ROWS: u64 = 100_000;
/// The first pause before parts are asked again whose clocks have to get somewhere, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Why a read has no answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Refused {
    /// So many of the parts did not answer.
    PartsDown { silent: u16, parts: u16 },
    /// A part is not what the root says. Who asks the root again may try once more.
    Disagree(Disagreement),
    /// The error of a part, as it is.
    Server(Value),
    /// The text of an error, its code in front.
    Invalid(String),
}

/// How a part differs from what the root says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disagreement {
    /// The key of this part is absent, or no part of this board.
    Gone(u16),
    /// It is another part, or one of a board of another number of parts.
    Other(u16),
    /// Its rules are others.
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

/// The same, with samples that are some seconds old at the most where the client asks for an estimate.
async fn read_with<T: Transport>(
    samples: &Samples,
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let silent = Mutex::new(BTreeSet::new());
    let call = Call { sender, root, asked, deadline, silent: &silent };
    // Statistics are the same from both ends.
    let scope = Scope::new(root, asked, asked.applies("REV"))
        .map_err(|error| Refused::Invalid(format!("ERR {error}")))?;
    let (mut start, mut pause) = (None, FIRST_PAUSE);
    loop {
        let stop = match answer(&Gather::new(call, scope, start), samples).await {
            Ok(value) => return Ok(call.reply(value)),
            Err(stop) => stop,
        };
        let apart = match stop {
            Stop::Refused(refused) => return Err(refused),
            Stop::Behind(smallest) => {
                start = Some(smallest);
                1
            }
            Stop::Apart(parts) => {
                sleep(pause).await;
                (start, pause) = (None, pause.saturating_mul(2).min(LONGEST_PAUSE));
                parts
            }
        };
        if Instant::now() >= deadline {
            return Err(call.down(apart.into()));
        }
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
        "LB.GETMETA" => texts::one(gather).await,
        "LB.MGETMETA" => texts::many(gather).await,
        name => Err(Refused::Invalid(format!("ERR {name} does not work over parts")).into()),
    }
}

impl<T> Call<'_, T> {
    /// The reply to a client: with `PARTIAL`, how many parts it is from.
    fn reply(&self, value: Value) -> Value {
        if !self.asked.wants(Own::Partial) {
            return value;
        }
        let parts = self.root.parts.count();
        let silent = self.silent.lock().unwrap_or_else(PoisonError::into_inner).len();
        let answered = i64::from(parts).saturating_sub(i64::try_from(silent).unwrap_or(i64::MAX));
        Value::Array(vec![Value::Int(answered), Value::Int(parts.into()), value])
    }
}

#[cfg(test)]
mod tests;
