//! Finds the servers: the nodes of a cluster, or the primary among the given addresses.

use std::io;
use std::time::Duration;

use redis::aio::{ConnectionLike, MultiplexedConnection};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, ConnectionAddr, Pipeline, RedisError, RedisFuture, Value};
use tokio::time::timeout;

/// How often a cluster's connection asks again by itself: after a redirect, or where a node has just gone.
const RETRIES: u32 = 3;
/// A connection to one server whose reply takes so many times the timeout is given up: with it, all that the server still
/// has for it. Until then its replies come, though nobody waits for them any more.
const SILENT: u32 = 15;

/// A connection that many requests share: commands go out in the order in which they come in.
#[derive(Clone)]
pub enum Connection {
    One(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(server) => server.req_packed_command(command),
            Self::Cluster(nodes) => nodes.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(server) => server.req_packed_commands(commands, offset, count),
            Self::Cluster(nodes) => nodes.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(server) => server.get_db(),
            Self::Cluster(nodes) => nodes.get_db(),
        }
    }
}

/// The addresses that the operator gave.
pub struct Servers {
    urls: Vec<String>,
    clients: Vec<Client>,
    timeout: Duration,
}

impl Servers {
    /// # Errors
    /// An address that is none.
    pub fn new(urls: &[String], timeout: Duration) -> Result<Self, String> {
        let open = |url: &String| {
            // The message leaves the address out: it can hold a password.
            Client::open(url.as_str())
                .map_err(|error| format!("--redis: not an address of a server: {error}"))
        };
        let clients = urls.iter().map(open).collect::<Result<_, _>>()?;
        Ok(Self { urls: urls.to_vec(), clients, timeout })
    }

    /// The addresses as they may be shown: without passwords.
    pub fn names(&self) -> Vec<String> {
        self.clients.iter().map(|client| client.get_connection_info().addr().to_string()).collect()
    }

    /// Connects to one of the addresses, or to another server of theirs, with the same user and TLS.
    ///
    /// # Errors
    /// If it does not answer.
    pub async fn open_at(&self, name: &str) -> Result<MultiplexedConnection, RedisError> {
        let is_it = |client: &&Client| client.get_connection_info().addr().to_string() == name;
        if let Some(client) = self.clients.iter().find(is_it) {
            return self.open(client, self.timeout).await;
        }
        let port = name.rsplit_once(':').and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
        let (Some((host, port)), Some(first)) = (port, self.clients.first()) else {
            return Err((redis::ErrorKind::Client, "not the address of a server").into());
        };
        let info = first.get_connection_info();
        let address = match info.addr().clone() {
            ConnectionAddr::TcpTls { insecure, tls_params, .. } => {
                ConnectionAddr::TcpTls { host, port, insecure, tls_params }
            }
            _ => ConnectionAddr::Tcp(host, port),
        };
        self.open(&Client::open(info.clone().set_addr(address))?, self.timeout).await
    }

    /// Connects to the cluster, or to the first server that is a primary.
    ///
    /// # Errors
    /// The error of the last server that was tried.
    pub async fn connect(&self) -> Result<Connection, RedisError> {
        let mut last = RedisError::from((redis::ErrorKind::Client, "no address was given"));
        for client in &self.clients {
            match self.try_one(client).await {
                Ok(connection) => return Ok(connection),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn try_one(&self, client: &Client) -> Result<Connection, RedisError> {
        let mut server = self.open(client, self.timeout.saturating_mul(SILENT)).await?;
        let asked = redis::cmd("INFO");
        let told: String =
            timeout(self.timeout, asked.query_async(&mut server)).await.map_err(io::Error::from)??;
        if field(&told, "cluster_enabled") == Some("1") {
            return self.cluster().await.map(Connection::Cluster);
        }
        // A replica alone is fine for reading.
        if self.clients.len() > 1 && field(&told, "role") != Some("master") {
            return Err((redis::ErrorKind::Client, "this server is a replica, and no primary answers").into());
        }
        Ok(Connection::One(server))
    }

    /// How long who asks waits for a reply. The connection to a cluster asks a second time by itself.
    pub fn patience(&self, connection: &Connection) -> Duration {
        match connection {
            Connection::One(_) => self.timeout,
            Connection::Cluster(_) => self.timeout.saturating_mul(2),
        }
    }

    async fn open(&self, client: &Client, patience: Duration) -> Result<MultiplexedConnection, RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.timeout))
            .set_response_timeout(Some(patience));
        client.get_multiplexed_async_connection_with_config(&config).await
    }

    async fn cluster(&self) -> Result<ClusterConnection, RedisError> {
        let client: ClusterClient = ClusterClientBuilder::new(self.urls.iter().map(String::as_str))
            .connection_timeout(self.timeout)
            .response_timeout(self.timeout)
            .overall_response_timeout(Some(self.timeout.saturating_mul(2)))
            .retries(RETRIES)
            .build()?;
        client.get_async_connection().await
    }
}

/// A field of INFO.
pub fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    let of = |line: &'a str| {
        line.split_once(':').filter(|(given, _)| *given == name).map(|(_, value)| value.trim())
    };
    info.lines().find_map(of)
}
