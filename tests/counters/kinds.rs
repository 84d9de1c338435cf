//! Counters of every kind, and all that can be seen of them.

use leaderboard_testkit::session::{play, say, shown};
use leaderboard_testkit::{digest, info, pipeline, query};
use redis::Connection;

use super::{commands, send};

/// Where event clocks begin: the start of a day.
pub const BEGIN: u64 = 1_700_006_400_000;

/// A counter to be made, and what is asked about it.
pub struct Kind {
    pub key: &'static str,
    pub make: fn() -> Vec<String>,
    precisions: &'static [u32],
    is_on_event_clock: bool,
    /// What was applied before, behind `LB.COUNTER.INCR key`, and the total it answers.
    remembered: Option<(&'static str, &'static str)>,
}

const fn event(key: &'static str, make: fn() -> Vec<String>, precisions: &'static [u32]) -> Kind {
    Kind { key, make, precisions, is_on_event_clock: true, remembered: None }
}

pub const KINDS: [Kind; 10] = [
    Kind { remembered: Some(("BY 3 ID r7 AT 5", "1")), ..event("visits", visits, &[1, 5, 60, 3_600]) },
    event("dense", dense, &[1, 10]),
    event("sixteen", sixteen, &[1, 2, 3, 16, 86_400, 315_360_000]),
    event("sparse", sparse, &[7, 61]),
    event("empty", || vec!["CREATE empty SAMPLES 100 CLOCK EVENT DEDUP 0".to_owned()], &[1, 86_400]),
    Kind { remembered: Some(("BY 1 ID <256> AT 5", "-1")), ..event("extremes", extremes, &[1, 60]) },
    event("altered", altered, &[2, 30, 600]),
    event("zeros", zeros, &[1, 60]),
    Kind { remembered: Some(("BY 5 ID id499 AT 5", "2500")), ..event("ids", ids, &[60]) },
    Kind {
        is_on_event_clock: false,
        remembered: Some(("BY 5 ID one", "26")),
        // Of longer slices, for time goes on while they are compared.
        ..event("live", live, &[3_600, 18_000, 86_400])
    },
];

/// Counts of all sizes at irregular moments, some late, some with ids, of which some come again.
fn visits() -> Vec<String> {
    let mut all =
        vec!["CREATE visits PRECISIONS 1,5,60,3600 SAMPLES 100 CLOCK EVENT DEDUP 864000".to_owned()];
    for n in 0..600_u64 {
        let at = BEGIN + n * 1_700 - n % 7 * 9_000;
        let by = (n * 7_919 % 1_000) as i64 - 400;
        let id = if n % 5 == 2 { format!(" ID r{}", n % 90) } else { String::new() };
        let by = if id.is_empty() { by } else { 3 };
        all.push(format!("INCR visits BY {by}{id} AT {at}"));
    }
    all.push("INCR visits BY 3 ID r7 AT 5".to_owned());
    let total: i64 = visits_total(&all);
    all.push(format!("INCR visits BY {} AT {}", 1 - total, BEGIN + 1_019_000));
    all
}

/// What the increases add up to, each id once.
fn visits_total(lines: &[String]) -> i64 {
    let mut seen = std::collections::BTreeSet::new();
    let by = |line: &String| line.split("BY ").nth(1)?.split(' ').next()?.parse::<i64>().ok();
    let id = |line: &String| {
        line.split("ID ").nth(1).map(|rest| rest.split(' ').next().unwrap_or_default().to_owned())
    };
    lines.iter().filter(|line| id(line).is_none_or(|id| seen.insert(id))).filter_map(by).sum()
}

/// Every slice that is kept has a count, and the first ones have gone.
fn dense() -> Vec<String> {
    let mut all = vec!["CREATE dense PRECISIONS 1,10 SAMPLES 3000 CLOCK EVENT".to_owned()];
    all.extend((0..3_200_u64).map(|n| format!("INCR dense BY {} AT {}", n % 300 + 1, BEGIN + n * 1_000)));
    all
}

