//! Backups of boards on simulated servers, and broken files.

mod damage;

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use leaderboard_core::parts::Parts;
use redis::Value;
use tempfile::TempDir;

use super::{Manifest, Progress, Restored, files, load, save, verify};
use crate::nodes::RetryingClient;
use crate::spread::refusal::text;
use crate::spread::simulated::{Fault, Simulated};
use crate::spread::{Engine, Timing};

/// How far a backup or restore was shown to be: the number of parts, and the bytes of each part that was done.
#[derive(Default)]
struct Seen(RefCell<(usize, Vec<u64>)>);

impl Progress for Seen {
    fn begins(&self, parts: usize) {
        self.0.borrow_mut().0 = parts;
    }

    fn did(&self, bytes: u64) {
        self.0.borrow_mut().1.push(bytes);
    }
}

/// Servers, and a folder for backups.
struct Place {
    servers: Simulated,
    folder: TempDir,
}

impl Place {
    /// Servers with the board `game` over four parts, and the plain board `plain`.
    async fn start() -> Self {
        let place = Self { servers: Simulated::default(), folder: tempfile::tempdir().unwrap() };
        for line in [
            "LB.CREATE game VIEWS all,day,week:2 ORDER ASC AGGREGATE MIN DECIMALS 2 TZ Europe/Rome WEEKSTART SUN \
             RETAIN day=3 DEDUP 60 PARTS 4",
            "LB.ALTER game VIEWS +month",
            "LB.MADD game ID one 5 ann 6.25 bob 7 cid 8 dan 9 eve 10 fay 11 gus 12 hal 13 ida",
            "LB.SETMETA game ann text",
            "LB.HIDE game bob",
            "LB.MADD plain 5 ann 6 bob",
        ] {
            place.say(line).await;
        }
        place
    }

