//! Tests with parts that do not answer, that are different from the data of the root, or that are in another period.

use super::super::Disagreement;
use super::super::recent::TopCache;
use super::parts::HOUR;
use super::*;
use crate::load::{Entry, Gate, Ticket};
use crate::spread::simulation::cluster::{Event, NODES, node_of};

/// Returns the ticket of a gather over four parts.
fn ticket() -> Ticket {
    Ticket { parts: 4, came: Instant::now(), timeout: Duration::from_secs(9), is_droppable: true }
}

fn spread() -> Spread {
    Spread::new(&rules(4), &members(7, 400, 50, 4))
}

/// Returns the members of a part, best first.
fn of_part(spread: &Spread, part: u16) -> Vec<&String> {
    spread.names.iter().filter(|name| spread.root.parts.of(name.as_bytes()) == part).collect()
}

#[tokio::test(start_paused = true)]
async fn without_a_part_there_is_no_answer_but_a_partial_one() {
    let spread = spread();
    let (lost, left) = spread.beside(2);
    spread.nodes.with(|world| world.faults.silent = vec![node_of(&spread.root.key(2))]);
    let down = Err(Refused::PartsDown { silent: lost.len() as u16, parts: 4 });
    for command in
        ["LB.TOP game 5", "LB.STATS game", "LB.COUNT game", "LB.HIDDEN game", "LB.QUANTILE game 0.5"]
    {
        assert_eq!(try_ask(&spread, command).await, down, "{command}");
    }
    let partial = |value| Value::Array(vec![Value::Int(left.len() as i64), Value::Int(4), value]);
    for command in ["LB.TOP game 50", "LB.COUNT game", "LB.STATS game", "LB.HIDDEN game"] {
        let expected = partial(spread.only(&left, command));
        assert_eq!(ask(&spread, &format!("{command} PARTIAL")).await, expected, "{command}");
    }
    let member = of_part(&spread, 2)[0];
    assert_eq!(ask(&spread, &format!("LB.RANK game {member} PARTIAL")).await, partial(Value::Nil));
    let all = Value::Array(vec![Value::Int(4), Value::Int(4), spread.one("LB.TOP game 3")]);
    assert_eq!(ask(&self::spread(), "LB.TOP game 3 PARTIAL").await, all);
}

#[tokio::test(start_paused = true)]
async fn a_part_that_is_another_is_told() {
    let gone = spread();
    gone.direct("DEL", 2, None);
    assert_eq!(try_ask(&gone, "LB.TOP game 5").await, Err(Refused::Disagree(Disagreement::Gone(2))));
    let other = spread();
    other.nodes.with(|world| {
        world.events.push_back((0, Event::MakeAnew(other.root.key(2))));
        world.happen();
    });
    assert_eq!(try_ask(&other, "LB.COUNT game").await, Err(Refused::Disagree(Disagreement::Rules(2))));
    // `settled` means that the root was read just now. Then a deleted part counts as a part that does not answer.
    let words = words("LB.TOP game 5");
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap().settled();
    let deadline = Instant::now() + Duration::from_secs(1);
    let result = read(&RetryingClient::new(gone.nodes.clone()), &gone.root, &asked, deadline).await;
    assert_eq!(result, Err(Refused::PartsDown { silent: 1, parts: 4 }));
}

#[tokio::test(start_paused = true)]
async fn a_key_of_another_type_holds_no_part() {
    let spread = spread();
    spread.direct("SET", 2, Some("text"));
    assert_eq!(try_ask(&spread, "LB.TOP game 5").await, Err(Refused::Disagree(Disagreement::Gone(2))));
}

/// Tests parts that are in the next hour already: the gateway reads all parts for the hour before.
#[tokio::test(start_paused = true)]
async fn parts_that_are_ahead_are_asked_for_the_period_before() {
    let spread = spread();
    spread.set_ahead(0, HOUR);
    let (ahead, behind) = spread.beside(0);
    assert!(!ahead.is_empty() && !behind.is_empty());
    for command in
        ["LB.TOP game 50", "LB.COUNT game", "LB.MSCORE game MEMBERS 3 m1 m2 m3", "LB.QUANTILE game 0.5"]
    {
        check(&spread, command).await;
    }
    for part in 0..4 {
        let command = format!("LB.RANK game {}", of_part(&spread, part)[3]);
        // In a part that is ahead, no member has a score yet.
        let rank = if ahead.contains(&part) { Value::Nil } else { spread.one(&command) };
        assert_eq!(ask(&spread, &command).await, rank, "{command}");
    }
}

/// Tests a part that is ahead and has dropped the period: all parts answer for the period that ended last there. The
/// gateway adds nothing up while this period is ahead of the other parts.
#[tokio::test(start_paused = true)]
async fn periods_that_a_part_does_not_keep_any_more_are_waited_for() {
    let spread = spread();
    spread.nodes.with(|world| world.skews = [HOUR; NODES]);
    assert_eq!(ask(&spread, "LB.TOP game 5 PERIOD -1").await, spread.one("LB.TOP game 5"));
    spread.set_ahead(1, 2 * HOUR);
    assert_eq!(ask(&spread, "LB.TOP game 5 PERIOD -1").await, Value::Array(Vec::new()));
    spread.set_ahead(1, 3 * HOUR);
    assert_eq!(
        try_ask(&spread, "LB.TOP game 5 PERIOD -1").await,
        Err(Refused::PartsDown { silent: 1, parts: 4 })
    );
}

#[tokio::test(start_paused = true)]
async fn an_estimate_says_how_far_off_it_may_be() {
    let spread = Spread::new(&rules(4), &members(8, 20_000, 5_000, 4));
    let memory = TopCache::new(Duration::ZERO);
    let sender = RetryingClient::new(spread.nodes.clone());
    let reads = async {
        for at in [0, 5, 9_999, spread.names.len() - 1] {
            let words = words(&format!("LB.RANK game {} ESTIMATE", spread.names[at]));
            let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
            let (gate, ticket) = (Gate::new(4, Duration::ZERO), ticket());
            let entry = Entry::new(&gate, ticket);
            let reply = memory.read(&sender, &spread.root, &asked, &entry).await.unwrap();
            let Value::Array(fields) = reply else { panic!() };
            let [Value::Int(rank), Value::Int(error)] = fields[..] else { panic!() };
            assert!((rank - at as i64 - 1).abs() <= error, "{at}: {rank} {error}");
            assert!(error < 100, "{error}");
        }
    };
    let ((), rounds, asked) = spread.cost(reads).await;
    // Samples were taken once.
    assert_eq!((rounds, asked.commands), (5, 7));
}

#[tokio::test(start_paused = true)]
async fn a_top_is_read_once_in_a_while() {
    let spread = spread();
    let memory = TopCache::new(Duration::from_millis(100));
    let words = words("LB.TOP game 5");
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
    let sender = RetryingClient::new(spread.nodes.clone());
    // There are places for one gather.
    let gate = Gate::new(4, Duration::ZERO);
    let read = async || memory.read(&sender, &spread.root, &asked, &Entry::new(&gate, ticket())).await;
    let ((first, second), rounds, sent) = spread.cost(async { tokio::join!(read(), read()) }).await;
    assert!(first.is_ok() && first == second && read().await == first);
    assert_eq!((rounds, sent.commands), (1, 3));
    tokio::time::advance(Duration::from_millis(100)).await;
    let (again, rounds, sent) = spread.cost(read()).await;
    assert_eq!((again, rounds, sent.commands), (first, 1, 3));
}
