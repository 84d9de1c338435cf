//! `LB.SETMETA` and `LB.GETMETA`.

use crate::call::{Call, Handled};
use crate::keyspace;

use super::writing::default_board;

/// `LB.SETMETA key member meta`
pub fn set(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let meta = args.meta()?;
    args.finish()?;
    let changed = keyspace::write(call, key, default_board, |board| {
        let changed = board.set_meta(member, meta)?;
        Ok((changed, changed))
    })?;
    if changed {
        call.replicate_as_is();
        call.changed(key, c"lb.setmeta");
    }
    call.reply().ok();
    Ok(())
}

/// `LB.GETMETA key member`
pub fn get(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    args.finish()?;
    keyspace::read(call, key, |board| {
        match board.and_then(|board| board.meta(member)) {
            Some(meta) => call.reply().bulk(meta),
            None => call.reply().nil(),
        }
        Ok(())
    })
}
