//! The data that a user's commands need: the known roots, and a sender to all parts. `order` keeps the commands in
//! their order, and `over_parts` carries out the commands that ask many parts. This file reads roots.

mod absent;
mod order;
mod over_parts;
mod weight;

#[cfg(test)]
pub use absent::may_be_absent;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use redis::Value;
use tokio::time::{Instant, timeout, timeout_at};

use crate::load::Load;
use crate::nodes::{Command, CommandError, RetryingClient, Transport, Wanted, Written};
use crate::spread::asked::{Asked, Row};
use crate::spread::catalog::{Found, Held, State};
use crate::spread::gather::TopCache;
use crate::spread::info::Info;
use crate::spread::refusal::Effect;
use crate::spread::root::{Root, key_slot};
use crate::spread::roots::{Known, Roots};
use crate::spread::{catalog, keys, moving, refusal, route, rules};

/// The timeouts of the gateway, and how long it remembers data.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// How long a command to one key waits for its server.
    pub timeout: Duration,
    /// How long a command over parts waits for all of them, unless the command has its own TIMEOUT.
    pub gather: Duration,
    /// For how long the rows of a top are kept. If it is 0, they are not kept.
    pub cache: Duration,
}

/// The known spread boards, and the sender to their parts, for one user.
pub struct Engine<T> {
    sender: Arc<RetryingClient<T>>,
    settings: Timing,
    roots: Roots,
    memory: TopCache,
    load: Arc<Load>,
}

/// How long replies wait for a root that is being read while the commands are carried out.
const GRACE: Duration = Duration::from_millis(10);

impl<T: Transport> Engine<T> {
    /// Returns an engine that does not know any board yet, and has its own limits.
    pub fn new(sender: Arc<RetryingClient<T>>, settings: Timing) -> Self {
        Self::sharing(sender, settings, Arc::default())
    }

    /// Returns an engine that does not know any board yet, and shares the limits and counts of a gateway.
    pub fn sharing(sender: Arc<RetryingClient<T>>, settings: Timing, load: Arc<Load>) -> Self {
        Self { sender, settings, roots: Roots::default(), memory: TopCache::new(settings.cache), load }
    }

    /// Carries out commands in their order, and returns their replies.
    pub async fn execute(&self, batch: Vec<Vec<Vec<u8>>>) -> Vec<Value> {
        let mut replies = vec![Value::Nil; batch.len()];
        let (ageing, begun) = (self.ageing(&batch), Instant::now());
        let work = self.in_order(batch, &mut replies, begun);
        if ageing.is_empty() {
            work.await;
        } else {
            Box::pin(self.beside(work, ageing)).await;
        }
        replies
    }

    /// Returns the roots of these commands that have to be read again, because the stored data about them is too old.
    fn ageing(&self, batch: &[Vec<Vec<u8>>]) -> Vec<Arc<Root>> {
        let mut names: Vec<_> = batch.iter().filter_map(|words| words.get(1)).collect();
        names.sort_unstable();
        names.dedup();
        let ageing = names.into_iter().filter_map(|name| match self.roots.known(name) {
            Known::Ageing(root) => Some(root),
            _ => None,
        });
        ageing.collect()
    }

    /// Reads roots again. Meanwhile, commands are carried out with the stored data about these roots.
    async fn beside(&self, work: impl Future<Output = ()>, ageing: Vec<Arc<Root>>) {
        let now = Instant::now();
        let deadline = self.deadline(now, None);
        let (mut work, mut asked) =
            (pin!(work), pin!(join_all(ageing.iter().map(|root| self.learn(&root.name, now, deadline)))));
        tokio::select! {
            () = &mut work => {
                if timeout(GRACE, asked).await.is_err() {
                    ageing.iter().for_each(|root| self.roots.keep(&root.name));
                }
            }
            _ = &mut asked => work.await,
        }
    }

    /// Carries out a command that cannot be sent together with others. Its turn came at `begun`, and the gateway got it at
    /// `came`.
    async fn alone(&self, words: &[Vec<u8>], begun: Instant, came: Instant) -> Value {
        let Some(row) = words.first().and_then(|name| Row::of(name)) else {
            return Box::pin(keys::carry_out(self, words, self.deadline(begun, None))).await;
        };
        let asked = match Asked::read(row, words) {
            Err(text) => return refusal::error(&text),
            Ok(asked) => asked,
        };
        let patience = asked.timeout().or_else(|| rules::patience(row)).unwrap_or(self.settings.gather);
        let deadline = self.deadline(begun, Some(patience));
        if rules::looks_first(&asked) {
            Box::pin(rules::carry_out(self, words, &asked, deadline)).await
        } else if rules::makes_whole_board(&asked) {
            // This finds the parts of a board whose root is lost.
            let found = Box::pin(self.learn(asked.key, Instant::now(), deadline)).await;
            let reply = match found {
                Ok(_) => self.pass(words, deadline).await,
                Err(value) => value,
            };
            self.forget(asked.key);
            reply
        } else if moving::moves(row) {
            Box::pin(moving::carry_out(self, words, &asked, deadline)).await
        } else {
            self.over_parts(words, asked, begun, came).await
        }
    }

