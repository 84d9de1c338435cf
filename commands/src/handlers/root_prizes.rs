//! `LB.PRIZES`, `LB.SETTLE` and `LB.CLAIM` with `ROOT`: a gateway sends them to the root of a board over parts.

use leaderboard_core::board::{PrizePage, RootClaim, RootPeriod};
use leaderboard_core::time::TimeSource;
use leaderboard_core::{Board, Error};

use super::prizes::{query, reply_claim, reply_page};
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::reading::VIEW;
use crate::options::root::{MAY, TAKE};
use crate::options::writing::ID;

/// Carries out `LB.PRIZES key cursor ROOT incarnation [options]`: replies with the period, and a page of its winners if they are
/// fixed.
pub fn list(
    call: &Call<impl Host>,
    key: Argument,
    incarnation: u64,
    page: PrizePage,
    options: &Options,
) -> Handled {
    keyspace::read_rules(call, key, |board: Option<&Board>| {
        let board = board.ok_or(Error::NoSuchBoard)?;
        let (query, now) = (query(options), call.now_of(board));
        let period = board.root_period(incarnation, &query, now)?;
        let is_fixed = period.as_ref().is_some_and(|period| period.is_fixed);
        let rows = if is_fixed { board.prize_rows(&query, page, now)? } else { (0, Vec::new()) };
        call.reply().array(2);
        reply_period(call, period.as_ref());
        reply_page(call, board, rows);
        Ok(())
    })
}

fn reply_period(call: &Call<impl Host>, period: Option<&RootPeriod>) {
    let reply = call.reply();
    let Some(period) = period else { return reply.nil() };
    reply.array(5);
    reply.bulk(period.view.as_bytes());
    reply.signed(period.start);
    reply.bulk(&period.table);
    reply.int(u64::from(period.is_running));
    reply.int(u64::from(period.is_fixed));
}

/// Carries out `LB.SETTLE key ROOT incarnation [options]`. With `BEST` it fixes the winners of a period, with `TAKE` it takes
/// prizes from members, and else it replies with the period.
pub fn settle(
    call: &Call<impl Host>,
    key: Argument,
    (incarnation, source): (u64, TimeSource),
    options: &Options,
) -> Handled {
    if let Some(best) = options.best() {
        let view = options.text(&VIEW).ok_or(Error::MissingOption("VIEW"))?;
        let winners = keyspace::change_rules(call, key, |board: &mut Board| {
            let settled = board.fix_winners(incarnation, view, best, source)?;
            Ok((settled.winners, Commit::at(&settled, c"lb.settle", options)))
        })?;
        match winners.ok_or(Error::NoSuchBoard)? {
            Some(winners) => call.reply().int(winners),
            None => call.reply().nil(),
        }
        return Ok(());
    }
    if !options.has(&TAKE) {
        return keyspace::read_rules(call, key, |board: Option<&Board>| {
            let board = board.ok_or(Error::NoSuchBoard)?;
            let period = board.root_period(incarnation, &query(options), call.now_of(board))?;
            reply_period(call, period.as_ref());
            Ok(())
        });
    }
    let taken = keyspace::change_rules(call, key, |board: &mut Board| {
        let taken = board.take_prizes(incarnation, options.taken())?;
        Ok((taken, if taken > 0 { Commit::as_it_is(c"lb.rem") } else { Commit::NOTHING }))
    })?;
    call.reply().int(taken.ok_or(Error::NoSuchBoard)?);
    Ok(())
}

/// Carries out `LB.CLAIM key member ROOT incarnation [options]`. Without `MAY`, it makes no claim: it replies with the claim that
/// was made, or with the period.
pub fn claim(
    call: &Call<impl Host>,
    (key, member): (Argument, &[u8]),
    (incarnation, source): (u64, TimeSource),
    options: &Options,
) -> Handled {
    let (query, request) = (query(options), options.text(&ID));
    let found = keyspace::change_rules(call, key, |board: &mut Board| {
        let found = board.root_claim(incarnation, (member, request), &query, call.now_of(board))?;
        if !options.has(&MAY) || !matches!(&found, RootClaim::Of(period) if period.is_fixed) {
            return Ok((found, Commit::NOTHING));
        }
        let claimed = board.claim_in_root(incarnation, (member, request), &query, source)?;
        let commit = Commit::at(&claimed, c"lb.claim", options);
        Ok((claimed.claim.map_or(RootClaim::Nothing, RootClaim::Claimed), commit))
    })?;
    match found.ok_or(Error::NoSuchBoard)? {
        RootClaim::Nothing => call.reply().nil(),
        RootClaim::Claimed(claim) => reply_claim(call, Some(claim)),
        RootClaim::Of(period) => reply_period(call, Some(&period)),
    }
    Ok(())
}
