//! Leagues of every kind, and all that can be seen of them.

use leaderboard_testkit::session::{say, shown, words};
use leaderboard_testkit::{Words, digest, info, pipeline, query};
use redis::{Connection, Value};

/// Where event clocks begin: the start of a day.
pub const BEGIN: u64 = 1_700_006_400_000;
pub const DAY: u64 = 86_400_000;

/// A league to be made, and what is asked about it.
pub struct Kind {
    pub key: &'static str,
    pub make: fn() -> Vec<String>,
    tiers: &'static [&'static str],
    /// Periods that stay what they are, whatever the time.
    periods: &'static [&'static str],
    /// The members are `m0` and on.
    members: usize,
    /// What was applied before, behind `LB.LEAGUE.ADD key`.
    remembered: &'static str,
}

const PERIODS: &[&str] = &["0", "-1", "-2", "-3", "2023-11-17"];

pub const KINDS: [Kind; 9] = [
    Kind {
        key: "season",
        make: season,
        tiers: &["bronze", "silver", "gold"],
        periods: PERIODS,
        members: 24,
        remembered: "-2.75 m0 ID d4n0 AT 1700352000000",
    },
    Kind {
        key: "boundary",
        make: boundary,
        tiers: &["bronze", "silver", "gold"],
        periods: PERIODS,
        members: 24,
        remembered: "-2.75 m0 ID d4n0 AT 1700352000000",
    },
    Kind { key: "large", make: large, tiers: &["a", "b"], periods: PERIODS, members: 1_500, remembered: "" },
    Kind {
        key: "settled",
        make: settled,
        tiers: &["a", "b", "c"],
        periods: PERIODS,
        members: 200,
        remembered: "",
    },
    Kind { key: "ghosts", make: ghosts, tiers: &["a", "b"], periods: PERIODS, members: 12, remembered: "" },
    Kind { key: "empty", make: empty, tiers: &["x"], periods: PERIODS, members: 1, remembered: "" },
    Kind { key: "extremes", make: extremes, tiers: &["t"], periods: PERIODS, members: 9, remembered: "" },
    Kind {
        key: "year",
        make: year,
        tiers: &["a", "b"],
        periods: &["0"],
        members: 9,
        remembered: "5 m1 ID one",
    },
    Kind { key: "second", make: second, tiers: &["a", "b"], periods: &[], members: 9, remembered: "" },
];

/// Five days with moves, ids, texts, tiers that were set, one who was removed; it is the middle of the fifth.
fn season() -> Vec<String> {
    let rules =
        "TIERS bronze,silver,gold PROMOTE 2,20%,0 DEMOTE 0,1,25% CYCLE day CLOCK EVENT GROUP 5 REWARD 3";
    let mut all = vec![format!("CREATE season {rules} RETAIN 2 IDLE 1 DEDUP 864000 DECIMALS 2")];
    for day in 0..5 {
        let playing = (0..23).filter(|n| (n * 7 + day) % 5 != 1);
        for n in playing {
            let at = BEGIN + day * DAY + n * 1_000;
            let (points, id) = ((n * 13 + day * 5) % 17, format!(" ID d{day}n{n}"));
            let id = if n % 3 == 0 { id.as_str() } else { "" };
            all.push(match n % 4 {
                0 => format!("ADD season -{points}.75 m{n} AT {at}{id}"),
                1 => format!("JOIN season m{n} AT {at} META day{day}of{n}"),
                _ => format!("ADD season {points}.5 m{n} AT {at}{id}"),
            });
        }
        if day == 3 {
            all.extend(
                ["REM season m5 m6", "TIER season m7 gold", "TIER season m23 silver"].map(str::to_owned),
            );
        }
    }
    all.push("SETMETA season stranger \\x00\\xff".to_owned());
    // A day's first points for one who has some: the points of m0 are those of its id.
    all.iter_mut().filter(|line| line.contains("ID d4n0")).for_each(|line| {
        *line = format!("ADD season -2.75 m0 AT {} ID d4n0", BEGIN + 4 * DAY);
    });
    all
}

/// The same league, when one member has come to the sixth day.
fn boundary() -> Vec<String> {
    let mut all: Vec<String> = season().iter().map(|line| line.replacen("season", "boundary", 1)).collect();
    all.push(format!("JOIN boundary m2 AT {}", BEGIN + 5 * DAY));
    all
}

