//! Parts and roots are made, altered, copied and told of.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::slots::part_keys;
use leaderboard_testkit::{Flavor, Server, bgrewriteaof_and_wait, digest, err, query, run, wait_for_sync};
use redis::Value;

/// A field of LB.INFO.
#[track_caller]
pub fn field(con: &mut redis::Connection, key: &str, name: &str) -> Value {
    let pairs: Vec<Value> = query(con, &["LB.INFO", key]);
    let wanted = Value::BulkString(name.as_bytes().to_vec());
    let found =
        pairs.chunks(2).find(|pair| pair[0] == wanted || pair[0] == Value::SimpleString(name.to_owned()));
    found.unwrap_or_else(|| panic!("no {name} in {pairs:?}"))[1].clone()
}

#[test]
fn a_part_and_a_root_tell_what_they_are() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.CREATE plain VIEWS all,day
            LB.CREATE game:{0} VIEWS all,day PART 3 OF 16 => OK
            LB.CREATE game VIEWS all,day PARTS 16 => OK
            LB.CREATE game PARTS 16 NX => 0
            LB.CREATE game:{0} PART 3 OF 16 NX => 0",
        );
        assert_eq!(
            err(&mut con, &["LB.CREATE", "game", "PARTS", "16"]).split(' ').next(),
            Some("BOARDEXISTS")
        );
        let tells = |con: &mut _, key, name| field(con, key, name);
        for (key, parts, part) in
            [("plain", 0, Value::Nil), ("game:{0}", 16, Value::Int(3)), ("game", 16, Value::Nil)]
        {
            assert_eq!(tells(&mut con, key, "parts"), Value::Int(parts), "{key}");
            assert_eq!(tells(&mut con, key, "part"), part, "{key}");
            assert!(matches!(tells(&mut con, key, "schema"), Value::Int(0..)), "{key}");
        }
        assert_eq!(tells(&mut con, "game", "schema"), tells(&mut con, "game:{0}", "schema"));
        assert_ne!(tells(&mut con, "game", "schema"), tells(&mut con, "plain", "schema"));
        let keys = part_keys("game", 16).into_iter().map(|key| Value::BulkString(key.into_bytes())).collect();
        assert_eq!(tells(&mut con, "game", "keys"), Value::Array(keys));
        for key in ["plain", "game:{0}"] {
            assert_eq!(tells(&mut con, key, "keys"), Value::Array(Vec::new()));
        }
    }
}

#[test]
fn the_hash_is_of_the_rules_and_not_of_how_they_came() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE a VIEWS all,day,week RETAIN day=3,week=4 DEDUP 60 PART 0 OF 4
        LB.CREATE b VIEWS all,day PART 1 OF 4
        LB.ALTER b VIEWS +week,+hour RETAIN 9 DEDUP 5
        LB.ALTER b VIEWS -hour RETAIN day=3,week=4 DEDUP 60
        LB.CREATE c VIEWS all,day,week RETAIN day=3,week=4 DEDUP 60 PARTS 4",
    );
    let hash = field(&mut con, "a", "schema");
    assert_eq!(field(&mut con, "b", "schema"), hash);
    assert_eq!(field(&mut con, "c", "schema"), hash);
    let base = "VIEWS all,day,week RETAIN day=3,week=4 DEDUP 60 PART 0 OF 4";
    let others = [
        base.replace("OF 4", "OF 8"),
        base.replace("day=3", "day=4"),
        base.replace("all,day,week", "day,all,week"),
        base.replace("DEDUP 60", "DEDUP 61"),
        format!("{base} ORDER ASC"),
        format!("{base} AGGREGATE MAX"),
        format!("{base} TIES LAST"),
        format!("{base} DECIMALS 2"),
        format!("{base} TZ Asia/Shanghai"),
        format!("{base} WEEKSTART SUN"),
        format!("{base} ORIGIN 5"),
        format!("{base} CARRY week=0.2"),
        format!("{base} DECAY day=0.9"),
        format!("{base} OPENS 5"),
        format!("{base} CLOSES 5"),
        format!("{base} NOTIFYTOP 5"),
        format!("{base} LEVELS a:DESC:9,b:DESC:9"),
    ];
    let mut hashes = vec![hash];
    for (number, options) in others.iter().enumerate() {
        play(&mut con, &format!("LB.CREATE other:{number} {options} => OK"));
        let hash = field(&mut con, &format!("other:{number}"), "schema");
        assert!(!hashes.contains(&hash), "{options}");
        hashes.push(hash);
    }
}

#[test]
fn parts_and_roots_refuse_what_needs_a_look_at_others() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let refused = [
        ("CLOCK EVENT", "CLOCK"),
        ("TIES LEX", "TIES"),
        ("TIES REVLEX", "TIES"),
        ("SHOWN", "SHOWN"),
        ("DECLARED", "DECLARED"),
        ("LIMIT a member 5 day", "LIMIT"),
        ("KEEP 5", "KEEP"),
        ("VIEWS all,day RETAIN 0", "RETAIN"),
        ("VIEWS all,day,week RETAIN day=2,week=0", "RETAIN"),
    ];
    for role in ["PART 0 OF 4", "PARTS 4"] {
        for (options, named) in refused {
            let error = say(&mut con, &format!("LB.CREATE board {options} {role}"));
            assert!(error.contains(named), "{options} {role}: {error}");
            assert_eq!(say(&mut con, "EXISTS board"), "0", "{options} {role}");
        }
        play(&mut con, &format!("LB.CREATE board VIEWS all,day KEEP 0 {role} => OK"));
        for (options, named) in
            [("LIMIT a member 5 day", "LIMIT"), ("KEEP 5", "KEEP"), ("RETAIN 0", "RETAIN")]
        {
            let error = say(&mut con, &format!("LB.ALTER board {options}"));
            assert!(error.contains(named), "{options} {role}: {error}");
        }
        play(&mut con, "LB.ALTER board RETAIN 5 VIEWS +week => OK\nDEL board");
    }
    for wrong in [
        "PART 4 OF 4",
        "PART 0 OF 3",
        "PART 0 OF 1",
        "PART 0 OF 2048",
        "PART -1 OF 4",
        "PART 0",
        "PART 0 IN 4",
        "PARTS 3",
        "PARTS 1",
        "PARTS 0",
        "PARTS 2048",
        "PARTS x",
        "PART 0 OF 4 PARTS 4",
        "PARTS 4 PARTS 4",
    ] {
        let error = say(&mut con, &format!("LB.CREATE board {wrong}"));
        assert!(["PART", "OF "].iter().any(|option| error.contains(option)), "{wrong}: {error}");
        assert_eq!(say(&mut con, "EXISTS board"), "0", "{wrong}");
    }
    let error = say(&mut con, "LB.CREATE a{b}c PARTS 4");
    assert!(error.contains("PARTS: the name of the key may not contain {"), "{error}");
}

