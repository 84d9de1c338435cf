//! Writing, removing and hiding members, and the texts beside them.

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

/// `LB.ROLLADD`: adds points to a member. The reply is the member's place in a rolling view.
pub fn rolladd(
    key: impl AsRef<[u8]>,
    points: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.ROLLADD", key).argument(points).argument(member.as_ref())
}

/// `LB.SET`: gives a member this score.
pub fn set(
    key: impl AsRef<[u8]>,
    score: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.SET", key).argument(score).argument(member.as_ref())
}

/// `LB.MSET`: gives several members these scores as one request.
pub fn mset<S: ToSingleRedisArg, M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    pairs: impl IntoIterator<Item = (S, M)>,
) -> Request<Vec<Applied>> {
    Request::on("LB.MSET", key).pairs(pairs)
}

/// `LB.REM`: removes members with all that is kept of them. The reply is their number.
pub fn rem<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.REM", key).each(members)
}

/// `LB.REMRANGE`: removes the members from one rank to another. The reply is their number.
pub fn remrange(key: impl AsRef<[u8]>, first: i64, last: i64) -> Request<u64> {
    Request::on("LB.REMRANGE", key).argument(first).argument(last)
}

/// `LB.REMRANGEBYSCORE`: removes the members with a score in a range. The reply is their number.
pub fn remrangebyscore(
    key: impl AsRef<[u8]>,
    min: impl ToSingleRedisArg,
    max: impl ToSingleRedisArg,
) -> Request<u64> {
    Request::on("LB.REMRANGEBYSCORE", key).argument(min).argument(max)
}

/// `LB.HIDE`: hides members from all others. The reply is how many were not hidden before.
pub fn hide<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.HIDE", key).each(members)
}

/// `LB.UNHIDE`: shows hidden members again. The reply is how many were hidden before.
pub fn unhide<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.UNHIDE", key).each(members)
}

/// `LB.HIDDEN`: the hidden members, by name.
pub fn hidden(key: impl AsRef<[u8]>) -> Request<Vec<Name>> {
    Request::on("LB.HIDDEN", key)
}

/// `LB.SETMETA`: keeps a text beside a member. An empty one deletes it.
pub fn setmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, meta: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.SETMETA", key).argument(member.as_ref()).argument(meta.as_ref())
}

/// `LB.GETMETA`: the text beside a member.
pub fn getmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Vec<u8>>> {
    Request::on("LB.GETMETA", key).argument(member.as_ref())
}

/// `LB.MGETMETA`: the texts beside several members.
pub fn mgetmeta<M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    members: impl IntoIterator<Item = M>,
) -> Request<Vec<Option<Vec<u8>>>> {
    Request::on("LB.MGETMETA", key).counted("MEMBERS", members)
}
