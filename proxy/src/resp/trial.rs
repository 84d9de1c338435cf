//! Tests of the door over a connection in memory. The server behind it only sends back the commands that it gets.

use std::sync::{Arc, Mutex};

use redis::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::request::Words;
use super::session::Session;
use super::users::User;
use super::{Shared, Users, connection};
use crate::load::Load;
use crate::nodes::{Credentials, Written};

/// Users with the password `secret` or with no password are accepted.
#[derive(Default)]
struct Echoes {
    batches: Arc<Mutex<Vec<usize>>>,
    load: Load,
}

/// Answers each command with the name of the user and the words of the command.
struct Echo {
    name: String,
    batches: Arc<Mutex<Vec<usize>>>,
}

impl Users for Echoes {
    type User = Echo;

    async fn of(&self, credentials: &Credentials) -> Result<Arc<Echo>, String> {
        if credentials.password.as_ref().is_some_and(|password| password != "secret") {
            return Err("WRONGPASS invalid username-password pair or user is disabled.".to_owned());
        }
        let name = credentials.user.clone().unwrap_or_else(|| "default".to_owned());
        Ok(Arc::new(Echo { name, batches: Arc::clone(&self.batches) }))
    }

    fn load(&self) -> &Load {
        &self.load
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        vec![("gathers", 7)]
    }
}

impl User for Echo {
    async fn execute(&self, batch: Vec<Words>) -> Vec<Value> {
        self.batches.lock().unwrap().push(batch.len());
        let said = |words: &Words| format!("{}: {}", self.name, String::from_utf8_lossy(&words.join(&b' ')));
        batch.iter().map(|words| Value::SimpleString(said(words))).collect()
    }

    async fn wait(&self, _: &Written, wanted: u64, deadline: Instant) -> Result<u64, Value> {
        let left = deadline.saturating_duration_since(Instant::now()).as_millis();
        self.batches.lock().unwrap().push(usize::try_from(left).unwrap());
        Ok(wanted)
    }
}

/// A client and its connection.
struct Trial {
    client: DuplexStream,
    server: JoinHandle<std::io::Result<()>>,
    stopping: CancellationToken,
    batches: Arc<Mutex<Vec<usize>>>,
}

impl Trial {
    fn start(room: usize) -> Self {
        let (client, server) = duplex(room);
        let (users, stopping) = (Echoes::default(), CancellationToken::new());
        let batches = Arc::clone(&users.batches);
        let session = Session::new(Arc::new(Shared::new(users, 10)));
        let server = tokio::spawn(connection::serve(server, session, stopping.clone()));
        Self { client, server, stopping, batches }
    }

    /// Sends the whole text, and reads until the connection ends.
    async fn say(mut self, text: &str) -> String {
        self.client.write_all(text.as_bytes()).await.unwrap();
        self.client.shutdown().await.unwrap();
        let mut replies = String::new();
        self.client.read_to_string(&mut replies).await.unwrap();
        self.server.await.unwrap().unwrap();
        replies
    }
}

