//! Damaged campaigns: refused, or boards in every respect, and what is refused changes nothing.

use leaderboard_testkit::{Flavor, Server, Words, digest, pipeline, query, run, try_run, words};
use redis::{Connection, Value};

use super::play_dated;
use crate::corruption::is_served;
use crate::corruption::payload::{Payload, mended, split};

const SETUP: &str = r#"LB.CREATE poll VIEWS all,day,day:2 CLOCK EVENT SHOWN DECLARED RETAIN 1 DEDUP 864000 OPENS 5 CLOSES @2029-03-21 LIMIT hourly voter 5 hour BONUS channel acme 2 LIMIT ever voter+ip 9 all
    LB.OPTION poll ann WEIGHT 3
    LB.OPTION poll bob INITIAL 10
    LB.VOTE poll 2 ann BY v1 TAG ip x AT @2019-03-18T10:00
    LB.MVOTE poll BY v2 TAG ip x ID one AT @2019-03-18T11:00 1 ann 2 bob
    LB.VOTE poll 4 ann BY v1 TAG ip x AT @2019-03-19T10:00
    LB.CREATE many VIEWS all,hour CLOCK EVENT LIMIT once voter 1 day
    LB.CREATE target VIEWS all CLOCK EVENT SHOWN LIMIT hourly voter 5 hour LIMIT other ip 5 day
    LB.OPTION target zed WEIGHT 2
    LB.VOTE target 1 zed BY v9 TAG ip x AT 7000"#;

fn server(flavor: Flavor) -> (Server, Connection) {
    let server = Server::builder(flavor).arg("rdbcompression", "no").start();
    let mut con = server.connection();
    play_dated(&mut con, SETUP);
    let votes = (0..1_500).map(|n| {
        words(&["LB.VOTE", "many", "1", &format!("m{}", n % 3), "BY", &format!("v{n}"), "AT", "1000"])
    });
    assert!(pipeline(&mut con, &votes.collect::<Vec<_>>()).iter().all(Result::is_ok));
    (server, con)
}

/// What is done with a board that was taken: every command of votes, then more time, then a dump.
fn uses(key: &str) -> Vec<Words> {
    [
        "LB.INFO KEY",
        "LB.TOP KEY 9",
        "LB.TOP KEY 9 REAL",
        "LB.TOP KEY 9 VIEW day PERIOD -1 REAL",
        "LB.OPTIONS KEY 0 COUNT 100",
        "LB.OPTIONS KEY 2",
        "LB.VOTERS KEY",
        "LB.VOTERS KEY MEMBER ann VIEW day:2",
        "LB.VOTERS KEY VIEW day PERIOD -1",
        "LB.VOTERS KEY VIEW hour",
        "LB.QUOTA KEY BY v1 TAG ip x TAG channel acme MEMBER ann",
        "DEBUG DIGEST-VALUE KEY",
        "MEMORY USAGE KEY",
        "LB.VOTE KEY 1 ann BY v1 TAG ip x AT 1552992000000",
        "LB.MVOTE KEY BY v3 TAG ip z ID new AT 1552993000000 1 ann 1 bob 1 ann",
        "LB.OPTION KEY cat WEIGHT 5",
        "LB.OPTION KEY bob INITIAL 4",
        "LB.REM KEY ann nobody",
        "LB.ALTER KEY LIMIT hourly voter 1 hour LIMIT more voter 3 minute",
        "LB.VOTE KEY 1 bob BY v1 TAG ip x AT 1553200000000",
        "LB.VOTE KEY 1 m1 BY v1 TAG ip x AT 1563200000000",
        "LB.TOP KEY 9 VIEW day",
        "LB.OPTIONS KEY 0",
        "DUMP KEY",
    ]
    .iter()
    .map(|line| words(&line.replace("KEY", key).split(' ').collect::<Vec<_>>()))
    .collect()
}

/// Whether a board of any bytes may say so.
fn may_be(error: &str) -> bool {
    let ends = [
        "is not a view of this board",
        "the score would be out of range",
        "is not an option of this board (DECLARED)",
        "needs a board with SHOWN",
        "more than 16 rules",
        "INITIAL is out of range",
    ];
    ends.iter().any(|end| error.ends_with(end)) || error.contains(" is needed: the rule ")
}

