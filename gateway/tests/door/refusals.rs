//! Tests of the servers' users, and of the commands that are refused.

use super::Door;
use crate::servers::{err, query, run};
use crate::setup::say;

#[test]
fn passwords_are_those_of_the_server() {
    let door = Door::start();
    say(&door.server, "ACL SETUSER ann on >secret ~game +@all");
    let wrong = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
    assert_eq!(door.say("AUTH ann wrong\r\n"), wrong);
    assert_eq!(door.say("AUTH nobody secret\r\nPING\r\n"), format!("{wrong}+PONG\r\n"));
    assert_eq!(door.say("HELLO 3 AUTH ann wrong\r\nPING\r\n"), format!("{wrong}+PONG\r\n"));
    assert_eq!(door.say("AUTH ann secret\r\nSET game 1\r\n"), "+OK\r\n+OK\r\n");
    assert!(door.say("AUTH ann secret\r\nSET other 1\r\n").starts_with("+OK\r\n-NOPERM "));
    // Each connection has only the rights of the user that it names.
    let (mut ann, mut con) = (door.connection_of("redis", ""), door.connection());
    run(&mut ann, &["AUTH", "ann", "secret"]);
    err(&mut ann, &["AUTH", "ann", "wrong"]);
    assert_eq!(query::<i64, _>(&mut con, &["EXISTS", "other"]), 0);
    assert!(err(&mut ann, &["EXISTS", "other"]).starts_with("NOPERM "));
    run(&mut ann, &["RESET"]);
    assert_eq!(query::<i64, _>(&mut ann, &["EXISTS", "other"]), 0);
}

#[test]
fn a_server_that_wants_a_password_wants_it_here() {
    let door = Door::start();
    let mut direct = door.server.connection();
    run(&mut direct, &["CONFIG", "SET", "requirepass", "secret"]);
    assert!(door.say("LB.TOP game 10\r\n").starts_with("-NOAUTH "), "{}", door.say("LB.TOP game 10\r\n"));
    assert_eq!(door.say("AUTH secret\r\nLB.COUNT game\r\n"), "+OK\r\n:0\r\n");
    assert!(door.say("AUTH wrong\r\nLB.COUNT game\r\n").starts_with("-WRONGPASS "));
}

#[test]
fn a_server_that_is_gone_is_told() {
    let mut door = Door::start();
    let mut con = door.connection();
    run(&mut con, &["LB.ADD", "game", "5", "ann"]);
    door.server.shutdown("SAVE");
    err(&mut con, &["LB.SCORE", "game", "ann"]);
    assert_eq!(query::<String, _>(&mut con, &["PING"]), "PONG");
    door.server.start_again();
    crate::servers::wait_until(|| door.say("LB.SCORE game ann\r\n") == ":5\r\n");
}
