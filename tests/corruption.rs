//! What comes in by RESTORE or LB.RESTORE may be anything: it is refused and changes nothing, or it is a board
//! that can be read, written, and saved again. The server stays up, and the module does not panic.

mod chunks;
pub mod payload;
mod unfinished;

use leaderboard_testkit::{Flavor, Server, Words, info, pipeline, query, run, try_run, words};
use redis::{Connection, Value};

use crate::persistence::boards::make_one;
use payload::{Payload, mended, split};

/// Keys that one round of payloads goes to.
const ROUND: usize = 250;
const AT: &str = "1700000000000";
const NEXT_DAY: &str = "1700086400000";
const NEXT_MONTH: &str = "1702592000000";

/// Payloads as they are, so that changed bytes reach the module and not a decompressor.
pub fn server(flavor: Flavor) -> Server {
    Server::builder(flavor).arg("rdbcompression", "no").arg("save", "").start()
}

/// Whether a read was answered, or refused since pieces are missing.
pub fn is_served(reply: &Result<Value, String>) -> bool {
    reply.as_ref().map_or_else(|error| error.starts_with("LOADING"), |_| true)
}

fn dump_of(con: &mut Connection, key: &str) -> Vec<u8> {
    make_one(con, key);
    query(con, &["DUMP", key])
}

fn key(number: usize) -> String {
    format!("attacked:{number}")
}

fn restore(number: usize, payload: &[u8]) -> Words {
    vec![b"RESTORE".to_vec(), key(number).into(), b"0".to_vec(), payload.to_vec(), b"REPLACE".to_vec()]
}

/// Restores all; how many were taken. Those that were must be boards in every respect.
fn attack(con: &mut Connection, payloads: &[Vec<u8>]) -> usize {
    let round = |payloads: &[Vec<u8>]| {
        let restores: Vec<Words> = payloads.iter().enumerate().map(|(n, bytes)| restore(n, bytes)).collect();
        let replies = pipeline(con, &restores);
        let taken: Vec<usize> = (0..replies.len()).filter(|n| replies[*n].is_ok()).collect();
        use_all(con, &taken, payloads);
        run(con, &["FLUSHALL"]);
        taken.len()
    };
    payloads.chunks(ROUND).map(round).sum()
}

/// Reads and writes boards that were taken, dumps them, and restores the dumps.
fn use_all(con: &mut Connection, taken: &[usize], payloads: &[Vec<u8>]) {
    let uses: Vec<Vec<Words>> = taken.iter().map(|number| uses(&key(*number))).collect();
    let mut replies = pipeline(con, &uses.concat()).into_iter();
    let mut dumps = Vec::new();
    for (number, uses) in taken.iter().zip(&uses) {
        for command in uses {
            let reply = replies.next().expect("a reply");
            let shown = || payloads[*number].escape_ascii().to_string();
            let is_fine = reply.as_ref().map_or_else(|error| may_be(error), |_| true);
            assert!(is_fine, "{:?} {:?}: {}", words_of(command), reply, shown());
            if let (b"DUMP", Ok(Value::BulkString(dump))) = (&command[0][..], reply) {
                dumps.push(dump);
            }
        }
    }
    dumped_again(con, &dumps);
}

/// Not every board has the views that are read, scores may be anywhere in their range, and what was a whole board may be
/// a part or a root.
fn may_be(error: &str) -> bool {
    error.ends_with("is not a view of this board")
        || error == "ERR the score would be out of range"
        || error.starts_with("ERR spread over ")
        || error.starts_with("ERR member belongs to part ")
}

fn dumped_again(con: &mut Connection, dumps: &[Vec<u8>]) {
    let restores: Vec<Words> = dumps.iter().enumerate().map(|(n, dump)| restore(n, dump)).collect();
    for (dump, reply) in dumps.iter().zip(pipeline(con, &restores)) {
        assert_eq!(reply, Ok(Value::Okay), "its own dump is refused: {}", dump.escape_ascii());
    }
    let again: Vec<Words> = (0..dumps.len()).map(|number| words(&["DUMP", &key(number)])).collect();
    for (dump, reply) in dumps.iter().zip(pipeline(con, &again)) {
        assert!(reply == Ok(Value::BulkString(dump.clone())), "another dump: {}", dump.escape_ascii());
    }
}

