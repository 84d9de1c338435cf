//! Tests of request ids: a repeated write changes nothing, and returns the present place of the member.

use super::plays;

#[test]
fn a_repeated_request_changes_nothing() {
    plays(
        "LB.ADD board 5 ann ID one => [5 1 1]
         LB.ADD board 5 ann ID one => [5 1 0]
         LB.ADD board 5 ann ID two => [10 1 1]
         LB.ADD board 5 ann ID one => [10 1 0]
         LB.ADD board 20 bob => [20 1 1]
         LB.ADD board 5 ann ID two => [10 2 0]
         LB.SET board 7 ann ID three => [7 2 1]
         LB.SET board 8 ann => [8 2 1]
         LB.SET board 7 ann ID three => [8 2 0]
         LB.MADD board ID four 1 ann 1 bob => [[9 2 1] [21 1 1]]
         LB.MADD board ID four 1 ann 1 bob => [[9 2 0] [21 1 0]]",
    );
}

#[test]
fn a_repeat_may_say_its_points_and_time_in_another_way() {
    plays(
        r#"LB.CREATE board DECIMALS 2
           LB.ADD board 1.50 ann ID one AT 1000 => ["1.5" 1 1]
           LB.ADD board 1.5 ann AT 2000 ID one VIEW all => ["1.5" 1 0]
           LB.ADD board 01.5 ann ID one WITHCHANGE => ["1.5" 1 0 "1.5" 1]"#,
    );
}

#[test]
fn a_late_retry_does_not_bring_a_removed_member_back() {
    plays(
        "LB.ADD board 5 ann ID one => [5 1 1]
         LB.MADD board ID two 5 ann 6 bob => [[10 1 1] [6 2 1]]
         LB.REM board ann => 1
         LB.ADD board 5 ann ID one => [nil nil 0]
         LB.ADD board 5 ann ID one WITHCHANGE => [nil nil 0 nil nil]
         LB.MADD board ID two 5 ann 6 bob => [[nil nil 0] [6 1 0]]
         LB.RANK board ann => nil
         LB.COUNT board => 1",
    );
}

#[test]
fn an_id_belongs_to_one_board() {
    plays(
        "LB.ADD board 5 ann ID one => [5 1 1]
         LB.ADD other 6 bob ID one => [6 1 1]
         DEL board => 1
         LB.ADD board 7 cat ID one => [7 1 1]",
    );
}

#[test]
fn a_write_that_is_held_back_or_refused_does_not_consume_its_id() {
    plays(
        "LB.ADD board 5 ann => [5 1 1]
         LB.SET board 4 ann GT ID one => [5 1 0]
         LB.SET board 4 ann GT ID one => [5 1 0]
         LB.ADD board 2 ann ID one => [7 1 1]
         LB.ADD board 9223372036854775807 ann ID two => ERR the score would be out of range
         LB.ADD board 2 ann ID two => [9 1 1]
         LB.SET board 8 bob XX ID three => [nil nil 0]
         LB.ADD board 8 bob => [8 2 1]
         LB.SET board 8 bob XX ID three => [8 2 1]
         LB.SET board 8 bob XX ID three => [8 2 0]",
    );
}

#[test]
fn a_condition_belongs_to_what_an_id_stands_for() {
    plays(
        "LB.SET board 5 ann NX ID one => [5 1 1]
         LB.SET board 5 ann NX ID one => [5 1 0]
         LB.SET board 5 ann ID one => IDREUSED request id was used for a different write
         LB.SET board 5 ann XX ID one => IDREUSED request id was used for a different write
         LB.SET board 6 ann XX GT ID two => [6 1 1]
         LB.SET board 6 ann GT XX ID two => [6 1 0]
         LB.SET board 6 ann GT ID two => IDREUSED request id was used for a different write",
    );
}

#[test]
fn ids_are_forgotten_by_the_clock_of_the_board() {
    plays(
        "LB.CREATE board CLOCK EVENT DEDUP 2
         LB.ADD board 5 ann ID one AT 1000 => [5 1 1]
         LB.ADD board 5 ann ID one AT 3000 => [5 1 0]
         LB.ADD board 1 bob AT 3000 => [1 2 1]
         LB.ADD board 5 ann ID one AT 1000 => [5 1 0]
         LB.ADD board 1 bob AT 3001 => [2 2 1]
         LB.ADD board 5 ann ID one AT 1000 => [10 1 1]
         LB.ADD board 5 ann ID one AT 1000 => [10 1 0]",
    );
}

#[test]
fn a_repeated_request_does_not_move_the_clock() {
    plays(
        "LB.CREATE board CLOCK EVENT DEDUP 2
         LB.ADD board 5 ann ID one AT 1000 => [5 1 1]
         LB.ADD board 5 ann ID one AT 2500 => [5 1 0]
         LB.ADD board 5 ann ID one AT 3000 => [5 1 0]",
    );
}

#[test]
fn without_a_time_to_remember_ids_are_not_looked_at() {
    plays(
        "LB.CREATE board DEDUP 0
         LB.ADD board 5 ann ID one => [5 1 1]
         LB.ADD board 5 ann ID one => [10 1 1]
         LB.ADD board 6 bob ID one => [6 2 1]
         LB.ALTER board DEDUP 60 => OK
         LB.ADD board 5 ann ID one => [15 1 1]
         LB.ADD board 5 ann ID one => [15 1 0]",
    );
}

#[test]
fn a_shorter_memory_forgets_for_good() {
    plays(
        "LB.CREATE board CLOCK EVENT DEDUP 60
         LB.ADD board 5 ann ID one AT 1000 => [5 1 1]
         LB.ADD board 1 bob AT 5000 => [1 2 1]
         LB.ALTER board DEDUP 2 => OK
         LB.ADD board 5 ann ID one AT 5000 => [10 1 1]
         LB.ALTER board DEDUP 60 => OK
         LB.ADD board 5 ann ID one AT 5000 => [10 1 0]",
    );
}
