//! Tests of single cases of LB.UNION and LB.INTER: months of a game, equal scores and their moments, weights and
//! rounding, rules of the first board, and existing keys.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{query, run};

use super::{field, in_each_server, plays_everywhere};

#[test]
fn a_quarter_is_the_sum_of_its_months() {
    plays_everywhere(
        r#"LB.CREATE game VIEWS month,all CLOCK EVENT RETAIN 12
           LB.MADD game AT @2019-01-10 5 ann 3 bob
           LB.MADD game AT @2019-02-10 1 ann 3 cat
           LB.MADD game AT @2019-03-10 2 dan 1 bob
           LB.MADD game AT @2019-04-10 9 ann 9 eve
           LB.UNION q 3 game game game VIEW month PERIOD -3,-2,-1 => 4
           LB.TOP q 9 => [[1 "ann" 6] [2 "bob" 4] [3 "cat" 3] [4 "dan" 2]]
           LB.UNION q 3 game game game PERIOD 2019-01,2019-02,2019-03 WEIGHTS 1 2 3 => 4
           LB.TOP q 9 => [[1 "ann" 7] [2 "cat" 6] [3 "dan" 6] [4 "bob" 6]]
           LB.INTER q 2 game game PERIOD -3,-1 => 1
           LB.TOP q 9 => [[1 "bob" 4]]
           LB.UNION q 2 game game VIEW month,all PERIOD -1,0 AGGREGATE MAX => 5
           LB.TOP q 9 => [[1 "ann" 15] [2 "eve" 9] [3 "bob" 4] [4 "cat" 3] [5 "dan" 2]]
           LB.UNION q 2 game game AT @2019-02-28 => 2
           LB.TOP q 9 => [[1 "cat" 6] [2 "ann" 2]]
           LB.UNION q 1 game => 2
           LB.TOP q 9 => [[1 "ann" 9] [2 "eve" 9]]
           LB.COUNT game VIEW all => 5"#,
    );
}

#[test]
fn equals_stand_by_the_latest_of_their_moments() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT
           LB.CREATE two CLOCK EVENT
           LB.ADD one 5 ann AT 1000
           LB.ADD one 2 bob AT 2000
           LB.ADD one 5 cat AT 3000
           LB.ADD two 3 bob AT 500
           LB.ADD two 5 dan AT 1500
           LB.ADD two 5 eve AT 2500
           LB.UNION first 2 one two => 5
           LB.TOP first 9 => [[1 "ann" 5] [2 "dan" 5] [3 "bob" 5] [4 "eve" 5] [5 "cat" 5]]
           LB.STANDING first bob => ["rank" 3 "score" 5 "members" 5 "percentile" "60.00" "ahead" ["dan" 5 0] "behind" ["eve" 5 0] "previous" nil "change" nil "at" 2000]
           LB.CREATE last CLOCK EVENT TIES LAST
           LB.UNION last 3 last one two => 5
           LB.TOP last 9 => [[1 "cat" 5] [2 "eve" 5] [3 "bob" 5] [4 "dan" 5] [5 "ann" 5]]
           LB.CREATE lex CLOCK EVENT TIES LEX
           LB.UNION lex 3 lex two one => 5
           LB.TOP lex 9 => [[1 "ann" 5] [2 "bob" 5] [3 "cat" 5] [4 "dan" 5] [5 "eve" 5]]
           LB.CREATE revlex CLOCK EVENT TIES REVLEX
           LB.UNION revlex 3 revlex two one => 5
           LB.TOP revlex 9 => [[1 "eve" 5] [2 "dan" 5] [3 "cat" 5] [4 "bob" 5] [5 "ann" 5]]
           LB.ADD first 5 fay AT 2200 => [5 4 1]
           LB.ADD first 0 gus AT 9000 => [0 7 1]"#,
    );
}

