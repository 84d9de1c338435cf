//! Who falls out of a board that keeps its best, and what is left of it.

use super::plays;

#[test]
fn the_worst_falls_out() {
    plays(
        r#"LB.CREATE board KEEP 3
           LB.MADD board 5 ann 4 bob 3 cat => [[5 1 1] [4 2 1] [3 3 1]]
           LB.ADD board 2 dan => [nil nil 1]
           LB.RANK board dan => nil
           LB.SCORE board dan => nil
           LB.STANDING board dan => nil
           LB.ADD board 2 dan => [nil nil 1]
           LB.ADD board 2 dan WITHCHANGE => [nil nil 1 nil nil]
           LB.SET board 2 dan WITHCHANGE => [nil nil 1 nil nil]
           LB.SET board 2 dan NX => [nil nil 1]
           LB.SET board 2 dan XX => [nil nil 0]
           LB.COUNT board => 3
           LB.ADD board 4 dan WITHCHANGE => [4 3 1 nil nil]
           LB.TOP board 9 => [[1 "ann" 5] [2 "bob" 4] [3 "dan" 4]]
           LB.SCORE board cat => nil
           LB.ADD board -4 ann WITHCHANGE => [1 3 1 5 1]
           LB.ADD board 2 eve => [2 3 1]
           LB.RANK board ann => nil
           LB.REM board ann => 0
           LB.REM board dan eve => 2
           LB.TOP board 9 => [[1 "bob" 4]]
           LB.ADD board 1 ann => [1 2 1]"#,
    );
}

#[test]
fn a_member_may_put_itself_out() {
    plays(
        r#"LB.CREATE board KEEP 2
           LB.MADD board 5 ann 4 bob
           LB.ADD board 3 cat => [nil nil 1]
           LB.ADD board -9 ann => [-4 2 1]
           LB.SET board -5 ann => [-5 2 1]
           LB.ADD board 1 cat => [1 2 1]
           LB.TOP board 9 => [[1 "bob" 4] [2 "cat" 1]]"#,
    );
}

#[test]
fn ties_and_orders_decide_who_is_the_worst() {
    plays(
        r#"LB.CREATE first KEEP 2
           LB.MADD first 5 ann 5 bob 5 cat => [[5 1 1] [5 2 1] [nil nil 1]]
           LB.CREATE last KEEP 2 TIES LAST CLOCK EVENT
           LB.MADD last AT 1 5 ann 5 bob
           LB.ADD last 5 cat AT 2 => [5 1 1]
           LB.TOP last 9 => [[1 "cat" 5] [2 "bob" 5]]
           LB.CREATE lex KEEP 2 TIES LEX
           LB.MADD lex 5 cat 5 bob
           LB.ADD lex 5 dan => [nil nil 1]
           LB.ADD lex 5 ann => [5 1 1]
           LB.TOP lex 9 => [[1 "ann" 5] [2 "bob" 5]]
           LB.CREATE asc KEEP 2 ORDER ASC AGGREGATE MIN
           LB.MADD asc 5 ann 6 bob
           LB.ADD asc 7 cat => [nil nil 1]
           LB.ADD asc 4 cat => [4 1 1]
           LB.ADD asc 9 ann => [5 2 1]
           LB.TOP asc 9 => [[1 "cat" 4] [2 "ann" 5]]"#,
    );
}

#[test]
fn a_list_is_looked_at_in_the_end() {
    plays(
        r#"LB.CREATE board KEEP 2
           LB.MADD board 5 ann 4 bob 1 cat 5 cat => [[5 2 1] [nil nil 1] [6 1 1] [6 1 1]]
           LB.MADD board 1 dan 2 eve => [[nil nil 1] [nil nil 1]]
           LB.MADD board 9 ann -9 ann => [[5 2 1] [5 2 1]]
           LB.MADD board -5 ann 1 dan => [[nil nil 1] [1 2 1]]
           LB.MSET board 7 eve 8 eve 6 fay => [[8 1 1] [8 1 1] [nil nil 1]]
           LB.TOP board 9 => [[1 "eve" 8] [2 "cat" 6]]
           LB.MADD board 5 m1 5 m2 5 m3 5 m4 9 m5 => [[nil nil 1] [nil nil 1] [nil nil 1] [nil nil 1] [9 1 1]]
           LB.COUNT board => 2"#,
    );
}

#[test]
fn a_first_list_may_be_longer_than_what_is_kept() {
    let pairs = (0..3_000).map(|n| format!(" {} m{n}", n * 7919 % 3_000)).collect::<String>();
    plays(&format!(
        "LB.CREATE board KEEP 100
         LB.MADD board{pairs}
         LB.COUNT board => 100
         LB.QUANTILE board 0 1 => [2900 2999]
         LB.MSET board{pairs}
         LB.COUNT board => 100
         LB.QUANTILE board 0 1 => [2900 2999]
         LB.REMRANGE board 51 -1 => 50
         LB.MADD board 1 low 2 lower
         LB.COUNT board => 52"
    ));
}

