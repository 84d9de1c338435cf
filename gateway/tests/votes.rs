//! Tests of voting: votes that count, votes that are held back, quotas, and voters.

use serde_json::{Value, json};

use crate::servers::{Flavor, Server, digest};
use crate::setup::{make, rows, say};
use crate::support::{Gateway, encoded, shared};

fn accepted(score: &str, rank: u64, applied: bool) -> Value {
    json!({"accepted": true, "results": [{"score": score, "rank": rank, "applied": applied}]})
}

#[test]
fn votes_are_counted() {
    let pair = shared();
    let api = pair.api();
    let path = "/boards/v:votes/votes";
    api.post(path, json!({"votes": [{"member": "tide"}]})).is(200, accepted("1", 1, true));
    let body =
        json!({"by": "user:17", "tags": {"device": "d-881"}, "votes": [{"member": "tide", "votes": 2}]});
    api.post(path, body).is(200, accepted("3", 1, true));
    let body = json!({"by": "user:18", "votes": [{"member": "reef", "votes": "5"}, {"member": "tide"}, {"member": "reef"}]});
    let result = |score: &str, rank: u64| json!({"score": score, "rank": rank, "applied": true});
    let expected = json!({"accepted": true, "results": [result("6", 1), result("4", 2), result("6", 1)]});
    api.post(path, body).is(200, expected);
    api.get("/boards/v:votes/voters").is(200, json!({"voters": 2}));
    api.get("/boards/v:votes/voters?member=reef").is(200, json!({"voters": 1}));
    api.get("/boards/v:votes/voters?member_b64=cmVlZg%3D%3D").is(200, json!({"voters": 1}));
    api.get("/boards/v:votes/voters?member=reef&view=day&period=-1").is(200, json!({"voters": 0}));
    api.get("/boards/v:votes/voters?member=reef&member_b64=cmVlZg%3D%3D").problem(422);
    let info = api.get("/boards/v:votes").value(200);
    assert_eq!([&info["views"], &info["votes"]], [&json!("all,hour,day,week,month"), &json!(3)]);
}

#[test]
fn a_rule_that_holds_votes_back_is_named() {
    let pair = shared();
    let api = pair.api();
    let limit = json!(["perminute voter 5 minute bonus channel acme 5", "devices voter+device 4 all"]);
    make(&api, "v:limit", json!({"views": "all", "clock": "event", "limit": limit}));
    let path = "/boards/v:limit/votes";
    let vote = |votes: u64, device: &str, at: u64| {
        let body = json!({"by": "ann", "tags": {"device": device}, "votes": [{"member": "tide", "votes": votes}], "at": at});
        api.post(path, body).value(200)
    };
    assert_eq!(vote(4, "d1", 600_000), accepted("4", 1, true));
    let before = digest(&mut pair.server.connection(), "v:limit");
    let quota = "/boards/v:limit/quota?by=ann&tag=device=d1&tag=channel=acme&at=601000";
    let used = json!({"quota": [
        {"rule": "perminute", "used": 4, "max": 10, "resets_ms": 59_000},
        {"rule": "devices", "used": 4, "max": 4, "resets_ms": null},
    ]});
    api.get(quota).is(200, used);
    assert_eq!(
        vote(2, "d2", 601_000),
        json!({"accepted": false, "rule": "perminute", "retry_after_ms": 59_000})
    );
    assert_eq!(vote(1, "d1", 601_000), json!({"accepted": false, "rule": "devices", "retry_after_ms": null}));
    assert_eq!(digest(&mut pair.server.connection(), "v:limit"), before);
    let held_back = json!({"perminute": 1, "devices": 1});
    assert_eq!(api.get("/boards/v:limit").value(200)["held_back"], held_back);
    assert_eq!(vote(1, "d2", 661_000)["accepted"], true);
    let quota = api.get("/boards/v:limit/quota?by=bob&tag=device=a%3Db%3Dc&at=661000").value(200);
    assert_eq!(quota["quota"][1]["used"], 0);
    api.get("/boards/v:limit/quota?by=ann&tag=device").names(422, &["tag"]);
    api.post(path, json!({"by": "ann", "votes": [{"member": "tide"}], "at": 700_000})).refuses(&["device"]);
}

#[test]
fn a_tag_value_may_hold_an_equals_sign() {
    let pair = shared();
    let api = pair.api();
    make(&api, "v:tag", json!({"views": "all", "clock": "event", "limit": ["d device 9 all"]}));
    let body = json!({"tags": {"device": "a=b=c"}, "votes": [{"member": "tide", "votes": 3}], "at": 1000});
    api.post("/boards/v:tag/votes", body).status(200);
    let used = json!({"quota": [{"rule": "d", "used": 3, "max": 9, "resets_ms": null}]});
    api.get("/boards/v:tag/quota?tag=device=a=b=c&member=tide&at=1000").is(200, used);
}

