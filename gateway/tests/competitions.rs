//! The rules of scores through HTTP: what they hold back, and who takes part.

use serde_json::json;

use crate::servers::run;
use crate::support::shared;

#[test]
fn a_write_that_a_rule_holds_back_is_a_conflict_that_names_the_rule() {
    let pair = shared();
    let api = pair.api();
    let body =
        json!({"key": "c:cup", "declared": true, "maxmembers": 1, "attempts": "1 all", "bounds": "0 10"});
    api.post("/boards", body).status(201);
    let add = |points: u64, force: bool| {
        api.post("/boards/c:cup/members/ann/score", json!({"points": points, "force": force}))
    };
    let held = add(5, false).problem_value(409);
    assert_eq!(held["type"], "urn:leaderboard:held-back");
    assert_eq!(held["held_back"], json!({"rule": "joined", "retry_after_ms": null}));
    let join = |member: &str| api.put(&format!("/boards/c:cup/entrants/{member}"), json!({"meta": "Ann"}));
    join("ann").is(200, json!({"joined": true}));
    join("ann").is(200, json!({"joined": false}));
    assert_eq!(join("bob").problem_value(409)["held_back"]["rule"], "full");
    assert_eq!(add(11, false).problem_value(409)["held_back"]["rule"], "bounds");
    add(5, false).status(200);
    assert_eq!(add(5, false).problem_value(409)["held_back"]["rule"], "attempts");
    add(50, true).status(200);
    let quota = api.get("/boards/c:cup/quota?member=ann").value(200);
    assert_eq!(quota["quota"][0]["rule"], "attempts", "{quota}");
    api.delete("/boards/c:cup/entrants/ann").status(204);
    api.delete("/boards/c:cup/entrants/ann").status(404);
    assert_eq!(add(1, false).problem_value(409)["held_back"]["rule"], "joined");
    let info = api.get("/boards/c:cup").value(200);
    assert_eq!(info["held_back"], json!({"joined": 2, "bounds": 1, "full": 1, "attempts": 1}));
    let altered =
        api.patch("/boards/c:cup", json!({"attempts": "0 all", "bounds": "-inf +inf", "maxmembers": 0}));
    altered.status(200);
    join("bob").is(200, json!({"joined": true}));
}

#[test]
fn prizes_are_listed_and_claimed_once() {
    let pair = shared();
    let api = pair.api();
    let prizes = json!([{"view": "day", "places": "1=gold,2-3=silver"}, {"view": "day", "places": "1=king", "per": "c"}]);
    let body =
        json!({"key": "c:prizes", "views": "day", "clock": "event", "segments": "c", "prizes": prizes});
    api.post("/boards", body).status(201);
    for (points, member) in [(5, "ann"), (7, "bob"), (9, "eve")] {
        let body = json!({"points": points, "at": 1, "segments": {"c": "fr"}});
        api.post(&format!("/boards/c:prizes/members/{member}/score"), body).status(200);
    }
    let claim = |member: &str, query: &str, id: &str| {
        api.once(id).send("PUT", &format!("/boards/c:prizes/claims/{member}{query}"), None)
    };
    claim("eve", "", "x").status(404);
    api.patch("/boards/c:prizes", json!({"now": 86_400_000})).status(200);
    let page = api.get("/boards/c:prizes/prizes?count=1").value(200);
    let eve = json!({"rank": 1, "member": "eve", "score": "9", "prize": "gold"});
    assert_eq!(page, json!({"winners": [eve], "next": "1"}));
    claim("eve", "", "x").is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    claim("eve", "", "x").is(200, json!({"prize": "gold", "rank": 1, "first": true}));
    claim("eve", "", "y").is(200, json!({"prize": "gold", "rank": 1, "first": false}));
    claim("bob", "", "x").status(409);
    claim("eve", "?per=c&period=-1", "z")
        .is(200, json!({"prize": "king", "rank": 1, "first": true, "segment": "fr"}));
    let left = api.get("/boards/c:prizes/prizes?unclaimed=true&cursor=1").value(200);
    assert_eq!(left["winners"].as_array().map(Vec::len), Some(2), "{left}");
    let claimed = api.get("/boards/c:prizes/prizes?count=1&view=day&at=5").value(200);
    assert_eq!(claimed["winners"][0]["claimed"], 86_400_000);
    api.get("/boards/c:prizes/prizes?count=0").status(422);
    api.patch("/boards/c:prizes", json!({"prizes": [{"view": "day", "places": ""}], "prizedays": 9}))
        .status(200);
    let info = api.get("/boards/c:prizes").value(200);
    assert_eq!((&info["prizes"], &info["prizedays"]), (&json!(["day 1=king PER c"]), &json!(9)));
}

