//! Two commands of two gateways at once, in very many orders of their steps.

use leaderboard_testkit::random::Random;

use super::super::simulation::quiet::paused;
use super::cluster::{Cluster, Faults};
use super::gateway::{Death, Gateway};
use super::seeds;
use super::state::{State, member, names_a_mend, part_key, settle};
use super::step::Told;

const PARTS: u16 = 4;
const EXISTS: &str = "BOARDEXISTS the board exists already";
const CREATE: &str = "LB.CREATE game VIEWS all DEDUP 3600 PARTS 4";
const OTHER: &str = "LB.CREATE game VIEWS all DEDUP 9 PARTS 8";

/// What happened to the board before the two commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Whole,
    NoRoot,
    NoPart,
    /// The root says that the board is being deleted.
    Ending,
    /// Some parts do not have the rules of the root yet.
    Altering,
}

/// A state, two commands, and the replies that each of them may get besides its usual one.
type Pair = (Before, &'static str, &'static str);

const PAIRS: [Pair; 29] = [
    (Before::Nothing, CREATE, CREATE),
    (Before::Nothing, CREATE, OTHER),
    (Before::Nothing, CREATE, "DEL game"),
    (Before::Nothing, CREATE, "LB.ADD game 16 MEMBER ID next"),
    (Before::Nothing, CREATE, "LB.CREATE game ORDER ASC"),
    (Before::Nothing, CREATE, "LB.ALTER game VIEWS +day"),
    (Before::Nothing, CREATE, "LB.REPAIR game"),
    (Before::Whole, "LB.ALTER game VIEWS +hour", "LB.ALTER game VIEWS +week"),
    (Before::Whole, "LB.ALTER game VIEWS +hour", "LB.ALTER game VIEWS +hour"),
    (Before::Whole, "LB.ALTER game VIEWS +hour", "DEL game"),
    (Before::Whole, "LB.ALTER game VIEWS +hour", "LB.REPAIR game"),
    (Before::Whole, "LB.ALTER game VIEWS +hour", "LB.ADD game 16 MEMBER ID next"),
    (Before::Whole, "DEL game", "DEL game"),
    (Before::Whole, "DEL game", CREATE),
    (Before::Whole, "DEL game", OTHER),
    (Before::Whole, "DEL game", "LB.ADD game 16 MEMBER ID next"),
    (Before::Whole, "DEL game", "LB.TOP game 100"),
    (Before::Whole, "DEL game", "LB.REPAIR game"),
    (Before::NoRoot, "LB.REPAIR game", "LB.REPAIR game"),
    (Before::NoRoot, "LB.REPAIR game", "DEL game"),
    (Before::NoRoot, "LB.REPAIR game", CREATE),
    (Before::NoRoot, "LB.REPAIR game", "LB.ADD game 16 MEMBER ID next"),
    (Before::NoPart, "LB.REPAIR game FORCE", "LB.REPAIR game FORCE"),
    (Before::NoPart, "LB.REPAIR game FORCE", "LB.ADD game 16 MEMBER ID next"),
    (Before::NoPart, "LB.REPAIR game FORCE", "LB.ALTER game VIEWS +hour"),
    (Before::Ending, "LB.TOP game 100", OTHER),
    (Before::Ending, CREATE, OTHER),
    (Before::Altering, "LB.TOP game 100", "LB.ALTER game VIEWS +week"),
    (Before::Altering, "LB.REPAIR game", "DEL game"),
];

async fn prepare(cluster: &Cluster, before: Before) {
    if before == Before::Nothing {
        return;
    }
    let gateway = Gateway::new(cluster, "M");
    assert_eq!(gateway.say(CREATE).await, "OK");
    for part in 0..PARTS {
        gateway.say(&format!("LB.ADD game 1 {} ID first", member(PARTS, part))).await;
    }
    let last = match before {
        Before::NoRoot => {
            cluster.direct("DEL game");
            return;
        }
        Before::NoPart => {
            cluster.direct(&format!("DEL {}", part_key(PARTS, 2)));
            return;
        }
        Before::Ending => ("DEL game", 4),
        Before::Altering => ("LB.ALTER game VIEWS +day", 7),
        Before::Nothing | Before::Whole => return,
    };
    let (line, steps) = last;
    assert_eq!(Gateway::dying(cluster, "D", steps, Death::Before).say(line).await, "dead");
}

