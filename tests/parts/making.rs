//! Tests of LB.CREATE with PART and PARTS, and of LB.INFO after it.

use leaderboard_core::parts::Parts;
use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::slots::part_keys;
use leaderboard_testkit::{Flavor, Server, query, run};

use super::{PART, ROOT, field, hash, keys, plays};

#[test]
fn a_part_a_root_and_a_whole_board_tell_what_they_are() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            &format!("{PART}\n{ROOT}\nLB.CREATE part3 views all,day part 3 of 4\nLB.ADD whole 1 bob"),
        );
        let mut is = |key: &str, parts: &str, part: &str, members: &str| {
            let told = ["parts", "part", "members"].map(|name| field(&mut con, key, name));
            assert_eq!(told, [parts, part, members], "{flavor:?}: {key}");
        };
        is("part", "4", "0", "2");
        is("part3", "4", "3", "0");
        is("root", "4", "nil", "0");
        is("whole", "0", "nil", "1");
        let keys_of_parts = part_keys("root", 4).into_iter().map(String::into_bytes);
        assert_eq!(keys(&mut con, b"root"), keys_of_parts.collect::<Vec<_>>());
        assert_eq!(["part", "whole"].map(|key| field(&mut con, key, "keys")), ["[]", "[]"]);
        let of_root = hash(&mut con, "root");
        assert_eq!(["part", "part3"].map(|key| hash(&mut con, key)), [of_root, of_root]);
        assert_ne!(hash(&mut con, "whole"), of_root);
    }
}

/// Compares the keys of the parts with the slots of a cluster node, on a server of each version.
#[test]
fn the_keys_of_parts_lie_in_the_slots_of_a_cluster() {
    for flavor in Flavor::all() {
        let (server, node) = (Server::start(flavor), Server::builder(flavor).in_cluster().start());
        let (mut con, mut node) = (server.connection(), node.connection());
        let mut slot = |key: &[u8]| query::<u64, _>(&mut node, &[b"CLUSTER", b"KEYSLOT", key]);
        let names: [(&[u8], u16); 5] =
            [(b"game", 2), (b"game", 64), (b"", 8), (b"\xff}\0 ", 16), (b"x", 1024)];
        for (name, parts) in names {
            run(&mut con, &[b"FLUSHALL"]);
            run(&mut con, &[b"LB.CREATE", name, b"PARTS", parts.to_string().as_bytes()]);
            let keys = keys(&mut con, name);
            assert_eq!(keys.len(), usize::from(parts));
            for (part, key) in (0_u64..).zip(&keys) {
                let wanted = (slot(name) + part * 16_384 / u64::from(parts)) % 16_384;
                assert_eq!(slot(key), wanted, "{flavor:?}: {}", key.escape_ascii());
                assert!(key.starts_with(&[name, b":{"].concat()) && key.ends_with(b"}"));
            }
        }
    }
}

/// Compares the part of a member with the slot that the server calculates for the member's name.
#[test]
fn a_member_belongs_to_the_part_of_its_slot() {
    let (server, node) =
        (Server::start(Flavor::Redis70), Server::builder(Flavor::Redis70).in_cluster().start());
    let (mut con, mut node) = (server.connection(), node.connection());
    for parts in [2_u64, 64, 1024] {
        run(&mut con, &["FLUSHALL"]);
        play(&mut con, &format!("LB.CREATE part PART 1 OF {parts}"));
        for number in 0..500 {
            let member = format!("member {number}");
            let slot: u64 = query(&mut node, &["CLUSTER", "KEYSLOT", &member]);
            let own = slot / (16_384 / parts);
            let answer = leaderboard_testkit::try_run(&mut con, &["LB.ADD", "part", "1", &member]);
            match answer {
                Ok(_) => assert_eq!(own, 1, "{member}"),
                Err(error) => assert_eq!(error, format!("ERR member belongs to part {own}"), "{member}"),
            }
        }
    }
    let braces = Parts::new(2, "").unwrap().of(b"{a}b");
    // Braces in a member's name have no special meaning.
    assert_eq!(u64::from(braces), u64::from(leaderboard_core::parts::slot(b"{a}b")) / 8192);
}

