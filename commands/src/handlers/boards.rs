//! `LB.CREATE`, `LB.ALTER`, `LB.INFO` and `LB.PERIODS`.

use leaderboard_core::board::{Alter, Carry, Decays, KeptPeriod, Retain, Rules};
use leaderboard_core::catalog::Hold;
use leaderboard_core::levels::Levels;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::prizes::DEFAULT_DAYS;
use leaderboard_core::time::{Millis, TimeSource};
use leaderboard_core::{Board, Error, NativeType, Schema};

use super::alter;
use crate::argument::Argument;
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::boards::{CLOCK_NOW, LIKE, NX, REQUEST, RESTORING, REVISION};
use crate::refusal::Refusal;
use crate::reply::Reply;

/// Carries out `LB.CREATE key [options]`.
pub fn create(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    if matches!(options.role(), Role::Root(_)) && key.bytes().contains(&b'{') {
        return Err(Error::TaggedRoot.into());
    }
    if options.has(&RESTORING) && !matches!(options.role(), Role::Root(_)) {
        return Err(Error::NeedsParts("RESTORING").into());
    }
    let is_new = keyspace::create(call, key, &Commit::as_it_is(c"lb.create"), || {
        let like = options.argument(&LIKE).map(|other| rules_of(call, other)).transpose()?;
        made(&options, like.unwrap_or_default())
    })?;
    reply_made(call, options.has(&NX), is_new, Error::BoardExists)
}

/// Replies whether a value was made. Without `NX`, the value that was there before is this error.
///
/// # Errors
/// `exists`.
pub(super) fn reply_made(call: &Call<impl Host>, has_nx: bool, is_new: bool, exists: Error) -> Handled {
    match (has_nx, is_new) {
        (true, _) => call.reply().int(u64::from(is_new)),
        (false, true) => call.reply().ok(),
        (false, false) => return Err(exists.into()),
    }
    Ok(())
}

/// Returns the rules of the board in a key.
fn rules_of(call: &Call<impl Host>, key: Argument) -> Result<Rules, Refusal> {
    keyspace::read_rules(call, key, |board: Option<&Board>| Ok(board.ok_or(Error::NoSuchBoard)?.rules()))
}

/// Returns an empty board with these rules. Options of the call replace rules.
fn made(options: &Options, rules: Rules) -> Result<Board, Refusal> {
    let mut board = Board::new(options.schema(rules.schema), &options.specs(rules.specs)?)?;
    board.set_catalog(options.catalog())?;
    for voting in [rules.voting, options.voting()] {
        board.alter(&Alter { voting, ..Alter::default() })?;
    }
    Ok(board)
}

/// Carries out `LB.ALTER key [options]`.
pub fn alter(call: &Call<impl Host>) -> Handled {
    alter::alter(call, c"lb.alter", Error::NoSuchBoard, |board: &mut Board, options, source| {
        if let Some(now) = options.get(&CLOCK_NOW).filter(|_| options.count() == 1) {
            return board.move_clock(now).map(|()| now);
        }
        let source = match options.get(&CLOCK_NOW) {
            None => source,
            now if call.is_decided() => TimeSource::Decided { now },
            Some(_) => return Err(Error::Conflict("NOW", "other options")),
        };
        let now = board.now_of(source);
        board.advance(now);
        board.alter_numbered(&options.alter(now), options.get(&REVISION), options.get(&REQUEST)).map(|()| now)
    })
}