/// Returns whether a reply is one that the command may get, if another command runs at the same time.
fn is_allowed(line: &str, reply: &str) -> bool {
    let allowed: &[&str] = match line.split(' ').next().unwrap() {
        "LB.CREATE" => &["OK", EXISTS, "NOBOARD another client has deleted the board"],
        "LB.ALTER" => &["OK", "NOBOARD ", "ERR view 'hour' is named twice"],
        "DEL" => &["0", "1"],
        "LB.ADD" | "LB.REPAIR" | "LB.TOP" => &["[", "ERR the key holds no board over parts"],
        _ => &[],
    };
    allowed.iter().any(|start| reply.starts_with(start)) || names_a_mend(reply)
}

fn run(pair: Pair, seed: u64, dies: bool) {
    paused(async || {
        let (before, first, second) = pair;
        let cluster = Cluster::new(seed);
        let guard = Told(&cluster, format!("LEADERBOARD_SEED={seed}, {before:?}, {first}, {second}"));
        prepare(&cluster, before).await;
        cluster.world().faults = Faults { slowest: 8, ..Faults::default() };
        let lines = [first, second].map(|line| line.replace("MEMBER", &member(PARTS, 2)));
        let lives = if dies { 1 + Random::new(seed + 7).below(40) as usize } else { usize::MAX };
        let one = Gateway::dying(
            &cluster,
            "A",
            lives,
            if seed.is_multiple_of(2) { Death::Before } else { Death::After },
        );
        let other = Gateway::new(&cluster, "B");
        // One of them knows the board.
        if seed.is_multiple_of(3) && before != Before::Nothing {
            other.say("LB.COUNT game").await;
        }
        let replies: [String; 2] = tokio::join!(one.say(&lines[0]), other.say(&lines[1])).into();
        tokio::time::sleep(std::time::Duration::from_secs(5)).await;
        cluster.world().faults = Faults::default();
        for (line, reply) in lines.iter().zip(&replies) {
            assert!(reply == "dead" || is_allowed(line, reply), "{line}: {reply}");
        }
        check(&cluster, before, &lines, &replies).await;
        drop(guard);
    });
}

async fn check(cluster: &Cluster, before: Before, lines: &[String; 2], replies: &[String; 2]) {
    let (end, forced) = settle(cluster).await;
    assert!(forced.is_empty() || before == Before::NoPart || before == Before::NoRoot, "{forced:?}");
    let done = |word: &'static str| {
        (0..2).filter(move |place| lines[*place].starts_with(word) && replies[*place] == "OK")
    };
    let has_deletion = lines.iter().any(|line| line == "DEL game");
    let rules = if let State::Whole { rules, .. } = &end { rules.as_str() } else { "" };
    // Of two different boards, there is one. It is the one that its client was told.
    if lines[0] != lines[1] && done("LB.CREATE").count() == 2 {
        panic!("both boards were made: {replies:?}");
    }
    if !has_deletion && before != Before::Ending {
        for place in done("LB.CREATE") {
            let dedup = if lines[place] == OTHER { " 9" } else { " 3600" };
            let is_plain = lines[place].contains("ASC");
            assert!(if is_plain { end == State::Plain } else { rules.ends_with(dedup) }, "{end:?}");
        }
        for place in done("LB.ALTER") {
            let view = lines[place].rsplit('+').next().unwrap();
            assert!(rules.split(' ').next().unwrap().split(',').any(|own| own == view), "{view} in {end:?}");
        }
    }
    let top = Gateway::new(cluster, "R").say("LB.TOP game 100").await;
    let has = |part: u16| top.contains(&format!(" {} ", member(PARTS, part)));
    let wrote = lines[1].contains("ADD") && replies[1].starts_with('[');
    if wrote && !has_deletion {
        assert!(has(2), "the write is lost: {top}");
    }
    if !has_deletion && ![Before::Nothing, Before::Ending].contains(&before) {
        assert!([0, 1, 3].into_iter().all(has), "members are lost: {top}");
        assert!(has(2) || before == Before::NoPart, "members are lost: {top}");
    }
    // A board that was made after all has been deleted has no old members.
    let is_ended = before == Before::Ending
        || (has_deletion && done("LB.CREATE").count() > 0 && before == Before::Whole);
    if is_ended && matches!(end, State::Whole { .. }) && done("LB.CREATE").count() > 0 {
        assert_eq!(top, "[]", "old members are in a new board");
    }
}

#[test]
fn two_commands_at_once() {
    PAIRS.iter().for_each(|pair| seeds(8).for_each(|seed| run(*pair, seed, false)));
}

#[test]
fn two_commands_at_once_of_which_one_dies() {
    PAIRS.iter().for_each(|pair| seeds(8).for_each(|seed| run(*pair, seed, true)));
}
