//! Measures moves between sorted sets and boards, and unions and intersections of two boards or two sorted sets.

mod combine;
mod import;
pub mod report;
mod time;

use crate::fill;
use crate::longest;
use crate::memory::{self, Pair};
use crate::server::Server;
use client::Result;
use combine::Duel;
use import::Import;

/// A board, and the sorted set from which it is imported.
const BOARD: &str = "board";
const ZSET: &str = "zset";
/// A second board and a second sorted set. Half of their members are also in the first pair.
const OTHERS: [&str; 2] = ["board:2", "zset:2"];
/// How many times each command is measured.
const TRIES: usize = 3;

/// The results of this part.
pub struct Moving {
    /// The memory of the board and of its sorted set.
    pub memory: Pair,
    pub imports: Vec<Import>,
    pub duels: Vec<Duel>,
}

/// Measures all moves. The server is empty at the start.
pub fn measure(server: &Server, members: u64) -> Result<Moving> {
    let mut client = server.client()?;
    longest::start(&mut client)?;
    let (zset, _) = memory::grown(&mut client, &[ZSET], members, || fill::zset(server, 0, ZSET, members))?;
    let imports = import::measure(&mut client, members)?;
    let (board, ()) = memory::grown(&mut client, &[BOARD], members, || {
        import::at_once(&mut server.client()?, BOARD, ZSET, members).map(|_| ())
    })?;
    let [other, source] = OTHERS;
    let half = |(score, number): (u64, u64)| (score, fill::member(number.saturating_add(members / 2)));
    fill::zset_of(server, 0, source, members, fill::numbered(members).map(half))?;
    import::at_once(&mut client, other, source, members)?;
    Ok(Moving { memory: Pair { members, board, zset }, imports, duels: combine::measure(&mut client)? })
}