/// Restores all; how many were taken, each of which can be read, written, and saved again.
fn attack(con: &mut Connection, payloads: &[Vec<u8>]) -> usize {
    let mut taken = 0;
    for round in payloads.chunks(200) {
        let restore = |(n, payload): (usize, &Vec<u8>)| -> Words {
            vec![
                b"RESTORE".to_vec(),
                format!("k{n}").into(),
                b"0".to_vec(),
                payload.clone(),
                b"REPLACE".to_vec(),
            ]
        };
        let replies = pipeline(con, &round.iter().enumerate().map(restore).collect::<Vec<_>>());
        let boards: Vec<usize> = (0..round.len()).filter(|n| replies[*n].is_ok()).collect();
        taken += boards.len();
        let commands: Vec<Words> = boards.iter().flat_map(|n| uses(&format!("k{n}"))).collect();
        let mut dumps = Vec::new();
        for (command, reply) in commands.iter().zip(pipeline(con, &commands)) {
            let line = || command.join(&b' ').escape_ascii().to_string();
            match reply {
                Ok(Value::BulkString(dump)) if command[0] == b"DUMP" => dumps.push(dump),
                Ok(_) => {}
                Err(error) => assert!(may_be(&error), "{}: {error}", line()),
            }
        }
        for (n, dump) in dumps.iter().enumerate() {
            let reply = try_run(con, &restore((n, dump)));
            assert!(reply.is_ok(), "its own dump is refused: {reply:?} {}", dump.escape_ascii());
            assert!(query::<Vec<u8>, _>(con, &["DUMP", &format!("k{n}")]) == *dump, "another dump");
        }
    }
    let names: Vec<String> = (0..200).map(|n| format!("k{n}")).collect();
    run(con, &[vec!["UNLINK".to_owned()], names].concat());
    taken
}

fn changed(byte: u8) -> [u8; 6] {
    [byte ^ 1, byte ^ 0x80, 0, 0xff, byte.wrapping_add(1), byte.wrapping_sub(1)]
}

fn damaged(dump: &[u8], apart: usize) -> Vec<Vec<u8>> {
    let (body, footer) = split(dump);
    let bytes = (1..body.len()).flat_map(|at| changed(body[at]).map(|value| (at, value)));
    let change = |(at, value): (usize, u8)| {
        let mut body = body.to_vec();
        body[at] = value;
        mended(&body, footer)
    };
    let cut = (0..body.len()).step_by(apart).map(|end| mended(&body[..end], footer));
    bytes.step_by(apart).map(change).chain(cut).collect()
}

#[test]
fn a_damaged_campaign_is_refused_or_a_board() {
    for flavor in Flavor::all() {
        let (_server, mut con) = server(flavor);
        // One server takes them all, the others some.
        let few = if flavor == Flavor::Redis70 { 1 } else { 7 };
        for (key, apart) in [("poll", 7 * few), ("many", 401 * few)] {
            let dump: Vec<u8> = query(&mut con, &["DUMP", key]);
            assert_eq!(attack(&mut con, std::slice::from_ref(&dump)), 1, "{flavor:?}: {key} as it is");
            let payloads = damaged(&dump, apart);
            let taken = attack(&mut con, &payloads);
            assert!(taken > 0 && taken < payloads.len(), "{flavor:?}: {taken} of {} taken", payloads.len());
        }
    }
}

#[test]
fn chunks_that_are_cut_doubled_or_in_another_order_are_refused_or_a_board() {
    let (_server, mut con) = server(Flavor::Redis70);
    for key in ["poll", "many"] {
        let payload = Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", key]));
        let chunks: Vec<&[u8]> = payload.chunks.iter().map(Vec::as_slice).collect();
        let mut payloads = Vec::new();
        for at in 0..chunks.len() {
            let with = |with: &[&[u8]]| payload.with(&[&chunks[..at], with, &chunks[at + 1..]].concat());
            payloads.extend([with(&[]), with(&[chunks[at], chunks[at]]), with(&[&[], chunks[at]])]);
            payloads.extend([0, 1, 0x7f, 0xff].map(|byte| with(&[&[chunks[at], &[byte]].concat()])));
            for other in 0..at {
                let mut chunks = chunks.clone();
                chunks.swap(at, other);
                payloads.push(payload.with(&chunks));
            }
        }
        attack(&mut con, &payloads);
    }
}

