//! `LB.CREATE`, `LB.ALTER`, `LB.INFO` and `LB.PERIODS`.

use leaderboard_core::board::{Alter, KeptPeriod};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Error, Schema};

use super::writing::replicate_at;
use crate::call::{Call, Handled};
use crate::options::Name;
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
        Name::Tz,
        Name::WeekStart,
        Name::Origin,
        Name::Clock,
        Name::Retain,
        Name::Carry,
        Name::Dedup,
        Name::Shown,
        Name::Declared,
        Name::Opens,
        Name::Closes,
        Name::Limit,
    ])?;
    let specs = options.specs()?;
    let mut new = false;
    let make = || {
        new = true;
        let mut board = Board::new(options.schema, &specs)?;
        board.alter(&Alter { voting: options.alter.voting.clone(), ..Alter::default() })?;
        Ok(board)
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

/// `LB.ALTER key [options]`
pub fn alter(call: &Call) -> Handled {
    let mut args = call.args();
    let all = args.rest();
    let key = args.key()?;
    if args.len() == 0 {
        return Err(Refusal::Arity);
    }
    let options = args.options(&[
        Name::Edits,
        Name::Retain,
        Name::Carry,
        Name::Dedup,
        Name::Opens,
        Name::Closes,
        Name::Limit,
        Name::Unlimit,
        Name::Now,
    ])?;
    let origin = call.origin(None, options.now)?;
    let absent = || Err(Error::NoSuchBoard.into());
    let now = keyspace::write(call, key, absent, |board| {
        let now = board.now_of(origin);
        board.advance(now);
        board.alter(&options.alter)?;
        Ok((now, true))
    })?;
    // Which period is current decides what new rules begin with.
    replicate_at(call, c"LB.ALTER", all, &options, now);
    call.changed(key, c"lb.alter");
    call.reply().ok();
    Ok(())
}

/// `LB.PERIODS key view`
pub fn periods(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let view = args.view()?;
    args.finish()?;
    keyspace::read(call, key, |board| {
        let periods = board.map(|board| board.periods(view)).transpose()?.unwrap_or_default();
        let reply = call.reply();
        reply.array(periods.len());
        for KeptPeriod { label, period, members } in periods {
            reply.array(4);
            reply.bulk(label.as_bytes());
            match period {
                Some(period) => {
                    reply.signed(period.start);
                    reply.signed(period.end);
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
    let Schema { order, aggregate, ties, decimals, clock, dedup, calendar, shown, declared } =
        *board.schema();
    let voting_window = board.voting_window();
    let now = board.now(server::clock(), config::max_future());
    let words = [
        (&b"views"[..], joined(board, |spec| Some(spec.kind.to_string()))),
        (b"order", order.to_string()),
        (b"aggregate", aggregate.to_string()),
        (b"ties", ties.to_string()),
        (b"tz", calendar.zone.to_string()),
        (b"weekstart", calendar.week_start.to_string()),
        (b"clock", clock.to_string()),
        (b"retain", joined(board, retained)),
        (b"carry", joined(board, carried)),
    ];
    let numbers = [
        (&b"decimals"[..], u64::from(decimals)),
        (b"origin", calendar.origin),
        (b"dedup", u64::from(dedup)),
        (b"shown", u64::from(shown)),
        (b"declared", u64::from(declared)),
        (b"opens", voting_window.opens),
        (b"closes", voting_window.closes),
        (b"members", board.len()),
        (b"requests", board.requests(now) as u64),
        (b"now", now),
        (b"memory", board.memory() as u64),
    ];
    reply.map(words.len().saturating_add(numbers.len()).saturating_add(1));
    for (name, word) in words {
        reply.bulk(name);
        reply.bulk(word.as_bytes());
    }
    for (name, number) in numbers {
        reply.bulk(name);
        reply.int(number);
    }
    reply.bulk(b"limit");
    let rules: Vec<_> = board.limits().collect();
    reply.array(rules.len());
    rules.iter().for_each(|rule| reply.bulk(rule.to_string().as_bytes()));
}

/// What there is to say about each view, as lists of it are written.
fn joined(board: &Board, say: impl Fn(&Spec) -> Option<String>) -> String {
    board.specs().filter_map(say).collect::<Vec<_>>().join(",")
}

fn retained(spec: &Spec) -> Option<String> {
    (spec.kind != Kind::All).then(|| format!("{}={}", spec.kind, spec.retain))
}

fn carried(spec: &Spec) -> Option<String> {
    spec.carry.map(|share| format!("{}={share}", spec.kind))
}
