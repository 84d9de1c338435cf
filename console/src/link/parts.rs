//! Boards that are spread over a cluster, as the console sees them. What a root does not do by itself is asked of its
//! parts, by the same engine that serves the door, with the console's own user.

use leaderboard_proxy::{Credentials, People, Timing, Users, is_of_root as shows_root, says_spread};
use redis::{Client, Cmd, RedisResult, Value};

use crate::link::pieces::words;
use crate::problem::Problem;

/// The way to the parts of boards.
pub struct Parts {
    people: People,
    console: Credentials,
}

impl Parts {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(addresses: &[String], settings: Timing) -> Result<Self, String> {
        let people = People::new(addresses, settings)?;
        let client = addresses.first().and_then(|address| Client::open(address.as_str()).ok());
        let named = client.as_ref().map(|client| client.get_connection_info().redis_settings());
        let console = Credentials {
            user: named.and_then(|named| named.username()).map(str::to_owned),
            password: named.and_then(|named| named.password()).map(str::to_owned),
        };
        Ok(Self { people, console })
    }

    /// Carries out a command over the parts of a board.
    ///
    /// # Errors
    /// What the servers say, or why they do not answer.
    pub async fn carry_out(&self, command: &Cmd) -> Result<RedisResult<Value>, Problem> {
        let engine = self.people.of(&self.console).await.map_err(Problem::unavailable)?;
        let replies = engine.execute(vec![words(command)]).await;
        Ok(replies.into_iter().next().unwrap_or_default().extract_error())
    }
}

/// Whether a reply shows that the key of the command has the root of a board.
pub fn is_of_root(command: &Cmd, reply: &RedisResult<Value>) -> bool {
    match reply {
        Ok(value) => shows_root(&words(command), value),
        Err(error) => error.detail().is_some_and(says_spread),
    }
}
