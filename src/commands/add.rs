//! `LB.ADD`, `LB.ROLLADD` and `LB.MADD`.

use leaderboard_core::Error;
use leaderboard_core::board::{Condition, Effect};
use leaderboard_core::calendar::Unit;
use leaderboard_core::view::Kind;

use super::writing::{Resolved, board_with, default_board, finish, position, reply, write_of};
use crate::call::{Call, Handled};
use crate::keyspace;
use crate::options::Name;
use crate::refusal::Refusal;
use crate::words::{self, Word};

/// The view of a board that a first rolling write makes.
const DEFAULT_WINDOW: Kind = Kind::Periods { unit: Unit::Day, count: 7 };

/// `LB.ADD key points member [options]`
pub fn one(call: &Call) -> Handled {
    let mut args = call.args();
    let all = args.rest();
    let key = args.key()?;
    let points = args.decimal("points")?;
    let member = args.member()?;
    let options = args.options(&[Name::Id, Name::At, Name::Now, Name::View, Name::WithChange])?;
    let write = write_of(call, &options)?;
    let (outcome, decimals) = keyspace::write(call, key, default_board, |board| {
        let outcome = board.add(&write, points, member)?;
        Ok(((outcome, board.schema().decimals), true))
    })?;
    finish(call, outcome.effect, &Resolved::new(c"LB.ADD", all, &options), c"lb.add");
    reply(call, &outcome, options.with_change, decimals);
    Ok(())
}

/// `LB.ROLLADD key points member [options]`
pub fn rolling(call: &Call) -> Handled {
    let mut args = call.args();
    let all = args.rest();
    let key = args.key()?;
    let points = args.decimal("points")?;
    let member = args.member()?;
    let options = args.options(&[Name::Window, Name::Id, Name::At, Name::Now, Name::WithChange])?;
    let write = write_of(call, &options)?;
    let window = options.window.map(|window| window.kind);
    let create = || board_with(window.unwrap_or(DEFAULT_WINDOW));
    let (outcome, decimals) = keyspace::write(call, key, create, |board| {
        let outcome = board.roll_add(&write, window, points, member)?;
        Ok(((outcome, board.schema().decimals), true))
    })?;
    let window = options.window.iter().flat_map(|window| window.words);
    let other = window.clone().next().map(|_| words::get(Word::Window)).into_iter().chain(window).collect();
    let resolved = Resolved { other, ..Resolved::new(c"LB.ROLLADD", all, &options) };
    finish(call, outcome.effect, &resolved, c"lb.add");
    reply(call, &outcome, options.with_change, decimals);
    Ok(())
}

/// `LB.MADD key [options] points member [points member ...]`
pub fn many(call: &Call) -> Handled {
    let mut args = call.args();
    let fixed = args.rest().get(..1).unwrap_or_default();
    let key = args.key()?;
    let options = args.leading_options(&[Name::Id, Name::At, Name::Now, Name::View])?;
    let list = args.rest();
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
    let (effect, positions, decimals) = keyspace::write(call, key, default_board, |board| {
        let (effect, positions) = board.add_many(&write, &pairs)?;
        Ok(((effect, positions, board.schema().decimals), true))
    })?;
    let condition = Condition::default();
    let resolved =
        Resolved { command: c"LB.MADD", fixed, condition, id: options.id, other: Vec::new(), list };
    finish(call, effect, &resolved, c"lb.add");
    let applied = u64::from(matches!(effect, Effect::Applied(_)));
    call.reply().array(positions.len());
    for at in positions {
        call.reply().array(3);
        position(call, at, decimals);
        call.reply().int(applied);
    }
    Ok(())
}
