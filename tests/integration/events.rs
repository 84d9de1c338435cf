//! Tests of keyspace notifications: one event for every change, and none for a command that changes nothing.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, run, wait_until};
use redis::{Connection, FromRedisValue, Value};

/// Receives all events of every database.
pub struct Events {
    listener: Connection,
}

impl Events {
    pub fn of(server: &Server, classes: &str) -> Events {
        run(&mut server.connection(), &["CONFIG", "SET", "notify-keyspace-events", classes]);
        let mut listener = server.connection();
        let subscribe = redis::cmd("PSUBSCRIBE").arg("__keyevent@*__:*").arg("end").get_packed_command();
        listener.send_packed_command(&subscribe).expect("a subscription");
        for _ in 0..2 {
            listener.recv_response().expect("its confirmation");
        }
        Events { listener }
    }

    /// Returns the events since the last call, each with its key, and with the database if it is not the first one.
    pub fn take(&mut self, con: &mut Connection) -> Vec<String> {
        run(con, &["PUBLISH", "end", ""]);
        let mut events = Vec::new();
        loop {
            let message = self.listener.recv_response().expect("an event");
            let words: [String; 4] = <[String; 4]>::from_redis_value_ref(&message).expect("four words");
            let Some(event) = words[2].strip_prefix("__keyevent@") else { return events };
            let (database, event) = event.split_once("__:").expect("a database and an event");
            let place = if database == "0" { String::new() } else { format!(" in {database}") };
            events.push(format!("{event} {}{place}", words[3]));
        }
    }

    /// Waits until an event of each kind has come. Returns all events until then.
    #[track_caller]
    pub fn wait_for(&mut self, con: &mut Connection, expected: &[&str]) -> Vec<String> {
        let mut events = Vec::new();
        wait_until(|| {
            events.extend(self.take(con));
            expected.iter().all(|event| events.iter().any(|seen| seen == event))
        });
        events
    }

    #[track_caller]
    pub fn expect(&mut self, con: &mut Connection, table: &[(&str, &[&str])]) {
        for (line, expected) in table {
            say(con, line);
            assert_eq!(self.take(con), *expected, "{line}");
        }
    }
}

#[test]
fn other_classes_do_not_have_them() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        Events::of(&server, "Eg$lshzxet")
            .expect(&mut con, &[("LB.ADD board 5 ann", &[]), ("DEL board", &["del board"])]);
    }
}

#[test]
fn commands_of_the_server_on_a_board_have_their_own_events() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.ADD board 5 ann");
    Events::of(&server, "EA").expect(
        &mut con,
        &[
            ("COPY board copy", &["copy_to copy"]),
            ("RENAME copy other", &["rename_from copy", "rename_to other"]),
            ("EXPIRE other 100", &["expire other"]),
            ("DEL other", &["del other"]),
        ],
    );
}

#[test]
fn events_of_a_transaction_and_a_script_come_one_by_one() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut events = Events::of(&server, "EA");
    play(
        &mut con,
        "MULTI
         LB.ADD board 5 ann ID one
         LB.ADD board 5 ann ID one
         LB.REM board ann
         EXEC => [[5 1 1] [5 1 0] 1]",
    );
    assert_eq!(events.take(&mut con), ["lb.add board", "lb.rem board"]);
    let script =
        "redis.call('LB.ADD', KEYS[1], 5, 'ann') return redis.call('LB.SET', KEYS[1], 4, 'ann', 'GT')";
    let reply: Value = run(&mut con, &["EVAL", script, "1", "board"]);
    assert_eq!(reply, Value::Array(vec![Value::Int(5), Value::Int(1), Value::Int(0)]));
    assert_eq!(events.take(&mut con), ["lb.add board"]);
}
