//! Tests of LB.EXPORT: the exported scores and members, and the key that it replaces.

use leaderboard_testkit::session::{self, play, say};
use leaderboard_testkit::{Flavor, Server, Words, info, query, run, wait_until, words};
use redis::Connection;

use super::scores::{Random, read, shown};
use super::{
    Scored, all_well, dump, exists, fitting, in_each_server, lines, made, make_zset, names, plays_everywhere,
    refuses, some_names, zset,
};

/// Makes a board of these scores, which are given in smallest units.
fn make_board(con: &mut Connection, key: &str, create: &str, decimals: usize, members: &[(Vec<u8>, i64)]) {
    run(con, &["DEL", key]);
    made(con, &format!("LB.CREATE {key} {create} DECIMALS {decimals} CLOCK EVENT"));
    let batches = members.chunks(500).map(|part| {
        let mut command = words(&["LB.MADD", key, "AT", "1000"]);
        for (member, units) in part {
            command.extend([shown(*units, decimals).into_bytes(), member.clone()]);
        }
        command
    });
    all_well(con, &batches.collect::<Vec<_>>());
}

/// Returns the double that is nearest to a decimal number, because parsing rounds correctly.
fn nearest(units: i64, decimals: usize) -> f64 {
    shown(units, decimals).parse().expect("a number")
}

/// Returns random units of all sizes, with `most` as the maximum.
fn units(random: &mut Random, most: i64) -> i64 {
    let size = random.below(64);
    let units = ((random.bits() >> size) as i64).checked_abs().unwrap_or(0).min(most);
    if random.percent(40) { -units } else { units }
}

#[test]
fn scores_are_the_nearest_doubles() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(41);
        for decimals in 0..=9 {
            let edges = [
                0,
                1,
                -1,
                i64::MAX,
                -i64::MAX,
                i64::MAX - 1,
                1 << 53,
                (1 << 53) + 1,
                (1 << 60) + 127,
                1_000_000_007,
            ];
            let all: Vec<i64> =
                edges.into_iter().chain((0..150).map(|_| units(&mut random, i64::MAX))).collect();
            let members: Vec<_> =
                all.iter().enumerate().map(|(n, units)| (format!("m{n}").into_bytes(), *units)).collect();
            make_board(&mut con, "board", "", decimals, &members);
            assert_eq!(query::<usize, _>(&mut con, &["LB.EXPORT", "dest", "board"]), members.len());
            let mut exported = zset(&mut con, "ZRANGE", "dest");
            exported.sort_by(|a, b| a.0.cmp(&b.0));
            let mut expected: Scored =
                members.into_iter().map(|(member, units)| (member, nearest(units, decimals))).collect();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(exported, expected, "{decimals} decimals");
        }
    });
}

#[test]
fn a_zset_that_was_imported_comes_back() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 51);
        for size in [1, 100, 500] {
            for decimals in [0, 1, 4, 9] {
                let members = fitting(&mut random, size, decimals);
                make_zset(&mut con, "zset", &members);
                let create =
                    *random.pick(&["", "ORDER ASC", "TIES LEX", "ORDER ASC TIES LAST VIEWS day,all"]);
                run(&mut con, &["DEL", "board"]);
                made(&mut con, &format!("LB.CREATE board DECIMALS {decimals} {create}"));
                run(&mut con, &["LB.IMPORT", "board", "zset"]);
                assert_eq!(query::<usize, _>(&mut con, &["LB.EXPORT", "dest", "board"]), members.len());
                let [before, after] = ["zset", "dest"].map(|key| zset(&mut con, "ZRANGE", key));
                assert!(before == after, "{create} {decimals} decimals:\n{before:?}\n{after:?}");
            }
        }
    });
}

