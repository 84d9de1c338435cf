//! Compares small boards with small sorted sets. Both fit into the processor's caches.

use crate::contest::{self, Contestant, Speed, is_text, numbers};
use crate::pipelines::{MEMBER, POINTS};
use crate::server::Server;
use crate::{Options, fill};
use client::Result;

/// The numbers of members, with the contestants' names.
pub const SIZES: [(u64, &str, &str); 4] = [
    (10, "LB.ADD, 10 members", "ZINCRBY, 10 members"),
    (100, "LB.ADD, 100 members", "ZINCRBY, 100 members"),
    (1_000, "LB.ADD, 1,000 members", "ZINCRBY, 1,000 members"),
    (3_000, "LB.ADD, 3,000 members", "ZINCRBY, 3,000 members"),
];

/// Fills a board and a sorted set of each size, and measures additions to random members.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    for (members, ..) in SIZES {
        fill::board(server, &key("board", members), members)?;
        fill::zset(server, 0, &key("zset", members), members)?;
    }
    contest::measure(server, options, SIZES.into_iter().flat_map(contestants).collect())
}

fn contestants((members, add, zincrby): (u64, &'static str, &'static str)) -> [Contestant; 2] {
    let member = &format!("m:{MEMBER}");
    let add =
        Contestant::new(add, &["LB.ADD", &key("board", members), POINTS, member], |reply| numbers(reply, 3));
    let zincrby = Contestant::new(zincrby, &["ZINCRBY", &key("zset", members), POINTS, member], is_text);
    [add, zincrby].map(|one| Contestant { share: 2, members: Some(members), ..one })
}

fn key(kind: &str, members: u64) -> String {
    format!("{kind}:{members}")
}
