//! The last seven days, as a board and as today's script on sorted sets. The script has one set for each day, one for
//! the last seven days, and one for tomorrow's last seven days, so that a RENAME is enough at midnight.

use redis::Cmd;

use crate::Options;
use crate::contest::{self, Contestant, Speed, numbers, rows};
use crate::fill::{self, entries, send};
use crate::pipelines::{MEMBER, POINTS, REQUEST};
use crate::server::{Client, Server};
use client::Result;

/// Additions to the board.
pub const ROLLADD: &str = "LB.ROLLADD, 7 days";
/// Additions to the board with a request id.
pub const ROLLADD_ID: &str = "LB.ROLLADD with ID, 7 days";
/// Additions to the sorted sets, without a request id.
pub const SCRIPTED: &str = "Lua script, 7 days";

const DAYS: u64 = 7;
const DAY_MS: u64 = 86_400_000;
/// The sorted sets: the points of today, of the last seven days, of the day that expires, and of tomorrow's last seven
/// days.
const KEYS: [&str; 4] = ["roll:today", "roll:seven", "roll:expiring", "roll:tomorrow"];

/// The script. Keys: as above. Arguments: points, member.
const SCRIPT: &str = "\
redis.call('ZINCRBY', KEYS[1], ARGV[1], ARGV[2])
local score = redis.call('ZINCRBY', KEYS[2], ARGV[1], ARGV[2])
local expiring = redis.call('ZSCORE', KEYS[3], ARGV[2])
redis.call('ZADD', KEYS[4], score - (expiring or 0), ARGV[2])
return {score, redis.call('ZREVRANK', KEYS[2], ARGV[2])}";

/// Gives every member points on one of the seven days, then adds points to random members.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let mut client = server.client()?;
    let now = milliseconds(&mut client)?;
    for board in ["roll", "roll:ids"] {
        fill_board(server, board, options.members(), now)?;
    }
    for (key, days) in KEYS.into_iter().zip([0..=0, 0..=6, 6..=6, 0..=5]) {
        fill_zset(server, key, options.members(), |day| days.contains(&day))?;
    }
    agree(&mut client, options.members())?;
    let script: String = client.ask(&["SCRIPT", "LOAD", SCRIPT])?;
    contest::measure(server, options, contestants(&script))
}

fn contestants(script: &str) -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    let id = &format!("{REQUEST}:{MEMBER}");
    let [today, seven, expiring, tomorrow] = KEYS;
    let scripted = ["EVALSHA", script, "4", today, seven, expiring, tomorrow, POINTS, member];
    let three = |reply: &_| numbers(reply, 3);
    let scripted = Contestant::new(SCRIPTED, &scripted, |reply| rows(reply, 2));
    vec![
        Contestant::new(ROLLADD, &["LB.ROLLADD", "roll", POINTS, member], three),
        Contestant::new(ROLLADD_ID, &["LB.ROLLADD", "roll:ids", POINTS, member, "ID", id], three),
        Contestant { share: 4, ..scripted },
    ]
}

/// Returns each score and member, with the number of days since the member got its points.
fn history(members: u64) -> impl Iterator<Item = (u64, u64, String)> {
    (0..DAYS).cycle().zip(entries(members)).map(|(day, (score, member))| (day, score, member))
}

fn fill_board(server: &Server, key: &str, members: u64, now: u64) -> Result<f64> {
    let adds = history(members).map(|(day, score, member)| {
        let mut add = Cmd::with_capacity(6, 96);
        add.arg("LB.ROLLADD").arg(key).arg(score).arg(member);
        add.arg("AT").arg(now.saturating_sub(day.saturating_mul(DAY_MS)));
        add
    });
    send(server, 0, &format!("filling {key}"), members, adds)
}

/// Fills a sorted set with the members who got points on the days that `on` selects.
fn fill_zset(server: &Server, key: &str, members: u64, on: impl Fn(u64) -> bool) -> Result<f64> {
    let entries = history(members).filter(|(day, ..)| on(*day)).map(|(_, score, member)| (score, member));
    fill::zset_of(server, 0, key, members, entries)
}

/// Checks that the board and the sorted set give the same scores.
fn agree(client: &mut Client, members: u64) -> Result<()> {
    for number in [0, 1, members / 2, members.saturating_sub(1)] {
        let member = fill::member(number);
        let board: u64 = client.ask(&["LB.SCORE", "roll", &member])?;
        let zset: u64 = client.ask(&["ZSCORE", "roll:seven", &member])?;
        if board != zset {
            return Err(format!("{member} has {board} on the board and {zset} in the sorted set"));
        }
    }
    Ok(())
}

fn milliseconds(client: &mut Client) -> Result<u64> {
    let (seconds, _): (u64, u64) = client.ask(&["TIME"])?;
    Ok(seconds.saturating_mul(1_000))
}
