//! Tests of a thousand hostile names, written and read in every way.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::servers::{Flavor, run};
use crate::setup::make;
use crate::support::{Api, Pair, Stream, encoded, shared};

const MANY: usize = 1000;

/// Names that have caused failures in other programs.
const KNOWN: [&str; 24] = [
    "<script>alert(1)</script>",
    "'; DROP TABLE boards; --",
    "../../etc/passwd",
    "..",
    ".",
    "%2F",
    "%00",
    "\0",
    "\r\n",
    "a\r\nSet-Cookie: x=y",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@x",
    "\t",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "null",
    "undefined",
    "\u{feff}",
    "\u{202e}gnp",
    "e\u{301}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "b64=true",
];

/// Returns names of random bytes and of all kinds of characters, the same in each run.
fn names() -> Vec<Vec<u8>> {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    let mut names: BTreeSet<Vec<u8>> = KNOWN.iter().map(|name| name.as_bytes().to_vec()).collect();
    names.insert(vec![0xff; 512]);
    names.insert("界".repeat(170).into_bytes());
    while names.len() < MANY {
        let length = 1 + next(40);
        let name = match next(3) {
            0 => (0..length).map(|_| u8::try_from(next(256)).expect("a byte")).collect(),
            1 => (0..length).map(|_| u8::try_from(next(128)).expect("a byte")).collect(),
            _ => (0..length)
                .filter_map(|_| char::from_u32(u32::try_from(next(0x11_0000)).expect("a sign")))
                .collect::<String>()
                .into_bytes(),
        };
        names.extend((!name.is_empty()).then_some(name));
    }
    names.into_iter().collect()
}

/// Returns the name as a part of a path, and the query that gives its encoding.
fn in_path(name: &[u8]) -> (String, &'static str) {
    match std::str::from_utf8(name) {
        Ok(text) => (encoded(text), ""),
        Err(_) => (URL_SAFE_NO_PAD.encode(name), "b64=true"),
    }
}

/// Adds the field `member` or `member_b64`.
fn naming(mut body: Value, name: &[u8]) -> Value {
    match std::str::from_utf8(name) {
        Ok(text) => body["member"] = json!(text),
        Err(_) => body["member_b64"] = json!(STANDARD.encode(name)),
    }
    body
}

/// Returns the name in an object of a reply. Checks that the object has exactly one of the two fields.
fn named(object: &Value) -> Vec<u8> {
    match (object.get("member"), object.get("member_b64")) {
        (Some(text), None) => text.as_str().expect("a text").as_bytes().to_vec(),
        (None, Some(text)) => {
            let name = STANDARD.decode(text.as_str().expect("a text")).expect("Base64");
            assert!(std::str::from_utf8(&name).is_err(), "{object} is a text");
            name
        }
        _ => panic!("{object} has no name, or two"),
    }
}

/// Returns the names and scores of rows.
fn scores(rows: &Value) -> BTreeMap<Vec<u8>, String> {
    let rows = rows.as_array().expect("rows");
    rows.iter().map(|row| (named(row), row["score"].as_str().expect("a score").to_owned())).collect()
}

fn written(api: &Api, key: &str, names: &[Vec<u8>]) -> BTreeMap<Vec<u8>, String> {
    make(api, key, json!({"views": "all"}));
    for (number, name) in names.iter().enumerate() {
        let (member, how) = in_path(name);
        let path = format!("/boards/{key}/members/{member}/score?{how}");
        api.put(&path, json!({"score": number}))
            .is(200, json!({"score": number.to_string(), "rank": 1, "applied": true}));
    }
    names.iter().enumerate().map(|(number, name)| (name.clone(), number.to_string())).collect()
}

#[test]
fn every_name_comes_back_as_it_was() {
    let pair = shared();
    let api = pair.api();
    let names = names();
    let expected = written(&api, "h:names", &names);
    let rows = |path: &str| scores(&api.get(&format!("/boards/h:names/{path}")).value(200)["rows"]);
    assert_eq!(rows("top?count=1000"), expected);
    assert_eq!(rows("range?first=1&last=-1"), expected);
    for (number, name) in names.iter().enumerate() {
        let (member, how) = in_path(name);
        let standing = api.get(&format!("/boards/h:names/members/{member}?{how}")).value(200);
        assert_eq!(
            (named(&standing), standing["score"].as_str()),
            (name.clone(), Some(number.to_string().as_str()))
        );
        if number > 0 {
            assert_eq!(named(&standing["behind"]), names[number - 1]);
        }
        let around = rows(&format!("around/{member}?count=0&{how}"));
        assert_eq!(around, BTreeMap::from([(name.clone(), number.to_string())]));
    }
}

