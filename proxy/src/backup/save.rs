//! Makes a backup: checks that the board is whole, dumps all parts, and checks that nobody has altered or deleted the
//! board meanwhile. Each part is dumped together with its LB.INFO, so the manifest has the moment of each dump.

use std::path::Path;
use std::sync::Arc;

use leaderboard_core::catalog::{CatalogEntry, State};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::task::spawn_blocking;

use super::files::{Folder, ROOT, name};
use super::manifest::{About, Manifest, PartFile, RootFile};
use super::parts::{Outcome, for_each, later, soon, transaction};
use super::{Progress, said};
use crate::nodes::{Command, RetryingClient, Transactional, Transport};
use crate::spread::info::Info;
use crate::spread::refusal::is_wrong_type;
use crate::spread::{Effect, catalog, key_slot, unanswered};

/// The end of a payload: two bytes with the RDB version, and eight bytes with a checksum.
const FOOTER: usize = 10;

/// Makes a backup. If this fails, the folder is as before.
///
/// # Errors
/// See [`super::back_up`].
pub async fn back_up<T: Transactional>(
    sender: &RetryingClient<T>,
    board: &str,
    folder: &Path,
    progress: &impl Progress,
) -> Result<Manifest, String> {
    let source = Source::read(sender, board).await?;
    let server = server(sender, board).await;
    let keys = source.keys(board);
    let parts = u16::try_from(keys.len()).unwrap_or(u16::MAX);
    let claimed = Arc::new(Folder::claim(folder)?);
    progress.begins(keys.len());
    let about = About {
        server,
        board: board.to_owned(),
        parts: source.parts,
        numbers: [source.entry.incarnation, source.entry.revision, source.hash],
        rules: source.rules.clone(),
    };
    let dump = |part, key| dump(sender, &source, Arc::clone(&claimed), (part, key), progress);
    let done = async {
        let files = for_each(sender, keys, dump).await?;
        // The root is the last one: a prize that was claimed before a part was dumped is claimed in the backup.
        let root = dump_root(sender, board, &source, &claimed).await?;
        if Source::read(sender, board).await? != source {
            return Err(format!("{board} was altered while it was backed up: there is no backup"));
        }
        let manifest = Manifest::of(about, files, root);
        claimed.finish(&manifest).map(|()| manifest)
    };
    let done = done.await;
    if done.is_err() {
        claimed.discard(parts);
    }
    done
}

/// What the root says about a board, or a plain board about itself.
#[derive(Debug, PartialEq)]
struct Source {
    /// The number of parts; `None` for a plain board.
    parts: Option<Parts>,
    /// The incarnation and the number of the rules. The request is left out: it may change at any time.
    entry: CatalogEntry,
    hash: u64,
    rules: Vec<String>,
    /// Whether the board is over parts, and its root has prizes.
    has_prizes: bool,
}

impl Source {
    /// Asks the key of a board.
    ///
    /// # Errors
    /// If it holds no whole board.
    async fn read<T: Transport>(sender: &RetryingClient<T>, board: &str) -> Result<Self, String> {
        let key = board.as_bytes();
        let info = match ask(sender, key, "LB.INFO").await? {
            value if is_wrong_type(&value) => return Err(format!("{board} holds no board")),
            value @ Value::ServerError(_) => return Err(said(&value)),
            value => Info::of(value),
        };
        let Some(info) = info else {
            let proof = catalog::prove_absent(sender, key, soon()).await;
            return Err(proof.err().map_or_else(|| format!("there is no board {board}"), |lost| said(&lost)));
        };
        if info.number("part").is_some() {
            return Err(format!("{board} holds a part of a board: name the board"));
        }
        let parts = info.number("parts").and_then(|parts| u16::try_from(parts).ok());
        let parts = parts.and_then(|parts| Parts::new(parts, "PARTS").ok());
        let entry = CatalogEntry { request: 0, ..catalog::entry(&info) };
        if entry.state != State::Whole {
            let state = entry.state;
            return Err(format!("{board} is not whole, its state is {state}: LB.REPAIR {board} says more"));
        }
        let hash = hash(&info);
        let rules = if parts.is_some() { catalog::rules_of(&info) } else { Vec::new() };
        let rules = rules.into_iter().map(|word| String::from_utf8_lossy(&word).into_owned()).collect();
        let has_prizes = parts.is_some() && info.has_prizes();
        Ok(Self { parts, entry, hash, rules, has_prizes })
    }

    /// Returns the numbers and the keys of the parts.
    fn keys(&self, board: &str) -> Vec<(u16, Vec<u8>)> {
        let key = board.as_bytes();
        match self.parts {
            Some(parts) => (0..parts.count()).map(|part| (part, parts.key(key, part))).collect(),
            None => vec![(0, key.to_vec())],
        }
    }

    /// Checks that a part has the rules and the incarnation of the root.
    fn check(&self, part: u16, info: &Info) -> Result<(), String> {
        let number = |name| info.number(name).and_then(|number| u16::try_from(number).ok());
        let entry = catalog::entry(info);
        let is_part = match self.parts {
            Some(parts) => (number("part"), number("parts")) == (Some(part), Some(parts.count())),
            None => number("parts") == Some(0),
        };
        if !is_part {
            return Err("its key holds something else".to_owned());
        }
        if entry.incarnation != self.entry.incarnation {
            return Err("it belongs to another board that had this name".to_owned());
        }
        if (entry.revision, hash(info)) != (self.entry.revision, self.hash) {
            return Err("its rules are not the rules of the board".to_owned());
        }
        Ok(())
    }
}

