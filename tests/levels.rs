//! Tests of scores with several levels on real servers: how they are written and compared, and which features a board
//! with levels does not have.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, bgrewriteaof_and_wait, digest, query, run, wait_for_sync};
use redis::Connection;

const MEDALS: &str =
    "LB.CREATE medals LEVELS gold:desc:2000,silver:DESC:2000,bronze:DESC:2000 VIEWS all,day,day:7
                      LB.ADD medals 12/5/3 nor ID one AT 1000 => [\"12/5/3\" 1 1]
                      LB.ADD medals 12/5/3 nor ID one AT 1000 => [\"12/5/3\" 1 0]
                      LB.ADD medals 12/9/0 ger AT 2000 => [\"12/9/0\" 1 1]
                      LB.MADD medals AT 3000 0/0/1 usa 9/10/6 usa => [[\"9/10/7\" 3 1] [\"9/10/7\" 3 1]]
                      LB.SET medals 0/0/-1 zzz AT 4000 => [\"0/0/-1\" 4 1]";

/// Runs a session on the board `medals`, in both protocols.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, MEDALS);
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}

#[test]
fn the_first_level_decides() {
    plays(
        r#"LB.TOP medals 9 => [[1 "ger" "12/9/0"] [2 "nor" "12/5/3"] [3 "usa" "9/10/7"] [4 "zzz" "0/0/-1"]]
           LB.SCORE medals usa => "9/10/7"
           LB.MSCORE medals MEMBERS 2 nor nobody => [[2 "12/5/3"] nil]
           LB.ADD medals 0/4/-9 nor WITHCHANGE => ["12/9/-6" 2 1 "12/5/3" 2]
           LB.ADD medals 0/0/6 nor => ["12/9/0" 2 1]
           LB.RANK medals nor RANKS DENSE => 1
           LB.SET medals -1/0/1 ger => ["-1/0/1" 4 1]
           LB.SET medals -1/0/1 ger GT => ["-1/0/1" 4 0]
           LB.ROLLADD medals 1/0/0 usa => ["1/0/0" 1 1]
           LB.CREATE single LEVELS lives:ASC:9 => OK
           LB.ADD single 3 ann => ["3" 1 1]
           LB.ADD single -5 bob => ["-5" 1 1]
           LB.COUNT single 4 -6 => 2
           LB.COUNT single 3 (-5 => 1"#,
    );
}

#[test]
fn a_gap_is_told_level_by_level() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection_resp3();
    play(&mut con, MEDALS);
    let nor = say(&mut con, "LB.STANDING medals nor");
    assert!(
        nor.contains(r#""ahead": ["ger" "12/9/0" "0/4/-3"], "behind": ["usa" "9/10/7" "3/-5/-4"]"#),
        "{nor}"
    );
    assert!(nor.starts_with(r#"{"rank": 2, "score": "12/5/3","#), "{nor}");
    let info = say(&mut con, "LB.INFO medals");
    let levels = r#""levels": "gold:DESC:2000,silver:DESC:2000,bronze:DESC:2000", "segments": "", "hours": "", "attempts": "", "bounds": "", "decimals": 0"#;
    assert!(info.contains(levels), "{info}");
}

#[test]
fn bounds_are_compared_level_by_level() {
    plays(
        r#"LB.RANGEBYSCORE medals 12/5/3 +inf => [[1 "ger" "12/9/0"] [2 "nor" "12/5/3"]]
           LB.RANGEBYSCORE medals (12/5/3 12/9/0 => [[1 "ger" "12/9/0"]]
           LB.COUNT medals 5000/0/0 +inf => 0
           LB.COUNT medals 12/5000/0 +inf => 0
           LB.COUNT medals 11/5000/0 +inf => 2
           LB.COUNT medals -99999999999999999999999999/0/0 99999999999999999999999999/0/0 => 4
           LB.COUNT medals -inf (9/10/7 => 1
           LB.COUNT medals 12 +inf => ERR min must be 3 whole numbers joined by / (LEVELS)
           LB.COUNT medals -inf 1/2 => ERR max must be 3 whole numbers joined by / (LEVELS)
           LB.COUNT medals 1/x/2 +inf => ERR min is not a decimal number
           LB.COUNT medals 1/2/3.0 +inf => ERR min is not a decimal number"#,
    );
}

#[test]
fn each_level_stays_within_its_most() {
    plays(
        "LB.ADD medals 0/2001/0 nor => ERR points: level silver is out of range
         LB.SET medals 0/0/99999999999999999999 nor => ERR score: level bronze is out of range
         LB.ADD medals 0/1996/0 nor => ERR level silver would be out of range
         LB.MADD medals 2000/0/0 new -1/0/0 old 1/0/0 new => ERR level gold would be out of range
         LB.ADD medals 5 nor => ERR points must be 3 whole numbers joined by / (LEVELS)
         LB.ADD medals 1/2 nor => ERR points must be 3 whole numbers joined by / (LEVELS)
         LB.ADD medals 1/2/ nor => ERR points is not a decimal number
         LB.ADD medals 1/2/3.0 nor => ERR points is not a decimal number
         LB.ADD plain 1/2/3 nor => ERR points is not a decimal number
         EXISTS plain new old => 0
         LB.SCORE medals new => nil
         LB.COUNT medals => 4",
    );
}

#[test]
fn levels_are_checked_when_a_board_is_made() {
    plays(
        "LB.CREATE board LEVELS a:DESC:5 DECIMALS 0 => ERR options LEVELS and DECIMALS exclude each other
         LB.CREATE board ORDER DESC LEVELS a:DESC:5 => ERR options LEVELS and ORDER exclude each other
         LB.CREATE board LEVELS a:DESC:5 SHOWN => ERR options LEVELS and SHOWN exclude each other
         LB.CREATE board VIEWS week CARRY week=0.5 LEVELS a:DESC:5 => ERR options LEVELS and CARRY exclude each other
         LB.CREATE board LEVELS a:DESC:5 LIMIT rule voter 5 day => ERR voting is not possible with LEVELS
         LB.CREATE board LEVELS a:DESC:5,a:ASC:5 => ERR LEVELS names a twice
         LB.CREATE board LEVELS a:DESC => ERR LEVELS 'a:DESC' must be name:DESC:max or name:ASC:max: letters, digits, _ or -, and max from 1
         LB.CREATE board LEVELS a:DESC:9223372036854775807,b:DESC:1 => ERR LEVELS are too large: the product of all 2*max+1 must fit 64 bits
         EXISTS board => 0",
    );
}

#[test]
fn what_a_board_with_levels_does_not_have() {
    plays(
        "ZADD zset 1 ann
         LB.VOTE medals 1 nor => ERR a vote is not possible with LEVELS
         LB.MVOTE medals 1 nor => ERR a vote is not possible with LEVELS
         LB.OPTION medals nor => ERR an option is not possible with LEVELS
         LB.IMPORT medals zset => ERR an import is not possible with LEVELS
         LB.UNION dest 2 medals zset => ERR combining boards is not possible with LEVELS
         LB.INTER dest 2 zset medals => ERR combining boards is not possible with LEVELS
         LB.ALTER medals LIMIT rule voter 5 day => ERR voting is not possible with LEVELS
         LB.ALTER medals CARRY day=0.5 => ERR options LEVELS and CARRY exclude each other
         EXISTS dest => 0
         LB.CREATE small LEVELS gold:DESC:10,silver:DESC:10
         LB.ADD small 1/2 ann
         LB.EXPORT dest small => 1
         ZCOUNT dest 23 23 => 1",
    );
}

/// Returns all visible data of the board, and its digest.
fn seen(con: &mut Connection) -> [String; 4] {
    let top = say(con, "LB.TOP medals 9 WITHMETA");
    let week = say(con, "LB.TOP medals 9 VIEW day:7");
    let info = say(con, "LB.INFO medals");
    let rules = info.split("\"dedup\"").next().expect("the rules").to_owned();
    [top, week, rules, digest(con, "medals")]
}

#[test]
fn levels_survive_what_moves_data() {
    for flavor in Flavor::all() {
        let builder = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
        let mut server = builder.start();
        let mut con = server.connection();
        play(&mut con, MEDALS);
        play(&mut con, "LB.SET medals 1/-1/2 ann VIEW day:7");
        let before = seen(&mut con);
        let dump: Vec<u8> = query(&mut con, &["DUMP", "medals"]);
        run(&mut con, &["DEL", "medals"]);
        run(&mut con, &[&b"RESTORE"[..], b"medals", b"0", &dump]);
        assert_eq!(seen(&mut con), before, "{flavor:?}");
        run(&mut con, &["DEBUG", "RELOAD"]);
        assert_eq!(seen(&mut con), before, "{flavor:?}");
        let replica = Server::start(flavor);
        replica.replica_of(&server);
        wait_for_sync(&server, &replica);
        play(&mut con, "LB.MADD medals 0/0/1 ann 0/0/-2 ann");
        let before = seen(&mut con);
        wait_for_sync(&server, &replica);
        assert_eq!(seen(&mut replica.connection()), before, "{flavor:?}");
        server.restart_nosave();
        assert_eq!(seen(&mut server.connection()), before, "{flavor:?}");
        bgrewriteaof_and_wait(&mut server.connection());
        server.restart_nosave();
        assert_eq!(seen(&mut server.connection()), before, "{flavor:?}");
    }
}

#[test]
fn histograms_divide_the_one_number_that_the_levels_make() {
    plays(
        r#"LB.CREATE board LEVELS gold:DESC:20,silver:ASC:20 CLOCK EVENT
           LB.MADD board AT 1 3/5 ann 3/6 bob 2/0 cat
           LB.HISTOGRAM board 0/0 5/0 2 => [["0/0" "3/20" 1] ["3/20" "5/0" 2]]
           LB.HISTOGRAM board -inf +inf 2 => [["-224960293581823800/7" "0/0" 0] ["0/0" "224960293581823800/-7" 3]]"#,
    );
}

#[test]
fn a_level_goes_up_to_what_a_score_holds() {
    plays(
        "LB.CREATE one LEVELS gold:DESC:9223372036854775807 => OK
         LB.CREATE two LEVELS gold:DESC:2147483648,silver:DESC:2147483647 => OK
         LB.CREATE three LEVELS gold:DESC:9223372036854775807,silver:DESC:1 => ERR LEVELS are too large: the product of all 2*max+1 must fit 64 bits",
    );
}

#[test]
fn statistics_have_neither_sum_nor_mean() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.CREATE board LEVELS gold:DESC:20,silver:ASC:20
           LB.MADD board 3/5 ann 3/6 bob 2/0 cat
           LB.STATS board => ["members" 3 "sum" nil "mean" nil "min" "2/0" "max" "3/5" "median" "3/6"]"#,
    );
}