#[test]
fn wrong_numbers_are_refused() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let no_parts = "must be a power of two, 2 to 1024";
    for (options, error) in [
        ("PART 64 OF 64", "PART is out of range"),
        ("PART 65535 OF 64", "PART is out of range"),
        ("PART 65536 OF 64", "PART is out of range"),
        ("PART -1 OF 64", "PART is out of range"),
        ("PART 99999999999999999999999999 OF 64", "PART is out of range"),
        ("PART x OF 64", "PART is not a whole number"),
        ("PART 1.5 OF 64", "PART is not a whole number"),
        ("PART 1 OF 3", &format!("OF {no_parts}")),
        ("PART 0 OF 1", &format!("OF {no_parts}")),
        ("PART 0 OF 0", &format!("OF {no_parts}")),
        ("PART 0 OF 2048", &format!("OF {no_parts}")),
        ("PART 0 OF 65538", &format!("OF {no_parts}")),
        ("PART 0 OF -2", "OF is out of range"),
        ("PART 0 OF x", "OF is not a whole number"),
        ("PART 0 OF", "option OF needs a value"),
        ("PART 0 IN 2", "OF is needed"),
        ("PART 0", "OF is needed"),
        ("PART", "option PART needs a value"),
        ("PARTS 3", &format!("PARTS {no_parts}")),
        ("PARTS 1", &format!("PARTS {no_parts}")),
        ("PARTS 0", &format!("PARTS {no_parts}")),
        ("PARTS 2048", &format!("PARTS {no_parts}")),
        ("PARTS 65538", &format!("PARTS {no_parts}")),
        ("PARTS -2", "PARTS is out of range"),
        ("PARTS 99999999999999999999999999", "PARTS is out of range"),
        ("PARTS 2.0", "PARTS is not a whole number"),
        ("PARTS", "option PARTS needs a value"),
        ("PARTS 2 PARTS 2", "option PARTS is given twice"),
        ("PART 0 OF 2 PART 0 OF 2", "option PART is given twice"),
        ("PARTS 2 PART 0 OF 2", "options PART and PARTS exclude each other"),
        ("PART 0 OF 2 PARTS 2", "options PART and PARTS exclude each other"),
    ] {
        assert_eq!(say(&mut con, &format!("LB.CREATE x {options}")), coded(error), "{options}");
    }
    assert_eq!(say(&mut con, "EXISTS x"), "0");
    play(
        &mut con,
        "LB.CREATE x PART 1023 OF 1024 => OK\nLB.CREATE y PARTS 1024 => OK\nLB.CREATE z PART 007 OF 8 => OK",
    );
}

#[test]
fn rules_that_need_all_members_are_refused() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for role in ["PARTS 2", "PART 1 OF 2"] {
        for (rule, named) in [
            ("CLOCK EVENT", "CLOCK EVENT"),
            ("TIES LEX", "TIES LEX"),
            ("TIES revlex", "TIES REVLEX"),
            ("SHOWN", "SHOWN"),
            ("DECLARED", "DECLARED"),
            ("KEEP 5", "KEEP"),
            ("LIMIT a voter 5 day", "LIMIT"),
            ("VIEWS all,day RETAIN 0", "RETAIN 0"),
            ("VIEWS all,day,week RETAIN week=0", "RETAIN 0"),
        ] {
            let error = coded(&format!("{named} is not possible with parts"));
            assert_eq!(say(&mut con, &format!("LB.CREATE x {role} {rule}")), error);
            assert_eq!(say(&mut con, &format!("LB.CREATE x {rule} {role}")), error);
        }
        play(
            &mut con,
            &format!(
                "EXISTS x => 0
                 LB.CREATE x {role} KEEP 0 CLOCK SERVER TIES LAST OPENS 5 CLOSES 9 NOTIFYTOP 5 RETAIN 0 => OK
                 DEL x
                 LB.CREATE x {role} VIEWS day,week:3 RETAIN 1 CARRY day=0.5 DEDUP 0 DECIMALS 2 ORDER ASC => OK
                 DEL x
                 LB.CREATE x {role} LEVELS a:DESC:5 AGGREGATE MAX => OK
                 DEL x"
            ),
        );
    }
}

#[test]
fn the_rules_of_a_part_are_taken_without_what_it_is() {
    plays(
        "LB.CREATE part ORDER ASC PART 1 OF 4
         LB.CREATE root ORDER ASC PARTS 4
         LB.CREATE a LIKE part => OK
         LB.ADD a 1 ann => [1 1 1]
         LB.CREATE b LIKE root => OK
         LB.MADD b 2 ann 1 bob => [[2 2 1] [1 1 1]]
         LB.CREATE c LIKE root PART 2 OF 8 => OK
         LB.ADD c 1 ann => ERR member belongs to part 1
         LB.CREATE d LIKE a PARTS 8 => OK
         LB.CREATE e KEEP 7 => OK
         LB.CREATE f LIKE e PARTS 8 => ERR KEEP is not possible with parts
         EXISTS f => 0",
    );
}

#[test]
fn a_key_that_is_there_is_left_alone() {
    plays(
        "LB.CREATE root PARTS 4
         LB.CREATE root PARTS 8 => BOARDEXISTS the board exists already
         LB.CREATE root NX PARTS 8 => 0
         LB.CREATE root => BOARDEXISTS the board exists already
         LB.CREATE part PART 1 OF 4 NX => 1
         LB.CREATE part PART 1 OF 4 NX => 0
         LB.CREATE part PARTS 4 => BOARDEXISTS the board exists already
         SET text x
         LB.CREATE text PARTS 4 => WRONGTYPE Operation against a key holding the wrong kind of value",
    );
}

#[test]
fn a_root_has_no_hash_tag() {
    plays(
        "LB.CREATE {a}b PARTS 4 => ERR PARTS: the name of the key may not contain {
         LB.CREATE a{ PARTS 4 NX => ERR PARTS: the name of the key may not contain {
         LB.CREATE a} PARTS 4 => OK
         LB.CREATE {a}b PART 0 OF 4 => OK",
    );
}