#[test]
fn equals_of_one_moment_stand_by_their_source_and_their_place_there() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT
           LB.CREATE two CLOCK EVENT
           LB.MADD one AT 1000 5 dan 5 cat 4 fay
           LB.MADD two AT 1000 5 bob 5 ann 1 fay 7 eve
           LB.UNION dest 2 one two => 6
           LB.TOP dest 9 => [[1 "eve" 7] [2 "dan" 5] [3 "cat" 5] [4 "bob" 5] [5 "ann" 5] [6 "fay" 5]]
           LB.UNION dest 2 two one => 6
           LB.TOP dest 9 => [[1 "eve" 7] [2 "bob" 5] [3 "ann" 5] [4 "dan" 5] [5 "cat" 5] [6 "fay" 5]]
           LB.UNION dest 3 one two one WEIGHTS 0 1 1 => 6
           LB.TOP dest 9 => [[1 "eve" 7] [2 "bob" 5] [3 "ann" 5] [4 "dan" 5] [5 "cat" 5] [6 "fay" 5]]
           LB.UNION dest 2 one two WEIGHTS 0 0 => 6
           LB.TOP dest 9 => [[1 "dan" 0] [2 "cat" 0] [3 "eve" 0] [4 "bob" 0] [5 "ann" 0] [6 "fay" 0]]"#,
    );
}

#[test]
fn an_ended_period_has_one_moment_and_its_own_order() {
    plays_everywhere(
        r#"LB.CREATE game VIEWS day,all CLOCK EVENT RETAIN 3
           LB.ADD game 5 dan AT @2019-03-18T20:00
           LB.ADD game 5 ann AT @2019-03-18T21:00
           LB.ADD game 5 bob AT @2019-03-19T01:00
           LB.ADD game 1 cat AT @2019-03-20T01:00
           LB.UNION dest 2 game game PERIOD -1,-2 => 3
           LB.TOP dest 9 => [[1 "dan" 5] [2 "ann" 5] [3 "bob" 5]]
           LB.ADD dest 5 eve AT @2019-03-18T23:59:59.998 => [5 1 1]
           LB.ADD dest 5 fay AT @2019-03-18T23:59:59.999 => [5 4 1]
           LB.ADD dest 5 gus AT @2019-03-19T23:59:59.998 => [5 5 1]
           LB.ADD dest 5 hal AT @2019-03-20T00:00:00.000 => [5 7 1]"#,
    );
}

#[test]
fn members_of_zsets_alone_come_with_now() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT
           LB.ADD one 5 ann AT 1000
           LB.ADD one 1 bob AT 4000
           LB.CREATE two CLOCK EVENT
           LB.ADD two 5 dan AT 6000
           ZADD zset 5 eve 5 fay 4 bob 0 ann
           LB.UNION dest 3 zset one two => 5
           LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" 5] [3 "fay" 5] [4 "eve" 5] [5 "dan" 5]]
           LB.UNION dest 3 one two zset => 5
           LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" 5] [3 "dan" 5] [4 "fay" 5] [5 "eve" 5]]
           LB.ADD dest 5 gus AT 5999 => [5 3 1]
           LB.ADD dest 5 hal AT 6000 => [5 7 1]
           LB.ADD two 1 fresh AT 9000
           LB.REM two fresh
           LB.UNION dest 2 two zset => 5
           LB.ADD dest 5 gus AT 8999 => [5 2 1]
           LB.CREATE asc CLOCK EVENT ORDER ASC
           LB.UNION dest 2 asc zset => 4
           LB.TOP dest 9 => [[1 "ann" 0] [2 "bob" 4] [3 "eve" 5] [4 "fay" 5]]"#,
    );
}