#[test]
fn a_board_that_was_exported_comes_back() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 61);
        for (decimals, most) in [(0, 1 << 53), (2, 1_000_000_000_000_000), (9, 1_000_000_000_000_000)] {
            for (order, ties) in [("DESC", "FIRST"), ("ASC", "LAST"), ("DESC", "LEX"), ("ASC", "REVLEX")] {
                let create = format!("ORDER {order} TIES {ties}");
                let near: Vec<i64> = (0..40).map(|_| units(&mut random, most)).collect();
                let mut members: Vec<(Vec<u8>, i64)> = some_names(&mut random, 120)
                    .into_iter()
                    .map(|name| (name, *random.pick(&near)))
                    .collect();
                // Members with equal scores, in the order of a sorted set.
                members.sort();
                if (order, ties) == ("DESC", "FIRST") || (order, ties) == ("ASC", "LAST") {
                    members.reverse();
                }
                make_board(&mut con, "board", &create, decimals, &members);
                run(&mut con, &["LB.EXPORT", "dest", "board"]);
                run(&mut con, &["DEL", "again"]);
                made(&mut con, &format!("LB.CREATE again {create} DECIMALS {decimals} CLOCK EVENT"));
                run(&mut con, &["LB.IMPORT", "again", "dest", "AT", "1000"]);
                let [before, after] = ["board", "again"].map(|key| lines(&mut con, key, &[]));
                assert!(before == after, "{create} {decimals} decimals:\n{before:?}\n{after:?}");
            }
        }
    });
}

#[test]
fn the_best_so_many_are_exported() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(71);
        let members: Vec<_> =
            some_names(&mut random, 60).into_iter().map(|name| (name, random.below(9) as i64 - 4)).collect();
        for create in ["ORDER DESC", "ORDER ASC", "TIES LAST", "ORDER ASC TIES LEX"] {
            make_board(&mut con, "board", create, 1, &members);
            let all = lines(&mut con, "board", &[]);
            for count in [1, 2, 7, 59, 60, 61, 1_000_000] {
                let wanted = &all[..count.min(all.len())];
                let count = count.to_string();
                let command = ["LB.EXPORT", "dest", "board", "COUNT", &count];
                assert_eq!(query::<usize, _>(&mut con, &command), wanted.len());
                let mut exported: Vec<_> = zset(&mut con, "ZRANGE", "dest")
                    .into_iter()
                    .map(|(member, score)| (member, (score * 10.0) as i64))
                    .collect();
                exported.sort();
                let mut wanted: Vec<_> =
                    wanted.iter().map(|(member, text)| (member.clone(), read(text, 1))).collect();
                wanted.sort();
                assert_eq!(exported, wanted, "{create}, {count}");
            }
        }
    });
}

#[test]
fn views_and_periods_are_exported_as_they_are_read() {
    plays_everywhere(
        r#"LB.CREATE board VIEWS day,all,day:2 CLOCK EVENT RETAIN 2 DECIMALS 1
           LB.MADD board AT @2019-03-18T10:00 5 ann 4.5 bob
           LB.MADD board AT @2019-03-19T10:00 1 bob 2 cat
           LB.MADD board AT @2019-03-20T10:00 -1.5 dan
           LB.EXPORT dest board => 1
           ZRANGE dest 0 -1 WITHSCORES => ["dan" "-1.5"]
           LB.EXPORT dest board VIEW all => 4
           ZRANGE dest 0 -1 WITHSCORES => ["dan" "-1.5" "cat" "2" "ann" "5" "bob" "5.5"]
           LB.EXPORT dest board VIEW all COUNT 2 => 2
           ZRANGE dest 0 -1 WITHSCORES => ["ann" "5" "bob" "5.5"]
           LB.EXPORT dest board VIEW day:2 PERIOD -1 => 3
           ZRANGE dest 0 -1 WITHSCORES => ["cat" "2" "ann" "5" "bob" "5.5"]
           LB.EXPORT dest board PERIOD 2019-03-18 => 2
           ZRANGE dest 0 -1 WITHSCORES => ["bob" "4.5" "ann" "5"]
           LB.EXPORT dest board AT @2019-03-19T23:59 count 1 view DAY => 1
           ZRANGE dest 0 -1 WITHSCORES => ["cat" "2"]
           LB.EXPORT dest board AT @2019-03-20 => 1
           ZRANGE dest 0 -1 WITHSCORES => ["dan" "-1.5"]"#,
    );
}

