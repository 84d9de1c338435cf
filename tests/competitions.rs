//! Tests of the rules of scores on real servers: what they hold back, what goes to replicas, and who may take part. The
//! boards use the time of the events, so no test waits for the end of a period.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

use crate::replication::stream::Watched;
use crate::votes::plays;

#[test]
fn a_cup_from_its_rules_to_its_end() {
    plays(
        r#"LB.CREATE cup VIEWS week,day TZ Europe/Paris CLOCK EVENT DECLARED MAXMEMBERS 2 HOURS mon-fri=18:00-20:00,sat-sun=10:00-22:00 ATTEMPTS 2 day BOUNDS 0 1000 => OK
           LB.ADD cup 5 ann AT @2026-11-27T18:00 => HELDBACK joined -1
           LB.JOIN cup ann META Ann ID j1 => 1
           LB.JOIN cup bob ID j1 => IDREUSED request id was used for a different write
           LB.JOIN cup ann META Ann ID j1 => 0
           LB.JOIN cup ann => 0
           LB.JOIN cup bob => 1
           LB.JOIN cup cat => HELDBACK full -1
           LB.OPTION cup cat => HELDBACK full -1
           LB.ADD cup 5 ann AT @2026-11-27T16:59 => HELDBACK closed 60000
           LB.ADD cup 5 ann AT @2026-11-27T17:00 ID a1 => [5 1 1]
           LB.ADD cup 5 ann AT @2026-11-27T17:00 ID a1 => [5 1 0]
           LB.ADD cup -1 ann AT @2026-11-27T17:01 => HELDBACK bounds -1
           LB.SET cup 1001 ann AT @2026-11-27T17:01 => HELDBACK bounds -1
           LB.SET cup 4 ann GT AT @2026-11-27T17:01 => [5 1 0]
           LB.QUOTA cup MEMBER ann => [["closed" 0 1 -1] ["attempts" 1 2 21600000] ["full" 2 2 -1]]
           LB.MADD cup AT @2026-11-27T18:00 1 bob 1 ann 1 ann => HELDBACK attempts 18000000
           LB.MADD cup AT @2026-11-27T18:00 1 bob 1 ann => [[1 2 1] [6 1 1]]
           LB.ADD cup 1 ann AT @2026-11-27T18:30 ID a2 => HELDBACK attempts 16200000
           LB.REM cup ann => 1
           LB.ADD cup 1 ann AT @2026-11-27T18:30 => HELDBACK joined -1
           LB.JOIN cup ann => 1
           LB.ADD cup 1 ann AT @2026-11-27T18:30 => HELDBACK attempts 16200000
           LB.ADD cup 50 ann AT @2026-11-27T18:30 ID a2 FORCE => [50 1 1]
           LB.LEAVE cup bob => 1
           LB.LEAVE cup bob => 0
           LB.ADD cup 1 bob AT @2026-11-27T18:31 => HELDBACK joined -1
           LB.TOP cup 9 => [[1 "ann" 50] [2 "bob" 1]]
           LB.ALTER cup ATTEMPTS 0 all HOURS <0> BOUNDS -inf +inf MAXMEMBERS 0 => OK
           LB.JOIN cup cat => 1
           LB.MADD cup AT @2026-11-27T23:30 9999 ann 1 cat => [[10049 1 1] [1 3 1]]
           LB.ALTER cup CLOSES @2026-11-28 => OK
           LB.ALTER cup NOW @2026-11-30 => OK
           LB.TOP cup 9 => []
           LB.TOP cup 1 PERIOD -1 => [[1 "ann" 10049]]
           LB.JOIN cup dan => HELDBACK closed -1
           LB.JOIN cup ann => 0
           LB.QUOTA cup MEMBER ann => [["closed" 1 1 -1]]"#,
    );
}

