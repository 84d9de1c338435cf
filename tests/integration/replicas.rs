//! Tests that replicas and append-only files have the same values after any mix of requests, and that a replica works
//! with them after it becomes the primary.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{say, shown, words};
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, pipeline, query, run, wait_for_sync,
};
use redis::Connection;

use crate::leagues;
use crate::votes::play_dated;

/// Random requests for values of one type.
struct Mix {
    setup: &'static str,
    keys: &'static [&'static str],
    /// Returns a random request. Its moment is in the last hours, and some requests are late.
    request: fn(&mut Random, u64) -> String,
    /// Returns reads whose replies do not depend on the server's time.
    reads: fn() -> Vec<String>,
    /// Checks by the reply whether a request was applied.
    done: fn(&str) -> bool,
    /// Checks by the reply whether a request was refused, repeated or held back. `least` contains the minimum numbers
    /// of applied requests and of these.
    held: fn(&str) -> bool,
    least: [usize; 2],
}

const VOTES: Mix = Mix {
    setup: "LB.CREATE poll VIEWS all,minute,minute:3,hour CLOCK EVENT SHOWN RETAIN 3 DEDUP 3600 LIMIT a voter 3 minute LIMIT b voter+ip 4 hour BONUS ip i1 2 LIMIT c member 9 second LIMIT d ip 200 all
     LB.CREATE some VIEWS day,all DECLARED CLOCK EVENT OPENS @2019-03-18T00:02 CLOSES @2019-03-18T04:00 LIMIT a voter 5 hour
     LB.CREATE live VIEWS all,hour LIMIT a voter 15 year LIMIT b member 90 all",
    keys: &["poll", "some", "live"],
    request: vote,
    reads: quotas,
    done: |reply| reply.starts_with("[1 [[") && !reply.starts_with("[1 [[nil"),
    held: |reply| reply.starts_with("[0 \""),
    least: [150, 150],
};

fn vote(random: &mut Random, step: u64) -> String {
    let at = 1_552_867_200_000 + step * 9_000 - random.below(2) * random.below(200_000).min(step * 9_000);
    let board = *random.pick(&["poll", "some", "live"]);
    let time = if board == "live" { String::new() } else { format!(" AT {at}") };
    let (voter, member) = (random.below(12), random.below(6));
    let id = if random.below(3) == 0 { format!(" ID r{}", random.below(150)) } else { String::new() };
    let who = format!("BY v{voter} TAG ip i{}{id}{time}", voter % 4);
    match random.below(20) {
        0 => format!("LB.OPTION {board} m{member}"),
        1 => {
            format!("LB.OPTION poll m{member} WEIGHT {} INITIAL {}", random.below(4), random.below(9))
        }
        2 => format!("LB.REM {board} m{member}"),
        3 if board == "live" => format!("LB.ALTER live LIMIT a voter {} year", 10 + random.below(10)),
        3 => format!("LB.ALTER {board} LIMIT a voter {} minute", 2 + random.below(4)),
        4 => format!("LB.ALTER {board} LIMIT e voter {} day", 25 + random.below(20)),
        5 => format!("LB.ALTER {board} UNLIMIT e"),
        6 if board == "poll" => format!("LB.ALTER poll RETAIN {}", random.below(4)),
        6..10 => {
            format!("LB.MVOTE {board} {who} {} m{member} 1 m{}", 1 + random.below(3), random.below(6))
        }
        10 => format!("LB.ADD {board} 5 m{member}{id}{time}"),
        _ => format!("LB.VOTE {board} {} m{member} {who}", 1 + random.below(2)),
    }
}

/// Returns the reads of a voter's quotas.
fn quotas() -> Vec<String> {
    let ask = |board: &'static str| {
        (0..12).map(move |voter| format!("LB.QUOTA {board} BY v{voter} TAG ip i{} MEMBER m1", voter % 4))
    };
    let voters = [
        "LB.VOTERS poll",
        "LB.VOTERS poll VIEW minute:3",
        "LB.VOTERS poll VIEW minute:3 PERIOD -1",
        "LB.VOTERS poll VIEW minute:3 PERIOD -2 MEMBER m1",
        "LB.VOTERS some VIEW day",
        "LB.VOTERS live MEMBER m1",
    ];
    ["poll", "some"].into_iter().flat_map(ask).chain(voters.map(str::to_owned)).collect()
}

