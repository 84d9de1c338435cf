//! Numbers of rules: each change of rules is carried out once, and the latest rules win, wherever they are.

use super::catalog::{field, part};
use super::*;
use crate::spread::simulated::Fault;

/// Returns another gateway. It dies after many commands, so a test ends even if the gateway repeats a step for ever.
fn other(servers: &Simulated) -> Engine<Simulated> {
    engine(&servers.dying(500))
}

/// Returns the number of the rules of the root and of each part.
fn revisions(servers: &Simulated) -> Vec<String> {
    let keys = std::iter::once("game".to_owned()).chain((0..4).map(part));
    keys.map(|key| field(servers, &key, "revision")).collect()
}

#[tokio::test(start_paused = true)]
async fn an_alter_whose_answer_is_lost_is_carried_out_once() {
    let (servers, engine) = with_board().await;
    for (number, change) in ["VIEWS +day", "DEDUP 60", "VIEWS -day", "RETAIN 5"].into_iter().enumerate() {
        servers.fault(b"game", Some(Fault::LostOnce("LB.ALTER")));
        assert_eq!(say(&engine, &format!("LB.ALTER game {change}")).await, "OK");
        assert_eq!(revisions(&servers), vec![(number + 1).to_string(); 5], "{change}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_alter_that_another_one_has_followed_is_not_carried_out_again() {
    let (servers, first) = with_board().await;
    let second = engine(&servers);
    servers.fault(b"game", Some(Fault::Lost("LB.ALTER")));
    let undone = async {
        // The root has the view now, and the first gateway does not know it yet.
        tokio::time::sleep(Duration::from_millis(1)).await;
        servers.fault(b"game", None);
        assert_eq!(field(&servers, "game", "views"), "all,day");
        say(&second, "LB.ALTER game VIEWS -day").await
    };
    let (first, second) = tokio::join!(say(&first, "LB.ALTER game VIEWS +day"), undone);
    assert_eq!(second, "OK");
    assert!(first.starts_with("UNKNOWN "), "{first}");
    assert_eq!(field(&servers, "game", "views"), "all");
    assert_eq!(revisions(&servers), vec!["2"; 5]);
}

/// A failover of each server but one can lose a change of rules. Some part has the latest rules then.
#[tokio::test(start_paused = true)]
async fn the_rules_that_one_part_alone_has_are_kept() {
    for latest in 0..4 {
        for line in ["LB.REPAIR game", "LB.COUNT game", "LB.COUNT game VIEW day"] {
            let (servers, first) = with_board().await;
            let keys: Vec<_> =
                (0..4).filter(|number| *number != latest).map(part).chain(["game".to_owned()]).collect();
            let saved: Vec<_> = keys.iter().map(|key| servers.state().save(key.as_bytes())).collect();
            assert_eq!(say(&first, "LB.ALTER game VIEWS +day").await, "OK");
            keys.iter().zip(&saved).for_each(|(key, saved)| servers.state().restore(key.as_bytes(), saved));
            let given = (0..4).filter(|number| *number != latest).map(|number| format!("part {number}"));
            let given: String = given
                .chain(["the root".to_owned()])
                .map(|name| format!("gave {name} the rules with the number 1 "))
                .collect();
            let wanted = if line.starts_with("LB.REPAIR") {
                format!("[{}]", given.trim_end())
            } else {
                "0".to_owned()
            };
            assert_eq!(say(&other(&servers), line).await, wanted, "part {latest}");
            assert_eq!(field(&servers, "game", "views"), "all,day");
            assert_eq!(revisions(&servers), vec!["1"; 5]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_root_is_made_again_with_the_latest_rules() {
    for latest in 0..4 {
        let (servers, first) = with_board().await;
        let older: Vec<_> = (0..4).filter(|number| *number != latest).map(part).collect();
        let saved: Vec<_> = older.iter().map(|key| servers.state().save(key.as_bytes())).collect();
        assert_eq!(say(&first, "LB.ALTER game VIEWS +day").await, "OK");
        older.iter().zip(&saved).for_each(|(key, saved)| servers.state().restore(key.as_bytes(), saved));
        servers.direct("DEL game");
        let given: String = (0..4)
            .filter(|number| *number != latest)
            .map(|number| format!("gave part {number} the rules with the number 1 "))
            .collect();
        let wanted = format!("[made the root again from 4 of 4 parts {given}finished LB.CREATE]");
        assert_eq!(say(&other(&servers), "LB.REPAIR game").await, wanted);
        assert_eq!(field(&servers, "game", "views"), "all,day");
        assert_eq!(revisions(&servers), vec!["1"; 5]);
    }
}

/// The network can deliver a command after its sender has given it up, and has sent it again.
#[tokio::test(start_paused = true)]
async fn a_change_of_rules_that_arrives_late_changes_nothing() {
    let (servers, engine) = with_board().await;
    for change in ["VIEWS +day", "VIEWS -day", "DEDUP 60", "DEDUP 70"] {
        assert_eq!(say(&engine, &format!("LB.ALTER game {change}")).await, "OK");
    }
    let sent: Vec<_> = servers.state().sent.concat();
    let late = |name: &str| sent.iter().filter(|line| line.starts_with(name)).cloned().collect::<Vec<_>>();
    let (alters, steps) = (late("LB.ALTER "), late("LB.CATALOG "));
    assert_eq!((alters.len(), steps.len()), (4, 4 * 5));
    for line in alters.iter().chain(&steps) {
        let reply = shown(&servers.direct(line));
        let is_latest = line.contains(" RULES ") && line.contains(" DEDUP 70 ") || line == &steps[19];
        assert_eq!(reply == "OK", is_latest, "{line}: {reply}");
        assert!(reply == "OK" || reply.starts_with("STALE revision"), "{line}: {reply}");
    }
    assert_eq!(["views", "dedup", "state"].map(|name| field(&servers, "game", name)), ["all", "70", "whole"]);
    assert_eq!(revisions(&servers), vec!["4"; 5]);
}
