//! `LB.STATS`, `LB.QUANTILE` and `LB.HISTOGRAM`. Their replies are the same from both ends of the ranking.

use std::sync::Arc;

use futures_util::future::try_join_all;
use leaderboard_core::amount::Bound;
use leaderboard_core::board::{Stats, edge};
use leaderboard_core::integer::natural;
use leaderboard_core::notation::Notation;
use leaderboard_core::schema::Order;
use leaderboard_core::share::billionths;
use leaderboard_core::{Error, Score};
use redis::Value;

use super::answer::odd;
use super::ask::Question;
use super::locate::{Sampled, samples_of_each};
use super::operation::Operation;
use super::round::{Gather, Stop};
use super::{options, reply};
use crate::nodes::Transport;

/// The maximum number of quantiles of one command.
const MAX_QUANTILES: usize = 1_000;
/// The maximum number of buckets of a histogram.
const MAX_BUCKETS: u64 = 10_000;
/// How many quantiles are searched at the same time.
const AT_ONCE: usize = 16;
/// The number of billionths in a whole. Shares are in billionths.
const WHOLE: u128 = 1_000_000_000;
const HALF: u32 = 500_000_000;

/// Replies to `LB.STATS key`.
pub async fn stats<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    options::ranks(gather.call.asked)?;
    let operations = [Operation::stats(), Operation::sample(samples_of_each(gather.parts().end), 0, None)];
    let operations = operations.map(Arc::new);
    let questions =
        gather.parts().flat_map(|part| operations.each_ref().map(|each| Question::new(part, each)));
    let (mut sum, mut sampled) = (0_i128, Vec::new());
    let mut answers = gather.ask(questions.collect()).await?.into_iter();
    while let (Some(mut stats), Some(samples)) = (answers.next(), answers.next()) {
        let part = stats.part;
        let units = stats.text()?.map(|text| String::from_utf8(text).ok().and_then(|text| text.parse().ok()));
        sum = sum.saturating_add(units.unwrap_or(Some(0_i128)).ok_or_else(|| odd(part))?);
        sampled.push(gather.sampled(samples, 0, None)?);
    }
    let (min, max) = ends(&sampled);
    let members = total(&sampled);
    let median = quantile(gather, &sampled, HALF).await?;
    Ok(reply_stats(&Stats { members, sum, min, max, median }, &gather.call.root.schema.notation()))
}

fn reply_stats(stats: &Stats, notation: &Notation) -> Value {
    let score = |score: Option<Score>| score.map_or(Value::Nil, |score| reply::score(score, notation));
    let mean = match notation {
        Notation::Decimals(decimals) if stats.members > 0 => reply::text(stats.mean(*decimals)),
        _ => Value::Nil,
    };
    Value::Map(reply::map([
        ("members", reply::int(stats.members)),
        ("sum", reply::sum(stats.sum, notation)),
        ("mean", mean),
        ("min", score(stats.min)),
        ("max", score(stats.max)),
        ("median", score(stats.median)),
    ]))
}

/// Returns the smallest and the greatest score. The first and the last entry of each part are among its samples.
fn ends(samples: &[Sampled]) -> (Option<Score>, Option<Score>) {
    let ends = || samples.iter().flat_map(Sampled::ends);
    (ends().min(), ends().max())
}

fn total(samples: &[Sampled]) -> u64 {
    samples.iter().map(|part| part.members).fold(0, u64::saturating_add)
}

/// Replies to `LB.QUANTILE key q [q ...]`.
pub async fn quantiles<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    options::ranks(asked)?;
    if asked.fixed.len() > MAX_QUANTILES {
        return Err(Error::TooMany("LB.QUANTILE", MAX_QUANTILES, "shares").into());
    }
    let shares: Vec<_> = asked.fixed.iter().map(|share| billionths(share, "q")).collect::<Result<_, _>>()?;
    let samples = gather.sample_all(samples_of_each(gather.parts().end)).await?;
    let notation = gather.call.root.schema.notation();
    let mut scores = Vec::with_capacity(shares.len());
    for shares in shares.chunks(AT_ONCE) {
        let found = try_join_all(shares.iter().map(|share| quantile(gather, &samples, *share))).await?;
        let score = |score: Option<Score>| score.map_or(Value::Nil, |score| reply::score(score, &notation));
        scores.extend(found.into_iter().map(score));
    }
    Ok(Value::Array(scores))
}

/// Returns the smallest score for which at least this share of the members have this score or a smaller score. `None`
/// if the ranking is empty.
async fn quantile<T: Transport>(
    gather: &Gather<'_, T>,
    samples: &[Sampled],
    share: u32,
) -> Result<Option<Score>, Stop> {
    let members = total(samples);
    let wanted = u128::from(share).saturating_mul(members.into()).div_ceil(WHOLE);
    let number = u64::try_from(wanted).unwrap_or(u64::MAX).clamp(1, members.max(1));
    let before = match gather.call.root.schema.order {
        Order::Asc => number.checked_sub(1),
        Order::Desc => members.checked_sub(number),
    };
    let Some(before) = before else { return Ok(None) };
    Ok(gather.line_by(samples, before).await?.map(|line| line.score))
}

/// Replies to `LB.HISTOGRAM key min max buckets`.
pub async fn histogram<T: Transport>(gather: &Gather<'_, T>) -> Result<Value, Stop> {
    let asked = gather.call.asked;
    options::ranks(asked)?;
    let (min, max) = (options::fixed(asked, 0), options::fixed(asked, 1));
    let buckets = natural(options::fixed(asked, 2), "buckets")?;
    if !(1..=MAX_BUCKETS).contains(&buckets) {
        return Err(Error::OutOfRange("buckets").into());
    }
    let schema = &gather.call.root.schema;
    let range = schema.score_range(Bound::parse(min, "min")?, Bound::parse(max, "max")?)?;
    let range = range.ok_or(Error::MaxBelowMin)?;
    let mut sums = vec![0_u64; usize::try_from(buckets).unwrap_or(0)];
    for mut answer in gather.ask_all(Operation::histogram(min, max, buckets)).await? {
        let mut sum = sums.iter_mut();
        answer.numbers(sum.len(), |count| {
            if let Some(sum) = sum.next() {
                *sum = sum.saturating_add(count);
            }
        })?;
    }
    let (notation, mut from) = (schema.notation(), range.0);
    let bucket = |(number, members): (u64, u64)| {
        let to = edge(range, number, buckets);
        let row = vec![reply::score(from, &notation), reply::score(to, &notation), reply::int(members)];
        from = to;
        Value::Array(row)
    };
    Ok(Value::Array((1..).zip(sums).map(bucket).collect()))
}
