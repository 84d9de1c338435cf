//! Tests that the server in memory behaves like a real server.

mod shrinking;

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

/// Returns a server with part 1 of 2, which has a member of each half, and its key.
fn with_part() -> (PlainServer, String) {
    let parts = leaderboard_core::parts::Parts::new(2, "PARTS").unwrap();
    let key = String::from_utf8(parts.key(b"game", 1)).unwrap();
    let mut server = PlainServer::default();
    server.settings.clock = 1_700_000_000_000;
    assert_eq!(run(&server, &format!("LB.CREATE {key} PART 1 OF 2 INCARNATION 5")), "+OK\r\n");
    let halves = leaderboard_core::parts::Parts::new(4, "PARTS").unwrap();
    for half in [2, 3] {
        let name = (0..).map(|number| format!("m{number}")).find(|name| halves.of(name.as_bytes()) == half);
        let add = format!("LB.ADD {key} {half} {} ID r{half}", name.unwrap());
        assert!(run(&server, &add).starts_with("*3"));
    }
    (server, key)
}

#[test]
fn a_part_is_split_alike_on_replicas_whose_clocks_differ() {
    let (mut server, old) = with_part();
    let new =
        String::from_utf8(leaderboard_core::parts::Parts::new(4, "PARTS").unwrap().key(b"game", 3)).unwrap();
    assert_eq!(run(&server, &format!("LB.CATALOG {old} SPLIT 5 9 1 2 5000")), "+OK\r\n");
    assert!(run(&server, &format!("LB.ADD {old} 1 m0")).starts_with("-TRYAGAIN "));
    assert!(run(&server, &format!("LB.REM {old} m0")).starts_with("-TRYAGAIN "));
    assert!(run(&server, &format!("LB.SETMETA {old} m0 text")).starts_with("-TRYAGAIN "));
    assert!(run(&server, &format!("LB.PART {old} TOP 5")).starts_with('*'));
    let chunks = server.saved(old.as_bytes()).unwrap();
    for chunk in &chunks {
        server.run(&[b"LB.RESTORE".as_slice(), new.as_bytes(), chunk]);
    }
    for (line, said) in [
        (format!("LB.CATALOG {new} HALVE 5 8 3 4"), "-STALE token"),
        (format!("LB.CATALOG {old} HALVE 5 9 3 4"), "-STALE key"),
        (format!("LB.CATALOG {new} HALVE 5 9 4 4"), "-ERR number is out of range"),
        (format!("LB.CATALOG {new} OPEN 5 9"), "-STALE token"),
        (format!("LB.CATALOG {new} HALVE 5 9 3 4"), "+OK"),
        (format!("LB.CATALOG {new} HALVE 5 9 3 4"), "+OK"),
        (format!("LB.CATALOG {new} DROP 5 TOKEN 8"), "-STALE token"),
        (format!("LB.CATALOG {old} HALVE 5 9 2 4"), "+OK"),
        (format!("LB.CATALOG {new} OPEN 5 9"), "+OK"),
        (format!("LB.CATALOG {new} OPEN 5 9"), "+OK"),
        (format!("LB.CATALOG {new} DROP 5 TOKEN 9"), "-STALE token"),
        (format!("LB.CATALOG {old} SPLIT 5 0 2 4 5"), "-ERR token is out of range"),
        (format!("LB.CATALOG {old} SPLIT 5 7 1 2 5"), "-STALE part"),
        (format!("LB.CATALOG {old} SPLIT 5 7 2 4 600001"), "-ERR ms is out of range"),
    ] {
        assert!(run(&server, &line).starts_with(said), "{line}: {}", run(&server, &line));
    }
    let stream = server.take_stream();
    for clock in [0, 1_900_000_000_000] {
        let mut replica = PlainServer::default();
        replica.settings.clock = clock;
        stream.iter().for_each(|words| _ = replica.apply(words));
        for key in [&old, &new] {
            assert_eq!(replica.saved(key.as_bytes()), server.saved(key.as_bytes()), "{key}");
        }
    }
    server.settings.clock += 1;
    assert!(server.reload().is_empty());
}

