//! Tests of LB.IMPORT into boards of all kinds: boards that must or must not exist, MERGE and NX, sums out of range,
//! and times.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, query, run};

use super::import::with_a_bad_one;
use super::scores::Random;
use super::{
    dump, exists, field, fitting, in_each_server, lines, made, make_zset, names, plays_everywhere, refuses,
    shown as command_shown, state,
};

#[test]
fn what_is_missing_becomes_a_board_and_what_is_empty_is_filled() {
    plays_everywhere(
        r#"ZADD zset 5 ann 6 bob
           LB.IMPORT absent zset => 2
           LB.TOP absent 9 => [[1 "bob" 6] [2 "ann" 5]]
           LB.CREATE plain
           LB.CREATE made VIEWS day,all,day:7 ORDER ASC DECIMALS 2
           LB.IMPORT made zset => 2
           LB.TOP made 9 => [[1 "ann" "5"] [2 "bob" "6"]]
           LB.TOP made 9 VIEW day:7 => [[1 "ann" "5"] [2 "bob" "6"]]
           LB.TOP made 9 VIEW all => [[1 "ann" "5"] [2 "bob" "6"]]
           LB.ADD left 5 ann
           LB.REM left ann
           LB.IMPORT left zset => 2
           LB.SETMETA text ann hello
           LB.IMPORT text zset => 2
           LB.TOP text 9 WITHMETA => [[1 "bob" 6 nil] [2 "ann" 5 "hello"]]
           ZCARD zset => 2"#,
    );
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "ZADD zset 5 ann\nLB.IMPORT board zset\nLB.CREATE plain");
    let defaults =
        ["views", "order", "aggregate", "ties", "tz", "clock", "retain", "decimals", "dedup", "shown"];
    let [board, plain] = ["board", "plain"].map(|key| run(&mut con, &["LB.INFO", key]));
    for name in defaults {
        assert_eq!(field::<String>(&board, name), field::<String>(&plain, name), "{name}");
    }
}

#[test]
fn a_board_that_is_empty_in_its_default_view_alone_has_members() {
    plays_everywhere(
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT
           LB.ADD board 1 bob AT @2019-03-19
           LB.ADD board 5 ann AT @2019-03-18
           LB.REM board bob
           LB.COUNT board => 0
           LB.COUNT board VIEW all => 1
           ZADD zset 2 ann 1 bob
           LB.IMPORT board zset AT @2019-03-19 => ERR the board has members: MERGE adds to them, NX leaves them alone
           LB.IMPORT board zset MERGE AT @2019-03-19 => 2
           LB.TOP board 9 => [[1 "ann" 2] [2 "bob" 1]]
           LB.TOP board 9 VIEW all => [[1 "ann" 7] [2 "bob" 1]]"#,
    );
}

const HAS_MEMBERS: &str = "ERR the board has members: MERGE adds to them, NX leaves them alone";

#[test]
fn a_board_with_members_needs_a_word_on_them() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "ZADD zset 5 ann 6 bob
             LB.ADD board 1 cat
             LB.CREATE day VIEWS day,all CLOCK EVENT
             LB.ADD day 1 cat AT 1000",
        );
        for line in [
            "LB.IMPORT board zset",
            "LB.IMPORT board zset ROUND",
            "LB.IMPORT board zset AT 1000",
            "LB.IMPORT board zset CURSOR 0",
            "LB.IMPORT board zset COUNT 5 CURSOR 0",
            "LB.IMPORT day zset AT 2000",
        ] {
            refuses(&mut con, &["board", "day"], &words(line), HAS_MEMBERS);
        }
    });
}

#[test]
fn merge_adds_and_nx_leaves_alone() {
    plays_everywhere(
        r#"ZADD zset 5 ann 5 bob 5 cat 8 dan
           LB.CREATE sum CLOCK EVENT
           LB.MADD sum AT 1000 2 cat 1 ann 5 eve
           COPY sum left => 1
           LB.IMPORT sum zset MERGE AT 2000 => 4
           LB.TOP sum 9 => [[1 "dan" 8] [2 "cat" 7] [3 "ann" 6] [4 "eve" 5] [5 "bob" 5]]
           LB.IMPORT left zset NX AT 2000 => 2
           LB.TOP left 9 => [[1 "dan" 8] [2 "eve" 5] [3 "bob" 5] [4 "cat" 2] [5 "ann" 1]]
           LB.IMPORT left zset NX AT 3000 => 0
           LB.IMPORT left zset AT 3000 NX ROUND => 0
           LB.IMPORT sum zset MERGE AT 500 => 4
           LB.MSCORE sum MEMBERS 5 ann bob cat dan eve => [[3 11] [4 10] [2 12] [1 16] [5 5]]
           LB.IMPORT new zset NX => 4
           LB.IMPORT other zset MERGE => 4"#,
    );
}

