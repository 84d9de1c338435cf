//! Tests of a whole campaign, from the first rule to the final result, and of its requests.

use super::plays;

#[test]
fn a_campaign_from_its_rules_to_its_result() {
    plays(
        r#"LB.CREATE poll VIEWS all,day CLOCK EVENT SHOWN DECLARED DEDUP 864000 OPENS @2019-03-18T08:00 CLOSES @2019-03-20T20:00 LIMIT perminute voter 5 minute LIMIT devices voter+terminal 6 day LIMIT flood member 8 second LIMIT partner voter 10 day BONUS channel acme 5 LIMIT ever voter 14 all => OK
           LB.OPTION poll ann => OK
           LB.OPTION poll bob WEIGHT 2 => OK
           LB.OPTION poll cat INITIAL 100 => OK
           LB.TOP poll 9 => [[1 "cat" 100]]
           LB.TOP poll 9 REAL => []
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-18T07:59:59.999 => [0 "closed" 1]
           LB.VOTE poll 1 dan BY v1 TAG terminal web AT @2019-03-18T07:59:59.999 => ERR member is not an option of this board (DECLARED)
           LB.QUOTA poll BY v1 MEMBER ann TAG terminal web AT @2019-03-18T08:00 => [["perminute" 0 5 60000] ["devices" 0 6 57600000] ["flood" 0 8 1000] ["partner" 0 10 57600000] ["ever" 0 14 -1]]
           LB.VOTE poll 5 ann BY v1 TAG terminal web ID r1 AT @2019-03-18T08:00 => [1 [[5 2 1]]]
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-18T08:00:30 => [0 "perminute" 30000]
           LB.VOTE poll 5 ann BY v1 TAG terminal web ID r1 AT @2019-03-18T08:00:30 => [1 [[5 2 0]]]
           LB.QUOTA poll BY v1 MEMBER ann TAG terminal web AT @2019-03-18T08:00:30 => [["perminute" 5 5 30000] ["devices" 5 6 57570000] ["flood" 0 8 1000] ["partner" 5 10 57570000] ["ever" 5 14 -1]]
           LB.QUOTA poll BY v1 => [["perminute" 5 5 60000] ["partner" 5 10 57600000] ["ever" 5 14 -1]]
           LB.QUOTA poll MEMBER ann => [["closed" 0 1 -1] ["flood" 5 8 1000]]
           LB.QUOTA poll TAG terminal web => []
           LB.VOTE poll 1 bob BY v1 TAG terminal web AT @2019-03-18T08:01 => [1 [[2 3 1]]]
           LB.VOTE poll 1 bob BY v1 TAG terminal web AT @2019-03-18T08:02 => [0 "devices" 57480000]
           LB.VOTE poll 4 bob BY v1 TAG terminal app AT @2019-03-18T08:02 => [1 [[10 2 1]]]
           LB.VOTE poll 1 bob BY v1 TAG terminal app AT @2019-03-18T08:03 => [0 "partner" 57420000]
           LB.VOTE poll 1 bob BY v1 TAG terminal app TAG channel other AT @2019-03-18T08:03 => [0 "partner" 57420000]
           LB.VOTE poll 1 bob BY v1 TAG terminal app TAG channel acme AT @2019-03-18T08:03 => [1 [[12 2 1]]]
           LB.QUOTA poll TAG channel acme BY v1 AT @2019-03-18T08:03 => [["perminute" 1 5 60000] ["partner" 11 15 57420000] ["ever" 11 14 -1]]
           LB.QUOTA poll BY v1 AT @2019-03-18T08:03 => [["perminute" 1 5 60000] ["partner" 11 10 57420000] ["ever" 11 14 -1]]
           LB.VOTE poll 1 bob BY v1 TAG terminal tv AT @2019-03-18T08:03 => [0 "partner" 57420000]
           LB.VOTE poll 5 cat BY v2 TAG terminal web AT @2019-03-18T08:04 => [1 [[105 1 1]]]
           LB.VOTE poll 4 cat BY v3 TAG terminal web AT @2019-03-18T08:04:00.400 => [0 "flood" 600]
           LB.VOTE poll 3 cat BY v3 TAG terminal web AT @2019-03-18T08:04:00.999 => [1 [[108 1 1]]]
           LB.VOTE poll 1 cat BY v4 TAG terminal web AT @2019-03-18T08:04:00.999 => [0 "flood" 1]
           LB.VOTE poll 6 cat BY v4 TAG terminal web AT @2019-03-18T08:05 => [0 "perminute" -1]
           LB.VOTERS poll => 3
           LB.VOTERS poll MEMBER cat => 2
           LB.VOTE poll 3 ann BY v1 TAG terminal web AT @2019-03-19 => [1 [[8 3 1]]]
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-19T10:00 => [0 "ever" -1]
           LB.TOP poll 9 VIEW day => [[1 "cat" 100] [2 "ann" 3]]
           LB.TOP poll 9 VIEW day REAL => [[1 "ann" 3]]
           LB.TOP poll 9 VIEW day PERIOD -1 => [[1 "cat" 108] [2 "bob" 12] [3 "ann" 5]]
           LB.TOP poll 9 VIEW day PERIOD -1 REAL => [[1 "cat" 8] [2 "bob" 6] [3 "ann" 5]]
           LB.VOTERS poll VIEW day => 1
           LB.VOTERS poll VIEW day PERIOD -1 => 3
           LB.ALTER poll UNLIMIT flood UNLIMIT ever LIMIT perminute voter 2 minute => OK
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-19T00:00:10 => [0 "perminute" 50000]
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-19T00:01 => [1 [[9 3 1]]]
           LB.VOTE poll 1 ann BY v5 TAG terminal web AT @2019-03-20T19:59:59.999 => [1 [[10 3 1]]]
           LB.VOTE poll 1 ann BY v6 TAG terminal web AT @2019-03-20T20:00 => [0 "closed" -1]
           LB.VOTE poll 1 ann BY v1 TAG terminal web AT @2019-03-21 => [0 "closed" -1]
           LB.VOTE poll 1 ann BY v6 TAG terminal web AT @2019-03-20T19:00 => [1 [[11 3 1]]]
           LB.VOTE poll 1 ann BY v7 TAG terminal web AT @2019-03-18T07:59 => [0 "closed" -1]
           LB.VOTE poll 5 ann BY v1 TAG terminal web ID r1 AT @2019-03-18T08:00 => [1 [[11 3 0]]]
           LB.VOTE poll 5 ann BY v1 TAG terminal web ID r1 AT @2019-03-21 => [1 [[11 3 0]]]
           LB.VOTE poll 4 ann BY v1 TAG terminal web ID r1 AT @2019-03-21 => IDREUSED request id was used for a different write
           LB.VOTE poll 5 ann BY v2 TAG terminal web ID r1 AT @2019-03-21 => IDREUSED request id was used for a different write
           LB.VOTE poll 5 bob BY v1 TAG terminal web ID r1 AT @2019-03-21 => IDREUSED request id was used for a different write
           LB.TOP poll 9 => [[1 "cat" 108] [2 "bob" 12] [3 "ann" 11]]
           LB.TOP poll 9 REAL => [[1 "ann" 11] [2 "cat" 8] [3 "bob" 6]]
           LB.SETMETA poll bob Builder => OK
           LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 1 "initial" 0 "meta" nil "real" 11 "shown" 11 "voters" 3] ["member" "bob" "weight" 2 "initial" 0 "meta" "Builder" "real" 6 "shown" 12 "voters" 1] ["member" "cat" "weight" 1 "initial" 100 "meta" nil "real" 8 "shown" 108 "voters" 2]]]
           LB.VOTERS poll => 5
           LB.VOTERS poll MEMBER ann => 3
           LB.VOTERS poll MEMBER dan => 0"#,
    );
}

