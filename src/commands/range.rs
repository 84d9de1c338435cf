//! The commands that show lines of a ranking: `LB.TOP`, `LB.RANGE`, `LB.RANGEBYSCORE`, `LB.AROUND`.

use leaderboard_core::Board;
use leaderboard_core::board::Rows;
use leaderboard_core::score::score_range;

use crate::arguments::Name;
use crate::call::{Call, Handled};
use crate::keyspace;
use crate::refusal::Refusal;

/// `LB.TOP key count [options]`
pub fn top(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let count = args.count("count")?;
    let options = args.options(&[Name::Offset, Name::WithMeta, Name::View, Name::Ranks])?;
    keyspace::read(call, key, |board| {
        lines(call, board, options.with_meta, |board| Ok(board.rows(options.offset, count, options.ranks)))
    })
}

/// `LB.RANGE key first last [options]`
pub fn range(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (first, last) = (args.rank("first")?, args.rank("last")?);
    let options = args.options(&[Name::WithMeta, Name::View, Name::Ranks])?;
    keyspace::read(call, key, |board| {
        lines(call, board, options.with_meta, |board| Ok(board.range(first, last, options.ranks)?))
    })
}

/// `LB.RANGEBYSCORE key min max [options]`
pub fn by_score(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (min, max) = (args.bound("min")?, args.bound("max")?);
    let options = args.options(&[Name::Offset, Name::Count, Name::WithMeta, Name::View, Name::Ranks])?;
    let count = options.count.unwrap_or(u64::MAX);
    keyspace::read(call, key, |board| {
        lines(call, board, options.with_meta, |board| {
            Ok(match score_range(min, max, board.schema().decimals)? {
                Some((low, high)) => board.rows_between(low, high, options.offset, count, options.ranks),
                None => board.rows(0, 0, options.ranks),
            })
        })
    })
}

/// `LB.AROUND key member count [options]`
pub fn around(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let count = args.count("count")?;
    let options = args.options(&[Name::WithMeta, Name::View, Name::Ranks])?;
    keyspace::read(call, key, |board| {
        lines(call, board, options.with_meta, |board| Ok(board.around(member, count, options.ranks)))
    })
}

/// Replies with lines; with none where there is no board.
fn lines<'a>(
    call: &Call,
    board: Option<&'a Board>,
    with_meta: bool,
    rows: impl FnOnce(&'a Board) -> Result<Rows<'a>, Refusal>,
) -> Handled {
    let reply = call.reply();
    let Some(board) = board else {
        reply.array(0);
        return Ok(());
    };
    let rows = rows(board)?;
    let decimals = board.schema().decimals;
    reply.array(usize::try_from(rows.remaining()).unwrap_or(usize::MAX));
    for row in rows {
        reply.array(if with_meta { 4 } else { 3 });
        reply.int(row.rank);
        reply.bulk(board.name(row.id));
        reply.score(row.score, decimals);
        if with_meta {
            match board.meta_of(row.id) {
                Some(meta) => reply.bulk(meta),
                None => reply.nil(),
            }
        }
    }
    Ok(())
}
