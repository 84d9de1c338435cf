//! The part that is common to the commands that alter the rules of a value.

use std::ffi::CStr;

use leaderboard_core::Error;
use leaderboard_core::board::Effect;
use leaderboard_core::time::{Millis, Stamp, TimeSource};

use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::native::Native;
use crate::options::Options;
use crate::refusal::Refusal;

/// Calls `alter` to change the rules of a value by the options of the call. `alter` returns the time of the change.
/// Replicas get this time, because the periods that the new rules begin with depend on it.
///
/// # Errors
/// [`Refusal::Arity`] without options, `absent` for an absent key, the errors of the options, or the errors of `alter`.
pub fn alter<T: Native>(
    call: &Call<impl Host>,
    event: &'static CStr,
    absent: Error,
    alter: impl FnOnce(&mut T, &Options, TimeSource) -> Result<Millis, Error>,
) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    if args.len() == 0 {
        return Err(Refusal::Arity);
    }
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let altered = keyspace::change_rules(call, key, |value: &mut T| {
        let now = alter(value, &options, source)?;
        let effect = Effect::Applied(Stamp { now, at: now });
        Ok(((), Commit::at(&effect, event, &options)))
    })?;
    altered.ok_or(absent)?;
    call.reply().ok();
    Ok(())
}
