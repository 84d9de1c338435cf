//! Boards as sorted sets, unions and intersections of two boards, against the same of two sorted sets.

use super::time::Time;
use super::{BOARD, OTHERS, TRIES, ZSET};
use crate::longest;
use crate::server::Client;
use client::Result;

/// What both sides make.
const MADE: &str = "made";
const MADE_OF_ZSETS: &str = "made:zset";
/// The board that was made, as a sorted set.
const EXPORTED: &str = "exported";

/// A command and its counterpart: the time of each, medians.
pub struct Duel {
    pub name: &'static str,
    pub board: Time,
    pub zset: Time,
}

/// Measures the commands by turns. Checks that both sides make the same.
pub fn measure(client: &mut Client) -> Result<Vec<Duel>> {
    let [board, zset] = OTHERS;
    let export = duel(
        client,
        "LB.EXPORT; ZRANGESTORE of all",
        &["LB.EXPORT", MADE, BOARD],
        &["ZRANGESTORE", MADE_OF_ZSETS, ZSET, "0", "-1"],
    )?;
    agree(client, MADE)?;
    let union = duel(
        client,
        "LB.UNION; ZUNIONSTORE",
        &["LB.UNION", MADE, "2", BOARD, board],
        &["ZUNIONSTORE", MADE_OF_ZSETS, "2", ZSET, zset],
    )?;
    agree_exported(client)?;
    let intersection = duel(
        client,
        "LB.INTER; ZINTERSTORE",
        &["LB.INTER", MADE, "2", BOARD, board],
        &["ZINTERSTORE", MADE_OF_ZSETS, "2", ZSET, zset],
    )?;
    agree_exported(client)?;
    Ok(vec![export, union, intersection])
}

fn duel(client: &mut Client, name: &'static str, ours: &[&str], theirs: &[&str]) -> Result<Duel> {
    let (mut board, mut zset) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        board.push(timed(client, ours)?);
        zset.push(timed(client, theirs)?);
    }
    Ok(Duel { name, board: Time::median(&board), zset: Time::median(&zset) })
}

/// The time of a command that stores something. What was there has gone before.
fn timed(client: &mut Client, words: &[&str]) -> Result<Time> {
    let dest = words.get(1).copied().unwrap_or_default();
    client.ask::<()>(&["UNLINK", dest])?;
    longest::settle(client)?;
    Time::of_words(client, words)
}

fn agree_exported(client: &mut Client) -> Result<()> {
    client.ask::<()>(&["LB.EXPORT", EXPORTED, MADE])?;
    agree(client, EXPORTED)
}

/// Checks that a sorted set has the members and scores of the one that was made of sorted sets.
fn agree(client: &mut Client, zset: &str) -> Result<()> {
    let digests: Vec<String> = client.ask(&["DEBUG", "DIGEST-VALUE", zset, MADE_OF_ZSETS])?;
    match &digests[..] {
        [ours, theirs] if ours == theirs => Ok(()),
        _ => Err(format!("{zset} differs from {MADE_OF_ZSETS}")),
    }
}