#[test]
fn numbers_in_a_chunk_that_are_huge_take_no_memory() {
    let (_server, mut con) = server(Flavor::Redis70);
    let payload = Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", "poll"]));
    let huge: [&[u8]; 3] = [
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        &[0x80, 0x80, 0x80, 0x80, 0x01],
    ];
    let mut payloads = Vec::new();
    for at in 0..payload.chunks.len() {
        let chunk = &payload.chunks[at];
        for (end, number) in (0..chunk.len().min(60)).flat_map(|end| huge.map(|number| (end, number))) {
            let changed = [&chunk[..end], number, &chunk[end + 1..]].concat();
            let chunks: Vec<&[u8]> = (0..payload.chunks.len())
                .map(|n| if n == at { &changed[..] } else { &payload.chunks[n][..] })
                .collect();
            payloads.push(payload.with(&chunks));
        }
    }
    let peak = |con: &mut Connection| {
        leaderboard_testkit::info(con, "memory", "used_memory_peak").parse::<u64>().expect("bytes")
    };
    let before = peak(&mut con);
    attack(&mut con, &payloads);
    let after = peak(&mut con);
    assert!(after < before + 30_000_000, "from {before} to {after}");
}

/// Each chunk of a campaign, whole and damaged, comes to other boards by LB.RESTORE.
#[test]
fn a_refused_chunk_changes_nothing() {
    let (_server, mut con) = server(Flavor::Redis70);
    let command =
        |key: &str, chunk: &[u8]| -> Words { vec![b"LB.RESTORE".to_vec(), key.into(), chunk.to_vec()] };
    for from in ["poll", "many"] {
        let chunks = Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", from])).chunks;
        // Whole, in their order, they build the board again.
        for chunk in &chunks {
            run(&mut con, &command("again", chunk));
        }
        assert_eq!(digest(&mut con, "again"), digest(&mut con, from));
        run(&mut con, &["DEL", "again", "head", "begun"]);
        run(&mut con, &command("head", &chunks[0]));
        let target = Payload::parse(&query::<Vec<u8>, _>(&mut con, &["DUMP", "target"])).chunks;
        let but_the_end = target.split_last().expect("the end").1;
        but_the_end.iter().for_each(|chunk| _ = run(&mut con, &command("begun", chunk)));
        for target in ["begun", "head"] {
            let before = digest(&mut con, target);
            let mut asked: Vec<Words> = Vec::new();
            for chunk in &chunks {
                let apart = chunk.len().div_ceil(150);
                let cut = (0..=chunk.len()).step_by(apart).map(|end| chunk[..end].to_vec());
                let changes = (0..chunk.len()).flat_map(|at| changed(chunk[at]).map(|value| (at, value)));
                let changed = changes.step_by(apart * 3 + 1).map(|(at, value)| {
                    let mut chunk = chunk.clone();
                    chunk[at] = value;
                    chunk
                });
                for chunk in cut.chain(changed) {
                    asked.push(words(&["COPY", target, "mixed", "REPLACE"]));
                    asked.push(command("mixed", &chunk));
                    asked.push(words(&["DEBUG", "DIGEST-VALUE", "mixed"]));
                    asked.push(words(&["LB.OPTIONS", "mixed", "0"]));
                }
            }
            let unchanged = Value::Array(vec![Value::SimpleString(before.clone())]);
            for (asked, replies) in asked.chunks(4).zip(pipeline(&mut con, &asked).chunks(4)) {
                let same = replies[2].as_ref() == Ok(&unchanged);
                let chunk = asked[1][2].escape_ascii();
                assert!(
                    replies[1].is_ok() || same,
                    "{from} to {target}: {:?}, but it changed: {chunk}",
                    replies[1]
                );
                assert!(is_served(&replies[3]), "{:?}", replies[3]);
            }
        }
    }
}
