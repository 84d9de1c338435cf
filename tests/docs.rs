//! Tests of the server's information about the module's commands: documentation, keys, flags and access rights.

mod catalogue;
mod rights;
mod tasks;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use leaderboard_commands::command::Command as Row;
use leaderboard_commands::{keys, table};
use leaderboard_core::parts::Parts;
use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::{Connection, FromRedisValue, Value};

pub use catalogue::{Command, commands};

const DOCUMENTING: [Flavor; 3] = [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91];

/// Each command with its number of words (the minimum, if negative) and its flags, from its row.
pub static TABLE: LazyLock<Vec<(&'static str, i64, String)>> = LazyLock::new(|| {
    let row = |row: &'static Row| (row.name.to_str().expect("a name"), i64::from(row.arity()), flags(row));
    table::commands().map(row).collect()
});

/// Returns the flags that the server must show for a row.
fn flags(row: &Row) -> String {
    let needs_memory = row.keys.iter().any(|key| key.access.needs_memory());
    let kind = match (row.only_reads(), needs_memory) {
        (true, _) => "readonly",
        (_, true) => "write denyoom",
        (_, false) => "write",
    };
    let fast = if row.fast { " fast" } else { "" };
    let movable = if keys::are_searched(row.keys) { " movablekeys" } else { "" };
    format!("{kind}{fast}{movable}")
}

/// Returns the expected key flags of each key of a command.
fn accesses(name: &str, flags: &str) -> &'static [&'static str] {
    match name {
        "LB.REM" | "LB.REMRANGE" | "LB.REMRANGEBYSCORE" | "LB.UNHIDE" | "LB.LEAGUE.REM" => &["RW delete"],
        "LB.ALTER" | "LB.CATALOG" | "LB.REPAIR" | "LB.RESHARD" | "LB.LEAGUE.ALTER" | "LB.COUNTER.ALTER" => {
            &["RW update"]
        }
        "LB.CREATE" => &["RW access update", "RO access incomplete"],
        "LB.IMPORT" => &["RW access update", "RO access"],
        "LB.EXPORT" | "LB.UNION" | "LB.INTER" => &["OW update", "RO access"],
        "LB.GATHER" => &[],
        _ if flags.contains("write") => &["RW access update"],
        _ => &["RO access"],
    }
}

/// Returns the fixed positions of a command's keys: the first, the last, and the step between two keys.
fn places(name: &str) -> [i64; 3] {
    match name {
        "LB.IMPORT" | "LB.EXPORT" => [1, 2, 1],
        "LB.COUNTER.MGET" | "LB.GATHER" => [0, 0, 0],
        _ => [1, 1, 1],
    }
}

/// Returns a command on this key with the minimum number of words.
fn least_form(name: &str, least: i64, key: &str) -> String {
    let least = usize::try_from(least.unsigned_abs()).expect("a few words");
    match name {
        "LB.COUNTER.MGET" => format!("{name} 60 KEYS 1 {key}"),
        _ => format!("{name} {key} {}", "x ".repeat(least - 2)),
    }
}

/// The information of COMMAND INFO about a command, on any server.
struct Info {
    arity: i64,
    flags: BTreeSet<String>,
    keys: [i64; 3],
    categories: BTreeSet<String>,
    key_specs: Vec<Value>,
}