/// Groups of a thousand, of which one has ended and one goes on, in several pieces.
fn large() -> Vec<String> {
    let mut all = vec![
        "CREATE large TIERS a,b PROMOTE 10%,0 DEMOTE 0,1 CYCLE day CLOCK EVENT GROUP 1000 REWARD 10"
            .to_owned(),
    ];
    for day in 0..2 {
        all.extend((0..1_500).map(|n| {
            let at = BEGIN + day * DAY + n / 3;
            format!("ADD large {} m{} AT {at}", n * 7_919 % 1_000, (n * 31 + day) % 1_500)
        }));
    }
    all.extend((0..300).map(|n| format!("SETMETA large m{} text-of-{n}", n * 5)));
    all
}

/// Members whose last season is out of reach: risen, fallen, with and without rewards; some are to be settled yet.
fn settled() -> Vec<String> {
    let mut all = vec![
        "CREATE settled TIERS a,b,c PROMOTE 3,3,0 DEMOTE 0,3,3 CYCLE day CLOCK EVENT GROUP 20 REWARD 2 RETAIN 0"
            .to_owned(),
    ];
    all.extend((0..60).map(|n| format!("TIER settled m{n} {}", ["b", "c"][n % 2])));
    for day in 0..4 {
        let playing = (0..200).filter(|n| n % 4 == day || n % 9 == day);
        all.extend(
            playing.map(|n| format!("ADD settled {} m{n} AT {}", n * 37 % 50, BEGIN + day * DAY + n * 10)),
        );
    }
    all.push("REM settled m8 m9".to_owned());
    all.push(format!("ADD settled 1 m0 AT {}", BEGIN + 4 * DAY));
    all
}

/// Members that were removed stand in periods that have ended; some came back under their names.
fn ghosts() -> Vec<String> {
    let mut all = vec![
        "CREATE ghosts TIERS a,b PROMOTE 2,0 DEMOTE 0,1 CYCLE day CLOCK EVENT GROUP 4 RETAIN 3".to_owned(),
    ];
    for day in 0..3 {
        all.extend((0..12).map(|n| format!("ADD ghosts {} m{n} AT {}", n * 5 % 7, BEGIN + day * DAY + n)));
        all.push(format!("REM ghosts m{} m{} m{}", day, day + 3, day + 8));
        all.push(format!("JOIN ghosts m{day} AT {} META back", BEGIN + day * DAY + 20));
    }
    all.push("REM ghosts m8 m9 m10 m11".to_owned());
    all
}

fn empty() -> Vec<String> {
    vec![
        "CREATE empty TIERS x PROMOTE 0 DEMOTE 0 CYCLE month TZ Asia/Shanghai JOINUNTIL 0.3 CLOCK EVENT"
            .to_owned(),
    ]
}

/// The ends of the range, names of all lengths, groups of one.
fn extremes() -> Vec<String> {
    let mut all =
        vec!["CREATE extremes TIERS t PROMOTE 0% DEMOTE 0 CYCLE day CLOCK EVENT GROUP 1".to_owned()];
    for (n, points) in ["9223372036854775807", "-9223372036854775807", "0"].into_iter().enumerate() {
        all.push(format!("ADD extremes {points} m{n} AT {BEGIN} ID {n}"));
    }
    all.push(format!("ADD extremes 1 <512> AT {BEGIN} ID <256>"));
    all.push("SETMETA extremes <512> <4096>".to_owned());
    all.push(format!("JOIN extremes \\x00\\xff\\x0d\\x0a AT {} META \\x00", BEGIN + 7));
    all
}

/// A league on the server's clock.
fn year() -> Vec<String> {
    let mut all = vec!["CREATE year TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE year GROUP 2".to_owned()];
    all.push("ADD year 5 m1 ID one".to_owned());
    all.extend((0..7).map(|n| format!("ADD year {} m{n}", n % 3)));
    all.push("TIER year m8 b".to_owned());
    all
}

/// A league whose season is over soon.
fn second() -> Vec<String> {
    let mut all =
        vec!["CREATE second TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 1s GROUP 2 RETAIN 10000".to_owned()];
    all.extend((0..7).map(|n| format!("ADD second {} m{n}", n % 3)));
    all
}

/// The commands of lines without `LB.LEAGUE.`
pub fn commands<T: AsRef<str>>(lines: &[T]) -> Vec<Words> {
    lines.iter().map(|line| words(&format!("LB.LEAGUE.{}", line.as_ref()))).collect()
}

#[track_caller]
pub fn send(con: &mut Connection, lines: &[String]) {
    for (line, reply) in lines.iter().zip(pipeline(con, &commands(lines))) {
        assert!(reply.is_ok(), "{line}: {reply:?}");
    }
}

/// Makes all leagues in the connection's database.
pub fn make(con: &mut Connection) {
    KINDS.iter().for_each(|kind| send(con, &(kind.make)()));
}

