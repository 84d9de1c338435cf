//! What pages of other web sites can do, tickets of live streams, limits of tokens, strict reads, and compressed answers.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::servers::{Flavor, Server, wait_until};
use crate::support::{Api, Gateway, encoded};
use crate::tokens::Tokens;

const SITE: &str = "https://game.example.org";

struct Stage {
    gateway: Gateway,
    file: Tokens,
    admin: String,
    _server: Server,
}

impl Stage {
    fn new() -> Stage {
        let server = Server::start(Flavor::Redis70);
        let file = Tokens::new();
        let admin = file.make("ann", "admin", &["*"]);
        let gateway =
            Gateway::builder(&[&server]).args(&[("--tokens", file.path()), ("--cors", SITE)]).start();
        Stage { gateway, file, admin, _server: server }
    }

    fn api(&self) -> Api {
        self.gateway.api().bearer(&self.admin)
    }
}

#[test]
fn pages_of_named_sites_use_the_api_with_a_token() {
    let stage = Stage::new();
    let asked = stage.gateway.api().with("origin", SITE).with("access-control-request-method", "POST");
    let asked = asked.with("access-control-request-headers", "authorization,idempotency-key");
    let told = asked.send("OPTIONS", "/boards", None).status(200);
    assert_eq!(told.header("access-control-allow-origin"), Some(SITE));
    let headers = told.header("access-control-allow-headers").expect("headers");
    assert!(headers.contains("authorization") && headers.contains("idempotency-key"), "{headers}");
    assert_eq!(told.header("access-control-allow-credentials"), None);
    let page = stage.api().with("origin", SITE).with("sec-fetch-site", "cross-site");
    let made = page.post("/boards", json!({"key": "b"})).status(201);
    assert_eq!(made.header("access-control-allow-origin"), Some(SITE));
    let other = stage.api().with("origin", "https://other.example.org").with("sec-fetch-site", "cross-site");
    let refused = other.post("/boards", json!({"key": "c"}));
    assert_eq!(refused.header("access-control-allow-origin"), None);
    refused.problem(403);
}

#[test]
fn pages_of_named_sites_have_no_session() {
    let stage = Stage::new();
    let form = format!("token={}", encoded(&stage.admin));
    let signed =
        stage.gateway.api().text("POST", "//login", "application/x-www-form-urlencoded", form.as_bytes());
    let cookie = signed
        .status(303)
        .header("set-cookie")
        .expect("a cookie")
        .split(';')
        .next()
        .expect("a pair")
        .to_owned();
    let own = stage.gateway.api().with("cookie", &cookie);
    own.get("/boards").status(200);
    own.with("origin", SITE).get("/boards").problem(401);
    own.with("origin", SITE).post("/boards", json!({"key": "b"})).problem(401);
}

#[test]
fn a_ticket_opens_streams_of_its_board() {
    let stage = Stage::new();
    let api = stage.api();
    for key in ["songs", "so/ngs"] {
        api.post("/boards", json!({"key": key})).status(201);
    }
    let ticket = api.send("POST", "/boards/so%2Fngs/live/tickets", None).value(201);
    let ticket = encoded(ticket["ticket"].as_str().expect("a ticket"));
    let stranger = stage.gateway.api();
    let opened = |path: &str| {
        let mut stream = TcpStream::connect(stage.gateway.address()).expect("a connection");
        let head = format!("GET /api/v1{path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        let mut start = [0; 15];
        stream.read_exact(&mut start).expect("an answer");
        String::from_utf8_lossy(&start).into_owned()
    };
    assert_eq!(opened(&format!("/boards/so%2Fngs/live?ticket={ticket}")), "HTTP/1.1 200 OK");
    stranger.get(&format!("/boards/songs/live?ticket={ticket}")).problem(401);
    stranger.get(&format!("/boards/so%2Fngs/top?ticket={ticket}")).problem(401);
    let other = ticket.replace('0', "1");
    stranger.get(&format!("/boards/so%2Fngs/live?ticket={other}")).problem(401);
    stage.file.withdraw("ann");
    wait_until(|| stranger.get(&format!("/boards/so%2Fngs/live?ticket={ticket}")).status == 401);
}

#[test]
fn a_token_sends_so_many_requests_in_a_second() {
    let stage = Stage::new();
    let slow = stage.file.make_with("bob", "viewer", &["*"], &["--rate", "3", "--streams", "0"]);
    let api = stage.gateway.api().bearer(&slow);
    wait_until(|| api.get("/boards").status == 200);
    let statuses: Vec<_> = (0..20).map(|_| api.get("/boards")).collect();
    let refused = statuses.iter().find(|reply| reply.status == 429).expect("one request too many");
    assert_eq!(refused.header("retry-after"), Some("1"));
    for _ in 0..20 {
        stage.api().get("/boards").status(200);
    }
    wait_until(|| {
        let reply = api.get("/boards/b/live");
        reply.status == 429 && reply.problem(429).contains("--streams")
    });
}

#[test]
fn strict_reads_find_no_board() {
    let stage = Stage::new();
    let api = stage.api();
    api.get("/boards/none/top").is(200, json!({"rows": []}));
    for path in ["top", "stats", "count", "range?first=1&last=2", "members/a?b64=false", "live", "segments/c"]
    {
        let sign = if path.contains('?') { '&' } else { '?' };
        let refused = api.get(&format!("/boards/none/{path}{sign}strict=true")).problem_value(404);
        assert_eq!(refused["type"], "urn:leaderboard:no-board", "{path}");
    }
    api.post("/boards", json!({"key": "b"})).status(201);
    api.get("/boards/b/top?strict=true").is(200, json!({"rows": []}));
    api.get("/boards/b/top?strict=false&count=1").is(200, json!({"rows": []}));
    api.get("/boards/b/top?strict=yes").names(400, &["strict"]);
    api.get("/leagues/none?strict=true").names(400, &["strict"]);
}

#[test]
fn large_answers_are_compressed_for_those_who_take_it() {
    let stage = Stage::new();
    let taken = stage.api().with("accept-encoding", "gzip");
    let large = taken.get("/openapi.json").status(200);
    assert_eq!(large.header("content-encoding"), Some("gzip"));
    assert_eq!(&large.body[..2], [0x1f, 0x8b]);
    assert_eq!(stage.api().get("/openapi.json").status(200).header("content-encoding"), None);
    assert_eq!(taken.get("/boards").status(200).header("content-encoding"), None, "a small answer");
}
