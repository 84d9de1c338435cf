//! Tests of refused requests: their replies, and that they change nothing.

use serde_json::json;

use crate::servers::digest;
use crate::setup::{make, rows, say};
use crate::support::shared;

#[test]
fn unknown_paths_and_methods_are_problems() {
    let pair = shared();
    let api = pair.api();
    for path in [
        "/",
        "/board",
        "/boards/a/b",
        "/boards/a/topp",
        "/boards/a/memberz",
        "/boards/a/members/b/c",
        "/leagues",
        "/v2",
    ] {
        api.get(path).problem(404);
    }
    api.get("//api").problem(404);
    api.get("//api/v2/boards").problem(404);
    for (method, path) in [
        ("PUT", "/boards"),
        ("DELETE", "/boards"),
        ("POST", "/boards/a"),
        ("POST", "/boards/a/top"),
        ("GET", "/boards/a/votes"),
        ("DELETE", "/boards/a/votes"),
        ("PATCH", "/boards/a/members/b/score"),
        ("GET", "/batch"),
        ("POST", "/boards/a/options.csv"),
        ("PUT", "/leagues/a"),
        ("PATCH", "/batch"),
    ] {
        let body = (!["GET", "DELETE"].contains(&method)).then_some(b"{}".as_slice());
        let reply = api.with("content-type", "application/json").send(method, path, body);
        let allow = reply.header("allow").map(str::to_owned);
        reply.problem(405);
        assert!(allow.is_some_and(|allow| !allow.is_empty()), "{method} {path} has no Allow");
    }
}

#[test]
fn unknown_query_parameters_are_named() {
    let pair = shared();
    let api = pair.api();
    for path in [
        "/boards",
        "/boards/e:a",
        "/boards/e:a/top",
        "/boards/e:a/range?first=1&last=2",
        "/boards/e:a/around/b?count=1",
        "/boards/e:a/periods?view=all",
        "/boards/e:a/count",
        "/boards/e:a/voters",
        "/boards/e:a/stats",
        "/boards/e:a/quantile?q=0.5",
        "/boards/e:a/histogram?min=1&max=2&buckets=1",
        "/boards/e:a/live",
        "/boards/e:a/hidden",
        "/boards/e:a/members/b",
        "/boards/e:a/members/b/meta",
        "/boards/e:a/quota?by=b",
        "/boards/e:a/options",
        "/boards/e:a/options.csv",
        "/leagues/e:a",
        "/leagues/e:a/groups/b/1",
        "/leagues/e:a/members/b",
        "/counters/e:a",
        "/counters/e:a?precision=60",
        "//metrics",
    ] {
        let sign = if path.contains('?') { '&' } else { '?' };
        api.get(&format!("{path}{sign}colour=red")).names(400, &["colour"]);
    }
    for path in [
        "/boards",
        "/boards/e:a/live/tickets",
        "/boards/e:a/votes",
        "/boards/e:a/members/b/score",
        "/batch",
        "/leagues/e:a",
        "/leagues/e:a/add",
        "/counters/e:a",
    ] {
        api.post(&format!("{path}?colour=red"), json!({})).names(400, &["colour"]);
    }
    api.put("/boards/e:a/members/b/score?colour=red", json!({"score": 1})).names(400, &["colour"]);
    api.put("/boards/e:a/members/b/meta?colour=red", json!({"meta": "x"})).names(400, &["colour"]);
    api.put("/boards/e:a/options/b?colour=red", json!({})).names(400, &["colour"]);
    api.text("PUT", "/boards/e:a/options.csv?colour=red", "text/csv", b"member\n").names(400, &["colour"]);
    assert_eq!(say(&pair.server, "EXISTS e:a"), redis::Value::Int(0));
}

#[test]
fn wrong_query_values_are_named() {
    let pair = shared();
    let api = pair.api();
    for (query, word) in [
        ("count=ten", "count"),
        ("count=-1", "count"),
        ("count=", "count"),
        ("count=1001", "count"),
        ("count=99999999999999999999", "count"),
        ("offset=-1", "offset"),
        ("offset=x", "offset"),
        ("meta=yes", "meta"),
        ("rev=1", "rev"),
        ("real=TRUE", "real"),
        ("at=noon", "at"),
        ("count=1&count=2", "count"),
        ("ranks=", "ranks"),
    ] {
        api.get(&format!("/boards/e:query/top?{query}")).refuses(&[word]);
    }
    say(&pair.server, "LB.CREATE e:many");
    let members: Vec<_> = (0..1200).map(|n| format!("1 m{n}")).collect();
    say(&pair.server, &format!("LB.MADD e:many {}", members.join(" ")));
    for path in [
        "range?first=1&last=1001",
        "range?first=1&last=-1",
        "range?first=-1200&last=-1",
        "range?min=-inf&max=%2Binf&count=1001",
        "around/m5?count=501",
        "around/m5?count=18446744073709551615",
        "around/m5?above=600&below=600",
    ] {
        api.get(&format!("/boards/e:many/{path}")).refused();
    }
    let lines =
        |path: &str| api.get(&format!("/boards/e:many/{path}")).value(200)["rows"].as_array().map(Vec::len);
    assert_eq!(lines("range?first=1&last=1000"), Some(1000));
    assert_eq!(lines("range?first=-1000&last=-1"), Some(1000));
    assert_eq!(lines("top?count=1000&offset=100"), Some(1000));
    let quantiles: Vec<_> = (0..1001).map(|_| "q=0.5").collect();
    api.get(&format!("/boards/e:many/quantile?{}", quantiles.join("&"))).problem_value_in(&[414, 422, 431]);
}