impl Kind {
    fn reads(&self) -> Vec<String> {
        let mut all = Vec::new();
        for period in self.periods {
            for tier in self.tiers {
                all.extend(
                    [1, 2, 5].map(|group| format!("GROUP {} {tier} {group} PERIOD {period}", self.key)),
                );
            }
            for n in (0..self.members).step_by(self.members / 24 + 1) {
                all.push(format!("STANDING {} m{n} PERIOD {period}", self.key));
            }
            all.push(format!("TOP {} m1 COUNT 3 PERIOD {period}", self.key));
        }
        all
    }

    /// Who comes in the next two days, told what became of them.
    fn later(&self) -> Vec<String> {
        let at = |day: u64| {
            if self.is_on_event_clock() { format!(" AT {}", BEGIN + day * DAY) } else { String::new() }
        };
        let mut all = Vec::new();
        for day in [6, 7] {
            let members =
                (0..self.members).step_by(self.members / 40 + 1).filter(|n| n % 3 != 7 - day as usize);
            all.extend(members.map(|n| format!("JOIN scratch m{n}{}", at(day))));
            all.push(format!("ADD scratch 3 m1{}", at(day)));
            all.push("REM scratch m4 m5".to_owned());
        }
        all
    }

    fn is_on_event_clock(&self) -> bool {
        !["year", "second"].contains(&self.key)
    }
}

/// All that can be read of a league.
#[derive(PartialEq)]
struct Portrait {
    digest: String,
    dump: Vec<u8>,
    rules: String,
    reads: Vec<String>,
    /// What members are told later, and what the league is then.
    later: Vec<String>,
}

impl Portrait {
    fn of(con: &mut Connection, kind: &Kind) -> Portrait {
        let rules = say(con, &format!("LB.LEAGUE.INFO {}", kind.key));
        let is_steady = !kind.periods.is_empty();
        let rules = if is_steady { rules } else { until(&rules, "\"period\"").to_owned() };
        // The exact size of what was loaded may differ, and the server's clock goes on.
        let rules = format!(
            "{}{}",
            until(&rules, if kind.is_on_event_clock() { "\"known\"" } else { "\"start\"" }),
            rules.split("\"members\"").nth(1).unwrap_or_default()
        );
        let reads = pipeline(con, &commands(&kind.reads())).iter().map(shown).collect();
        let (digest, dump) = (digest(con, kind.key), query(con, &["DUMP", kind.key]));
        Portrait { digest, dump, rules, reads, later: later(con, kind) }
    }
}

fn until<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split(mark).next().unwrap_or_default()
}

/// What a copy of it tells and is after more of its time; nothing on a replica.
fn later(con: &mut Connection, kind: &Kind) -> Vec<String> {
    if !kind.is_on_event_clock() || info(con, "replication", "role") == "slave" {
        return Vec::new();
    }
    leaderboard_testkit::session::play(con, &format!("COPY {} scratch => 1", kind.key));
    let replies: Vec<Result<Value, String>> = pipeline(con, &commands(&kind.later()));
    let mut all: Vec<String> = replies.iter().map(shown).collect();
    all.push(digest(con, "scratch"));
    leaderboard_testkit::session::play(con, "DEL scratch");
    all
}

/// What all leagues look like.
pub struct Portraits(Vec<Portrait>);

impl Portraits {
    pub fn of(con: &mut Connection) -> Portraits {
        Portraits(KINDS.iter().map(|kind| Portrait::of(con, kind)).collect())
    }

    /// Nothing has changed: for those who read, those who join later, and those who ask again.
    #[track_caller]
    pub fn compare(&self, con: &mut Connection, way: &str) {
        println!("{way}");
        for (kind, before) in KINDS.iter().zip(&self.0) {
            let (key, now) = (kind.key, Portrait::of(con, kind));
            assert_eq!(now.rules, before.rules, "{way}, {key}: LB.LEAGUE.INFO");
            assert_eq!(now.reads, before.reads, "{way}, {key}: what can be read");
            assert_eq!(now.digest, before.digest, "{way}, {key}: the digest");
            assert!(now.dump == before.dump, "{way}, {key}: the dump");
            if !(now.later.is_empty() || before.later.is_empty()) {
                assert_eq!(now.later, before.later, "{way}, {key}: later");
            }
            if !kind.remembered.is_empty() && info(con, "replication", "role") == "master" {
                let reply = say(con, &format!("LB.LEAGUE.ADD {key} {}", kind.remembered));
                assert!(reply.ends_with(" 0]"), "{way}, {key}: a request again: {reply}");
                assert_eq!(digest(con, key), before.digest, "{way}, {key}: a request again");
            }
        }
    }
}
