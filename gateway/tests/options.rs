//! Tests of the options of a campaign, one by one and as CSV.

use serde_json::{Value, json};

use crate::servers::{Flavor, digest};
use crate::setup::{make, say};
use crate::support::{Api, Pair, Reply, encoded, raw, shared};

const HEAD: &str = "member,weight,initial,meta\n";

fn csv(api: &Api, path: &str, text: impl AsRef<[u8]>) -> Reply {
    api.text("PUT", path, "text/csv", text.as_ref())
}

/// Exports the options and returns the rows of the file, so that line ends and quotes do not matter.
#[track_caller]
fn exported(api: &Api, key: &str) -> Vec<Vec<String>> {
    let reply = api.get(&format!("/boards/{}/options.csv", encoded(key))).status(200);
    assert!(reply.header("content-type").is_some_and(|kind| kind.starts_with("text/csv")));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(reply.body.as_slice());
    reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

/// Returns the JSON of an option without a meta.
fn option(member: &str, weight: u64, initial: u64, real: &str, shown: &str) -> Value {
    json!({"member": member, "weight": weight, "initial": initial, "real": real, "shown": shown, "voters": 0})
}

#[test]
fn options_are_declared_and_listed() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:list", json!({"views": "all", "shown": true, "declared": true}));
    api.put("/boards/o:list/options/tide", json!({"weight": 2, "initial": "10", "meta": "Tide"})).empty(204);
    api.put("/boards/o:list/options/reef", json!({})).empty(204);
    api.put("/boards/o:list/options/_w?b64=true", json!({"weight": 0})).empty(204);
    api.post("/boards/o:list/votes", json!({"votes": [{"member": "tide", "votes": 3}]})).status(200);
    let mut tide = option("tide", 2, 10, "3", "16");
    tide["meta"] = json!("Tide");
    let mut odd = option("", 0, 0, "0", "0");
    odd.as_object_mut().expect("an object").remove("member");
    odd["member_b64"] = json!("/w==");
    let all = [tide, option("reef", 1, 0, "0", "0"), odd];
    api.get("/boards/o:list/options").is(200, json!({"options": all}));
    let first = api.get("/boards/o:list/options?count=2").value(200);
    assert_eq!(first["options"], json!(all[..2]));
    let next = first["next"].as_str().expect("a text");
    api.get(&format!("/boards/o:list/options?count=2&cursor={}", encoded(next)))
        .is(200, json!({"options": [all[2]]}));
    // Fields that the request does not contain keep their values.
    api.put("/boards/o:list/options/tide", json!({"meta": "Ebb"})).empty(204);
    let tide = api.get("/boards/o:list/options?count=1").value(200)["options"][0].clone();
    assert_eq!([&tide["weight"], &tide["initial"], &tide["meta"]], [&json!(2), &json!(10), &json!("Ebb")]);
}

#[test]
fn refused_options_change_nothing() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:refused", json!({"views": "all"}));
    let before = digest(&mut pair.server.connection(), "o:refused");
    for body in [
        json!({"weight": -1}),
        json!({"weight": 1_000_000_001}),
        json!({"weight": "x"}),
        json!({"weight": 2}),
        json!({"initial": 5}),
        json!({"real": 5}),
        json!({"meta": 5}),
        json!([]),
    ] {
        api.put("/boards/o:refused/options/tide", body).refused();
    }
    api.get("/boards/o:refused/options?cursor=x").names(400, &["cursor"]);
    api.get("/boards/o:refused/options?count=1001").names(422, &["count"]);
    assert_eq!(digest(&mut pair.server.connection(), "o:refused"), before);
}

