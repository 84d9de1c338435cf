//! Tests of clients that request much data. The data is sent in pieces, within the budget of a request and within the
//! share of its token. The server builds only a small part of it at a time, and other clients are served.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::servers::{Flavor, Server, info, run, wait_until};
use crate::setup::say;
use crate::support::{Api, Gateway, Reply, Stream, signal, tokens};

const MEMBERS: usize = 1_000;
/// The maximum length of a text, in bytes.
const TEXT: usize = 4_096;

/// Fills a board whose members have texts of the maximum length: 4 MB in total.
fn fill(server: &Server, key: &str) {
    let mut con = server.connection();
    for member in 0..MEMBERS {
        let text = format!("{member:>TEXT$}");
        run(&mut con, &["LB.ADD", key, &member.to_string(), &format!("m{member}"), "META", &text]);
    }
}

fn token(dir: &TempDir, name: &str, role: &str, keys: &str) -> String {
    let file = dir.path().join("tokens").to_str().expect("a path").to_owned();
    let made = tokens(&["new", &file, "--name", name, "--role", role, "--keys", keys]);
    String::from_utf8(made.stdout).expect("a token").trim().to_owned()
}

fn number(server: &Server, section: &str, field: &str) -> i64 {
    info(&mut server.connection(), section, field).parse().expect("a number")
}

/// The growth of the server's peak memory since the start, in bytes.
struct Growth<'a> {
    server: &'a Server,
    before: i64,
}

impl<'a> Growth<'a> {
    fn of(server: &'a Server) -> Self {
        Self { server, before: number(server, "memory", "used_memory_peak") }
    }

    fn peak(&self) -> i64 {
        number(self.server, "memory", "used_memory_peak") - self.before
    }
}

#[test]
fn a_large_reply_is_asked_for_in_pieces() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    fill(&server, "big");
    let growth = Growth::of(&server);
    let rows = |path: &str| api.get(path).value(200)["rows"].clone();
    for path in ["/boards/big/top?count=1000&meta=true", "/boards/big/range?first=1&last=-1&meta=true"] {
        let rows = rows(path);
        let rows = rows.as_array().expect("rows");
        assert_eq!(rows.len(), MEMBERS);
        for (place, row) in rows.iter().enumerate() {
            let member = MEMBERS - 1 - place;
            let expected = json!({"rank": place + 1, "member": format!("m{member}"),
                "score": member.to_string(), "meta": format!("{member:>TEXT$}")});
            assert_eq!(*row, expected);
        }
    }
    let around = rows("/boards/big/around/m500?count=400&meta=true");
    assert_eq!((around[0]["member"].clone(), around[800]["rank"].clone()), (json!("m900"), json!(900)));
    let names: Vec<_> = (0..MEMBERS).map(|member| format!("m{member}")).collect();
    for op in ["standing", "score", "among"] {
        let ops = json!([{"op": op, "key": "big", "members": names, "meta": true}]);
        let body = api.post("/batch", json!({"ops": ops})).value(200)["results"][0]["body"].clone();
        let list = if op == "among" { &body["rows"] } else { &body["members"] };
        assert_eq!(list.as_array().map(Vec::len), Some(MEMBERS), "{op}");
        let with_text = |row: &Value| row["meta"].as_str().is_some_and(|text| text.len() == TEXT);
        assert!(list.as_array().expect("a list").iter().all(with_text), "{op}");
    }
    let file = api.get("//boards/big/rows.csv").status(200);
    assert!(file.text().lines().count() == 1 + MEMBERS && file.body.len() > MEMBERS * TEXT);
    assert!(growth.peak() < 2 << 20, "the server built {} bytes at once", growth.peak());
}

#[test]
fn a_page_of_options_is_asked_for_in_pieces() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    let mut con = server.connection();
    for option in 0..MEMBERS {
        let text = format!("{option:>TEXT$}");
        run(&mut con, &["LB.OPTION", "songs", &format!("o{option}"), "META", &text]);
    }
    let growth = Growth::of(&server);
    let page = api.get("/boards/songs/options?count=700").value(200);
    assert_eq!(page["options"].as_array().map(Vec::len), Some(700));
    let next = page["next"].as_str().expect("a cursor").to_owned();
    let rest = api.get(&format!("/boards/songs/options?count=700&cursor={next}")).value(200);
    assert_eq!((rest["options"].as_array().map(Vec::len), &rest["next"]), (Some(300), &Value::Null));
    assert_eq!(api.get("/boards/songs/options.csv").status(200).text().lines().count(), 1 + MEMBERS);
    assert!(growth.peak() < 2 << 20, "the server built {} bytes at once", growth.peak());
}

