//! `LB.EXPORT` of a board over parts. Each part gives its whole ranking in one step, so no member is missing or doubled. The
//! rows are collected in a sorted set beside `dest`, which takes the place of `dest` when it is complete.

use leaderboard_core::Error;
use leaderboard_core::double::double_of;
use leaderboard_core::integer::natural;
use redis::Value;
use tokio::time::Instant;

use super::scratch::Scratch;
use super::second_key;
use crate::nodes::Transport;
use crate::spread::asked::{Asked, question};
use crate::spread::catalog::{Held, hold};
use crate::spread::engine::Engine;
use crate::spread::gather::{self, Extent, MOST_ROWS, Packed, Refused};
use crate::spread::refusal::{self, error};
use crate::spread::root::Root;

/// The maximum number of members of a whole board that is exported. The parts and the node of `dest` do nothing else
/// while they handle their share.
const MOST: u64 = 1_000_000;
/// How many parts are asked at the same time. Their rows are in the gateway's memory together.
const AT_ONCE: u16 = 8;
/// The options that say what is read.
const READ: [&str; 4] = ["VIEW", "PERIOD", "AT", "REV"];

/// Carries out `LB.EXPORT dest key [options]`.
///
/// # Errors
/// The reply with the reason why nothing is exported.
pub async fn export<T: Transport>(
    engine: &Engine<T>,
    words: &[Vec<u8>],
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let (dest, key) = (asked.key, second_key(asked));
    let Some(root) = engine.learn(key, Instant::now(), deadline).await? else {
        return Ok(engine.pass(words, deadline).await);
    };
    if dest == key {
        return Err(error(&format!("ERR {}", Error::SameKey("dest", "key"))));
    }
    // A key that is absent may belong to a board whose root is lost.
    let is_root = engine.learn(dest, Instant::now(), deadline).await?.is_some();
    let held = hold(engine.sender(), [dest.to_vec()], deadline).await;
    if is_root || matches!(held.as_slice(), [Held::Root(_) | Held::Part(_)]) {
        return Err(error(&format!("ERR {}", Error::BoundKey)));
    }
    let count = asked.value("COUNT").map(|count| natural(count, "COUNT")).transpose();
    let count = count.map_err(|wrong| error(&format!("ERR {wrong}")))?;
    let to_reply = |refused| refusal::reply(Err(refused), root.parts);
    let extent = gather::extent(engine.sender(), &root, asked, deadline).await.map_err(to_reply)?;
    let count = count.filter(|count| *count < extent.members);
    if extent.members > MOST && count.is_none_or(|count| count > MOST_ROWS) {
        return Err(error(&format!(
            "ERR over parts, LB.EXPORT stores at most {MOST} members, or with COUNT the best {MOST_ROWS}"
        )));
    }
    if extent.members == 0 || count == Some(0) {
        return Ok(match engine.pass(&[b"DEL".to_vec(), dest.to_vec()], deadline).await {
            Value::Int(_) => Value::Int(0),
            refused => refused,
        });
    }
    let mut scratch = Scratch::new(engine, dest, deadline)?;
    let stored = match count {
        Some(count) if count <= MOST_ROWS => best(engine, &root, asked, count, &mut scratch, deadline).await,
        Some(_) => Err(too_many()),
        None => all(engine, &root, asked, extent, &mut scratch, deadline).await,
    };
    scratch.finish(dest, stored).await.map(Value::Int)
}

/// Returns the error of a `COUNT` that is too large for one page, on a board that is not exported as a whole.
fn too_many() -> Value {
    error(&format!("ERR over parts, LB.EXPORT stores at most the best {MOST_ROWS} members"))
}

/// Collects the best members.
async fn best<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    asked: &Asked<'_>,
    count: u64,
    scratch: &mut Scratch<'_, T>,
    deadline: Instant,
) -> Result<(), Value> {
    let mut words =
        vec![b"LB.TOP".to_vec(), root.name.clone(), count.to_string().into_bytes(), b"PACKED".to_vec()];
    for given in asked.options.iter().filter(|given| READ.contains(&given.word())) {
        words.push(given.word().as_bytes().to_vec());
        words.extend_from_slice(given.values);
    }
    let question = question(&words).map_err(|text| error(&text))?;
    let page = gather::read(engine.sender(), root, &question, deadline).await;
    let page = page.map_err(|refused| refusal::reply(Err(refused), root.parts))?;
    let rows = match page {
        Value::Array(page) if page.is_empty() => return Ok(()),
        Value::Array(page) => match <[Value; 2]>::try_from(page) {
            Ok([_, Value::BulkString(rows)]) => Packed::new(rows.into(), false),
            _ => None,
        },
        _ => None,
    };
    match rows {
        Some(rows) => add(root, &[rows], scratch).await,
        None => Err(error("ERR the rows of the parts are not understood")),
    }
}

/// Collects all members, some parts at a time.
async fn all<T: Transport>(
    engine: &Engine<T>,
    root: &Root,
    asked: &Asked<'_>,
    extent: Extent,
    scratch: &mut Scratch<'_, T>,
    deadline: Instant,
) -> Result<(), Value> {
    let end = root.parts.count();
    for first in (0..end).step_by(AT_ONCE.into()) {
        let parts = first..first.saturating_add(AT_ONCE).min(end);
        let rows = gather::whole_parts(engine.sender(), root, asked, extent, parts, MOST, deadline).await;
        let rows = rows.map_err(|refused: Refused| refusal::reply(Err(refused), root.parts))?;
        add(root, &rows, scratch).await?;
    }
    Ok(())
}

async fn add<T: Transport>(
    root: &Root,
    packed: &[Packed],
    scratch: &mut Scratch<'_, T>,
) -> Result<(), Value> {
    let rows = packed.iter().flat_map(Packed::rows);
    let rows: Vec<_> = rows.map(|row| (double_of(row.score, root.schema.decimals), row.name)).collect();
    scratch.add(&rows).await
}
