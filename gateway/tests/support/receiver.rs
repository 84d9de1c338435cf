//! A receiver of deliveries: it answers as a test wants, and keeps what it was told.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

/// The secret of all receivers.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// How a receiver answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Status(u16),
    /// It waits for this number of ms, and then answers 200.
    Slow(u64),
    /// It sends something that is not HTTP.
    Garbage,
    /// It closes the connection.
    Nothing,
}

/// A request that a receiver got.
#[derive(Debug, Clone)]
pub struct Told {
    pub id: String,
    pub body: Value,
    pub answer: Answer,
}

impl Told {
    pub fn kind(&self) -> &str {
        self.body["type"].as_str().expect("a type")
    }

    /// The names of the winners.
    pub fn winners(&self) -> Vec<&str> {
        let winners = self.body["data"]["winners"].as_array().expect("winners");
        winners.iter().map(|winner| winner["member"].as_str().expect("a member")).collect()
    }
}

/// A receiver that listens until the test ends.
pub struct Receiver {
    port: u16,
    told: Arc<Mutex<Vec<Told>>>,
}

impl Receiver {
    /// Starts a receiver. `answer` gets the number of the request, from 0.
    pub fn start(answer: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let told = Arc::new(Mutex::new(Vec::new()));
        let (noted, answer) = (Arc::clone(&told), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, answer) = (Arc::clone(&noted), Arc::clone(&answer));
                thread::spawn(move || while serve(&stream, &noted, &*answer).is_some() {});
            }
        });
        Receiver { port, told }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/hooks?token=hidden", self.port)
    }

    /// Returns what it was told, in order.
    pub fn told(&self) -> Vec<Told> {
        self.told.lock().expect("no panic").clone()
    }

    /// Returns what it was told and has accepted, in order.
    pub fn accepted(&self) -> Vec<Told> {
        self.told().into_iter().filter(|told| told.answer == Answer::Status(200)).collect()
    }
}

fn serve(stream: &TcpStream, noted: &Mutex<Vec<Told>>, answer: &dyn Fn(usize) -> Answer) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    assert!(line.starts_with("POST /hooks?token=hidden "), "{line}");
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    check_signature(&headers, &body);
    let told = |answer| Told {
        id: headers["webhook-id"].clone(),
        body: serde_json::from_slice(&body).expect("JSON"),
        answer,
    };
    let answer = {
        let mut noted = noted.lock().expect("no panic");
        let answer = answer(noted.len());
        noted.push(told(answer));
        answer
    };
    let (mut stream, ok) = (stream, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    match answer {
        Answer::Status(200) => stream.write_all(ok.as_bytes()).ok(),
        Answer::Status(status) => {
            let head = format!("HTTP/1.1 {status} No\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).ok()
        }
        Answer::Slow(ms) => {
            thread::sleep(Duration::from_millis(ms));
            stream.write_all(ok.as_bytes()).ok()
        }
        Answer::Garbage => stream.write_all(b"\0\xff no\r\n\r\n").ok().and(None),
        Answer::Nothing => None,
    }
}

/// Checks the signature as the receivers of Standard Webhooks do.
fn check_signature(headers: &HashMap<String, String>, body: &[u8]) {
    let secret = STANDARD.decode(&SECRET["whsec_".len()..]).expect("Base64");
    let mut code = Hmac::<Sha256>::new_from_slice(&secret).expect("a key");
    code.update(format!("{}.{}.", headers["webhook-id"], headers["webhook-timestamp"]).as_bytes());
    code.update(body);
    let expected = format!("v1,{}", STANDARD.encode(code.finalize().into_bytes()));
    assert_eq!(headers["webhook-signature"], expected);
    assert_eq!(headers["content-type"], "application/json");
    let at: u64 = headers["webhook-timestamp"].parse().expect("seconds");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a time").as_secs();
    assert!(now.abs_diff(at) < 60, "{at} is not {now}");
}
