//! `LB.INFO` of a spread board: the rules of the root, and the sums over all parts.

use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::gather::{Disagreement, Refused};
use crate::spread::info::Info;
use crate::spread::refusal::is_no_part;
use crate::spread::root::{Root, key_slot};

/// The fields whose values are added up over all parts.
const SUMS: [&str; 7] = ["members", "hidden", "requests", "memory", "writes", "repeated", "votes"];

/// Asks the root and all parts.
///
/// # Errors
/// See [`Refused`].
pub async fn tell<T: Transport>(
    sender: &RetryingClient<T>,
    root: &Root,
    deadline: Instant,
) -> Result<Value, Refused> {
    let words = vec![b"LB.INFO".to_vec(), root.name.clone()];
    let of_root = Command { slot: Some(key_slot(&root.name)), words, repeatable: true };
    let of_parts = (0..root.parts.count()).map(|part| root.command(part, b"LB.INFO", [], true));
    let commands: Vec<_> = std::iter::once(of_root).chain(of_parts).collect();
    let mut answers = sender.ask(&commands, deadline).await.into_iter();
    let silent = || Refused::PartsDown { silent: 1, parts: root.parts.count() };
    let told = answers.next().and_then(Result::ok).ok_or_else(silent)?;
    let mut whole = info(root, None, told)?;
    let mut silent = 0_u16;
    for (part, answer) in (0..).zip(answers) {
        match answer {
            Ok(told) => add(&mut whole, &info(root, Some(part), told)?),
            Err(_) => silent = silent.saturating_add(1),
        }
    }
    match silent {
        0 => Ok(whole.reply()),
        silent => Err(Refused::PartsDown { silent, parts: root.parts.count() }),
    }
}

/// Returns the answer of a part, or of the root if `part` is `None`. It has to agree with the known root.
fn info(root: &Root, part: Option<u16>, told: Value) -> Result<Info, Refused> {
    if let Some(part) = part.filter(|_| is_no_part(&told)) {
        return Err(Refused::Disagree(Disagreement::Gone(part)));
    }
    if matches!(told, Value::ServerError(_)) {
        return Err(Refused::Server(told));
    }
    let number = part.unwrap_or_default();
    let info = Info::of(told).ok_or(Refused::Disagree(Disagreement::Gone(number)))?;
    let said = (info.number("parts"), info.number("part"));
    let share = part.map(|part| root.parts.share(part));
    let (of, hash) =
        share.map_or((said.0, root.hash), |share| (Some(share.of.count().into()), root.hash_of(share)));
    if said != (of, share.map(|share| share.number.into())) {
        return Err(Refused::Disagree(Disagreement::Other(number)));
    }
    if info.number("schema").map(i64::cast_unsigned) != Some(hash) {
        return Err(Refused::Disagree(Disagreement::Rules(number)));
    }
    Ok(info)
}

fn add(whole: &mut Info, part: &Info) {
    let number = |info: &Info, name: &str| info.number(name).unwrap_or_default();
    for name in SUMS {
        let sum = number(whole, name).saturating_add(number(part, name));
        whole.set(name, Value::Int(sum));
    }
    whole.add_counts("held_back", part);
    for name in ["now", "last"] {
        let latest = number(whole, name).max(number(part, name));
        whole.set(name, Value::Int(latest));
    }
}
