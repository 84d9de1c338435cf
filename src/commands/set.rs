//! `LB.SET`.

use leaderboard_core::board::Effect;

use super::writing::{Resolved, default_board, finish, reply, write_of};
use crate::arguments::Name;
use crate::call::{Call, Handled};
use crate::keyspace;

/// `LB.SET key score member [options]`
pub fn set(call: &Call) -> Handled {
    let mut args = call.args();
    let all = args.rest();
    let key = args.key()?;
    let score = args.decimal("score")?;
    let member = args.member()?;
    let options = args.options(&[
        Name::Nx,
        Name::Xx,
        Name::Gt,
        Name::Lt,
        Name::Id,
        Name::At,
        Name::Now,
        Name::View,
        Name::WithChange,
    ])?;
    let write = write_of(call, &options)?;
    let (outcome, decimals) = keyspace::write(call, key, default_board, |board| {
        let outcome = board.set(&write, score, member, options.condition)?;
        Ok(((outcome, board.schema().decimals), matches!(outcome.effect, Effect::Applied(_))))
    })?;
    let fixed = all.get(..3).unwrap_or_default();
    let resolved =
        Resolved { command: c"LB.SET", fixed, condition: options.condition, id: options.id, list: &[] };
    finish(call, outcome.effect, &resolved, c"lb.set");
    reply(call, &outcome, options.with_change, decimals);
    Ok(())
}
