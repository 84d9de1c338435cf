//! `LB.SETMETA`, `LB.GETMETA` and `LB.MGETMETA`.

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
        call.reply().bulk_or_nil(board.and_then(|board| board.meta(member)));
        Ok(())
    })
}

/// `LB.MGETMETA key MEMBERS n member [member ...]`
pub fn get_many(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let members = options.members();
    keyspace::read(call, key, |board: Option<&Board>| {
        call.reply().array(members.len());
        let metas = members.iter().map(|member| board.and_then(|board| board.meta(member)));
        metas.for_each(|meta| call.reply().bulk_or_nil(meta));
        Ok(())
    })
}
