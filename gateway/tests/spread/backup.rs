//! Tests of the tasks `backup`, `restore` and `verify` with real servers.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::door::Door;
use super::parts::{part_key, part_keys};
use super::shared::{Place, shared};
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, Server, wait_until};
use crate::support::{program, signal};

/// Starts a task with `--redis` for each of these servers.
fn start(urls: &[String], task: &[&str]) -> Child {
    let servers = urls.iter().flat_map(|url| ["--redis", url]);
    Command::new(program())
        .args(task)
        .args(servers)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process")
}

/// Runs a task. Returns what it printed, or its error.
fn task(urls: &[String], task: &[&str]) -> Result<String, String> {
    let output = start(urls, task).wait_with_output().expect("an ended program");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text").trim().to_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

fn folder() -> (TempDir, String) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("backup").to_str().expect("a text").to_owned();
    (dir, path)
}

fn urls(server: &Server) -> Vec<String> {
    vec![format!("redis://127.0.0.1:{}", server.port())]
}

/// Makes a board of 300 members, with hidden members, texts and a past period.
fn fill(wire: &mut Wire, board: &str, options: &str) {
    wire.run(&format!("LB.CREATE {board} VIEWS all,day,week:3 DEDUP 100000 RETAIN 5 {options}"));
    let list: Vec<_> = (0..300).map(|member| format!("{} m{member}", member % 50)).collect();
    wire.run(&format!("LB.MADD {board} ID first {}", list.join(" ")));
    wire.run(&format!("LB.SETMETA {board} m7 text"));
    wire.run(&format!("LB.HIDE {board} m9"));
}

/// Returns what clients see of a board.
fn seen(wire: &mut Wire, board: &str) -> Vec<Reply> {
    let reads = [
        "LB.TOP KEY 1000 WITHMETA",
        "LB.TOP KEY 1000 VIEW week:3 PACKED",
        "LB.RANK KEY m123",
        "LB.STANDING KEY m9 VIEW day",
        "LB.HIDDEN KEY",
        "LB.PERIODS KEY day",
        "LB.STATS KEY",
    ];
    reads.iter().map(|read| wire.run(&read.replace("KEY", board))).collect()
}

#[test]
fn a_restored_board_is_the_same_on_all_servers() {
    for flavor in Flavor::all() {
        let (server, (_dir, path)) = (Server::start(flavor), folder());
        let door = Door::to(&urls(&server), &["--cache-ms", "0"], &[]);
        let mut wire = door.wire();
        for (board, options) in [("game", "PARTS 8"), ("plain", "KEEP 200 VIEWS all,day")] {
            if board == "plain" {
                wire.run("LB.MADD plain 5 m7 6 m9 7 m123");
            } else {
                fill(&mut wire, board, options);
            }
            let before = seen_if_spread(&mut wire, board);
            let folder = format!("{path}-{board}");
            let printed = task(&urls(&server), &["backup", board, &folder]).expect("a backup");
            assert!(printed.starts_with(&format!("backed up {board}")), "{printed}");
            let verified = task(&[], &["verify", &folder]).expect("a whole backup");
            assert!(verified.contains(" is whole: "), "{verified}");
            task(&urls(&server), &["restore", &folder, "copy"]).expect("a restored board");
            assert_eq!(seen_if_spread(&mut wire, "copy"), before, "{flavor:?}");
            wire.run("DEL copy");
            wire.run(&format!("DEL {board}"));
            task(&urls(&server), &["restore", &folder]).expect("a restored board");
            assert_eq!(seen_if_spread(&mut wire, board), before, "{flavor:?}");
        }
        let keys = Wire::to(server.port()).run("DBSIZE");
        assert_eq!(keys, Reply::Int(10), "eight parts, a root, and a plain board");
    }
}

fn seen_if_spread(wire: &mut Wire, board: &str) -> Vec<Reply> {
    match wire.run(&format!("LB.INFO {board}")).field("parts") {
        Reply::Int(0) => vec![wire.run(&format!("LB.TOP {board} 10"))],
        _ => seen(wire, board),
    }
}

