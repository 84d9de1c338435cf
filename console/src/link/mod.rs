//! The connection to the servers, through the engine of the proxy: one server, a replica set or a cluster, and boards
//! that are spread over parts. `pieces` splits a command with a large
//! reply into pieces. This file joins the replies of the pieces. It also ensures that a request holds its share until
//! the server has answered everything that it asked for. `roll` asks each server separately.

mod finished;
mod pieces;
mod roll;
mod server_info;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use leaderboard_client::Request;
use leaderboard_proxy::size::{OPTION, Size, largest};
use leaderboard_proxy::{Load, OTHER_PARTS, Servers};
use redis::{Cmd, FromRedisValue, RedisError, RedisResult, Value};
use tokio::time::timeout;

use crate::link::finished::finished;
use crate::link::pieces::{Plan, in_turn, texts_of, weight, with_texts};
use crate::link::roll::Roll;
use crate::problem::Problem;
use crate::share::{Hold, ROOM, Rooms, Share, Visit};

pub use leaderboard_proxy::size::{most_lines, width};
pub use roll::Present;
pub use server_info::field;

/// The words of a command, in their order.
type Words = Vec<Vec<u8>>;

/// The number of options in one piece.
pub const OPTIONS: u64 = ROOM / OPTION;
/// The size of a reply to a command in a transaction, in bytes: one word.
const WORD: u64 = 64;

/// The connection to the servers.
pub struct Link {
    servers: Arc<Servers>,
    roll: Roll,
    rooms: Rooms,
    /// The share for reads that the console makes for itself, separate from the shares of requests.
    console: Arc<Share>,
}

impl Link {
    /// A connection through the engine of the proxy.
    pub fn new(servers: Servers) -> Self {
        Self {
            servers: Arc::new(servers),
            roll: Roll::default(),
            rooms: Rooms::default(),
            console: Arc::new(Share::of_the_console()),
        }
    }

    /// A connection to a server that does not answer.
    #[cfg(test)]
    pub fn of_no_server() -> Self {
        Self::new(Self::no_server())
    }

    /// A server that does not answer.
    #[cfg(test)]
    pub fn no_server() -> Servers {
        let second = Duration::from_secs(1);
        let timing = leaderboard_proxy::Timing { timeout: second, gather: second, cache: Duration::ZERO };
        Servers::new(&["redis://127.0.0.1:1".to_owned()], timing).unwrap()
    }

    /// Sends one command.
    ///
    /// # Errors
    /// The error of the server, or the reason why no answer came, as a response for the caller.
    pub async fn ask<R: FromRedisValue>(&self, request: &Request<R>) -> Result<R, Problem> {
        let value = self.command(&request.cmd()).await?;
        request.parse(value).map_err(|error| problem(&error))
    }

    /// Sends one command to the node that has its key.
    ///
    /// # Errors
    /// As [`Link::ask`].
    pub async fn command(&self, command: &Cmd) -> Result<Value, Problem> {
        let words = pieces::words(command);
        let size = largest(&words);
        self.in_pieces(words, size).await
    }

