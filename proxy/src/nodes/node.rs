//! One node, and the connection that the commands of one user share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Client, ConnectionInfo, Pipeline, PushInfo, PushKind, RedisError, RedisResult,
    Value,
};
use tokio::time::{Instant, timeout, timeout_at};

use super::AttemptError;
use super::figures::{Counted, Figures};
use super::held::{self, Held};

/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(1);
/// How long nobody tries to connect again after it failed: the others are told at once meanwhile.
const PAUSE: Duration = Duration::from_millis(100);
/// A connection on which nobody has been answered for so long is given up: its node may never come back, and a new
/// connection tells.
const SILENCE: Duration = Duration::from_millis(250);
/// A node that owes answers for so many times what their sender waited is not waited for any more: what they hold is free.
const OWED: u32 = 15;
/// Pipelines that wait in front of a connection before their senders do.
const QUEUE: usize = 1_024;

/// Why a node did not answer.
#[derive(Debug, Clone)]
pub enum NodeError {
    /// Nothing was sent to it.
    NotSent(String),
    /// It may have carried out what it was sent.
    Lost(String),
    /// It does not let this user in. Its error is the answer to all that the user asks.
    Refused(Value),
}

impl NodeError {
    /// An error for a client.
    pub fn said(self) -> Value {
        match self {
            Self::Refused(error) => error,
            Self::NotSent(reason) | Self::Lost(reason) => error(&format!("ERR no server answers: {reason}")),
        }
    }

    /// What it means for a command.
    pub fn answer(&self) -> Result<Value, AttemptError> {
        match self {
            Self::NotSent(reason) => Err(AttemptError::NotSent(reason.clone())),
            Self::Lost(reason) => Err(AttemptError::Lost(reason.clone())),
            Self::Refused(error) => Ok(error.clone()),
        }
    }
}

/// A node of a cluster, or a server without one, as one user sees it.
pub struct Node {
    info: ConnectionInfo,
    figures: Arc<Figures>,
    state: Arc<Mutex<State>>,
}

enum State {
    Closed,
    /// All that need it wait for the same attempt, and it goes on when they no longer do.
    Opening(Opening),
    Open(Line),
    Failed(Instant, NodeError),
}

type Opening = Shared<BoxFuture<'static, Result<Line, NodeError>>>;

/// A connection.
#[derive(Clone)]
struct Line {
    connection: MultiplexedConnection,
    life: Arc<Life>,
}

/// What is known of a connection.
#[derive(Default)]
struct Life {
    is_broken: AtomicBool,
    /// Since when answers have been waited for in vain.
    silent_since: Mutex<Option<Instant>>,
}

impl Line {
    fn is_open(&self) -> bool {
        !self.life.is_broken.load(Ordering::Acquire)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.life, &other.life)
    }

    fn answered(&self) {
        *held(&self.life.silent_since) = None;
    }

    /// Nothing came for what was sent at this time. Whether it has been silent for too long.
    fn is_too_silent(&self, sent: Instant) -> bool {
        held(&self.life.silent_since).get_or_insert(sent).elapsed() >= SILENCE
    }
}

impl Node {
    pub fn new(info: ConnectionInfo, figures: Arc<Figures>) -> Self {
        Self { info, figures, state: Arc::new(Mutex::new(State::Closed)) }
    }

    /// How it is reached, and as whom.
    pub const fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    /// Whether there is a connection to it.
    pub fn is_open(&self) -> bool {
        matches!(&*self.state(), State::Open(line) if line.is_open())
    }

    /// Whether the last attempt to connect failed, or the connection broke.
    pub fn has_failed(&self) -> bool {
        match &*self.state() {
            State::Failed(..) => true,
            State::Open(line) => !line.is_open(),
            State::Closed | State::Opening(_) => false,
        }
    }

    /// Closes the connection when what was sent over it is answered.
    pub fn close(&self) {
        *self.state() = State::Closed;
    }

    /// Sends commands in one go. Errors that it answers are among the answers. What the task [holds](super::holding) is
    /// held until they have come, also if that is after the deadline.
    ///
    /// # Errors
    /// If not all were answered by the deadline.
    pub async fn ask(&self, pipeline: Pipeline, deadline: Instant) -> Result<Vec<Value>, NodeError> {
        let mut line = self.line(deadline).await?;
        let began = Instant::now();
        let answers = match held::held() {
            None => timeout_at(deadline, all_answers(&mut line.connection, &pipeline)).await.ok(),
            Some(held) => self.holding(held, line.clone(), pipeline, deadline).await,
        };
        match answers {
            Some(Ok(answers)) => {
                line.answered();
                Ok(answers)
            }
            // The library does not tell whether anything of it was written.
            Some(Err(error)) => {
                self.give_up(&line);
                Err(NodeError::Lost(error.to_string()))
            }
            None => {
                if line.is_too_silent(began) {
                    self.give_up(&line);
                }
                Err(NodeError::Lost("no answer in time".to_owned()))
            }
        }
    }

