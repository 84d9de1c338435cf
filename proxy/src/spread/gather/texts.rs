//! `LB.GETMETA` and `LB.MGETMETA`: the texts that are stored with members.

use redis::Value;

use super::reply;
use super::round::{Gather, Stop};
use crate::nodes::Transport;

/// Replies to `LB.GETMETA key member`.
pub async fn one<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let members = gather.call.asked.fixed.get(..1).unwrap_or_default();
    Ok(texts(gather, members).await?.pop().unwrap_or(Value::Nil))
}

/// Replies to `LB.MGETMETA key MEMBERS n member [member ...]`.
pub async fn many<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    Ok(Value::Array(texts(gather, gather.call.asked.members()).await?))
}

async fn texts<T: Transport>(gather: &Gather<'_, T>, members: &[Vec<u8>]) -> Result<Vec<Value>, Stop> {
    let found = gather.find_all(members, true).await?;
    Ok(found.into_iter().map(|(_, known)| reply::bulk(known.meta)).collect())
}
