//! Tests of the ended periods of parts: their first 1,000 entries keep their moments.

use leaderboard_testkit::session::{play, words};
use leaderboard_testkit::slots::members_of;
use leaderboard_testkit::{Flavor, Server, bgrewriteaof_and_wait, query, run, wait_for_sync, wait_until};
use redis::{Connection, Value};

use super::ranking::{Row, Told, int, rows, told};

const KEPT: usize = 1_000;
const SECONDS: i64 = 3;

fn ask(con: &mut Connection, question: &str, start: i64) -> Told {
    told(run(con, &words(&format!("LB.PART part {question} VIEW {SECONDS}s AT {start}"))))
}

fn now(con: &mut Connection) -> i64 {
    let [seconds, micros]: [i64; 2] = query(con, &["TIME"]);
    seconds * 1_000 + micros / 1_000
}

/// Fills a period of a few seconds with these members. All writes are within the period. Waits for its end, and
/// returns its start.
fn fill(con: &mut Connection, options: &str, members: &[String]) -> i64 {
    let mut start = 0;
    wait_until(|| {
        play(con, "FLUSHALL");
        play(con, &format!("LB.CREATE part VIEWS all,{SECONDS}s RETAIN 50 {options} PART 1 OF 2"));
        let length = SECONDS * 1_000;
        start = now(con) / length * length;
        for (number, chunk) in members.chunks(100).enumerate() {
            // Three different scores, and one moment for each hundred members.
            let pairs: Vec<_> =
                chunk.iter().enumerate().map(|(at, name)| format!("{} {name}", at % 3)).collect();
            let at = start + number as i64;
            run(con, &words(&format!("LB.MADD part AT {at} {}", pairs.join(" "))));
        }
        now(con) < start + length
    });
    wait_until(|| now(con) >= start + SECONDS * 1_000);
    start
}

fn all(con: &mut Connection, start: i64) -> Vec<Row> {
    rows(&ask(con, "TOP 100000", start).rest[0], false)
}

#[test]
fn the_first_thousand_keep_their_moments() {
    for (options, unknown) in [("DEDUP 60", i64::MAX), ("DEDUP 60 TIES LAST", 0)] {
        let mut server = Server::builder(Flavor::Redis70).arg("appendonly", "yes").start();
        let replica = Server::start(Flavor::Redis70);
        replica.replica_of(&server);
        let mut con = server.connection();
        let members = members_of(1, 2, KEPT + 500);
        let start = fill(&mut con, options, &members);
        let ended = all(&mut con, start);
        assert_eq!(ended.len(), members.len());
        let page = words(&format!("LB.TOP part 100000 VIEW {SECONDS}s AT {start} PACKED"));
        let (first, page): (i64, Value) = query(&mut con, &page);
        assert_eq!((first, rows(&page, false)), (1, ended.clone()));
        let known = ended.iter().filter(|row| row.moment != unknown).count();
        assert_eq!(known, KEPT);
        assert!(ended[..KEPT].iter().all(|row| (start..start + 15).contains(&row.moment)), "{options}");
        // The best score comes first. Equal scores are ordered by moment, and unknown moments come after all known
        // ones.
        let key = |row: &Row| (-row.score, if unknown == 0 { -row.moment } else { row.moment });
        let unsorted = ended.windows(2).find(|pair| key(&pair[0]) > key(&pair[1]));
        assert!(unsorted.is_none(), "{options}: {unsorted:?}");
        places_agree(&mut con, start, &ended);

        wait_for_sync(&server, &replica);
        assert_eq!(all(&mut replica.connection(), start), ended, "replica");
        let dump: Vec<u8> = query(&mut con, &["DUMP", "part"]);
        play(&mut con, "DEL part");
        run(&mut con, &[b"RESTORE".as_slice(), b"part", b"0", &dump]);
        assert_eq!(all(&mut con, start), ended, "RESTORE");
        bgrewriteaof_and_wait(&mut con);
        server.restart_nosave();
        assert_eq!(all(&mut server.connection(), start), ended, "AOF");
        server.restart();
        assert_eq!(all(&mut server.connection(), start), ended, "snapshot");
    }
}

/// Checks that reads by member, by score and moment, and by sample give the same places.
fn places_agree(con: &mut Connection, start: i64, ended: &[Row]) {
    for place in [0, 1, 499, KEPT - 1, KEPT, ended.len() - 1] {
        let row = &ended[place];
        let told = ask(con, &format!("OF {} ABOVE 2 BELOW 2", row.name), start);
        assert_eq!([int(&told.rest[0]), int(&told.rest[2])], [place as i64, row.moment]);
        let first = ended.partition_point(|other| other.score > row.score);
        let alike =
            ended[first..].iter().filter(|other| (other.score, other.moment) == (row.score, row.moment));
        let counts: Vec<i64> = ["BEFORE", "AFTER"]
            .iter()
            .map(|side| {
                let near = ask(con, &format!("NEAR {} {} {side} 0 0", row.score, row.moment), start);
                int(&near.rest[0])
            })
            .collect();
        assert!(counts[0] <= place as i64 && place as i64 <= counts[1], "{place}: {counts:?}");
        assert_eq!(counts[1] - counts[0], alike.count() as i64, "{place}");
    }
    let sample = ask(con, "SAMPLE 7 0 -1", start);
    let Value::Array(sample) = &sample.rest[0] else { panic!("{:?}", sample.rest) };
    for taken in sample {
        let Value::Array(taken) = taken else { panic!("{taken:?}") };
        let row = &ended[int(&taken[0]) as usize];
        assert_eq!([int(&taken[1]), int(&taken[2])], [row.score, row.moment]);
    }
}
