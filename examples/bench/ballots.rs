//! The votes of the benchmark. They are the same in each run: each voter votes once, for a random option. This file
//! also measures the memory of an active voter.

use redis::Cmd;

use crate::fill::{self, Random, scattered};
use crate::pipelines::OPTIONS;
use crate::server::{Client, Server};
use crate::votes::VIEWS;
use crate::{memory, week};
use client::Result;

/// A board with limits and voters. All votes have the same millisecond, 30.5 minutes before midnight.
pub const BOARD: &str = "ballots";
/// A board that counts voters and has no limits, and a board without limits and voters.
const VOTERS: &str = "ballots:voters";
const VOTES: &str = "ballots:votes";
const LIMITS: &str =
    "LIMIT perminute voter 5 minute LIMIT devices voter+terminal 5 day LIMIT flood member 1000000 second";

/// The memory of voters, measured with used_memory.
pub struct Ballots {
    /// The number of voters.
    pub voters: u64,
    /// Bytes of the whole board per voter.
    pub board: f64,
    /// Bytes of the limits per voter.
    pub limits: f64,
    /// Bytes of the sketches of all voters together.
    pub sketches: f64,
    /// Bytes of the pipeline's keys per voter.
    pub keys: f64,
    /// The number of voters that the board estimates.
    pub counted: u64,
}

/// Returns the moment of all votes, in ms.
pub fn moment() -> u64 {
    midnight().saturating_sub(30 * 60_000 + 30_000)
}

/// Returns the end of the day of the votes, in ms.
pub fn midnight() -> u64 {
    week::day(week::DAYS)
}

pub fn option(number: &str) -> String {
    format!("o:{number}")
}

/// Returns the options of a vote: the voter, and the terminal as a tag.
pub fn by(number: &str) -> [String; 5] {
    ["BY".into(), format!("v:{number}"), "TAG".into(), "terminal".into(), format!("t:{number}")]
}

/// Returns the commands of a vote on sorted sets, counters and HyperLogLogs. They are sent as a pipeline.
pub fn commands(option: &str, voter: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for (key, seconds) in [
        (format!("perminute:v:{voter}"), "60"),
        (format!("devices:v:{voter}:t:{voter}"), "86400"),
        (format!("flood:o:{option}"), "1"),
    ] {
        commands.push(vec!["INCR".into(), key.clone()]);
        commands.push(vec!["EXPIRE".into(), key, seconds.into()]);
    }
    let (option, voter) = (self::option(option), format!("v:{voter}"));
    let ranked = VIEWS.split(',').map(|view| format!("ranked:{view}"));
    commands.extend(ranked.map(|key| vec!["ZINCRBY".into(), key, "1".into(), option.clone()]));
    let voters = ["voters".to_owned(), format!("voters:{option}")];
    commands.extend(voters.map(|key| vec!["PFADD".into(), key, voter.clone()]));
    commands
}

/// Fills the boards of this file and measures the memory of voters. The board with limits remains.
pub fn memory(server: &Server, voters: u64) -> Result<Ballots> {
    let mut client = server.client()?;
    let at = moment().to_string();
    let mut grown = |key: &str, limits: &str, ballot: fn(&str) -> Vec<String>| {
        let create = format!("LB.CREATE {key} VIEWS {VIEWS} CLOCK EVENT {limits}");
        client.ask::<()>(&create.split_whitespace().collect::<Vec<_>>())?;
        let more = |voter: &str| [ballot(voter), vec!["AT".into(), at.clone()]].concat();
        let filled = memory::grown(&mut client, &[key], voters, || fill(server, key, voters, more));
        filled.map(|(bytes, ())| bytes.used)
    };
    let votes = grown(VOTES, "", |_| Vec::new())?;
    let sketched = grown(VOTERS, "", |voter| by(voter).to_vec())?;
    let board = grown(BOARD, LIMITS, |voter| by(voter).to_vec())?;
    let (keys, ()) = memory::grown(&mut client, &[], voters, || fill_keys(server, voters))?;
    let counted = client.lb(&leaderboard_client::voters(BOARD))?;
    remove_others(&mut client)?;
    let (limits, sketches) = (board - sketched, (sketched - votes) * voters as f64);
    Ok(Ballots { voters, board, limits, sketches, keys: keys.used, counted })
}

/// Removes all keys except the board with limits.
fn remove_others(client: &mut Client) -> Result<()> {
    client.ask::<()>(&["COPY", BOARD, BOARD, "DB", "1"])?;
    client.ask::<()>(&["FLUSHDB", "SYNC"])?;
    client.ask::<()>(&["SWAPDB", "0", "1"])
}

/// Sends one vote for each voter.
pub fn fill(server: &Server, key: &str, voters: u64, more: impl Fn(&str) -> Vec<String>) -> Result<()> {
    let votes = votes(voters).map(|(voter, chosen)| {
        let mut vote = Cmd::with_capacity(12, 160);
        vote.arg("LB.VOTE").arg(key).arg(1).arg(option(&chosen)).arg(more(&voter));
        vote
    });
    fill::send(server, 0, &format!("voting on {key}"), voters, votes).map(|_| ())
}

/// Writes the keys that the pipelines of the same votes leave. Each key of an option is written only once.
pub fn fill_keys(server: &Server, voters: u64) -> Result<()> {
    let mut options = std::collections::HashSet::new();
    let commands = votes(voters).flat_map(move |(voter, chosen)| {
        let mut commands = commands(&chosen, &voter);
        if !options.insert(chosen.clone()) {
            commands.retain(|words| words.iter().any(|word| word.contains(&voter)));
        }
        commands.into_iter().map(|words| {
            let mut command = Cmd::with_capacity(3, 96);
            command.arg(words);
            command
        })
    });
    fill::send(server, 0, "voting on keys", voters.saturating_mul(6), commands).map(|_| ())
}

/// Returns the number of each voter and the number of the option that gets the vote.
fn votes(voters: u64) -> impl Iterator<Item = (String, String)> {
    let mut random = Random::new();
    scattered(voters).map(move |voter| (digits(voter), digits(random.draw() % OPTIONS)))
}

/// Writes a number with twelve digits, the same length as the placeholders in the pipelines.
pub fn digits(number: u64) -> String {
    format!("{number:012}")
}