#[test]
fn a_root_grows_to_twice_its_parts_only() {
    let server = PlainServer::default();
    run(&server, "LB.CREATE game PARTS 4");
    for (line, said) in [
        ("LB.CATALOG game GROW 0 0 16", "-STALE parts"),
        ("LB.CATALOG game GROW 0 0 5", "-ERR parts must be a power of two"),
        ("LB.CATALOG game GROW 1 0 8", "-STALE incarnation"),
        ("LB.CATALOG game GROW 0 1 8", "-STALE revision"),
        ("LB.CATALOG game GROWN 0 8", "-STALE state"),
        ("LB.CATALOG game GROW 0 0 8", "+OK"),
        ("LB.CATALOG game GROW 0 0 8", "+OK"),
        ("LB.CATALOG game WHOLE 0 0", "-STALE state"),
        ("LB.ALTER game VIEWS +day", "-ERR the board is growing"),
        ("LB.CATALOG game GROWN 0 16", "-STALE state"),
        ("LB.CATALOG game GROWN 0 8", "+OK"),
        ("LB.CATALOG game GROWN 0 8", "+OK"),
        ("LB.ALTER game VIEWS +day", "+OK"),
        ("LB.RESHARD game 8", "-ERR the gateway carries this command out"),
        ("LB.RESHARD game 7", "-ERR parts must be a power of two, 1 to 1024"),
    ] {
        assert!(run(&server, line).starts_with(said), "{line}: {}", run(&server, line));
    }
}

/// Returns a line of `LB.INFO` that gives a field this number.
fn numbered(name: &str, number: u64) -> String {
    format!("${}\r\n{name}\r\n:{number}\r\n", name.len())
}

#[test]
fn rules_are_taken_with_the_right_number_only() {
    let server = PlainServer::default();
    run(&server, "LB.CREATE game PARTS 4 INCARNATION 5 REVISION 3");
    run(&server, "LB.CREATE part PART 1 OF 4 INCARNATION 5 REVISION 3");
    for (line, said, rules) in [
        ("LB.ALTER game DEDUP 60 REVISION 3", "-STALE revision", (3, 600)),
        ("LB.ALTER game DEDUP 60 REVISION 5", "-STALE revision", (3, 600)),
        ("LB.ALTER game DEDUP 60 REVISION 4 REQUEST 9", "+OK", (4, 60)),
        ("LB.ALTER game DEDUP 60 REVISION 4 REQUEST 9", "-STALE revision", (4, 60)),
        ("LB.ALTER game DEDUP 50", "+OK", (5, 50)),
        ("LB.CATALOG game RULES 5 4 DEDUP 70", "-STALE revision", (5, 50)),
        ("LB.CATALOG game RULES 6 8 DEDUP 70", "-STALE incarnation", (5, 50)),
        ("LB.CATALOG game WHOLE 5 4", "-STALE revision", (5, 50)),
        ("LB.CATALOG game WHOLE 5 6", "-STALE revision", (5, 50)),
        ("LB.CATALOG game RULES 5 8 DEDUP 70", "+OK", (8, 70)),
        ("LB.CATALOG game WHOLE 5 8", "+OK", (8, 70)),
        ("LB.CATALOG part RULES 5 2 DEDUP 70", "-STALE revision", (3, 600)),
        ("LB.CATALOG part RULES 6 8 DEDUP 70", "-STALE incarnation", (3, 600)),
        ("LB.CATALOG part RULES 5 8 DEDUP 70", "+OK", (8, 70)),
        ("LB.CATALOG part RULES 5 8 DEDUP 70", "+OK", (8, 70)),
        ("LB.CATALOG part RULES 5 7 DEDUP 60", "-STALE revision", (8, 70)),
    ] {
        let reply = run(&server, line);
        assert!(reply.starts_with(said), "{line}: {reply}");
        let key = line.split(' ').nth(1).unwrap();
        let info = run(&server, &format!("LB.INFO {key}"));
        for (name, number) in [("revision", rules.0), ("dedup", rules.1)] {
            assert!(info.contains(&numbered(name, number)), "{line}: {name} is not {number}");
        }
    }
}
