//! The connection that all requests share: made when it is needed, and made again after it broke. Each exchange is a
//! task of its own, which lasts until the replies have come: who asked may have gone by then.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use redis::aio::ConnectionLike as _;
use redis::{Cmd, Pipeline, RedisError, RedisResult, Value};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::link::connect::{Connection, Servers};
use crate::link::problem;
use crate::problem::Problem;
use crate::share::Hold;

/// How long nobody tries to connect again after it failed: requests are told at once meanwhile.
const PAUSE: Duration = Duration::from_millis(500);

/// The way to the servers. One connection, or one for each node of a cluster, carries all requests.
#[derive(Clone)]
pub struct Wire(Arc<Shared>);

struct Shared {
    servers: Servers,
    state: Mutex<State>,
    /// Exchanges that were given up, and whose replies have not come.
    late: AtomicU64,
}

#[derive(Default)]
struct State {
    connection: Option<Connection>,
    /// Counts connections, so that an error of an old one does not close a new one.
    number: u64,
    /// When connecting failed, and why.
    failure: Option<(Instant, Problem)>,
}

/// Commands that go out together.
#[derive(Debug)]
pub struct Sent {
    pub commands: Arc<[Cmd]>,
    pub is_transaction: bool,
}

impl Wire {
    /// Connects to nothing yet.
    pub fn new(servers: Servers) -> Self {
        Self(Arc::new(Shared { servers, state: Mutex::default(), late: AtomicU64::new(0) }))
    }

    pub fn servers(&self) -> &Servers {
        &self.0.servers
    }

    /// Whether the server owes replies to exchanges that were given up.
    pub fn is_late(&self) -> bool {
        self.0.late.load(Ordering::Relaxed) > 0
    }

    /// Sends commands that name the same slot. Each has its own result. `hold` is kept until all replies have come.
    ///
    /// # Errors
    /// If the server did not answer, or refused a transaction as a whole.
    pub async fn exchange(&self, sent: Sent, hold: Hold) -> Result<Vec<RedisResult<Value>>, Problem> {
        let (mut connection, number) = self.connection().await?;
        let patience = self.servers().patience(&connection);
        let wire = self.clone();
        let mut task = tokio::spawn(async move {
            let replies = replies(&mut connection, sent).await;
            drop(hold);
            if is_over(&replies) {
                wire.give_up(number).await;
            }
            replies.map_err(|error| problem(&error))
        });
        match timeout(patience, &mut task).await {
            Ok(replies) => replies.unwrap_or_else(|error| Err(Problem::internal(error.to_string()))),
            Err(_) => {
                self.0.late.fetch_add(1, Ordering::Relaxed);
                let wire = self.clone();
                tokio::spawn(async move {
                    let _ = task.await;
                    wire.0.late.fetch_sub(1, Ordering::Relaxed);
                });
                Err(Problem::unavailable("the server did not answer in time"))
            }
        }
    }

    /// The connection and its number. Connects if there is none.
    ///
    /// # Errors
    /// Why there is no connection.
    pub async fn connection(&self) -> Result<(Connection, u64), Problem> {
        let mut state = self.0.state.lock().await;
        if let Some(connection) = &state.connection {
            return Ok((connection.clone(), state.number));
        }
        if let Some((when, problem)) = &state.failure
            && when.elapsed() < PAUSE
        {
            return Err(problem.clone());
        }
        match self.servers().connect().await {
            Ok(connection) => {
                state.connection = Some(connection.clone());
                state.failure = None;
                state.number = state.number.wrapping_add(1);
                Ok((connection, state.number))
            }
            Err(error) => {
                let problem = unreachable(&error);
                state.failure = Some((Instant::now(), problem.clone()));
                Err(problem)
            }
        }
    }

    /// Gives the connection of this number up. That to a cluster finds its nodes by itself.
    async fn give_up(&self, number: u64) {
        let mut state = self.0.state.lock().await;
        if state.number == number && !matches!(state.connection, Some(Connection::Cluster(_))) {
            state.connection = None;
        }
    }
}

/// Whether a connection broke or has been silent for too long, or whether its server is no primary any more.
fn is_over(replies: &RedisResult<Vec<RedisResult<Value>>>) -> bool {
    let shows = |error: &RedisError| {
        error.is_unrecoverable_error() || error.is_timeout() || error.code() == Some("READONLY")
    };
    match replies {
        Ok(replies) => replies.iter().any(|reply| reply.as_ref().is_err_and(shows)),
        Err(error) => shows(error),
    }
}

/// Why there is no connection. Servers that refuse the console itself need their operator.
fn unreachable(error: &RedisError) -> Problem {
    match leaderboard_client::kind(error) {
        leaderboard_client::Kind::Denied => problem(error),
        _ => Problem::unavailable(format!("no server answers: {error}")),
    }
}

/// A single command finds its node by itself when that has changed.
async fn replies(connection: &mut Connection, sent: Sent) -> RedisResult<Vec<RedisResult<Value>>> {
    if let ([command], false) = (&*sent.commands, sent.is_transaction) {
        return Ok(vec![connection.req_packed_command(command).await.and_then(Value::extract_error)]);
    }
    let mut pipeline = Pipeline::new();
    if sent.is_transaction {
        pipeline.atomic();
    }
    pipeline.ignore_errors();
    for command in sent.commands.iter() {
        pipeline.add_command(command.clone());
    }
    let replies: Vec<Value> = pipeline.query_async(connection).await?;
    let replies = replies.into_iter().map(Value::extract_error).collect();
    Ok(follow_redirects(connection, &pipeline, replies).await)
}

/// Sends what a node of a cluster no longer serves once more, one by one: of a pipeline, the connection does not follow
/// redirects.
async fn follow_redirects(
    connection: &mut Connection,
    pipeline: &Pipeline,
    mut replies: Vec<RedisResult<Value>>,
) -> Vec<RedisResult<Value>> {
    for (command, reply) in pipeline.cmd_iter().zip(&mut replies) {
        let code = reply.as_ref().err().and_then(RedisError::code);
        if matches!(code, Some("MOVED" | "ASK")) {
            *reply = connection.req_packed_command(command).await.and_then(Value::extract_error);
        }
    }
    replies
}
