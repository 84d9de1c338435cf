//! Restores a board from a backup. The root is made first, in the state `restoring`: clients get an error, no gateway
//! makes the parts, and no client makes another board with this name. Then each part arrives in one transaction: under a
//! key of its own, where it gets the new incarnation, and from there in its place, if that is free. At last, the root
//! becomes whole. So the board is not taken for whole before all parts are there, wherever this program stops.
//! The root has the number of the restore, by which a repetition knows it again and goes on.

use std::path::Path;

use leaderboard_core::catalog::{CatalogEntry, State};
use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::task::spawn_blocking;

use super::manifest::{Manifest, PartFile};
use super::parts::{Outcome, for_each, later, soon, transaction};
use super::{Progress, files, said};
use crate::nodes::{Command, CommandError, RetryingClient, Transactional, Transport};
use crate::spread::catalog::{self, Held, hold, hold_parts, prove_absent};
use crate::spread::{Effect, key_slot, unanswered};

/// How often the root is looked at before a restore gives up because others change it.
const LOOKS: u8 = 3;

/// What a restore has done.
#[derive(Debug, PartialEq, Eq)]
pub struct Restored {
    /// The key of the board.
    pub board: String,
    /// What was restored.
    pub manifest: Manifest,
    /// Whether an earlier restore of this backup had already finished the board, so that nothing was done.
    pub was_there: bool,
}

/// Restores a board.
///
/// # Errors
/// See [`super::restore`].
pub async fn restore<T: Transactional>(
    sender: &RetryingClient<T>,
    folder: &Path,
    board: Option<&str>,
    progress: &impl Progress,
) -> Result<Restored, String> {
    let manifest = Manifest::read(folder)?;
    let board = board.unwrap_or(&manifest.board).to_owned();
    if manifest.spread().is_some() && board.contains('{') {
        return Err(format!("{board}: the name of a board over parts cannot contain {{"));
    }
    files::verify(folder, &manifest, &Silently)?;
    progress.begins(manifest.files.len());
    let was_there = match manifest.spread() {
        Some(parts) => {
            Restore { sender, folder, manifest: &manifest, board: &board, parts }.run(progress).await?
        }
        None => {
            plain(sender, folder, &manifest, &board).await?;
            progress.did(manifest.bytes());
            false
        }
    };
    Ok(Restored { board, manifest, was_there })
}

/// Shows nothing.
struct Silently;

impl Progress for Silently {
    fn begins(&self, _parts: usize) {}
    fn did(&self, _bytes: u64) {}
}

/// Restores a plain board.
async fn plain<T: Transport>(
    sender: &RetryingClient<T>,
    folder: &Path,
    manifest: &Manifest,
    board: &str,
) -> Result<(), String> {
    let key = board.as_bytes();
    let file = manifest.files.first().ok_or("the backup has no files")?;
    let payload = files::read(folder, file)?;
    is_free(hold(sender, [key.to_vec()], soon()).await.pop(), || board.to_owned())?;
    prove_absent(sender, key, soon()).await.map_err(|lost| said(&lost))?;
    let words = vec![b"RESTORE".to_vec(), key.to_vec(), b"0".to_vec(), payload];
    // A repetition would not change the key, but its answer would be that the key exists.
    let command = Command { slot: Some(key_slot(key)), words, repeatable: false };
    match sender.ask(&[command], later()).await.pop() {
        Some(Ok(error @ Value::ServerError(_))) => {
            Err(format!("{board}: {}", explain(&error, manifest, file)))
        }
        Some(Ok(_)) => Ok(()),
        Some(Err(failure)) => Err(format!("{board}: {}", said(&unanswered(&failure, None, Effect::Each)))),
        None => Err("no server answers".to_owned()),
    }
}

/// Checks that a key is absent.
fn is_free(held: Option<Held>, what: impl Fn() -> String) -> Result<(), String> {
    match held {
        Some(Held::Absent) => Ok(()),
        Some(Held::Refused(error)) => Err(format!("{}: {}", what(), said(&error))),
        Some(Held::Silent) | None => Err(format!("{}: no server answers", what())),
        Some(Held::Part(_) | Held::Root(_) | Held::Plain(_) | Held::Other) => {
            Err(format!("{}: the key exists: a board is restored only where there is none", what()))
        }
    }
}

/// Returns why a server refuses a payload.
fn explain(error: &Value, manifest: &Manifest, file: &PartFile) -> String {
    let said = said(error);
    if !["payload version", "Bad data format"].iter().any(|text| said.contains(text)) {
        return said;
    }
    format!(
        "{said}: the backup is of {} with RDB version {}, and a server reads only payloads of its own and earlier \
         versions",
        manifest.server, file.rdb
    )
}

