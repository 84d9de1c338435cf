//! Commands about who takes part, and about votes: `LB.JOIN`, `LB.LEAVE`, `LB.OPTION`, `LB.OPTIONS`, `LB.QUOTA`,
//! `LB.VOTERS`.

use leaderboard_core::board::{CandidateRow, Declaration, Effect, Write};
use leaderboard_core::{Board, Error};

use super::vote::{default_board, until};
use super::writing::{write_board, write_of};
use crate::call::{Call, Handled};
use crate::commit::Commit;
use crate::host::Host;
use crate::keyspace;
use crate::options::reading::{AT, COUNT, VIEW};
use crate::options::voting::{INITIAL, MEMBER, WEIGHT};
use crate::options::writing::META;

/// The number of options on a page without `COUNT`.
const PAGE: u64 = 10;

/// Carries out `LB.OPTION key member [options]`.
pub fn declare(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let segments = options.segments();
    let said = Declaration {
        weight: options.get(&WEIGHT),
        initial: options.get(&INITIAL),
        meta: options.text(&META),
        segments: &segments,
    };
    write_board(
        call,
        key,
        &options,
        || default_board(call),
        |board: &mut Board| {
            let effect = board.declare(member, said, source)?;
            Ok(((), Commit::at(&effect, c"lb.option", &options)))
        },
    )?;
    call.reply().ok();
    Ok(())
}

/// Carries out `LB.JOIN key member [options]`.
pub fn join(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let segments = options.segments();
    let write = Write { segments: &segments, ..write_of(call, &options)? };
    let joined = keyspace::change(call, key, |board: &mut Board| {
        let joined = board.join_member(&write, member)?;
        Ok((joined, Commit::at(&joined, c"lb.join", &options)))
    })?;
    call.reply().int(u64::from(joined.ok_or(Error::NoSuchBoard)?.is_new));
    Ok(())
}

/// Carries out `LB.LEAVE key member`.
pub fn leave(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let source = call.time_source(&options)?;
    let effect = keyspace::change(call, key, |board: &mut Board| {
        let effect = board.leave_member(member, source)?;
        Ok((effect, Commit::at(&effect, c"lb.leave", &options)))
    })?;
    let is_gone = matches!(effect.ok_or(Error::NoSuchBoard)?, Effect::Applied(_));
    call.reply().int(u64::from(is_gone));
    Ok(())
}

/// Carries out `LB.OPTIONS key cursor [COUNT n]`.
pub fn list(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let cursor = args.count("cursor")?;
    let options = call.options(args)?;
    let count = usize::try_from(options.get(&COUNT).unwrap_or(PAGE)).unwrap_or(usize::MAX);
    if count == 0 {
        return Err(Error::OutOfRange("COUNT").into());
    }
    keyspace::read(call, key, |board: Option<&Board>| {
        let (next, page) = board.map(|board| board.candidates(cursor, count)).unwrap_or_default();
        let reply = call.reply();
        reply.array(2);
        reply.text(next);
        reply.array(page.len());
        for option in page {
            if let Some(board) = board {
                reply_option(call, board, &option);
            }
        }
        Ok(())
    })
}

fn reply_option(call: &Call<impl Host>, board: &Board, option: &CandidateRow) {
    let (reply, notation) = (call.reply(), board.schema().notation());
    reply.map(7);
    reply.bulk(b"member");
    reply.bulk(board.name(option.id));
    reply.bulk(b"weight");
    reply.int(u64::from(option.candidate.weight));
    reply.bulk(b"initial");
    reply.score(option.candidate.initial, &notation);
    reply.bulk(b"meta");
    match board.meta_of(option.id) {
        Some(meta) => reply.bulk(meta),
        None => reply.nil(),
    }
    reply.bulk(b"real");
    reply.score(option.real, &notation);
    reply.bulk(b"shown");
    reply.score(option.shown, &notation);
    reply.bulk(b"voters");
    reply.int(option.voters);
}

/// Carries out `LB.QUOTA key [options]`.
pub fn quota(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let (tags, member, at) = (options.tags(), options.text(&MEMBER), options.get(&AT));
    let (ballot, source) = (options.ballot(&tags), call.client());
    keyspace::read(call, key, |board: Option<&Board>| {
        let quota = board.map(|board| board.quota(&ballot, member, at, source)).transpose()?;
        let (reply, quota) = (call.reply(), quota.unwrap_or_default());
        reply.array(quota.len());
        for each in quota {
            reply.array(4);
            reply.bulk(each.rule);
            reply.int(each.used);
            reply.int(each.max);
            until(call, each.wait);
        }
        Ok(())
    })
}

/// Carries out `LB.VOTERS key [options]`.
pub fn voters(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let (member, view, period) = (options.text(&MEMBER), options.text(&VIEW), options.period());
    let voters = keyspace::read(call, key, |board: Option<&Board>| {
        let voters = board.map(|board| board.voters(member, view, period));
        Ok(voters.transpose()?.unwrap_or(0))
    })?;
    call.reply().int(voters);
    Ok(())
}
