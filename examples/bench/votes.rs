//! Votes under three limits, with unique voters, in five views. They are compared with a pipeline of thirteen commands
//! that counts the same: a sorted set for each view, a counter with an expiry for each limit, and two HyperLogLogs,
//! one for the board and one for the option.
//!
//! The pipeline does less, and the comparison ignores this. It decides nothing: a real client would have to check the
//! counters before it votes, in two round trips or in a script. A retry counts twice. Its commands are not one step:
//! commands of other clients run between them, and after a crash only some of them may be done. Its keys contain no
//! minute or day, so it makes no new keys, and no program has to delete old keys. Its HyperLogLogs count over all
//! time; the board also has one for each period of each view.

use redis::Value;

use crate::contest::{self, Contestant, Speed, is_number, is_text, numbers, owned};
use crate::pipelines::{OPTION, REQUEST, VOTER};
use crate::server::Server;
use crate::{Options, ballots};
use client::Result;

/// Votes under limits.
pub const VOTE: &str = "LB.VOTE, 3 limits, voters, 5 views";
/// Votes under limits with a request id.
pub const VOTE_ID: &str = "LB.VOTE with ID, 3 limits, voters, 5 views";
/// Votes without limits and voters.
pub const BARE: &str = "LB.VOTE, 5 views";
/// Votes under a limit that holds back most of them.
pub const FLOODED: &str = "LB.VOTE into a limit";
pub const QUOTA: &str = "LB.QUOTA, 3 limits";
/// The commands of one vote.
pub const PIPELINE: &str = "13 commands (INCR, EXPIRE, ZINCRBY, PFADD)";

/// The views of the boards.
pub const VIEWS: &str = "all,hour,day,week,month";
/// The limits of most boards. Few votes reach them, over all rounds.
const LIMITS: &str =
    "LIMIT perminute voter 20 minute LIMIT devices voter+terminal 100 day LIMIT flood member 1000000 second";
/// The limits of one board. Most votes reach the last of these limits.
const LOW_LIMITS: &str =
    "LIMIT perminute voter 20 minute LIMIT devices voter+terminal 100 day LIMIT flood member 10 second";

/// Lets each voter vote once, then measures votes of random voters.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let mut client = server.client()?;
    for (key, limits) in
        [("votes", LIMITS), ("votes:ids", LIMITS), ("votes:bare", ""), ("votes:low", LOW_LIMITS)]
    {
        let words = format!("LB.CREATE {key} VIEWS {VIEWS} {limits}");
        client.ask::<()>(&words.split_whitespace().collect::<Vec<_>>())?;
    }
    for key in ["votes", "votes:ids", "votes:low"] {
        ballots::fill(server, key, options.members(), |voter| ballots::by(voter).to_vec())?;
    }
    ballots::fill(server, "votes:bare", options.members(), |_| Vec::new())?;
    ballots::fill_keys(server, options.members())?;
    contest::measure(server, options, contestants())
}

fn contestants() -> Vec<Contestant> {
    let one = |name, words: &str, reply| {
        let words = words.split(' ').collect::<Vec<_>>();
        Contestant::of_several(name, vec![owned(&words)], reply)
    };
    let (option, ballot) = (ballots::option(OPTION), ballots::by(VOTER).join(" "));
    let commands = ballots::commands(OPTION, VOTER);
    let pipeline = Contestant::of_several(PIPELINE, commands, |reply| is_number(reply) || is_text(reply));
    vec![
        one(VOTE, &format!("LB.VOTE votes 1 {option} {ballot}"), is_counted),
        one(VOTE_ID, &format!("LB.VOTE votes:ids 1 {option} {ballot} ID {REQUEST}:{VOTER}"), is_counted),
        one(BARE, &format!("LB.VOTE votes:bare 1 {option}"), is_counted),
        one(FLOODED, &format!("LB.VOTE votes:low 1 {option} {ballot}"), is_judged),
        one(QUOTA, &format!("LB.QUOTA votes {ballot} MEMBER {option}"), |reply| contest::rows(reply, 3)),
        Contestant { share: 5, ..pipeline },
    ]
}

/// Checks that a vote was accepted.
fn is_counted(reply: &Value) -> bool {
    let Value::Array(items) = reply else { return false };
    let [Value::Int(1), Value::Array(positions)] = &items[..] else { return false };
    positions.len() == 1 && positions.iter().all(|position| numbers(position, 3))
}

/// Checks that a vote was accepted or held back.
fn is_judged(reply: &Value) -> bool {
    is_counted(reply)
        || matches!(reply, Value::Array(items) if matches!(items[..], [Value::Int(0), _, Value::Int(_)]))
}
