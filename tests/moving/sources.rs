//! Tests of the keys that LB.UNION and LB.INTER replace, of the keys that they do not change, and of the sources that
//! they refuse.

use leaderboard_testkit::session::{self, play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest, info, query, run, wait_until};

use super::{dump, exists, field, in_each_server, lines, names, plays_everywhere, refuses, state};
use crate::periods::dated;

const OTHERS: [&str; 8] = [
    "SET dest value",
    "RPUSH dest a",
    "HSET dest a 1",
    "SADD dest a",
    "ZADD dest 1 a 2 ann",
    "XADD dest 1-1 a 1",
    "LB.ADD dest 5 zoe",
    "LB.LEAGUE.CREATE dest TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
];

#[test]
fn what_was_there_is_replaced_whatever_it_is() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.MADD board AT 1000 5 ann 6 bob\nLB.CREATE empty\nZADD zset 1 cat");
        for other in OTHERS {
            for command in ["LB.UNION", "LB.INTER"] {
                play(&mut con, "DEL dest");
                run(&mut con, &session::words(other));
                play(
                    &mut con,
                    &format!(
                        r#"EXPIRE dest 1000 => 1
                        {command} dest 1 board => 2
                        TYPE dest => lb-board1
                        TTL dest => -1
                        LB.TOP dest 9 => [[1 "bob" 6] [2 "ann" 5]]
                        DEL dest"#
                    ),
                );
                for nothing in ["1 absent", "1 empty", "3 absent empty none", "2 board zset"] {
                    if nothing == "2 board zset" && command == "LB.UNION" {
                        continue;
                    }
                    run(&mut con, &session::words(other));
                    play(&mut con, &format!("{command} dest {nothing} => 0\nEXISTS dest => 0"));
                }
            }
        }
        let mut counted = |field| info(&mut con, "leaderboard", field);
        wait_until(|| [counted("leaderboard_boards"), counted("leaderboard_members")] == ["2", "2"]);
    });
}

#[test]
fn the_result_may_take_the_place_of_a_source() {
    plays_everywhere(
        r#"LB.CREATE game VIEWS day,all CLOCK EVENT
           LB.MADD game AT 1000 5 ann 4 bob
           ZADD zset 1 ann 7 cat
           LB.UNION game 3 game zset game => 3
           LB.TOP game 9 => [[1 "ann" 11] [2 "bob" 8] [3 "cat" 7]]
           LB.INTER zset 2 zset game => 2
           TYPE zset => lb-board1
           LB.TOP zset 9 => [[1 "cat" 14] [2 "ann" 12]]
           LB.UNION game 1 game WEIGHTS 2 => 3
           LB.TOP game 9 => [[1 "ann" 22] [2 "bob" 16] [3 "cat" 14]]
           LB.INTER game 2 game none => 0
           EXISTS game => 0"#,
    );
}

#[test]
fn the_sources_stay_as_they_are() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            &dated(
                "LB.CREATE one VIEWS day,all CLOCK EVENT RETAIN 3
                 LB.ADD one 5 ann AT @2019-03-18 ID a
                 LB.ADD one 4 bob AT @2019-03-20
                 LB.CREATE two VIEWS day:3,all CLOCK EVENT AGGREGATE MAX RETAIN 3
                 LB.ADD two 5 ann AT @2019-03-18
                 LB.ADD two 4 bob AT @2019-03-20
                 ZADD zset 5 ann
                 EXPIRE one 1000
                 EXPIRE zset 1000",
            ),
        );
        let sources = ["one", "two", "zset", "none"];
        let before = sources.map(|key| dump(&mut con, key));
        for line in [
            "LB.UNION dest 3 one two zset",
            "LB.INTER dest 3 one two zset PERIOD -1",
            "LB.UNION dest 2 one two AT 0",
            "LB.UNION dest 2 one two PERIOD -1,-2 WEIGHTS 0.5 -3",
            "LB.UNION dest 2 none none",
        ] {
            run(&mut con, &session::words(line));
            assert!(sources.map(|key| dump(&mut con, key)) == before, "{line}");
            assert!(
                ["one", "zset"]
                    .map(|key| query::<i64, _>(&mut con, &["TTL", key]))
                    .iter()
                    .all(|ttl| *ttl > 0)
            );
        }
    });
}

