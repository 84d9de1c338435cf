//! Sends requests, and checks replies.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

/// A time limit that is long enough for a slow machine. A request that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(30);
/// The maximum size of a reply in bytes: larger than any reply that a test requests.
const LARGEST: u64 = 64 << 20;

/// A size in bytes; the connection cannot take a larger body at once.
const LARGE: usize = 32 << 10;

/// Sends requests to one gateway, with these headers in each request.
#[derive(Clone)]
pub struct Api {
    agent: Agent,
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

impl Api {
    pub fn new(address: SocketAddr) -> Api {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Api { agent: config.into(), address, headers: Vec::new() }
    }

    /// Returns a copy with one more header.
    pub fn with(&self, name: &str, value: &str) -> Api {
        let mut it = self.clone();
        it.headers.push((name.to_owned(), value.to_owned()));
        it
    }

    /// Returns a copy that sends this token.
    pub fn bearer(&self, token: &str) -> Api {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// Returns a copy that sends an Idempotency-Key.
    pub fn once(&self, id: &str) -> Api {
        self.with("idempotency-key", id)
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None)
    }

    #[track_caller]
    pub fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, None)
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: Value) -> Reply {
        self.json("POST", path, &body)
    }

    #[track_caller]
    pub fn put(&self, path: &str, body: Value) -> Reply {
        self.json("PUT", path, &body)
    }

    #[track_caller]
    pub fn patch(&self, path: &str, body: Value) -> Reply {
        self.json("PATCH", path, &body)
    }

    #[track_caller]
    pub fn json(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.text(method, path, "application/json", body.to_string().as_bytes())
    }

    /// Sends a body of any type.
    #[track_caller]
    pub fn text(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Reply {
        self.with("content-type", kind).send(method, path, Some(body))
    }

    /// Sends a request. `/api/v1` is put before `path`, unless `path` begins with `//`, which means the root.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, body: Option<&[u8]>) -> Reply {
        let url = format!("http://{}{}", self.address, full(path));
        let what = format!("{method} {url}");
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        // The gateway may reply before it has read a body that it refuses. It then reads no part of the body, and
        // closes the connection.
        if body.is_some_and(|body| body.len() > LARGE) {
            request = request.header("expect", "100-continue").header("connection", "close");
        }
        let sent = match body {
            Some(body) => self.agent.run(request.body(body).expect("a request")),
            None => self.agent.run(request.body(()).expect("a request")),
        };
        let mut response = sent.unwrap_or_else(|error| panic!("{what}: {error}"));
        let body = response.body_mut().with_config().limit(LARGEST).read_to_vec();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: body.unwrap_or_else(|error| panic!("{what}: {error}")),
            what,
        }
    }
}

/// Returns the whole path for the short form that tests use.
pub fn full(path: &str) -> String {
    match path.strip_prefix('/') {
        Some(root) if root.starts_with('/') => root.to_owned(),
        _ => format!("/api/v1{path}"),
    }
}

/// A reply.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    what: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header of text"))
    }

    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap_or_else(|error| panic!("{}: {error}", self.what))
    }

    /// Checks the status only, not the body.
    #[track_caller]
    pub fn status(self, status: u16) -> Reply {
        assert_eq!(self.status, status, "{}: {}", self.what, String::from_utf8_lossy(&self.body));
        self
    }

    /// Checks the status and the JSON body.
    #[track_caller]
    pub fn is(self, status: u16, body: Value) {
        let it = self.value(status);
        let expected = body;
        assert_eq!(it, expected, "what came, and what should have come");
    }

    /// Checks the status, and returns the JSON body.
    #[track_caller]
    pub fn value(self, status: u16) -> Value {
        let it = self.status(status);
        let kind = it.header("content-type").unwrap_or_default().to_owned();
        assert!(kind.starts_with("application/json"), "{}: content-type {kind:?}", it.what);
        serde_json::from_slice(&it.body).unwrap_or_else(|error| panic!("{}: {error}: {}", it.what, it.text()))
    }

    /// Checks the status, and that there is no body.
    #[track_caller]
    pub fn empty(self, status: u16) {
        let it = self.status(status);
        assert_eq!(it.text(), "", "{}", it.what);
    }

    /// Checks that the reply is an error as in RFC 9457, and returns its detail.
    #[track_caller]
    pub fn problem(self, status: u16) -> String {
        let problem = self.problem_value(status);
        problem["detail"].as_str().expect("a detail").to_owned()
    }

    /// Checks that the reply is an error with one of these statuses, for cases in which several statuses are correct.
    #[track_caller]
    pub fn problem_value_in(self, statuses: &[u16]) -> Value {
        let status = self.status;
        assert!(statuses.contains(&status), "{}: {status}", self.what);
        self.problem_value(status)
    }

    /// Checks that the request could not be read (400), or was refused (422), and returns all fields of the error.
    #[track_caller]
    pub fn refused(self) -> Value {
        self.problem_value_in(&[400, 422])
    }

    /// As [`Reply::refused`], with a detail that contains all these words.
    #[track_caller]
    pub fn refuses(self, words: &[&str]) {
        let status = if self.status == 422 { 422 } else { 400 };
        self.names(status, words);
    }

    /// Checks that the reply is an error as in RFC 9457, and returns all its fields.
    #[track_caller]
    pub fn problem_value(self, status: u16) -> Value {
        let it = self.status(status);
        assert_eq!(it.header("content-type"), Some("application/problem+json"), "{}", it.what);
        let problem: Value =
            serde_json::from_slice(&it.body).unwrap_or_else(|error| panic!("{}: {error}", it.what));
        assert_eq!(problem["status"], status, "{}: {problem}", it.what);
        let kind = problem["type"].as_str().unwrap_or_default();
        assert!(kind.starts_with("urn:leaderboard:"), "{}: {problem}", it.what);
        for field in ["title", "detail"] {
            let text = problem[field].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{}: no {field}: {problem}", it.what);
        }
        problem
    }

    /// Checks that the reply is an error whose detail contains all these words.
    #[track_caller]
    pub fn names(self, status: u16, words: &[&str]) {
        let what = self.what.clone();
        let detail = self.problem(status);
        for word in words {
            // The server writes its options in upper case.
            let names_it = detail.to_lowercase().contains(&word.to_lowercase());
            assert!(names_it, "{what}: {detail:?} does not name {word:?}");
        }
    }
}

/// Percent-encodes a part of a path or of a query string.
pub fn encoded(text: impl AsRef<[u8]>) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_~".contains(&byte);
    text.as_ref()
        .iter()
        .map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
