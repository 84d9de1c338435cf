//! Reading a ranking.

use redis::ToSingleRedisArg;

use crate::{AmongRow, Bucket, RankScore, Request, Row, Score, Standing, Stats};

/// `LB.TOP`: the best members.
pub fn top(key: impl AsRef<[u8]>, count: u64) -> Request<Vec<Row>> {
    Request::on("LB.TOP", key).argument(count)
}

/// `LB.RANGE`: the members from one rank to another. -1 is the last rank.
pub fn range(key: impl AsRef<[u8]>, first: i64, last: i64) -> Request<Vec<Row>> {
    Request::on("LB.RANGE", key).argument(first).argument(last)
}

/// `LB.RANGEBYSCORE`: the members with a score in a range, best first. `(5` excludes 5; `-inf` and `+inf` are allowed.
pub fn range_by_score(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<Vec<Row>> {
    Request::on("LB.RANGEBYSCORE", key).argument(min).argument(max)
}

/// `LB.AROUND`: a member with up to `count` members above it and as many below it.
pub fn around(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, count: u64) -> Request<Vec<Row>> {
    Request::on("LB.AROUND", key).argument(member.as_ref()).argument(count)
}

/// `LB.AROUND` with the options [`above`](Request::above) and [`below`](Request::below), such as the page behind a
/// member.
pub fn beside(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<Row>> {
    Request::on("LB.AROUND", key).argument(member.as_ref())
}

/// `LB.AMONG`: the ranking among some members, such as friends.
pub fn among<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<AmongRow>> {
    Request::on("LB.AMONG", key).counted("MEMBERS", members)
}

/// `LB.RANK`: a member's rank.
pub fn rank(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<u64>> {
    Request::on("LB.RANK", key).argument(member.as_ref())
}

/// `LB.SCORE`: a member's score.
pub fn score(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Score>> {
    Request::on("LB.SCORE", key).argument(member.as_ref())
}

/// `LB.MSCORE`: the ranks and scores of several members.
pub fn mscore<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<RankScore>>> {
    Request::on("LB.MSCORE", key).counted("MEMBERS", members)
}

/// `LB.STANDING`: everything about the place of a member.
pub fn standing(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Standing>> {
    Request::on("LB.STANDING", key).argument(member.as_ref())
}

/// `LB.MSTANDING`: everything about the places of several members.
pub fn mstanding<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<Standing>>> {
    Request::on("LB.MSTANDING", key).counted("MEMBERS", members)
}

/// `LB.COUNT`: how many members there are.
pub fn count(key: impl AsRef<[u8]>) -> Request<u64> {
    Request::on("LB.COUNT", key)
}

/// `LB.COUNT` of the members with a score in a range, as in [`range_by_score`].
pub fn count_between(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<u64> {
    Request::on("LB.COUNT", key).argument(min).argument(max)
}

/// `LB.STATS`: the sum, the mean and the median of the scores; `None` for an absent key.
pub fn stats(key: impl AsRef<[u8]>) -> Request<Option<Stats>> {
    Request::on("LB.STATS", key)
}

/// `LB.QUANTILE`: the scores at shares of the members from the bottom, such as `0.5`.
pub fn quantile<Q: ToSingleRedisArg>(
    key: impl AsRef<[u8]>,
    shares: impl IntoIterator<Item = Q>,
) -> Request<Vec<Option<Score>>> {
    shares.into_iter().fold(Request::on("LB.QUANTILE", key), Request::argument)
}

/// `LB.HISTOGRAM`: how many members there are in ranges of scores of equal width.
pub fn histogram(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
    buckets: u64,
) -> Request<Vec<Bucket>> {
    Request::on("LB.HISTOGRAM", key).argument(min).argument(max).argument(buckets)
}
