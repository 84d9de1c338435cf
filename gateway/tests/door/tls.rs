//! Tests of TLS between clients and the door.

use std::fs;
use std::path::PathBuf;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use redis::{Client, TlsCertificates};
use tempfile::TempDir;

use super::Door;
use crate::servers::query;
use crate::support::program;

/// A certificate for this machine, and its key.
struct Files {
    dir: TempDir,
    certificate: String,
}

impl Files {
    fn new() -> Files {
        let dir = TempDir::new().expect("a directory");
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("a certificate");
        fs::write(dir.path().join("cert.pem"), cert.pem()).expect("a file");
        fs::write(dir.path().join("key.pem"), signing_key.serialize_pem()).expect("a file");
        Files { dir, certificate: cert.pem() }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_str().expect("a path").to_owned()
    }
}

#[test]
fn a_door_with_a_certificate_speaks_tls() {
    // Sets up TLS for the test's own client. Another test in this process may have done it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let files = Files::new();
    let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"));
    let door = Door::with(&[("--resp-cert", &certificate), ("--resp-key", &key)]);
    let url = format!("rediss://{}/", door.address());
    let trusted =
        TlsCertificates { client_tls: None, root_cert: Some(files.certificate.clone().into_bytes()) };
    let client = Client::build_with_tls(url.as_str(), trusted).expect("a client");
    let mut con = client.get_connection().expect("a connection");
    assert_eq!(query::<Vec<i64>, _>(&mut con, &["LB.ADD", "game", "5", "ann"]), [5, 1, 1]);
    let large = "x".repeat(5 << 20);
    assert_eq!(query::<String, _>(&mut con, &["ECHO", &large]), large);
    // A client that does not trust the certificate or does not use TLS gets no reply.
    assert!(Client::open(url).expect("a client").get_connection().is_err());
    assert!(!door.say("PING\r\n").contains("PONG"));
}

/// Returns the error text of a gateway that does not start with these flags.
fn refusal(flags: &[&str]) -> String {
    let output = std::process::Command::new(program())
        .args(["--http", "127.0.0.1:0"])
        .args(flags)
        .output()
        .expect("an ended program");
    assert!(!output.status.success(), "{flags:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let files = Files::new();
    let (certificate, key) = (files.path("cert.pem"), files.path("key.pem"));
    let missing = PathBuf::from(files.path("missing.pem"));
    let missing = missing.to_str().expect("a path");
    let resp = ["--resp", "127.0.0.1:0"];
    for (flags, expected) in [
        (vec!["--resp-cert", &certificate], "--resp-key"),
        (vec!["--resp-key", &key], "--resp-cert"),
        (vec!["--resp-cert", missing, "--resp-key", &key], "missing.pem"),
        (vec!["--resp-cert", &certificate, "--resp-key", missing], "missing.pem"),
        (vec!["--resp-cert", &certificate, "--resp-key", &certificate], "cert.pem"),
        (vec!["--resp-connections", "0"], "--resp-connections"),
        (vec!["--cache-ms", "10001"], "--cache-ms"),
        (vec!["--gather-timeout-ms", "9"], "--gather-timeout-ms"),
        (vec!["--gathers", "0"], "--gathers"),
        (vec!["--gather-wait-ms", "60001"], "--gather-wait-ms"),
        (vec!["--reply-mb", "0"], "--reply-mb"),
        (vec!["--replies-mb", "0"], "--replies-mb"),
    ] {
        let said = refusal(&[&resp[..], &flags].concat());
        assert!(said.contains(expected), "{flags:?}: {said}");
    }
    assert!(refusal(&["--resp-cert", &certificate, "--resp-key", &key]).contains("--resp"));
    assert!(refusal(&["--resp", "here"]).contains("--resp"));
}
