//! Tests of RESTORE with any bytes. Either the bytes are refused and make no key, or they make a value that can be
//! read, written and saved again. The server must not stop, and the module must not panic.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, Server, Words, info, pipeline, query, run, try_run};
use redis::{Connection, Value};

use crate::natives::{Native, dump_of, find};
use leaderboard_testkit::payload::{Payload, mended, split};

/// The number of keys to which one round of payloads is sent.
const ROUND: usize = 250;

/// One small value of each type. Each contains something of every kind of data.
pub const SMALL: [&str; 4] = ["small", "poll", "small_league", "small_counter"];

/// Values, with the distance between two tested variants of their payload: first on Redis 7.0, then on the other
/// servers.
const DAMAGED: [(&str, usize, usize); 31] = [
    ("small", 1, 5),
    ("empty", 1, 12),
    ("tiny", 1, 12),
    ("middle", 13, 156),
    ("last", 17, 97),
    ("lex", 61, 732),
    ("reverse", 7, 84),
    ("texts", 397, 4_764),
    ("periods", 11, 132),
    ("best", 23, 276),
    ("latest", 17, 204),
    ("windows", 9_001, 99_991),
    ("big", 9_001, 99_991),
    ("poll", 7, 49),
    ("many", 401, 2_807),
    ("small_league", 1, 12),
    ("season", 23, 276),
    ("ghosts", 11, 132),
    ("settled", 97, 1_164),
    ("extreme_league", 499, 5_988),
    ("year", 7, 84),
    ("large", 2_003, 24_036),
    ("small_counter", 1, 12),
    ("visits", 97, 1_164),
    ("dense", 1_499, 17_988),
    ("sixteen", 997, 11_964),
    ("sparse", 31, 372),
    ("extreme_counter", 19, 228),
    ("altered", 37, 444),
    ("zeros", 7, 84),
    ("ids", 499, 5_988),
];

/// Starts a server that does not compress payloads, so that changed bytes reach the module and not a decompressor.
pub fn server(flavor: Flavor) -> Server {
    Server::builder(flavor).arg("rdbcompression", "no").arg("save", "").start()
}

fn key(number: usize) -> String {
    format!("attacked:{number}")
}

fn restore(number: usize, payload: &[u8]) -> Words {
    vec![b"RESTORE".to_vec(), key(number).into(), b"0".to_vec(), payload.to_vec(), b"REPLACE".to_vec()]
}

/// Restores all payloads. Returns how many were accepted, and checks that these are complete values of the type.
fn attack(con: &mut Connection, native: &Native, payloads: &[Vec<u8>]) -> usize {
    payloads.chunks(ROUND).map(|round| attack_round(con, native, round)).sum()
}

