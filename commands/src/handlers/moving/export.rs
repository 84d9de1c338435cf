//! `LB.EXPORT`.

use leaderboard_core::Board;
use leaderboard_core::Error;
use leaderboard_core::double::double_of;
use leaderboard_core::schema::Ranks;

use super::room::Room;
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::options::reading::COUNT;
use crate::{keyspace, sorted_sets};

/// The number of bytes that a member of a sorted set takes, without its name.
const ROW: usize = 120;

/// Carries out `LB.EXPORT dest key [options]`.
pub fn export(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let (dest, key) = (args.key()?, args.key()?);
    let options = call.options(args)?;
    if dest.bytes() == key.bytes() {
        return Err(Error::SameKey("dest", "key").into());
    }
    let count = options.get(&COUNT).unwrap_or(u64::MAX);
    let stored = keyspace::read(call, key, |board: Option<&Board>| {
        let Some(board) = board else { return sorted_sets::store(call, dest, std::iter::empty()) };
        let reading = options.reading(board)?;
        // The memory for scores and names in the sorted set, and for a second copy of the names in the commands that
        // write them.
        let bytes =
            reading.rows(0, count, Ranks::Ordinal).map(|row| ROW.saturating_add(board.name(row.id).len()));
        Room::of(call).check(bytes.fold(0, usize::saturating_add))?;
        let rows = reading.rows(0, count, Ranks::Ordinal);
        let decimals = board.schema().decimals;
        let rows = rows.map(|row| (double_of(row.score, decimals), board.name(row.id)));
        sorted_sets::store(call, dest, rows)
    })?;
    call.reply().int(stored);
    Ok(())
}
