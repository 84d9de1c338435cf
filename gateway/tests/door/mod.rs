//! The door for clients of Redis: what real clients get, and what the others get.

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

/// Long enough for a slow machine. A connection that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server and a gateway with a door. The gateway ends first.
struct Door {
    gateway: Gateway,
    server: Server,
}

impl Door {
    fn start() -> Door {
        Door::with(&[])
    }

    /// With more flags of the gateway.
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

    /// With a scheme, and what stands behind the address.
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

    /// Everything the door says to these bytes until it closes, or until it has said all to a client that is done.
    fn say(&self, bytes: impl AsRef<[u8]>) -> String {
        let mut socket = self.socket();
        // The door may close before it has read all.
        let _ = socket.write_all(bytes.as_ref());
        let _ = socket.shutdown(std::net::Shutdown::Write);
        rest(socket)
    }
}

/// What else comes on a connection.
fn rest(mut socket: TcpStream) -> String {
    let mut said = Vec::new();
    match socket.read_to_end(&mut said) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the connection stays open: {error}"),
    }
    String::from_utf8_lossy(&said).into_owned()
}
