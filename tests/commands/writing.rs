//! Tests of writes of points, scores and texts, and of removals.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use super::plays;

#[test]
fn points_are_added_and_the_member_moves() {
    plays(
        "LB.ADD board 5 ann => [5 1 1]
         LB.ADD board 6 bob => [6 1 1]
         LB.ADD board 2 ann => [7 1 1]
         LB.ADD board -3 ann => [4 2 1]
         LB.ADD board 0 cat => [0 3 1]
         LB.ADD board -1 dan => [-1 4 1]
         LB.COUNT board => 4",
    );
}

#[test]
fn the_change_is_told_where_it_is_wanted() {
    plays(
        "LB.ADD board 5 ann WITHCHANGE => [5 1 1 nil nil]
         LB.ADD board 6 bob WITHCHANGE => [6 1 1 nil nil]
         LB.ADD board 2 ann WITHCHANGE => [7 1 1 5 2]
         LB.ADD board 0 ann WITHCHANGE => [7 1 1 7 1]
         LB.SET board 1 ann WITHCHANGE => [1 2 1 7 1]
         LB.SET board 9 ann XX LT WITHCHANGE => [1 2 0 1 2]
         LB.SET board 9 cat XX WITHCHANGE => [nil nil 0 nil nil]
         LB.SET board 9 cat NX WITHCHANGE => [9 1 1 nil nil]
         LB.ADD board 1 cat ID request WITHCHANGE => [10 1 1 9 1]
         LB.ADD board 1 cat ID request WITHCHANGE => [10 1 0 10 1]",
    );
}

#[test]
fn a_list_of_points_is_one_write() {
    plays(
        r#"LB.MADD board 5 ann 6 bob 7 cat => [[5 3 1] [6 2 1] [7 1 1]]
           LB.MADD board 1 ann 1 ann 1 ann => [[8 1 1] [8 1 1] [8 1 1]]
           LB.MADD board 9 dan -9 dan => [[0 4 1] [0 4 1]]
           LB.MADD board VIEW all AT 5 1 at => [[1 4 1]]
           LB.TOP board 9 => [[1 "ann" 8] [2 "cat" 7] [3 "bob" 6] [4 "at" 1] [5 "dan" 0]]"#,
    );
}

#[test]
fn a_list_that_would_overflow_on_the_way_is_summed_in_order() {
    plays(
        "LB.SET board 9223372036854775807 ann => [9223372036854775807 1 1]
         LB.MADD board -1 ann 1 ann => [[9223372036854775807 1 1] [9223372036854775807 1 1]]
         LB.MADD board 9223372036854775807 bob 0 ann => [[9223372036854775807 2 1] [9223372036854775807 1 1]]
         LB.MADD board 1 ann -1 ann => ERR the score would be out of range",
    );
}

#[test]
fn a_score_is_set_whatever_it_was() {
    plays(
        "LB.SET board 5 ann => [5 1 1]
         LB.SET board 3 ann => [3 1 1]
         LB.SET board -9223372036854775807 ann => [-9223372036854775807 1 1]
         LB.SET board 9223372036854775807 ann => [9223372036854775807 1 1]
         LB.SET board 0 ann => [0 1 1]",
    );
}

#[test]
fn a_condition_holds_a_score_back_or_lets_it_pass() {
    plays(
        "LB.SET board 5 ann XX => [nil nil 0]
         EXISTS board => 0
         LB.SET board 5 ann NX => [5 1 1]
         LB.SET board 6 ann NX => [5 1 0]
         LB.SET board 6 ann XX => [6 1 1]
         LB.SET board 6 ann GT => [6 1 0]
         LB.SET board 6 ann LT => [6 1 0]
         LB.SET board 5 ann GT => [6 1 0]
         LB.SET board 7 ann GT => [7 1 1]
         LB.SET board 8 ann LT => [7 1 0]
         LB.SET board 6 ann XX LT => [6 1 1]
         LB.SET board 7 bob XX GT => [nil nil 0]
         LB.SET board 7 bob GT => [7 1 1]
         LB.SET board 1 cat LT => [1 3 1]
         LB.COUNT board => 3",
    );
}

#[test]
fn a_member_with_only_a_text_has_no_score_for_a_condition() {
    plays(
        "LB.SETMETA board ann text => OK
         LB.SET board 5 ann XX => [nil nil 0]
         LB.SET board 5 ann NX => [5 1 1]
         LB.GETMETA board ann => \"text\"",
    );
}

#[test]
fn texts_stand_beside_members() {
    plays(
        r#"LB.SETMETA board ann one => OK
           EXISTS board => 1
           LB.COUNT board => 0
           LB.SETMETA board ann two => OK
           LB.GETMETA board ann => "two"
           LB.ADD board 5 ann => [5 1 1]
           LB.GETMETA board ann => "two"
           LB.SETMETA board ann <0> => OK
           LB.GETMETA board ann => nil
           LB.SCORE board ann => 5
           LB.SETMETA board bob text => OK
           LB.SETMETA board bob <0> => OK
           LB.SETMETA board bob <0> => OK
           LB.REM board bob => 0"#,
    );
}

#[test]
fn a_removed_member_leaves_nothing_behind() {
    plays(
        "LB.MADD board AT 1 5 ann 6 bob 7 cat
         LB.SETMETA board bob text
         LB.REM board bob nobody bob => 1
         LB.RANK board cat => 1
         LB.RANK board ann => 2
         LB.SCORE board bob => nil
         LB.GETMETA board bob => nil
         LB.ADD board 1 bob WITHCHANGE => [1 3 1 nil nil]
         LB.GETMETA board bob => nil
         LB.REM board ann bob cat => 3
         LB.COUNT board => 0",
    );
}

#[test]
fn a_board_is_made_by_its_first_write() {
    for line in
        ["LB.ADD board 5 ann", "LB.MADD board 5 ann", "LB.SET board 5 ann", "LB.SETMETA board ann text"]
    {
        plays(&format!(
            "EXISTS board => 0
             {line}
             TYPE board => lb-board1
             LB.CREATE board => BOARDEXISTS the board exists already"
        ));
    }
}

#[test]
fn the_small_form_grows_into_the_great_one_without_a_trace() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let line = |from: u32, to: u32| {
        let pairs = (from..to).map(|member| format!("{member} member{member}")).collect::<Vec<_>>();
        format!("LB.MADD board AT 1 {}", pairs.join(" "))
    };
    play(&mut con, &line(0, 3));
    play(&mut con, "LB.SETMETA board member2 text");
    for (from, to) in [(3, 200), (200, 201), (201, 3_000)] {
        play(&mut con, &line(from, to));
        play(
            &mut con,
            &format!(
                "LB.COUNT board => {to}
                 LB.GETMETA board member2 => \"text\"
                 LB.RANK board member0 => {to}
                 LB.RANK board member2 => {}
                 LB.TOP board 1 => [[1 \"member{}\" {}]]",
                to - 2,
                to - 1,
                to - 1
            ),
        );
    }
}
