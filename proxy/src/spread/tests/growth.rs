//! Boards that grow: every step can be the last one of a gateway, and a server that takes over can have lost a step.

#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use std::collections::BTreeMap;

use super::catalog::{field, part};
use super::*;

/// The members of a board and their scores. No two scores are equal.
pub type Model = BTreeMap<String, i64>;

pub const MEMBERS: i64 = 24;
const VIEWS: &str = "LB.CREATE game VIEWS all,day PARTS 4";
const GROW: &str = "LB.RESHARD game 8 TIMEOUT 60000";

pub fn name(number: i64) -> String {
    format!("n{number}")
}

/// Returns servers with a board over four parts that has members, texts and a hidden member; and the members.
pub async fn filled() -> (Simulated, Engine<Simulated>, Model) {
    let (servers, engine) = start();
    assert_eq!(say(&engine, VIEWS).await, "OK");
    let mut model = Model::new();
    let mut list = String::new();
    for number in 0..MEMBERS {
        list.push_str(&format!(" {} {}", 1 + number * 10, name(number)));
        model.insert(name(number), 1 + number * 10);
    }
    let made = say(&engine, &format!("LB.MADD game ID first{list}")).await;
    assert!(made.starts_with("[[1 nil 1]"), "{made}");
    assert_eq!(say(&engine, "LB.SETMETA game n3 text").await, "OK");
    (servers, engine, model)
}

/// Returns the model's top, as the reply to `LB.TOP`.
fn top(model: &Model) -> String {
    let mut rows: Vec<_> = model.iter().map(|(name, score)| (-score, name)).collect();
    rows.sort_unstable();
    let rows = rows.iter().zip(1..).map(|((score, name), rank)| format!("[{rank} {name} {}]", -score));
    format!("[{}]", rows.collect::<Vec<_>>().join(" "))
}

/// Checks that all reads are exact.
pub async fn check(engine: &Engine<Simulated>, model: &Model, when: &str) {
    assert_eq!(say(engine, "LB.TOP game 100").await, top(model), "{when}");
    assert_eq!(say(engine, "LB.COUNT game").await, model.len().to_string(), "{when}");
    let mut scores: Vec<_> = model.values().copied().collect();
    scores.sort_unstable_by_key(|score| -score);
    let members: Vec<_> = model.keys().cloned().collect();
    let ranks = members.iter().map(|name| {
        let score = model[name];
        format!("[{} {score}]", scores.iter().position(|other| *other == score).unwrap() + 1)
    });
    let ranks = format!("[{}]", ranks.collect::<Vec<_>>().join(" "));
    let asked = format!("LB.MSCORE game MEMBERS {} {}", members.len(), members.join(" "));
    assert_eq!(say(engine, &asked).await, ranks, "{when}");
    assert_eq!(say(engine, "LB.GETMETA game n3").await, "text", "{when}");
}

/// Checks that the board is whole and has eight parts, and nothing else.
async fn check_grown(servers: &Simulated, engine: &Engine<Simulated>, model: &Model, when: &str) {
    assert_eq!(field(servers, "game", "state"), "whole", "{when}");
    assert_eq!(field(servers, "game", "parts"), "8", "{when}");
    let keys: Vec<_> =
        (0..8).map(|number| String::from_utf8(parts(8).key(b"game", number)).unwrap()).collect();
    let mut wanted = [keys.clone(), vec!["game".to_owned()]].concat();
    wanted.sort_unstable();
    assert_eq!(servers.keys(), wanted, "{when}");
    for key in keys {
        assert_eq!(field(servers, &key, "parts"), "8", "{when}");
        assert_eq!(field(servers, &key, "token"), "0", "{when}");
        assert_eq!(field(servers, &key, "schema"), field(servers, "game", "schema"), "{when}");
    }
    check(engine, model, when).await;
}

