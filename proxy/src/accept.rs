//! Takes connections of clients.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// The pause after a connection could not be taken, such as without a free file.
const PAUSE: Duration = Duration::from_millis(200);

/// The next connection; none after one that could not be taken, and a pause.
pub async fn accept(listener: &TcpListener) -> Option<(TcpStream, SocketAddr)> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Small answers go out at once; where this cannot be set they come a little later.
            let _ = stream.set_nodelay(true);
            Some((stream, peer))
        }
        Err(_) => {
            tokio::time::sleep(PAUSE).await;
            None
        }
    }
}