fn hash(info: &Info) -> u64 {
    info.number("schema").unwrap_or_default().cast_unsigned()
}

/// Dumps a part and writes its file.
async fn dump<T: Transactional>(
    sender: &RetryingClient<T>,
    source: &Source,
    folder: Arc<Folder>,
    (part, key): (u16, Vec<u8>),
    progress: &impl Progress,
) -> Result<PartFile, String> {
    let wrong = |reason: String| match source.parts {
        Some(parts) => format!("part {part} of {}: {reason}: there is no backup", parts.count()),
        None => format!("{reason}: there is no backup"),
    };
    let (info, payload) = answers(sender, &key).await.map_err(wrong)?;
    source.check(part, &info).map_err(wrong)?;
    let rdb = rdb(&payload).ok_or_else(|| wrong("the server's dump is too short".to_owned()))?;
    let file = name(part);
    let (file, bytes, blake3) = write(folder, file, payload).await?;
    progress.did(bytes);
    let number = |name| info.number(name).unwrap_or_default().cast_unsigned();
    let (now, last, members) = (number("now"), number("last"), number("members"));
    Ok(PartFile { part, file, bytes, blake3, rdb, now, last, members })
}

async fn write(folder: Arc<Folder>, file: String, payload: Vec<u8>) -> Result<(String, u64, String), String> {
    let written = spawn_blocking(move || (folder.write(&file, &payload), file)).await;
    let (written, file) = written.map_err(|error| error.to_string())?;
    written.map(|(bytes, blake3)| (file, bytes, blake3))
}

/// Writes the file of a root that has prizes.
async fn dump_root<T: Transactional>(
    sender: &RetryingClient<T>,
    board: &str,
    source: &Source,
    folder: &Arc<Folder>,
) -> Result<Option<RootFile>, String> {
    if !source.has_prizes {
        return Ok(None);
    }
    let incarnation = source.entry.incarnation.to_string();
    let words = [b"LB.CATALOG", board.as_bytes(), b"PRIZES", incarnation.as_bytes()];
    let words = words.map(<[u8]>::to_vec).to_vec();
    let command = Command { slot: Some(key_slot(board.as_bytes())), words, repeatable: true };
    let saved = match sender.ask(&[command], later()).await.pop() {
        Some(Ok(Value::BulkString(saved))) => saved,
        Some(Ok(other)) => return Err(format!("the root: {}: there is no backup", said(&other))),
        Some(Err(_)) | None => return Err("the root: no server answers: there is no backup".to_owned()),
    };
    let (file, bytes, blake3) = write(Arc::clone(folder), ROOT.to_owned(), saved).await?;
    Ok(Some(RootFile { file, bytes, blake3 }))
}

/// Returns what a part says about itself, and its payload at the same moment.
async fn answers<T: Transactional>(
    sender: &RetryingClient<T>,
    key: &[u8],
) -> Result<(Info, Vec<u8>), String> {
    let commands = [b"LB.INFO", &b"DUMP"[..]].map(|name| vec![name.to_vec(), key.to_vec()]);
    let deadline = later();
    loop {
        let Outcome::Done(mut answers) = transaction(sender, key, &commands, deadline).await? else {
            continue;
        };
        return match (answers.pop(), answers.pop()) {
            (Some(error @ Value::ServerError(_)), _) | (_, Some(error @ Value::ServerError(_))) => {
                Err(said(&error))
            }
            (Some(Value::BulkString(payload)), Some(info)) => {
                let info = Info::of(info).ok_or("its key holds something else")?;
                Ok((info, payload))
            }
            _ => Err("it does not exist".to_owned()),
        };
    }
}

/// Returns the RDB version of a payload.
fn rdb(payload: &[u8]) -> Option<u16> {
    let footer = payload.get(payload.len().checked_sub(FOOTER)?..)?;
    Some(u16::from_le_bytes(*footer.first_chunk()?))
}

/// Returns the server of a key with its version, and the version of the module. What the server does not show is left
/// out.
async fn server<T: Transport>(sender: &RetryingClient<T>, board: &str) -> (String, u64) {
    let key = board.as_bytes();
    let words = vec![b"HELLO".to_vec()];
    let hello = Command { slot: Some(key_slot(key)), words, repeatable: true };
    let answer = sender.ask(&[hello], soon()).await.pop();
    let Some(hello) = answer.and_then(Result::ok).and_then(Info::of) else {
        return ("unknown".to_owned(), 0);
    };
    let text = |name| String::from_utf8_lossy(hello.text(name).unwrap_or_default()).into_owned();
    let modules = match hello.get("modules") {
        Some(Value::Array(modules)) => modules.clone(),
        _ => Vec::new(),
    };
    let modules = modules.into_iter().filter_map(Info::of);
    let module = modules.into_iter().find(|module| module.text("name") == Some(b"leaderboard"));
    let version = module.and_then(|module| module.number("ver")).unwrap_or_default();
    (format!("{} {}", text("server"), text("version")), version.cast_unsigned())
}

/// Sends a command that reads a key.
async fn ask<T: Transport>(sender: &RetryingClient<T>, key: &[u8], name: &str) -> Result<Value, String> {
    let words = vec![name.as_bytes().to_vec(), key.to_vec()];
    let command = Command { slot: Some(key_slot(key)), words, repeatable: true };
    match sender.ask(&[command], soon()).await.pop() {
        Some(Ok(value)) => Ok(value),
        Some(Err(failure)) => Err(said(&unanswered(&failure, None, Effect::Nothing))),
        None => Err("no server answers".to_owned()),
    }
}
