//! `LB.SETMETA`, `LB.GETMETA` and `LB.MGETMETA`.

use leaderboard_core::Board;

use super::writing::{check_own, default_board, write_board};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;

/// Carries out `LB.SETMETA key member meta [PARTS n]`.
pub fn set(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let meta = args.meta()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            check_own(call, board, [member])?;
            // A board with KEEP forgets the members of periods that are not kept any more, with their texts.
            let now = (board.schema().keep > 0).then(|| board.now_of(source));
            now.into_iter().for_each(|now| board.advance(now));
            let changed = board.set_meta(member, meta)?;
            Ok(((), if changed { Commit::kept(c"lb.setmeta", &options, now) } else { Commit::NOTHING }))
        },
    )?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.GETMETA key member`.
pub fn get(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    args.finish()?;
    keyspace::read(call, key, |board: Option<&Board>| {
        call.reply().bulk_or_nil(board.and_then(|board| board.meta(member)));
        Ok(())
    })
}

/// Carries out `LB.MGETMETA key MEMBERS n member [member ...]`.
pub fn get_many(call: &Call<impl Host>) -> Handled {
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
