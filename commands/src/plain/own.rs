//! The few commands of the server in memory that are not commands of the product: `DEL`, `UNLINK`, `EXISTS`, `TYPE`,
//! `SET`, `GET`, `RENAME`, `ZADD`, `ZREM`, `ZCARD`, `ZRANK`, `ZREVRANK`, `ZRANGE`, `ZREVRANGE`, `PEXPIRE`, `PTTL`,
//! `PERSIST`, `DUMP` and `RESTORE` (of boards), each in its simplest form. The server tells when a key expires,
//! but never removes it.

use leaderboard_core::Board;
use leaderboard_core::arrived::LoadingValue;

use super::held::Held;
use super::session::Session;
use crate::argument::Argument;
use crate::host::{Client as _, Host as _, Value};

impl Session<'_> {
    /// Runs one of the server's own commands.
    pub fn run_own(&self) {
        let Some((name, arguments)) = self.words().split_first() else {
            return self.error("ERR unknown command");
        };
        match (name.bytes().to_ascii_uppercase().as_slice(), arguments) {
            (b"DEL" | b"UNLINK", keys) => {
                let held = self.count_held(keys);
                keys.iter().for_each(|key| self.delete(*key));
                self.integer(held);
            }
            (b"EXISTS", keys) => self.integer(self.count_held(keys)),
            (b"TYPE", [key]) => {
                let name = self.look(*key, |held| held.map_or("none", Held::type_name));
                self.bulk(name.as_bytes());
            }
            (b"SET", [key, text]) => {
                self.hold(*key, Held::Text(text.bytes().to_vec()));
                self.ok();
            }
            (b"GET", [key]) => self.look(*key, |held| match held {
                Some(Held::Text(text)) => self.bulk(text),
                _ => self.nil(),
            }),
            (b"PEXPIRE", [key, left]) => {
                let left = std::str::from_utf8(left.bytes()).ok().and_then(|left| left.parse().ok());
                self.integer(i64::from(self.set_expiry(*key, left)));
            }
            (b"PERSIST", [key]) => {
                let expires = self.expiry(*key).is_some();
                self.set_expiry(*key, None);
                self.integer(i64::from(expires));
            }
            (b"PTTL", [key]) => {
                let absent = if self.count_held(&[*key]) > 0 { -1 } else { -2 };
                self.integer(self.expiry(*key).unwrap_or(absent));
            }
            (b"RENAME", [key, other]) => match self.rename(*key, *other) {
                true => self.ok(),
                false => self.error("ERR no such key"),
            },
            (b"DUMP", [key]) => match self.look(*key, |held| held.and_then(Held::saved)) {
                Some(chunks) => self.bulk(&dumped(&chunks)),
                None => self.nil(),
            },
            (b"RESTORE", [key, _, _]) if self.count_held(&[*key]) > 0 => {
                self.error("BUSYKEY Target key name already exists.");
            }
            (b"RESTORE", [key, _, dump]) => match board_of(dump.bytes()) {
                Some(board) => {
                    self.hold(*key, board);
                    self.ok();
                }
                None => self.error("ERR Bad data format"),
            },
            (b"ZADD", [key, rows @ ..]) => self.add_rows(*key, rows),
            (b"ZREM" | b"ZCARD" | b"ZRANK" | b"ZREVRANK" | b"ZRANGE" | b"ZREVRANGE", [key, rest @ ..]) => {
                self.run_sorted_set(&name.bytes().to_ascii_uppercase(), *key, rest);
            }
            _ => self.error("ERR unknown command"),
        }
    }

    /// Runs a command on a sorted set. An absent key is an empty sorted set.
    fn run_sorted_set(&self, name: &[u8], key: Argument, rest: &[Argument]) {
        let is_other = self.look(key, |held| !matches!(held, None | Some(Held::SortedSet(_))));
        if is_other {
            return self.error("WRONGTYPE Operation against a key holding the wrong kind of value");
        }
        let rows = self.sorted_set_rows(key);
        let place = |member: &Argument| rows.iter().position(|(_, other)| other == member.bytes());
        let from_end = |place: usize| rows.len().saturating_sub(1).saturating_sub(place);
        let number = |place: usize| self.integer(i64::try_from(place).unwrap_or(i64::MAX));
        match (name, rest) {
            (b"ZCARD", []) => number(rows.len()),
            (b"ZRANK", [member]) => place(member).map_or_else(|| self.nil(), number),
            (b"ZREVRANK", [member]) => place(member).map(from_end).map_or_else(|| self.nil(), number),
            (b"ZREM", [member]) => number(usize::from(self.remove_from_sorted_set(key, member.bytes()))),
            (b"ZRANGE" | b"ZREVRANGE", [first, last, ..]) => {
                let place = |word: &Argument| std::str::from_utf8(word.bytes()).ok()?.parse::<usize>().ok();
                let (first, last) = (place(first).unwrap_or(0), place(last).unwrap_or(usize::MAX));
                let count = last.saturating_add(1).saturating_sub(first);
                let shown: Vec<_> = match name {
                    b"ZRANGE" => rows.iter().skip(first).take(count).collect(),
                    _ => rows.iter().rev().skip(first).take(count).collect(),
                };
                self.array(shown.len().saturating_mul(2));
                for (score, member) in shown {
                    self.bulk(member);
                    self.bulk(score.to_string().as_bytes());
                }
            }
            _ => self.error("ERR syntax error"),
        }
    }

    /// Counts the keys in this list that are not empty.
    fn count_held(&self, keys: &[Argument]) -> i64 {
        let held = keys.iter().filter(|key| self.look(**key, |held| held.is_some()));
        i64::try_from(held.count()).unwrap_or(i64::MAX)
    }

    /// Carries out `ZADD key score member [score member ...]`.
    fn add_rows(&self, key: Argument, rows: &[Argument]) {
        let row = |pair: &[Argument<'_>]| match pair {
            [score, member] => {
                Some((std::str::from_utf8(score.bytes()).ok()?.parse().ok()?, member.bytes().to_vec()))
            }
            _ => None,
        };
        match rows.chunks(2).map(row).collect::<Option<Vec<(f64, Vec<u8>)>>>() {
            Some(rows) => {
                let rows: Vec<_> = rows.iter().map(|(score, member)| (*score, member.as_slice())).collect();
                self.add_to_sorted_set(key, &rows);
                self.ok();
            }
            None => self.error("ERR value is not a valid float"),
        }
    }
}

/// Returns chunks as one text: each chunk behind its length.
fn dumped(chunks: &[Vec<u8>]) -> Vec<u8> {
    let parts = chunks.iter().flat_map(|chunk| [(chunk.len() as u64).to_le_bytes().to_vec(), chunk.clone()]);
    parts.flatten().collect()
}

/// Returns the board with these chunks; `None` if they are no board.
fn board_of(mut dump: &[u8]) -> Option<Held> {
    let mut loading = LoadingValue::<Board>::Nothing;
    while let Some((len, behind)) = dump.split_first_chunk() {
        let (chunk, rest) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*len)).ok()?)?;
        loading.take(chunk).ok()?;
        dump = rest;
    }
    let (board, arrived) = loading.finish().ok()?;
    Some(Held::Value(Value::boxed::<Session>(board, arrived)))
}
