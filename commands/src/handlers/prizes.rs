//! `LB.PRIZES`, `LB.SETTLE` and `LB.CLAIM`.

use leaderboard_core::board::{Claim, PrizePage, PrizeQuery, PrizeRow};
use leaderboard_core::calendar::When;
use leaderboard_core::{Board, Error};

use crate::arguments::Read;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::reading::{COUNT, PER, UNCLAIMED, VIEW};
use crate::options::writing::ID;

/// The number of winners on a page without `COUNT`.
const PAGE: u64 = 10;

/// Returns the period and the table that a call names: by default, the last period that ended.
fn query<'a>(options: &Options<'a>) -> PrizeQuery<'a> {
    let period = options.period().unwrap_or(When::Back(1));
    PrizeQuery { view: options.text(&VIEW), period, per: options.text(&PER) }
}

/// Returns the page that a call names.
///
/// # Errors
/// [`Error::OutOfRange`] for a page without rows.
pub fn page(cursor: u64, options: &Options) -> Read<PrizePage> {
    let count = options.get(&COUNT).unwrap_or(PAGE);
    if count == 0 {
        return Err(Error::OutOfRange("COUNT").into());
    }
    Ok(PrizePage { cursor, count, unclaimed: options.has(&UNCLAIMED) })
}

/// Carries out `LB.PRIZES key cursor [options]`.
pub fn list(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let cursor = args.count("cursor")?;
    let options = call.options(args)?;
    let page = page(cursor, &options)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let reply = call.reply();
        let rows =
            board.map(|board| board.prize_rows(&query(&options), page, call.now_of(board))).transpose()?;
        let (next, rows) = rows.unwrap_or_default();
        reply.array(2);
        reply.text(next);
        reply.array(rows.len());
        for row in rows {
            if let Some(board) = board {
                reply_row(call, board, &row);
            }
        }
        Ok(())
    })
}

fn reply_row(call: &Call<impl Host>, board: &Board, row: &PrizeRow) {
    let reply = call.reply();
    reply.array(if row.segment.is_some() { 6 } else { 5 });
    reply.int(row.rank);
    reply.bulk(row.member);
    reply.score(row.score, &board.schema().notation());
    reply.bulk(row.prize);
    match row.claimed {
        Some(claimed) => reply.int(claimed),
        None => reply.nil(),
    }
    row.segment.into_iter().for_each(|segment| reply.bulk(segment));
}

/// Carries out `LB.SETTLE key [options]`.
pub fn settle(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let winners = keyspace::change(call, key, |board: &mut Board| {
        let settled = board.settle_period(&query(&options), source)?;
        let commit = Commit::at(&settled, c"lb.settle", &options);
        Ok((settled.winners, commit))
    })?;
    match winners.ok_or(Error::NoSuchBoard)? {
        Some(winners) => call.reply().int(winners),
        None => call.reply().nil(),
    }
    Ok(())
}

/// Carries out `LB.CLAIM key member [options]`.
pub fn claim(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let claimed = keyspace::change(call, key, |board: &mut Board| {
        let claimed = board.claim_prize(member, &query(&options), options.text(&ID), source)?;
        let commit = Commit::at(&claimed, c"lb.claim", &options);
        Ok((claimed.claim, commit))
    })?;
    let reply = call.reply();
    let Some(Claim { prize, rank, is_first, segment }) = claimed.ok_or(Error::NoSuchBoard)? else {
        reply.nil();
        return Ok(());
    };
    reply.array(if segment.is_some() { 4 } else { 3 });
    reply.bulk(&prize);
    reply.int(rank);
    reply.int(u64::from(is_first));
    segment.iter().for_each(|segment| reply.bulk(segment));
    Ok(())
}
