//! Leagues of every kind, and the commands that read them.

use leaderboard_testkit::session::{say, shown};
use leaderboard_testkit::{Words, pipeline};
use redis::Connection;

use super::{Kind, Native, commands};

const PREFIX: &str = "LB.LEAGUE.";

pub const LEAGUE: Native = Native {
    name: "league",
    prefix: PREFIX,
    kinds: || KINDS.iter().map(|kind| kind as &dyn Kind).collect(),
    uses,
    may_fail: &[
        "ERR the score would be out of range",
        "is not a tier of this league",
        "is not the name of a period here",
    ],
    waits: &[
        "JOIN again m",
        "ADD again 5 m AT 5",
        "REM again m0",
        "SETMETA again m0 x",
        "ALTER again GROUP 5",
        "TOP again m0",
        "INFO again",
        "STANDING again m1 PERIOD -1",
    ],
};

/// The first moment on leagues that use the time of the events (the start of a day), and a day, in ms.
const BEGIN: u64 = 1_700_006_400_000;
const DAY: u64 = 86_400_000;

/// A league for tests, and the values that its reads need.
struct League {
    key: &'static str,
    make: fn() -> Vec<String>,
    tiers: &'static [&'static str],
    /// Periods whose content does not depend on the present time.
    periods: &'static [&'static str],
    /// The number of members. Their names are `m0`, `m1` and so on.
    members: usize,
    /// Arguments after `LB.LEAGUE.ADD key` of a request that was applied before.
    remembered: &'static str,
}

const PERIODS: &[&str] = &["0", "-1", "-2", "-3", "2023-11-17"];

const KINDS: [League; 10] = [
    League {
        key: "season",
        make: season,
        tiers: &["bronze", "silver", "gold"],
        periods: PERIODS,
        members: 24,
        remembered: "-2.75 m0 ID d4n0 AT 1700352000000",
    },
    League {
        key: "boundary",
        make: boundary,
        tiers: &["bronze", "silver", "gold"],
        periods: PERIODS,
        members: 24,
        remembered: "-2.75 m0 ID d4n0 AT 1700352000000",
    },
    League {
        key: "large",
        make: large,
        tiers: &["a", "b"],
        periods: PERIODS,
        members: 1_500,
        remembered: "",
    },
    League {
        key: "settled",
        make: settled,
        tiers: &["a", "b", "c"],
        periods: PERIODS,
        members: 200,
        remembered: "",
    },
    League { key: "ghosts", make: ghosts, tiers: &["a", "b"], periods: PERIODS, members: 12, remembered: "" },
    League { key: "empty_league", make: empty, tiers: &["x"], periods: PERIODS, members: 1, remembered: "" },
    League {
        key: "extreme_league",
        make: extremes,
        tiers: &["t"],
        periods: PERIODS,
        members: 9,
        remembered: "",
    },
    League {
        key: "year",
        make: year,
        tiers: &["a", "b"],
        periods: &["0"],
        members: 9,
        remembered: "5 m1 ID one",
    },
    League {
        key: "small_league",
        make: small,
        tiers: &["a", "b", "c"],
        periods: PERIODS,
        members: 10,
        remembered: "1 m0 ID one AT 1700265600000",
    },
    League { key: "second", make: second, tiers: &["a", "b"], periods: &[], members: 9, remembered: "" },
];

/// Makes a league of five days with moves between tiers, ids, texts, changed tiers, and a removed member. The last
/// write is in the middle of the fifth day.
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
    // The first points of m0 on this day are replaced, so that its points are the points of its id.
    all.iter_mut().filter(|line| line.contains("ID d4n0")).for_each(|line| {
        *line = format!("ADD season -2.75 m0 AT {} ID d4n0", BEGIN + 4 * DAY);
    });
    all
}

/// Makes the same league, after one member has joined on the sixth day.
fn boundary() -> Vec<String> {
    let mut all: Vec<String> = season().iter().map(|line| line.replacen("season", "boundary", 1)).collect();
    all.push(format!("JOIN boundary m2 AT {}", BEGIN + 5 * DAY));
    all
}

/// Makes a league with groups of a thousand members, in an ended and in a running period. It is saved in several
/// pieces.
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

/// Makes a league whose members have a last season that can no longer be read: promoted and demoted members, with and
/// without rewards. Some outcomes are not calculated yet.
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

/// Makes a league with removed members in ended periods. Some of them joined again under the same name.
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
        "CREATE empty_league TIERS x PROMOTE 0 DEMOTE 0 CYCLE month TZ Asia/Shanghai JOINUNTIL 0.3 CLOCK EVENT"
            .to_owned(),
    ]
}

/// Makes a league with scores at the ends of the range, names of all lengths, and groups of one member.
fn extremes() -> Vec<String> {
    let mut all =
        vec!["CREATE extreme_league TIERS t PROMOTE 0% DEMOTE 0 CYCLE day CLOCK EVENT GROUP 1".to_owned()];
    for (n, points) in ["9223372036854775807", "-9223372036854775807", "0"].into_iter().enumerate() {
        all.push(format!("ADD extreme_league {points} m{n} AT {BEGIN} ID {n}"));
    }
    all.push(format!("ADD extreme_league 1 <512> AT {BEGIN} ID <256>"));
    all.push("SETMETA extreme_league <512> <4096>".to_owned());
    all.push(format!("JOIN extreme_league \\x00\\xff\\x0d\\x0a AT {} META \\x00", BEGIN + 7));
    all
}