#[test]
fn a_vote_opens_and_closes_when_its_hours_say_so() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT OPENS 5000
           LB.VOTE poll 1 ann AT 1000 => [0 "closed" 4000]
           LB.MVOTE poll AT 4999 1 ann 1 bob => [0 "closed" 1]
           LB.VOTE poll 1 ann AT 5000 => [1 [[1 1 1]]]
           LB.ALTER poll CLOSES 7000 => OK
           LB.VOTE poll 1 ann AT 6999 => [1 [[2 1 1]]]
           LB.VOTE poll 1 ann AT 7000 => [0 "closed" -1]
           LB.ALTER poll CLOSES 8000 => OK
           LB.VOTE poll 1 ann AT 7000 => [1 [[3 1 1]]]
           LB.ALTER poll CLOSES 5000 => ERR CLOSES must be after OPENS
           LB.ALTER poll OPENS 0 CLOSES 0 => OK
           LB.VOTE poll 1 ann AT 1 => [1 [[4 1 1]]]
           LB.VOTE poll 1 ann AT 999999 => [1 [[5 1 1]]]
           LB.ALTER poll OPENS 2000000 => OK
           LB.VOTE poll 1 ann AT 1000000 => [0 "closed" 1000000]
           LB.VOTE poll 1 ann AT 1000 => [0 "closed" 1000001]
           LB.ADD poll 1 ann AT 1000000 => HELDBACK closed 1000000
           LB.ADD poll 1 ann AT 1000000 FORCE => [6 1 1]
           LB.ALTER poll OPENS 3000 CLOSES 4000 => OK
           LB.VOTE poll 1 ann AT 2999 => [0 "closed" -1]
           LB.VOTE poll 1 ann AT 3000 => [1 [[7 1 1]]]
           LB.VOTE poll 1 ann AT 3999 => [1 [[8 1 1]]]
           LB.VOTE poll 1 ann AT 4000 => [0 "closed" -1]"#,
    );
}