#[test]
fn sums_may_leave_the_range_on_their_way_but_not_in_the_end() {
    const MOST: &str = "9223372036854775807";
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            &format!(
                "LB.MADD full AT 1000 {MOST} ann 1 bob
                 LB.MADD one AT 1000 1 ann 1 bob
                 LB.MADD worst AT 1000 -{MOST} ann 1 bob
                 LB.CREATE cents DECIMALS 2 CLOCK EVENT
                 LB.ADD cents 1 ann AT 1000
                 ZADD big 9e18 ann
                 SET dest value"
            ),
        );
        let keys = ["full", "one", "worst", "cents", "dest", "big"];
        let mut stream = ReplicationStream::of(server);
        for line in [
            "LB.UNION dest 2 full one",
            "LB.INTER dest 2 one full",
            "LB.UNION dest 2 worst one WEIGHTS 1 -1",
            "LB.UNION dest 2 full full",
            "LB.UNION dest 1 full WEIGHTS 1.000000001",
            "LB.UNION dest 1 full WEIGHTS -1.000000001",
            "LB.UNION dest 2 one full WEIGHTS 1 2 AGGREGATE MAX",
            "LB.UNION dest 2 cents full",
            "LB.UNION full 2 full big",
        ] {
            refuses(&mut con, &keys, &session::words(line), "ERR the score would be out of range");
        }
        assert!(stream.take().is_empty(), "errors were replicated");
        play(
            &mut con,
            &format!(
                "LB.UNION dest 3 full full full WEIGHTS 1 1 -1 => 2
                 LB.SCORE dest ann => {MOST}
                 LB.UNION dest 3 full one worst => 2
                 LB.SCORE dest ann => 1
                 LB.UNION dest 2 full full WEIGHTS 1000000 -1000000 => 2
                 LB.SCORE dest ann => 0
                 LB.UNION dest 2 full one WEIGHTS 1 2 AGGREGATE MIN => 2
                 LB.SCORE dest ann => 2
                 LB.UNION dest 1 full WEIGHTS -1 => 2
                 LB.SCORE dest ann => -{MOST}
                 LB.UNION dest 2 cents full WEIGHTS 1 0.009 => 2
                 LB.SCORE dest ann => \"83010348331692983.26\"
                 LB.UNION dest 1 worst WEIGHTS 0.000000001 => 2
                 LB.SCORE dest ann => -9223372037
                 LB.SCORE dest bob => 0"
            ),
        );
    });
}

#[test]
fn a_score_with_too_many_digits_is_named_and_nothing_changes() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "LB.MADD whole AT 1000 5 ann 6 bob
             LB.CREATE cents DECIMALS 2
             LB.MADD cents 1.5 ann 2.25 bob 3 cat
             LB.CREATE round DECIMALS 2
             LB.MADD round 1.00 ann 20 bob
             ZADD half 0.5 ann
             ZADD third 0.333 bob
             ZADD big 1e17 cat
             ZADD inf inf ann
             SET dest value",
        );
        let keys = ["whole", "cents", "round", "half", "third", "big", "inf", "dest"];
        let digits = |member: &str, decimals: usize| {
            format!("ERR the score of '{member}' has more digits than are kept (DECIMALS {decimals})")
        };
        let range = |member: &str| format!("ERR the score of '{member}' is out of range");
        for (line, error) in [
            ("LB.UNION dest 2 whole half", digits("ann", 0)),
            ("LB.UNION dest 2 half whole WEIGHTS 2 1", digits("ann", 0)),
            ("LB.UNION dest 1 half", digits("ann", 0)),
            ("LB.INTER dest 2 whole half", digits("ann", 0)),
            ("LB.UNION dest 2 whole third WEIGHTS 1 0", digits("bob", 0)),
            ("LB.UNION dest 2 cents third", digits("bob", 2)),
            ("LB.UNION dest 2 cents big", range("cat")),
            ("LB.UNION dest 2 cents big WEIGHTS 1 0.001", range("cat")),
            ("LB.UNION whole 2 whole inf", range("ann")),
            ("LB.UNION inf 1 inf", range("ann")),
        ] {
            refuses(&mut con, &keys, &session::words(line), &error);
        }
        let reply = say(&mut con, "LB.UNION dest 2 whole cents");
        assert!([digits("ann", 0), digits("bob", 0)].contains(&reply), "{reply}");
        play(
            &mut con,
            r#"LB.UNION dest 2 whole round => 2
               LB.TOP dest 9 => [[1 "bob" 26] [2 "ann" 6]]
               LB.UNION dest 2 cents half => 3
               LB.SCORE dest ann => "2"
               LB.UNION dest 2 whole big => 3
               LB.SCORE dest cat => 100000000000000000"#,
        );
    });
}