    /// Sends a command to its key, unchanged.
    pub async fn pass(&self, words: &[Vec<u8>], deadline: Instant) -> Value {
        match route::as_it_is(words.to_vec(), false) {
            Err(refused) => refused,
            Ok(command) => {
                let effect = if command.repeatable { Effect::Nothing } else { Effect::Each };
                let answer = self.one(command, deadline).await;
                answer.unwrap_or_else(|failure| refusal::unanswered(&failure, None, effect))
            }
        }
    }

    /// Sends one command to the node that has its slot.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub async fn one(&self, command: Command, deadline: Instant) -> Result<Value, CommandError> {
        let answer = self.sender.ask(&[command], deadline).await.into_iter().next();
        answer.unwrap_or_else(|| Err(CommandError::Silent("nothing was sent".to_owned())))
    }

    /// Returns the sender to the nodes.
    pub fn sender(&self) -> &RetryingClient<T> {
        &self.sender
    }

    /// Returns how many replicas have what a client has written: the least number over all nodes to which the client has
    /// written. Waits for `wanted` replicas, but not longer than until the deadline. If one of the nodes has restarted
    /// since, or another server has taken over, the result is 0.
    ///
    /// # Errors
    /// The error of a server, if the user may not wait.
    pub async fn wait(&self, written: &Written, wanted: u64, deadline: Instant) -> Result<u64, Value> {
        let transport = self.sender.transport();
        let nodes = written.nodes(|slot| transport.node(slot));
        let asked = nodes
            .iter()
            .flatten()
            .map(|(node, at)| transport.replicas(node, Wanted::Number(wanted), *at, deadline));
        let told: Vec<Option<u64>> = try_join_all(asked).await?;
        let least = told.iter().flatten().min().copied().unwrap_or_default();
        let has_changed = nodes.is_none() || told.contains(&None);
        if has_changed || least >= wanted {
            written.has_waited();
        }
        Ok(if has_changed { 0 } else { least })
    }

    /// Returns a number for the node that has a key: commands with the same number are sent together.
    pub fn way(&self, key: &[u8]) -> usize {
        self.sender.transport().way(Some(key_slot(key)))
    }

    fn deadline(&self, begun: Instant, asked: Option<Duration>) -> Instant {
        begun.checked_add(asked.unwrap_or(self.settings.timeout)).unwrap_or(begun)
    }

    /// Returns the root in the key of a command, or `None` if the key has no known root. The server is asked if the
    /// last answer is old. It is also asked if nothing is known and the command only makes sense for spread boards.
    async fn known(&self, asked: &Asked<'_>, begun: Instant) -> Result<Option<Arc<Root>>, Value> {
        let is_for_parts = || asked.row.own().iter().any(|own| asked.wants(*own));
        let timeout = asked.timeout().unwrap_or(self.settings.gather);
        match self.roots.known(asked.key) {
            Known::Root(root) | Known::Ageing(root) => Ok(Some(root)),
            Known::Nothing | Known::NoRoot if !is_for_parts() => Ok(None),
            Known::Nothing | Known::NoRoot => {
                Box::pin(self.learn(asked.key, Instant::now(), self.deadline(begun, Some(timeout)))).await
            }
            Known::Old(root) => {
                let deadline = self.deadline(begun, Some(timeout.div_f32(2.0)));
                match Box::pin(self.learn(asked.key, Instant::now(), deadline)).await {
                    Err(value) if refusal::is_root_down(&value) => {
                        self.roots.keep(&root.name);
                        Ok(Some(root))
                    }
                    learned => learned,
                }
            }
        }
    }

    /// Returns whether the gateway knows that the key of a command has a root.
    fn is_root(&self, words: &[Vec<u8>]) -> bool {
        words.get(1).is_some_and(|key| !matches!(self.roots.known(key), Known::Nothing | Known::NoRoot))
    }

    /// Returns whether a short time ago the key had no root, and there were no parts of a board.
    fn has_no_root(&self, key: &[u8]) -> bool {
        matches!(self.roots.known(key), Known::NoRoot)
    }

    /// Returns the root in a key, from a request that was sent after `since`. `None` if the key has no root.
    ///
    /// # Errors
    /// The reply for the client, if no server answers, or if the server answers with an error.
    pub async fn learn(
        &self,
        name: &[u8],
        since: Instant,
        deadline: Instant,
    ) -> Result<Option<Arc<Root>>, Value> {
        let learned = self.roots.learn(name, since, || self.ask_root(name, deadline));
        match timeout_at(deadline, learned).await {
            Ok(learned) => learned,
            Err(_) => Err(refusal::root_down()),
        }
    }

    /// Forgets the root in this key: the next command has to read it.
    pub fn forget(&self, name: &[u8]) {
        self.roots.forget(name);
    }

    /// Works like [`Engine::learn`], but also compares all parts with the root, and mends what can be mended.
    ///
    /// # Errors
    /// The errors of [`Engine::learn`], or what is wrong with the board.
    pub async fn mend(
        &self,
        name: &[u8],
        since: Instant,
        deadline: Instant,
    ) -> Result<Option<Arc<Root>>, Value> {
        let mended = self.roots.learn(name, since, || self.ask_mended(name, deadline));
        match timeout_at(deadline, mended).await {
            Ok(learned) => learned,
            Err(_) => Err(refusal::root_down()),
        }
    }

    /// Reads the root in a key. A board that another gateway has not finished is finished now.
    async fn ask_root(&self, name: &[u8], deadline: Instant) -> Result<Option<Root>, Value> {
        match self.ask_unfinished(name, deadline).await? {
            Some(root) if root.is_moving() => self.ask_moving(name, deadline).await,
            Some(root) if root.entry.state != State::Whole => self.ask_mended(name, deadline).await,
            root => Ok(root),
        }
    }

    /// Reads a root that grows or shrinks, and which of its parts are halves. A lost part does not prevent this.
    async fn ask_moving(&self, name: &[u8], deadline: Instant) -> Result<Option<Root>, Value> {
        match catalog::moving(&self.sender, name, deadline).await? {
            Some(root) => read(name, &root),
            None => self.ask_mended(name, deadline).await,
        }
    }

    /// Reads the root in a key, whatever its state. If the key is absent, makes sure that no root was lost.
    async fn ask_unfinished(&self, name: &[u8], deadline: Instant) -> Result<Option<Root>, Value> {
        let held = catalog::hold(&self.sender, [name.to_vec()], deadline).await.pop();
        match &held {
            Some(Held::Root(root)) => self.load.states.note(name, &root.entry.state),
            Some(Held::Absent | Held::Part(_) | Held::Plain(_) | Held::Other) => {
                self.load.states.forget(name)
            }
            Some(Held::Refused(_) | Held::Silent) | None => {}
        }
        match held {
            Some(Held::Root(root)) => read(name, &root),
            Some(Held::Refused(error)) if !refusal::has_no_boards(&error) => Err(error),
            Some(Held::Absent) => catalog::prove_absent(&self.sender, name, deadline).await.map(|()| None),
            Some(Held::Part(_) | Held::Plain(_) | Held::Other | Held::Refused(_)) => Ok(None),
            Some(Held::Silent) | None => Err(refusal::root_down()),
        }
    }

    async fn ask_mended(&self, name: &[u8], deadline: Instant) -> Result<Option<Root>, Value> {
        match catalog::mend(&self.sender, name, None, deadline).await? {
            Some(root) => {
                self.load.states.note(name, &root.entry.state);
                read(name, &root)
            }
            // The board was deleted in the meantime, or the key holds something else now.
            None => self.ask_unfinished(name, deadline).await,
        }
    }
}

/// Reads the rules of a root.
fn read(name: &[u8], root: &Found) -> Result<Option<Root>, Value> {
    let error = |error| refusal::error(&format!("ERR the root has rules of a later version: {error}"));
    let read = Root::of(name, &root.info).map_err(error)?;
    Ok(read.map(|read| Root { parts: root.layout, ..read }))
}

/// Returns whether the answer shows that the key of the command has a root.
fn is_of_root(words: &[Vec<u8>], value: &Value) -> bool {
    let name = words.get(1).map(Vec::as_slice).unwrap_or_default();
    let is_told = || {
        let is_info = words.first().is_some_and(|name| name.eq_ignore_ascii_case(b"LB.INFO"));
        let info = is_info.then(|| value.clone()).and_then(Info::of);
        info.is_some_and(|info| !matches!(Root::of(name, &info), Ok(None)))
    };
    refusal::is_spread(value) || is_told()
}
