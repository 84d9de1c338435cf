//! `LB.ADD`, `LB.ROLLADD` and `LB.MADD`.

use leaderboard_core::board::Effect;
use leaderboard_core::calendar::Unit;
use leaderboard_core::view::Kind;
use leaderboard_core::{Board, Error};

use super::writing::{board_with, default_board, position, reply, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;
use crate::options::writing::WINDOW;
use crate::refusal::Refusal;

/// The view of a board that LB.ROLLADD makes without `WINDOW`.
const DEFAULT_WINDOW: Kind = Kind::Periods { unit: Unit::Day, count: 7 };

/// `LB.ADD key points member [options]`
pub fn one(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (points, member) = (args.decimal("points")?, args.member()?);
    let options = call.options(args)?;
    let write = write_of(call, &options)?;
    let (outcome, decimals) = keyspace::write(call, key, default_board, |board: &mut Board| {
        let outcome = board.add(&write, points, member)?;
        let commit = Commit::written(&outcome, c"lb.add", &options);
        Ok(((outcome, board.schema().decimals), commit))
    })?;
    reply(call, &outcome, write.with_change, decimals);
    Ok(())
}

/// `LB.ROLLADD key points member [options]`
pub fn rolling(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (points, member) = (args.decimal("points")?, args.member()?);
    let options = call.options(args)?;
    let write = write_of(call, &options)?;
    let window = options.get(&WINDOW);
    let create = |call: &Call| board_with(call, &[window.unwrap_or(DEFAULT_WINDOW)]);
    let (outcome, decimals) = keyspace::write(call, key, create, |board: &mut Board| {
        let outcome = board.roll_add(&write, window, points, member)?;
        let commit = Commit::written(&outcome, c"lb.add", &options);
        Ok(((outcome, board.schema().decimals), commit))
    })?;
    reply(call, &outcome, write.with_change, decimals);
    Ok(())
}

/// `LB.MADD key [options] points member [points member ...]`
pub fn many(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.leading_options(&mut args)?;
    let mut pairs = Vec::with_capacity(args.len() / 2);
    if args.len() == 0 {
        return Err(Error::IncompleteList("points and members").into());
    }
    while args.len() > 0 {
        let points = args.decimal("points")?;
        let member = args.member().map_err(|refusal| match refusal {
            Refusal::Arity => Error::IncompleteList("points and members").into(),
            other => other,
        })?;
        pairs.push((points, member));
    }
    let write = write_of(call, &options)?;
    let ((effect, positions), decimals) = keyspace::write(call, key, default_board, |board: &mut Board| {
        let outcomes = board.add_many(&write, &pairs)?;
        let commit = Commit::written(&outcomes, c"lb.add", &options);
        Ok(((outcomes, board.schema().decimals), commit))
    })?;
    let applied = u64::from(matches!(effect, Effect::Applied(_)));
    call.reply().array(positions.len());
    for at in positions {
        call.reply().array(3);
        position(call, at, decimals);
        call.reply().int(applied);
    }
    Ok(())
}