#[test]
fn a_batch_for_too_many_rows_is_refused_before_anything_is_asked() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    say(&server, "LB.ADD game 5 ann");
    let tops = |ops: usize, count: usize| {
        let top = json!({"op": "top", "key": "game", "count": count, "meta": true});
        let vote = json!({"op": "vote", "key": "game", "votes": [{"member": "ann"}]});
        let ops = [vec![vote], vec![top; ops]].concat();
        json!({ "ops": ops })
    };
    let refusal = api.post("/batch", tops(99, 1_000)).problem(413);
    assert_eq!(refusal, "ops: they ask for 99000 rows, at most 10000 come at once");
    assert_eq!(
        say(&server, "LB.SCORE game ann"),
        redis::Value::Int(5),
        "not even the vote before them counts"
    );
    let ordinary = api.post("/batch", tops(99, 100)).value(200);
    assert!(ordinary["results"].as_array().expect("results").iter().all(|result| result["status"] == 200));
    assert_eq!(say(&server, "LB.SCORE game ann"), redis::Value::Int(6));
}

#[test]
fn a_request_ends_where_its_replies_pass_its_budget() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    fill(&server, "big");
    let growth = Growth::of(&server);
    let top = json!({"op": "top", "key": "big", "count": 100, "meta": true});
    let vote = json!({"op": "vote", "key": "big", "votes": [{"member": "m999"}]});
    let ops = [vec![top; 99], vec![vote]].concat();
    let results = api.post("/batch", json!({ "ops": ops })).value(200);
    let results = results["results"].as_array().expect("results").clone();
    let statuses: Vec<_> =
        results.iter().map(|result| result["status"].as_u64().expect("a status")).collect();
    let whole = statuses.iter().take_while(|status| **status == 200).count();
    assert!((12..=16).contains(&whole), "5 MiB are 13 such lists: {statuses:?}");
    assert!(statuses[whole..99].iter().all(|status| *status == 413), "{statuses:?}");
    assert_eq!(statuses[99], 200, "what reads no list goes on");
    let refusal = &results[98]["body"];
    assert_eq!(refusal["type"], "urn:leaderboard:reply-too-large");
    assert!(refusal["detail"].as_str().expect("a detail").contains("5 MiB"), "{refusal}");
    assert!(growth.peak() < 2 << 20, "the server built {} bytes at once", growth.peak());
}

#[test]
fn pages_that_are_followed_live_take_no_place_of_large_replies() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    say(&server, "LB.ADD songs 5 tide");
    let open = |_| Stream::open(gateway.address(), "//boards/songs/rows", &[]);
    let mut streams: Vec<_> = (0..5).map(open).collect();
    for stream in &mut streams {
        assert_eq!(stream.status, 200);
    }
    gateway.api().get("/boards/songs/top?count=1000&meta=true").status(200);
    gateway.api().get("//boards/songs").status(200);
}

/// Checks that votes are served while two tokens request as much data as they can, as often as they can.
#[test]
fn no_token_can_stop_the_server() {
    let server = Server::start(Flavor::Redis70);
    let dir = TempDir::new().expect("a directory");
    let viewers = ["a", "b"].map(|name| token(&dir, name, "viewer", "mine:*"));
    let voter = token(&dir, "voter", "voter", "votes");
    let file = dir.path().join("tokens").to_str().expect("a path").to_owned();
    let gateway = Gateway::builder(&[&server]).arg("--tokens", &file).start();
    fill(&server, "mine:1");
    let growth = Growth::of(&server);
    let is_over = AtomicBool::new(false);
    let ops = |count: usize| {
        let top = json!({"op": "top", "key": "mine:1", "count": count, "meta": true});
        json!({"ops": vec![top; 100]})
    };
    let attack = |api: &Api, round: usize| {
        let reply = match round % 3 {
            0 => api.post("/batch", ops(1_000)),
            1 => api.post("/batch", ops(100)),
            _ => api.get("/boards/mine:1/top?count=1000&meta=true"),
        };
        assert!([200, 413, 429, 503].contains(&reply.status), "{}", reply.status);
    };
    thread::scope(|scope| {
        let attackers: Vec<_> = (0..16)
            .map(|number| {
                let api = gateway.api().bearer(&viewers[number % 2]);
                scope.spawn(move || (0..6).for_each(|round| attack(&api, number + round)))
            })
            .collect();
        let (api, is_over) = (gateway.api().bearer(&voter), &is_over);
        let votes = scope.spawn(move || {
            let mut votes = 0;
            while !is_over.load(Ordering::Relaxed) {
                let vote = json!({"votes": [{"member": "tide"}]});
                assert_eq!(api.post("/boards/votes/votes", vote).value(200)["accepted"], true);
                votes += 1;
            }
            votes
        });
        attackers.into_iter().for_each(|attacker| attacker.join().expect("an attacker"));
        is_over.store(true, Ordering::Relaxed);
        let votes: i64 = votes.join().expect("a voter");
        assert_eq!(say(&server, "LB.SCORE votes tide"), redis::Value::Int(votes));
    });
    assert!(growth.peak() < 20 << 20, "the server built {} bytes at once", growth.peak());
}

