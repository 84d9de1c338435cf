//! `LB.REPAIR`: makes a board whole again, as far as this is possible.

use std::collections::BTreeMap;

use leaderboard_core::catalog::State;
use redis::Value;
use tokio::time::Instant;

use super::complete::{Completion, complete};
use super::end::{catalog, drop_all, finish};
use super::growth::settle;
use super::lost::{all, find};
use super::mend::check_members;
use super::survey::{Found, Held, expiries, hold, hold_parts, is_as_before};
use super::words;
use crate::nodes::{Command, RetryingClient, Transport};
use crate::spread::layout::Share;
use crate::spread::refusal::{Effect, error, root_down, unanswered};
use crate::spread::root::key_slot;

/// Repairs the board in a key. Returns what was done, in words.
///
/// # Errors
/// The reply to the client: the part that cannot be mended, or the server that does not answer.
pub async fn repair<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    force: bool,
    deadline: Instant,
) -> Result<Vec<String>, Value> {
    let mut done = Vec::new();
    loop {
        let root = match root(sender, name, deadline).await? {
            Some(root) => root,
            None => match make_root(sender, name, force, &mut done, deadline).await? {
                Some(root) => root,
                None => return Ok(done),
            },
        };
        if root.entry.state == State::Ending {
            finish(sender, name, &root, deadline).await?;
            done.push("finished DEL".to_owned());
            return Ok(done);
        }
        check_members(name, &root)?;
        let root = if root.entry.is_moving() {
            match settle(sender, name, root, deadline).await? {
                Some(root) => root,
                None if Instant::now() >= deadline => return Err(busy()),
                None => continue,
            }
        } else {
            root
        };
        if force {
            drop_others(sender, name, &root, &mut done, deadline).await?;
        }
        let how = Completion { told: false, repairs: true, makes_lost: force };
        if let Some(more) = complete(sender, name, &root, how, deadline).await? {
            done.extend(more);
            keep_keys(sender, name, &root, &mut done, deadline).await?;
            return Ok(done);
        }
        if Instant::now() >= deadline {
            return Err(busy());
        }
    }
}

fn busy() -> Value {
    error("PARTSDOWN other gateways change this board all the time")
}

/// Takes the expiry of the root and the parts away.
async fn keep_keys<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    done: &mut Vec<String>,
    deadline: Instant,
) -> Result<(), Value> {
    let layout = root.layout;
    let parts = (0..layout.count())
        .map(|place| (format!("part {}", layout.share(place).number), layout.key(name, place)));
    let (names, keys): (Vec<_>, Vec<_>) =
        std::iter::once(("the root".to_owned(), name.to_vec())).chain(parts).unzip();
    let expiries = expiries(sender, &keys, deadline).await;
    let all = names.into_iter().zip(keys).zip(expiries);
    let (names, commands): (Vec<_>, Vec<_>) =
        all.filter(|(_, expiry)| expiry.is_some()).map(|((name, key), _)| (name, persist(key))).unzip();
    let answers = sender.ask(&commands, deadline).await;
    for (name, answer) in names.into_iter().zip(answers) {
        match answer {
            Ok(error @ Value::ServerError(_)) => return Err(error),
            Ok(_) => done.push(format!("took the expiry of {name} away")),
            Err(failure) => return Err(unanswered(&failure, None, Effect::Each)),
        }
    }
    Ok(())
}

fn persist(key: Vec<u8>) -> Command {
    Command { slot: Some(key_slot(&key)), words: vec![b"PERSIST".to_vec(), key], repeatable: true }
}

/// Returns the root in a key, or `None` if the key is absent.
///
/// # Errors
/// If the key holds something else, or no server answers.
pub async fn root<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    match hold(sender, [name.to_vec()], deadline).await.pop() {
        Some(Held::Root(root)) => Ok(Some(root)),
        Some(Held::Absent) => Ok(None),
        Some(Held::Refused(error)) => Err(error),
        Some(Held::Silent) | None => Err(root_down()),
        Some(Held::Part(_)) => Err(error("ERR the key holds a part: name the board")),
        Some(Held::Plain(_) | Held::Other) => Err(error("ERR the key holds no board over parts")),
    }
}

