//! Damaged leagues: refused, or leagues in every respect, and what is refused changes nothing.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Words, info, pipeline, query, run};
use redis::{Connection, Value};

use super::kinds::{BEGIN, DAY, KINDS, commands, send};
use crate::corruption::payload::Payload;
use crate::corruption::{huge_numbers, prefixes, server, with_bytes_changed, with_chunks_changed};

/// A league that has something of everything: three seasons in reach and one that is not, members who were removed,
/// a tier that was set, texts, request ids.
fn small() -> Vec<String> {
    let at = |day: u64, ms: u64| BEGIN + day * DAY + ms;
    let rules = "TIERS a,b,c PROMOTE 1,50%,0 DEMOTE 0,1,1 CYCLE day CLOCK EVENT GROUP 2 REWARD 1 RETAIN 2 DEDUP 864000";
    vec![
        format!("CREATE small {rules} IDLE 1 DECIMALS 1 JOINUNTIL 0.9"),
        format!("ADD small 5 m0 AT {}", at(0, 0)),
        format!("ADD small 2.5 m1 AT {}", at(0, 5)),
        format!("ADD small 7 m2 AT {} ID old", at(0, 9)),
        format!("JOIN small m0 AT {} META text", at(1, 0)),
        format!("ADD small 3 m3 AT {}", at(1, 1)),
        format!("ADD small -1 m4 AT {}", at(1, 2)),
        "REM small m4".to_owned(),
        format!("ADD small 5 m0 AT {}", at(2, 0)),
        format!("ADD small 5 m3 AT {}", at(2, 0)),
        "REM small m3".to_owned(),
        format!("JOIN small m3 AT {}", at(2, 7)),
        "TIER small m5 c".to_owned(),
        format!("ADD small 1 m0 AT {} ID one", at(3, 0)),
        format!("ADD small 1 m5 AT {}", at(3, 5)),
        format!("ADD small 1 m6 AT {}", at(3, 5)),
        format!("ADD small 9 m7 AT {}", at(3, 6)),
        "TIER small m7 b".to_owned(),
        "SETMETA small m8 x".to_owned(),
    ]
}

pub fn made(con: &mut Connection, key: &str) -> Vec<u8> {
    match KINDS.iter().find(|kind| kind.key == key) {
        Some(kind) => send(con, &(kind.make)()),
        None => send(con, &small()),
    }
    query(con, &["DUMP", key])
}

/// What is done with a league that was taken: reads, writes of every kind, more time, then a dump.
fn uses(key: &str) -> Vec<Words> {
    let at = |day: u64| BEGIN + day * DAY;
    let reads = ["INFO KEY", "TOP KEY m0", "STANDING KEY m3", "GROUP KEY a 1", "GROUP KEY b 1 PERIOD -1"];
    let mut lines: Vec<String> = reads.map(str::to_owned).to_vec();
    lines.extend((1..4).map(|back| format!("TOP KEY m0 PERIOD -{back}")));
    lines.extend([
        format!("ADD KEY 0 m0 ID new AT {}", at(3) + 10),
        format!("JOIN KEY m9 META new AT {}", at(3) + 11),
        "REM KEY m5 m3 nobody".to_owned(),
        "TIER KEY m1 b".to_owned(),
        "SETMETA KEY m2 y".to_owned(),
        format!("ADD KEY 1 m7 AT {}", at(4)),
        format!("JOIN KEY m1 AT {}", at(4)),
        "TOP KEY m7 PERIOD -1".to_owned(),
        "REM KEY m7 m0".to_owned(),
        "ALTER KEY RETAIN 1 GROUP 1 DEDUP 1 IDLE 0 JOINUNTIL 1".to_owned(),
        format!("JOIN KEY m2 AT {}", at(6)),
        format!("JOIN KEY m3 AT {}", at(7)),
        format!("JOIN KEY m0 AT {}", at(7)),
        format!("ADD KEY 1 m6 AT {}", at(400)),
        "INFO KEY".to_owned(),
    ]);
    let lines: Vec<String> = lines.iter().map(|line| line.replace("KEY", key)).collect();
    let rest = [format!("MEMORY USAGE {key}"), format!("DEBUG DIGEST-VALUE {key}"), format!("DUMP {key}")];
    [commands(&lines), rest.iter().map(|line| words(line)).collect()].concat()
}

/// Whether a league of any bytes may say so.
fn may_be(error: &str) -> bool {
    error == "ERR the score would be out of range"
        || error.ends_with("is not a tier of this league")
        || error.ends_with("is not the name of a period here")
}

fn key(number: usize) -> String {
    format!("attacked{number}")
}

fn restore(number: usize, payload: &[u8]) -> Words {
    vec![b"RESTORE".to_vec(), key(number).into(), b"0".to_vec(), payload.to_vec(), b"REPLACE".to_vec()]
}

