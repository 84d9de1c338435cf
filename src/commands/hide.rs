//! `LB.HIDE`, `LB.UNHIDE` and `LB.HIDDEN`.

use std::ffi::CStr;

use leaderboard_core::{Board, Error};

use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;

/// `LB.HIDE key member [member ...]`
pub fn hide(call: &Call) -> Handled {
    change(call, c"lb.hide", Board::hide_all)
}

/// `LB.UNHIDE key member [member ...]`
pub fn unhide(call: &Call) -> Handled {
    change(call, c"lb.unhide", |board, members| {
        Ok(members.iter().filter(|member| board.unhide(member)).count())
    })
}

fn change(
    call: &Call,
    event: &'static CStr,
    change: impl FnOnce(&mut Board, &[&[u8]]) -> Result<usize, Error>,
) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let members = args.members()?;
    let changed = keyspace::change(call, key, |board: &mut Board| {
        let changed = change(board, &members)?;
        Ok((changed, if changed > 0 { Commit::as_it_is(event) } else { Commit::NOTHING }))
    })?;
    call.reply().int(changed.unwrap_or(0) as u64);
    Ok(())
}

/// `LB.HIDDEN key`
pub fn list(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    args.finish()?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let members = board.map(Board::hidden).unwrap_or_default();
        call.reply().array(members.len());
        members.into_iter().for_each(|member| call.reply().bulk(member));
        Ok(())
    })
}
