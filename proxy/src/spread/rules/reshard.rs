//! `LB.RESHARD`: doubles or halves the parts of a board, as often as needed. A plain board gets two parts first, and a board
//! of two parts can become a plain board. The root says how many parts the board will have, so the command can be repeated
//! through any gateway.

use std::time::Duration;

use leaderboard_core::integer::natural;
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::Transport;
use crate::spread::asked::Asked;
use crate::spread::catalog::{self, Found, Held, State};
use crate::spread::engine::Engine;
use crate::spread::layout::Layout;
use crate::spread::refusal::error;

/// The TIMEOUT of a command that does not name one.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long one step waits for the servers.
const STEP: Duration = Duration::from_secs(5);

/// The number of parts that a client wants; `None` for a plain board.
type Wanted = Option<Parts>;

/// Lets a board grow or shrink until it has the wanted number of parts, or until the deadline. At least one step is carried
/// out.
///
/// # Errors
/// The reply with the reason why the board does not get these parts.
pub async fn reshard<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let wanted = wanted(asked)?;
    loop {
        let step = Instant::now().checked_add(STEP).unwrap_or(deadline);
        let present = match (read(engine, asked.key, step).await?, wanted) {
            (Kept::Root(root), _) if !root.entry.is_moving() && wanted == Some(root.parts) => {
                return Ok(reply(root.layout.count(), wanted));
            }
            (Kept::Root(root), _) => go_on(engine, asked.key, &root, wanted, deadline).await?,
            (Kept::Plain(board), None) => {
                catalog::drop_given(engine.sender(), asked.key, &board, step).await?;
                return Ok(reply(1, wanted));
            }
            (Kept::Plain(board), Some(_)) => {
                catalog::spread(engine.sender(), asked.key, board, step).await?;
                engine.forget(asked.key);
                1
            }
        };
        if Instant::now() >= deadline {
            return Ok(reply(present, wanted));
        }
    }
}

/// Returns the reply: the number of parts that there are, and that are wanted.
fn reply(present: u16, wanted: Wanted) -> Value {
    Value::Array(vec![Value::Int(present.into()), Value::Int(count(wanted).into())])
}

fn count(wanted: Wanted) -> u16 {
    wanted.map_or(1, Parts::count)
}

fn wanted(asked: &Asked<'_>) -> Result<Wanted, Value> {
    let word = asked.fixed.first().map(Vec::as_slice).unwrap_or_default();
    let number = natural(word, "parts").and_then(|number| Parts::or_plain(number, "parts"));
    number.map_err(|wrong| error(&format!("ERR {wrong}")))
}

/// Returns the error when a board that grows or shrinks has to have `present` parts first. `bound` says in which direction
/// the wanted number is wrong.
fn unfinished(name: &[u8], bound: &str, present: u16, what: &str) -> Value {
    let name = name.escape_ascii();
    error(&format!(
        "ERR parts must be {bound} {present}: the board is {what}, LB.RESHARD {name} {present} finishes that"
    ))
}

/// What is kept in the key of a board.
enum Kept {
    Root(Found),
    Plain(Found),
}

/// Reads the board. Finishes what another gateway has begun.
async fn read<T: Transport>(engine: &Engine<T>, name: &[u8], step: Instant) -> Result<Kept, Value> {
    if let Some(root) = catalog::mend(engine.sender(), name, None, step).await? {
        return Ok(Kept::Root(root));
    }
    match catalog::hold(engine.sender(), [name.to_vec()], step).await.pop() {
        Some(Held::Plain(board)) => Ok(Kept::Plain(board)),
        Some(Held::Other) => Err(error("ERR the key holds no board")),
        Some(Held::Part(_)) => Err(error("ERR the key holds a part: name the board")),
        _ => catalog::prove_absent(engine.sender(), name, step)
            .await
            .and_then(|()| Err(error("NOBOARD the board does not exist"))),
    }
}

/// Carries out the next step towards the wanted number of parts. Returns how many parts there are.
async fn go_on<T: Transport>(
    engine: &Engine<T>,
    name: &[u8],
    root: &Found,
    wanted: Wanted,
    deadline: Instant,
) -> Result<u16, Value> {
    let layout = match (root.entry.state, root.entry.target) {
        (State::Growing, Some(target)) if count(wanted) < target.count() => {
            return Err(unfinished(name, "at least", target.count(), "growing"));
        }
        (State::Growing, Some(target)) => grow(engine, name, (root, target), deadline).await?,
        (State::Shrinking, Some(_)) if count(wanted) > root.parts.count() => {
            return Err(unfinished(name, "at most", root.parts.count(), "shrinking"));
        }
        (State::Shrinking, Some(halves)) => shrink(engine, name, (root, halves), deadline).await?,
        (State::Shrinking, None) if wanted.is_some() => {
            return Err(unfinished(name, "at most", 1, "shrinking"));
        }
        (State::Shrinking, None) => {
            catalog::flatten(engine.sender(), name, root).await?;
            engine.forget(name);
            root.layout
        }
        _ => begin(engine, name, root, wanted).await?,
    };
    Ok(layout.count())
}

/// Notes in the root that the board grows to twice its parts, or shrinks to half of them.
async fn begin<T: Transport>(
    engine: &Engine<T>,
    name: &[u8],
    root: &Found,
    wanted: Wanted,
) -> Result<Layout, Value> {
    if count(wanted) < root.parts.count() {
        catalog::begin_shrinking(engine.sender(), name, root, step_from_now()).await?;
    } else {
        catalog::begin_growth(engine.sender(), name, root, step_from_now()).await?;
    }
    engine.forget(name);
    Ok(root.layout)
}

/// Splits parts one after the other. When all parts are split, notes it in the root.
async fn grow<T: Transport>(
    engine: &Engine<T>,
    name: &[u8],
    (root, target): (&Found, Parts),
    deadline: Instant,
) -> Result<Layout, Value> {
    let sender = engine.sender();
    let left: Vec<_> = (0..root.parts.count()).filter(|number| !root.layout.is_split(*number)).collect();
    if left.is_empty() {
        catalog::end_growth(sender, name, (root, target), step_from_now()).await?;
        engine.forget(name);
        return Ok(target.into());
    }
    for number in left {
        catalog::split(sender, name, (root, target), number).await?;
        if Instant::now() >= deadline {
            break;
        }
    }
    present(engine, name, root).await
}

/// Merges parts, two after two. When all parts are merged, notes it in the root.
async fn shrink<T: Transport>(
    engine: &Engine<T>,
    name: &[u8],
    (root, halves): (&Found, Parts),
    deadline: Instant,
) -> Result<Layout, Value> {
    let sender = engine.sender();
    let left: Vec<_> = (0..root.parts.count()).filter(|number| root.layout.is_split(*number)).collect();
    if left.is_empty() {
        catalog::end_shrinking(sender, name, root, step_from_now()).await?;
        engine.forget(name);
        return Ok(root.layout);
    }
    for number in left {
        catalog::merge(sender, name, (root, halves), number).await?;
        if Instant::now() >= deadline {
            break;
        }
    }
    present(engine, name, root).await
}

/// Reads the layout again: another gateway may have split or merged some of the parts.
async fn present<T: Transport>(engine: &Engine<T>, name: &[u8], root: &Found) -> Result<Layout, Value> {
    let present = catalog::moving(engine.sender(), name, step_from_now()).await?;
    Ok(present.map_or(root.layout, |root| root.layout))
}

fn step_from_now() -> Instant {
    let now = Instant::now();
    now.checked_add(STEP).unwrap_or(now)
}
