//! Tests with random boards. A board with hidden members is compared with a board without any writes of these members:
//! all other members see no difference. It is also compared with a board where one of these members is not hidden:
//! that member sees no difference.

use std::collections::BTreeSet;

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, Words, digest, pipeline, run, wait_for_sync, words};
use redis::{Connection, Value};

const MEMBERS: u64 = 40;
const VIEWS: [&str; 3] = ["day", "all", "day:3"];

/// A board under test, and all writes to it.
struct Log {
    rules: String,
    /// Members, each with the part of its command after the key.
    writes: Vec<(u64, String)>,
    hidden: BTreeSet<u64>,
    at: u64,
}

pub fn line(text: &str) -> Words {
    words(&text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>())
}

fn with_key(key: &str, command: &str) -> Words {
    let (name, rest) = command.split_once(' ').expect("arguments");
    line(&format!("LB.{name} {key} {rest}"))
}

#[track_caller]
pub fn all_well(con: &mut Connection, commands: &[Words]) {
    for (command, reply) in commands.iter().zip(pipeline(con, commands)) {
        assert!(reply.is_ok(), "{}: {reply:?}", command.join(&b' ').escape_ascii());
    }
}

impl Log {
    /// Sends random writes, some with the same moment and some late, for hidden and visible members. Between the
    /// writes, members are hidden and shown.
    fn go_on(&mut self, con: &mut Connection, random: &mut Random) {
        self.at += random.below(3) / 2 * random.below(100_000_000);
        // A visible member moves the board's time forward.
        let command = if self.is_poll() { "VOTE" } else { "ADD" };
        let mut commands = vec![self.write(MEMBERS, &format!("{command} 1 tick AT {}", self.at))];
        for _ in 0..2 + random.below(15) {
            let member = random.below(MEMBERS);
            match random.below(12) {
                0 if self.hidden.insert(member) => commands.push(line(&format!("LB.HIDE board m{member}"))),
                1 if self.hidden.remove(&member) => {
                    commands.push(line(&format!("LB.UNHIDE board m{member}")))
                }
                2 if random.percent(30) => {
                    self.hidden.remove(&member);
                    commands.push(self.write(member, &format!("REM m{member}")));
                }
                _ => {
                    let command = self.points(random, member);
                    commands.push(self.write(member, &command));
                }
            }
        }
        all_well(con, &commands);
    }

    fn is_poll(&self) -> bool {
        self.rules.contains("SHOWN")
    }

    /// Returns a random write for a member.
    fn points(&self, random: &mut Random, member: u64) -> String {
        let late = random.below(200_000_000) * u64::from(random.percent(15));
        let (now, at, points) = (self.at, self.at - late, random.below(8) as i64 - 2);
        match (self.is_poll(), random.below(6)) {
            (true, 0) => format!("OPTION m{member} WEIGHT {} INITIAL {}", 1 + points.abs(), points.abs()),
            (true, _) => format!("VOTE {} m{member} AT {at}", 1 + points.abs()),
            (false, 0) => format!("SET {points} m{member} AT {now}"),
            (false, _) => format!("ADD {points} m{member} AT {at}"),
        }
    }

    fn write(&mut self, member: u64, command: &str) -> Words {
        self.writes.push((member, command.to_owned()));
        with_key("board", command)
    }

    /// Makes a board that does not have the writes of these members.
    fn twin(&self, con: &mut Connection, key: &str, without: &BTreeSet<u64>) {
        let mut commands =
            vec![line(&format!("DEL {key}")), line(&format!("LB.CREATE {key} {}", self.rules))];
        let writes = self.writes.iter().filter(|(member, _)| !without.contains(member));
        commands.extend(writes.map(|(_, command)| with_key(key, command)));
        all_well(con, &commands);
    }

    fn others(&self) -> String {
        let others = (0..MEMBERS).filter(|member| !self.hidden.contains(member));
        let names: Vec<String> = others.map(|member| format!("m{member}")).collect();
        format!("MEMBERS {} {} tick", names.len() + 1, names.join(" "))
    }
}

/// Returns all reads of a period. Some reads name these members. `*` is replaced by the key.
pub fn questions(random: &mut Random, members: &str, names: &[&str]) -> Vec<String> {
    let mut all = vec![
        "LB.COUNT *".to_owned(),
        "LB.COUNT * 1 7".to_owned(),
        "LB.STATS *".to_owned(),
        "LB.QUANTILE * 0 0.3 0.5 0.77 1".to_owned(),
        "LB.HISTOGRAM * -5 12 6".to_owned(),
    ];
    for ranks in ["ORDINAL", "COMPETITION", "DENSE"] {
        for rev in ["", " REV"] {
            let name = random.pick(names);
            for question in [
                "LB.TOP * 99".to_owned(),
                "LB.TOP * 3 OFFSET 5".to_owned(),
                "LB.RANGE * 4 -4".to_owned(),
                "LB.RANGEBYSCORE * 1 6 OFFSET 2 COUNT 9".to_owned(),
                format!("LB.AROUND * {name} 3"),
                format!("LB.AROUND * {name} ABOVE 2 BELOW 7 FILL"),
                format!("LB.MSCORE * {members}"),
                format!("LB.MSTANDING * {members}"),
                format!("LB.AMONG * {members}"),
            ] {
                all.push(format!("{question} RANKS {ranks}{rev}"));
            }
        }
    }
    all
}