#[test]
fn a_file_of_options_makes_the_round_trip() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    let table = [
        ["plain", "1", "0", ""],
        ["a,b", "2", "5", "with, comma"],
        ["quote\"d", "0", "0", "\"quoted\""],
        ["two\nlines", "3", "7", "first\r\nsecond"],
        ["=1+1", "1", "0", "@SUM(A1)"],
        ["+4", "1", "0", "-4"],
        ["'quoted", "1", "0", "''"],
        ["'=x", "1", "0", "'"],
        ["\ttab", "1", "0", "\rreturn"],
        ["名前", "1000000000", "9", "Tīde ü 😀"],
    ];
    make(&api, "from", json!({"views": "all", "shown": true}));
    for [member, weight, initial, meta] in table {
        let body = json!({"weight": weight, "initial": initial, "meta": meta});
        api.put(&format!("/boards/from/options/{}", encoded(member)), body).empty(204);
    }
    let file = api.get("/boards/from/options.csv").status(200).body;
    let rows = exported(&api, "from");
    assert_eq!(rows[0], ["member", "weight", "initial", "meta"]);
    for row in &rows {
        for cell in row {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "a spreadsheet would run {cell:?}");
        }
    }
    assert_eq!([&rows[5][0], &rows[5][3], &rows[6][3]], ["'=1+1", "'@SUM(A1)", "'-4"]);
    make(&api, "to", json!({"views": "all", "shown": true}));
    let done = csv(&api, "/boards/to/options.csv", &file).value(200);
    assert_eq!([&done["applied"], &done["unchanged"]], [&json!(true), &json!(0)]);
    for [member, weight, initial, meta] in table {
        let listed = api.get("/boards/to/options?count=1000").value(200);
        let found =
            listed["options"].as_array().expect("a list").iter().find(|option| option["member"] == member);
        let found = found.unwrap_or_else(|| panic!("{member:?} is lost: {listed}"));
        let meta = if meta.is_empty() { json!(null) } else { json!(meta) };
        assert_eq!(found["meta"], meta);
        assert_eq!([found["weight"].to_string(), found["initial"].to_string()], [weight, initial]);
    }
    assert_eq!(exported(&api, "to"), rows);
    let again = csv(&api, "/boards/to/options.csv", &file).value(200);
    assert_eq!(again, json!({"added": [], "changed": [], "unchanged": 10, "applied": true, "errors": []}));
}

#[test]
fn a_dry_run_tells_the_difference_and_changes_nothing() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:dry", json!({"views": "all", "shown": true}));
    for member in ["same", "other", "unnamed"] {
        api.put(
            &format!("/boards/o:dry/options/{member}"),
            json!({"weight": 2, "initial": 5, "meta": "old"}),
        )
        .empty(204);
    }
    let before = digest(&mut pair.server.connection(), "o:dry");
    let file = format!("{HEAD}same,2,5,old\nother,3,5,new\nfresh,4,6,hello\n");
    let expected = |applied: bool| {
        json!({
            "added": [{"member": "fresh", "weight": 4, "initial": 6, "meta": "hello"}],
            "changed": [{"member": "other", "from": {"weight": 2, "initial": 5, "meta": "old"}, "to": {"weight": 3, "initial": 5, "meta": "new"}}],
            "unchanged": 1, "applied": applied, "errors": [],
        })
    };
    csv(&api, "/boards/o:dry/options.csv?dry_run=true", &file).is(200, expected(false));
    assert_eq!(digest(&mut pair.server.connection(), "o:dry"), before);
    csv(&api, "/boards/o:dry/options.csv?dry_run=false", &file).is(200, expected(true));
    let names: Vec<_> = exported(&api, "o:dry").into_iter().map(|row| row.join("|")).collect();
    assert_eq!(
        names,
        ["member|weight|initial|meta", "same|2|5|old", "other|3|5|new", "unnamed|2|5|old", "fresh|4|6|hello"]
    );
}

#[test]
fn files_of_spreadsheets_are_read() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:bom", json!({"views": "all", "shown": true}));
    let file = "\u{feff}member,weight,initial,meta\r\n\"tide\",2,5,\"two\r\nlines, \"\"quoted\"\"\"\r\nreef,1,0,\r\n";
    let done = csv(&api, "/boards/o:bom/options.csv", file).value(200);
    assert_eq!(
        [&done["applied"], &done["added"][0]["meta"]],
        [&json!(true), &json!("two\r\nlines, \"quoted\"")]
    );
    assert_eq!(exported(&api, "o:bom")[2], ["reef", "1", "0", ""]);
    csv(&api, "/boards/o:bom/options.csv", HEAD)
        .is(200, json!({"added": [], "changed": [], "unchanged": 0, "applied": true, "errors": []}));
}

