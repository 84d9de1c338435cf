//! Tests of `REV`, which counts everything from the last place.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::Connection;

use super::plays;

const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board cat text";

fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}

#[test]
fn lines_come_from_the_last_place() {
    on_five(
        r#"LB.TOP board 2 REV => [[1 "eve" 20] [2 "dan" 30]]
           LB.TOP board 2 OFFSET 1 REV WITHMETA => [[2 "dan" 30 nil] [3 "cat" 40 "text"]]
           LB.TOP board 9 REV OFFSET 4 => [[5 "ann" 50]]
           LB.TOP board 9 REV OFFSET 5 => []
           LB.TOP board 9223372036854775807 OFFSET 9223372036854775807 REV => []
           LB.RANGE board 1 2 REV => [[1 "eve" 20] [2 "dan" 30]]
           LB.RANGE board -2 -1 REV => [[4 "bob" 40] [5 "ann" 50]]
           LB.RANGE board -1 1 REV => []
           LB.RANGEBYSCORE board 30 40 REV => [[2 "dan" 30] [3 "cat" 40] [4 "bob" 40]]
           LB.RANGEBYSCORE board 30 (40 REV => [[2 "dan" 30]]
           LB.RANGEBYSCORE board 40 30 REV => []
           LB.RANGEBYSCORE board -inf +inf OFFSET 2 COUNT 2 REV => [[3 "cat" 40] [4 "bob" 40]]
           LB.AROUND board cat 1 REV => [[2 "dan" 30] [3 "cat" 40] [4 "bob" 40]]
           LB.AROUND board cat ABOVE 1 REV => [[2 "dan" 30] [3 "cat" 40]]
           LB.AROUND board cat BELOW 5 REV => [[3 "cat" 40] [4 "bob" 40] [5 "ann" 50]]
           LB.AROUND board eve 1 FILL REV => [[1 "eve" 20] [2 "dan" 30] [3 "cat" 40]]"#,
    );
}

#[test]
fn ranks_are_counted_from_the_last_place_in_three_ways() {
    on_five(
        r#"LB.TOP board 5 REV => [[1 "eve" 20] [2 "dan" 30] [3 "cat" 40] [4 "bob" 40] [5 "ann" 50]]
           LB.TOP board 5 REV RANKS COMPETITION => [[1 "eve" 20] [2 "dan" 30] [3 "cat" 40] [3 "bob" 40] [5 "ann" 50]]
           LB.TOP board 5 REV RANKS DENSE => [[1 "eve" 20] [2 "dan" 30] [3 "cat" 40] [3 "bob" 40] [4 "ann" 50]]
           LB.RANGE board 4 5 REV RANKS COMPETITION => [[3 "bob" 40] [5 "ann" 50]]
           LB.RANGE board 4 5 REV RANKS DENSE => [[3 "bob" 40] [4 "ann" 50]]
           LB.RANGEBYSCORE board 40 40 OFFSET 1 REV RANKS DENSE => [[3 "bob" 40]]
           LB.AROUND board bob 0 REV RANKS COMPETITION => [[3 "bob" 40]]
           LB.RANK board bob REV => 4
           LB.RANK board bob RANKS COMPETITION REV => 3
           LB.RANK board ann RANKS COMPETITION REV => 5
           LB.RANK board ann RANKS DENSE REV => 4
           LB.MSCORE board MEMBERS 3 ann zoe eve REV => [[5 50] nil [1 20]]
           LB.MSCORE board REV RANKS DENSE MEMBERS 2 ann eve => [[4 50] [1 20]]
           LB.AMONG board MEMBERS 3 ann bob eve REV => [[1 "eve" 20 1] [2 "bob" 40 4] [3 "ann" 50 5]]
           LB.AMONG board MEMBERS 3 ann bob cat REV RANKS COMPETITION => [[1 "cat" 40 3] [1 "bob" 40 3] [3 "ann" 50 5]]
           LB.AMONG board MEMBERS 3 ann bob cat REV RANKS DENSE => [[1 "cat" 40 3] [1 "bob" 40 3] [2 "ann" 50 4]]"#,
    );
}

#[test]
fn a_standing_looks_in_the_same_direction() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        &format!(
            r#"{FIVE}
               LB.STANDING board cat REV => ["rank" 3 "score" 40 "members" 5 "percentile" "60.00" "ahead" ["dan" 30 10] "behind" ["bob" 40 0] "previous" nil "change" nil "at" 1]
               LB.STANDING board eve REV => ["rank" 1 "score" 20 "members" 5 "percentile" "100.00" "ahead" nil "behind" ["dan" 30 10] "previous" nil "change" nil "at" 1]
               LB.STANDING board bob REV RANKS COMPETITION => ["rank" 3 "score" 40 "members" 5 "percentile" "60.00" "ahead" ["cat" 40 0] "behind" ["ann" 50 10] "previous" nil "change" nil "at" 1]
               LB.MSTANDING board MEMBERS 1 ann REV RANKS DENSE => [["rank" 4 "score" 50 "members" 5 "percentile" "20.00" "ahead" ["bob" 40 10] "behind" nil "previous" nil "change" nil "at" 1]]"#
        ),
    );
}