#[test]
fn every_name_goes_through_a_batch() {
    let pair = shared();
    let api = pair.api();
    let names = names();
    make(&api, "h:batch", json!({"views": "all"}));
    for hundred in names.chunks(100) {
        let op = |name: &Vec<u8>| naming(json!({"op": "add", "key": "h:batch", "points": name.len()}), name);
        let ops: Vec<_> = hundred.iter().map(op).collect();
        let reply = api.post("/batch", json!({"ops": ops})).value(200);
        for (result, name) in reply["results"].as_array().expect("results").iter().zip(hundred) {
            assert_eq!(
                (&result["status"], &result["body"]["score"]),
                (&json!(200), &json!(name.len().to_string())),
                "{}",
                name.escape_ascii()
            );
        }
    }
    let all: Vec<_> = names.iter().map(|name| STANDARD.encode(name)).collect();
    let ops = json!({"ops": [{"op": "standing", "key": "h:batch", "members_b64": all}]});
    let mut reply = api.post("/batch", ops).value(200);
    let body = reply["results"][0]["body"].take();
    let standings =
        body.as_object().and_then(|body| body.values().find_map(Value::as_array)).expect("standings");
    assert_eq!(standings.iter().map(named).collect::<Vec<_>>(), names);
}

#[test]
fn every_name_can_be_voted_for() {
    let pair = shared();
    let api = pair.api();
    let names = names();
    make(&api, "h:votes", json!({"views": "all", "limit": ["by voter+device 1 all"]}));
    for hundred in names.chunks(100) {
        let votes: Vec<_> = hundred.iter().map(|name| naming(json!({}), name)).collect();
        let text = String::from_utf8_lossy(&hundred[0]).chars().take(60).collect::<String>();
        // The names are also used as voters and as values of tags.
        let body = json!({"by": text, "tags": {"device": text}, "votes": votes});
        let reply = api.post("/boards/h:votes/votes", body).value(200);
        assert_eq!(reply["rule"], "by", "the sum of all votes is above the limit: {reply}");
    }
    for (number, name) in names.iter().enumerate() {
        let body =
            json!({"by": number.to_string(), "tags": {"device": "d"}, "votes": [naming(json!({}), name)]});
        assert_eq!(
            api.post("/boards/h:votes/votes", body).value(200)["accepted"],
            true,
            "{}",
            name.escape_ascii()
        );
    }
    let rows = api.get("/boards/h:votes/top?count=1000").value(200);
    assert_eq!(scores(&rows["rows"]).into_keys().collect::<BTreeSet<_>>(), names.into_iter().collect());
}

#[test]
fn every_text_makes_the_round_trip_as_csv() {
    let pair = shared();
    let api = pair.api();
    let names: Vec<_> = names().into_iter().filter_map(|name| String::from_utf8(name).ok()).collect();
    assert!(names.len() > MANY / 2);
    for key in ["h:csv:1", "h:csv:2"] {
        make(&api, key, json!({"views": "all", "shown": true}));
    }
    for name in &names {
        api.put(&format!("/boards/h:csv:1/options/{}", encoded(name)), json!({"meta": name})).empty(204);
    }
    let file = api.get("/boards/h:csv:1/options.csv").status(200).body;
    let done = api.text("PUT", "/boards/h:csv:2/options.csv", "text/csv", &file).value(200);
    let added = done["added"].as_array().expect("added");
    assert_eq!(
        added.iter().map(|option| option["member"].as_str()).collect::<Vec<_>>(),
        names.iter().map(|name| Some(name.as_str())).collect::<Vec<_>>()
    );
    assert_eq!(api.get("/boards/h:csv:2/options.csv").status(200).body, file);
    for option in added {
        assert_eq!(option["meta"], option["member"]);
    }
}

#[test]
fn every_key_can_be_used() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    for key in KNOWN {
        let path = format!("/boards/{}", encoded(key));
        let made = api.post("/boards", json!({"key": key, "shown": true, "views": "all"})).status(201);
        let location = made.header("location").expect("a location").to_owned();
        let location = location.strip_prefix("/api/v1").expect("a path of the API");
        assert_eq!(made.headers.get_all("set-cookie").iter().count(), 0);
        api.put(&format!("{path}/options/tide"), json!({"meta": key, "initial": 1})).empty(204);
        assert_eq!(api.get(location).value(200)["key"], key);
        let file = api.get(&format!("{path}/options.csv")).status(200).body;
        api.text("PUT", &format!("{path}/options.csv"), "text/csv", &file).status(200);
        let ops = json!({"ops": [{"op": "info", "key": key}]});
        assert_eq!(api.post("/batch", ops).value(200)["results"][0]["body"]["key"], key);
        let first = Stream::open(pair.gateway.address(), &format!("{path}/live"), &[]).rows();
        assert_eq!(first[0]["member"], "tide");
        api.get(&format!("//metrics?board={}", encoded(key))).status(200);
    }
    // A key that is not valid text has no path. It must not disturb the list of the other keys.
    run(&mut pair.server.connection(), &[b"LB.CREATE".as_slice(), b"\xff\xfe"]);
    let mut keys = BTreeSet::new();
    let mut cursor = String::new();
    loop {
        let page = api.get(&format!("/boards?{cursor}")).value(200);
        let boards = page["boards"].as_array().expect("boards").clone();
        keys.extend(boards.iter().filter_map(|board| board["key"].as_str().map(str::to_owned)));
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("cursor={}", encoded(next));
    }
    for key in KNOWN {
        assert!(keys.contains(key), "{key:?}");
        api.delete(&format!("/boards/{}?confirm={}", encoded(key), encoded(key))).empty(204);
    }
}
