//! Writes to members of several parts as one request. Each part applies the writes to all of its members or to none of
//! them, so some parts may apply their share and others not. Therefore the request needs an id: repeating the request
//! completes it, and no write counts twice.

use std::collections::BTreeMap;

use leaderboard_core::Error;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{CommandError, RetryingClient, Transport};
use crate::spread::asked::{Asked, Own};
use crate::spread::change::ranks::applied;
use crate::spread::change::{check, for_part, members};
use crate::spread::gather::{Disagreement, Refused};
use crate::spread::refusal::{
    Effect, OTHER_PARTS, error, is_no_part, parts_down, text, unanswered, unknown_in_part,
};
use crate::spread::root::Root;

/// What a client does if parts did not answer.
const WITH_ID: &str = "repeat it with its ID";

/// For each part, the places of its members in the list.
type Places = BTreeMap<u16, Vec<usize>>;

/// Sends each part its members. A rank in the reply is the rank within the part.
///
/// # Errors
/// See [`Refused`].
pub async fn write<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Refused> {
    let places = places(root, asked);
    if places.len() > 1 && !asked.has("ID") {
        return Err(Refused::Invalid(format!("ERR over parts, {} needs ID", asked.row.name)));
    }
    if asked.has("QUIET") && asked.wants(Own::WithRank) {
        let conflict = Error::Conflict("QUIET", Own::WithRank.word());
        return Err(Refused::Invalid(format!("ERR {conflict}")));
    }
    check::list(root, asked).map_err(|error| Refused::Invalid(format!("ERR {error}")))?;
    let pairs: Vec<_> = asked.pairs().collect();
    // A number of items does not say whether the rules of a part held its votes back.
    let told_all = asked.without("QUIET");
    let commands: Vec<_> =
        places.iter().map(|(part, places)| for_part(&told_all, root, *part, words(&pairs, places))).collect();
    let is_repeatable = commands.iter().all(|command| command.repeatable);
    let answers = sender.ask(&commands, deadline).await;
    let mut told = Told::default();
    for ((part, places), answer) in places.iter().zip(answers) {
        told.take(*part, places, answer, asked);
    }
    let reply = told.reply(root, asked, is_repeatable)?;
    Ok(if asked.has("QUIET") { applied(asked.row.name, reply) } else { reply })
}

/// Returns the places in the list of each part's members.
fn places(root: &Root, asked: &Asked<'_>) -> Places {
    let mut places = Places::new();
    for (place, member) in members(asked).into_iter().enumerate() {
        places.entry(root.parts.of(member)).or_default().push(place);
    }
    places
}

/// Returns the list for a part: the pairs at these places.
fn words<'p>(pairs: &'p [(&[u8], &[u8])], places: &'p [usize]) -> impl Iterator<Item = &'p [u8]> {
    places.iter().filter_map(|place| pairs.get(*place)).flat_map(|(number, member)| [*number, *member])
}

/// The answers of the parts.
#[derive(Default)]
struct Told {
    /// How many parts were asked.
    parts: usize,
    /// The reply to a command with one member.
    one: Option<Value>,
    /// The answer for each place of the list.
    all: BTreeMap<usize, Value>,
    /// How many parts did not answer.
    silent: usize,
    /// The error of a part that did not answer: if there is one, of a part that may have carried out the write.
    failure: Option<CommandError>,
    gone: Option<u16>,
    /// The error of the part with the lowest number that refused the write.
    refused: Option<Value>,
    /// The reply of the part with the lowest number whose rules do not allow the votes ("hold back").
    held_back: Option<Value>,
}

impl Told {
    fn take(&mut self, part: u16, places: &[usize], answer: Result<Value, CommandError>, asked: &Asked<'_>) {
        self.parts = self.parts.saturating_add(1);
        match answer {
            Err(failure) => {
                self.silent = self.silent.saturating_add(1);
                if matches!(failure, CommandError::Unknown(_)) || self.failure.is_none() {
                    self.failure = Some(failure);
                }
            }
            // The root has already been asked again, so the part counts as silent.
            Ok(value) if is_no_part(&value) && asked.is_settled() => {
                self.silent = self.silent.saturating_add(1)
            }
            Ok(value) if is_no_part(&value) => self.gone = self.gone.or(Some(part)),
            Ok(value @ Value::ServerError(_)) => self.refused = self.refused.take().or(Some(value)),
            Ok(value) if asked.member().is_some() => self.one = Some(value),
            Ok(value) => match list(value) {
                Ok(list) => self.all.extend(places.iter().copied().zip(list)),
                Err(held_back) => self.held_back = self.held_back.take().or(Some(held_back)),
            },
        }
    }

    fn reply(self, root: &Root, asked: &Asked<'_>, is_repeatable: bool) -> Result<Value, Refused> {
        if let Some(value) = self.one {
            return Ok(value);
        }
        let is_unknown = matches!(self.failure, Some(CommandError::Unknown(_)));
        let may_be_taken = !self.all.is_empty() || is_unknown;
        if let Some(refused) = self.refused {
            return Err(Refused::Server(if may_be_taken {
                with_others(&text(&refused).unwrap_or_default())
            } else {
                refused
            }));
        }
        if let Some(part) = self.gone {
            return Err(Refused::Disagree(Disagreement::Gone(part)));
        }
        if self.silent > 0 {
            let effect = if is_repeatable { Effect::OnceForId } else { Effect::Each };
            return Err(Refused::Server(match &self.failure {
                Some(failure) if self.parts == 1 => unanswered(failure, Some(root.parts), effect),
                _ if may_be_taken => unknown_in_part(self.silent, root.parts, WITH_ID),
                _ => parts_down(self.silent, root.parts),
            }));
        }
        match self.held_back {
            Some(held_back) if !may_be_taken => Ok(held_back),
            Some(held_back) => Err(Refused::Server(held_back_by_one(&held_back))),
            None => Ok(whole(asked, self.all)),
        }
    }
}

/// Returns the replies of all parts together, in the order of the list.
fn whole(asked: &Asked<'_>, all: BTreeMap<usize, Value>) -> Value {
    let all = Value::Array(all.into_values().collect());
    if asked.row.name == "LB.MVOTE" { Value::Array(vec![Value::Int(1), all]) } else { all }
}

/// Returns the answers of a part for each of its members.
///
/// # Errors
/// The unchanged reply, if the rules of votes do not allow the votes.
fn list(value: Value) -> Result<Vec<Value>, Value> {
    let Value::Array(mut parts) = value else { return Err(value) };
    match parts.as_mut_slice() {
        [Value::Int(1), Value::Array(list)] => Ok(std::mem::take(list)),
        [Value::Int(0), ..] => Err(Value::Array(parts)),
        _ => Ok(parts),
    }
}

/// Returns an error of one part, if other parts may have carried the request out.
fn with_others(text: &str) -> Value {
    error(&format!("{text} ({OTHER_PARTS} taken theirs: repeat with the same ID)"))
}

/// Returns the error when the rules of one part do not allow its votes.
fn held_back_by_one(held_back: &Value) -> Value {
    let rule = match held_back {
        Value::Array(told) => match told.get(1) {
            Some(Value::BulkString(rule)) => String::from_utf8_lossy(rule).into_owned(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    with_others(&format!("ERR the rule {rule} holds votes back"))
}
