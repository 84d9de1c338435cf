//! Tests of segments in a server: commands, errors, events, and what survives a restart or reaches a replica. The rules of
//! segments are tested with a model in process, in the crate of the commands.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, run};
use redis::Value;

/// A board with two countries and two guilds.
const WORLD: &str = "LB.CREATE board VIEWS all,day SEGMENTS country:SUM,guild CLOCK EVENT => OK
                     LB.ADD board 120 ann AT 1000 SEGMENT country DE SEGMENT guild owls WITHIN country => [120 1 1 1]
                     LB.ADD board 90 bob AT 1001 SEGMENT country FR WITHIN country => [90 2 1 1]
                     LB.ADD board 60 eva AT 1002 SEGMENT country FR WITHIN country WITHCHANGE => [60 3 1 nil nil 2]
                     LB.MADD board AT 1003 SEGMENT guild owls 5 max 6 moe => [[5 5 1] [6 4 1]]";

#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, WORLD);
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}

#[test]
fn all_reads_know_segments() {
    plays(
        r#"LB.TOP board 9 IN country FR => [[1 "bob" 90] [2 "eva" 60]]
           LB.TOP board 9 IN country FR REV FLAT => [1 "eva" 60 "bob" 90]
           LB.TOP board 9 IN country XX => []
           LB.RANGE board -1 -1 IN country FR => [[2 "eva" 60]]
           LB.RANGEBYSCORE board 0 80 IN country FR => [[2 "eva" 60]]
           LB.AROUND board eva 1 WITHIN country => [[1 "bob" 90] [2 "eva" 60]]
           LB.AROUND board eva 1 IN country DE => []
           LB.RANK board eva WITHIN country => 2
           LB.RANK board eva IN country DE => nil
           LB.RANK board eva WITHIN guild => nil
           LB.SCORE board eva IN country FR => 60
           LB.SCORE board eva IN country DE => nil
           LB.MSCORE board MEMBERS 2 ann eva IN country FR => [nil [2 60]]
           LB.AMONG board MEMBERS 3 ann eva bob IN country FR => [[1 "bob" 90 1] [2 "eva" 60 2]]
           LB.COUNT board IN guild owls => 3
           LB.COUNT board 0 9 IN guild owls => 2
           LB.QUANTILE board 0 1 IN guild owls => [5 120]
           LB.HISTOGRAM board 0 9 1 IN guild owls => [[0 9 2]]
           LB.EXPORT dest board IN country FR => 2
           ZRANGE dest 0 -1 => ["eva" "bob"]
           LB.SEGMENTS board country => [[1 "FR" 150 2] [2 "DE" 120 1]]
           LB.SEGMENTS board country COUNT 1 OFFSET 1 => [[2 "DE" 120 1]]
           LB.SEGMENTS board country REV => [[1 "DE" 120 1] [2 "FR" 150 2]]
           LB.SEGMENTS board guild => [[1 "owls" 3 3]]
           LB.SEGMENTRANK board country DE => [2 120 1]
           LB.SEGMENTRANK board country XX => nil
           LB.RANK absent ann IN country DE => nil
           LB.SEGMENTS absent country => []
           LB.SEGMENTRANK absent country DE => nil"#,
    );
}

#[test]
fn members_move_and_the_past_stays() {
    plays(
        r#"LB.ADD board 1 ann AT 86400000 => [121 1 1]
           LB.SEGMENT board ann country FR => 1
           LB.SEGMENT board ann country FR => 0
           LB.SEGMENTS board country => [[1 "FR" 271 3]]
           LB.SEGMENTS board country VIEW day => [[1 "FR" 1 1]]
           LB.SEGMENTS board country VIEW day PERIOD -1 => [[1 "FR" 150 2] [2 "DE" 120 1]]
           LB.RANK board ann WITHIN country => 1
           LB.TOP board 9 VIEW day PERIOD -1 IN country DE => [[1 "ann" 120]]
           LB.RANK board ann VIEW day PERIOD -1 WITHIN guild => 1
           LB.HIDE board ann => 1
           LB.SEGMENTS board country => [[1 "FR" 150 2]]
           LB.RANK board ann WITHIN country => 1
           LB.REM board ann bob => 2
           LB.SEGMENTS board country => [[1 "FR" 60 1]]
           LB.SEGMENTS board country VIEW day PERIOD -1 => [[1 "FR" 60 1]]"#,
    );
}

