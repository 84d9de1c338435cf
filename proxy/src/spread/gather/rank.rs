//! `LB.RANK` and `LB.SCORE`.

use redis::Value;

use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// Replies to `LB.RANK key member`.
pub async fn rank<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    let ranks = options::ranks(asked)?;
    let Some(found) = gather.find(options::fixed(asked, 0), 0, 0, false).await? else {
        return Ok(Value::Nil);
    };
    let positions = gather.positions(&[found.entry], ranks).await?;
    Ok(positions.first().map_or(Value::Nil, |position| reply::int(position.rank)))
}

/// Replies to `LB.SCORE key member`.
pub async fn score<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    options::ranks(gather.call.asked)?;
    let found = gather.find(options::fixed(gather.call.asked, 0), 0, 0, false).await?;
    let notation = gather.call.root.schema.notation();
    Ok(found.map_or(Value::Nil, |found| reply::score(found.entry.score, &notation)))
}