#[test]
fn zsets_alone_become_a_board_with_the_defaults() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            r#"ZADD one 5 ann 5 bob -2 cat
               ZADD two 1 ann 1e3 dan
               LB.UNION dest 2 one two => 4
               LB.TOP dest 9 => [[1 "dan" 1000] [2 "ann" 6] [3 "bob" 5] [4 "cat" -2]]
               LB.UNION same 1 one => 3
               LB.TOP same 9 => [[1 "bob" 5] [2 "ann" 5] [3 "cat" -2]]
               LB.INTER both 2 one two AGGREGATE MIN => 1
               LB.TOP both 9 => [[1 "ann" 1]]
               LB.CREATE plain
               LB.ADD plain 1 x"#,
        );
        let [dest, plain] = ["dest", "plain"].map(|key| run(&mut con, &["LB.INFO", key]));
        for name in
            ["views", "order", "aggregate", "ties", "tz", "weekstart", "clock", "retain", "decimals", "dedup"]
        {
            assert_eq!(field::<String>(&dest, name), field::<String>(&plain, name), "{name}");
        }
        let [seconds, _]: [u64; 2] = query(&mut con, &["TIME"]);
        let at: u64 = field(&run(&mut con, &["LB.STANDING", "dest", "ann"]), "at");
        assert!(at.abs_diff(seconds * 1000) < 60_000, "{at} is not now");
    });
}

#[test]
fn the_first_board_gives_the_rules() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "LB.CREATE ruled VIEWS day,week,all ORDER ASC TIES LAST DECIMALS 2 TZ Europe/Paris WEEKSTART SUN ORIGIN 5000 CLOCK EVENT DEDUP 77 SHOWN RETAIN 5 OPENS 5 LIMIT r voter 5 day",
        );
        play(
            &mut con,
            "LB.ADD ruled 1.25 ann AT 1000 ID one
             LB.SETMETA ruled ann text
             LB.CREATE other DECIMALS 1
             LB.ADD other 7.5 bob
             ZADD zset 3 cat
             LB.UNION dest 4 absent zset ruled other => 3",
        );
        let dest = run(&mut con, &["LB.INFO", "dest"]);
        for (name, value) in [
            ("views", "all"),
            ("order", "ASC"),
            ("aggregate", "SUM"),
            ("ties", "LAST"),
            ("decimals", "2"),
            ("tz", "Europe/Paris"),
            ("weekstart", "SUN"),
            ("origin", "5000"),
            ("clock", "EVENT"),
            ("dedup", "77"),
            ("shown", "0"),
            ("declared", "0"),
            ("opens", "0"),
            ("closes", "0"),
            ("requests", "0"),
            ("members", "3"),
        ] {
            assert_eq!(field::<String>(&dest, name), value, "{name}");
        }
        play(
            &mut con,
            r#"LB.TOP dest 9 WITHMETA => [[1 "ann" "1.25" nil] [2 "cat" "3" nil] [3 "bob" "7.5" nil]]
               LB.ADD dest 1.25 ann AT 99999999999999 ID one => ["2.5" 1 1]"#,
        );
    });
}

#[test]
fn parts_are_rounded_down_one_by_one() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT
           LB.CREATE two CLOCK EVENT DECIMALS 2
           LB.MADD one AT 1000 5 ann -5 bob 1 cat
           LB.MADD two AT 1000 0.05 ann -0.05 bob 1 cat
           LB.UNION dest 1 one WEIGHTS 0.5 => 3
           LB.TOP dest 9 => [[1 "ann" 2] [2 "cat" 0] [3 "bob" -3]]
           LB.UNION dest 2 one one WEIGHTS 0.5 0.5 => 3
           LB.TOP dest 9 => [[1 "ann" 4] [2 "cat" 0] [3 "bob" -6]]
           LB.UNION dest 1 one WEIGHTS -0.5 => 3
           LB.TOP dest 9 => [[1 "bob" 2] [2 "cat" -1] [3 "ann" -3]]
           LB.UNION dest 1 two WEIGHTS 0.333333333 => 3
           LB.TOP dest 9 => [[1 "cat" "0.33"] [2 "ann" "0.01"] [3 "bob" "-0.02"]]
           LB.UNION dest 2 two one WEIGHTS 1 0.015 => 3
           LB.TOP dest 9 => [[1 "cat" "1.01"] [2 "ann" "0.12"] [3 "bob" "-0.13"]]
           LB.UNION dest 1 one WEIGHTS 1000000000.000000001 => 3
           LB.TOP dest 9 => [[1 "ann" 5000000000] [2 "cat" 1000000000] [3 "bob" -5000000001]]
           LB.REM two bob
           LB.UNION dest 2 one two WEIGHTS 1 0 => ERR the score of 'ann' has more digits than are kept (DECIMALS 0)
           LB.REM two ann
           LB.UNION dest 2 one two WEIGHTS 1 0.999999999 => 3
           LB.SCORE dest cat => 1
           LB.UNION dest 2 one two WEIGHTS 1 007.5 => 3
           LB.SCORE dest cat => 8"#,
    );
}

