//! Shared by writes of points, scores and votes: default boards, the options of a write, and its reply.

use leaderboard_core::board::{Effect, Outcome, Position, Write};
use leaderboard_core::notation::Notation;
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Schema};

use crate::call::Call;
use crate::options::Options;
use crate::options::reading::{AT, VIEW};
use crate::options::writing::{ID, META, WITHCHANGE};
use crate::refusal::Refusal;

/// The board that a first write makes.
pub fn default_board(call: &Call) -> Result<Board, Refusal> {
    board_with(call, &[Kind::All])
}

/// A new board with these views, if a write may make one.
pub fn board_with(call: &Call, views: &[Kind]) -> Result<Board, Refusal> {
    call.may_make_board()?;
    let specs: Vec<_> = views.iter().map(|kind| Spec::new(*kind)).collect();
    Ok(Board::new(Schema::default(), &specs)?)
}

/// The write that these options ask for.
pub fn write_of<'a>(call: &Call, options: &Options<'a>) -> Result<Write<'a>, Refusal> {
    Ok(Write {
        at: options.get(&AT),
        request: options.text(&ID),
        origin: call.time_source(options)?,
        with_change: options.has(&WITHCHANGE),
        view: options.text(&VIEW),
        meta: options.text(&META),
    })
}

/// Replies with score, rank and whether the write was applied; `with_change` adds the position before it.
pub fn reply(call: &Call, outcome: &Outcome, with_change: bool, notation: &Notation) {
    let reply = call.reply();
    reply.array(if with_change { 5 } else { 3 });
    position(call, outcome.now, notation);
    reply.int(u64::from(matches!(outcome.effect, Effect::Applied(_))));
    if with_change {
        position(call, outcome.before, notation);
    }
}

/// Replies with the same for each of several members.
pub fn reply_many(call: &Call, effect: Effect, positions: &[Option<Position>], notation: &Notation) {
    let reply = call.reply();
    reply.array(positions.len());
    for at in positions {
        reply.array(3);
        position(call, *at, notation);
        reply.int(u64::from(matches!(effect, Effect::Applied(_))));
    }
}

/// Replies with a score and a rank, or with two nils.
pub fn position(call: &Call, position: Option<Position>, notation: &Notation) {
    let reply = call.reply();
    match position {
        Some(Position { score, rank }) => {
            reply.score(score, notation);
            reply.int(rank);
        }
        None => {
            reply.nil();
            reply.nil();
        }
    }
}
