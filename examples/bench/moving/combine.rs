//! Compares commands on two boards with commands on two sorted sets: exports, unions and intersections.

use super::time::Time;
use super::{BOARD, OTHERS, TRIES, ZSET};
use crate::longest;
use crate::server::Client;
use client::Result;

/// The keys that the commands of both sides make.
const MADE: &str = "made";
const MADE_OF_ZSETS: &str = "made:zset";
/// The made board, exported as a sorted set.
const EXPORTED: &str = "exported";

/// A command and its counterpart, with the median time of each.
pub struct Duel {
    pub name: &'static str,
    pub board: Time,
    pub zset: Time,
}

/// Measures the commands in turns. Checks that both sides make the same members and scores.
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

/// Returns the time of a command that stores a key. Deletes the old key before.
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

/// Checks that a sorted set has the same members and scores as the sorted set that was made of sorted sets.
fn agree(client: &mut Client, zset: &str) -> Result<()> {
    let digests: Vec<String> = client.ask(&["DEBUG", "DIGEST-VALUE", zset, MADE_OF_ZSETS])?;
    match &digests[..] {
        [ours, theirs] if ours == theirs => Ok(()),
        _ => Err(format!("{zset} differs from {MADE_OF_ZSETS}")),
    }
}
