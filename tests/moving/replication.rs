//! Tests of the exact commands that replicas get for these commands: they get the results, never the commands
//! themselves.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{
    Flavor, ReplicationStream, Server, Words, bgrewriteaof_and_wait, digest, query, run, wait_for_sync, words,
};
use redis::Connection;

use super::scores::Random;
use super::{Scored, all_well, made, make_zset, zset};
use crate::periods::dated;

/// A server whose replication stream is read.
struct Watched {
    flavor: Flavor,
    con: Connection,
    stream: ReplicationStream,
    _server: Server,
}

impl Watched {
    fn start(flavor: Flavor) -> Watched {
        let server = Server::start(flavor);
        if flavor == Flavor::Redis62 {
            // Before 7.0, a server may replicate a whole script instead of its commands.
            run(&mut server.connection(), &["CONFIG", "SET", "lua-replicate-commands", "yes"]);
        }
        let (con, stream) = (server.connection(), ReplicationStream::of(&server));
        Watched { flavor, con, stream, _server: server }
    }

    /// Returns the commands that a line sends to replicas. A moment of this century is shown as `now`, and a piece of
    /// a saved board as `piece`.
    fn sent(&mut self, line: &str) -> Vec<String> {
        say(&mut self.con, line);
        let mut sent: Vec<String> = self.stream.take().iter().map(|command| plain(command)).collect();
        // Redis 6.2 wraps each write in a transaction, even a write that sends nothing.
        let lone = sent.len() <= 3 && sent.first().is_some_and(|command| command == "MULTI");
        if lone && self.flavor == Flavor::Redis62 {
            sent.retain(|command| !["MULTI", "EXEC"].contains(&command.as_str()));
        }
        sent
    }

    #[track_caller]
    fn sends(&mut self, table: &[(&str, &[&str])]) {
        for (line, expected) in table {
            assert_eq!(self.sent(line), *expected, "{:?}: {line}", self.flavor);
        }
    }
}

fn plain(command: &str) -> String {
    if let Some((begin, _)) = command.split_once(" ").filter(|(name, _)| *name == "LB.RESTORE") {
        let key = command.split(' ').nth(1).unwrap_or_default();
        return format!("{begin} {key} piece");
    }
    let now = |word: &&str| word.len() == 13 && word.parse::<u64>().is_ok();
    command.split(' ').map(|word| if now(&word) { "now" } else { word }).collect::<Vec<_>>().join(" ")
}

fn each(mut test: impl FnMut(Watched)) {
    for flavor in Flavor::all() {
        println!("{flavor:?}");
        test(Watched::start(flavor));
    }
}

#[test]
fn an_import_is_sent_as_what_it_adds() {
    each(|mut watched| {
        play(&mut watched.con, "ZADD zset 5 ann 5 bob 5 cat\nZADD one 7.6 dan\nZADD none 1 a\nDEL none");
        watched.stream.take();
        watched.sends(&[
            ("LB.IMPORT board zset", &["LB.MADD board AT now NOW now FORCE 5 cat 5 bob 5 ann"]),
            ("LB.IMPORT board zset", &[]),
            ("LB.IMPORT board zset NX", &[]),
            ("LB.IMPORT board one MERGE", &[]),
            ("LB.IMPORT board one MERGE ROUND AT 1000", &["LB.MADD board AT 1000 NOW now FORCE 8 dan"]),
            ("LB.IMPORT board none MERGE", &[]),
            ("LB.IMPORT absent none", &[]),
            ("LB.REM board ann bob", &["LB.REM board ann bob"]),
            ("lb.import board zset nx at 5", &["LB.MADD board AT 5 NOW now FORCE 5 bob 5 ann"]),
            ("LB.CREATE asc ORDER ASC CLOCK EVENT", &["LB.CREATE asc ORDER ASC CLOCK EVENT"]),
            ("LB.IMPORT asc zset AT 1000", &["LB.MADD asc AT 1000 NOW 1000 FORCE 5 ann 5 bob 5 cat"]),
            ("LB.IMPORT asc zset AT 2000 MERGE", &["LB.MADD asc AT 2000 NOW 2000 FORCE 5 ann 5 bob 5 cat"]),
            ("LB.IMPORT asc zset AT 500 MERGE", &["LB.MADD asc AT 500 NOW 2000 FORCE 5 ann 5 bob 5 cat"]),
            ("LB.IMPORT asc zset", &[]),
            ("LB.IMPORT asc text", &[]),
            ("LB.CREATE last TIES LAST CLOCK EVENT", &["LB.CREATE last TIES LAST CLOCK EVENT"]),
            ("LB.IMPORT last zset AT 1000", &["LB.MADD last AT 1000 NOW 1000 FORCE 5 ann 5 bob 5 cat"]),
            ("LB.CREATE cents DECIMALS 2", &["LB.CREATE cents DECIMALS 2"]),
            ("LB.IMPORT cents one", &["LB.MADD cents AT now NOW now FORCE 7.6 dan"]),
            (r"ZADD \x00 -1 \xff\x0a", &[r"ZADD \x00 -1 \xff\n"]),
            (r"LB.IMPORT \x01 \x00", &[r"LB.MADD \x01 AT now NOW now FORCE -1 \xff\n"]),
        ]);
    });
}

