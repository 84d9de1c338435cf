//! Tests that make, list, show, change and delete boards.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::servers::Flavor;
use crate::setup::{make, say};
use crate::support::{Api, Pair, encoded, shared};

#[test]
fn a_board_is_made_with_all_its_options() {
    let pair = shared();
    let api = pair.api();
    let body = json!({
        "key": "b:full", "views": "all,day,week", "order": "asc", "aggregate": "sum", "ties": "lex", "decimals": 2,
        "tz": "Asia/Shanghai", "weekstart": "sun", "origin": "1000", "clock": "event", "retain": "day=3,week=2",
        "carry": "week=0.2", "dedup": 60, "declared": true, "shown": true, "opens": 1000, "closes": "2000",
        "limit": ["perminute voter 5 minute bonus channel acme 5", ["perday", "voter+device", "9", "day"]],
        "notifytop": 10, "hours": "sat-sun=10:00-22:00", "attempts": "3 day", "maxmembers": 9, "bounds": "0 +inf",
        "prizes": [{"view": "week", "places": "1=gold,2-10=silver"}], "prizedays": 7,
    });
    let reply = api.post("/boards", body).status(201);
    assert_eq!(reply.header("location"), Some("/api/v1/boards/b%3Afull"));
    reply.is(201, json!({"key": "b:full"}));
    let mut info = api.get("/boards/b:full").value(200);
    assert!(info["memory"].take().as_u64().is_some_and(|bytes| bytes > 0));
    assert!(info["schema"].take().as_str().is_some_and(|digits| digits.parse::<u64>().is_ok()));
    let bonus = info["limit"][0]["bonus"].take();
    assert_eq!(bonus.as_array().map(Vec::len), Some(1), "{bonus}");
    let mut expected = json!({
        "key": "b:full", "views": "all,day,week", "order": "ASC", "aggregate": "SUM", "ties": "LEX", "tz": "Asia/Shanghai",
        "weekstart": "SUN", "clock": "EVENT", "retain": "day=3,week=2", "carry": "week=0.2", "decay": "", "levels": "",
        "decimals": 2, "origin": 1000, "dedup": 60, "shown": true, "declared": true, "keep": 0, "opens": 1000, "closes": 2000,
        "notifytop": 10, "members": 0, "hidden": 0, "requests": 0, "now": 0, "memory": null, "last": 0, "incarnation": 0,
        "revision": 0, "request": 0, "state": "whole",
        "limit": [
            {"name": "perminute", "scope": "voter", "max": 5, "unit": "minute", "bonus": null},
            {"name": "perday", "scope": "voter+device", "max": 9, "unit": "day", "bonus": []},
        ],
        "segments": "", "segment_counts": {},

        "parts": 0, "schema": null, "keys": [],
    });
    for name in ["target", "grown", "token", "until", "writes", "repeated", "votes", "payouts"] {
        expected[name] = json!(0);
    }
    for (name, rule) in [("hours", "sat-sun=10:00-22:00"), ("attempts", "3 day"), ("bounds", "0 +inf")] {
        expected[name] = json!(rule);
    }
    let rules = ["closed", "joined", "bounds", "full", "attempts", "perday", "perminute"];
    expected["held_back"] = json!(rules.map(|rule| (rule, 0)).into_iter().collect::<BTreeMap<_, _>>());
    expected["maxmembers"] = json!(9);
    expected["prizes"] = json!(["week 1=gold,2-10=silver"]);
    expected["prizedays"] = json!(7);
    assert_eq!(info, expected);
}

