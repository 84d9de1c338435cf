//! `LB.SET` and `LB.MSET`.

use leaderboard_core::Board;
use leaderboard_core::board::Write;

use super::writing::{Answers, answer, default_board, reply, reply_many, write_board, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::options::writing::SET_VIEW;

/// Carries out `LB.SET key score member [options]`.
pub fn set(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (score, member) = (args.amount("score")?, args.member()?);
    let options = call.options(args)?;
    let segments = options.segments();
    let write = Write { view: options.text(&SET_VIEW), segments: &segments, ..write_of(call, &options)? };
    let answer = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let (within, view) = (options.within(board)?, board.view(write.view)?);
            let outcome = board.set(&write, score, member, options.condition())?;
            let commit = Commit::written(&outcome, c"lb.set", &options);
            Ok((answer(board, outcome, (view, member), within), commit))
        },
    )?;
    reply(call, &answer, write.positions);
    Ok(())
}

/// Carries out `LB.MSET key [options] score member [score member ...]`.
pub fn many(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.leading_options(&mut args)?;
    let pairs = args.pairs("score", "scores and members")?;
    let segments = options.segments();
    let write = Write { view: options.text(&SET_VIEW), segments: &segments, ..write_of(call, &options)? };
    let ((effect, places), notation) = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let outcomes = board.set_many(&write, &pairs)?;
            let commit = Commit::written(&outcomes, c"lb.set", &options);
            Ok(((outcomes, board.schema().notation()), commit))
        },
    )?;
    let answers = Answers { effect, places: &places, notation, items: pairs.len() };
    reply_many(call, &answers, write.positions);
    Ok(())
}
