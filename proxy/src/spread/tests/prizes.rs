//! Prizes over parts: the same winners as on a plain board, and each prize once.
#![allow(clippy::arithmetic_side_effects, reason = "moments of a test")]

use leaderboard_testkit::random::{Random, seed};

use super::*;
use crate::spread::simulated::Fault;

const DAY: u64 = 86_400_000;
const RULES: &str = "VIEWS day RETAIN 2 PRIZES day 1=gold,2-3=silver,5=luck";

/// Makes a board over four parts and a plain board, plays a day on both, and lets the next day begin.
async fn played() -> (Simulated, Engine<Simulated>) {
    let (servers, engine) = start();
    assert_eq!(say(&engine, &format!("LB.CREATE game {RULES} PARTS 4")).await, "OK");
    assert_eq!(say(&engine, &format!("LB.CREATE plain {RULES}")).await, "OK");
    for (points, number) in [100, 100, 90, 90, 80, 80, 70, 70, 60, 60].into_iter().zip(0..) {
        // Equal scores have different moments, so their order does not depend on the parts.
        servers.state().pass(1);
        add(&engine, &format!("{points} m{number}")).await;
    }
    servers.state().pass(DAY);
    (servers, engine)
}

/// Adds points on both boards.
async fn add(engine: &Engine<Simulated>, points: &str) {
    for board in ["game", "plain"] {
        assert!(say(engine, &format!("LB.ADD {board} {points}")).await.starts_with('['));
    }
}

/// Checks that both boards give the same reply, and returns it.
async fn both(engine: &Engine<Simulated>, line: &str) -> String {
    let over_parts = say(engine, &line.replace("BOARD", "game")).await;
    assert_eq!(over_parts, say(engine, &line.replace("BOARD", "plain")).await, "{line}");
    over_parts
}

#[tokio::test(start_paused = true)]
async fn winners_and_claims_are_those_of_a_plain_board() {
    let (servers, engine) = played().await;
    let open = both(&engine, "LB.PRIZES BOARD 0").await;
    assert_eq!(
        open,
        "[0 [[1 m0 100 gold nil] [2 m1 100 silver nil] [3 m2 90 silver nil] [5 m4 80 luck nil]]]"
    );
    let first = both(&engine, "LB.PRIZES BOARD 0 COUNT 2").await;
    assert!(first.starts_with("[2 "), "{first}");
    both(&engine, "LB.PRIZES BOARD 2 COUNT 2").await;
    assert_eq!(both(&engine, "LB.PRIZES BOARD 0 PERIOD 0").await, "[0 []]");
    both(&engine, "LB.HIDE BOARD m0").await;
    assert_eq!(both(&engine, "LB.CLAIM BOARD m3").await, "[silver 3 1]", "m0 is hidden, so others move up");
    let fixed = both(&engine, "LB.PRIZES BOARD 0").await;
    assert!(fixed.starts_with("[0 [[1 m1 100 gold nil] [2 m2 90 silver nil] [3 m3 90 silver "), "{fixed}");
    both(&engine, "LB.UNHIDE BOARD m0").await;
    for line in [
        "LB.CLAIM BOARD m0",
        "LB.CLAIM BOARD m3",
        "LB.CLAIM BOARD m1 ID r",
        "LB.CLAIM BOARD m1 ID r",
        "LB.CLAIM BOARD m1",
        "LB.CLAIM BOARD m2 ID r",
        "LB.CLAIM BOARD m4",
        "LB.CLAIM BOARD m2 PERIOD 0",
        "LB.CLAIM BOARD nobody",
        "LB.SETTLE BOARD",
        "LB.SETTLE BOARD PERIOD 0",
        "LB.PRIZES BOARD 0 UNCLAIMED",
    ] {
        both(&engine, line).await;
    }
    // What happens to a winner after the first claim moves nobody up.
    both(&engine, "LB.HIDE BOARD m5").await;
    assert_eq!(both(&engine, "LB.CLAIM BOARD m5").await, "nil");
    assert_eq!(both(&engine, "LB.PRIZES BOARD 0 UNCLAIMED").await, "[0 [[2 m2 90 silver nil]]]");
    assert_eq!(both(&engine, "LB.REM BOARD m2").await, "1");
    assert_eq!(both(&engine, "LB.CLAIM BOARD m2").await, "nil");
    both(&engine, "LB.UNHIDE BOARD m5").await;
    servers.state().pass(9 * DAY);
    add(&engine, "1 m2").await;
    both(&engine, "LB.PRIZES BOARD 0 PERIOD -10").await;
    assert_eq!(both(&engine, "LB.CLAIM BOARD m2 PERIOD -10").await, "nil", "m2 was removed");
    assert_eq!(
        both(&engine, "LB.CLAIM BOARD m1 ID r").await,
        "[gold 1 1]",
        "the request stands for its claim"
    );
    assert_eq!(both(&engine, "LB.CLAIM BOARD m5 PERIOD -10").await, "[luck 5 1]");
    let info = say(&engine, "LB.INFO game").await;
    assert!(info.contains("prizes=[day 1=gold,2-3=silver,5=luck]") && info.contains("payouts=1"), "{info}");
}

