//! Counters of every kind, and the commands that read them.

use leaderboard_testkit::session::{play, say, shown};
use leaderboard_testkit::{Words, pipeline};
use redis::Connection;

use super::{Kind, Native, commands};

const PREFIX: &str = "LB.COUNTER.";

pub const COUNTER: Native = Native {
    name: "counter",
    prefix: PREFIX,
    kinds: || KINDS.iter().map(|kind| kind as &dyn Kind).collect(),
    uses,
    may_fail: &[
        "ERR the count would be out of range",
        "ERR AT is too far in the future (max-future-ms)",
        "is not kept by this counter",
        "PRECISIONS",
    ],
    waits: &[
        "INCR again AT 5",
        "INCR again BY 0 ID x AT 5",
        "ALTER again SAMPLES 5",
        "INFO again",
        "GET again 60",
        "MGET 60 FILL KEYS 2 again again",
    ],
};

/// The first moment on counters that use the time of the events: the start of a day, in ms.
pub const BEGIN: u64 = 1_700_006_400_000;

/// A counter for tests, and the values that its reads need.
struct Counter {
    key: &'static str,
    make: fn() -> Vec<String>,
    precisions: &'static [u32],
    is_on_event_clock: bool,
    /// Arguments after `LB.COUNTER.INCR key` of a request that was applied before, and the total in its reply.
    remembered: Option<(&'static str, &'static str)>,
}

const fn event(key: &'static str, make: fn() -> Vec<String>, precisions: &'static [u32]) -> Counter {
    Counter { key, make, precisions, is_on_event_clock: true, remembered: None }
}

const KINDS: [Counter; 11] = [
    Counter { remembered: Some(("BY 3 ID r7 AT 5", "1")), ..event("visits", visits, &[1, 5, 60, 3_600]) },
    event("dense", dense, &[1, 10]),
    event("sixteen", sixteen, &[1, 2, 3, 16, 86_400, 315_360_000]),
    event("sparse", sparse, &[7, 61]),
    event(
        "empty_counter",
        || vec!["CREATE empty_counter SAMPLES 100 CLOCK EVENT DEDUP 0".to_owned()],
        &[1, 86_400],
    ),
    Counter {
        remembered: Some(("BY 1 ID <256> AT 5", "-1")),
        ..event("extreme_counter", extremes, &[1, 60])
    },
    Counter {
        remembered: Some(("BY 8 ID id4 AT 5", "-61370")),
        ..event("small_counter", small, &[1, 5, 60])
    },
    event("altered", altered, &[2, 30, 600]),
    event("zeros", zeros, &[1, 60]),
    Counter { remembered: Some(("BY 5 ID id499 AT 5", "2500")), ..event("ids", ids, &[60]) },
    Counter {
        is_on_event_clock: false,
        remembered: Some(("BY 5 ID one", "26")),
        // Only longer slices are compared, because time passes during the test.
        ..event("live", live, &[3_600, 18_000, 86_400])
    },
];

/// Returns counts of all sizes at irregular moments. Some are late, some have ids, and some ids are repeated.
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

/// Returns the sum of the increases, with each id counted once.
fn visits_total(lines: &[String]) -> i64 {
    let mut seen = std::collections::BTreeSet::new();
    let by = |line: &String| line.split("BY ").nth(1)?.split(' ').next()?.parse::<i64>().ok();
    let id = |line: &String| {
        line.split("ID ").nth(1).map(|rest| rest.split(' ').next().unwrap_or_default().to_owned())
    };
    lines.iter().filter(|line| id(line).is_none_or(|id| seen.insert(id))).filter_map(by).sum()
}

/// Makes a counter in which every stored slice has a count, and the first slices are already deleted.
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

/// Makes a counter with a few counts that are far apart.
fn sparse() -> Vec<String> {
    let mut all = vec!["CREATE sparse PRECISIONS 7,61 SAMPLES 2000 CLOCK EVENT".to_owned()];
    all.extend((0..40_u64).map(|n| format!("INCR sparse BY -{n} AT {}", BEGIN + n * 3_000_017)));
    all
}

/// Makes a counter with counts at the ends of the range, and with ids of all lengths.
fn extremes() -> Vec<String> {
    let max = i64::MAX;
    vec![
        "CREATE extreme_counter PRECISIONS 1,60 CLOCK EVENT DEDUP 315360000".to_owned(),
        format!("INCR extreme_counter BY {max} ID a AT {BEGIN}"),
        format!("INCR extreme_counter BY -{max} ID \\x00 AT {}", BEGIN + 1_000),
        format!("INCR extreme_counter BY -{max} ID \\xff\\x0d\\x0a AT {}", BEGIN + 2_000),
        format!("INCR extreme_counter BY {} ID b AT {}", max - 2, BEGIN + 61_000),
        format!("INCR extreme_counter BY 1 ID <256> AT {}", BEGIN + 59_999),
    ]
}

