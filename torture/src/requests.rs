//! Writes with request ids: of boards, votes, leagues, counters and prizes. What they add up to does not depend on the order in which
//! the requests of several clients arrive: one client alone writes to a board whose periods end.

use std::collections::BTreeMap;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{play, words};
use leaderboard_testkit::{Words, pipeline, query};
use redis::{Connection, Value};

/// Members of each board.
const MEMBERS: u64 = 20;
const COUNTERS: u64 = 3;
/// Members who won a prize that can be claimed.
const WINNERS: u64 = 1_000;
const DAY: u64 = 86_400_000;
/// 2030-01-01. Clocks of events begin here.
const BEGIN: u64 = 1_893_456_000_000;
/// Days of a client's own board that are compared.
const LAST_DAYS: u64 = 10;

/// The name of the sums of all times of the board with a rolling view.
const ROLLING_EVER: &str = "rolling@ever";

/// Sums by name: of a member in a board, of a counter, or of a prize, which is 1 if it is claimed.
pub type Sums = BTreeMap<String, i64>;

/// A write with an id.
#[derive(Clone)]
pub struct Request {
    /// The command.
    pub words: Words,
    adds: Vec<(String, i64)>,
}

impl Request {
    fn new(line: &str, adds: Vec<(String, i64)>) -> Self {
        Self { words: words(line), adds }
    }

    /// Adds what the request adds.
    pub fn add_to(&self, sums: &mut Sums) {
        for (name, amount) in &self.adds {
            let sum = sums.entry(name.clone()).or_default();
            *sum = if self.is_claim() { 1 } else { *sum + amount };
        }
    }

    /// Whether the request claims a prize. Of all claims of a prize, only the first one gets it.
    pub fn is_claim(&self) -> bool {
        self.words[0] == b"LB.CLAIM"
    }

    /// Whose prize the request claims.
    pub fn winner(&self) -> &str {
        &self.adds[0].0
    }

    /// The command as text.
    pub fn shown(&self) -> String {
        self.words.join(&b" "[..]).escape_ascii().to_string()
    }
}

/// Returns the last number of a reply: whether the request was applied, or the prize claimed. Replies of counters do not tell it.
pub fn flag(reply: &Value) -> Option<i64> {
    let Value::Array(values) = reply else { return None };
    match values.last()? {
        Value::Int(flag) => Some(*flag),
        inner => flag(inner),
    }
}

/// Makes everything that `clients` clients write to.
pub fn make(con: &mut Connection, clients: u64) {
    play(
        con,
        "LB.CREATE sums VIEWS all,hour:3,week CARRY week=0.5 DEDUP 3600
         LB.CREATE rolling VIEWS day:7,all DEDUP 3600
         LB.CREATE votes VIEWS all,hour,day SHOWN DEDUP 3600 LIMIT each voter 1000000000 all
         LB.LEAGUE.CREATE league TIERS only PROMOTE 0 DEMOTE 0 CYCLE year CLOCK EVENT DEDUP 315360000
         LB.CREATE cup VIEWS day CLOCK EVENT PRIZES day 1-1000=prize
         LB.ADD cup 1 late AT 86399999",
    );
    for counter in 0..COUNTERS {
        play(con, &format!("LB.COUNTER.CREATE count:{counter} DEDUP 3600"));
    }
    for client in 0..clients {
        let key = own(client);
        play(
            con,
            &format!("LB.CREATE {key} VIEWS all,day,day:7 CLOCK EVENT RETAIN day=5000 DEDUP 315360000"),
        );
    }
    let scores = (0..WINNERS).map(|number| format!("{} m{number}", WINNERS + 1 - number));
    let scores = scores.collect::<Vec<_>>().join(" ");
    play(con, &format!("LB.MADD cup AT 5 {scores}\nLB.ALTER cup NOW 86400000 => OK"));
}

/// The board that one client alone writes to.
fn own(client: u64) -> String {
    format!("days:{client}")
}