const LEAGUES: Mix = Mix {
    setup: "LB.LEAGUE.CREATE days TIERS a,b,c,d PROMOTE 2,25%,1,0 DEMOTE 0,1,30%,1 CYCLE day CLOCK EVENT GROUP 4 REWARD 2 RETAIN 3 IDLE 1 DEDUP 864000
    LB.LEAGUE.CREATE hours TIERS a,b,c PROMOTE 50%,50%,0 DEMOTE 0,50%,50% CYCLE hour CLOCK EVENT GROUP 3 RETAIN 0 JOINUNTIL 0.7
    LB.LEAGUE.CREATE short TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 1s RETAIN 1 GROUP 5 DEDUP 1
    LB.LEAGUE.CREATE live TIERS a,b,c PROMOTE 1,1,0 DEMOTE 0,1,1 CYCLE year GROUP 6 DECIMALS 1",
    keys: &["days", "hours", "short", "live"],
    request: play_league,
    reads: places,
    done: |reply| reply.ends_with(" 1]") || reply.contains("\"joined\" 1"),
    held: |reply| {
        ["ERR", "IDREUSED", "[nil"].iter().any(|begin| reply.starts_with(begin)) || reply.ends_with(" 0]")
    },
    least: [800, 100],
};

fn play_league(random: &mut Random, step: u64) -> String {
    let league = *random.pick(&["days", "hours", "short", "live"]);
    let at = 1_552_867_200_000 + step * 400_000
        - random.below(3) / 2 * random.below(9_000_000).min(step * 400_000);
    let at = if ["days", "hours"].contains(&league) { format!(" AT {at}") } else { String::new() };
    let (member, n) = (random.below(40), random.below(4));
    let id = if random.percent(30) { format!(" ID r{}", random.below(200)) } else { String::new() };
    match random.below(40) {
        0 => format!("LB.LEAGUE.REM {league} m{member}"),
        1 => format!("LB.LEAGUE.REM {league} m{member} m{} nobody", random.below(40)),
        2 => format!("LB.LEAGUE.TIER {league} m{member} {}", random.pick(&["a", "b", "c"])),
        3 => format!("LB.LEAGUE.SETMETA {league} m{member} text{n}"),
        4 => format!("LB.LEAGUE.SETMETA {league} m{member} <0>"),
        5 => format!("LB.LEAGUE.ALTER {league} GROUP {} REWARD {n}", 1 + random.below(7)),
        6 => format!("LB.LEAGUE.ALTER {league} IDLE {n} JOINUNTIL 0.{}", 5 + n),
        7 => format!("LB.LEAGUE.ALTER {league} RETAIN {n}"),
        8 => format!("LB.LEAGUE.ALTER {league} DEDUP {}", n * 30_000),
        9 => format!("LB.LEAGUE.ALTER days PROMOTE {n},1,10%,0 DEMOTE 0,1,{n},2"),
        10..15 => format!("LB.LEAGUE.JOIN {league} m{member} META text{n}{at}"),
        15..20 => format!("LB.LEAGUE.JOIN {league} m{member}{at}"),
        _ => format!("LB.LEAGUE.ADD {league} {} m{member}{id}{at}", random.below(9) as i64 - 2),
    }
}

/// Returns commands that read the leagues `days`, `hours` and `live`. The league `short` is left out, because its
/// periods end during the test.
fn places() -> Vec<String> {
    let mut lines = Vec::new();
    for league in ["days", "hours", "live"] {
        for period in ["0", "-1", "-2", "-3"] {
            let groups = (1..4).flat_map(|group| ["a", "b"].map(|tier| format!("{tier} {group}")));
            lines.extend(groups.map(|group| format!("LB.LEAGUE.GROUP {league} {group} PERIOD {period}")));
            lines.push(format!("LB.LEAGUE.STANDING {league} m7 PERIOD {period}"));
        }
    }
    lines
}

const COUNTERS: Mix = Mix {
    setup: "LB.COUNTER.CREATE seconds PRECISIONS 1,7,60 SAMPLES 50 CLOCK EVENT DEDUP 864000
    LB.COUNTER.CREATE hours PRECISIONS 3600,86400 SAMPLES 3 CLOCK EVENT DEDUP 1
    LB.COUNTER.CREATE short PRECISIONS 1,2 SAMPLES 1 DEDUP 1
    LB.COUNTER.INCR live",
    keys: &["seconds", "hours", "short", "live"],
    request: count,
    reads: counts,
    done: |reply| !is_refused(reply),
    held: is_refused,
    least: [1_500, 100],
};

fn is_refused(reply: &str) -> bool {
    ["ERR", "IDREUSED"].iter().any(|code| reply.starts_with(code))
}