#[test]
fn a_server_that_is_too_old_says_so() {
    let (new, old, (_dir, path)) = (Server::start(Flavor::Redis82), Server::start(Flavor::Redis62), folder());
    let mut wire = Door::to(&urls(&new), &["--cache-ms", "0"], &[]);
    fill(&mut wire.wire(), "game", "PARTS 2");
    task(&urls(&new), &["backup", "game", &path]).expect("a backup");
    let refused = task(&urls(&old), &["restore", &path]).expect_err("an older server");
    assert!(
        refused.contains("DUMP payload version or checksum are wrong: the backup is of redis 8."),
        "{refused}"
    );
    // The part of the board is not taken for a board, and can be deleted.
    wire = Door::to(&urls(&old), &["--cache-ms", "0"], &[]);
    let text = wire.wire().say("LB.COUNT game");
    assert!(text.error().starts_with("PARTSDOWN this board is being restored"), "{text:?}");
    assert_eq!(wire.wire().run("DEL game"), Reply::Int(1));
    assert_eq!(Wire::to(old.port()).run("DBSIZE"), Reply::Int(0));
}

/// Each member gets 1 point after the other, in rounds. So in each part, an earlier write is never missing where a later
/// one is there.
#[test]
fn a_board_is_backed_up_while_it_is_written_to() {
    const MEMBERS: usize = 40;
    let (place, (_dir, path)) = (shared(), folder());
    let mut wire = place.door.wire();
    wire.run("LB.CREATE live PARTS 8");
    let mut write = |round: usize| {
        let list: Vec<_> = (0..MEMBERS).map(|member| format!("1 m{member}")).collect();
        wire.run(&format!("LB.MADD live ID r{round} {}", list.join(" ")));
    };
    (0..20).for_each(&mut write);
    let mut running = start(&place.cluster.urls(), &["backup", "live", &path]);
    let mut rounds = 20;
    while running.try_wait().expect("its state").is_none() {
        write(rounds);
        rounds += 1;
    }
    assert!(running.wait().expect("its end").success());
    task(&place.cluster.urls(), &["restore", &path, "live-copy"]).expect("a restored board");
    let top = wire.run("LB.TOP live-copy 1000");
    assert_eq!(top.items().len(), MEMBERS, "nobody is missing, and nobody is twice");
    for row in top.items() {
        let score = row.items()[2].int();
        assert!((20..=rounds as i64).contains(&score), "{row:?} of {rounds} rounds");
    }
    // What is missing is written again, with the same ids: each write counts once.
    for round in 0..rounds {
        let list: Vec<_> = (0..MEMBERS).map(|member| format!("1 m{member}")).collect();
        wire.run(&format!("LB.MADD live-copy ID r{round} {}", list.join(" ")));
    }
    let top = wire.run("LB.TOP live-copy 1000");
    assert!(top.items().iter().all(|row| row.items()[2].int() == rounds as i64), "{top:?}");
}

