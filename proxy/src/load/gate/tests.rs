//! Tests of the gate, with a clock that moves on when all tasks wait.

#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use futures_util::future::join_all;
use tokio::sync::Mutex;
use tokio::time::{advance, sleep};

use super::*;
use crate::load::client::{Client, serving};

const TIMEOUT: Duration = Duration::from_secs(1);

fn gate(places: u32) -> Gate {
    Gate::new(places, Duration::from_millis(500))
}

fn ticket(parts: u16) -> Ticket {
    Ticket { parts, came: Instant::now(), timeout: TIMEOUT, is_droppable: true }
}

#[tokio::test(start_paused = true)]
async fn gathers_wait_in_their_order_and_large_ones_are_not_overtaken() {
    let (gate, order) = (gate(8), Mutex::new(Vec::new()));
    let gathers = [8, 2, 8, 2, 2].into_iter().enumerate().map(|(number, parts)| {
        let (gate, order) = (&gate, &order);
        async move {
            let place = gate.enter(ticket(parts)).await.unwrap();
            sleep(Duration::from_millis(10)).await;
            order.lock().await.push(number);
            drop(place);
        }
    });
    join_all(gathers).await;
    assert_eq!(*order.lock().await, [0, 1, 2, 3, 4]);
    assert_eq!((gate.waiting(), gate.taken()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_gather_with_more_parts_than_places_takes_all() {
    let gate = gate(8);
    let place = gate.enter(ticket(1_024)).await.unwrap();
    assert_eq!(gate.taken(), 8);
    // A command that asks one part never waits.
    assert!(gate.enter(ticket(1)).await.is_ok());
    assert!(gate.enter(ticket(2)).await.is_err());
    drop(place);
    assert!(gate.enter(ticket(2)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_wait_ends_with_the_time_that_it_took_until_now() {
    let gate = gate(8);
    let place = gate.enter(ticket(8)).await.unwrap();
    advance(Duration::from_millis(40)).await;
    drop(place);
    let place = gate.enter(ticket(8)).await.unwrap();
    let began = Instant::now();
    let busy = gate.enter(ticket(8)).await.err().unwrap();
    assert_eq!(began.elapsed(), gate.patience());
    // The gather that has the places, and this one: each took 40 ms before.
    assert_eq!(busy.again, Duration::from_millis(80));
    // A timeout that is shorter than the patience is the limit, and a late command does not wait at all.
    let began = Instant::now();
    assert!(gate.enter(Ticket { timeout: Duration::from_millis(30), ..ticket(8) }).await.is_err());
    assert_eq!(began.elapsed(), Duration::from_millis(30));
    let late = ticket(8);
    advance(Duration::from_millis(500)).await;
    let began = Instant::now();
    assert!(gate.enter(late).await.is_err());
    assert_eq!(began.elapsed(), Duration::ZERO);
    // Without other gathers, a late command is not refused.
    drop(place);
    assert!(gate.enter(late).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn the_queue_has_an_end() {
    let gate = gate(8);
    let place = gate.enter(ticket(8)).await.unwrap();
    let mut began: Vec<_> = Vec::new();
    for _ in 0..MOST_WAITING {
        began.push(Box::pin(gate.enter(ticket(2))));
    }
    for gather in &mut began {
        assert!(futures_util::poll!(gather).is_pending());
    }
    let now = Instant::now();
    let busy = gate.enter(ticket(2)).await.err().unwrap();
    // A client that asks again at once waits before it can.
    assert!(busy.again >= SOON && now.elapsed() == busy.again);
    let (short, now) = (Ticket { timeout: Duration::from_millis(3), ..ticket(2) }, Instant::now());
    assert!(gate.enter(short).await.is_err());
    assert_eq!(now.elapsed(), short.timeout);
    began.clear();
    assert_eq!(gate.waiting(), 0);
    drop(place);
}

#[tokio::test(start_paused = true)]
async fn a_gather_that_waits_is_dropped_when_its_client_has_gone() {
    let gate = gate(8);
    let place = gate.enter(ticket(8)).await.unwrap();
    let client = Client::default();
    let (read, write) = (ticket(8), Ticket { is_droppable: false, ..ticket(8) });
    let began = Instant::now();
    let both = serving(client.clone(), async {
        tokio::join!(
            async { (gate.enter(read).await.is_ok(), began.elapsed()) },
            async { (gate.enter(write).await.is_ok(), began.elapsed()) },
            async {
                client.queued().await;
                sleep(Duration::from_millis(7)).await;
                client.has_gone();
            }
        )
    });
    let (read, write, ()) = both.await;
    assert_eq!(read, (false, Duration::from_millis(7)));
    assert_eq!(write, (false, gate.patience()), "a write waits on");
    drop(place);
}

/// A gate whose gathers take 400 ms while more than 300 places are taken, and 40 ms otherwise.
#[tokio::test(start_paused = true)]
async fn slow_rounds_take_places_away_and_fast_ones_give_them_back() {
    let gate = gate(1_024);
    assert_eq!(gate.limit(), 128, "an eighth at first");
    let crowd = async |is_slow: &dyn Fn(u32) -> bool, seconds: u64| {
        let end = Instant::now() + Duration::from_secs(seconds);
        let gathers = (0..40).map(|_| {
            let (gate, is_slow) = (&gate, &is_slow);
            async move {
                while Instant::now() < end {
                    let Ok(place) = gate.enter(ticket(64)).await else { continue };
                    sleep(Duration::from_millis(if is_slow(gate.taken()) { 400 } else { 40 })).await;
                    drop(place);
                }
            }
        });
        join_all(gathers).await;
    };
    crowd(&|_| false, 20).await;
    assert_eq!(gate.limit(), 1_024);
    crowd(&|taken| taken > 300, 20).await;
    assert!((128..600).contains(&gate.limit()), "{}", gate.limit());
    crowd(&|_| true, 20).await;
    assert_eq!(gate.limit(), 128);
    crowd(&|_| false, 20).await;
    assert_eq!((gate.limit(), gate.taken(), gate.waiting()), (1_024, 0, 0));
}
