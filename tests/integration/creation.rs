//! Tests that make boards: the errors of LB.CREATE, NX, LIKE, and the setting that stops writes from making boards.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, query, wait_for_sync};

use super::events::Events;

const EXISTS: &str = "BOARDEXISTS the board exists already";
const ABSENT: &str = "NOBOARD the board does not exist";

#[test]
fn nx_leaves_leagues_and_counters_alone_that_exist() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut stream = ReplicationStream::of(&server);
        play(
            &mut con,
            "LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE day NX => 1
             LB.LEAGUE.CREATE league TIERS c PROMOTE 0 DEMOTE 0 CYCLE week NX => 0
             LB.LEAGUE.CREATE league TIERS c PROMOTE 0 DEMOTE 0 CYCLE week => ERR the key exists already
             LB.LEAGUE.CREATE league TIERS a,b PROMOTE 1 DEMOTE 0,1 CYCLE day NX => ERR PROMOTE must name one amount for each of the 2 tiers
             LB.COUNTER.CREATE counter PRECISIONS 5 NX => 1
             LB.COUNTER.CREATE counter PRECISIONS 60 NX => 0
             LB.COUNTER.CREATE counter => ERR the key exists already
             LB.COUNTER.CREATE league NX => WRONGTYPE Operation against a key holding the wrong kind of value",
        );
        let sent = stream.take();
        let made = sent.iter().filter(|line| line.contains(".CREATE ")).count();
        assert_eq!(made, 2, "{flavor:?}: {sent:?}");
        let rules = say(&mut con, "LB.LEAGUE.INFO league") + &say(&mut con, "LB.COUNTER.INFO counter");
        let are_kept = rules.contains(r#""tiers" "a,b""#) && rules.contains(r#""precisions" "5""#);
        assert!(are_kept, "{flavor:?}: {rules}");
    }
}

#[test]
fn a_board_is_made_once() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut events = Events::of(&server, "EA");
        let mut stream = ReplicationStream::of(&server);
        play(
            &mut con,
            "SET text value
             LB.CREATE board NX TIES LAST => 1
             LB.CREATE board NX TIES FIRST VIEWS day => 0
             LB.CREATE board nx LIKE absent => 0
             LB.CREATE board VIEWS day CARRY week=0.5 NX => 0
             LB.CREATE board TIES NONE NX => ERR TIES must be one of FIRST, LAST, LEX, REVLEX
             LB.CREATE board NX NX => ERR option NX is given twice
             LB.CREATE text NX => WRONGTYPE Operation against a key holding the wrong kind of value
             LB.CREATE text => WRONGTYPE Operation against a key holding the wrong kind of value",
        );
        assert_eq!(say(&mut con, "LB.CREATE board"), EXISTS, "{flavor:?}");
        assert_eq!(say(&mut con, "LB.CREATE board LIKE board"), EXISTS, "{flavor:?}");
        assert_eq!(say(&mut con, "LB.ALTER absent DEDUP 5"), ABSENT, "{flavor:?}");
        assert_eq!(stream.take(), ["SET text value", "LB.CREATE board NX TIES LAST"], "{flavor:?}");
        assert_eq!(events.take(&mut con), ["set text", "lb.create board"], "{flavor:?}");
    }
}

/// Returns the rules from LB.INFO as text.
fn rules(con: &mut redis::Connection, key: &str) -> String {
    let info = say(con, &format!("LB.INFO {key}"));
    let (rules, _) = info.split_once(" \"members\"").expect("rules before the figures");
    let (_, limits) = info.split_once("\"limit\"").expect("the limits");
    let (limits, _) = limits.split_once("\"writes\"").expect("figures behind them");
    format!("{rules} {limits}")
}

const RULES: &str = "VIEWS all,day,day:3,week ORDER ASC TIES LAST DECIMALS 2 TZ Asia/Shanghai WEEKSTART SUN ORIGIN 77 \
                     CLOCK EVENT RETAIN day=30,week=4 CARRY week=0.2 DEDUP 60 SHOWN DECLARED OPENS 5 CLOSES 5000 \
                     LIMIT a voter 5 day LIMIT b member 9 hour BONUS c d 5";

