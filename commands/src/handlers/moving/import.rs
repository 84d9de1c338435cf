//! `LB.IMPORT`.

use std::ops::ControlFlow;

use leaderboard_core::board::{Effect, PIECE, Present, Write};
use leaderboard_core::double::score_for;
use leaderboard_core::schema::{Order, Schema, Ties};
use leaderboard_core::score::Score;
use leaderboard_core::time::Stamp;
use leaderboard_core::{Board, Error};

use super::room::Room;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::cursor::Cursor;
use crate::handlers::writing::default_board;
use crate::host::Count;
use crate::host::{Direction, Host};
use crate::keyspace;
use crate::options::moving::{CURSOR, PRESENT, ROUND, STEP};
use crate::options::reading::AT;
use crate::refusal::Refusal;
use crate::sorted_sets::SortedSet;
use crate::word::{Stream, Word};

/// The number of bytes that the import of a member takes, without its name: in the list of members, in the board, and
/// in the commands to replicas.
const MEMBER: usize = 160;
/// The number of copies of the member's name that exist at the same time.
const NAMES: usize = 3;

/// The number of members in a step without `COUNT`.
const STEP_MEMBERS: u64 = 1_000;

/// Carries out `LB.IMPORT key zset [options]`.
pub fn import(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let (key, zset) = (args.key()?, args.key()?);
    let options = call.options(args)?;
    let (cursor, count) = (options.get(&CURSOR), options.get(&STEP));
    if cursor.is_none() && count.is_some() {
        return Err(Error::MissingOption("CURSOR").into());
    }
    let origin = call.time_source(&options)?;
    let write = Write { at: options.get(&AT), ..Write::new(origin) };
    let present = options.get(&PRESENT).unwrap_or_default();
    let from = cursor.clone().unwrap_or(Cursor::End);
    let most = if cursor.is_some() { count.unwrap_or(STEP_MEMBERS) } else { u64::MAX };
    let schema = keyspace::read(call, key, |board: Option<&Board>| {
        if board.is_none() {
            call.may_make_board()?;
        }
        Ok(board.map_or_else(Schema::default, |board| board.schema().clone()))
    })?;
    schema.needs_decimals("an import")?;
    let set = SortedSet::open(call, zset, direction(&schema))?;
    let step = Step::read(&set, &from, most, &schema, options.has(&ROUND), &Room::of(call))?;
    let imported = if step.members.is_empty() { 0 } else { take(call, key, &write, present, &step)? };
    let reply = call.reply();
    if cursor.is_some() {
        reply.array(2);
        reply.bulk(step.next.to_string().as_bytes());
    }
    reply.int(imported as u64);
    Ok(())
}

/// Returns the end of a sorted set from which members are imported. Among equal scores, a member that is imported
/// earlier ranks higher with `TIES FIRST`, and lower with `TIES LAST`.
fn direction(schema: &Schema) -> Direction {
    match (schema.order, schema.ties) {
        (Order::Desc, Ties::First | Ties::Lex | Ties::RevLex) | (Order::Asc, Ties::Last) => Direction::Down,
        (Order::Asc, Ties::First | Ties::Lex | Ties::RevLex) | (Order::Desc, Ties::Last) => Direction::Up,
    }
}

/// Members of a sorted set, in the order in which they are imported.
struct Step {
    names: Vec<u8>,
    /// Each member's score, and the place in `names` where its name ends.
    members: Vec<(Score, usize)>,
    next: Cursor,
}

impl Step {
    /// Reads up to `most` members, beginning at a cursor.
    fn read(
        set: &SortedSet<impl Host>,
        from: &Cursor,
        most: u64,
        schema: &Schema,
        rounds: bool,
        room: &Room,
    ) -> Result<Self, Refusal> {
        let before = match from {
            Cursor::End => 0,
            Cursor::Behind(score, member) => set.up_to(member, *score),
        };
        let mut step = Self { names: Vec::new(), members: Vec::new(), next: Cursor::End };
        let (mut refused, mut last) = (None, None);
        let is_done = set.walk(before, |member, score| {
            if step.members.len() as u64 == most {
                return ControlFlow::Break(());
            }
            let score_here = score_for(member, score, schema.decimals, rounds).map_err(Refusal::from);
            match score_here.and_then(|units| room.check(step.bytes()).map(|()| units)) {
                Ok(units) => step.push(units, member),
                Err(refusal) => {
                    refused = Some(refusal);
                    return ControlFlow::Break(());
                }
            }
            last = Some(score);
            ControlFlow::Continue(())
        });
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        if let (Some(score), false) = (last, is_done) {
            let member = step.pairs().last().map(|(_, member)| member.to_vec()).unwrap_or_default();
            step.next = Cursor::Behind(score, member);
        }
        Ok(step)
    }

    /// Returns the approximate maximum number of bytes that the import of this step takes.
    fn bytes(&self) -> usize {
        self.members.len().saturating_mul(MEMBER).saturating_add(self.names.len().saturating_mul(NAMES))
    }

    fn push(&mut self, score: Score, member: &[u8]) {
        self.names.extend_from_slice(member);
        self.members.push((score, self.names.len()));
    }

    fn pairs(&self) -> impl Iterator<Item = (Score, &[u8])> {
        let mut start = 0;
        self.members.iter().map(move |(score, end)| {
            let name = self.names.get(start..*end).unwrap_or_default();
            start = *end;
            (*score, name)
        })
    }
}

/// Imports the members into the board of a key. Returns how many members were imported.
fn take(
    call: &Call<impl Host>,
    key: Argument,
    write: &Write,
    present: Present,
    step: &Step,
) -> Result<usize, Refusal> {
    keyspace::write(
        call,
        key,
        || default_board(call),
        |board: &mut Board| {
            let mut pairs: Vec<_> = step.pairs().collect();
            board.choose(write, present, &mut pairs)?;
            if pairs.is_empty() {
                return Ok((0, Commit::NOTHING));
            }
            let Effect::Applied(stamp) = board.import(write, &pairs)? else {
                return Ok((0, Commit::NOTHING));
            };
            let (imported, decimals) = (pairs.len(), board.schema().decimals);
            let sent = Sent::Instead(Box::new(move |stream| send(stream, key, stamp, &pairs, decimals)));
            let change = KeyChange { event: c"lb.import", sent };
            Ok((imported, Commit { count: Some(Count::Written), change: Some(change) }))
        },
    )
}

/// Sends the imported members in pieces, as commands that do not depend on the sorted set.
fn send(stream: &dyn Stream, key: Argument, stamp: Stamp, pairs: &[(Score, &[u8])], decimals: u8) {
    let times = [stamp.at, stamp.now].map(|time| time.to_string());
    let [at, now] = &times;
    for piece in pairs.chunks(PIECE) {
        let points: Vec<_> = piece.iter().map(|(score, _)| score.display(decimals).to_string()).collect();
        // An import is no attempt of its members.
        let options = [Word::of("AT"), Word::of(at), Word::of("NOW"), Word::of(now), Word::of("FORCE")];
        let head = std::iter::once(key.into()).chain(options);
        let list =
            points.iter().zip(piece).flat_map(|(points, (_, member))| [Word::of(points), Word::of(*member)]);
        stream.send(c"LB.MADD", head.chain(list));
    }
}