/// One restore of a board over parts.
struct Restore<'a, T> {
    sender: &'a RetryingClient<T>,
    folder: &'a Path,
    manifest: &'a Manifest,
    board: &'a str,
    parts: Parts,
}

impl<T: Transactional> Restore<'_, T> {
    /// Restores the board, or what is missing of it. Returns whether it had already been restored.
    async fn run(&self, progress: &impl Progress) -> Result<bool, String> {
        let root = self.root().await?;
        match root.state {
            State::Restoring => {}
            State::Ending => return Err(format!("{0} is being deleted: DEL {0} finishes that", self.board)),
            State::Whole | State::Making | State::Altering | State::Growing | State::Shrinking => {
                return Ok(true);
            }
        }
        let mut missing = Vec::new();
        for ((part, key), held) in self.keys().zip(self.hold_parts().await) {
            if self.is_restored(part, root.incarnation, &held) {
                progress.did(0);
            } else {
                is_free(Some(held), || self.named(part))?;
                missing.push((part, key));
            }
        }
        let send = |part, key| self.send(part, key, root.incarnation, progress);
        let done = match for_each(self.sender, missing, send).await {
            Ok(_) => self.finish(root.incarnation).await,
            Err(reason) => Err(reason),
        };
        let board = self.board;
        let goes_on =
            |reason| format!("{reason}: repeat the restore to go on, or DEL {board} deletes what is there");
        done.map(|()| false).map_err(goes_on)
    }

    fn keys(&self) -> impl Iterator<Item = (u16, Vec<u8>)> {
        (0..self.parts.count()).map(|part| (part, self.parts.key(self.board.as_bytes(), part)))
    }

    async fn hold_parts(&self) -> Vec<Held> {
        hold_parts(self.sender, self.board.as_bytes(), self.parts, soon()).await
    }

    fn named(&self, part: u16) -> String {
        format!("part {part} of {}", self.parts.count())
    }

    /// Returns whether a key holds this part of the new board.
    fn is_restored(&self, part: u16, incarnation: u64, held: &Held) -> bool {
        held.part_of(self.parts, part).is_some_and(|found| found.entry.incarnation == incarnation)
    }

    /// Returns the entry of the root of this restore. If there is none, makes the root.
    async fn root(&self) -> Result<CatalogEntry, String> {
        let key = self.board.as_bytes();
        let request = self.manifest.request(key);
        for _ in 0..LOOKS {
            match hold(self.sender, [key.to_vec()], soon()).await.pop() {
                Some(Held::Root(root)) if root.entry.request == request => return Ok(root.entry),
                Some(Held::Root(root)) if root.entry.state == State::Restoring => {
                    let board = self.board;
                    return Err(format!(
                        "{board} is being restored from another backup: DEL {board} deletes what is there"
                    ));
                }
                held => is_free(held, || self.board.to_owned())?,
            }
            self.are_free().await?;
            self.make_root(request).await?;
        }
        Err(format!("{}: other clients change this key all the time", self.board))
    }

    /// Checks that the keys of all parts are free, and that there are no parts of another board with this name.
    async fn are_free(&self) -> Result<(), String> {
        prove_absent(self.sender, self.board.as_bytes(), soon()).await.map_err(|lost| said(&lost))?;
        let mut all = self.keys().zip(self.hold_parts().await);
        all.try_for_each(|((part, _), held)| is_free(Some(held), || self.named(part)))
    }

    /// Makes the root. If another program has made a root meanwhile, this is no error: the root shows who has made it.
    async fn make_root(&self, request: u64) -> Result<(), String> {
        let incarnation = catalog::random().map_err(|error| said(&error))?;
        let numbers = [
            ("PARTS", u64::from(self.parts.count())),
            ("INCARNATION", incarnation),
            ("REVISION", self.manifest.revision),
            ("REQUEST", request),
        ];
        let numbers = numbers.into_iter().flat_map(|(word, number)| [word.to_owned(), number.to_string()]);
        let rules =
            self.manifest.rules.iter().cloned().chain(numbers).chain(["RESTORING", "NX"].map(String::from));
        let mut words = vec![b"LB.CREATE".to_vec(), self.board.into()];
        words.extend(rules.map(String::into_bytes));
        self.tell(words).await.map_err(|reason| format!("the root: {reason}"))
    }

    /// Sends a command to the root, which may be repeated.
    async fn tell(&self, words: Vec<Vec<u8>>) -> Result<(), String> {
        let command = Command { slot: Some(key_slot(self.board.as_bytes())), words, repeatable: true };
        match self.sender.ask(&[command], soon()).await.pop() {
            Some(Ok(error @ Value::ServerError(_))) => Err(said(&error)),
            Some(Ok(_)) => Ok(()),
            Some(Err(CommandError::Silent(reason) | CommandError::Unknown(reason))) => {
                Err(format!("no server answers: {reason}"))
            }
            None => Err("no server answers".to_owned()),
        }
    }

    /// Brings a part to its place.
    async fn send(
        &self,
        part: u16,
        key: Vec<u8>,
        incarnation: u64,
        progress: &impl Progress,
    ) -> Result<(), String> {
        let wrong = |reason: String| format!("{}: {reason}", self.named(part));
        let file = self.manifest.files.get(usize::from(part)).ok_or("the backup has no such part")?;
        let (folder, read) = (self.folder.to_owned(), file.clone());
        let payload = spawn_blocking(move || files::read(&folder, &read))
            .await
            .map_err(|error| error.to_string())??;
        let commands = self.arrival(&key, incarnation, payload);
        let deadline = later();
        loop {
            let done = transaction(self.sender, &key, &commands, deadline).await.map_err(wrong)?;
            if let Outcome::Done(answers) = done {
                let refused = answers.iter().find(|answer| matches!(answer, Value::ServerError(_)));
                if let Some(error) = refused {
                    return Err(wrong(explain(error, self.manifest, file)));
                }
            }
            // If the answer was lost, or the key was not free, the key shows whether the part is in its place.
            let held = hold(self.sender, [key.clone()], soon()).await.pop();
            if held.as_ref().is_some_and(|held| self.is_restored(part, incarnation, held)) {
                progress.did(file.bytes);
                return Ok(());
            }
            is_free(held, || self.named(part))?;
            if tokio::time::Instant::now() >= deadline {
                return Err(wrong("the part vanishes from its key".to_owned()));
            }
        }
    }

    /// Returns the commands that bring a part to its key. `RENAMENX` leaves a key alone that is not free. The key in
    /// between is the new board's own, and in the slot of the part.
    fn arrival(&self, key: &[u8], incarnation: u64, payload: Vec<u8>) -> Vec<Vec<Vec<u8>>> {
        let between = [key, b":", incarnation.to_string().as_bytes()].concat();
        let old = self.manifest.incarnation.to_string();
        let words = |words: &[&[u8]]| words.iter().map(|word| word.to_vec()).collect::<Vec<_>>();
        vec![
            vec![b"RESTORE".to_vec(), between.clone(), b"0".to_vec(), payload, b"REPLACE".to_vec()],
            words(&[b"LB.CATALOG", &between, b"REBIRTH", old.as_bytes(), incarnation.to_string().as_bytes()]),
            words(&[b"RENAMENX", &between, key]),
            words(&[b"DEL", &between]),
        ]
    }

    /// Checks that all parts are there, and makes the root whole.
    async fn finish(&self, incarnation: u64) -> Result<(), String> {
        let key = self.board.as_bytes();
        let held = hold(self.sender, [key.to_vec()], soon()).await.pop();
        let Some(Held::Root(root)) = held.filter(|held| {
            matches!(held, Held::Root(root) if root.entry.incarnation == incarnation && root.entry.state == State::Restoring)
        }) else {
            return Err(format!("{}: another client has changed the root meanwhile", self.board));
        };
        for (part, held) in (0..).zip(self.hold_parts().await) {
            let found = held.part_of(self.parts, part).filter(|found| found.entry.incarnation == incarnation);
            match found {
                Some(found) if (found.hash, found.entry.revision) == (root.hash, root.entry.revision) => {}
                Some(_) => return Err(format!("{}: it has other rules than the root", self.named(part))),
                None => return Err(format!("{}: it is gone again", self.named(part))),
            }
        }
        if let Some(file) = &self.manifest.root {
            let saved = files::read(self.folder, file)?;
            let incarnation = incarnation.to_string().into_bytes();
            let words = vec![b"LB.CATALOG".to_vec(), key.to_vec(), b"PRIZES".to_vec(), incarnation, saved];
            self.tell(words).await.map_err(|reason| format!("the root: {reason}"))?;
        }
        let numbers = [incarnation, root.entry.revision].map(|number| number.to_string().into_bytes());
        let words = [b"LB.CATALOG".to_vec(), key.to_vec(), b"WHOLE".to_vec()].into_iter().chain(numbers);
        self.tell(words.collect()).await
    }
}
