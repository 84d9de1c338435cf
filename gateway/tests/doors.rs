//! Tests of access in general: the Host header, requests that other sites forge, sessions of browsers, and the headers
//! that make browsers safer.

use std::net::SocketAddr;
use std::process::Command;

use serde_json::json;

use crate::servers::{Flavor, Server, wait_until};
use crate::setup::say;
use crate::support::{Api, Gateway, encoded, raw, shared, tokens};
use crate::tokens::Tokens;

/// Sends a request for a path with these Host headers and these other headers. Returns the status.
fn asked(address: SocketAddr, path: &str, hosts: &[&str], headers: &[&str]) -> u16 {
    let mut head = vec![format!("GET {path} HTTP/1.1")];
    head.extend(hosts.iter().map(|host| format!("Host: {host}")));
    head.extend(headers.iter().map(|header| (*header).to_owned()));
    raw(address, &head.iter().map(String::as_str).collect::<Vec<_>>(), b"").status
}

const STRANGE: [&str; 10] = [
    "evil.example",
    "localhost.evil.example",
    "evil.example:80",
    "board.example.org.evil.example",
    "xboard.example.org",
    "127.0.0.1.evil.example",
    "169.254.169.254",
    "localhost@evil.example",
    "",
    "localhost, evil.example",
];

#[test]
fn other_names_of_the_host_are_turned_away() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--host", "Board.example.org").start();
    let address = gateway.address();
    let status = |hosts: &[&str]| asked(address, "/api/v1/boards", hosts, &[]);
    let port = address.port();
    for host in [
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "[::1]",
        "[::1]:80",
        "board.example.org",
        "BOARD.EXAMPLE.ORG:443",
    ] {
        assert_eq!(status(&[host]), 200, "{host}");
    }
    assert_eq!(status(&[&format!("127.0.0.1:{port}")]), 200);
    for host in STRANGE {
        assert!([400, 421].contains(&status(&[host])), "{host:?}");
        // Without tokens, a header with a token proves nothing, because every web page can send it.
        let bearer = asked(address, "/api/v1/boards", &[host], &["Authorization: Bearer lbt_x"]);
        assert!([400, 421].contains(&bearer), "{host:?}");
    }
    assert!([400, 421].contains(&status(&[])), "no host");
    assert!([400, 421].contains(&status(&["localhost", "evil.example"])), "two hosts");
    assert!([400, 421].contains(&status(&["localhost", "localhost"])), "twice");
    raw(address, &["GET /api/v1/boards HTTP/1.1", "Host: evil.example"], b"").problem(421);
    let old = raw(address, &["GET /api/v1/boards HTTP/1.0"], b"");
    assert!([400, 421].contains(&old.status), "{}", old.head);
    // A host name in the request line is used instead of the header.
    let absolute = raw(address, &["GET http://evil.example/api/v1/boards HTTP/1.1", "Host: localhost"], b"");
    assert!([400, 421].contains(&absolute.status), "{}", absolute.head);
}

#[test]
fn only_cookies_need_a_name_of_the_host() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann", "viewer", &["*"]);
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let address = gateway.address();
    let session = sign_in(&gateway.api(), &token);
    let (bearer, cookie) = (format!("Authorization: Bearer {token}"), format!("Cookie: {session}"));
    for host in STRANGE.into_iter().filter(|host| !host.is_empty()) {
        for path in ["/healthz", "/metrics", "/api/v1/boards", "/boards"] {
            assert_eq!(asked(address, path, &[host], &[&bearer]), 200, "{path} {host}");
        }
        assert_eq!(asked(address, "/healthz", &[host], &[]), 200, "{host}");
        assert_eq!(asked(address, "/readyz", &[host], &[]), 200, "{host}");
        for path in ["/api/v1/boards", "/boards", "/login"] {
            assert_eq!(asked(address, path, &[host], &[&cookie]), 421, "{path} {host}");
        }
        // The token is used, and the cookie of the same request is ignored.
        assert_eq!(asked(address, "/boards", &[host], &[&bearer, &cookie]), 200, "{host}");
        assert_eq!(asked(address, "/api/v1/boards", &[host], &["Authorization: Bearer x", &cookie]), 401);
    }
    assert_eq!(asked(address, "/boards", &["localhost"], &[&cookie]), 200);
}

