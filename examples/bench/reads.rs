//! Reads of a big board other than rank and top: statistics, friends, ranges, and a board with hidden members. Most of
//! these reads have no counterpart for sorted sets, so they are compared with the commands that clients send today.

use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned, rows};
use crate::pipelines::{MEMBER, POINTS};
use crate::server::{Client, Server};
use crate::{Options, fill};
use client::Result;

/// Statistics of a board.
pub const STATS: &str = "LB.STATS";
/// The median of a board.
pub const QUANTILE: &str = "LB.QUANTILE 0.5";
/// The number of members in each of twenty ranges.
pub const HISTOGRAM: &str = "LB.HISTOGRAM, 20 buckets";
/// The same numbers from a sorted set.
pub const ZCOUNTS: &str = "20 ZCOUNT";
/// The ranking among twenty friends.
pub const AMONG: &str = "LB.AMONG of 20";
/// Scores and ranks of twenty members of a sorted set. The client has to sort them.
pub const ZSCORES: &str = "20 ZSCORE and ZREVRANK";
/// The rank of one member.
pub const RANK: &str = "LB.RANK";
/// The rank of one member on a board with a thousand hidden members.
pub const HIDDEN: &str = "LB.RANK, 1,000 hidden";
/// An addition to a board that keeps a tenth of its members.
pub const KEEP: &str = "LB.ADD with KEEP";
/// An addition to a sorted set, and the removal of the members beyond the limit.
pub const ZKEEP: &str = "ZINCRBY, ZREMRANGEBYRANK";

const HIDDEN_MEMBERS: u64 = 1_000;
const FRIENDS: u64 = 20;

/// Fills boards and a sorted set, and measures the requests per second.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let mut client = server.client()?;
    let kept = (options.members() / 10).max(1);
    client.ask::<()>(&["LB.CREATE", "kept", "KEEP", &kept.to_string()])?;
    for key in ["board", "hidden", "kept"] {
        fill::board(server, key, options.members())?;
    }
    for key in ["zset", "zkept"] {
        fill::zset(server, 0, key, options.members())?;
    }
    hide(&mut client, options.members())?;
    contest::measure(server, options, contestants(options.members(), kept))
}

/// Hides members at regular distances in the order.
fn hide(client: &mut Client, members: u64) -> Result<()> {
    let step = (members / HIDDEN_MEMBERS).max(1);
    let some = (1..members).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let names: Vec<String> = some.take(HIDDEN_MEMBERS as usize).map(fill::member).collect();
    let words: Vec<&str> =
        ["LB.HIDE", "hidden"].into_iter().chain(names.iter().map(String::as_str)).collect();
    client.ask(&words)
}

fn contestants(members: u64, kept: u64) -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    let friends: Vec<String> =
        (0..FRIENDS).map(|number| fill::member(number.saturating_mul(members / FRIENDS))).collect();
    let mut among = owned(&["LB.AMONG", "board", "MEMBERS", "20"]);
    among.extend(friends.iter().cloned());
    let ask = |command: &str, friend: &String| owned(&[command, "zset", friend]);
    let asked = friends.iter().flat_map(|friend| [ask("ZSCORE", friend), ask("ZREVRANK", friend)]).collect();
    let width = fill::SCORES / FRIENDS;
    let count = |number: u64| {
        let from = number.saturating_mul(width);
        let to = from.saturating_add(width);
        owned(&["ZCOUNT", "zset", &from.to_string(), &format!("({to}")])
    };
    let last = format!("-{}", kept.saturating_add(1));
    let keep =
        vec![owned(&["ZINCRBY", "zkept", POINTS, member]), owned(&["ZREMRANGEBYRANK", "zkept", "0", &last])];
    let three = |reply: &_| rows(reply, 3);
    let seldom = |share, contestant| Contestant { share, ..contestant };
    vec![
        Contestant::new(RANK, &["LB.RANK", "board", member], is_number),
        Contestant::new(HIDDEN, &["LB.RANK", "hidden", member], is_number),
        Contestant::new(STATS, &["LB.STATS", "board"], |reply| rows(reply, 12)),
        Contestant::new(QUANTILE, &["LB.QUANTILE", "board", "0.5"], |reply| numbers(reply, 1)),
        seldom(10, Contestant::of_several(HISTOGRAM, vec![histogram()], |reply| rows(reply, 20))),
        seldom(20, Contestant::of_several(ZCOUNTS, (0..FRIENDS).map(count).collect(), is_number)),
        seldom(10, Contestant::of_several(AMONG, vec![among], |reply| rows(reply, 20))),
        seldom(20, Contestant::of_several(ZSCORES, asked, |reply| is_text(reply) || is_number(reply))),
        Contestant::new(KEEP, &["LB.ADD", "kept", POINTS, member], three),
        seldom(2, Contestant::of_several(ZKEEP, keep, |reply| is_text(reply) || is_number(reply))),
    ]
}

fn histogram() -> Vec<String> {
    owned(&["LB.HISTOGRAM", "board", "0", &fill::SCORES.to_string(), "20"])
}
