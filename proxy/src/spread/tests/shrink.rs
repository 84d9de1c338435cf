//! Boards that shrink: every step can be the last one of a gateway, and a server that takes over can have lost a step.

#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::catalog::field;
use super::growth::{MEMBERS, Model, check, filled, name};
use super::*;

const SHRINK: &str = "LB.RESHARD game 2 TIMEOUT 60000";
const FLAT: &str = "LB.RESHARD game 1 TIMEOUT 60000";

fn key(of: u16, number: u16) -> String {
    String::from_utf8(parts(of).key(b"game", number)).unwrap()
}

/// Checks that the board is whole and has this number of parts, and nothing else. One part is a plain board.
async fn check_shrunk(servers: &Simulated, engine: &Engine<Simulated>, model: &Model, of: u16, when: &str) {
    assert_eq!(field(servers, "game", "state"), "whole", "{when}");
    let mut wanted = vec!["game".to_owned()];
    if of > 1 {
        assert_eq!(field(servers, "game", "parts"), of.to_string(), "{when}");
        wanted.extend((0..of).map(|number| key(of, number)));
    }
    for key in &wanted {
        assert_eq!(field(servers, key, "token"), "0", "{when}");
        assert_eq!(field(servers, key, "target"), "0", "{when}");
        assert_eq!(field(servers, key, "schema"), field(servers, "game", "schema"), "{when}");
    }
    wanted.sort_unstable();
    assert_eq!(servers.keys(), wanted, "{when}");
    check(engine, model, when).await;
}

/// Adds points to all members, with ids.
async fn add_to_all(engine: &Engine<Simulated>, model: &mut Model, id: &str, when: &str) {
    for (name, score) in model.iter_mut() {
        *score += 1_000;
        let said = say(engine, &format!("LB.ADD game 1000 {name} ID {id}{name}")).await;
        assert!(said.starts_with(&format!("[{score} ")) && said.ends_with(" 1]"), "{when}: {said}");
    }
}

