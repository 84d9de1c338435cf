//! Parts that are merged, and a root that becomes a plain board.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "numbers of a test")]

use leaderboard_core::parts::Parts;

use super::run;
use crate::plain::PlainServer;

const NOW: u64 = 1_700_000_000_000;

fn key(of: u16, number: u16) -> String {
    String::from_utf8(Parts::new(of, "PARTS").unwrap().key(b"game", number)).unwrap()
}

/// Returns a server with two neighbouring parts, which have a member each, and a root. An attempt holds the parts.
fn with_parts(of: u16, first: u16) -> (PlainServer, [String; 2]) {
    let mut server = PlainServer::default();
    server.settings.clock = NOW;
    assert_eq!(run(&server, &format!("LB.CREATE game PARTS {of} INCARNATION 5")), "+OK\r\n");
    assert_eq!(run(&server, "LB.CATALOG game WHOLE 5 0"), "+OK\r\n");
    let keys = [first, first + 1].map(|number| {
        let key = key(of, number);
        assert_eq!(run(&server, &format!("LB.CREATE {key} PART {number} OF {of} INCARNATION 5")), "+OK\r\n");
        let parts = Parts::new(of, "PARTS").unwrap();
        let is_own = |name: &String| parts.of(name.as_bytes()) == number;
        let name = (0..).map(|number| format!("m{number}")).find(is_own).unwrap();
        let add = format!("LB.ADD {key} {number} {name} ID r{number}");
        assert!(run(&server, &add).starts_with("*3"));
        assert_eq!(run(&server, &format!("LB.CATALOG {key} SPLIT 5 9 {number} {of} 5000")), "+OK\r\n");
        key
    });
    (server, keys)
}

/// Returns what a part has, as bytes.
fn saved(server: &PlainServer, key: &str) -> Vec<u8> {
    let reply = server.run(&["LB.CATALOG", key, "SAVED", "5", "9"]);
    let end = reply.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    assert_eq!(reply[..end], *format!("${}\r\n", reply.len() - end - 2).as_bytes());
    reply[end..reply.len() - 2].to_vec()
}

/// Carries out a command whose last words are values. Checks the begin of the reply.
fn with_values(server: &PlainServer, line: &str, values: &[&[u8]], said: &str) {
    let words: Vec<_> = line.split(' ').map(str::as_bytes).chain(values.iter().copied()).collect();
    let reply = String::from_utf8_lossy(&server.run(&words)).into_owned();
    assert!(reply.starts_with(said), "{line}: {reply}");
}

/// Checks that a server that applies the stream, and one that loads the keys, have the same.
fn check_copies(server: &mut PlainServer) {
    let stream = server.take_stream();
    for clock in [0, 1_900_000_000_000] {
        let mut replica = PlainServer::default();
        replica.settings.clock = clock;
        stream.iter().for_each(|words| _ = replica.apply(words));
        assert_eq!(replica.keys(), server.keys());
        for key in server.keys() {
            assert_eq!(replica.saved(&key), server.saved(&key));
        }
    }
    server.settings.clock += 1;
    assert!(server.reload().is_empty());
}

#[test]
fn two_parts_are_merged_alike_on_replicas_whose_clocks_differ() {
    let (mut server, [low, high]) = with_parts(4, 2);
    let bytes = saved(&server, &high);
    for (line, said) in [
        (format!("LB.CATALOG {high} SAVED 5 8"), "-STALE token"),
        (format!("LB.CATALOG {high} SAVED 4 9"), "-STALE incarnation"),
        ("LB.CATALOG game SAVED 5 9".to_owned(), "-NOPART"),
        ("LB.CATALOG absent SAVED 5 9".to_owned(), "-NOBOARD"),
        (format!("LB.CATALOG {high} GIVE 5 8"), "-STALE token"),
        (format!("LB.CATALOG {high} GIVE 5 9"), "+OK"),
        (format!("LB.CATALOG {high} GIVE 5 9"), "+OK"),
        (format!("LB.CATALOG {high} SPLIT 5 9 3 4 5000"), "-STALE token"),
        (format!("LB.ADD {high} 1 m0"), "-TRYAGAIN"),
    ] {
        assert!(run(&server, &line).starts_with(said), "{line}: {}", run(&server, &line));
    }
    assert_ne!(saved(&server, &high), bytes, "the hold is saved, too");
    let merge = format!("LB.CATALOG {low} MERGE 5 9 2 4");
    with_values(&server, &merge, &[], "-ERR wrong number of arguments");
    with_values(&server, &merge, &[b"text"], "-ERR");
    with_values(&server, &merge, &[&bytes, b"more"], "-ERR");
    with_values(&server, &format!("LB.CATALOG {low} MERGE 5 8 2 4"), &[&bytes], "-STALE token");
    with_values(&server, &format!("LB.CATALOG {low} MERGE 4 9 2 4"), &[&bytes], "-STALE incarnation");
    with_values(&server, &format!("LB.CATALOG {low} MERGE 5 9 3 4"), &[&bytes], "-STALE key");
    with_values(&server, &format!("LB.CATALOG {high} MERGE 5 9 3 4"), &[&bytes], "-STALE");
    with_values(&server, &merge, &[&bytes], "+OK");
    with_values(&server, &merge, &[&bytes], "+OK");
    assert!(run(&server, &format!("LB.PART {low} TOP 5")).starts_with("*"));
    for number in [2, 3] {
        let name = (0..)
            .map(|number| format!("m{number}"))
            .find(|name| Parts::new(4, "PARTS").unwrap().of(name.as_bytes()) == number);
        let add = format!("LB.ADD {low} {number} {} ID r{number}", name.unwrap());
        assert_eq!(run(&server, &add), format!("*3\r\n:{number}\r\n:{}\r\n:0\r\n", 4 - number));
    }
    assert_eq!(run(&server, &format!("LB.CATALOG {high} DROP 5 TOKEN 9")), ":1\r\n");
    check_copies(&mut server);
}

