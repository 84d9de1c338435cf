//! Tests what threads share: the lists of values, and the counters. A thread of the server frees values while the timer
//! works on them, and a thread of the module frees the large ones. `make sanitize-threads` runs this with
//! ThreadSanitizer.
#![allow(clippy::unwrap_used, reason = "a test that fails ought to panic")]

use std::ffi::c_void;
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use leaderboard_commands::host::Value;
use leaderboard_core::board::{Board, Write};
use leaderboard_core::schema::Schema;
use leaderboard_core::score::Decimal;
use leaderboard_core::time::{Clock, TimeSource};
use leaderboard_core::view::{Kind, Spec};

use crate::due::{self, Place};
use crate::host::Server;
use crate::native::free;
use crate::registration::{address, population};
use crate::{background, watched};

/// The values that are made and freed.
const VALUES: usize = 40;
/// The members of a value: their texts are more allocations than the module frees at once.
const MEMBERS: usize = 4_500;

/// Returns a board with a second period, so that the first one is work for the timer.
fn board(clock: Clock) -> Board {
    let schema = Schema { clock, dedup: 0, ..Schema::default() };
    let specs = ["all", "1s"].map(|name| Spec::new(Kind::parse(name.as_bytes()).unwrap()));
    let mut board = Board::new(schema, &specs).unwrap();
    for at in [0, 1_000] {
        let write = Write { at: Some(at), ..Write::new(TimeSource::Client { wall: at, max_future: 0 }) };
        for member in 0..MEMBERS {
            let name = format!("member{member}");
            board.add(&write, Decimal::whole(1), name.as_bytes()).unwrap();
            board.set_meta(name.as_bytes(), b"a text that is too long to be kept in place").unwrap();
        }
    }
    board
}

/// Makes a value as a command does: the timer knows it afterwards. Returns its address.
fn make(board: Board) -> usize {
    let value = Box::leak(Value::boxed::<Server>(board, None));
    value.follow_ends(
        |board| board.last(),
        |value| due::follow(value, || Place { database: None, name: b"key"[..].into() }),
    );
    address(value)
}

#[test]
fn values_are_freed_by_other_threads_while_the_timer_works() {
    let (sender, receiver) = channel::<usize>();
    let server = thread::spawn(move || {
        for value in receiver {
            // The timer begins to work on it.
            thread::sleep(Duration::from_micros(300));
            // SAFETY: `make` has made the value, and its address is sent once.
            unsafe { free::<Board>(with_exposed_provenance_mut::<c_void>(value)) };
        }
    });
    let clocks = [Clock::Event, Clock::Server];
    for (number, clock) in clocks.into_iter().cycle().enumerate().take(VALUES) {
        let value = make(board(clock));
        // Half of the values have had some work when they are freed.
        if number % 4 < 2 {
            assert!(background::serve(null_mut()));
        }
        sender.send(value).unwrap();
        (0..20).for_each(|_| _ = background::serve(null_mut()));
    }
    drop(sender);
    server.join().unwrap();
    assert_eq!(population::<Board>().counts().map(|count| count.load(Relaxed)), [0, 0]);
    assert_eq!(watched::lock().len(), 0);
    assert!(due::next(u64::MAX).is_none());
}