/// Makes a league on the server's time.
fn year() -> Vec<String> {
    let mut all = vec!["CREATE year TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE year GROUP 2".to_owned()];
    all.push("ADD year 5 m1 ID one".to_owned());
    all.extend((0..7).map(|n| format!("ADD year {} m{n}", n % 3)));
    all.push("TIER year m8 b".to_owned());
    all
}

/// Makes a league with short seasons, of one second.
fn second() -> Vec<String> {
    let mut all =
        vec!["CREATE second TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 1s GROUP 2 RETAIN 10000".to_owned()];
    all.extend((0..7).map(|n| format!("ADD second {} m{n}", n % 3)));
    all
}

/// Makes a league with every kind of data: three seasons that can be read and one that cannot, removed members, a
/// changed tier, texts and request ids.
fn small() -> Vec<String> {
    let at = |day: u64, ms: u64| BEGIN + day * DAY + ms;
    let rules = "TIERS a,b,c PROMOTE 1,50%,0 DEMOTE 0,1,1 CYCLE day CLOCK EVENT GROUP 2 REWARD 1 RETAIN 2 DEDUP 864000";
    vec![
        format!("CREATE small_league {rules} IDLE 1 DECIMALS 1 JOINUNTIL 0.9"),
        format!("ADD small_league 5 m0 AT {}", at(0, 0)),
        format!("ADD small_league 2.5 m1 AT {}", at(0, 5)),
        format!("ADD small_league 7 m2 AT {} ID old", at(0, 9)),
        format!("JOIN small_league m0 AT {} META text", at(1, 0)),
        format!("ADD small_league 3 m3 AT {}", at(1, 1)),
        format!("ADD small_league -1 m4 AT {}", at(1, 2)),
        "REM small_league m4".to_owned(),
        format!("ADD small_league 5 m0 AT {}", at(2, 0)),
        format!("ADD small_league 5 m3 AT {}", at(2, 0)),
        "REM small_league m3".to_owned(),
        format!("JOIN small_league m3 AT {}", at(2, 7)),
        "TIER small_league m5 c".to_owned(),
        format!("ADD small_league 1 m0 AT {} ID one", at(3, 0)),
        format!("ADD small_league 1 m5 AT {}", at(3, 5)),
        format!("ADD small_league 1 m6 AT {}", at(3, 5)),
        format!("ADD small_league 9 m7 AT {}", at(3, 6)),
        "TIER small_league m7 b".to_owned(),
        "SETMETA small_league m8 x".to_owned(),
    ]
}

/// Returns the commands for a league that RESTORE accepted: reads, writes of every kind, and writes of a later time.
fn uses() -> Vec<String> {
    let at = |day: u64| BEGIN + day * DAY;
    let reads = ["INFO KEY", "TOP KEY m0", "STANDING KEY m3", "GROUP KEY a 1", "GROUP KEY b 1 PERIOD -1"];
    let mut lines: Vec<String> = reads.map(str::to_owned).to_vec();
    lines.extend((1..4).map(|back| format!("TOP KEY m0 PERIOD -{back}")));
    lines.extend([
        format!("ADD KEY 0 m0 ID new AT {}", at(3) + 10),
        format!("JOIN KEY m9 META new AT {}", at(3) + 11),
        "REM KEY m5 m3 nobody".to_owned(),
        "TIER KEY m1 b".to_owned(),
        "SETMETA KEY m2 y".to_owned(),
        format!("ADD KEY 1 m7 AT {}", at(4)),
        format!("JOIN KEY m1 AT {}", at(4)),
        "TOP KEY m7 PERIOD -1".to_owned(),
        "REM KEY m7 m0".to_owned(),
        "ALTER KEY RETAIN 1 GROUP 1 DEDUP 1 IDLE 0 JOINUNTIL 1".to_owned(),
        format!("JOIN KEY m2 AT {}", at(6)),
        format!("JOIN KEY m3 AT {}", at(7)),
        format!("JOIN KEY m0 AT {}", at(7)),
        format!("ADD KEY 1 m6 AT {}", at(400)),
        "INFO KEY".to_owned(),
    ]);
    lines
}

impl League {
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

    /// Returns the joins of the next two days.
    fn comers(&self) -> Vec<String> {
        let at = |day: u64| format!(" AT {}", BEGIN + day * DAY);
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

impl Kind for League {
    fn key(&self) -> &'static str {
        self.key
    }

    fn make(&self) -> Vec<Words> {
        commands(PREFIX, &(self.make)())
    }

    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)> {
        let rules = say(con, &format!("LB.LEAGUE.INFO {}", self.key));
        let is_steady = !self.periods.is_empty();
        let rules = if is_steady { rules } else { until(&rules, "\"period\"").to_owned() };
        // The exact size may differ after a load, and the server's time advances.
        let rules = format!(
            "{}{}",
            until(&rules, if self.is_on_event_clock() { "\"known\"" } else { "\"start\"" }),
            rules.split("\"members\"").nth(1).unwrap_or_default()
        );
        let reads = pipeline(con, &commands(PREFIX, &self.reads())).iter().map(shown).collect();
        vec![("LB.LEAGUE.INFO", rules), ("places", reads)]
    }

    fn later(&self) -> Vec<Words> {
        if self.is_on_event_clock() { commands(PREFIX, &self.comers()) } else { Vec::new() }
    }

    fn retry(&self, con: &mut Connection) {
        if !self.remembered.is_empty() {
            let reply = say(con, &format!("LB.LEAGUE.ADD {} {}", self.key, self.remembered));
            assert!(reply.ends_with(" 0]"), "{}: {reply}", self.key);
        }
    }
}

fn until<'t>(text: &'t str, mark: &str) -> &'t str {
    text.split(mark).next().unwrap_or_default()
}
