//! The log of changes: who made each change, when, from where, why, what it was before and after, and its result; also who signed in
//! and who tried what is not allowed. Votes, points, events of counters and play in leagues that come through the API are not in
//! the log. Players do these thousands of times a second, and boards count them.

mod seldom;
mod tail;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use seldom::Seldom;
use serde::{Deserialize, Serialize};

use crate::access::Caller;

/// How many records are kept in memory.
const KEPT: usize = 10_000;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// A number that no other record has, in hexadecimal digits; empty in old files.
    #[serde(default)]
    pub id: String,
    /// The moment of the change, in milliseconds since the Unix epoch.
    pub at: u64,
    /// The name of the caller's token; `local` if the console has no tokens.
    pub who: String,
    /// The address that the request came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The action, such as `alter` or `remove`.
    pub action: Cow<'static, str>,
    /// The key that was changed.
    pub key: String,
    /// The member, if the change was about one member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The command of the change, as a text.
    pub detail: String,
    /// What the change was about before and after it, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Why, in the words of the person who made the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The words of the command that takes the change back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undo: Vec<String>,
    /// `done`, or why it was refused.
    pub outcome: String,
}

/// What happened, before it is a record.
#[derive(Debug, Default)]
pub struct Event {
    pub action: &'static str,
    pub key: String,
    pub member: Option<String>,
    pub detail: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub undo: Vec<String>,
}

/// The log: the latest records in memory, and all records in a file if the operator named a file. The latest records of the file
/// are in memory from the beginning.
#[derive(Debug)]
pub struct Audit {
    log: Mutex<Log>,
    seldom: Seldom,
}

/// The outcome of a change that was made.
pub const DONE: &str = "done";

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
        Ok(Self { log: Mutex::new(log), seldom: Seldom::default() })
    }

    /// Notes a change of a caller after the attempt. If the change was refused, `outcome` is the reason.
    pub fn note(&self, caller: &Caller, event: Event, outcome: Result<(), String>) {
        let from = caller.from().map(|from| from.to_string());
        self.note_of((caller.name(), from), caller.reason(), event, outcome);
    }

    /// As [`Audit::note`], for what the gateway itself does and for callers that it does not know: who it is, and the address.
    pub fn note_of(
        &self,
        (who, from): (&str, Option<String>),
        reason: Option<&str>,
        event: Event,
        outcome: Result<(), String>,
    ) {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let Event { action, key, member, detail, before, after, undo } = event;
        let outcome = outcome.err().unwrap_or_else(|| DONE.to_owned());
        self.keep(Record {
            id: getrandom::u64().map_or_else(|_| String::new(), |number| format!("{number:016x}")),
            at: u64::try_from(at).unwrap_or(u64::MAX),
            who: who.to_owned(),
            from,
            action: action.into(),
            key,
            member,
            detail,
            before,
            after,
            reason: reason.map(str::to_owned),
            undo,
            outcome,
        });
    }

    /// As [`Audit::note_of`], for what was tried and is not allowed: once a minute for the same caller, action and detail, so
    /// nobody fills the log.
    pub fn note_refused(&self, who: (&str, Option<String>), event: Event, reason: String) {
        let of = format!("{} {:?} {} {}", who.0, who.1, event.action, event.detail);
        if self.seldom.is_due(of) {
            self.note_of(who, None, event, Err(reason));
        }
    }

    fn keep(&self, record: Record) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
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
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.latest.iter().rev().filter(|record| shown(record)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(audit: &Audit, number: usize) {
        let outcome = if number.is_multiple_of(2) { Ok(()) } else { Err("a reason".to_owned()) };
        let event = Event {
            action: "alter",
            key: format!("k{number}"),
            member: Some("m".to_owned()),
            detail: "LB.ALTER".to_owned(),
            ..Event::default()
        };
        audit.note_of(("ann", None), None, event, outcome);
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
