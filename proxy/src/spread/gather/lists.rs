//! `LB.PERIODS` and `LB.HIDDEN`: lists that each part has for itself. The gateway also sends `LB.PART TOP 0` to each
//! part: its answer shows whether this is the right part, and in which period the part is.

use std::collections::BTreeMap;

use leaderboard_core::Error;
use leaderboard_core::error::Quoted;
use leaderboard_core::view::Kind;
use redis::Value;

use super::answer::{Answer, Reply, odd};
use super::operation::Operation;
use super::round::{Gather, Stop, question};
use super::{options, reply};
use crate::nodes::Transport;

/// A period: label, start and end.
type Period = [Value; 3];

/// Replies to `LB.PERIODS key view`.
pub async fn periods<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let view = options::fixed(gather.call.asked, 0);
    let kind = Kind::parse(view).ok();
    let spec = gather.call.root.specs.iter().find(|spec| Some(spec.kind) == kind);
    let spec = spec.ok_or(Error::NoSuchView("VIEW", Quoted::new(view)))?;
    // Parts that are in another current period have other lists.
    let current = Gather::new(gather.call, gather.scope.now_of(view, Some(spec)), None);
    let (answers, lists) = current.lists(&[b"LB.PERIODS", view]).await?;
    current.join(answers.first().and_then(|answer| answer.start), &answers)?;
    let mut all: BTreeMap<i64, (Period, u64)> = BTreeMap::new();
    for (part, list) in lists {
        for period in list {
            let (period, members) = period_of(period).ok_or_else(|| odd(part))?;
            let start = if let [_, Value::Int(start), _] = period { start } else { 0 };
            let sum = &mut all.entry(start).or_insert((period, 0)).1;
            *sum = sum.saturating_add(members);
        }
    }
    let row = |(_, (period, members)): (i64, (Period, u64))| {
        Value::Array(period.into_iter().chain([reply::int(members)]).collect())
    };
    Ok(Value::Array(all.into_iter().rev().map(row).collect()))
}

/// Reads a period and the number of its members.
fn period_of(value: Value) -> Option<(Period, u64)> {
    let Value::Array(fields) = value else { return None };
    let [label, start, end, members] = <[Value; 4]>::try_from(fields).ok()?;
    match members {
        Value::Int(members) => Some(([label, start, end], u64::try_from(members).ok()?)),
        _ => None,
    }
}

/// Replies to `LB.HIDDEN key`.
pub async fn hidden<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let mut names = Vec::new();
    for (part, list) in gather.lists(&[b"LB.HIDDEN"]).await?.1 {
        for name in list {
            let Value::BulkString(name) = name else { return Err(odd(part).into()) };
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(Value::Array(names.into_iter().map(Value::BulkString).collect()))
}

/// The number of a part, and its list.
pub type OwnList = (u16, Vec<Value>);

impl<T: Transport> Gather<'_, T> {
    /// Asks each part for a list. `command` lacks the key: the key is inserted after the name.
    async fn lists(&self, command: &[&[u8]]) -> Result<(Vec<Answer>, Vec<OwnList>), Stop> {
        let command = |_, key: &[u8]| {
            let mut words: Vec<_> = command.iter().map(|word| word.to_vec()).collect();
            words.insert(1, key.to_vec());
            words
        };
        self.lists_of(self.parts().collect(), command).await
    }

    /// Asks some parts for lists. `command` returns the command for a part and its key.
    pub async fn lists_of(
        &self,
        mut parts: Vec<u16>,
        command: impl Fn(u16, &[u8]) -> Vec<Vec<u8>>,
    ) -> Result<(Vec<Answer>, Vec<OwnList>), Stop> {
        let root = self.call.root;
        let silent = self.silent();
        parts.retain(|part| !silent.contains(*part));
        let commands = parts.iter().flat_map(|part| {
            let key = root.parts.key(&root.name, *part);
            let own = command(*part, &key);
            [Operation::top(0).for_part(key, *part, self.order, &self.scope.words(None)), own]
                .map(|words| question(root, *part, words))
        });
        let replies = self.call.sender.ask(&commands.collect::<Vec<_>>(), self.call.round_deadline()).await;
        let mut replies = replies.into_iter().map(Result::ok);
        let (mut heads, mut lists) = (Vec::new(), Vec::new());
        for part in &parts {
            let (head, list) = (replies.next().flatten(), replies.next().flatten());
            // If a part leaves one of the two commands unanswered, the part is silent. If one of the two answers is an
            // error, this error is the part's answer.
            heads.push(match list {
                Some(Value::Array(list)) => {
                    lists.push((*part, list));
                    head
                }
                Some(error @ Value::ServerError(_)) => {
                    head.map(|head| if is_error(&head) { head } else { error })
                }
                _ => None,
            });
        }
        let heads = heads.into_iter().map(|head| head.map(Reply::Value));
        let answers = self.call.sort_out(parts.iter().copied().zip(heads))?;
        lists.retain(|(part, _)| answers.binary_search_by_key(part, |answer| answer.part).is_ok());
        Ok((answers, lists))
    }
}

const fn is_error(value: &Value) -> bool {
    matches!(value, Value::ServerError(_))
}
