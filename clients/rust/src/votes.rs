//! Requests of competitions and campaigns: entrants, votes, options and voters.

use redis::ToSingleRedisArg;

use crate::{OptionsPage, Quota, Request, VoteOutcome};

/// `LB.VOTE`: counts votes for a member, if all rules of the board allow it.
pub fn vote(
    key: impl AsRef<[u8]>,
    votes: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<VoteOutcome> {
    Request::on("LB.VOTE", key).argument(votes).argument(member.as_ref())
}

/// `LB.MVOTE`: counts votes for several members as one request: either all these votes count, or none of them.
pub fn mvote<V: ToSingleRedisArg, M: AsRef<[u8]>>(
    key: impl AsRef<[u8]>,
    pairs: impl IntoIterator<Item = (V, M)>,
) -> Request<VoteOutcome> {
    Request::on("LB.MVOTE", key).pairs(pairs)
}

/// `LB.QUOTA`: returns how much a voter, or a member, has used of each rule that applies.
pub fn quota(key: impl AsRef<[u8]>) -> Request<Vec<Quota>> {
    Request::on("LB.QUOTA", key)
}

/// `LB.JOIN`: lets a member take part in a board with `DECLARED`. The reply is false if it was in already.
pub fn join(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<bool> {
    Request::on("LB.JOIN", key).argument(member.as_ref())
}

/// `LB.LEAVE`: ends what [`join()`] or [`option()`] began. The reply is false if the member was not in.
pub fn leave(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<bool> {
    Request::on("LB.LEAVE", key).argument(member.as_ref())
}

/// `LB.OPTION`: declares an option that can get votes.
pub fn option(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.OPTION", key).argument(member.as_ref())
}

/// `LB.OPTIONS`: returns a page of the declared options. The first cursor is 0.
pub fn options(key: impl AsRef<[u8]>, cursor: u64) -> Request<OptionsPage> {
    Request::on("LB.OPTIONS", key).argument(cursor)
}

/// `LB.VOTERS`: returns the number of different voters.
pub fn voters(key: impl AsRef<[u8]>) -> Request<u64> {
    Request::on("LB.VOTERS", key)
}
