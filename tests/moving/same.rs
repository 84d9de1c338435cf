//! Compares LB.IMPORT with its definition: one LB.MADD of the same members in the documented order, at the same
//! moment.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Words, query, run, words};
use redis::Connection;

use super::scores::{Random, shown, units_of};
use super::{
    Scored, all_well, dump, fitting, in_each_server, lines, made, make_zset, plays_everywhere, zset,
};
use crate::periods::dated;

const VIEWS: [&str; 4] = ["all", "all,day,day:3", "day:7,all,week", "hour,day:2,month,all"];
/// A day in ms, and the first moment of the tests.
const DAY: u64 = 86_400_000;
const BEGIN: u64 = 1_552_867_200_000;

/// The rules of a board.
struct Rules {
    order: &'static str,
    ties: &'static str,
    decimals: usize,
    views: &'static str,
    create: String,
}

fn rules(random: &mut Random) -> Rules {
    let order = *random.pick(&["DESC", "ASC"]);
    let ties = *random.pick(&["FIRST", "FIRST", "LAST", "LEX", "REVLEX"]);
    let aggregate = *random.pick(&["SUM", "SUM", "SUM", "MAX", "MIN", "LAST"]);
    let decimals = *random.pick(&[0, 2, 9]);
    let views = *random.pick(&VIEWS);
    let shown = if aggregate == "SUM" && random.percent(30) { "SHOWN" } else { "" };
    let create = format!(
        "VIEWS {views} ORDER {order} TIES {ties} AGGREGATE {aggregate} DECIMALS {decimals} CLOCK EVENT RETAIN 3 {shown}"
    );
    Rules { order, ties, decimals, views, create }
}

/// Returns the members in the order in which LB.IMPORT applies them, as its documentation defines.
fn in_order(con: &mut Connection, rules: &Rules) -> Scored {
    let best_first = if rules.order == "DESC" { "ZREVRANGE" } else { "ZRANGE" };
    let mut members = zset(con, best_first, "zset");
    if rules.ties == "LAST" {
        members.reverse();
    }
    members
}

fn madd(key: &str, at: u64, members: &[(Vec<u8>, f64)], decimals: usize) -> Words {
    let mut command = words(&["LB.MADD", key, "AT", &at.to_string()]);
    for (member, score) in members {
        let units = units_of(*score, decimals).expect("a score that fits");
        command.extend([shown(units, decimals).into_bytes(), member.clone()]);
    }
    command
}

/// Compares everything that can be read of the two boards, and their bytes.
#[track_caller]
fn equal(con: &mut Connection, views: &str, what: &str) {
    for view in views.split(',') {
        for period in ["0", "-1"] {
            let [board, twin] =
                ["board", "twin"].map(|key| lines(con, key, &["VIEW", view, "PERIOD", period]));
            assert!(board == twin, "{what}: {view}, period {period}:\n{board:?}\n{twin:?}");
        }
    }
    let [board, twin] = ["board", "twin"].map(|key| dump(con, key));
    assert!(board == twin, "{what}: other bytes");
}

/// Makes a sorted set of random members. Returns the moment of its import, which is often late or in a later period.
fn batch(random: &mut Random, con: &mut Connection, rules: &Rules, now: u64) -> u64 {
    let count = *random.pick(&[1, 5, 60, 300]);
    // Large scores are replaced, so that sums stay in range.
    let mut members = fitting(random, count, rules.decimals);
    members.iter_mut().for_each(|(_, score)| {
        if score.abs() > 1e8 {
            *score = (random.below(4) as f64) / 10_f64.powi(rules.decimals as i32);
        }
    });
    make_zset(con, "zset", &members);
    match random.below(4) {
        0 => now.saturating_sub(random.below(4 * DAY)),
        1 => now,
        _ => now + random.below(2 * DAY),
    }
}

fn write_both(con: &mut Connection, now: u64, pairs: &str) {
    for key in ["board", "twin"] {
        play(con, &format!("LB.MADD {key} AT {now} {pairs}"));
    }
}

/// Runs rounds of an import and a write on a board and its twin.
fn rounds(con: &mut Connection, random: &mut Random) {
    let rules = rules(random);
    for key in ["board", "twin"] {
        made(con, &format!("LB.CREATE {key} {}", rules.create));
    }
    let mut now = BEGIN;
    for round in 0..5 {
        let at = batch(random, con, &rules, now);
        now = now.max(at);
        let mut members = in_order(con, &rules);
        let how = if round > 0 && random.percent(30) { "NX" } else { "MERGE" };
        if how == "NX" {
            // The members that count as existing are those at the moment of the write.
            write_both(con, now, "0 clock");
            let known: Vec<_> =
                rules.views.split(',').flat_map(|view| lines(con, "twin", &["VIEW", view])).collect();
            members.retain(|(member, _)| known.iter().all(|(known, _)| known != member));
        }
        let imported: usize = query(con, &["LB.IMPORT", "board", "zset", how, "AT", &at.to_string()]);
        assert_eq!(imported, members.len());
        if !members.is_empty() {
            all_well(con, &[madd("twin", at, &members, rules.decimals)]);
        }
        equal(con, rules.views, &format!("{}: round {round}, {how}", rules.create));
        write_both(con, now, "1 one 2 1");
    }
    run(con, &["DEL", "board", "twin"]);
}

