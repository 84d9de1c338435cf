//! Tests of many operations in one request.

use serde_json::{Value, json};

use crate::servers::digest;
use crate::setup::{rows, say};
use crate::support::{Api, shared};

#[track_caller]
fn results(api: &Api, ops: &Value) -> Vec<(u64, Value)> {
    let mut reply = api.post("/batch", json!({"ops": ops})).value(200);
    let results = reply["results"].as_array_mut().expect("results");
    results
        .iter_mut()
        .map(|result| (result["status"].as_u64().expect("a status"), result["body"].take()))
        .collect()
}

fn written(score: &str, rank: u64, applied: bool) -> Value {
    json!({"score": score, "rank": rank, "applied": applied})
}

#[test]
fn operations_answer_in_their_order() {
    let pair = shared();
    let api = pair.api();
    let ops = json!([
        {"op": "add", "key": "x:order", "member": "ann", "points": 5},
        {"op": "add", "key": "x:order", "member": "bob", "points": "7"},
        {"op": "top", "key": "x:order", "count": 10},
        {"op": "set", "key": "x:order", "member": "ann", "score": 9, "meta": "Ann"},
        {"op": "top", "key": "x:order", "count": 1, "meta": true},
        {"op": "range", "key": "x:order", "first": 2, "last": 2},
        {"op": "range", "key": "x:order", "min": "(7", "max": "+inf"},
        {"op": "around", "key": "x:order", "member": "bob", "count": 1},
        {"op": "count", "key": "x:order"},
        {"op": "stats", "key": "x:order"},
        {"op": "setmeta", "key": "x:order", "member": "bob", "meta": "Bob"},
        {"op": "meta", "key": "x:order", "member": "bob"},
        {"op": "periods", "key": "x:order", "view": "all"},
        {"op": "info", "key": "x:order"},
        {"op": "vote", "key": "x:order", "by": "cat", "votes": [{"member": "bob", "votes": 3}]},
        {"op": "quota", "key": "x:order", "by": "cat"},
    ]);
    let answers = results(&api, &ops);
    let expected = [
        (200, written("5", 1, true)),
        (200, written("7", 1, true)),
        (200, rows(&[(1, "bob", "7"), (2, "ann", "5")])),
        (200, written("9", 1, true)),
        (200, json!({"rows": [{"rank": 1, "member": "ann", "score": "9", "meta": "Ann"}]})),
        (200, rows(&[(2, "bob", "7")])),
        (200, rows(&[(1, "ann", "9")])),
        (200, rows(&[(1, "ann", "9"), (2, "bob", "7")])),
        (200, json!({"members": 2})),
    ];
    assert_eq!(answers[..9], expected);
    assert_eq!([&answers[9].1["sum"], &answers[9].1["mean"]], ["16", "8.000000"]);
    assert_eq!(answers[10].0, 204);
    assert_eq!(answers[11], (200, json!({"meta": "Bob"})));
    assert_eq!(answers[12].1["periods"][0]["label"], "all");
    assert_eq!([&answers[13].1["key"], &answers[13].1["members"]], [&json!("x:order"), &json!(2)]);
    assert_eq!(answers[14].1, json!({"accepted": true, "results": [written("10", 1, true)]}));
    assert_eq!(answers[15], (200, json!({"quota": []})));
    assert_eq!(answers.len(), 16);
}

/// Returns the list of a body that contains exactly one list.
fn list(body: &Value) -> Vec<Value> {
    let lists: Vec<_> = body.as_object().expect("an object").values().filter_map(Value::as_array).collect();
    assert_eq!(lists.len(), 1, "{body}");
    lists[0].clone()
}

#[test]
fn members_are_looked_up_together() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.MADD x:many 5 ann 7 bob 6 cat");
    let members = json!(["ann", "nobody", "bob"]);
    let ops = json!([
        {"op": "standing", "key": "x:many", "members": members},
        {"op": "rank", "key": "x:many", "members": members},
        {"op": "score", "key": "x:many", "members": members},
        {"op": "among", "key": "x:many", "members": members},
    ]);
    let answers = results(&api, &ops);
    assert!(answers.iter().all(|(status, _)| *status == 200), "{answers:?}");
    let standings = list(&answers[0].1);
    assert_eq!(standings.len(), 3);
    assert_eq!(
        [&standings[0]["member"], &standings[0]["rank"], &standings[2]["rank"]],
        [&json!("ann"), &json!(3), &json!(1)]
    );
    assert_eq!(standings[1], Value::Null);
    let mut single = api.get("/boards/x:many/members/ann").value(200);
    assert_eq!(standings[0]["ahead"], single["ahead"].take());
    for (answer, what) in [(&answers[1].1, "rank"), (&answers[2].1, "score")] {
        let found = list(answer);
        assert_eq!(found.len(), 3, "{answer}");
        let value = |at: usize| found[at].get(what).unwrap_or(&found[at]).clone();
        let expected = if what == "rank" {
            [json!(3), Value::Null, json!(1)]
        } else {
            [json!("5"), Value::Null, json!("7")]
        };
        assert_eq!([value(0), value(1), value(2)], expected, "{answer}");
    }
    let among = list(&answers[3].1);
    assert_eq!(json!(["member", "score", "rank"].map(|name| among[0][name].clone())), json!(["bob", "7", 1]));
    assert_eq!(json!(["member", "score", "rank"].map(|name| among[1][name].clone())), json!(["ann", "5", 3]));
    assert_eq!(among.len(), 2);
}

