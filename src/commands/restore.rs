//! `LB.RESTORE`: how an append-only file brings a board back, piece by piece.

use std::cell::Cell;

use leaderboard_core::Board;

use crate::call::{Call, Handled};
use crate::keyspace;

/// `LB.RESTORE key chunk`
pub fn restore(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let chunk = args.next()?;
    args.finish()?;
    let new = Cell::new(false);
    let make = || {
        new.set(true);
        Ok(Board::load(chunk)?)
    };
    keyspace::write(call, key, make, |board| {
        if !new.get() {
            board.load_chunk(chunk)?;
        }
        Ok(((), true))
    })?;
    call.replicate_as_is();
    call.changed(key, c"lb.restore");
    call.reply().ok();
    Ok(())
}
