//! Transactions: commands of one slot that a node carries out together.

use redis::{Pipeline, Value};
use tokio::time::{Instant, sleep};

use super::cluster::{Cluster, packed};
use super::node::NodeError;
use super::send::{RetryingClient, SHORTEST, pause, remaining, was_not_carried_out};
use super::{CommandError, Transport};

/// The result of one attempt.
pub enum Attempt {
    /// An answer for each command, or the error with which all of them were refused.
    Done(Result<Vec<Value>, Value>),
    /// Surely nothing was carried out, for this reason.
    Again(String),
    /// The transaction may have been carried out.
    Unknown(String),
}

/// Makes one attempt to send a transaction.
pub trait Transactional: Transport {
    /// Sends commands of one slot as a transaction.
    fn transact(
        &self,
        slot: Option<u16>,
        commands: &[Vec<Vec<u8>>],
        deadline: Instant,
    ) -> impl Future<Output = Attempt> + Send;
}

impl<T: Transactional> RetryingClient<T> {
    /// Sends commands of one slot as a transaction. An attempt that surely changed nothing is repeated until the
    /// deadline. The inner result is an error if the server refused all commands.
    ///
    /// # Errors
    /// If no node answered.
    pub async fn transaction(
        &self,
        slot: Option<u16>,
        commands: &[Vec<Vec<u8>>],
        deadline: Instant,
    ) -> Result<Result<Vec<Value>, Value>, CommandError> {
        let mut number = 0_u32;
        loop {
            match self.transport().transact(slot, commands, deadline).await {
                Attempt::Done(done) => return Ok(done),
                Attempt::Unknown(reason) => return Err(CommandError::Unknown(reason)),
                Attempt::Again(reason) if remaining(deadline) < SHORTEST => {
                    return Err(CommandError::Silent(reason));
                }
                Attempt::Again(_) => {}
            }
            number = number.saturating_add(1);
            sleep(pause(number).min(remaining(deadline).mul_f64(0.5))).await;
        }
    }
}

impl Transactional for Cluster {
    async fn transact(&self, slot: Option<u16>, commands: &[Vec<Vec<u8>>], deadline: Instant) -> Attempt {
        let mut pipeline = Pipeline::with_capacity(commands.len().saturating_add(2));
        pipeline.cmd("MULTI");
        for words in commands {
            pipeline.add_command(packed(words));
        }
        pipeline.cmd("EXEC");
        match self.exchange_whole(slot, pipeline, deadline).await {
            Ok(answers) => judge(answers),
            Err(NodeError::NotSent(reason)) => Attempt::Again(reason),
            Err(NodeError::Lost(reason)) => Attempt::Unknown(reason),
            Err(NodeError::Refused(error)) => Attempt::Done(Err(error)),
        }
    }
}

/// Reads the answers to MULTI, to each command, and to EXEC. If a command could not be queued, the whole transaction is
/// refused.
fn judge(mut answers: Vec<Value>) -> Attempt {
    let executed = answers.pop();
    let refused = answers.into_iter().chain(executed.clone()).find_map(|answer| match answer {
        Value::ServerError(error) => Some(error),
        _ => None,
    });
    match (executed, refused) {
        (Some(Value::Array(replies)), None) => Attempt::Done(Ok(replies)),
        (_, Some(error)) if error.kind().is_some_and(was_not_carried_out) => {
            Attempt::Again(error.to_string())
        }
        (_, Some(error)) => Attempt::Done(Err(Value::ServerError(error))),
        _ => Attempt::Unknown("EXEC was not answered by a list".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wire: &str) -> Value {
        redis::parse_redis_value(wire.replace('\n', "\r\n").as_bytes()).unwrap()
    }

    fn judged(answers: &[&str]) -> Attempt {
        judge(answers.iter().map(|wire| read(wire)).collect())
    }

    #[test]
    fn a_transaction_is_done_refused_or_to_be_sent_again() {
        let done = judged(&["+OK\n", "+QUEUED\n", "*1\n:1\n"]);
        assert!(matches!(done, Attempt::Done(Ok(replies)) if replies == [Value::Int(1)]));
        // If a queued command fails, the other commands are carried out nevertheless.
        let failed = judged(&["+OK\n", "+QUEUED\n", "*1\n-ERR no\n"]);
        assert!(matches!(failed, Attempt::Done(Ok(replies)) if replies.len() == 1));
        let refused = judged(&["+OK\n", "-OOM no memory\n", "-EXECABORT discarded\n"]);
        let Attempt::Done(Err(Value::ServerError(error))) = refused else { panic!("refused as a whole") };
        assert_eq!(error.code(), "OOM", "the reason, not the refusal that follows from it");
        let moved = judged(&["+OK\n", "-MOVED 1 127.0.0.1:1\n", "-EXECABORT discarded\n"]);
        assert!(matches!(moved, Attempt::Again(_)));
        assert!(matches!(judged(&["+OK\n", "+QUEUED\n", "_\n"]), Attempt::Unknown(_)));
    }
}