fn count(random: &mut Random, step: u64) -> String {
    let key = *random.pick(&["seconds", "hours", "short", "live"]);
    let is_event = ["seconds", "hours"].contains(&key);
    let apart = if key == "hours" { 400_000 } else { 700 };
    let at = 1_552_867_200_000 + step * apart - random.below(3) / 2 * random.below(step * apart + 1);
    let at = match (is_event, random.below(5)) {
        (true, _) => format!(" AT {at}"),
        (false, 0) => " AT 1552867200000".to_owned(),
        (false, _) => String::new(),
    };
    let by = *random.pick(&["1", "0", "-3", "70000", "-70000", "5000000000", "4611686018427387904"]);
    let id = if random.percent(30) { format!(" ID r{}", random.below(200)) } else { String::new() };
    let n = random.below(9);
    match random.below(40) {
        0 => format!("LB.COUNTER.ALTER {key} SAMPLES {}", 1 + n * n),
        1 => format!("LB.COUNTER.ALTER {key} DEDUP {}", n * 30_000),
        2 => format!("LB.COUNTER.ALTER {key} PRECISIONS +{}", 2 + n),
        3 => format!("LB.COUNTER.ALTER {key} PRECISIONS -{}", 2 + n),
        4 => format!("LB.COUNTER.ALTER {key} PRECISIONS +{},-{} SAMPLES {}", 2 + n, 3 + n, 40 + n),
        5..10 => format!("LB.COUNTER.INCR {key}{id}{at}"),
        _ => format!("LB.COUNTER.INCR {key} BY {by}{id}{at}"),
    }
}

/// Returns the reads of counters, without the counters whose slices end during the test.
fn counts() -> Vec<String> {
    let all = [1, 2, 5, 7, 60, 3_600, 86_400].into_iter();
    all.flat_map(|s| ["seconds", "hours"].map(|key| format!("LB.COUNTER.GET {key} {s} FILL"))).collect()
}

fn digests(con: &mut Connection, mix: &Mix) -> Vec<(String, Vec<u8>)> {
    mix.keys.iter().map(|key| (digest(con, key), query(con, &["DUMP", key]))).collect()
}

fn seen(con: &mut Connection, mix: &Mix) -> Vec<String> {
    let lines: Vec<Words> = (mix.reads)().iter().map(|line| words(line)).collect();
    pipeline(con, &lines).iter().map(shown).collect()
}