/// LIKE takes the rules, not the role.
#[test]
fn like_makes_whole_boards() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.CREATE part:{x} ORDER ASC PART 1 OF 4
        LB.CREATE root ORDER ASC PARTS 4
        LB.CREATE one LIKE part:{x} => OK
        LB.CREATE two LIKE root => OK
        LB.ADD one 1 anybody => [1 1 1]
        LB.ADD two 1 anybody => [1 1 1]",
    );
    for key in ["one", "two"] {
        assert_eq!(field(&mut con, key, "parts"), Value::Int(0));
        assert_eq!(field(&mut con, key, "order"), field(&mut con, "root", "order"));
    }
}

#[test]
fn a_root_answers_nothing_but_its_rules() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "LB.CREATE game VIEWS all,day,day:7 PARTS 64\nZADD zset 1 ann");
    for line in "LB.ADD game 1 ann\nLB.ADD game 1 ann PARTS 64\nLB.MADD game 1 ann\nLB.ROLLADD game 1 ann
        LB.SET game 1 ann\nLB.MSET game 1 ann\nLB.REM game ann\nLB.REMRANGE game 1 2
        LB.REMRANGEBYSCORE game 1 2\nLB.HIDE game ann\nLB.UNHIDE game ann\nLB.HIDDEN game\nLB.SETMETA game ann x
        LB.GETMETA game ann\nLB.MGETMETA game MEMBERS 1 ann\nLB.TOP game 1\nLB.RANGE game 1 2
        LB.RANGEBYSCORE game 1 2\nLB.AROUND game ann 1\nLB.RANK game ann\nLB.SCORE game ann
        LB.MSCORE game MEMBERS 1 ann\nLB.AMONG game MEMBERS 1 ann\nLB.STANDING game ann
        LB.MSTANDING game MEMBERS 1 ann\nLB.STATS game\nLB.QUANTILE game 0.5\nLB.HISTOGRAM game 0 9 3
        LB.COUNT game\nLB.PERIODS game day\nLB.EXPORT dest game\nLB.IMPORT game zset\nLB.UNION dest 1 game
        LB.INTER dest 1 game\nLB.VOTE game 1 ann\nLB.MVOTE game 1 ann\nLB.QUOTA game
        LB.OPTION game ann\nLB.OPTIONS game 0\nLB.VOTERS game"
        .lines()
    {
        let error = say(&mut con, line);
        assert_eq!(error, "ERR spread over 64 parts: use a gateway or LB.INFO", "{line}");
    }
    play(&mut con, "EXISTS dest => 0");
}

#[test]
fn parts_and_roots_survive_whatever_keys_survive() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        let mut server = Server::builder(flavor).arg("appendonly", "yes").start();
        let replica = Server::start(flavor);
        replica.replica_of(&server);
        let mut con = server.connection();
        let ann = leaderboard_testkit::slots::members_of(2, 4, 1).remove(0);
        play(
            &mut con,
            &format!(
                "LB.CREATE root VIEWS all,day PARTS 4
                LB.CREATE part VIEWS all,day PART 2 OF 4
                LB.ADD part 5 {ann} PARTS 4 => [5 1 1]
                COPY part copy => 1
                COPY root copyroot => 1
                RENAME copyroot moved => OK"
            ),
        );
        let keys = ["root", "part", "copy", "moved"];
        let state = |con: &mut _| {
            keys.map(|key| (digest(con, key), ["parts", "part", "schema"].map(|name| field(con, key, name))))
        };
        let before = state(&mut con);
        assert_eq!(before[0].1, before[3].1);
        assert_eq!(before[1].1, before[2].1);
        wait_for_sync(&server, &replica);
        assert_eq!(state(&mut replica.connection()), before, "{flavor:?}: replica");
        let dump: Vec<u8> = query(&mut con, &["DUMP", "part"]);
        run(&mut con, &[b"RESTORE".as_slice(), b"restored", b"0", &dump]);
        assert_eq!(digest(&mut con, "restored"), before[1].0);
        bgrewriteaof_and_wait(&mut con);
        server.restart_nosave();
        assert_eq!(state(&mut server.connection()), before, "{flavor:?}: AOF");
        server.restart();
        let mut con = server.connection();
        assert_eq!(state(&mut con), before, "{flavor:?}: snapshot");
        let stranger = leaderboard_testkit::slots::members_of(1, 4, 1).remove(0);
        assert_eq!(say(&mut con, &format!("LB.ADD part 1 {stranger}")), "ERR member belongs to part 1");
    }
}
