//! Tests of passwords, of the number of users, and of TLS.

use std::sync::atomic::Ordering;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use redis::{Client, ProtocolVersion, RedisConnectionInfo, TlsCertificates};

use super::servers::{Flavor, Server, free_port, query, run, wait_until};
use super::{Cluster, Credentials, Pools, RetryingClient, anybody, ask, pools, runtime, text};

fn who(user: Option<&str>, password: &str) -> Credentials {
    Credentials { user: user.map(str::to_owned), password: Some(password.to_owned()) }
}

async fn refused(pools: &Pools, who: &Credentials) -> String {
    text(pools.of(who).await.err().expect("a refusal"))
}

#[test]
fn passwords_are_checked_each_time() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        run(&mut con, &["ACL", "SETUSER", "ann", "on", ">one", "~*", "+get", "+set"]);
        run(&mut con, &["CONFIG", "SET", "requirepass", "secret"]);
        runtime().block_on(async {
            let pools = pools(&[&server]);
            let ann = who(Some("ann"), "one");
            let sender = pools.of(&ann).await.unwrap();
            assert_eq!(ask(&sender, &["SET a 1", "GET a"]).await, ["OK", "1"], "{flavor:?}");
            assert!(ask(&sender, &["DEL a"]).await[0].starts_with("NOPERM"), "{flavor:?}");
            let default = pools.of(&who(None, "secret")).await.unwrap();
            assert_eq!(ask(&default, &["DEL a"]).await, ["1"], "{flavor:?}");
            for wrong in [who(Some("ann"), "two"), who(Some("bob"), "one"), who(None, "one")] {
                assert!(refused(&pools, &wrong).await.starts_with("WRONGPASS"), "{flavor:?}");
            }
            // If a client sends no password, the servers decide about its rights. Here it has no rights.
            let nobody = anybody(&pools).await;
            assert_eq!(ask(&nobody, &["GET a"]).await, ["NOAUTH Authentication required."], "{flavor:?}");
            // A connection that is already open stays open. A client that sends the old password is refused.
            run(&mut con, &["ACL", "SETUSER", "ann", "resetpass", ">two"]);
            assert!(refused(&pools, &ann).await.starts_with("WRONGPASS"), "{flavor:?}");
            run(&mut con, &["ACL", "DELUSER", "ann"]);
            let is_there = |con: &mut redis::Connection| {
                query::<String, _>(con, &["CLIENT", "LIST"]).contains("user=ann")
            };
            wait_until(|| !is_there(&mut con));
            assert!(ask(&sender, &["GET a"]).await[0].starts_with("WRONGPASS"), "{flavor:?}");
        });
    }
}

#[test]
fn a_user_without_use_loses_the_connections() {
    let server = Server::start(Flavor::Redis70);
    runtime().block_on(async {
        let pools = pools(&[&server]);
        let first = pools.of(&who(None, "0")).await.unwrap();
        for number in 1..300 {
            pools.of(&who(None, &number.to_string())).await.unwrap();
        }
        wait_until(|| pools.figures().connections.load(Ordering::Relaxed) == 256);
        // The first user's connection was closed. Its sender can still be used: it connects again.
        assert_eq!(ask(&first, &["PING"]).await, ["PONG"]);
        assert_eq!(pools.figures().connections.load(Ordering::Relaxed), 257);
    });
}

#[test]
fn passwords_are_not_shown() {
    let shown = format!("{:?}", who(Some("ann"), "secret"));
    assert!(shown.contains("ann") && !shown.contains("secret"), "{shown}");
    let error = Pools::new(&["redis://:secret@:x".to_owned()]).err().unwrap();
    assert!(error.contains("--redis") && !error.contains("secret"), "{error}");
}

#[test]
fn no_server_is_told_at_once() {
    let server = Server::start(Flavor::Redis70);
    let pools = pools(&[&server]);
    drop(server);
    runtime().block_on(async {
        assert!(refused(&pools, &who(None, "x")).await.starts_with("ERR no server answers"));
    });
}

/// Tests a cluster whose node uses TLS for all connections. Its certificate is signed by an authority of this test.
#[test]
fn the_others_of_a_cluster_with_tls_are_reached_with_tls() {
    // The program does this at its start.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let dir = tempfile::tempdir().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let names = vec!["127.0.0.1".to_owned(), "localhost".to_owned()];
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &authority).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(dir.path().join(name), text).unwrap();
        dir.path().join(name).to_str().unwrap().to_owned()
    };
    let (ca, crt, key) =
        (file("ca", &authority.pem()), file("crt", &certificate.pem()), file("key", &key.serialize_pem()));
    let port = free_port();
    let server = Server::builder(Flavor::Redis70)
        .in_cluster()
        .arg("tls-port", &port.to_string())
        .arg("tls-cluster", "yes")
        .arg("tls-auth-clients", "no")
        .arg("tls-ca-cert-file", &ca)
        .arg("tls-cert-file", &crt)
        .arg("tls-key-file", &key)
        .start();
    let slots: Vec<_> = ["CLUSTER", "ADDSLOTSRANGE", "0", "16383"].map(str::to_owned).to_vec();
    run(&mut server.connection(), &slots);
    wait_until(|| {
        query::<String, _>(&mut server.connection(), &["CLUSTER", "INFO"]).contains("cluster_state:ok")
    });
    let trust = TlsCertificates { client_tls: None, root_cert: Some(authority.pem().into_bytes()) };
    let client = Client::build_with_tls(format!("rediss://localhost:{port}"), trust).unwrap();
    let settings = RedisConnectionInfo::default().set_protocol(ProtocolVersion::RESP3);
    let seed = client.get_connection_info().clone().set_redis_settings(settings);
    runtime().block_on(async {
        let sender = RetryingClient::new(Cluster::new(vec![seed], &std::sync::Arc::default()));
        assert_eq!(ask(&sender, &["SET a 1", "GET a"]).await, ["OK", "1"]);
    });
    drop(server);
}
