//! Requests for leagues. A league has groups of limited size in tiers; at the end of a period, members move between
//! the tiers.

use redis::ToSingleRedisArg;

use crate::{Applied, Claim, Created, GroupWinnersPage, Info, Joined, LeagueStanding, Request, Row, ZoneRow};

/// `LB.LEAGUE.CREATE`: makes a league. It needs [`tiers`](Request::tiers), [`promote`](Request::promote),
/// [`demote`](Request::demote) and [`cycle`](Request::cycle).
pub fn create(key: impl AsRef<[u8]>) -> Request<Created> {
    Request::on("LB.LEAGUE.CREATE", key)
}

/// `LB.LEAGUE.ALTER`: changes the rules of a league that can be changed later.
pub fn alter(key: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.LEAGUE.ALTER", key)
}

/// `LB.LEAGUE.INFO`: returns the rules and the size of a league; `None` if the key is absent.
pub fn info(key: impl AsRef<[u8]>) -> Request<Option<Info>> {
    Request::on("LB.LEAGUE.INFO", key)
}

/// `LB.LEAGUE.JOIN`: adds a member to the current period. The reply contains the outcome of the member's last period.
pub fn join(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Joined> {
    Request::on("LB.LEAGUE.JOIN", key).argument(member.as_ref())
}

/// `LB.LEAGUE.ADD`: adds points to a member's score. The rank in the reply is the rank in the member's group.
pub fn add(
    key: impl AsRef<[u8]>,
    points: impl ToSingleRedisArg,
    member: impl AsRef<[u8]>,
) -> Request<Applied> {
    Request::on("LB.LEAGUE.ADD", key).argument(points).argument(member.as_ref())
}

/// `LB.LEAGUE.TOP`: returns the ranking of a member's group, best first.
pub fn top(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Vec<Row>> {
    Request::on("LB.LEAGUE.TOP", key).argument(member.as_ref())
}

/// `LB.LEAGUE.GROUP`: returns the ranking of a group, best first. The group is given by its tier and its number in the
/// tier, from 1.
pub fn group(key: impl AsRef<[u8]>, tier: &str, number: u64) -> Request<Vec<Row>> {
    Request::on("LB.LEAGUE.GROUP", key).argument(tier).argument(number)
}

/// `LB.LEAGUE.STANDING`: returns the place of a member, and the tier movement that this place gives; `None` if the
/// member is not in the period.
pub fn standing(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<LeagueStanding>> {
    Request::on("LB.LEAGUE.STANDING", key).argument(member.as_ref())
}

/// `LB.LEAGUE.TIER`: sets the tier that a member joins next.
pub fn tier(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, tier: &str) -> Request<()> {
    Request::on("LB.LEAGUE.TIER", key).argument(member.as_ref()).argument(tier)
}

/// `LB.LEAGUE.SETMETA`: stores a text with a member. An empty text deletes the stored text.
pub fn setmeta(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>, meta: impl AsRef<[u8]>) -> Request<()> {
    Request::on("LB.LEAGUE.SETMETA", key).argument(member.as_ref()).argument(meta.as_ref())
}

/// `LB.LEAGUE.REM`: removes members from the current period and from the tiers. The reply is the number of removed
/// members.
pub fn rem<M: AsRef<[u8]>>(key: impl AsRef<[u8]>, members: impl IntoIterator<Item = M>) -> Request<u64> {
    Request::on("LB.LEAGUE.REM", key).each(members)
}

/// `LB.LEAGUE.PRIZES`: returns a page of the winners of the last period that ended, or of the period that is given. The first
/// cursor is 0.
pub fn prizes(key: impl AsRef<[u8]>, cursor: u64) -> Request<GroupWinnersPage> {
    Request::on("LB.LEAGUE.PRIZES", key).argument(cursor)
}

/// `LB.LEAGUE.CLAIM`: claims the prize of a member, once. The reply is `None` if the member has no prize in the period, or if
/// the period is running.
pub fn claim(key: impl AsRef<[u8]>, member: impl AsRef<[u8]>) -> Request<Option<Claim>> {
    Request::on("LB.LEAGUE.CLAIM", key).argument(member.as_ref())
}

/// An option of the rankings of groups.
impl Request<Vec<Row>> {
    /// `WITHZONE`: each row has the tier movement that its place gives. Only requests about groups of leagues have this option.
    pub fn with_zone(self) -> Request<Vec<ZoneRow>> {
        self.flag("WITHZONE").replies()
    }
}