fn holds_the_same(mix: &Mix) {
    for flavor in Flavor::all() {
        let preamble = if flavor == Flavor::Redis82 { "yes" } else { "no" };
        let aof = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
        let (mut primary, replica) = (aof.start(), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play_dated(&mut con, mix.setup);
        let mut random = Random::new(flavor as u64 + 11);
        let [mut done, mut held] = [0; 2];
        for round in 0..6 {
            let requests: Vec<Words> =
                (0..500).map(|step| words(&(mix.request)(&mut random, round * 500 + step))).collect();
            let replies: Vec<String> = pipeline(&mut con, &requests).iter().map(shown).collect();
            assert!(replies.iter().all(|reply| !reply.contains("inside the module")), "{replies:?}");
            done += replies.iter().filter(|reply| (mix.done)(reply)).count();
            held += replies.iter().filter(|reply| (mix.held)(reply)).count();
            // Reads change nothing, neither on the primary nor on the replica.
            let here = seen(&mut con, mix);
            wait_for_sync(&primary, &replica);
            assert_eq!(seen(&mut replica.connection(), mix), here, "{flavor:?}, round {round}");
            let same = digests(&mut replica.connection(), mix) == digests(&mut con, mix);
            assert!(same, "{flavor:?}, round {round}: other digests");
            match round {
                1 | 4 => drop(run(&mut con, &["DEBUG", "RELOAD"])),
                2 => bgrewriteaof_and_wait(&mut con),
                3 => drop(run(&mut replica.connection(), &["DEBUG", "RELOAD"])),
                _ => {}
            }
        }
        assert!(done > mix.least[0] && held > mix.least[1], "{done} done, {held} held back");
        let before = (digests(&mut con, mix), seen(&mut con, mix));
        primary.restart_nosave();
        let mut con = primary.connection();
        assert!((digests(&mut con, mix), seen(&mut con, mix)) == before, "{flavor:?}, from the file");
    }
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_votes() {
    holds_the_same(&VOTES);
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_requests_to_leagues() {
    holds_the_same(&LEAGUES);
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_requests_to_counters() {
    holds_the_same(&COUNTERS);
}

/// Writes to a primary, the replies of its replicas after they become primaries, and a key that must then be the same
/// on all servers.
struct Handover {
    steps: &'static str,
    rest: &'static str,
    key: &'static str,
}

const HANDOVERS: [Handover; 3] = [
    Handover {
        steps: r#"LB.CREATE poll CLOCK EVENT LIMIT r voter 5 day
        LB.VOTE poll 4 ann BY v ID one AT 1000 => [1 [[4 1 1]]]
        LB.VOTE poll 1 ann BY w AT 900 => [1 [[5 1 1]]]
        LB.CREATE live LIMIT r voter 5 all
        LB.VOTE live 4 ann BY v ID one => [1 [[4 1 1]]]
        LB.VOTE live 2 ann BY v => [0 "r" -1]"#,
        rest: r#"LB.QUOTA poll BY v => [["r" 4 5 86399000]]
        LB.VOTERS poll => 2
        LB.VOTE poll 4 ann BY v ID one AT 1000 => [1 [[5 1 0]]]
        LB.VOTE poll 2 ann BY v AT 2000 => [0 "r" 86398000]
        LB.VOTE poll 1 ann BY v AT 2000 => [1 [[6 1 1]]]
        LB.VOTE poll 1 ann BY v AT 2000 => [0 "r" 86398000]
        LB.VOTERS poll => 2
        LB.VOTE live 4 ann BY v ID one => [1 [[4 1 0]]]
        LB.VOTE live 2 ann BY v => [0 "r" -1]
        LB.VOTE live 1 ann BY v => [1 [[5 1 1]]]
        LB.VOTE live 1 ann BY v => [0 "r" -1]
        LB.VOTERS live => 1"#,
        key: "poll",
    },
    Handover {
        steps: r#"LB.LEAGUE.CREATE e TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT DEDUP 864000 REWARD 1
        LB.LEAGUE.ADD e 5 ann AT @2019-03-18T10:00 ID one
        LB.LEAGUE.ADD e 5 bob AT @2019-03-18T09:00
        LB.LEAGUE.TIER e cat b
        LB.LEAGUE.JOIN e dan META Dan AT @2019-03-18T10:00
        LB.LEAGUE.REM e dan
        LB.LEAGUE.CREATE live TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
        LB.LEAGUE.ADD live 4 ann ID one => [4 1 1]"#,
        rest: r#"LB.LEAGUE.ADD e 5 ann AT @2019-03-18T11:00 ID one => [5 2 0]
        LB.LEAGUE.ADD e 6 ann AT @2019-03-18T11:00 ID one => IDREUSED request id was used for a different write
        LB.LEAGUE.JOIN e bob AT @2019-03-19 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-18" place(a 1 1 2) "score" 5 "outcome" "promoted" "reward" 1]]
        LB.LEAGUE.JOIN e cat AT @2019-03-19 => [place(b 1 2 2) "joined" 1 "waiting" 0 "last" nil]
        LB.LEAGUE.JOIN e dan AT @2019-03-19 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" nil]
        LB.LEAGUE.TOP e dan => [[1 "dan" 0 nil]]
        LB.LEAGUE.ADD live 4 ann ID one => [4 1 0]
        LB.LEAGUE.ADD live 4 ann ID two => [8 1 1]"#,
        key: "e",
    },
    Handover {
        steps: "LB.COUNTER.CREATE e PRECISIONS 1,60 CLOCK EVENT DEDUP 864000
        LB.COUNTER.INCR e BY 5 ID one AT 61000
        LB.COUNTER.INCR e BY 2 AT 60000
        LB.COUNTER.ALTER e SAMPLES 90
        LB.COUNTER.INCR live BY 4 ID one => 4",
        rest: "LB.COUNTER.INCR e BY 5 ID one AT 90000 => 7
        LB.COUNTER.INCR e BY 6 ID one AT 90000 => IDREUSED request id was used for a different write
        LB.COUNTER.INCR e BY 6 ID two AT 61500 => 13
        LB.COUNTER.GET e 1 => [[60000 2] [61000 11]]
        LB.COUNTER.INCR live BY 4 ID one => 4
        LB.COUNTER.INCR live BY 4 ID two => 8",
        key: "e",
    },
];

#[test]
fn a_promoted_replica_goes_on_with_all_that_a_value_remembers() {
    for flavor in Flavor::all() {
        for Handover { steps, rest, key } in &HANDOVERS {
            let [primary, by_stream, by_sync] = [(); 3].map(|()| Server::start(flavor));
            by_stream.replica_of(&primary);
            wait_for_sync(&primary, &by_stream);
            leagues::play(&mut primary.connection(), steps);
            by_sync.replica_of(&primary);
            for replica in [&by_stream, &by_sync] {
                wait_for_sync(&primary, replica);
                let mut con = replica.connection();
                for line in ["LB.VOTE poll 1 ann", "LB.LEAGUE.JOIN e bob", "LB.COUNTER.INCR e"] {
                    assert!(say(&mut con, line).starts_with("READONLY"), "{flavor:?}: {line}");
                }
                run(&mut con, &["REPLICAOF", "NO", "ONE"]);
                leagues::play(&mut con, rest);
            }
            leagues::play(&mut primary.connection(), rest);
            let whole = digest(&mut primary.connection(), key);
            let there = [&by_stream, &by_sync].map(|server| digest(&mut server.connection(), key));
            assert_eq!(there, [&whole[..]; 2], "{flavor:?}");
        }
    }
}
