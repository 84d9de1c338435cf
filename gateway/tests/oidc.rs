//! Tests of sign-in by an OpenID Connect provider, as far as they need no browser: what keeps the gateway from starting, and
//! providers that are down or answer wrongly. `gateway/browser/tests/provider.js` signs in with a real provider.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::servers::{Flavor, Server};
use crate::support::{Gateway, program};
use crate::tokens::Tokens;

const REDIRECT: &str = "https://board.example.org/login/callback";
const ISSUER: &str = "https://login.example.org";

/// The flags, with those of `other` in place of the ones with the same name. A value that is empty leaves the flag out.
fn flags<'a>(tokens: &'a Tokens, other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![
        ("--tokens", tokens.path()),
        ("--oidc-issuer", ISSUER),
        ("--oidc-client-id", "console"),
        ("--oidc-redirect", REDIRECT),
        ("--oidc-role", "groups=staff viewer *"),
    ];
    all.retain(|(name, _)| other.iter().all(|(its, _)| its != name));
    all.extend(other.iter().filter(|(_, value)| !value.is_empty()));
    all
}

/// Fails if the program starts. Returns what it says.
fn refusal(flags: &[(&str, &str)]) -> String {
    let args = flags.iter().flat_map(|(name, value)| [*name, *value]);
    let output = Command::new(program())
        .args(["--http", "127.0.0.1:0"])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("an end");
    assert!(!output.status.success(), "it should not start with {flags:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let tokens = Tokens::new();
    tokens.make("ann", "viewer", &["*"]);
    let open = tokens.path().replace("tokens", "secret");
    fs::write(&open, "secret").expect("a file");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).expect("a mode");
    for (name, value, reason) in [
        ("--tokens", "", "--tokens"),
        ("--oidc-client-id", "", "--oidc-client-id"),
        ("--oidc-redirect", "", "--oidc-redirect"),
        ("--oidc-role", "", "--oidc-role"),
        ("--oidc-issuer", "", "--oidc-issuer"),
        ("--oidc-issuer", "http://login.example.org", "https://"),
        ("--oidc-issuer", "login", "--oidc-issuer"),
        ("--oidc-redirect", "https://board.example.org/", "/login/callback"),
        ("--oidc-redirect", "http://board.example.org/login/callback", "https://"),
        ("--oidc-role", "groups=staff king *", "CLAIM=VALUE ROLE GLOB"),
        ("--oidc-client-secret-file", &open, "600"),
        ("--oidc-client-secret-file", "/nowhere/secret", "/nowhere/secret"),
    ] {
        let said = refusal(&flags(&tokens, &[(name, value)]));
        assert!(said.contains(reason), "{name} {value:?}: {said}");
    }
}

/// An answer to a request without a token, with the name of its host: its status, head and body.
fn get(gateway: &Gateway, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(gateway.address()).expect("a connection");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// A provider that gives the same answer to each request, and then nothing more.
fn provider(answer: impl Fn(&mut TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4_096]);
            answer(&mut stream);
        }
    });
    format!("http://{address}")
}

#[test]
fn faults_of_the_provider_are_answered_in_time() {
    let server = Server::start(Flavor::Redis70);
    let tokens = Tokens::new();
    tokens.make("ann", "viewer", &["*"]);
    let text = |stream: &mut TcpStream, body: &str| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    };
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port");
    for issuer in [
        format!("http://{closed}"),
        provider(move |stream| text(stream, "{}")),
        provider(move |stream| text(stream, &format!("{{\"issuer\":\"{}\"}}", "x".repeat(4 << 20)))),
        provider(|_| thread::sleep(Duration::from_secs(20))),
        provider(|stream| {
            let _ = stream.write_all(
                b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            );
        }),
    ] {
        let gateway =
            Gateway::builder(&[&server]).args(&flags(&tokens, &[("--oidc-issuer", &issuer)])).start();
        let begun = Instant::now();
        let answer = get(&gateway, "/login/oidc", "board.example.org");
        assert!(answer.starts_with("HTTP/1.1 502 "), "{issuer}: {answer}");
        assert!(answer.contains(issuer.strip_prefix("http://").expect("an address")), "{issuer}: {answer}");
        assert!(begun.elapsed() < Duration::from_secs(8), "{issuer}");
        assert!(get(&gateway, "/login", "board.example.org").contains("/login/oidc"));
        assert!(get(&gateway, "/login/callback?code=x&state=y", "localhost").starts_with("HTTP/1.1 400 "));
        assert!(get(&gateway, "/login", "other.example.org").starts_with("HTTP/1.1 421 "));
    }
}

/// The greatest number of calls to the provider at once.
const CALLS: usize = 32;

#[test]
fn a_slow_provider_takes_a_few_requests_and_no_more() {
    let server = Server::start(Flavor::Redis70);
    let tokens = Tokens::new();
    tokens.make("ann", "viewer", &["*"]);
    let issuer = provider(|_| thread::sleep(Duration::from_secs(20)));
    let gateway = Gateway::builder(&[&server]).args(&flags(&tokens, &[("--oidc-issuer", &issuer)])).start();
    let sign_in = || get(&gateway, "/login/oidc", "board.example.org");
    let answers: Vec<String> = thread::scope(|scope| {
        let asked: Vec<_> = (0..CALLS + 8).map(|_| scope.spawn(sign_in)).collect();
        asked.into_iter().map(|answer| answer.join().expect("an answer")).collect()
    });
    let with = |status: &str| answers.iter().filter(|answer| answer.starts_with(status)).count();
    let (failed, refused) = (with("HTTP/1.1 502 "), with("HTTP/1.1 503 "));
    assert!(failed + refused == answers.len() && refused > 0, "{answers:?}");
}

#[test]
fn without_a_provider_its_paths_lead_to_the_token() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    for path in ["/login/oidc", "/login/callback?code=x&state=y"] {
        let answer = get(&gateway, path, "localhost");
        assert!(
            answer.starts_with("HTTP/1.1 303 ") && answer.contains("location: /login\r\n"),
            "{path}: {answer}"
        );
    }
}