#[test]
fn keys_of_other_types_are_refused_and_nothing_changes() {
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
             LB.ADD board 5 ann
             LB.ADD dest 7 zoe",
        );
        let others = ["text", "list", "hash", "set", "stream", "league"];
        let keys = [&others[..], &["zset", "board", "dest"]].concat();
        for other in others {
            for command in ["LB.UNION", "LB.INTER"] {
                for line in [
                    format!("{command} dest 1 {other}"),
                    format!("{command} dest 2 board {other}"),
                    format!("{command} dest 3 none {other} zset WEIGHTS 1 2 3"),
                    format!("{command} {other} 1 {other}"),
                    format!("{command} absent 2 {other} board VIEW all"),
                ] {
                    refuses(&mut con, &keys, &session::words(&line), WRONG);
                }
            }
        }
        assert!(!exists(&mut con, "absent"));
    });
}

#[test]
fn names_of_any_bytes_are_united() {
    plays_everywhere(
        r#"LB.MADD one AT 1000 5 \x00\xff 6 \x00
           ZADD two 1 \x00\xff 2 \x0d\x0a
           LB.UNION \x00dest 2 one two => 3
           LB.TOP \x00dest 9 => [[1 "\x00" 6] [2 "\x00\xff" 6] [3 "\r\n" 2]]"#,
    );
}

#[test]
fn a_member_of_a_zset_that_no_board_takes_is_refused() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.ADD board 5 ann\nZADD zset 5 ann 5 <513>\nZADD nameless 5 <0>\nSET dest value");
        for line in ["LB.UNION dest 2 board zset", "LB.UNION dest 1 zset", "LB.UNION dest 2 nameless board"] {
            let before = state(&mut con, &["board", "zset", "dest"]);
            let reply = say(&mut con, line);
            assert!(reply.starts_with("ERR "), "{line}: {reply}");
            assert!(state(&mut con, &["board", "zset", "dest"]) == before, "{line}");
        }
    });
}

#[test]
fn a_result_is_a_board_like_any_other() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            r#"LB.MADD one AT 1000 5 ann 6 bob
               LB.UNION dest 1 one => 2
               LB.ADD dest 5 ann ID x => [10 1 1]
               LB.ADD dest 5 ann ID x => [10 1 0]
               LB.ALTER dest VIEWS +day => OK
               LB.ADD dest 1 bob VIEW day => [1 1 1]
               LB.SETMETA dest ann text => OK
               LB.REM dest bob => 1
               COPY dest copy => 1
               LB.UNION one 2 dest copy => 1
               LB.TOP one 9 WITHMETA => [[1 "ann" 20 nil]]"#,
        );
        assert_eq!(names(&lines(&mut con, "one", &[])), ["ann"]);
        let before = digest(&mut con, "dest");
        run(&mut con, &["DEBUG", "RELOAD"]);
        assert_eq!(digest(&mut con, "dest"), before);
    });
}