#[test]
fn a_whole_period_is_a_file_with_each_member_once() {
    const MEMBERS: usize = 2_600;
    let pair = shared();
    let api = pair.api();
    let mut con = pair.server.connection();
    let mut say = |line: &str| run(&mut con, &line.split(' ').collect::<Vec<_>>());
    say(
        "LB.CREATE c:file VIEWS day,all CLOCK EVENT SEGMENTS land,g PRIZES day 1-1200=a,1201-1400=b,2600=last",
    );
    let pairs: Vec<_> = (0..MEMBERS).map(|member| format!("{} m{member}", MEMBERS - member)).collect();
    say(&format!("LB.MADD c:file AT 1 {}", pairs.join(" ")));
    say("LB.SEGMENT c:file m0 land fr");
    say("LB.SETMETA c:file m0 =Zero,0");
    // The longest texts.
    (1..1_200).for_each(|member| _ = say(&format!("LB.SETMETA c:file m{member} {}", "t".repeat(4096))));
    api.get("/boards/c:file/periods/1970-01-01.csv").problem_value(422);
    say("LB.ALTER c:file NOW 86400000");
    say("LB.SEGMENT c:file m0 land se");
    say("LB.CLAIM c:file m0");
    say("LB.CLAIM c:file m1300");
    say("LB.CLAIM c:file m1350");
    say("LB.SETMETA c:file m1350 Hidden");
    // The members at the end of the first page and around it. m1300 and m1350 were paid, so they stay.
    say("LB.REM c:file m998 m999 m1300");
    say("LB.HIDE c:file m1000 m1001 m1350");

    let file = api.get("/boards/c:file/periods/-1.csv").status(200);
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"c_file_day_1970-01-01.csv\"")
    );
    let lines: Vec<_> = file.text().lines().collect();
    assert_eq!(lines[0], "\u{feff}rank,member,meta,score,prize,claimed,land,g");
    assert_eq!(lines[1], "1,m0,\"'=Zero,0\",2600,a,86400000,fr,");
    let members: Vec<_> = lines[1..].iter().map(|line| line.split(',').nth(1).expect("a member")).collect();
    let gone = ["m998", "m999", "m1000", "m1001"];
    let expected: Vec<_> = (0..MEMBERS)
        .map(|member| format!("m{member}"))
        .filter(|name| !gone.contains(&name.as_str()))
        .collect();
    assert_eq!(members, expected);
    let line = |member: &str| lines.iter().find(|line| line.split(',').nth(1) == Some(member)).copied();
    assert_eq!(line("m1300"), Some("1301,m1300,,1300,b,86400000,,"));
    assert_eq!(line("m1350"), Some("1351,m1350,Hidden,1250,b,86400000,,"));
    assert_eq!(line("m1200"), Some("1201,m1200,,1400,b,,,"));
    assert_eq!(line("m2599"), Some("2600,m2599,,1,last,,,"));

    let file = api.get("/boards/c:file/periods/1970-01-01.jsonl?view=day").status(200);
    let objects: Vec<serde_json::Value> =
        file.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), expected.len());
    let first = json!({"rank": 1, "member": "m0", "meta": "=Zero,0", "score": "2600", "prize": "a",
        "claimed": 86_400_000, "segments": [{"dimension": "land", "segment": "fr"}]});
    assert_eq!(objects[0], first);
    assert_eq!(objects[1500], json!({"rank": 1499, "member": "m1504", "score": "1096"}));

    for (path, status) in [
        ("1970-01-02.csv", 422),
        ("1970-01-09.csv", 404),
        ("1970-01-01.txt", 404),
        ("-1.csv?view=all", 422),
        ("-1.csv?view=week", 422),
        ("-1.csv?page=2", 400),
    ] {
        api.get(&format!("/boards/c:file/periods/{path}")).problem_value(status);
    }
    api.get("/boards/c:nothing/periods/-1.csv").problem_value(404);
    let page = api.get("//boards/c:file?view=day&period=1970-01-01").status(200);
    assert!(page.text().contains("/api/v1/boards/c%3Afile/periods/1970-01-01.jsonl?view=day"));
    let page = api.get("//boards/c:file/prizes").status(200);
    assert!(page.text().contains("/api/v1/boards/c%3Afile/periods/1970-01-01.csv?view=day"));
}
