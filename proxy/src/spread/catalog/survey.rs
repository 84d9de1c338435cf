//! Asks the keys of a board what they hold.

use leaderboard_core::catalog::{CatalogEntry, Hold, State};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, RetryingClient, Transport};
use crate::spread::info::Info;
use crate::spread::layout::Layout;
use crate::spread::refusal::is_wrong_type;
use crate::spread::root::key_slot;

/// What a key holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    /// A part of a board.
    Part(Found),
    /// The root of a board.
    Root(Found),
    /// A board without parts. If it is being spread, it gets two parts, and the entry names the attempt.
    Plain(Found),
    /// A value of another type.
    Other,
    /// Nothing.
    Absent,
    /// The server refuses to answer, with this error.
    Refused(Value),
    /// No server answered.
    Silent,
}

/// A root or part, or a plain board.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The number of the part; 0 for a root.
    pub number: u16,
    /// The number of parts of its board.
    pub parts: Parts,
    /// The parts of its board, as far as they are known.
    pub layout: Layout,
    /// Its catalogue entry.
    pub entry: CatalogEntry,
    /// The hash of its rules.
    pub hash: u64,
    /// The whole answer.
    pub info: Info,
}

impl Held {
    fn of(answer: Result<Value, CommandError>) -> Self {
        let value = match answer {
            Err(_) => return Self::Silent,
            Ok(error @ Value::ServerError(_)) if is_wrong_type(&error) => return Self::Other,
            Ok(error @ Value::ServerError(_)) => return Self::Refused(error),
            Ok(value) => value,
        };
        let Some(info) = Info::of(value) else { return Self::Absent };
        let number = |name| info.number(name).and_then(|number| u16::try_from(number).ok());
        let parts = number("parts").and_then(|parts| Parts::new(parts, "PARTS").ok());
        let (part, entry) = (number("part"), entry(&info));
        let hash = info.number("schema").unwrap_or_default().cast_unsigned();
        let number = part.unwrap_or_default();
        let of = parts.unwrap_or(Parts::TWO);
        let found = Found { number, parts: of, layout: of.into(), entry, hash, info };
        match (parts, part) {
            (None, _) => Self::Plain(found),
            (_, Some(_)) => Self::Part(found),
            (_, None) => Self::Root(found),
        }
    }

    /// Returns the part, if it is this part of a board over this number of parts.
    pub fn part_of(&self, parts: Parts, number: u16) -> Option<&Found> {
        match self {
            Self::Part(found) if (found.parts, found.number) == (parts, number) => Some(found),
            _ => None,
        }
    }
}

/// Returns the catalogue entry in an answer to `LB.INFO`.
pub fn entry(info: &Info) -> CatalogEntry {
    let number = |name| info.number(name).unwrap_or_default().cast_unsigned();
    let state = info.text("state").and_then(|state| State::parse(state).ok());
    CatalogEntry {
        incarnation: number("incarnation"),
        revision: number("revision"),
        request: number("request"),
        state: state.unwrap_or_default(),
        target: grown(info).map(|(target, _)| target),
        hold: match (number("token"), number("until")) {
            (0, _) => None,
            (token, 0) => Some(Hold::Copy { token }),
            (token, until) => Some(Hold::Split { token, until }),
        },
    }
}

/// Returns twice the number of parts of a root that grows or shrinks, and the hash of its rules with that number of parts.
pub fn grown(info: &Info) -> Option<(Parts, u64)> {
    let target = u16::try_from(info.number("target")?).ok()?;
    let target = Parts::new(target, "PARTS").ok()?;
    Some((target, info.number("grown")?.cast_unsigned()))
}

impl Found {
    /// Returns the hash that the rules of this root or part have on a board over this number of parts, if it is known.
    pub fn hash_over(&self, parts: Parts) -> Option<u64> {
        if parts == self.parts {
            return Some(self.hash);
        }
        grown(&self.info).filter(|(target, _)| *target == parts).map(|(_, hash)| hash)
    }
}

/// Returns what each of these keys holds.
pub async fn hold<T: Transport>(
    sender: &RetryingClient<T>,
    keys: impl IntoIterator<Item = Vec<u8>>,
    deadline: Instant,
) -> Vec<Held> {
    let command = |key: Vec<u8>| Command {
        slot: Some(key_slot(&key)),
        words: vec![b"LB.INFO".to_vec(), key],
        repeatable: true,
    };
    let commands: Vec<_> = keys.into_iter().map(command).collect();
    sender.ask(&commands, deadline).await.into_iter().map(Held::of).collect()
}

/// Returns whether a root is as it was read. Each step of LB.RESHARD changes the root before it changes parts. So if the root
/// is as before, then what was read of the parts in between belongs to this state of it.
pub async fn is_as_before<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    deadline: Instant,
) -> bool {
    match hold(sender, [name.to_vec()], deadline).await.pop() {
        Some(Held::Root(now)) => (now.parts, now.entry) == (root.parts, root.entry),
        // If no server answers, the root may be as before.
        Some(Held::Silent | Held::Refused(_)) | None => true,
        Some(Held::Part(_) | Held::Plain(_) | Held::Other | Held::Absent) => false,
    }
}

/// Returns what the keys of all parts of a board hold, in the order of the parts.
pub async fn hold_parts<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    parts: impl Into<Layout>,
    deadline: Instant,
) -> Vec<Held> {
    let parts = parts.into();
    hold(sender, (0..parts.count()).map(|part| parts.key(name, part)), deadline).await
}

/// Returns for each key the time to live in milliseconds, if it has one.
pub async fn expiries<T: Transport>(
    sender: &RetryingClient<T>,
    keys: &[Vec<u8>],
    deadline: Instant,
) -> Vec<Option<i64>> {
    let command = |key: &Vec<u8>| Command {
        slot: Some(key_slot(key)),
        words: vec![b"PTTL".to_vec(), key.clone()],
        repeatable: true,
    };
    let commands: Vec<_> = keys.iter().map(command).collect();
    let answers = sender.ask(&commands, deadline).await;
    let read = |answer| match answer {
        Ok(Value::Int(left)) if left >= 0 => Some(left),
        _ => None,
    };
    answers.into_iter().map(read).collect()
}