#[tokio::test(start_paused = true)]
async fn a_board_doubles_and_doubles_again() {
    let (servers, living, mut model) = filled().await;
    assert_eq!(say(&living, GROW).await, "[8 8]");
    check_grown(&servers, &living, &model, "after").await;
    assert_eq!(say(&living, GROW).await, "[8 8]");
    assert_eq!(say(&living, "LB.RESHARD game 32").await, "[32 32]");
    check(&engine(&servers), &model, "32 parts").await;
    // Another gateway that knew four parts learns the new ones with its next command.
    for number in 0..MEMBERS {
        let wrote = say(&living, &format!("LB.ADD game 1000 {}", name(number))).await;
        *model.get_mut(&name(number)).unwrap() += 1000;
        assert_eq!(wrote, format!("[{} nil 1]", model[&name(number)]));
    }
    check(&living, &model, "after writes").await;
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_knows_the_old_parts_learns_the_new_ones() {
    let (servers, old, mut model) = filled().await;
    check(&old, &model, "before").await;
    assert_eq!(say(&engine(&servers), GROW).await, "[8 8]");
    check(&old, &model, "reads").await;
    let (servers, old, _) = filled().await;
    assert_eq!(say(&engine(&servers), GROW).await, "[8 8]");
    let lines: Vec<_> = (0..MEMBERS).map(|number| format!("LB.ADD game 1000 {}", name(number))).collect();
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    for (number, told) in (0..).zip(say_all(&old, &lines).await) {
        let score = model.get_mut(&name(number)).unwrap();
        *score += 1000;
        assert_eq!(told, format!("[{score} nil 1]"));
    }
    check(&old, &model, "writes").await;
    assert_eq!(say(&old, "LB.REM game n4 n5 n6 n7").await, "4");
    (4..8).for_each(|number| _ = model.remove(&name(number)));
    check(&old, &model, "removals").await;
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_dies_within_reshard_is_followed_by_any_other() {
    for after in 0.. {
        let (servers, _, mut model) = filled().await;
        let dying = servers.dying(after);
        let reply = say(&engine(&dying), GROW).await;
        if !dying.is_dead() {
            assert_eq!(reply, "[8 8]");
            assert!(after > 40, "{after} commands");
            return;
        }
        let (when, next) = (format!("after {after} commands"), engine(&servers));
        check(&next, &model, &when).await;
        // The list of the first write is divided in another way now, and is not counted again.
        let list: Vec<_> =
            (0..MEMBERS).map(|number| format!("{} {}", 1 + number * 10, name(number))).collect();
        servers.state().pass(6_000);
        let again = say(&next, &format!("LB.MADD game ID first {}", list.join(" "))).await;
        assert!(again.starts_with("[[1 nil 0]") && !again.contains("nil 1]"), "{when}: {again}");
        check(&next, &model, &when).await;
        for number in 0..MEMBERS {
            let line = format!("LB.ADD game 1000 {} ID x{number}", name(number));
            let score = model.get_mut(&name(number)).unwrap();
            *score += 1000;
            assert_eq!(say(&next, &line).await, format!("[{score} nil 1]"), "{when}");
        }
        check(&next, &model, &when).await;
        assert_eq!(say(&next, GROW).await, "[8 8]", "{when}");
        check_grown(&servers, &next, &model, &when).await;
        for number in 0..MEMBERS {
            let line = format!("LB.ADD game 1000 {} ID x{number}", name(number));
            assert_eq!(say(&next, &line).await, format!("[{} nil 0]", model[&name(number)]), "{when}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_over_without_the_last_steps_loses_nothing() {
    for after in (0..).step_by(7) {
        let (servers, _, model) = filled().await;
        let dying = servers.dying(after);
        say(&engine(&dying), GROW).await;
        if !dying.is_dead() {
            return;
        }
        let old: Vec<_> =
            servers.keys().into_iter().map(|key| (servers.state().save(key.as_bytes()), key)).collect();
        for (chunks, key) in old {
            let (servers, living, model) = (&servers, engine(&servers), &model);
            let when = format!("{key} as it was after {after} commands");
            servers.state().pass(6_000);
            assert_eq!(say(&living, GROW).await, "[8 8]", "{when}");
            servers.state().restore(key.as_bytes(), &chunks);
            servers.state().pass(6_000);
            let next = engine(servers);
            check(&next, model, &when).await;
            assert_eq!(say(&next, GROW).await, "[8 8]", "{when}");
            check_grown(servers, &next, model, &when).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn reads_are_exact_and_writes_count_once_while_a_board_grows() {
    for seed in 0..4_u64 {
        let (servers, _, mut model) = filled().await;
        let (grower, user) = (engine(&servers), engine(&servers));
        let growing = async {
            assert_eq!(say(&grower, "LB.RESHARD game 32 TIMEOUT 60000").await, "[32 32]");
        };
        let using = async {
            let mut random = seed;
            for step in 0..60_i64 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let first = (random >> 33) as i64 % (2 * MEMBERS);
                let members = [first, first + 1, first + 2].map(name);
                // The points keep all scores different.
                let points = 1 + (random >> 24) as i64;
                if step % 2 == 0 {
                    let line = format!("LB.ADD game {points} {} ID one{step}", members[0]);
                    let score = model.entry(members[0].clone()).or_default();
                    *score += points;
                    assert_eq!(say(&user, &line).await, format!("[{score} nil 1]"), "{seed} {step}");
                } else {
                    let list: Vec<_> = members
                        .iter()
                        .zip(1..)
                        .map(|(name, more)| format!("{} {name}", points + more * 1_000))
                        .collect();
                    for (name, more) in members.iter().zip(1..) {
                        *model.entry(name.clone()).or_default() += points + more * 1_000;
                    }
                    let line = format!("LB.MADD game ID many{step} {}", list.join(" "));
                    for _ in 0..2 {
                        let told = say(&user, &line).await;
                        for name in &members {
                            assert!(told.contains(&format!("[{} nil", model[name])), "{seed} {step}: {told}");
                        }
                    }
                }
                check(&user, &model, &format!("{seed} {step}")).await;
            }
        };
        tokio::join!(growing, using);
        check(&engine(&servers), &model, "at the end").await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_grow_says_why_and_changes_nothing() {
    let (servers, engine, model) = filled().await;
    let before = servers.keys();
    for (line, said) in [
        ("LB.RESHARD game 6", "ERR parts must be a power of two, 1 to 1024"),
        ("LB.RESHARD game 2048", "ERR parts must be a power of two, 1 to 1024"),
        ("LB.RESHARD game x", "ERR parts is not a whole number"),
        ("LB.RESHARD game", "ERR wrong number of arguments for 'lb.reshard' command"),
        ("LB.RESHARD other 8", "NOBOARD the board does not exist"),
    ] {
        assert_eq!(say(&engine, line).await, said);
    }
    assert_eq!(servers.keys(), before);
    check(&engine, &model, "unchanged").await;
}

/// Returns servers with a board that has begun to grow, and of whose parts some were split.
async fn half_grown() -> (Simulated, Engine<Simulated>, Model) {
    let (servers, _, model) = filled().await;
    let dying = servers.dying(30);
    say(&engine(&dying), GROW).await;
    assert!(dying.is_dead());
    assert_eq!(field(&servers, "game", "state"), "growing");
    servers.state().pass(6_000);
    let engine = engine(&servers);
    (servers, engine, model)
}

#[tokio::test(start_paused = true)]
async fn a_growing_board_is_not_altered_and_shows_what_is_going_on() {
    let (servers, engine, model) = half_grown().await;
    let said = say(&engine, "LB.ALTER game VIEWS +week").await;
    assert_eq!(said, "ERR the board is growing: repeat LB.RESHARD, then alter it");
    let said = say(&engine, "LB.RESHARD game 4").await;
    assert_eq!(said, "ERR parts must be at least 8: the board is growing, LB.RESHARD game 8 finishes that");
    let rows = engine.execute(vec![words("LB.PARTS game")]).await;
    let Value::Array(rows) = &rows[0] else { panic!("{rows:?}") };
    assert!((5..8).contains(&rows.len()), "{}", rows.len());
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[]");
    check(&engine, &model, "half grown").await;
    let info = say(&engine, "LB.INFO game").await;
    assert!(info.contains(&format!("members={MEMBERS}")), "{info}");
    assert_eq!(say(&engine, GROW).await, "[8 8]");
    check_grown(&servers, &engine, &model, "then").await;
    assert_eq!(say(&engine, "LB.ALTER game VIEWS +week").await, "OK");
    check(&engine, &model, "altered").await;
}

#[tokio::test(start_paused = true)]
async fn a_growing_board_is_deleted_with_all_its_parts() {
    for after in 0..60 {
        let (servers, _, _) = filled().await;
        say(&engine(&servers.dying(after)), GROW).await;
        let next = engine(&servers);
        assert_eq!(say(&next, "DEL game").await, "1", "after {after} commands");
        assert_eq!(servers.keys(), Vec::<String>::new(), "after {after} commands");
        assert_eq!(say(&next, VIEWS).await, "OK");
        assert_eq!(say(&next, "LB.COUNT game").await, "0");
    }
}

#[tokio::test(start_paused = true)]
async fn the_lost_root_of_a_growing_board_is_made_again() {
    for after in (8..60).step_by(4) {
        let (servers, _, model) = filled().await;
        let dying = servers.dying(after);
        say(&engine(&dying), GROW).await;
        servers.state().pass(6_000);
        servers.direct("DEL game");
        let (next, when) = (engine(&servers), format!("after {after} commands"));
        assert!(say(&next, "LB.TOP game 3").await.contains("LB.REPAIR game makes the root again"), "{when}");
        let said = say(&next, "LB.REPAIR game").await;
        assert!(said.contains("made the root again from"), "{when}: {said}");
        check(&next, &model, &when).await;
        assert_eq!(say(&next, GROW).await, "[8 8]", "{when}: {said}");
        check_grown(&servers, &next, &model, &when).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_part_of_a_growing_board_is_an_error_until_it_is_made_again() {
    let (servers, engine, model) = half_grown().await;
    let lost = part(3);
    servers.direct(&format!("DEL {lost}"));
    let said = say(&engine, "LB.COUNT game").await;
    assert!(said.starts_with("PARTSDOWN part 3 of 4 is lost, with its members"), "{said}");
    // Writes to the other parts go on.
    let other = model.keys().find(|name| parts(4).of(name.as_bytes()) != 3).unwrap();
    assert_eq!(
        say(&engine, &format!("LB.ADD game 1 {other}")).await,
        format!("[{} nil 1]", model[other] + 1)
    );
    assert!(say(&engine, "LB.REPAIR game").await.starts_with("PARTSDOWN part 3 of 4 is lost"));
    assert_eq!(say(&engine, "LB.REPAIR game FORCE").await, "[made part 3 of 4]");
    let left = model.keys().filter(|name| parts(4).of(name.as_bytes()) != 3).count();
    assert_eq!(say(&engine, "LB.COUNT game").await, left.to_string());
    assert_eq!(say(&engine, GROW).await, "[8 8]");
    assert_eq!(say(&engine, "LB.COUNT game").await, left.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_key_that_holds_something_else_stops_the_growth_before_anything_is_lost() {
    let (servers, engine, mut model) = filled().await;
    let key = String::from_utf8(parts(8).key(b"game", 5)).unwrap();
    servers.direct(&format!("SET {key} text"));
    let said = say(&engine, GROW).await;
    assert_eq!(said, format!("ERR the key of a new part holds something else: {key}"));
    check(&engine, &model, "stopped").await;
    // The part that could not be split takes writes again at once.
    let member = model.keys().find(|name| parts(4).of(name.as_bytes()) == 2).unwrap().clone();
    let score = model.get_mut(&member).unwrap();
    *score += 1_000;
    assert_eq!(say(&engine, &format!("LB.ADD game 1000 {member}")).await, format!("[{score} nil 1]"));
    // The old part in the key of the new one is no proof that the old part was split.
    let old = servers.state().save(part(2).as_bytes());
    servers.state().restore(key.as_bytes(), &old);
    assert_eq!(say(&engine, GROW).await, format!("ERR the key of a new part holds something else: {key}"));
    check(&engine, &model, "stopped again").await;
    servers.direct(&format!("DEL {key}"));
    assert_eq!(say(&engine, GROW).await, "[8 8]");
    check_grown(&servers, &engine, &model, "then").await;
}

/// The old part comes back as it was before the first growth, and its new part is being split again at that moment. The
/// new part must not be taken for a copy that nobody has used.
#[tokio::test(start_paused = true)]
async fn a_new_part_that_is_being_split_itself_proves_that_the_old_one_was_split() {
    let (servers, engine, mut model) = filled().await;
    let old = servers.state().save(part(1).as_bytes());
    assert_eq!(say(&engine, GROW).await, "[8 8]");
    for number in 0..MEMBERS {
        *model.get_mut(&name(number)).unwrap() += 1_000;
        say(&engine, &format!("LB.ADD game 1000 {}", name(number))).await;
    }
    // No write was made to the half that stays in the old part.
    let stays = model.keys().filter(|name| parts(8).of(name.as_bytes()) == 2).cloned().collect::<Vec<_>>();
    servers.state().restore(part(1).as_bytes(), &old);
    stays.iter().for_each(|name| *model.get_mut(name).unwrap() -= 1_000);
    let key = String::from_utf8(parts(8).key(b"game", 3)).unwrap();
    let incarnation = field(&servers, "game", "incarnation");
    assert_eq!(servers.direct(&format!("LB.CATALOG {key} SPLIT {incarnation} 7 3 8 5000")), Value::Okay);
    check(&super::engine(&servers), &model, "behind").await;
    servers.state().pass(6_000);
    assert_eq!(say(&engine, GROW).await, "[8 8]");
    assert_eq!(field(&servers, &part(1), "parts"), "8");
    check(&engine, &model, "then").await;
}
