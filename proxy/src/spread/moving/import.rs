//! `LB.IMPORT` into a board over parts, in steps. A step reads a page of the sorted set, and gives each part its members as
//! LB.MADD does.

use std::collections::{BTreeMap, HashSet};

use leaderboard_commands::cursor::Cursor;
use leaderboard_core::double::score_for;
use leaderboard_core::integer::natural;
use leaderboard_core::schema::{Order, Schema, Ties};
use leaderboard_core::{Error, Score};
use redis::Value;
use tokio::time::Instant;

use super::second_key;
use super::sorted_set::{Row, SortedSet};
use crate::nodes::Transport;
use crate::spread::asked::{Asked, question};
use crate::spread::catalog::random;
use crate::spread::change;
use crate::spread::engine::Engine;
use crate::spread::gather;
use crate::spread::refusal::{self, error, parts_down, text};
use crate::spread::root::Root;

/// The number of members in a step without `COUNT`, and the maximum.
const STEP: u64 = 1_000;
const MOST: u64 = 10_000;
/// The number of members in one request about members. While a server answers, it does nothing else.
const AT_ONCE: usize = 500;

/// Carries out `LB.IMPORT key zset [options]`.
///
/// # Errors
/// The reply with the reason why the step is not carried out, or not by all parts.
pub async fn import<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let Some(root) = engine.learn(asked.key, Instant::now(), deadline).await? else {
        return Ok(engine.pass(words, deadline).await);
    };
    let step = Step::of(&root, asked).map_err(|wrong| error(&format!("ERR {wrong}")))?;
    if asked.id().is_none() && asked.has("MERGE") {
        return Err(error("ERR over parts, LB.IMPORT with MERGE needs ID"));
    }
    if !asked.has("MERGE") && !asked.has("NX") && has_members(engine, &root, deadline).await? {
        return Err(error(&format!("ERR {}", Error::NotEmpty)));
    }
    let is_down = is_down(&root.schema);
    let set = SortedSet { engine, key: second_key(asked), is_down, deadline };
    let (rows, next) = set.page(&step.cursor, step.count).await?;
    let pairs = scores(&rows, root.schema.decimals, asked.has("ROUND"))?;
    let imported = if asked.has("MERGE") {
        let id = step_id(asked);
        write(engine, &root, asked, &id, &pairs, deadline).await?
    } else {
        let present = present(engine, &root, &pairs, deadline).await?;
        let new: Vec<_> = pairs.into_iter().filter(|(_, member)| !present.contains(*member)).collect();
        // Whoever repeats this step leaves the members alone that are there, so the id is for this attempt alone.
        let id = random()?.to_string().into_bytes();
        write(engine, &root, asked, &id, &new, deadline)
            .await
            .map_err(|refused| repeat_with_nx(refused, &root))?
    };
    let cursor = Value::BulkString(next.to_string().into_bytes());
    Ok(Value::Array(vec![cursor, Value::Int(i64::try_from(imported).unwrap_or(i64::MAX))]))
}

/// Where a step begins, and how many members it has at most.
struct Step {
    cursor: Cursor,
    count: u64,
}

impl Step {
    fn of(root: &Root, asked: &Asked<'_>) -> Result<Self, Error> {
        root.schema.needs_decimals("an import")?;
        let cursor = asked.value("CURSOR").ok_or(Error::MissingOption("CURSOR"))?;
        let count = asked.value("COUNT").map_or(Ok(STEP), |count| natural(count, "COUNT"))?;
        if count == 0 {
            return Err(Error::OutOfRange("COUNT"));
        }
        Ok(Self { cursor: Cursor::parse(cursor)?, count: count.min(MOST) })
    }
}

/// Returns whether a sorted set is read from its greatest score, as the module does: among equal scores, a member that is
/// imported earlier ranks higher with `TIES FIRST`, and lower with `TIES LAST`.
fn is_down(schema: &Schema) -> bool {
    (schema.order == Order::Desc) != (schema.ties == Ties::Last)
}

/// Returns the scores of the members on the board.
fn scores(rows: &[Row], decimals: u8, rounds: bool) -> Result<Vec<(Score, &[u8])>, Value> {
    let pair = |(score, member): &'_ Row| score_for(member, *score, decimals, rounds);
    let scores: Result<Vec<_>, _> = rows.iter().map(pair).collect();
    let scores = scores.map_err(|wrong| error(&format!("ERR {wrong}")))?;
    Ok(scores.into_iter().zip(rows).map(|(score, (_, member))| (score, member.as_slice())).collect())
}

