//! `LB.PRIZES`, `LB.SETTLE` and `LB.CLAIM`.

use leaderboard_core::board::{Claim, PrizePage, PrizeQuery, PrizeRow};
use leaderboard_core::calendar::When;
use leaderboard_core::{Board, Error};

use super::root_prizes;
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
pub(super) fn query<'a>(options: &Options<'a>) -> PrizeQuery<'a> {
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
    if let Some(incarnation) = options.root()? {
        return root_prizes::list(call, key, incarnation, page, &options);
    }
    keyspace::read(call, key, |board: Option<&Board>| {
        match board {
            None => {
                call.reply().array(2);
                call.reply().text(0);
                call.reply().array(0);
            }
            Some(board) => {
                reply_page(call, board, board.prize_rows(&query(&options), page, call.now_of(board))?);
            }
        }
        Ok(())
    })
}

/// Replies with a page of winners, and the cursor of the next page.
pub(super) fn reply_page(call: &Call<impl Host>, board: &Board, (next, rows): (u64, Vec<PrizeRow>)) {
    let reply = call.reply();
    reply.array(2);
    reply.text(next);
    reply.array(rows.len());
    rows.iter().for_each(|row| reply_row(call, board, row));
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
    if let Some(incarnation) = options.root()? {
        return root_prizes::settle(call, key, (incarnation, source), &options);
    }
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
    if let Some(incarnation) = options.root()? {
        return root_prizes::claim(call, (key, member), (incarnation, source), &options);
    }
    let claimed = keyspace::change(call, key, |board: &mut Board| {
        let claimed = board.claim_prize(member, &query(&options), options.text(&ID), source)?;
        let commit = Commit::at(&claimed, c"lb.claim", &options);
        Ok((claimed.claim, commit))
    })?;
    reply_claim(call, claimed.ok_or(Error::NoSuchBoard)?);
    Ok(())
}

/// Replies to a claim.
pub(super) fn reply_claim(call: &Call<impl Host>, claim: Option<Claim>) {
    let reply = call.reply();
    let Some(Claim { prize, rank, is_first, segment }) = claim else {
        reply.nil();
        return;
    };
    reply.array(if segment.is_some() { 4 } else { 3 });
    reply.bulk(&prize);
    reply.int(rank);
    reply.int(u64::from(is_first));
    segment.iter().for_each(|segment| reply.bulk(segment));
}
