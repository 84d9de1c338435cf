//! Tests of clients that do not read their replies, over connections in memory.

#![allow(clippy::arithmetic_side_effects, reason = "a test that fails ought to panic")]

use std::sync::Arc;
use std::time::Duration;

use redis::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::connection::STALLED;
use super::request::Words;
use super::session::Session;
use super::users::User;
use super::{Shared, Users, connection};
use crate::load::{Limits, Load, Ticket};
use crate::nodes::{Credentials, Written};

/// The number of bytes of a page of 100,000 rows.
const PAGE: usize = 3 << 20;

/// Users whose servers answer each command with a page, if the command names a number of rows, or with the number of
/// gathers that have entered the gate.
struct Pages {
    load: Arc<Load>,
}

struct Page {
    load: Arc<Load>,
}

impl Users for Pages {
    type User = Page;

    async fn of(&self, _: &Credentials) -> Result<Arc<Page>, String> {
        Ok(Arc::new(Page { load: Arc::clone(&self.load) }))
    }

    fn load(&self) -> &Load {
        &self.load
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

impl User for Page {
    async fn execute(&self, batch: Vec<Words>) -> Vec<Value> {
        let mut replies = Vec::new();
        for words in batch {
            let ticket = Ticket {
                parts: 8,
                came: Instant::now(),
                timeout: Duration::from_secs(1),
                is_droppable: true,
            };
            let place = self.load.gate.enter(ticket).await;
            sleep(Duration::from_millis(1)).await;
            let size = if words[0] == b"LB.TOP" { PAGE } else { 10 };
            replies.push(match place {
                Ok(_) => Value::BulkString(vec![b'x'; size]),
                Err(_) => Value::SimpleString("no place".to_owned()),
            });
        }
        replies
    }

    async fn wait(&self, _: &Written, wanted: u64, _: Instant) -> Result<u64, Value> {
        Ok(wanted)
    }
}

struct Trial {
    client: DuplexStream,
    server: JoinHandle<std::io::Result<()>>,
}

/// Connects a client. The connection has room for 64 bytes.
fn connect(shared: &Arc<Shared<Pages>>) -> Trial {
    let (client, server) = duplex(64);
    let session = Session::new(Arc::clone(shared));
    let server = tokio::spawn(connection::serve(server, session, CancellationToken::new()));
    Trial { client, server }
}

fn shared(limits: Limits) -> Arc<Shared<Pages>> {
    Arc::new(Shared::new(Pages { load: Arc::new(Load::new(limits)) }, 1_000))
}

#[tokio::test(start_paused = true)]
async fn clients_that_do_not_read_leave_the_memory_bounded() {
    let limits = Limits { reply: 32 << 20, replies: 64 << 20, ..Limits::default() };
    let shared = shared(limits);
    let mut trials = Vec::new();
    for _ in 0..30 {
        let mut trial = connect(&shared);
        trial.client.write_all(b"LB.TOP b 100000\r\nLB.TOP b 100000\r\n").await.unwrap();
        trials.push(trial);
    }
    // Each reply is at most 32 MiB before it is there. So two are asked for at once, and then the replies that nobody
    // reads leave no room.
    let replies = &shared.users.load.replies;
    for _ in 0..40 {
        sleep(Duration::from_millis(500)).await;
        assert!(replies.unread() <= limits.replies as u64, "{} bytes", replies.unread());
    }
    let unread = replies.unread();
    assert!(unread > 2 * PAGE as u64 && unread < 16 * PAGE as u64, "{unread} bytes");
    sleep(STALLED).await;
    assert_eq!(replies.unread(), 0);
    assert!(trials.iter().all(|trial| trial.server.is_finished()), "all are disconnected");
    assert_eq!(replies.stalled.load(std::sync::atomic::Ordering::Relaxed), 30);
    // A client that reads gets its page.
    let mut trial = connect(&shared);
    trial.client.write_all(b"LB.TOP b 100000\r\nQUIT\r\n").await.unwrap();
    let mut reply = Vec::new();
    trial.client.read_to_end(&mut reply).await.unwrap();
    assert_eq!(reply.len(), format!("${PAGE}\r\n").len() + PAGE + 2 + 5);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_slowly_stays() {
    let shared = shared(Limits::default());
    let mut trial = connect(&shared);
    trial.client.write_all(b"ECHO aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\nECHO bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n").await.unwrap();
    for _ in 0..10 {
        sleep(STALLED / 2).await;
        assert!(trial.client.read_u8().await.is_ok());
    }
    assert!(!trial.server.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_too_large_is_an_error_in_its_place() {
    let shared = shared(Limits { reply: PAGE, ..Limits::default() });
    let mut trial = connect(&shared);
    trial.client.write_all(b"a\r\nLB.TOP b 5\r\na\r\nQUIT\r\n").await.unwrap();
    let mut replies = String::new();
    trial.client.read_to_string(&mut replies).await.unwrap();
    let small = "$10\r\nxxxxxxxxxx\r\n";
    let length = PAGE + format!("${PAGE}\r\n").len() + 2;
    let error = format!("-ERR the reply has {length} bytes, and --reply-mb allows {PAGE}\r\n");
    assert_eq!(replies, format!("{small}{error}{small}+OK\r\n"));
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_ends_the_connection() {
    let shared = shared(Limits { replies: PAGE, ..Limits::default() });
    let mut trial = connect(&shared);
    // The size of this reply is not known before it is there.
    trial.client.write_all(b"LB.TOP b 5\r\nLB.TOP b 6\r\n").await.unwrap();
    let mut replies = Vec::new();
    trial.client.read_to_end(&mut replies).await.unwrap();
    assert!(replies.is_empty() && trial.server.await.unwrap().is_err());
    let replies = &shared.users.load.replies;
    assert_eq!((replies.unread(), replies.overflowed.load(std::sync::atomic::Ordering::Relaxed)), (0, 1));
}

/// The place of a client that disconnects while it waits is for the others.
#[tokio::test(start_paused = true)]
async fn a_client_that_disconnects_leaves_the_queue() {
    let shared = shared(Limits { places: 8, ..Limits::default() });
    let gate = &shared.users.load.gate;
    let ticket =
        Ticket { parts: 8, came: Instant::now(), timeout: Duration::from_secs(1), is_droppable: true };
    let place = gate.enter(ticket).await;
    let (mut gone, mut stays) = (connect(&shared), connect(&shared));
    gone.client.write_all(b"a\r\n").await.unwrap();
    stays.client.write_all(b"a\r\n").await.unwrap();
    sleep(Duration::from_millis(10)).await;
    assert_eq!(gate.waiting(), 2);
    // What a client sends while its command waits is not lost.
    stays.client.write_all(b"PING\r\nQUIT\r\n").await.unwrap();
    drop(gone.client);
    sleep(Duration::from_millis(10)).await;
    assert_eq!((gate.waiting(), gone.server.is_finished()), (1, true));
    drop(place);
    let mut replies = String::new();
    stays.client.read_to_string(&mut replies).await.unwrap();
    assert_eq!(replies, "$10\r\nxxxxxxxxxx\r\n+PONG\r\n+OK\r\n");
}
