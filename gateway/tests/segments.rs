//! Tests of segments: who is in which, reads of one, and their ranking.

use serde_json::{Value, json};

use crate::setup::{make, rows};
use crate::support::{Api, shared};

/// Makes a board with countries and guilds, and four members with points.
fn board(api: &Api, key: &str) {
    make(api, key, json!({"segments": "country:SUM,guild", "views": "all,day"}));
    for (member, points, country) in [("ann", 5, "SE"), ("bob", 9, "NO"), ("cat", 3, "SE"), ("dan", 1, "FI")]
    {
        let body = json!({"points": points, "segments": {"country": country}});
        assert_eq!(
            api.post(&format!("/boards/{key}/members/{member}/score"), body).value(200)["applied"],
            true
        );
    }
}

fn segment(rank: u64, name: &str, score: &str, members: u64) -> Value {
    json!({"rank": rank, "segment": name, "score": score, "members": members})
}

#[test]
fn segments_are_ranked() {
    let pair = shared();
    let api = pair.api();
    board(&api, "g:rank");
    let all = [segment(1, "NO", "9", 1), segment(2, "SE", "8", 2), segment(3, "FI", "1", 1)];
    api.get("/boards/g:rank/segments/country").is(200, json!({"rows": all}));
    api.get("/boards/g:rank/segments/country?view=day&count=1&offset=1").is(200, json!({"rows": [all[1]]}));
    api.get("/boards/g:rank/segments/country?rev=true&count=1")
        .is(200, json!({"rows": [segment(1, "FI", "1", 1)]}));
    api.get("/boards/g:rank/segments/guild").is(200, json!({"rows": []}));
    let rank = json!({"rank": 2, "score": "8", "members": 2});
    api.get("/boards/g:rank/segments/country/rank?segment=SE").is(200, rank.clone());
    api.get("/boards/g:rank/segments/country/rank?segment_b64=U0U%3D&view=day&period=0").is(200, rank);
    api.get("/boards/g:rank/segments/country/rank?segment=DK").names(404, &["segment"]);
    api.get("/boards/g:rank/segments/country/rank").names(422, &["segment", "segment_b64"]);
    api.get("/boards/g:rank/segments/team").names(422, &["team"]);
    api.get("/boards/g:rank/segments/country?count=1001").names(422, &["count"]);
    api.get("/boards/g:rank/segments/country?ranks=dense").names(400, &["ranks"]);
}

#[test]
fn reads_show_one_segment() {
    let pair = shared();
    let api = pair.api();
    board(&api, "g:in");
    let own = rows(&[(1, "ann", "5"), (2, "cat", "3")]);
    api.get("/boards/g:in/top?in=country:SE").is(200, own.clone());
    api.get("/boards/g:in/top?in_b64=country:U0U%3D").is(200, own.clone());
    api.get("/boards/g:in/around/cat?within=country").is(200, own.clone());
    api.get("/boards/g:in/range?first=1&last=-1&in=country:SE").is(200, own);
    api.get("/boards/g:in/count?in=country:SE").is(200, json!({"members": 2}));
    assert_eq!(api.get("/boards/g:in/stats?in=country:SE").value(200)["sum"], "8");
    assert_eq!(api.get("/boards/g:in/members/cat?within=country").value(200)["rank"], 2);
    assert_eq!(api.get("/boards/g:in/members/cat").value(200)["rank"], 3);
    api.get("/boards/g:in/members/bob?in=country:SE").problem(404);
    api.get("/boards/g:in/top?in=SE").names(400, &["in"]);
    api.get("/boards/g:in/top?in=team:SE").names(422, &["team"]);
    api.get("/boards/g:in/top?in=country:SE&in_b64=country:U0U%3D").names(422, &["IN"]);
    api.get("/boards/g:in/around/cat?within=country&in=country:SE").names(422, &["WITHIN"]);
}

#[test]
fn members_are_put_into_segments() {
    let pair = shared();
    let api = pair.api();
    board(&api, "g:put");
    let path = "/boards/g:put/members/ann/segments";
    let places = |list: &[(&str, &str)]| {
        let list: Vec<_> =
            list.iter().map(|(name, value)| json!({"dimension": name, "segment": value})).collect();
        json!({"segments": list})
    };
    api.get(path).is(200, places(&[("country", "SE")]));
    api.put(path, json!({"segments": {"country": "NO", "guild": "red"}})).is(200, json!({"changed": 2}));
    api.put(path, json!({"segments": {"guild": "red"}})).is(200, json!({"changed": 0}));
    api.get(path).is(200, places(&[("country", "NO"), ("guild", "red")]));
    api.put(path, json!({"segments": {"guild": ""}, "segments_b64": {"country": "/w=="}}))
        .is(200, json!({"changed": 2}));
    api.get(path).is(200, json!({"segments": [{"dimension": "country", "segment_b64": "/w=="}]}));
    let body = json!({"score": 7, "segments_b64": {"guild": "cmVk"}});
    assert_eq!(api.put("/boards/g:put/members/ann/score", body).value(200)["score"], "7");
    assert_eq!(api.get("/boards/g:put/top?in=guild:red").value(200), rows(&[(1, "ann", "7")]));
    api.put(path, json!({})).names(422, &["segments"]);
    api.put(path, json!({"segments": {"team": "x"}})).names(422, &["team"]);
    api.put(path, json!({"segments_b64": {"guild": "*"}})).names(422, &["segments_b64", "guild"]);
    api.put(path, json!({"segments": {"guild": "x".repeat(65)}})).names(422, &["value"]);
    api.patch("/boards/g:put", json!({"segments": "+team,-guild"})).status(200);
    assert_eq!(api.get("/boards/g:put").value(200)["segments"], "country:SUM,team:COUNT");
    let ops = json!({"ops": [{"op": "top", "key": "g:put", "in": "country:SE"}]});
    assert_eq!(api.post("/batch", ops).value(200)["results"][0]["body"], rows(&[(1, "cat", "3")]));
}