/// Sends a vote, and closes the connection without waiting for the reply.
fn leave_after_a_vote(address: SocketAddr, headers: &str) {
    let body = json!({"votes": [{"member": "tide"}]}).to_string();
    let head = format!(
        "POST /api/v1/boards/votes/votes HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).expect("a connection");
    socket.write_all(head.as_bytes()).expect("a request");
}

/// Waits until votes of clients that have left use the only place of this caller, so that the next request is refused.
/// The server does not reply to these votes. Returns the refusal.
fn take_the_seat(gateway: &Gateway, headers: &str, api: &Api) -> Reply {
    let mut refusal = None;
    wait_until(|| {
        // The gateway may notice that the client has left before it sends the vote.
        leave_after_a_vote(gateway.address(), headers);
        let reply = api.get("/boards/votes/count");
        refusal = (reply.status == 429).then_some(reply);
        refusal.is_some()
    });
    refusal.expect("a refusal")
}

#[test]
fn readers_that_do_not_take_their_large_answers_keep_their_places() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    fill(&server, "big");
    let address = gateway.address();
    let path = "/api/v1/boards/big/top?count=1000&meta=true";
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let slow = (0..4).map(|_| {
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.write_all(request.as_bytes()).expect("a request");
        // The answer has begun.
        stream.read_exact(&mut [0; 100]).expect("the head of an answer");
        stream
    });
    let slow: Vec<TcpStream> = slow.collect();
    let api = gateway.api();
    api.get("/boards/big/top?count=1000&meta=true").problem(429);
    api.get("/boards/big/top?count=10").status(200);
    drop(slow);
    wait_until(|| api.get("/boards/big/top?count=1000&meta=true").status == 200);
}

#[test]
fn what_was_given_up_counts_until_the_server_has_answered() {
    let server = Server::start(Flavor::Redis70);
    let dir = TempDir::new().expect("a directory");
    let (one, other) = (token(&dir, "one", "voter", "votes"), token(&dir, "other", "voter", "votes"));
    let file = dir.path().join("tokens").to_str().expect("a path").to_owned();
    let flags = Gateway::builder(&[&server]).arg("--tokens", &file).arg("--max-per-token", "1");
    let gateway = flags.arg("--timeout-ms", "20000").start();
    let (greedy, fair) = (gateway.api().bearer(&one), gateway.api().bearer(&other));
    greedy.get("/boards/votes/count").status(200);
    say(&server, "CLIENT PAUSE 60000 WRITE");
    let refusal = take_the_seat(&gateway, &format!("Authorization: Bearer {one}\r\n"), &greedy);
    assert_eq!(refusal.header("retry-after"), Some("1"));
    assert!(refusal.problem(429).contains("--max-per-token"));
    thread::scope(|scope| {
        scope.spawn(|| fair.get("/boards/votes/count").status(200));
        greedy.get("/boards/votes/count").problem(429);
        say(&server, "CLIENT UNPAUSE");
    });
    wait_until(|| greedy.get("/boards/votes/count").status == 200);
}

#[test]
fn seats_that_wait_for_a_server_that_hangs_are_no_fault_of_their_caller() {
    let server = Server::start(Flavor::Redis70);
    let flags = Gateway::builder(&[&server]).arg("--max-per-token", "1").arg("--timeout-ms", "300");
    let gateway = flags.start();
    let api = gateway.api();
    api.get("/boards/songs/count").status(200);
    let process = number(&server, "server", "process_id").try_into().expect("a process");
    signal(process, "STOP");
    for reason in ["did not answer in time", "has not answered earlier requests"] {
        let said = api.get("/boards/songs/count").problem(503);
        assert!(said.contains(reason), "{said}");
    }
    api.get("//healthz").status(503);
    signal(process, "CONT");
    wait_until(|| api.get("/boards/songs/count").status == 200);
    api.get("//healthz").status(200);
}

#[test]
fn without_tokens_each_address_has_a_share() {
    let server = Server::start(Flavor::Redis70);
    let flags = Gateway::builder(&[&server]).arg("--max-per-token", "1").arg("--timeout-ms", "20000");
    let gateway = flags.arg("--trusted-proxy", "127.0.0.1").start();
    let from = |address: &str| gateway.api().with("x-forwarded-for", address);
    let neighbour = from("2001:db8::2");
    neighbour.get("/boards/votes/count").status(200);
    say(&server, "CLIENT PAUSE 60000 WRITE");
    take_the_seat(&gateway, "X-Forwarded-For: 2001:db8::1\r\n", &neighbour);
    thread::scope(|scope| {
        for address in ["2001:db8:0:1::1", "198.51.100.7"] {
            let other = from(address);
            scope.spawn(move || other.get("/boards/votes/count").status(200));
        }
        neighbour.get("/boards/votes/count").problem(429);
        say(&server, "CLIENT UNPAUSE");
    });
    wait_until(|| neighbour.get("/boards/votes/count").status == 200);
}
