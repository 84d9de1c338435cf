//! Sends requests over the connections of the crate `redis`.

use redis::{FromRedisValue, RedisResult};

use crate::Request;

/// Sends requests of this crate. Implemented for a single connection, a connection of a pool, and a connection to a
/// cluster.
pub trait Leaderboard: redis::ConnectionLike {
    /// Sends a request and reads its reply.
    ///
    /// # Errors
    /// See [`kind`](crate::kind).
    fn lb<R: FromRedisValue>(&mut self, request: &Request<R>) -> RedisResult<R> {
        let reply = self.req_command(&request.cmd())?;
        request.parse(reply)
    }
}

impl<C: redis::ConnectionLike + ?Sized> Leaderboard for C {}

/// Sends requests of this crate over every asynchronous connection.
#[cfg(feature = "aio")]
pub trait AsyncLeaderboard: redis::aio::ConnectionLike + Send {
    /// Sends a request and reads its reply.
    ///
    /// # Errors
    /// See [`kind`](crate::kind).
    fn lb<R: FromRedisValue + Send>(
        &mut self,
        request: &Request<R>,
    ) -> impl Future<Output = RedisResult<R>> + Send {
        async move {
            let reply = self.req_packed_command(&request.cmd()).await?;
            request.parse(reply)
        }
    }
}

#[cfg(feature = "aio")]
impl<C: redis::aio::ConnectionLike + Send + ?Sized> AsyncLeaderboard for C {}
