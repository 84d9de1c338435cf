//! Tests of the door for Redis clients, with real clients and with faulty ones.

mod clients;
mod crowded;
mod garbage;
mod refusals;
mod tls;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use redis::{Client, Connection};

use crate::servers::{Flavor, Server};
use crate::support::Gateway;

/// A time limit that is long enough for a slow machine. A connection that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server and a gateway with a door. The gateway is dropped first.
struct Door {
    gateway: Gateway,
    server: Server,
}

impl Door {
    fn start() -> Door {
        Door::with(&[])
    }

    /// Starts a server and a gateway with these additional flags.
    fn with(flags: &[(&str, &str)]) -> Door {
        let server = Server::start(Flavor::Redis70);
        let builder = Gateway::builder(&[&server]).arg("--resp", "127.0.0.1:0");
        let builder = flags.iter().fold(builder, |builder, (name, value)| builder.arg(name, value));
        Door { gateway: builder.start(), server }
    }

    fn address(&self) -> SocketAddr {
        self.gateway.door()
    }

    fn connection(&self) -> Connection {
        self.connection_of("redis", "")
    }

    /// Opens a connection. `before` is the scheme of the URL, `behind` is the part after the address.
    fn connection_of(&self, before: &str, behind: &str) -> Connection {
        let url = format!("{before}://{}/{behind}", self.address());
        Client::open(url).expect("an address").get_connection().expect("a connection")
    }

    fn socket(&self) -> TcpStream {
        let socket = TcpStream::connect(self.address()).expect("a connection");
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        socket.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        socket
    }

    /// Sends these bytes and closes the sending side. Returns everything that the door sends until it closes.
    fn say(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut socket = self.socket();
        // The door may close the connection before it has read all bytes.
        let _ = socket.write_all(bytes.as_ref());
        let _ = socket.shutdown(std::net::Shutdown::Write);
        rest(socket)
    }
}

/// Returns all remaining bytes of a connection.
fn rest(mut socket: TcpStream) -> String {
    let mut said = Vec::new();
    match socket.read_to_end(&mut said) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection stays open: {error}"),
    }
    String::from_utf8_lossy(&said).into_owned()
}
