//! Tests of the limit of gathers, over nodes that take 10 ms to answer.

#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use futures_util::future::join_all;
use tokio::time::{Instant, sleep};

use super::*;
use crate::load::{Client, Limits, Load, Lost, Ticket, serving};
use crate::nodes::{AttemptError, Command, Transport};
use crate::spread::simulation::cluster::{Faults, Simulated, World, node_of};

/// How long a node takes to answer.
const WAY: Duration = Duration::from_millis(10);
const PARTS: u16 = 8;

/// Nodes that answer one command after the other, a millisecond each.
#[derive(Clone)]
struct Slow {
    nodes: Simulated,
    turns: Arc<[tokio::sync::Mutex<()>; 3]>,
}

impl Transport for Slow {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        // The sender gives the commands of one node at a time.
        let node = self.way(commands.first().and_then(|command| command.slot));
        let turn = self.turns[node].lock().await;
        sleep(Duration::from_millis(commands.len() as u64)).await;
        drop(turn);
        self.nodes.send(commands).await
    }

    fn way(&self, slot: Option<u16>) -> usize {
        self.nodes.way(slot)
    }
}

/// Returns an engine with a board of eight parts and ten members. `gathers` gathers of this board can be carried out at
/// once.
async fn crowded(gathers: u32) -> (Simulated, Arc<Load>, Engine<Simulated>) {
    let nodes = Simulated::new(World::new(Vec::new(), 1));
    let faults = Faults { way: Some(WAY.as_millis() as u64), ..Faults::default() };
    nodes.with(|world| world.disturb(faults));
    let limits = Limits { places: gathers * u32::from(PARTS), ..Limits::default() };
    let load = Arc::new(Load::new(limits));
    let timing =
        Timing { timeout: Duration::from_secs(1), gather: Duration::from_secs(1), cache: Duration::ZERO };
    let engine = Engine::sharing(Arc::new(RetryingClient::new(nodes.clone())), timing, Arc::clone(&load));
    assert_eq!(say(&engine, &format!("LB.CREATE game PARTS {PARTS}")).await, "OK");
    for member in 0..10 {
        say(&engine, &format!("LB.ADD game {} m{member}", 100 - member)).await;
    }
    (nodes, load, engine)
}

async fn say(engine: &Engine<Simulated>, line: &str) -> String {
    shown(&engine.execute(vec![words(line)]).await[0])
}

/// Sends this number of commands LB.RANK together.
async fn ranks(engine: &Engine<Simulated>, count: usize) -> Vec<String> {
    let batch = (0..count).map(|number| words(&format!("LB.RANK game m{}", number % 10))).collect();
    engine.execute(batch).await.iter().map(shown).collect()
}

fn is_busy(reply: &str) -> bool {
    reply.starts_with("BUSY the gateway asks as many parts as it may: try again in ")
        && reply.ends_with(" ms")
}

#[tokio::test(start_paused = true)]
async fn a_client_with_many_commands_in_flight_does_not_hold_up_one_with_one() {
    let (_, _, engine) = crowded(1).await;
    let began = Instant::now();
    ranks(&engine, 1).await;
    let one = began.elapsed();
    let (many, ()) = tokio::join!(ranks(&engine, 20), async {
        for member in 0..5 {
            let began = Instant::now();
            assert_eq!(say(&engine, &format!("LB.RANK game m{member}")).await, (member + 1).to_string());
            // A gather of the other client is under way. The next one comes after this one.
            assert!(began.elapsed() <= one * 2 + WAY, "{:?} for {one:?}", began.elapsed());
        }
    });
    assert!(many.iter().enumerate().all(|(at, reply)| *reply == (at % 10 + 1).to_string()), "{many:?}");
}