#[test]
fn a_board_like_another_has_its_rules_and_nothing_else() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let replica = Server::start(flavor);
        play(&mut replica.connection(), &format!("REPLICAOF 127.0.0.1 {}", server.port()));
        let mut con = server.connection();
        play(&mut con, &format!("LB.CREATE old {RULES} => OK\nLB.CREATE empty {RULES} => OK"));
        play(
            &mut con,
            r#"LB.OPTION old ann WEIGHT 2
               LB.VOTE old 3 ann BY v1 AT 1000 ID one
               LB.SETMETA old ann text
               LB.CREATE new LIKE old => OK
               LB.COUNT new => 0
               LB.OPTIONS new 0 => ["0" []]
               LB.VOTERS new => 0
               LB.GETMETA new ann => nil"#,
        );
        assert_eq!(rules(&mut con, "new"), rules(&mut con, "old"), "{flavor:?}");
        let digests =
            |key: &str| query::<Vec<String>, _>(&mut server.connection(), &["DEBUG", "DIGEST-VALUE", key]);
        assert_eq!(digests("new"), digests("empty"), "{flavor:?}");
        wait_for_sync(&server, &replica);
        let copied: Vec<String> = query(&mut replica.connection(), &["DEBUG", "DIGEST-VALUE", "new"]);
        assert_eq!(copied, digests("empty"), "{flavor:?}");
    }
}

#[test]
fn options_go_before_the_rules_of_the_other_board() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("LB.CREATE old {RULES}"));
    for (options, expected) in [
        (
            "VIEWS week,month,day ORDER DESC TIES FIRST",
            "VIEWS week,month,day ORDER DESC TIES FIRST DECIMALS 2 TZ Asia/Shanghai WEEKSTART SUN ORIGIN 77 \
             CLOCK EVENT RETAIN day=30,week=4 CARRY week=0.2 DEDUP 60 SHOWN DECLARED OPENS 5 CLOSES 5000 \
             LIMIT a voter 5 day LIMIT b member 9 hour BONUS c d 5",
        ),
        (
            "RETAIN 7 CARRY week=0,day=0.5 DECIMALS 0 TZ UTC WEEKSTART MON ORIGIN 0 CLOCK SERVER DEDUP 0",
            "VIEWS all,day,day:3,week ORDER ASC TIES LAST RETAIN 7 CARRY day=0.5 DEDUP 0 SHOWN DECLARED OPENS 5 \
             CLOSES 5000 LIMIT a voter 5 day LIMIT b member 9 hour BONUS c d 5",
        ),
        (
            "LIMIT a voter 8 week LIMIT c member 9 hour OPENS 0 CLOSES 0",
            "VIEWS all,day,day:3,week ORDER ASC TIES LAST DECIMALS 2 TZ Asia/Shanghai WEEKSTART SUN ORIGIN 77 \
             CLOCK EVENT RETAIN day=30,week=4 CARRY week=0.2 DEDUP 60 SHOWN DECLARED \
             LIMIT a voter 8 week LIMIT b member 9 hour BONUS c d 5 LIMIT c member 9 hour",
        ),
    ] {
        play(&mut con, &format!("DEL one two\nLB.CREATE one {options} LIKE old\nLB.CREATE two {expected}"));
        assert_eq!(rules(&mut con, "one"), rules(&mut con, "two"), "{options}");
    }
    play(
        &mut con,
        "LB.CREATE new LIKE absent => NOBOARD the board does not exist
         LB.CREATE new LIKE new => NOBOARD the board does not exist
         SET text value
         LB.CREATE new LIKE text => WRONGTYPE Operation against a key holding the wrong kind of value
         LB.CREATE new LIKE old AGGREGATE MAX => ERR SHOWN needs AGGREGATE SUM
         LB.CREATE new LIKE old VIEWS day CARRY week=0.1 => ERR CARRY 'week' is not a view of this board
         LB.CREATE new LIKE old CLOSES 5 => ERR CLOSES must be after OPENS
         LB.CREATE new LIKE => ERR option LIKE needs a value
         LB.CREATE new LIKE old LIKE old => ERR option LIKE is given twice
         EXISTS new => 0",
    );
}

