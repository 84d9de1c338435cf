//! Competitions: writes to boards with a rule of attempts or a prize table, claims of prizes, and pages of winners. On the
//! other side stands what programs do today to pay a winner once: its rank in a sorted set, and a note in a hash.

use crate::contest::{self, Contestant, Speed, is_number, numbers, owned};
use crate::pipelines::{MEMBER, POINTS};
use crate::server::Server;
use crate::{Options, fill};
use client::Result;
use redis::Value;

/// Additions to a board with a rule of attempts.
pub const ATTEMPTS: &str = "LB.ADD, ATTEMPTS";
/// Additions to a board with a table of 100 places.
pub const TABLE: &str = "LB.ADD, PRIZES of 100 places";
/// Additions to a board without rules.
pub const PLAIN: &str = "LB.ADD, no rule";
/// Additions to the same board without a table.
pub const TWO: &str = "LB.ADD, no table";
/// Claims of one prize each, in a period in which every member wins.
pub const CLAIM: &str = "LB.CLAIM";
/// The commands of such a payment today.
pub const NOTE: &str = "2 commands (ZREVRANK, HSETNX)";
/// A hundred winners of a period in which nobody has claimed.
pub const OPEN: &str = "LB.PRIZES COUNT 100, before a claim";
/// A hundred winners of a period with claims.
pub const FIXED: &str = "LB.PRIZES COUNT 100";

/// Fills boards and a sorted set, ends a period, and measures writes, claims and reads.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let members = options.members();
    let mut client = server.client()?;
    let places: Vec<_> = (1..=100).map(|place| format!("{place}=prize{place}")).collect();
    let table = places.join(",");
    client.ask::<()>(&["LB.CREATE", "attempts", "ATTEMPTS", "1000000000", "all"])?;
    client.ask::<()>(&["LB.CREATE", "table", "VIEWS", "all,year", "PRIZES", "year", &table])?;
    client.ask::<()>(&["LB.CREATE", "two", "VIEWS", "all,year"])?;
    for key in ["attempts", "table", "two", "plain"] {
        fill::board(server, key, members)?;
    }
    for (key, table) in [("open", table.as_str()), ("paid", "1-100%=prize")] {
        client.ask::<()>(&["LB.CREATE", key, "VIEWS", "day", "CLOCK", "EVENT", "PRIZES", "day", table])?;
        fill::board_at(server, key, members, 1)?;
        client.ask::<()>(&["LB.ALTER", key, "NOW", "86400000"])?;
    }
    fill::zset(server, 0, "zset", members)?;
    contest::measure(server, options, contestants())
}

/// Returns whether a reply is a page of a hundred winners.
fn is_page(reply: &Value) -> bool {
    matches!(reply, Value::Array(page) if matches!(page.last(), Some(Value::Array(rows)) if rows.len() == 100))
}

fn contestants() -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    let three = |reply: &_| numbers(reply, 3);
    let claimed = |reply: &_| matches!(reply, Value::Array(claim) if claim.len() == 3);
    let note = [owned(&["ZREVRANK", "zset", member]), owned(&["HSETNX", "paid:today", member, "1"])];
    let page = |name, key| Contestant {
        share: 10,
        ..Contestant::new(name, &["LB.PRIZES", key, "0", "COUNT", "100"], is_page)
    };
    vec![
        Contestant::new(ATTEMPTS, &["LB.ADD", "attempts", POINTS, member], three),
        Contestant::new(PLAIN, &["LB.ADD", "plain", POINTS, member], three),
        Contestant::new(TABLE, &["LB.ADD", "table", POINTS, member], three),
        Contestant::new(TWO, &["LB.ADD", "two", POINTS, member], three),
        Contestant::new(CLAIM, &["LB.CLAIM", "paid", member], claimed),
        Contestant { share: 2, ..Contestant::of_several(NOTE, note.to_vec(), is_number) },
        page(OPEN, "open"),
        page(FIXED, "paid"),
    ]
}
