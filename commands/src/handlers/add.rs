//! `LB.ADD`, `LB.ROLLADD` and `LB.MADD`.

use leaderboard_core::Board;
use leaderboard_core::board::Write;
use leaderboard_core::calendar::Unit;
use leaderboard_core::view::Kind;

use super::writing::{Answers, answer, board_with, default_board, reply, reply_many, write_board, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::options::writing::WINDOW;

/// The view of a board that LB.ROLLADD makes when the call has no `WINDOW`.
const DEFAULT_WINDOW: Kind = Kind::Periods { unit: Unit::Day, count: 7 };

/// Carries out `LB.ADD key points member [options]`.
pub fn one(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (points, member) = (args.amount("points")?, args.member()?);
    let options = call.options(args)?;
    let segments = options.segments();
    let write = Write { segments: &segments, ..write_of(call, &options)? };
    let answer = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let (within, view) = (options.within(board)?, board.view(write.view)?);
            let outcome = board.add(&write, points, member)?;
            let commit = Commit::written(&outcome, c"lb.add", &options);
            Ok((answer(board, outcome, (view, member), within), commit))
        },
    )?;
    reply(call, &answer, write.positions);
    Ok(())
}

/// Carries out `LB.ROLLADD key points member [options]`.
pub fn rolling(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (points, member) = (args.amount("points")?, args.member()?);
    let options = call.options(args)?;
    let segments = options.segments();
    let write = Write { segments: &segments, ..write_of(call, &options)? };
    let window = options.get(&WINDOW);
    let create = || board_with(call, &[window.unwrap_or(DEFAULT_WINDOW)]);
    let answer = write_board(call, key, &options, create, |board: &mut Board| {
        let (within, view) = (options.within(board)?, board.rolling_view(window)?);
        let outcome = board.roll_add(&write, window, points, member)?;
        let commit = Commit::written(&outcome, c"lb.add", &options);
        Ok((answer(board, outcome, (view, member), within), commit))
    })?;
    reply(call, &answer, write.positions);
    Ok(())
}

/// Carries out `LB.MADD key [options] points member [points member ...]`.
pub fn many(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.leading_options(&mut args)?;
    let pairs = args.pairs("points", "points and members")?;
    let segments = options.segments();
    let write = Write { segments: &segments, ..write_of(call, &options)? };
    let ((effect, places), notation) = write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let outcomes = board.add_many(&write, &pairs)?;
            let commit = Commit::written(&outcomes, c"lb.add", &options);
            Ok(((outcomes, board.schema().notation()), commit))
        },
    )?;
    let answers = Answers { effect, places: &places, notation, items: pairs.len() };
    reply_many(call, &answers, write.positions);
    Ok(())
}
