//! The four kinds of clients: RESP2 and RESP3, each blocking and asynchronous.

use leaderboard_client::{Leaderboard, Request};
use leaderboard_testkit::{Flavor, Server, run};
use redis::{Connection, FromRedisValue, RedisResult};

pub enum Client {
    Blocking(Connection),
    #[cfg(feature = "aio")]
    Waiting(tokio::runtime::Runtime, redis::aio::MultiplexedConnection),
}

/// Runs the scenario with each client on an empty server.
#[track_caller]
pub fn with_each(scenario: impl Fn(&mut Client)) {
    on(Flavor::Redis70, scenario);
}

/// Runs the scenario with each client on an empty server of this flavor.
#[track_caller]
pub fn on(flavor: Flavor, scenario: impl Fn(&mut Client)) {
    let server = Server::start(flavor);
    for mut client in clients(&server) {
        run(&mut server.connection(), &["FLUSHALL"]);
        scenario(&mut client);
    }
}

fn clients(server: &Server) -> Vec<Client> {
    let blocking = [server.connection(), server.connection_resp3()].map(Client::Blocking);
    #[cfg(not(feature = "aio"))]
    return blocking.into();
    #[cfg(feature = "aio")]
    return blocking
        .into_iter()
        .chain(["resp2", "resp3"].map(|protocol| waiting(server, protocol)))
        .collect();
}

#[cfg(feature = "aio")]
fn waiting(server: &Server, protocol: &str) -> Client {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let url = format!("redis://127.0.0.1:{}/?protocol={protocol}", server.port());
    let client = redis::Client::open(url).expect("an address");
    let connection = runtime.block_on(client.get_multiplexed_async_connection()).expect("a connection");
    Client::Waiting(runtime, connection)
}

impl Client {
    pub fn ask<R: FromRedisValue + Send>(&mut self, request: &Request<R>) -> RedisResult<R> {
        match self {
            Self::Blocking(connection) => connection.lb(request),
            #[cfg(feature = "aio")]
            Self::Waiting(runtime, connection) => {
                runtime.block_on(leaderboard_client::AsyncLeaderboard::lb(connection, request))
            }
        }
    }

    /// Sends the request and returns the reply. An error fails the test.
    #[track_caller]
    pub fn get<R: FromRedisValue + Send>(&mut self, request: Request<R>) -> R {
        match self.ask(&request) {
            Ok(reply) => reply,
            Err(error) => panic!("{request:?}: {error}"),
        }
    }
}
