//! `LB.REMRANGE`. The parts are asked which members have these ranks, and then each part removes its members. What is
//! written in the meantime can change the ranks: the members that were found are removed, whatever their ranks are then.

use redis::Value;
use tokio::time::Instant;

use super::remove;
use crate::nodes::{RetryingClient, Transport};
use crate::spread::asked::{Asked, question};
use crate::spread::gather::{self, MOST_ROWS, Refused, too_many_rows};
use crate::spread::root::Root;

/// What a client does if some parts may have removed members: other members have these ranks then.
const LOOK: &str = "look before you repeat it";

/// Carries out `LB.REMRANGE key first last`.
///
/// # Errors
/// See [`Refused`].
pub async fn remove<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let names = names(sender, root, asked, deadline).await?;
    if names.is_empty() {
        return Ok(Value::Int(0));
    }
    let words: Vec<_> = [b"LB.REM".to_vec(), root.name.clone()].into_iter().chain(names).collect();
    let removal = question(&words).map_err(Refused::Invalid)?;
    match remove::listed(sender, root, &removal, LOOK, deadline).await {
        // A second attempt of the whole command would remove other members, which have these ranks then.
        Err(Refused::Disagree(_)) => Err(Refused::PartsDown { silent: 1, parts: root.parts.count() }),
        removed => removed,
    }
}

/// Returns the members with these ranks.
async fn names<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Vec<Vec<u8>>, Refused> {
    let mut words = vec![b"LB.RANGE".to_vec(), root.name.clone()];
    words.extend_from_slice(asked.fixed);
    words.push(b"FLAT".to_vec());
    let question = question(&words).map_err(Refused::Invalid)?;
    let found = gather::read(sender, root, &question, deadline).await.map_err(|refused| {
        let is_too_long = refused == too_many_rows();
        let text = || format!("ERR over parts, LB.REMRANGE removes at most {MOST_ROWS} members");
        if is_too_long { Refused::Invalid(text()) } else { refused }
    })?;
    // The rank of the first row, and then the name and the score of each row.
    let Value::Array(rows) = found else { return Ok(Vec::new()) };
    let name = |value| if let Value::BulkString(name) = value { Some(name) } else { None };
    Ok(rows.into_iter().skip(1).step_by(2).filter_map(name).collect())
}
