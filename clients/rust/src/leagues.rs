//! Leagues: groups of limited size, in tiers, and who moves between these.

use redis::ToSingleRedisArg;

use crate::{Applied, Info, Joined, LeagueStanding, Request, Row};

/// `LB.LEAGUE.CREATE`: makes a league. It needs [`tiers`](Request::tiers), [`promote`](Request::promote),
/// [`demote`](Request::demote) and [`cycle`](Request::cycle).
pub fn create(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.LEAGUE.CREATE", key)
}

/// `LB.LEAGUE.ALTER`: changes what may change of a league's rules.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.LEAGUE.ALTER", key)
}

/// `LB.LEAGUE.INFO`: a league's rules and size; `None` for an absent key.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.LEAGUE.INFO", key)
}

/// `LB.LEAGUE.JOIN`: lets a member join the current period. The reply says how the member's last period ended.
pub fn join(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Joined> {
    Request::on("LB.LEAGUE.JOIN", key).argument(member.as_ref())
}

/// `LB.LEAGUE.ADD`: adds points to a member's score. The rank is that in its group.
pub fn add(
    key: impl AsRef<[u8]>,
    points: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.LEAGUE.ADD", key).argument(points).argument(member.as_ref())
}

/// `LB.LEAGUE.TOP`: a member's group, best first.
pub fn top(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<Row>> {
    Request::on("LB.LEAGUE.TOP", key).argument(member.as_ref())
}

/// `LB.LEAGUE.GROUP`: a group by its tier and its number from 1, best first.
pub fn group(key: impl AsRef<[u8]>, tier: &str, number: u64) -> Request<Vec<Row>> {
    Request::on("LB.LEAGUE.GROUP", key).argument(tier).argument(number)
}

/// `LB.LEAGUE.STANDING`: the place of a member, and where the member moves from this place; `None` if the member is
/// not in the period.
pub fn standing(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<LeagueStanding>> {
    Request::on("LB.LEAGUE.STANDING", key).argument(member.as_ref())
}

/// `LB.LEAGUE.TIER`: the tier that a member joins next.
pub fn tier(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, tier: &str) -> Request<()> {
    Request::on("LB.LEAGUE.TIER", key).argument(member.as_ref()).argument(tier)
}

/// `LB.LEAGUE.SETMETA`: keeps a text beside a member. An empty one deletes it.
pub fn setmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, meta: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.LEAGUE.SETMETA", key).argument(member.as_ref()).argument(meta.as_ref())
}

/// `LB.LEAGUE.REM`: removes members from the current period and from the tiers. The reply is their number.
pub fn rem<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.LEAGUE.REM", key).each(members)
}
