//! Tests of `LB.REMRANGE` and `LB.REMRANGEBYSCORE`, which remove members by their place or score in the default view.

use super::plays;

const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board bob text";

fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}

#[test]
fn members_go_by_their_ranks() {
    on_five(
        r#"LB.REMRANGE board 2 1 => 0
           LB.REMRANGE board 6 9 => 0
           LB.REMRANGE board -99 -6 => 0
           LB.REMRANGE board 2 3 => 2
           LB.TOP board 9 => [[1 "ann" 50] [2 "dan" 30] [3 "eve" 20]]
           LB.GETMETA board bob => nil
           LB.REMRANGE board -1 -1 => 1
           LB.REMRANGE board 2 9223372036854775807 => 1
           LB.REMRANGE board -9223372036854775807 -1 => 1
           LB.REMRANGE board 1 -1 => 0
           LB.COUNT board => 0
           EXISTS board => 1"#,
    );
}

#[test]
fn members_go_by_their_scores() {
    on_five(
        r#"LB.REMRANGEBYSCORE board 40 30 => 0
           LB.REMRANGEBYSCORE board 31 39 => 0
           LB.REMRANGEBYSCORE board (50 +inf => 0
           LB.REMRANGEBYSCORE board 30 (50 => 3
           LB.TOP board 9 => [[1 "ann" 50] [2 "eve" 20]]
           LB.GETMETA board bob => nil
           LB.REMRANGEBYSCORE board -inf (20 => 0
           LB.REMRANGEBYSCORE board -inf +inf => 2
           LB.REMRANGEBYSCORE board -inf inf => 0
           EXISTS board => 1"#,
    );
}

#[test]
fn scores_with_digits_and_the_other_order() {
    plays(
        r#"LB.CREATE board ORDER ASC DECIMALS 2
           LB.MADD board 1.25 ann 1.5 bob -3 cat
           LB.REMRANGEBYSCORE board -3 (1.5 => 2
           LB.TOP board 9 => [[1 "bob" "1.5"]]
           LB.MADD board 1.25 ann -3 cat
           LB.REMRANGE board 1 1 => 1
           LB.TOP board 9 => [[1 "ann" "1.25"] [2 "bob" "1.5"]]"#,
    );
}

#[test]
fn an_absent_key_stays_absent() {
    plays(
        "LB.REMRANGE absent 1 -1 => 0
         LB.REMRANGEBYSCORE absent -inf +inf => 0
         EXISTS absent => 0",
    );
}

#[test]
fn who_has_no_place_in_the_default_view_stays() {
    plays(
        r#"LB.CREATE board VIEWS 10s,all CLOCK EVENT RETAIN 3
           LB.MADD board AT 5000 9 ann 8 bob 7 cat
           LB.MADD board AT 15000 3 ann 5 cat
           LB.SETMETA board dan text
           LB.REMRANGE board 1 -1 => 2
           LB.TOP board 9 VIEW all => [[1 "bob" 8]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 8]]
           LB.GETMETA board dan => "text"
           LB.MADD board AT 25000 1 ann
           LB.REMRANGEBYSCORE board -inf +inf => 1
           LB.TOP board 9 VIEW all => [[1 "bob" 8]]
           LB.REMRANGEBYSCORE board -inf +inf => 0
           LB.COUNT board VIEW all => 1"#,
    );
}

#[test]
fn a_window_is_a_default_view_too() {
    plays(
        r#"LB.CREATE board VIEWS 10s:2,10s,all CLOCK EVENT RETAIN 3
           LB.MADD board AT 5000 9 ann 8 bob
           LB.MADD board AT 15000 3 ann 5 cat
           LB.ADD board 1 dan AT 25000
           LB.TOP board 9 => [[1 "cat" 5] [2 "ann" 3] [3 "dan" 1]]
           LB.REMRANGE board 2 2 => 1
           LB.REMRANGEBYSCORE board 5 5 => 1
           LB.TOP board 9 => [[1 "dan" 1]]
           LB.TOP board 9 PERIOD -1 => [[1 "bob" 8]]
           LB.TOP board 9 VIEW all => [[1 "bob" 8] [2 "dan" 1]]"#,
    );
}

#[test]
fn a_late_retry_does_not_bring_anybody_back() {
    plays(
        "LB.ADD board 5 ann ID one => [5 1 1]
         LB.REMRANGE board 1 1 => 1
         LB.ADD board 5 ann ID one => [nil nil 0]
         LB.COUNT board => 0",
    );
}

#[test]
fn thousands_go_in_one_command() {
    let pairs = (0..5_000).map(|n| format!(" {} m{n}", n % 500)).collect::<String>();
    plays(&format!(
        r#"LB.MADD board AT 1{pairs}
           LB.REMRANGE board 11 -11 => 4980
           LB.COUNT board => 20
           LB.TOP board 2 => [[1 "m499" 499] [2 "m999" 499]]
           LB.RANGE board -1 -1 => [[20 "m4500" 0]]
           LB.REMRANGEBYSCORE board 0 0 => 10
           LB.COUNT board => 10"#
    ));
}
