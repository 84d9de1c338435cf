//! Tests of events that report more than a write: the end of a period, and a change at the top.

use std::fs::OpenOptions;
use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query, run, wait_for_sync};

use super::events::Events;

const HOUR: u64 = 3_600_000;

#[test]
fn a_write_that_passes_a_boundary_tells_it_on_a_clock_of_events() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let at = |hours: u64, ms: u64| (hours * HOUR + ms).to_string();
        Events::of(&server, "KEA").expect(
            &mut con,
            &[
                ("LB.CREATE board VIEWS all,hour,day CLOCK EVENT", &["lb.create board"]),
                (&format!("LB.ADD board 5 ann AT {} ID one", at(10, 0)), &["lb.add board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(10, HOUR - 1)), &["lb.add board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(11, 0)), &["lb.add board", "lb.period board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(11, 5)), &["lb.add board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(10, 5)), &["lb.add board"]),
                // A write of several members.
                (
                    &format!("LB.MADD board ID two AT {} 5 ann 6 bob", at(50, 0)),
                    &["lb.add board", "lb.period board"],
                ),
                (&format!("LB.MADD board ID two AT {} 5 ann 6 bob", at(50, 0)), &[]),
                (&format!("LB.SET board 1 ann AT {} GT", at(70, 0)), &[]),
                ("LB.REM board bob", &["lb.rem board"]),
                ("LB.TOP board 5", &[]),
                // A new view begins with its first write.
                ("LB.ALTER board VIEWS +60s", &["lb.alter board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(50, 90_000)), &["lb.add board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(50, 120_000)), &["lb.add board", "lb.period board"]),
                ("LB.ALTER board VIEWS -60s,-hour", &["lb.alter board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(60, 0)), &["lb.add board"]),
                (&format!("LB.ADD board 5 ann AT {}", at(72, 0)), &["lb.add board", "lb.period board"]),
                ("LB.CREATE endless CLOCK EVENT", &["lb.create endless"]),
                (&format!("LB.ADD endless 5 ann AT {}", at(10, 0)), &["lb.add endless"]),
                (&format!("LB.ADD endless 5 ann AT {}", at(90_000, 0)), &["lb.add endless"]),
            ],
        );
        // A copy continues from the same period.
        play(&mut con, "COPY board copy");
        Events::of(&server, "KEd").expect(
            &mut con,
            &[
                (&format!("LB.ADD copy 5 ann AT {}", at(72, 5)), &["lb.add copy"]),
                (&format!("LB.ADD copy 5 ann AT {}", at(96, 0)), &["lb.add copy", "lb.period copy"]),
            ],
        );
    }
}

/// Checks that events come without any command on the keys. Each key was put on its server in another way.
#[test]
fn an_idle_primary_tells_when_periods_end() {
    let servers = Flavor::all().map(Server::start);
    let replicas = Flavor::all().map(Server::start);
    for (server, replica) in servers.iter().zip(&replicas) {
        play(&mut replica.connection(), &format!("REPLICAOF 127.0.0.1 {}", server.port()));
        play(
            &mut server.connection(),
            "LB.CREATE never VIEWS 1s
             LB.CREATE board VIEWS all,1s
             LB.ADD board 5 ann
             LB.ROLLADD rolling 5 ann WINDOW 3 day
             COPY board copied
             COPY board renamed
             RENAME renamed other
             COPY board moved
             MOVE moved 1
             SELECT 2
             LB.CREATE swapped VIEWS 1s
             LB.ADD swapped 5 ann
             SWAPDB 2 3",
        );
        wait_for_sync(server, replica);
    }
    let expected = [
        "lb.period board",
        "lb.period copied",
        "lb.period other",
        "lb.period moved in 1",
        "lb.period swapped in 3",
    ];
    for (server, replica) in servers.iter().zip(&replicas) {
        let flavor = server.flavor();
        let mut silent = Events::of(replica, "EA");
        let (mut con, mut events) = (server.connection(), Events::of(server, "EA"));
        let seen = [events.wait_for(&mut con, &expected), events.wait_for(&mut con, &expected)].concat();
        assert!(seen.iter().all(|event| expected.contains(&event.as_str())), "{flavor:?}: {seen:?}");
        let mut con = replica.connection();
        assert_eq!(silent.take(&mut con), [""; 0], "{flavor:?}");
        // A replica that becomes the primary continues to send the events.
        play(&mut con, "REPLICAOF NO ONE");
        silent.wait_for(&mut con, &expected);
    }
}

