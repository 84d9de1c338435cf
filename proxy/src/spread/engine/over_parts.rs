//! Carries out the commands that ask many parts: each one enters the gate first, and is counted.

use std::pin::pin;
use std::sync::Arc;

use redis::Value;
use tokio::time::Instant;

use super::{Engine, weight};
use crate::load::{Ended, Entry, Ticket, tallying};
use crate::nodes::Transport;
use crate::spread::asked::{Asked, Own};
use crate::spread::gather::Refused;
use crate::spread::root::Root;
use crate::spread::{change, refusal, rules};

impl<T: Transport> Engine<T> {
    /// Carries out a command over the parts of its board, and counts it.
    pub(super) async fn over_parts(
        &self,
        words: &[Vec<u8>],
        asked: Asked<'_>,
        begun: Instant,
        came: Instant,
    ) -> Value {
        let timeout = asked.timeout().unwrap_or(self.settings.gather);
        let root = match self.known(&asked, begun).await {
            Err(value) => return value,
            Ok(None) => return self.pass(words, self.deadline(begun, Some(timeout))).await,
            Ok(Some(root)) => root,
        };
        let (name, parts) = (asked.row.name, weight::parts(&root, &asked));
        let is_read_of_whole_board =
            parts == root.parts.count() && asked.row.command.only_reads() && !asked.wants(Own::Partial);
        let timeout = timeout.saturating_sub(begun.elapsed());
        let ticket = Ticket { parts, came, timeout, is_droppable: asked.row.command.only_reads() };
        let entry = Entry::new(&self.load.gate, ticket);
        // Pinned here, the work stays where it is. Otherwise each function that takes it would copy its state.
        let work = pin!(self.gather_again(words, asked, root, &entry));
        let (value, tally) = tallying(work).await;
        let ended = match (refusal::failure(&value), &value) {
            (Some(code), _) => Ended::Failed(code),
            (None, Value::ServerError(_)) => Ended::Refused,
            _ => Ended::Answered,
        };
        self.load.gathers.add(name, begun.elapsed(), tally, ended);
        if is_read_of_whole_board {
            self.load.gathers.note_read(ended);
        }
        value
    }

    /// Asks the parts. If their answers contradict the root, reads the root again, and then asks the parts once more.
    async fn gather_again(
        &self,
        words: &[Vec<u8>],
        mut asked: Asked<'_>,
        mut root: Arc<Root>,
        entry: &Entry<'_>,
    ) -> Value {
        loop {
            let got = self.gather(&root, &asked, entry).await;
            if asked.is_settled() || !matches!(got, Err(Refused::Disagree(_))) {
                return refusal::reply(got, root.parts);
            }
            let (since, deadline) = (Instant::now(), entry.deadline());
            let mended = Box::pin(self.mend(asked.key, since, deadline)).await;
            let is_mended = mended.is_ok();
            // A client that accepts an incomplete answer gets one from a board that cannot be mended.
            let learned = match mended {
                Err(_) if asked.wants(Own::Partial) => Box::pin(self.learn(asked.key, since, deadline)).await,
                learned => learned,
            };
            root = match learned {
                Err(value) => return value,
                Ok(None) => return self.pass(words, deadline).await,
                Ok(Some(root)) => root,
            };
            // While a board grows or shrinks, its layout can change between any two rounds.
            if !(is_mended && root.is_moving() && since < deadline) {
                asked = asked.settled();
            }
        }
    }

    async fn gather(&self, root: &Root, asked: &Asked<'_>, entry: &Entry<'_>) -> Result<Value, Refused> {
        if asked.row.own().contains(&Own::Partial) {
            return self.memory.read(&self.sender, root, asked, entry).await;
        }
        let (_place, deadline) = entry.enter().await?;
        if asked.row.name == "LB.INFO" {
            rules::tell(&self.sender, root, deadline).await
        } else {
            Box::pin(change::write(&self.sender, root, asked, deadline)).await
        }
    }
}