fn attack_round(con: &mut Connection, native: &Native, payloads: &[Vec<u8>]) -> usize {
    run(con, &["FLUSHALL"]);
    let restores: Vec<Words> = payloads.iter().enumerate().map(|(n, bytes)| restore(n, bytes)).collect();
    let replies = pipeline(con, &restores);
    let taken: Vec<usize> = (0..replies.len()).filter(|n| replies[*n].is_ok()).collect();
    assert_eq!(query::<usize, _>(con, &["DBSIZE"]), taken.len(), "something refused was made");
    let uses: Vec<Words> = taken.iter().flat_map(|n| native.used(&key(*n))).collect();
    let mut dumps = Vec::new();
    for (command, reply) in uses.iter().zip(pipeline(con, &uses)) {
        match reply {
            Ok(Value::BulkString(dump)) if command[0] == b"DUMP" => dumps.push(dump),
            Ok(_) => {}
            Err(error) => assert!(native.may_be(&error), "{}: {error}", command.join(&b' ').escape_ascii()),
        }
    }
    dumped_again(con, &dumps);
    run(con, &["FLUSHALL"]);
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

/// Returns variants of a byte that often cause errors: flipped bits, the ends of ranges, one more and one less.
pub fn changed(byte: u8) -> [u8; 8] {
    [byte ^ 1, byte ^ 0x80, byte ^ 0x40, 0, 0x7f, 0xff, byte.wrapping_add(1), byte.wrapping_sub(1)]
}

/// Returns the payload with each byte changed in each way, but only one of `apart` variants. The first byte is not
/// changed: it contains the type, and the module does not handle other types.
fn with_bytes_changed(dump: &[u8], apart: usize) -> Vec<Vec<u8>> {
    let (body, footer) = split(dump);
    let all = (1..body.len()).flat_map(|at| changed(body[at]).map(|value| (at, value)));
    let change = |(at, value): (usize, u8)| {
        let mut body = body.to_vec();
        body[at] = value;
        mended(&body, footer)
    };
    all.step_by(apart).map(change).collect()
}

fn prefixes(dump: &[u8], apart: usize) -> Vec<Vec<u8>> {
    let (body, footer) = split(dump);
    (0..body.len()).step_by(apart).map(|end| mended(&body[..end], footer)).collect()
}

/// Returns payloads whose chunks are cut, longer, repeated, missing, or in another order.
fn with_chunks_changed(payload: &Payload, apart: usize) -> Vec<Vec<u8>> {
    let chunks: Vec<&[u8]> = payload.chunks.iter().map(Vec::as_slice).collect();
    let mut all = Vec::new();
    for at in 0..chunks.len() {
        let replaced = |with: &[&[u8]]| payload.with(&[&chunks[..at], with, &chunks[at + 1..]].concat());
        let chunk = chunks[at];
        all.extend((0..chunk.len()).step_by(apart).map(|end| replaced(&[&chunk[..end]])));
        all.extend([0, 1, 0x7f, 0xff].map(|byte| replaced(&[&[chunk, &[byte]].concat()])));
        all.extend([replaced(&[]), replaced(&[chunk, chunk]), replaced(&[&[], chunk])]);
        all.extend((0..chunks.len()).filter(|other| *other != at).map(|other| {
            let mut chunks = chunks.clone();
            chunks.swap(at, other);
            payload.with(&chunks)
        }));
    }
    all
}

fn attack_with(con: &mut Connection, key: &str, apart: usize) {
    let native = find(key).0;
    let dump = dump_of(con, key);
    assert_eq!(attack(con, native, std::slice::from_ref(&dump)), 1, "{key} as it is");
    let payloads = with_bytes_changed(&dump, apart);
    let taken = attack(con, native, &payloads);
    assert!(taken < payloads.len(), "{key}: all were taken");
    assert!(taken > 0 || payloads.len() < 100, "{key}: none of {} was taken", payloads.len());
    assert_eq!(attack(con, native, &prefixes(&dump, apart.div_ceil(8))), 0, "{key}: a cut one was taken");
    attack(con, native, &with_chunks_changed(&Payload::parse(&dump), apart.div_ceil(8)));
}

#[track_caller]
fn attack_all(flavor: Flavor, prefix: &str) {
    let server = server(flavor);
    let mut con = server.connection();
    for (key, apart, elsewhere) in DAMAGED {
        if find(key).0.prefix == prefix {
            attack_with(&mut con, key, if flavor == Flavor::Redis70 { apart } else { elsewhere });
        }
    }
}

#[test]
fn damaged_boards_are_refused_or_boards() {
    attack_all(Flavor::Redis70, "LB.");
}

#[test]
fn damaged_leagues_are_refused_or_leagues() {
    attack_all(Flavor::Redis70, "LB.LEAGUE.");
}

#[test]
fn damaged_counters_are_refused_or_counters() {
    attack_all(Flavor::Redis70, "LB.COUNTER.");
}

#[test]
fn damaged_values_crash_no_server() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        for prefix in ["LB.", "LB.LEAGUE.", "LB.COUNTER."] {
            attack_all(flavor, prefix);
        }
    }
}

#[test]
fn compressed_payloads_crash_nothing() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for key in ["reverse", "small_league", "small_counter"] {
        let (native, dump) = (find(key).0, dump_of(&mut con, key));
        attack(&mut con, native, &with_bytes_changed(&dump, 3));
        attack(&mut con, native, &prefixes(&dump, 1));
    }
}

