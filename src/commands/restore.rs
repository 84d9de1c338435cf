//! How an append-only file brings a value back, chunk by chunk: `LB.RESTORE` for boards.

use std::cell::Cell;

use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;
use crate::native::Native;

/// `LB.RESTORE key chunk`
pub fn restore<T: Native>(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let chunk = args.next()?;
    args.finish()?;
    let new = Cell::new(false);
    let make = || {
        new.set(true);
        Ok(T::load(chunk)?)
    };
    keyspace::write(call, key, make, |value: &mut T| {
        if !new.get() {
            value.load_chunk(chunk)?;
        }
        Ok(((), Commit::as_it_is(T::RESTORED)))
    })?;
    call.reply().ok();
    Ok(())
}