/// Returns a board of days with a write in 1970, as the server with the oldest file format saves it.
fn payload() -> Vec<u8> {
    let server =
        Server::builder(Flavor::Redis62).arg("appendonly", "yes").arg("appendfsync", "always").start();
    let mut con = server.connection();
    let mut events = Events::of(&server, "EA");
    let mut file = OpenOptions::new().append(true).open(server.dir().join("appendonly.aof")).expect("a file");
    for line in ["LB.CREATE board VIEWS day,hour NOTIFYTOP 1", "LB.ADD board 5 ann AT 1000"] {
        let words: Vec<String> =
            line.split(' ').map(|word| format!("${}\r\n{word}\r\n", word.len())).collect();
        write!(file, "*{}\r\n{}", words.len(), words.concat()).expect("a command in the file");
    }
    play(&mut con, "DEBUG LOADAOF => OK");
    let seen = events.wait_for(&mut con, &["lb.period board", "lb.top board"]);
    // The leader of 1970 is no longer the leader.
    let behind = seen.iter().skip_while(|event| !event.starts_with("lb.period"));
    assert_eq!(behind.collect::<Vec<_>>(), ["lb.period board", "lb.top board"], "{seen:?}");
    query(&mut con, &["DUMP", "board"])
}

#[test]
fn what_ended_while_a_board_was_away_is_told_once() {
    let payload = payload();
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut events = Events::of(&server, "EA");
        run(&mut con, &[&b"RESTORE"[..], b"board", b"0", &payload]);
        // The saved board has the state of its last write, in which ann leads.
        let expected = ["restore board", "lb.period board", "lb.top board"];
        assert_eq!(events.wait_for(&mut con, &expected), expected, "{flavor:?}");
        play(&mut con, "DEBUG RELOAD");
        events.wait_for(&mut con, &["lb.period board", "lb.top board"]);
        sleep(Duration::from_millis(300));
        assert_eq!(events.take(&mut con), [""; 0], "{flavor:?}");
        play(&mut con, "LB.ADD board 5 bob");
        assert_eq!(events.take(&mut con), ["lb.add board", "lb.top board"], "{flavor:?}");
    }
}

#[test]
fn others_at_the_top_are_told_behind_the_change() {
    const ADDED: &[&str] = &["lb.add board"];
    const NEW: &[&str] = &["lb.add board", "lb.top board"];
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        Events::of(&server, "EA").expect(
            &mut con,
            &[
                ("LB.CREATE board VIEWS hour,all CLOCK EVENT NOTIFYTOP 2", &["lb.create board"]),
                ("LB.ADD board 5 ann AT 1000 ID one", NEW),
                ("LB.ADD board 5 ann AT 1000 ID one", &[]),
                ("LB.ADD board 3 bob AT 1000", NEW),
                ("LB.ADD board 1 cat AT 1000", ADDED),
                ("LB.ADD board 0 ann AT 1000", ADDED),
                ("LB.ADD board 2 bob AT 1000", ADDED),
                ("LB.SET board 9 bob AT 1000", &["lb.set board", "lb.top board"]),
                ("LB.SETMETA board bob text", &["lb.setmeta board"]),
                ("LB.MADD board AT 1000 1 dan 99 eve", NEW),
                ("LB.REM board dan", &["lb.rem board"]),
                ("LB.REM board eve cat", &["lb.rem board", "lb.top board"]),
                ("LB.VOTE board 50 fay AT 1000", &["lb.vote board", "lb.top board"]),
                ("LB.ALTER board NOTIFYTOP 1", &["lb.alter board"]),
                ("LB.ADD board 20 ann AT 1000", ADDED),
                ("LB.ADD board 1 ann AT 3600000", &["lb.add board", "lb.period board", "lb.top board"]),
                ("LB.ALTER board VIEWS -hour", &["lb.alter board", "lb.top board"]),
                ("LB.ALTER board NOTIFYTOP 0", &["lb.alter board"]),
                ("LB.ADD board 900 gus AT 3600000", ADDED),
                ("LB.CREATE like LIKE board NOTIFYTOP 3", &["lb.create like"]),
                ("ZADD zset 5 ann 6 bob", &["zadd zset"]),
                ("LB.IMPORT like zset AT 1000", &["lb.import like", "lb.top like"]),
                ("LB.UNION sum 1 like", &["lb.union sum"]),
                ("LB.ADD sum 1 zoe AT 3600000", &["lb.add sum"]),
            ],
        );
        for (key, places) in [("board", 0), ("like", 3), ("sum", 0)] {
            let told = say(&mut con, &format!("LB.INFO {key}"));
            assert!(told.contains(&format!("\"notifytop\" {places} ")), "{flavor:?}: {told}");
        }
    }
}
