//! Gateways that die after a number of commands. Commands that a gateway sent arrive also after its death.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use redis::Value;
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;

use super::super::simulation::cluster::{NODES, node_of};
use super::super::simulation::values::error;
use super::super::tests::shown;
use super::cluster::{Cluster, Fate};
use crate::nodes::{AttemptError, Command, RetryingClient, Transport};
use crate::spread::{Engine, Timing};

/// How a gateway dies at its last command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// The command is not sent.
    Before,
    /// The command is carried out, and its answer does not come.
    After,
}

/// How long a gateway still lives.
struct Life {
    left: AtomicUsize,
    death: Death,
    dead: watch::Sender<bool>,
}

impl Life {
    /// Counts the commands that a gateway wants to send. Returns how many of them it sends.
    fn spend(&self, wanted: usize) -> usize {
        let left = self.left.load(Ordering::Relaxed);
        let (sent, dies) = match self.death {
            Death::Before => (wanted.min(left), wanted > left),
            Death::After => (wanted.min(left), wanted >= left),
        };
        if left != usize::MAX {
            self.left.store(left - sent, Ordering::Relaxed);
        }
        if dies {
            self.dead.send_replace(true);
        }
        sent
    }
}

/// The connections of one gateway.
#[derive(Clone)]
pub struct Link {
    cluster: Cluster,
    life: Arc<Life>,
    name: Arc<str>,
}

type Answer = Result<Value, AttemptError>;

impl Link {
    fn is_dead(&self) -> bool {
        *self.life.dead.borrow()
    }

    /// Sends a pipeline to a node. It arrives even if nobody waits for the answers.
    fn dispatch(&self, commands: Vec<Vec<Vec<u8>>>) -> oneshot::Receiver<Vec<Answer>> {
        let (there, back) = {
            let mut world = self.cluster.world();
            (world.delay(), world.delay())
        };
        let (sender, receiver) = oneshot::channel();
        let (cluster, name) = (self.cluster.clone(), Arc::clone(&self.name));
        tokio::spawn(async move {
            sleep(there).await;
            let answers = {
                let mut world = cluster.world();
                commands.iter().map(|words| serve(&mut world, &name, words)).collect()
            };
            sleep(back).await;
            _ = sender.send(answers);
        });
        receiver
    }
}

fn serve(world: &mut super::cluster::World, by: &str, words: &[Vec<u8>]) -> Answer {
    match world.fate() {
        Fate::Unsent => Err(AttemptError::NotSent("the connection is closed".to_owned())),
        Fate::Lost => Err(AttemptError::Lost("the connection broke".to_owned())),
        Fate::Refused => Ok(error("LOADING the server is loading the dataset in memory")),
        Fate::Deaf => {
            world.run(by, words);
            Err(AttemptError::Lost("no answer came".to_owned()))
        }
        Fate::Fine => Ok(world.run(by, words)),
    }
}

fn node(command: &Command) -> usize {
    command.words.get(1).map_or(0, |key| node_of(key))
}

impl Transport for Link {
    async fn send(&self, commands: &[&Command]) -> Vec<Answer> {
        if self.is_dead() {
            return std::future::pending().await;
        }
        let sent = &commands[..self.life.spend(commands.len())];
        let own = |number| sent.iter().filter(move |command| node(command) == number);
        let pipelines = (0..NODES).map(|number| {
            let words: Vec<_> = own(number).map(|command| command.words.clone()).collect();
            (!words.is_empty()).then(|| self.dispatch(words))
        });
        let pipelines: Vec<_> = pipelines.collect();
        if self.is_dead() {
            return std::future::pending().await;
        }
        let answers = join_all(pipelines.into_iter().map(async |pipeline| match pipeline {
            Some(pipeline) => pipeline.await.unwrap(),
            None => Vec::new(),
        }));
        let mut answers: Vec<_> = answers.await.into_iter().map(Vec::into_iter).collect();
        if self.is_dead() {
            return std::future::pending().await;
        }
        commands.iter().map(|command| answers[node(command)].next().unwrap()).collect()
    }

    fn way(&self, slot: Option<u16>) -> usize {
        slot.map_or(0, |slot| usize::from(slot) * NODES / usize::from(leaderboard_core::parts::SLOTS))
    }
}

/// A gateway with one client.
pub struct Gateway {
    cluster: Cluster,
    life: Arc<Life>,
    engine: Engine<Link>,
    name: Arc<str>,
}

impl Gateway {
    /// Starts a gateway that lives on.
    pub fn new(cluster: &Cluster, name: &str) -> Self {
        Self::dying(cluster, name, usize::MAX, Death::Before)
    }

    /// Starts a gateway that dies at the command after `commands` of them, or with the last of them.
    pub fn dying(cluster: &Cluster, name: &str, commands: usize, death: Death) -> Self {
        let life = Life { left: AtomicUsize::new(commands), death, dead: watch::Sender::new(false) };
        let (life, name) = (Arc::new(life), Arc::<str>::from(name));
        let link = Link { cluster: cluster.clone(), life: Arc::clone(&life), name: Arc::clone(&name) };
        let second = Duration::from_secs(1);
        let settings = Timing { timeout: second, gather: second, cache: Duration::ZERO };
        let engine = Engine::new(Arc::new(RetryingClient::new(link)), settings);
        Self { cluster: cluster.clone(), life, engine, name }
    }

    pub fn is_dead(&self) -> bool {
        *self.life.dead.borrow()
    }

    /// Sends a command. Returns `None` if the gateway died meanwhile.
    pub async fn ask(&self, line: &str) -> Option<Value> {
        self.cluster.note(&format!("{}: {line}", self.name));
        let words: Vec<_> = line.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let mut dead = self.life.dead.subscribe();
        let reply = tokio::select! {
            biased;
            _ = dead.wait_for(|dead| *dead) => None,
            replies = self.engine.execute(vec![words]) => Some(replies.into_iter().next().unwrap()),
        };
        let told = reply.as_ref().map_or_else(|| "(the gateway is dead)".to_owned(), shown);
        self.cluster.note(&format!("{}: {line} = {told}", self.name));
        reply
    }

    /// Sends a command, and returns the reply as text. If the gateway died meanwhile, it is `dead`.
    pub async fn say(&self, line: &str) -> String {
        self.ask(line).await.as_ref().map_or_else(|| "dead".to_owned(), shown)
    }
}
