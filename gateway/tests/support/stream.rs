//! Reads live streams: server-sent events, as they arrive.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::http::full;

/// A stream, or the refusal to open it.
pub struct Stream {
    reader: BufReader<TcpStream>,
    pub status: u16,
    pub head: String,
    /// The `id` of the latest event.
    pub id: String,
}

impl Stream {
    /// Opens a stream. Each header is a whole line.
    #[track_caller]
    pub fn open(address: SocketAddr, path: &str, headers: &[&str]) -> Stream {
        let mut socket = TcpStream::connect(address).expect("a connection");
        socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        let mut request = format!("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", full(path));
        for header in headers {
            request.push_str(header);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        socket.write_all(request.as_bytes()).expect("a request");
        let mut reader = BufReader::new(socket);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).expect("a head") > 0, "it ended: {head}");
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Stream { reader, status, head, id: String::new() }
    }

    /// Returns the next event's name and data, or `None` at the end of the stream. Skips comments.
    #[track_caller]
    pub fn next(&mut self) -> Option<(String, Value)> {
        let (mut event, mut data) = (String::new(), String::new());
        loop {
            let line = self.line()?;
            match line.split_once(':').map(|(name, value)| (name, value.trim_start())) {
                Some(("event", name)) => event = name.to_owned(),
                Some(("data", text)) => data.push_str(text),
                Some(("id", id)) => id.clone_into(&mut self.id),
                _ if line.is_empty() && !data.is_empty() => {
                    let data = serde_json::from_str(&data).unwrap_or_else(|error| panic!("{error}: {data}"));
                    return Some((event, data));
                }
                _ => {}
            }
        }
    }

    /// Returns the rows of the next event.
    #[track_caller]
    pub fn rows(&mut self) -> Value {
        let (event, mut data) = self.next().expect("an event");
        assert_eq!(event, "rows", "{data}");
        data["rows"].take()
    }

    /// Reads events until the gateway ends the stream.
    #[track_caller]
    pub fn end(mut self) {
        while self.next().is_some() {}
    }

    /// Returns a line of the body. The lengths of chunks are separate lines; none of them looks like a field.
    fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        match self.reader.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()),
            // The gateway was killed, or it closed the connection.
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("no event: {error}"),
        }
    }
}