#[test]
fn an_import_is_an_madd_of_the_members_in_their_order() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 21);
        for _ in 0..12 {
            rounds(&mut con, &mut random);
        }
    });
}

/// Four days with one sorted set each, as many rolling leaderboards are built today.
const DAYS: &str = "ZADD game:2019-03-18 5 ann 5 bob 3 cat
    ZADD game:2019-03-19 5 bob 5 ann 1 dan
    ZADD game:2019-03-20 2 cat 2 ann 2 eve
    ZADD game:2019-03-21 7 dan 4 bob 4 eve";

const IMPORTS: &str = "LB.IMPORT board game:2019-03-18 AT @2019-03-18T12:00 => 3
    LB.IMPORT board game:2019-03-19 AT @2019-03-19T12:00 MERGE => 3
    LB.IMPORT board game:2019-03-20 AT @2019-03-20T12:00 MERGE => 3
    LB.IMPORT board game:2019-03-21 AT @2019-03-21T12:00 MERGE => 3";

/// The same points as single commands.
const ADDS: &str = "LB.ADD twin 5 bob AT @2019-03-18T12:00
    LB.ADD twin 5 ann AT @2019-03-18T12:00
    LB.ADD twin 3 cat AT @2019-03-18T12:00
    LB.ADD twin 5 bob AT @2019-03-19T12:00
    LB.ADD twin 5 ann AT @2019-03-19T12:00
    LB.ADD twin 1 dan AT @2019-03-19T12:00
    LB.ADD twin 2 eve AT @2019-03-20T12:00
    LB.ADD twin 2 cat AT @2019-03-20T12:00
    LB.ADD twin 2 ann AT @2019-03-20T12:00
    LB.ADD twin 7 dan AT @2019-03-21T12:00
    LB.ADD twin 4 eve AT @2019-03-21T12:00
    LB.ADD twin 4 bob AT @2019-03-21T12:00";

const VIEWS_OF_DAYS: &str = "day:7,day:2,day,all";

#[test]
fn day_keys_become_a_rolling_board() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, DAYS);
        for key in ["board", "twin"] {
            made(&mut con, &format!("LB.CREATE {key} VIEWS {VIEWS_OF_DAYS} CLOCK EVENT RETAIN 5"));
        }
        play(&mut con, &dated(IMPORTS));
        play(&mut con, &dated(ADDS));
        play(
            &mut con,
            r#"LB.TOP board 9 => [[1 "bob" 14] [2 "ann" 12] [3 "dan" 8] [4 "eve" 6] [5 "cat" 5]]
               LB.TOP board 2 VIEW day:2 PERIOD -1 => [[1 "ann" 7] [2 "bob" 5]]
               LB.TOP board 9 VIEW day PERIOD 2019-03-20 => [[1 "eve" 2] [2 "cat" 2] [3 "ann" 2]]"#,
        );
        equal(&mut con, VIEWS_OF_DAYS, "four days");
        for line in ["LB.ADD board 0 fay AT @2019-03-26", "LB.ADD twin 0 fay AT @2019-03-26"] {
            play(&mut con, &dated(line));
        }
        equal(&mut con, VIEWS_OF_DAYS, "days later");
    });
}

#[test]
fn days_that_come_late_count_in_the_windows_that_take_them_in() {
    plays_everywhere(&format!(
        r#"{DAYS}
        LB.CREATE board VIEWS day:3,all,day CLOCK EVENT RETAIN 5
        LB.IMPORT board game:2019-03-21 AT @2019-03-21T12:00 => 3
        LB.IMPORT board game:2019-03-18 AT @2019-03-18T12:00 MERGE => 3
        LB.IMPORT board game:2019-03-20 AT @2019-03-20T12:00 MERGE => 3
        LB.TOP board 9 => [[1 "dan" 7] [2 "eve" 6] [3 "bob" 4] [4 "cat" 2] [5 "ann" 2]]
        LB.TOP board 9 VIEW all => [[1 "bob" 9] [2 "ann" 7] [3 "dan" 7] [4 "eve" 6] [5 "cat" 5]]
        LB.TOP board 9 VIEW day => [[1 "dan" 7] [2 "eve" 4] [3 "bob" 4]]
        LB.TOP board 9 VIEW day PERIOD 2019-03-20 => []
        LB.TOP board 9 PERIOD -1 => []"#
    ));
}

#[test]
fn a_live_board_takes_the_days_before_today() {
    in_each_server(|server| {
        let mut con = server.connection();
        let [now, _]: [u64; 2] = query(&mut con, &["TIME"]);
        play(
            &mut con,
            "ZADD today 1 ann
             ZADD yesterday 5 bob 5 ann
             ZADD before 9 cat
             LB.CREATE board VIEWS day:7,all,day
             LB.IMPORT board today => 1",
        );
        let ago = |days| format!("{}", now * 1000 - days * DAY);
        play(&mut con, &format!("LB.IMPORT board yesterday MERGE AT {} => 2", ago(1)));
        play(&mut con, &format!("LB.IMPORT board before MERGE AT {} => 1", ago(9)));
        play(
            &mut con,
            r#"LB.TOP board 9 => [[1 "ann" 6] [2 "bob" 5]]
               LB.TOP board 9 VIEW all => [[1 "cat" 9] [2 "ann" 6] [3 "bob" 5]]
               LB.TOP board 9 VIEW day => [[1 "ann" 1]]"#,
        );
    });
}