#[test]
fn a_killed_backup_is_none_and_a_killed_restore_goes_on() {
    let (place, (_dir, path)) = (Place::start(Flavor::Redis70), folder());
    let mut wire = place.door.wire();
    fill(&mut wire, "killed", "PARTS 16");
    let before = seen(&mut wire, "killed");
    // The parts of one node do not come, so the backup is killed while it waits for them.
    let stopped = place.cluster.process(place.cluster.other_primary(place.cluster.home("killed")));
    signal(stopped, "STOP");
    let mut running = start(&place.cluster.urls(), &["backup", "killed", &path]);
    wait_until(|| files(&path).iter().filter(|name| name.starts_with("part-")).count() > 4);
    running.kill().and_then(|()| running.wait()).expect("a killed process");
    signal(stopped, "CONT");
    let none = task(&[], &["verify", &path]).expect_err("no backup");
    assert!(none.ends_with("the folder is no backup, or the backup broke off before its end"), "{none}");
    let full = task(&place.cluster.urls(), &["backup", "killed", &path]).expect_err("a folder in use");
    assert!(full.ends_with("the folder is not empty"), "{full}");
    fs::remove_dir_all(&path).expect("no folder");
    task(&place.cluster.urls(), &["backup", "killed", &path]).expect("a backup");

    // One node lets all writes wait.
    let paused = place.cluster.nodes[place.cluster.other_primary(place.cluster.home("again"))].port();
    Wire::to(paused).run("CLIENT PAUSE 60000 WRITE");
    let mut running = start(&place.cluster.urls(), &["restore", &path, "again"]);
    let exists = |key: &str| place.behind(key, &format!("EXISTS {key}")) == Reply::Int(1);
    let there = || part_keys("again", 16).iter().filter(|key| exists(key)).count();
    wait_until(|| there() > 4);
    running.kill().and_then(|()| running.wait()).expect("a killed process");
    Wire::to(paused).run("CLIENT UNPAUSE");
    assert!(there() < 16);
    for line in ["LB.COUNT again", "LB.ADD again 1 ann", "LB.CREATE again PARTS 16", "LB.REPAIR again FORCE"]
    {
        let refused = wire.say(line);
        assert!(refused.error().starts_with("PARTSDOWN this board is being restored"), "{line}: {refused:?}");
    }
    task(&place.cluster.urls(), &["restore", &path, "again"]).expect("a restored board");
    assert_eq!(seen(&mut wire, "again"), before);
    let again = task(&place.cluster.urls(), &["restore", &path, "again"]).expect("nothing to do");
    assert_eq!(again, "again has been restored from this backup before: nothing was done");
}

fn files(path: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(path)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn what_exists_stays_and_what_is_half_is_refused() {
    let (place, (_dir, path)) = (shared(), folder());
    let (mut wire, urls) = (place.door.wire(), place.cluster.urls());
    fill(&mut wire, "kept", "PARTS 4");
    task(&urls, &["backup", "kept", &path]).expect("a backup");
    let exists = task(&urls, &["restore", &path]).expect_err("the board exists");
    assert!(
        exists.ends_with("kept: the key exists: a board is restored only where there is none"),
        "{exists}"
    );
    wire.run("LB.ADD other-kind 5 ann");
    assert!(task(&urls, &["restore", &path, "other-kind"]).is_err());
    assert_eq!(wire.run("LB.COUNT other-kind"), Reply::Int(1));
    let key = part_key("kept", 4, 2);
    place.behind(&key, &format!("DEL {key}"));
    let half = format!("{path}-half");
    let refused = task(&urls, &["backup", "kept", &half]).expect_err("half a board");
    assert!(refused.ends_with("part 2 of 4: it does not exist: there is no backup"), "{refused}");
    assert!(!Path::new(&half).exists());
    let none = task(&urls, &["backup", "never-made", &half]).expect_err("no board");
    assert!(none.ends_with("there is no board never-made"), "{none}");
}

/// A user with the rights that the documents name, and one who may not use RESTORE.
#[test]
fn a_user_needs_the_rights_that_are_documented() {
    let (place, (_dir, path)) = (Place::start(Flavor::Redis70), folder());
    let mut wire = place.door.wire();
    fill(&mut wire, "mine", "PARTS 4");
    let rights =
        "+hello +multi +exec +cluster|slots +lb.info +lb.create +lb.catalog +dump +restore +renamenx +del";
    place.cluster.everywhere(&format!("ACL SETUSER saver on >secret ~mine* {rights}"));
    place.cluster.everywhere(&format!("ACL SETUSER weak on >secret ~mine* {rights} -restore"));
    let urls = |user: &str| -> Vec<_> {
        let ports = place.cluster.nodes.iter().map(Server::port);
        ports.map(|port| format!("redis://{user}:secret@127.0.0.1:{port}")).collect()
    };
    task(&urls("saver"), &["backup", "mine", &path]).expect("a backup");
    let refused = task(&urls("weak"), &["restore", &path, "mine-2"]).expect_err("too few rights");
    assert!(refused.contains("NOPERM") && refused.contains("restore"), "{refused}");
    assert!(wire.say("LB.TOP mine-2 5").error().starts_with("PARTSDOWN this board is being restored"));
    task(&urls("saver"), &["restore", &path, "mine-2"]).expect("a restored board");
    assert_eq!(seen(&mut wire, "mine-2"), seen(&mut wire, "mine"));
}
