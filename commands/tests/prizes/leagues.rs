//! Prizes of leagues.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};

use super::{DAY, Servers, shown};

/// A league of days on a clock of events: a1 to a5 in groups of three of the tier `low`, with 10 to 50 points, and `top`
/// alone in the tier `high`.
fn league(rules: &str) -> Servers {
    let servers = Servers::new(0);
    let rules = format!("TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE day GROUP 3 CLOCK EVENT {rules}");
    servers.says(&format!("LB.LEAGUE.CREATE b {}", rules.trim_end()), "OK");
    servers.says("LB.LEAGUE.TIER b top high", "OK");
    for number in 1..=5_u64 {
        servers.run(&format!("LB.LEAGUE.ADD b {} a{number} AT {number}", number * 10));
    }
    servers.run("LB.LEAGUE.ADD b 7 top AT 9");
    servers
}

const TABLES: &str = "PRIZES low 1=gold,1-100%=badge PRIZES high 1=cup";

#[test]
fn each_group_has_winners() {
    let servers = league(TABLES);
    servers.says("LB.LEAGUE.PRIZES b 0", "[0 []]");
    servers.says("LB.LEAGUE.CLAIM b a3", "nil");
    let would = "[low 1 1 a3 30 gold nil] [low 1 2 a2 20 badge nil] [low 1 3 a1 10 badge nil] [low 2 1 a5 50 gold nil] \
                 [low 2 2 a4 40 badge nil] [high 1 1 top 7 cup nil]";
    servers.says("LB.LEAGUE.PRIZES b 0 PERIOD 0", &format!("[0 [{would}]]"));
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {DAY}"));
    servers.says("LB.LEAGUE.PRIZES b 0", &format!("[0 [{would}]]"));
    let (mut cursor, mut pages) = ("0".to_owned(), Vec::new());
    loop {
        let page = servers.run(&format!("LB.LEAGUE.PRIZES b {cursor} COUNT 2"));
        let (next, rows) = page[1..page.len() - 1].split_once(' ').unwrap();
        pages.push(rows[1..rows.len() - 1].to_owned());
        cursor = next.to_owned();
        // The winners of a tier are fixed between two pages.
        if pages.len() == 1 {
            servers.says("LB.LEAGUE.CLAIM b a4 ID x", "[badge 2 1]");
        }
        if cursor == "0" {
            break;
        }
    }
    assert_eq!(pages.join(" "), would.replace("a4 40 badge nil", &format!("a4 40 badge {DAY}")));
    servers.says("LB.LEAGUE.CLAIM b a4 ID x", "[badge 2 1]");
    servers.says("LB.LEAGUE.CLAIM b a4", "[badge 2 0]");
    servers.says("LB.LEAGUE.CLAIM b a5 ID x", "IDREUSED request id was used for a different write");
    servers.says("LB.LEAGUE.CLAIM b new", "nil");
    servers.says("LB.LEAGUE.CLAIM b top PERIOD 1970-01-01", "[cup 1 1]");
    servers.says("LB.LEAGUE.PRIZES b 0 UNCLAIMED COUNT 1", "[1 [[low 1 1 a3 30 gold nil]]]");
    let info = servers.run("LB.LEAGUE.INFO b");
    assert!(info.contains("prizes [low 1=gold,1-100%=badge high 1=cup]]"), "{info}");
}

#[test]
fn a_page_has_at_most_1000_winners() {
    let server = PlainServer::new(Settings { protocol: Protocol::Resp2, ..Settings::default() });
    let run = |line: &str| shown(&mut &*server.run(&line.split(' ').collect::<Vec<_>>()));
    run(
        "LB.LEAGUE.CREATE b TIERS one PROMOTE 0 DEMOTE 0 CYCLE day GROUP 5000 CLOCK EVENT PRIZES one 1-100%=badge",
    );
    (1..=1_500).for_each(|number| _ = run(&format!("LB.LEAGUE.ADD b {number} m{number} AT 1")));
    let pages = |period: &str| {
        let first = run(&format!("LB.LEAGUE.PRIZES b 0 COUNT 1000000 {period}"));
        let (cursor, rows) = first[1..].split_once(' ').unwrap();
        let second = run(&format!("LB.LEAGUE.PRIZES b {cursor} COUNT 1000000 {period}"));
        assert!(second.starts_with("[0 [[one 1 1001 m500 500 badge nil]"), "{second}");
        (rows.matches("badge").count(), second.matches("badge").count())
    };
    assert_eq!(pages("PERIOD 0"), (1_000, 500));
    run(&format!("LB.LEAGUE.ADD b 1 m1 AT {DAY}"));
    assert_eq!(pages("PERIOD -1"), (1_000, 500));
    assert_eq!(run("LB.LEAGUE.CLAIM b m1500"), "[badge 1 1]");
    assert_eq!(pages("PERIOD -1"), (1_000, 500));
}

