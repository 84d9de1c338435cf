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
use crate::spread::prizes;
use crate::spread::refusal::{
    OTHER_PARTS, error, is_no_part, is_of_other_part, parts_down, text, unknown, unknown_in_part,
};
use crate::spread::root::Root;

/// What a client does if parts did not answer, or refused. The reply then has the number of the members that were left.
const AGAIN: &str = "repeat it";

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
    listed(sender, root, asked, AGAIN, deadline).await
}

/// Works like [`members`]. Errors that say that some parts may have carried out the command give this advice.
///
/// # Errors
/// See [`Refused`].
pub async fn listed<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    advice: &str,
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
    let value = sum(sender, root, commands.collect(), advice, deadline).await?;
    if asked.row.name == "LB.REM" {
        // The members are gone. If this fails, the client repeats the command, and this is done then.
        prizes::take(sender, root, asked, deadline).await?;
    }
    Ok(value)
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
    sum(sender, root, commands.collect(), AGAIN, deadline).await
}

/// Sends the commands, and adds up the numbers in the answers of the parts.
async fn sum<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    commands: Vec<(u16, Command)>,
    advice: &str,
    deadline: Instant,
) -> Result<Value, Refused> {
    let (parts, commands): (Vec<_>, Vec<_>) = commands.into_iter().unzip();
    let answers = sender.ask(&commands, deadline).await;
    let mut told = Told::default();
    for (part, answer) in parts.into_iter().zip(answers) {
        told.take(part, answer);
    }
    told.reply(root, advice)
}

/// The answers of the parts.
#[derive(Default)]
struct Told {
    sum: i64,
    silent: usize,
    /// Whether a part that did not answer may have carried out the command.
    is_unknown: bool,
    /// How the part with the lowest number differs from the root.
    other: Option<Disagreement>,
    /// The error of the part with the lowest number that refused the command.
    refused: Option<Value>,
}

impl Told {
    fn take(&mut self, part: u16, answer: Result<Value, CommandError>) {
        match answer {
            Err(failure) => {
                self.silent = self.silent.saturating_add(1);
                self.is_unknown |= matches!(failure, CommandError::Unknown(_));
            }
            Ok(Value::Int(number)) => self.sum = self.sum.saturating_add(number),
            Ok(value) if is_no_part(&value) => self.other = self.other.or(Some(Disagreement::Gone(part))),
            Ok(value) if is_of_other_part(&value) => {
                self.other = self.other.or(Some(Disagreement::Other(part)));
            }
            Ok(value) => self.refused = self.refused.take().or(Some(value)),
        }
    }

    /// Returns the reply. A number less than the number of members that were removed is never a reply. If the command
    /// were carried out again after one part has removed members, its number would be too small.
    fn reply(self, root: &Root, advice: &str) -> Result<Value, Refused> {
        let has_changed = self.sum > 0 || self.is_unknown;
        let unanswered = self.silent.saturating_add(usize::from(self.other.is_some()));
        match (self.refused, self.other) {
            (Some(refused), _) if has_changed => {
                let text = text(&refused).unwrap_or_default();
                Err(Refused::Server(error(&format!("{text} ({OTHER_PARTS} carried it out: {advice})"))))
            }
            (Some(refused), _) => Err(Refused::Server(refused)),
            (None, Some(other)) if !has_changed => Err(Refused::Disagree(other)),
            (None, _) if unanswered == 0 => Ok(Value::Int(self.sum)),
            _ if self.sum > 0 => Err(Refused::Server(unknown_in_part(unanswered, root.parts, advice))),
            _ if self.is_unknown => Err(Refused::Server(unknown())),
            _ => Err(Refused::Server(parts_down(unanswered, root.parts))),
        }
    }
}
