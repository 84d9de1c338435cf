//! Boards that are half made, half altered or half deleted, and boards that lost their root or a part.

use super::*;
use crate::spread::simulated::Fault;

pub fn part(number: u16) -> String {
    String::from_utf8(key(number)).unwrap()
}

/// Returns a field of a root or part, as the server of its key tells it.
pub fn field(servers: &Simulated, key: &str, name: &str) -> String {
    let Value::Map(info) = servers.direct(&format!("LB.INFO {key}")) else { panic!("{key} is absent") };
    info.iter().find(|(field, _)| shown(field) == name).map(|(_, value)| shown(value)).unwrap()
}

/// Adds a point to a member of each part.
async fn fill(engine: &Engine<Simulated>) {
    for number in 0..4 {
        assert_eq!(say(engine, &format!("LB.ADD game 1 {}", member(number))).await, "[1 nil 1]");
    }
}

/// Checks that all parts agree, and that the board works.
async fn check_whole(servers: &Simulated, engine: &Engine<Simulated>) {
    let number = ["incarnation", "revision", "schema"].map(|name| field(servers, "game", name));
    for key in (0..4).map(part) {
        assert_eq!(
            ["incarnation", "revision", "schema"].map(|name| field(servers, &key, name)),
            number,
            "{key}"
        );
    }
    assert_eq!(field(servers, "game", "state"), "whole");
    assert!(!say(engine, "LB.PARTS game").await.contains("rules"));
    assert!(say(engine, "LB.COUNT game").await.parse::<u64>().is_ok());
}

