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
        "UNKNOWN 2 of 4 parts did not answer, and other parts may have carried out the write: repeat it with its ID"
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

/// A repeated request can complete what silent parts missed: then the reply counts the members of these parts.
#[tokio::test(start_paused = true)]
async fn quiet_writes_over_parts_count_what_they_applied() {
    let (servers, engine) = with_board().await;
    let madd = format!("LB.MADD game ID r QUIET{}", of_all_parts());
    servers.fault(&key(1), Some(Fault::Cut));
    assert!(say(&engine, &madd).await.starts_with("UNKNOWN"));
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, &madd).await, "1");
    assert_eq!(say(&engine, &madd).await, "0");
    assert_eq!(say(&engine, &format!("LB.MADD game QUIET 5 {0} 6 {0}", member(2))).await, "2");
    assert_eq!(say(&engine, &format!("LB.ADD game 5 {} QUIET", member(2))).await, "1");
    let ranked = format!("LB.ADD game 5 {} QUIET WITHRANK", member(2));
    assert_eq!(say(&engine, &ranked).await, "ERR options QUIET and WITHRANK exclude each other");
    let votes = format!("LB.MVOTE game BY v ID v QUIET 1 {} 2 {}", member(3), member(0));
    servers.fault(&key(3), Some(Fault::HoldsBack));
    assert!(say(&engine, &votes).await.starts_with("ERR the rule daily holds votes back"));
    servers.fault(&key(0), Some(Fault::HoldsBack));
    assert_eq!(say(&engine, &votes).await, "0");
    servers.fault(&key(0), None);
    servers.fault(&key(3), None);
    assert_eq!(say(&engine, &votes).await, "1");
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
        format!("{unknown}: repeat it with its ID"),
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
    assert_eq!(
        say(&engine, "LB.REMRANGE game 1 2").await,
        "UNKNOWN 1 of 4 parts did not answer, and other parts may have carried out the write: look before you repeat it"
    );
    servers.fault(&key(2), None);
    let left = format!("[1 {} 2 {} 1 {} 0]", member(2), member(1), member(0));
    assert_eq!(say(&engine, "LB.TOP game 9 FLAT").await, left, "other members with these ranks stay");
}