#[test]
fn a_step_is_sent_as_what_it_adds() {
    each(|mut watched| {
        play(&mut watched.con, "ZADD zset 5 ann 5 bob 5 cat");
        watched.stream.take();
        watched.sends(&[(
            "LB.IMPORT board zset CURSOR 0 COUNT 2",
            &["LB.MADD board AT now NOW now FORCE 5 cat 5 bob"],
        )]);
        run(&mut watched.con, &["DEL", "board"]);
        let reply = say(&mut watched.con, "LB.IMPORT board zset CURSOR 0 COUNT 2");
        watched.stream.take();
        let cursor = reply.split('"').nth(1).expect("a cursor").to_owned();
        let next = format!("LB.IMPORT board zset NX CURSOR {cursor} AT 1000");
        watched.sends(&[(&next, &["LB.MADD board AT 1000 NOW now FORCE 5 ann"]), (&next, &[])]);
    });
}

#[test]
fn an_export_is_sent_as_a_zset() {
    const REPLACED: &[&str] = &["MULTI", "DEL dest", "ZADD dest 5 ann", "EXEC"];
    each(|mut watched| {
        play(
            &mut watched.con,
            "LB.CREATE board DECIMALS 1 CLOCK EVENT
             LB.MADD board AT 1000 5 ann
             LB.CREATE empty",
        );
        watched.stream.take();
        watched.sends(&[
            ("LB.EXPORT dest empty", &[]),
            ("LB.EXPORT dest board", &["ZADD dest 5 ann"]),
            ("LB.EXPORT dest board COUNT 5", REPLACED),
            ("LB.EXPORT dest board PERIOD x", &[]),
            ("LB.EXPORT dest dest", &[]),
            ("LB.EXPORT dest empty", &["DEL dest"]),
            ("LB.EXPORT dest empty", &[]),
            ("SET dest value", &["SET dest value"]),
            ("LB.EXPORT dest board", REPLACED),
            ("SET dest value", &["SET dest value"]),
            ("LB.EXPORT dest absent VIEW all", &["DEL dest"]),
        ]);
    });
}

#[test]
fn exported_scores_are_sent_exactly() {
    each(|mut watched| {
        made(&mut watched.con, "LB.CREATE board DECIMALS 9 CLOCK EVENT");
        let mut random = Random::new(111);
        for _ in 0..60 {
            let units = (random.bits() >> random.below(60)) as i64;
            let text = super::scores::shown(units.saturating_abs(), 9);
            run(&mut watched.con, &["LB.REM", "board", "ann"]);
            run(&mut watched.con, &["LB.ADD", "board", &text, "ann", "AT", "1000"]);
            watched.stream.take();
            let sent = watched.sent("LB.EXPORT dest board").join("|");
            let zadd = sent.split('|').find(|command| command.starts_with("ZADD ")).expect("a ZADD");
            let score: f64 = zadd.split(' ').nth(2).expect("a score").parse().expect("a number");
            assert_eq!([(b"ann".to_vec(), score)], zset(&mut watched.con, "ZRANGE", "dest")[..], "{text}");
            assert_eq!(score, text.parse::<f64>().expect("a number"), "{text}");
        }
    });
}