#[tokio::test(start_paused = true)]
async fn a_settled_period_stays_as_it_is() {
    let (servers, engine) = played().await;
    assert_eq!(both(&engine, "LB.SETTLE BOARD").await, "4");
    let late = i64::try_from(crate::spread::simulated::NOW).unwrap();
    add(&engine, &format!("1000 late AT {late}")).await;
    both(&engine, "LB.HIDE BOARD m0").await;
    assert_eq!(
        both(&engine, "LB.PRIZES BOARD 0").await,
        "[0 [[2 m1 100 silver nil] [3 m2 90 silver nil] [5 m4 80 luck nil]]]"
    );
    assert_eq!(both(&engine, "LB.SETTLE BOARD").await, "4");
    servers.state().pass(30 * DAY);
    assert_eq!(both(&engine, "LB.CLAIM BOARD m1 PERIOD -31").await, "nil", "30 days are over");
    assert_eq!(both(&engine, "LB.SETTLE BOARD").await, "0", "nobody has played");
}

#[tokio::test(start_paused = true)]
async fn a_table_is_that_of_the_end_of_its_period() {
    let (servers, engine) = played().await;
    both(&engine, "LB.ALTER BOARD PRIZES day 1=new PRIZEDAYS 3").await;
    add(&engine, "5 m7").await;
    servers.state().pass(DAY);
    assert_eq!(both(&engine, "LB.CLAIM BOARD m0 PERIOD -2").await, "[gold 1 1]");
    assert_eq!(both(&engine, "LB.CLAIM BOARD m7").await, "[new 1 1]");
    both(&engine, "LB.ALTER BOARD PRIZES day ").await;
    assert_eq!(both(&engine, "LB.CLAIM BOARD m1 PERIOD -2").await, "[silver 2 1]");
}

#[tokio::test(start_paused = true)]
async fn two_gateways_and_lost_answers_pay_once() {
    let (servers, engine) = played().await;
    let other = super::engine(&servers);
    let (one, two) = tokio::join!(say(&engine, "LB.CLAIM game m0"), say(&other, "LB.CLAIM game m0"));
    let mut both = [one, two];
    both.sort();
    assert_eq!(both, ["[gold 1 0]", "[gold 1 1]"]);
    servers.fault(b"game", Some(Fault::LostOnce("LB.CLAIM")));
    assert_eq!(say(&engine, "LB.CLAIM game m1 ID x").await, "[silver 2 1]");
    servers.fault(b"game", Some(Fault::Lost("LB.CLAIM")));
    let silent = say(&engine, "LB.CLAIM game m2 ID y").await;
    assert!(silent.starts_with("PARTSDOWN"), "{silent}");
    servers.fault(b"game", None);
    assert_eq!(say(&engine, "LB.CLAIM game m2 ID y").await, "[silver 3 1]");
    assert_eq!(say(&other, "LB.CLAIM game m2 ID y").await, "[silver 3 1]");
    assert_eq!(say(&other, "LB.CLAIM game m2").await, "[silver 3 0]");
}

