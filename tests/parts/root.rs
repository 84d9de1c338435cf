//! The root of a board refuses all commands but those on its rules.

use std::collections::HashMap;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest};

use super::{ROOT, field, hash};
use crate::docs::commands;

const REFUSED: &str = "ERR spread over 4 parts: use a gateway or LB.INFO";

/// The error of commands that would replace the root.
const KEPT: &str = "ERR the key holds the root or a part of a board, and has to keep it";

/// Commands that work on a root.
const WORKING: [&str; 5] = ["LB.CREATE", "LB.ALTER", "LB.INFO", "LB.RESTORE", "LB.CATALOG"];

/// Commands for a gateway, and the command that reads the keys of parts.
const OTHERS: [&str; 4] = ["LB.PARTS", "LB.REPAIR", "LB.RESHARD", "LB.GATHER"];

/// Forms with several keys, beside the least ones.
const MORE: [&str; 8] = [
    "LB.IMPORT root absent",
    "LB.EXPORT root board",
    "LB.EXPORT root absent",
    "LB.UNION dest 2 board root",
    "LB.UNION root 1 board",
    "LB.UNION root 1 absent",
    "LB.INTER dest 2 board root",
    "LB.INTER root 1 board",
];

/// Each other command on boards in its least form, with the root as its key; and with `PARTS` if it takes this option.
fn least_forms() -> Vec<String> {
    let mut forms = Vec::new();
    for command in commands(&Server::start(Flavor::Redis70)) {
        let is_of_another_type = ["LB.LEAGUE.", "LB.COUNTER."].iter().any(|of| command.name.starts_with(of));
        if is_of_another_type || [&WORKING[..], &OTHERS].concat().contains(&command.name.as_str()) {
            continue;
        }
        forms.push(command.words("root", None));
        let parts = command.options().into_iter().find(|(_, token, _)| token == "PARTS");
        forms.extend(parts.map(|(place, ..)| command.words("root", Some((place, &["PARTS", "4"])))));
    }
    forms.iter().map(|words| words.join(" ")).collect()
}

#[test]
fn each_command_on_members_is_refused() {
    let forms = least_forms();
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, &format!("{ROOT}\nLB.ADD board 1 ann\nZADD zset 1 ann"));
        let (before, mut stream) = (digest(&mut con, "root"), ReplicationStream::of(&server));
        for form in forms.iter().map(String::as_str).chain(MORE) {
            let said = say(&mut con, form);
            let replaces =
                ["LB.EXPORT root", "LB.UNION root", "LB.INTER root"].iter().any(|one| form.starts_with(one));
            assert!(said == REFUSED || (replaces && said == KEPT), "{flavor:?}: {form}: {said}");
        }
        play(&mut con, "EXISTS root dest => 1\nTYPE root => lb-board1");
        assert_eq!(digest(&mut con, "root"), before);
        assert_eq!(stream.take(), Vec::<String>::new());
    }
}

#[test]
fn commands_on_rules_and_on_keys_work() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, ROOT);
        let before = hash(&mut con, "root");
        play(
            &mut con,
            "LB.ALTER root DEDUP 5 VIEWS +week => OK
             LB.CREATE like LIKE root => OK
             LB.RESTORE root x => ERR the key exists already
             LB.LEAGUE.TOP root ann => WRONGTYPE Operation against a key holding the wrong kind of value
             LB.IMPORT board root => WRONGTYPE Operation against a key holding the wrong kind of value
             EXISTS board => 0
             COPY root copy => ERR module key failed to copy
             RENAME root other => OK
             EXPIRE other 1000 => 1
             PERSIST other => 1
             RENAME other root => OK",
        );
        assert_ne!(hash(&mut con, "root"), before);
        assert_eq!(field(&mut con, "root", "views"), "\"all,day,week\"");
        play(&mut con, "DEL root => 1\nLB.ADD root 1 ann => [1 1 1]");
    }
}

#[test]
fn a_root_counts_as_a_board_without_members() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, &format!("{ROOT}\nLB.ADD board 1 ann"));
    let told: HashMap<_, _> = ["leaderboard_boards", "leaderboard_members"]
        .map(|name| (name, leaderboard_testkit::info(&mut con, "leaderboard", name)))
        .into();
    assert_eq!((&*told["leaderboard_boards"], &*told["leaderboard_members"]), ("2", "1"));
}
