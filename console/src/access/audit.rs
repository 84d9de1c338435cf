//! The log of changes: who made each change, when, what it was, and its result. Votes, points, events of counters and
//! play in leagues that come through the API are not in the log. Players do these thousands of times a second, and
//! boards count them.

mod tail;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::access::Caller;

/// How many records are kept in memory.
const KEPT: usize = 10_000;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The moment of the change, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The name of the caller's token; `local` if the console has no tokens.
    pub who: String,
    /// The action, such as `alter` or `remove`.
    pub action: Cow<'static, str>,
    /// The key that was changed.
    pub key: String,
    /// The member, if the change was about one member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The command of the change, as a text.
    pub detail: String,
    /// `done`, or why it was refused.
    pub outcome: String,
}

/// The log: the latest records in memory, and all records in a file if the operator named a file. The latest records of the file
/// are in memory from the beginning.
#[derive(Debug)]
pub struct Audit(Mutex<Log>);

#[derive(Debug)]
struct Log {
    latest: VecDeque<Record>,
    file: Option<File>,
}

impl Audit {
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: Option<&Path>) -> Result<Self, String> {
        let open = |path: &Path| {
            let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
            Ok(Log { latest: tail::latest(&mut file)?, file: Some(file) })
        };
        let log = path.map(|path| {
            open(path).map_err(|error: std::io::Error| format!("--audit {}: {error}", path.display()))
        });
        let log = log.transpose()?.unwrap_or_else(|| Log { latest: VecDeque::new(), file: None });
        Ok(Self(Mutex::new(log)))
    }

    /// Notes a change of a caller after the attempt. If the change was refused, `outcome` is the reason.
    pub fn note(
        &self,
        caller: &Caller,
        action: &'static str,
        key: &str,
        member: Option<String>,
        detail: String,
        outcome: Result<(), String>,
    ) {
        self.note_of(caller.name(), action, key, member, detail, outcome);
    }

    /// As [`Audit::note`], for what the gateway itself does. `who` says which part of it.
    pub fn note_of(
        &self,
        who: &str,
        action: &'static str,
        key: &str,
        member: Option<String>,
        detail: String,
        outcome: Result<(), String>,
    ) {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        self.keep(Record {
            at: u64::try_from(at).unwrap_or(u64::MAX),
            who: who.to_owned(),
            action: action.into(),
            key: key.to_owned(),
            member,
            detail,
            outcome: outcome.err().unwrap_or_else(|| "done".to_owned()),
        });
    }

    fn keep(&self, record: Record) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(file), Ok(mut line)) = (&mut log.file, serde_json::to_vec(&record)) {
            line.push(b'\n');
            if let Err(error) = file.write_all(&line) {
                eprintln!("leaderboard-gateway: the audit log cannot be written: {error}");
            }
        }
        if log.latest.len() >= KEPT {
            log.latest.pop_front();
        }
        log.latest.push_back(record);
    }

    /// The records in memory that pass the filter `shown`, latest first.
    pub fn latest(&self, shown: impl Fn(&Record) -> bool) -> Vec<Record> {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.latest.iter().rev().filter(|record| shown(record)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(audit: &Audit, number: usize) {
        let outcome = if number.is_multiple_of(2) { Ok(()) } else { Err("a reason".to_owned()) };
        audit.note_of(
            "ann",
            "alter",
            &format!("k{number}"),
            Some("m".to_owned()),
            "LB.ALTER".to_owned(),
            outcome,
        );
    }

    #[test]
    fn what_was_noted_before_a_restart_is_read_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit");
        let audit = Audit::open(Some(&path)).unwrap();
        (0..5).for_each(|number| note(&audit, number));
        let before = audit.latest(|_| true);
        std::fs::write(&path, [std::fs::read(&path).unwrap(), b"{\"at\":1}\nno record\n".to_vec()].concat())
            .unwrap();
        let again = Audit::open(Some(&path)).unwrap();
        assert_eq!(again.latest(|_| true), before);
        note(&again, 5);
        assert_eq!(again.latest(|_| true).len(), 6);
        assert_eq!(Audit::open(Some(&path)).unwrap().latest(|_| true).first().unwrap().key, "k5");
    }

    #[test]
    fn only_so_many_records_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit");
        let audit = Audit::open(Some(&path)).unwrap();
        (0..KEPT.saturating_add(3)).for_each(|number| note(&audit, number));
        let again = Audit::open(Some(&path)).unwrap().latest(|_| true);
        assert_eq!((again.len(), again.last().unwrap().key.as_str()), (KEPT, "k3"));
    }
}
