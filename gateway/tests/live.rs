//! Tests of live streams.

use serde_json::{Value, json};

use crate::servers::{Flavor, Server, info, wait_until};
use crate::setup::{row, say};
use crate::support::{Gateway, Pair, Stream};
use crate::tokens::Tokens;

/// Returns how many times the server received a command that reads rows.
fn tops(server: &Server) -> u64 {
    let text: String = crate::servers::query(&mut server.connection(), &["INFO", "commandstats"]);
    let of = |name: &str| {
        let line = text.lines().find_map(|line| {
            line.to_ascii_lowercase().strip_prefix(&format!("cmdstat_{name}:calls=")).map(str::to_owned)
        });
        line.and_then(|line| line.split(',').next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    of("lb.top") + of("lb.range")
}

fn fast(server: &Server) -> Gateway {
    Gateway::builder(&[server]).arg("--live-ms", "50").start()
}

#[test]
fn a_stream_begins_at_once_and_shows_changes() {
    let server = Server::start(Flavor::Redis70);
    let gateway = fast(&server);
    say(&server, "LB.ADD songs 5 tide META Tide");
    let mut stream = Stream::open(gateway.address(), "/boards/songs/live?count=2&meta=true", &[]);
    assert_eq!(stream.status, 200);
    let head = stream.head.to_ascii_lowercase();
    assert!(
        head.contains("content-type: text/event-stream") && head.contains("cache-control: no-cache"),
        "{head}"
    );
    let (event, data) = stream.next().expect("an event");
    assert_eq!(event, "rows");
    assert_eq!(data["rows"], json!([{"rank": 1, "member": "tide", "score": "5", "meta": "Tide"}]));
    assert_eq!(data["members"], 1);
    assert!(data["at"].as_u64().is_some_and(|at| at > 1_500_000_000_000), "{data}");
    assert_eq!(data.as_object().map(serde_json::Map::len), Some(3), "{data}");
    let first: u64 = stream.id.parse().expect("a number");
    say(&server, "LB.ADD songs 7 reef META Reef");
    say(&server, "LB.ADD songs 1 last");
    let seen = await_rows(&mut stream, |rows| {
        rows[0]["member"] == "reef" && rows.as_array().is_some_and(|rows| rows.len() == 2)
    });
    assert_eq!(seen[1]["member"], "tide");
    assert!(stream.id.parse::<u64>().expect("a number") > first);
}

fn await_rows(stream: &mut Stream, is: impl Fn(&Value) -> bool) -> Value {
    loop {
        let rows = stream.rows();
        if is(&rows) {
            return rows;
        }
    }
}

#[test]
fn who_comes_back_gets_the_state_of_now() {
    let server = Server::start(Flavor::Redis70);
    let gateway = fast(&server);
    say(&server, "LB.ADD songs 5 tide");
    let mut stream = Stream::open(gateway.address(), "/boards/songs/live", &[]);
    stream.rows();
    let seen = format!("Last-Event-ID: {}", stream.id);
    drop(stream);
    // Browsers send the id of the last event that they received. The rows may have changed or not since then, and the
    // gateway may have been restarted.
    for last in [&seen, "Last-Event-ID: 99999999", "Last-Event-ID: x"] {
        let mut again = Stream::open(gateway.address(), "/boards/songs/live", &[last]);
        assert_eq!((again.status, again.rows()), (200, json!([row(1, "tide", "5")])));
    }
}

#[test]
fn views_and_tallies_are_followed_apart() {
    let server = Server::start(Flavor::Redis70);
    let gateway = fast(&server);
    say(&server, "LB.CREATE songs VIEWS all,day SHOWN");
    say(&server, "LB.OPTION songs tide WEIGHT 3");
    say(&server, "LB.VOTE songs 2 tide");
    let first =
        |query: &str| Stream::open(gateway.address(), &format!("/boards/songs/live?{query}"), &[]).rows();
    assert_eq!(first(""), json!([row(1, "tide", "6")]));
    assert_eq!(first("real=true"), json!([row(1, "tide", "2")]));
    assert_eq!(first("view=day"), json!([row(1, "tide", "6")]));
    let api = gateway.api();
    for (query, word) in [
        ("count=101", "count"),
        ("count=x", "count"),
        ("view=week", "week"),
        ("colour=red", "colour"),
        ("real=1", "real"),
    ] {
        api.get(&format!("/boards/songs/live?{query}")).refuses(&[word]);
    }
    say(&server, "SET text x");
    api.get("/boards/text/live").problem(409);
}

#[test]
fn a_board_that_comes_and_goes_is_followed() {
    let server = Server::start(Flavor::Redis70);
    let gateway = fast(&server);
    let mut stream = Stream::open(gateway.address(), "/boards/songs/live", &[]);
    assert_eq!((stream.status, stream.rows()), (200, json!([])));
    say(&server, "LB.ADD songs 5 tide");
    await_rows(&mut stream, |rows| *rows == json!([row(1, "tide", "5")]));
    say(&server, "DEL songs");
    await_rows(&mut stream, |rows| *rows == json!([]));
}

#[test]
fn one_poller_serves_all_followers() {
    let server = Server::start(Flavor::Redis70);
    let gateway = fast(&server);
    say(&server, "LB.ADD songs 5 tide");
    let before = tops(&server);
    let follow = || Stream::open(gateway.address(), "/boards/songs/live?count=5", &[]);
    let mut streams: Vec<_> = (0..100).map(|_| follow()).collect();
    for stream in &mut streams {
        assert_eq!(stream.rows(), json!([row(1, "tide", "5")]));
    }
    // The gateway has one poller for all followers. While it sends ten reads, separate pollers would send a thousand.
    let opened = tops(&server);
    assert!(opened > before, "nobody asked");
    wait_until(|| tops(&server) >= opened + 10);
    let after = tops(&server);
    assert!(after - opened < 100, "{} reads for 100 followers of one board", after - opened);
    say(&server, "LB.ADD songs 7 reef");
    for stream in &mut streams {
        assert_eq!(stream.rows()[0], row(1, "reef", "7"));
    }
    // Without followers, the gateway reads nothing: the number of reads does not change for many intervals.
    drop(streams);
    wait_until(|| stands_still(&server));
    // A new follower gets the present rows.
    say(&server, "LB.ADD songs 9 last");
    assert_eq!(follow().rows()[0], row(1, "last", "9"));
}

/// Checks that no rows were read while the server's uptime advanced to a new second twice. The server has no other
/// command to count.
fn stands_still(server: &Server) -> bool {
    let uptime = || info(&mut server.connection(), "server", "uptime_in_seconds");
    let (before, began) = (tops(server), uptime());
    wait_until(|| uptime() != began);
    let second = uptime();
    wait_until(|| uptime() != second);
    tops(server) == before
}

#[test]
fn streams_are_capped() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--max-live", "2").arg("--max-listeners", "3").start();
    let follow = |key: &str| Stream::open(gateway.address(), &format!("/boards/{key}/live"), &[]);
    let mut open = vec![follow("a"), follow("b")];
    for stream in &mut open {
        stream.rows();
    }
    gateway.api().get("/boards/c/live").problem(503);
    open.push(follow("a"));
    assert_eq!(open[2].status, 200);
    gateway.api().get("/boards/a/live").problem(503);
    // When a follower leaves, its place is free again.
    drop(open);
    wait_until(|| follow("c").status == 200);
}

#[test]
fn one_token_leaves_streams_to_others() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (ann, bob) = (file.make("ann", "viewer", &["*"]), file.make("bob", "viewer", &["*"]));
    let gateway = Gateway::builder(&[&server])
        .args(&[("--tokens", file.path()), ("--max-live", "8"), ("--max-listeners", "16")])
        .start();
    let follow = |token: &str, key: &str| {
        let header = format!("Authorization: Bearer {token}");
        Stream::open(gateway.address(), &format!("/boards/{key}/live"), &[&header])
    };
    let opened = |token: &str, key: &str| -> Vec<Stream> {
        (0..20).map(|number| follow(token, &key.replace('N', &number.to_string()))).collect()
    };
    let open = |streams: &[Stream]| streams.iter().filter(|stream| stream.status == 200).count();
    let anns = opened(&ann, "aN");
    assert_eq!(open(&anns), 2, "a quarter of the boards");
    assert_eq!(follow(&ann, "b").status, 429);
    let more = opened(&ann, "a0");
    assert_eq!(open(&more), 2, "a quarter of the streams, with those before");
    let bobs: Vec<_> = [follow(&bob, "b")].into_iter().chain(opened(&bob, "a0")).collect();
    assert_eq!(open(&bobs), 4);
    drop(anns);
    wait_until(|| follow(&ann, "c").status == 200);
}

