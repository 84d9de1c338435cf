//! Tests that the gateway can carry out every command that works over parts according to its row, and that the replies
//! have the shapes of the row.

use std::collections::BTreeSet;

use leaderboard_commands::table::{OverParts, commands};
use leaderboard_testkit::calls::Calls;
use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::shapes::check;

use super::*;
use crate::spread::asked::{List, Own, Row};
use crate::spread::engine::may_be_absent;

/// Boards, one after another, and random calls of each command.
const BOARDS: usize = 320;
const CALLS: usize = 200;

/// Makes a board. In some rounds, a random call may make it.
const MADE: [&str; 3] = [
    "LB.CREATE game VIEWS all,day,hour:3 PARTS 4",
    "LB.CREATE game VIEWS all DECLARED SHOWN PARTS 4",
    "EXISTS game",
];

/// Checks that a reply to a write has no rank: a part knows only its own members.
fn check_no_ranks(line: &str, value: &Value) {
    let Value::Array(all) = value else { return };
    match all.as_slice() {
        [_, rank @ (Value::Int(_) | Value::Nil), Value::Int(_), old @ ..] => {
            let ranks = [rank, old.get(1).unwrap_or(&Value::Nil)];
            assert_eq!(ranks, [&Value::Nil; 2], "{line}: ranks of a part");
        }
        all => all.iter().for_each(|value| check_no_ranks(line, value)),
    }
}

/// Carries out a call of a command, and checks the reply. Returns whether parts carried out the call. If the command
/// takes a list, several parts have to carry it out.
async fn works(servers: &Simulated, engine: &Engine<Simulated>, row: &Row, words: &[Vec<u8>]) -> bool {
    servers.state().sent.clear();
    let reply = engine.execute(vec![words.to_vec()]).await.remove(0);
    // The gateway looks at the keys of parts before it says that a board does not exist.
    let looks = ["LB.INFO", "LB.PARTS", "LB.REPAIR"].contains(&row.name) && reply != Value::Nil;
    let line = words.join(&b' ').escape_ascii().to_string();
    let error = text(&reply);
    assert!(!error.iter().any(|text| text.contains("does not work over parts")), "{line}: {error:?}");
    // The row of the command lacks the option of the gateway.
    let of_row = match row.command.over_parts {
        OverParts::Imported => words.split(|word| word == b"ID").next().unwrap(),
        _ => words,
    };
    check(of_row, error.as_deref().map_or(Ok(&reply), Err));
    let is_for_part = |sent: &&String| {
        sent.starts_with("LB.GATHER game ")
            || sent.contains("game:{") && (looks || !sent.starts_with("LB.INFO"))
    };
    let asked = servers.state().sent.iter().flatten().filter(is_for_part).count();
    let works = error.is_none() && asked > usize::from(row.list != List::Nothing);
    if works && row.own().contains(&Own::WithRank) {
        check_no_ranks(&line, &reply);
    }
    works
}

/// Gives a call with two keys its other key, which is a sorted set. Returns whether the call has two keys, if the command
/// needs two.
fn set_other_key(servers: &Simulated, row: &Row, words: &mut Vec<Vec<u8>>) -> bool {
    let (key, other) = match row.command.over_parts {
        OverParts::Exported => (2, 1),
        OverParts::Imported => (1, 2),
        _ => return true,
    };
    if words.len() < 3 {
        return false;
    }
    servers.direct("ZADD set 5 ann 7 bob 7 eve");
    (words[key], words[other]) = (b"game".to_vec(), b"set".to_vec());
    if words.contains(&b"MERGE".to_vec()) {
        words.extend([b"ID".to_vec(), b"import".to_vec()]);
    }
    true
}

#[tokio::test(start_paused = true)]
async fn every_command_works_over_parts_as_its_row_says() {
    let (servers, engine) = start();
    let (calls, mut random) = (Calls::default(), Random::new(seed()));
    // The root carries out what is about prizes. They have tests of their own.
    let of_parts = commands().filter(|command| command.over_parts != OverParts::InRoot);
    let names = of_parts.map(|command| command.name.to_bytes());
    let mut left: BTreeSet<_> = names.filter_map(|name| Some(Row::of(name)?.name)).collect();
    for board in 0..BOARDS {
        say(&engine, "DEL game").await;
        let drawn = (0..CALLS).map(|_| calls.draw(&mut random).1).collect::<Vec<_>>();
        for mut words in std::iter::once(words(MADE[board % MADE.len()])).chain(drawn) {
            let (Some(row), 2..) = (Row::of(&words[0]), words.len()) else { continue };
            words[1] = b"game".to_vec();
            if !set_other_key(&servers, row, &mut words) {
                continue;
            }
            if matches!(row.list, List::Pairs(_)) && !words.contains(&b"ID".to_vec()) {
                // A list for several parts needs an id.
                words.splice(2..2, [b"ID".to_vec(), random.number().to_string().into_bytes()]);
            }
            if works(&servers, &engine, row, &words).await {
                left.remove(row.name);
            }
        }
    }
    assert!(left.is_empty(), "no call of these worked over parts: {left:?}");
}

/// The gateway looks for parts of a lost board before a client gets such a reply. So it has to recognize each of them.
#[test]
fn every_reply_of_an_absent_key_is_recognized() {
    let servers = Simulated::default();
    let (calls, mut random) = (Calls::default(), Random::new(seed()));
    let names = commands().map(|command| command.name.to_bytes());
    let rows =
        names.filter_map(Row::of).filter(|row| !row.makes_board() && !row.command.makes.starts_with("the"));
    let mut left: BTreeSet<_> = rows.map(|row| row.name).collect();
    for _ in 0..CALLS * BOARDS {
        let mut words = calls.draw(&mut random).1;
        let (Some(row), 2..) = (Row::of(&words[0]), words.len()) else { continue };
        words[1] = b"nothing".to_vec();
        let reply = servers.state().run(&words);
        let line = words.join(&b' ').escape_ascii().to_string();
        if row.makes_board() || row.command.makes.starts_with("the") {
            servers.direct("DEL nothing");
        } else if may_be_absent(row, &reply) {
            left.remove(row.name);
        } else {
            assert!(text(&reply).is_some(), "{line} replies {}", shown(&reply));
        }
    }
    // The server refuses the commands of the gateway.
    left.retain(|name| !["LB.PARTS", "LB.REPAIR", "LB.RESHARD"].contains(name));
    assert!(left.is_empty(), "no call of these was right: {left:?}");
}
