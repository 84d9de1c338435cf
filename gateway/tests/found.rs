//! Members by parts of their names, and where a member stood in the last periods.

use std::collections::BTreeSet;

use serde_json::json;

use crate::servers::{Flavor, Server};
use crate::setup::{make, say};
use crate::support::{Gateway, encoded};

const DAY: u64 = 86_400_000;

#[test]
fn members_are_found_by_a_part_of_their_name() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    let pairs: Vec<String> = (0..2_500).map(|number| format!("{number} player{number}")).collect();
    say(&server, &format!("LB.MADD b {}", pairs.join(" ")));
    say(&server, "LB.ADD b 5 a*b META Star");
    let (mut names, mut cursor) = (BTreeSet::new(), String::new());
    loop {
        let path = format!("/boards/b/members?name={}&count=5&cursor={cursor}", encoded("*99"));
        let page = api.get(path.trim_end_matches("&cursor=")).value(200);
        let found = page["members"].as_array().expect("members").iter();
        names.extend(found.map(|row| row["member"].as_str().expect("a name").to_owned()));
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    assert_eq!(names.len(), 25, "{names:?}");
    let star = api.get(&format!("/boards/b/members?name={}&meta=true", encoded("a\\*b"))).value(200);
    assert_eq!(star, json!({"members": [{"member": "a*b", "rank": 2496, "score": "5", "meta": "Star"}]}));
    api.get("/boards/b/members").names(400, &["name"]);
    api.get("/boards/b/members?name=a&count=0").names(400, &["count"]);
    api.get("/boards/b/members?name=a&cursor=x").names(400, &["cursor"]);
    // The page: a part of a name, one member, nobody, and a name that is a pattern.
    let page = |member: &str| api.get(&format!("//boards/b/find?member={}", encoded(member)));
    let several = page("player249").status(303);
    assert_eq!(several.header("location"), Some("/boards/b/members/player249"), "the whole name wins");
    let several = page("layer249").status(200);
    assert!(several.text().contains("/boards/b/members/player2499"), "{}", several.text());
    for (sought, location) in [("ayer2499", "player2499"), ("nobody", "nobody"), ("a*b", "a*b")] {
        let location = format!("/boards/b/members/{}", encoded(location));
        assert_eq!(page(sought).status(303).header("location"), Some(location.as_str()));
    }
}

#[test]
fn the_past_of_a_member_is_one_request() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    make(&api, "b", json!({"views": "day", "clock": "event", "retain": 3, "segments": "land"}));
    for (day, points, member, land) in [(2, 5, "ann", "se"), (2, 7, "bob", "no"), (4, 9, "ann", "se")] {
        say(&server, &format!("LB.ADD b {points} {member} AT {} SEGMENT land {land}", day * DAY));
    }
    let history = |query: &str| api.get(&format!("/boards/b/members/ann/history{query}")).value(200);
    let rows = json!({"periods": [
        {"label": "1970-01-05", "start": 4 * DAY, "rank": 1, "score": "9", "members": 1},
        {"label": "1970-01-04", "start": 3 * DAY, "members": 0},
        {"label": "1970-01-03", "start": 2 * DAY, "rank": 2, "score": "5", "members": 2},
    ]});
    assert_eq!(history(""), rows);
    assert_eq!(history("?count=1")["periods"].as_array().map(Vec::len), Some(1));
    assert_eq!(history("?within=land")["periods"][2]["rank"], 1);
    api.get("/boards/b/members/ann/history?view=week").names(400, &["view"]);
    api.get("/boards/b/members/ann/history?count=1001").names(400, &["count"]);
}
