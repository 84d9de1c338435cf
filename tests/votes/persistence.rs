//! Tests that a campaign survives every way to move data: the use of limits, voters, options and request ids.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, bgrewriteaof_and_wait, digest, query, run, wait_for_sync};
use redis::Connection;

use super::play_dated;

const SETUP: &str = r#"LB.CREATE poll VIEWS all,day,day:2 CLOCK EVENT SHOWN DECLARED RETAIN 2 DEDUP 864000 OPENS @2019-03-18 CLOSES @2019-03-21 LIMIT hourly voter 5 hour BONUS channel acme 2 LIMIT ever voter+ip 9 all LIMIT flood member 1000 second
    LB.OPTION poll ann WEIGHT 3
    LB.OPTION poll bob INITIAL 10
    LB.OPTION poll \x00\xff
    LB.SETMETA poll bob text
    LB.VOTE poll 2 ann BY v1 TAG ip x AT @2019-03-18T10:00
    LB.MVOTE poll BY v2 TAG ip x AT @2019-03-18T11:00 1 ann 2 bob
    LB.VOTE poll 4 ann BY v1 TAG ip x ID one AT @2019-03-19T10:00
    LB.VOTE poll 1 bob BY v2 TAG ip y AT @2019-03-18T12:00
    LB.VOTE poll 1 \x00\xff BY \x00 TAG ip \xff AT @2019-03-19T10:30
    LB.OPTION poll gone
    LB.OPTION poll zed INITIAL 3
    LB.REM poll gone
    LB.CREATE live LIMIT r voter 5 all
    LB.VOTE live 4 ann BY v ID one
    LB.CREATE rules CLOCK EVENT SHOWN DECLARED OPENS 5 CLOSES 7 LIMIT a voter+\xff 5 day BONUS x \x00 3
    LB.CREATE options CLOCK EVENT SHOWN
    LB.OPTION options ann WEIGHT 0
    LB.CREATE late VIEWS day:2 CLOCK EVENT RETAIN 2
    LB.VOTE late 1 ann BY v1 AT @2019-03-18
    LB.VOTE late 1 ann BY v2 AT @2019-03-19
    LB.VOTE late 1 ann BY v3 AT @2019-03-18
    LB.CREATE cup VIEWS day,all CLOCK EVENT DECLARED HOURS mon-sun=08:00-20:00 ATTEMPTS 2 day MAXMEMBERS 2 BOUNDS 0 100
    LB.JOIN cup ann META Ann ID joined
    LB.ADD cup 5 ann AT @2019-03-18T10:00
    LB.JOIN cup bob
    LB.LEAVE cup bob
    LB.JOIN cup eve
    LB.CREATE paid VIEWS day CLOCK EVENT RETAIN 0 SEGMENTS c PRIZES day 1=gold,2-3=silver PRIZES day 1-3=king PER c PRIZEDAYS 9
    LB.MADD paid AT @2019-03-18T10:00 SEGMENT c fr 5 ann 4 bob 3 eve 2 dan
    LB.ALTER paid NOW @2019-03-20
    LB.CLAIM paid ann PERIOD 2019-03-18 ID one
    LB.CLAIM paid ann PERIOD -2 PER c
    LB.REM paid bob
    LB.ALTER paid PRIZES day 1=new
    LB.CREATE many VIEWS all,day CLOCK EVENT LIMIT once voter 1 day"#;

const BOARDS: [&str; 8] = ["poll", "live", "rules", "options", "late", "cup", "paid", "many"];

