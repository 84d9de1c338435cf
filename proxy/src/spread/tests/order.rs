//! Tests of the order of commands, and of the data about boards that the engine stores.

use std::time::Duration;

use super::*;
use crate::spread::simulated::Fault;

fn part(number: u16) -> String {
    String::from_utf8(key(number)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn what_goes_to_one_key_is_sent_together_and_a_gather_waits_for_it() {
    let (servers, engine) = with_board().await;
    say(&engine, "LB.SETMETA game x text").await;
    servers.state().sent.clear();
    let [a, b] = [member(0), member(3)];
    let lines = [
        format!("LB.ADD game 5 {a}"),
        "GET x".to_owned(),
        format!("LB.ADD game 7 {b}"),
        format!("LB.REM game {a}"),
        "GET y".to_owned(),
    ];
    let replies = say_all(&engine, &lines.each_ref().map(String::as_str)).await;
    assert_eq!(replies, ["[5 nil 1]", "nil", "[7 nil 1]", "1", "nil"]);
    let sent = servers.state().sent.clone();
    let Value::Map(info) = servers.direct("LB.INFO game") else { panic!("a map") };
    let incarnation = info.iter().find(|(name, _)| shown(name) == "incarnation").unwrap();
    let of = format!(" INCARNATION {}", shown(&incarnation.1));
    let one = |line: &str| vec![line.to_owned()];
    assert_eq!(
        sent,
        [
            vec![
                format!("LB.ADD {} 5 {a} PARTS 4{of}", part(0)),
                "GET x".to_owned(),
                format!("LB.ADD {} 7 {b} PARTS 4{of}", part(3))
            ],
            one(&format!("LB.PART {} TOP 0", part(0))),
            one(&format!("LB.REM {} {a}", part(0))),
            one("GET y"),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_client_reads_what_it_wrote_to_a_board_that_is_not_known_yet() {
    let (servers, known) = with_board().await;
    let engine = engine(&servers);
    let a = member(2);
    let add = format!("LB.ADD game 5 {a}");
    let remove = format!("LB.REM game {a}");
    let replies = say_all(&engine, &[&add, &add, &remove, &add]).await;
    assert_eq!(replies, ["[5 nil 1]", "[10 nil 1]", "1", "[5 nil 1]"]);
    assert_eq!(say(&known, &add).await, "[10 nil 1]");
}

/// The first write to an absent key is planned again, after the gateway has looked for parts of a lost board. The
/// commands behind it must not overtake it.
#[tokio::test(start_paused = true)]
async fn a_client_reads_what_it_wrote_to_a_key_that_was_absent() {
    let (servers, engine) = start();
    let lines = [
        "LB.SCORE new ann",
        "LB.ADD new 5 ann",
        "LB.SCORE new ann",
        "EXISTS new",
        "LB.SETMETA new ann text",
        "LB.MADD new 2 ann 3 bob",
        "LB.TOP new 9",
        "LB.GETMETA new ann",
        "LB.COUNT new",
    ];
    let wanted =
        ["nil", "[5 1 1]", "5", "1", "OK", "[[7 1 1] [3 2 1]]", "[[1 ann 7] [2 bob 3]]", "text", "2"];
    assert_eq!(say_all(&engine, &lines).await, wanted);
    assert_eq!(say(&engine, "DEL new").await, "1");
    // The gateway has just seen that the key had no root.
    assert_eq!(say_all(&engine, &lines).await, wanted);
    let sent = servers.state().sent.iter().flatten().filter(|line| *line == "LB.INFO new").count();
    assert!(sent <= 3, "the key is looked at {sent} times");
}

/// A command with an empty reply, on a key that is not known yet, may be planned again. It must not come after what the client
/// sent after it.
#[tokio::test(start_paused = true)]
async fn a_command_without_data_does_not_come_after_later_writes() {
    let (servers, engine) = start();
    for line in ["LB.MADD plain 5 ann 3 cat", "LB.MADD other 5 ann 3 cat"] {
        servers.direct(line);
    }
    let lines = [
        "LB.SCORE plain bob",
        "LB.ADD plain 4 bob",
        "LB.SCORE plain bob",
        "LB.MGETMETA other MEMBERS 2 ann nobody",
        "LB.HIDE other cat nobody",
        "LB.HIDDEN other",
        "LB.UNHIDE other cat",
        "LB.HIDDEN other",
        "LB.SETMETA other nobody text",
        "LB.REM other dan",
        "LB.ADD other 4 dan",
        "LB.SCORE other dan",
    ];
    let wanted =
        ["nil", "[4 2 1]", "4", "[nil nil]", "2", "[cat nobody]", "1", "[nobody]", "OK", "0", "[4 2 1]", "4"];
    assert_eq!(say_all(&engine, &lines).await, wanted);
    assert_eq!(servers.state().sent.len(), 1, "all commands are sent together");
}

#[tokio::test(start_paused = true)]
async fn an_absent_key_is_looked_at_once_a_second() {
    let (servers, engine) = start();
    for _ in 0..3 {
        assert_eq!(say_all(&engine, &["LB.COUNT nothing", "LB.TOP nothing 3"]).await, ["0", "[]"]);
    }
    let looks = || servers.state().sent.iter().flatten().filter(|line| line.starts_with("LB.INFO")).count();
    assert_eq!(looks(), 9, "the key, and the eight keys where parts would be");
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(say(&engine, "LB.COUNT nothing").await, "0");
    assert_eq!(looks(), 18);
}

#[tokio::test(start_paused = true)]
async fn whole_boards_and_other_keys_pass() {
    let (servers, engine) = start();
    let replies =
        say_all(&engine, &["LB.ADD plain 5 ann", "SET x 1", "EXISTS x", "DEL x", "LB.SCORE plain ann"]).await;
    assert_eq!(replies, ["[5 1 1]", "OK", "1", "1", "5"]);
    assert_eq!(say(&engine, "MULTI").await, "ERR MULTI does not work through the gateway");
    assert_eq!(say(&engine, "LB.ADD plain 5 ann WITHRANK").await, "ERR unknown option 'WITHRANK'");
    assert_eq!(servers.state().sent.last().unwrap()[0], "LB.ADD plain 5 ann WITHRANK PARTS 1");
    assert_eq!(engine.execute(Vec::new()).await, []);
}

#[tokio::test(start_paused = true)]
async fn a_root_is_asked_for_once_a_second() {
    let (servers, engine) = with_board().await;
    let add = format!("LB.ADD game 5 {}", member(1));
    let asked = || servers.state().sent.iter().flatten().filter(|line| *line == "LB.INFO game").count();
    for _ in 0..3 {
        say(&engine, &add).await;
    }
    assert_eq!(asked(), 1);
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(say_all(&engine, &[&add, &add]).await, ["[20 nil 1]", "[25 nil 1]"]);
    assert_eq!(asked(), 2);
    assert!(!servers.state().sent.iter().skip(3).flatten().any(|line| line.starts_with("LB.ADD game ")));
}

#[tokio::test(start_paused = true)]
async fn a_board_that_was_made_anew_with_other_parts_is_found() {
    let (servers, engine) = with_board().await;
    let a = member(3);
    say(&engine, &format!("LB.ADD game 5 {a}")).await;
    let other = super::engine(&servers);
    assert_eq!(say(&other, "DEL game").await, "1");
    assert_eq!(say(&other, "LB.CREATE game PARTS 8").await, "OK");
    assert_eq!(say(&engine, &format!("LB.ADD game 7 {a}")).await, "[7 nil 1]");
    assert_eq!(say(&other, "DEL game").await, "1");
    assert_eq!(say(&engine, &format!("LB.REM game {a}")).await, "0", "whole boards are not made of nothing");
    assert_eq!(say(&engine, &format!("LB.ADD game 7 {a}")).await, "[7 1 1]", "a whole board, as of any key");
}

#[tokio::test(start_paused = true)]
async fn a_part_that_is_gone_does_not_answer() {
    let (servers, engine) = with_board().await;
    servers.direct(&format!("DEL {}", part(1)));
    let a = member(1);
    for line in
        [format!("LB.ADD game 5 {a}"), format!("LB.REM game {a}"), "LB.REMRANGEBYSCORE game 0 9".to_owned()]
    {
        let lost =
            "PARTSDOWN part 1 of 4 is lost, with its members: LB.REPAIR game FORCE makes it again, empty";
        assert_eq!(say(&engine, &line).await, lost, "{line}");
    }
    assert!(!servers.keys().contains(&part(1)));
}

#[tokio::test(start_paused = true)]
async fn a_root_that_does_not_answer_holds_no_part_up() {
    let (servers, engine) = with_board().await;
    let add = format!("LB.ADD game 5 {}", member(1));
    servers.fault(b"game", Some(Fault::Cut));
    let down = say(&engine, "LB.ADD game 5 ann TIMEOUT 100").await;
    assert_eq!(down, "PARTSDOWN the root of the board did not answer");
    servers.fault(b"game", None);
    assert_eq!(say(&engine, &add).await, "[5 nil 1]");
    servers.fault(b"game", Some(Fault::Cut));
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(say_all(&engine, &[&add, &add]).await, ["[10 nil 1]", "[15 nil 1]"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_with_a_command_is_said_at_once() {
    let (servers, engine) = with_board().await;
    say(&engine, "LB.SETMETA game x text").await;
    servers.state().sent.clear();
    assert_eq!(say(&engine, "LB.ADD game 5 ann PARTS 4").await, "ERR unknown option 'PARTS'");
    assert_eq!(say(&engine, "LB.TOP game").await, "ERR wrong number of arguments for 'LB.TOP' command");
    assert!(servers.state().sent.is_empty());
}