#[test]
fn who_is_in_another_view_alone_is_there() {
    plays_everywhere(
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT
           LB.ADD board 5 ann AT @2019-03-18
           LB.ADD board 1 bob AT @2019-03-19
           ZADD zset 2 ann 3 bob
           LB.IMPORT board zset NX AT @2019-03-19 => 0
           LB.TOP board 9 => [[1 "bob" 1]]
           LB.TOP board 9 VIEW all => [[1 "ann" 5] [2 "bob" 1]]
           ZADD late 4 cat 4 bob
           LB.IMPORT board late NX AT @2019-03-18 => 1
           LB.IMPORT board late NX AT @2019-03-18 => 0
           LB.TOP board 9 VIEW all => [[1 "ann" 5] [2 "cat" 4] [3 "bob" 1]]"#,
    );
}

/// As with NX of LB.SET, an import at the start of a new period finds no members in it.
#[test]
fn who_is_there_is_as_of_the_moment_that_the_clock_goes_to() {
    plays_everywhere(
        r#"LB.CREATE board VIEWS day,hour CLOCK EVENT
           LB.ADD board 1 bob AT @2019-03-19
           COPY board left
           COPY board set
           ZADD zset 4 cat 4 bob
           LB.SET set 4 bob NX AT @2019-03-20 => [4 1 1]
           LB.IMPORT left zset NX AT @2019-03-20 => 2
           LB.TOP left 9 => [[1 "cat" 4] [2 "bob" 4]]
           LB.IMPORT left zset NX AT @2019-03-20 => 0
           LB.IMPORT board zset AT @2019-03-20 => 2
           LB.TOP board 9 => [[1 "cat" 4] [2 "bob" 4]]"#,
    );
}

#[test]
fn the_aggregate_of_a_board_says_what_merging_is() {
    plays_everywhere(
        r#"ZADD zset 5 ann 3 bob 4 cat
           LB.CREATE max AGGREGATE MAX CLOCK EVENT
           LB.CREATE min AGGREGATE MIN CLOCK EVENT
           LB.CREATE last AGGREGATE LAST CLOCK EVENT
           LB.MADD max AT 1000 4 ann 4 bob 4 cat
           LB.MADD min AT 1000 4 ann 4 bob 4 cat
           LB.MADD last AT 1000 4 ann 4 bob 4 cat
           LB.IMPORT max zset MERGE AT 2000 => 3
           LB.IMPORT min zset MERGE AT 2000 => 3
           LB.IMPORT last zset MERGE AT 2000 => 3
           LB.TOP max 9 => [[1 "ann" 5] [2 "bob" 4] [3 "cat" 4]]
           LB.TOP min 9 => [[1 "ann" 4] [2 "cat" 4] [3 "bob" 3]]
           LB.TOP last 9 => [[1 "ann" 5] [2 "cat" 4] [3 "bob" 3]]
           ZADD late 9 ann 8 bob 1 cat
           LB.IMPORT max late MERGE AT 500 => 3
           LB.IMPORT min late MERGE AT 500 => 3
           LB.IMPORT last late MERGE AT 500 => 3
           LB.TOP max 9 => [[1 "ann" 9] [2 "bob" 8] [3 "cat" 4]]
           LB.TOP min 9 => [[1 "ann" 4] [2 "bob" 3] [3 "cat" 1]]
           LB.TOP last 9 => [[1 "ann" 5] [2 "cat" 4] [3 "bob" 3]]"#,
    );
}

#[test]
fn an_absent_zset_is_nothing_to_import() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.ADD board 1 cat\nLB.CREATE fresh");
        let mut stream = ReplicationStream::of(server);
        let before = state(&mut con, &["board", "fresh"]);
        for line in [
            "LB.IMPORT absent none => 0",
            "LB.IMPORT absent none ROUND AT 5 => 0",
            "LB.IMPORT absent none CURSOR 0 => [\"0\" 0]",
            "LB.IMPORT absent none NX CURSOR 0 COUNT 5 => [\"0\" 0]",
            "LB.IMPORT fresh none => 0",
            "LB.IMPORT board none MERGE => 0",
            "LB.IMPORT board none NX => 0",
        ] {
            play(&mut con, line);
            assert!(state(&mut con, &["board", "fresh"]) == before, "{line}");
        }
        assert!(stream.take().is_empty());
        assert!(!exists(&mut con, "absent"));
    });
}

