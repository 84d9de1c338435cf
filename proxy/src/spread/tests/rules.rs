//! Tests of boards that are made, altered and deleted over parts, also by several gateways, and in several attempts.

use tokio::join;

use super::*;
use crate::spread::simulated::{Fault, NOW};

fn all_keys() -> Vec<String> {
    let mut keys: Vec<_> = (0..4).map(|part| String::from_utf8(key(part)).unwrap()).collect();
    keys.push("game".to_owned());
    keys.sort();
    keys
}

#[tokio::test(start_paused = true)]
async fn all_parts_and_a_root_and_nothing_else() {
    let (servers, engine) = start();
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day NX PARTS 4").await, "1");
    assert_eq!(servers.keys(), all_keys());
    assert_eq!(say(&engine, "LB.CREATE game VIEWS all,day NX PARTS 4").await, "0");
    assert_eq!(say(&engine, "LB.CREATE game PARTS 4").await, "BOARDEXISTS the board exists already");
    assert_eq!(say(&engine, "DEL game").await, "1");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

/// Returns the rules that `LB.INFO` shows: all fields that do not depend on the key, the time or the board.
fn rules_of(info: &str) -> Vec<&str> {
    let fields = [
        "views",
        "order",
        "aggregate",
        "ties",
        "tz",
        "weekstart",
        "clock",
        "retain",
        "carry",
        "decay",
        "levels",
        "decimals",
        "origin",
        "dedup",
        "opens",
        "closes",
        "hours",
        "attempts",
        "bounds",
        "notifytop",
    ];
    let is_rule = |field: &&str| fields.iter().any(|name| field.starts_with(&format!("{name}=")));
    info.split(' ').filter(is_rule).collect()
}

#[tokio::test(start_paused = true)]
async fn a_board_like_another_has_the_rules_that_one_server_would_give_it() {
    let (servers, engine) = start();
    let others = [
        "VIEWS all,day:3,week ORDER ASC AGGREGATE MAX TIES LAST DECIMALS 2 TZ Europe/Rome WEEKSTART SUN DEDUP 7",
        "VIEWS day,all RETAIN day=5 CARRY day=0.5 OPENS 5 CLOSES 900 NOTIFYTOP 3 ORIGIN 60000",
        "VIEWS week,all DECAY week=0.9 RETAIN 4 HOURS mon-fri=18:00-20:00,sun=22:00-02:00 BOUNDS (0 9.5 DECIMALS 1 ATTEMPTS 3 day",
        "LEVELS gold:DESC:50,lost:ASC:50 VIEWS all,hour",
        "KEEP 100 TIES LEX CLOCK EVENT",
    ];
    let options = [
        "",
        " VIEWS hour,day,all RETAIN 3",
        " KEEP 0 TIES FIRST CLOCK SERVER DEDUP 9",
        " AGGREGATE LAST OPENS 0 CLOSES 0",
        " LEVELS gold:DESC:9 NOTIFYTOP 5",
    ];
    let mut made = 0;
    for other in others {
        for (kind, parts) in [("plain", ""), ("spread", " PARTS 4")] {
            let created = say(&engine, &format!("LB.CREATE {kind} {other}{parts}")).await;
            if created != "OK" {
                assert_eq!(created, "ERR CLOCK EVENT is not possible with parts");
                continue;
            }
            for option in options {
                // One server takes the rules of a root, too.
                let of_one = format!("LB.CREATE one LIKE {kind}{option} PART 0 OF 4");
                let wanted = shown(&servers.direct(&of_one));
                let said = say(&engine, &format!("LB.CREATE game LIKE {kind}{option} PARTS 4")).await;
                assert_eq!(said, wanted, "{other} and {option}");
                if said == "OK" {
                    made += 1;
                    let [game, one] = [say(&engine, "LB.INFO game").await, servers_info(&servers, "one")];
                    assert_eq!(rules_of(&game), rules_of(&one), "{other} and {option}");
                    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
                    assert_eq!(say(&engine, "DEL game").await, "1");
                }
                servers.direct("DEL one");
            }
            assert_eq!(say(&engine, &format!("DEL {kind}")).await, "1");
        }
    }
    assert!(made > 20, "{made}");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

fn servers_info(servers: &Simulated, key: &str) -> String {
    shown(&servers.direct(&format!("LB.INFO {key}")))
}

#[tokio::test(start_paused = true)]
async fn a_board_cannot_be_like_one_with_rules_that_parts_cannot_have() {
    let (servers, engine) = start();
    servers.direct("LB.CREATE votes SHOWN");
    servers.direct("LB.CREATE listed DECLARED");
    servers.direct("LB.CREATE limited LIMIT daily voter 1 day");
    servers.direct("LB.CREATE best KEEP 9");
    servers.direct("SET text x");
    let before = servers.keys();
    for (other, said) in [
        ("votes", "ERR SHOWN is not possible with parts"),
        ("listed", "ERR DECLARED is not possible with parts"),
        ("limited", "ERR LIMIT is not possible with parts"),
        ("best", "ERR KEEP is not possible with parts"),
        ("nothing", "NOBOARD the board does not exist"),
        ("game", "NOBOARD the board does not exist"),
        ("text", "WRONGTYPE Operation against a key holding the wrong kind of value"),
    ] {
        assert_eq!(say(&engine, &format!("LB.CREATE game LIKE {other} PARTS 4")).await, said);
    }
    assert_eq!(servers.keys(), before, "nothing was made");
    servers.fault(b"best", Some(Fault::Cut));
    let down = say(&engine, "LB.CREATE game LIKE best KEEP 0 PARTS 4 TIMEOUT 100").await;
    assert_eq!(down, "PARTSDOWN the root of the board did not answer");
    servers.fault(b"best", None);
    assert_eq!(say(&engine, "LB.CREATE game LIKE best KEEP 0 NX PARTS 4").await, "1");
    // The other board is not needed if the board exists already.
    assert_eq!(say(&engine, "LB.CREATE game LIKE nothing NX PARTS 4").await, "0");
    assert_eq!(
        say(&engine, "LB.CREATE game LIKE votes PARTS 4").await,
        "BOARDEXISTS the board exists already"
    );
}

#[tokio::test(start_paused = true)]
async fn a_board_like_another_is_finished_by_repeating_the_command() {
    let (servers, engine) = start();
    servers.direct("LB.CREATE other VIEWS day,all");
    servers.fault(&key(3), Some(Fault::Refuses("LB.CREATE", "OOM command not allowed")));
    let create = "LB.CREATE game LIKE other PARTS 4";
    assert_eq!(say(&engine, create).await, "OOM command not allowed");
    servers.fault(&key(3), None);
    servers.direct("DEL other");
    assert_eq!(say(&engine, create).await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("views=day,all"));
}

#[tokio::test(start_paused = true)]
async fn a_board_whose_parts_cannot_be_made_is_not_begun() {
    let (servers, engine) = start();
    servers.fault(&key(3), Some(Fault::Cut));
    let create = "LB.CREATE game VIEWS day PARTS 4 TIMEOUT 200";
    assert_eq!(say(&engine, create).await, "PARTSDOWN 1 of 4 parts did not answer");
    assert_eq!(servers.keys(), Vec::<String>::new());
    servers.fault(&key(3), Some(Fault::Refuses("LB.CREATE", "OOM command not allowed")));
    assert_eq!(say(&engine, create).await, "OOM command not allowed");
    servers.fault(&key(3), None);
    let other = say(&engine, "LB.CREATE game VIEWS week PARTS 4").await;
    assert_eq!(other, "BOARDEXISTS the board exists already", "the board is completed, with its own rules");
    assert_eq!(say(&engine, create).await, "OK", "the client that began gets the reply");
    assert_eq!(say(&engine, create).await, "BOARDEXISTS the board exists already");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_key_of_a_part_that_is_something_else() {
    let (servers, engine) = start();
    servers.direct(&format!("SET {} text", all_keys()[2]));
    let refused = say(&engine, "LB.CREATE game PARTS 4").await;
    assert!(refused.contains("holds something else: game:{"), "{refused}");
    assert_eq!(servers.keys(), [all_keys()[2].clone()]);
    assert_eq!(servers.direct(&format!("GET {}", all_keys()[2])), Value::BulkString(b"text".to_vec()));
}

#[tokio::test(start_paused = true)]
async fn two_gateways_that_make_the_same_board_make_one() {
    let (servers, one) = start();
    let other = engine(&servers);
    let create = "LB.CREATE game VIEWS day PARTS 4";
    let (first, second) = join!(say(&one, create), say(&other, create));
    // The same command may be a repetition, whose client did not get the first reply.
    assert_eq!([first, second], ["OK", "OK"]);
    assert_eq!(say(&one, create).await, "BOARDEXISTS the board exists already");
    assert_eq!(servers.keys(), all_keys());
    let with_other_rules = [("DEL game", "DEL game"), (create, "LB.CREATE game VIEWS week PARTS 4")];
    for (line, of_other) in with_other_rules {
        let (first, second) = join!(say(&one, line), say(&other, of_other));
        assert!(
            [&first, &second].iter().any(|said| ["OK", "1"].contains(&said.as_str())),
            "{first} {second}"
        );
    }
    assert_eq!(servers.keys(), all_keys());
    assert_eq!(say(&one, &format!("LB.ADD game 1 {}", member(2))).await, "[1 nil 1]");
}

#[tokio::test(start_paused = true)]
async fn all_parts_are_altered_and_the_root() {
    let (servers, engine) = with_board().await;
    assert_eq!(say(&engine, "LB.ALTER game DEDUP 60").await, "OK");
    assert_eq!(servers.keys(), all_keys());
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=60"));
    servers.fault(&key(2), Some(Fault::Cut));
    let alter = "LB.ALTER game VIEWS +day";
    let begun = "UNKNOWN the command has begun and is not finished: 1 of 4 parts did not answer: repeat it";
    assert_eq!(say(&engine, alter).await, begun);
    servers.fault(&key(2), None);
    servers.fault(&key(3), Some(Fault::Lost("LB.CATALOG")));
    let lost = say(&engine, alter).await;
    assert_eq!(lost, "PARTSDOWN 1 of 4 parts did not answer", "this call has not altered the root");
    servers.fault(&key(3), None);
    assert_eq!(say(&engine, alter).await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("members=0"));
    assert_eq!(say(&engine, alter).await, "ERR view 'day' is named twice");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_part_with_rules_of_its_own_gets_those_of_the_root() {
    let (servers, engine) = with_board().await;
    servers.direct(&format!("LB.ALTER {} DEDUP 7", String::from_utf8(key(1)).unwrap()));
    let refused = say(&engine, "LB.INFO game").await;
    let wanted =
        "ERR the parts do not agree: part 1 has rules of its own: LB.REPAIR game gives it those of the root";
    assert_eq!(refused, wanted);
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[gave part 1 the rules with the number 0]");
    assert_eq!(say(&engine, "LB.REPAIR game").await, "[]");
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=600"));
    servers.direct(&format!("LB.ALTER {} DEDUP 7 VIEWS +day", String::from_utf8(key(2)).unwrap()));
    assert_eq!(say(&engine, "LB.ALTER game DEDUP 60").await, "OK");
    assert!(say(&engine, "LB.INFO game").await.contains("dedup=60"));
    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
}

#[tokio::test(start_paused = true)]
async fn whole_boards_are_altered_as_they_are() {
    let (servers, engine) = start();
    servers.direct("LB.CREATE plain");
    assert_eq!(say(&engine, "LB.ALTER plain DEDUP 60").await, "OK");
    assert_eq!(say(&engine, "LB.ALTER nothing DEDUP 60").await, "NOBOARD the board does not exist");
    assert!(say(&engine, "LB.INFO plain").await.contains("dedup=60"));
    assert_eq!(say(&engine, "LB.INFO nothing").await, "nil");
}

/// Returns the memory of a board, as its `LB.INFO` reports it.
fn memory(info: &Value) -> u64 {
    let told = shown(info);
    let memory = told.split(' ').find_map(|field| field.strip_prefix("memory="));
    memory.unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn the_parts_tell_together() {
    let (servers, engine) = with_board().await;
    let list: String = (0..4).map(|part| format!(" 1 {}", member(part))).collect();
    assert!(say(&engine, &format!("LB.MADD game ID r{list}")).await.starts_with("[["));
    let info = say(&engine, "LB.INFO game").await;
    let memory: u64 =
        servers.keys().iter().map(|key| memory(&servers.direct(&format!("LB.INFO {key}")))).sum();
    for field in ["members=4", &format!("memory={memory}"), "parts=4", "part=nil", &format!("now={NOW}")] {
        assert!(info.contains(field), "{field} in {info}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_not_ended_whole_keeps_its_root() {
    let (servers, engine) = with_board().await;
    servers.direct("SET x 1");
    servers.fault(&key(1), Some(Fault::Cut));
    assert_eq!(
        say(&engine, "UNLINK game").await,
        "UNKNOWN the command has begun and is not finished: 1 of 4 parts did not answer: repeat it"
    );
    assert!(servers.keys().contains(&"game".to_owned()));
    assert_eq!(say(&engine, "LB.COUNT game").await, "PARTSDOWN 1 of 4 parts did not answer");
    servers.fault(&key(1), None);
    assert_eq!(say(&engine, "DEL game x nothing").await, "2");
    assert_eq!(servers.keys(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn commands_that_would_tear_a_board_apart() {
    let (servers, engine) = with_board().await;
    let part = String::from_utf8(key(2)).unwrap();
    for key in ["game", &part] {
        // A key in the same slot.
        let tag = key.split(['{', '}']).nth(1).unwrap_or(key);
        let beside = format!("{{{tag}}}");
        for line in [
            format!("EXPIRE {key} 100"),
            format!("pexpireat {key} 100"),
            format!("RENAME {key} other"),
            format!("RENAME other {key}"),
            format!("COPY {key} other"),
            format!("COPY other {key} REPLACE"),
            format!("SET {key} text"),
            format!("MSET other text {key} text"),
            format!("ZUNIONSTORE {key} 1 other"),
            format!("SORT other STORE {key}"),
            format!("LB.UNION {key} 1 {beside}"),
            format!("LB.EXPORT {key} {beside}"),
        ] {
            let name = line.split(' ').next().unwrap().to_uppercase();
            let refused = say(&engine, &line).await;
            let by_server =
                refused.ends_with("the key holds the root or a part of a board, and has to keep it");
            let why = refused.strip_prefix(&format!("ERR {name} does not work over parts: "));
            assert!(why.is_some_and(|why| why.contains("one")) || by_server, "{line}: {refused}");
        }
    }
    let union = "it makes one board in one step of one server, which cannot read the parts on other nodes";
    for name in ["LB.UNION", "LB.INTER"] {
        let refused = say(&engine, &format!("{name} other 2 another game WEIGHTS 1 2")).await;
        assert_eq!(refused, format!("ERR {name} does not work over parts: {union}"));
    }
    assert_eq!(
        say(&engine, &format!("DEL {part}")).await,
        "ERR DEL: the key holds a part of a board: name the board"
    );
    assert_eq!(say(&engine, "SET other text").await, "OK");
    assert_eq!(say(&engine, "DEL other").await, "1");
    assert_eq!(servers.keys(), all_keys());
}

#[tokio::test(start_paused = true)]
async fn a_whole_board_in_the_key_of_a_known_root_is_refused_by_the_server() {
    let (_, engine) = with_board().await;
    assert_eq!(say(&engine, "LB.COUNT game").await, "0", "the engine knows the root");
    assert_eq!(say(&engine, "LB.CREATE game").await, "BOARDEXISTS the board exists already");
    assert_eq!(say(&engine, "LB.CREATE game NX").await, "0");
    assert_eq!(say(&engine, "LB.COUNT game").await, "0");
    assert_eq!(say(&engine, "DEL game").await, "1");
    assert_eq!(say(&engine, "LB.CREATE game").await, "OK");
    assert_eq!(say(&engine, "LB.ADD game 5 ann").await, "[5 1 1]");
}
