//! The tokens file: a line of JSON for each token, with its name, role, keys and the BLAKE3 hash of the token. A token
//! is 256 random bits, so it cannot be guessed from its plain hash. Only the owner may have the right to read the file.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::access::{Caller, Role};

/// The prefix of every token, so that scanners of secrets can find a lost token.
const PREFIX: &str = "lbt_";

/// A line of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    role: Role,
    keys: Vec<String>,
    blake3: String,
}

/// The tokens of a file. They follow changes of the file.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    read_only: bool,
    callers: RwLock<HashMap<String, Caller>>,
    read: Mutex<Option<SystemTime>>,
}

impl Tokens {
    /// # Errors
    /// If the file cannot be read, if other users may read it, or if it is damaged.
    pub fn open(path: PathBuf, read_only: bool) -> Result<Self, String> {
        let tokens = Self { path, read_only, callers: RwLock::default(), read: Mutex::default() };
        tokens.refresh()?;
        Ok(tokens)
    }

    /// The caller that the token with this [`hash`] belongs to. The time of a comparison of hashes shows nothing about
    /// a token.
    pub fn find(&self, hash: &str) -> Option<Caller> {
        self.callers.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }

    /// Reads the file again if it has changed. If the file cannot be read, the old tokens stay valid.
    ///
    /// # Errors
    /// As [`Tokens::open`].
    pub fn refresh(&self) -> Result<(), String> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = modified(&self.path)?;
        if *read != Some(changed) {
            let callers = callers(&load(&self.path)?, self.read_only)?;
            *self.callers.write().unwrap_or_else(PoisonError::into_inner) = callers;
            *read = Some(changed);
        }
        Ok(())
    }
}

/// The tokens of a file as texts to list: name, role and keys.
///
/// # Errors
/// As [`Tokens::open`].
pub fn listed(file: &Path) -> Result<Vec<String>, String> {
    let line = |entry: Entry| format!("{}\t{}\t{}", entry.name, entry.role.name(), entry.keys.join(" "));
    Ok(load(file)?.into_iter().map(line).collect())
}

/// Removes the token of this name from a file.
///
/// # Errors
/// As [`Tokens::open`], and if the file has no token of this name or cannot be written.
pub fn withdraw(file: &Path, name: &str) -> Result<(), String> {
    let (gone, kept): (Vec<_>, Vec<_>) = load(file)?.into_iter().partition(|entry| entry.name == name);
    if gone.is_empty() {
        return Err(format!("{} has no token '{name}'", file.display()));
    }
    save(file, &kept)
}

/// Makes a token and writes its hash to a file. If the file is absent, it is made.
///
/// # Errors
/// As [`Tokens::open`], and if another token has this name or a glob is not valid.
pub fn make(file: &Path, name: String, role: Role, keys: Vec<String>) -> Result<String, String> {
    let mut entries = if file.exists() { load(file)? } else { Vec::new() };
    if entries.iter().any(|entry| entry.name == name) {
        return Err(format!("{} has a token '{name}'", file.display()));
    }
    let token = format!("{PREFIX}{}", random()?);
    let entry = Entry { name, role, keys, blake3: hash(&token) };
    callers(std::slice::from_ref(&entry), false)?;
    entries.push(entry);
    save(file, &entries)?;
    Ok(token)
}

/// 256 random bits, as hexadecimal digits.
///
/// # Errors
/// If the system cannot supply random bytes.
pub fn random() -> Result<String, String> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits).map_err(|error| format!("no random numbers: {error}"))?;
    Ok(bits.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// The hash of a secret, which is kept in its place.
pub fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

fn callers(entries: &[Entry], read_only: bool) -> Result<HashMap<String, Caller>, String> {
    let caller = |entry: &Entry| {
        Ok((entry.blake3.clone(), Caller::new(&entry.name, entry.role, &entry.keys, read_only)?))
    };
    entries.iter().map(caller).collect()
}

fn modified(path: &Path) -> Result<SystemTime, String> {
    fs::metadata(path)
        .and_then(|data| data.modified())
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a file that contains secrets.
///
/// # Errors
/// If the file cannot be read, or if other users may read or write it.
pub fn read_secret(path: &Path) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mode = fs::metadata(path).map_err(|error| failed(&error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(failed(&format_args!("others can read or write it: chmod 600 {}", path.display())));
    }
    fs::read_to_string(path).map_err(|error| failed(&error))
}

fn load(path: &Path) -> Result<Vec<Entry>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = read_secret(path)?;
    let entry = |(line, text): (usize, &str)| {
        serde_json::from_str(text)
            .map_err(|error| failed(&format_args!("line {}: {error}", line.saturating_add(1))))
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(entry).collect()
}

/// Replaces the old file by a whole new file, so that a reader never finds half of it.
fn save(path: &Path, entries: &[Entry]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let new = path.with_extension("new");
    let _ = fs::remove_file(&new);
    let mut file: File =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).map_err(failed)?;
    for entry in entries {
        let line = serde_json::to_string(entry).map_err(|error| error.to_string())?;
        writeln!(file, "{line}").map_err(failed)?;
    }
    file.sync_all().map_err(failed)?;
    fs::rename(&new, path).map_err(failed)
}