    fn sender(&self) -> RetryingClient<Simulated> {
        RetryingClient::new(self.servers.clone())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn say(&self, line: &str) -> String {
        let timing =
            Timing { timeout: Duration::from_secs(1), gather: Duration::from_secs(1), cache: Duration::ZERO };
        let engine = Engine::new(Arc::new(self.sender()), timing);
        let words = line.split_ascii_whitespace().map(|word| word.as_bytes().to_vec()).collect();
        shown(&engine.execute(vec![words]).await[0])
    }

    async fn back_up(&self, board: &str, folder: &str) -> Result<Manifest, String> {
        save::back_up(&self.sender(), board, &self.path(folder), &Seen::default()).await
    }

    async fn restore(&self, folder: &str, board: Option<&str>) -> Result<Restored, String> {
        load::restore(&self.sender(), &self.path(folder), board, &Seen::default()).await
    }

    /// Returns what clients see of a board.
    async fn seen(&self, board: &str) -> Vec<String> {
        let mut all = Vec::new();
        for read in [
            "LB.TOP KEY 100 WITHMETA",
            "LB.TOP KEY 100 VIEW week:2",
            "LB.RANK KEY cid VIEW month",
            "LB.HIDDEN KEY",
            "LB.GETMETA KEY ann",
            "LB.PERIODS KEY day",
        ] {
            all.push(self.say(&read.replace("KEY", board)).await);
        }
        all
    }

    fn keys_of(&self, board: &str) -> Vec<String> {
        let of_board = |key: &String| key.split(':').next() == Some(board);
        self.servers.keys().into_iter().filter(of_board).collect()
    }
}

/// Returns a reply as text.
fn shown(value: &Value) -> String {
    text(value).unwrap_or_else(|| match value {
        Value::Okay => "OK".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Array(all) => format!("[{}]", all.iter().map(shown).collect::<Vec<_>>().join(" ")),
        other => format!("{other:?}"),
    })
}

fn key(board: &str, part: u16) -> String {
    String::from_utf8(Parts::new(4, "PARTS").unwrap().key(board.as_bytes(), part)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_board_is_restored_under_another_name_and_its_own() {
    let place = Place::start().await;
    let before = place.seen("game").await;
    let seen = Seen::default();
    let manifest = save::back_up(&place.sender(), "game", &place.path("b"), &seen).await.unwrap();
    let bytes: Vec<_> = manifest.files.iter().map(|file| file.bytes).collect();
    let mut did = seen.0.take();
    did.1.sort_unstable();
    let mut sorted = bytes.clone();
    sorted.sort_unstable();
    assert_eq!(did, (4, sorted));
    assert_eq!((manifest.parts, manifest.revision, manifest.files.len()), (4, 1, 4));
    assert_eq!([manifest.from, manifest.to], [crate::spread::simulated::NOW; 2]);
    assert!(manifest.files.iter().all(|file| file.rdb == 11 && file.bytes > 0));
    assert_eq!(verify(&place.path("b"), &Seen::default()).unwrap(), manifest);
    assert_eq!(Manifest::read(&place.path("b")).unwrap(), manifest);

    let restored = place.restore("b", Some("copy")).await.unwrap();
    assert_eq!((restored.board.as_str(), restored.was_there), ("copy", false));
    assert_eq!(place.seen("copy").await, before);
    assert_eq!(place.seen("game").await, before, "the first board stays");
    // A request id of the first board counts in both boards as it did.
    let again = "LB.MADD KEY ID one 5 ann 6.25 bob 7 cid 8 dan 9 eve 10 fay 11 gus 12 hal 13 ida";
    place.say(&again.replace("KEY", "copy")).await;
    assert_eq!(place.seen("copy").await, before);
    // The two boards go on apart.
    place.say("LB.ADD copy 1 new").await;
    assert_eq!(place.seen("game").await, before);
    assert_eq!(place.say("LB.ALTER copy VIEWS +hour").await, "OK");
    let parts = place.say("LB.PARTS copy").await;
    assert!(!parts.contains("rules") && !parts.contains(&format!("{}", manifest.incarnation)), "{parts}");

    assert_eq!(place.say("DEL game").await, "1");
    place.restore("b", None).await.unwrap();
    assert_eq!(place.seen("game").await, before);
    assert_eq!(place.keys_of("game").len(), 5, "no key is left over");
}

#[tokio::test(start_paused = true)]
async fn a_part_of_the_first_board_is_no_part_of_the_restored_one() {
    let place = Place::start().await;
    place.back_up("game", "b").await.unwrap();
    place.restore("b", Some("copy")).await.unwrap();
    let old = place.servers.state().save(key("game", 2).as_bytes());
    place.servers.state().restore(key("copy", 2).as_bytes(), &old);
    let refused = place.say("LB.COUNT copy").await;
    assert!(refused.starts_with("PARTSDOWN part 2 belongs to another board"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_plain_board_is_one_part() {
    let place = Place::start().await;
    let manifest = place.back_up("plain", "b").await.unwrap();
    assert_eq!((manifest.parts, manifest.members, manifest.files.len()), (0, 2, 1));
    for (board, reason) in [
        ("plain", "plain: the key exists: a board is restored only where there is none"),
        ("game", "game: the key exists: a board is restored only where there is none"),
    ] {
        assert_eq!(place.restore("b", Some(board)).await.unwrap_err(), reason);
    }
    place.restore("b", Some("{odd")).await.unwrap();
    assert_eq!(place.say("LB.TOP {odd 5").await, place.say("LB.TOP plain 5").await);
    // The key belongs to a board over parts whose root is lost.
    place.servers.direct("DEL game");
    let refused = place.restore("b", Some("game")).await.unwrap_err();
    assert!(refused.starts_with("PARTSDOWN the root of this board is lost"), "{refused}");
    place.servers.fault(b"new", Some(Fault::Lost("RESTORE")));
    let unknown = place.restore("b", Some("new")).await.unwrap_err();
    assert_eq!(unknown, "new: UNKNOWN the write may have been carried out: no answer came");
}

#[tokio::test(start_paused = true)]
async fn a_restore_that_stops_anywhere_is_no_board_and_goes_on() {
    for after in 0.. {
        let place = Place::start().await;
        let before = place.seen("game").await;
        place.back_up("game", "b").await.unwrap();
        let dying = Place { servers: place.servers.dying(after), folder: tempfile::tempdir().unwrap() };
        let first = load::restore(&dying.sender(), &place.path("b"), Some("copy"), &Seen::default()).await;
        if !dying.servers.is_dead() {
            first.unwrap();
            assert!(after > 12, "a restore takes more than {after} steps");
            return;
        }
        let (keys, count) = (place.keys_of("copy"), place.say("LB.COUNT copy").await);
        let is_done = count == "8";
        if keys.is_empty() {
            assert_eq!(count, "0", "after {after} steps");
        } else if !is_done {
            assert!(keys.contains(&"copy".to_owned()), "the root is first");
            for line in [
                "LB.COUNT copy",
                "LB.TOP copy 3",
                "LB.TOP copy 3 PARTIAL",
                "LB.INFO copy",
                "LB.ADD copy 1 ann",
                "LB.MADD copy 1 ann 2 bob",
                "LB.CREATE copy PARTS 4",
                "LB.CREATE copy",
                "LB.ALTER copy DEDUP 5",
                "LB.REPAIR copy",
                "LB.REPAIR copy FORCE",
            ] {
                let refused = place.say(line).await;
                let wanted = "PARTSDOWN this board is being restored from a backup";
                assert!(refused.starts_with(wanted), "after {after} steps: {line}: {refused}");
            }
            assert_eq!(place.keys_of("copy"), keys, "nobody makes parts");
        }
        let again = place.restore("b", Some("copy")).await.unwrap();
        assert_eq!(again.was_there, is_done, "after {after} steps");
        assert_eq!(place.seen("copy").await, before, "after {after} steps");
        assert_eq!(place.keys_of("copy").len(), 5);
    }
}

#[tokio::test(start_paused = true)]
async fn a_restore_that_stopped_can_be_deleted() {
    for after in 6.. {
        let place = Place::start().await;
        place.back_up("game", "b").await.unwrap();
        let dying = Place { servers: place.servers.dying(after), folder: tempfile::tempdir().unwrap() };
        let _ = load::restore(&dying.sender(), &place.path("b"), Some("copy"), &Seen::default()).await;
        let keys = place.keys_of("copy");
        assert_eq!(place.say("DEL copy").await, i32::from(!keys.is_empty()).to_string());
        assert_eq!(place.keys_of("copy"), Vec::<String>::new());
        if !dying.servers.is_dead() {
            return;
        }
        assert_eq!(place.say("LB.CREATE copy PARTS 2").await, "OK");
        let refused = place.restore("b", Some("copy")).await.unwrap_err();
        assert_eq!(refused, "copy: the key exists: a board is restored only where there is none");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_lost_is_no_reason_to_stop() {
    let place = Place::start().await;
    let before = place.seen("game").await;
    place.back_up("game", "b").await.unwrap();
    for name in ["EXEC", "LB.CREATE", "LB.CATALOG"] {
        place.servers.fault(b"*", Some(Fault::Lost(name)));
        // The command is carried out each time, and its answer comes when the fault is over.
        let (restored, ()) = tokio::join!(place.restore("b", Some("copy")), async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            place.servers.fault(b"*", None);
        });
        restored.unwrap();
        assert_eq!(place.seen("copy").await, before, "{name}");
        place.say("DEL copy").await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_there_is_never_overwritten() {
    let place = Place::start().await;
    place.back_up("game", "b").await.unwrap();
    place.say("LB.ADD game 1 late").await;
    let kept = place.seen("game").await;
    let exists = "the key exists: a board is restored only where there is none";
    assert_eq!(place.restore("b", None).await.unwrap_err(), format!("game: {exists}"));
    assert_eq!(place.seen("game").await, kept);
    for line in [format!("SET {} text", key("copy", 3)), format!("LB.CREATE {} PART 3 OF 4", key("copy", 3))]
    {
        place.servers.direct(&line);
        let refused = place.restore("b", Some("copy")).await.unwrap_err();
        let lost = "PARTSDOWN the root of this board is lost, but part 3 of 4 exists";
        assert!(refused == format!("part 3 of 4: {exists}") || refused.starts_with(lost), "{refused}");
        assert_eq!(place.keys_of("copy").len(), 1);
        place.servers.direct(&format!("DEL {}", key("copy", 3)));
    }
    // A part of a board with another number of parts, whose root is lost.
    place.servers.direct(&format!("LB.CREATE {} PART 1 OF 2", key("copy", 2)));
    let refused = place.restore("b", Some("copy")).await.unwrap_err();
    assert!(refused.starts_with("PARTSDOWN the root of this board is lost, but part 1 of 2"), "{refused}");
    place.servers.direct(&format!("DEL {}", key("copy", 2)));
    // A restore of another backup that stopped.
    place.back_up("game", "other").await.unwrap();
    place
        .servers
        .fault(b"*", Some(Fault::Refuses("EXEC", "OOM command not allowed when used memory > 'maxmemory'")));
    let stopped = place.restore("b", Some("copy")).await.unwrap_err();
    assert!(stopped.ends_with(
        "OOM command not allowed when used memory > 'maxmemory': repeat the restore to go on, or DEL copy deletes what is there"
    ), "{stopped}");
    place.servers.fault(b"*", None);
    let refused = place.restore("other", Some("copy")).await.unwrap_err();
    assert_eq!(refused, "copy is being restored from another backup: DEL copy deletes what is there");
    place.restore("b", Some("copy")).await.unwrap();
    assert_eq!(
        place.restore("b", Some("a{b")).await.unwrap_err(),
        "a{b: the name of a board over parts cannot contain {"
    );
}

#[tokio::test(start_paused = true)]
async fn only_a_whole_board_is_backed_up() {
    let place = Place::start().await;
    let refused = async |board: &str| {
        let refused = place.back_up(board, "refused").await.unwrap_err();
        assert!(!place.path("refused").exists(), "{refused}");
        refused
    };
    assert_eq!(refused("nothing").await, "there is no board nothing");
    place.servers.direct("SET text 1");
    assert_eq!(refused("text").await, "text holds no board");
    let part = key("game", 1);
    assert_eq!(refused(&part).await, format!("{part} holds a part of a board: name the board"));

    let saved = place.servers.state().save(part.as_bytes());
    place.servers.direct(&format!("DEL {part}"));
    assert_eq!(refused("game").await, "part 1 of 4: it does not exist: there is no backup");
    place.servers.direct(&format!("LB.CREATE {part} PART 1 OF 4"));
    let other = "part 1 of 4: it belongs to another board that had this name: there is no backup";
    assert_eq!(refused("game").await, other);
    place.servers.state().restore(part.as_bytes(), &saved);
    place.servers.direct(&format!("LB.ALTER {part} DEDUP 7"));
    assert_eq!(
        refused("game").await,
        "part 1 of 4: its rules are not the rules of the board: there is no backup"
    );
    place.servers.state().restore(part.as_bytes(), &saved);
    place.servers.fault(part.as_bytes(), Some(Fault::Cut));
    assert_eq!(refused("game").await, "part 1 of 4: no server answers: cut: there is no backup");
    place.servers.fault(part.as_bytes(), None);

    let root = place.servers.state().save(b"game");
    place.servers.direct("LB.ALTER game DEDUP 9");
    assert_eq!(refused("game").await, "game is not whole, its state is altering: LB.REPAIR game says more");
    place.servers.direct("DEL game");
    assert!(refused("game").await.starts_with("PARTSDOWN the root of this board is lost"));
    place.servers.state().restore(b"game", &root);
    place.back_up("game", "refused").await.unwrap();
    let full = place.back_up("game", "refused").await.unwrap_err();
    assert!(full.ends_with("the folder is not empty"), "{full}");
    assert!(verify(&place.path("refused"), &Seen::default()).is_ok(), "the first backup stays");
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_changed_meanwhile_is_not_backed_up() {
    let place = Place::start().await;
    for line in ["LB.ALTER game DEDUP 9", "DEL game"] {
        // The last part does not answer until the board has changed.
        place.servers.fault(key("game", 3).as_bytes(), Some(Fault::Cut));
        let (backup, ()) = tokio::join!(place.back_up("game", "b"), async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            place.servers.fault(key("game", 3).as_bytes(), None);
            place.say(line).await;
        });
        backup.unwrap_err();
        assert!(!place.path("b").exists(), "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn prizes_and_claims_of_a_board_over_parts_are_backed_up() {
    let place = Place::start().await;
    place.say("LB.ALTER game PRIZES day 1=gold,2=silver PRIZEDAYS 9").await;
    place.servers.state().pass(86_400_000);
    assert_eq!(place.say("LB.CLAIM game ann ID one").await, "[gold 1 1]");
    let manifest = place.back_up("game", "backup").await.unwrap();
    let root = manifest.root.clone().unwrap();
    assert_eq!(root.file, files::ROOT);
    assert!(verify(&place.path("backup"), &Seen::default()).is_ok());
    assert!(place.restore("backup", Some("again")).await.is_ok());
    for line in [
        "LB.CLAIM KEY ann",
        "LB.CLAIM KEY ann ID one",
        "LB.PRIZES KEY 0",
        "LB.CLAIM KEY cid",
        "LB.CLAIM KEY cid",
    ] {
        let first = place.say(&line.replace("KEY", "game")).await;
        assert_eq!(place.say(&line.replace("KEY", "again")).await, first, "{line}");
    }
    let info = place.say("LB.INFO again").await;
    assert!(info.contains("day 1=gold,2=silver") && info.contains("int(9)"), "{info}");
    // Without its file, the backup is damaged.
    fs::write(place.path("backup").join(files::ROOT), b"other").unwrap();
    assert!(verify(&place.path("backup"), &Seen::default()).unwrap_err().contains("root.prizes"));
    assert!(place.restore("backup", Some("third")).await.is_err());
}