#[test]
fn real_votes_are_exported_on_demand() {
    plays_everywhere(
        r#"LB.CREATE poll CLOCK EVENT SHOWN
           LB.OPTION poll ann WEIGHT 3
           LB.OPTION poll cat INITIAL 10
           LB.VOTE poll 2 ann AT 1000
           LB.VOTE poll 4 bob AT 2000
           LB.EXPORT dest poll => 3
           ZRANGE dest 0 -1 WITHSCORES => ["bob" "4" "ann" "6" "cat" "10"]
           LB.EXPORT dest poll REAL => 2
           ZRANGE dest 0 -1 WITHSCORES => ["ann" "2" "bob" "4"]
           LB.EXPORT dest poll REAL COUNT 1 VIEW all => 1
           ZRANGE dest 0 -1 WITHSCORES => ["bob" "4"]"#,
    );
}

/// Commands that make a key of each type.
const OTHERS: [&str; 8] = [
    "SET dest value",
    "RPUSH dest a",
    "HSET dest a 1",
    "SADD dest a",
    "ZADD dest 1 a 2 ann",
    "XADD dest 1-1 a 1",
    "LB.ADD dest 5 ann",
    "LB.LEAGUE.CREATE dest TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
];

#[test]
fn what_was_there_is_replaced_whatever_it_is() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.MADD board AT 1000 5 ann 6 bob\nLB.CREATE empty");
        for other in OTHERS {
            play(&mut con, "DEL dest");
            run(&mut con, &session::words(other));
            play(
                &mut con,
                r#"EXPIRE dest 1000 => 1
                   LB.EXPORT dest board => 2
                   TYPE dest => zset
                   TTL dest => -1
                   ZRANGE dest 0 -1 WITHSCORES => ["ann" "5" "bob" "6"]
                   DEL dest"#,
            );
            run(&mut con, &session::words(other));
            play(&mut con, "LB.EXPORT dest empty => 0\nEXISTS dest => 0");
        }
        play(&mut con, "LB.COUNT board => 2");
        wait_until(|| info(&mut con, "leaderboard", "leaderboard_boards") == "2");
    });
}

#[test]
fn with_nothing_to_store_the_key_goes() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            &crate::periods::dated(
                "LB.CREATE board VIEWS day,all CLOCK EVENT
                 LB.ADD board 5 ann AT @2019-03-18
                 LB.CREATE empty
                 LB.ADD left 5 ann
                 LB.REM left ann
                 LB.SETMETA text ann x",
            ),
        );
        for line in [
            "LB.EXPORT dest absent",
            "LB.EXPORT dest absent VIEW day COUNT 5",
            "LB.EXPORT dest empty",
            "LB.EXPORT dest left",
            "LB.EXPORT dest text REAL",
            "LB.EXPORT dest board PERIOD -1",
            "LB.EXPORT dest board PERIOD 2018-01-01",
            "LB.EXPORT dest board PERIOD -1 VIEW all",
            "LB.EXPORT dest board AT 0",
        ] {
            for there in ["ZADD dest 5 ann", "SET dest value", "DEL dest"] {
                play(&mut con, there);
                play(&mut con, &format!("{line} => 0\nEXISTS dest => 0"));
            }
        }
        play(&mut con, "LB.COUNT board => 1");
    });
}

