//! Commands that show lines of a ranking: `LB.TOP`, `LB.RANGE`, `LB.RANGEBYSCORE`, `LB.AROUND`,
//! `LB.AMONG`.

use leaderboard_core::Board;
use leaderboard_core::board::{AmongRow, Reading, Rows};

use super::rows::Page;
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::reading::{COUNT, FORM, OFFSET, WITHMETA};
use crate::refusal::Refusal;

/// Carries out `LB.TOP key count [options]`.
pub fn top(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let count = args.count("count")?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        lines(call, board, &options, |read| {
            Ok(read.rows(options.get(&OFFSET).unwrap_or(0), count, options.ranks()))
        })
    })
}

/// Carries out `LB.RANGE key first last [options]`.
pub fn range(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (first, last) = (args.rank("first")?, args.rank("last")?);
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        lines(call, board, &options, |read| Ok(read.range(first, last, options.ranks())?))
    })
}

/// Carries out `LB.RANGEBYSCORE key min max [options]`.
pub fn by_score(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (min, max) = (args.bound("min")?, args.bound("max")?);
    let options = call.options(args)?;
    let count = options.get(&COUNT).unwrap_or(u64::MAX);
    keyspace::read(call, key, |board: Option<&Board>| {
        let range = board.map(|board| board.schema().score_range(min, max)).transpose()?.flatten();
        lines(call, board, &options, |read| {
            Ok(match range {
                Some((low, high)) => {
                    read.rows_between(low, high, options.get(&OFFSET).unwrap_or(0), count, options.ranks())
                }
                None => read.rows(0, 0, options.ranks()),
            })
        })
    })
}

/// Carries out `LB.AROUND key member count | ABOVE n BELOW n [options]`.
pub fn around(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let count = if args.len() == 0 || call.is_option_next(&args) { None } else { Some(args.count("count")?) };
    let options = call.options(args)?;
    let around = options.around_a_member(count)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let within = board.map(|board| options.reading_of(board, member)).transpose()?.flatten();
        let Some(within) = within else {
            call.reply().array(0);
            return Ok(());
        };
        lines(call, board, &options, |_| Ok(within.around(member, around, options.ranks())))
    })
}

/// Replies with lines. The reply for an absent board has no lines.
fn lines<'a>(
    call: &Call<impl Host>,
    board: Option<&'a Board>,
    options: &Options,
    rows: impl FnOnce(Reading<'a>) -> Result<Rows<'a>, Refusal>,
) -> Handled {
    let reply = call.reply();
    let Some(board) = board else {
        reply.array(0);
        return Ok(());
    };
    let page = Page { board, rows: rows(options.reading(board)?)?, with_meta: options.has(&WITHMETA) };
    page.write(reply, options.get(&FORM));
    Ok(())
}

/// Carries out `LB.AMONG key MEMBERS n member [member ...] [options]`.
pub fn among(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let with_meta = options.has(&WITHMETA);
    keyspace::read(call, key, |board: Option<&Board>| {
        let reply = call.reply();
        let Some(board) = board else {
            reply.array(0);
            return Ok(());
        };
        let rows = options.reading(board)?.among(&options.members(), options.ranks());
        let notation = board.schema().notation();
        reply.array(rows.len());
        for AmongRow { place, row } in rows {
            reply.array(if with_meta { 5 } else { 4 });
            reply.int(place);
            reply.bulk(board.name(row.id));
            reply.score(row.score, &notation);
            reply.int(row.rank);
            if with_meta {
                reply.bulk_or_nil(board.meta_of(row.id));
            }
        }
        Ok(())
    })
}
