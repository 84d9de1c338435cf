//! All rows of the parts, for an export. First, all parts are asked how many members the period has, so that they agree on
//! the period. Then each part gives all of its rows in one answer.

use std::ops::Range;
use std::sync::Mutex;

use redis::Value;
use tokio::time::Instant;

use super::answer::Take;
use super::operation::Operation;
use super::part_set::PartSet;
use super::round::{Call, Gather, Stop};
use super::rows::Packed;
use super::scope::Scope;
use super::{Refused, read, reply};
use crate::nodes::{RetryingClient, Transport};
use crate::spread::asked::Asked;
use crate::spread::root::Root;

/// The period that is exported.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    start: Option<i64>,
    /// The number of its members, without hidden members.
    pub members: u64,
}

/// Returns the period that a command names, on which all parts agree.
///
/// # Errors
/// See [`Refused`].
pub async fn extent<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Extent, Refused> {
    let told = read(sender, root, asked, deadline).await?;
    let numbers = match &told {
        Value::Array(told) => told.as_slice(),
        _ => &[],
    };
    Ok(match numbers {
        [Value::Int(start), Value::Int(members)] => {
            Extent { start: Some(*start), members: u64::try_from(*members).unwrap_or_default() }
        }
        _ => Extent { start: None, members: 0 },
    })
}

/// Replies with the start of the period and the number of its members.
pub async fn told<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let members = super::top::members(gather).await?;
    Ok(Value::Array(vec![gather.start().map_or(Value::Nil, Value::Int), reply::int(members)]))
}

/// Returns all rows of some parts, up to `most` of each part.
///
/// # Errors
/// See [`Refused`].
pub async fn whole_parts<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    extent: Extent,
    parts: Range<u16>,
    most: u64,
    deadline: Instant,
) -> Result<Vec<Packed>, Refused> {
    let silent = Mutex::new(PartSet::default());
    let call = Call { sender, root, asked, deadline, silent: &silent };
    let scope = Scope::new(root, asked, asked.applies("REV"))
        .map_err(|error| Refused::Invalid(format!("ERR {error}")))?;
    let gather = Gather::new(call, scope, extent.start);
    let answers = gather.ask_each(parts, Operation::top(most)).await;
    let answers = answers.map_err(|stop| match stop {
        Stop::Refused(refused) => refused,
        Stop::Behind(_) => call.down(1),
        Stop::Apart(parts) => call.down(parts.into()),
    })?;
    answers.into_iter().map(|mut answer| answer.rows(false)).collect::<Take<_>>()
}
