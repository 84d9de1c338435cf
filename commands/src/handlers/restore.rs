//! Rebuilds a value from an append-only file, chunk by chunk: `LB.RESTORE` for boards.

use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::native::Native;

/// Carries out `LB.RESTORE key chunk`.
pub fn restore<T: Native>(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let chunk = args.next()?;
    args.finish()?;
    keyspace::load::<T, _>(call, key, chunk)?;
    call.reply().ok();
    Ok(())
}
