//! `LB.SEGMENT`, `LB.GETSEGMENT`, `LB.SEGMENTS` and `LB.SEGMENTRANK`.

use leaderboard_core::board::{SegmentRow, SegmentScore};
use leaderboard_core::dimensions::MAX_SEGMENT;
use leaderboard_core::{Board, Error};

use super::writing::check_own;
use crate::arguments::{Args, Read, sized};
use crate::call::{Call, Handled};
use crate::commit::{Commit, KeyChange, Sent};
use crate::host::Host;
use crate::keyspace;
use crate::options::reading::{COUNT, OFFSET};
use crate::options::writing::segment_value;

/// The number of rows of `LB.SEGMENTS` without `COUNT`.
const ROWS: u64 = 10;

/// Carries out `LB.SEGMENT key member name value [name value ...]`.
pub fn put(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let source = call.time_source_before(&mut args)?;
    let list = args.rest();
    let (member, segments) = (args.member()?, pairs(args)?);
    let changed = keyspace::change(call, key, |board: &mut Board| {
        check_own(call, board, [member])?;
        let (changed, now) = board.set_segments(member, &segments, source)?;
        let change = KeyChange { event: c"lb.segment", sent: Sent::AsOf(now, list) };
        Ok((changed, Commit { count: None, change: (changed > 0).then_some(change) }))
    })?;
    call.reply().int(changed.ok_or(Error::NoSuchBoard)? as u64);
    Ok(())
}

/// Takes all remaining arguments as pairs of a dimension and a segment: at least one pair.
fn pairs<'a>(mut args: Args<'a>) -> Read<Vec<(&'a [u8], &'a [u8])>> {
    let mut pairs = vec![(args.next()?, segment_value(args.next()?)?)];
    while args.len() > 0 {
        let name = args.next()?;
        let value = args.next().map_err(|_| Error::IncompleteList("names and values"))?;
        pairs.push((name, segment_value(value)?));
    }
    Ok(pairs)
}

/// Carries out `LB.GETSEGMENT key member [options]`.
pub fn get(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let member = args.member()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let segments = match board {
            None => Vec::new(),
            Some(board) => {
                let reading = options.reading(board)?;
                // A member can be in a segment before the first period has begun.
                if options.period().is_some() {
                    reading.segments_of(member)
                } else {
                    board.segments_of(member)
                }
            }
        };
        call.reply().map(segments.len());
        for (name, value) in segments {
            call.reply().text(name);
            call.reply().bulk(value);
        }
        Ok(())
    })
}

/// Carries out `LB.SEGMENTS key name [options]`.
pub fn list(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let name = args.next()?;
    let options = call.options(args)?;
    let (offset, count) = (options.get(&OFFSET).unwrap_or(0), options.get(&COUNT).unwrap_or(ROWS));
    keyspace::read(call, key, |board: Option<&Board>| {
        let Some(board) = board else {
            call.reply().array(0);
            return Ok(());
        };
        let dimension = board.schema().segments.find(name)?;
        let rows = options.reading(board)?.segments(dimension, offset, count);
        call.reply().array(rows.len());
        for SegmentRow { rank, name, score, members } in rows {
            call.reply().array(4);
            call.reply().int(rank);
            call.reply().bulk(name);
            reply_score(call, board, score);
            call.reply().int(members);
        }
        Ok(())
    })
}

/// Carries out `LB.SEGMENTRANK key name value [options]`.
pub fn rank(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let (name, value) = (args.next()?, sized(args.next()?, "value", MAX_SEGMENT)?);
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let Some(board) = board else {
            call.reply().nil();
            return Ok(());
        };
        let dimension = board.schema().segments.find(name)?;
        match options.reading(board)?.segment(dimension, value) {
            Some(SegmentRow { rank, score, members, .. }) => {
                call.reply().array(3);
                call.reply().int(rank);
                reply_score(call, board, score);
                call.reply().int(members);
            }
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_score(call: &Call<impl Host>, board: &Board, score: SegmentScore) {
    let (reply, notation) = (call.reply(), board.schema().notation());
    match score {
        SegmentScore::Sum(sum) => reply.sum(sum, &notation),
        SegmentScore::Count(count) => reply.int(count),
        SegmentScore::Best(best) => reply.score(best, &notation),
    }
}
