//! Imports of a sorted set: in one command, which blocks the server, and in steps, between which the server serves
//! other clients.

use leaderboard_client::{count, import_step};

use super::time::Time;
use super::{TRIES, ZSET};
use crate::longest;
use crate::server::Client;
use client::Result;

/// The views of the filled boards: the default view, several calendar views, and a rolling view.
const VIEWS: [&str; 3] = ["all", "all,day,week,month", "day:7"];
const IMPORTED: &str = "imported";

/// The times of the commands that fill a board with these views.
pub struct Import {
    pub views: &'static str,
    /// The time of one command for all members, median.
    pub whole: Time,
    /// The number of steps of 10,000 members.
    pub steps: usize,
    /// The time of the longest step, the smallest value of the tries.
    pub longest: Time,
    /// The time of all steps together, median.
    pub total: Time,
}

pub fn measure(client: &mut Client, members: u64) -> Result<Vec<Import>> {
    VIEWS.into_iter().map(|views| import(client, views, members)).collect()
}

fn import(client: &mut Client, views: &'static str, members: u64) -> Result<Import> {
    let (mut whole, mut steps) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        make(client, views)?;
        whole.push(at_once(client, IMPORTED, ZSET, members)?);
        make(client, views)?;
        steps.push(in_steps(client, members)?);
    }
    client.ask::<()>(&["UNLINK", IMPORTED])?;
    longest::settle(client)?;
    let of = |value: fn(&[Time]) -> Time| steps.iter().map(|times| value(times)).collect::<Vec<_>>();
    Ok(Import {
        views,
        whole: Time::median(&whole),
        steps: steps.first().map_or(0, Vec::len),
        longest: Time::least(&of(Time::longest)),
        total: Time::median(&of(Time::sum)),
    })
}

/// Makes an empty board.
fn make(client: &mut Client, views: &str) -> Result<()> {
    client.ask::<()>(&["UNLINK", IMPORTED])?;
    longest::settle(client)?;
    client.ask(&["LB.CREATE", IMPORTED, "VIEWS", views])
}

/// Returns the time of an import in one command.
pub fn at_once(client: &mut Client, board: &str, zset: &str, members: u64) -> Result<Time> {
    let time = Time::of_words(client, &["LB.IMPORT", board, zset])?;
    complete(client, board, members)?;
    Ok(time)
}

/// Returns the time of each step.
fn in_steps(client: &mut Client, members: u64) -> Result<Vec<Time>> {
    let (mut cursor, mut times) = ("0".to_owned(), Vec::new());
    while times.is_empty() || cursor != "0" {
        times.push(Time::of(client, "LB.IMPORT", |client| {
            cursor = client.lb(&import_step(IMPORTED, ZSET, &cursor).nx())?.cursor;
            Ok(())
        })?);
    }
    complete(client, IMPORTED, members)?;
    Ok(times)
}

/// Checks that all members are on the board.
fn complete(client: &mut Client, board: &str, members: u64) -> Result<()> {
    let imported = client.lb(&count(board))?;
    if imported == members {
        return Ok(());
    }
    Err(format!("{imported} of {members} members were imported into {board}"))
}