fn sixteen() -> Vec<String> {
    let list = (1..15).map(|s| s.to_string()).collect::<Vec<_>>().join(",").replace("14", "16");
    let mut all = vec![format!("CREATE sixteen PRECISIONS {list},86400,315360000 SAMPLES 1000 CLOCK EVENT")];
    all.extend(
        (0..900_u64).map(|n| format!("INCR sixteen BY {} AT {}", n * n * n * n * 7, BEGIN + n * n * 37)),
    );
    all
}

/// Few counts far apart.
fn sparse() -> Vec<String> {
    let mut all = vec!["CREATE sparse PRECISIONS 7,61 SAMPLES 2000 CLOCK EVENT".to_owned()];
    all.extend((0..40_u64).map(|n| format!("INCR sparse BY -{n} AT {}", BEGIN + n * 3_000_017)));
    all
}

/// The ends of the range, and ids of all lengths.
fn extremes() -> Vec<String> {
    let max = i64::MAX;
    vec![
        "CREATE extremes PRECISIONS 1,60 CLOCK EVENT DEDUP 315360000".to_owned(),
        format!("INCR extremes BY {max} ID a AT {BEGIN}"),
        format!("INCR extremes BY -{max} ID \\x00 AT {}", BEGIN + 1_000),
        format!("INCR extremes BY -{max} ID \\xff\\x0d\\x0a AT {}", BEGIN + 2_000),
        format!("INCR extremes BY {} ID b AT {}", max - 2, BEGIN + 61_000),
        format!("INCR extremes BY 1 ID <256> AT {}", BEGIN + 59_999),
    ]
}

/// Precisions that came and went, samples that were fewer.
fn altered() -> Vec<String> {
    let mut all = vec!["CREATE altered PRECISIONS 1,30 SAMPLES 200 CLOCK EVENT".to_owned()];
    all.extend((0..200_u64).map(|n| format!("INCR altered BY {n} AT {}", BEGIN + n * 3_000)));
    all.push("ALTER altered PRECISIONS +2,-1,+600 SAMPLES 9 DEDUP 5".to_owned());
    all.extend((0..50_u64).map(|n| format!("INCR altered BY {n} ID a{n} AT {}", BEGIN + 590_000 + n * 200)));
    all.push("ALTER altered SAMPLES 50".to_owned());
    all.extend((0..50_u64).map(|n| format!("INCR altered BY {n} AT {}", BEGIN + 601_000 + n * 500)));
    all
}

/// Counts that cancel each other.
fn zeros() -> Vec<String> {
    let mut all = vec!["CREATE zeros PRECISIONS 1,60 CLOCK EVENT".to_owned()];
    for n in 0..100_u64 {
        let at = BEGIN + n * 1_000;
        all.push(format!("INCR zeros BY {n}000000 AT {at}"));
        all.push(format!("INCR zeros BY -{n}000000 AT {at}"));
    }
    all.push(format!("INCR zeros BY 0 AT {}", BEGIN + 110_000));
    all
}

fn ids() -> Vec<String> {
    let mut all = vec!["CREATE ids PRECISIONS 60 CLOCK EVENT DEDUP 86400".to_owned()];
    all.extend((0..500_u64).map(|n| format!("INCR ids BY 5 ID id{n} AT {}", BEGIN + n * 100)));
    all
}

/// A counter of the defaults, on the server's clock.
fn live() -> Vec<String> {
    ["INCR live BY 5 ID one", "INCR live BY 20 AT 5", "INCR live ID two"].map(str::to_owned).to_vec()
}

/// Makes all counters in the connection's database.
pub fn make(con: &mut Connection) {
    KINDS.iter().for_each(|kind| send(con, &(kind.make)()));
}