/// Commands that read the complete state. On a copy of the board, the writes that follow are also run.
const READS: &str = r#"LB.QUOTA poll BY v1 TAG ip x TAG channel acme => [["hourly" 4 7 1800000] ["ever" 6 9 -1]]
    LB.QUOTA poll BY v2 TAG ip y => [["hourly" 1 5 1800000] ["ever" 1 9 -1]]
    LB.QUOTA live BY v => [["r" 4 5 -1]]
    LB.VOTERS poll => 3
    LB.VOTERS poll MEMBER ann => 2
    LB.VOTERS poll VIEW day => 2
    LB.VOTERS poll VIEW day PERIOD -1 => 2
    LB.VOTERS poll VIEW day:2 => 3
    LB.TOP poll 9 => [[1 "ann" 21] [2 "bob" 13] [3 "zed" 3] [4 "\x00\xff" 1]]
    LB.TOP poll 9 REAL => [[1 "ann" 7] [2 "bob" 3] [3 "\x00\xff" 1]]
    LB.TOP poll 9 VIEW day => [[1 "ann" 12] [2 "bob" 10] [3 "\x00\xff" 1]]
    LB.TOP poll 9 VIEW day PERIOD -1 => [[1 "bob" 12] [2 "ann" 9]]
    LB.TOP poll 9 VIEW day PERIOD -1 REAL => [[1 "ann" 3] [2 "bob" 2]]
    LB.OPTIONS poll 0 => ["0" [["member" "ann" "weight" 3 "initial" 0 "meta" nil "real" 7 "shown" 21 "voters" 2] ["member" "bob" "weight" 1 "initial" 10 "meta" "text" "real" 3 "shown" 13 "voters" 1] ["member" "\x00\xff" "weight" 1 "initial" 0 "meta" nil "real" 1 "shown" 1 "voters" 1] ["member" "zed" "weight" 1 "initial" 3 "meta" nil "real" 0 "shown" 3 "voters" 0]]]
    LB.OPTIONS options 0 => ["0" [["member" "ann" "weight" 0 "initial" 0 "meta" nil "real" 0 "shown" 0 "voters" 0]]]
    LB.VOTERS late VIEW day:2 => 3
    LB.VOTERS late PERIOD -1 => 1
    LB.VOTERS late PERIOD -2 => 0
    LB.QUOTA cup MEMBER ann => [["closed" 0 1 -1] ["attempts" 1 2 50400000] ["full" 2 2 -1]]
    LB.PRIZES paid 0 PERIOD 2019-03-18 => ["0" [[1 "ann" 5 "gold" 1553040000000] [3 "eve" 3 "silver" nil]]]
    LB.PRIZES paid 0 PERIOD 2019-03-18 PER c => ["0" [[1 "ann" 5 "king" 1553040000000 "fr"] [3 "eve" 3 "king" nil "fr"]]]
    LB.TOP many 1 => [[1 "m0" 1500]]"#;

const WRITES: &str = r#"LB.CLAIM paid ann PERIOD 2019-03-18 ID one => ["gold" 1 1]
    LB.CLAIM paid eve PERIOD 2019-03-18 ID one => IDREUSED request id was used for a different write
    LB.CLAIM paid eve AT @2019-03-18 ID two => ["silver" 3 1]
    LB.CLAIM paid ann AT @2019-03-18 => nil
    LB.ADD paid 1 zed AT @2019-03-20T10:00 => [1 1 1]
    LB.ALTER paid NOW @2019-03-21 => OK
    LB.CLAIM paid zed => ["new" 1 1]
    LB.ADD cup 101 ann AT @2019-03-18T10:30 => HELDBACK bounds -1
    LB.ADD cup 1 bob AT @2019-03-18T10:30 => HELDBACK joined -1
    LB.JOIN cup ann META Ann ID joined => 0
    LB.JOIN cup dan => HELDBACK full -1
    LB.ADD cup 1 ann AT @2019-03-18T21:00 => HELDBACK closed 39600000
    LB.ADD cup 1 ann AT @2019-03-18T10:30 => [6 1 1]
    LB.ADD cup 1 ann AT @2019-03-18T11:00 => HELDBACK attempts 46800000
    LB.VOTE poll 4 ann BY v1 TAG ip x ID one AT @2019-03-19T10:00 => [1 [[21 1 0]]]
    LB.VOTE poll 2 ann BY v1 TAG ip x AT @2019-03-19T10:45 => [0 "hourly" 900000]
    LB.VOTE poll 1 ann BY v1 TAG ip x AT @2019-03-19T10:45 => [1 [[24 1 1]]]
    LB.VOTE poll 1 ann BY v1 TAG ip x AT @2019-03-19T10:46 => [0 "hourly" 840000]
    LB.VOTE poll 2 bob BY v1 TAG ip x TAG channel acme AT @2019-03-19T10:46 => [1 [[15 2 1]]]
    LB.VOTE poll 1 bob BY v1 TAG ip x AT @2019-03-19T11:00 => [0 "ever" -1]
    LB.VOTE poll 1 new BY v1 TAG ip z AT @2019-03-19T11:00 => ERR member is not an option of this board (DECLARED)
    LB.VOTE poll 1 zed BY v1 TAG ip z AT @2019-03-20 => [1 [[4 3 1]]]
    LB.TOP poll 9 VIEW day => [[1 "bob" 10] [2 "zed" 4]]
    LB.VOTERS poll => 3
    LB.VOTERS poll VIEW day:2 => 2
    LB.VOTE poll 1 zed BY v1 TAG ip z AT @2019-03-21 => [0 "closed" -1]
    LB.OPTION poll last
    LB.VOTE live 4 ann BY v ID one => [1 [[4 1 0]]]
    LB.VOTE live 2 ann BY v => [0 "r" -1]
    LB.VOTE live 1 ann BY v => [1 [[5 1 1]]]
    LB.VOTE live 1 ann BY v => [0 "r" -1]
    LB.VOTE late 1 ann BY v4 AT @2019-03-20 => [1 [[2 1 1]]]
    LB.VOTE late 1 ann BY v5 AT @2019-03-19 => [1 [[3 1 1]]]
    LB.VOTERS late PERIOD 0 => 3
    LB.VOTERS late PERIOD -1 => 3
    LB.VOTERS late PERIOD -2 => 1
    LB.VOTE many 1 m0 BY voter77 AT 1000 => [0 "once" 86399000]
    LB.VOTE many 1 m0 BY new AT 1000 => [1 [[1501 1 1]]]"#;