fn words_of(command: &Words) -> String {
    command.join(&b' ').escape_ascii().to_string()
}

fn uses(key: &str) -> Vec<Words> {
    let uses: [&[&str]; 23] = [
        &["LB.INFO", key],
        &["LB.TOP", key, "10", "WITHMETA"],
        &["LB.RANGE", key, "-3", "-1", "RANKS", "DENSE"],
        &["LB.RANGEBYSCORE", key, "(0", "+inf", "COUNT", "3"],
        &["LB.STANDING", key, "a"],
        &["LB.AROUND", key, "m1", "2", "RANKS", "COMPETITION"],
        &["LB.COUNT", key],
        &["MEMORY", "USAGE", key],
        &["DEBUG", "DIGEST-VALUE", key],
        &["LB.ADD", key, "0", "a", "AT", AT, "ID", "a new request"],
        &["LB.ADD", key, "0", "newcomer", "AT", AT, "ID", "another new one"],
        &["LB.SETMETA", key, "t1", "text"],
        &["LB.PERIODS", key, "day"],
        &["LB.TOP", key, "5", "VIEW", "day", "PERIOD", "-1", "RANKS", "DENSE"],
        &["LB.STANDING", key, "m3", "VIEW", "day:2"],
        &["LB.ADD", key, "0", "a", "AT", NEXT_DAY],
        &["LB.REM", key, "m1", "c", "nobody"],
        &["LB.RANGE", key, "-3", "-1", "VIEW", "day:2", "PERIOD", "-1"],
        &["LB.ADD", key, "1", "m3", "AT", AT],
        &["LB.PERIODS", key, "day:2"],
        &["LB.ADD", key, "0", "m3", "AT", NEXT_MONTH],
        &["LB.TOP", key, "10", "WITHMETA"],
        &["DUMP", key],
    ];
    uses.iter().map(|command| words(command)).collect()
}

/// A byte changed to what breaks things: bits flipped, ends of ranges, one more, one less.
pub fn changed(byte: u8) -> [u8; 8] {
    [byte ^ 1, byte ^ 0x80, byte ^ 0x40, 0, 0x7f, 0xff, byte.wrapping_add(1), byte.wrapping_sub(1)]
}

/// Each byte changed in each way; every so many of them. The first says which type it is: another type is not
/// the module's business.
pub fn with_bytes_changed(dump: &[u8], apart: usize) -> Vec<Vec<u8>> {
    let (body, footer) = split(dump);
    let all = (1..body.len()).flat_map(|at| changed(body[at]).map(|value| (at, value)));
    let change = |(at, value): (usize, u8)| {
        let mut body = body.to_vec();
        body[at] = value;
        mended(&body, footer)
    };
    all.step_by(apart).map(change).collect()
}

pub fn prefixes(dump: &[u8], apart: usize) -> Vec<Vec<u8>> {
    let (body, footer) = split(dump);
    (0..body.len()).step_by(apart).map(|end| mended(&body[..end], footer)).collect()
}

/// Chunks cut, longer, doubled, left out, in another order.
pub fn with_chunks_changed(payload: &Payload, apart: usize) -> Vec<Vec<u8>> {
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

fn attack_with(con: &mut Connection, kind: &str, apart: usize) {
    let dump = dump_of(con, kind);
    assert_eq!(attack(con, std::slice::from_ref(&dump)), 1, "{kind} as it is");
    let taken = attack(con, &with_bytes_changed(&dump, apart));
    assert!(taken > 0, "{kind}: not one changed byte was taken");
    attack(con, &prefixes(&dump, apart.div_ceil(8)));
    let payload = Payload::parse(&dump);
    attack(con, &with_chunks_changed(&payload, apart.div_ceil(8)));
}

#[test]
fn small_boards_with_any_byte_changed_crash_nothing() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for kind in ["small", "empty", "tiny"] {
        attack_with(&mut con, kind, 1);
    }
}