impl Kind {
    fn reads(&self) -> Vec<String> {
        let key = self.key;
        let mut all = Vec::new();
        for precision in self.precisions {
            all.push(format!("GET {key} {precision}"));
            if self.is_on_event_clock {
                let (from, to) = (BEGIN + 33_333, BEGIN + 777_777);
                all.push(format!("GET {key} {precision} FROM {from} TO {to} FILL"));
                all.push(format!("MGET {precision} TO {to} KEYS 2 {key} absent"));
                all.push(format!("GET {key} {precision} FROM 0 TO 253402300799999 FILL"));
            }
        }
        all
    }
}

/// All that can be read of a counter.
#[derive(PartialEq)]
struct Portrait {
    digest: String,
    dump: Vec<u8>,
    rules: String,
    reads: Vec<String>,
    /// What a copy of it answers later, and is then.
    later: Vec<String>,
}

impl Portrait {
    fn of(con: &mut Connection, kind: &Kind) -> Portrait {
        let rules = say(con, &format!("LB.COUNTER.INFO {}", kind.key));
        // The exact size of what was loaded may differ, and the server's clock goes on.
        let end = if kind.is_on_event_clock { "\"memory\"" } else { "\"now\"" };
        let rules = rules.split(end).next().unwrap_or_default().to_owned();
        let reads = pipeline(con, &commands(&kind.reads())).iter().map(shown).collect();
        let (digest, dump) = (digest(con, kind.key), query(con, &["DUMP", kind.key]));
        Portrait { digest, dump, rules, reads, later: later(con, kind) }
    }
}

/// What a copy of it answers and is after more of its time; nothing on a replica.
fn later(con: &mut Connection, kind: &Kind) -> Vec<String> {
    if !kind.is_on_event_clock || info(con, "replication", "role") == "slave" {
        return Vec::new();
    }
    play(con, &format!("COPY {} scratch => 1", kind.key));
    let mut lines = vec![format!("INCR scratch AT {}", BEGIN + 1_500)];
    lines.extend(
        (0..5_u64).map(|n| format!("INCR scratch BY {n}7 ID n{n} AT {}", BEGIN + 11_000_000 + n * 40_000)),
    );
    lines.push("ALTER scratch SAMPLES 77 PRECISIONS +123457".to_owned());
    lines.push(format!("INCR scratch BY -3 AT {}", BEGIN + 190_000_000));
    let mut all: Vec<String> = pipeline(con, &commands(&lines)).iter().map(shown).collect();
    all.push(digest(con, "scratch"));
    play(con, "DEL scratch");
    all
}

/// What all counters look like.
pub struct Portraits(Vec<Portrait>);

impl Portraits {
    pub fn of(con: &mut Connection) -> Portraits {
        Portraits(KINDS.iter().map(|kind| Portrait::of(con, kind)).collect())
    }

    /// Nothing has changed: for those who read, those who count later, and those who ask again.
    #[track_caller]
    pub fn compare(&self, con: &mut Connection, way: &str) {
        println!("{way}");
        for (kind, before) in KINDS.iter().zip(&self.0) {
            let (key, now) = (kind.key, Portrait::of(con, kind));
            assert_eq!(now.rules, before.rules, "{way}, {key}: LB.COUNTER.INFO");
            assert_eq!(now.reads, before.reads, "{way}, {key}: what can be read");
            assert_eq!(now.digest, before.digest, "{way}, {key}: the digest");
            assert!(now.dump == before.dump, "{way}, {key}: the dump");
            if !(now.later.is_empty() || before.later.is_empty()) {
                assert_eq!(now.later, before.later, "{way}, {key}: later");
            }
            if let Some((line, total)) =
                kind.remembered.filter(|_| info(con, "replication", "role") == "master")
            {
                play(con, &format!("LB.COUNTER.INCR {key} {line} => {total}"));
                assert_eq!(digest(con, key), before.digest, "{way}, {key}: a request again");
            }
        }
    }
}