/// Draws the requests of a client.
pub struct Drawing {
    client: u64,
    random: Random,
    serial: u64,
    /// The present day of the client's own board.
    day: u64,
}

impl Drawing {
    /// The requests of the client with this number.
    pub fn new(client: u64, random: Random) -> Self {
        Self { client, random, serial: 0, day: 0 }
    }

    /// Draws a request. In `jumps` of 100 writes to the client's own board, a new day begins.
    pub fn draw(&mut self, jumps: u64) -> Request {
        self.serial += 1;
        let (id, member, amount) = (self.id(), self.member(), self.random.within(1..100));
        let adds = |key: &str| vec![(format!("{key} {member}"), amount)];
        match self.random.below(9) {
            0 => Request::new(&format!("LB.ADD sums {amount} {member} ID {id}"), adds("sums")),
            1 => self.pairs("LB.MADD sums", "sums", &id),
            2 => {
                let line = format!("LB.ROLLADD rolling {amount} {member} ID {id}");
                Request::new(&line, [adds("rolling"), adds(ROLLING_EVER)].concat())
            }
            3 => Request::new(&format!("LB.VOTE votes {amount} {member} BY v{id} ID {id}"), adds("votes")),
            4 => self.pairs(&format!("LB.MVOTE votes BY v{id}"), "votes", &id),
            5 => self.count(&id, amount),
            6 => {
                let line =
                    format!("LB.LEAGUE.ADD league {amount} {member} ID {id} AT {}", BEGIN + self.serial);
                Request::new(&line, adds("league"))
            }
            7 => self.claim(&id),
            _ => self.play_day(&id, amount, jumps),
        }
    }

    /// An id that no other request of the session has.
    fn id(&self) -> String {
        format!("{}-{}", self.client, self.serial)
    }

    fn member(&mut self) -> String {
        format!("m{}", self.random.below(MEMBERS))
    }

    /// A request with one to three pairs. A member may stand in several.
    fn pairs(&mut self, command: &str, key: &str, id: &str) -> Request {
        let pairs: Vec<_> =
            (0..1 + self.random.below(3)).map(|_| (self.random.within(1..100), self.member())).collect();
        let list: Vec<String> = pairs.iter().map(|(amount, member)| format!("{amount} {member}")).collect();
        let adds = pairs.iter().map(|(amount, member)| (format!("{key} {member}"), *amount));
        Request::new(&format!("{command} ID {id} {}", list.join(" ")), adds.collect())
    }

    fn count(&mut self, id: &str, amount: i64) -> Request {
        let key = format!("count:{}", self.random.below(COUNTERS));
        Request::new(&format!("LB.COUNTER.INCR {key} BY {amount} ID {id}"), vec![(key, amount)])
    }

    fn claim(&mut self, id: &str) -> Request {
        let winner = self.random.below(WINNERS);
        Request::new(&format!("LB.CLAIM cup m{winner} ID {id}"), vec![(format!("cup m{winner}"), 1)])
    }

    /// A write to the client's own board, in the present day or in a new one.
    fn play_day(&mut self, id: &str, amount: i64, jumps: u64) -> Request {
        if self.random.percent(jumps) {
            self.day += 1;
        }
        let (key, member, at) = (own(self.client), self.member(), BEGIN + self.day * DAY);
        let adds = [format!("{key} {member}"), format!("{key}@{at} {member}")].map(|name| (name, amount));
        Request::new(
            &format!("LB.ADD {key} {amount} {member} ID {id} AT {}", at + self.serial),
            adds.to_vec(),
        )
    }

    /// The names of the sums of the client's own board, with what reads them.
    fn reads(&self) -> Vec<(String, String)> {
        let key = own(self.client);
        let days = self.day.saturating_sub(LAST_DAYS)..=self.day;
        let days = days
            .map(|day| BEGIN + day * DAY)
            .map(|at| (format!("{key}@{at}"), read(&key, &format!("VIEW day AT {at}"))));
        [(key.clone(), read(&key, ""))].into_iter().chain(days).collect()
    }
}

