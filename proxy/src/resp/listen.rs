//! Accepts connections of clients: it limits their number, sets up TLS, and ends them.

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

/// How long the TLS handshake of a client may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// If a client sends nothing for this time, the system checks whether it is still there, as servers do.
const KEEPALIVE: Duration = Duration::from_secs(300);

/// The port where clients of Redis connect to the gateway.
pub struct Door {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    most: u32,
}

impl Door {
    /// Opens the port, if the settings name an address for it.
    ///
    /// # Errors
    /// If the address cannot be listened on, or if the files are not a certificate and its key.
    pub async fn open(settings: &Settings) -> Result<Option<Self>, String> {
        let Some(address) = settings.resp else { return Ok(None) };
        let files = settings.resp_cert.as_ref().zip(settings.resp_key.as_ref());
        let tls = files.map(|(certificates, key)| tls::acceptor(certificates, key)).transpose()?;
        let listener =
            TcpListener::bind(address).await.map_err(|error| format!("--resp {address}: {error}"))?;
        Ok(Some(Self { listener, tls, most: settings.resp_connections }))
    }

    /// Returns the address of the port, in the form that clients use.
    ///
    /// # Errors
    /// If the system does not give the address.
    pub fn url(&self) -> Result<String, String> {
        let address: SocketAddr = self.listener.local_addr().map_err(|error| error.to_string())?;
        let scheme = if self.tls.is_some() { "rediss" } else { "redis" };
        Ok(format!("{scheme}://{address}"))
    }

    /// Serves clients until `stopping`. Then waits until the commands that have begun are finished, but not longer than
    /// `patience`.
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
        // A client that does not take its replies must not prevent the end of the process.
        let _ = timeout(patience, connections.wait()).await;
    }
}

/// A client that was accepted. While it is connected, it counts towards the limit.
struct Client {
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    tls: Option<TlsAcceptor>,
}

impl Client {
    async fn serve<U: Users>(self, session: Session<U>, stopping: CancellationToken) {
        // If this cannot be set, a client that has disappeared silently counts as connected for ever.
        let _ = SockRef::from(&self.stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE));
        // Only the client is interested in how its connection ended.
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

/// Sends the error to the client, without waiting. A client with TLS gets no error, because it could not read it.
fn turn_away(stream: &TcpStream, tls: bool) {
    if !tls {
        let _ = SockRef::from(stream).send(b"-ERR max number of clients reached\r\n");
    }
}
