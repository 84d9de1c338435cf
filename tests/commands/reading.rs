//! Tests of the lines of a ranking, ranks and counts.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

use super::plays;

/// Five members. Two of them have equal scores.
const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board cat text";

fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}

#[test]
fn the_top_begins_behind_an_offset() {
    on_five(
        r#"LB.TOP board 0 => []
           LB.TOP board 2 => [[1 "ann" 50] [2 "bob" 40]]
           LB.TOP board 2 OFFSET 3 => [[4 "dan" 30] [5 "eve" 20]]
           LB.TOP board 9 OFFSET 4 => [[5 "eve" 20]]
           LB.TOP board 9 OFFSET 5 => []
           LB.TOP board 9223372036854775807 OFFSET 9223372036854775807 => []
           LB.TOP board 9223372036854775807 OFFSET 4 => [[5 "eve" 20]]
           LB.TOP board 2 OFFSET 1 WITHMETA => [[2 "bob" 40 nil] [3 "cat" 40 "text"]]"#,
    );
}

#[test]
fn a_range_of_ranks_counts_from_both_ends() {
    on_five(
        r#"LB.RANGE board 1 2 => [[1 "ann" 50] [2 "bob" 40]]
           LB.RANGE board 4 -1 => [[4 "dan" 30] [5 "eve" 20]]
           LB.RANGE board -2 -1 => [[4 "dan" 30] [5 "eve" 20]]
           LB.RANGE board -99 1 => [[1 "ann" 50]]
           LB.RANGE board -99 -5 => [[1 "ann" 50]]
           LB.RANGE board -99 -6 => []
           LB.RANGE board 5 99 => [[5 "eve" 20]]
           LB.RANGE board 6 99 => []
           LB.RANGE board 2 1 => []
           LB.RANGE board -1 -2 => []
           LB.RANGE board -1 1 => []
           LB.RANGE board 5 9223372036854775807 => [[5 "eve" 20]]
           LB.RANGE board -9223372036854775807 1 => [[1 "ann" 50]]
           LB.RANGE board 3 3 WITHMETA => [[3 "cat" 40 "text"]]"#,
    );
}