#[test]
fn a_campaign_opens_and_closes() {
    let pair = shared();
    let api = pair.api();
    make(
        &api,
        "v:dates",
        json!({"views": "all", "clock": "event", "opens": 1000, "closes": 2000, "declared": true}),
    );
    api.put("/boards/v:dates/options/tide", json!({})).empty(204);
    let path = "/boards/v:dates/votes";
    let vote = |member: &str, at: u64| api.post(path, json!({"votes": [{"member": member}], "at": at}));
    vote("tide", 500).is(200, json!({"accepted": false, "rule": "closed", "retry_after_ms": 500}));
    vote("tide", 1500).is(200, accepted("1", 1, true));
    vote("reef", 1500).names(422, &["DECLARED"]);
    vote("tide", 2000).is(200, json!({"accepted": false, "rule": "closed", "retry_after_ms": null}));
}

#[test]
fn a_repeated_vote_counts_once() {
    let pair = shared();
    let api = pair.api();
    make(&api, "v:once", json!({"views": "all", "limit": ["all voter 2 all"]}));
    let path = "/boards/v:once/votes";
    let body = json!({"by": "ann", "votes": [{"member": "tide", "votes": 2}]});
    api.once("1").post(path, body.clone()).is(200, accepted("2", 1, true));
    api.once("1").post(path, body.clone()).is(200, accepted("2", 1, false));
    // A vote that is held back does not use its id, so the same request is held back again.
    let held_back = json!({"accepted": false, "rule": "all", "retry_after_ms": null});
    api.once("2").post(path, body.clone()).is(200, held_back.clone());
    api.once("2").post(path, body).is(200, held_back);
    let other = json!({"by": "ann", "votes": [{"member": "reef", "votes": 2}]});
    assert_eq!(api.once("1").post(path, other).problem_value(409)["type"], "urn:leaderboard:request-reused");
    let many = json!({"by": "bob", "votes": [{"member": "tide"}, {"member": "reef"}]});
    api.once("3").post(path, many.clone()).status(200);
    assert_eq!(api.once("3").post(path, many).value(200)["results"][1]["applied"], false);
    api.get("/boards/v:once/top").is(200, rows(&[(1, "tide", "3"), (2, "reef", "1")]));
}

#[test]
fn refused_votes_change_nothing() {
    let pair = shared();
    let api = pair.api();
    make(&api, "v:refused", json!({"views": "all"}));
    let before = digest(&mut pair.server.connection(), "v:refused");
    let many: Vec<_> = (0..1001).map(|n| json!({"member": format!("m{n}")})).collect();
    let tags: serde_json::Map<_, _> = (0..17).map(|n| (format!("t{n}"), json!("x"))).collect();
    for (body, word) in [
        (json!({}), "votes"),
        (json!({"votes": []}), "votes"),
        (json!({"votes": {"tide": 1}}), "votes"),
        (json!({"votes": many}), "1,000"),
        (json!({"votes": [{}]}), "member"),
        (json!({"votes": [{"member": "tide", "member_b64": "YQ=="}]}), "member_b64"),
        (json!({"votes": [{"member": ""}]}), "member"),
        (json!({"votes": [{"member": 5}]}), "member"),
        (json!({"votes": [{"member": "tide", "votes": 0}]}), "votes"),
        (json!({"votes": [{"member": "tide", "votes": -1}]}), "votes"),
        (json!({"votes": [{"member": "tide", "votes": 1.5}]}), "votes"),
        (json!({"votes": [{"member": "tide", "count": 1}]}), "count"),
        (json!({"votes": [{"member": "tide"}], "voter": "ann"}), "voter"),
        (json!({"votes": [{"member": "tide"}], "by": 7}), "by"),
        (json!({"votes": [{"member": "tide"}], "by": ""}), "by"),
        (json!({"votes": [{"member": "tide"}], "by": "x".repeat(257)}), "by"),
        (json!({"votes": [{"member": "tide"}], "tags": ["a"]}), "tags"),
        (json!({"votes": [{"member": "tide"}], "tags": {"device": 5}}), "tags"),
        (json!({"votes": [{"member": "tide"}], "tags": tags}), "tag"),
    ] {
        let problem = api.post("/boards/v:refused/votes", body.clone()).refused();
        let detail = problem["detail"].as_str().expect("a detail").replace("1000", "1,000").to_lowercase();
        assert!(detail.contains(word), "{body}: {detail} does not name {word}");
    }
    assert_eq!(digest(&mut pair.server.connection(), "v:refused"), before);
}