#[test]
fn errors_leave_the_key_alone() {
    const WRONG: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "ZADD dest 5 ann
             LB.CREATE board VIEWS day,all CLOCK EVENT
             LB.ADD board 5 ann AT 1000
             SET text value
             RPUSH list a
             ZADD zset 5 ann
             LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
        );
        let keys = ["dest", "board", "text", "list", "zset", "league", "absent"];
        for (line, error) in [
            ("LB.EXPORT board board", "ERR dest must be another key than key"),
            ("LB.EXPORT board board COUNT 1 VIEW all", "ERR dest must be another key than key"),
            ("LB.EXPORT dest text", WRONG),
            ("LB.EXPORT dest list COUNT 1", WRONG),
            ("LB.EXPORT dest zset", WRONG),
            ("LB.EXPORT dest league", WRONG),
            ("LB.EXPORT absent zset", WRONG),
            ("LB.EXPORT dest board VIEW week", "ERR VIEW 'week' is not a view of this board"),
            ("LB.EXPORT dest board VIEW nonsense", "ERR VIEW 'nonsense' is not a view of this board"),
            ("LB.EXPORT absent board VIEW week", "ERR VIEW 'week' is not a view of this board"),
            ("LB.EXPORT dest board COUNT -1", "ERR COUNT is out of range"),
            ("LB.EXPORT dest board COUNT many", "ERR COUNT is not a whole number"),
            ("LB.EXPORT dest board COUNT 1.5", "ERR COUNT is not a whole number"),
            ("LB.EXPORT dest board COUNT 9223372036854775808", "ERR COUNT is out of range"),
            ("LB.EXPORT dest board COUNT", "ERR option COUNT needs a value"),
            ("LB.EXPORT dest board COUNT 1 COUNT 1", "ERR option COUNT is given twice"),
            ("LB.EXPORT dest board REAL REAL", "ERR option REAL is given twice"),
            ("LB.EXPORT dest board PERIOD 0 AT 5", "ERR options PERIOD and AT exclude each other"),
            ("LB.EXPORT dest board AT 5 PERIOD 0", "ERR options PERIOD and AT exclude each other"),
            ("LB.EXPORT dest board FOO", "ERR unknown option 'FOO'"),
            ("LB.EXPORT dest board WITHMETA", "ERR unknown option 'WITHMETA'"),
            ("LB.EXPORT dest board NX", "ERR unknown option 'NX'"),
            ("LB.EXPORT dest", "ERR wrong number of arguments for 'LB.EXPORT' command"),
        ] {
            refuses(&mut con, &keys, &session::words(line), error);
        }
        for (period, error) in
            [("01", "PERIOD"), ("yesterday", "PERIOD"), ("2019-W12", "PERIOD"), ("<0>", "PERIOD")]
        {
            let line = format!("LB.TOP board 5 PERIOD {period}");
            let read = say(&mut con, &line);
            assert!(read.contains(error), "{line}: {read}");
            let export = session::words(&format!("LB.EXPORT dest board PERIOD {period}"));
            refuses(&mut con, &keys, &export, &read);
        }
    });
}

#[test]
fn names_of_any_bytes_are_exported() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(81);
        let mut all: Words = some_names(&mut random, 200);
        all.extend([vec![0xff; 512], vec![0]]);
        let members: Vec<_> = all.into_iter().map(|name| (name, 1)).collect();
        make_board(&mut con, "board", "", 0, &members);
        run(&mut con, &["LB.EXPORT", "dest", "board"]);
        let mut exported: Words = zset(&mut con, "ZRANGE", "dest").into_iter().map(|pair| pair.0).collect();
        let mut members: Words = members.into_iter().map(|pair| pair.0).collect();
        exported.sort();
        members.sort();
        assert!(exported == members);
    });
}

#[test]
fn the_zset_is_one_of_the_servers_own() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.MADD board AT 1000 5 ann 6 bob 7 cat");
        play(
            &mut con,
            r#"LB.EXPORT dest board => 3
               ZADD dest 8 dan
               ZINCRBY dest 1 ann
               ZREVRANGE dest 0 -1 => ["dan" "cat" "bob" "ann"]
               ZUNIONSTORE sum 1 dest WEIGHTS 2 => 4
               COPY dest copy => 1
               LB.SCORE board ann => 5"#,
        );
        let small = say(&mut con, "OBJECT ENCODING dest");
        let listed = if server.flavor() == Flavor::Redis62 { "\"ziplist\"" } else { "\"listpack\"" };
        assert!([listed, "\"skiplist\""].contains(&small.as_str()), "{small}");
        let before = zset(&mut con, "ZRANGE", "dest");
        run(&mut con, &["DEBUG", "RELOAD"]);
        assert_eq!(zset(&mut con, "ZRANGE", "dest"), before);
    });
}

#[test]
fn a_board_stays_as_it_is() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE board VIEWS all,day CLOCK EVENT\nLB.MADD board AT 1000 5 ann 6 bob");
    let before = dump(&mut con, "board");
    play(&mut con, "LB.EXPORT dest board\nLB.EXPORT dest board AT 99999999999 VIEW day => 0");
    assert!(dump(&mut con, "board") == before);
    assert!(!exists(&mut con, "dest"));
    play(&mut con, "LB.EXPORT dest board COUNT 1");
    let exported: Vec<_> =
        zset(&mut con, "ZRANGE", "dest").into_iter().map(|(member, _)| (member, String::new())).collect();
    assert_eq!(names(&exported), ["bob"]);
}
