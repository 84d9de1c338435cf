//! A node, and the connection to it that all commands of one user share.

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

/// How long connecting to a node may take.
const CONNECTING: Duration = Duration::from_secs(1);
/// After an attempt to connect has failed, there is no new attempt for this time. Commands get the error of the failed
/// attempt at once.
const PAUSE: Duration = Duration::from_millis(100);
/// If commands on a connection wait for this time and no answer comes, the connection is not used any more. Its node
/// may never come back, and the attempt to open a new connection shows whether the node is still there.
const SILENCE: Duration = Duration::from_millis(250);
/// A command can hold something although its sender has stopped waiting at the deadline. It is released at the latest
/// after this number of times as long as the sender waited.
const OWED: u32 = 15;
/// How many pipelines can be queued for a connection. When the queue is full, the senders of further pipelines wait.
const QUEUE: usize = 1_024;

/// The reason why a node did not answer.
#[derive(Debug, Clone)]
pub enum NodeError {
    /// Nothing was sent to the node.
    NotSent(String),
    /// The node may have carried out the commands.
    Lost(String),
    /// The node does not accept this user. Its error is the answer to all commands of the user.
    Refused(Value),
}

impl NodeError {
    /// Returns the error for a client.
    pub fn said(self) -> Value {
        match self {
            Self::Refused(error) => error,
            Self::NotSent(reason) | Self::Lost(reason) => error(&format!("ERR no server answers: {reason}")),
        }
    }

    /// Returns the answer that a command gets.
    pub fn answer(&self) -> Result<Value, AttemptError> {
        match self {
            Self::NotSent(reason) => Err(AttemptError::NotSent(reason.clone())),
            Self::Lost(reason) => Err(AttemptError::Lost(reason.clone())),
            Self::Refused(error) => Ok(error.clone()),
        }
    }
}

/// A node of a cluster, or a single server, for one user.
pub struct Node {
    info: ConnectionInfo,
    figures: Arc<Figures>,
    state: Arc<Mutex<State>>,
}

enum State {
    Closed,
    /// All commands that need a connection wait for the same attempt to connect. The attempt continues even if they
    /// stop waiting.
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

/// The state of a connection.
#[derive(Default)]
struct Life {
    is_broken: AtomicBool,
    /// The time since which there has been no answer. `None` if no command has remained unanswered since the last
    /// answer.
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

    /// Notes that commands sent at the time `sent` were not answered. Returns whether the connection has been silent
    /// for too long.
    fn is_too_silent(&self, sent: Instant) -> bool {
        held(&self.life.silent_since).get_or_insert(sent).elapsed() >= SILENCE
    }
}

impl Node {
    pub fn new(info: ConnectionInfo, figures: Arc<Figures>) -> Self {
        Self { info, figures, state: Arc::new(Mutex::new(State::Closed)) }
    }

    /// Returns the address of the node, and the user of the connection.
    pub const fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    /// Returns whether there is an open connection to the node.
    pub fn is_open(&self) -> bool {
        matches!(&*self.state(), State::Open(line) if line.is_open())
    }

    /// Returns whether the last attempt to connect failed, or the connection broke.
    pub fn has_failed(&self) -> bool {
        match &*self.state() {
            State::Failed(..) => true,
            State::Open(line) => !line.is_open(),
            State::Closed | State::Opening(_) => false,
        }
    }

    /// Closes the connection, after all commands that were sent over it are answered.
    pub fn close(&self) {
        *self.state() = State::Closed;
    }

    /// Sends commands as one pipeline. Errors that the node answers are among the answers. What the task
    /// [holds](super::holding) is held until the answers have come, even if they come after the deadline.
    ///
    /// # Errors
    /// If not all commands were answered by the deadline.
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
            // The library does not say whether a part of the pipeline was written.
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

    /// Returns the answers, if they arrive before the deadline. `held` is held until they have arrived, but not longer
    /// than [`OWED`] allows.
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

    /// Returns the open connection. If there is none, connects first.
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
    // If a connection breaks while no command is under way, this is noticed before the next command is sent over it.
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

/// Returns the error that commands get when connecting has failed.
fn refusal(problem: &RedisError) -> NodeError {
    match problem.code() {
        // The server's own text explains HELLO, which the client of the gateway did not send.
        Some("NOAUTH") => NodeError::Refused(error("NOAUTH Authentication required.")),
        Some("WRONGPASS" | "NOPERM") => match problem.clone().into_server_errors().as_deref() {
            Some([(_, error), ..]) => NodeError::Refused(Value::ServerError(error.clone())),
            _ => NodeError::NotSent(problem.to_string()),
        },
        _ => NodeError::NotSent(problem.to_string()),
    }
}

/// Returns an error as a server would send it. The library can only create an error by reading it as the answer of a
/// server.
fn error(words: &str) -> Value {
    let line = words.replace(char::is_control, " ");
    redis::parse_redis_value(format!("-{line}\r\n").as_bytes()).unwrap_or(Value::Nil)
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
