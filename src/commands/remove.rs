//! `LB.REM`.

use leaderboard_core::Board;

use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::keyspace;

/// `LB.REM key member [member ...]`
pub fn remove(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let members = args.members()?;
    let removed = keyspace::change(call, key, |board: &mut Board| {
        let removed = members.iter().filter(|member| board.remove(member)).count();
        Ok((removed, if removed > 0 { Commit::as_it_is(c"lb.rem") } else { Commit::NOTHING }))
    })?;
    call.reply().int(removed.unwrap_or(0) as u64);
    Ok(())
}
