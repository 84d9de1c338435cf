//! Panics in commands: before a change, between a change and its replication, and in a reply.

use leaderboard_testkit::session::{play, say, shown, words};
use leaderboard_testkit::{Flavor, Server, digest, run, wait_for_sync};

use super::{FAILED, Failing};

/// A script that restores a key from its own bytes: see docs/operations.md.
const RESTORE: &str = "return redis.call('RESTORE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), 0), \
     redis.call('DUMP', KEYS[1]), 'REPLACE')";

#[test]
fn a_command_that_fails_before_it_does_anything_can_be_repeated() {
    Failing::each(|failing, con| {
        play(con, "LB.ADD board 5 ann");
        let before = digest(con, "board");
        let add = "LB.ADD board 5 ann ID request";
        failing.failing("a command", || assert_eq!(say(con, add), FAILED));
        assert_eq!(digest(con, "board"), before);
        play(con, &format!("{add} => [10 1 1]\n{add} => [10 1 0]"));
    });
}

#[test]
fn a_call_whose_keys_cannot_be_found_runs_nothing() {
    Failing::each(|failing, con| {
        let create = "LB.CREATE board LIKE small";
        failing.failing("the search for keys", || {
            let keys = say(con, &format!("COMMAND GETKEYS {create}"));
            assert!(keys.contains("ERR"), "{keys}");
        });
        play(con, &format!("EXISTS board => 0\nCOMMAND GETKEYS {create} => [\"board\" \"small\"]"));
    });
}

/// Also checks that the next reply is the one of the next command.
#[test]
fn a_reply_that_fails_is_completed() {
    Failing::each(|failing, con| {
        play(con, "LB.MADD board 5 ann 4 bob 3 eve");
        let table = [
            ("a part of a reply", "LB.TOP board 2", format!("[[1 {FAILED} nil] nil]")),
            ("a part of a reply", "LB.ADD board 1 ann", format!("[6 {FAILED} nil]")),
            ("a whole reply", "LB.CREATE other", "OK".to_owned()),
        ];
        for (point, line, expected) in table {
            let replies = failing.failing_in(point, "a command", || {
                let mut packed = redis::Cmd::new();
                words(line).iter().for_each(|word| _ = packed.arg(word));
                let both = [packed.get_packed_command(), redis::cmd("ECHO").arg("next").get_packed_command()];
                con.send_packed_command(&both.concat()).unwrap();
                [con.recv_response().unwrap(), con.recv_response().unwrap()]
            });
            let [reply, next] = replies.map(|reply| shown(&Ok(reply)));
            assert_eq!((reply, next.as_str()), (expected, "\"next\""), "{line}");
        }
    });
}

/// A server reads beyond the end of a reply to a script if parts are missing.
#[test]
fn a_reply_to_a_script_is_completed() {
    Failing::each(|failing, con| {
        play(con, "LB.MADD board 5 ann 4 bob 3 eve");
        let script = "EVAL return{cjson.encode(redis.call('LB.TOP','board',2)),'end'} 0";
        let reply = failing.failing_in("a part of a reply", "a command", || say(con, script));
        let flavor = failing.server.flavor();
        let is_whole = match flavor {
            // A script of Valkey fails if a part of a reply is an error.
            Flavor::Valkey91 => reply.starts_with("ERR "),
            _ => reply.starts_with(r#"["[[1,{"#) && reply.ends_with(r#"},false],false]" "end"]"#),
        };
        assert!(is_whole, "{flavor:?}: {reply}");
    });
}

/// A write that fails after its change and before it is sent: this server has it, replicas and the append-only file do not.
#[test]
fn a_write_that_is_not_sent_is_mended_by_restoring_the_key() {
    for flavor in Flavor::all() {
        let failing = Failing::start(Failing::builder(flavor).arg("appendonly", "yes"));
        let (server, replica) = (&failing.server, Server::start(flavor));
        replica.replica_of(server);
        let (mut con, mut other) = (server.connection(), replica.connection());
        play(&mut con, "LB.ADD board 5 ann");
        wait_for_sync(server, &replica);
        failing.failing_in("replication", "a command", || {
            assert_eq!(say(&mut con, "LB.ADD board 5 ann ID request"), FAILED);
        });
        wait_for_sync(server, &replica);
        assert_ne!(digest(&mut con, "board"), digest(&mut other, "board"), "{flavor:?}");
        run(&mut con, &["EVAL", RESTORE, "1", "board"]);
        wait_for_sync(server, &replica);
        let whole = digest(&mut con, "board");
        assert_eq!(digest(&mut other, "board"), whole, "{flavor:?}");
        let mut server = failing.server;
        server.restart_nosave();
        let mut con = server.connection();
        assert_eq!(digest(&mut con, "board"), whole, "{flavor:?}");
        play(&mut con, "LB.ADD board 5 ann ID request => [10 1 0]");
    }
}

#[test]
fn a_write_that_fails_after_it_was_sent_is_everywhere() {
    for flavor in Flavor::all() {
        let failing = Failing::start(Failing::builder(flavor));
        let (server, replica) = (&failing.server, Server::start(flavor));
        replica.replica_of(server);
        let mut con = server.connection();
        let add = "LB.ADD board 5 ann ID request";
        failing.failing_in("an event", "a command", || assert_eq!(say(&mut con, add), FAILED));
        wait_for_sync(server, &replica);
        assert_eq!(digest(&mut replica.connection(), "board"), digest(&mut con, "board"), "{flavor:?}");
        play(&mut con, &format!("{add} => [5 1 0]"));
    }
}
