//! `LB.SET`.

use leaderboard_core::Board;
use leaderboard_core::board::Write;

use super::writing::{default_board, reply, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;
use crate::options::writing::SET_VIEW;

/// `LB.SET key score member [options]`
pub fn set(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (score, member) = (args.amount("score")?, args.member()?);
    let options = call.options(args)?;
    let write = Write { view: options.text(&SET_VIEW), ..write_of(call, &options)? };
    let (outcome, notation) = keyspace::write(call, key, default_board, |board: &mut Board| {
        let outcome = board.set(&write, score, member, options.condition())?;
        let commit = Commit::written(&outcome, c"lb.set", &options);
        Ok(((outcome, board.schema().notation()), commit))
    })?;
    reply(call, &outcome, write.with_change, &notation);
    Ok(())
}