/// Makes the root again from the parts. Returns the new root, or `None` if there are no parts.
async fn make_root<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    force: bool,
    done: &mut Vec<String>,
    deadline: Instant,
) -> Result<Option<Found>, Value> {
    let found = find(sender, name, deadline).await?;
    if found.is_empty() {
        return Ok(None);
    }
    let parts: Vec<_> = all(sender, name, deadline).await?.into_iter().map(|(_, part)| part).collect();
    let Some(latest) = choose(&parts, force)? else { return Ok(None) };
    // If the board was growing or shrinking, some parts are halves. Then the root gets the smaller number of parts, and grows.
    let (fewest, _) = board(latest, &parts);
    // With the next number of the rules, parts forget that they were merged.
    let is_own = |part: &&Found| board(part, &parts) == board(latest, &parts);
    let was_shrinking = parts.iter().filter(is_own).any(|part| part.entry.target.is_some());
    let numbers = [
        ("PARTS", u64::from(fewest)),
        ("INCARNATION", latest.entry.incarnation),
        ("REVISION", latest.entry.revision.saturating_add(was_shrinking.into())),
    ];
    let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
    let mut words = vec![b"LB.CREATE".to_vec(), name.to_vec()];
    words.extend(words::rules(&latest.info));
    words.extend(numbers.chain(["NX".to_owned()]).map(String::into_bytes));
    let command = Command { slot: Some(key_slot(name)), words, repeatable: true };
    match sender.ask(&[command], deadline).await.pop() {
        Some(Ok(value @ Value::ServerError(_))) => return Err(value),
        Some(Ok(_)) => {}
        Some(Err(failure)) => return Err(unanswered(&failure, None, Effect::Each)),
        None => return Err(root_down()),
    }
    done.push(format!("made the root again from {} of {} parts", count(&parts, latest), fewest));
    root(sender, name, deadline).await
}

fn count(parts: &[Found], of: &Found) -> usize {
    parts.iter().filter(|part| board(part, parts) == board(of, parts)).count()
}

/// The number of parts and the incarnation of a board.
type Board = (u16, u64);

/// Returns the board of a part. While a board grows, some of its parts are of twice the number of parts.
fn board(part: &Found, all: &[Found]) -> Board {
    let incarnation = part.entry.incarnation;
    let is_older =
        |other: &Found| other.entry.incarnation == incarnation && other.parts.doubled() == Some(part.parts);
    let is_half = incarnation > 0 && all.iter().any(is_older);
    (if is_half { part.parts.count() >> 1 } else { part.parts.count() }, incarnation)
}

/// Returns the part with the latest rules, of the board to which most parts belong.
///
/// # Errors
/// If the parts belong to several boards, unless `force` is given.
fn choose(parts: &[Found], force: bool) -> Result<Option<&Found>, Value> {
    let mut boards: BTreeMap<Board, usize> = BTreeMap::new();
    for part in parts {
        let number = boards.entry(board(part, parts)).or_default();
        *number = number.saturating_add(1);
    }
    if boards.len() > 1 && !force {
        let list: Vec<_> =
            boards.iter().map(|((n, of), parts)| format!("{parts} of {n} parts of {of}")).collect();
        return Err(error(&format!(
            "ERR the parts are of {} boards that had this name ({}): FORCE keeps the one with the most parts",
            boards.len(),
            list.join(", ")
        )));
    }
    // Of two boards with as many parts, the one of more parts is kept: it had more members.
    let most = boards.into_iter().max_by_key(|((of, _), parts)| (*parts, *of)).map(|(board, _)| board);
    let own = parts.iter().filter(|part| Some(board(part, parts)) == most);
    Ok(own.max_by_key(|part| part.entry.revision))
}

/// Deletes parts of other boards in the keys of the parts. While the board grows or shrinks, its own parts stay: their number
/// of parts changes.
async fn drop_others<T: Transport>(
    sender: &RetryingClient<T>,
    name: &[u8],
    root: &Found,
    done: &mut Vec<String>,
    deadline: Instant,
) -> Result<(), Value> {
    let (mut commands, mut deleted) = (Vec::new(), Vec::new());
    for (place, held) in (0_u16..).zip(hold_parts(sender, name, root.layout, deadline).await) {
        let Held::Part(part) = held else { continue };
        let Share { number, of } = root.layout.share(place);
        let is_half = Some(part.parts) == of.doubled() && part.number >> 1 == number;
        let is_own = (part.parts, part.number) == (of, number) || is_half || root.entry.is_moving();
        if !is_own || part.entry.incarnation != root.entry.incarnation {
            commands.push(catalog(root.layout.key(name, place), "DROP", part.entry.incarnation));
            deleted.push(format!("deleted part {} of another board that had this name", part.number));
        }
    }
    if commands.is_empty() || !is_as_before(sender, name, root, deadline).await {
        return Ok(());
    }
    done.extend(deleted);
    drop_all(sender, &commands, root, deadline).await.map(|_| ())
}
