//! Tests of `META` in a write: the text is set in the same step, if the write is applied.

use super::plays;

#[test]
fn a_meta_comes_with_points_and_scores() {
    plays(
        r#"LB.ADD board 5 ann META text => [5 1 1]
           LB.GETMETA board ann => "text"
           LB.ADD board 1 ann => [6 1 1]
           LB.GETMETA board ann => "text"
           LB.ADD board 0 ann META \x00\xff => [6 1 1]
           LB.GETMETA board ann => "\x00\xff"
           LB.SET board 6 ann META same WITHCHANGE => [6 1 1 6 1]
           LB.GETMETA board ann => "same"
           LB.SET board 7 ann AT 5 META <4096> XX GT => [7 1 1]
           LB.SET board 8 ann meta ID ID one => [8 1 1]
           LB.GETMETA board ann => "ID"
           LB.ADD board 1 ann META <0> => [9 1 1]
           LB.GETMETA board ann => nil
           LB.ADD board 1 ann META <0> => [10 1 1]
           LB.SET board 1 bob META <0> => [1 2 1]
           LB.MGETMETA board MEMBERS 2 ann bob => [nil nil]"#,
    );
}

#[test]
fn a_write_that_is_not_applied_leaves_the_meta() {
    plays(
        r#"LB.ADD board 5 bob ID one META first => [5 1 1]
           LB.ADD board 5 bob ID one META second => [5 1 0]
           LB.ADD board 5 bob ID one META <0> => [5 1 0]
           LB.ADD board 5 bob ID one => [5 1 0]
           LB.SET board 4 bob GT META held => [5 1 0]
           LB.SET board 4 bob NX META held => [5 1 0]
           LB.SET board 4 zoe XX META held => [nil nil 0]
           LB.SET absent 4 zoe XX META held => [nil nil 0]
           LB.ADD board 9223372036854775807 bob META held => ERR the score would be out of range
           LB.ADD board 6 bob ID one META other => IDREUSED request id was used for a different write
           LB.ADD board x bob META held => ERR points is not a decimal number
           LB.ADD board 5 bob META <4097> => ERR meta must have at most 4096 bytes
           LB.SET board 5 bob META <4097> => ERR meta must have at most 4096 bytes
           LB.OPTION board bob META <4097> => ERR meta must have at most 4096 bytes
           LB.ADD board 5 bob META a META b => ERR option META is given twice
           LB.ADD board 5 bob META => ERR option META needs a value
           LB.GETMETA board bob => "first"
           LB.GETMETA board zoe => nil
           LB.SCORE board bob => 5
           EXISTS absent => 0"#,
    );
}

#[test]
fn an_id_does_not_stand_for_the_meta() {
    plays(
        r#"LB.ADD board 5 ann ID one => [5 1 1]
           LB.ADD board 5 ann ID one META text => [5 1 0]
           LB.GETMETA board ann => nil
           LB.SET board 4 ann ID two META text => [4 1 1]
           LB.SET board 4 ann ID two => [4 1 0]
           LB.SET board 4 ann META other ID two => [4 1 0]
           LB.GETMETA board ann => "text""#,
    );
}

#[test]
fn an_option_gets_its_meta_when_it_is_declared() {
    plays(
        r#"LB.CREATE poll DECLARED SHOWN
           LB.OPTION poll ann META first WEIGHT 2 => OK
           LB.GETMETA poll ann => "first"
           LB.OPTION poll ann WEIGHT 3 => OK
           LB.GETMETA poll ann => "first"
           LB.OPTION poll ann META second => OK
           LB.OPTION poll bob META text INITIAL 5 => OK
           LB.VOTE poll 1 ann => [1 [[3 2 1]]]
           LB.MSCORE poll MEMBERS 2 ann bob WITHMETA => [[2 3 "second"] [1 5 "text"]]
           LB.OPTION poll ann META <0> => OK
           LB.MGETMETA poll MEMBERS 2 ann bob => [nil "text"]
           LB.OPTION new ann META text => OK
           LB.GETMETA new ann => "text""#,
    );
}
