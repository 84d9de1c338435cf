//! A gateway dies at each command that it sends for LB.CREATE, LB.ALTER, DEL and LB.REPAIR. Then other gateways go on.

use super::cluster::Cluster;
use super::gateway::{Death, Gateway};
use super::seeds;
use super::state::{State, member, names_a_mend, part_key, settle, state};

/// The state of the nodes before a command, and the command.
struct Case {
    name: &'static str,
    parts: u16,
    prepare: fn(&Cluster, u16),
    /// Whether there is a board before.
    has_board: bool,
    line: String,
    /// The parts whose members are lost before the command.
    lost: Vec<u16>,
    /// Whether the root is lost before the command.
    has_no_root: bool,
    /// The rules that the board can have at the end.
    rules: [&'static str; 2],
}

const OLD: &str = "all DESC 3600";
const NEW: &str = "all,day DESC 60";

/// The first command of a client after the death.
const NEXT: [&str; 11] = [
    "LB.TOP game 100",
    "LB.COUNT game",
    "LB.ADD game 16 MEMBER ID next",
    "LB.MADD game ID next 16 MEMBER 16 OTHER",
    "LB.INFO game",
    "LB.PARTS game",
    "LB.CREATE game VIEWS all DEDUP 3600 PARTS NUMBER",
    "LB.CREATE game ORDER ASC PARTS 4",
    "LB.ALTER game VIEWS +week",
    "DEL game",
    "LB.REPAIR game",
];

fn cases(parts: u16) -> Vec<Case> {
    let case = |name, line: &str| Case {
        name,
        parts,
        prepare: |_, _| (),
        has_board: true,
        line: line.replace("NUMBER", &parts.to_string()),
        lost: Vec::new(),
        has_no_root: false,
        rules: [OLD, OLD],
    };
    let first = |cluster: &Cluster, count| _ = cluster.direct(&format!("DEL {}", part_key(count, 1)));
    vec![
        Case { has_board: false, ..case("create", "LB.CREATE game VIEWS all DEDUP 3600 PARTS NUMBER") },
        Case { rules: [OLD, NEW], ..case("alter", "LB.ALTER game VIEWS +day DEDUP 60") },
        case("delete", "DEL game"),
        Case {
            prepare: |cluster, _| _ = cluster.direct("DEL game"),
            has_no_root: true,
            ..case("repair the root", "LB.REPAIR game")
        },
        Case { prepare: first, lost: vec![1], ..case("repair a part", "LB.REPAIR game FORCE") },
        Case {
            prepare: |cluster, count| {
                cluster.direct("DEL game");
                cluster.direct(&format!("DEL {}", part_key(count, 0)));
            },
            lost: vec![0],
            has_no_root: true,
            ..case("repair root and part", "LB.REPAIR game FORCE")
        },
        Case {
            prepare: |cluster, count| {
                let key = part_key(count, 1);
                cluster.direct(&format!("DEL {key}"));
                cluster.direct(&format!(
                    "LB.CREATE {key} VIEWS all DEDUP 3600 PART 1 OF {count} INCARNATION 77"
                ));
                cluster.direct(&format!("LB.ADD {key} 1 {}", member(count, 1)));
            },
            lost: vec![1],
            ..case("repair a foreign part", "LB.REPAIR game FORCE")
        },
        Case {
            prepare: |cluster, _| _ = cluster.direct("DEL game"),
            has_no_root: true,
            ..case("delete without a root", "DEL game")
        },
    ]
}

/// Makes a board with one member in each part, which has 1 point.
async fn make(cluster: &Cluster, count: u16) {
    let gateway = Gateway::new(cluster, "M");
    assert_eq!(gateway.say(&format!("LB.CREATE game VIEWS all DEDUP 3600 PARTS {count}")).await, "OK");
    for part in 0..count {
        let reply = gateway.say(&format!("LB.ADD game 1 {} ID first", member(count, part))).await;
        assert_eq!(reply, "[1 nil 1]");
    }
}

/// Returns whether a reply to a client's first command may come after a death.
fn is_allowed(line: &str, reply: &str) -> bool {
    let is_error = ["PARTSDOWN", "BOARDEXISTS", "NOBOARD", "ERR", "STALE", "UNKNOWN"]
        .iter()
        .any(|code| reply.starts_with(code));
    !is_error
        || names_a_mend(reply)
        || (line.starts_with("LB.CREATE") && reply == "BOARDEXISTS the board exists already")
        || (line.starts_with("LB.ALTER") && reply.starts_with("NOBOARD"))
        || (line.starts_with("LB.MADD") && reply.starts_with("NOBOARD"))
        || (line.starts_with("LB.INFO") && reply.starts_with("NOBOARD"))
        || (line.starts_with("LB.REPAIR") && reply == "ERR the key holds no board over parts")
        || (line.starts_with("LB.PARTS") && reply == "ERR the key holds no board over parts")
}

/// Runs a case until its gateway dies. Then another gateway sends a command, the command of the dead gateway is
/// repeated, and all is brought into order. Returns whether the gateway died.
async fn run(case: &Case, after: usize, death: Death, next: &str, knows: bool) -> bool {
    let cluster = Cluster::new(0);
    let guard = Told(&cluster, format!("{} of {} parts, {after} {death:?}, {next}", case.name, case.parts));
    if case.has_board {
        make(&cluster, case.parts).await;
    }
    // Another gateway knows the board from before.
    let other = Gateway::new(&cluster, "B");
    if knows {
        other.say("LB.COUNT game").await;
    }
    (case.prepare)(&cluster, case.parts);
    let before = state(&cluster);
    let gateway = Gateway::dying(&cluster, "A", after, death);
    let first = gateway.say(&case.line).await;
    if !gateway.is_dead() {
        assert!(["OK", "1"].contains(&first.as_str()) || first.starts_with('['), "{first}");
        drop(guard);
        return false;
    }
    let line = next.replace("NUMBER", &case.parts.to_string());
    let line = line.replace("MEMBER", &member(case.parts, 0)).replace("OTHER", &member(case.parts, 1));
    let reply = other.say(&line).await;
    assert!(is_allowed(&line, &reply), "{line}: {reply}");
    follow(&cluster, case, &line, &reply, before.is_err()).await;
    drop(guard);
    true
}

async fn follow(cluster: &Cluster, case: &Case, next: &str, reply: &str, was_broken: bool) {
    let added = next.contains("ADD") && reply.starts_with('[');
    let is_deleted = next.starts_with("DEL") && reply == "1";
    let is_made = next.starts_with("LB.CREATE") && reply == "OK";
    let is_made_otherwise = is_made && next.contains("ASC");
    let is_altered = next.starts_with("LB.ALTER") && reply == "OK";
    let (end, forced) = settle(cluster).await;
    assert!(forced.is_empty() || was_broken, "nothing was lost before: {forced:?}");
    let rules = match &end {
        State::Whole { rules, .. } => rules.clone(),
        _ => String::new(),
    };
    if is_made_otherwise {
        assert!(rules.contains("ASC"), "{end:?}");
    } else if is_altered {
        let allowed = case.rules.map(|rules| rules.replacen(" DESC", ",week DESC", 1));
        assert!(allowed.contains(&rules), "{rules}");
    } else if !rules.is_empty() {
        // An LB.ALTER that a lost part stopped is finished with the repair of the part.
        let is_begun = next.starts_with("LB.ALTER") && was_broken;
        let rules = if is_begun { rules.replace(",week", "") } else { rules };
        assert!(case.rules.contains(&rules.as_str()), "{rules}");
    }
    let top = Gateway::new(cluster, "R").say("LB.TOP game 100").await;
    let is_deletion = case.line.starts_with("DEL");
    // Without a root, there is no mark. What is left is an error until LB.REPAIR with FORCE, which tells what is lost.
    let is_told = case.has_no_root && !forced.is_empty();
    for part in 0..case.parts {
        let name = member(case.parts, part);
        let row = top.split('[').find(|row| row.contains(&format!(" {name} ")));
        let score: i64 = row
            .map_or(0, |row| row.trim_end_matches([']', ' ']).rsplit(' ').next().unwrap().parse().unwrap());
        let is_named = part == 0 || (part == 1 && next.contains("MADD"));
        // Somebody finishes a deletion that broke off, at any time. A part takes its share of a list that fails.
        let must = added && is_named && !is_deletion;
        let may = is_named && (added || next.contains("MADD"));
        assert!(if score >= 16 { may } else { !must }, "{name} in {top}");
        let old = score % 16;
        let may_be_gone = case.lost.contains(&part) || is_deletion || is_deleted || !case.has_board;
        assert!(old == 1 || may_be_gone, "{name} is gone: {top}");
        assert!(old == 0 || (case.has_board && !is_deleted && !is_made), "{name} came back: {top}");
    }
    if is_deletion && !added && !is_told {
        let has = top != "[]";
        assert!(!has || matches!(end, State::Whole { .. }), "{top}");
        assert_eq!(
            top.matches(" m").count(),
            if has { usize::from(case.parts) } else { 0 },
            "all or none: {top}"
        );
    }
    repeat(cluster, case, &end).await;
}

/// Repeats the command of the dead gateway.
async fn repeat(cluster: &Cluster, case: &Case, before: &State) {
    let gateway = Gateway::new(cluster, "C");
    let again = gateway.say(&case.line).await;
    match (case.line.split(' ').next().unwrap(), before) {
        ("LB.CREATE", State::Absent) => assert_eq!(again, "OK"),
        ("LB.CREATE", _) => {
            assert!(["OK", "BOARDEXISTS the board exists already"].contains(&again.as_str()), "{again}")
        }
        ("LB.ALTER", State::Whole { rules, .. }) if rules.contains("day") => {
            assert!(["OK", "ERR view 'day' is named twice"].contains(&again.as_str()), "{again}");
        }
        ("LB.ALTER", State::Whole { .. }) => assert_eq!(again, "OK"),
        ("DEL", State::Absent) => assert_eq!(again, "0"),
        ("DEL", _) => assert_eq!(again, "1"),
        ("LB.REPAIR", State::Plain) => assert_eq!(again, "ERR the key holds no board over parts"),
        ("LB.REPAIR", _) => assert_eq!(again, "[]"),
        _ => {}
    }
    let end = state(cluster).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(gateway.say("DEL game").await, if end == State::Absent { "0" } else { "1" });
    assert_eq!(gateway.say(&format!("LB.CREATE game PARTS {}", case.parts)).await, "OK");
    assert_eq!(gateway.say("LB.TOP game 100").await, "[]", "a new board has no members of the old one");
}

/// Prints what happened if a test fails.
pub struct Told<'a>(pub &'a Cluster, pub String);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- {}\n{}", self.1, self.0.log());
        }
    }
}

/// Runs all cases, with a death at one of each `steps` steps.
async fn all(parts: u16, steps: usize) {
    // The number of first commands of another client that are tried at each step.
    let some = seeds(1).count().min(NEXT.len());
    for case in cases(parts) {
        for death in [Death::Before, Death::After] {
            let mut after = usize::from(death == Death::After);
            'steps: loop {
                for number in 0..some {
                    let next = NEXT[(after * some + number) % NEXT.len()];
                    if !run(&case, after, death, next, (number + after) % 2 == 0).await {
                        break 'steps;
                    }
                }
                after += steps;
            }
            assert!(after > usize::from(parts), "{} takes {after} commands", case.name);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_gateway_dies_at_each_step_of_two_parts() {
    all(2, 1).await;
}

/// The order of the steps is the same as with two parts, so every third step is enough in a usual run.
#[tokio::test(start_paused = true)]
async fn a_gateway_dies_at_steps_of_eight_parts() {
    let steps = if seeds(1).count() > 1 { 1 } else { 3 };
    all(8, steps).await;
}