#[test]
fn a_root_of_two_parts_becomes_a_plain_board() {
    let (mut server, [low, high]) = with_parts(2, 0);
    let values = [saved(&server, &low), saved(&server, &high)];
    let [one, other] = [&values[0][..], &values[1][..]];
    for (line, said) in [
        ("LB.CATALOG game HOLD 5 9 5000", "-STALE state"),
        ("LB.CATALOG game SHRINK 5 0 2", "-STALE parts"),
        ("LB.CATALOG game SHRINK 5 0 3", "-ERR parts must be a power of two, 1 to 1024"),
        ("LB.CATALOG game SHRINK 5 1 1", "-STALE revision"),
        ("LB.CATALOG game SHRINK 5 0 1", "+OK"),
        ("LB.CATALOG game SHRINK 5 0 1", "+OK"),
        ("LB.ALTER game VIEWS +day", "-ERR the board is shrinking: repeat LB.RESHARD, then alter it"),
        ("LB.CATALOG game WHOLE 5 0", "-STALE state"),
    ] {
        assert!(run(&server, line).starts_with(said), "{line}: {}", run(&server, line));
    }
    let plain = "LB.CATALOG game PLAIN 5 9";
    with_values(&server, plain, &[one, other], "-STALE token");
    assert_eq!(run(&server, "LB.CATALOG game HOLD 5 9 5000"), "+OK\r\n");
    assert!(run(&server, "LB.CATALOG game HOLD 5 8 5000").starts_with("-STALE token"));
    with_values(&server, plain, &[one], "-ERR wrong number of arguments");
    with_values(&server, plain, &[other, one], "-STALE part");
    with_values(&server, plain, &[one, other], "+OK");
    with_values(&server, plain, &[one, other], "+OK");
    for key in [low, high] {
        assert_eq!(run(&server, &format!("LB.CATALOG {key} DROP 5 TOKEN 9")), ":1\r\n");
    }
    assert_eq!(run(&server, "LB.COUNT game"), ":2\r\n");
    assert!(run(&server, "LB.ADD game 1 new").starts_with("*3\r\n:1\r\n:2\r\n"));
    check_copies(&mut server);
}

#[test]
fn a_root_shrinks_to_half_of_its_parts_only() {
    let server = PlainServer::default();
    run(&server, "LB.CREATE game PARTS 8");
    for (line, said) in [
        ("LB.CATALOG game SHRINK 0 0 2", "-STALE parts"),
        ("LB.CATALOG game SHRINK 0 0 4", "+OK"),
        ("LB.CATALOG game SHRUNK 0 8", "-STALE state"),
        ("LB.CATALOG game GROW 0 0 8", "-STALE state"),
        ("LB.CATALOG game HOLD 0 9 5000", "-STALE state"),
        ("LB.CATALOG game SHRUNK 0 4", "+OK"),
        ("LB.CATALOG game SHRUNK 0 4", "+OK"),
        ("LB.CATALOG game WHOLE 0 0", "-STALE revision"),
        ("LB.CATALOG game WHOLE 0 1", "+OK"),
        ("LB.RESHARD game 1", "-ERR the gateway carries this command out"),
        ("LB.RESHARD game 0", "-ERR parts must be a power of two, 1 to 1024"),
    ] {
        assert!(run(&server, line).starts_with(said), "{line}: {}", run(&server, line));
    }
}