#[test]
fn a_member_needs_no_score() {
    plays(
        "LB.SEGMENT board new country DE => 1
         LB.SEGMENTS board country => [[1 \"FR\" 150 2] [2 \"DE\" 120 1]]
         LB.ADD board 1 new AT 1004 WITHIN country => [1 6 1 2]
         LB.REM board new => 1",
    );
}

#[test]
fn a_later_period_has_no_segments() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, WORLD);
    play(
        &mut con,
        "LB.SEGMENT board new country DE => 1
         LB.GETSEGMENT board new => [\"country\" \"DE\"]
         LB.GETSEGMENT board new VIEW day AT 1004 => [\"country\" \"DE\"]
         LB.GETSEGMENT board new VIEW day AT 86400000 => []
         LB.GETSEGMENT board new VIEW day PERIOD 1 => []",
    );
}

#[test]
fn an_empty_value_takes_members_out() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, WORLD);
    for (words, changed) in [
        (&["LB.SEGMENT", "board", "eva", "country", "", "guild", "owls"][..], 2),
        (&["LB.SEGMENT", "board", "eva", "country", ""], 0),
        (&["LB.SEGMENT", "board", "nobody", "country", ""], 0),
    ] {
        assert_eq!(run(&mut con, words), Value::Int(changed), "{words:?}");
    }
    run(&mut con, &["LB.ADD", "board", "1", "bob", "AT", "1004", "SEGMENT", "country", ""]);
    play(
        &mut con,
        r#"LB.SEGMENTS board country => [[1 "DE" 120 1]]
           LB.GETSEGMENT board bob => []
           LB.SEGMENTS board guild => [[1 "owls" 4 4]]"#,
    );
}

#[test]
fn dimensions_are_altered() {
    plays(
        r#"LB.ALTER board SEGMENTS -guild,+os:BEST => OK
           LB.SEGMENT board bob os linux => 1
           LB.SEGMENTS board os => [[1 "linux" 90 1]]
           LB.CREATE other LIKE board => OK
           LB.ADD other 1 ann AT 5 SEGMENT os mac WITHIN os => [1 1 1 1]"#,
    );
}

#[test]
fn errors_name_the_argument_and_change_nothing() {
    plays(
        "LB.ADD board 1 ann AT 1004 SEGMENT town X => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.ADD board 1 ann AT 1004 SEGMENT country A SEGMENT country B => ERR SEGMENT country is given twice
         LB.ADD board 1 ann AT 1004 WITHIN town => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.RANK board ann IN country DE WITHIN country => ERR options IN and WITHIN exclude each other
         LB.RANK board ann IN town DE => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.SEGMENT board ann country FR guild => ERR the list of names and values is incomplete
         LB.SEGMENT board ann country FR town X => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.SEGMENT absent ann country DE => NOBOARD the board does not exist
         LB.SEGMENTS board town => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.ALTER board SEGMENTS +country => ERR SEGMENTS names country twice
         LB.ALTER board SEGMENTS -town => ERR 'town' is not a dimension of this board (SEGMENTS)
         LB.ALTER board SEGMENTS town => ERR SEGMENTS 'town' must begin with + or -
         LB.ALTER board SEGMENTS +a,+b,+c => ERR SEGMENTS names more than 4 dimensions
         LB.CREATE x SEGMENTS a:MAX => ERR SEGMENTS 'a:MAX' must be a name, or name:SUM, name:COUNT or name:BEST: letters, digits, _ or -
         LB.CREATE x SEGMENTS a:SUM LEVELS gold:DESC:9 => ERR SEGMENTS with SUM is not possible with LEVELS
         LB.CREATE x SEGMENTS a PARTS 4 => ERR SEGMENTS is not possible with parts
         LB.TOP board 1 => [[1 \"ann\" 120]]
         LB.SEGMENTS board country => [[1 \"FR\" 150 2] [2 \"DE\" 120 1]]",
    );
}

#[test]
fn segments_survive_a_reload_and_a_copy() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, WORLD);
    play(
        &mut con,
        "LB.ADD board 1 ann AT 86400000\nLB.SEGMENT board ann country FR => 1\nCOPY board copy => 1",
    );
    play(&mut con, "DEBUG RELOAD => OK");
    for key in ["board", "copy"] {
        play(
            &mut con,
            &format!(
                "LB.SEGMENTS {key} country => [[1 \"FR\" 271 3]]
                 LB.SEGMENTS {key} country VIEW day PERIOD -1 => [[1 \"FR\" 150 2] [2 \"DE\" 120 1]]
                 LB.TOP {key} 2 IN country FR => [[1 \"ann\" 121] [2 \"bob\" 90]]
                 LB.GETSEGMENT {key} bob => [\"country\" \"FR\"]"
            ),
        );
    }
}
