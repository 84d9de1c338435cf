//! The way to the servers: one server, a replica set, or a cluster. `connect` finds out which it is; `wire` has the
//! connection that all requests share, and finds the servers again after it broke. `size` knows how large a reply can be,
//! and `pieces` asks for large ones in pieces; this file puts them together. `nodes` asks each server by itself, `roll` all
//! of them at the same time, and `parts` those that have the parts of a board.

mod connect;
mod nodes;
mod parts;
mod pieces;
mod roll;
mod size;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use leaderboard_client::Request;
use leaderboard_proxy::{Timing, looks_first};
use redis::{Cmd, FromRedisValue, RedisError, RedisResult, Value};

use crate::link::connect::{Connection, Servers};
use crate::link::parts::{Parts, is_of_root};
use crate::link::pieces::{Plan, command as command_of, in_turn, texts_of, weight, with_texts};
use crate::link::roll::Roll;
use crate::link::size::{Size, largest};
use crate::link::wire::{Sent, Wire};
use crate::problem::Problem;
use crate::share::{Rooms, Share, Visit};

pub use connect::field;
pub use nodes::Node;
pub use roll::Present;
pub use size::{OPTIONS, most_lines, width};

/// The reply to a command of a transaction: a word.
const WORD: u64 = 64;

/// The way to the servers.
pub struct Link {
    wire: Wire,
    roll: Roll,
    parts: Arc<Parts>,
    rooms: Rooms,
    /// What reads of the console itself have, beside those of requests.
    console: Arc<Share>,
}

impl Link {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(addresses: &[String], timeout: Duration, timing: Timing) -> Result<Self, String> {
        Ok(Self {
            wire: Wire::new(Servers::new(addresses, timeout)?),
            roll: Roll::default(),
            parts: Arc::new(Parts::new(addresses, timing)?),
            rooms: Rooms::default(),
            console: Arc::new(Share::of_the_console()),
        })
    }

    /// The way to a server that does not answer.
    #[cfg(test)]
    pub fn of_no_server() -> Self {
        let timing = Timing { timeout: Duration::from_secs(1), cache: Duration::ZERO };
        Self::new(&["redis://127.0.0.1:1".to_owned()], Duration::from_secs(2), timing).unwrap()
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
        let words = pieces::words(command);
        self.in_pieces(command, &words, largest(&words)).await
    }

    /// Sends commands that name the same slot, as many in one go as their replies allow. Each has its own result; they
    /// are no transaction.
    ///
    /// # Errors
    /// If the server did not answer the first ones.
    pub async fn pipeline(
        &self,
        commands: impl IntoIterator<Item = Cmd>,
    ) -> Result<Vec<Result<Value, Problem>>, Problem> {
        let mut replies = Vec::new();
        let mut gone = None;
        for piece in in_turn(commands.into_iter().collect()) {
            let count = piece.len();
            let answered = match &gone {
                None => self.together(piece).await,
                Some(problem) => Err(Problem::clone(problem)),
            };
            match answered {
                Ok(answered) => replies.extend(answered),
                Err(problem) if replies.is_empty() => return Err(problem),
                Err(problem) => {
                    replies.extend(vec![Err(problem.clone()); count]);
                    gone = Some(problem);
                }
            }
        }
        Ok(replies)
    }

    /// The replies to one piece of a pipeline. A list is not asked for when the request has read what it may.
    ///
    /// # Errors
    /// If the server did not answer.
    async fn together(&self, piece: Vec<(Cmd, Size)>) -> Result<Vec<Result<Value, Problem>>, Problem> {
        if let [(command, size)] = piece.as_slice() {
            let reply = self.in_pieces(command, &pieces::words(command), *size).await;
            let is_gone = reply.as_ref().is_err_and(Problem::is_unavailable);
            return if is_gone { reply.map(|_| Vec::new()) } else { Ok(vec![reply]) };
        }
        let visit = self.visit();
        let spent = visit.check().err();
        let is_asked = |size: &Size| spent.is_none() || size.rows == 0;
        let commands = piece.iter().filter(|(_, size)| is_asked(size)).map(|(command, _)| command.clone());
        let bytes = piece.iter().map(|(_, size)| size.bytes).fold(0, u64::saturating_add);
        let mut answered = self.whole(&visit, commands.collect(), bytes).await?.into_iter();
        let reply = |(_, size): &(Cmd, Size)| match &spent {
            Some(problem) if !is_asked(size) => Err(problem.clone()),
            _ => read(&visit, answered.next(), *size),
        };
        Ok(piece.iter().map(reply).collect())
    }