/// Returns numbers in the encoding of the format, up to more than 64 bits.
fn huge_numbers() -> Vec<Vec<u8>> {
    let number = |bits: usize| [vec![0xff; bits / 7], vec![0x7f >> (6 - bits % 7)]].concat();
    [9, 20, 31, 32, 47, 62, 63, 64, 69].map(number).to_vec()
}

/// Returns payloads with a huge number before each of the first bytes of each chunk, and with a huge number in place
/// of each of these bytes.
fn with_huge_numbers(payload: &Payload) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (at, chunk) in payload.chunks.iter().enumerate() {
        let with = |chunk: &[u8]| {
            let mut chunks: Vec<&[u8]> = payload.chunks.iter().map(Vec::as_slice).collect();
            chunks[at] = chunk;
            payload.with(&chunks)
        };
        for kept in 0..chunk.len().min(60) {
            for number in huge_numbers() {
                all.push(with(&[&chunk[..kept], &number, &chunk[kept..]].concat()));
                all.push(with(&[&chunk[..kept], &number, &chunk[kept + 1..]].concat()));
            }
        }
    }
    all
}

#[test]
fn huge_numbers_in_a_payload_take_no_memory() {
    const LITTLE: u64 = 8 << 20;
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let peak = |con: &mut Connection| info(con, "memory", "used_memory_peak").parse::<u64>().expect("bytes");
    for key in SMALL.into_iter().chain(["last", "texts"]) {
        let (native, payload) = (find(key).0, Payload::parse(&dump_of(&mut con, key)));
        let before = peak(&mut con);
        attack(&mut con, native, &with_huge_numbers(&payload));
        assert!(peak(&mut con) < before + LITTLE, "{key}: from {before} to {}", peak(&mut con));
    }
}

#[test]
fn huge_lengths_claimed_by_a_payload_are_refused() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        for key in SMALL {
            let (native, payload) = (find(key).0, Payload::parse(&dump_of(&mut con, key)));
            for length in [1 << 16, 1 << 32, 1 << 40, 1 << 62, u64::MAX >> 1, u64::MAX - 1, u64::MAX] {
                let claims = (0..payload.chunks.len()).map(|kept| payload.claiming(kept, length));
                let taken = attack(&mut con, native, &claims.collect::<Vec<_>>());
                assert_eq!(taken, 0, "{flavor:?}: {key}, {length}");
            }
        }
    }
}

#[test]
fn nothing_is_restored_when_memory_is_used_up() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        for from in SMALL {
            let dump = dump_of(&mut con, from);
            let head = Payload::parse(&dump).chunks.remove(0);
            run(&mut con, &["CONFIG", "SET", "maxmemory", "1"]);
            for command in [restore(1, &dump), find(from).0.piece(&key(1), &head)] {
                let refused = try_run(&mut con, &command).expect_err("no memory");
                assert!(refused.starts_with("OOM"), "{flavor:?}: {refused}");
            }
            assert_eq!(query::<u64, _>(&mut con, &["EXISTS", &key(1)]), 0);
            run(&mut con, &["CONFIG", "SET", "maxmemory", "0"]);
            run(&mut con, &restore(1, &dump));
            run(&mut con, &["DEL", &key(1)]);
        }
    }
}

#[test]
fn a_refused_payload_leaves_the_key_as_it_was() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for key in SMALL {
        let dump = dump_of(&mut con, key);
        let restore =
            |payload| vec![b"RESTORE".to_vec(), key.into(), b"0".to_vec(), payload, b"REPLACE".to_vec()];
        let restores: Vec<Words> = prefixes(&dump, 1).into_iter().map(restore).collect();
        assert!(pipeline(&mut con, &restores).iter().all(Result::is_err), "{key}");
        assert!(query::<Vec<u8>, _>(&mut con, &["DUMP", key]) == dump, "{key}");
    }
}
