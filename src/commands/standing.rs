//! The commands about single members and counts: `LB.RANK`, `LB.SCORE`, `LB.MSCORE`, `LB.STANDING`,
//! `LB.MSTANDING`, `LB.COUNT`.

use std::fmt;

use leaderboard_core::board::{Neighbour, Standing};
use leaderboard_core::score::score_range;
use leaderboard_core::{Board, Error};

use crate::arguments::{Args, Name};
use crate::call::{Call, Handled};
use crate::keyspace;
use crate::refusal::Refusal;

const OPTIONS: [Name; 2] = [Name::View, Name::Ranks];

/// `LB.RANK key member [options]`
pub fn rank(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = args.options(&OPTIONS)?;
    let rank =
        keyspace::read(call, key, |board| Ok(board.and_then(|board| board.rank(member, options.ranks))))?;
    match rank {
        Some(rank) => call.reply().int(rank),
        None => call.reply().nil(),
    }
    Ok(())
}

/// `LB.SCORE key member [options]`
pub fn score(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    args.options(&OPTIONS)?;
    keyspace::read(call, key, |board| {
        match board.and_then(|board| Some((board.score(member)?, board.schema().decimals))) {
            Some((score, decimals)) => call.reply().score(score, decimals),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

/// The members of a list, all checked.
fn members<'a>(mut args: Args<'a>) -> Result<Vec<&'a [u8]>, Refusal> {
    if args.len() == 0 {
        return Err(Error::IncompleteList("members").into());
    }
    let mut members = Vec::with_capacity(args.len());
    while args.len() > 0 {
        members.push(args.member()?);
    }
    Ok(members)
}

/// `LB.MSCORE key [options] member [member ...]`
pub fn scores(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = args.leading_options(&OPTIONS)?;
    let members = members(args)?;
    keyspace::read(call, key, |board| {
        let reply = call.reply();
        reply.array(members.len());
        for member in members {
            let found = board.and_then(|board| {
                Some((board.rank_and_score(member, options.ranks)?, board.schema().decimals))
            });
            match found {
                Some(((rank, score), decimals)) => {
                    reply.array(2);
                    reply.int(rank);
                    reply.score(score, decimals);
                }
                None => reply.nil(),
            }
        }
        Ok(())
    })
}

/// `LB.STANDING key member [options]`
pub fn standing(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = args.options(&OPTIONS)?;
    keyspace::read(call, key, |board| {
        reply_standing(call, board.and_then(|board| Some((board, board.standing(member, options.ranks)?))));
        Ok(())
    })
}

/// `LB.MSTANDING key [options] member [member ...]`
pub fn standings(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = args.leading_options(&OPTIONS)?;
    let members = members(args)?;
    keyspace::read(call, key, |board| {
        call.reply().array(members.len());
        for member in members {
            let found = board.and_then(|board| Some((board, board.standing(member, options.ranks)?)));
            reply_standing(call, found);
        }
        Ok(())
    })
}

fn reply_standing(call: &Call, found: Option<(&Board, Standing)>) {
    let reply = call.reply();
    let Some((board, standing)) = found else {
        reply.nil();
        return;
    };
    reply.map(9);
    reply.bulk(b"rank");
    reply.int(standing.rank);
    reply.bulk(b"score");
    reply.score(standing.score, board.schema().decimals);
    reply.bulk(b"members");
    reply.int(standing.members);
    reply.bulk(b"percentile");
    reply.text(Percent(standing.percentile));
    reply.bulk(b"ahead");
    reply_neighbour(call, board, standing.ahead);
    reply.bulk(b"behind");
    reply_neighbour(call, board, standing.behind);
    reply.bulk(b"previous");
    reply.nil();
    reply.bulk(b"change");
    reply.nil();
    reply.bulk(b"at");
    reply.int(standing.at);
}

fn reply_neighbour(call: &Call, board: &Board, neighbour: Option<Neighbour>) {
    let reply = call.reply();
    let Some(neighbour) = neighbour else {
        reply.nil();
        return;
    };
    let decimals = board.schema().decimals;
    reply.array(3);
    reply.bulk(board.name(neighbour.id));
    reply.score(neighbour.score, decimals);
    reply.gap(neighbour.gap, decimals);
}

/// Hundredths of a percent, as percent with two decimals.
struct Percent(u64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// `LB.COUNT key [min max] [options]`
pub fn count(call: &Call) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let whole = args.len() == 0 || args.begins_with(&OPTIONS);
    let range = if whole { None } else { Some((args.bound("min")?, args.bound("max")?)) };
    args.options(&OPTIONS)?;
    let count = keyspace::read(call, key, |board| {
        Ok(match (board, range) {
            (None, _) => 0,
            (Some(board), None) => board.len(),
            (Some(board), Some((min, max))) => score_range(min, max, board.schema().decimals)?
                .map_or(0, |(low, high)| board.count_between(low, high)),
        })
    })?;
    call.reply().int(count);
    Ok(())
}