#[test]
fn a_repeated_request_is_answered_before_any_rule_is_asked() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT DECLARED LIMIT once voter 1 all
           LB.OPTION poll ann
           LB.OPTION poll bob
           LB.VOTE poll 1 ann BY v ID a AT 1000 => [1 [[1 1 1]]]
           LB.VOTE poll 1 ann BY v ID b AT 1000 => [0 "once" -1]
           LB.VOTE poll 1 ann BY v ID a AT 1000 => [1 [[1 1 0]]]
           LB.ALTER poll CLOSES 2000
           LB.VOTE poll 1 ann BY v ID a AT 3000 => [1 [[1 1 0]]]
           LB.VOTE poll 1 ann BY w ID c AT 3000 => [0 "closed" -1]
           LB.ALTER poll CLOSES 0 UNLIMIT once
           LB.VOTE poll 1 ann BY v ID b AT 3000 => [1 [[2 1 1]]]
           LB.VOTE poll 1 bob BY w ID c AT 3000 => [1 [[1 2 1]]]
           LB.MVOTE poll BY v ID m AT 3000 1 ann 2 bob => [1 [[3 1 1] [3 2 1]]]
           LB.ALTER poll LIMIT few voter 1 all
           LB.MVOTE poll BY v ID m AT 3000 1 ann 2 bob => [1 [[3 1 0] [3 2 0]]]
           LB.MVOTE poll BY v ID m AT 3000 2 bob 1 ann => IDREUSED request id was used for a different write
           LB.MVOTE poll BY v ID m AT 3000 1 ann => IDREUSED request id was used for a different write
           LB.VOTE poll 1 ann BY v ID m AT 3000 => IDREUSED request id was used for a different write
           LB.ADD poll 1 ann ID a AT 3000 => IDREUSED request id was used for a different write"#,
    );
}

/// Checks that a repeated request gets its reply, even if later rules need a voter or tags that the request does not
/// have.
#[test]
fn a_repeated_request_is_answered_whatever_rules_have_come_since() {
    plays(
        r#"LB.CREATE poll CLOCK EVENT
           LB.VOTE poll 1 ann ID a AT 1000 => [1 [[1 1 1]]]
           LB.MVOTE poll ID m AT 1000 1 ann 1 bob => [1 [[2 1 1] [1 2 1]]]
           LB.ALTER poll LIMIT once voter+terminal 1 all
           LB.VOTE poll 1 ann ID a AT 1000 => [1 [[2 1 0]]]
           LB.MVOTE poll ID m AT 1000 1 ann 1 bob => [1 [[2 1 0] [1 2 0]]]
           LB.VOTE poll 1 ann ID b AT 1000 => ERR BY is needed: the rule 'once' counts by voter"#,
    );
}

#[test]
fn a_repeated_request_is_answered_though_its_option_is_gone() {
    plays(
        r#"LB.CREATE some CLOCK EVENT DECLARED
           LB.OPTION some ann
           LB.VOTE some 1 ann ID a AT 1000 => [1 [[1 1 1]]]
           LB.REM some ann => 1
           LB.VOTE some 1 ann ID a AT 1000 => [1 [[nil nil 0]]]"#,
    );
}