#[test]
fn votes_carry_the_address_that_they_came_from() {
    let server = Server::start(Flavor::Redis70);
    say(&server, "LB.CREATE songs VIEWS all LIMIT address ip 2 all");
    let plain = Gateway::builder(&[&server]).flag("--tag-ip").start();
    let proxied = Gateway::builder(&[&server]).flag("--tag-ip").arg("--trusted-proxy", "127.0.0.0/8").start();
    let vote = json!({"votes": [{"member": "tide"}]});
    let held_back = json!({"accepted": false, "rule": "address", "retry_after_ms": null});
    // This header does not come from a trusted proxy, so it is ignored.
    for n in 1..=2 {
        let api = plain.api().with("x-forwarded-for", &format!("203.0.113.{n}"));
        api.post("/boards/songs/votes", vote.clone()).is(200, accepted(&n.to_string(), 1, true));
    }
    plain.api().post("/boards/songs/votes", vote.clone()).is(200, held_back.clone());
    let from = |addresses: &str| {
        proxied.api().with("x-forwarded-for", addresses).post("/boards/songs/votes", vote.clone()).value(200)
    };
    assert_eq!(from("203.0.113.1")["accepted"], true);
    assert_eq!(from("198.51.100.7, 203.0.113.1")["accepted"], true, "what stands left of it is a claim");
    assert_eq!(from("9.9.9.9, 203.0.113.1"), held_back);
    assert_eq!(from("203.0.113.1, 127.0.0.2"), held_back, "proxies behind each other");
    assert_eq!(from("2001:db8::1")["accepted"], true);
    assert_eq!(
        proxied.api().post("/boards/songs/votes", vote.clone()).value(200),
        held_back,
        "no header: the peer itself"
    );
    let named = json!({"tags": {"ip": "203.0.113.9"}, "votes": [{"member": "tide"}]});
    proxied.api().post("/boards/songs/votes", named.clone()).names(422, &["ip"]);
    // The same rule applies in a batch.
    let ops = json!({"ops": [{"op": "vote", "key": "songs", "votes": [{"member": "tide"}]}]});
    let results = plain.api().post("/batch", ops).value(200);
    assert_eq!(results["results"][0]["body"], held_back);
    let mut op = named.clone();
    op["op"] = json!("vote");
    op["key"] = json!("songs");
    assert_eq!(plain.api().post("/batch", json!({"ops": [op]})).value(200)["results"][0]["status"], 422);
    // Without this flag, `ip` is a normal tag.
    Gateway::beside(&server).api().post("/boards/songs/votes", named).status(200);
}

#[test]
fn addresses_of_one_network_vote_as_one() {
    let server = Server::start(Flavor::Redis70);
    let proxied = || Gateway::builder(&[&server]).flag("--tag-ip").arg("--trusted-proxy", "::ffff:127.0.0.1");
    let by_64 = proxied().start();
    let by_address = proxied().arg("--ipv6-bits", "128").start();
    let vote = json!({"votes": [{"member": "tide"}]});
    let mut boards = 0;
    let mut accepted = |gateway: &Gateway, addresses: &[&str]| {
        boards += 1;
        say(&server, &format!("LB.CREATE b{boards} VIEWS all LIMIT address ip 1 all"));
        let path = format!("/boards/b{boards}/votes");
        let cast = |address: &&str| {
            let api = gateway.api().with("x-forwarded-for", address);
            api.post(&path, vote.clone()).value(200)["accepted"] == true
        };
        addresses.iter().filter(|address| cast(address)).count()
    };
    let network = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "[2001:db8:1:2::3]:4711", "[2001:db8:1:2::4]"];
    assert_eq!(accepted(&by_64, &network), 1);
    assert_eq!(accepted(&by_address, &network), 4);
    assert_eq!(accepted(&by_64, &["2001:db8:1:2::1", "2001:db8:1:3::1"]), 2);
    let one = [
        "1.2.3.4",
        "1.2.3.4:567",
        "1.2.3.4:568",
        "::ffff:1.2.3.4",
        "[::ffff:1.2.3.4]:9",
        "9.9.9.9, 1.2.3.4:1",
    ];
    assert_eq!(accepted(&by_64, &one), 1);
    assert_eq!(accepted(&by_64, &["1.2.3.4:567", "1.2.3.5:567"]), 2);
    // The quota of a rule shows its count for the value that the votes had as a tag.
    let quota =
        |tag: &str| by_64.api().get(&format!("/boards/b1/quota?tag=ip%3D{}", encoded(tag))).value(200);
    assert_eq!(quota("2001:db8:1:2::/64")["quota"][0]["used"], 1);
    assert_eq!(quota("2001:db8:1:3::/64")["quota"][0]["used"], 0);
}