#[test]
fn a_wrong_operation_is_its_own_problem() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "SET x:text x");
    let ops = json!([
        {"op": "add", "key": "x:wrong", "member": "ann", "points": 5, "id": "one"},
        {"op": "add", "key": "x:wrong", "member": "ann", "points": "five"},
        {"op": "leap", "key": "x:wrong"},
        {"op": "top", "key": "x:wrong", "count": 10, "colour": "red"},
        {"op": "top"},
        {"key": "x:wrong"},
        {"op": "top", "key": "x:wrong", "count": 1001},
        {"op": "top", "key": "x:wrong", "count": "ten"},
        {"op": "top", "key": "x:text"},
        {"op": "info", "key": "x:absent"},
        {"op": "add", "key": "x:wrong", "member": "ann", "points": 6, "id": "one"},
        {"op": "add", "key": "x:wrong", "member": "ann", "points": 5, "id": "one"},
        7,
        {"op": "top", "key": "x:wrong", "view": "week"},
        {"op": "add", "key": "x:wrong", "member": "bob", "points": 1},
    ]);
    let answers = results(&api, &ops);
    let statuses: Vec<_> = answers.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, [200, 422, 400, 400, 400, 400, 422, 400, 409, 404, 409, 200, 400, 422, 200]);
    for (status, body) in answers.iter().filter(|(status, _)| *status >= 400) {
        assert_eq!(body["status"], *status, "{body}");
        assert!(body["type"].as_str().is_some_and(|kind| kind.starts_with("urn:leaderboard:")), "{body}");
        assert!(
            ["title", "detail"].iter().all(|name| body[*name].as_str().is_some_and(|text| !text.is_empty())),
            "{body}"
        );
    }
    for (at, word) in [
        (1, "points"),
        (2, "leap"),
        (3, "colour"),
        (4, "key"),
        (5, "op"),
        (6, "count"),
        (7, "count"),
        (13, "week"),
    ] {
        let detail = answers[at].1["detail"].as_str().expect("a detail");
        assert!(detail.contains(word), "{at}: {detail}");
    }
    assert_eq!(answers[10].1["type"], "urn:leaderboard:request-reused");
    assert_eq!(answers[11].1, written("5", 1, false));
    assert_eq!(answers[14].1, written("1", 2, true));
}

#[test]
fn a_batch_has_at_most_100_operations() {
    let pair = shared();
    let api = pair.api();
    let ops = |n: usize| {
        json!(
            (0..n)
                .map(|n| json!({"op": "add", "key": format!("x:{}", n % 7), "member": "ann", "points": 1}))
                .collect::<Vec<_>>()
        )
    };
    assert_eq!(results(&api, &ops(100)).len(), 100);
    let before = digest(&mut pair.server.connection(), "x:0");
    assert_eq!(api.get("/boards/x:0/members/ann").value(200)["score"], "15");
    api.post("/batch", json!({"ops": ops(101)})).names(422, &["100"]);
    for body in [json!({}), json!({"ops": {}}), json!({"ops": ops(1), "atomic": true}), json!([])] {
        api.post("/batch", body).problem(400);
    }
    assert_eq!(digest(&mut pair.server.connection(), "x:0"), before);
    assert_eq!(results(&api, &json!([])).len(), 0);
}

#[test]
fn operations_of_one_key_go_in_order() {
    let pair = shared();
    let api = pair.api();
    let keys = ["x:a", "x:b", "x:c"];
    let ops: Vec<_> =
        (0..99).map(|n| json!({"op": "add", "key": keys[n % 3], "member": "ann", "points": 1})).collect();
    let answers = results(&api, &json!(ops));
    for (n, (status, body)) in answers.iter().enumerate() {
        assert_eq!((*status, body), (200, &written(&(n / 3 + 1).to_string(), 1, true)), "{n}");
    }
}

#[test]
fn the_members_of_an_operation_are_bounded() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "LB.ADD x:bound 5 m0");
    let members = |n: usize| (0..n).map(|n| format!("m{n}")).collect::<Vec<_>>();
    let votes = |n: usize| members(n).into_iter().map(|member| json!({"member": member})).collect::<Vec<_>>();
    let ops = json!([
        {"op": "standing", "key": "x:bound", "members": members(1000)},
        {"op": "standing", "key": "x:bound", "members": members(1001)},
        {"op": "standing", "key": "x:bound", "members": []},
        {"op": "rank", "key": "x:bound", "members": members(1001)},
        {"op": "vote", "key": "x:bound", "votes": votes(1001)},
        {"op": "range", "key": "x:bound", "first": 1, "last": 1001},
        {"op": "around", "key": "x:bound", "member": "m0", "count": 501},
        {"op": "add", "key": "x:bound", "member": "m0", "points": 1, "id": ""},
        {"op": "add", "key": "x:bound", "member": "m0", "points": 1, "id": "x".repeat(257)},
    ]);
    let statuses: Vec<_> = results(&api, &ops).into_iter().map(|(status, _)| status).collect();
    assert_eq!(statuses, [200, 422, 422, 422, 422, 422, 422, 400, 400]);
    assert_eq!(api.get("/boards/x:bound/members/m0").value(200)["score"], "5");
}
