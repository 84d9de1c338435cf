//! Tests of the maximum size of a request's body and head, and of requests that are not HTTP.

use crate::setup::say;
use crate::support::{raw, shared};

#[test]
fn bodies_are_bounded() {
    let pair = shared();
    let api = pair.api();
    let body = |length: usize| {
        let head = "{\"points\":1,\"meta\":\"".to_owned();
        format!("{head}{}\"}}", "x".repeat(length.saturating_sub(head.len() + 2)))
    };
    let path = "/boards/e:large/members/ann/score";
    // A body within the limit is refused only because of its content: this meta is too long.
    api.text("POST", path, "application/json", body(1 << 20).as_bytes()).problem(422);
    for (method, path) in [
        ("POST", path),
        ("POST", "/batch"),
        ("POST", "/boards"),
        ("PATCH", "/boards/e:large"),
        ("POST", "/boards/e:large/votes"),
    ] {
        api.text(method, path, "application/json", body((1 << 20) + 1).as_bytes()).problem(413);
    }
    // The announced length alone is a reason to refuse the request.
    let head = [
        "POST /api/v1/batch HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Content-Length: 99999999999",
    ];
    raw(pair.gateway.address(), &head, b"{").problem(413);
    // A body without an announced length is refused too.
    let head = [
        "POST /api/v1/batch HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    ];
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20));
    let body = format!("{chunk}{chunk}0\r\n\r\n");
    raw(pair.gateway.address(), &head, body.as_bytes()).problem(413);
    assert_eq!(say(&pair.server, "EXISTS e:large"), redis::Value::Int(0));
}

#[test]
fn requests_that_are_no_http_are_turned_away() {
    let pair = shared();
    let address = pair.gateway.address();
    let get = |path: &str| raw(address, &[&format!("GET {path} HTTP/1.1"), "Host: localhost"], b"");
    for path in [
        "/api/v1/boards/%zz",
        "/api/v1/boards/%",
        "/api/v1/boards/%f",
        "/api/v1/boards/%ff",
        "/api/v1/boards/a/members/%c3%28",
    ] {
        get(path).problem(400);
    }
    get("/api/v1/boards/a/top?view=%zz").problem(400);
    get("/api/v1/boards/a/top?view=%ff").problem(400);
    assert_eq!(get(&format!("/api/v1/boards/{}", "a".repeat(100_000))).status / 100, 4);
    assert_eq!(raw(address, &["NONSENSE"], b"").status, 400);
    assert_eq!(
        raw(address, &["GET /api/v1/boards HTTP/1.1", "Host: localhost", "Content-Length: x"], b"").status,
        400
    );
    let header = format!("X-Long: {}", "x".repeat(1 << 20));
    assert_eq!(
        raw(address, &["GET /api/v1/boards HTTP/1.1", "Host: localhost", &header], b"").status / 100,
        4
    );
    get("/api/v1/boards/a/top").body_is_rows();
}

impl crate::support::Raw {
    fn body_is_rows(&self) {
        assert_eq!(self.status, 200, "{}", self.head);
        assert!(self.body.starts_with(b"{\"rows\":"), "{}", self.body.escape_ascii());
    }
}
