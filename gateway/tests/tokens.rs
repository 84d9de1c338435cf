//! Tests of tokens: their file, the tasks that change it, and a running gateway that reads it again.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;
use tempfile::TempDir;

use crate::servers::{Flavor, Server, wait_until};
use crate::support::{Gateway, Stream, program, tokens};

/// A file of tokens in its own directory.
pub struct Tokens {
    _dir: TempDir,
    file: PathBuf,
}

impl Tokens {
    pub fn new() -> Tokens {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Tokens { file: dir.path().join("tokens"), _dir: dir }
    }

    pub fn path(&self) -> &str {
        self.file.to_str().expect("a path of text")
    }

    pub fn make(&self, name: &str, role: &str, keys: &[&str]) -> String {
        self.make_with(name, role, keys, &[])
    }

    /// Makes a token with more flags of the command line.
    pub fn make_with(&self, name: &str, role: &str, keys: &[&str], more: &[&str]) -> String {
        let mut args = vec!["new", self.path(), "--name", name, "--role", role];
        args.extend(keys.iter().flat_map(|key| ["--keys", key]));
        args.extend(more);
        let output = tokens(&args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }

    pub fn withdraw(&self, name: &str) {
        assert!(tokens(&["drop", self.path(), "--name", name]).status.success());
    }

    fn mode(&self) -> u32 {
        fs::metadata(&self.file).expect("the file").permissions().mode() & 0o777
    }

    fn set_mode(&self, mode: u32) {
        fs::set_permissions(&self.file, fs::Permissions::from_mode(mode)).expect("a mode");
    }
}

fn listed(tokens_file: &Tokens) -> String {
    let output = tokens(&["list", tokens_file.path()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_token_is_made_listed_and_withdrawn() {
    let file = Tokens::new();
    let token = file.make("ann", "editor", &["songs*", "league:?"]);
    assert_eq!(file.mode(), 0o600);
    let stored = fs::read_to_string(file.path()).expect("a text");
    let secret = token.rsplit('_').next().expect("the secret part");
    assert!(secret.len() >= 43, "256 bits are longer than {secret}");
    assert!(!stored.contains(secret), "the file holds the token itself");
    assert_ne!(file.make("bob", "viewer", &[]), token);
    let list = listed(&file);
    assert_eq!(list.lines().count(), 2, "{list}");
    for word in ["ann", "editor", "songs*", "league:?", "bob", "viewer", "*"] {
        assert!(list.contains(word), "{list} has no {word}");
    }
    assert!(!list.contains(secret));
    assert!(tokens(&["drop", file.path(), "--name", "ann"]).status.success());
    assert_eq!(file.mode(), 0o600);
    assert!(!listed(&file).contains("ann"));
    for refused in [
        vec!["drop", file.path(), "--name", "ann"],
        vec!["new", file.path(), "--name", "bob", "--role", "viewer"],
        vec!["new", file.path(), "--name", "cat", "--role", "king"],
        vec!["new", file.path(), "--name", "cat", "--role", "viewer", "--keys", "[a"],
        vec!["new", file.path(), "--role", "viewer"],
        vec!["list", "/nowhere/tokens"],
    ] {
        let output = tokens(&refused);
        assert!(!output.status.success(), "{refused:?}");
        assert!(!output.stderr.is_empty(), "{refused:?} says nothing");
    }
    assert_eq!(listed(&file).lines().count(), 1);
}

/// Returns the text that the program prints when it refuses to start. Fails if it starts.
fn refusal(args: &[&str]) -> String {
    let output = Command::new(program()).args(args).stdin(Stdio::null()).output().expect("an ended program");
    assert!(!output.status.success(), "it should not start with {args:?}");
    assert!(output.stdout.is_empty(), "{args:?} printed an address");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_file_that_others_can_read_is_refused() {
    let file = Tokens::new();
    file.make("ann", "admin", &[]);
    for mode in [0o640, 0o604, 0o644, 0o666] {
        file.set_mode(mode);
        assert!(!tokens(&["list", file.path()]).status.success(), "{mode:o}");
        let reason = refusal(&["--http", "127.0.0.1:0", "--tokens", file.path()]);
        assert!(reason.contains("tokens") && reason.contains("600"), "{reason}");
    }
    refusal(&["--http", "127.0.0.1:0", "--tokens", "/nowhere/tokens"]);
    file.set_mode(0o600);
    fs::write(file.path(), "no json\n").expect("a damaged file");
    refusal(&["--http", "127.0.0.1:0", "--tokens", file.path()]);
}

#[test]
fn other_machines_need_tokens() {
    let port =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    for address in [format!("0.0.0.0:{port}"), format!("[::]:{port}"), format!("192.0.2.1:{port}")] {
        let reason = refusal(&["--http", &address]);
        assert!(reason.contains("--tokens"), "{reason}");
    }
}

#[test]
fn a_running_gateway_follows_the_file() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (ann, bob) = (file.make("ann", "viewer", &["*"]), file.make("bob", "viewer", &["*"]));
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).arg("--live-ms", "50").start();
    let status = |token: &str| gateway.api().bearer(token).get("/boards").status;
    assert_eq!([status(&ann), status(&bob)], [200, 200]);
    let follow = |token: &str| {
        let mut stream = Stream::open(
            gateway.address(),
            "/boards/songs/live",
            &[&format!("Authorization: Bearer {token}")],
        );
        stream.rows();
        stream
    };
    let (anns, mut bobs) = (follow(&ann), follow(&bob));
    let cat = file.make("cat", "voter", &["*"]);
    wait_until(|| status(&cat) == 200);
    assert!(tokens(&["drop", file.path(), "--name", "ann"]).status.success());
    wait_until(|| status(&ann) == 401);
    // Streams that were opened with the token end; other streams continue.
    anns.end();
    gateway
        .api()
        .bearer(&cat)
        .post("/boards/songs/votes", json!({"votes": [{"member": "tide"}]}))
        .status(200);
    assert_eq!(bobs.rows()[0]["member"], "tide");
    // A damaged file changes nothing: the valid tokens stay valid, and no other token becomes valid.
    let good = fs::read_to_string(file.path()).expect("a text");
    let seen = gateway.log().len();
    fs::write(file.path(), format!("{good}{{\"name\":")).expect("a damaged file");
    wait_until(|| gateway.log().len() > seen);
    assert_eq!([status(&ann), status(&bob), status(&cat)], [401, 200, 200]);
    file.set_mode(0o600);
    fs::write(
        file.path(),
        good.lines().filter(|line| !line.contains("bob")).map(|line| format!("{line}\n")).collect::<String>(),
    )
    .expect("a file");
    wait_until(|| status(&bob) == 401);
    assert_eq!(status(&cat), 200);
}

#[test]
fn the_help_tells_of_every_flag() {
    let output = Command::new(program()).arg("--help").output().expect("help");
    let help = String::from_utf8(output.stdout).expect("text");
    for flag in [
        "--redis",
        "--http",
        "--tokens",
        "--oidc-issuer",
        "--oidc-role",
        "--read-only",
        "--host",
        "--audit",
        "--tag-ip",
        "--trusted-proxy",
        "--resp",
        "--resp-cert",
        "--resp-key",
        "--resp-connections",
        "--gather-timeout-ms",
        "--gathers",
        "--gather-wait-ms",
        "--reply-mb",
        "--replies-mb",
        "--cache-ms",
    ] {
        assert!(help.contains(flag), "--help has no {flag}");
    }
    assert!(help.contains("127.0.0.1:7380"), "{help}");
}