/// Fifty clients send as fast as they get replies; two can be served at a time.
#[tokio::test(start_paused = true)]
async fn overload_is_busy_and_takes_nothing_from_the_rate() {
    let (_, load, engine) = crowded(2).await;
    let began = Instant::now();
    for _ in 0..20 {
        ranks(&engine, 1).await;
    }
    let one = began.elapsed() / 20;
    let (began, end) = (Instant::now(), Instant::now() + Duration::from_secs(6));
    let clients = join_all((0..50).map(|client| {
        let engine = &engine;
        async move {
            let (mut good, mut busy) = (0_u32, 0_u32);
            while Instant::now() < end {
                let sent = 1 + client % 3 * 30;
                for (at, reply) in ranks(engine, sent).await.into_iter().enumerate() {
                    match is_busy(&reply) {
                        true => busy += 1,
                        false => {
                            assert_eq!(reply, (at % 10 + 1).to_string());
                            good += 1;
                        }
                    }
                }
            }
            (good, busy)
        }
    }));
    let replies = clients.await;
    let good: u32 = replies.iter().map(|(good, _)| good).sum();
    let busy: u32 = replies.iter().map(|(_, busy)| busy).sum();
    let best = 2.0 * began.elapsed().as_secs_f64() / one.as_secs_f64();
    assert!(f64::from(good) > 0.9 * best, "{good} good replies, of {best} at best");
    assert!(busy > good, "{busy} are busy");
    // Clients with 1, 31 and 61 commands in flight get equal shares.
    let shares: Vec<u32> =
        (0..3).map(|kind| replies.iter().skip(kind).step_by(3).map(|(good, _)| good).sum()).collect();
    let [least, most] = [shares.iter().min().unwrap(), shares.iter().max().unwrap()];
    assert!(*least * 2 > *most, "{shares:?}");
    assert_eq!(load.gathers.errors("PARTSDOWN"), 0);
    assert_eq!(load.gathers.errors("BUSY"), u64::from(busy));
    assert_eq!((load.gate.waiting(), load.gate.taken()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_long_pipeline_without_others_is_carried_out() {
    let (_, load, engine) = crowded(1).await;
    let began = Instant::now();
    let replies = ranks(&engine, 300).await;
    assert!(began.elapsed() > Duration::from_secs(5), "longer than all timeouts");
    assert!(replies.iter().enumerate().all(|(at, reply)| *reply == (at % 10 + 1).to_string()), "{replies:?}");
    let counts = load.gathers.counts();
    let (name, counts) = counts.last().unwrap();
    assert_eq!((*name, counts.times.count, counts.repeated), ("LB.RANK", 300, 0));
    // One part knows the member. Then the nodes of all other parts count the members before it.
    assert!((600..=300 * u64::from(PARTS)).contains(&counts.sent), "{}", counts.sent);
}

#[tokio::test(start_paused = true)]
async fn what_goes_to_one_part_does_not_wait() {
    let (_, load, engine) = crowded(1).await;
    let ticket =
        Ticket { parts: PARTS, came: Instant::now(), timeout: Duration::from_secs(1), is_droppable: true };
    let place = load.gate.enter(ticket).await;
    let began = Instant::now();
    for (line, reply) in [
        ("LB.ADD game 5 m0", "[105 nil 1]"),
        ("LB.ADD game 5 m0 TIMEOUT 900", "[110 nil 1]"),
        ("LB.SCORE game m0", "110"),
        ("LB.REM game m9", "1"),
        ("SET x 1", "OK"),
    ] {
        assert_eq!(say(&engine, line).await, reply, "{line}");
    }
    assert!(began.elapsed() < Duration::from_millis(300), "{:?}", began.elapsed());
    // These are refused before anything is sent. The replies keep their places.
    let lines = [
        "LB.ADD game 1 m1 WITHRANK",
        "LB.ADD game 1 m2",
        "LB.TOP game 3",
        "LB.SCORE game m1",
        "LB.INFO game",
    ];
    let replies = say_all(&engine, &lines).await;
    assert!([0, 2, 4].iter().all(|place| is_busy(&replies[*place])), "{replies:?}");
    assert_eq!([&replies[1], &replies[3]], ["[99 nil 1]", "99"]);
    drop(place);
    assert_eq!(say(&engine, "LB.ADD game 1 m1 WITHRANK").await, "[100 2 1]");
}

async fn say_all(engine: &Engine<Simulated>, lines: &[&str]) -> Vec<String> {
    engine.execute(lines.iter().map(|line| words(line)).collect()).await.iter().map(shown).collect()
}

#[tokio::test(start_paused = true)]
async fn reads_of_a_client_that_has_gone_leave_the_queue() {
    let (_, load, engine) = crowded(1).await;
    let client = Client::default();
    let (_, gone, took) = tokio::join!(
        ranks(&engine, 30),
        async {
            client.queued().await;
            sleep(WAY / 2).await;
            client.has_gone();
            assert_eq!(load.gate.waiting(), 1);
            sleep(Duration::from_millis(1)).await;
            load.gate.waiting()
        },
        async {
            sleep(WAY / 2).await;
            let began = Instant::now();
            let lines = ["LB.TOP game 3", "LB.ADD game 1 m0", "LB.COUNT game"].map(words).to_vec();
            let replies: Vec<_> =
                serving(client.clone(), engine.execute(lines)).await.iter().map(shown).collect();
            assert!(is_busy(&replies[0]) && is_busy(&replies[2]), "{replies:?}");
            assert_eq!(replies[1], "[101 nil 1]", "a write that was sent is carried out");
            began.elapsed()
        }
    );
    assert_eq!(gone, 0);
    assert!(took < Duration::from_millis(100), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn nodes_that_do_not_answer_are_no_overload() {
    let (nodes, load, engine) = crowded(8).await;
    nodes.with(|world| world.faults.silent = vec![1]);
    let replies = join_all((0..8).map(|_| ranks(&engine, 1))).await;
    assert!(replies.iter().flatten().all(|reply| reply.starts_with("PARTSDOWN ")), "{replies:?}");
    assert_eq!((load.gathers.errors("PARTSDOWN"), load.gathers.errors("BUSY")), (8, 0));
    assert!(load.gathers.counts().last().unwrap().1.times.sum >= Duration::from_secs(8));
    assert_eq!(load.states.counts(), [("whole".to_owned(), 1)].into());
    // Commands that do not need all parts say nothing about reads of whole boards.
    assert!(say(&engine, "LB.COUNT game PARTIAL TIMEOUT 100").await.starts_with('['));
    let alive = (0..10).map(|member| format!("m{member}")).find(|name| {
        let key = parts(PARTS).key(b"game", parts(PARTS).of(name.as_bytes()));
        node_of(&key) != 1
    });
    assert!(!say(&engine, &format!("LB.SCORE game {}", alive.unwrap())).await.starts_with("PARTSDOWN"));
    let recent = load.gathers.recent();
    assert_eq!((recent.good, recent.failed), (0, [("PARTSDOWN", 8)].into()));
    // A write that a silent node may have carried out is counted with its part.
    let member = (0..).find(|member| {
        let key = parts(PARTS).key(b"game", parts(PARTS).of(format!("n{member}").as_bytes()));
        node_of(&key) == 1
    });
    let name = format!("n{}", member.unwrap());
    assert!(say(&engine, &format!("LB.ADD game 5 {name}")).await.starts_with("UNKNOWN"));
    let lost = Lost { code: "UNKNOWN", reason: "timeout", part: Some(parts(PARTS).of(name.as_bytes())) };
    assert_eq!(load.unanswered.counts(), [(lost, 1)]);
}

/// Nodes that answer far fewer parts a second than the operator's limit expects: the gate has to find this out.
#[tokio::test(start_paused = true)]
async fn slow_nodes_are_not_asked_more_than_they_can_answer() {
    let slow = Slow { nodes: Simulated::new(World::new(Vec::new(), 1)), turns: Arc::default() };
    let load = Arc::new(Load::new(Limits { places: 4_096, ..Limits::default() }));
    let timing =
        Timing { timeout: Duration::from_secs(1), gather: Duration::from_secs(1), cache: Duration::ZERO };
    let engine = Engine::sharing(Arc::new(RetryingClient::new(slow)), timing, Arc::clone(&load));
    assert_eq!(shown(&engine.execute(vec![words("LB.CREATE game PARTS 64")]).await[0]), "OK");
    let end = Instant::now() + Duration::from_secs(10);
    let clients = join_all((0..200).map(|_| {
        let engine = &engine;
        async move {
            let mut good = 0_u32;
            while Instant::now() < end {
                match shown(&engine.execute(vec![words("LB.COUNT game")]).await[0]) {
                    reply if is_busy(&reply) => {}
                    reply => {
                        assert_eq!(reply, "0");
                        good += 1;
                    }
                }
            }
            good
        }
    }));
    // Three nodes answer 3,000 parts a second: 47 gathers.
    let good: u32 = clients.await.iter().sum();
    assert!(good > 400, "{good} good replies in ten seconds");
    assert_eq!(load.gathers.errors("PARTSDOWN"), 0);
}