#[test]
fn parts_are_added_or_the_least_or_greatest_is_taken() {
    plays_everywhere(
        r#"LB.CREATE one CLOCK EVENT AGGREGATE MAX
           LB.MADD one AT 1000 5 ann -5 bob 1 cat
           LB.CREATE two CLOCK EVENT AGGREGATE LAST
           LB.MADD two AT 1000 3 ann 4 bob
           LB.UNION dest 2 one two => 3
           LB.TOP dest 9 => [[1 "ann" 8] [2 "cat" 1] [3 "bob" -1]]
           LB.UNION dest 2 one two AGGREGATE SUM => 3
           LB.TOP dest 9 => [[1 "ann" 8] [2 "cat" 1] [3 "bob" -1]]
           LB.UNION dest 2 one two aggregate min => 3
           LB.TOP dest 9 => [[1 "ann" 3] [2 "cat" 1] [3 "bob" -5]]
           LB.UNION dest 2 one two AGGREGATE MAX => 3
           LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" 4] [3 "cat" 1]]
           LB.INTER dest 2 one two AGGREGATE MAX WEIGHTS 1 -1 => 2
           LB.TOP dest 9 => [[1 "ann" 5] [2 "bob" -4]]
           LB.UNION dest 2 one one => 3
           LB.TOP dest 9 => [[1 "ann" 10] [2 "cat" 2] [3 "bob" -10]]
           LB.INTER dest 3 one two one => 2
           LB.TOP dest 9 => [[1 "ann" 13] [2 "bob" -6]]"#,
    );
}

#[test]
fn real_votes_are_taken_on_demand() {
    plays_everywhere(
        r#"LB.CREATE poll CLOCK EVENT SHOWN
           LB.OPTION poll ann WEIGHT 3
           LB.OPTION poll cat INITIAL 10
           LB.VOTE poll 2 ann AT 1000
           LB.VOTE poll 4 bob AT 2000
           LB.CREATE plain CLOCK EVENT
           LB.ADD plain 1 bob AT 1000
           LB.UNION dest 2 poll plain => 3
           LB.TOP dest 9 => [[1 "cat" 10] [2 "ann" 6] [3 "bob" 5]]
           LB.UNION dest 2 poll plain REAL => 2
           LB.TOP dest 9 => [[1 "bob" 5] [2 "ann" 2]]
           LB.TOP dest 9 REAL => [[1 "bob" 5] [2 "ann" 2]]"#,
    );
}

#[test]
fn views_and_periods_of_zsets_have_no_effect() {
    plays_everywhere(
        r#"LB.CREATE game VIEWS day,all CLOCK EVENT RETAIN 3
           LB.ADD game 5 ann AT @2019-03-18
           LB.ADD game 4 bob AT @2019-03-19
           ZADD zset 1 ann
           LB.UNION dest 2 zset game VIEW week,day PERIOD -7,-1 => 1
           LB.TOP dest 9 => [[1 "ann" 6]]
           LB.UNION dest 2 zset game VIEW all => 2
           LB.TOP dest 9 => [[1 "ann" 6] [2 "bob" 4]]
           LB.UNION dest 2 zset game PERIOD -1 => 1
           LB.UNION dest 3 none zset game VIEW week,week,all PERIOD -1,-1,0 => 2
           LB.UNION dest 2 zset game AT @2019-03-18 => 1
           LB.UNION dest 2 zset zset VIEW week PERIOD -1 REAL => 1
           LB.TOP dest 9 => [[1 "ann" 2]]"#,
    );
}
