//! Damaged counters: refused, or counters in every respect, and what is refused makes nothing.

use leaderboard_testkit::session::{play, words};
use leaderboard_testkit::{Flavor, Words, info, pipeline, query, run};
use redis::{Connection, Value};

use super::kinds::{BEGIN, KINDS};
use super::{commands, send};
use crate::corruption::payload::Payload;
use crate::corruption::{huge_numbers, prefixes, server, with_bytes_changed, with_chunks_changed};

/// A counter that has something of everything: slices that are full, few, and empty, late ones, negative ones, ids.
fn small() -> Vec<String> {
    let mut all = vec!["CREATE small PRECISIONS 1,5,60 SAMPLES 9 CLOCK EVENT DEDUP 864000".to_owned()];
    for n in 0..20_u64 {
        let id = if n % 4 == 0 { format!(" ID id{n}") } else { String::new() };
        all.push(format!("INCR small BY {}{id} AT {}", n as i64 * 77 - 300, BEGIN + n * 1_300));
    }
    all.push(format!("INCR small BY -70000 AT {}", BEGIN + 300));
    all
}

pub fn made(con: &mut Connection, key: &str) -> Vec<u8> {
    match KINDS.iter().find(|kind| kind.key == key) {
        Some(kind) => send(con, &(kind.make)()),
        None => send(con, &small()),
    }
    query(con, &["DUMP", key])
}

/// What is done with a counter that was taken: reads, writes of every kind, more time, then a dump.
fn uses(key: &str) -> Vec<Words> {
    let at = |ms: u64| BEGIN + ms;
    let mut lines: Vec<String> = vec!["INFO KEY".to_owned()];
    lines.extend([1, 5, 60, 3_600].map(|s| format!("GET KEY {s}")));
    lines.extend([
        format!("GET KEY 1 FROM {} TO {} FILL", at(0), at(9_000)),
        format!("MGET 60 FILL FROM {} KEYS 2 KEY KEY", at(0)),
        format!("INCR KEY BY 0 ID new AT {}", at(7_000)),
        format!("INCR KEY BY -3 AT {}", at(26_000)),
        "INCR KEY BY 5 AT 5".to_owned(),
        "ALTER KEY SAMPLES 3".to_owned(),
        "ALTER KEY PRECISIONS +123457 SAMPLES 90 DEDUP 60".to_owned(),
        format!("INCR KEY ID newer AT {}", at(500_000)),
        "GET KEY 123457".to_owned(),
        "GET KEY 60 FILL".to_owned(),
        "INFO KEY".to_owned(),
    ]);
    let lines: Vec<String> = lines.iter().map(|line| line.replace(" KEY", &format!(" {key}"))).collect();
    let lines: Vec<String> = lines.iter().map(|line| line.replace(&format!("{key}S 2"), "KEYS 2")).collect();
    let rest = [format!("MEMORY USAGE {key}"), format!("DEBUG DIGEST-VALUE {key}"), format!("DUMP {key}")];
    [commands(&lines), rest.iter().map(|line| words(line)).collect()].concat()
}

/// Whether a counter of any bytes may say so.
fn may_be(error: &str) -> bool {
    error == "ERR the count would be out of range"
        || error == "ERR AT is too far in the future"
        || error.ends_with("is not kept by this counter")
        || error.contains("PRECISIONS")
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
    play(con, "FLUSHDB");
    let restores: Vec<Words> = payloads.iter().enumerate().map(|(n, payload)| restore(n, payload)).collect();
    let replies = pipeline(con, &restores);
    let taken: Vec<usize> = (0..payloads.len()).filter(|n| replies[*n].is_ok()).collect();
    assert_eq!(query::<usize, _>(con, &["DBSIZE"]), taken.len(), "something refused was made");
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
fn a_small_counter_with_any_byte_changed_is_refused_or_a_counter() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let dump = made(&mut con, "small");
    assert_eq!(attack(&mut con, std::slice::from_ref(&dump)), 1, "as it is");
    let payloads = with_bytes_changed(&dump, 1);
    let taken = attack(&mut con, &payloads);
    assert!(taken > 50 && taken < payloads.len(), "{taken} of {} taken", payloads.len());
    assert_eq!(attack(&mut con, &prefixes(&dump, 1)), 0);
    attack(&mut con, &with_chunks_changed(&Payload::parse(&dump), 1));
}

#[test]
fn counters_of_every_kind_with_bytes_changed_are_refused_or_counters() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        // One server takes more of them than the others.
        let few = if flavor == Flavor::Redis70 { 1 } else { 12 };
        for (kind, apart) in [
            ("visits", 97),
            ("dense", 1_499),
            ("sixteen", 997),
            ("sparse", 31),
            ("empty", 3),
            ("extremes", 19),
            ("altered", 37),
            ("zeros", 7),
            ("ids", 499),
            ("live", 7),
        ] {
            let dump = made(&mut con, kind);
            attack(&mut con, &with_bytes_changed(&dump, apart * few));
            attack(&mut con, &prefixes(&dump, apart * few));
            attack(&mut con, &with_chunks_changed(&Payload::parse(&dump), apart * few));
        }
    }
}

#[test]
fn huge_numbers_in_a_counter_take_no_memory() {
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
        for kept in 1..chunk.len().min(60) {
            for number in huge_numbers() {
                payloads.push(with(&[&chunk[..kept], &number, &chunk[kept..]].concat()));
                payloads.push(with(&[&chunk[..kept], &number, &chunk[kept + 1..]].concat()));
            }
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

#[test]
fn a_refused_payload_leaves_the_key_as_it_was() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let dump = made(&mut con, "small");
    let restores = prefixes(&dump, 1).into_iter().map(|payload| {
        vec![b"RESTORE".to_vec(), b"small".to_vec(), b"0".to_vec(), payload, b"REPLACE".to_vec()]
    });
    let replies = pipeline(&mut con, &restores.collect::<Vec<Words>>());
    assert!(replies.iter().all(Result::is_err));
    assert!(query::<Vec<u8>, _>(&mut con, &["DUMP", "small"]) == dump);
}
