//! A sorted set beside a key, in the same slot. It expires if the gateway does not finish it.

use leaderboard_core::parts::Parts;
use redis::Value;
use tokio::time::Instant;

use crate::nodes::{Command, CommandError, Transport};
use crate::spread::catalog::random;
use crate::spread::engine::Engine;
use crate::spread::refusal::{error, unknown};
use crate::spread::root::key_slot;

/// The number of members in one command. While a server carries out the command, it does nothing else.
const PIECE: usize = 1_000;
/// How long the key lives after each call of `add`, in milliseconds: longer than the longest `TIMEOUT`.
const LIFE: &[u8] = b"900000";

/// A sorted set that is being written.
pub struct Scratch<'e, T> {
    engine: &'e Engine<T>,
    key: Vec<u8>,
    members: i64,
    deadline: Instant,
}

impl<'e, T: Transport> Scratch<'e, T> {
    /// Returns a sorted set without members, beside `dest`.
    ///
    /// # Errors
    /// If the system has no random bytes.
    pub fn new(engine: &'e Engine<T>, dest: &[u8], deadline: Instant) -> Result<Self, Value> {
        Ok(Self { engine, key: beside(dest, random()?), members: 0, deadline })
    }

    /// Adds distinct members with their scores.
    ///
    /// # Errors
    /// The reply with the reason. Adding is never carried out twice, so an answer that is lost does no harm.
    pub async fn add(&mut self, rows: &[(f64, &[u8])]) -> Result<(), Value> {
        let mut commands: Vec<_> = rows.chunks(PIECE).map(|piece| self.piece(piece)).collect();
        if commands.is_empty() {
            return Ok(());
        }
        // Directly behind the first piece, which makes the key.
        commands.insert(1, self.command(vec![b"PEXPIRE".to_vec(), self.key.clone(), LIFE.to_vec()], true));
        self.ask(&commands).await?;
        self.members = self.members.saturating_add(i64::try_from(rows.len()).unwrap_or(i64::MAX));
        Ok(())
    }

    fn piece(&self, rows: &[(f64, &[u8])]) -> Command {
        let head = [b"ZADD".to_vec(), self.key.clone()].into_iter();
        let rows = rows.iter().flat_map(|(score, member)| [score.to_string().into_bytes(), member.to_vec()]);
        self.command(head.chain(rows).collect(), true)
    }

    /// Puts the sorted set in the place of `dest`, if it was written. Returns the number of its members.
    ///
    /// # Errors
    /// The reply with the reason. `dest` is unchanged, unless the reply is `UNKNOWN`.
    pub async fn finish(self, dest: &[u8], written: Result<(), Value>) -> Result<i64, Value> {
        match written {
            Ok(()) if self.members == 0 => {
                // All members were removed in the meantime.
                self.ask(&[self.command(vec![b"DEL".to_vec(), dest.to_vec()], true)]).await.map(|_| 0)
            }
            Ok(()) => match self.check().await {
                Ok(()) => {
                    let rename = vec![b"RENAME".to_vec(), self.key.clone(), dest.to_vec()];
                    match self.ask(&[self.command(rename, false)]).await {
                        Ok(_) => Ok(self.members),
                        Err(refused) => Err(self.discard(refused).await),
                    }
                }
                Err(refused) => Err(self.discard(refused).await),
            },
            Err(refused) => Err(self.discard(refused).await),
        }
    }

    /// Checks that no member was lost, and keeps the key from expiring.
    async fn check(&self) -> Result<(), Value> {
        let [count, persist] = [b"ZCARD", &b"PERSIST"[..]].map(|name| vec![name.to_vec(), self.key.clone()]);
        let told = self.ask(&[self.command(count, true)]).await?;
        if told != [Value::Int(self.members)] {
            return Err(error("PARTSDOWN a failover lost members of dest: export again"));
        }
        self.ask(&[self.command(persist, true)]).await.map(|_| ())
    }

    /// Deletes the key. It expires if this fails.
    async fn discard(&self, refused: Value) -> Value {
        let _expires = self.ask(&[self.command(vec![b"DEL".to_vec(), self.key.clone()], true)]).await;
        refused
    }

    fn command(&self, words: Vec<Vec<u8>>, repeatable: bool) -> Command {
        Command { slot: Some(key_slot(&self.key)), words, repeatable }
    }

    /// Sends commands to the node of the key.
    async fn ask(&self, commands: &[Command]) -> Result<Vec<Value>, Value> {
        let is_repeatable = commands.iter().all(|command| command.repeatable);
        let answers = self.engine.sender().ask(commands, self.deadline).await;
        let read = |answer| match answer {
            Ok(refused @ Value::ServerError(_)) => Err(refused),
            Ok(value) => Ok(value),
            Err(CommandError::Unknown(_)) if !is_repeatable => Err(unknown()),
            Err(_) => Err(error("PARTSDOWN the node of dest did not answer: a longer TIMEOUT may help")),
        };
        answers.into_iter().map(read).collect()
    }
}

/// Returns a key in the slot of `dest`. It begins with `dest` where that is possible, so that users who may write `dest*`
/// may write it, too.
fn beside(dest: &[u8], random: u64) -> Vec<u8> {
    let random = format!(":{random:x}").into_bytes();
    let with = |name: &[u8]| [name, &random].concat();
    // If `dest` has a hash tag, whatever follows does not matter.
    if key_slot(&with(dest)) == key_slot(dest) {
        return with(dest);
    }
    let name: &[u8] = if dest.contains(&b'{') { b"lb.export" } else { dest };
    let tagged = Parts::new(2, "PARTS").map(|parts| parts.key(dest, 0)).unwrap_or_default();
    let tag = tagged.get(dest.len()..).unwrap_or_default();
    with(&[name, tag].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_beside_another_is_in_its_slot() {
        for dest in ["dest", "a{b}c", "a{b", "a{}b", "}{", "", "{x}", "{{a}", "a}b"] {
            let key = beside(dest.as_bytes(), 77);
            assert_eq!(key_slot(&key), key_slot(dest.as_bytes()), "{dest}");
            assert!(key != dest.as_bytes() && key.ends_with(b":4d"));
        }
        assert!(beside(b"dest", 7).starts_with(b"dest:{"));
    }
}
