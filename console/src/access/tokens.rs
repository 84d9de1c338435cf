//! The tokens file: a line of JSON for each token, with its name, role, keys and the BLAKE3 hash of the token. A token
//! is 256 random bits, so it cannot be guessed from its plain hash. Only the owner may have the right to read the file.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::access::limits::Limits;
use crate::access::ticket::{self, Ticket};
use crate::access::{Caller, Role};

/// The prefix of every token, so that scanners of secrets can find a lost token.
const PREFIX: &str = "lbt_";
/// A day, in ms.
const DAY: u64 = 86_400_000;

/// A line of the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    role: Role,
    keys: Vec<String>,
    blake3: String,
    /// When the token ends, in ms since the Unix epoch; absent for a token that does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
    #[serde(default, skip_serializing_if = "Limits::is_none")]
    limits: Limits,
}

/// A token to make.
#[derive(Debug, Clone)]
pub struct New {
    /// The name of its user.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The keys that it is for, as globs.
    pub keys: Vec<String>,
    /// After how many days it ends; `None` for never.
    pub days: Option<u32>,
    /// How much it may ask for.
    pub limits: Limits,
}

/// A token as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name of its user.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The keys that it is for.
    pub keys: Vec<String>,
    /// When the token ends, in ms since the Unix epoch.
    pub expires: Option<u64>,
    /// How much it may ask for, if that is not the same as for other tokens.
    pub limits: Limits,
}

impl Listed {
    /// Whether the token has ended.
    pub fn is_expired(&self) -> bool {
        self.expires.is_some_and(|end| end <= now())
    }
}

impl From<Entry> for Listed {
    fn from(Entry { name, role, keys, expires, limits, .. }: Entry) -> Self {
        Self { name, role, keys, expires, limits }
    }
}

/// The time of this machine, in ms since the Unix epoch.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// A caller, and when its token ends.
#[derive(Debug)]
struct Known {
    caller: Caller,
    expires: Option<u64>,
}

impl Known {
    /// The caller, unless its token has ended.
    fn caller(&self) -> Option<Caller> {
        self.expires.is_none_or(|end| now() < end).then(|| self.caller.clone())
    }
}

/// The tokens of a file. They follow changes of the file.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    read_only: bool,
    /// The limits of tokens that have none of their own.
    limits: Limits,
    callers: RwLock<HashMap<String, Known>>,
    read: Mutex<Option<SystemTime>>,
}

impl Tokens {
    /// # Errors
    /// If the file cannot be read, if other users may read it, or if it is damaged.
    pub fn open(path: PathBuf, read_only: bool, limits: Limits) -> Result<Self, String> {
        let tokens = Self { path, read_only, limits, callers: RwLock::default(), read: Mutex::default() };
        tokens.refresh()?;
        Ok(tokens)
    }

    /// The caller that the token with this [`hash`] belongs to. The time of a comparison of hashes shows nothing about
    /// a token.
    pub fn find(&self, hash: &str) -> Option<Caller> {
        let callers = self.callers.read().unwrap_or_else(PoisonError::into_inner);
        callers.get(hash).and_then(Known::caller)
    }

    /// A ticket of the token with this name for the live streams of a board, until a moment in ms.
    pub fn ticket(&self, name: &str, key: &str, until: u64) -> Option<String> {
        let callers = self.callers.read().unwrap_or_else(PoisonError::into_inner);
        let (hash, _) = callers.iter().find(|(_, known)| known.caller.name() == name)?;
        Some(ticket::issue(name, hash, key, until))
    }

    /// The caller whose token a ticket for this board stands for, and the moment in ms until which streams can be opened with it.
    pub fn holder(&self, ticket: &str, key: &str) -> Option<(Caller, u64)> {
        let ticket = Ticket::read(ticket)?;
        let callers = self.callers.read().unwrap_or_else(PoisonError::into_inner);
        let (hash, known) = callers.iter().find(|(_, known)| known.caller.name() == ticket.name)?;
        ticket.is_of(hash, key).then(|| known.caller())?.map(|caller| (caller, ticket.until))
    }

    /// The tokens of the file.
    ///
    /// # Errors
    /// As [`Tokens::open`].
    pub fn listed(&self) -> Result<Vec<Listed>, String> {
        listed(&self.path)
    }

    /// Reads the file again if it has changed. If the file cannot be read, the old tokens stay valid.
    ///
    /// # Errors
    /// As [`Tokens::open`].
    pub fn refresh(&self) -> Result<(), String> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = modified(&self.path)?;
        if *read != Some(changed) {
            let callers = callers(&load(&self.path)?, self.read_only, self.limits)?;
            *self.callers.write().unwrap_or_else(PoisonError::into_inner) = callers;
            *read = Some(changed);
        }
        Ok(())
    }
}

/// The tokens of a file.
///
/// # Errors
/// As [`Tokens::open`].
pub fn listed(file: &Path) -> Result<Vec<Listed>, String> {
    Ok(load(file)?.into_iter().map(Listed::from).collect())
}

impl std::fmt::Display for Listed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\t{}\t{}", self.name, self.role.name(), self.keys.join(" "))?;
        match self.expires {
            Some(_) if self.is_expired() => f.write_str("\texpired")?,
            Some(end) => write!(f, "\texpires in {} days", end.saturating_sub(now()).div_ceil(DAY))?,
            None => {}
        }
        if let Some(rate) = self.limits.rate {
            write!(f, "\t{rate} requests a second")?;
        }
        self.limits.streams.map_or(Ok(()), |streams| write!(f, "\t{streams} live streams"))
    }
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

/// Makes a token and writes its hash to a file. If the file is absent, it is made. The token ends after this number of days, or never.
///
/// # Errors
/// As [`Tokens::open`], and if another token has this name or a glob is not valid.
pub fn make(file: &Path, new: New) -> Result<String, String> {
    let New { name, role, keys, days, limits } = new;
    let mut entries = if file.exists() { load(file)? } else { Vec::new() };
    if entries.iter().any(|entry| entry.name == name) {
        return Err(format!("{} has a token '{name}'", file.display()));
    }
    let token = format!("{PREFIX}{}", random()?);
    let expires = days.map(|days| now().saturating_add(u64::from(days).saturating_mul(DAY)));
    let entry = Entry { name, role, keys, blake3: hash(&token), expires, limits };
    callers(std::slice::from_ref(&entry), false, Limits::default())?;
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

fn callers(entries: &[Entry], read_only: bool, limits: Limits) -> Result<HashMap<String, Known>, String> {
    let caller = |entry: &Entry| {
        let caller = Caller::new(&entry.name, entry.role, &entry.keys, read_only)?;
        let caller = caller.limited(entry.limits.or(limits));
        Ok((entry.blake3.clone(), Known { caller, expires: entry.expires }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_ends_with_its_days() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens");
        let keys = || vec!["*".to_owned()];
        let limits = Limits::default();
        let new = |days| New { name: format!("{days:?}"), role: Role::Viewer, keys: keys(), days, limits };
        let [ended, lasting, endless] = [Some(0), Some(2), None].map(|days| make(&file, new(days)).unwrap());
        let tokens = Tokens::open(file.clone(), false, limits).unwrap();
        let is_known = |token: &str| tokens.find(&hash(token)).is_some();
        assert_eq!([&ended, &lasting, &endless].map(|token| is_known(token)), [false, true, true]);
        let lines: Vec<_> = tokens.listed().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            ["Some(0)\tviewer\t*\texpired", "Some(2)\tviewer\t*\texpires in 2 days", "None\tviewer\t*"]
        );
    }
}
