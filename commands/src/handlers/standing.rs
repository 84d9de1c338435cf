//! Commands about single members and counts: `LB.RANK`, `LB.SCORE`, `LB.MSCORE`, `LB.STANDING`,
//! `LB.MSTANDING`, `LB.COUNT`.

use std::fmt;

use leaderboard_core::Board;
use leaderboard_core::Score;
use leaderboard_core::board::{Neighbour, Reading, Standing};
use leaderboard_core::notation::Notation;

use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;
use crate::options::Options;
use crate::options::reading::WITHMETA;
use crate::refusal::Refusal;

/// Returns the view and the period that the options name, if there is a board.
fn reading<'a>(board: Option<&'a Board>, options: &Options) -> Result<Option<Reading<'a>>, Refusal> {
    board.map(|board| options.reading(board)).transpose()
}

/// Returns the view and the period that the options name, for a member; `None` if there is no board, or if the member is in no
/// segment and its own segment is to be read.
fn reading_of<'a>(
    board: Option<&'a Board>,
    options: &Options,
    member: &[u8],
) -> Result<Option<Reading<'a>>, Refusal> {
    Ok(board.map(|board| options.reading_of(board, member)).transpose()?.flatten())
}

/// Carries out `LB.RANK key member [options]`.
pub fn rank(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    let rank = keyspace::read(call, key, |board: Option<&Board>| {
        Ok(reading_of(board, &options, member)?.and_then(|read| read.rank(member, options.ranks())))
    })?;
    match rank {
        Some(rank) => call.reply().int(rank),
        None => call.reply().nil(),
    }
    Ok(())
}

/// Carries out `LB.SCORE key member [options]`.
pub fn score(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let score = reading_of(board, &options, member)?.and_then(|read| read.score(member));
        match score {
            Some(score) => call.reply().score(score, &notation(board)),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

/// Carries out `LB.MSCORE key MEMBERS n member [member ...] [options]`.
pub fn scores(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let (members, with_meta) = (options.members(), options.has(&WITHMETA));
    keyspace::read(call, key, |board: Option<&Board>| {
        let read = reading(board, &options)?;
        let (reply, notation) = (call.reply(), notation(board));
        reply.array(members.len());
        let Some(read) = read else {
            members.iter().for_each(|_| reply.nil());
            return Ok(());
        };
        for (member, found) in members.iter().zip(read.ranks_and_scores(&members, options.ranks())) {
            match found {
                Some((rank, score)) => {
                    reply.array(if with_meta { 3 } else { 2 });
                    reply.int(rank);
                    reply.score(score, &notation);
                    if with_meta {
                        reply.bulk_or_nil(board.and_then(|board| board.meta(member)));
                    }
                }
                None => reply.nil(),
            }
        }
        Ok(())
    })
}

/// Carries out `LB.STANDING key member [options]`.
pub fn standing(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let standing = reading_of(board, &options, member)?;
        let standing = standing.and_then(|read| read.standing(member, options.ranks()));
        reply_standing(call, &options, board, (member, standing));
        Ok(())
    })
}

/// Carries out `LB.MSTANDING key MEMBERS n member [member ...] [options]`.
pub fn standings(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    let members = options.members();
    keyspace::read(call, key, |board: Option<&Board>| {
        let read = reading(board, &options)?;
        call.reply().array(members.len());
        let Some(read) = read else {
            members.iter().for_each(|_| call.reply().nil());
            return Ok(());
        };
        for (member, standing) in members.iter().zip(read.standings(&members, options.ranks())) {
            reply_standing(call, &options, board, (member, standing));
        }
        Ok(())
    })
}

fn notation(board: Option<&Board>) -> Notation {
    board.map_or(Notation::Decimals(0), |board| board.schema().notation())
}

fn reply_standing(
    call: &Call<impl Host>,
    options: &Options,
    board: Option<&Board>,
    (member, standing): (&[u8], Option<Standing>),
) {
    let reply = call.reply();
    let Some((board, standing)) = board.zip(standing) else {
        reply.nil();
        return;
    };
    let (notation, with_meta) = (board.schema().notation(), options.has(&WITHMETA));
    reply.map(if with_meta { 10 } else { 9 });
    reply.bulk(b"rank");
    reply.int(standing.rank);
    reply.bulk(b"score");
    reply.score(standing.score, &notation);
    reply.bulk(b"members");
    reply.int(standing.members);
    reply.bulk(b"percentile");
    reply.text(Percent(standing.percentile));
    reply.bulk(b"ahead");
    reply_neighbour(call, board, standing.ahead, standing.score);
    reply.bulk(b"behind");
    reply_neighbour(call, board, standing.behind, standing.score);
    reply.bulk(b"previous");
    match standing.previous {
        Some((rank, score)) => {
            reply.array(2);
            reply.int(rank);
            reply.score(score, &notation);
        }
        None => reply.nil(),
    }
    reply.bulk(b"change");
    match standing.previous {
        Some((rank, _)) => reply.signed(rank.cast_signed().saturating_sub(standing.rank.cast_signed())),
        None => reply.nil(),
    }
    reply.bulk(b"at");
    match standing.at {
        Some(at) => reply.int(at),
        None => reply.nil(),
    }
    if with_meta {
        reply.bulk(b"meta");
        reply.bulk_or_nil(board.meta(member));
    }
}

/// Replies with a neighbour of a member that has this score: the neighbour's name, its score, and the difference
/// between the two scores.
fn reply_neighbour(call: &Call<impl Host>, board: &Board, neighbour: Option<Neighbour>, score: Score) {
    let reply = call.reply();
    let Some(neighbour) = neighbour else {
        reply.nil();
        return;
    };
    let notation = board.schema().notation();
    reply.array(3);
    reply.bulk(board.name(neighbour.id));
    reply.score(neighbour.score, &notation);
    reply.gap(neighbour.score, score, &notation);
}

/// Hundredths of a percent. They are displayed as a percentage with two decimals.
struct Percent(u64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// Carries out `LB.COUNT key [min max] [options]`.
pub fn count(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let whole = args.len() == 0 || call.is_option_next(&args);
    let range = if whole { None } else { Some((args.bound("min")?, args.bound("max")?)) };
    let options = call.options(args)?;
    let count = keyspace::read(call, key, |board: Option<&Board>| {
        let read = reading(board, &options)?;
        let Some((board, read)) = board.zip(read) else { return Ok(0) };
        let Some((min, max)) = range else { return Ok(read.len()) };
        let range = board.schema().score_range(min, max)?;
        Ok(range.map_or(0, |(low, high)| read.count_between(low, high)))
    })?;
    call.reply().int(count);
    Ok(())
}
