//! Tests that users of the servers are users of the door, each with its own rights.

use super::cluster::Cluster;
use super::door::Door;
use super::wire::Wire;
use crate::servers::{Flavor, wait_until};

/// The users on each node: one with all rights, some that read or write boards of a game, and one with rights for the
/// root alone.
const USERS: [&str; 5] = [
    "ACL SETUSER admin on >admin-pass ~* &* +@all",
    "ACL SETUSER reader on >reader-pass ~game* -@all +@read +@connection",
    "ACL SETUSER writer on >writer-pass ~game* -@all +@read +@write +@connection",
    "ACL SETUSER player on >player-pass ~game* +@all",
    "ACL SETUSER narrow on >narrow-pass ~game -@all +@all",
];

struct Guarded {
    door: Door,
    cluster: Cluster,
}

impl Guarded {
    /// Starts a cluster with users, and two boards that an admin makes.
    fn start(flavor: Flavor, cache: &str) -> Guarded {
        let cluster = Cluster::start(flavor);
        for user in USERS {
            cluster.everywhere(user);
        }
        let door = Door::with(&cluster, &["--cache-ms", cache]);
        let guarded = Guarded { door, cluster };
        let mut admin = guarded.user("admin");
        for name in ["game", "secret"] {
            admin.run(&format!("LB.CREATE {name} PARTS 4"));
            admin.run(&format!("LB.MADD {name} ID first 1 a 2 b 3 c 4 d 5 e 6 f 7 g"));
        }
        guarded
    }

    #[track_caller]
    fn user(&self, name: &str) -> Wire {
        let mut wire = self.door.wire();
        assert_eq!(wire.say(&format!("AUTH {name} {name}-pass")).text(), "OK");
        wire
    }
}

const ALL: [&str; 6] = [
    "LB.TOP KEY 3",
    "LB.COUNT KEY",
    "LB.RANK KEY a",
    "LB.STANDING KEY b",
    "LB.RANGE KEY 1 -1",
    "LB.INFO KEY",
];

#[test]
fn each_user_has_its_own_rights() {
    let guarded = Guarded::start(Flavor::Redis82, "0");
    for name in ["reader", "writer"] {
        let mut wire = guarded.user(name);
        for read in ALL {
            assert!(!wire.say(&read.replace("KEY", "game")).is_error(), "{name}: {read}");
            let error = wire.say(&read.replace("KEY", "secret"));
            assert!(error.error().starts_with("NOPERM "), "{name}: {read}: {error:?}");
        }
        for write in
            ["LB.ADD KEY 1 a", "LB.MADD KEY ID x 1 a 1 b 1 c", "LB.REM KEY nobody", "LB.SETMETA KEY a text"]
        {
            let reply = wire.say(&write.replace("KEY", "game"));
            assert_eq!(reply.is_error(), name == "reader", "{name}: {write}: {reply:?}");
            assert!(wire.say(&write.replace("KEY", "secret")).error().starts_with("NOPERM "));
        }
        assert!(wire.say("LB.CREATE secret2 PARTS 4").error().starts_with("NOPERM "));
        assert!(wire.say("DEL secret").error().starts_with("NOPERM "));
    }
    // A user who may read only the root can read no members.
    let mut wire = guarded.user("narrow");
    for read in &ALL[..5] {
        let error = wire.say(&read.replace("KEY", "game"));
        assert!(error.error().starts_with("NOPERM "), "{read}: {error:?}");
        let partial = wire.say(&format!("{} PARTIAL", read.replace("KEY", "game")));
        assert!(partial.error().starts_with("NOPERM "), "{read}: {partial:?}");
    }
    assert!(wire.say("LB.ADD game 1 a").error().starts_with("NOPERM "));
    let mut admin = guarded.user("admin");
    assert_eq!(admin.run("LB.COUNT secret").int(), 7);
    assert_eq!(admin.run("LB.SCORE game a").int(), 3);
    // The refusal comes from the server, with the same text.
    let mut behind = guarded.cluster.wire("secret");
    behind.run("AUTH reader reader-pass");
    let mut reader = guarded.user("reader");
    assert_eq!(reader.say("GET secret"), behind.say("GET secret"));
    assert_eq!(reader.say("SET nothing 1"), {
        let mut behind = guarded.cluster.wire("nothing");
        behind.run("AUTH reader reader-pass");
        behind.say("SET nothing 1")
    });
}

