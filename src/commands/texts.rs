//! `LB.SETMETA` and `LB.GETMETA`.

use leaderboard_core::Board;

use super::writing::default_board;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;

/// `LB.SETMETA key member meta`
pub fn set(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let meta = args.meta()?;
    args.finish()?;
    keyspace::write(call, key, default_board, |board: &mut Board| {
        let changed = board.set_meta(member, meta)?;
        Ok(((), if changed { Commit::as_it_is(c"lb.setmeta") } else { Commit::NOTHING }))
    })?;
    call.reply().ok();
    Ok(())
}

/// `LB.GETMETA key member`
pub fn get(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    args.finish()?;
    keyspace::read(call, key, |board: Option<&Board>| {
        match board.and_then(|board| board.meta(member)) {
            Some(meta) => call.reply().bulk(meta),
            None => call.reply().nil(),
        }
        Ok(())
    })
}
