//! Tests of boards without a command for years: imports, exports and unions use their state at the present time.

use leaderboard_testkit::Flavor;
use leaderboard_testkit::session::play;

use crate::periods::dated;
use crate::periods::idle::stopped_since;

const MARCH: &str = "LB.CREATE board VIEWS month,all,day:7,week RETAIN month=10000,week=0
    LB.ADD board 5 ann AT @2019-03-18
    LB.MADD board AT @2019-03-19 4 bob 9 cat
    LB.ADD board 3 bob AT @2019-03-18T10:00 NOW @2019-03-19";

const TODAY: &str = r#"ZADD zset 2 ann 1 dan
    LB.UNION dest 1 board => 0
    LB.INTER dest 2 board zset VIEW day:7 => 0
    LB.EXPORT dest board => 0
    LB.EXPORT dest board VIEW week AT @2019-03-18 => 0
    LB.EXPORT dest board PERIOD 2019-03 => 3
    ZRANGE dest 0 -1 WITHSCORES => ["ann" "5" "bob" "7" "cat" "9"]
    LB.UNION dest 2 board board VIEW month,all PERIOD 2019-03,0 => 3
    LB.TOP dest 9 => [[1 "cat" 18] [2 "bob" 14] [3 "ann" 10]]
    LB.UNION dest 2 board zset PERIOD 2019-03 WEIGHTS 1 5 => 4
    LB.TOP dest 9 => [[1 "ann" 15] [2 "cat" 9] [3 "bob" 7] [4 "dan" 5]]
    LB.UNION dest 1 board PERIOD 2019-03 => 3
    LB.ADD dest 5 eve AT @2019-03-31T23:59:59.998 => [5 3 1]
    LB.ADD dest 5 fay AT @2019-03-31T23:59:59.999 => [5 5 1]
    COPY board left
    LB.IMPORT left zset NX => 1
    LB.TOP left 9 => [[1 "dan" 1]]
    LB.IMPORT board zset MERGE => 2
    LB.TOP board 9 => [[1 "ann" 2] [2 "dan" 1]]
    LB.TOP board 9 VIEW day:7 => [[1 "ann" 2] [2 "dan" 1]]
    LB.TOP board 9 VIEW all => [[1 "cat" 9] [2 "bob" 7] [3 "ann" 7] [4 "dan" 1]]
    LB.TOP board 9 PERIOD 2019-03 => [[1 "cat" 9] [2 "bob" 7] [3 "ann" 5]]
    LB.UNION board 2 board board VIEW month PERIOD 0,2019-03 => 4
    LB.TOP board 9 => [[1 "cat" 9] [2 "bob" 7] [3 "ann" 7] [4 "dan" 1]]"#;

#[test]
fn a_board_of_years_ago_is_taken_as_of_today() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let server = stopped_since(flavor, MARCH);
        play(&mut server.connection(), &dated(TODAY));
    }
}