#[track_caller]
pub fn same(con: &mut Connection, keys: [&str; 2], question: &str) {
    let [one, other] = keys.map(|key| pipeline(con, &[line(&question.replace('*', key))]).remove(0));
    assert_eq!(one, other, "{question}");
}

fn periods() -> impl Iterator<Item = String> {
    let of = |view: &'static str| ["0", "-1", "-2"].map(|period| format!("VIEW {view} PERIOD {period}"));
    VIEWS.into_iter().flat_map(of)
}

/// Checks that the other members see no difference.
fn compare_others(con: &mut Connection, random: &mut Random, log: &Log) {
    log.twin(con, "twin", &log.hidden);
    let members = log.others();
    let names: Vec<&str> = members.split(' ').skip(2).collect();
    for period in periods() {
        for question in questions(random, &members, &names) {
            same(con, ["board", "twin"], &format!("{question} {period}"));
        }
        if log.is_poll() {
            for question in questions(random, &members, &names) {
                same(con, ["board", "twin"], &format!("{question} REAL {period}"));
            }
        }
        let stored = ["board", "twin"].map(|key| {
            run(con, &line(&format!("LB.EXPORT dest {key} {period}")));
            run(con, &line("ZRANGE dest 0 -1 WITHSCORES"))
        });
        assert_eq!(stored[0], stored[1], "{period}");
    }
    for view in VIEWS {
        same(con, ["board", "twin"], &format!("LB.PERIODS * {view}"));
    }
}

/// Checks that a hidden member sees itself in the ranking of the visible members.
fn compare_one(con: &mut Connection, random: &mut Random, log: &Log) {
    let hidden: Vec<u64> = log.hidden.iter().copied().collect();
    if hidden.is_empty() {
        return;
    }
    let member = *random.pick(&hidden);
    log.twin(con, "shown", &hidden.into_iter().filter(|other| *other != member).collect());
    for period in periods() {
        for ranks in ["ORDINAL", "COMPETITION", "DENSE", "ORDINAL REV", "COMPETITION REV", "DENSE REV"] {
            for question in [
                format!("LB.STANDING * m{member} {period} RANKS {ranks}"),
                format!("LB.RANK * m{member} {period} RANKS {ranks}"),
                format!("LB.MSCORE * MEMBERS 1 m{member} {period} RANKS {ranks}"),
            ] {
                same(con, ["board", "shown"], &question);
            }
        }
        same(con, ["board", "shown"], &format!("LB.SCORE * m{member} {period}"));
        for options in ["1", "3 REV", "ABOVE 0 BELOW 4", "ABOVE 5 FILL", "BELOW 3 FILL REV", "99"] {
            around(con, member, &format!("{options} {period}"));
        }
    }
    all_well(con, &[line("DEL shown")]);
}

/// Compares the lines with a board where the member is visible. The lines are the same, but the other members have the
/// ranks that everyone sees.
fn around(con: &mut Connection, member: u64, options: &str) {
    let mut ask = |key: &str| run(con, &line(&format!("LB.AROUND {key} m{member} {options}")));
    let (own, shown) = (lines(&ask("board")), lines(&ask("shown")));
    let name = format!("m{member}");
    let names = |lines: &[(u64, String, i64)]| lines.iter().map(|line| line.1.clone()).collect::<Vec<_>>();
    assert_eq!(names(&own), names(&shown), "m{member} {options}");
    let mut behind = 0;
    for (own, shown) in own.iter().zip(&shown) {
        assert_eq!((own.0 + behind, own.2), (shown.0, shown.2), "m{member} {options}: {own:?}");
        behind += u64::from(own.1 == name);
    }
}

fn lines(reply: &Value) -> Vec<(u64, String, i64)> {
    redis::FromRedisValue::from_redis_value_ref(reply).expect("lines")
}

#[test]
fn a_board_looks_as_if_hidden_members_were_not_there() {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
    let (mut server, replica) = (builder.start(), Server::start(Flavor::Redis70));
    replica.replica_of(&server);
    wait_for_sync(&server, &replica);
    for (number, rules) in [
        "AGGREGATE SUM TIES FIRST",
        "AGGREGATE SUM TIES LAST ORDER ASC",
        "AGGREGATE SUM CARRY day=0.5",
        "AGGREGATE MAX TIES LEX",
        "AGGREGATE MIN ORDER ASC",
        "AGGREGATE LAST",
        "SHOWN TIES LAST",
    ]
    .into_iter()
    .enumerate()
    {
        println!("{rules}");
        let mut con = server.connection();
        let rules = format!("VIEWS {} CLOCK EVENT RETAIN 3 {rules}", VIEWS.join(","));
        play(&mut con, &format!("FLUSHALL\nLB.CREATE board {rules}"));
        let mut random = Random::new(seed() * 10 + number as u64);
        let mut log = Log { rules, writes: Vec::new(), hidden: BTreeSet::new(), at: 1_700_000_000_000 };
        for round in 0..24 {
            log.go_on(&mut con, &mut random);
            if round % 3 == 2 {
                compare_others(&mut con, &mut random, &log);
                compare_one(&mut con, &mut random, &log);
            }
            if round == 11 {
                play(&mut con, "DEBUG RELOAD => OK");
            }
        }
        let whole = digest(&mut con, "board");
        wait_for_sync(&server, &replica);
        assert_eq!(digest(&mut replica.connection(), "board"), whole, "the replica");
        server.restart_nosave();
        assert_eq!(digest(&mut server.connection(), "board"), whole, "the append-only file");
        wait_for_sync(&server, &replica);
    }
}