/// Repeats these writes: none counts twice.
async fn add_again(engine: &Engine<Simulated>, model: &Model, id: &str, when: &str) {
    for (name, score) in model {
        let said = say(engine, &format!("LB.ADD game 1000 {name} ID {id}{name}")).await;
        assert!(said.starts_with(&format!("[{score} ")) && said.ends_with(" 0]"), "{when}: {said}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_halves_and_halves_again_and_becomes_plain_and_grows() {
    let (servers, living, mut model) = filled().await;
    add_to_all(&living, &mut model, "a", "4 parts").await;
    assert_eq!(say(&living, SHRINK).await, "[2 2]");
    check_shrunk(&servers, &living, &model, 2, "2 parts").await;
    assert_eq!(say(&living, SHRINK).await, "[2 2]");
    let old = engine(&servers);
    check(&old, &model, "another gateway").await;
    assert_eq!(say(&living, FLAT).await, "[1 1]");
    check_shrunk(&servers, &living, &model, 1, "plain").await;
    assert_eq!(say(&living, FLAT).await, "[1 1]");
    // Another gateway that knew parts learns that the board is plain.
    add_again(&old, &model, "a", "plain").await;
    add_to_all(&old, &mut model, "b", "plain").await;
    check(&old, &model, "plain").await;
    assert_eq!(say(&living, "LB.RESHARD game 8 TIMEOUT 60000").await, "[8 8]");
    check_shrunk(&servers, &living, &model, 8, "8 parts").await;
    assert_eq!(say(&living, "LB.ALTER game VIEWS +week").await, "OK");
    assert_eq!(say(&living, FLAT).await, "[1 1]");
    check_shrunk(&servers, &living, &model, 1, "plain again").await;
    add_again(&living, &model, "b", "plain again").await;
    assert_eq!(say(&living, "LB.ALTER game VIEWS +month").await, "OK");
    assert_eq!(say(&living, "DEL game").await, "1");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_knows_the_old_parts_learns_the_new_ones() {
    for (line, told) in [(SHRINK, "[2 2]"), (FLAT, "[1 1]")] {
        let (servers, old, mut model) = filled().await;
        check(&old, &model, "before").await;
        assert_eq!(say(&engine(&servers), line).await, told);
        check(&old, &model, "reads").await;
        let (servers, old, _) = filled().await;
        check(&old, &model, "before").await;
        assert_eq!(say(&engine(&servers), line).await, told);
        add_to_all(&old, &mut model, "a", "writes").await;
        check(&old, &model, "writes").await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_reshard_is_followed_by_any_other() {
    for (line, told, of) in [(SHRINK, "[2 2]", 2), (FLAT, "[1 1]", 1)] {
        for after in 0.. {
            let (servers, _, mut model) = filled().await;
            let dying = servers.dying(after);
            let reply = say(&engine(&dying), line).await;
            if !dying.is_dead() {
                assert_eq!(reply, told);
                assert!(after > 30, "{after} commands");
                break;
            }
            let (when, next) = (format!("{line} after {after} commands"), engine(&servers));
            check(&next, &model, &when).await;
            // The list of the first write is divided in another way now, and is not counted again.
            let list: Vec<_> =
                (0..MEMBERS).map(|number| format!("{} {}", 1 + number * 10, name(number))).collect();
            servers.state().pass(6_000);
            // The gateway reads the root again each second.
            tokio::time::sleep(Duration::from_secs(2)).await;
            let again = say(&next, &format!("LB.MADD game ID first {}", list.join(" "))).await;
            assert!(again.starts_with("[[1 ") && !again.contains(" 1]"), "{when}: {again}");
            check(&next, &model, &when).await;
            add_to_all(&next, &mut model, "x", &when).await;
            check(&next, &model, &when).await;
            assert_eq!(say(&next, line).await, told, "{when}");
            check_shrunk(&servers, &next, &model, of, &when).await;
            add_again(&next, &model, "x", &when).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_that_stopped_shrinking_can_be_used_for_ever() {
    for after in (0..).step_by(5) {
        let (servers, _, mut model) = filled().await;
        let dying = servers.dying(after);
        say(&engine(&dying), FLAT).await;
        if !dying.is_dead() {
            return;
        }
        let when = format!("after {after} commands");
        servers.state().pass(6_000);
        for round in 0..3 {
            let next = engine(&servers);
            add_to_all(&next, &mut model, &format!("r{round}"), &when).await;
            check(&next, &model, &when).await;
            assert_eq!(
                say(&next, "LB.REPAIR game").await.starts_with('['),
                field(&servers, "game", "parts") != "0"
            );
        }
        let (next, is_plain) = (engine(&servers), field(&servers, "game", "parts") == "0");
        let told = say(&next, "LB.RESHARD game 4 TIMEOUT 60000").await;
        match told.as_str() {
            "[4 4]" => {}
            _ if is_plain => panic!("{when}: {told}"),
            said => {
                assert!(said.contains("the board is shrinking, LB.RESHARD game "), "{when}: {said}");
                let present =
                    said.split("must be at most ").nth(1).unwrap().split(':').next().unwrap().to_owned();
                let told = say(&next, &format!("LB.RESHARD game {present} TIMEOUT 60000")).await;
                assert_eq!(told, format!("[{present} {present}]"), "{when}");
                assert_eq!(say(&next, "LB.RESHARD game 4 TIMEOUT 60000").await, "[4 4]", "{when}");
            }
        }
        check_shrunk(&servers, &next, &model, 4, &when).await;
    }
}

type Values = Vec<(String, Vec<Vec<u8>>)>;

fn values(servers: &Simulated) -> Values {
    servers.keys().into_iter().map(|key| (key.clone(), servers.state().save(key.as_bytes()))).collect()
}

/// Lets gateways live longer and longer, until one of them changes a value. Returns the values as they were before, if they
/// have changed.
async fn until_changed(servers: &Simulated, line: &str) -> Values {
    let before = values(servers);
    for after in 1..60 {
        say(&engine(&servers.dying(after)), line).await;
        let now = values(servers);
        if now != before {
            return before.into_iter().filter(|value| !now.contains(value)).collect();
        }
    }
    Vec::new()
}

/// A server that takes over can have lost the last step of one key. What a step waits for cannot be lost: a part that was
/// merged, and a plain board, are on a replica before the other parts are deleted.
#[tokio::test(start_paused = true)]
async fn a_server_that_takes_over_without_the_last_step_loses_nothing() {
    for (line, told, of) in [(SHRINK, "[2 2]", 2), (FLAT, "[1 1]", 1)] {
        let mut tried = 0;
        for after in (1..).step_by(3) {
            let (servers, _, mut model) = filled().await;
            let dying = servers.dying(after);
            say(&engine(&dying), line).await;
            if !dying.is_dead() {
                break;
            }
            servers.state().pass(6_000);
            for (place, (key, chunks)) in until_changed(&servers, line).await.into_iter().enumerate() {
                let when = format!("{line} after {after} commands, {key} as it was before");
                servers.state().restore(key.as_bytes(), &chunks);
                servers.state().pass(6_000);
                let next = engine(&servers);
                check(&next, &model, &when).await;
                add_to_all(&next, &mut model, &format!("m{place}"), &when).await;
                check(&next, &model, &when).await;
                tried += 1;
            }
            let (next, when) = (engine(&servers), format!("{line} after {after} commands"));
            assert_eq!(say(&next, line).await, told, "{when}");
            check_shrunk(&servers, &next, &model, of, &when).await;
        }
        assert!(tried > 10, "{tried}");
    }
}

#[tokio::test(start_paused = true)]
async fn reads_are_exact_and_writes_count_once_while_a_board_shrinks() {
    for seed in 0..4_u64 {
        let (servers, first, mut model) = filled().await;
        assert_eq!(say(&first, "LB.RESHARD game 16 TIMEOUT 60000").await, "[16 16]");
        let (shrinker, user) = (engine(&servers), engine(&servers));
        let shrinking = async {
            assert_eq!(say(&shrinker, FLAT).await, "[1 1]");
        };
        let using = async {
            for round in 0..6 {
                add_to_all(&user, &mut model, &format!("s{seed}r{round}"), &format!("{seed} {round}")).await;
                check(&user, &model, &format!("{seed} {round}")).await;
            }
        };
        tokio::join!(shrinking, using);
        check(&engine(&servers), &model, "at the end").await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_shrink_says_why_and_changes_nothing() {
    let (servers, engine, model) = filled().await;
    let before = servers.keys();
    for (line, said) in [
        ("LB.RESHARD game 3", "ERR parts must be a power of two, 1 to 1024"),
        ("LB.RESHARD game 0", "ERR parts must be a power of two, 1 to 1024"),
        ("LB.RESHARD other 1", "NOBOARD the board does not exist"),
    ] {
        assert_eq!(say(&engine, line).await, said);
    }
    assert_eq!(servers.keys(), before);
    check(&engine, &model, "unchanged").await;
    // Together, two parts have too many hidden members.
    for of in [0, 1] {
        let hidden: Vec<_> = (0..)
            .map(|number| format!("h{number}"))
            .filter(|name| parts(4).of(name.as_bytes()) == of)
            .take(600)
            .collect();
        say(&engine, &format!("LB.HIDE game {}", hidden.join(" "))).await;
    }
    assert_eq!(say(&engine, SHRINK).await, "ERR a board can hide at most 1000 members");
    // Both parts take writes again at once.
    let mut model = model;
    add_to_all(&engine, &mut model, "a", "stopped").await;
    check(&engine, &model, "stopped").await;
}

/// Returns servers with a board that has begun to shrink to two parts, and of whose parts some were merged.
async fn half_shrunk() -> (Simulated, Engine<Simulated>, Model) {
    for after in 20.. {
        let (servers, _, model) = filled().await;
        say(&engine(&servers.dying(after)), SHRINK).await;
        let keys = servers.keys();
        if !keys.contains(&key(4, 1)) && keys.contains(&key(4, 3)) {
            assert_eq!(field(&servers, "game", "state"), "shrinking");
            servers.state().pass(6_000);
            let engine = engine(&servers);
            return (servers, engine, model);
        }
    }
    unreachable!()
}

#[tokio::test(start_paused = true)]
async fn a_shrinking_board_is_not_altered_and_shows_what_is_going_on() {
    let (servers, engine, model) = half_shrunk().await;
    let said = say(&engine, "LB.ALTER game VIEWS +week").await;
    assert_eq!(said, "ERR the board is shrinking: repeat LB.RESHARD, then alter it");
    let said = say(&engine, "LB.RESHARD game 4").await;
    assert_eq!(said, "ERR parts must be at most 2: the board is shrinking, LB.RESHARD game 2 finishes that");
    let rows = engine.execute(vec![words("LB.PARTS game")]).await;
    let Value::Array(rows) = &rows[0] else { panic!("{rows:?}") };
    assert_eq!(rows.len(), 3);
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[]");
    check(&engine, &model, "half shrunk").await;
    let info = say(&engine, "LB.INFO game").await;
    assert!(info.contains(&format!("members={MEMBERS}")), "{info}");
    assert_eq!(say(&engine, SHRINK).await, "[2 2]");
    check_shrunk(&servers, &engine, &model, 2, "then").await;
    assert_eq!(say(&engine, "LB.ALTER game VIEWS +week").await, "OK");
    check(&engine, &model, "altered").await;
}

#[tokio::test(start_paused = true)]
async fn a_growing_board_does_not_shrink() {
    let (servers, _, model) = filled().await;
    let dying = servers.dying(30);
    say(&engine(&dying), "LB.RESHARD game 8").await;
    servers.state().pass(6_000);
    let next = engine(&servers);
    let said = "ERR parts must be at least 8: the board is growing, LB.RESHARD game 8 finishes that";
    assert_eq!(say(&next, FLAT).await, said);
    assert_eq!(say(&next, SHRINK).await, said);
    check(&next, &model, "growing").await;
}

#[tokio::test(start_paused = true)]
async fn a_board_is_not_reshaped_while_it_is_altered() {
    // A gateway that dies within LB.ALTER leaves work that the next command finishes first.
    for after in 0..12 {
        let (servers, _, model) = filled().await;
        say(&engine(&servers.dying(after)), "LB.ALTER game VIEWS +week").await;
        let next = engine(&servers);
        assert_eq!(say(&next, SHRINK).await, "[2 2]");
        check_shrunk(&servers, &next, &model, 2, &format!("after {after} commands")).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_shrinking_board_is_deleted_with_all_its_parts() {
    for line in [SHRINK, FLAT] {
        for after in (0..110).step_by(4) {
            let (servers, _, _) = filled().await;
            say(&engine(&servers.dying(after)), line).await;
            let next = engine(&servers);
            assert_eq!(say(&next, "DEL game").await, "1", "{line} after {after} commands");
            assert_eq!(servers.keys(), Vec::<String>::new(), "{line} after {after} commands");
            assert_eq!(say(&next, "LB.CREATE game VIEWS all PARTS 4").await, "OK");
            assert_eq!(say(&next, "LB.COUNT game").await, "0");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_lost_root_of_a_shrinking_board_is_made_again() {
    for after in (8..60).step_by(4) {
        let (servers, _, model) = filled().await;
        let dying = servers.dying(after);
        say(&engine(&dying), SHRINK).await;
        servers.state().pass(6_000);
        servers.direct("DEL game");
        let (next, when) = (engine(&servers), format!("after {after} commands"));
        assert!(say(&next, "LB.TOP game 3").await.contains("LB.REPAIR game makes the root again"), "{when}");
        let said = say(&next, "LB.REPAIR game").await;
        assert!(said.contains("made the root again from"), "{when}: {said}");
        check(&next, &model, &when).await;
        // A board of which some parts were merged grows to the number that it had, before it can shrink again.
        let told = say(&next, SHRINK).await;
        if told != "[2 2]" {
            assert!(told.contains("the board is growing, LB.RESHARD game 4"), "{when}: {told}");
            assert_eq!(say(&next, "LB.RESHARD game 4 TIMEOUT 60000").await, "[4 4]", "{when}");
            check(&next, &model, &when).await;
            assert_eq!(say(&next, SHRINK).await, "[2 2]", "{when}");
        }
        check_shrunk(&servers, &next, &model, 2, &when).await;
    }
}

/// A part that was given away comes back after the board has shrunk, as it was before that.
#[tokio::test(start_paused = true)]
async fn a_part_that_comes_back_is_no_proof_that_the_merged_part_was_split() {
    let (servers, engine, mut model) = filled().await;
    let old = servers.state().save(key(4, 1).as_bytes());
    assert_eq!(say(&engine, SHRINK).await, "[2 2]");
    add_to_all(&engine, &mut model, "a", "2 parts").await;
    servers.state().restore(key(4, 1).as_bytes(), &old);
    assert_eq!(say(&engine, "LB.RESHARD game 4 TIMEOUT 60000").await, "[4 4]");
    check_shrunk(&servers, &engine, &model, 4, "4 parts").await;
}
