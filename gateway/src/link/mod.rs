//! The way to the servers: one server, a replica set, or a cluster. `connect` finds out which it is; this file sends
//! commands over the connection that all requests share, and finds the servers again after it broke; `nodes` asks each
//! server by itself, `roll` all of them at the same time, and `parts` those that have the parts of a board.

mod connect;
mod nodes;
mod parts;
mod roll;

use std::time::{Duration, Instant};

use leaderboard_client::Request;
use redis::aio::ConnectionLike;
use redis::{Cmd, FromRedisValue, Pipeline, RedisError, RedisResult, Value};
use tokio::sync::Mutex;

use crate::config::Settings;
use crate::link::connect::{Connection, Servers};
use crate::link::parts::{Parts, is_about_parts, is_of_root};
use crate::link::roll::Roll;
use crate::problem::Problem;

pub use connect::field;
pub use nodes::Node;
pub use roll::Present;

/// How long nobody tries to connect again after it failed: requests are told at once meanwhile.
const PAUSE: Duration = Duration::from_millis(500);

/// The way to the servers. One connection, or one for each node of a cluster, carries all requests.
pub struct Link {
    servers: Servers,
    state: Mutex<State>,
    roll: Roll,
    parts: Parts,
}

#[derive(Default)]
struct State {
    connection: Option<Connection>,
    /// Counts connections, so that an error of an old one does not close a new one.
    number: u64,
    /// When connecting failed, and why.
    failure: Option<(Instant, Problem)>,
}

impl Link {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        Ok(Self {
            servers: Servers::new(&settings.redis, settings.timeout())?,
            state: Mutex::default(),
            roll: Roll::default(),
            parts: Parts::new(settings)?,
        })
    }

    /// Sends one command.
    ///
    /// # Errors
    /// What the server answered, or why it did not, as a response for the caller.
    pub async fn ask<R: FromRedisValue>(&self, request: &Request<R>) -> Result<R, Problem> {
        let value = self.command(&request.cmd()).await?;
        request.parse(value).map_err(|error| problem(&error))
    }

    /// Sends one command, in a cluster to the node that has its first argument as a key.
    ///
    /// # Errors
    /// As [`Link::ask`].
    pub async fn command(&self, command: &Cmd) -> Result<Value, Problem> {
        if is_about_parts(command) {
            return self.parts.carry_out(command).await?.map_err(|error| problem(&error));
        }
        let (mut connection, number) = self.connection().await?;
        let mut reply = connection.req_packed_command(command).await.and_then(Value::extract_error);
        if is_of_root(command, &reply) {
            reply = self.parts.carry_out(command).await?;
        }
        if let Err(error) = &reply {
            self.after(error, number).await;
        }
        reply.map_err(|error| problem(&error))
    }

    /// Sends commands that name the same slot in one go. Each has its own result; they are no transaction.
    ///
    /// # Errors
    /// If the server did not answer.
    pub async fn pipeline(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        let mut pipeline = Pipeline::new();
        let mut replies = self.send(&mut pipeline, commands).await?;
        self.parts.instead_of_roots(&pipeline, &mut replies).await?;
        Ok(replies)
    }

    /// Sends commands that name the same slot as a transaction. What the server cannot take now, such as without memory
    /// left, it refuses as a whole; but one that fails by itself does not hold the others back.
    ///
    /// # Errors
    /// If the server did not answer, or refused all.
    pub async fn transaction(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        let mut pipeline = Pipeline::new();
        pipeline.atomic();
        self.send(&mut pipeline, commands).await
    }

    async fn send(
        &self,
        pipeline: &mut Pipeline,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        let (mut connection, number) = self.connection().await?;
        pipeline.ignore_errors();
        for command in commands {
            pipeline.add_command(command);
        }
        if pipeline.is_empty() {
            return Ok(Vec::new());
        }
        let replies: RedisResult<Vec<Value>> = pipeline.query_async(&mut connection).await;
        match replies {
            Ok(replies) => {
                let replies = replies.into_iter().map(Value::extract_error).collect();
                Ok(follow_redirects(&mut connection, pipeline, replies).await)
            }
            Err(error) => {
                self.after(&error, number).await;
                Err(problem(&error))
            }
        }
    }

    /// The addresses that the operator gave, without passwords.
    pub fn addresses(&self) -> Vec<String> {
        self.servers.names()
    }

    /// Whether the servers form a cluster.
    ///
    /// # Errors
    /// If none answers.
    pub async fn is_cluster(&self) -> Result<bool, Problem> {
        Ok(matches!(self.connection().await?.0, Connection::Cluster(_)))
    }

    /// The connection and its number. Connects if there is none.
    async fn connection(&self) -> Result<(Connection, u64), Problem> {
        let mut state = self.state.lock().await;
        if let Some(connection) = &state.connection {
            return Ok((connection.clone(), state.number));
        }
        if let Some((when, problem)) = &state.failure
            && when.elapsed() < PAUSE
        {
            return Err(problem.clone());
        }
        match self.servers.connect().await {
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

    /// Gives a connection up that broke, or whose server is no primary any more.
    async fn after(&self, error: &RedisError, number: u64) {
        let has_moved = error.code() == Some("READONLY");
        if error.is_unrecoverable_error() || has_moved {
            let mut state = self.state.lock().await;
            if state.number == number && !matches!(state.connection, Some(Connection::Cluster(_))) {
                state.connection = None;
            }
        }
    }
}

/// Why there is no connection. Servers that refuse the console itself need their operator.
fn unreachable(error: &RedisError) -> Problem {
    match leaderboard_client::kind(error) {
        leaderboard_client::Kind::Denied => problem(error),
        _ => Problem::unavailable(format!("no server answers: {error}")),
    }
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

/// What an error of the server means for who asked.
pub fn problem(error: &RedisError) -> Problem {
    use leaderboard_client::Kind;
    let text = || error.detail().map_or_else(|| error.to_string(), str::to_owned);
    match leaderboard_client::kind(error) {
        Kind::BoardExists => Problem::exists(text()),
        Kind::NoBoard => Problem::no_board(text()),
        Kind::WrongType => Problem::wrong_type(text()),
        Kind::RequestReused => Problem::request_reused(text()),
        Kind::NoPart => Problem::invalid(text()),
        Kind::Refused => refused(text()),
        Kind::Denied => Problem::denied(error.to_string()),
        Kind::Unavailable => Problem::unavailable(error.to_string()),
        Kind::Other if error.code() == Some("CROSSSLOT") => Problem::invalid(
            "the keys of a request have to be in one slot of the cluster, such as {songs}:1 and {songs}:2",
        ),
        Kind::Other => Problem::internal(error.to_string()),
    }
}

/// Leagues and counters have no codes of their own for these.
fn refused(text: String) -> Problem {
    match text.as_str() {
        "the key exists already" => Problem::exists(text),
        "the league does not exist" | "the counter does not exist" => Problem::not_found(text),
        _ => Problem::invalid(text),
    }
}