/// Makes a counter whose precisions were added and removed, and whose number of samples was lower for a time.
fn altered() -> Vec<String> {
    let mut all = vec!["CREATE altered PRECISIONS 1,30 SAMPLES 200 CLOCK EVENT".to_owned()];
    all.extend((0..200_u64).map(|n| format!("INCR altered BY {n} AT {}", BEGIN + n * 3_000)));
    all.push("ALTER altered PRECISIONS +2,-1,+600 SAMPLES 9 DEDUP 5".to_owned());
    all.extend((0..50_u64).map(|n| format!("INCR altered BY {n} ID a{n} AT {}", BEGIN + 590_000 + n * 200)));
    all.push("ALTER altered SAMPLES 50".to_owned());
    all.extend((0..50_u64).map(|n| format!("INCR altered BY {n} AT {}", BEGIN + 601_000 + n * 500)));
    all
}

/// Makes a counter whose counts cancel each other.
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

/// Makes a counter with the default rules, on the server's time.
fn live() -> Vec<String> {
    ["INCR live BY 5 ID one", "INCR live BY 20 AT 5", "INCR live ID two"].map(str::to_owned).to_vec()
}

/// Makes a counter with every kind of data: full, partly filled and empty slices, late and negative counts, and ids.
fn small() -> Vec<String> {
    let mut all =
        vec!["CREATE small_counter PRECISIONS 1,5,60 SAMPLES 9 CLOCK EVENT DEDUP 864000".to_owned()];
    for n in 0..20_u64 {
        let id = if n % 4 == 0 { format!(" ID id{n}") } else { String::new() };
        all.push(format!("INCR small_counter BY {}{id} AT {}", n as i64 * 77 - 300, BEGIN + n * 1_300));
    }
    all.push(format!("INCR small_counter BY -70000 AT {}", BEGIN + 300));
    all
}

/// Returns the commands for a counter that RESTORE accepted: reads, writes of every kind, and writes of a later time.
fn uses() -> Vec<String> {
    let at = |ms: u64| BEGIN + ms;
    let mut lines: Vec<String> = vec!["INFO KEY".to_owned()];
    lines.extend([1, 5, 60, 3_600].map(|s| format!("GET KEY {s}")));
    lines.extend([
        format!("GET KEY 1 FROM {} TO {} FILL", at(0), at(9_000)),
        format!("MGET 60 FILL FROM {} KEYS 2 KEY KEY", at(0)),
        format!("INCR KEY BY 0 ID new AT {}", at(7_000)),
        format!("INCR KEY BY -3 AT {}", at(26_000)),
        "INCR KEY BY 5 AT 5".to_owned(),
        "ALTER KEY SAMPLES 3".to_owned(),
        "ALTER KEY PRECISIONS +123457 SAMPLES 90 DEDUP 60".to_owned(),
        format!("INCR KEY ID newer AT {}", at(500_000)),
        "GET KEY 123457".to_owned(),
        "GET KEY 60 FILL".to_owned(),
        "INFO KEY".to_owned(),
    ]);
    lines
}

impl Counter {
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

impl Kind for Counter {
    fn key(&self) -> &'static str {
        self.key
    }

    fn make(&self) -> Vec<Words> {
        commands(PREFIX, &(self.make)())
    }

    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)> {
        let rules = say(con, &format!("LB.COUNTER.INFO {}", self.key));
        // The exact size may differ after a load, and the server's time advances.
        let end = if self.is_on_event_clock { "\"memory\"" } else { "\"now\"" };
        let rules = rules.split(end).next().unwrap_or_default().to_owned();
        let reads = pipeline(con, &commands(PREFIX, &self.reads())).iter().map(shown).collect();
        vec![("LB.COUNTER.INFO", rules), ("counts", reads)]
    }

    fn later(&self) -> Vec<Words> {
        if !self.is_on_event_clock {
            return Vec::new();
        }
        let mut lines = vec![format!("INCR scratch AT {}", BEGIN + 1_500)];
        lines.extend(
            (0..5_u64)
                .map(|n| format!("INCR scratch BY {n}7 ID n{n} AT {}", BEGIN + 11_000_000 + n * 40_000)),
        );
        lines.push("ALTER scratch SAMPLES 77 PRECISIONS +123457".to_owned());
        lines.push(format!("INCR scratch BY -3 AT {}", BEGIN + 190_000_000));
        commands(PREFIX, &lines)
    }

    fn retry(&self, con: &mut Connection) {
        if let Some((line, total)) = self.remembered {
            play(con, &format!("LB.COUNTER.INCR {} {line} => {total}", self.key));
        }
    }
}
