//! Tests of TLS between clients and the gateway, and between the gateway and servers.

use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::door::Door;
use super::wire::{Reply, Wire};
use crate::servers::{Flavor, Server, free_port};

/// A certificate authority, and its certificate for this machine.
struct Certificates(TempDir);

impl Certificates {
    fn make() -> Certificates {
        let it = Certificates(TempDir::new().expect("a directory"));
        fs::write(
            it.0.path().join("names"),
            "subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n",
        )
        .expect("a file");
        it.openssl(
            "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=authority",
        );
        it.openssl("req -newkey rsa:2048 -nodes -keyout own.key -out own.csr -subj /CN=localhost");
        it.openssl("x509 -req -in own.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out own.crt");
        it
    }

    fn openssl(&self, line: &str) {
        let done = Command::new("openssl")
            .args(line.split(' '))
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .expect("openssl");
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path").to_owned()
    }
}

/// Sends one command with redis-cli over TLS. Returns whether it succeeded, and the output.
fn cli(port: u16, authority: &str, command: &str) -> (bool, String) {
    let done = Command::new("redis-cli")
        .args(["--tls", "--cacert", authority, "-p", &port.to_string()])
        .args(command.split(' '))
        .stdin(Stdio::null())
        .output()
        .expect("redis-cli");
    (done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned())
}

#[test]
fn both_sides_can_be_encrypted() {
    let certificates = Certificates::make();
    let (authority, own, key) =
        (certificates.path("ca.crt"), certificates.path("own.crt"), certificates.path("own.key"));
    let port = free_port();
    // This is not a cluster: all parts are on one server.
    let _server = Server::builder(Flavor::Redis70)
        .arg("tls-port", &port.to_string())
        .arg("tls-cert-file", &own)
        .arg("tls-key-file", &key)
        .arg("tls-ca-cert-file", &authority)
        .arg("tls-auth-clients", "no")
        .start();
    let url = format!("rediss://127.0.0.1:{port}");
    let door = Door::to(
        std::slice::from_ref(&url),
        &["--resp-cert", &own, "--resp-key", &key],
        &[("SSL_CERT_FILE", &authority)],
    );
    let say = |command: &str| cli(door.port, &authority, command);
    assert_eq!(say("PING"), (true, "PONG\n".to_owned()));
    assert_eq!(say("LB.CREATE game PARTS 4").1, "OK\n");
    say("LB.MADD game ID first 1 a 2 b 3 c 4 d 5 e");
    assert_eq!(say("LB.COUNT game").1, "5\n");
    assert_eq!(say("LB.RANK game a").1, "5\n");
    // A client without TLS gets no reply.
    let mut plain = Wire::to(door.port);
    plain.raw(b"LB.COUNT game\r\n");
    let reply = plain.try_read();
    // An alert of TLS begins with the byte 21.
    assert!(matches!(reply, Err(_) | Ok(Reply::Other(21, _))), "{reply:?}");
    assert!(!cli(door.port, &Certificates::make().path("ca.crt"), "PING").0);

    // A server whose certificate authority is not known is not trusted.
    let others = Certificates::make();
    let distrustful = Door::to(&[url], &[], &[("SSL_CERT_FILE", &others.path("ca.crt"))]);
    let reply = distrustful.wire().say("LB.COUNT game");
    assert!(reply.is_error(), "{reply:?}");
}

#[test]
fn half_of_the_certificate_is_no_certificate() {
    let certificates = Certificates::make();
    let server = Server::start(Flavor::Redis70);
    let mut command = Command::new(crate::support::program());
    command
        .args(["--http", "127.0.0.1:0", "--redis", &format!("redis://127.0.0.1:{}", server.port())])
        .args(["--resp", "127.0.0.1:0", "--resp-cert", &certificates.path("own.crt")])
        .stdin(Stdio::null());
    let output = command.output().expect("an ended program");
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("resp-key"), "{text}");
}