#[test]
fn any_error_in_a_file_keeps_all_of_it_out() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:errors", json!({"views": "all", "shown": true}));
    let before = digest(&mut pair.server.connection(), "o:errors");
    let long = "x".repeat(513);
    let file = format!(
        "{HEAD}good,1,0,\nbad,heavy,0,\n,1,0,\n\"two\nlines\",1,0,\nworse,1,-5,\n{long},1,0,\ngood,2,0,\nshort,1\n"
    );
    for dry in ["", "?dry_run=true"] {
        let problem = csv(&api, &format!("/boards/o:errors/options.csv{dry}"), &file).refused();
        let lines: Vec<_> =
            problem["errors"].as_array().expect("errors").iter().map(|error| error["line"].clone()).collect();
        // A quoted cell with a line break counts as two lines, and `good` is in the file twice.
        assert_eq!(json!(lines), json!([3, 4, 7, 8, 9, 10]), "{problem}");
        for error in problem["errors"].as_array().expect("errors") {
            assert!(error["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{error}");
        }
        assert_eq!(digest(&mut pair.server.connection(), "o:errors"), before);
    }
    for file in [
        b"".as_slice(),
        b"tide,1,0,\n",
        b"member,weight,votes,meta\na,1,0,\n",
        b"member,weight,initial,meta\n\xff,1,0,\n",
        b"member\n\"tide",
    ] {
        csv(&api, "/boards/o:errors/options.csv", file).refused();
    }
    // The board refuses the file and stores no part of it, because INITIAL needs SHOWN.
    make(&api, "o:real", json!({"views": "all"}));
    let before = digest(&mut pair.server.connection(), "o:real");
    csv(&api, "/boards/o:real/options.csv", format!("{HEAD}fine,1,0,\ntide,1,5,\n")).problem(422);
    assert_eq!(digest(&mut pair.server.connection(), "o:real"), before);
    assert_eq!(say(&pair.server, "LB.OPTIONS o:real 0"), say(&pair.server, "LB.OPTIONS o:nothing 0"));
}

#[test]
fn a_file_may_be_larger_than_other_bodies() {
    let pair = shared();
    let api = pair.api();
    make(&api, "o:large", json!({"views": "all", "shown": true}));
    let mut file = HEAD.to_owned();
    for n in 0..600 {
        file.push_str(&format!("option{n},1,0,{}\n", "x".repeat(4000)));
    }
    assert!(file.len() > 2 << 20);
    let done = csv(&api, "/boards/o:large/options.csv", &file).value(200);
    assert_eq!(
        [done["added"].as_array().map(Vec::len), Some(0)],
        [Some(600), done["errors"].as_array().map(Vec::len)]
    );
    assert_eq!(exported(&api, "o:large").len(), 601);
    let huge = format!("{file}{}", "x".repeat(8 << 20));
    let length = format!("Content-Length: {}", huge.len());
    let put = "PUT /api/v1/boards/o:large/options.csv HTTP/1.1";
    let head = [put, "Host: localhost", "Content-Type: text/csv", &length];
    raw(pair.gateway.address(), &head, huge.as_bytes()).problem(413);
    assert_eq!(exported(&api, "o:large").len(), 601);
}

#[test]
fn an_absent_board_has_no_options() {
    let pair = shared();
    let api = pair.api();
    let reply = api.get("/boards/o:absent/options.csv");
    if reply.status == 200 {
        assert_eq!(reply.text().trim_end(), HEAD.trim_end());
    } else {
        reply.problem(404);
    }
    assert_eq!(say(&pair.server, "EXISTS o:absent"), redis::Value::Int(0));
}