/// Returns the request id of a step: the client's id, and the place of the step.
fn step_id(asked: &Asked<'_>) -> Vec<u8> {
    let mut hash = blake3::Hasher::new();
    for word in [asked.id().unwrap_or_default(), second_key(asked), asked.value("CURSOR").unwrap_or_default()]
    {
        hash.update(&word.len().to_le_bytes()).update(word);
    }
    hash.finalize().to_hex().as_bytes().to_vec()
}

/// Returns whether the board has members in the current period of any view.
async fn has_members<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    deadline: Instant,
) -> Result<bool, Value> {
    for spec in &root.specs {
        let view = spec.kind.to_string().into_bytes();
        let words = [b"LB.COUNT".to_vec(), root.name.clone(), b"VIEW".to_vec(), view];
        let count = question(&words).map_err(|text| error(&text))?;
        match gather::read(engine.sender(), root, &count, deadline).await {
            Ok(Value::Int(0)) => {}
            Ok(_) => return Ok(true),
            Err(refused) => return Err(refusal::reply(Err(refused), root.parts)),
        }
    }
    Ok(false)
}

/// Returns the members that the board has in the current period of any view.
async fn present<'m, T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    pairs: &[(Score, &'m [u8])],
    deadline: Instant,
) -> Result<HashSet<&'m [u8]>, Value> {
    let mut of_parts: BTreeMap<u16, Vec<&'m [u8]>> = BTreeMap::new();
    for (_, member) in pairs {
        of_parts.entry(root.parts.of(member)).or_default().push(member);
    }
    let views: Vec<_> = root.specs.iter().map(|spec| spec.kind.to_string()).collect();
    let (mut asked, mut commands) = (Vec::new(), Vec::new());
    for (part, members) in &of_parts {
        for (members, view) in
            members.chunks(AT_ONCE).flat_map(|some| views.iter().map(move |view| (some, view)))
        {
            let count = members.len().to_string();
            let head = [&b"MOF"[..], b"VIEW", view.as_bytes(), b"MEMBERS", count.as_bytes()];
            commands.push(root.command(
                *part,
                b"LB.PART",
                head.into_iter().chain(members.iter().copied()),
                true,
            ));
            asked.push((*part, members));
        }
    }
    let mut present = HashSet::new();
    for ((part, members), answer) in asked.into_iter().zip(engine.sender().ask(&commands, deadline).await) {
        let value = answer.map_err(|_| parts_down(1, root.parts))?;
        let entries = entries(root, part, value)?;
        let there = members.iter().zip(entries).filter(|(_, entry)| *entry != Value::Nil);
        present.extend(there.map(|(member, _)| *member));
    }
    Ok(present)
}

/// Returns the entries in the answer of a part, which has to be a part of this board.
fn entries(root: &Root, part: u16, value: Value) -> Result<Vec<Value>, Value> {
    let mut told = match value {
        Value::Array(told) => told,
        Value::ServerError(_) if !refusal::is_no_part(&value) => return Err(value),
        _ => return Err(parts_down(1, root.parts)),
    };
    let expected =
        [Value::Int(part.into()), Value::Int(root.parts.count().into()), Value::Int(root.hash.cast_signed())];
    match (told.get(..3) == Some(&expected), told.pop()) {
        (true, Some(Value::Array(entries))) => Ok(entries),
        _ => Err(parts_down(1, root.parts)),
    }
}

/// Adds the points to the members. Returns how many members there were.
async fn write<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    asked: &Asked<'_>,
    id: &[u8],
    pairs: &[(Score, &[u8])],
    deadline: Instant,
) -> Result<usize, Value> {
    if pairs.is_empty() {
        return Ok(0);
    }
    let mut words = vec![b"LB.MADD".to_vec(), root.name.clone(), b"ID".to_vec(), id.to_vec()];
    if let Some(at) = asked.value("AT") {
        words.extend([b"AT".to_vec(), at.to_vec()]);
    }
    // No rule of scores holds an import back.
    words.push(b"FORCE".to_vec());
    for (score, member) in pairs {
        words.extend([score.display(root.schema.decimals).to_string().into_bytes(), member.to_vec()]);
    }
    let points = question(&words).map_err(|text| error(&text))?;
    match change::write(engine.sender(), root, &points, deadline).await {
        Ok(Value::Array(_)) => Ok(pairs.len()),
        Ok(refused) => Err(refused),
        Err(refused) => Err(refusal::reply(Err(refused), root.parts)),
    }
}

/// Returns the error of a step without `MERGE` whose parts did not all answer.
fn repeat_with_nx(refused: Value, root: &Root) -> Value {
    let code = text(&refused).unwrap_or_default();
    if code.starts_with("PARTSDOWN") || code.starts_with("UNKNOWN") {
        let parts = root.parts.count();
        return error(&format!("PARTSDOWN not all of {parts} parts answered: repeat the step with NX"));
    }
    refused
}
