//! What the server does with any key, it does with a board.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, info, query, run, wait_until};

use super::fill;

const BOARD: &str = "LB.CREATE board CLOCK EVENT DECIMALS 1
                     LB.ADD board 5.5 ann AT 1000 ID one
                     LB.ADD board 4 bob AT 2000
                     LB.SETMETA board bob text";

#[test]
fn a_board_travels_whole() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, BOARD);
        let whole = digest(&mut con, "board");
        play(&mut con, "COPY board copy => 1");
        assert_eq!(digest(&mut con, "copy"), whole, "{flavor:?}");
        play(&mut con, "RENAME board other => OK\nEXISTS board => 0");
        assert_eq!(digest(&mut con, "other"), whole, "{flavor:?}");
        play(&mut con, "MOVE other 1 => 1\nSELECT 1 => OK");
        assert_eq!(digest(&mut con, "other"), whole, "{flavor:?}");
        play(&mut con, "SWAPDB 0 1 => OK\nEXISTS copy => 1\nSELECT 0 => OK");
        assert_eq!(digest(&mut con, "other"), whole, "{flavor:?}");
        play(&mut con, "LB.ADD other 5.5 ann AT 1000 ID one => [\"5.5\" 1 0]");
    }
}

#[test]
fn a_copy_goes_its_own_way() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, BOARD);
    let before = digest(&mut con, "board");
    play(
        &mut con,
        r#"COPY board copy
           LB.ADD copy 9 cat AT 3000 => ["9" 1 1]
           LB.SETMETA copy bob other => OK
           LB.REM copy ann => 1"#,
    );
    assert_eq!(digest(&mut con, "board"), before);
    play(&mut con, "LB.GETMETA board bob => \"text\"\nCOPY board copy => 0\nCOPY board copy REPLACE => 1");
    assert_eq!(digest(&mut con, "copy"), before);
}

#[test]
fn a_board_can_expire() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.ADD board 5 ann
             EXPIRE board 1000 => 1
             LB.ADD board 5 ann => [10 1 1]
             TTL board => 1000
             PERSIST board => 1
             PEXPIRE board 1 => 1",
        );
        wait_until(|| say(&mut con, "EXISTS board") == "0");
        play(
            &mut con,
            "LB.RANK board ann => nil
             LB.ADD board 1 ann => [1 1 1]
             TTL board => -1
             EXPIREAT board 1 => 1
             EXISTS board => 0",
        );
    }
}

#[test]
fn a_dump_is_restored() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, BOARD);
        let dump: Vec<u8> = query(&mut con, &["DUMP", "board"]);
        run(&mut con, &[&b"RESTORE"[..], b"copy", b"0", &dump]);
        assert_eq!(digest(&mut con, "copy"), digest(&mut con, "board"), "{flavor:?}");
    }
}

#[test]
fn object_and_debug_take_a_board_as_any_value() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, BOARD);
        play(
            &mut con,
            "TYPE board => lb-board1
             OBJECT ENCODING board => \"raw\"
             OBJECT REFCOUNT board => 1
             OBJECT IDLETIME board => 0
             SCAN 0 TYPE lb-board1 => [\"0\" [\"board\"]]
             CONFIG SET maxmemory-policy allkeys-lfu
             OBJECT FREQ board
             DEBUG OBJECT board
             TOUCH board => 1
             PING => PONG",
        );
        assert!(say(&mut con, "OBJECT FREQ board").parse::<u8>().is_ok(), "{flavor:?}");
    }
}

#[test]
fn debug_reload_changes_nothing() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, BOARD);
        let before = say(&mut con, "DEBUG DIGEST");
        play(&mut con, "DEBUG RELOAD => OK");
        assert_eq!(say(&mut con, "DEBUG DIGEST"), before, "{flavor:?}");
    }
}

#[test]
fn a_big_board_goes_at_once_and_gives_its_memory_back() {
    const MEMBERS: usize = 100_000;
    for flavor in Flavor::all() {
        // On a machine with much else to do, commands are slow, and a log of them takes memory.
        let server = Server::builder(flavor).arg("slowlog-log-slower-than", "-1").start();
        let mut con = server.connection();
        fill(&mut con, 1, 1);
        for end in [
            "UNLINK board0",
            "DEL board0",
            "FLUSHALL ASYNC",
            "FLUSHALL SYNC",
            "SET board0 text",
            "FLUSHDB ASYNC",
        ] {
            play(&mut con, "DEL board0");
            let used = |con: &mut _| info(con, "memory", "used_memory").parse::<usize>().expect("bytes");
            let before = used(&mut con);
            fill(&mut con, 1, MEMBERS);
            assert!(used(&mut con) > before + 20 * MEMBERS, "{flavor:?}: {end}");
            play(&mut con, end);
            assert!(!say(&mut con, "LB.COUNT board0").contains(&MEMBERS.to_string()), "{flavor:?}: {end}");
            wait_until(|| used(&mut con) < before + MEMBERS);
        }
    }
}