#[test]
fn keys_of_other_types_are_refused_in_either_place() {
    const WRONG: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "SET text value
             RPUSH list a
             HSET hash a 1
             SADD set a
             XADD stream 1-1 a 1
             LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day
             ZADD zset 5 ann
             LB.ADD board 5 ann",
        );
        let others = ["text", "list", "hash", "set", "stream", "league"];
        let keys = [&others[..], &["zset", "board", "absent"]].concat();
        for other in others {
            for line in [
                format!("LB.IMPORT board {other} MERGE"),
                format!("LB.IMPORT absent {other}"),
                format!("LB.IMPORT absent {other} CURSOR 0"),
                format!("LB.IMPORT {other} zset"),
                format!("LB.IMPORT {other} zset NX CURSOR 0 COUNT 5"),
                format!("LB.IMPORT {other} {other} MERGE"),
            ] {
                refuses(&mut con, &keys, &words(&line), WRONG);
            }
        }
        for line in ["LB.IMPORT board board MERGE", "LB.IMPORT zset zset", "LB.IMPORT zset board"] {
            refuses(&mut con, &keys, &words(line), WRONG);
        }
    });
}

#[test]
fn a_sum_out_of_range_is_refused_for_all_members() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "LB.CREATE board CLOCK EVENT VIEWS day,all
             LB.MADD board AT 1000 9223372036854775807 ann -9223372036854775807 bob
             LB.ADD board 5 cat AT 100000000
             ZADD up 1 ann 1 cat
             ZADD down 1 cat -1 bob
             ZADD fine -1 ann 1 bob",
        );
        let error = "ERR the score would be out of range";
        for line in ["LB.IMPORT board up MERGE AT 100000000", "LB.IMPORT board down MERGE AT 1000"] {
            refuses(&mut con, &["board"], &words(line), error);
        }
        play(
            &mut con,
            "LB.IMPORT board fine MERGE AT 100000000 => 2
             LB.SCORE board ann VIEW all => 9223372036854775806
             LB.IMPORT board up NX AT 100000000 => 0
             LB.IMPORT board down NX AT 100000000 => 0",
        );
    });
}

#[test]
fn a_sum_out_of_range_behind_thousands_takes_them_all_back() {
    in_each_server(|server| {
        let mut con = server.connection();
        made(&mut con, "LB.CREATE board VIEWS all,day,day:3 CLOCK EVENT");
        play(&mut con, "LB.MADD board AT 1000 9223372036854775807 full 3 m7");
        let mut stream = ReplicationStream::of(server);
        // The member whose sum is out of range comes last, between other members, or first.
        for score in [1.0, 50.0, 999.0] {
            with_a_bad_one(&mut con, 3_000, (b"full", score));
            run(&mut con, &words("ZREMRANGEBYSCORE zset 0 0"));
            stream.take();
            for line in
                ["LB.IMPORT board zset MERGE AT 2000 ROUND", "LB.IMPORT board zset MERGE AT 500 ROUND"]
            {
                let error = "ERR the score would be out of range";
                refuses(&mut con, &["board", "zset"], &words(line), error);
            }
            assert!(stream.take().is_empty(), "errors were replicated");
        }
        play(
            &mut con,
            "ZADD zset 0 full\nLB.IMPORT board zset MERGE AT 2000 => 2971\nLB.COUNT board => 2971",
        );
    });
}

#[test]
fn an_event_clock_needs_a_moment_and_goes_on_with_it() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "ZADD zset 5 ann 6 bob\nLB.CREATE board CLOCK EVENT VIEWS day,all\nLB.ADD live 1 x");
        let keys = ["board", "zset", "live", "absent"];
        for (line, error) in [
            ("LB.IMPORT board zset", "AT is needed with CLOCK EVENT"),
            ("LB.IMPORT board zset MERGE ROUND CURSOR 0", "AT is needed with CLOCK EVENT"),
            ("LB.IMPORT board zset AT -1", "AT is out of range"),
            ("LB.IMPORT board zset AT 253402300800000", "AT is out of range"),
            ("LB.IMPORT board zset AT noon", "AT is not a whole number"),
            ("LB.IMPORT live zset MERGE AT 253402300799999", "AT is too far in the future (max-future-ms)"),
            ("LB.IMPORT absent zset AT 253402300799999", "AT is too far in the future (max-future-ms)"),
        ] {
            refuses(&mut con, &keys, &words(line), &format!("ERR {error}"));
        }
        play(&mut con, "LB.IMPORT board zset AT 253402300799999 => 2");
        let info = run(&mut con, &["LB.INFO", "board"]);
        assert_eq!(field::<u64>(&info, "now"), 253_402_300_799_999);
        play(
            &mut con,
            "LB.IMPORT board zset MERGE AT 1000 => 2\nLB.SCORE board ann => 5\nLB.SCORE board ann VIEW all => 10",
        );
    });
}

