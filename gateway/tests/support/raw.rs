//! Sends requests that no correct client sends, byte by byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// The reply.
#[derive(Debug)]
pub struct Raw {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Raw {
    #[track_caller]
    pub fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}\n{}", self.head, String::from_utf8_lossy(&self.body));
        let head = self.head.to_ascii_lowercase();
        assert!(head.contains("content-type: application/problem+json"), "{}", self.head);
        let problem: Value = serde_json::from_slice(&self.body).expect("JSON");
        assert_eq!(problem["status"], status, "{problem}");
        problem
    }
}

/// Sends a head (lines without line ends) and a body, and reads the reply to its end. Adds `Connection: close`.
#[track_caller]
pub fn raw(address: SocketAddr, head: &[&str], body: &[u8]) -> Raw {
    let mut socket = TcpStream::connect(address).expect("a connection");
    socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let mut request = head.join("\r\n").into_bytes();
    request.extend_from_slice(b"\r\nConnection: close\r\n\r\n");
    request.extend_from_slice(body);
    // The gateway may reply and close the connection before it has read all of a body that it refuses.
    let _ = socket.write_all(&request);
    let mut reply = Vec::new();
    let end = socket.read_to_end(&mut reply);
    parsed(&reply).unwrap_or_else(|| panic!("no reply ({end:?}): {}", reply.escape_ascii()))
}

fn parsed(reply: &[u8]) -> Option<Raw> {
    let end = reply.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let (head, body) = (reply.get(..end)?, reply.get(end + 4..)?);
    let head = String::from_utf8_lossy(head).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Raw { status, head, body: body.to_vec() })
}