/// The command that reads the scores of all members.
fn read(key: &str, options: &str) -> String {
    let members = (0..MEMBERS).map(|number| format!("m{number}")).collect::<Vec<_>>().join(" ");
    format!("LB.MSCORE {key} MEMBERS {MEMBERS} {members} {options}")
}

/// Leaves out the sums of the last seven days, for servers whose clocks leap.
pub fn without_last_days(mut sums: Sums) -> Sums {
    sums.retain(|name, _| !name.starts_with("rolling "));
    sums
}

/// Returns what the server has, by the names of the sums.
pub fn found<'a>(con: &mut Connection, drawings: impl Iterator<Item = &'a Drawing>) -> Sums {
    let shared = ["sums", "rolling", "votes"].map(|key| (key.to_owned(), read(key, "")));
    let ever = (ROLLING_EVER.to_owned(), read("rolling", "VIEW all"));
    let reads: Vec<_> = shared.into_iter().chain([ever]).chain(drawings.flat_map(Drawing::reads)).collect();
    let commands: Vec<Words> = reads.iter().map(|(_, line)| words(line)).collect();
    let mut sums = Sums::new();
    for ((key, _), reply) in reads.iter().zip(pipeline(con, &commands)) {
        let lines: Vec<Option<(i64, i64)>> = redis::from_redis_value(reply.expect("scores")).expect("lines");
        for (member, line) in lines.into_iter().enumerate() {
            sums.insert(format!("{key} m{member}"), line.map_or(0, |(_, score)| score));
        }
    }
    sums.extend(counted(con));
    sums.extend(in_league(con));
    sums.extend(claimed(con));
    sums
}

fn counted(con: &mut Connection) -> Sums {
    let mut total = |key: &str| {
        let info: Vec<Value> = query(con, &["LB.COUNTER.INFO", key]);
        let place = info.iter().position(|value| *value == Value::BulkString(b"total".into()));
        redis::from_redis_value_ref(&info[place.expect("a total") + 1]).expect("a number")
    };
    (0..COUNTERS).map(|counter| format!("count:{counter}")).map(|key| (key.clone(), total(&key))).collect()
}

fn in_league(con: &mut Connection) -> Sums {
    let members = (0..MEMBERS).map(|number| format!("m{number}"));
    let commands: Vec<Words> =
        members.map(|member| words(&format!("LB.LEAGUE.STANDING league {member}"))).collect();
    let replies = pipeline(con, &commands).into_iter().enumerate();
    let score = |reply: Value| match reply {
        Value::Array(values) => redis::from_redis_value_ref(&values[9]).expect("a score"),
        _ => 0,
    };
    replies.map(|(member, reply)| (format!("league m{member}"), score(reply.expect("a standing")))).collect()
}

fn claimed(con: &mut Connection) -> Sums {
    type Row = (u64, String, i64, String, Option<u64>);
    let (_, rows): (String, Vec<Row>) = query(con, &words("LB.PRIZES cup 0 COUNT 1000"));
    let rows = rows.into_iter().map(|(_, member, _, _, claimed)| (member, claimed));
    rows.map(|(member, claimed)| (format!("cup {member}"), i64::from(claimed.is_some()))).collect()
}

/// Compares what a server has with what it must have at least and at most.
///
/// # Panics
/// If a sum is out of its bounds.
pub fn compare(what: &str, found: &Sums, least: &Sums, most: &Sums) {
    let of = |sums: &Sums, name: &str| sums.get(name).copied().unwrap_or_default();
    let wrong = found.iter().filter(|(name, sum)| !(of(least, name)..=of(most, name)).contains(sum));
    let wrong: Vec<String> = wrong
        .map(|(name, sum)| format!("{name} is {sum}, and must be {} to {}", of(least, name), of(most, name)))
        .collect();
    assert!(wrong.is_empty(), "{what}: {}", wrong.join("\n"));
}