fn command_info(con: &mut Connection, name: &str) -> Info {
    let [fields]: [Vec<Value>; 1] = query(con, &["COMMAND", "INFO", name]);
    fn read<T: FromRedisValue>(value: &Value) -> T {
        T::from_redis_value_ref(value).expect("a field of COMMAND INFO")
    }
    Info {
        arity: read(&fields[1]),
        flags: read(&fields[2]),
        keys: [3, 4, 5].map(|at| read(&fields[at])),
        categories: read(&fields[6]),
        key_specs: fields.get(8).map_or_else(Vec::new, read),
    }
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_command_is_documented() {
    for flavor in DOCUMENTING {
        let server = Server::start(flavor);
        let commands = commands(&server);
        let names: BTreeSet<&str> = commands.iter().map(|command| command.name.as_str()).collect();
        assert_eq!(names, TABLE.iter().map(|row| row.0).collect(), "{flavor:?}");
        for command in commands {
            for field in ["summary", "since", "complexity"] {
                assert!(!command.fields[field].is_empty(), "{flavor:?}: {field} of {}", command.name);
            }
            assert!(command.fields["complexity"].starts_with("O("), "{}", command.name);
            assert_eq!(command.fields["module"], "leaderboard");
            // The keys of parts follow from the name of a board.
            if command.name != "LB.GATHER" {
                let key = command.arguments.iter().find(|argument| argument.kind == "key").expect("a key");
                assert!(["key", "dest"].contains(&key.name.as_str()) && !key.optional, "{}", key.name);
            }
        }
    }
}

#[test]
fn the_documented_arguments_are_taken() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    // LB.CATALOG needs the state that its form changes. A server refuses what only a gateway can do.
    let is_for_gateways = |name: &str| ["LB.CATALOG", "LB.PARTS", "LB.REPAIR", "LB.RESHARD"].contains(&name);
    let commands = commands(&server);
    let taken = commands.iter().filter(|command| !command.name.ends_with(".RESTORE"));
    for command in taken.filter(|command| !is_for_gateways(&command.name)) {
        let words = |option: Option<(usize, &[&str])>| command.words("board", option);
        let mut forms = vec![words(None)];
        for (place, option, value) in command.options() {
            let option: Vec<&str> = [Some(option.as_str()), value.as_deref()].into_iter().flatten().collect();
            // Options of a gateway stand beside others.
            let beside = match option[0] {
                "INCARNATION" | "RESTORING" => &["PARTS", "4"][..],
                "REVISION" | "REQUEST" if command.name == "LB.CREATE" => &["PARTS", "4"],
                "REVISION" | "REQUEST" => continue,
                "ATTEMPT" => &["ID", "5"],
                "ROOT" | "BEST" | "MAY" | "TAKE" => continue,
                _ => &[],
            };
            forms.push(words(Some((place, &[beside, &option].concat()))));
        }
        for form in forms {
            run(&mut con, &["DEL", "board"]);
            match command.name.as_str() {
                // Only a clock of events moves.
                "LB.ALTER" if form.contains(&"NOW".to_owned()) => {
                    run(&mut con, &["LB.CREATE", "board", "CLOCK", "EVENT"])
                }
                "LB.ALTER" => {
                    let rule = ["LIMIT", "5", "voter", "5", "day"];
                    run(&mut con, &[&["LB.CREATE", "board", "VIEWS", "all,day"][..], &rule].concat())
                }
                // A write with the option PARTS needs a part, and it must be the part of this member.
                name if name != "LB.CREATE" && form.contains(&"PARTS".to_owned()) => {
                    let part = Parts::new(4, "PARTS").expect("a power of two").of(b"member");
                    run(
                        &mut con,
                        &[
                            &[
                                "LB.CREATE",
                                "board",
                                "VIEWS",
                                "all,day:7",
                                "PART",
                                &part.to_string(),
                                "OF",
                                "4",
                            ],
                            &["INCARNATION", "5"][..],
                        ]
                        .concat(),
                    )
                }
                "LB.PART" => run(&mut con, &["LB.CREATE", "board", "PART", "0", "OF", "4"]),
                "LB.PRIZES" | "LB.SETTLE" | "LB.CLAIM" => {
                    run(&mut con, &["LB.CREATE", "board", "VIEWS", "all,day:7", "SEGMENTS", "5"])
                }
                "LB.JOIN" | "LB.LEAVE" => run(&mut con, &["LB.CREATE", "board", "DECLARED", "SEGMENTS", "5"]),
                // A segment needs a board with this dimension.
                name if name.starts_with("LB.SEGMENT")
                    || ["WITHIN", "SEGMENT"].iter().any(|word| form.iter().any(|other| other == word)) =>
                {
                    run(&mut con, &["LB.CREATE", "board", "VIEWS", "all,day:7", "SEGMENTS", "5"])
                }
                // A weight or initial votes need a board that shows votes.
                "LB.OPTION" => run(&mut con, &["LB.CREATE", "board", "SHOWN"]),
                // A carried share or a decay needs a view with this unit.
                "LB.CREATE"
                    if ["CARRY", "DECAY"].iter().any(|share| form.iter().any(|word| word == share)) =>
                {
                    run(&mut con, &[&form[..], &["VIEWS".to_owned(), "day".to_owned()]].concat());
                    continue;
                }
                // The option COUNT needs the option CURSOR.
                "LB.IMPORT" if form.contains(&"COUNT".to_owned()) => {
                    run(&mut con, &[&form[..], &["CURSOR".to_owned(), "0".to_owned()]].concat());
                    continue;
                }
                "LB.CREATE" if form.contains(&"LIKE".to_owned()) => run(&mut con, &["LB.CREATE", "5", "NX"]),
                "LB.LEAGUE.CREATE" => Value::Nil,
                name if name.starts_with("LB.LEAGUE.") => {
                    let rules = ["TIERS", "a", "PROMOTE", "0", "DEMOTE", "0", "CYCLE", "day"];
                    run(&mut con, &[&["LB.LEAGUE.CREATE", "board"][..], &rules].concat())
                }
                "LB.COUNTER.CREATE" => Value::Nil,
                name if name.starts_with("LB.COUNTER.") => run(&mut con, &["LB.COUNTER.CREATE", "board"]),
                _ => Value::Nil,
            };
            run(&mut con, &form);
        }
    }
}

