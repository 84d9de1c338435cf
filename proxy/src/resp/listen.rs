//! Takes connections: how many there are at once, their TLS, and how they end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::session::Session;
use super::{Settings, Shared, Users, connection, tls};
use crate::accept::accept;

/// How long a client may take to agree on TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// After so long without a word, ask whether the client is still there, as servers do.
const KEEPALIVE: Duration = Duration::from_secs(300);

/// A door that can be come through.
pub struct Door {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    most: u32,
}

impl Door {
    /// The door that the settings ask for, if they do.
    ///
    /// # Errors
    /// An address that cannot be listened on, or files that are no certificate and key.
    pub async fn open(settings: &Settings) -> Result<Option<Self>, String> {
        let Some(address) = settings.resp else { return Ok(None) };
        let files = settings.resp_cert.as_ref().zip(settings.resp_key.as_ref());
        let tls = files.map(|(certificates, key)| tls::acceptor(certificates, key)).transpose()?;
        let listener =
            TcpListener::bind(address).await.map_err(|error| format!("--resp {address}: {error}"))?;
        Ok(Some(Self { listener, tls, most: settings.resp_connections }))
    }

    /// Where it is, as clients write it.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn url(&self) -> Result<String, String> {
        let address: SocketAddr = self.listener.local_addr().map_err(|error| error.to_string())?;
        let scheme = if self.tls.is_some() { "rediss" } else { "redis" };
        Ok(format!("{scheme}://{address}"))
    }

    /// Serves clients until `stopping`. Then lets commands that have begun end, for `patience` at most.
    pub async fn serve(self, users: impl Users, stopping: CancellationToken, patience: Duration) {
        let shared = Arc::new(Shared::new(users, self.most));
        let connections = TaskTracker::new();
        loop {
            let stream = tokio::select! {
                accepted = accept(&self.listener) => match accepted {
                    Some((stream, _)) => stream,
                    None => continue,
                },
                () = stopping.cancelled() => break,
            };
            match Arc::clone(&shared.places).try_acquire_owned() {
                Ok(place) => {
                    let client = Client { stream, place, tls: self.tls.clone() };
                    connections.spawn(client.serve(Session::new(Arc::clone(&shared)), stopping.clone()));
                }
                Err(_) => {
                    shared.counters.turned_away.add(1);
                    turn_away(&stream, self.tls.is_some());
                }
            }
        }
        connections.close();
        // A client that takes nothing any more must not keep the process from ending.
        let _ = timeout(patience, connections.wait()).await;
    }
}

/// A client that has a place.
struct Client {
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    tls: Option<TlsAcceptor>,
}

impl Client {
    async fn serve<U: Users>(self, session: Session<U>, stopping: CancellationToken) {
        // Where this cannot be set, a client that is gone without a word keeps its place.
        let _ = SockRef::from(&self.stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE));
        // How a connection ended is its client's affair.
        let _ = match &self.tls {
            None => connection::serve(self.stream, session, stopping).await,
            Some(tls) => match timeout(HANDSHAKE, tls.accept(self.stream)).await {
                Ok(Ok(stream)) => connection::serve(stream, session, stopping).await,
                Ok(Err(error)) => Err(error),
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            },
        };
        drop(self.place);
    }
}

/// Says so where the client can read it, and does not wait for it.
fn turn_away(stream: &TcpStream, tls: bool) {
    if !tls {
        let _ = SockRef::from(stream).send(b"-ERR max number of clients reached\r\n");
    }
}
