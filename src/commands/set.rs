//! `LB.SET`.

use leaderboard_core::board::Effect;

use super::writing::{Resolved, default_board, finish, reply, write_of};
use crate::call::{Call, Handled};
use crate::keyspace;
use crate::options::Name;
use crate::words::{self, Word};

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
    let other = options.view.iter().flat_map(|view| [words::get(Word::View), *view]).collect();
    let resolved = Resolved { other, ..Resolved::new(c"LB.SET", all, &options) };
    finish(call, outcome.effect, &resolved, c"lb.set");
    reply(call, &outcome, options.with_change, decimals);
    Ok(())
}
