//! Tests of writes that fail, and of writes to several parts.

use super::*;
use crate::spread::simulated::Fault;

/// Returns a list of points for a member of each part, the last part first.
fn of_all_parts() -> String {
    (0..4).rev().map(|part| format!(" {part} {}", member(part))).collect()
}

#[tokio::test(start_paused = true)]
async fn a_list_over_parts_needs_an_id_and_keeps_its_order() {
    let (servers, engine) = with_board().await;
    let list = of_all_parts();
    assert_eq!(say(&engine, &format!("LB.MADD game{list}")).await, "ERR over parts, LB.MADD needs ID");
    assert_eq!(servers.direct(&format!("LB.SCORE {} {}", "game:{none}", member(0))), Value::Nil);
    let madd = format!("LB.MADD game ID r{list}");
    assert_eq!(say(&engine, &madd).await, "[[3 nil 1] [2 nil 1] [1 nil 1] [0 nil 1]]");
    assert_eq!(say(&engine, &madd).await, "[[3 nil 0] [2 nil 0] [1 nil 0] [0 nil 0]]");
    let one = format!("LB.MADD game 5 {0} 6 {0}", member(2));
    assert_eq!(say(&engine, &one).await, "[[13 nil 1] [13 nil 1]]", "one part needs no id");
}

#[tokio::test(start_paused = true)]
async fn repeating_completes_what_silent_parts_missed() {
    let (servers, engine) = with_board().await;
    let madd = format!("LB.MADD game ID r{}", of_all_parts());
    servers.fault(&key(1), Some(Fault::Cut));
    servers.fault(&key(2), Some(Fault::Lost("LB.MADD")));
    assert_eq!(
        say(&engine, &madd).await,
        "PARTSDOWN 2 of 4 parts did not answer: repeat the request with its ID"
    );
    servers.fault(&key(1), None);
    servers.fault(&key(2), None);
    assert_eq!(say(&engine, &madd).await, "[[3 nil 0] [2 nil 0] [1 nil 1] [0 nil 0]]");
}

#[tokio::test(start_paused = true)]
async fn a_part_that_refuses_may_be_the_only_one() {
    let (servers, engine) = with_board().await;
    let madd = format!("LB.MADD game ID r{}", of_all_parts());
    servers.fault(&key(2), Some(Fault::Refuses("LB.MADD", "IDREUSED request id was used")));
    assert_eq!(
        say(&engine, &madd).await,
        "IDREUSED request id was used (other parts may have taken theirs: repeat with the same ID)"
    );
    for part in 0..4 {
        servers.fault(&key(part), Some(Fault::Refuses("LB.MADD", "ERR points is not a decimal number")));
    }
    assert_eq!(say(&engine, &madd).await, "ERR points is not a decimal number", "nobody has taken anything");
}

#[tokio::test(start_paused = true)]
async fn votes_for_members_of_several_parts() {
    let (servers, engine) = with_board().await;
    let votes = format!("LB.MVOTE game BY v ID r 1 {} 2 {}", member(3), member(0));
    servers.fault(&key(3), Some(Fault::HoldsBack));
    assert_eq!(
        say(&engine, &votes).await,
        "ERR the rule daily holds votes back (other parts may have taken theirs: repeat with the same ID)"
    );
    servers.fault(&key(0), Some(Fault::HoldsBack));
    assert_eq!(say(&engine, &votes).await, "[0 daily 5]");
    servers.fault(&key(0), None);
    servers.fault(&key(3), None);
    assert_eq!(say(&engine, &votes).await, "[1 [[1 nil 1] [2 nil 0]]]");
}