#[test]
fn a_moment_a_little_ahead_of_the_servers_clock_is_now() {
    in_each_server(|server| {
        let mut con = server.connection();
        let [now, _]: [u64; 2] = query(&mut con, &["TIME"]);
        let ahead = (now + 30) * 1000;
        play(&mut con, "ZADD zset 5 ann");
        play(&mut con, &format!("LB.IMPORT board zset AT {ahead} => 1"));
        let standing = run(&mut con, &["LB.STANDING", "board", "ann"]);
        let at: u64 = field(&standing, "at");
        assert!((now * 1000..ahead).contains(&at), "{at}");
    });
}

#[test]
fn points_count_for_real_and_shown_votes() {
    plays_everywhere(
        r#"LB.CREATE poll CLOCK EVENT SHOWN VIEWS all,day
           LB.OPTION poll ann WEIGHT 3
           LB.VOTE poll 2 ann AT @2019-03-18T01:00
           ZADD zset 5 ann 4 bob
           LB.IMPORT poll zset MERGE AT @2019-03-18T02:00 => 2
           LB.TOP poll 9 => [[1 "ann" 11] [2 "bob" 4]]
           LB.TOP poll 9 REAL => [[1 "ann" 7] [2 "bob" 4]]
           LB.TOP poll 9 VIEW day REAL => [[1 "ann" 7] [2 "bob" 4]]
           LB.CREATE fresh CLOCK EVENT SHOWN
           LB.IMPORT fresh zset AT 1000 => 2
           LB.TOP fresh 9 REAL => [[1 "ann" 5] [2 "bob" 4]]
           LB.TOP fresh 9 => [[1 "ann" 5] [2 "bob" 4]]"#,
    );
}

#[test]
fn the_zset_stays_as_it_is() {
    in_each_server(|server| {
        let mut con = server.connection();
        let members = fitting(&mut Random::new(9), 200, 2);
        make_zset(&mut con, "zset", &members);
        play(&mut con, "EXPIRE zset 1000\nLB.CREATE board DECIMALS 2");
        let before = dump(&mut con, "zset");
        for line in
            ["LB.IMPORT board zset", "LB.IMPORT board zset NX", "LB.IMPORT board zset NX CURSOR 0 COUNT 7"]
        {
            say(&mut con, line);
            assert!(dump(&mut con, "zset") == before, "{line}");
        }
        assert!(query::<i64, _>(&mut con, &["TTL", "zset"]) > 0);
    });
}

#[test]
fn an_expired_zset_is_none() {
    plays_everywhere(
        "ZADD zset 5 ann
         PEXPIREAT zset 1
         LB.IMPORT board zset => 0
         EXISTS board => 0",
    );
}

#[test]
fn a_board_keeps_its_time_to_live() {
    plays_everywhere(
        "ZADD zset 5 ann
         LB.CREATE board
         EXPIRE board 1000
         LB.IMPORT board zset => 1
         TTL board => 1000",
    );
}

#[test]
fn options_come_in_any_order_and_case() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let options = ["merge", "ROUND", "at 1000", "cursor 0", "Count 5"];
    play(&mut con, "ZADD zset 5.25 ann");
    let mut random = Random::new(1);
    for _ in 0..20 {
        let mut options = options.to_vec();
        options.rotate_left(random.below(5) as usize);
        let other = random.below(5) as usize;
        options.swap(0, other);
        let line = format!("lb.import board zset {}", options.join(" "));
        run(&mut con, &["DEL", "board"]);
        assert_eq!(say(&mut con, &line), "[\"0\" 1]", "{}", command_shown(&words(&line)));
    }
    assert_eq!(names(&lines(&mut con, "board", &[])), ["ann"]);
}
