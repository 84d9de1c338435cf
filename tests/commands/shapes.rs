//! Tests of the form of replies: maps are maps in RESP3, and all other replies are the same in both protocols.

use std::collections::HashMap;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};
use redis::{Connection, Value};

const BOARD: &str = "LB.CREATE board CLOCK EVENT DECIMALS 1 DEDUP 60 => OK
                     LB.ADD board 10.5 ann AT 1000 ID request => [\"10.5\" 1 1]
                     LB.ADD board 7 bob AT 2000 => [\"7\" 2 1]
                     LB.ADD board 7 cat AT 3000 => [\"7\" 3 1]";

const BOB: &str = r#"{"rank": 2, "score": "7", "members": 3, "percentile": "66.67", "ahead": ["ann" "10.5" "3.5"], "behind": ["cat" "7" "0"], "previous": nil, "change": nil, "at": 2000}"#;
const CAT: &str = r#"{"rank": 3, "score": "7", "members": 3, "percentile": "33.33", "ahead": ["bob" "7" "0"], "behind": nil, "previous": nil, "change": nil, "at": 3000}"#;
const INFO: &str = r#"{"views": "all", "order": "DESC", "aggregate": "SUM", "ties": "FIRST", "tz": "UTC", "weekstart": "MON", "clock": "EVENT", "retain": "", "carry": "", "decay": "", "levels": "", "segments": "", "hours": "", "attempts": "", "bounds": "", "decimals": 1, "origin": 0, "dedup": 60, "shown": 0, "declared": 0, "keep": 0, "opens": 0, "closes": 0, "maxmembers": 0, "prizedays": 30, "payouts": 0, "notifytop": 0, "members": 3, "hidden": 0, "requests": 1, "now": 3000, "memory": "#;

/// Returns the map as a flat list of names and values.
fn flat(map: &str) -> String {
    map.replace("\": ", "\" ").replace(", \"", " \"").replace('{', "[").replace('}', "]")
}

#[track_caller]
fn replies(con: &mut Connection, shape: impl Fn(&str) -> String) {
    play(con, BOARD);
    assert_eq!(say(con, "LB.STANDING board bob"), shape(BOB));
    assert_eq!(
        say(con, "LB.MSTANDING board MEMBERS 3 cat nobody bob"),
        format!("[{} nil {}]", shape(CAT), shape(BOB))
    );
    let info = say(con, "LB.INFO board");
    assert!(info.starts_with(&shape(INFO)), "{info}");
    play(con, "FLUSHALL");
}

#[test]
fn maps_are_maps_where_there_are_any() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        replies(&mut server.connection(), flat);
        let known = flavor != Flavor::Redis62;
        replies(&mut server.connection_resp3(), if known { str::to_owned } else { flat });
    }
}

#[test]
fn everything_else_is_the_same_on_every_server_and_in_both_protocols() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(&mut con, BOARD);
            play(
                &mut con,
                r#"LB.ADD board 1 ann AT 4000 WITHCHANGE => ["11.5" 1 1 "10.5" 1]
                   LB.ADD board 1 dan AT 4000 WITHCHANGE => ["1" 4 1 nil nil]
                   LB.MADD board AT 5000 0.5 dan 0.5 eve => [["1.5" 4 1] ["0.5" 5 1]]
                   LB.SET board 0.5 dan AT 6000 GT => ["1.5" 4 0]
                   LB.SET board 0.5 fay AT 6000 XX => [nil nil 0]
                   LB.SETMETA board ann text => OK
                   LB.GETMETA board ann => "text"
                   LB.GETMETA board bob => nil
                   LB.TOP board 2 WITHMETA => [[1 "ann" "11.5" "text"] [2 "bob" "7" nil]]
                   LB.RANGE board -1 -1 => [[5 "eve" "0.5"]]
                   LB.RANGEBYSCORE board 7 7 => [[2 "bob" "7"] [3 "cat" "7"]]
                   LB.AROUND board bob 1 => [[1 "ann" "11.5"] [2 "bob" "7"] [3 "cat" "7"]]
                   LB.RANK board bob => 2
                   LB.SCORE board bob => "7"
                   LB.MSCORE board MEMBERS 2 bob nobody => [[2 "7"] nil]
                   LB.COUNT board => 5
                   LB.REM board bob nobody => 1
                   LB.ALTER board DEDUP 5 => OK
                   FLUSHALL"#,
            );
        }
    }
}