/// Each write, with the name of its command.
fn each_write() -> Vec<(&'static str, String)> {
    let (a, all) = (member(1), of_all_parts().replace(" 0 ", " 4 "));
    vec![
        ("LB.ADD", format!("LB.ADD game 5 {a}")),
        ("LB.ADD", format!("LB.ADD game 5 {a} WITHRANK")),
        ("LB.SET", format!("LB.SET game 5 {a}")),
        ("LB.ROLLADD", format!("LB.ROLLADD game 5 {a}")),
        ("LB.VOTE", format!("LB.VOTE game 5 {a}")),
        ("LB.SETMETA", format!("LB.SETMETA game {a} text")),
        ("LB.SETMETA", format!("LB.SETMETA game {a} text TIMEOUT 100")),
        ("LB.MADD", format!("LB.MADD game 5 {a}")),
        ("LB.MADD", format!("LB.MADD game ID i{all}")),
        ("LB.MSET", format!("LB.MSET game ID j{all}")),
        ("LB.MVOTE", format!("LB.MVOTE game ID k{all}")),
        ("LB.REM", format!("LB.REM game {a}")),
        ("LB.HIDE", format!("LB.HIDE game {a}")),
        ("LB.UNHIDE", format!("LB.UNHIDE game {a}")),
        ("LB.REMRANGEBYSCORE", "LB.REMRANGEBYSCORE game 0 99".to_owned()),
        ("DEL", "DEL game".to_owned()),
        ("LB.ALTER", "LB.ALTER game DEDUP 60".to_owned()),
        ("LB.CREATE", "LB.CREATE other VIEWS all PARTS 4".to_owned()),
        ("LB.CREATE", "LB.CREATE whole VIEWS all".to_owned()),
        ("LB.ADD", "LB.ADD whole 5 ann".to_owned()),
        ("LB.ADD", "LB.ADD whole 5 ann ID r".to_owned()),
        ("LB.COUNTER.INCR", "LB.COUNTER.INCR visits 5".to_owned()),
        ("LB.CATALOG", "LB.CATALOG game ENDING 5".to_owned()),
        ("SET", "SET word text".to_owned()),
        ("INCRBY", "INCRBY number 5".to_owned()),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_write_that_no_server_gets_is_surely_not_carried_out() {
    for (name, line) in each_write() {
        for refusal in [None, Some("MOVED 5 127.0.0.1:1"), Some("TRYAGAIN the slot is moving")] {
            let (servers, engine) = with_board().await;
            say(&engine, &format!("LB.ADD game 1 {}", member(1))).await;
            let fault = refusal.map_or(Fault::Cut, |error| Fault::Refuses(name, error));
            // A command of the catalogue begins with the key of the root.
            servers.fault(b"*", Some(fault));
            let before = servers.keys();
            let said = say(&engine, &line).await;
            // A board is deleted by other commands.
            if name != "DEL" || refusal.is_none() {
                assert!(said.starts_with("PARTSDOWN "), "{line}, {refusal:?}: {said}");
                assert_eq!(servers.keys(), before, "{line}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_answer_is_lost_is_unknown() {
    for (name, line) in each_write() {
        let (servers, engine) = with_board().await;
        say(&engine, &format!("LB.ADD game 1 {}", member(1))).await;
        let name = if name == "DEL" { "LB.CATALOG" } else { name };
        servers.fault(b"*", Some(Fault::Lost(name)));
        let said = say(&engine, &line).await;
        // The rules show whether LB.CREATE and LB.ALTER were carried out.
        let is_found_out = ["LB.ALTER", "LB.CREATE"].contains(&name) && said == "OK";
        assert!(said.starts_with("UNKNOWN ") || is_found_out, "{line}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_some_parts_have_removed_is_not_told_as_nothing() {
    for line in ["LB.REM game", "LB.HIDE game", "LB.REMRANGEBYSCORE game 0 99"] {
        let (servers, engine) = with_board().await;
        say(&engine, &format!("LB.MADD game ID r{}", of_all_parts())).await;
        let members: String = (0..4).map(|part| format!(" {}", member(part))).collect();
        let line = if line.ends_with("game") { format!("{line}{members}") } else { line.to_owned() };
        let name = line.split(' ').next().unwrap().to_owned().leak();
        servers.fault(&key(2), Some(Fault::Refuses(name, "LOADING the server is loading")));
        assert_eq!(
            say(&engine, &line).await,
            "UNKNOWN 1 of 4 parts did not answer, and other parts may have carried out the write: repeat it"
        );
        servers.fault(&key(2), Some(Fault::Refuses(name, "NOPART the key is no part of 4")));
        assert!(say(&engine, &line).await.starts_with("PARTSDOWN 1 of 4"), "nothing is left in other parts");
        servers.fault(&key(2), None);
        assert_eq!(say(&engine, &line).await, "1");
    }
}

#[tokio::test(start_paused = true)]
async fn a_part_that_refuses_to_remove_is_not_alone() {
    let (servers, engine) = with_board().await;
    say(&engine, &format!("LB.MADD game ID r{}", of_all_parts())).await;
    servers.fault(&key(0), Some(Fault::Refuses("LB.REMRANGEBYSCORE", "OOM no memory")));
    let said = say(&engine, "LB.REMRANGEBYSCORE game 0 99").await;
    assert_eq!(said, "OOM no memory (other parts may have carried it out: repeat it)");
    assert_eq!(say(&engine, "LB.REMRANGEBYSCORE game 0 99").await, "OOM no memory");
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_half_deleted_is_told() {
    let (servers, engine) = with_board().await;
    for name in ["a", "b"] {
        say(&engine, &format!("LB.CREATE {name} PARTS 4")).await;
    }
    servers.fault(b"b", Some(Fault::Refuses("LB.CATALOG", "LOADING the server is loading")));
    let said = say(&engine, "DEL a b").await;
    assert_eq!(
        said,
        "UNKNOWN the command has begun and is not finished: the root of the board did not answer: repeat it"
    );
    servers.fault(b"b", None);
    assert_eq!(say(&engine, "DEL a b").await, "1");
}

#[tokio::test(start_paused = true)]
async fn applied_is_one_for_the_call_that_was_applied() {
    let (servers, one) = with_board().await;
    let other = engine(&servers);
    let (a, all) = (member(1), of_all_parts());
    say(&one, "LB.CREATE whole").await;
    for (name, line, applied, repeated) in [
        ("LB.ADD", format!("LB.ADD game 5 {a} ID a"), "[5 nil 1]", "[5 nil 0]"),
        ("LB.ADD", format!("LB.ADD game 5 {a} ID b TIMEOUT 500"), "[10 nil 1]", "[10 nil 0]"),
        ("LB.SET", format!("LB.SET game 2 {a} ID c WITHRANK"), "[2 1 1]", "[2 1 0]"),
        ("LB.MADD", format!("LB.MADD game ID d{all}"), "[[3 nil 1] [2 nil 1] [3 nil 1] [0 nil 1]]", "0]]"),
        ("LB.VOTE", format!("LB.VOTE game 1 {a} ID e"), "[1 [[4 nil 1]]]", "[1 [[4 nil 0]]]"),
        (
            "LB.MVOTE",
            format!("LB.MVOTE game ID f 1 {a} 1 {}", member(2)),
            "[1 [[5 nil 1] [3 nil 1]]]",
            "0]]]",
        ),
        ("LB.ADD", "LB.ADD whole 5 ann ID g".to_owned(), "[5 1 1]", "[5 1 0]"),
        ("LB.MADD", "LB.MADD whole ID h 5 ann 6 bob".to_owned(), "[[10 1 1] [6 2 1]]", "0]]"),
    ] {
        servers.fault(b"*", Some(Fault::LostOnce(name)));
        assert_eq!(say(&one, &line).await, applied, "{line}: the answer to the first attempt is lost");
        for engine in [&one, &other] {
            let again = say(engine, &line).await;
            assert!(again.ends_with(repeated) && !again.contains(" 1]"), "{line}: {again}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn applied_is_zero_for_a_call_that_came_second() {
    let (servers, engine) = with_board().await;
    let line = format!("LB.ADD game 5 {} ID r", member(1));
    servers.fault(&key(1), Some(Fault::Cut));
    let meanwhile = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        servers.direct(&format!(
            "LB.ADD {} 5 {} ID r ATTEMPT 7",
            String::from_utf8(key(1)).unwrap(),
            member(1)
        ));
        servers.fault(&key(1), None);
    };
    assert_eq!(tokio::join!(say(&engine, &line), meanwhile).0, "[5 nil 0]");
}

#[tokio::test(start_paused = true)]
async fn the_number_of_an_attempt_belongs_to_an_id() {
    let (servers, engine) = with_board().await;
    for (line, said) in [
        ("LB.ADD plain 5 ann ATTEMPT 7", "ERR ID is needed"),
        ("LB.ADD plain 5 ann ID r ATTEMPT 0", "ERR ATTEMPT is out of range"),
        ("LB.ADD plain 5 ann ID r ATTEMPT 16777216", "ERR ATTEMPT is out of range"),
        ("LB.MADD plain ID r ATTEMPT x 5 ann", "ERR ATTEMPT is not a whole number"),
    ] {
        assert_eq!(shown(&servers.direct(line)), said, "{line}");
    }
    assert_eq!(servers.direct("LB.INFO plain"), Value::Nil);
    let refused = say(&engine, "LB.ADD game 5 ann ID r ATTEMPT 7").await;
    assert_eq!(refused, "ERR unknown option 'ATTEMPT'", "only gateways number attempts");
}
