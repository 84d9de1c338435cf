//! `LB.FIND` and `LB.HISTORY`: members by their names, and one member over the periods.

use leaderboard_core::board::{KeptPeriod, MAX_FOUND, MAX_PATTERN};
use leaderboard_core::calendar::When;
use leaderboard_core::schema::Ranks;
use leaderboard_core::{Board, Error};

use crate::arguments::sized;
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::reading::{COUNT, VIEW, WITHMETA};

/// The number of members that LB.FIND looks at without `COUNT`.
const LOOKED_AT: u64 = 1_000;
/// The number of periods that LB.HISTORY lists without `COUNT`.
const PERIODS: u64 = 10;
/// The maximum of `COUNT` of LB.HISTORY.
const MAX_PERIODS: u64 = 1_000;

/// Carries out `LB.FIND key cursor pattern [options]`.
pub fn find(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let cursor = args.count("cursor")?;
    let pattern = sized(args.next()?, "pattern", MAX_PATTERN)?;
    let options = call.options(args)?;
    let count = options.get(&COUNT).unwrap_or(LOOKED_AT);
    if !(1..=MAX_FOUND).contains(&count) {
        return Err(Error::OutOfRange("COUNT").into());
    }
    let with_meta = options.has(&WITHMETA);
    keyspace::read(call, key, |board: Option<&Board>| {
        let reply = call.reply();
        let found = board.map(|board| board.find_members(cursor, pattern, count)).transpose()?;
        let (next, found) = found.unwrap_or_default();
        reply.array(2);
        reply.text(next);
        reply.array(found.len());
        let Some(board) = board else { return Ok(()) };
        let (read, notation) = (options.reading(board)?, board.schema().notation());
        let names: Vec<&[u8]> = found.iter().map(|id| board.name(*id)).collect();
        for (name, standing) in names.iter().zip(read.ranks_and_scores(&names, Ranks::Ordinal)) {
            reply.array(if with_meta { 4 } else { 3 });
            reply.bulk(name);
            match standing {
                Some((rank, score)) => {
                    reply.score(score, &notation);
                    reply.int(rank);
                }
                None => {
                    reply.nil();
                    reply.nil();
                }
            }
            if with_meta {
                reply.bulk_or_nil(board.meta(name));
            }
        }
        Ok(())
    })
}

/// Carries out `LB.HISTORY key member [options]`.
pub fn history(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let count = options.get(&COUNT).unwrap_or(PERIODS);
    if !(1..=MAX_PERIODS).contains(&count) {
        return Err(Error::OutOfRange("COUNT").into());
    }
    keyspace::read(call, key, |board: Option<&Board>| {
        let reply = call.reply();
        let Some(board) = board else {
            reply.array(0);
            return Ok(());
        };
        let kept = board.kept_periods(options.text(&VIEW), usize::try_from(count).unwrap_or(usize::MAX))?;
        let mut rows = Vec::with_capacity(kept.len());
        for (back, period) in (0_u32..).zip(kept) {
            let read = options.reading_at(board, When::Back(back))?;
            let read = options.for_member(board, read, member)?;
            let among = read.map_or((None, 0), |read| read.rank_among_all(member, options.ranks()));
            rows.push((period, among));
        }
        let notation = board.schema().notation();
        reply.array(rows.len());
        for (KeptPeriod { label, period, .. }, (standing, members)) in rows {
            reply.array(5);
            reply.bulk(label.as_bytes());
            match period {
                Some(period) => reply.signed(period.start),
                None => reply.nil(),
            }
            match standing {
                Some((rank, score)) => {
                    reply.int(rank);
                    reply.score(score, &notation);
                }
                None => {
                    reply.nil();
                    reply.nil();
                }
            }
            reply.int(members);
        }
        Ok(())
    })
}
