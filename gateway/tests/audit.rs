//! The audit log: the user and the key of each change.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::servers::{Flavor, Server};
use crate::support::{Gateway, encoded};
use crate::tokens::Tokens;

#[test]
fn changes_are_noted_and_play_is_not() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let token = file.make("ann of the desk", "admin", &["*"]);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let log = dir.path().join("audit");
    let gateway = Gateway::builder(&[&server])
        .arg("--tokens", file.path())
        .arg("--audit", log.to_str().expect("a path of text"))
        .start();
    let api = gateway.api().bearer(&token);
    let lines = || -> Vec<Value> {
        let text = fs::read_to_string(&log).expect("the log");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect()
    };
    // Requests of play. The log does not contain them.
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    api.post("/boards/songs/votes", json!({"votes": [{"member": "tide"}]})).status(200);
    api.post("/counters/clicks", json!({})).status(200);
    api.get("/boards/songs/top").status(200);
    let ops = json!({"ops": [{"op": "add", "key": "songs", "member": "tide", "points": 1}, {"op": "vote", "key": "songs", "votes": [{"member": "tide"}]}]});
    api.post("/batch", ops).status(200);
    assert_eq!(lines(), Vec::<Value>::new());
    // Changes. The log contains a line for each of them.
    let league = json!({"tiers": "a", "promote": "0", "demote": "0", "cycle": "day"});
    let mut seen = 0;
    let mut noted = |key: &str, member: Option<&str>, is_done: bool| {
        let all = lines();
        assert_eq!(all.len(), seen + 1, "{key} {member:?}: {:?}", all.last());
        let line = &all[seen];
        seen += 1;
        assert!(line["at"].as_u64().is_some_and(|at| at > 1_500_000_000_000), "{line}");
        assert_eq!([&line["who"], &line["key"]], ["ann of the desk", key], "{line}");
        assert_eq!(line.get("member").and_then(Value::as_str), member, "{line}");
        assert!(["action", "detail"].iter().all(|name| line[*name].is_string()), "{line}");
        assert_eq!(line["outcome"] == "done", is_done, "{line}");
        line.clone()
    };
    api.post("/boards", json!({"key": "new", "shown": true})).status(201);
    noted("new", None, true);
    api.patch("/boards/songs", json!({"dedup": 9})).status(200);
    let line = noted("songs", None, true);
    assert!(
        line["detail"].as_str().is_some_and(|detail| detail.to_lowercase().contains("dedup 9")),
        "{line}"
    );
    api.patch("/boards/songs", json!({"views": "-week:9"})).problem(422);
    noted("songs", None, false);
    api.put("/boards/songs/members/tide/score", json!({"score": 7})).status(200);
    noted("songs", Some("tide"), true);
    api.put("/boards/songs/members/tide/meta", json!({"meta": "line\nbreak \"quoted\""})).status(204);
    noted("songs", Some("tide"), true);
    api.send("POST", "/boards/songs/members/tide/hidden", Some(b"")).status(200);
    noted("songs", Some("tide"), true);
    api.delete("/boards/songs/members/tide/hidden").status(200);
    noted("songs", Some("tide"), true);
    api.put("/boards/new/options/reef", json!({"weight": 3})).status(204);
    noted("new", Some("reef"), true);
    api.delete("/boards/songs/members/tide?confirm=tide").status(204);
    noted("songs", Some("tide"), true);
    api.post("/leagues/play", league).status(201);
    noted("play", None, true);
    api.post("/leagues/play/join", json!({"member": "ann"})).status(200);
    api.post("/leagues/play/add", json!({"member": "ann", "points": 5})).status(200);
    api.put("/counters/made", json!({})).status(201);
    noted("made", None, true);
    let ops = json!({"ops": [{"op": "set", "key": "songs", "member": "reef", "score": 1}]});
    api.post("/batch", ops).status(200);
    noted("songs", Some("reef"), true);
    api.delete("/boards/new?confirm=new").status(204);
    noted("new", None, true);
    // A file of options gives a line for each option, or one line for the board.
    let before = lines().len();
    api.text(
        "PUT",
        "/boards/songs/options.csv?dry_run=true",
        "text/csv",
        b"member,weight,initial,meta\na,1,0,x\n",
    )
    .status(200);
    assert_eq!(lines().len(), before);
    api.text("PUT", "/boards/songs/options.csv", "text/csv", b"member,weight,initial,meta\na,1,0,x\n")
        .status(200);
    assert!(lines().len() > before);
    assert!(!fs::read_to_string(&log).expect("the log").contains(&token), "a token is in the log");
    assert_eq!(fs::metadata(&log).expect("the log").permissions().mode() & 0o777, 0o600);
    // After a restart, the page shows what the file has.
    drop(gateway);
    let gateway = Gateway::builder(&[&server])
        .arg("--tokens", file.path())
        .arg("--audit", log.to_str().expect("a path of text"))
        .start();
    let api = gateway.api().bearer(&token);
    let rows = |query: &str| {
        let page = api.get(&format!("//audit?{query}")).status(200);
        page.text().matches("<th scope=\"row\"").count()
    };
    assert_eq!(rows("key=songs&member=tide"), 5);
    assert_eq!(rows("member=tide&action=remove"), 1);
    assert_eq!(rows("member=tide&from=2020-01-01&to=2020-01-02"), 0);
    assert_eq!(rows("member=tide&from=2020-01-01"), 5);
    let member = api.get("//boards/songs/members/reef").status(200);
    assert!(member.text().contains("/audit?key=songs&#38;member=reef&#38;exact=true"), "{}", member.text());
    assert_eq!(rows("key=song&member=tid"), 5);
    assert_eq!(rows("key=song&member=tide&exact=true"), 0);
    assert_eq!(rows("key=songs&member=tide&exact=true"), 5);
}

