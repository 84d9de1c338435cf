//! Removing and hiding members. The commands `LB.REM`, `LB.HIDE` and `LB.UNHIDE` have no options that name the part, so
//! the gateway checks the parts before it sends them.

use std::collections::BTreeMap;

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, RetryingClient, Transport};
use crate::spread::asked::Asked;
use crate::spread::change::for_part;
use crate::spread::gather::{Disagreement, Refused};
use crate::spread::look::{look, present};
use crate::spread::refusal::{is_no_part, is_of_other_part, unknown};
use crate::spread::root::Root;

/// Carries out `LB.REM`, `LB.HIDE` and `LB.UNHIDE`.
///
/// # Errors
/// See [`Refused`].
pub async fn members<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let mut lists: BTreeMap<u16, Vec<&[u8]>> = BTreeMap::new();
    for member in asked.list {
        lists.entry(root.parts.of(member)).or_default().push(member);
    }
    let parts: Vec<_> = lists.keys().copied().collect();
    present(root, &look(sender, root, &parts, deadline).await)?;
    let commands = lists
        .into_iter()
        .map(|(part, list)| (part, root.command(part, asked.row.name.as_bytes(), list, false)));
    sum(sender, root, commands.collect(), deadline).await
}

/// Carries out `LB.REMRANGEBYSCORE`.
///
/// # Errors
/// See [`Refused`].
pub async fn by_score<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let parts = 0..root.parts.count();
    let commands = parts.map(|part| (part, for_part(asked, root, part, std::iter::empty())));
    sum(sender, root, commands.collect(), deadline).await
}

/// Sends the commands, and adds up the numbers in the answers of the parts.
async fn sum<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    commands: Vec<(u16, Command)>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let (parts, commands): (Vec<_>, Vec<_>) = commands.into_iter().unzip();
    let answers = sender.ask(&commands, deadline).await;
    if answers.iter().any(|answer| matches!(answer, Err(CommandError::Unknown(_)))) {
        return Err(Refused::Server(unknown()));
    }
    let (mut sum, mut silent) = (0_i64, 0_u16);
    for (part, answer) in parts.into_iter().zip(answers) {
        match answer {
            Err(_) => silent = silent.saturating_add(1),
            Ok(Value::Int(number)) => sum = sum.saturating_add(number),
            Ok(value) if is_no_part(&value) => return Err(Refused::Disagree(Disagreement::Gone(part))),
            Ok(value) if is_of_other_part(&value) => {
                return Err(Refused::Disagree(Disagreement::Other(part)));
            }
            Ok(value) => return Err(Refused::Server(value)),
        }
    }
    match silent {
        0 => Ok(Value::Int(sum)),
        silent => Err(Refused::PartsDown { silent, parts: root.parts.count() }),
    }
}