#[test]
fn the_place_in_the_period_before_is_counted_in_the_same_direction() {
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT
           LB.MADD board AT 5000 9 ann 8 bob 7 cat 6 dan
           LB.MADD board AT 15000 3 ann 5 bob 4 cat
           LB.STANDING board ann => ["rank" 3 "score" 3 "members" 3 "percentile" "33.33" "ahead" ["cat" 4 1] "behind" nil "previous" [1 9] "change" -2 "at" 15000]
           LB.STANDING board ann REV => ["rank" 1 "score" 3 "members" 3 "percentile" "100.00" "ahead" nil "behind" ["cat" 4 1] "previous" [4 9] "change" 3 "at" 15000]
           LB.STANDING board bob REV => ["rank" 3 "score" 5 "members" 3 "percentile" "33.33" "ahead" ["cat" 4 1] "behind" nil "previous" [3 8] "change" 0 "at" 15000]
           LB.TOP board 2 PERIOD -1 REV => [[1 "dan" 6] [2 "cat" 7]]
           LB.RANK board ann PERIOD -1 REV => 4
           LB.STANDING board cat PERIOD -1 REV => ["rank" 2 "score" 7 "members" 4 "percentile" "75.00" "ahead" ["dan" 6 1] "behind" ["bob" 8 1] "previous" nil "change" nil "at" nil]"#,
    );
}

#[test]
fn counts_and_scores_are_the_same_from_both_ends() {
    on_five(
        r#"LB.SCORE board bob REV => 40
           LB.COUNT board REV => 5
           LB.COUNT board 30 40 REV RANKS DENSE => 3
           LB.QUANTILE board 0 0.5 1 REV RANKS DENSE => [20 40 50]
           LB.HISTOGRAM board 20 50 1 RANKS COMPETITION REV => [[20 50 5]]
           LB.TOP absent 5 REV => []
           LB.RANK absent ann REV => nil
           LB.AROUND absent ann 5 REV => []
           LB.MSCORE absent MEMBERS 2 ann bob REV => [nil nil]
           LB.AROUND board zoe 5 REV => []
           LB.RANK board zoe REV => nil
           EXISTS absent => 0"#,
    );
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, FIVE);
    assert_eq!(run(&mut con, &["LB.STATS", "board", "REV"]), run(&mut con, &["LB.STATS", "board"]));
}

#[test]
fn the_last_are_exported_first() {
    on_five(
        r#"LB.EXPORT dest board COUNT 2 REV => 2
           ZRANGE dest 0 -1 => ["eve" "dan"]
           LB.EXPORT dest board REV => 5
           ZCARD dest => 5"#,
    );
}

