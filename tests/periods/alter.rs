//! Tests that change views, their stored periods and their carried shares while a board is used, and tests of LB.INFO
//! after it.

use leaderboard_testkit::{Flavor, Server};

use super::{play_dated, plays};

#[test]
fn a_view_added_later_begins_empty_and_a_dropped_one_is_gone() {
    plays(
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT
           LB.ADD board 5 ann AT @2019-03-18
           LB.ALTER board VIEWS +week,+day:3 => OK
           LB.TOP board 9 VIEW week => []
           LB.TOP board 9 VIEW day:3 => []
           LB.RANK board ann VIEW day:3 PERIOD -1 => nil
           LB.ADD board 1 bob AT @2019-03-19
           LB.TOP board 9 VIEW week => [[1 "bob" 1]]
           LB.TOP board 9 VIEW day:3 => [[1 "bob" 1]]
           LB.ADD board 2 ann AT @2019-03-18
           LB.TOP board 9 VIEW week => [[1 "ann" 2] [2 "bob" 1]]
           LB.TOP board 9 VIEW day:3 => [[1 "ann" 2] [2 "bob" 1]]
           LB.ALTER board VIEWS -day,+month RETAIN month=5 => OK
           LB.TOP board 9 VIEW day => ERR VIEW 'day' is not a view of this board
           LB.TOP board 9 => [[1 "ann" 7] [2 "bob" 1]]
           LB.ALTER board VIEWS -all => OK
           LB.TOP board 9 => [[1 "ann" 2] [2 "bob" 1]]
           LB.ALTER board VIEWS +ALL => OK
           LB.TOP board 9 VIEW all => []
           LB.ADD board 1 cat AT @2019-04-01
           LB.TOP board 9 VIEW month PERIOD -1 => []
           LB.TOP board 9 VIEW week => [[1 "cat" 1]]
           LB.TOP board 9 VIEW week PERIOD 2019-W12 => []
           LB.TOP board 9 VIEW all => [[1 "cat" 1]]"#,
    );
}

#[test]
fn members_that_no_view_knows_any_more_are_gone() {
    plays(
        "LB.CREATE board VIEWS all,day CLOCK EVENT
         LB.ADD board 5 ann AT @2019-03-18
         LB.ADD board 5 bob AT @2019-03-20
         LB.SETMETA board ann Spain
         LB.ALTER board VIEWS -all => OK
         LB.COUNT board => 1
         LB.GETMETA board ann => \"Spain\"
         LB.REM board ann => 1
         LB.REM board ann => 0
         LB.REM board bob => 1",
    );
}

#[test]
fn fewer_periods_are_kept_at_once_and_more_from_now_on() {
    plays(
        r#"LB.CREATE board VIEWS day,all CLOCK EVENT RETAIN 3
           LB.ADD board 1 ann AT @2019-03-18
           LB.ADD board 2 ann AT @2019-03-19
           LB.ADD board 3 ann AT @2019-03-20
           LB.ALTER board RETAIN 1 => OK
           LB.SCORE board ann PERIOD -1 => 2
           LB.SCORE board ann PERIOD -2 => nil
           LB.PERIODS board day => [["2019-03-20" @2019-03-20 @2019-03-21 1] ["2019-03-19" @2019-03-19 @2019-03-20 1]]
           LB.ALTER board RETAIN day=2 => OK
           LB.SCORE board ann PERIOD -2 => nil
           LB.ADD board 4 ann AT @2019-03-21
           LB.SCORE board ann PERIOD -2 => 2
           LB.ALTER board RETAIN day=0 => OK
           LB.SCORE board ann PERIOD -1 => nil
           LB.SCORE board ann => 4
           LB.SCORE board ann VIEW all => 10"#,
    );
}

#[test]
fn a_share_set_later_counts_from_the_next_boundary() {
    plays(
        r#"LB.CREATE board VIEWS week,all CLOCK EVENT
           LB.ADD board 10 ann AT @2019-03-18
           LB.ADD board 6 bob AT @2019-03-25
           LB.ALTER board CARRY week=0.5 => OK
           LB.TOP board 9 => [[1 "bob" 6]]
           LB.ADD board 1 bob AT @2019-03-26 => [7 1 1]
           LB.ADD board 1 cat AT @2019-04-01
           LB.TOP board 9 => [[1 "bob" 3] [2 "cat" 1]]
           LB.ALTER board CARRY week=1 => OK
           LB.TOP board 9 => [[1 "bob" 3] [2 "cat" 1]]
           LB.ADD board 2 bob AT @2019-04-02 => [5 1 1]
           LB.ADD board 0 cat AT @2019-04-08
           LB.TOP board 9 => [[1 "bob" 2] [2 "cat" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 5] [2 "cat" 1]]"#,
    );
}

#[test]
fn info_tells_the_rules_of_views() {
    let server = Server::start(Flavor::Redis70);
    let info = |members: u8, now: &str, rest: &str| {
        format!(
            r#"["views" "week,all,day:7,90s" "order" "DESC" "aggregate" "SUM" "ties" "FIRST" "tz" "Asia/Shanghai" "weekstart" "SAT" "clock" "EVENT" {rest} "levels" "" "segments" "" "hours" "" "attempts" "" "bounds" "" "decimals" 0 "origin" 1000 "dedup" 600 "shown" 0 "declared" 0 "keep" 0 "opens" 0 "closes" 0 "maxmembers" 0 "prizedays" 30 "payouts" 0 "notifytop" 0 "members" {members} "hidden" 0 "requests" 0 "now" {now} "memory" "#
        )
    };
    let mut con = server.connection();
    let mut check = |line: &str, expected: &str| {
        play_dated(&mut con, line);
        let found = leaderboard_testkit::session::say(&mut con, "LB.INFO board");
        assert!(found.starts_with(&super::dated(expected)), "{line}: {found}");
    };
    check(
        "LB.CREATE board VIEWS week,ALL,Day:7,90S TZ asia/shanghai WEEKSTART sat ORIGIN 1000 CLOCK event \
         CARRY week=0.20 RETAIN 4",
        &info(0, "0", r#""retain" "week=4,day:7=4,90s=4" "carry" "week=0.2" "decay" """#),
    );
    check(
        "LB.ADD board 5 ann AT @2019-03-18",
        &info(1, "@2019-03-18", r#""retain" "week=4,day:7=4,90s=4" "carry" "week=0.2" "decay" """#),
    );
    check(
        "LB.ALTER board RETAIN 90s=0,week=10000 CARRY 90s=1,week=0.000000001",
        &info(
            1,
            "@2019-03-18",
            r#""retain" "week=10000,day:7=4,90s=0" "carry" "week=0.000000001,90s=1" "decay" """#,
        ),
    );
    check(
        "LB.ADD board 5 bob AT @2019-03-30",
        &info(
            1,
            "@2019-03-30",
            r#""retain" "week=10000,day:7=4,90s=0" "carry" "week=0.000000001,90s=1" "decay" """#,
        ),
    );
}
