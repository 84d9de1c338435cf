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
    let (mut names, mut number, mut cursor) = (BTreeSet::new(), 0, String::new());
    loop {
        let path = format!("/boards/b/members?name={}&count=5&cursor={cursor}", encoded("*99"));
        let page = api.get(path.trim_end_matches("&cursor=")).value(200);
        let found = page["members"].as_array().expect("members");
        assert!(found.len() <= 5, "{page}");
        number += found.len();
        names.extend(found.iter().map(|row| row["member"].as_str().expect("a name").to_owned()));
        match page["next"].as_str() {
            Some(next) => next.clone_into(&mut cursor),
            None => break,
        }
    }
    assert_eq!((names.len(), number), (25, 25), "{names:?}");
    let two = api.get(&format!("/boards/b/members?name={}&count=2", encoded("*player1*"))).value(200);
    assert_eq!(two["members"].as_array().map(Vec::len), Some(2), "of many more in the first step");
    let all = api.get("/boards/b/members?name=*&count=1000").value(200);
    assert_eq!(all["members"].as_array().map(Vec::len), Some(1_000));
    let star = api.get(&format!("/boards/b/members?name={}&meta=true", encoded("a\\*b"))).value(200);
    assert_eq!(star, json!({"members": [{"member": "a*b", "rank": 2496, "score": "5", "meta": "Star"}]}));
    api.get("/boards/b/members").names(400, &["name"]);
    api.get("/boards/b/members?name=a&count=0").names(422, &["count"]);
    api.get("/boards/b/members?name=a&cursor=x").names(422, &["cursor"]);
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
    api.get("/boards/b/members/ann/history?view=week").names(422, &["view"]);
    api.get("/boards/b/members/ann/history?count=1001").names(422, &["count"]);
}

/// The page of suspects: what stands out, and what is done about several members at once, first as a dry run.
#[test]
fn suspects_are_found_and_hidden_together() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    for number in 0..40 {
        let score = 100 + number;
        api.post(&format!("/boards/songs/members/player{number}x/score"), json!({"points": score}))
            .status(200);
    }
    for number in 1..=3 {
        api.post(&format!("/boards/songs/members/bot-{number}/score"), json!({"points": 9_000 + number}))
            .status(200);
    }
    let page = api.get("//boards/songs/suspects").status(200).text().to_owned();
    // Quartiles 109 and 132 or near: 3 are beyond. All names of each kind differ only by digits.
    assert!(page.contains(": 3. They are more"), "{page}");
    assert!(page.contains("<bdi>bot-#</bdi>") && page.contains("<bdi>player#x</bdi>"), "{page}");
    assert_eq!(page.matches("<rect ").count(), 40);
    let single = page.split("id=\"single\"").nth(1).expect("single gains");
    let place = |name: &str| single.find(name).expect("a gain");
    assert!(place("bot-3") < place("bot-2") && place("bot-1") < place("player39x"));
    let post = |body: &str| {
        api.text("POST", "//boards/songs/suspects", "application/x-www-form-urlencoded", body.as_bytes())
    };
    let chosen = "action=hide&reason=a+ring&member=bot-1&member=bot-2&member=%26%3C";
    let dry = post(chosen).status(200).text().to_owned();
    assert!(dry.contains("9,001") && dry.contains("confirmed"), "{dry}");
    let hidden = || api.get("/boards/songs/hidden").value(200)["members"].as_array().expect("names").len();
    assert_eq!(hidden(), 0, "nothing has changed yet");
    let done = post(&format!("{chosen}&confirmed=true")).status(303);
    assert_eq!(done.header("location"), Some("/boards/songs/suspects?notice=hide&count=3"));
    assert_eq!(hidden(), 3);
    let log = api.get("//audit.jsonl").status(200).text().to_owned();
    assert_eq!(log.matches("\"reason\":\"a ring\"").count(), 3, "{log}");
    // A note changes nothing, and needs a text.
    post("action=note&member=bot-3").status(400);
    post("action=note&member=bot-3&reason=asked+by+mail&confirmed=true").status(303);
    let log = api.get("//audit.jsonl").status(200).text().to_owned();
    assert!(log.contains("\"action\":\"note\"") && log.contains("asked by mail"), "{log}");
    post("action=remove&member=bot-3&confirmed=true").status(303);
    api.get("/boards/songs/members/bot-3").problem(404);
    post("action=hide").status(400);
    post("action=burn&member=bot-3").status(422);
    let many: String = (0..201).map(|number| format!("&member=m{number}")).collect();
    post(&format!("action=hide{many}")).status(400);
    // Boards without a spread, with levels, and without members.
    for line in [
        "LB.CREATE levels LEVELS gold:DESC:20,silver:DESC:20",
        "LB.ADD levels 1/2 ann",
        "LB.CREATE none",
        "LB.MADD flat 5 ann 5 bob",
    ] {
        say(&server, line);
    }
    for (key, told) in
        [("levels", "no distances"), ("none", "no distances"), ("flat", "Members beyond 5: 0. Half")]
    {
        let page = api.get(&format!("//boards/{key}/suspects")).status(200);
        assert!(page.text().contains(told), "{key}: {}", page.text());
    }
    api.get("//boards/absent/suspects").status(404);
}

/// Many members with one score have quartiles without a distance. The page finds the cheater, and says by which rule.
#[test]
fn one_score_for_nearly_all_hides_nobody() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let api = gateway.api();
    let all = |score: u64| (0..1_000).map(|number| format!(" {score} m{number}")).collect::<String>();
    say(&server, &format!("LB.MADD same{} 1000000 cheater", all(1)));
    say(&server, "LB.CREATE fast ORDER ASC");
    say(&server, &format!("LB.MADD fast{} 1 cheater", all(60)));
    say(&server, "LB.MADD few 1 a 1 b 1 c 1 d 1000000 cheater");
    for (key, told) in [
        ("same", "Members beyond 1: 1. Half"),
        ("fast", "Members beyond 60: 1."),
        ("few", "beyond 1: 1. Half"),
    ] {
        let page = api.get(&format!("//boards/{key}/suspects")).status(200);
        let beyond = page.text().split("id=\"beyond\"").nth(1).expect("the section");
        let beyond = beyond.split("</section>").next().expect("its end");
        assert!(beyond.contains(told), "{key}: {beyond}");
        assert!(beyond.contains(">cheater<") && beyond.matches("<tr>").count() == 2, "{key}: {beyond}");
    }
}
