//! Tests of the neighbours of a member: the same number on both sides, different numbers, pages, and sides that are
//! filled up.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

use super::plays;

const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board cat text";

fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}

#[test]
fn each_side_has_a_number_of_its_own() {
    on_five(
        r#"LB.AROUND board cat ABOVE 0 BELOW 2 => [[3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board cat BELOW 1 ABOVE 2 => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board cat ABOVE 1 => [[2 "bob" 40] [3 "cat" 40]]
           LB.AROUND board cat BELOW 1 => [[3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board cat ABOVE 0 => [[3 "cat" 40]]
           LB.AROUND board cat ABOVE 0 BELOW 0 => [[3 "cat" 40]]
           LB.AROUND board ann ABOVE 2 BELOW 1 => [[1 "ann" 50] [2 "bob" 40]]
           LB.AROUND board eve ABOVE 1 BELOW 9 => [[4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board dan WITHMETA RANKS DENSE BELOW 0 VIEW all ABOVE 1 => [[2 "cat" 40 "text"] [3 "dan" 30 nil]]
           LB.AROUND board ann ABOVE 9223372036854775807 BELOW 9223372036854775807 RANKS COMPETITION => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board zoe ABOVE 1 BELOW 1 => []
           LB.AROUND absent ann ABOVE 1 BELOW 1 FILL => []
           EXISTS absent => 0"#,
    );
}

#[test]
fn what_is_missing_at_one_end_comes_from_the_other_side() {
    on_five(
        r#"LB.AROUND board ann 1 FILL => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40]]
           LB.AROUND board eve 1 FILL => [[3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board cat FILL BELOW 1 => [[3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board cat 1 FILL => [[2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board bob 2 FILL => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board bob ABOVE 3 FILL => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board dan BELOW 3 FILL => [[2 "bob" 40] [3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board ann ABOVE 1 FILL => [[1 "ann" 50] [2 "bob" 40]]
           LB.AROUND board eve BELOW 2 FILL WITHMETA => [[3 "cat" 40 "text"] [4 "dan" 30 nil] [5 "eve" 20 nil]]
           LB.AROUND board eve 0 FILL => [[5 "eve" 20]]
           LB.AROUND board cat 9 FILL => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board dan ABOVE 9223372036854775807 BELOW 9223372036854775807 FILL RANKS DENSE => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40] [3 "dan" 30] [4 "eve" 20]]
           LB.AROUND board eve 9223372036854775807 FILL RANKS DENSE => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40] [3 "dan" 30] [4 "eve" 20]]"#,
    );
}

type Line = (u64, String, u64);

/// Returns all lines, page by page. Each page begins after the last line of the page before. `between` runs after each
/// page.
fn pages(
    con: &mut Connection,
    options: &[&str],
    mut between: impl FnMut(&mut Connection, usize),
) -> Vec<Line> {
    let mut all: Vec<Line> = query(con, &[&["LB.TOP", "board", "1"], options].concat());
    for number in 0.. {
        let last = all.last().expect("a line").1.clone();
        let question = ["LB.AROUND", "board", &last, "ABOVE", "0", "BELOW", "100"];
        let page: Vec<Line> = query(con, &[&question, options].concat());
        assert_eq!(page[0].1, last);
        assert!(page.len() <= 101, "{}", page.len());
        if page.len() == 1 {
            break;
        }
        all.extend_from_slice(&page[1..]);
        between(con, number);
    }
    all
}

/// Makes a board of 1,050 members with many equal scores.
fn long(con: &mut Connection) {
    let pairs = (0..1_050).map(|n| format!(" {} m{n}", n * 7919 % 90)).collect::<String>();
    play(con, &format!("LB.CREATE board CLOCK EVENT RETAIN 1\nLB.MADD board AT 1000{pairs}"));
}

#[test]
fn a_whole_board_is_read_page_by_page() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    long(&mut con);
    for options in [
        &[][..],
        &["REV"],
        &["RANKS", "DENSE"],
        &["RANKS", "COMPETITION", "REV"],
        &["VIEW", "all", "PERIOD", "0"],
    ] {
        let all: Vec<Line> = query(&mut con, &[&["LB.TOP", "board", "9999"], options].concat());
        assert_eq!(all.len(), 1_050);
        assert_eq!(pages(&mut con, options, |_, _| {}), all, "{options:?}");
    }
}

#[test]
fn pages_lose_and_repeat_nobody_when_others_come_in_before_them() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    long(&mut con);
    let before: Vec<Line> = query(&mut con, &["LB.TOP", "board", "9999"]);
    let read =
        pages(&mut con, &[], |con, number| play(con, &format!("LB.ADD board 1000 new{number} AT 2000")));
    let names = |lines: &[Line]| lines.iter().map(|line| line.1.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&before));
    assert_eq!(read.last().expect("a line").0, 1_050 + 10);
}

#[test]
fn pages_go_on_behind_a_member_that_was_hidden_meanwhile() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    long(&mut con);
    let before: Vec<Line> = query(&mut con, &["LB.TOP", "board", "9999"]);
    let read = pages(&mut con, &[], |con, number| {
        if let Some(last) = before.get((number + 1) * 100) {
            play(con, &format!("LB.HIDE board {} => 1", last.1));
        }
    });
    let names = |lines: &[Line]| lines.iter().map(|line| line.1.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&before));
}
