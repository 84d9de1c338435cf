//! Tests of views with a decay: each score loses a share of its value at the end of each period.

use super::plays;

#[test]
fn scores_decay_from_day_to_day() {
    plays(
        r#"LB.CREATE songs VIEWS day,all CLOCK EVENT DECAY day=0.9 RETAIN 5
           LB.MADD songs AT @2026-03-01T12:00 100 hello 40 dance 1 quiet -10 noise
           LB.ADD songs 20 dance AT @2026-03-02T09:00 => [56 2 1]
           LB.TOP songs 9 => [[1 "hello" 90] [2 "dance" 56] [3 "noise" -9]]
           LB.ADD songs 50 dance AT @2026-03-04T09:00 => [95 1 1]
           LB.TOP songs 9 => [[1 "dance" 95] [2 "hello" 72] [3 "noise" -7]]
           LB.TOP songs 9 PERIOD -1 => [[1 "hello" 81] [2 "dance" 50] [3 "noise" -8]]
           LB.TOP songs 9 PERIOD -3 => [[1 "hello" 100] [2 "dance" 40] [3 "quiet" 1] [4 "noise" -10]]
           LB.RANK songs dance PERIOD -1 => 2
           LB.SCORE songs dance VIEW all => 110
           LB.ADD songs 1000 hello AT @2026-03-03T23:00 => [72 2 1]
           LB.TOP songs 1 PERIOD -1 => [[1 "hello" 81]]
           LB.SCORE songs hello VIEW all => 1100"#,
    );
}

#[test]
fn a_boundary_moves_nobody_among_equals() {
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT DECAY 10s=0.5
           LB.ADD board 2 ann AT 3000
           LB.ADD board 3 bob AT 1000
           LB.TOP board 9 => [[1 "bob" 3] [2 "ann" 2]]
           LB.MADD board AT 10000 1 cat 0 dan
           LB.TOP board 9 => [[1 "bob" 1] [2 "ann" 1] [3 "cat" 1] [4 "dan" 0]]
           LB.ADD board 1 eve AT 20000
           LB.TOP board 9 => [[1 "eve" 1]]"#,
    );
}

#[test]
fn a_share_that_is_altered_counts_from_the_next_boundary() {
    plays(
        r#"LB.CREATE board VIEWS 10s,20s CLOCK EVENT RETAIN 9
           LB.MADD board AT 5000 100 ann 50 bob
           LB.ALTER board DECAY 10s=0.5 => OK
           LB.TOP board 9 => [[1 "ann" 100] [2 "bob" 50]]
           LB.ADD board 0 cat AT 25000 => [0 3 1]
           LB.TOP board 9 => [[1 "ann" 25] [2 "bob" 12] [3 "cat" 0]]
           LB.ALTER board DECAY 10s=1 => OK
           LB.TOP board 9 PERIOD -1 => [[1 "ann" 50] [2 "bob" 25]]
           LB.ADD board 0 dan AT 95000 => [0 3 1]
           LB.TOP board 9 => [[1 "ann" 25] [2 "bob" 12] [3 "dan" 0]]
           LB.TOP board 9 PERIOD -8 => [[1 "ann" 50] [2 "bob" 25]]
           LB.PERIODS board 10s => [["90000" 90000 100000 3] ["80000" 80000 90000 2] ["70000" 70000 80000 2] ["60000" 60000 70000 2] ["50000" 50000 60000 2] ["40000" 40000 50000 2] ["30000" 30000 40000 2] ["20000" 20000 30000 3] ["10000" 10000 20000 2] ["0" 0 10000 2]]
           LB.ALTER board DECAY 10s=0 => OK
           LB.ADD board 1 dan AT 100000 => [1 1 1]
           LB.TOP board 9 => [[1 "dan" 1]]
           LB.TOP board 9 PERIOD -2 => [[1 "ann" 25] [2 "bob" 12]]
           LB.ALTER board DECAY 20s=0.99 CARRY 10s=0.5 => OK
           LB.ALTER board CARRY 20s=0.5 => ERR DECAY '20s' is not possible: the view has CARRY
           LB.ALTER board CARRY 20s=0.5,10s=0 DECAY 20s=0,10s=0.25 => OK"#,
    );
}

#[test]
fn scores_that_decay_stay_in_range() {
    plays(
        r#"LB.CREATE board VIEWS 10s CLOCK EVENT DECAY 10s=1
           LB.ADD board 9223372036854775807 ann AT 5000
           LB.ADD board 1 ann AT 15000 => ERR the score would be out of range
           LB.MADD board AT 15000 1 bob 1 ann => ERR the score would be out of range
           LB.ADD board -1 ann AT 15000 => [9223372036854775806 1 1]
           LB.ALTER board DECAY 10s=0.5 => OK
           LB.ADD board 4611686018427387904 ann AT 25000 => [9223372036854775807 1 1]"#,
    );
}