#[test]
fn a_range_of_scores_has_bounds_that_count_or_do_not() {
    on_five(
        r#"LB.RANGEBYSCORE board 30 40 => [[2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.RANGEBYSCORE board (30 40 => [[2 "bob" 40] [3 "cat" 40]]
           LB.RANGEBYSCORE board 30 (40 => [[4 "dan" 30]]
           LB.RANGEBYSCORE board (30 (40 => []
           LB.RANGEBYSCORE board 40 30 => []
           LB.RANGEBYSCORE board 45 +inf => [[1 "ann" 50]]
           LB.RANGEBYSCORE board 45 inf => [[1 "ann" 50]]
           LB.RANGEBYSCORE board -inf 25 => [[5 "eve" 20]]
           LB.RANGEBYSCORE board -inf (20 => []
           LB.RANGEBYSCORE board (50 +inf => []
           LB.RANGEBYSCORE board +inf -inf => []
           LB.RANGEBYSCORE board -inf -inf => []
           LB.RANGEBYSCORE board +inf +inf => []
           LB.RANGEBYSCORE board (9223372036854775807 +inf => []
           LB.RANGEBYSCORE board -inf (-9223372036854775807 => []
           LB.RANGEBYSCORE board 31 39 => []
           LB.RANGEBYSCORE board -inf +inf COUNT 2 => [[1 "ann" 50] [2 "bob" 40]]
           LB.RANGEBYSCORE board 20 40 OFFSET 1 COUNT 2 => [[3 "cat" 40] [4 "dan" 30]]
           LB.RANGEBYSCORE board 20 40 OFFSET 3 => [[5 "eve" 20]]
           LB.RANGEBYSCORE board 30 40 OFFSET 3 => []
           LB.RANGEBYSCORE board 30 40 OFFSET 9223372036854775807 COUNT 9223372036854775807 => []
           LB.RANGEBYSCORE board 30 40 COUNT 0 => []
           LB.RANGEBYSCORE board 40 40 OFFSET 1 WITHMETA => [[3 "cat" 40 "text"]]"#,
    );
}

#[test]
fn counts_are_of_all_or_of_a_range_of_scores() {
    on_five(
        "LB.COUNT board => 5
         LB.COUNT board VIEW all => 5
         LB.COUNT board -inf +inf => 5
         LB.COUNT board 30 40 => 3
         LB.COUNT board (30 (50 VIEW all => 2
         LB.COUNT board 40 40 => 2
         LB.COUNT board 41 49 => 0
         LB.COUNT board 50 40 => 0
         LB.COUNT board (9223372036854775807 +inf => 0
         LB.COUNT board 30 40 RANKS DENSE => 3",
    );
}

#[test]
fn around_a_member_are_those_above_and_below() {
    on_five(
        r#"LB.AROUND board cat 0 => [[3 "cat" 40]]
           LB.AROUND board cat 1 => [[2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board ann 1 => [[1 "ann" 50] [2 "bob" 40]]
           LB.AROUND board bob 2 => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30]]
           LB.AROUND board eve 1 => [[4 "dan" 30] [5 "eve" 20]]
           LB.AROUND board eve 9223372036854775807 OFFSET => ERR unknown option 'OFFSET'
           LB.AROUND board ann 9223372036854775807 WITHMETA => [[1 "ann" 50 nil] [2 "bob" 40 nil] [3 "cat" 40 "text"] [4 "dan" 30 nil] [5 "eve" 20 nil]]"#,
    );
}

#[test]
fn ranks_are_counted_in_three_ways() {
    on_five(
        r#"LB.TOP board 5 RANKS ORDINAL => [[1 "ann" 50] [2 "bob" 40] [3 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.TOP board 5 RANKS COMPETITION => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40] [4 "dan" 30] [5 "eve" 20]]
           LB.TOP board 5 RANKS DENSE => [[1 "ann" 50] [2 "bob" 40] [2 "cat" 40] [3 "dan" 30] [4 "eve" 20]]
           LB.TOP board 2 OFFSET 2 RANKS COMPETITION => [[2 "cat" 40] [4 "dan" 30]]
           LB.TOP board 2 OFFSET 2 RANKS DENSE => [[2 "cat" 40] [3 "dan" 30]]
           LB.RANGE board 3 4 RANKS COMPETITION => [[2 "cat" 40] [4 "dan" 30]]
           LB.RANGE board -3 -2 RANKS DENSE => [[2 "cat" 40] [3 "dan" 30]]
           LB.RANGEBYSCORE board 30 40 OFFSET 1 RANKS DENSE => [[2 "cat" 40] [3 "dan" 30]]
           LB.AROUND board cat 0 RANKS COMPETITION => [[2 "cat" 40]]
           LB.RANK board cat => 3
           LB.RANK board cat RANKS COMPETITION => 2
           LB.RANK board dan RANKS COMPETITION => 4
           LB.RANK board dan RANKS DENSE => 3
           LB.SCORE board dan RANKS DENSE => 30
           LB.MSCORE board RANKS DENSE VIEW all MEMBERS 2 cat dan => [[2 40] [3 30]]
           LB.MSCORE board MEMBERS 2 cat dan RANKS COMPETITION => [[2 40] [4 30]]"#,
    );
}

#[test]
fn members_may_have_the_names_of_options() {
    plays(
        "LB.ADD board 5 view => [5 1 1]
         LB.ADD board 4 RANKS => [4 2 1]
         LB.MSCORE board MEMBERS 4 view RANKS MEMBERS DENSE RANKS DENSE => [[1 5] [2 4] nil nil]
         LB.RANK board view => 1
         LB.SCORE board RANKS => 4",
    );
}

/// Returns the reply to LB.STANDING on a board of these members.
fn standing(board: &str, member: &str) -> String {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("LB.MADD board {board}"));
    say(&mut con, &format!("LB.STANDING board {member}"))
}

#[test]
fn a_standing_tells_the_share_at_or_below() {
    let (three, tied) = ("5 ann 4 bob 3 cat", "5 ann 4 bob 4 cat 1 dan");
    for (board, member, percentile) in [
        ("5 ann", "ann", "100.00"),
        (three, "ann", "100.00"),
        (three, "bob", "66.67"),
        (three, "cat", "33.33"),
        (tied, "bob", "75.00"),
        (tied, "cat", "50.00"),
        (tied, "cat RANKS COMPETITION", "75.00"),
        (tied, "cat RANKS DENSE", "75.00"),
        (tied, "dan RANKS DENSE", "25.00"),
    ] {
        let reply = standing(board, member);
        assert!(reply.contains(&format!("\"percentile\" \"{percentile}\"")), "{board}: {member}: {reply}");
    }
}

#[test]
fn a_gap_may_exceed_a_score() {
    let reply = standing("9223372036854775807 ann -9223372036854775807 bob", "bob");
    assert!(reply.contains(r#""ahead" ["ann" 9223372036854775807 "18446744073709551614"]"#), "{reply}");
}
