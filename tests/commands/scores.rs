//! Tests of exact scores: decimals, the ends of the range, and aggregates.

use super::plays;

#[test]
fn decimals_never_drift() {
    let mut session = "LB.CREATE board DECIMALS 1\n".to_owned();
    for tenths in 1..10 {
        session += &format!("LB.ADD board 0.1 ann => [\"0.{tenths}\" 1 1]\n");
    }
    plays(&(session + "LB.ADD board 0.1 ann => [\"1\" 1 1]"));
}

#[test]
fn decimals_are_shown_in_their_shortest_form() {
    plays(
        r#"LB.CREATE board DECIMALS 9
           LB.SET board 10.500000000 ann => ["10.5" 1 1]
           LB.SET board 0.000000001 ann => ["0.000000001" 1 1]
           LB.SET board -0.050 ann => ["-0.05" 1 1]
           LB.SET board -0.0 ann => ["0" 1 1]
           LB.SET board 9223372036.854775807 ann => ["9223372036.854775807" 1 1]
           LB.SET board -9223372036.854775807 ann => ["-9223372036.854775807" 1 1]
           LB.ADD board 9223372036.854775807 ann => ["0" 1 1]
           LB.RANGEBYSCORE board 0 0.000000001 => [[1 "ann" "0"]]
           LB.RANGEBYSCORE board (0 0.000000001 => []
           LB.COUNT board -0.0 (0.000000001 => 1"#,
    );
}

#[test]
fn zeros_at_the_end_of_a_fraction_do_not_count() {
    plays(
        r#"LB.ADD board 5.00 ann => [5 1 1]
           LB.SET board -1.0000000000 ann ID set => [-1 1 1]
           LB.SET board -1 ann ID set => [-1 1 0]
           LB.MADD board 2.0 ann 0.0 bob => [[1 1 1] [0 2 1]]
           LB.CREATE cents DECIMALS 2
           LB.ADD cents 1.5000 ann => ["1.5" 1 1]
           LB.CREATE shares VIEWS week CARRY week=0.50000000000 => OK"#,
    );
}

#[test]
fn bounds_are_any_decimals() {
    plays(
        r#"LB.CREATE cents DECIMALS 2
           LB.MADD cents 1 ann 1.01 bob -1 cat
           LB.RANGEBYSCORE cents 1.005 +inf => [[1 "bob" "1.01"]]
           LB.RANGEBYSCORE cents (1.005 +inf => [[1 "bob" "1.01"]]
           LB.RANGEBYSCORE cents -1.001 1.009 => [[2 "ann" "1"] [3 "cat" "-1"]]
           LB.COUNT cents -1.0000000000000000000000000000001 (1.010000 => 2
           LB.COUNT cents -0.9999999999999999999999999999999 1.01 => 2
           LB.COUNT cents -99999999999999999999999999999999 99999999999999999999999999999999.5 => 3
           LB.COUNT cents 92233720368547758.08 +inf => 0
           LB.COUNT cents -inf -99999999999999999999999999999999 => 0
           LB.COUNT cents 1.5 1.2 => 0
           LB.COUNT cents 1 1/2 => ERR max is not a decimal number
           LB.COUNT absent 1/2 1.005 => 0
           LB.ADD board 1 ann => [1 1 1]
           LB.COUNT board 0.5 1.5 => 1
           LB.COUNT board (0.5 (0.9 => 0"#,
    );
}

#[test]
fn minus_zero_is_zero() {
    plays(
        r#"LB.ADD board -0 ann AT 1 => [0 1 1]
           LB.SET board 0 bob AT 2 => [0 2 1]
           LB.SET board -0 bob AT 3 => [0 2 1]
           LB.SET board -0 bob GT => [0 2 0]
           LB.RANGEBYSCORE board -0 0 => [[1 "ann" 0] [2 "bob" 0]]
           LB.COUNT board (-0 +inf => 0"#,
    );
}

#[test]
fn the_smallest_score_may_be_the_top() {
    plays(
        r#"LB.CREATE board ORDER ASC
           LB.ADD board 30 cat => [30 1 1]
           LB.ADD board 10 ann => [10 1 1]
           LB.ADD board 20 bob => [20 2 1]
           LB.TOP board 2 => [[1 "ann" 10] [2 "bob" 20]]
           LB.RANGE board -1 -1 => [[3 "cat" 30]]
           LB.RANGEBYSCORE board 10 20 => [[1 "ann" 10] [2 "bob" 20]]
           LB.RANGEBYSCORE board (10 +inf => [[2 "bob" 20] [3 "cat" 30]]
           LB.RANGEBYSCORE board -inf +inf OFFSET 1 COUNT 1 => [[2 "bob" 20]]
           LB.COUNT board 10 (30 => 2
           LB.SET board 15 cat GT => [30 3 0]
           LB.SET board 15 cat LT => [15 2 1]
           LB.RANK board bob RANKS DENSE => 3"#,
    );
}

#[test]
fn a_board_of_the_greatest_keeps_the_best_and_can_be_put_right() {
    plays(
        "LB.CREATE board AGGREGATE MAX
         LB.ADD board 5 ann => [5 1 1]
         LB.ADD board 3 ann => [5 1 1]
         LB.ADD board 8 ann WITHCHANGE => [8 1 1 5 1]
         LB.ADD board -9223372036854775807 bob => [-9223372036854775807 2 1]
         LB.ADD board 9223372036854775807 bob => [9223372036854775807 1 1]
         LB.MADD board 9 ann 7 ann => [[9 2 1] [9 2 1]]
         LB.SET board 2 ann => [2 2 1]
         LB.ADD board 3 ann => [3 2 1]",
    );
}

#[test]
fn a_board_of_the_smallest_keeps_the_least() {
    plays(
        "LB.CREATE board AGGREGATE MIN ORDER ASC
         LB.ADD board 5 ann => [5 1 1]
         LB.ADD board 8 ann => [5 1 1]
         LB.ADD board 3 ann => [3 1 1]
         LB.ADD board 0 ann => [0 1 1]
         LB.ADD board 4 bob => [4 2 1]
         LB.SET board 9 ann => [9 2 1]
         LB.ADD board 7 ann => [7 2 1]",
    );
}

#[test]
fn a_board_of_the_last_takes_what_comes() {
    plays(
        "LB.CREATE board AGGREGATE LAST
         LB.ADD board 5 ann => [5 1 1]
         LB.ADD board 3 ann => [3 1 1]
         LB.ADD board 0 ann => [0 1 1]
         LB.SET board 9 ann => [9 1 1]
         LB.MADD board 1 ann 2 ann => [[2 1 1] [2 1 1]]",
    );
}