type Line = (i64, String, i64);

/// Makes a board of 300 members with 20 different scores, many of them with the same moment. Returns its lines.
fn tied(con: &mut Connection, rules: &str) -> Vec<Line> {
    play(con, &format!("LB.CREATE board CLOCK EVENT {rules}"));
    for batch in 0..10 {
        let pairs = (0..30).map(|n| format!(" {} m{}", (batch * 7 + n * n) % 20, n * 10 + batch));
        play(con, &format!("LB.MADD board AT {}{}", 1000 + batch / 3, pairs.collect::<String>()));
    }
    query(con, &["LB.TOP", "board", "300"])
}

/// Returns the lines in reverse order, with the ranks counted again.
fn reversed(lines: &[Line], ranks: &str) -> Vec<Line> {
    let worse_first: Vec<_> = lines.iter().rev().collect();
    let rank = |place: usize, score: i64| {
        let mut worse: Vec<i64> =
            worse_first.iter().map(|line| line.2).take_while(|other| *other != score).collect();
        if ranks == "DENSE" {
            worse.dedup();
        }
        if ranks == "ORDINAL" { place as i64 + 1 } else { worse.len() as i64 + 1 }
    };
    let lines = worse_first.iter().enumerate();
    lines.map(|(place, line)| (rank(place, line.2), line.1.clone(), line.2)).collect()
}

#[test]
fn a_board_with_ties_reads_backwards_as_forwards() {
    for rules in [
        "TIES FIRST",
        "TIES LAST ORDER ASC",
        "TIES LEX AGGREGATE LAST",
        "ORDER ASC AGGREGATE MAX",
        "TIES LAST VIEWS day:3,day",
    ] {
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        let forwards = tied(&mut con, rules);
        assert_eq!(forwards.len(), 300);
        for ranks in ["ORDINAL", "COMPETITION", "DENSE"] {
            println!("{rules} {ranks}");
            backwards(&mut con, &reversed(&forwards, ranks), ranks);
        }
    }
}

fn ask(con: &mut Connection, line: &str, ranks: &str) -> Vec<Line> {
    let words: Vec<&str> = line.split(' ').chain(["REV", "RANKS", ranks]).collect();
    query(con, &words)
}

#[track_caller]
fn backwards(con: &mut Connection, expected: &[Line], ranks: &str) {
    assert_eq!(ask(con, "LB.TOP board 300", ranks), expected);
    for (first, last) in [(1, 1), (7, 60), (290, 400), (-300, -290), (-5, -1), (150, -100), (20, 10)] {
        let place = |rank: i64| if rank < 0 { rank + 300 } else { rank - 1 };
        let within = |at: &usize| (place(first)..=place(last)).contains(&(*at as i64));
        let lines: Vec<Line> = (0..300).filter(within).map(|at| expected[at].clone()).collect();
        assert_eq!(ask(con, &format!("LB.RANGE board {first} {last}"), ranks), lines, "{first} {last}");
    }
    for (low, high) in [(0, 0), (3, 9), (18, 40)] {
        let within = |line: &&Line| (low..=high).contains(&line.2);
        let lines: Vec<Line> = expected.iter().filter(within).cloned().collect();
        assert_eq!(ask(con, &format!("LB.RANGEBYSCORE board {low} {high}"), ranks), lines, "{low} {high}");
    }
    for at in [0, 1, 44, 150, 299] {
        let member = &expected[at].1;
        let lines = &expected[at.saturating_sub(3)..300.min(at + 6)];
        assert_eq!(ask(con, &format!("LB.AROUND board {member} ABOVE 3 BELOW 5"), ranks), lines, "{member}");
        let words = ["LB.MSCORE", "board", "MEMBERS", "1", member, "REV", "RANKS", ranks];
        let [told]: [(i64, i64); 1] = query(con, &words);
        assert_eq!(told, (expected[at].0, expected[at].2), "{member}");
    }
}
