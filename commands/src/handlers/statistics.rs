//! `LB.STATS`, `LB.QUANTILE` and `LB.HISTOGRAM`.

use leaderboard_core::Score;
use leaderboard_core::amount::Bound;
use leaderboard_core::board::{HistogramBucket, Reading, Stats};
use leaderboard_core::notation::Notation;
use leaderboard_core::share::billionths;
use leaderboard_core::{Board, Error};

use crate::arguments::{Args, Read};
use crate::call::{Call, Handled};
use crate::host::Host;
use crate::keyspace;

/// The maximum number of quantiles of one command.
const MAX_QUANTILES: usize = 1_000;
/// The maximum number of buckets of a histogram.
const MAX_BUCKETS: u64 = 10_000;

/// Carries out `LB.STATS key [options]`.
pub fn stats(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        match board {
            Some(board) => reply_stats(call, board, &options.reading(board)?.stats()),
            None => call.reply().nil(),
        }
        Ok(())
    })
}

fn reply_stats(call: &Call<impl Host>, board: &Board, stats: &Stats) {
    let (reply, notation) = (call.reply(), board.schema().notation());
    reply.map(6);
    reply.bulk(b"members");
    reply.int(stats.members);
    reply.bulk(b"sum");
    reply.sum(stats.sum, &notation);
    reply.bulk(b"mean");
    match notation {
        Notation::Decimals(decimals) if stats.members > 0 => reply.text(stats.mean(decimals)),
        _ => reply.nil(),
    }
    for (name, score) in [(&b"min"[..], stats.min), (b"max", stats.max), (b"median", stats.median)] {
        reply.bulk(name);
        reply_score(call, score, &notation);
    }
}

fn reply_score(call: &Call<impl Host>, score: Option<Score>, notation: &Notation) {
    match score {
        Some(score) => call.reply().score(score, notation),
        None => call.reply().nil(),
    }
}

/// Carries out `LB.QUANTILE key q [q ...] [options]`.
pub fn quantile(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let mut shares = vec![billionths(args.next()?, "q")?];
    while args.len() > 0 && !call.is_option_next(&args) {
        if shares.len() == MAX_QUANTILES {
            return Err(Error::TooMany("LB.QUANTILE", MAX_QUANTILES, "shares").into());
        }
        shares.push(billionths(args.next()?, "q")?);
    }
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let read = board.map(|board| options.reading(board)).transpose()?;
        let notation = board.map_or(Notation::Decimals(0), |board| board.schema().notation());
        call.reply().array(shares.len());
        let scores = shares.iter().map(|share| read.and_then(|read| read.quantile(*share)));
        scores.for_each(|score| reply_score(call, score, &notation));
        Ok(())
    })
}

/// The ranges of a histogram. Their bounds are texts, because only the rules of a board determine which scores they
/// mean.
pub struct Ranges<'a> {
    min: Bound<'a>,
    max: Bound<'a>,
    buckets: u64,
}

impl<'a> Ranges<'a> {
    pub fn read(args: &mut Args<'a>) -> Read<Self> {
        let (min, max) = (args.bound("min")?, args.bound("max")?);
        let buckets = args.count("buckets")?;
        if !(1..=MAX_BUCKETS).contains(&buckets) {
            return Err(Error::OutOfRange("buckets").into());
        }
        Ok(Self { min, max, buckets })
    }

    /// Counts the members in each range.
    pub fn count(&self, board: &Board, read: &Reading) -> Read<Vec<HistogramBucket>> {
        let range = board.schema().score_range(self.min, self.max)?;
        let (low, high) = range.ok_or(Error::MaxBelowMin)?;
        Ok(read.histogram(low, high, self.buckets))
    }
}

/// Carries out `LB.HISTOGRAM key min max buckets [options]`.
pub fn histogram(call: &Call<impl Host>) -> Handled {
    let mut args = call.args();
    let key = args.key()?;
    let ranges = Ranges::read(&mut args)?;
    let options = call.options(args)?;
    keyspace::read(call, key, |board: Option<&Board>| {
        let Some(board) = board else {
            call.reply().array(0);
            return Ok(());
        };
        let all = ranges.count(board, &options.reading(board)?)?;
        let notation = board.schema().notation();
        call.reply().array(all.len());
        for HistogramBucket { from, to, members } in all {
            call.reply().array(3);
            call.reply().score(from, &notation);
            call.reply().score(to, &notation);
            call.reply().int(members);
        }
        Ok(())
    })
}