/// Calls `check` for a gateway that dies after each number of commands, until a gateway lives on. Each time, there are
/// new servers, and `prepare` has run there.
async fn at_each_death(
    prepare: &[&str],
    line: &str,
    mut check: impl AsyncFnMut(&Simulated, &Engine<Simulated>, usize),
) {
    for after in 0.. {
        let (servers, living) = start();
        for line in prepare {
            assert_ne!(text(&living.execute(vec![words(line)]).await[0]), Some(String::new()), "{line}");
        }
        let dying = servers.dying(after);
        let reply = say(&engine(&dying), line).await;
        if !dying.is_dead() {
            assert!(!reply.contains("PARTSDOWN"), "{reply}");
            assert!(after > 3, "{line} takes more than {after} commands");
            return;
        }
        check(&servers, &engine(&servers), after).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_create_leaves_nothing_or_a_board() {
    let create = "LB.CREATE game VIEWS all,day DEDUP 60 PARTS 4 TIMEOUT 100";
    at_each_death(&[], create, async |servers, engine, after| {
        // Somebody writes before the command is repeated. The write must not make a plain board of a board over parts.
        let is_begun = servers.keys().contains(&"game".to_owned());
        let wrote = say(engine, &format!("LB.ADD game 5 {}", member(2))).await;
        assert_eq!(wrote, if is_begun { "[5 nil 1]" } else { "[5 1 1]" }, "after {after} commands");
        if is_begun {
            check_whole(servers, engine).await;
            assert_eq!(say(engine, "LB.COUNT game").await, "1");
            let again = say(engine, create).await;
            assert!(["OK", "BOARDEXISTS the board exists already"].contains(&again.as_str()), "{again}");
        } else {
            assert_eq!(say(engine, create).await, "BOARDEXISTS the board exists already");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_create_that_is_repeated_is_answered_once_with_ok() {
    let create = "LB.CREATE game VIEWS all,day PARTS 4 TIMEOUT 100";
    at_each_death(&[], create, async |servers, engine, after| {
        let again = say(engine, create).await;
        // The last command before the reply makes the root forget the request.
        let is_told = after > 0 && again.starts_with("BOARDEXISTS");
        assert!(again == "OK" || is_told, "after {after} commands: {again}");
        check_whole(servers, engine).await;
        assert_eq!(say(engine, create).await, "BOARDEXISTS the board exists already");
        fill(engine).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_alter_is_followed_by_any_other() {
    let prepare = ["LB.CREATE game VIEWS all PARTS 4"];
    let alter = "LB.ALTER game VIEWS +day TIMEOUT 100";
    at_each_death(&prepare, alter, async |servers, engine, after| {
        // A read finishes what was begun.
        assert_eq!(say(engine, "LB.TOP game 3").await, "[]", "after {after} commands");
        check_whole(servers, engine).await;
        let again = say(engine, alter).await;
        assert!(["OK", "ERR view 'day' is named twice"].contains(&again.as_str()), "{again}");
        assert_eq!(field(servers, "game", "views"), "all,day");
        assert_eq!(field(servers, "game", "revision"), "1", "the command is carried out once");
        check_whole(servers, engine).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_del_leaves_no_members_behind() {
    let prepare = ["LB.CREATE game PARTS 4", "LB.ADD game 5 ann", "LB.ADD game 5 bob", "LB.ADD game 5 cid"];
    at_each_death(&prepare, "DEL game", async |servers, engine, after| {
        let is_ending =
            !servers.keys().contains(&"game".to_owned()) || field(servers, "game", "state") == "ending";
        let count = say(engine, "LB.COUNT game").await;
        assert_eq!(count, if is_ending { "0" } else { "3" }, "after {after} commands");
        if is_ending {
            assert_eq!(servers.keys(), Vec::<String>::new());
        }
        assert_eq!(say(engine, "DEL game").await, if is_ending { "0" } else { "1" });
        assert_eq!(say(engine, "LB.CREATE game PARTS 4").await, "OK");
        assert_eq!(say(engine, "LB.COUNT game").await, "0");
        check_whole(servers, engine).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_repair_is_followed_by_any_other() {
    for lost in [vec!["game".to_owned()], vec![part(1)], vec!["game".to_owned(), part(3)]] {
        for after in 0.. {
            let (servers, living) = with_board().await;
            fill(&living).await;
            lost.iter().for_each(|key| _ = servers.direct(&format!("DEL {key}")));
            let dying = servers.dying(after);
            let first = say(&engine(&dying), "LB.REPAIR game FORCE TIMEOUT 100").await;
            let is_dead = dying.is_dead();
            let other = engine(&servers);
            let second = say(&other, "LB.REPAIR game FORCE").await;
            assert!(second.starts_with('['), "{first}, then {second}");
            check_whole(&servers, &other).await;
            let left = 4 - lost.iter().filter(|key| *key != "game").count();
            assert_eq!(say(&other, "LB.COUNT game").await, left.to_string());
            if !is_dead {
                assert_eq!(second, "[]", "nothing is left to do");
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_root_is_never_an_empty_board() {
    let (servers, known) = with_board().await;
    fill(&known).await;
    servers.direct("DEL game");
    tokio::time::advance(Duration::from_secs(20)).await;
    let engine = engine(&servers);
    for engine in [&known, &engine] {
        for line in [
            "LB.COUNT game",
            "LB.TOP game 3",
            "LB.SCORE game ann",
            "LB.INFO game",
            "LB.STATS game",
            "LB.ADD game 5 ann",
            "LB.MADD game 5 ann 6 bob",
            "LB.SETMETA game ann text",
            "LB.VOTE game 1 ann",
            "LB.REM game ann",
            "LB.CREATE game",
            "LB.CREATE game PARTS 4",
            "LB.CREATE game PARTS 8",
            "LB.ALTER game DEDUP 5",
        ] {
            let refused = say(engine, line).await;
            let wanted = "PARTSDOWN the root of this board is lost, but part ";
            assert!(refused.starts_with(wanted), "{line}: {refused}");
            assert!(
                refused.ends_with("LB.REPAIR game makes the root again, DEL game deletes the parts"),
                "{refused}"
            );
        }
    }
    assert!(!servers.keys().contains(&"game".to_owned()));
    let parts = say(&engine, "LB.PARTS game").await;
    assert_eq!(parts.matches("its root is lost").count(), 4, "{parts}");
    assert_eq!(
        say(&engine, "LB.REPAIR game").await,
        "[made the root again from 4 of 4 parts finished LB.CREATE]"
    );
    assert_eq!(say(&engine, "LB.COUNT game").await, "4");
    check_whole(&servers, &engine).await;
}

#[tokio::test(start_paused = true)]
async fn the_parts_of_a_lost_root_can_be_deleted() {
    for count in [2, 4, 8, 64] {
        let (servers, engine) = start();
        assert_eq!(say(&engine, &format!("LB.CREATE game PARTS {count}")).await, "OK");
        servers.direct("DEL game");
        assert!(
            say(&engine, "LB.CREATE game PARTS 2")
                .await
                .starts_with("PARTSDOWN the root of this board is lost")
        );
        assert_eq!(say(&engine, "DEL game").await, "1", "{count} parts");
        assert_eq!(servers.keys(), Vec::<String>::new());
        assert_eq!(say(&engine, "DEL game").await, "0");
    }
}

/// A server that takes over can have lost the last writes. So each key can have lost its last change of the rules.
#[tokio::test(start_paused = true)]
async fn a_change_of_rules_that_a_failover_lost_is_made_again() {
    let keys: Vec<_> = (0..4).map(part).chain(["game".to_owned()]).collect();
    for key in &keys {
        let (servers, engine) = with_board().await;
        fill(&engine).await;
        assert_eq!(say(&engine, "LB.ALTER game VIEWS +day").await, "OK");
        let saved = servers.state().save(key.as_bytes());
        assert_eq!(say(&engine, "LB.ALTER game VIEWS +week DEDUP 60").await, "OK");
        servers.state().restore(key.as_bytes(), &saved);
        assert_eq!(field(&servers, key, "views"), "all,day");
        let other = super::engine(&servers);
        for engine in [&engine, &other] {
            assert_eq!(say(engine, "LB.COUNT game VIEW week").await, "0", "{key}: the view is there");
        }
        check_whole(&servers, &other).await;
        assert_eq!(field(&servers, "game", "views"), "all,day,week", "{key}");
        assert_eq!(say(&other, "LB.ALTER game VIEWS +week").await, "ERR view 'week' is named twice");
        assert_eq!(say(&other, "LB.ALTER game VIEWS -day").await, "OK");
        assert_eq!(say(&other, "LB.COUNT game").await, "4");
    }
}

#[tokio::test(start_paused = true)]
async fn two_alters_at_once_are_both_carried_out() {
    let (servers, one) = with_board().await;
    let other = engine(&servers);
    let (first, second) =
        tokio::join!(say(&one, "LB.ALTER game VIEWS +hour"), say(&other, "LB.ALTER game VIEWS +week"));
    assert_eq!([first, second], ["OK", "OK"]);
    let views = field(&servers, "game", "views");
    assert!(["all,hour,week", "all,week,hour"].contains(&views.as_str()), "{views}");
    check_whole(&servers, &one).await;
}

#[tokio::test(start_paused = true)]
async fn a_part_of_an_earlier_board_is_not_taken_for_a_part() {
    let (servers, engine) = with_board().await;
    fill(&engine).await;
    let saved = servers.state().save(&key(2));
    assert_eq!(say(&engine, "DEL game").await, "1");
    // A server that takes over has lost the deletion.
    servers.state().restore(&key(2), &saved);
    let refused = say(&engine, "LB.CREATE game PARTS 4").await;
    assert!(
        refused.starts_with("PARTSDOWN the root of this board is lost, but part 2 of 4 exists"),
        "{refused}"
    );
    assert_eq!(say(&engine, "DEL game").await, "1");
    assert_eq!(say(&engine, "LB.CREATE game PARTS 4").await, "OK");
    servers.direct(&format!("DEL {}", part(2)));
    servers.state().restore(&key(2), &saved);
    for line in
        ["LB.COUNT game".to_owned(), format!("LB.ADD game 5 {}", member(2)), "LB.INFO game".to_owned()]
    {
        let refused = say(&engine, &line).await;
        let wanted =
            "PARTSDOWN part 2 belongs to another board that had this name: LB.REPAIR game FORCE deletes it";
        assert_eq!(refused, wanted, "{line}");
    }
    assert!(say(&engine, "LB.PARTS game").await.contains("it belongs to another board that had this name"));
    assert_eq!(
        say(&engine, "LB.REPAIR game FORCE").await,
        "[deleted part 2 of another board that had this name made part 2 of 4]"
    );
    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
}

#[tokio::test(start_paused = true)]
async fn a_part_that_was_made_again_by_hand_is_not_taken_for_the_part() {
    let (servers, engine) = with_board().await;
    fill(&engine).await;
    servers.direct(&format!("DEL {}", part(1)));
    servers.direct(&format!("LB.CREATE {} PART 1 OF 4", part(1)));
    assert!(say(&engine, "LB.COUNT game").await.starts_with("PARTSDOWN part 1 belongs to another board"));
    let partial = say(&engine, "LB.TOP game 3 PARTIAL").await;
    assert_eq!(partial, format!("[3 4 [[1 {} 1] [2 {} 1] [3 {} 1]]]", member(0), member(2), member(3)));
}

#[tokio::test(start_paused = true)]
async fn a_lost_part_is_made_again_only_by_force() {
    let (servers, engine) = with_board().await;
    fill(&engine).await;
    servers.direct(&format!("DEL {}", part(3)));
    let lost = "part 3 of 4 is lost, with its members: LB.REPAIR game FORCE makes it again, empty";
    for line in ["LB.COUNT game", "LB.REPAIR game"] {
        assert_eq!(say(&engine, line).await, format!("PARTSDOWN {lost}"), "{line}");
    }
    let altered = say(&engine, "LB.ALTER game VIEWS +day").await;
    assert_eq!(altered, format!("UNKNOWN the command has begun and is not finished: {lost}"));
    assert!(say(&engine, "LB.PARTS game").await.contains("it does not exist"));
    assert_eq!(
        say(&engine, "LB.REPAIR game FORCE").await,
        "[made part 3 of 4 gave part 0 the rules with the number 1 gave part 1 the rules with the number 1 gave part 2 the rules with the number 1 finished LB.ALTER]"
    );
    assert_eq!(say(&engine, "LB.COUNT game VIEW day").await, "0");
    assert_eq!(say(&engine, "LB.COUNT game").await, "3");
}

#[tokio::test(start_paused = true)]
async fn a_key_that_expires_is_shown() {
    let (servers, engine) = with_board().await;
    servers.direct(&format!("PEXPIRE {} 5000", part(2)));
    let parts = say(&engine, "LB.PARTS game").await;
    assert!(parts.contains("the key expires in 5000 ms"), "{parts}");
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[took the expiry of part 2 away]");
    assert!(!say(&engine, "LB.PARTS game").await.contains("expires"));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_board_over_parts_is_said() {
    let (servers, engine) = with_board().await;
    servers.direct("LB.CREATE plain");
    servers.direct("SET text 1");
    assert_eq!(say(&engine, "LB.PARTS nothing").await, "nil");
    assert_eq!(say(&engine, "LB.REPAIR nothing").await, "[]");
    for key in ["plain", "text"] {
        for command in ["LB.PARTS", "LB.REPAIR"] {
            assert_eq!(
                say(&engine, &format!("{command} {key}")).await,
                "ERR the key holds no board over parts"
            );
        }
    }
    let named = say(&engine, &format!("LB.PARTS {}", part(1))).await;
    assert_eq!(named, "ERR the key holds a part: name the board");
    assert_eq!(say(&engine, "LB.REPAIR game WRONG").await, "ERR unknown option 'WRONG'");
    assert_eq!(
        say(&engine, "LB.CREATE other PARTS 4 INCARNATION 5").await,
        "ERR unknown option 'INCARNATION'"
    );
    let direct = shown(&servers.direct("LB.PARTS game"));
    assert_eq!(direct, "ERR the gateway carries this command out, not a server");
}

#[tokio::test(start_paused = true)]
async fn absence_needs_enough_servers() {
    let (servers, engine) = start();
    let keys = parts(8);
    for number in 0..4 {
        assert_eq!(say(&engine, &format!("LB.ADD new{number} 5 ann")).await, "[5 1 1]");
        servers.fault(&keys.key(b"silent", number), Some(Fault::Cut));
    }
    assert_eq!(say(&engine, "LB.ADD silent 5 ann").await, "PARTSDOWN the root of the board did not answer");
    assert!(!servers.keys().contains(&"silent".to_owned()));
    servers.fault(&keys.key(b"silent", 3), None);
    assert_eq!(say(&engine, "LB.ADD silent 5 ann").await, "[5 1 1]");
}