#[test]
fn further_options_reach_the_board() {
    let pair = shared();
    let api = pair.api();
    make(&api, "b:levels", json!({"levels": "gold:desc:2000,silver:desc:2000"}));
    make(&api, "b:decay", json!({"views": "all,day", "decay": "day=0.9"}));
    make(&api, "b:keep", json!({"keep": 7, "aggregate": "max"}));
    make(&api, "b:like", json!({"like": "b:keep", "decimals": "3"}));
    let field = |key: &str, name: &str| api.get(&format!("/boards/{key}")).value(200)[name].clone();
    assert_eq!(field("b:levels", "levels"), "gold:DESC:2000,silver:DESC:2000");
    assert_eq!(field("b:decay", "decay"), "day=0.9");
    assert_eq!([field("b:keep", "keep"), field("b:keep", "aggregate")], [json!(7), json!("MAX")]);
    assert_eq!([field("b:like", "keep"), field("b:like", "decimals")], [json!(7), json!(3)]);
}

#[test]
fn a_board_that_exists_is_left_alone() {
    let pair = shared();
    let api = pair.api();
    make(&api, "b:there", json!({"decimals": 3}));
    let problem = api.post("/boards", json!({"key": "b:there"})).problem_value(409);
    assert_eq!(problem["type"], "urn:leaderboard:exists");
    api.post("/boards", json!({"key": "b:there", "nx": true}))
        .is(200, json!({"key": "b:there", "created": false}));
    api.post("/boards", json!({"key": "b:there:new", "nx": true})).status(201);
    assert_eq!(api.get("/boards/b:there").value(200)["decimals"], 3);
    say(&pair.server, "SET b:text x");
    assert_eq!(
        api.post("/boards", json!({"key": "b:text"})).problem_value(409)["type"],
        "urn:leaderboard:wrong-type"
    );
    api.post("/boards", json!({"key": "b:alike", "like": "b:nothing"})).problem(404);
    api.get("/boards/b:alike").problem(404);
}

#[test]
fn what_may_change_of_a_board_is_changed() {
    let pair = shared();
    let api = pair.api();
    make(&api, "b:alter", json!({"views": "all,day:7", "limit": ["a voter 5 minute", "b voter 9 day"]}));
    let change = json!({
        "views": "+month,-day:7", "retain": "month=4", "dedup": 9, "opens": 5, "closes": 6, "unlimit": ["a"],
        "limit": [["b", "voter", 8, "day"]], "notifytop": 3, "keep": 0,
    });
    let info = api.patch("/boards/b:alter", change).value(200);
    let chosen: Value = ["key", "views", "retain", "dedup", "opens", "closes", "limit", "notifytop"]
        .iter()
        .map(|name| info[*name].clone())
        .collect();
    let limit = json!([{"name": "b", "scope": "voter", "max": 8, "unit": "day", "bonus": []}]);
    assert_eq!(chosen, json!(["b:alter", "all,month", "month=4", 9, 5, 6, limit, 3]));
    let mut shown = api.get("/boards/b:alter").value(200);
    shown["now"] = info["now"].clone();
    assert_eq!(shown, info);
    api.patch("/boards/b:alter", json!({})).problem(422);
    api.patch("/boards/b:alter", json!({"decimals": 3})).names(400, &["decimals"]);
    let absent = api.patch("/boards/b:absent", json!({"dedup": 9})).problem_value(404);
    assert_eq!(absent["type"], "urn:leaderboard:no-board");
}

#[test]
fn deleting_asks_for_the_name() {
    let pair = shared();
    let api = pair.api();
    make(&api, "b:gone/ü", json!({}));
    let path = format!("/boards/{}", encoded("b:gone/ü"));
    for confirm in ["", "?confirm=", "?confirm=b:gone"] {
        api.delete(&format!("{path}{confirm}")).refuses(&["confirm"]);
    }
    api.get(&path).status(200);
    let confirmed = format!("{path}?confirm={}", encoded("b:gone/ü"));
    api.delete(&confirmed).empty(204);
    api.get(&path).problem(404);
    api.delete(&confirmed).problem(404);
    say(&pair.server, "SET b:gone:text x");
    api.delete("/boards/b:gone:text?confirm=b:gone:text").problem(409);
    say(&pair.server, "GET b:gone:text");
}