/// Commands, each with the keys that the server must find.
const FOUND: [(&str, &str); 7] = [
    ("LB.CREATE board", r#"["board"]"#),
    ("LB.CREATE board LIKE other", r#"["board" "other"]"#),
    ("lb.create board VIEWS day NX like other TIES LEX", r#"["board" "other"]"#),
    ("LB.CREATE board LIMIT like voter 5 day", r#"["board"]"#),
    ("LB.CREATE board LIMIT r voter 5 day BONUS like like 5 LIKE like", r#"["board" "like"]"#),
    ("LB.CREATE like NX", r#"["like"]"#),
    ("LB.CREATE board LIKE", r#"["board"]"#),
];

#[test]
fn both_keys_are_found() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (line, keys) in FOUND {
            assert_eq!(say(&mut con, &format!("COMMAND GETKEYS {line}")), keys, "{flavor:?}: {line}");
        }
        play(&mut con, "LB.CREATE board\nACL SETUSER visitor reset on >word +@all ~mine*\nAUTH visitor word");
        for (line, allowed) in [
            ("LB.CREATE mine1 LIKE mine2", true),
            ("LB.CREATE mine1 LIKE board", false),
            ("LB.CREATE board LIKE mine2", false),
            ("LB.CREATE mine3 LIMIT like voter 5 day", true),
        ] {
            let reply = say(&mut con, line);
            assert_eq!(!reply.starts_with("NOPERM "), allowed, "{flavor:?}: {line}: {reply}");
        }
    }
}

#[test]
fn who_may_read_a_board_may_take_its_rules() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.CREATE shown
             LB.CREATE made
             ACL SETUSER visitor reset on >word +@all %R~shown %W~made %RW~both*
             AUTH visitor word
             LB.CREATE both LIKE shown => OK
             LB.CREATE both1 LIKE both => OK",
        );
        for line in ["LB.CREATE both2 LIKE made", "LB.CREATE shown LIKE both"] {
            assert!(say(&mut con, line).starts_with("NOPERM "), "{flavor:?}: {line}");
        }
        let both = say(&mut con, "COMMAND GETKEYSANDFLAGS LB.CREATE made LIKE shown");
        assert_eq!(both, r#"[["made" [RW access update]] ["shown" [RO access]]]"#, "{flavor:?}");
    }
}

/// Commands that make the board `new`.
const MAKING: [&str; 10] = [
    "LB.ADD new 5 ann",
    "LB.MADD new 5 ann",
    "LB.ROLLADD new 5 ann",
    "LB.SET new 5 ann",
    "LB.SET new 5 ann XX",
    "LB.VOTE new 5 ann",
    "LB.MVOTE new 5 ann",
    "LB.OPTION new ann",
    "LB.SETMETA new ann text",
    "LB.IMPORT new zset",
];

#[test]
fn writes_make_no_board_where_the_setting_says_so() {
    for flavor in Flavor::all() {
        let server = Server::builder(flavor).module_args(&["auto-create", "no"]).start();
        let mut con = server.connection();
        play(&mut con, "ZADD zset 5 ann");
        for line in MAKING {
            assert_eq!(say(&mut con, line), ABSENT, "{flavor:?}: {line}");
        }
        play(
            &mut con,
            "LB.IMPORT new absent => NOBOARD the board does not exist
             EXISTS new => 0
             LB.REM new ann => 0
             LB.CREATE new => OK
             LB.ADD new 5 ann => [5 1 1]
             LB.UNION made 1 new => 1
             LB.COUNTER.INCR counter => 1",
        );
        if flavor == Flavor::Redis62 {
            continue;
        }
        play(
            &mut con,
            r#"CONFIG GET leaderboard.auto-create => ["leaderboard.auto-create" "no"]
               CONFIG SET leaderboard.auto-create yes => OK
               LB.ADD other 5 ann => [5 1 1]
               CONFIG SET leaderboard.auto-create no => OK
               LB.ADD third 5 ann => NOBOARD the board does not exist"#,
        );
        assert!(say(&mut con, "CONFIG SET leaderboard.auto-create maybe").starts_with("ERR "));
    }
}

#[test]
fn what_the_primary_and_the_append_only_file_say_makes_boards() {
    for flavor in Flavor::all() {
        let primary = Server::start(flavor);
        let strict = Server::builder(flavor).module_args(&["auto-create", "no"]);
        let replica = strict.clone().start();
        play(&mut replica.connection(), &format!("REPLICAOF 127.0.0.1 {}", primary.port()));
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play(&mut con, "ZADD zset 5 ann");
        for line in MAKING {
            play(&mut con, &format!("DEL new\n{line}"));
            wait_for_sync(&primary, &replica);
            let exists = say(&mut con, "EXISTS new");
            assert_eq!(say(&mut replica.connection(), "EXISTS new"), exists, "{flavor:?}: {line}");
        }
        if flavor == Flavor::Redis62 {
            continue;
        }
        let mut kept = strict.arg("appendonly", "yes").arg("appendfsync", "always").start();
        play(&mut kept.connection(), "CONFIG SET leaderboard.auto-create yes\nLB.ADD new 5 ann => [5 1 1]");
        kept.restart();
        play(&mut kept.connection(), &format!("LB.ADD new 1 ann => [6 1 1]\nLB.ADD other 1 ann => {ABSENT}"));
    }
}

#[test]
fn wrong_words_for_the_setting_refuse_to_load() {
    for args in [&["auto-create"][..], &["auto-create", "maybe"], &["auto-create", ""]] {
        let started = std::panic::catch_unwind(|| Server::builder(Flavor::Redis62).module_args(args).start());
        assert!(started.is_err(), "started with {args:?}");
    }
}
