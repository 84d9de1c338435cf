//! Compares small boards with small sorted sets. Both fit into the processor's caches.

use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers};
use crate::lists::{of_hundred, with_pairs};
use crate::pipelines::{MEMBER, POINTS};
use crate::server::Server;
use crate::speed::{load_both, score_and_rank};
use crate::{Options, fill};
use client::Result;

/// A number of members, with the names of its contestants.
pub struct Size {
    members: u64,
    pub add: &'static str,
    pub zincrby: &'static str,
    pub both: &'static str,
    pub script: &'static str,
    pub madd: &'static str,
    pub zadd: &'static str,
}

macro_rules! size {
    ($members:literal, $text:literal) => {
        Size {
            members: $members,
            add: concat!("LB.ADD, ", $text, " members"),
            zincrby: concat!("ZINCRBY, ", $text, " members"),
            both: concat!("ZINCRBY and ZREVRANK, ", $text, " members"),
            script: concat!("Lua script of both, ", $text, " members"),
            madd: concat!("LB.MADD of 100 QUIET, ", $text, " members"),
            zadd: concat!("ZADD of 100, ", $text, " members"),
        }
    };
}

/// The numbers of members.
pub const SIZES: [Size; 4] =
    [size!(10, "10"), size!(100, "100"), size!(1_000, "1,000"), size!(3_000, "3,000")];

/// Fills a board and a sorted set of each size, and measures additions to random members.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let script = load_both(server)?;
    for Size { members, .. } in SIZES {
        fill::board(server, &key("board", members), members)?;
        fill::zset(server, 0, &key("zset", members), members)?;
    }
    let contestants = SIZES.into_iter().flat_map(|size| contestants(size, &script)).collect();
    contest::measure(server, options, contestants)
}

fn contestants(size: Size, script: &str) -> Vec<Contestant> {
    let Size { members, add, zincrby, both, script: lua, madd, zadd } = size;
    let (board, zset, member) = (&key("board", members), &key("zset", members), &format!("m:{MEMBER}"));
    let ours = Contestant::new(add, &["LB.ADD", board, POINTS, member], |reply| numbers(reply, 3));
    let theirs = Contestant::new(zincrby, &["ZINCRBY", zset, POINTS, member], is_text);
    let [both, lua] = score_and_rank([both, lua], zset, script);
    let single = [ours, theirs, both, lua].map(|one| Contestant { share: 2, ..one });
    let lists = [
        of_hundred(madd, vec![with_pairs(&["LB.MADD", board, "QUIET"])], is_number),
        of_hundred(zadd, vec![with_pairs(&["ZADD", zset])], is_number),
    ];
    // On smaller boards, most members would be in a list more than once.
    let lists = lists.into_iter().filter(|_| members >= 1_000);
    single.into_iter().chain(lists).map(|one| Contestant { members: Some(members), ..one }).collect()
}

fn key(kind: &str, members: u64) -> String {
    format!("{kind}:{members}")
}
