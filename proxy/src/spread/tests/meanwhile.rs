//! A command whose steps are between those of an LB.RESHARD of another gateway.

#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

use super::catalog::field;
use super::growth::{check, filled, name};
use super::*;

/// More pipelines than any command sends.
const ALL: usize = 1_000;

/// The reply to `LB.REPAIR` if the board is a plain one.
const PLAIN: &str = "ERR the key holds no board over parts";

/// After `first` pipelines of the command, LB.RESHARD sends `some` of its pipelines. After `second` further pipelines of the
/// command, LB.RESHARD ends. Then the command ends.
#[derive(Debug, Clone, Copy)]
struct Turns {
    first: usize,
    some: usize,
    second: usize,
}

impl Turns {
    /// Carries out a command and LB.RESHARD. Returns both replies, and whether LB.RESHARD had more than `some` pipelines.
    async fn take(
        self,
        servers: &Simulated,
        line: &'static str,
        reshard: &'static str,
    ) -> ([String; 2], bool) {
        let (slow, other) = (servers.stepping(), servers.stepping());
        let (command, changer) = (engine(&slow), engine(&other));
        let asked = tokio::spawn(async move { say(&command, line).await });
        let resharding = tokio::spawn(async move { say(&changer, reshard).await });
        slow.go_on(self.first).await;
        other.go_on(self.some).await;
        let has_more = !resharding.is_finished();
        slow.go_on(self.second).await;
        other.go_on(ALL).await;
        let resharded = resharding.await.unwrap();
        slow.go_on(ALL).await;
        ([asked.await.unwrap(), resharded], has_more)
    }
}

/// Carries out a write, and repairs, with all turns. `before` is the number of parts that the board has at first.
async fn check_all(before: &str, reshard: &'static str, said: &str) {
    let made = async || {
        let (servers, engine, model) = filled().await;
        say(&engine, &format!("LB.RESHARD game {before} TIMEOUT 60000")).await;
        (servers, model)
    };
    for (first, second) in [(0, 1), (1, 1), (2, 1), (2, 2), (3, 2)] {
        for some in 0.. {
            let turns = Turns { first, some, second };
            let when = format!("{reshard}: {turns:?}");
            let (servers, mut model) = made().await;
            let ([wrote, resharded], has_more) =
                turns.take(&servers, "LB.ADD game 1000 n5 ID x", reshard).await;
            let score = model.get_mut(&name(5)).unwrap();
            *score += 1_000;
            assert!(wrote.starts_with(&format!("[{score} ")) && wrote.ends_with(" 1]"), "{when}: {wrote}");
            assert_eq!(resharded, said, "{when}");
            check(&engine(&servers), &model, &when).await;

            for line in ["LB.REPAIR game", "LB.REPAIR game FORCE"] {
                let (servers, model) = made().await;
                let ([repaired, resharded], _) = turns.take(&servers, line, reshard).await;
                assert!(repaired.starts_with('[') || repaired == PLAIN, "{when}: {repaired}");
                assert!(!repaired.contains("deleted"), "{when}: {repaired}");
                assert_eq!(resharded, said, "{when}");
                check(&engine(&servers), &model, &when).await;
                assert_eq!(field(&servers, "game", "state"), "whole", "{when}");
            }
            if !has_more {
                break;
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn commands_between_the_steps_of_growth_are_carried_out() {
    check_all("4", "LB.RESHARD game 8 TIMEOUT 60000", "[8 8]").await;
}

#[tokio::test(start_paused = true)]
async fn commands_between_the_steps_of_shrinking_are_carried_out() {
    check_all("4", "LB.RESHARD game 2 TIMEOUT 60000", "[2 2]").await;
}

#[tokio::test(start_paused = true)]
async fn commands_between_the_steps_to_a_plain_board_are_carried_out() {
    check_all("2", "LB.RESHARD game 1 TIMEOUT 60000", "[1 1]").await;
}

#[tokio::test(start_paused = true)]
async fn commands_between_the_steps_from_a_plain_board_are_carried_out() {
    check_all("1", "LB.RESHARD game 4 TIMEOUT 60000", "[4 4]").await;
}
