//! The root of a board refuses all commands but those on its rules.

use std::collections::HashMap;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, digest};

use super::{ROOT, field, hash};
use crate::docs::commands;

const REFUSED: &str = "ERR spread over 4 parts: use a gateway or LB.INFO";

/// Each command on boards with the root as one of its keys, in a form that a board takes.
const FORMS: &[&str] = &[
    "LB.ADD root 1 ann",
    "LB.ADD root 1 ann PARTS 4",
    "LB.ROLLADD root 1 ann",
    "LB.MADD root 1 ann 2 bob",
    "LB.SET root 1 ann",
    "LB.MSET root 1 ann",
    "LB.REM root ann",
    "LB.REMRANGE root 1 -1",
    "LB.REMRANGEBYSCORE root -inf +inf",
    "LB.REMRANGEBYSCORE root -inf +inf PARTS 4",
    "LB.HIDE root ann",
    "LB.UNHIDE root ann",
    "LB.HIDDEN root",
    "LB.SETMETA root ann text",
    "LB.SETMETA root ann text PARTS 4",
    "LB.GETMETA root ann",
    "LB.MGETMETA root MEMBERS 1 ann",
    "LB.TOP root 5",
    "LB.RANGE root 1 -1",
    "LB.RANGEBYSCORE root 1 2",
    "LB.AROUND root ann 2",
    "LB.RANK root ann",
    "LB.SCORE root ann",
    "LB.MSCORE root MEMBERS 1 ann",
    "LB.STANDING root ann",
    "LB.MSTANDING root MEMBERS 1 ann",
    "LB.COUNT root",
    "LB.AMONG root MEMBERS 1 ann",
    "LB.STATS root",
    "LB.QUANTILE root 0.5",
    "LB.HISTOGRAM root 0 10 2",
    "LB.PART root TOP 5",
    "LB.PERIODS root day",
    "LB.VOTE root 1 ann",
    "LB.MVOTE root 1 ann",
    "LB.QUOTA root",
    "LB.OPTION root ann",
    "LB.OPTION root ann PARTS 4",
    "LB.OPTIONS root 0",
    "LB.VOTERS root",
    "LB.IMPORT root zset",
    "LB.IMPORT root absent",
    "LB.EXPORT dest root",
    "LB.EXPORT root board",
    "LB.EXPORT root absent",
    "LB.UNION dest 2 board root",
    "LB.UNION dest 1 root",
    "LB.UNION root 1 board",
    "LB.UNION root 1 absent",
    "LB.INTER dest 2 board root",
    "LB.INTER root 1 board",
];

/// Commands that work on a root, or are about other types.
const OTHERS: [&str; 4] = ["LB.CREATE", "LB.ALTER", "LB.INFO", "LB.RESTORE"];

#[test]
fn each_command_on_members_is_refused() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, &format!("{ROOT}\nLB.ADD board 1 ann\nZADD zset 1 ann"));
        let (before, mut stream) = (digest(&mut con, "root"), ReplicationStream::of(&server));
        for form in FORMS {
            assert_eq!(say(&mut con, form), REFUSED, "{flavor:?}: {form}");
        }
        play(&mut con, "EXISTS root dest => 1\nTYPE root => lb-board1");
        assert_eq!(digest(&mut con, "root"), before);
        assert_eq!(stream.take(), Vec::<String>::new());
    }
}

/// So that nobody forgets a new command: it has to be one of the forms.
#[test]
fn there_is_a_form_of_each_command() {
    let server = Server::start(Flavor::Redis70);
    for command in commands(&server) {
        let name = command.name.to_uppercase();
        let is_of_another_type = name.starts_with("LB.LEAGUE.") || name.starts_with("LB.COUNTER.");
        let has_form = FORMS.iter().any(|form| form.split(' ').next() == Some(&name));
        assert_eq!(has_form, !is_of_another_type && !OTHERS.contains(&name.as_str()), "{name}");
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
             COPY root copy => 1
             RENAME copy other => OK
             EXPIRE other 1000 => 1
             DEL other => 1",
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