#[test]
fn the_machine_answers_to_its_own_names() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann", "viewer", &["*"]);
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).listen("0.0.0.0:0").start();
    let port = gateway.address().port();
    // An address of this machine: all addresses of 127.0.0.0/8 are.
    let address = SocketAddr::from(([127, 0, 0, 5], port));
    let cookie = format!("Cookie: {}", sign_in(&Api::new(SocketAddr::from(([127, 0, 0, 1], port))), &token));
    let name = Command::new("uname").arg("-n").output().expect("a name").stdout;
    let name = String::from_utf8(name).expect("a text").trim().to_ascii_uppercase();
    let status = |host: &str| asked(address, "/boards", &[host], &[&cookie]);
    for host in ["127.0.0.5", &format!("127.0.0.5:{port}"), &name, &format!("{name}:{port}"), "localhost"] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["127.0.0.6", "[::ffff:127.0.0.6]", &format!("x{name}")] {
        assert_eq!(status(host), 421, "{host}");
    }
}

#[test]
fn a_star_stands_for_every_name_of_the_host() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--host", "*").start();
    for host in STRANGE.into_iter().filter(|host| !host.is_empty()) {
        assert_eq!(asked(gateway.address(), "/api/v1/boards", &[host], &[]), 200, "{host}");
    }
}

/// Signs in with a token, and returns the session's cookie.
fn sign_in(api: &Api, token: &str) -> String {
    let form = format!("token={token}");
    let reply = api.text("POST", "//login", "application/x-www-form-urlencoded", form.as_bytes()).status(303);
    let cookie = reply.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    cookie.expect("a cookie").to_owned()
}

#[test]
fn the_sessions_of_one_token_end_no_others() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (ann, bob) = (file.make("ann", "admin", &["*"]), file.make("bob", "viewer", &["*"]));
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let api = gateway.api();
    let anns = api.with("cookie", &sign_in(&api, &ann));
    let first = api.with("cookie", &sign_in(&api, &bob));
    let more: Vec<_> = (0..300).map(|_| sign_in(&api, &bob)).collect();
    first.get("/boards").problem(401);
    api.with("cookie", &more[299]).get("/boards").status(200);
    anns.get("/boards").status(200);
}

#[test]
fn other_sites_cannot_send_changes() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.ADD d:csrf 5 ann");
    let (address, body) = (pair.gateway.address().to_string(), json!({"points": 1}));
    let change = |api: &Api| -> Vec<u16> {
        vec![
            api.post("/boards/d:csrf/members/ann/score", body.clone()).status,
            api.put("/boards/d:csrf/members/ann/meta", json!({"meta": "x"})).status,
            api.patch("/boards/d:csrf", json!({"dedup": 5})).status,
            api.delete("/boards/d:csrf/members/ann/hidden").status,
        ]
    };
    let forged = [
        api.with("sec-fetch-site", "cross-site"),
        api.with("sec-fetch-site", "same-site"),
        api.with("sec-fetch-site", "cross-site").with("origin", "https://evil.example"),
        api.with("origin", "https://evil.example"),
        api.with("origin", "null"),
        api.with("origin", "http://localhost.evil.example"),
    ];
    let before = say(&pair.server, "DEBUG DIGEST-VALUE d:csrf");
    for api in &forged {
        assert_eq!(change(api), [403; 4]);
        api.post("/boards/d:csrf/members/ann/score", body.clone()).problem(403);
        api.with("content-type", "application/x-www-form-urlencoded")
            .send("POST", "//language", Some(b""))
            .status_is_one_of(&[403, 405]);
        // Reads are not refused: the browser's own rules protect them.
        assert_eq!(api.get("/boards/d:csrf/top").status, 200);
    }
    assert_eq!(say(&pair.server, "DEBUG DIGEST-VALUE d:csrf"), before);
    let own = [
        api.clone(),
        api.with("sec-fetch-site", "same-origin").with("origin", &format!("http://{address}")),
        api.with("sec-fetch-site", "same-origin"),
        api.with("sec-fetch-site", "none"),
        api.with("origin", &format!("http://{address}")),
    ];
    for api in &own {
        assert_eq!(change(api), [200, 204, 200, 200]);
    }
}

impl crate::support::Reply {
    #[track_caller]
    fn status_is_one_of(self, statuses: &[u16]) {
        assert!(statuses.contains(&self.status), "{}", self.status);
    }
}