#[test]
fn a_union_is_sent_as_the_board_that_it_makes() {
    const MADE: &[&str] = &["MULTI", "DEL dest", "LB.RESTORE dest piece", "EXEC"];
    each(|mut watched| {
        play(
            &mut watched.con,
            "LB.MADD one AT 1000 5 ann 6 bob
             LB.MADD two AT 1000 1 cat
             ZADD zset 5 ann
             SET text value",
        );
        watched.stream.take();
        for (line, expected) in [
            ("LB.UNION dest 2 one zset", MADE),
            ("LB.UNION dest 2 one zset", MADE),
            ("lb.inter dest 2 one zset weights 2 1", MADE),
            ("LB.UNION dest 2 dest zset", MADE),
            ("LB.INTER dest 2 one two", &["DEL dest"]),
            ("LB.INTER dest 2 one two", &[]),
            ("LB.UNION dest 1 absent", &[]),
            ("LB.UNION dest 1 text", &[]),
            ("LB.UNION dest 1 one VIEW day", &[]),
            ("LB.UNION dest 1 one WEIGHTS 9000000000000000000", &[]),
            ("SET dest value", &["SET dest value"]),
            ("LB.INTER dest 1 zset", MADE),
            ("SET dest value", &["SET dest value"]),
            ("LB.INTER dest 2 zset absent", &["DEL dest"]),
        ] {
            let mut sent = watched.sent(line);
            // Repeated pieces count as one.
            sent.dedup();
            assert_eq!(sent, expected, "{:?}: {line}", watched.flavor);
        }
    });
}

#[test]
fn transactions_and_scripts_send_the_same() {
    each(|mut watched| {
        play(&mut watched.con, "ZADD zset 5 ann\nSET dest value\nSET other value");
        watched.stream.take();
        let expected = [
            "MULTI",
            "LB.MADD board AT now NOW now FORCE 5 ann",
            "DEL dest",
            "LB.RESTORE dest piece",
            "DEL other",
            "ZADD other 5 ann",
            "EXEC",
        ];
        play(
            &mut watched.con,
            r#"MULTI
               LB.IMPORT board zset
               LB.UNION dest 1 board
               LB.INTER other 2 none dest
               LB.EXPORT other dest
               LB.TOP dest 1
               EXEC => [1 1 0 1 [[1 "ann" 5]]]"#,
        );
        let sent: Vec<String> = watched.stream.take().iter().map(|command| plain(command)).collect();
        // Repeated commands count as one: a second DEL, and further pieces.
        let without_repeats = |sent: &[String]| {
            let mut sent = sent.to_vec();
            sent.dedup();
            sent
        };
        assert_eq!(without_repeats(&sent), expected, "{:?}", watched.flavor);
        play(&mut watched.con, "DEL board\nSET dest value\nSET other value");
        watched.stream.take();
        let script = "local all = {redis.call('LB.IMPORT', KEYS[1], KEYS[2]), redis.call('LB.UNION', KEYS[3], 1, KEYS[1])}
                      redis.call('DEL', KEYS[5])
                      table.insert(all, redis.call('LB.EXPORT', KEYS[4], KEYS[3]))
                      return all";
        let reply: Vec<u64> =
            query(&mut watched.con, &["EVAL", script, "5", "board", "zset", "dest", "other", "nothing"]);
        assert_eq!(reply, [1, 1, 1]);
        let sent: Vec<String> = watched.stream.take().iter().map(|command| plain(command)).collect();
        assert_eq!(without_repeats(&sent), expected, "{:?}", watched.flavor);
    });
}