    /// The reply to a command, however large.
    async fn in_pieces(&self, command: &Cmd, words: &[Vec<u8>], size: Size) -> Result<Value, Problem> {
        let visit = self.visit();
        match Plan::of(words, size) {
            Plan::Whole => self.piece(&visit, command, words, size).await,
            Plan::Members { pieces } => self.joined(&visit, &pieces).await,
            Plan::TextsLater { rows } => {
                let rows = self.piece(&visit, &command_of(&rows), &rows, largest(&rows)).await?;
                let texts = self.joined(&visit, &texts_of(words, &rows)).await?;
                Ok(with_texts(rows, texts))
            }
        }
    }

    /// One list of the replies to its pieces.
    async fn joined(&self, visit: &Arc<Visit>, pieces: &[Vec<Vec<u8>>]) -> Result<Value, Problem> {
        let mut all = Vec::new();
        for words in pieces {
            let piece = self.piece(visit, &command_of(words), words, largest(words)).await?;
            if let Value::Array(items) = piece {
                all.extend(items);
            }
        }
        Ok(Value::Array(all))
    }

    async fn piece(
        &self,
        visit: &Arc<Visit>,
        command: &Cmd,
        words: &[Vec<u8>],
        size: Size,
    ) -> Result<Value, Problem> {
        if size.rows > 0 {
            visit.check()?;
        }
        if looks_first(words) {
            let reply = self.over_parts(visit, command, size.bytes).await?;
            return read(visit, Some(reply), size);
        }
        let replies = self.whole(visit, [command.clone()].into(), size.bytes).await?;
        read(visit, replies.into_iter().next(), size)
    }

    /// The replies to commands that go out as they are; those of parts where a root replied.
    async fn whole(
        &self,
        visit: &Arc<Visit>,
        commands: Arc<[Cmd]>,
        bytes: u64,
    ) -> Result<Vec<RedisResult<Value>>, Problem> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        if visit.is_of_the_console() && self.is_late() {
            return Err(late());
        }
        let hold = visit.hold(bytes, &self.rooms).await?;
        let sent = Sent { commands: Arc::clone(&commands), is_transaction: false };
        let mut replies = self.wire.exchange(sent, hold).await?;
        for (command, reply) in commands.iter().zip(&mut replies) {
            if is_of_root(command, reply) {
                *reply = self.over_parts(visit, command, bytes).await?;
            }
        }
        Ok(replies)
    }

    /// Carries a command out over the parts of a board. It goes on to its end also if nobody waits for it any more.
    async fn over_parts(
        &self,
        visit: &Arc<Visit>,
        command: &Cmd,
        bytes: u64,
    ) -> Result<RedisResult<Value>, Problem> {
        let hold = visit.hold(bytes, &self.rooms).await?;
        let (parts, command) = (Arc::clone(&self.parts), command.clone());
        let carried_out = tokio::spawn(async move {
            let reply = parts.carry_out(&command).await;
            drop(hold);
            reply
        });
        carried_out.await.unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
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
        let commands: Vec<Cmd> = commands.into_iter().collect();
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        let bytes = u64::try_from(commands.len()).unwrap_or(u64::MAX).saturating_mul(WORD);
        let hold = self.visit().hold(bytes, &self.rooms).await?;
        self.wire.exchange(Sent { commands: commands.into(), is_transaction: true }, hold).await
    }

    fn visit(&self) -> Arc<Visit> {
        Visit::current(&self.console)
    }

    /// Whether the server owes replies to requests that were given up.
    pub fn is_late(&self) -> bool {
        self.wire.is_late()
    }

    /// The addresses that the operator gave, without passwords.
    pub fn addresses(&self) -> Vec<String> {
        self.wire.servers().names()
    }

    /// Whether the servers form a cluster.
    ///
    /// # Errors
    /// If none answers.
    pub async fn is_cluster(&self) -> Result<bool, Problem> {
        Ok(matches!(self.wire.connection().await?.0, Connection::Cluster(_)))
    }
}

/// Why nothing more is asked of a server that owes replies.
pub fn late() -> Problem {
    Problem::unavailable("the server has not answered earlier requests yet")
}

/// How many rows of a list a command asks for at the most.
pub fn rows(command: &Cmd) -> u64 {
    largest(&pieces::words(command)).rows
}

/// A reply, whose bytes count if it is a list.
fn read(visit: &Visit, reply: Option<RedisResult<Value>>, size: Size) -> Result<Value, Problem> {
    let reply = reply.ok_or_else(|| Problem::internal("the server left a reply out"))?;
    let reply = reply.map_err(|error| problem(&error))?;
    if size.rows > 0 {
        visit.note(weight(&reply));
    }
    Ok(reply)
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