#[test]
fn info_tells_rules_and_sizes() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection_resp3();
    play(&mut con, "LB.CREATE board ORDER ASC AGGREGATE MIN TIES LEX DECIMALS 3 DEDUP 0 VIEWS all");
    let fields: HashMap<String, Value> = query(&mut con, &["LB.INFO", "board"]);
    let words =
        [("views", "all"), ("order", "ASC"), ("aggregate", "MIN"), ("ties", "LEX"), ("clock", "SERVER")];
    for (name, word) in words {
        assert_eq!(fields[name], Value::BulkString(word.into()), "{name}");
    }
    for (name, value) in [("decimals", 3), ("notifytop", 0), ("dedup", 0), ("members", 0), ("requests", 0)] {
        assert_eq!(fields[name], Value::Int(value), "{name}");
    }
    let [seconds, _]: [i64; 2] = query(&mut con, &["TIME"]);
    let Value::Int(now) = fields["now"] else { panic!("{:?}", fields["now"]) };
    assert!((now / 1000 - seconds).abs() <= 1, "{now}");
    assert!(matches!(fields["memory"], Value::Int(1..)), "{:?}", fields["memory"]);
    assert_eq!(fields.len(), 52);
}

#[test]
fn an_absent_key_reads_as_nothing() {
    super::plays(
        "LB.INFO absent => nil
         LB.GETMETA absent ann => nil
         LB.TOP absent 5 => []
         LB.TOP absent 5 OFFSET 5 WITHMETA RANKS DENSE => []
         LB.RANGE absent 1 -1 => []
         LB.RANGEBYSCORE absent -inf +inf => []
         LB.AROUND absent ann 5 => []
         LB.RANK absent ann => nil
         LB.SCORE absent ann => nil
         LB.MSCORE absent MEMBERS 2 ann bob => [nil nil]
         LB.STANDING absent ann => nil
         LB.MSTANDING absent MEMBERS 2 ann bob => [nil nil]
         LB.COUNT absent => 0
         LB.COUNT absent 1 5 => 0
         LB.REM absent ann => 0
         EXISTS absent => 0",
    );
}

#[test]
fn an_unknown_member_reads_as_nothing() {
    super::plays(
        "LB.ADD board 5 ann => [5 1 1]
         LB.SETMETA board only-meta text => OK
         LB.GETMETA board bob => nil
         LB.AROUND board bob 5 => []
         LB.AROUND board only-meta 5 => []
         LB.RANK board bob => nil
         LB.RANK board only-meta => nil
         LB.SCORE board only-meta => nil
         LB.MSCORE board MEMBERS 3 bob only-meta ann => [nil nil [1 5]]
         LB.STANDING board only-meta => nil
         LB.MSTANDING board MEMBERS 2 bob only-meta => [nil nil]
         LB.COUNT board => 1
         LB.REM board bob => 0
         LB.REM board only-meta => 1
         LB.REM board only-meta => 0",
    );
}

#[test]
fn a_board_stays_when_it_is_empty() {
    super::plays(
        "LB.CREATE board ORDER ASC DEDUP 60 => OK
         LB.TOP board 5 => []
         LB.COUNT board => 0
         LB.RANK board ann => nil
         LB.ADD board 5 ann => [5 1 1]
         LB.ADD board 6 bob => [6 2 1]
         LB.REM board ann bob => 2
         EXISTS board => 1
         LB.TOP board 5 => []
         LB.RANGE board 1 -1 => []
         LB.RANGE board -1 -1 => []
         LB.RANGEBYSCORE board -inf +inf => []
         LB.COUNT board => 0
         LB.ADD board 2 bob => [2 1 1]
         LB.ADD board 1 ann => [1 1 1]",
    );
}

#[test]
fn commands_and_options_are_read_in_any_case() {
    super::plays(
        "lb.create board order asc ties lex => OK
         Lb.Add board 5 ann Id request At 5 WithChange => [5 1 1 nil nil]
         LB.ADD board 5 Ann view ALL => [5 1 1]
         lb.top board 2 ranks dense => [[1 \"Ann\" 5] [1 \"ann\" 5]]
         lb.rangebyscore board -INF +Inf => [[1 \"Ann\" 5] [2 \"ann\" 5]]
         lb.count board View All => 2",
    );
}
