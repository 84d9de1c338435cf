//! Tests of the core of the API on all servers that the module supports: one request of each kind.

use serde_json::json;

use crate::servers::Flavor;
use crate::setup::{make, row, rows};
use crate::support::{Api, Pair, Stream};

#[test]
fn the_core_works_beside_every_server() {
    for flavor in Flavor::all() {
        let pair = Pair::start(flavor);
        println!("{flavor:?}");
        let api = pair.api();
        boards(&api);
        votes(&api);
        play(&api);
        batch(&api);
        let mut stream = Stream::open(pair.gateway.address(), "/boards/songs/live?count=1", &[]);
        assert_eq!(stream.rows(), json!([row(1, "tide", "9")]));
        api.get("//metrics").status(200);
        api.get("//healthz").status(200);
        api.delete("/boards/songs?confirm=songs").empty(204);
        api.get("/boards/songs").problem(404);
    }
}

fn boards(api: &Api) {
    make(
        api,
        "game",
        json!({"views": "all,day", "decimals": 2, "clock": "event", "limit": ["perminute voter 5 minute"]}),
    );
    api.post("/boards", json!({"key": "game"})).problem(409);
    let info = api.get("/boards/game").value(200);
    assert_eq!(
        json!(["views", "decimals", "shown", "members"].map(|name| info[name].clone())),
        json!(["all,day", 2, false, 0])
    );
    assert_eq!(
        info["limit"],
        json!([{"name": "perminute", "scope": "voter", "max": 5, "unit": "minute", "bonus": []}])
    );
    let written =
        |score: &str, rank: u64, applied: bool| json!({"score": score, "rank": rank, "applied": applied});
    let ann = "/boards/game/members/ann/score";
    api.once("1")
        .post(ann, json!({"points": "5.25", "at": 1000, "meta": "Ann"}))
        .is(200, written("5.25", 1, true));
    api.once("1")
        .post(ann, json!({"points": "5.25", "at": 1000, "meta": "Ann"}))
        .is(200, written("5.25", 1, false));
    api.once("1").post(ann, json!({"points": "6", "at": 1000})).problem(409);
    api.put("/boards/game/members/bob/score", json!({"score": 6, "at": 2000})).is(200, written("6", 1, true));
    api.get("/boards/game/top").is(200, rows(&[(1, "bob", "6"), (2, "ann", "5.25")]));
    api.get("/boards/game/range?min=5&max=5.5").is(200, rows(&[(2, "ann", "5.25")]));
    let standing = json!({
        "member": "ann", "rank": 2, "score": "5.25", "members": 2, "percentile": "50.00",
        "ahead": {"member": "bob", "score": "6", "gap": "0.75"}, "behind": null, "previous": null, "change": null, "at": 1000, "meta": "Ann",
    });
    api.get("/boards/game/members/ann?view=day&meta=true").is(200, standing);
    let stats = json!({"members": 2, "sum": "11.25", "mean": "5.625000", "min": "5.25", "max": "6", "median": "5.25"});
    api.get("/boards/game/stats").is(200, stats);
    assert_eq!(api.get("/boards/game/periods?view=day").value(200)["periods"][0]["label"], "1970-01-01");
    assert_eq!(api.patch("/boards/game", json!({"dedup": 7})).value(200)["dedup"], 7);
    let list = api.get("/boards").value(200);
    assert_eq!(list, json!({"boards": [{"key": "game", "kind": "board"}]}));
}

fn votes(api: &Api) {
    make(api, "songs", json!({"views": "all", "shown": true, "limit": ["once voter 1 all"]}));
    let file = "member,weight,initial,meta\ntide,3,6,Tide\nreef,1,0,\n";
    api.text("PUT", "/boards/songs/options.csv", "text/csv", file.as_bytes()).status(200);
    let body = json!({"by": "ann", "votes": [{"member": "tide"}]});
    let result = json!({"score": "9", "rank": 1, "applied": true});
    api.post("/boards/songs/votes", body.clone()).is(200, json!({"accepted": true, "results": [result]}));
    api.post("/boards/songs/votes", body)
        .is(200, json!({"accepted": false, "rule": "once", "retry_after_ms": null}));
    let options = api.get("/boards/songs/options").value(200);
    let tide = json!({"member": "tide", "weight": 3, "initial": 6, "meta": "Tide", "real": "1", "shown": "9", "voters": 1});
    assert_eq!(options["options"][0], tide);
    api.get("/boards/songs/quota?by=ann")
        .is(200, json!({"quota": [{"rule": "once", "used": 1, "max": 1, "resets_ms": null}]}));
}

fn play(api: &Api) {
    let league = json!({"tiers": "bronze,silver", "promote": "1,0", "demote": "0,1", "cycle": "day", "clock": "event"});
    api.post("/leagues/play", league).status(201);
    api.post("/leagues/play/add", json!({"member": "ann", "points": 5, "at": 1000}))
        .is(200, json!({"score": "5", "rank": 1, "applied": true}));
    assert_eq!(api.get("/leagues/play/members/ann").value(200)["tier"], "bronze");
    assert_eq!(api.get("/leagues/play").value(200)["members"], json!([1, 0]));
    api.put("/counters/clicks", json!({"precisions": "60"})).status(201);
    api.post("/counters/clicks", json!({"by": 3})).is(200, json!({"total": "3"}));
    assert_eq!(api.get("/counters/clicks?precision=60").value(200)["samples"][0]["count"], "3");
}

fn batch(api: &Api) {
    let ops = json!({"ops": [
        {"op": "top", "key": "game", "count": 1},
        {"op": "standing", "key": "game", "members": ["ann"]},
        {"op": "top", "key": "absent", "count": 1},
        {"op": "info", "key": "absent"},
    ]});
    let results = api.post("/batch", ops).value(200)["results"].clone();
    assert_eq!(results[0], json!({"status": 200, "body": rows(&[(1, "bob", "6")])}));
    assert_eq!(results[2], json!({"status": 200, "body": {"rows": []}}));
    assert_eq!([&results[1]["status"], &results[3]["status"]], [200, 404]);
}