#[tokio::test(start_paused = true)]
async fn a_write_without_an_answer_is_not_sent_twice() {
    let (servers, engine) = with_board().await;
    let a = member(1);
    servers.fault(&key(1), Some(Fault::Lost("LB.ADD")));
    let unknown = "UNKNOWN the write may have been carried out: no answer came";
    assert_eq!(say(&engine, &format!("LB.ADD game 5 {a}")).await, unknown);
    assert_eq!(
        say(&engine, &format!("LB.ADD game 5 {a} ID r")).await,
        "PARTSDOWN 1 of 4 parts did not answer",
        "it is repeated all the time"
    );
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, &format!("LB.ADD game 5 {a} ID r")).await, "[10 nil 0]");
    let removals = [
        ("LB.REM", format!("LB.REM game {a}")),
        ("LB.REMRANGEBYSCORE", "LB.REMRANGEBYSCORE game 0 99".to_owned()),
        ("LB.REM", "LB.REMRANGE game 1 1".to_owned()),
    ];
    for (command, line) in removals {
        servers.fault(&key(1), None);
        say(&engine, &format!("LB.ADD game 5 {a}")).await;
        servers.fault(&key(1), Some(Fault::Lost(command)));
        assert_eq!(say(&engine, &line).await, unknown, "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_id_is_no_help_on_a_board_that_forgets_them() {
    let (servers, engine) = start();
    assert_eq!(say(&engine, "LB.CREATE game DEDUP 0 PARTS 4").await, "OK");
    // This command makes the root known.
    say(&engine, "LB.SETMETA game x text").await;
    servers.fault(&key(1), Some(Fault::Lost("LB.ADD")));
    let unknown = say(&engine, &format!("LB.ADD game 5 {} ID r", member(1))).await;
    assert!(unknown.starts_with("UNKNOWN "), "{unknown}");
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, &format!("LB.ADD game 0 {} ID s", member(1))).await, "[5 nil 1]");
}

#[tokio::test(start_paused = true)]
async fn what_is_removed_adds_up() {
    let (_, engine) = with_board().await;
    assert!(say(&engine, &format!("LB.MADD game ID r{}", of_all_parts())).await.starts_with("[["));
    assert_eq!(say(&engine, &format!("LB.REM game {} {} nobody", member(0), member(3))).await, "2");
    assert_eq!(say(&engine, "LB.REMRANGEBYSCORE game 0 9").await, "2");
    assert!(say(&engine, &format!("LB.MADD game ID s{}", of_all_parts())).await.starts_with("[["));
    assert_eq!(say(&engine, "LB.REMRANGE game 2 -2").await, "2");
    assert_eq!(say(&engine, "LB.TOP game 9 FLAT").await, format!("[1 {} 3 {} 0]", member(3), member(0)));
    assert_eq!(say(&engine, "LB.REMRANGE game 3 9").await, "0");
    assert_eq!(
        say(&engine, "LB.REMRANGE game 0 9").await,
        "ERR first must be a rank: 1 is the top, negative ranks count from the end"
    );
}

#[tokio::test(start_paused = true)]
async fn a_command_says_how_long_it_waits() {
    let (servers, engine) = with_board().await;
    servers.fault(&key(1), Some(Fault::Cut));
    let begun = tokio::time::Instant::now();
    let down = say(&engine, &format!("LB.ADD game 5 {} TIMEOUT 100", member(1))).await;
    assert_eq!(down, "PARTSDOWN 1 of 4 parts did not answer");
    assert!(begun.elapsed() <= Duration::from_millis(100));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_pair_is_found_before_any_part_takes_its_own() {
    let (servers, engine) = with_board().await;
    say(&engine, "LB.SETMETA game x text").await;
    servers.state().sent.clear();
    for (list, said) in [
        (format!("LB.MADD game ID r 5 {} x {}", member(0), member(1)), "ERR points is not a decimal number"),
        (
            format!("LB.MSET game ID r 5 {} 1.5 {}", member(0), member(1)),
            "ERR score must be a whole number (DECIMALS 0)",
        ),
        (format!("LB.MVOTE game ID r 5 {} 0 {}", member(0), member(1)), "ERR votes is out of range"),
    ] {
        assert_eq!(say(&engine, &list).await, said);
    }
    assert_eq!(servers.state().sent.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn ranks_are_not_looked_up_again_after_a_removal_has_begun() {
    let (servers, engine) = with_board().await;
    assert!(say(&engine, &format!("LB.MADD game ID r{}", of_all_parts())).await.starts_with("[["));
    servers.fault(&key(2), Some(Fault::Refuses("LB.REM", "NOPART the key is no part of 4")));
    assert_eq!(say(&engine, "LB.REMRANGE game 1 2").await, "PARTSDOWN 1 of 4 parts did not answer");
    servers.fault(&key(2), None);
    let left = format!("[1 {} 2 {} 1 {} 0]", member(2), member(1), member(0));
    assert_eq!(say(&engine, "LB.TOP game 9 FLAT").await, left, "other members with these ranks stay");
}