#[test]
fn who_changed_what_and_why_is_noted_and_a_correction_is_taken_back() {
    let server = Server::start(Flavor::Redis70);
    let file = Tokens::new();
    let (admin, voter) = (file.make("ann", "admin", &["*"]), file.make("bob", "voter", &["songs"]));
    let gateway = Gateway::builder(&[&server]).arg("--tokens", file.path()).start();
    let (api, other) = (gateway.api().bearer(&admin), gateway.api().bearer(&voter));
    let form =
        |path: &str, body: &str| api.text("POST", path, "application/x-www-form-urlencoded", body.as_bytes());
    let latest = || -> Value {
        let text = api.get("//audit.jsonl").status(200).text().to_owned();
        serde_json::from_str(text.lines().last().expect("a record")).expect("JSON")
    };
    let scores = || api.get("/boards/songs/members/tide").value(200)["score"].clone();
    api.post("/boards/songs/members/tide/score", json!({"points": 5})).status(200);
    // A correction by the form, with its reason.
    let body = "how=add&value=7&view=all&id=one&reason=the+judges+counted+again";
    form("//boards/songs/members/tide/score", body).status(303);
    let added = latest();
    assert_eq!(
        [&added["before"], &added["after"], &added["reason"]],
        ["5", "12", "the judges counted again"]
    );
    assert_eq!([&added["from"], &added["who"]], ["127.0.0.1", "ann"]);
    // A write by the API, with a header.
    let why = api.with("Audit-Reason", "a bet");
    why.put("/boards/songs/members/tide/score", json!({"score": 100})).status(200);
    let set = latest();
    assert_eq!([&set["before"], &set["after"], &set["reason"]], ["12", "100", "a bet"]);
    api.patch("/boards/songs", json!({"dedup": 9})).status(200);
    let altered = latest();
    assert_eq!([&altered["before"], &altered["after"]], ["dedup 600", "dedup 9"]);
    // The score that was set is taken back, once. The points that were added are taken back whatever has come since.
    let undo =
        |record: &Value| form("//audit/undo", &format!("id={}", record["id"].as_str().expect("an id")));
    undo(&set).status(303);
    assert_eq!(scores(), "12");
    assert_eq!(latest()["undoes"], set["id"]);
    // Nobody can mark a change as taken back by words.
    let words = format!("undo {}", added["id"].as_str().expect("an id"));
    api.with("Audit-Reason", &words).patch("/boards/songs", json!({"dedup": 10})).status(200);
    undo(&set).status(409);
    api.post("/boards/songs/members/tide/score", json!({"points": 1000})).status(200);
    undo(&added).status(303);
    assert_eq!(scores(), "1005");
    // What has changed since is left alone.
    api.put("/boards/songs/members/tide/score", json!({"score": 3})).status(200);
    let set = latest();
    api.post("/boards/songs/members/tide/score", json!({"points": 1})).status(200);
    undo(&set).status(409);
    assert_eq!(scores(), "4");
    api.send("POST", "/boards/songs/members/tide/hidden", Some(b"")).status(200);
    let hidden = latest();
    assert_eq!([&hidden["before"], &hidden["after"]], ["shown", "hidden"]);
    undo(&hidden).status(303);
    assert_eq!(latest()["action"], "unhide");
    form("//audit/undo", "id=0123456789abcdef").status(404);
    let page = api.get("//audit?key=songs").status(200);
    assert_eq!(
        page.text().matches("action=\"/audit/undo\"").count(),
        4,
        "the last score, and what was taken back: {}",
        page.text()
    );
    // An option: what the change names, before and after, wherever it is in the list.
    for number in 0..45 {
        api.put(&format!("/boards/songs/options/song{number}"), json!({"meta": "M"})).status(204);
    }
    let new = latest();
    assert_eq!([&new["before"], &new["after"], &new["undo"]], [&Value::Null, &json!("meta M"), &Value::Null]);
    api.put("/boards/songs/options/song41", json!({"meta": "two words"})).status(204);
    let option = latest();
    // The page with the button is shown again, with its filters.
    let page = api.get("//audit?key=songs&member=song41&exact=true").status(200);
    let back = page
        .text()
        .split("name=\"back\" value=\"")
        .nth(1)
        .expect("a button")
        .split('"')
        .next()
        .expect("its end");
    assert!(back.contains("member=song41") && back.contains("exact=true"), "{back}");
    assert_eq!([&option["before"], &option["after"]], ["meta M", "meta two words"]);
    let body =
        format!("id={}&back={}", option["id"].as_str().expect("an id"), encoded(back.replace("&#38;", "&")));
    let done = form("//audit/undo", &body).status(303);
    let location = done.header("location").expect("a place");
    assert!(location.contains("member=song41") && location.ends_with("&notice=undone"), "{location}");
    let back = latest();
    assert_eq!(
        [&back["action"], &back["undoes"], &back["after"]],
        [&json!("option"), &option["id"], &json!("meta M")]
    );
    undo(&option).status(409);
    api.post("/boards", json!({"key": "contest", "shown": true})).status(201);
    api.put("/boards/contest/options/song", json!({"meta": "M", "initial": 5})).status(204);
    api.put("/boards/contest/options/song", json!({"weight": 3})).status(204);
    let weight = latest();
    assert_eq!([&weight["before"], &weight["after"]], ["weight 1", "weight 3"]);
    // What has changed since is left alone.
    api.put("/boards/contest/options/song", json!({"weight": 4})).status(204);
    undo(&weight).status(409);
    // Who may not, who may sign in, and who does not know a token.
    for _ in 0..3 {
        other.delete("/boards/songs?confirm=songs").problem(403);
    }
    let tried = latest();
    assert_eq!([&tried["who"], &tried["key"], &tried["outcome"]], ["bob", "songs", "not allowed"]);
    assert_eq!([&tried["action"], &tried["detail"]], ["try", "DELETE /api/v1/boards/songs"]);
    let stranger = gateway.api();
    let sign_in = |token: &str| {
        let body = format!("token={token}");
        stranger.text("POST", "//login", "application/x-www-form-urlencoded", body.as_bytes())
    };
    sign_in("wrong").status(401);
    let refused = latest();
    assert_eq!([&refused["action"], &refused["outcome"]], ["sign-in", "unknown token"]);
    sign_in(&voter).status(303);
    let signed_in = latest();
    assert_eq!([&signed_in["action"], &signed_in["who"], &signed_in["outcome"]], ["sign-in", "bob", "done"]);
    let all = api.get("//audit.jsonl").status(200).text().to_owned();
    assert_eq!(all.matches("\"try\"").count(), 1, "the same is noted once a minute: {all}");
    assert!(!all.contains(&voter) && !all.contains(&admin), "a token is in the log");
}
