//! Tests that the server in memory behaves like a real server.

use super::{PlainServer, Protocol};

fn run(server: &PlainServer, command: &str) -> String {
    String::from_utf8_lossy(&server.run(&command.split(' ').collect::<Vec<_>>())).into_owned()
}

#[test]
fn whole_commands_give_replies_events_and_a_stream() {
    let mut server = PlainServer::default();
    server.settings.clock = 1_700_000_000_000;
    assert_eq!(run(&server, "LB.ADD b 5 ann"), "*3\r\n:5\r\n:1\r\n:1\r\n");
    assert_eq!(run(&server, "lb.add b 7 bob"), "*3\r\n:7\r\n:1\r\n:1\r\n");
    assert_eq!(run(&server, "LB.RANK b ann"), ":2\r\n");
    assert_eq!(run(&server, "LB.RANK b"), "-ERR wrong number of arguments for 'lb.rank' command\r\n");
    assert_eq!(run(&server, "LB.ADD b x ann"), "-ERR points is not a decimal number\r\n");
    let stream = server.take_stream();
    assert_eq!(stream.len(), 2);
    assert_eq!(stream[1].join(&b' '), b"LB.ADD b 7 bob AT 1700000000000");
    assert_eq!(server.take_events(), vec![("lb.add".to_owned(), b"b".to_vec()); 2]);
    let replica = PlainServer::default();
    stream.iter().for_each(|words| _ = replica.apply(words));
    assert_eq!(replica.saved(b"b"), server.saved(b"b"));
    assert!(server.reload().is_empty());
    assert_eq!(replica.saved(b"b"), server.saved(b"b"));
}

#[test]
fn replies_follow_the_protocol() {
    let mut server = PlainServer::default();
    assert_eq!(run(&server, "LB.SCORE b ann"), "$-1\r\n");
    assert!(run(&server, "LB.STATS b").starts_with("$-1"));
    run(&server, "LB.ADD b 5 ann");
    assert!(run(&server, "LB.STATS b").starts_with("*12\r\n"));
    server.settings.protocol = Protocol::Resp3;
    assert_eq!(run(&server, "LB.SCORE b bob"), "_\r\n");
    assert!(run(&server, "LB.STATS b").starts_with("%6\r\n"));
}

#[test]
fn sorted_sets_come_in_and_go_out() {
    let server = PlainServer::default();
    run(&server, "ZADD z 1 ann 3 bob 2 eve");
    assert_eq!(run(&server, "LB.IMPORT b z"), ":3\r\n");
    assert_eq!(run(&server, "LB.RANK b bob"), ":1\r\n");
    assert_eq!(run(&server, "LB.EXPORT out b"), ":3\r\n");
    assert_eq!(run(&server, "LB.IMPORT c out"), ":3\r\n");
    assert!(run(&server, "LB.ADD z 1 ann").starts_with("-WRONGTYPE"));
    assert_eq!(server.keys(), [b"b", b"c", b"out" as &[u8], b"z"].map(<[u8]>::to_vec));
}
