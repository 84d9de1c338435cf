//! Tests of many clients at the same time, and of clients that request too much.

use std::sync::Barrier;
use std::thread;

use super::door::Door;
use super::shared::shared;
use super::wire::{Reply, Wire, split};
use crate::servers::wait_until;

/// Lets many clients read new boards at the same time. The first client makes the gateway load the board's data, and
/// all clients get correct replies.
#[test]
fn a_board_is_learned_by_many_at_once() {
    const CLIENTS: usize = 12;
    let place = shared();
    let door = Door::of(&place.cluster);
    for board in 0..4 {
        let name = format!("learned-{board}");
        place.door.wire().run(&format!("LB.CREATE {name} PARTS 8"));
        let barrier = Barrier::new(CLIENTS);
        thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (name, door, barrier) = (&name, &door, &barrier);
                scope.spawn(move || {
                    let mut wire = door.wire();
                    barrier.wait();
                    for round in 1..=10 {
                        let reply = wire.run(&format!("LB.ADD {name} 1 c{client}"));
                        assert_eq!(reply.items()[0], Reply::Int(round));
                        assert!(wire.run(&format!("LB.COUNT {name}")).int() > 0);
                        assert!(!wire.run(&format!("LB.TOP {name} 3")).items().is_empty());
                        assert!(wire.run(&format!("LB.RANK {name} c{client}")).int() > 0);
                    }
                });
            }
        });
        assert_eq!(
            *door.wire().run(&format!("LB.STATS {name}")).field("sum"),
            Reply::Int(10 * CLIENTS as i64)
        );
    }
}

#[test]
fn no_more_clients_come_in_than_there_may_be() {
    let place = shared();
    let door = Door::with(&place.cluster, &["--resp-connections", "3"]);
    let mut clients = Vec::new();
    wait_until(|| {
        // The connection that checked whether the door is open may still be counted.
        clients = (0..3).map(|_| door.wire()).collect::<Vec<_>>();
        clients.iter_mut().all(|client| {
            client.raw(b"PING\r\n");
            matches!(client.try_read(), Ok(Reply::Simple(_)))
        })
    });
    let mut another = door.wire();
    another.raw(b"PING\r\n");
    assert!(matches!(another.try_read(), Ok(Reply::Error(_)) | Err(_)));
    assert_eq!(clients[0].say("PING"), Reply::Simple("PONG".to_owned()));
    clients.pop();
    wait_until(|| {
        let mut another = door.wire();
        another.raw(b"PING\r\n");
        matches!(another.try_read(), Ok(Reply::Simple(_)))
    });
}

#[test]
fn requests_that_are_too_large_end_the_connection() {
    let place = shared();
    let long = vec![b'x'; 100 << 10];
    let heads: [&[u8]; 6] = [
        &long,
        b"*1048577\r\n",
        b"*2\r\n$4\r\nECHO\r\n$999999999\r\n",
        b"*-5\r\n",
        b"*1\r\n$-1\r\n",
        b"*x\r\n",
    ];
    for head in heads {
        let mut wire = place.door.wire();
        wire.raw(head);
        // A server may read a negative array length as an empty array.
        if head == b"*-5\r\n" {
            wire.raw(b"*x\r\n");
        }
        let reply = wire.try_read();
        let shown = head[..head.len().min(30)].escape_ascii().to_string();
        assert!(matches!(reply, Ok(Reply::Error(_)) | Err(_)), "{shown}: {reply:?}");
        assert!(wire.try_read().is_err(), "{shown}");
    }
    assert_eq!(place.door.wire().say("PING"), Reply::Simple("PONG".to_owned()));
}

/// Checks that no other client waits for a client that sends commands and does not read the replies.
#[test]
fn who_does_not_read_holds_nobody_up() {
    const ASKED: usize = 2_000;
    let place = shared();
    let mut wire = place.door.wire();
    wire.run("LB.CREATE unread PARTS 4");
    let list: Vec<_> = (0..500).map(|member| format!("{member} member-{member}")).collect();
    wire.run(&format!("LB.MADD unread ID first {}", list.join(" ")));
    let commands: Vec<_> =
        (0..ASKED).map(|number| split(&format!("LB.TOP unread {}", 400 + number % 100))).collect();
    let mut slow = place.door.wire();
    // The buffers between client and gateway can hold all commands, but not all replies.
    slow.send(&commands);
    for _ in 0..20 {
        assert_eq!(wire.run("LB.COUNT unread"), Reply::Int(500));
        assert_eq!(Wire::to(place.door.port).run("LB.TOP unread 1").items().len(), 1);
    }
    for number in 0..ASKED {
        assert_eq!(slow.read().items().len(), 400 + number % 100, "{number}");
    }
}