#[test]
fn whoever_fails_to_tell_who_it_is_stays_who_it_was() {
    let guarded = Guarded::start(Flavor::Valkey91, "0");
    let mut wire = guarded.user("reader");
    let behind = |line: &str| Wire::to(guarded.cluster.nodes[0].port()).say(line);
    for wrong in
        ["AUTH reader wrong", "AUTH nobody reader-pass", "AUTH admin reader-pass", "HELLO 3 AUTH admin wrong"]
    {
        let reply = wire.say(wrong);
        assert!(reply.error().starts_with("WRONGPASS"), "{wrong}: {reply:?}");
        assert_eq!(reply, behind(wrong), "{wrong}");
        assert!(wire.say("LB.COUNT secret").error().starts_with("NOPERM "), "{wrong}");
        assert_eq!(wire.run("LB.COUNT game").int(), 7, "{wrong}");
    }
    let hello = wire.say("HELLO 3 AUTH admin admin-pass");
    assert!(!hello.is_error(), "{hello:?}");
    assert_eq!(wire.run("LB.COUNT secret").int(), 7);
    assert_eq!(wire.say("AUTH writer writer-pass").text(), "OK");
    assert!(wire.say("LB.COUNT secret").error().starts_with("NOPERM "));
    // In a pipeline, each command runs as the user who is logged in at that moment.
    let lines = [
        "AUTH admin admin-pass",
        "LB.COUNT secret",
        "AUTH reader reader-pass",
        "LB.COUNT secret",
        "LB.COUNT game",
    ];
    let replies = wire.pipeline(&lines.map(super::wire::split));
    assert_eq!([replies[1].int(), replies[4].int()], [7, 7], "{replies:?}");
    assert!(replies[3].error().starts_with("NOPERM "), "{replies:?}");
    // RESET logs the connection in as the default user, who has all rights here.
    assert_eq!(wire.say("RESET").text(), "RESET");
    assert_eq!(wire.run("LB.COUNT secret").int(), 7);
}

#[test]
fn what_is_kept_for_one_user_is_not_shown_to_another() {
    let guarded = Guarded::start(Flavor::Redis82, "5000");
    for _ in 0..3 {
        let mut admin = guarded.user("admin");
        assert_eq!(admin.run("LB.TOP secret 3").items().len(), 3);
        assert!(!admin.run("LB.RANK secret a ESTIMATE").is_error());
        for name in ["reader", "writer", "narrow"] {
            let mut wire = guarded.user(name);
            for read in ["LB.TOP secret 3", "LB.RANK secret a ESTIMATE", "LB.INFO secret"] {
                let reply = wire.say(read);
                assert!(reply.error().starts_with("NOPERM "), "{name}: {read}: {reply:?}");
            }
        }
    }
    // A connection whose user was deleted can read nothing.
    let mut reader = guarded.user("reader");
    assert_eq!(reader.run("LB.COUNT game").int(), 7);
    guarded.cluster.everywhere("ACL DELUSER reader");
    wait_until(|| reader.say("LB.COUNT game").is_error());
    for read in ALL {
        // The cache may still contain a top for as long as the gateway is set to store it, so this reads another one.
        let read = read.replace("KEY", "game").replace("TOP game 3", "TOP game 4");
        assert!(reader.say(&read).is_error(), "{read}");
    }
    assert!(guarded.door.wire().say("AUTH reader reader-pass").error().starts_with("WRONGPASS"));
}

#[test]
fn servers_that_want_a_password_want_it_from_clients() {
    let guarded = Guarded::start(Flavor::Redis62, "0");
    let ports: Vec<_> = guarded.cluster.nodes.iter().map(crate::servers::Server::port).collect();
    let anybody = guarded.door.wire().run("LB.COUNT game").int();
    assert_eq!(anybody, 7);
    guarded.cluster.everywhere("ACL SETUSER default resetpass >default-pass");
    // A gateway uses its own password only for its own pages.
    let urls: Vec<_> =
        ports.iter().map(|port| format!("redis://admin:admin-pass@127.0.0.1:{port}")).collect();
    let door = Door::to(&urls, &["--cache-ms", "0"], &[]);
    for read in ALL {
        let reply = door.wire().say(&read.replace("KEY", "game"));
        assert!(reply.error().starts_with("NOAUTH"), "{read}: {reply:?}");
    }
    let mut wire = door.wire();
    assert_eq!(wire.say("AUTH default-pass").text(), "OK");
    assert_eq!(wire.run("LB.COUNT secret").int(), 7);
    let mut wire = door.wire();
    assert_eq!(wire.say("AUTH player player-pass").text(), "OK");
    assert_eq!(wire.run("LB.TOP game 9").items().len(), 7);
    assert!(wire.say("LB.TOP secret 9").error().starts_with("NOPERM "));
    assert!(door.wire().say("AUTH wrong").error().starts_with("WRONGPASS"));
}
