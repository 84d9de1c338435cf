//! The session of a client: its user, its protocol, and how its commands are carried out.

use std::pin::pin;
use std::sync::Arc;

use redis::Value;

use super::Shared;
use super::own::{self, Own};
use super::reply::{self, Protocol};
use super::request::Words;
use super::users::{User, Users};
use crate::load::Client;
use crate::nodes::{Credentials, Written, noting};
use crate::spread::only_reads;

/// The state of a connection.
pub struct Session<U: Users> {
    pub shared: Arc<Shared<U>>,
    pub id: u64,
    pub protocol: Protocol,
    /// The name that the client has given to the connection.
    pub name: Vec<u8>,
    credentials: Credentials,
    user: Option<Arc<U::User>>,
    /// Where the commands of this connection have written.
    pub written: Arc<Written>,
    /// The client, for commands that wait for a place.
    pub client: Client,
    /// Whether the connection ends after the last reply.
    pub is_over: bool,
}

impl<U: Users> Session<U> {
    pub fn new(shared: Arc<Shared<U>>) -> Self {
        let id = shared.counters.connections.add(1);
        Self {
            shared,
            id,
            protocol: Protocol::Resp2,
            name: Vec::new(),
            credentials: Credentials::default(),
            user: None,
            written: Written::new(only_reads),
            client: Client::default(),
            is_over: false,
        }
    }

    /// Carries out commands in their order, and appends their replies. Commands for the servers are sent together, up
    /// to the next command that the gateway answers itself.
    pub async fn perform(&mut self, batch: Vec<Words>, out: &mut Vec<u8>) {
        self.shared.counters.commands.add(batch.len());
        let mut others = Vec::with_capacity(batch.len());
        for words in batch {
            match Own::of(&words) {
                None => others.push(words),
                Some(own) => {
                    self.pass_on(std::mem::take(&mut others), out).await;
                    match own::answer(self, own, &words).await {
                        Ok(value) => self.protocol.write(out, &value),
                        Err(text) => reply::error(out, &text),
                    }
                }
            }
            if self.is_over {
                return;
            }
        }
        self.pass_on(others, out).await;
    }

    async fn pass_on(&mut self, commands: Vec<Words>, out: &mut Vec<u8>) {
        let count = commands.len();
        if count == 0 {
            return;
        }
        let user = match self.user().await {
            Ok(user) => user,
            Err(text) => return (0..count).for_each(|_| reply::error(out, &text)),
        };
        let work = pin!(user.execute(commands));
        let replies = noting(&self.written, work).await;
        let given = replies.len();
        replies.into_iter().take(count).for_each(|value| self.write(out, &value));
        // If a reply is missing, an error takes its place. Otherwise the client would take each later reply for the
        // answer to another command.
        (given..count).for_each(|_| reply::error(out, "ERR the gateway has no reply to this"));
    }

    /// Appends a reply, or an error in its place if it is too large.
    fn write(&self, out: &mut Vec<u8>, value: &Value) {
        let (start, most) = (out.len(), self.shared.users.load().replies.most());
        self.protocol.write(out, value);
        let length = out.len().saturating_sub(start);
        if length > most {
            out.truncate(start);
            out.shrink_to(start);
            reply::error(out, &format!("ERR the reply has {length} bytes, and --reply-mb allows {most}"));
        }
    }

    /// Changes the user of this connection.
    ///
    /// # Errors
    /// If the servers do not accept the user. Then the connection keeps its user.
    pub async fn authenticate(&mut self, credentials: Credentials) -> Result<(), String> {
        self.user = Some(self.shared.users.of(&credentials).await?);
        self.credentials = credentials;
        Ok(())
    }

    /// Sets everything back to the state of a new connection.
    pub fn reset(&mut self) {
        self.protocol = Protocol::Resp2;
        self.name.clear();
        self.credentials = Credentials::default();
        self.user = None;
        self.written = Written::new(only_reads);
    }

    /// Returns the user of this connection.
    ///
    /// # Errors
    /// The servers' error about the user.
    pub async fn user(&mut self) -> Result<Arc<U::User>, String> {
        if let Some(user) = &self.user {
            return Ok(Arc::clone(user));
        }
        let user = self.shared.users.of(&self.credentials).await?;
        self.user = Some(Arc::clone(&user));
        Ok(user)
    }

    /// Returns a reply that is only a text.
    pub fn status(text: &str) -> Value {
        Value::SimpleString(text.to_owned())
    }
}
