//! Tests of rules: what they count, the order in which they are checked, and how they are changed.

use super::plays;

#[test]
fn all_votes_of_a_request_are_judged_together() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT v voter 5 minute LIMIT m member 3 minute
           LB.MVOTE poll BY x AT 0 2 ann 3 bob => [1 [[2 2 1] [3 1 1]]]
           LB.MVOTE poll BY x AT 1 1 cat => [0 "v" 59999]
           LB.MVOTE poll BY y AT 0 1 ann 1 bob => [0 "m" 60000]
           LB.MVOTE poll BY y AT 0 1 cat 2 ann => [0 "m" 60000]
           LB.MVOTE poll BY y AT 0 3 cat 3 ann => [0 "v" -1]
           LB.TOP poll 9 => [[1 "bob" 3] [2 "ann" 2]]
           LB.MVOTE poll BY y AT 0 1 ann 3 cat => [1 [[3 2 1] [3 3 1]]]
           LB.MVOTE poll BY z AT 60000 2 dan 2 dan => [0 "m" -1]
           LB.MVOTE poll BY z AT 60000 1 dan 2 dan => [1 [[3 4 1] [3 4 1]]]
           LB.MVOTE poll BY z AT 60000 ID q 2 eve => [1 [[2 5 1]]]
           LB.MVOTE poll BY z AT 60000 ID q 2 eve => [1 [[2 5 0]]]
           LB.MVOTE poll BY z AT 60000 1 eve => [0 "v" 60000]
           LB.QUOTA poll BY z MEMBER eve => [["v" 5 5 60000] ["m" 2 3 60000]]"#,
    );
}

#[test]
fn the_first_rule_that_does_not_hold_is_named() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT minute voter 2 minute LIMIT hour voter 2 hour
           LB.VOTE poll 2 ann BY v AT 0 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY v AT 1000 => [0 "minute" 59000]
           LB.VOTE poll 1 ann BY v AT 60000 => [0 "hour" 3540000]
           LB.ALTER poll LIMIT minute voter 1 minute
           LB.VOTE poll 1 ann BY v AT 1000 => [0 "minute" 59000]
           LB.ALTER poll UNLIMIT minute LIMIT minute voter 2 minute
           LB.VOTE poll 1 ann BY v AT 1000 => [0 "hour" 3599000]
           LB.QUOTA poll BY v => [["hour" 2 2 3600000] ["minute" 0 2 60000]]"#,
    );
}

#[test]
fn a_rule_in_the_place_of_another_goes_on_where_it_counts_the_same() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT a voter 5 hour LIMIT b voter 5 hour LIMIT c voter 5 hour
           LB.VOTE poll 4 ann BY v TAG ip x AT 0 => [1 [[4 1 1]]]
           LB.ALTER poll LIMIT a voter 9 hour LIMIT b voter 5 day LIMIT c voter+ip 5 hour LIMIT d ip 5 hour BONUS ip x 2
           LB.QUOTA poll BY v TAG ip x => [["a" 4 9 3600000] ["b" 0 5 86400000] ["c" 0 5 3600000] ["d" 0 7 3600000]]
           LB.ALTER poll LIMIT a VOTER 2 HOUR
           LB.QUOTA poll BY v => [["a" 4 2 3600000] ["b" 0 5 86400000]]
           LB.VOTE poll 1 ann BY v TAG ip x AT 0 => [0 "a" 3600000]
           LB.VOTE poll 3 ann BY v TAG ip x AT 0 => [0 "a" -1]
           LB.ALTER poll UNLIMIT a UNLIMIT b UNLIMIT c UNLIMIT d => OK
           LB.ALTER poll UNLIMIT a => ERR UNLIMIT 'a' is not a rule of this board
           LB.VOTE poll 1000000 ann AT 0 => [1 [[1000004 1 1]]]
           LB.QUOTA poll BY v => []"#,
    );
}

#[test]
fn bonuses_of_all_tags_that_a_vote_carries_add_up() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT r voter 1 all BONUS channel acme 5 BONUS channel zeta 1 BONUS tier gold 2
           LB.QUOTA poll BY v => [["r" 0 1 -1]]
           LB.QUOTA poll BY v TAG channel acme => [["r" 0 6 -1]]
           LB.QUOTA poll BY v TAG tier gold TAG channel zeta => [["r" 0 4 -1]]
           LB.QUOTA poll BY v TAG tier gold TAG channel acme => [["r" 0 8 -1]]
           LB.QUOTA poll BY v TAG tier silver TAG other acme => [["r" 0 1 -1]]
           LB.VOTE poll 9 ann BY v TAG tier gold TAG channel acme AT 0 => [0 "r" -1]
           LB.VOTE poll 8 ann BY v TAG tier gold TAG channel acme AT 0 => [1 [[8 1 1]]]
           LB.VOTE poll 1 ann BY v AT 0 => [0 "r" -1]
           LB.QUOTA poll BY v => [["r" 8 1 -1]]
           LB.QUOTA poll BY w => [["r" 0 1 -1]]"#,
    );
}