/// Steps with boards, sorted sets and all four commands: at past, present and late moments, and with imports in
/// several steps.
const STEPS: [&str; 6] = [
    "LB.CREATE event VIEWS day,all,day:3 CLOCK EVENT RETAIN 3 DECIMALS 2
     ZADD zset 5 ann 5 bob 5.25 cat -1 dan
     LB.IMPORT event zset AT @2019-03-18
     LB.IMPORT live zset ROUND
     LB.ADD live 3 eve",
    "LB.IMPORT event zset MERGE AT @2019-03-19
     LB.IMPORT event zset MERGE AT @2019-03-17
     ZADD zset 7 fay
     LB.IMPORT live zset NX ROUND AT 1000
     LB.IMPORT steps zset ROUND CURSOR 0 COUNT 2",
    "LB.EXPORT dest event
     LB.EXPORT best event COUNT 2 VIEW all
     LB.EXPORT past event PERIOD -1
     LB.EXPORT gone event PERIOD -9",
    "LB.UNION sum 3 event event zset PERIOD 0,-1,0 WEIGHTS 1 0.5 -1
     LB.UNION all 2 live live
     LB.INTER both 2 event zset
     LB.INTER none 2 event past
     LB.UNION plain 2 zset best WEIGHTS 4 0
     LB.UNION zsets 1 dest",
    "LB.UNION live 2 live sum
     LB.ADD sum 5 ann AT @2019-03-20
     LB.ADD all 5 ann
     LB.IMPORT all zset ROUND MERGE
     LB.EXPORT past live",
    "LB.UNION past 1 none
     LB.INTER dest 2 dest dest
     LB.IMPORT dest zset MERGE AT @2019-03-20",
];

const KEYS: [&str; 13] = [
    "event", "live", "steps", "zset", "dest", "best", "past", "gone", "sum", "all", "both", "plain", "zsets",
];

/// Returns the digests of all keys. Sorted sets also have digests.
fn digests(con: &mut Connection) -> Vec<String> {
    KEYS.iter().map(|key| digest(con, key)).collect()
}

#[test]
fn a_replica_holds_the_same_after_every_step() {
    for flavor in Flavor::all() {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        let (mut con, mut other) = (primary.connection(), replica.connection());
        for step in STEPS {
            // Some of these commands give errors. They must change nothing on the primary or the replica.
            for line in dated(step).lines().map(str::trim) {
                say(&mut con, line);
            }
            wait_for_sync(&primary, &replica);
            assert_eq!(digests(&mut other), digests(&mut con), "{flavor:?} after {step}");
        }
        let late = Server::start(flavor);
        late.replica_of(&primary);
        wait_for_sync(&primary, &late);
        assert_eq!(digests(&mut late.connection()), digests(&mut con), "{flavor:?} by a full sync");
        let held = digests(&mut con).iter().filter(|digest| digest.chars().any(|digit| digit != '0')).count();
        assert!(held >= 8, "{held} keys");
    }
}

#[test]
fn a_file_of_commands_or_a_snapshot_brings_everything_back() {
    for flavor in Flavor::all() {
        for preamble in ["yes", "no"] {
            let builder =
                Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
            let mut server = builder.start();
            let mut con = server.connection();
            for (at, step) in STEPS.iter().enumerate() {
                for line in dated(step).lines().map(str::trim) {
                    say(&mut con, line);
                }
                if at == 3 {
                    bgrewriteaof_and_wait(&mut con);
                }
            }
            let before = digests(&mut con);
            server.restart_nosave();
            assert_eq!(digests(&mut server.connection()), before, "{flavor:?}, preamble {preamble}");
            bgrewriteaof_and_wait(&mut server.connection());
            server.restart_nosave();
            assert_eq!(
                digests(&mut server.connection()),
                before,
                "{flavor:?}, preamble {preamble}, rewritten"
            );
            server.restart();
            assert_eq!(
                digests(&mut server.connection()),
                before,
                "{flavor:?}, preamble {preamble}, a snapshot"
            );
        }
    }
}

/// Returns the length in bytes of the longest command that a line sends, and the number of sent commands that begin
/// with `name`.
fn longest(watched: &mut Watched, line: &str, name: &str) -> (usize, usize) {
    say(&mut watched.con, line);
    let sent = watched.stream.take();
    let named = sent.iter().filter(|command| command.starts_with(name)).count();
    (sent.iter().map(String::len).max().unwrap_or(0), named)
}

fn crowd(con: &mut Connection, members: usize) {
    let members: Scored =
        (0..members).map(|n| (format!("member{n:08}").into_bytes(), (n % 977) as f64)).collect();
    make_zset(con, "zset", &members);
}