/// Returns what a command makes of an absent key, from the reference.
fn makes(name: &str) -> String {
    let reference = include_str!("../docs/reference.md");
    let (_, entry) = reference.split_once(&format!("\n## {name}\n")).expect("an entry in the reference");
    let (_, made) = entry.split_once("*Absent key:* makes ").expect("what it makes");
    made.split_once(".\n").expect("a sentence").0.to_owned()
}

#[test]
fn the_reference_tells_which_commands_make_a_key() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for command in commands(&server).iter().filter(|command| !command.name.ends_with(".RESTORE")) {
        run(&mut con, &["FLUSHALL"]);
        run(&mut con, &["ZADD", "zset", "5", "ann"]);
        let made = makes(&command.name);
        let is_stored = made.ends_with("if there are members");
        if is_stored {
            run(&mut con, &["LB.ADD", "board", "5", "ann"]);
        }
        let key = if is_stored { "dest" } else { "board" };
        let words = command.words("board", None).join(" ");
        let reply = say(&mut con, &words);
        let exists = say(&mut con, &format!("EXISTS {key}"));
        assert_eq!(exists == "1", made != "nothing", "{words} makes {made}: {reply}");
        // If the command makes a board with default rules, a setting decides whether it may.
        if made.starts_with("a board with") {
            run(&mut con, &["DEL", "board"]);
            run(&mut con, &["CONFIG", "SET", "leaderboard.auto-create", "no"]);
            assert!(say(&mut con, &words).starts_with("NOBOARD "), "{words}");
            run(&mut con, &["CONFIG", "SET", "leaderboard.auto-create", "yes"]);
        }
    }
}