    /// The answers, if they come by the deadline. Holds something until they have come, within bounds.
    async fn holding(
        &self,
        held: Held,
        mut line: Line,
        pipeline: Pipeline,
        deadline: Instant,
    ) -> Option<RedisResult<Vec<Value>>> {
        let longest = deadline.saturating_duration_since(Instant::now()).saturating_mul(OWED);
        let mut answers = Box::pin(async move { all_answers(&mut line.connection, &pipeline).await });
        if let Ok(answers) = timeout_at(deadline, &mut answers).await {
            return Some(answers);
        }
        let figures = Arc::clone(&self.figures);
        figures.late.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            let _ = timeout(longest, answers).await;
            drop(held);
            figures.late.fetch_sub(1, Ordering::Relaxed);
        });
        None
    }

    /// Connects if there is no connection.
    async fn line(&self, deadline: Instant) -> Result<Line, NodeError> {
        let opening = match &mut *self.state() {
            State::Open(line) if line.is_open() => return Ok(line.clone()),
            State::Failed(when, trouble) if when.elapsed() < PAUSE => return Err(trouble.clone()),
            State::Opening(opening) => opening.clone(),
            state => {
                let opening = self.open();
                *state = State::Opening(opening.clone());
                opening
            }
        };
        let opened = timeout_at(deadline, opening).await;
        opened.map_err(|_| NodeError::NotSent("no connection in time".to_owned()))?
    }

    fn open(&self) -> Opening {
        let (info, figures, state) = (self.info.clone(), Arc::clone(&self.figures), Arc::clone(&self.state));
        let attempt = tokio::spawn(async move {
            let opened = open(info, figures).await;
            *held(&state) = match &opened {
                Ok(line) => State::Open(line.clone()),
                Err(trouble) => State::Failed(Instant::now(), trouble.clone()),
            };
            opened
        });
        async { attempt.await.unwrap_or_else(|error| Err(NodeError::NotSent(error.to_string()))) }
            .boxed()
            .shared()
    }

    fn give_up(&self, line: &Line) {
        let mut state = self.state();
        if matches!(&*state, State::Open(current) if current.is(line)) {
            *state = State::Closed;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        held(&self.state)
    }
}

async fn open(info: ConnectionInfo, figures: Arc<Figures>) -> Result<Line, NodeError> {
    let life = Arc::new(Life::default());
    let (watched, counted) = (Arc::clone(&life), Counted::new(figures));
    // A connection that breaks while nothing is under way is known to be gone before anything is sent over it.
    let watch = move |told: PushInfo| {
        let _lives_as_long_as_the_connection = &counted;
        if told.kind == PushKind::Disconnection {
            watched.is_broken.store(true, Ordering::Release);
        }
        Ok::<(), redis::aio::SendError>(())
    };
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(CONNECTING))
        .set_response_timeout(None)
        .set_pipeline_buffer_size(QUEUE)
        .set_push_sender(watch);
    let client = Client::open(info).map_err(|error| refusal(&error))?;
    let connection = client.get_multiplexed_async_connection_with_config(&config).await;
    let connection = connection.map_err(|error| refusal(&error))?;
    Ok(Line { connection, life })
}

async fn all_answers(connection: &mut MultiplexedConnection, pipeline: &Pipeline) -> RedisResult<Vec<Value>> {
    connection.req_packed_commands(pipeline, 0, pipeline.len()).await
}

/// What it means that there is no connection.
fn refusal(problem: &RedisError) -> NodeError {
    match problem.code() {
        // The server explains HELLO here, which the client of the door did not send.
        Some("NOAUTH") => NodeError::Refused(error("NOAUTH Authentication required.")),
        Some("WRONGPASS" | "NOPERM") => match problem.clone().into_server_errors().as_deref() {
            Some([(_, error), ..]) => NodeError::Refused(Value::ServerError(error.clone())),
            _ => NodeError::NotSent(problem.to_string()),
        },
        _ => NodeError::NotSent(problem.to_string()),
    }
}

/// An error as if a server had said it. Only what reads errors of servers makes values of them.
fn error(words: &str) -> Value {
    let line = words.replace(char::is_control, " ");
    redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap_or(Value::Nil)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