/// Restores all; how many were taken, each of which can be read, written, and saved again.
fn attack(con: &mut Connection, payloads: &[Vec<u8>]) -> usize {
    payloads.chunks(200).map(|round| attack_round(con, round)).sum()
}

fn attack_round(con: &mut Connection, payloads: &[Vec<u8>]) -> usize {
    let restores: Vec<Words> = payloads.iter().enumerate().map(|(n, payload)| restore(n, payload)).collect();
    let replies = pipeline(con, &restores);
    let taken: Vec<usize> = (0..payloads.len()).filter(|n| replies[*n].is_ok()).collect();
    let uses: Vec<Words> = taken.iter().flat_map(|n| uses(&key(*n))).collect();
    let mut dumps = Vec::new();
    for (command, reply) in uses.iter().zip(pipeline(con, &uses)) {
        match reply {
            Ok(Value::BulkString(dump)) if command[0] == b"DUMP" => dumps.push(dump),
            Ok(_) => {}
            Err(error) => assert!(may_be(&error), "{}: {error}", command.join(&b' ').escape_ascii()),
        }
    }
    dumped_again(con, &dumps);
    run(con, &["FLUSHDB"]);
    taken.len()
}

fn dumped_again(con: &mut Connection, dumps: &[Vec<u8>]) {
    let restores: Vec<Words> = dumps.iter().enumerate().map(|(n, dump)| restore(n, dump)).collect();
    for (dump, reply) in dumps.iter().zip(pipeline(con, &restores)) {
        assert_eq!(reply, Ok(Value::Okay), "its own dump is refused: {}", dump.escape_ascii());
    }
    let again: Vec<Words> = (0..dumps.len()).map(|number| words(&format!("DUMP {}", key(number)))).collect();
    for (dump, reply) in dumps.iter().zip(pipeline(con, &again)) {
        assert!(reply == Ok(Value::BulkString(dump.clone())), "another dump: {}", dump.escape_ascii());
    }
}

#[test]
fn a_small_league_with_any_byte_changed_is_refused_or_a_league() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let dump = made(&mut con, "small");
    assert_eq!(attack(&mut con, std::slice::from_ref(&dump)), 1, "as it is");
    let payloads = with_bytes_changed(&dump, 1);
    let taken = attack(&mut con, &payloads);
    assert!(taken > 100 && taken < payloads.len(), "{taken} of {} taken", payloads.len());
    assert_eq!(attack(&mut con, &prefixes(&dump, 1)), 0);
    attack(&mut con, &with_chunks_changed(&Payload::parse(&dump), 1));
}

#[test]
fn leagues_of_every_kind_with_bytes_changed_are_refused_or_leagues() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        // One server takes more of them than the others.
        let few = if flavor == Flavor::Redis70 { 1 } else { 12 };
        for (kind, apart) in [
            ("season", 23),
            ("ghosts", 11),
            ("settled", 97),
            ("extremes", 499),
            ("year", 7),
            ("large", 2_003),
        ] {
            let dump = made(&mut con, kind);
            let taken = attack(&mut con, &with_bytes_changed(&dump, apart * few));
            assert!(taken > 0, "{flavor:?}: not one changed byte of {kind} was taken");
            attack(&mut con, &prefixes(&dump, apart * few));
            attack(&mut con, &with_chunks_changed(&Payload::parse(&dump), apart * few));
        }
    }
}

#[test]
fn huge_numbers_in_a_league_take_no_memory() {
    const LITTLE: u64 = 8 << 20;
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let peak = |con: &mut Connection| info(con, "memory", "used_memory_peak").parse::<u64>().expect("bytes");
    let payload = Payload::parse(&made(&mut con, "small"));
    let mut payloads = Vec::new();
    for (at, chunk) in payload.chunks.iter().enumerate() {
        let with = |chunk: &[u8]| {
            let mut chunks: Vec<&[u8]> = payload.chunks.iter().map(Vec::as_slice).collect();
            chunks[at] = chunk;
            payload.with(&chunks)
        };
        for kept in 1..chunk.len().min(40) {
            let numbers = huge_numbers();
            payloads.extend(numbers.iter().map(|n| with(&[&chunk[..kept], n, &chunk[kept..]].concat())));
        }
    }
    let before = peak(&mut con);
    attack(&mut con, &payloads);
    assert!(peak(&mut con) < before + LITTLE, "from {before} to {}", peak(&mut con));
    for length in [1 << 32, 1 << 62, u64::MAX] {
        let claims = (0..payload.chunks.len()).map(|kept| payload.claiming(kept, length));
        assert_eq!(attack(&mut con, &claims.collect::<Vec<_>>()), 0, "{length}");
    }
}
