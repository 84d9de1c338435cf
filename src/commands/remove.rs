//! `LB.REM`.

use crate::call::{Call, Handled};
use crate::keyspace;

use super::writing::default_board;

/// `LB.REM key member [member ...]`
pub fn remove(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let mut members = vec![args.member()?];
    while args.len() > 0 {
        members.push(args.member()?);
    }
    let removed = keyspace::write(call, key, default_board, |board| {
        let removed = members.iter().filter(|member| board.remove(member)).count();
        Ok((removed, false))
    })?;
    if removed > 0 {
        call.replicate_as_is();
        call.changed(key, c"lb.rem");
    }
    call.reply().int(removed as u64);
    Ok(())
}