#[test]
fn bodies_that_are_no_json_change_nothing() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.ADD e:body 5 ann");
    let before = digest(&mut pair.server.connection(), "e:body");
    let deep = format!("{{\"points\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let path = "/boards/e:body/members/ann/score";
    for body in [
        b"".as_slice(),
        b"{",
        b"5",
        b"null",
        b"[]",
        b"\"points\"",
        b"{\"points\":5",
        b"{\"points\":5}}",
        b"{\"points\":5} {\"points\":5}",
        b"{\"points\":5,}",
        b"{'points':5}",
        b"{\"points\":NaN}",
        b"{\"points\":05}",
        b"{\"points\":5,\"points\":6}",
        b"{\"points\":\"5\0\"}",
        b"{\"points\":\"\\u0000\"}",
        b"{\"points\":\"\xff\"}",
        b"{\"points\":\"\\ud800\"}",
        b"\0",
        b"\xef\xbb\xbf",
        deep.as_bytes(),
    ] {
        let reply = api.text("POST", path, "application/json", body);
        reply.refused();
    }
    // A body that is not sent as JSON is refused and not interpreted, because a form of another site can send such a
    // body.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        api.text("POST", path, kind, b"{\"points\":5}").problem(415);
    }
    api.send("POST", path, Some(b"{\"points\":5}")).problem(415);
    assert_eq!(digest(&mut pair.server.connection(), "e:body"), before);
    api.text("POST", path, "application/json; charset=utf-8", b" {\"points\" : 5}\n").status(200);
}

#[test]
fn refused_boards_are_not_made() {
    let pair = shared();
    let api = pair.api();
    for (body, word) in [
        (json!({}), "key"),
        (json!({"key": ""}), "key"),
        (json!({"key": 5}), "key"),
        (json!({"key": "e:new", "colour": "red"}), "colour"),
        (json!({"key": "e:new", "views": "fortnight"}), "fortnight"),
        (json!({"key": "e:new", "views": 5}), "views"),
        (json!({"key": "e:new", "order": "up"}), "order"),
        (json!({"key": "e:new", "decimals": 10}), "decimals"),
        (json!({"key": "e:new", "decimals": "two"}), "decimals"),
        (json!({"key": "e:new", "tz": "Moon/Base"}), "Moon/Base"),
        (json!({"key": "e:new", "shown": "yes"}), "shown"),
        (json!({"key": "e:new", "limit": "a voter 5 minute"}), "limit"),
        (json!({"key": "e:new", "limit": ["a voter five minute"]}), "max"),
        (json!({"key": "e:new", "limit": ["a voter 5 minute NX"]}), "limit"),
        (json!({"key": "e:new", "limit": [["a", "voter", 5]]}), "limit"),
        (json!({"key": "e:new", "limit": [[]]}), "limit"),
        (json!({"key": "e:new", "limit": [["a", "voter", 5, "minute", "LIKE", "e:other"]]}), "limit"),
        (json!({"key": "e:new", "nx": 1}), "nx"),
    ] {
        let problem = api.post("/boards", body.clone()).refused();
        let detail = problem["detail"].as_str().expect("a detail").to_lowercase();
        assert!(detail.contains(&word.to_lowercase()), "{body}: {detail} does not name {word}");
    }
    assert_eq!(say(&pair.server, "EXISTS e:new"), redis::Value::Int(0));
}

#[test]
fn a_value_is_never_an_option() {
    let pair = shared();
    let api = pair.api();
    make(&api, "e:inject", json!({"views": "all"}));
    // Each of these names and texts would be read as an option if it reached the server among the options.
    api.post("/boards/e:inject/members/AT/score", json!({"points": 5, "meta": "WITHCHANGE"})).status(200);
    let vote = json!({"by": "TAG", "tags": {"ID": "AT"}, "votes": [{"member": "BY"}]});
    api.post("/boards/e:inject/votes", vote).status(200);
    api.get("/boards/e:inject/top?view=all%20REV").problem(422);
    api.get("/boards/e:inject/around/COUNT?count=1").is(200, rows(&[]));
    api.get("/boards/e:inject/top?meta=true&count=1")
        .is(200, json!({"rows": [{"rank": 1, "member": "AT", "score": "5", "meta": "WITHCHANGE"}]}));
    api.get("/boards/e:inject/range?min=WITHMETA&max=REV").problem(422);
}

#[test]
fn a_list_is_no_object() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.ADD e:list 5 ann");
    let before = say(&pair.server, "DEBUG DIGEST-VALUE e:list");
    // Bodies that are lists of values without field names are refused, because the order of the fields is not defined.
    for (method, path, first) in [
        ("POST", "/boards/e:list/members/ann/score", json!([5])),
        ("PUT", "/boards/e:list/members/ann/score", json!([5])),
        ("PUT", "/boards/e:list/members/ann/meta", json!(["x"])),
        ("PUT", "/boards/e:list/options/ann", json!([1])),
        ("POST", "/boards/e:list/votes", json!([null, {}, [{"member": "ann"}]])),
        ("PATCH", "/boards/e:list", json!([null, null, null, null, 9])),
        ("POST", "/boards", json!(["e:list:new"])),
        ("POST", "/counters/e:list:counter", json!([])),
        ("POST", "/leagues/e:list:league/join", json!(["ann"])),
        ("POST", "/batch", json!([[]])),
    ] {
        let mut body = first.as_array().expect("a list").clone();
        for _ in 0..40 {
            api.json(method, path, &json!(body)).problem(400);
            body.push(json!(null));
        }
    }
    assert_eq!(say(&pair.server, "DEBUG DIGEST-VALUE e:list"), before);
    assert_eq!(say(&pair.server, "EXISTS e:list:new e:list:counter"), redis::Value::Int(0));
}