#[test]
fn votes_are_writes_too() {
    plays(
        "LB.CREATE poll KEEP 2 LIMIT once voter 6 all
         LB.VOTE poll 5 ann BY one => [1 [[5 1 1]]]
         LB.VOTE poll 4 bob BY two => [1 [[4 2 1]]]
         LB.VOTE poll 3 cat BY three => [1 [[nil nil 1]]]
         LB.MVOTE poll BY four 1 cat 5 dan => [1 [[nil nil 1] [5 2 1]]]
         LB.COUNT poll => 2
         LB.VOTE poll 9 dan BY four => [0 \"once\" -1]",
    );
}

#[test]
fn nothing_is_left_of_a_member_that_had_voters() {
    plays(
        r#"LB.CREATE poll KEEP 1
           LB.VOTE poll 5 ann BY one => [1 [[5 1 1]]]
           LB.SETMETA poll bob text
           LB.VOTE poll 4 bob BY two => [1 [[nil nil 1]]]
           LB.GETMETA poll bob => nil
           LB.VOTERS poll MEMBER bob => 0
           LB.REM poll bob => 0
           LB.VOTERS poll => 2"#,
    );
}

#[test]
fn an_id_is_used_up_by_a_write_that_does_not_get_in() {
    plays(
        r#"LB.CREATE board KEEP 1
           LB.ADD board 5 ann ID one => [5 1 1]
           LB.ADD board 3 bob ID two => [nil nil 1]
           LB.ADD board 3 bob ID two => [nil nil 0]
           LB.ADD board 4 bob ID two => IDREUSED request id was used for a different write
           LB.MADD board ID three 2 cat 7 dan => [[nil nil 1] [7 1 1]]
           LB.MADD board ID three 2 cat 7 dan => [[nil nil 0] [7 1 0]]
           LB.ADD board 5 ann ID one => [nil nil 0]
           LB.MSET board ID four 3 ann 4 bob => [[nil nil 1] [nil nil 1]]
           LB.MSET board ID four 3 ann 4 bob => [[nil nil 0] [nil nil 0]]
           LB.TOP board 9 => [[1 "dan" 7]]"#,
    );
}

#[test]
fn a_meta_goes_with_the_member() {
    plays(
        r#"LB.CREATE board KEEP 2
           LB.ADD board 5 ann META first => [5 1 1]
           LB.ADD board 4 bob META second => [4 2 1]
           LB.ADD board 1 cat META third => [nil nil 1]
           LB.GETMETA board cat => nil
           LB.SET board 1 cat META third => [nil nil 1]
           LB.GETMETA board cat => nil
           LB.ADD board 6 dan META fourth => [6 1 1]
           LB.MGETMETA board MEMBERS 3 ann bob dan => ["first" nil "fourth"]
           LB.ADD board 9 bob => [9 1 1]
           LB.GETMETA board bob => nil
           LB.GETMETA board ann => nil
           LB.TOP board 9 WITHMETA => [[1 "bob" 9 nil] [2 "dan" 6 "fourth"]]"#,
    );
}

#[test]
fn an_option_of_a_poll_is_not_forgotten() {
    plays(
        r#"LB.CREATE poll DECLARED KEEP 1
           LB.OPTION poll ann META first => OK
           LB.OPTION poll bob META second => OK
           LB.VOTE poll 5 ann => [1 [[5 1 1]]]
           LB.VOTE poll 1 bob => [1 [[nil nil 1]]]
           LB.MGETMETA poll MEMBERS 2 ann bob => ["first" "second"]
           LB.VOTE poll 9 bob => [1 [[9 1 1]]]
           LB.MGETMETA poll MEMBERS 2 ann bob => ["first" "second"]
           LB.VOTE poll 1 cat => ERR member is not an option of this board (DECLARED)
           LB.VOTE poll 10 ann => [1 [[10 1 1]]]"#,
    );
}

#[test]
fn hidden_members_take_nobodys_place() {
    plays(
        r#"LB.CREATE board KEEP 2
           LB.MADD board 9 ann 8 bob
           LB.HIDE board bob eve => 2
           LB.ADD board 7 cat => [7 2 1]
           LB.ADD board 6 dan => [nil nil 1]
           LB.TOP board 9 => [[1 "ann" 9] [2 "cat" 7]]
           LB.ADD board 5 eve META text => [nil nil 1]
           LB.RANK board eve => nil
           LB.HIDDEN board => ["bob" "eve"]
           LB.GETMETA board eve => "text"
           LB.ADD board 8 eve => [8 2 1]
           LB.COUNT board => 2
           LB.ADD board 10 fay => [10 1 1]
           LB.TOP board 9 => [[1 "fay" 10] [2 "ann" 9]]
           LB.RANK board bob => 3
           LB.ADD board 1 bob => [nil nil 1]
           LB.RANK board bob => nil
           LB.HIDDEN board => ["bob" "eve"]
           LB.ADD board 11 bob => [11 1 1]
           LB.TOP board 9 => [[1 "fay" 10] [2 "ann" 9]]"#,
    );
}

#[test]
fn a_member_that_is_shown_again_takes_its_place() {
    plays(
        r#"LB.CREATE board KEEP 2
           LB.MADD board 9 ann 8 bob
           LB.HIDE board bob
           LB.ADD board 7 cat => [7 2 1]
           LB.UNHIDE board bob => 1
           LB.TOP board 9 => [[1 "ann" 9] [2 "bob" 8]]
           LB.RANK board cat => nil
           LB.ADD board 1 dan => [nil nil 1]
           LB.TOP board 9 => [[1 "ann" 9] [2 "bob" 8]]"#,
    );
}

#[test]
fn an_import_keeps_the_best() {
    plays(
        r#"ZADD zset 1 ann 2 bob 3 cat 4 dan 5 eve
           LB.CREATE board KEEP 2
           LB.IMPORT board zset
           LB.TOP board 9 => [[1 "eve" 5] [2 "dan" 4]]
           LB.IMPORT board zset MERGE
           LB.TOP board 9 => [[1 "eve" 10] [2 "dan" 8]]"#,
    );
}
