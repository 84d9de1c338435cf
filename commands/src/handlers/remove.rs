//! `LB.REM`, `LB.REMRANGE` and `LB.REMRANGEBYSCORE`.

use leaderboard_core::Board;
use leaderboard_core::board::Rows;
use leaderboard_core::calendar::When;
use leaderboard_core::schema::{Ranks, Tally};
use leaderboard_core::time::Millis;
use leaderboard_core::view::Kind;

use super::writing::check_own;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::Host;
use crate::keyspace;
use crate::options::Declared;
use crate::options::writing::{Expected, NOW};
use crate::refusal::Refusal;
use crate::word::{Stream, Word};

/// The maximum number of members in one command to replicas.
const PIECE: usize = 1_000;

/// Carries out `LB.REM key member [member ...]`.
pub fn remove(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    // The call must name at least one member.
    args.clone().members()?;
    let removed = keyspace::change(call, key, |board: &mut Board| {
        let source = if is_dated(board) { Some(call.time_source_before(&mut args)?) } else { None };
        let list = args.rest();
        let members = args.members()?;
        check_own(call, board, members.iter().copied())?;
        let now = source.map(|source| board.now_of(source));
        now.into_iter().for_each(|now| board.advance(now));
        let removed = board.remove_all(&members);
        let sent = now.map_or(Sent::AsItIs, |now| Sent::AsOf(now, list));
        let commit = if removed.is_empty() { Commit::NOTHING } else { removal(sent) };
        Ok((removed.len(), commit))
    })?;
    call.reply().int(removed.unwrap_or(0) as u64);
    Ok(())
}

/// Returns whether the board's time is sent to replicas with a removal. On such boards, the result of a removal in
/// ended periods depends on that time, or it is the moment at which a segment changes.
fn is_dated(board: &Board) -> bool {
    let schema = board.schema();
    schema.role.part().is_some()
        || !schema.segments.is_empty()
        || board.specs().any(|spec| spec.kind != Kind::All)
}

/// Carries out `LB.REMRANGE key first last`.
pub fn by_rank(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (first, last) = (args.rank("first")?, args.rank("last")?);
    args.finish()?;
    remove_rows(call, key, None, |board| {
        let reading = board.read(None, When::default(), Tally::default())?;
        Ok(Some(reading.range(first, last, Ranks::Ordinal)?))
    })
}

/// Carries out `LB.REMRANGEBYSCORE key min max [PARTS n]`.
pub fn by_score(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (min, max) = (args.bound("min")?, args.bound("max")?);
    let expected = call.options(args)?.expected();
    remove_rows(call, key, Some(expected), |board| {
        let reading = board.read(None, When::default(), Tally::default())?;
        let range = board.schema().score_range(min, max)?;
        Ok(range.map(|(low, high)| reading.rows_between(low, high, 0, u64::MAX, Ranks::Ordinal)))
    })
}

/// Removes the members of some rows of a board. The key must hold what is expected. The names of the members are sent to replicas.
fn remove_rows(
    call: &Call<impl Host>,
    key: Argument,
    expected: Option<Expected>,
    rows: impl FnOnce(&Board) -> Result<Option<Rows<'_>>, Refusal>,
) -> Handled {
    let removed = keyspace::change(call, key, |board: &mut Board| {
        expected.map_or(Ok(()), |expected| expected.check(Some(board)))?;
        let now = call.now_of(board);
        board.advance(now);
        let names: Vec<_> =
            rows(board)?.into_iter().flatten().map(|row| board.name(row.id).to_vec()).collect();
        board.remove_all(&names);
        let (removed, now) = (names.len(), is_dated(board).then_some(now));
        Ok((removed, if removed > 0 { commit(key, now, names) } else { Commit::NOTHING }))
    })?;
    if removed.is_none() {
        expected.map_or(Ok(()), |expected| expected.check(None))?;
    }
    call.reply().int(removed.unwrap_or(0) as u64);
    Ok(())
}

fn commit<'a>(key: Argument<'a>, now: Option<Millis>, names: Vec<Vec<u8>>) -> Commit<'a> {
    let send = move |stream: &dyn Stream| {
        for piece in names.chunks(PIECE) {
            let words = piece.iter().map(Word::of);
            let now = now.into_iter().flat_map(|now| [NOW.constant(0), Word::Time(now)]);
            stream.send(c"LB.REM", [key.into()].into_iter().chain(now).chain(words));
        }
    };
    removal(Sent::Instead(Box::new(send)))
}

const fn removal(sent: Sent<'_>) -> Commit<'_> {
    Commit { count: None, change: Some(KeyChange { event: c"lb.rem", sent }) }
}