#[test]
fn removed_members_win_nothing() {
    let servers = league(TABLES);
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {DAY}"));
    servers.says("LB.LEAGUE.REM b a3", "1");
    servers.says("LB.LEAGUE.CLAIM b a3", "nil");
    servers.says("LB.LEAGUE.CLAIM b a2", "[gold 1 1]");
    servers.says("LB.LEAGUE.REM b a1 top", "2");
    servers.says("LB.LEAGUE.CLAIM b a1", "nil");
    servers.says(
        "LB.LEAGUE.PRIZES b 0",
        &format!("[0 [[low 1 1 a2 20 gold {DAY}] [low 2 1 a5 50 gold nil] [low 2 2 a4 40 badge nil]]]"),
    );
}

#[test]
fn winners_stay_beyond_retain() {
    let servers = league("PRIZES low 1=gold RETAIN 0 PRIZEDAYS 3");
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {}", 2 * DAY));
    servers.says("LB.LEAGUE.TOP b a3 PERIOD -2", "[]");
    let winners = "[low 1 1 a3 30 gold nil] [low 2 1 a5 50 gold nil]";
    servers.says("LB.LEAGUE.PRIZES b 0 PERIOD -2", &format!("[0 [{winners}]]"));
    servers.says("LB.LEAGUE.ALTER b PRIZES low 1=other", "OK");
    servers.says("LB.LEAGUE.CLAIM b a3 PERIOD 1970-01-01", "[gold 1 1]");
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {}", 4 * DAY - 1));
    servers.says("LB.LEAGUE.PRIZES b 0 PERIOD 1970-01-01 UNCLAIMED", "[0 [[low 2 1 a5 50 gold nil]]]");
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {}", 4 * DAY));
    servers.says("LB.LEAGUE.CLAIM b a5 PERIOD 1970-01-01", "nil");
    // It was promoted since.
    servers.says("LB.LEAGUE.CLAIM b new", "nil");
    servers.says("LB.LEAGUE.CLAIM b new PERIOD 1970-01-03", "[other 1 1]");
}

#[test]
fn rows_have_zones_and_periods_have_sizes() {
    let servers = league("");
    servers
        .says("LB.LEAGUE.TOP b a1 WITHZONE", "[[1 a3 30 nil promote] [2 a2 20 nil stay] [3 a1 10 nil stay]]");
    servers.run(&format!("LB.LEAGUE.ADD b 1 new AT {DAY}"));
    servers.says("LB.LEAGUE.GROUP b high 1 WITHZONE PERIOD -1", "[[1 top 7 nil demote]]");
    let info = servers.run("LB.LEAGUE.INFO b PERIOD -1");
    assert!(info.contains(" period 1970-01-01 ") && info.contains("members [5 1] groups [2 1]"), "{info}");
    let info = servers.run("LB.LEAGUE.INFO b PERIOD 0");
    assert!(info.contains(" period 1970-01-02 ") && info.contains("members [1 0] groups [1 0]"), "{info}");
    let info = servers.run("LB.LEAGUE.INFO b PERIOD -2");
    assert!(info.contains(" period  ") && info.contains("members [0 0]"), "{info}");
}

#[test]
fn a_clock_that_is_put_right_pays_nobody_else() {
    let mut servers = Servers::new(10 * DAY);
    servers.says("LB.LEAGUE.CREATE b TIERS a PROMOTE 0 DEMOTE 0 CYCLE day PRIZES a 1=gold", "OK");
    servers.run("LB.LEAGUE.ADD b 5 ann");
    servers.set_clock(11 * DAY);
    servers.says("LB.LEAGUE.CLAIM b ann ID x", "[gold 1 1]");
    servers.set_clock(10 * DAY + 5);
    servers.says("LB.LEAGUE.ADD b 9 bob", "[9 1 1]");
    servers.set_clock(11 * DAY + 5);
    servers.says("LB.LEAGUE.CLAIM b bob", "nil");
    servers.says("LB.LEAGUE.CLAIM b ann ID x", "[gold 1 1]");
}

#[test]
fn tables_that_cannot_be() {
    let servers = league("");
    for (line, error) in [
        ("PRIZES none 1=a", "tier"),
        ("PRIZES low 1=a PRIZES low 2=b", "PRIZES names 'low' twice"),
        ("PRIZES low x=a", "place"),
        ("PRIZEDAYS 0", "PRIZEDAYS is out of range"),
    ] {
        let reply = servers.run(&format!("LB.LEAGUE.ALTER b {line}"));
        assert!(reply.starts_with("ERR ") && reply.contains(error), "{line}: {reply}");
    }
}