#[test]
fn boards_of_all_kinds_are_listed() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    api.get("/boards").is(200, json!({"boards": []}));
    for n in 0..300 {
        say(&pair.server, &format!("SET other:{n} x"));
        say(&pair.server, &format!("LB.CREATE board:{n}"));
    }
    say(&pair.server, "LB.LEAGUE.CREATE play TIERS a PROMOTE 0 DEMOTE 0 CYCLE day");
    say(&pair.server, "LB.COUNTER.CREATE clicks");
    let mut expected: Vec<_> =
        (0..300).map(|n| json!({"key": format!("board:{n}"), "kind": "board"})).collect();
    expected.push(json!({"key": "clicks", "kind": "counter"}));
    expected.push(json!({"key": "play", "kind": "league"}));
    assert_eq!(listed(&api, ""), sorted(expected.clone()));
    assert_eq!(listed(&api, "kind=league"), sorted(vec![expected[301].clone()]));
    assert_eq!(listed(&api, "kind=counter"), sorted(vec![expected[300].clone()]));
    assert_eq!(listed(&api, "kind=board"), sorted(expected[..300].to_vec()));
    // A filter is a part of the key. It is not a pattern.
    assert_eq!(listed(&api, "filter=la"), [expected[301].clone()]);
    assert_eq!(listed(&api, "filter=board:29").len(), 11);
    assert_eq!(listed(&api, "filter=pl*"), Vec::<Value>::new());
    api.get("/boards?kind=set").names(400, &["kind"]);
    api.get("/boards?cursor=x").names(422, &["cursor"]);
}

/// The page of all boards: 100 rows, with the order and the totals of all keys.
#[test]
fn the_page_of_boards_is_sorted_and_added_up_over_all_keys() {
    let pair = Pair::start(Flavor::Redis70);
    let api = pair.api();
    for n in 0..250 {
        say(&pair.server, &format!("LB.ADD asia:{n:03} 1 ann"));
    }
    say(&pair.server, "LB.MADD big 1 ann 1 bob 1 cem");
    let page = |query: &str| api.get(&format!("//boards?{query}")).status(200).text().to_owned();
    let links = |page: &str| page.matches("<a class=\"name\"").count();
    let first = page("");
    assert_eq!(links(&first), 100);
    assert!(first.contains("1–100 of 251") && first.contains(">250 keys<"), "{first}");
    assert!(first.contains("rel=\"next\"") && !first.contains("rel=\"prev\""), "{first}");
    let last = page("page=3");
    assert_eq!(links(&last), 51);
    assert!(last.contains("201–251 of 251") && last.contains(">250 keys<"), "{last}");
    assert!(last.contains("rel=\"prev\"") && !last.contains("rel=\"next\""), "{last}");
    // The greatest of all is the first of all, though its key is the last.
    let sorted = page("sort=number");
    let place = |name: &str| sorted.find(&format!("<bdi>{name}</bdi>")).expect("a board");
    assert!(place("big") < place("asia:000"), "{sorted}");
    assert_eq!(links(&page("filter=asia:24&page=9")), 10, "the last page");
}

/// Returns the items of all pages of a list, sorted.
fn listed(api: &Api, query: &str) -> Vec<Value> {
    let (mut all, mut next) = (Vec::new(), None::<String>);
    loop {
        let cursor = next.as_ref().map_or(String::new(), |next| format!("&cursor={}", encoded(next)));
        let mut page = api.get(&format!("/boards?{query}{cursor}")).value(200);
        all.append(page["boards"].as_array_mut().expect("boards"));
        match page.get("next") {
            Some(Value::String(cursor)) => next = Some(cursor.clone()),
            None => return sorted(all),
            other => panic!("next is {other:?}"),
        }
    }
}

fn sorted(mut boards: Vec<Value>) -> Vec<Value> {
    boards.sort_by_key(|board| board["key"].as_str().expect("a key").to_owned());
    boards
}
