//! Fills a league.

use redis::Cmd;

use crate::fill::{entries, member, send};
use crate::leagues;
use crate::server::Server;
use client::Result;

/// A week in ms. The members of a group join at times scattered over a week.
const WEEK_MS: u64 = 7 * 86_400_000;
/// The league's rules, without its clock.
const RULES: &str = "TIERS bronze,silver,gold PROMOTE 20,20,0 DEMOTE 0,20,20 CYCLE week GROUP 100 REWARD 3";

/// Makes a league with the rules above and further options.
pub fn create(server: &Server, key: &str, more: &str) -> Result<()> {
    let words = format!("LB.LEAGUE.CREATE {key} {RULES} {more}");
    server.client()?.ask(&words.split_whitespace().collect::<Vec<_>>())
}

/// Sets the metas of all members.
pub fn metas(server: &Server, key: &str, members: u64) -> Result<()> {
    let metas = (0..members).map(|number| {
        let mut set = Cmd::with_capacity(4, 128);
        set.arg("LB.LEAGUE.SETMETA")
            .arg(key)
            .arg(member(number))
            .arg(leagues::meta(&format!("{number:012}")));
        set
    });
    send(server, 0, &format!("metas of {key}"), members, metas).map(|_| ())
}

/// Lets all members join and get points, in the order of their seats: at the present time, or at scattered times of a
/// week.
pub fn scores(server: &Server, key: &str, members: u64, week: Option<u64>) -> Result<()> {
    let adds = (0..).zip(entries(members)).map(|(seat, (score, member))| {
        let mut add = Cmd::with_capacity(6, 128);
        add.arg("LB.LEAGUE.ADD").arg(key).arg(score).arg(member);
        if let Some(start) = week {
            add.arg("AT").arg(start.saturating_add(leagues::player(seat, WEEK_MS)));
        }
        add
    });
    send(server, 0, &format!("playing {key}"), members, adds).map(|_| ())
}