#[test]
fn boards_of_every_kind_with_bytes_changed_crash_nothing() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    for (kind, apart) in [("middle", 13), ("last", 17), ("lex", 61), ("reverse", 7), ("texts", 397)] {
        attack_with(&mut con, kind, apart);
    }
    for (kind, apart) in [("periods", 11), ("best", 23), ("latest", 17), ("windows", 9_001)] {
        attack_with(&mut con, kind, apart);
    }
    attack_with(&mut con, "big", 9_001);
}

#[test]
fn no_server_crashes() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        let server = server(flavor);
        let mut con = server.connection();
        attack_with(&mut con, "small", 5);
        attack_with(&mut con, "last", 97);
    }
}

#[test]
fn compressed_payloads_crash_nothing() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let dump = dump_of(&mut con, "reverse");
    attack(&mut con, &with_bytes_changed(&dump, 3));
    attack(&mut con, &prefixes(&dump, 1));
}

/// Numbers as the format has them, up to more than 64 bits.
pub fn huge_numbers() -> Vec<Vec<u8>> {
    let number = |bits: usize| [vec![0xff; bits / 7], vec![0x7f >> (6 - bits % 7)]].concat();
    [9, 20, 31, 32, 47, 62, 63, 64, 69].map(number).to_vec()
}

#[test]
pub fn huge_numbers_in_a_payload_take_no_memory() {
    const LITTLE: u64 = 8 << 20;
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let peak = |con: &mut Connection| info(con, "memory", "used_memory_peak").parse::<u64>().expect("bytes");
    for kind in ["small", "last", "texts"] {
        let payload = Payload::parse(&dump_of(&mut con, kind));
        let mut payloads = Vec::new();
        for (at, chunk) in payload.chunks.iter().enumerate() {
            let before: Vec<&[u8]> = payload.chunks[..at].iter().map(Vec::as_slice).collect();
            for (kept, number) in
                (1..chunk.len().min(40)).flat_map(|kept| huge_numbers().into_iter().map(move |n| (kept, n)))
            {
                let chunk = [&chunk[..kept], &number, &chunk[kept..]].concat();
                payloads.push(payload.with(&[&before[..], &[&chunk]].concat()));
            }
        }
        let before = peak(&mut con);
        attack(&mut con, &payloads);
        assert!(peak(&mut con) < before + LITTLE, "{kind}: from {before} to {}", peak(&mut con));
    }
}

#[test]
fn huge_lengths_claimed_by_a_payload_are_refused() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        let payload = Payload::parse(&dump_of(&mut con, "small"));
        for length in [1 << 16, 1 << 32, 1 << 40, 1 << 62, u64::MAX >> 1, u64::MAX - 1, u64::MAX] {
            let claims: Vec<Vec<u8>> =
                (0..payload.chunks.len()).map(|kept| payload.claiming(kept, length)).collect();
            assert_eq!(attack(&mut con, &claims), 0, "{flavor:?}: {length}");
        }
    }
}

#[test]
fn nothing_is_restored_when_memory_is_used_up() {
    for flavor in Flavor::all() {
        let server = server(flavor);
        let mut con = server.connection();
        let dump = dump_of(&mut con, "small");
        let head = Payload::parse(&dump).chunks.remove(0);
        run(&mut con, &["CONFIG", "SET", "maxmemory", "1"]);
        for command in [restore(1, &dump), vec![b"LB.RESTORE".to_vec(), key(1).into(), head]] {
            let refused = try_run(&mut con, &command).expect_err("no memory");
            assert!(refused.starts_with("OOM"), "{flavor:?}: {refused}");
        }
        assert_eq!(query::<u64, _>(&mut con, &["EXISTS", &key(1)]), 0);
        run(&mut con, &["CONFIG", "SET", "maxmemory", "0"]);
        run(&mut con, &restore(1, &dump));
    }
}

#[test]
fn a_refused_payload_leaves_the_key_as_it_was() {
    let server = server(Flavor::Redis70);
    let mut con = server.connection();
    let dump = dump_of(&mut con, "small");
    let before: Vec<u8> = query(&mut con, &["DUMP", "small"]);
    for payload in prefixes(&dump, 1) {
        let command = [&b"RESTORE"[..], b"small", b"0", &payload, b"REPLACE"];
        assert!(try_run(&mut con, &command).is_err());
    }
    assert_eq!(query::<Vec<u8>, _>(&mut con, &["DUMP", "small"]), before);
}