#[test]
fn a_browser_signs_in_and_out() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann", "editor", &["songs*"]);
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let api = gateway.api();
    let form = |api: &Api, path: &str, text: &str| {
        api.text("POST", path, "application/x-www-form-urlencoded", text.as_bytes())
    };
    for wrong in ["", "lbt_", "x", &token[..token.len() - 1]] {
        let reply = form(&api, "//login", &format!("token={}", encoded(wrong))).status(401);
        assert_eq!(reply.header("set-cookie"), None);
    }
    let reply = form(&api, "//login", &format!("token={token}")).status(303);
    let cookie = reply.header("set-cookie").expect("a cookie").to_owned();
    let attributes: Vec<_> = cookie.split(';').map(|part| part.trim().to_ascii_lowercase()).collect();
    for attribute in ["httponly", "samesite=strict", "path=/"] {
        assert!(attributes.iter().any(|given| given == attribute), "{cookie}");
    }
    let session = cookie.split(';').next().expect("a session");
    assert!(!cookie.contains(&token) && session.len() > 40, "{cookie}");
    let browser = api.with("cookie", session);
    browser.get("/boards/songs/top").status(200);
    browser.get("/boards/other/top").problem(403);
    browser
        .with("sec-fetch-site", "same-origin")
        .post("/boards/songs/members/ann/score", json!({"points": 1}))
        .status(200);
    browser
        .with("sec-fetch-site", "cross-site")
        .post("/boards/songs/members/ann/score", json!({"points": 1}))
        .problem(403);
    browser.get("//boards").status(200);
    api.get("//boards").status(303);
    api.get("/boards/songs/top").problem(401);
    let (name, value) = session.split_once('=').expect("a name");
    api.with("cookie", &format!("{name}=x")).get("/boards/songs/top").problem(401);
    api.with("cookie", &format!("other={value}")).get("/boards/songs/top").problem(401);
    // The value of a session is not accepted as a token, and a token is not accepted as a session.
    api.bearer(value).get("/boards/songs/top").problem(401);
    api.with("cookie", &format!("{name}={token}")).get("/boards/songs/top").problem(401);
    form(&browser, "//logout", "").status(303);
    browser.get("/boards/songs/top").problem(401);
}

#[test]
fn a_session_ends_with_its_token() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann", "viewer", &["*"]);
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let api = gateway.api();
    let browser = api.with("cookie", &sign_in(&api, &token));
    browser.get("/boards").status(200);
    assert!(tokens(&["drop", file.path(), "--name", "ann"]).status.success());
    wait_until(|| browser.get("/boards").status == 401);
}

#[test]
fn every_reply_keeps_browsers_careful() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann", "viewer", &["*"]);
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let (api, mine) = (gateway.api(), gateway.api().bearer(&token));
    let replies = [
        mine.get("/boards"),
        mine.get("/boards/absent"),
        mine.get("/nothing"),
        mine.get("/boards?colour=red"),
        mine.post("/boards", json!({})),
        mine.get("/boards/a/options.csv"),
        mine.get("/openapi.json"),
        mine.get("//boards"),
        mine.get("//metrics"),
        mine.get("//assets/console.css"),
        mine.get("//assets/nothing"),
        mine.with("sec-fetch-site", "cross-site").post("/boards", json!({})),
        api.get("/boards"),
        api.get("//login"),
        api.get("//boards"),
        api.get("//healthz"),
        api.text("PUT", "/boards/a/options.csv", "text/csv", &vec![b'x'; 9 << 20]),
    ];
    for reply in &replies {
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{reply:?}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{reply:?}");
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{reply:?}");
        assert!(reply.header("referrer-policy").is_some(), "{reply:?}");
        assert_eq!(reply.header("access-control-allow-origin"), None, "{reply:?}");
    }
    let turned_away = raw(gateway.address(), &["GET / HTTP/1.1", "Host: evil.example"], b"");
    assert!(
        turned_away.head.to_ascii_lowercase().contains("x-content-type-options: nosniff"),
        "{}",
        turned_away.head
    );
    // Data that needs a token must not be stored in shared caches.
    let cached = replies[0].header("cache-control").unwrap_or_default();
    assert!(
        cached.contains("no-store") || cached.contains("private") || cached.contains("no-cache"),
        "cache-control: {cached:?}"
    );
}
