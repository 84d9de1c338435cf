//! Accepts connections of clients.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// The pause after a connection could not be accepted, for example because the process has no free file descriptor.
const PAUSE: Duration = Duration::from_millis(200);

/// Waits for the next connection. If the connection cannot be accepted, waits for a pause and returns `None`.
pub async fn accept(listener: &TcpListener) -> Option<(TcpStream, SocketAddr)> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Small answers are sent at once. If this option cannot be set, they are sent a little later.
            let _ = stream.set_nodelay(true);
            Some((stream, peer))
        }
        Err(_) => {
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}