    /// Sends commands in their order. Several commands are sent together if their replies are small enough. Each
    /// command has its own result; the commands are not a transaction.
    ///
    /// # Errors
    /// If no server took the first commands.
    pub async fn pipeline(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<Result<Value, Problem>>, Problem> {
        let mut replies = Vec::new();
        let mut gone = None;
        for piece in in_turn(commands.into_iter().map(|command| pieces::words(&command)).collect()) {
            let count = piece.len();
            let answered = match &gone {
                None => self.together(piece).await,
                Some(problem) => Err(Problem::clone(problem)),
            };
            match answered {
                Ok(answered) => {
                    if answered.iter().all(is_gone) {
                        gone = Some(Problem::unavailable(
                            "not sent: the server did not answer what came before",
                        ));
                    }
                    replies.extend(answered);
                }
                Err(problem) if replies.is_empty() => return Err(problem),
                Err(problem) => {
                    replies.extend(vec![Err(problem.clone()); count]);
                    gone = Some(problem);
                }
            }
        }
        Ok(replies)
    }

    /// The replies to one piece of a pipeline. If the request has already read as much as it may, lists are not asked
    /// for.
    ///
    /// # Errors
    /// If no server took any command of the piece.
    async fn together(&self, mut piece: Vec<(Words, Size)>) -> Result<Vec<Result<Value, Problem>>, Problem> {
        let replies = if piece.len() == 1 {
            let Some((words, size)) = piece.pop() else { return Ok(Vec::new()) };
            vec![self.in_pieces(words, size).await]
        } else {
            self.some(piece).await?
        };
        match replies.first() {
            Some(Err(problem)) if replies.iter().all(was_not_sent) => Err(problem.clone()),
            _ => Ok(replies),
        }
    }

    /// The replies to commands that are sent together.
    async fn some(&self, piece: Vec<(Words, Size)>) -> Result<Vec<Result<Value, Problem>>, Problem> {
        let visit = self.visit();
        let spent = visit.check().err();
        let is_asked = |size: &Size| spent.is_none() || size.rows == 0;
        let bytes = piece.iter().map(|(_, size)| size.bytes).fold(0, u64::saturating_add);
        let (words, sizes): (Vec<_>, Vec<_>) = piece.into_iter().unzip();
        let commands = words.into_iter().zip(&sizes).filter(|(_, size)| is_asked(size));
        let commands = commands.map(|(words, _)| words).collect();
        let mut answered = self.exchange(&visit, commands, bytes).await?.into_iter();
        let reply = |size: &Size| match &spent {
            Some(problem) if !is_asked(size) => Err(problem.clone()),
            _ => read(&visit, answered.next(), *size),
        };
        Ok(sizes.iter().map(reply).collect())
    }

    /// The reply to a command. A large reply is asked for in pieces.
    async fn in_pieces(&self, words: Words, size: Size) -> Result<Value, Problem> {
        let visit = self.visit();
        match Plan::of(&words, size) {
            Plan::Whole => self.piece(&visit, words, size).await,
            Plan::Members { pieces } => self.joined(&visit, pieces).await,
            Plan::TextsLater { rows } => {
                let size = largest(&rows);
                let rows = self.piece(&visit, rows, size).await?;
                let texts = self.joined(&visit, texts_of(&words, &rows)).await?;
                Ok(with_texts(rows, texts))
            }
        }
    }

    /// One list, joined from the replies to its pieces.
    async fn joined(&self, visit: &Arc<Visit>, pieces: Vec<Words>) -> Result<Value, Problem> {
        let mut all = Vec::new();
        for words in pieces {
            let size = largest(&words);
            if let Value::Array(items) = self.piece(visit, words, size).await? {
                all.extend(items);
            }
        }
        Ok(Value::Array(all))
    }

    async fn piece(&self, visit: &Arc<Visit>, words: Words, size: Size) -> Result<Value, Problem> {
        if size.rows > 0 {
            visit.check()?;
        }
        let replies = self.exchange(visit, vec![words], size.bytes).await?;
        read(visit, replies.into_iter().next(), size)
    }

    /// Sends commands together. They hold the share of their caller until all are answered.
    async fn exchange(
        &self,
        visit: &Arc<Visit>,
        commands: Vec<Words>,
        bytes: u64,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        let hold = self.hold(visit, bytes).await?;
        let servers = Arc::clone(&self.servers);
        let replies = finished(hold, async move { servers.execute(commands).await }).await;
        Ok(replies.into_iter().map(Value::extract_error).collect())
    }

    /// Takes what an exchange with the servers holds. While a server has not yet answered abandoned requests, the
    /// console's own reads do not begin.
    async fn hold(&self, visit: &Arc<Visit>, bytes: u64) -> Result<Hold, Problem> {
        if visit.is_of_the_console() && self.is_late() {
            return Err(late());
        }
        visit.hold(bytes, &self.rooms).await
    }

    /// Sends commands as a transaction. All their keys must be in the same slot. If the server cannot run the
    /// transaction now, for example because memory is full, it refuses all commands. If a single command fails while
    /// the transaction runs, the other commands still take effect.
    ///
    /// # Errors
    /// If the server did not answer, or refused all commands.
    pub async fn transaction(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        let commands: Vec<Words> = commands.into_iter().map(|command| pieces::words(&command)).collect();
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = u64::try_from(commands.len()).unwrap_or(u64::MAX).saturating_mul(WORD);
        let hold = self.hold(&self.visit(), bytes).await?;
        let servers = Arc::clone(&self.servers);
        let replies = finished(hold, async move { servers.transaction(&commands).await }).await;
        let replies = replies.map_err(problem_of)?;
        Ok(replies.into_iter().map(Value::extract_error).collect())
    }

    /// The addresses of the servers that own keys, in the order of the servers.
    ///
    /// # Errors
    /// If no server answers with the list.
    pub async fn primaries(&self) -> Result<Vec<String>, Problem> {
        self.servers.primaries().await.map_err(problem_of)
    }

    /// Sends a command to one server.
    ///
    /// # Errors
    /// As [`Link::command`].
    pub async fn at_server(&self, address: &str, command: &Cmd) -> Result<Value, Problem> {
        let (visit, words) = (self.visit(), pieces::words(command));
        let hold = self.hold(&visit, largest(&words).bytes).await?;
        let (servers, address) = (Arc::clone(&self.servers), address.to_owned());
        let asked = async move { servers.ask_at(&address, &[words], None).await };
        let replies = finished(hold, asked).await.map_err(problem_of)?;
        let reply = replies.into_iter().next().unwrap_or_default();
        reply.extract_error().map_err(|error| problem(&error))
    }

    /// A number for the node that has a key. Commands with the same number are sent together.
    pub fn way(&self, key: &str) -> usize {
        self.servers.way(key.as_bytes())
    }

    /// The limits and counts of the gateway.
    pub fn load(&self) -> &Load {
        self.servers.load()
    }

    /// The addresses of the servers that own keys and do not answer within the time `patience`.
    ///
    /// # Errors
    /// If no server answers with the list of servers.
    pub async fn silent(&self, patience: Duration) -> Result<Vec<String>, Problem> {
        let ping: Words = vec![b"PING".to_vec()];
        let ask = async |address: String| {
            let answered = self.servers.ask_at(&address, std::slice::from_ref(&ping), Some(patience)).await;
            answered.is_err().then_some(address)
        };
        let asked = timeout(patience, self.primaries()).await;
        let primaries = asked.unwrap_or_else(|_| Err(Problem::unavailable("no server answers")))?;
        Ok(join_all(primaries.into_iter().map(ask)).await.into_iter().flatten().collect())
    }

    fn visit(&self) -> Arc<Visit> {
        Visit::current(&self.console)
    }

    /// Whether the server has not yet answered requests that were abandoned.
    pub fn is_late(&self) -> bool {
        self.servers.is_late()
    }

    /// The addresses that the operator gave, without passwords.
    pub fn addresses(&self) -> Vec<String> {
        self.servers.addresses()
    }
}

fn was_not_sent(reply: &Result<Value, Problem>) -> bool {
    reply.as_ref().is_err_and(Problem::is_unavailable)
}

fn is_gone(reply: &Result<Value, Problem>) -> bool {
    reply.as_ref().is_err_and(|problem| problem.is_unavailable() || problem.is_unknown())
}

/// The error for new requests while the server has not yet answered abandoned requests.
pub fn late() -> Problem {
    Problem::unavailable("the server has not answered earlier requests yet")
}

/// The most rows of a list that a command asks for.
pub fn rows(command: &Cmd) -> u64 {
    largest(&pieces::words(command)).rows
}

/// Reads a reply. If it is a list, its bytes count against what the request may read.
fn read(visit: &Visit, reply: Option<RedisResult<Value>>, size: Size) -> Result<Value, Problem> {
    let reply = reply.ok_or_else(|| Problem::internal("the server left a reply out"))?;
    let reply = reply.map_err(|error| problem(&error))?;
    if size.rows > 0 {
        visit.note(weight(&reply));
    }
    Ok(reply)
}

/// The problem for an error that came as a reply.
fn problem_of(error: Value) -> Problem {
    match error.extract_error() {
        Err(error) => problem(&error),
        Ok(_) => Problem::internal("the server answered by no error"),
    }
}

/// The problem that a caller gets for an error of the server.
pub fn problem(error: &RedisError) -> Problem {
    use leaderboard_client::Kind;
    let text = || error.detail().map_or_else(|| error.to_string(), str::to_owned);
    match leaderboard_client::kind(error) {
        Kind::BoardExists => Problem::exists(text()),
        Kind::NoBoard => Problem::no_board(text()),
        Kind::WrongType => Problem::wrong_type(text()),
        Kind::RequestReused => Problem::request_reused(text()),
        Kind::HeldBack => leaderboard_client::held_back(error)
            .map_or_else(|| Problem::invalid(text()), |held| Problem::held_back(held.rule, held.wait)),
        Kind::NoPart => Problem::invalid(text()),
        Kind::Refused => refused(text()),
        Kind::Denied => Problem::denied(error.to_string()),
        Kind::Busy => Problem::busy(text(), leaderboard_client::retry_after(error).unwrap_or_default()),
        Kind::Unavailable if error.code() == Some("UNKNOWN") || text().contains(OTHER_PARTS) => {
            Problem::unknown(text())
        }
        Kind::Unavailable => Problem::unavailable(unanswered(error).unwrap_or_else(|| error.to_string())),
        Kind::Other if error.code() == Some("CROSSSLOT") => Problem::invalid(
            "the keys of a request have to be in one slot of the cluster, such as {songs}:1 and {songs}:2",
        ),
        Kind::Other => Problem::internal(error.to_string()),
    }
}

/// The reason why no server answered; `None` for other errors.
fn unanswered(error: &RedisError) -> Option<String> {
    match error.detail()?.strip_prefix("no server answered: ")? {
        "no answer in time" => Some("the server did not answer in time".to_owned()),
        reason => Some(format!("no server answers: {reason}")),
    }
}

/// The problem for an error of leagues and counters. Their errors have no codes, so the text decides.
fn refused(text: String) -> Problem {
    match text.as_str() {
        "the key exists already" => Problem::exists(text),
        "the league does not exist" | "the counter does not exist" => Problem::not_found(text),
        _ => Problem::invalid(text),
    }
}