async fn replies(text: &str) -> Vec<String> {
    let said = Trial::start(1 << 20).say(text).await;
    said.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn replies_keep_the_order_of_commands() {
    let said = replies("a 1\r\nPING\r\nb\r\nECHO x\r\nc\r\nd\r\nPING y\r\n").await;
    let expected =
        ["+default: a 1", "+PONG", "+default: b", "$1", "x", "+default: c", "+default: d", "$1", "y"];
    assert_eq!(said, expected);
}

#[tokio::test]
async fn commands_that_are_there_go_together() {
    let trial = Trial::start(1 << 20);
    let batches = Arc::clone(&trial.batches);
    let said = trial.say(&"a\r\n".repeat(3_000)).await;
    assert_eq!(said.lines().count(), 3_000);
    let batches = batches.lock().unwrap().clone();
    assert_eq!(batches.iter().sum::<usize>(), 3_000);
    assert!(batches.iter().all(|&size| size <= 1_024) && batches.contains(&1_024), "{batches:?}");
}

#[tokio::test]
async fn a_client_becomes_another_user_between_two_commands() {
    let said =
        replies("a\r\nAUTH ann secret\r\nb\r\nAUTH bob wrong\r\nc\r\nAUTH secret\r\nd\r\nRESET\r\ne\r\n")
            .await;
    let wrong = "-WRONGPASS invalid username-password pair or user is disabled.";
    let expected =
        ["+default: a", "+OK", "+ann: b", wrong, "+ann: c", "+OK", "+default: d", "+RESET", "+default: e"];
    assert_eq!(said, expected);
}

#[tokio::test]
async fn hello_changes_all_or_nothing() {
    let said = replies("HELLO 3 AUTH ann secret SETNAME me\r\nCLIENT GETNAME\r\na\r\nHELLO 2\r\n").await;
    assert_eq!(&said[..5], ["%7", "$6", "server", "$11", "leaderboard"]);
    assert_eq!(said.iter().filter(|line| *line == "proto").count(), 2, "{said:?}");
    let at = said.iter().position(|line| line == "me").unwrap();
    assert_eq!(&said[at..at + 3], ["me", "+ann: a", "*14"]);
    for (command, expected) in [
        (
            "HELLO 3 AUTH ann wrong SETNAME me",
            "-WRONGPASS invalid username-password pair or user is disabled.",
        ),
        (
            "HELLO 3 AUTH ann secret SETNAME \"a b\"",
            "-ERR Client names cannot contain spaces, newlines or special characters.",
        ),
        ("HELLO 3 SHOE 5", "-ERR Syntax error in HELLO option 'SHOE'"),
        ("HELLO 4", "-NOPROTO unsupported protocol version"),
        ("HELLO x", "-ERR Protocol version is not an integer or out of range"),
    ] {
        let said = replies(&format!("{command}\r\nCLIENT GETNAME\r\na\r\n")).await;
        assert_eq!(said, [expected, "$-1", "+default: a"], "{command}");
    }
}

#[tokio::test]
async fn errors_are_worded_as_servers_word_them() {
    for (command, expected) in [
        ("echo", "-ERR wrong number of arguments for 'echo' command"),
        ("PING a b", "-ERR wrong number of arguments for 'ping' command"),
        ("AUTH", "-ERR wrong number of arguments for 'auth' command"),
        ("AUTH a b c", "-ERR syntax error"),
        ("SELECT", "-ERR wrong number of arguments for 'select' command"),
        ("SELECT 1", "-ERR DB index is out of range"),
        ("SELECT x", "-ERR value is not an integer or out of range"),
        ("CLIENT", "-ERR wrong number of arguments for 'client' command"),
        ("CLIENT ID 5", "-ERR wrong number of arguments for 'client|id' command"),
        ("CLIENT SETINFO a", "-ERR wrong number of arguments for 'client|setinfo' command"),
        ("CLIENT TRACKING ON", "-ERR CLIENT TRACKING does not work through the gateway"),
        ("CLIENT REPLY OFF", "-ERR CLIENT REPLY does not work through the gateway"),
        ("CONFIG SET a b", "-ERR CONFIG SET does not work through the gateway"),
    ] {
        assert_eq!(replies(&format!("{command}\r\nPING\r\n")).await, [expected, "+PONG"], "{command}");
    }
}

#[tokio::test]
async fn what_clients_say_at_their_start_is_answered() {
    for (command, expected) in [
        ("SELECT 0", "+OK"),
        ("CLIENT SETINFO LIB-NAME x", "+OK"),
        ("CLIENT SETNAME me", "+OK"),
        ("CLIENT NO-EVICT ON", "+OK"),
        ("CLIENT REPLY ON", "+OK"),
        ("CLIENT ID", ":1"),
        ("CONFIG GET save", "*0"),
    ] {
        assert_eq!(replies(&format!("{command}\r\n")).await, [expected], "{command}");
    }
    let told = replies("INFO\r\n").await.join("\n");
    for line in ["connected_clients:", "total_commands_processed:1", "gathers:7"] {
        assert!(told.contains(line), "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_waits_for_replicas_behind_its_writes() {
    let trial = Trial::start(1 << 20);
    let batches = Arc::clone(&trial.batches);
    let said = trial.say("a\r\nb\r\nWAIT 2 500\r\nwait 0 0\r\nWAIT 1 99999999999\r\nc\r\n").await;
    let expected = ["+default: a", "+default: b", ":2", ":0", ":1", "+default: c"];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert_eq!(*batches.lock().unwrap(), [2, 500, 60_000, 60_000, 1], "0 is the longest time");
    for (command, expected) in [
        ("WAIT 1", "-ERR wrong number of arguments for 'wait' command"),
        ("WAIT -1 5", "-ERR numreplicas is out of range"),
        ("WAIT 1 x", "-ERR timeout is not a whole number"),
    ] {
        assert_eq!(replies(&format!("{command}\r\nPING\r\n")).await, [expected, "+PONG"], "{command}");
    }
}

#[tokio::test]
async fn the_connection_ends_with_the_last_reply() {
    assert_eq!(replies("a\r\nQUIT\r\nb\r\n").await, ["+default: a", "+OK"]);
    assert_eq!(
        replies("a\r\n*x\r\nb\r\n").await,
        ["+default: a", "-ERR Protocol error: invalid multibulk length"]
    );
    assert_eq!(
        replies("MULTI\r\nb\r\nEXEC\r\n").await,
        ["-ERR MULTI does not work through the gateway, which ends the connection"]
    );
    assert_eq!(replies("POST / HTTP/1.1\r\nHost: a\r\n\r\nb\r\n").await, ["-ERR this is no HTTP server"]);
    assert_eq!(replies("*1\r\n$4\r\nPI").await, Vec::<String>::new());
}

/// Tests a client that does not read its replies. The clock moves forward automatically when all tasks wait.
#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_not_read() {
    let mut trial = Trial::start(64);
    let mut sent = 0_u32;
    // The client does not read its replies. The gateway reads a little of what is sent, and then stops reading.
    let sending = async {
        loop {
            trial.client.write_all(b"a\r\n").await.unwrap();
            sent += 1;
        }
    };
    assert!(tokio::time::timeout(std::time::Duration::from_millis(200), sending).await.is_err());
    assert!(sent < 10_000, "{sent}");
}

#[tokio::test]
async fn the_end_of_the_gateway_comes_behind_the_commands_that_were_read() {
    let mut trial = Trial::start(1 << 20);
    trial.client.write_all(b"a\r\n*1\r\n$4\r\nPI").await.unwrap();
    let mut reply = [0; 13];
    trial.client.read_exact(&mut reply).await.unwrap();
    trial.stopping.cancel();
    let mut rest = Vec::new();
    trial.client.read_to_end(&mut rest).await.unwrap();
    assert!(rest.is_empty() && trial.server.await.unwrap().is_ok(), "{}", rest.escape_ascii());
}
