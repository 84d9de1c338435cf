//! A client of the RESP door, which sends pipelines. It knows which errors are documented.

use std::time::Instant;

use redis::{Connection, ConnectionAddr, IntoConnectionInfo, RedisConnectionInfo, RedisResult, Value};

use super::shared::{PATIENCE, Shared};
use super::tally::Door;
use super::tries::{TRIES, until_done};

/// Errors that say that a server is away or the gateway is busy.
const AWAY: [&str; 3] = ["PARTSDOWN", "UNKNOWN", "BUSY"];

/// The answer to a command.
#[derive(Debug)]
pub enum Answer {
    /// The reply.
    Good(Value),
    /// One of the documented errors: a server is away, or the gateway is busy.
    Away,
}

/// A client that keeps its connection.
pub struct Wire<'a> {
    shared: &'a Shared,
    con: Option<Connection>,
}

impl<'a> Wire<'a> {
    /// A client that has its place at the door before others crowd it.
    pub fn new(shared: &'a Shared) -> Self {
        // If it has no connection, it tries again with the first command, whose error is told.
        Self { shared, con: connect(shared).ok() }
    }

    /// Connects, if that is not done.
    fn connect(&mut self) -> RedisResult<&mut Connection> {
        let con = match self.con.take() {
            Some(con) => con,
            None => connect(self.shared)?,
        };
        Ok(self.con.insert(con))
    }

    /// Sends all commands at once, and reads the answers.
    pub fn ask(&mut self, commands: &[Vec<String>]) -> Result<Vec<Answer>, String> {
        let begin = Instant::now();
        let replies = self.replies(commands);
        let time = begin.elapsed();
        if replies.is_err() {
            self.con = None;
        }
        let replies = replies.map_err(|error| format!("{:?} after {time:.1?}: {error}", commands[0]))?;
        let answers = commands.iter().zip(replies).map(|(command, reply)| answer(command, reply));
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        let away = answers.iter().filter(|answer| matches!(answer, Answer::Away)).count();
        self.shared.tally.add(Door::Resp, [answers.len() as u64, away as u64, 0], Some(time));
        Ok(answers)
    }

    /// Sends a command until there is a reply.
    pub fn insist(&mut self, command: &[String]) -> Result<Value, String> {
        let ask = || match self.ask(&[command.to_vec()])?.pop() {
            Some(Answer::Good(reply)) => Ok(Some(reply)),
            _ => Ok(None),
        };
        until_done(TRIES, ask).map(|(reply, _)| reply)
    }

    fn replies(&mut self, commands: &[Vec<String>]) -> RedisResult<Vec<Value>> {
        let con = self.connect()?;
        con.send_packed_command(&packed(commands))?;
        commands.iter().map(|_| con.recv_response()).collect()
    }
}

fn connect(shared: &Shared) -> RedisResult<Connection> {
    let settings = RedisConnectionInfo::default().set_skip_set_lib_name();
    let address = ConnectionAddr::Tcp(shared.resp.ip().to_string(), shared.resp.port());
    let address = address.into_connection_info()?.set_redis_settings(settings);
    let con = redis::Client::open(address)?.get_connection()?;
    con.set_read_timeout(Some(PATIENCE))?;
    con.set_write_timeout(Some(PATIENCE))?;
    Ok(con)
}

fn answer(command: &[String], reply: Value) -> Result<Answer, String> {
    match reply {
        Value::ServerError(error) if AWAY.contains(&error.code()) => Ok(Answer::Away),
        Value::ServerError(error) => Err(format!("{command:?}: an error that is not documented: {error}")),
        reply => Ok(Answer::Good(reply)),
    }
}

/// Returns commands as bytes.
pub fn packed(commands: &[Vec<String>]) -> Vec<u8> {
    let packed = |words: &Vec<String>| {
        let mut command = redis::Cmd::new();
        words.iter().for_each(|word| _ = command.arg(word));
        command.get_packed_command()
    };
    commands.iter().flat_map(packed).collect()
}

/// Splits a line into words.
pub fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}
