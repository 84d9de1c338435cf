//! The connection to the server, with the key of the league.

use redis::Connection;

/// A connection and the league's key.
pub struct Server {
    pub connection: Connection,
    pub key: String,
}