#[test]
fn a_stream_says_when_the_server_is_gone_and_goes_on_after() {
    let mut server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).arg("--live-ms", "50").arg("--timeout-ms", "300").start();
    say(&server, "LB.ADD songs 5 tide");
    let follow = || Stream::open(gateway.address(), "/boards/songs/live", &[]);
    let mut stream = follow();
    assert_eq!(stream.rows(), json!([row(1, "tide", "5")]));
    server.restart();
    say(&server, "LB.ADD songs 6 tide");
    // The stream goes on, or it ends and the client opens it again as browsers do.
    loop {
        match stream.next() {
            Some((_, data)) if data["rows"] == json!([row(1, "tide", "11")]) => return,
            Some(_) => {}
            None => {
                wait_until(|| {
                    stream = follow();
                    stream.status == 200
                });
            }
        }
    }
}

#[test]
fn the_gateway_ends_though_streams_are_open() {
    let mut pair = Pair::start(Flavor::Redis70);
    let mut streams: Vec<_> =
        (0..3).map(|_| Stream::open(pair.gateway.address(), "/boards/songs/live", &[])).collect();
    for stream in &mut streams {
        stream.rows();
    }
    assert!(pair.gateway.terminate(), "{}", pair.gateway.log());
    for stream in streams {
        stream.end();
    }
}