#[tokio::test(start_paused = true)]
async fn prizes_go_with_the_board_through_every_number_of_parts() {
    let (servers, engine) = played().await;
    // The plain board becomes a board over parts, with one period that is settled and one that is not.
    assert_eq!(say(&engine, "LB.CLAIM plain m0 ID first").await, "[gold 1 1]");
    assert_eq!(say(&engine, "LB.ADD plain 7 m9").await, "[7 1 1]");
    servers.state().pass(DAY);
    let (settled, open) =
        (say(&engine, "LB.PRIZES plain 0 PERIOD -2").await, say(&engine, "LB.PRIZES plain 0").await);
    for parts in [4, 8, 2, 1, 2] {
        let said = say(&engine, &format!("LB.RESHARD plain {parts} TIMEOUT 60000")).await;
        assert_eq!(said, format!("[{parts} {parts}]"));
        assert_eq!(say(&engine, "LB.PRIZES plain 0 PERIOD -2").await, settled, "{parts} parts");
        assert_eq!(say(&engine, "LB.PRIZES plain 0").await, open, "{parts} parts");
        assert_eq!(say(&engine, "LB.CLAIM plain m0 ID first").await, "[gold 1 1]");
    }
    assert_eq!(say(&engine, "LB.CLAIM plain m9").await, "[gold 1 1]");
    assert_eq!(say(&engine, "LB.RESHARD plain 1 TIMEOUT 60000").await, "[1 1]");
    assert_eq!(say(&engine, "LB.CLAIM plain m9").await, "[gold 1 0]");
    assert_eq!(say(&engine, "LB.CLAIM plain m1 PERIOD -2").await, "[silver 2 1]");
}

#[tokio::test(start_paused = true)]
async fn wrong_arguments_are_named_and_an_absent_part_is_no_winner_less() {
    let (servers, engine) = played().await;
    for (line, why) in [
        ("LB.PRIZES game x", "ERR cursor "),
        ("LB.PRIZES game 0 COUNT 0", "ERR COUNT "),
        ("LB.PRIZES game 0 VIEW week", "ERR VIEW "),
        ("LB.PRIZES game 0 PERIOD -1 AT 5", "ERR options PERIOD and AT "),
        ("LB.CLAIM game m0 PER country", "ERR PER is not possible with parts"),
        ("LB.SETTLE game VIEW", "ERR option VIEW "),
    ] {
        let said = say(&engine, line).await;
        assert!(said.starts_with(why), "{line}: {said}");
    }
    servers.fault(&key(2), Some(Fault::Cut));
    for line in ["LB.PRIZES game 0", "LB.SETTLE game", "LB.CLAIM game m0"] {
        let said = say(&engine, line).await;
        assert_eq!(said, "PARTSDOWN 1 of 4 parts did not answer", "{line}");
    }
    servers.fault(&key(2), None);
    assert_eq!(say(&engine, "LB.SETTLE game").await, "4");
}

#[tokio::test(start_paused = true)]
async fn a_board_like_another_one_has_its_prizes() {
    let (servers, engine) = played().await;
    assert_eq!(say(&engine, "LB.ALTER game PRIZEDAYS 4").await, "OK");
    servers.direct("LB.CREATE shares VIEWS day PRIZES day 1-5%=a");
    for (other, days) in [("game", 4), ("plain", 30)] {
        assert_eq!(say(&engine, &format!("LB.CREATE {other}2 LIKE {other} PARTS 2")).await, "OK");
        let info = say(&engine, &format!("LB.INFO {other}2")).await;
        assert!(info.contains("prizes=[day 1=gold,2-3=silver,5=luck]"), "{info}");
        assert!(info.contains(&format!("prizedays={days} payouts=0")), "{info}");
    }
    assert_eq!(say(&engine, "LB.CREATE third LIKE game PRIZES day 1=other PARTS 2").await, "OK");
    assert!(say(&engine, "LB.INFO third").await.contains("prizes=[day 1=other]"));
    let refused = "ERR a share of the members in PRIZES is not possible with parts";
    assert_eq!(say(&engine, "LB.CREATE wide LIKE shares PARTS 2").await, refused);
}

