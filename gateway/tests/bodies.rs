//! Tests of clients that send their body slowly. These clients must not block other clients, and the gateway must not
//! wait for them forever.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::json;
use socket2::{Domain, Socket, Type};

use crate::servers::{Flavor, Server, info, wait_until};
use crate::support::{Api, Gateway, Stream, raw, signal};
use crate::tokens::Tokens;

/// The maximum number of requests at the same time, for the gateways of these tests.
const MOST: usize = 100;

/// Opens a connection from this address of the machine.
fn connect(from: &str, to: SocketAddr) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let from: IpAddr = from.parse().expect("an address");
    socket.bind(&SocketAddr::from((from, 0)).into()).expect("a bound socket");
    socket.connect(&to.into()).expect("a connection");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    stream
}

/// Sends a request with only the first byte of its body.
fn begin(path: &str, from: &str, to: SocketAddr) -> TcpStream {
    let mut stream = connect(from, to);
    let head = [
        &format!("POST {path} HTTP/1.1"),
        "Host: localhost",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Length: 70",
        "\r\nt",
    ];
    stream.write_all(head.join("\r\n").as_bytes()).expect("a head");
    stream
}

fn status(mut stream: TcpStream) -> u16 {
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let reply = String::from_utf8_lossy(&reply).into_owned();
    let status = reply.split(' ').nth(1).unwrap_or_default();
    status.parse().unwrap_or_else(|_| panic!("no status: {reply:?}"))
}

/// A gateway with a server, and an admin's token.
struct House {
    gateway: Gateway,
    _server: Server,
    token: String,
    _file: Tokens,
}

impl House {
    fn new() -> House {
        let server = Server::start(Flavor::Redis70);
        let file = Tokens::new();
        let token = file.make("ann", "admin", &["*"]);
        let gateway = Gateway::builder(&[&server])
            .arg("--tokens", file.path())
            .arg("--max-requests", &MOST.to_string())
            .start();
        House { gateway, _server: server, token, _file: file }
    }

    fn api(&self) -> Api {
        self.gateway.api().bearer(&self.token)
    }

    /// Checks the requests that a visitor sends.
    fn is_open(&self) {
        let (strange, api) = (self.gateway.api(), self.api());
        strange.get("//healthz").status(200);
        strange.get("//login").status(200);
        let form = format!("token={}", self.token);
        strange.text("POST", "//login", "application/x-www-form-urlencoded", form.as_bytes()).status(303);
        api.get("//metrics").status(200);
        api.get("/boards").status(200);
        api.post("/boards/songs/votes", json!({"votes": [{"member": "tide"}]})).status(200);
    }
}

#[test]
fn slow_bodies_keep_nobody_out() {
    let house = House::new();
    let address = house.gateway.address();
    let bearer = format!("Authorization: Bearer {}", house.token);
    let mut stream = Stream::open(address, "/boards/songs/live", &[&bearer]);
    stream.rows();
    // Slow requests from two addresses. One of them is also the address of all other requests.
    let slow: Vec<_> = (0..MOST + 10)
        .map(|number| begin("/login", if number % 2 == 0 { "127.0.0.1" } else { "127.0.0.2" }, address))
        .collect();
    for _ in 0..20 {
        house.is_open();
    }
    assert_eq!(stream.rows()[0]["member"], "tide");
    for slow in slow {
        assert_eq!(status(slow), 408);
    }
    house.is_open();
    assert_eq!(house.api().get("/boards/songs/members/tide").value(200)["score"], "21");
}

#[test]
fn one_address_sends_only_some_bodies_slowly_at_once() {
    let house = House::new();
    let address = house.gateway.address();
    let crowd: Vec<_> = (0..80).map(|_| begin("/login", "127.0.0.2", address)).collect();
    let other = begin("/login", "127.0.0.3", address);
    house.is_open();
    let crowd: Vec<_> = crowd.into_iter().map(status).collect();
    let of = |status| crowd.iter().filter(|&&came| came == status).count();
    assert_eq!((of(408), of(429)), (64, 16), "{crowd:?}");
    assert_eq!(status(other), 408);
    // The slow requests have ended, and their places are free again.
    assert_eq!(status(begin("/login", "127.0.0.2", address)), 408);
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let house = House::new();
    let bearer = format!("Authorization: Bearer {}", house.token);
    let head = [
        "POST /api/v1/boards HTTP/1.1",
        "Host: localhost",
        &bearer,
        "Content-Type: application/json",
        "Content-Length: 10",
    ];
    raw(house.gateway.address(), &head, b"{").problem(408);
}

#[test]
fn a_stranger_sends_no_more_than_a_token() {
    let house = House::new();
    let kind = "application/x-www-form-urlencoded";
    let send = |path: &str, size: usize| house.gateway.api().text("POST", path, kind, &vec![b'x'; size]);
    send("//login", 5_000).problem(413);
    // On other paths, the gateway does not read the body at all.
    send("/boards", 5_000).problem(401);
}

#[test]
fn requests_at_once_are_bounded() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--max-requests", "2").start();
    let address = gateway.address();
    gateway.api().get("/boards").status(200);
    let process = info(&mut server.connection(), "server", "process_id").parse().expect("a number");
    signal(process, "STOP");
    let ask = |path: &str| {
        let mut stream = connect("127.0.0.1", address);
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("a head");
        stream
    };
    // Some of these requests may be refused themselves, because a request of the test takes the place.
    let mut waiting = Vec::new();
    wait_until(|| {
        waiting.extend((0..3).map(|_| ask("/api/v1/boards/songs/top")));
        gateway.api().get("/boards/songs/top").problem(503) == "too many requests at once"
    });
    // Monitoring requests have separate places.
    assert_eq!(status(ask("/metrics")), 200);
    signal(process, "CONT");
    drop(waiting);
    wait_until(|| gateway.api().get("/boards/songs/top").status == 200);
}
