//! Requests a second, by redis-benchmark: the contestants take turns.

use std::process::Command;

use redis::Value;

use crate::longest;
use crate::server::{Client, Server};
use crate::{Options, Result, failed, fill};

const PIPELINE: &str = "32";
const CLIENTS: &str = "50";
/// redis-benchmark puts twelve random digits here, in each place others, below the number of members.
const RANDOM: &str = "__rand_int__";
/// Warm-up runs are a tenth of a measured one.
const WARM_UP: u64 = 10;

/// What idempotent leaderboards with fair ties do today: the id in a key of its own, the score before the point and
/// behind it the time, running down over the eight years that 28 bits of seconds last, so that earlier ranks higher.
/// Keys: sorted set, id. Arguments: points, member, seconds since the season's start.
const SCRIPT: &str = "\
if not redis.call('SET', KEYS[2], 1, 'NX', 'EX', 600) then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
  return {score and math.floor(score), redis.call('ZREVRANK', KEYS[1], ARGV[2])}
end
local score = math.floor(redis.call('ZSCORE', KEYS[1], ARGV[2]) or 0) + ARGV[1]
redis.call('ZADD', KEYS[1], score + 1 - (ARGV[3] + 1) / 268435456, ARGV[2])
return {score, redis.call('ZREVRANK', KEYS[1], ARGV[2])}";

/// The contestants' names.
pub const ADD: &str = "LB.ADD";
/// With a request id.
pub const ADD_ID: &str = "LB.ADD with ID";
/// A plain addition.
pub const ZINCRBY: &str = "ZINCRBY";
/// Idempotent and fair.
pub const LUA: &str = "Lua script with id";
/// One rank.
pub const RANK: &str = "LB.RANK";
/// One rank of a sorted set.
pub const ZREVRANK: &str = "ZREVRANK";
/// A hundred rows.
pub const TOP: &str = "LB.TOP 100";
/// A hundred rows of a sorted set.
pub const ZREVRANGE: &str = "ZREVRANGE 0 99 WITHSCORES";
/// No work at all: what the server and the load generator can do at the most.
pub const CEILING: &str = "ECHO (no work)";

/// Who takes part: a command, and what its replies must look like.
struct Contestant {
    name: &'static str,
    database: u8,
    words: Vec<String>,
    reply: fn(&Value) -> bool,
    /// Expensive ones are asked for less.
    share: u64,
}

/// What a contestant reached, round by round.
pub struct Runs {
    /// Who.
    pub name: &'static str,
    /// Requests a second.
    pub rates: Vec<f64>,
    /// Microseconds of processor time that the server's main thread spent on a request, all told. What else the
    /// machine does weighs on requests a second; on this, hardly.
    pub cpu: Vec<f64>,
    /// Microseconds inside the command, as INFO commandstats has it: without reading and answering.
    pub micros: Vec<f64>,
    /// The longest single command in milliseconds, if slow enough to be seen.
    pub longest: f64,
}

/// All runs.
pub struct Speed(pub Vec<Runs>);

impl Speed {
    /// How many times more requests one answered than another: the median over the rounds, in each of which both ran.
    pub fn ratio(&self, ours: &str, theirs: &str) -> f64 {
        self.ratio_of(ours, theirs, |runs| &runs.rates)
    }

    /// How many times less processor time one took than another, likewise.
    pub fn cpu_ratio(&self, ours: &str, theirs: &str) -> f64 {
        self.ratio_of(theirs, ours, |runs| &runs.cpu)
    }

    fn ratio_of(&self, above: &str, below: &str, values: fn(&Runs) -> &[f64]) -> f64 {
        let of = |name| self.0.iter().find(|runs| runs.name == name).map_or(&[][..], values);
        let ratios: Vec<f64> = of(above).iter().zip(of(below)).map(|(above, below)| above / below).collect();
        median(&ratios)
    }
}

/// The middle one; between two, the mean of them.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |i: usize| sorted.get(i).copied().unwrap_or(f64::NAN);
    let (lower, upper) = (at(sorted.len().saturating_sub(1) / 2), at(sorted.len() / 2));
    f64::midpoint(lower, upper)
}

/// Runs everybody, in the order of the table and back again by turns, so that no one always follows the same one.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    let mut client = server.client()?;
    let script: String = client.ask(&["SCRIPT", "LOAD", SCRIPT])?;
    let contestants = contestants(&script);
    for contestant in &contestants {
        check_reply(server, contestant)?;
    }
    longest::start(&mut client)?;
    let mut all: Vec<(Contestant, Runs)> = contestants
        .into_iter()
        .map(|one| {
            let runs = empty(one.name);
            (one, runs)
        })
        .collect();
    let turns = options.rounds.saturating_mul(all.len() as u64);
    let progress = fill::bar("taking turns", turns);
    for _ in 0..options.rounds {
        for (contestant, runs) in &mut all {
            run(server, options, &mut client, contestant, runs)?;
            progress.inc(1);
        }
        all.reverse();
    }
    progress.finish_and_clear();
    if !options.rounds.is_multiple_of(2) {
        all.reverse();
    }
    Ok(Speed(all.into_iter().map(|(_, runs)| runs).collect()))
}

fn empty(name: &'static str) -> Runs {
    Runs { name, rates: Vec::new(), cpu: Vec::new(), micros: Vec::new(), longest: 0.0 }
}

