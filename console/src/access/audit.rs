//! The log of changes: who made each change, when, from where, why, what it was before and after, and its result; also who signed in
//! and who tried what is not allowed. Votes, points, events of counters and play in leagues that come through the API are not in
//! the log. Players do these thousands of times a second, and boards count them.

mod seldom;
mod tail;

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
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
    /// The name of the caller's token, or of the user with the host of the provider; `local` if the console has no tokens.
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
    /// The id of the change that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
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
    pub undoes: Option<String>,
}

/// The log: the latest records in memory, and all records in a file if the operator named a file. The latest records of the file
/// are in memory from the beginning.
#[derive(Debug)]
pub struct Audit {
    log: Mutex<Log>,
    tries: Seldom,
    strangers: Seldom,
}

/// The action of signing in.
pub const SIGN_IN: &str = "sign-in";
/// Why somebody with an unknown token is a stranger.
pub const UNKNOWN_TOKEN: &str = "unknown token";
/// Who could not sign in.
const STRANGER: &str = "unknown";
/// How many records of strangers are kept in memory, and how many there are in a minute at most.
const STRANGERS_KEPT: usize = 1_000;
const STRANGERS_A_MINUTE: usize = 20;
/// How many records in a minute are about what callers tried and may not do.
const TRIES_A_MINUTE: usize = 1_000;

impl Record {
    fn is_of_a_stranger(&self) -> bool {
        self.who == STRANGER && self.action == SIGN_IN
    }
}

/// The outcome of a change that was made.
pub const DONE: &str = "done";

#[derive(Debug)]
struct Log {
    latest: Latest,
    file: Option<File>,
}

/// The latest records, oldest first: those of callers, and those of strangers.
#[derive(Debug, Default)]
struct Latest {
    callers: VecDeque<Record>,
    strangers: VecDeque<Record>,
}

impl Latest {
    /// Adds a record that is newer than all others.
    fn push(&mut self, record: Record) {
        let (list, most) = if record.is_of_a_stranger() {
            (&mut self.strangers, STRANGERS_KEPT)
        } else {
            (&mut self.callers, KEPT)
        };
        if list.len() >= most {
            list.pop_front();
        }
        list.push_back(record);
    }
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
        let log = log.transpose()?.unwrap_or_else(|| Log { latest: Latest::default(), file: None });
        let (tries, strangers) = (Seldom::new(TRIES_A_MINUTE), Seldom::new(STRANGERS_A_MINUTE));
        Ok(Self { log: Mutex::new(log), tries, strangers })
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
        let Event { action, key, member, detail, before, after, undo, undoes } = event;
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
            undoes,
            outcome,
        });
    }

    /// As [`Audit::note_of`], for what a caller tried and may not do: once a minute for the same caller and detail.
    pub fn note_refused(&self, who: (&str, Option<String>), event: Event, reason: String) {
        if self.tries.is_due(format!("{} {:?} {}", who.0, who.1, event.detail)) {
            self.note_of(who, None, event, Err(reason));
        }
    }

    /// Notes that somebody came from this address and could not sign in, and why: once a minute for the same address and reason.
    /// Everybody can do that, so there are few of these records in a minute, and they take no place of other records in memory.
    pub fn note_stranger(&self, from: Option<String>, reason: &str) {
        if self.strangers.is_due(format!("{from:?} {reason}")) {
            let event = Event { action: SIGN_IN, ..Event::default() };
            self.note_of((STRANGER, from), None, event, Err(reason.to_owned()));
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
        log.latest.push(record);
    }

    /// The records in memory that pass the filter `shown`, latest first.
    pub fn latest(&self, shown: impl Fn(&Record) -> bool) -> Vec<Record> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let Latest { callers, strangers } = &log.latest;
        let (mut callers, mut strangers) =
            (callers.iter().rev().peekable(), strangers.iter().rev().peekable());
        let mut found = Vec::new();
        loop {
            let is_stranger = match (callers.peek(), strangers.peek()) {
                (Some(caller), Some(stranger)) => stranger.at > caller.at,
                (caller, _) => caller.is_none(),
            };
            let next = if is_stranger { strangers.next() } else { callers.next() };
            let Some(record) = next else { return found };
            if shown(record) {
                found.push(record.clone());
            }
        }
    }

    /// The ids of the changes that were taken back.
    pub fn undone(&self) -> HashSet<String> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let done = log.latest.callers.iter().filter(|record| record.outcome == DONE);
        done.filter_map(|record| record.undoes.clone()).collect()
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
    fn strangers_take_no_place_of_others() {
        let audit = Audit::open(None).unwrap();
        note(&audit, 1);
        (0..100).for_each(|host| audit.note_stranger(Some(format!("203.0.113.{host}")), UNKNOWN_TOKEN));
        note(&audit, 2);
        let all = audit.latest(|_| true);
        let keys: Vec<_> =
            all.iter().map(|record| record.key.as_str()).filter(|key| !key.is_empty()).collect();
        assert_eq!(keys, ["k2", "k1"]);
        assert_eq!(all.len(), 2 + STRANGERS_A_MINUTE);
        let mut latest = Latest::default();
        let stranger = all.iter().find(|record| record.is_of_a_stranger()).unwrap();
        latest.push(all.iter().find(|record| record.key == "k1").unwrap().clone());
        (0..KEPT).for_each(|_| latest.push(stranger.clone()));
        assert_eq!((latest.callers.len(), latest.strangers.len()), (1, STRANGERS_KEPT));
    }

    #[test]
    fn the_number_of_records_in_memory_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit");
        let audit = Audit::open(Some(&path)).unwrap();
        (0..KEPT.saturating_add(3)).for_each(|number| note(&audit, number));
        let again = Audit::open(Some(&path)).unwrap().latest(|_| true);
        assert_eq!((again.len(), again.last().unwrap().key.as_str()), (KEPT, "k3"));
    }
}