/// Returns the visible data of the boards: digests, rules and voters.
fn seen(con: &mut Connection) -> Vec<String> {
    let digests = BOARDS.map(|board| digest(con, board)).to_vec();
    let info = BOARDS.map(|board| {
        let info = say(con, &format!("LB.INFO {board}"));
        // The time of the server and the exact size may differ after a load.
        info.split(" \"now\" ").next().unwrap_or_default().to_owned()
            + info
                .split("\"limit\"")
                .last()
                .and_then(|rest| rest.split("\"writes\"").next())
                .unwrap_or_default()
    });
    let voters = [say(con, "LB.VOTERS many"), say(con, "LB.VOTERS many MEMBER m1 VIEW day")];
    [&digests[..], &info, &voters].concat()
}

fn made(server: &Server) -> (Connection, Vec<String>) {
    let mut con = server.connection();
    play_dated(&mut con, SETUP);
    let script = "for n = 0, 5999 do
        redis.call('LB.VOTE', 'many', 1, 'm' .. (n % 4), 'BY', 'voter' .. n, 'AT', 1000) end";
    run(&mut con, &["EVAL", script, "1", "many"]);
    play_dated(&mut con, READS);
    let seen = seen(&mut con);
    (con, seen)
}

/// Checks that reads and quotas have not changed.
#[track_caller]
fn is_whole(con: &mut Connection, before: &[String], way: &str) {
    println!("{way}");
    assert_eq!(seen(con), before, "{way}");
    play_dated(con, READS);
    assert_eq!(seen(con), before, "{way}");
}

/// Checks that nothing has changed, and that later writes have the same effect.
#[track_caller]
fn goes_on(con: &mut Connection, before: &[String], way: &str) {
    is_whole(con, before, way);
    for board in BOARDS {
        run(con, &["COPY", board, &format!("kept:{board}"), "REPLACE"]);
    }
    play_dated(con, WRITES);
    let after = digest(con, "poll");
    for board in BOARDS {
        run(con, &["RENAME", &format!("kept:{board}"), board]);
    }
    is_whole(con, before, way);
    // The same writes to the same state must give the same result.
    play_dated(con, WRITES);
    assert_eq!(digest(con, "poll"), after, "{way}");
}

#[test]
fn snapshots_bring_a_campaign_back() {
    for flavor in Flavor::all() {
        let mut server = Server::start(flavor);
        let (mut con, before) = made(&server);
        run(&mut con, &["DEBUG", "RELOAD"]);
        is_whole(&mut con, &before, "DEBUG RELOAD");
        server.restart();
        goes_on(&mut server.connection(), &before, "a snapshot");
    }
}

#[test]
fn append_only_files_bring_a_campaign_back() {
    for flavor in Flavor::all() {
        for preamble in ["yes", "no"] {
            let builder = Server::builder(flavor).arg("appendonly", "yes");
            let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
            let (_, before) = made(&server);
            server.restart_nosave();
            is_whole(&mut server.connection(), &before, "commands");
            bgrewriteaof_and_wait(&mut server.connection());
            server.restart_nosave();
            is_whole(&mut server.connection(), &before, "a rewritten file");
            server.kill9();
            server.start_again();
            goes_on(&mut server.connection(), &before, "the power going");
        }
    }
}

#[test]
fn keys_of_a_campaign_are_dumped_copied_renamed_and_moved() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let (mut con, before) = made(&server);
        for board in BOARDS {
            let dump: Vec<u8> = query(&mut con, &["DUMP", board]);
            run(&mut con, &["DEL", board]);
            run(&mut con, &[&b"RESTORE"[..], board.as_bytes(), b"0", &dump]);
            assert_eq!(query::<Vec<u8>, _>(&mut con, &["DUMP", board]), dump, "{board}");
        }
        is_whole(&mut con, &before, "DUMP and RESTORE");
        for board in BOARDS {
            play(
                &mut con,
                &format!(
                    "COPY {board} copy => 1
                     RENAME {board} other => OK
                     RENAME copy {board} => OK
                     MOVE other 1 => 1
                     SELECT 1 => OK
                     RENAME other {board} => OK
                     SELECT 0 => OK"
                ),
            );
        }
        is_whole(&mut con, &before, "COPY");
        play_dated(&mut con, WRITES);
        play(&mut con, "SELECT 1");
        goes_on(&mut con, &before, "RENAME and MOVE");
    }
}

#[test]
fn a_full_sync_brings_a_campaign_to_a_replica() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        let (_, before) = made(&primary);
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = replica.connection();
        is_whole(&mut con, &before, "a full sync");
        play(&mut con, "REPLICAOF NO ONE => OK");
        goes_on(&mut con, &before, "promotion");
    }
}
