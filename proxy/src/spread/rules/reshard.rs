//! `LB.RESHARD`: doubles the parts of a board, as often as needed. A plain board gets two parts first. The root says how
//! many parts the board will have, so the command can be repeated through any gateway.

use std::time::Duration;

use leaderboard_core::Error;
use leaderboard_core::integer::natural;
use leaderboard_core::parts::{MAX_PARTS, Parts};
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

/// Lets a board grow until it has the wanted number of parts, or until the deadline. At least one step is carried out.
///
/// # Errors
/// The reply with the reason why the board does not grow.
pub async fn reshard<T: Transport>(
    engine: &Engine<T>,
    asked: &Asked<'_>,
    deadline: Instant,
) -> Result<Value, Value> {
    let wanted = wanted(asked)?;
    loop {
        let step = Instant::now().checked_add(STEP).unwrap_or(deadline);
        let root = match read(engine, asked.key, step).await? {
            Kept::Root(root) => root,
            Kept::Plain(board) => {
                catalog::spread(engine.sender(), asked.key, board, step).await?;
                engine.forget(asked.key);
                if Instant::now() >= deadline {
                    return Ok(reply(1, wanted));
                }
                continue;
            }
        };
        let layout = match root.entry.target.filter(|_| root.entry.state == State::Growing) {
            Some(target) if wanted.count() < target.count() => return Err(other_target(asked.key, target)),
            Some(target) => go_on(engine, asked.key, (&root, target), deadline).await?,
            None if wanted == root.parts => return Ok(reply(root.layout.count(), wanted)),
            None => begin(engine, asked.key, &root, wanted).await?,
        };
        if Instant::now() >= deadline {
            return Ok(reply(layout.count(), wanted));
        }
    }
}

/// Returns the reply: the number of parts that there are, and that are wanted.
fn reply(present: u16, wanted: Parts) -> Value {
    Value::Array(vec![Value::Int(present.into()), Value::Int(wanted.count().into())])
}

fn wanted(asked: &Asked<'_>) -> Result<Parts, Value> {
    let word = asked.fixed.first().map(Vec::as_slice).unwrap_or_default();
    let number = natural(word, "parts").and_then(|number| {
        let number = u16::try_from(number).map_err(|_| Error::BadParts("parts", MAX_PARTS))?;
        Parts::new(number, "parts")
    });
    number.map_err(|wrong| error(&format!("ERR {wrong}")))
}

fn other_target(name: &[u8], target: Parts) -> Value {
    let (name, target) = (name.escape_ascii(), target.count());
    error(&format!(
        "ERR parts must be at least {target}: the board is growing, LB.RESHARD {name} {target} finishes that"
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

/// Notes in the root that the board grows to twice its parts.
async fn begin<T: Transport>(
    engine: &Engine<T>,
    name: &[u8],
    root: &Found,
    wanted: Parts,
) -> Result<Layout, Value> {
    if wanted.count() < root.parts.count() {
        let present = root.parts.count();
        return Err(error(&format!("ERR parts must be at least {present}: parts cannot be merged")));
    }
    catalog::begin_growth(engine.sender(), name, root, step_from_now()).await?;
    engine.forget(name);
    Ok(root.layout)
}

/// Splits parts one after the other. When all parts are split, notes it in the root.
async fn go_on<T: Transport>(
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
    // The caller reads the layout again: another gateway may have split some of these parts.
    let present = catalog::growing(sender, name, step_from_now()).await?;
    Ok(present.map_or(root.layout, |root| root.layout))
}

fn step_from_now() -> Instant {
    let now = Instant::now();
    now.checked_add(STEP).unwrap_or(now)
}
