//! Tests of access rights: categories, users who may only read, and users with rights on some keys only.

use std::collections::BTreeSet;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, query};
use redis::Connection;

use super::{TABLE, command_info, set};

/// The servers on which a module can assign its commands to categories.
const WITH_CATEGORIES: [Flavor; 2] = [Flavor::Redis82, Flavor::Valkey91];

/// Opens a connection of a user with these rights.
fn user(server: &Server, rights: &str) -> Connection {
    play(&mut server.connection(), &format!("ACL SETUSER visitor reset on >word {rights} => OK"));
    let mut con = server.connection();
    play(&mut con, "AUTH visitor word => OK");
    con
}

/// Returns a command on this key with valid arguments.
fn line(name: &str, key: &str) -> String {
    let one = format!("1 {key}");
    let arguments = match name {
        // Both keys are the same key, so one right is enough.
        "LB.IMPORT" | "LB.EXPORT" => key,
        "LB.UNION" | "LB.INTER" => &one,
        "LB.COUNTER.MGET" => return format!("{name} 60 KEYS 1 {key}"),
        "LB.COUNTER.CREATE" | "LB.COUNTER.INCR" | "LB.COUNTER.INFO" => "",
        "LB.COUNTER.GET" => "60",
        "LB.COUNTER.ALTER" => "SAMPLES 5",
        "LB.CREATE" | "LB.INFO" | "LB.COUNT" | "LB.QUOTA" | "LB.VOTERS" | "LB.HIDDEN" | "LB.STATS" => "",
        "LB.MSCORE" | "LB.MSTANDING" | "LB.AMONG" | "LB.MGETMETA" => "MEMBERS 1 ann",
        "LB.QUANTILE" => "0.5",
        "LB.HISTOGRAM" => "1 5 2",
        "LB.PART" => "TOP 5",
        "LB.GATHER" => "2 0-1 TOP 5",
        "LB.ALTER" => "DEDUP 5",
        "LB.CATALOG" => "ENDING 5",
        "LB.PARTS" | "LB.REPAIR" => "",
        "LB.RESHARD" => "4",
        "LB.TOP" => "5",
        "LB.ADD" | "LB.ROLLADD" | "LB.MADD" | "LB.SET" | "LB.MSET" | "LB.VOTE" | "LB.MVOTE" => "5 ann",
        "LB.RANGE" | "LB.RANGEBYSCORE" | "LB.REMRANGE" | "LB.REMRANGEBYSCORE" => "1 5",
        "LB.AROUND" => "ann 5",
        "LB.SETMETA" => "ann text",
        "LB.SEGMENT" => "ann country DE",
        "LB.SEGMENTS" => "country",
        "LB.SEGMENTRANK" => "country DE",
        "LB.PERIODS" => "all",
        "LB.OPTIONS" => "0",
        "LB.FIND" => "0 ann*",
        "LB.LEAGUE.CREATE" => "TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
        "LB.LEAGUE.INFO" => "",
        "LB.LEAGUE.ALTER" => "GROUP 5",
        "LB.LEAGUE.ADD" => "5 ann",
        "LB.LEAGUE.TIER" | "LB.LEAGUE.SETMETA" => "ann a",
        "LB.LEAGUE.GROUP" => "a 1",
        _ => "ann",
    };
    format!("{name} {key} {arguments}")
}

#[track_caller]
fn refused(con: &mut Connection, line: &str) {
    let reply = say(con, line);
    assert!(reply.starts_with("NOPERM "), "{line}: {reply}");
}

#[track_caller]
fn allowed(con: &mut Connection, line: &str) {
    let reply = say(con, line);
    assert!(!reply.starts_with("NOPERM "), "{line}: {reply}");
}

#[test]
fn every_command_is_in_the_modules_category() {
    for flavor in WITH_CATEGORIES {
        let server = Server::start(flavor);
        let names: BTreeSet<String> = query(&mut server.connection(), &["ACL", "CAT", "leaderboard"]);
        assert_eq!(names, TABLE.iter().map(|row| row.0.to_owned()).collect(), "{flavor:?}");
    }
}

#[test]
fn every_command_is_in_the_categories_of_its_flags() {
    for flavor in WITH_CATEGORIES {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for (name, _, flags) in &*TABLE {
            let access = if flags.contains("write") { "@write" } else { "@read" };
            let speed = if flags.contains("fast") { "@fast" } else { "@slow" };
            let expected = set(&format!("@leaderboard {access} {speed}"));
            assert_eq!(command_info(&mut con, name).categories, expected, "{flavor:?} {name}");
        }
    }
}

#[test]
fn a_user_who_may_read_may_not_write() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = user(&server, "~* +@read");
        for (name, _, flags) in &*TABLE {
            if flags.contains("write") {
                refused(&mut con, &line(name, "board"));
            } else if WITH_CATEGORIES.contains(&flavor) {
                allowed(&mut con, &line(name, "board"));
            }
        }
    }
}

#[test]
fn a_user_with_the_modules_category_may_use_it_and_nothing_else() {
    for flavor in WITH_CATEGORIES {
        let server = Server::start(flavor);
        let mut con = user(&server, "~* +@leaderboard");
        for (name, _, _) in &*TABLE {
            allowed(&mut con, &line(name, "board"));
        }
        refused(&mut con, "SET text value");
    }
}

#[test]
fn a_user_is_kept_to_the_keys_it_may_use() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = user(&server, "~foo* +@all");
        for (name, _, _) in &*TABLE {
            allowed(&mut con, &line(name, "football"));
            // Redis 6.2 cannot check the keys of this command, which refuses to run there.
            if !(*name == "LB.GATHER" && flavor == Flavor::Redis62) {
                refused(&mut con, &line(name, "board"));
            }
        }
        assert_eq!(query::<Vec<String>, _>(&mut server.connection(), &["KEYS", "*"]), ["football"]);
    }
}

#[test]
fn a_user_may_read_some_keys_and_write_others() {
    for flavor in [Flavor::Redis70, Flavor::Redis82, Flavor::Valkey91] {
        let server = Server::start(flavor);
        let mut con = user(&server, "%R~shown %RW~mine +@all");
        // The patterns name no keys of parts.
        for (name, _, flags) in TABLE.iter().filter(|row| row.0 != "LB.GATHER") {
            allowed(&mut con, &line(name, "mine"));
            if flags.contains("write") {
                refused(&mut con, &line(name, "shown"));
            } else {
                allowed(&mut con, &line(name, "shown"));
            }
        }
    }
}