#[test]
fn an_expired_source_is_none() {
    plays_everywhere(
        "LB.ADD board 5 ann
         ZADD zset 5 bob
         PEXPIREAT zset 1
         LB.UNION dest 2 board zset => 1
         PEXPIREAT board 1
         LB.UNION dest 2 board zset => 0
         EXISTS dest => 0",
    );
}

#[test]
fn the_servers_clock_goes_for_live_boards() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        r#"LB.ADD one 5 ann AT 1000
           LB.ADD two 5 bob AT 2000
           ZADD zset 5 cat
           LB.UNION dest 3 zset two one => 3
           LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" 5] [3 "cat" 5]]"#,
    );
    let at =
        |con: &mut _, key: &str, member: &str| field::<u64>(&run(con, &["LB.STANDING", key, member]), "at");
    assert_eq!(at(&mut con, "dest", "ann"), at(&mut con, "one", "ann"));
    assert_eq!(at(&mut con, "dest", "bob"), at(&mut con, "two", "bob"));
    assert!(at(&mut con, "dest", "cat") >= at(&mut con, "dest", "bob"));
}

#[test]
fn there_may_be_many_sources() {
    const SOURCES: usize = 1_000;
    in_each_server(|server| {
        let mut con = server.connection();
        let game = |n: usize| format!("game{}", n % 300);
        for n in 0..300 {
            let line = if n % 3 == 0 {
                format!("ZADD {} 1 m{n} 1 all", game(n))
            } else {
                format!("LB.MADD {} AT {n} 1 m{n} 1 all", game(n))
            };
            run(&mut con, &session::words(&line));
        }
        let keys: Vec<String> = (0..SOURCES).map(game).collect();
        let weights: Vec<String> = (0..SOURCES).map(|n| (n % 2).to_string()).collect();
        let line = format!("{SOURCES} {} WEIGHTS {}", keys.join(" "), weights.join(" "));
        play(&mut con, &format!("LB.UNION dest {line} => 301\nLB.INTER both {line} AGGREGATE MAX => 1"));
        play(&mut con, &format!("LB.TOP dest 1 => [[1 \"all\" {}]]\nLB.SCORE both all => 1", SOURCES / 2));
    });
}

#[test]
fn equals_of_one_moment_stand_as_in_the_last_source_that_gives_it() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT
           LB.MADD one AT 100 5 ann 5 bob
           LB.CREATE two CLOCK EVENT
           LB.MADD two AT 100 5 cat 5 ann
           LB.UNION dest 2 one two AGGREGATE MAX => 3
           LB.TOP dest 9 => [[1 "bob" 5] [2 "cat" 5] [3 "ann" 5]]
           LB.UNION dest 2 two one AGGREGATE MAX => 3
           LB.TOP dest 9 => [[1 "cat" 5] [2 "ann" 5] [3 "bob" 5]]"#,
    );
}

#[test]
fn members_of_sorted_sets_alone_have_the_latest_moment() {
    plays_everywhere(
        r#"LB.CREATE board CLOCK EVENT
           LB.ADD board 5 dan AT 100
           LB.ADD board 5 ann AT 50
           ZADD zset 5 bob 5 cat 7 ann => 3
           LB.UNION dest 2 zset board => 4
           LB.TOP dest 9 => [[1 "ann" 12] [2 "cat" 5] [3 "bob" 5] [4 "dan" 5]]"#,
    );
}

#[test]
fn a_finer_source_goes_where_its_scores_need_no_more_digits() {
    plays_everywhere(
        r#"LB.CREATE board CLOCK EVENT
           LB.ADD board 5 ann AT 100
           LB.CREATE finer CLOCK EVENT DECIMALS 2
           LB.ADD finer 1.5 ann AT 100
           LB.UNION dest 2 board finer WEIGHTS 1 2 => ERR the score of 'ann' has more digits than are kept (DECIMALS 0)
           LB.UNION dest 2 finer board => 1
           LB.SCORE dest ann => "6.5"
           LB.ADD finer 0.5 ann AT 100
           LB.UNION dest 2 board finer => 1
           LB.SCORE dest ann => 7"#,
    );
}
