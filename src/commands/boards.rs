//! `LB.CREATE`, `LB.ALTER` and `LB.INFO`.

use leaderboard_core::{Board, Error, Schema};

use crate::arguments::Name;
use crate::call::{Call, Handled};
use crate::refusal::Refusal;
use crate::{config, keyspace, server};

/// `LB.CREATE key [options]`
pub fn create(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = args.options(&[
        Name::Views,
        Name::Order,
        Name::Aggregate,
        Name::Ties,
        Name::Decimals,
        Name::Clock,
        Name::Dedup,
    ])?;
    let mut new = false;
    let make = || {
        new = true;
        Ok(Board::new(options.schema)?)
    };
    keyspace::write(call, key, make, |_| Ok(((), true)))?;
    if !new {
        return Err(Error::Exists.into());
    }
    call.replicate_as_is();
    call.changed(key, c"lb.create");
    call.reply().ok();
    Ok(())
}

/// `LB.ALTER key DEDUP seconds`
pub fn alter(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = args.options(&[Name::Dedup])?;
    let seconds = options.dedup.ok_or(Refusal::Arity)?;
    let absent = || Err(Error::NoSuchBoard.into());
    keyspace::write(call, key, absent, |board| Ok((board.set_dedup(seconds)?, true)))?;
    call.replicate_as_is();
    call.changed(key, c"lb.alter");
    call.reply().ok();
    Ok(())
}

/// `LB.INFO key`
pub fn info(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    args.finish()?;
    keyspace::read(call, key, |board| {
        match board {
            Some(board) => reply_info(call, board),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_info(call: &Call, board: &Board) {
    let reply = call.reply();
    let Schema { order, aggregate, ties, decimals, clock, dedup } = *board.schema();
    let now = board.now(server::clock(), config::max_future());
    let words = [
        (&b"views"[..], "all".to_owned()),
        (b"order", order.to_string()),
        (b"aggregate", aggregate.to_string()),
        (b"ties", ties.to_string()),
        (b"clock", clock.to_string()),
    ];
    let numbers = [
        (&b"decimals"[..], u64::from(decimals)),
        (b"dedup", u64::from(dedup)),
        (b"members", board.len()),
        (b"requests", board.requests(now) as u64),
        (b"now", now),
        (b"memory", board.memory() as u64),
    ];
    reply.map(words.len().saturating_add(numbers.len()));
    for (name, word) in words {
        reply.bulk(name);
        reply.text(word);
    }
    for (name, number) in numbers {
        reply.bulk(name);
        reply.int(number);
    }
}
