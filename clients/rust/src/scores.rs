//! Requests that write, remove and hide members, and requests for the texts of members.

use redis::ToSingleRedisArg;

use crate::{Applied, Name, Request};

/// `LB.ADD`: adds points to a member.
pub fn add(
    key: impl AsRef<[u8]>,
    points: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.ADD", key).argument(points).argument(member.as_ref())
}

/// `LB.MADD`: adds points to several members as one request.
pub fn madd<P: ToSingleRedisArg, M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    pairs: impl IntoIterator<Item = (P, M)>,
) -> Request<Vec<Applied>> {
    Request::on("LB.MADD", key).pairs(pairs)
}

/// `LB.ROLLADD`: adds points to a member. The reply contains the member's place in a rolling view.
pub fn rolladd(
    key: impl AsRef<[u8]>,
    points: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.ROLLADD", key).argument(points).argument(member.as_ref())
}

/// `LB.SET`: sets the score of a member.
pub fn set(
    key: impl AsRef<[u8]>,
    score: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.SET", key).argument(score).argument(member.as_ref())
}

/// `LB.MSET`: sets the scores of several members as one request.
pub fn mset<S: ToSingleRedisArg, M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    pairs: impl IntoIterator<Item = (S, M)>,
) -> Request<Vec<Applied>> {
    Request::on("LB.MSET", key).pairs(pairs)
}

/// `LB.REM`: removes members and all data about them. The reply is the number of removed members.
pub fn rem<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.REM", key).each(members)
}

/// `LB.REMRANGE`: removes the members between two ranks. The reply is the number of removed members.
pub fn remrange(key: impl AsRef<[u8]>, first: i64, last: i64) -> Request<u64> {
    Request::on("LB.REMRANGE", key).argument(first).argument(last)
}

/// `LB.REMRANGEBYSCORE`: removes the members with a score in a range. The reply is the number of removed members.
pub fn remrangebyscore(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<u64> {
    Request::on("LB.REMRANGEBYSCORE", key).argument(min).argument(max)
}

/// `LB.HIDE`: hides members from all other members. The reply is the number of members that were not hidden before.
pub fn hide<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.HIDE", key).each(members)
}

/// `LB.UNHIDE`: shows hidden members again. The reply is the number of members that were hidden before.
pub fn unhide<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.UNHIDE", key).each(members)
}

/// `LB.HIDDEN`: returns the hidden members, in the order of their names.
pub fn hidden(key: impl AsRef<[u8]>) -> Request<Vec<Name>> {
    Request::on("LB.HIDDEN", key)
}

/// `LB.SETMETA`: stores a text with a member. An empty text deletes the stored text.
pub fn setmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, meta: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.SETMETA", key).argument(member.as_ref()).argument(meta.as_ref())
}

/// `LB.GETMETA`: returns the text of a member.
pub fn getmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Vec<u8>>> {
    Request::on("LB.GETMETA", key).argument(member.as_ref())
}

/// `LB.MGETMETA`: returns the texts of several members.
pub fn mgetmeta<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<Vec<u8>>>> {
    Request::on("LB.MGETMETA", key).counted("MEMBERS", members)
}