#[test]
fn initial_votes_of_members_that_have_played_take_places_in_the_next_period() {
    plays(
        "LB.CREATE cup CLOCK EVENT VIEWS 10s,all SHOWN MAXMEMBERS 1 => OK
         LB.OPTION cup tide INITIAL 2 => OK
         LB.ADD cup 1 ann AT 100000 FORCE => [1 2 1]
         LB.QUOTA cup MEMBER ann AT 110000 => [[\"full\" 1 1 10000]]
         LB.ADD cup 1 ann AT 110000 => HELDBACK full 10000
         LB.ADD cup 1 tide AT 110000 => [3 1 1]
         LB.ADD cup 1 ann AT 110001 => HELDBACK full 9999",
    );
}

#[test]
fn a_late_write_that_carries_nothing_over_takes_no_place() {
    plays(
        "LB.CREATE cup CLOCK EVENT VIEWS 10s CARRY 10s=0.5 MAXMEMBERS 1 => OK
         LB.ADD cup 4 ann AT 10000 => [4 1 1]
         LB.ADD cup 1 bob AT 5000 => [nil nil 1]
         LB.ADD cup 1 bob AT 5001 => HELDBACK full 10000
         LB.ADD cup 2 cat AT 5000 => HELDBACK full 10000
         LB.MADD cup AT 5000 1 dan 1 dan => HELDBACK full 10000
         LB.ADD cup 1 bob AT 11000 => HELDBACK full 9000
         LB.COUNT cup => 1",
    );
}

/// Without VIEW, a claim is of the view that pays. Another one may be the default when the claim is repeated.
#[test]
fn a_repeated_claim_is_answered_when_another_view_is_the_default() {
    plays(
        "LB.CREATE cup CLOCK EVENT VIEWS 10s,minute PRIZES 10s 1=car PRIZES minute 1=bike => OK
         LB.ADD cup 5 ann AT 59000 => [5 1 1]
         LB.ADD cup 5 bob AT 61000 => [5 1 1]
         LB.CLAIM cup ann ID p1 => [\"car\" 1 1]
         LB.ALTER cup PRIZES 10s <0> => OK
         LB.CLAIM cup ann ID p1 => [\"car\" 1 1]
         LB.CLAIM cup ann VIEW 10s ID p1 => [\"car\" 1 1]
         LB.CLAIM cup ann VIEW minute ID p1 => IDREUSED request id was used for a different write
         LB.CLAIM cup bob ID p1 => IDREUSED request id was used for a different write
         LB.CLAIM cup ann ID p2 => [\"bike\" 1 1]",
    );
}

#[test]
fn errors_name_the_argument_at_fault() {
    plays(
        r#"LB.CREATE cup HOURS mon => ERR HOURS 'mon' is not a window such as mon-fri=18:00-20:00
           LB.CREATE cup ATTEMPTS 3 => ERR option ATTEMPTS is incomplete: ATTEMPTS n unit
           LB.CREATE cup ATTEMPTS 3 fortnight => ERR unit of ATTEMPTS must be one of second, minute, hour, day, week, month, year, all, or seconds such as 3600s
           LB.CREATE cup ATTEMPTS -1 day => ERR ATTEMPTS is out of range
           LB.CREATE cup ATTEMPTS 4294967296 day => ERR ATTEMPTS is out of range
           LB.CREATE cup MAXMEMBERS x => ERR MAXMEMBERS is not a whole number
           LB.CREATE cup BOUNDS 5 4 => ERR BOUNDS: no score is between min and max
           LB.CREATE cup BOUNDS 5 => ERR option BOUNDS is incomplete: BOUNDS min max
           LB.CREATE cup BOUNDS a 4 => ERR BOUNDS min is not a decimal number
           LB.CREATE cup MAXMEMBERS 3 PARTS 4 => ERR MAXMEMBERS is not possible with parts
           EXISTS cup => 0
           LB.JOIN cup ann => NOBOARD the board does not exist
           LB.LEAVE cup ann => NOBOARD the board does not exist
           LB.CREATE cup => OK
           LB.JOIN cup ann => ERR LB.JOIN needs a board with DECLARED
           LB.LEAVE cup ann => ERR LB.LEAVE needs a board with DECLARED
           LB.ADD cup 5 ann => [5 1 1]
           LB.ALTER cup DECLARED => OK
           LB.ADD cup 5 ann => HELDBACK joined -1
           LB.JOIN cup ann => 1
           LB.ADD cup 5 ann => [10 1 1]
           LB.ALTER cup DECLARED => OK
           LB.ALTER cup NOW 5 => ERR NOW needs a board with CLOCK EVENT
           LB.CREATE poll SHOWN DECLARED => OK
           LB.OPTION poll ann INITIAL 5 => OK
           LB.LEAVE poll ann => ERR member has INITIAL votes: set INITIAL 0 before it leaves
           LB.OPTION poll ann INITIAL 0 => OK
           LB.LEAVE poll ann => 1"#,
    );
}

#[test]
fn info_tells_the_rules_and_what_they_held_back() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE cup CLOCK EVENT DECIMALS 1 HOURS MON=08:00-09:00 ATTEMPTS 1 3600s BOUNDS (0 +inf MAXMEMBERS 9
         LB.ADD cup 1 ann AT 1000 => HELDBACK closed 374399000
         LB.ALTER cup HOURS sun-sat=00:00-24:00
         LB.ADD cup 0 ann AT 1000 => HELDBACK bounds -1
         LB.ADD cup 1 ann AT 1000
         LB.ADD cup 1 ann AT 1000 => HELDBACK attempts 3599000
         LB.CREATE other LIKE cup ATTEMPTS 5 all",
    );
    let info = say(&mut con, "LB.INFO cup");
    let rules = r#""hours" "sun-sat=00:00-24:00" "attempts" "1 3600s" "bounds" "0.1 +inf""#;
    assert!(info.contains(rules), "{info}");
    assert!(info.contains(r#""maxmembers" 9"#), "{info}");
    let held_back = r#""held_back" ["closed" 1 "bounds" 1 "full" 0 "attempts" 1]"#;
    assert!(info.contains(held_back), "{info}");
    let other = say(&mut con, "LB.INFO other");
    assert!(other.contains(&rules.replace("1 3600s", "5 all")), "{other}");
    let server = say(&mut con, "INFO leaderboard");
    assert!(server.contains("leaderboard_writes_held_back:3"), "{server}");
}

#[test]
fn replicas_get_what_was_decided() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            (
                "LB.CREATE cup CLOCK EVENT DECLARED ATTEMPTS 1 day",
                &["LB.CREATE cup CLOCK EVENT DECLARED ATTEMPTS 1 day"],
            ),
            ("LB.ADD cup 5 ann AT 1000 ID one", &[]),
            ("LB.JOIN cup ann META Ann ID j", &["LB.JOIN cup ann META Ann ID j NOW 0"]),
            ("LB.JOIN cup ann META Ann ID j", &[]),
            ("LB.JOIN cup ann", &[]),
            ("LB.ADD cup 5 ann AT 1000 ID one", &["LB.ADD cup 5 ann AT 1000 ID one"]),
            ("LB.ADD cup 5 ann AT 1000 ID two", &[]),
            ("LB.ADD cup 5 ann AT 1000 ID two FORCE", &["LB.ADD cup 5 ann AT 1000 ID two FORCE"]),
            ("LB.LEAVE cup ann", &["LB.LEAVE cup ann NOW 1000"]),
            ("LB.LEAVE cup ann", &[]),
            ("LB.ALTER cup NOW 5000", &["LB.ALTER cup NOW 5000"]),
            ("LB.ALTER cup ATTEMPTS 2 day", &["LB.ALTER cup ATTEMPTS 2 day NOW 5000"]),
        ]);
    }
}
