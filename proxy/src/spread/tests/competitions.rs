//! Rules of scores over parts: each part judges its own members.

use super::*;

#[tokio::test(start_paused = true)]
async fn attempts_are_counted_through_every_number_of_parts() {
    let (_servers, engine) = start();
    let rules = "ATTEMPTS 2 all BOUNDS 0 10 HOURS mon-sun=00:00-24:00";
    assert_eq!(say(&engine, &format!("LB.CREATE game {rules} PARTS 4")).await, "OK");
    let names: Vec<_> = (0..8).map(|number| format!("m{number}")).collect();
    for name in &names {
        assert!(say(&engine, &format!("LB.ADD game 1 {name}")).await.starts_with("[1 "), "{name}");
    }
    for parts in [8, 2, 1, 4] {
        let said = say(&engine, &format!("LB.RESHARD game {parts} TIMEOUT 60000")).await;
        assert_eq!(said, format!("[{parts} {parts}]"));
        let quota = say(&engine, "LB.QUOTA game MEMBER m0").await;
        assert_eq!(quota, "[[closed 0 1 -1] [attempts 1 2 -1]]", "{parts} parts");
        assert_eq!(say(&engine, "LB.ADD game 11 m0").await, "HELDBACK bounds -1");
    }
    for name in &names {
        assert!(say(&engine, &format!("LB.ADD game 1 {name}")).await.starts_with("[2 "), "{name}");
        assert_eq!(say(&engine, &format!("LB.ADD game 1 {name}")).await, "HELDBACK attempts -1");
    }
    assert_eq!(say(&engine, "LB.ALTER game ATTEMPTS 3 all HOURS mon-sun=00:00-00:01").await, "OK");
    let closed = say(&engine, "LB.ADD game 1 m0").await;
    assert!(closed.starts_with("HELDBACK closed "), "{closed}");
    assert!(say(&engine, "LB.ADD game 50 m0 FORCE").await.starts_with("[52 "));
    assert_eq!(say(&engine, "LB.ALTER game HOURS mon-sun=00:00-24:00").await, "OK");
    assert!(say(&engine, "LB.ADD game 1 m0").await.starts_with("[53 "), "what was forced is no attempt");
    let info = say(&engine, "LB.INFO game").await;
    assert!(info.contains("held_back=closed=1 bounds=") && info.contains("attempts=8"), "{info}");
}

#[tokio::test(start_paused = true)]
async fn no_rule_holds_an_import_back() {
    let (servers, engine) = start();
    servers.direct("ZADD set 5 ann 7 bob");
    assert_eq!(say(&engine, "LB.CREATE game ATTEMPTS 1 all BOUNDS 0 1 CLOSES 1 PARTS 4").await, "OK");
    for _ in 0..2 {
        let merged = say(&engine, "LB.IMPORT game set MERGE ID i CURSOR 0").await;
        assert!(merged.starts_with("[0 2"), "{merged}");
    }
    assert_eq!(say(&engine, "LB.SCORE game ann").await, "5");
    assert_eq!(say(&engine, "LB.QUOTA game MEMBER ann").await, "[[closed 1 1 -1] [attempts 0 1 -1]]");
}

#[tokio::test(start_paused = true)]
async fn boards_whose_rules_need_all_members_have_no_parts() {
    let (_servers, engine) = start();
    for rule in ["MAXMEMBERS 5", "DECLARED"] {
        let option = rule.split(' ').next().unwrap_or_default();
        let refused = format!("ERR {option} is not possible with parts");
        assert_eq!(say(&engine, &format!("LB.CREATE game {rule} PARTS 4")).await, refused);
        assert_eq!(say(&engine, &format!("LB.CREATE plain {rule}")).await, "OK");
        assert_eq!(say(&engine, "LB.RESHARD plain 4").await, refused);
        assert_eq!(say(&engine, "DEL plain").await, "1");
    }
    let refused = "ERR a share of the members in PRIZES is not possible with parts";
    assert_eq!(say(&engine, "LB.CREATE game VIEWS day PRIZES day 1-5%=a PARTS 4").await, refused);
    assert_eq!(say(&engine, "LB.CREATE plain VIEWS day CLOCK EVENT PRIZES day 1=a").await, "OK");
    assert!(say(&engine, "LB.RESHARD plain 4").await.starts_with("ERR "));
    assert_eq!(say(&engine, "DEL plain").await, "1");
    assert_eq!(say(&engine, "LB.CREATE plain VIEWS day PRIZES day 1-5%=a").await, "OK");
    assert_eq!(say(&engine, "LB.RESHARD plain 4").await, refused);
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day PARTS 4").await, "OK");
    assert_eq!(say(&engine, "LB.ALTER game PRIZES day 1-5%=a").await, refused);
    assert_eq!(say(&engine, "LB.ALTER game MAXMEMBERS 5").await, "ERR MAXMEMBERS is not possible with parts");
    let join = say(&engine, "LB.JOIN game ann").await;
    assert!(join.contains("a board over parts has no DECLARED"), "{join}");
}
