//! `LB.HIDE`, `LB.UNHIDE` and `LB.HIDDEN`.

use leaderboard_core::Board;

use super::writing::check_own;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::Host;
use crate::keyspace;

/// Carries out `LB.HIDE key member [member ...]`.
pub fn hide(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    // The call must name at least one member.
    args.clone().members()?;
    let hidden = keyspace::change(call, key, |board: &mut Board| {
        // The segments of hidden members change at the board's time. Ended periods whose winners are fixed do not change. A board
        // with KEEP forgets the members of periods that are not kept any more.
        let schema = board.schema();
        let is_dated = !schema.segments.is_empty() || schema.keep > 0 || board.has_prizes();
        let source = if is_dated { Some(call.time_source_before(&mut args)?) } else { None };
        let list = args.rest();
        let members = args.members()?;
        check_own(call, board, members.iter().copied())?;
        let now = source.map(|source| board.now_of(source));
        now.into_iter().for_each(|now| board.advance(now));
        let hidden = board.hide_all(&members)?;
        let sent = now.map_or(Sent::AsItIs, |now| Sent::AsOf(now, list));
        let change = KeyChange { event: c"lb.hide", sent };
        Ok((hidden, Commit { count: None, change: (hidden > 0).then_some(change) }))
    })?;
    call.reply().int(hidden.unwrap_or(0) as u64);
    Ok(())
}

/// Carries out `LB.UNHIDE key member [member ...]`.
pub fn unhide(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let source = call.time_source_before(&mut args)?;
    let list = args.rest();
    let members = args.members()?;
    let shown = keyspace::change(call, key, |board: &mut Board| {
        check_own(call, board, members.iter().copied())?;
        // The unhidden members may be too many for a view. Which members the view then drops depends on the current
        // time.
        let now = board.now_of(source);
        board.advance(now);
        let shown = board.unhide_all(&members);
        let change = KeyChange { event: c"lb.unhide", sent: Sent::AsOf(now, list) };
        Ok((shown, Commit { count: None, change: (shown > 0).then_some(change) }))
    })?;
    call.reply().int(shown.unwrap_or(0) as u64);
    Ok(())
}

/// Carries out `LB.HIDDEN key`.
pub fn list(call: &Call<impl Host>) -> Handled {
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