#[test]
fn what_is_big_is_sent_in_pieces_of_a_size() {
    let mut watched = Watched::start(Flavor::Redis70);
    let mut sizes = Vec::new();
    for members in [15_000, 30_000] {
        crowd(&mut watched.con, members);
        play(&mut watched.con, "DEL board dest");
        watched.stream.take();
        let import = longest(&mut watched, "LB.IMPORT board zset", "LB.MADD ");
        assert!(import.1 > 1, "one LB.MADD of {} bytes", import.0);
        let union = longest(&mut watched, "LB.UNION dest 2 board zset", "LB.RESTORE ");
        assert!(union.1 > 1, "one LB.RESTORE of {} bytes", union.0);
        let export = longest(&mut watched, "LB.EXPORT out board", "ZADD ");
        println!("{members} members: {import:?} {union:?} {export:?}");
        sizes.push([import.0, union.0, export.0]);
    }
    for (small, big) in sizes[0].iter().zip(&sizes[1]) {
        assert!(*big < small + small / 4, "pieces grow with the board: {sizes:?}");
    }
}

#[test]
fn what_is_sent_in_pieces_is_the_same_on_replicas_and_in_files() {
    for flavor in Flavor::all() {
        let mut aof =
            Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no").start();
        let replica = Server::start(flavor);
        replica.replica_of(&aof);
        wait_for_sync(&aof, &replica);
        let mut con = aof.connection();
        crowd(&mut con, 8_000);
        play(
            &mut con,
            "LB.CREATE board VIEWS all,day CLOCK EVENT TIES LAST
             LB.IMPORT board zset AT 1000 => 8000
             LB.IMPORT live zset => 8000
             LB.UNION sum 2 zset live => 8000
             LB.UNION event 2 board zset => 8000
             LB.INTER event 2 event board => 8000
             LB.EXPORT dest event => 8000",
        );
        let keys = ["board", "live", "sum", "event", "dest"];
        let before = keys.map(|key| digest(&mut con, key));
        wait_for_sync(&aof, &replica);
        assert_eq!(keys.map(|key| digest(&mut replica.connection(), key)), before, "{flavor:?}");
        aof.restart_nosave();
        assert_eq!(keys.map(|key| digest(&mut aof.connection(), key)), before, "{flavor:?}, from the file");
    }
}

#[test]
fn a_promoted_replica_goes_on() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        crowd(&mut con, 50);
        all_well(
            &mut con,
            &[words(&["LB.IMPORT", "board", "zset"]), words(&["LB.UNION", "sum", "2", "board", "zset"])],
        );
        wait_for_sync(&primary, &replica);
        let mut con = replica.connection();
        play(&mut con, "LB.IMPORT board zset MERGE => READONLY You can't write against a read only replica.");
        play(&mut con, "REPLICAOF NO ONE => OK");
        let more: Vec<Words> = [
            "LB.ADD sum 1 new",
            "LB.IMPORT sum zset MERGE",
            "LB.UNION sum 2 sum board",
            "LB.EXPORT zset sum",
        ]
        .map(leaderboard_testkit::session::words)
        .to_vec();
        all_well(&mut con, &more);
        assert_eq!(zset(&mut con, "ZRANGE", "zset").len(), query::<usize, _>(&mut con, &["LB.COUNT", "sum"]));
    }
}

#[test]
fn all_servers_make_the_same_boards_in_any_database() {
    const EVENTS: &str = "SELECT 3
        ZADD zset 5 ann 5 bob 5.25 cat -1 dan 1e12 eve
        LB.CREATE event VIEWS day,all,day:3 CLOCK EVENT RETAIN 3 DECIMALS 2
        LB.IMPORT event zset AT @2019-03-18
        LB.IMPORT event zset MERGE AT @2019-03-19
        LB.UNION sum 3 event event zset PERIOD 0,-1,0 WEIGHTS 1 0.5 -1
        LB.INTER both 2 sum event AGGREGATE MIN
        LB.EXPORT dest sum";
    let digests = Flavor::all().map(|flavor| {
        let (primary, replica) = (Server::start(flavor), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play(&mut con, &dated(EVENTS));
        wait_for_sync(&primary, &replica);
        let mut other = replica.connection();
        play(&mut other, "SELECT 3");
        assert_eq!(digest(&mut other, "dest"), digest(&mut con, "dest"), "{flavor:?}");
        let keys = ["event", "sum", "both"];
        let digests = keys.map(|key| digest(&mut con, key));
        assert_eq!(keys.map(|key| digest(&mut other, key)), digests, "{flavor:?}");
        digests
    });
    assert!(digests.iter().all(|each| *each == digests[0]), "{digests:?}");
}
