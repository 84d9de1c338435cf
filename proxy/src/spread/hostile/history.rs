//! What clients did, and what they read. Each write of a member adds a power of 4, so a score tells which writes are in
//! it, and how often.

use std::collections::BTreeMap;

use super::cluster::Loss;
use super::state::{NAME, part_key, part_of};

/// The time of an operation that was never answered: it may still be carried out.
pub const NEVER: u64 = u64::MAX;

/// The most writes of one member.
pub const WRITES: u32 = 26;

#[derive(Debug, Clone)]
pub struct Write {
    pub member: String,
    /// The write adds 4 to this power.
    pub digit: u32,
    /// When it was first sent.
    pub start: u64,
    /// When it was acknowledged.
    pub end: u64,
    /// How often the client sent it.
    pub attempts: u32,
}

/// A command that deletes the board, or members of lost parts.
#[derive(Debug, Clone)]
pub struct Deletion {
    pub start: u64,
    pub end: u64,
    /// Whether the client knows that it was carried out.
    pub is_sure: bool,
}

/// A complete answer.
#[derive(Debug, Clone)]
pub struct Read {
    pub start: u64,
    pub end: u64,
    /// The scores of all members, or of one member.
    pub scores: BTreeMap<String, i64>,
    /// The member that was asked for; `None` if all were.
    pub only: Option<String>,
}

#[derive(Debug, Default)]
pub struct History {
    pub writes: Vec<Write>,
    pub deletions: Vec<Deletion>,
    /// LB.REPAIR with FORCE, which makes lost parts again.
    pub forced: Vec<Deletion>,
    pub reads: Vec<Read>,
    pub losses: Vec<Loss>,
    /// For each moment at which the key of the board changed: whether it has had a plain board since.
    pub plain: Vec<(u64, bool)>,
    /// The numbers of parts that the board had at any time.
    pub counts: Vec<u16>,
}

/// How often a write is in a score.
fn times(score: i64, digit: u32) -> i64 {
    (score >> (2 * digit)) & 3
}

impl History {
    /// Returns what is wrong with the reads.
    pub fn check(&self) -> Result<(), String> {
        self.reads.iter().try_for_each(|read| self.check_read(read))
    }

    fn check_read(&self, read: &Read) -> Result<(), String> {
        for (member, score) in &read.scores {
            for digit in 0..=WRITES + 3 {
                let times = times(*score, digit);
                let write = self.writes.iter().find(|write| write.member == *member && write.digit == digit);
                match write {
                    _ if times == 0 => {}
                    None => return Err(format!("{read:?}: nobody wrote {member} {digit}")),
                    Some(write) if times > 1 => return Err(format!("{read:?}: {times} times {write:?}")),
                    Some(write) if write.start > read.end => {
                        return Err(format!("{read:?}: before it was written: {write:?}"));
                    }
                    Some(write) => {
                        if let Some(deletion) = self.is_surely_deleted(write, read) {
                            return Err(format!("{read:?}: {write:?} was deleted: {deletion:?}"));
                        }
                    }
                }
            }
        }
        for write in &self.writes {
            let is_asked = read.only.as_ref().is_none_or(|only| *only == write.member);
            let score = read.scores.get(&write.member).copied().unwrap_or(0);
            if is_asked && times(score, write.digit) == 0 && self.is_surely_there(write, read) {
                return Err(format!("{read:?}: {write:?} is missing"));
            }
        }
        Ok(())
    }

    /// Returns a deletion that came after a write and before a read, unless a node may have lost it.
    fn is_surely_deleted(&self, write: &Write, read: &Read) -> Option<&Deletion> {
        let came_between = |deletion: &&Deletion| {
            deletion.is_sure && deletion.start > write.end && deletion.end < read.start
        };
        let is_kept = |deletion: &&Deletion| {
            // If a root was lost before, DEL found a plain board, or nothing.
            let matters = |loss: &Loss| loss.at > deletion.start || loss.key == NAME.as_bytes();
            !self.losses.iter().any(|loss| loss.at < read.end && matters(loss))
        };
        // An earlier attempt of a repeated write can come late. A plain board has no incarnation that refuses it.
        if write.attempts > 1 && self.is_plain(read) {
            return None;
        }
        self.deletions.iter().filter(came_between).find(is_kept)
    }

    /// Returns whether there may have been a plain board at any time of a read.
    fn is_plain(&self, read: &Read) -> bool {
        let before = self.plain.iter().rev().find(|(moment, _)| *moment < read.start);
        let during = self.plain.iter().filter(|(moment, _)| (read.start..=read.end).contains(moment));
        before.into_iter().chain(during).any(|(_, is_plain)| *is_plain)
    }

    /// Returns whether a write must be in a read.
    fn is_surely_there(&self, write: &Write, read: &Read) -> bool {
        // A lost change of the root can bring back a deletion that had begun: other gateways finish it.
        let comes_back = |deletion: &Deletion| {
            let is_brought_back = |loss: &Loss| {
                loss.key == NAME.as_bytes()
                    && (deletion.start..read.end).contains(&loss.at)
                    && loss.since <= deletion.end
            };
            self.losses.iter().any(is_brought_back)
        };
        let may_matter = |deletion: &Deletion| {
            deletion.start < read.end && (deletion.end > write.start || comes_back(deletion))
        };
        write.end < read.start
            && !self.deletions.iter().any(may_matter)
            && !self.forced.iter().any(may_matter)
            && !self.losses.iter().any(|loss| {
                loss.at > write.start
                    && loss.at < read.end
                    && loss.since <= write.end
                    && self.has(&loss.key, write)
            })
    }

    /// Returns whether a key can have the member of a write.
    fn has(&self, key: &[u8], write: &Write) -> bool {
        let part = |count: &u16| part_key(*count, part_of(*count, &write.member));
        key == NAME.as_bytes() || self.counts.iter().map(part).any(|part| part.as_bytes() == key)
    }
}
