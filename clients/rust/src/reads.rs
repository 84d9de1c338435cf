//! Requests that read a ranking.

use redis::ToSingleRedisArg;

use crate::{AmongRow, Bucket, FoundPage, PastStanding, RankScore, Request, Row, Score, Standing, Stats};

/// `LB.TOP`: returns the best members.
pub fn top(key: impl AsRef<[u8]>, count: u64) -> Request<Vec<Row>> {
    Request::on("LB.TOP", key).argument(count)
}

/// `LB.RANGE`: returns the members between two ranks. -1 is the last rank.
pub fn range(key: impl AsRef<[u8]>, first: i64, last: i64) -> Request<Vec<Row>> {
    Request::on("LB.RANGE", key).argument(first).argument(last)
}

/// `LB.RANGEBYSCORE`: returns the members with a score in a range, best first. `(5` excludes 5; `-inf` and `+inf` are
/// allowed.
pub fn range_by_score(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<Vec<Row>> {
    Request::on("LB.RANGEBYSCORE", key).argument(min).argument(max)
}

/// `LB.AROUND`: returns a member with up to `count` members above it and as many members below it.
pub fn around(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, count: u64) -> Request<Vec<Row>> {
    Request::on("LB.AROUND", key).argument(member.as_ref()).argument(count)
}

/// `LB.AROUND` with the options [`above`](Request::above) and [`below`](Request::below), for example to read the page
/// below a member.
pub fn beside(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<Row>> {
    Request::on("LB.AROUND", key).argument(member.as_ref())
}

/// `LB.AMONG`: returns the ranking among the given members, such as friends.
pub fn among<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<AmongRow>> {
    Request::on("LB.AMONG", key).counted("MEMBERS", members)
}

/// `LB.RANK`: returns a member's rank.
pub fn rank(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<u64>> {
    Request::on("LB.RANK", key).argument(member.as_ref())
}

/// `LB.SCORE`: returns a member's score.
pub fn score(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Score>> {
    Request::on("LB.SCORE", key).argument(member.as_ref())
}

/// `LB.MSCORE`: returns the ranks and scores of several members.
pub fn mscore<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<RankScore>>> {
    Request::on("LB.MSCORE", key).counted("MEMBERS", members)
}

/// `LB.STANDING`: returns a member's rank, score and percentile, and the neighbours in the ranking.
pub fn standing(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Standing>> {
    Request::on("LB.STANDING", key).argument(member.as_ref())
}

/// `LB.MSTANDING`: returns the same fields as [`standing`], for several members.
pub fn mstanding<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<Standing>>> {
    Request::on("LB.MSTANDING", key).counted("MEMBERS", members)
}

/// `LB.COUNT`: returns the number of members.
pub fn count(key: impl AsRef<[u8]>) -> Request<u64> {
    Request::on("LB.COUNT", key)
}

/// `LB.COUNT` with a range: returns the number of members with a score in this range, as in [`range_by_score`].
pub fn count_between(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<u64> {
    Request::on("LB.COUNT", key).argument(min).argument(max)
}

/// `LB.STATS`: returns the sum, the mean and the median of the scores; `None` if the key is absent.
pub fn stats(key: impl AsRef<[u8]>) -> Request<Option<Stats>> {
    Request::on("LB.STATS", key)
}

/// `LB.QUANTILE`: returns the scores at the given shares of the members, counted from the lowest score. The share
/// `0.5` is the median.
pub fn quantile<Q: ToSingleRedisArg>(
    key: impl AsRef<[u8]>,
    shares: impl IntoIterator<Item = Q>,
) -> Request<Vec<Option<Score>>> {
    shares.into_iter().fold(Request::on("LB.QUANTILE", key), Request::argument)
}

/// `LB.HISTOGRAM`: returns the number of members in each of several score ranges of equal width.
pub fn histogram(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
    buckets: u64,
) -> Request<Vec<Bucket>> {
    Request::on("LB.HISTOGRAM", key).argument(min).argument(max).argument(buckets)
}

/// `LB.HISTORY`: returns where a member stood in the last periods of a view, the running one first. `count` sets how many periods.
pub fn history(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<PastStanding>> {
    Request::on("LB.HISTORY", key).argument(member.as_ref())
}

/// `LB.FIND`: returns a page of the members whose names match a pattern as in SCAN, such as `ann*`. The first cursor is 0.
/// `count` sets about how many members are looked at.
pub fn find(key: impl AsRef<[u8]>, cursor: u64, pattern: impl AsRef<[u8]>) -> Request<FoundPage> {
    Request::on("LB.FIND", key).argument(cursor).argument(pattern.as_ref())
}