#[test]
fn hints_show_the_syntax_of_a_command() {
    let server = Server::start(Flavor::Redis70);
    let commands = commands(&server);
    let find = |name| commands.iter().find(|command| command.name == name).expect("a command");
    let options =
        |name| find(name).options().into_iter().map(|option| option.1).collect::<Vec<_>>().join(" ");
    assert_eq!(
        options("LB.CREATE"),
        "VIEWS ORDER AGGREGATE TIES DECIMALS LEVELS TZ WEEKSTART ORIGIN CLOCK RETAIN CARRY DECAY \
         DEDUP SHOWN DECLARED OPENS CLOSES HOURS MAXMEMBERS PRIZEDAYS KEEP NOTIFYTOP SEGMENTS PARTS LIKE NX INCARNATION REVISION REQUEST RESTORING"
    );
    assert_eq!(options("LB.ADD"), "ID AT VIEW META WITHIN WITHCHANGE QUIET FORCE PARTS INCARNATION ATTEMPT");
    assert_eq!(
        options("LB.SET"),
        "NX XX GT LT ID AT VIEW META WITHIN WITHCHANGE QUIET FORCE PARTS INCARNATION ATTEMPT"
    );
    assert_eq!(options("LB.TOP"), "OFFSET WITHMETA VIEW PERIOD AT RANKS REAL REV FLAT PACKED");
    assert_eq!(
        options("LB.LEAGUE.CREATE"),
        "TIES GROUP REWARD JOINUNTIL IDLE RETAIN DECIMALS TZ WEEKSTART ORIGIN CLOCK DEDUP PRIZEDAYS NX"
    );
    assert_eq!(
        options("LB.LEAGUE.ALTER"),
        "PROMOTE DEMOTE GROUP REWARD JOINUNTIL IDLE RETAIN DEDUP PRIZEDAYS"
    );
    assert_eq!([options("LB.LEAGUE.JOIN"), options("LB.LEAGUE.ADD")], ["META AT", "ID AT QUIET"]);
    assert_eq!(
        [options("LB.LEAGUE.TOP"), options("LB.LEAGUE.STANDING")],
        ["COUNT PERIOD WITHZONE", "PERIOD"]
    );
    assert_eq!(options("LB.COUNTER.CREATE"), "PRECISIONS SAMPLES CLOCK DEDUP NX");
    assert_eq!([options("LB.COUNTER.INCR"), options("LB.COUNTER.GET")], ["BY ID AT QUIET", "FROM TO FILL"]);
    assert_eq!(
        [options("LB.COUNTER.MGET"), options("LB.COUNTER.ALTER")],
        ["FROM TO FILL", "PRECISIONS SAMPLES DEDUP"]
    );
    let kinds = |name| {
        let kinds = find(name).arguments.iter().map(|argument| argument.kind.clone());
        kinds.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        kinds("LB.TOP"),
        "key integer integer pure-token string string unix-time block oneof pure-token pure-token oneof"
    );
    assert_eq!(
        kinds("LB.MADD"),
        "key string unix-time string block pure-token pure-token integer string string string string block"
    );
    // The cursor of LB.IMPORT is a text.
    assert_eq!(kinds("LB.IMPORT"), "key key oneof pure-token unix-time string integer");
    assert_eq!(options("LB.EXPORT"), "COUNT VIEW PERIOD AT REAL REV");
    assert_eq!(options("LB.UNION"), "AGGREGATE VIEW PERIOD AT REAL");
    // WEIGHTS and its weights are a block.
    assert_eq!(kinds("LB.UNION"), "key integer key key block oneof string string unix-time pure-token");
    assert_eq!(
        options("LB.AROUND"),
        "ABOVE BELOW FILL WITHMETA VIEW PERIOD AT WITHIN RANKS REAL REV FLAT PACKED"
    );
    assert_eq!(
        [options("LB.MSET"), options("LB.OPTION")],
        ["ID AT VIEW QUIET FORCE PARTS INCARNATION ATTEMPT", "WEIGHT INITIAL META PARTS INCARNATION"]
    );
    assert_eq!(options("LB.AMONG"), "WITHMETA VIEW PERIOD AT RANKS REAL REV");
    assert_eq!(options("LB.STANDING"), "WITHMETA VIEW PERIOD AT WITHIN RANKS REAL REV");
    assert_eq!(options("LB.STATS"), "VIEW PERIOD AT REAL");
    assert_eq!(options("LB.INTER"), options("LB.UNION"));
    assert!(find("LB.REM").arguments[2].multiple);
}

#[test]
fn flags_and_keys_are_right_on_every_server() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (name, arity, flags) in &*TABLE {
            let mut info = command_info(&mut con, name);
            assert_eq!(info.flags.remove("module"), flavor != Flavor::Redis62, "{flavor:?} {name}");
            assert_eq!(info.flags, set(flags), "{flavor:?} {name}");
            // If a command has no key at a fixed position, the step between two keys has no meaning.
            let places = places(name);
            let known = if places[0] == 0 { 2 } else { 3 };
            assert_eq!(info.keys[..known], places[..known], "{flavor:?} {name}");
            let arity = if flavor == Flavor::Redis62 { -1 } else { *arity };
            assert_eq!(info.arity, arity, "{flavor:?} {name}");
        }
    }
}

/// Returns the flags of a key spec.
fn access(spec: &Value) -> BTreeSet<String> {
    let spec: HashMap<String, Value> = FromRedisValue::from_redis_value_ref(spec).expect("a map");
    FromRedisValue::from_redis_value_ref(&spec["flags"]).expect("flags")
}

#[test]
fn key_specs_tell_what_a_command_does_to_its_key() {
    for flavor in DOCUMENTING {
        let server = Server::start(flavor);
        let mut con = server.connection_resp3();
        for (name, _, flags) in &*TABLE {
            let info = command_info(&mut con, name);
            let expected: Vec<_> = accesses(name, flags).iter().map(|access| set(access)).collect();
            let told: Vec<BTreeSet<String>> = info.key_specs.iter().map(access).collect();
            assert_eq!(told, expected, "{flavor:?} {name}");
        }
    }
}

#[test]
fn the_key_of_a_command_is_found() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        // Another test checks the commands with several keys.
        for (name, least, _) in TABLE.iter().filter(|row| accesses(row.0, &row.2).len() == 1) {
            let line = format!("COMMAND GETKEYS {}", least_form(name, *least, "board"));
            assert_eq!(say(&mut con, &line), "[\"board\"]", "{flavor:?} {line}");
        }
        let line = "COMMAND GETKEYS LB.MADD board ID other 5 ann 6 bob";
        assert_eq!(say(&mut con, line), "[\"board\"]", "{flavor:?}");
    }
}