/// Carries out `LB.PERIODS key view`.
pub fn periods(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let view = args.view()?;
    args.finish()?;
    keyspace::read(call, key, |board: Option<&Board>| {
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

/// Carries out `LB.INFO key`.
pub fn info(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    args.finish()?;
    keyspace::read_rules(call, key, |board: Option<&Board>| {
        match board {
            Some(board) => reply_info(call, key, board),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_info(call: &Call<impl Host>, key: Argument, board: &Board) {
    let reply = call.reply();
    let Schema {
        order,
        aggregate,
        ties,
        decimals,
        levels,
        clock,
        dedup,
        calendar,
        shown,
        declared,
        keep,
        notify_top,
        segments,
        role,
    } = board.schema();
    let (rules, entry) = (board.write_rules(), board.catalog());
    let moment = |moment: Option<Millis>| moment.unwrap_or(0).cast_signed();
    let until = match entry.hold {
        Some(Hold::Split { until, .. }) => until,
        Some(Hold::Copy { .. }) | None => 0,
    };
    let now = call.now_of(board);
    let views: Vec<_> = board.specs().map(|spec| spec.kind.to_string()).collect();
    let words = [
        (&b"views"[..], views.join(",")),
        (b"order", order.to_string()),
        (b"aggregate", aggregate.to_string()),
        (b"ties", ties.to_string()),
        (b"tz", calendar.zone.to_string()),
        (b"weekstart", calendar.week_start.to_string()),
        (b"clock", clock.to_string()),
        (b"retain", Retain::of(board.specs()).to_string()),
        (b"carry", Carry::of(board.specs()).to_string()),
        (b"decay", Decays::of(board.specs()).to_string()),
        (b"levels", levels.as_ref().map(Levels::to_string).unwrap_or_default()),
        (b"segments", segments.to_string()),
        (b"hours", rules.hours.map(|hours| hours.to_string()).unwrap_or_default()),
        (b"attempts", rules.attempts.flatten().map(|attempts| attempts.to_string()).unwrap_or_default()),
        (b"bounds", rules.bounds.map(|bounds| bounds.to_string()).unwrap_or_default()),
    ];
    let numbers = [
        (&b"decimals"[..], i64::from(*decimals)),
        (b"origin", calendar.origin.cast_signed()),
        (b"dedup", i64::from(*dedup)),
        (b"shown", i64::from(*shown)),
        (b"declared", i64::from(*declared)),
        (b"keep", i64::from(*keep)),
        (b"opens", moment(rules.opens)),
        (b"closes", moment(rules.closes)),
        (b"maxmembers", i64::from(rules.max_members.unwrap_or(0))),
        (b"prizedays", i64::from(rules.prize_days.unwrap_or(DEFAULT_DAYS))),
        (b"payouts", board.payouts().cast_signed()),
        (b"notifytop", i64::from(*notify_top)),
        (b"members", board.count().cast_signed()),
        (b"hidden", board.count_hidden() as i64),
        (b"requests", board.requests(now) as i64),
        (b"now", now.cast_signed()),
        (b"memory", board.memory() as i64),
        (b"last", board.last().cast_signed()),
        (b"incarnation", entry.incarnation.cast_signed()),
        (b"revision", entry.revision.cast_signed()),
        (b"request", entry.request.cast_signed()),
        (b"target", entry.target.map_or(0, Parts::count).into()),
        (b"grown", entry.target.map_or(0, |target| board.rules_hash_over(Some(target)).cast_signed())),
        (b"token", entry.hold.map_or(0, Hold::token).cast_signed()),
        (b"until", until.cast_signed()),
    ];
    let figures = board.figures();
    let figures = [
        (&b"writes"[..], figures.writes.cast_signed()),
        (b"repeated", figures.repeated.cast_signed()),
        (b"votes", figures.votes.cast_signed()),
    ];
    let fields = [words.len(), numbers.len(), figures.len(), 9];
    reply.map(fields.into_iter().fold(0, usize::saturating_add));
    reply.texts(words);
    reply.numbers(numbers);
    reply_parts(reply, key, *role, board.rules_hash());
    reply.texts([(&b"state"[..], entry.state.to_string())]);
    reply.bulk(b"limit");
    let rules: Vec<_> = board.limits().collect();
    reply.array(rules.len());
    rules.iter().for_each(|rule| reply.bulk(rule.to_string().as_bytes()));
    reply.bulk(b"prizes");
    let prizes = &board.write_rules().prizes;
    reply.array(prizes.len());
    prizes.iter().for_each(|change| reply.bulk(&change.to_bytes()));
    reply.numbers(figures);
    reply.bulk(b"held_back");
    let held_back: Vec<_> = board.held_back().collect();
    reply.map(held_back.len());
    for (rule, requests) in held_back {
        reply.bulk(rule);
        reply.int(requests);
    }
    reply.bulk(b"segment_counts");
    let counts: Vec<_> = board.count_segments().collect();
    reply.map(counts.len());
    for (dimension, segments) in counts {
        reply.text(dimension);
        reply.int(segments);
    }
}

fn reply_parts(reply: Reply<impl Host>, key: Argument, role: Role, rules_hash: u64) {
    reply.numbers([(b"parts", role.parts().map_or(0, Parts::count).into())]);
    reply.bulk(b"part");
    match role.part() {
        Some(part) => reply.int(part.into()),
        None => reply.nil(),
    }
    reply.numbers([(b"schema", rules_hash.cast_signed())]);
    reply.bulk(b"keys");
    let keys = role.keys(key.bytes());
    reply.array(keys.len());
    keys.for_each(|key| reply.bulk(&key));
}