#[test]
fn values_of_a_scope_are_kept_apart() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT LIMIT r voter+ip 1 all LIMIT s ip+member 2 all
           LB.VOTE poll 1 ann BY ab TAG ip c AT 0 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY a TAG ip bc AT 0 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann BY ab TAG ip c AT 0 => [0 "r" -1]
           LB.VOTE poll 1 bob BY x TAG ip c AT 0 => [1 [[1 2 1]]]
           LB.VOTE poll 1 ann BY y TAG ip c AT 0 => [1 [[3 1 1]]]
           LB.VOTE poll 1 ann BY z TAG ip c AT 0 => [0 "s" -1]
           LB.VOTE poll 1 ann BY \x00\xff TAG ip \x00 AT 0 => [1 [[4 1 1]]]
           LB.VOTE poll 1 ann BY \x00 TAG ip \xff\x00 AT 0 => [1 [[5 1 1]]]
           LB.VOTE poll 1 ann BY \x00\xff TAG ip \x00 AT 0 => [0 "r" -1]
           LB.VOTE poll 1 cat BY <256> TAG ip <256> AT 0 => [1 [[1 3 1]]]"#,
    );
}

/// Checks that rules count by the board's time: a late vote counts at the time when it arrives.
#[test]
fn a_late_vote_is_charged_when_it_comes() {
    plays(
        r#"LB.CREATE poll VIEWS minute,all CLOCK EVENT LIMIT r voter 1 minute
           LB.VOTE poll 1 ann BY w AT 120000 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT 1000 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT 61000 => [0 "r" 60000]
           LB.VOTE poll 1 ann BY v AT 180000 => [1 [[1 1 1]]]
           LB.TOP poll 9 VIEW all => [[1 "ann" 3]]"#,
    );
}

#[test]
fn what_was_held_back_leaves_no_trace_of_its_moment() {
    plays(
        r#"LB.CREATE poll VIEWS minute CLOCK EVENT LIMIT r voter 1 hour
           LB.VOTE poll 1 ann BY v AT 1000 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v AT 600000 => [0 "r" 3000000]
           LB.TOP poll 9 => [[1 "ann" 1]]
           LB.PERIODS poll minute => [["1970-01-01T00:00" 0 60000 1]]
           LB.VOTE poll 1 bob BY w AT 2000 => [1 [[1 2 1]]]
           LB.VOTERS poll => 2
           LB.VOTE poll 1 bob BY v AT 2000 => [0 "r" 3598000]
           LB.VOTERS poll MEMBER bob => 1"#,
    );
}

#[test]
fn sixteen_rules_of_all_units() {
    let rules: Vec<String> = ["second", "minute", "hour", "day", "week", "month", "year", "all"]
        .iter()
        .flat_map(|unit| {
            [format!("LIMIT v-{unit} voter 3 {unit}"), format!("LIMIT m-{unit} member 5 {unit}")]
        })
        .collect();
    plays(&format!(
        r#"LB.CREATE poll CLOCK EVENT {} => OK
           LB.VOTE poll 3 ann BY v AT 0 => [1 [[3 1 1]]]
           LB.VOTE poll 1 ann BY v AT 0 => [0 "v-second" 1000]
           LB.VOTE poll 1 ann BY v AT 1000 => [0 "v-minute" 59000]
           LB.VOTE poll 2 ann BY w AT 1000 => [1 [[5 1 1]]]
           LB.VOTE poll 1 ann BY x AT 2000 => [0 "m-minute" 58000]
           LB.VOTE poll 1 ann BY x AT @1971-01-01 => [0 "m-all" -1]
           LB.VOTE poll 1 bob BY v AT @1970-12-31 => [0 "v-year" 86400000]
           LB.ALTER poll LIMIT one voter 1 day => ERR LIMIT leaves the board with more than 16 rules
           LB.ALTER poll UNLIMIT v-second LIMIT one voter 1 day => OK"#,
        rules.join(" ")
    ));
}