fn contestants(script: &str) -> Vec<Contestant> {
    let member = "m:__rand_int__";
    let id = &RANDOM.repeat(3);
    let key = &format!("id:{id}");
    let contestant = |name, database, words: &[&str], reply, share| Contestant {
        name,
        database,
        words: words.iter().map(|&word| word.to_owned()).collect(),
        reply,
        share,
    };
    let script = ["EVALSHA", script, "2", "script", key, RANDOM, member, RANDOM];
    vec![
        contestant(ADD, 0, &["LB.ADD", "board", RANDOM, member], |reply| numbers(reply, 3), 1),
        contestant(
            ADD_ID,
            0,
            &["LB.ADD", "board:ids", RANDOM, member, "ID", id],
            |reply| numbers(reply, 3),
            1,
        ),
        contestant(ZINCRBY, 0, &["ZINCRBY", "zset", RANDOM, member], is_text, 1),
        contestant(LUA, 1, &script, |reply| numbers(reply, 2), 1),
        contestant(RANK, 0, &["LB.RANK", "board", member], is_number, 1),
        contestant(ZREVRANK, 0, &["ZREVRANK", "zset", member], is_number, 1),
        contestant(TOP, 0, &["LB.TOP", "board", "100"], |reply| rows(reply, 100), 20),
        contestant(
            ZREVRANGE,
            0,
            &["ZREVRANGE", "zset", "0", "99", "WITHSCORES"],
            |reply| rows(reply, 200),
            20,
        ),
        contestant(CEILING, 0, &["ECHO", member], is_text, 1),
    ]
}

fn is_number(reply: &Value) -> bool {
    matches!(reply, Value::Int(_))
}

fn is_text(reply: &Value) -> bool {
    matches!(reply, Value::BulkString(_))
}

fn numbers(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count && items.iter().all(is_number))
}

fn rows(reply: &Value, count: usize) -> bool {
    matches!(reply, Value::Array(items) if items.len() == count)
}

/// Speed means nothing where the answer is wrong.
fn check_reply(server: &Server, contestant: &Contestant) -> Result<()> {
    let words: Vec<String> =
        contestant.words.iter().map(|word| word.replace(RANDOM, "000000000007")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let reply: Value = server.client_of(contestant.database)?.ask(&words)?;
    if (contestant.reply)(&reply) { Ok(()) } else { Err(format!("{} answered {reply:?}", contestant.name)) }
}

/// One turn.
fn run(
    server: &Server,
    options: &Options,
    client: &mut Client,
    who: &Contestant,
    runs: &mut Runs,
) -> Result<()> {
    let requests = options.requests.checked_div(who.share).unwrap_or(0);
    redis_benchmark(server, options, who, requests.checked_div(WARM_UP).unwrap_or(0))?;
    client.ask::<()>(&["CONFIG", "RESETSTAT"])?;
    longest::take(client)?;
    let before = client.info("cpu")?.cpu_seconds()?;
    runs.rates.push(redis_benchmark(server, options, who, requests)?);
    runs.cpu.push((client.info("cpu")?.cpu_seconds()? - before) * 1_000_000.0 / requests as f64);
    check_errors(client, who)?;
    runs.micros.push(micros_inside(client, who)?);
    let name = command_name(who);
    let slow = longest::take(client)?;
    let times = slow.iter().filter(|slow| slow.is(name)).map(|slow| slow.millis);
    runs.longest = times.fold(runs.longest, f64::max);
    Ok(())
}

fn command_name(who: &Contestant) -> &str {
    who.words.first().map_or("", String::as_str)
}

fn redis_benchmark(server: &Server, options: &Options, who: &Contestant, requests: u64) -> Result<f64> {
    let output = Command::new(&options.benchmark)
        .args(["-h", "127.0.0.1", "-p", &server.port().to_string(), "-P", PIPELINE, "-c", CLIENTS, "--csv"])
        .args(["-r", &options.members.to_string(), "-n", &requests.max(1).to_string()])
        .args(["--dbnum", &who.database.to_string()])
        .args(&who.words)
        .output()
        .map_err(failed(format_args!("cannot run {}", options.benchmark.display())))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed on {}: {error}", options.benchmark.display(), who.name));
    }
    rate(&output.stdout).map_err(failed(format_args!("cannot read the result of {}", who.name)))
}

/// The last line's second field; newer versions put a line of headings before it.
fn rate(output: &[u8]) -> Result<f64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(output);
    let last = reader.records().last().ok_or("there is none")?.map_err(failed("not CSV"))?;
    last.get(1).ok_or("no rate")?.parse().map_err(failed("the rate is no number"))
}

/// redis-benchmark takes an error for an answer like any other.
fn check_errors(client: &mut Client, who: &Contestant) -> Result<()> {
    if client.info("stats")?.number("total_error_replies")? > 0.0 {
        let kinds = client.info("errorstats")?.0;
        return Err(format!("errors among the answers to {}: {}", who.name, kinds.trim()));
    }
    Ok(())
}

fn micros_inside(client: &mut Client, who: &Contestant) -> Result<f64> {
    let info = client.info("commandstats")?;
    let line = info.text(&format!("cmdstat_{}", command_name(who)))?;
    let field = line.split(',').find_map(|field| field.strip_prefix("usec_per_call="));
    field.ok_or("no usec_per_call")?.parse().map_err(failed("usec_per_call is no number"))
}