/// A random command on both boards. Moments are never equal, because equal moments are ordered by parts over parts.
fn draw(random: &mut Random, now: u64, number: u64) -> String {
    let member = format!("m{}", random.below(7));
    let period = format!("-{}", 1 + random.below(3));
    match random.below(13) {
        0..3 => format!("LB.ADD BOARD {} {member} AT {now}", random.within(-3..9)),
        3 => {
            // A late write, into a period that may have been settled.
            let late = now.saturating_sub(random.below(3 * DAY)) / 1_000 * 1_000 + number;
            format!("LB.ADD BOARD {} {member} AT {late}", random.within(-3..9))
        }
        4 => format!("LB.HIDE BOARD {member}"),
        5 => format!("LB.UNHIDE BOARD {member}"),
        6 => format!("LB.REM BOARD {member}"),
        7 => format!("LB.SETTLE BOARD PERIOD {period}"),
        8 => format!("LB.CLAIM BOARD {member} PERIOD {period}"),
        // A request can be forgotten when its period leaves `RETAIN` and all have claimed, so it is not used for longer.
        9 => format!("LB.CLAIM BOARD {member} PERIOD -1 ID r{}-{}", now / DAY / 2, random.below(3)),
        10 => format!("LB.PRIZES BOARD 0 PERIOD {period} COUNT {}", 1 + random.below(4)),
        11 => format!("LB.PRIZES BOARD 0 PERIOD {period} UNCLAIMED"),
        _ => {
            let tables = ["1=a", "1=a,2=b", "2-3=c,1-2=d", "3=e", ""];
            format!("LB.ALTER BOARD PRIZES day {}", random.pick(&tables))
        }
    }
}

#[tokio::test(start_paused = true)]
async fn random_sessions_are_those_of_a_plain_board() {
    let first = seed();
    for session in 0..20 {
        let mut random = Random::new(first + session);
        let (servers, engine) = start();
        let rules = "VIEWS day RETAIN 3 PRIZES day 1=a,2-3=b,5=c";
        assert_eq!(say(&engine, &format!("LB.CREATE game {rules} PARTS 4")).await, "OK");
        assert_eq!(say(&engine, &format!("LB.CREATE plain {rules}")).await, "OK");
        // A plain board knows no periods before its first write.
        add(&engine, "0 m0").await;
        let (mut now, mut story) = (crate::spread::simulated::NOW, Vec::new());
        for number in 1..80 {
            let midnight = (now / DAY + 1) * DAY;
            let passed = match random.below(8) {
                0 => midnight + random.below(3) - 1 - now.min(midnight - 1),
                1 => random.below(DAY),
                2 => DAY + random.below(DAY),
                _ => 1,
            };
            servers.state().pass(passed);
            now += passed;
            let line = draw(&mut random, now, number);
            story.push(format!("{now} {line}"));
            let words =
                |board: &str| line.split(' ').map(|word| word.replace("BOARD", board).into_bytes()).collect();
            let mut replies = Vec::new();
            for board in ["game", "plain"] {
                replies.push(shown(&engine.execute(vec![words(board)]).await[0]));
            }
            // The ranks of writes are not gathered. A plain board counts a removed winner of whom only the prize is left.
            let differs = ["LB.ADD", "LB.REM"].iter().any(|name| line.starts_with(name));
            let is_same = differs || replies[0] == replies[1];
            assert!(is_same, "seed {}: {replies:?}\n{}", first + session, story.join("\n"));
        }
    }
}
