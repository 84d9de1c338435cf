//! Tests of rights: all routes of the API with all roles, with keys that the token allows and keys that it does not
//! allow, and with `--read-only`. A route that is not in the table fails the test.

use std::collections::BTreeSet;

mod table;
mod user;

use redis::Value as Answer;
use serde_json::{Value, json};

use crate::servers::{Flavor, Server, pipeline, words};
use crate::support::{Api, Gateway, Stream, shared};
use crate::tokens::Tokens;
use table::{May, OPERATIONS, Route, TABLE};

const ROLES: [&str; 4] = ["viewer", "voter", "editor", "admin"];

/// Routes that this table does not contain. The rights of each operation of a batch are checked separately, in another
/// test. Only admins may read the deliveries of hooks, also where the console is read-only: this is checked with the pages.
const ELSEWHERE: [&str; 2] = ["POST /batch", "GET /hooks"];

#[test]
fn the_table_knows_every_route() {
    let pair = shared();
    let described = pair.api().get("/openapi.json").value(200);
    assert!(
        described["openapi"].as_str().is_some_and(|version| version.starts_with("3.")),
        "{}",
        described["openapi"]
    );
    let mut routes = BTreeSet::new();
    for (path, methods) in described["paths"].as_object().expect("paths") {
        let path = path.strip_prefix("/api/v1").unwrap_or(path);
        for method in methods.as_object().expect("methods").keys() {
            routes.insert(format!("{} {}", method.to_uppercase(), nameless(path)));
        }
    }
    routes.retain(|route| !["GET /healthz", "GET /readyz", "GET /metrics"].contains(&route.as_str()));
    let table = TABLE.iter().map(|route| format!("{} {}", route.method, route.path));
    let known: BTreeSet<String> = table.chain(ELSEWHERE.map(str::to_owned)).collect();
    let known: BTreeSet<String> = known.into_iter().filter(|route| route != "GET /openapi.json").collect();
    routes.remove("GET /openapi.json");
    assert_eq!(routes, known);
}

/// Removes the names of parameters: `/boards/{key}` → `/boards/{}`.
fn nameless(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.split_once('{') {
        Some((before, rest)) => {
            format!("{before}{{}}{}", rest.split_once('}').map_or("", |(_, after)| after))
        }
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

/// A server, the tokens, and the gateways that use them.
struct House {
    server: Server,
    tokens: [String; 4],
    usual: Gateway,
    read_only: Gateway,
    _file: Tokens,
}

impl House {
    fn new() -> House {
        let server = Server::start(Flavor::Redis70);
        let file = Tokens::new();
        let tokens = ROLES.map(|role| file.make(role, role, &["mine:*", "ours:?"]));
        let builder = || Gateway::builder(&[&server]).arg("--tokens", file.path());
        let (usual, read_only) = (builder().start(), builder().flag("--read-only").start());
        House { server, tokens, usual, read_only, _file: file }
    }

    fn tidy(&self) {
        tidy(&self.server);
    }

    /// Returns a digest of the values of all keys.
    fn digest(&self) -> Answer {
        crate::setup::say(&self.server, "DEBUG DIGEST")
    }
}

/// Restores the keys that the table uses.
fn tidy(server: &Server) {
    let lines = ["mine", "other"].into_iter().flat_map(|key| {
        [
            format!("DEL {key}:b {key}:d {key}:p {key}:lp {key}:l {key}:c {key}:new"),
            format!("LB.CREATE {key}:b SEGMENTS land:SUM"),
            format!("LB.MADD {key}:b SEGMENT land se 5 ann 4 bob"),
            format!("LB.SETMETA {key}:b ann Ann"),
            format!("LB.CREATE {key}:d DECLARED"),
            format!("LB.JOIN {key}:d bob"),
            format!("LB.CREATE {key}:p VIEWS day CLOCK EVENT PRIZES day 1=gold"),
            format!("LB.ADD {key}:p 5 ann AT 1"),
            format!("LB.ALTER {key}:p NOW 86400000"),
            format!(
                "LB.LEAGUE.CREATE {key}:lp TIERS a PROMOTE 0 DEMOTE 0 CYCLE day CLOCK EVENT PRIZES a 1=gold"
            ),
            format!("LB.LEAGUE.ADD {key}:lp 5 ann AT 1"),
            format!("LB.LEAGUE.ADD {key}:lp 5 bob AT 86400000"),
            format!("LB.LEAGUE.CREATE {key}:l TIERS a PROMOTE 0 DEMOTE 0 CYCLE year"),
            format!("LB.LEAGUE.JOIN {key}:l ann"),
            format!("LB.COUNTER.CREATE {key}:c"),
        ]
    });
    let commands: Vec<_> = lines.map(|line| words(&line.split(' ').collect::<Vec<_>>())).collect();
    for answer in pipeline(&mut server.connection(), &commands) {
        answer.expect("a tidy server");
    }
}

fn send(gateway: &Gateway, api: &Api, token: Option<&str>, route: &Route, key: &str) -> u16 {
    let (ask, body) = (route.ask.replace("KEY", key), route.body.replace("KEY", key));
    if route.path.ends_with("/live") {
        let header = token.map(|token| format!("Authorization: Bearer {token}"));
        return Stream::open(gateway.address(), &ask, &header.iter().map(String::as_str).collect::<Vec<_>>())
            .status;
    }
    let reply = match body.as_str() {
        "" => api.send(route.method, &ask, None),
        _ if body.starts_with('{') => api.text(route.method, &ask, "application/json", body.as_bytes()),
        _ => api.text(route.method, &ask, "text/csv", body.as_bytes()),
    };
    let status = reply.status;
    if status >= 400 {
        reply.problem(status);
    }
    status
}

#[test]
fn every_route_serves_those_who_may_and_nobody_else() {
    let house = House::new();
    let unknown = house.tokens[3].replace(|digit: char| digit.is_ascii_digit(), "0");
    let mut wrong = Vec::new();
    for (gateway, is_read_only) in [(&house.usual, false), (&house.read_only, true)] {
        for route in TABLE {
            for key in ["mine", "other"] {
                house.tidy();
                let mut before = house.digest();
                for caller in 0..6 {
                    let (token, api) = match caller {
                        0..=3 => {
                            (Some(house.tokens[caller].as_str()), gateway.api().bearer(&house.tokens[caller]))
                        }
                        4 => (Some(unknown.as_str()), gateway.api().bearer(&unknown)),
                        _ => (None, gateway.api()),
                    };
                    let named = route.ask.contains("KEY") || route.body.contains("KEY");
                    let expected = match route.may {
                        May::Everybody => route.status,
                        _ if caller > 3 => 401,
                        may if !may.allows(caller) || (is_read_only && may.is_change()) => 403,
                        _ if named && key == "other" => 403,
                        _ => route.status,
                    };
                    let came = send(gateway, &api, token, route, key);
                    let who = ["viewer", "voter", "editor", "admin", "a wrong token", "no token"][caller];
                    let line = format!(
                        "{} {} by {who}, key {key}, read-only {is_read_only}",
                        route.method, route.ask
                    );
                    if came != expected {
                        wrong.push(format!("{line}: {came}, not {expected}"));
                    }
                    if expected < 400 && route.may.is_change() {
                        house.tidy();
                        before = house.digest();
                    } else if house.digest() != before && came == expected {
                        wrong.push(format!("{line}: it changed something"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_rule_in_a_form_reads_no_other_board() {
    let house = House::new();
    house.tidy();
    let admin = house.usual.api().bearer(&house.tokens[3]);
    for rule in ["a+voter+5+day+LIKE+other:b", "a+voter+5+day+NX", "a+voter+5+day+LIKE+other:b+x+y"] {
        let form = format!("kind=board&key=mine:new&limits={rule}");
        let form = form.as_bytes();
        admin.text("POST", "//boards/new", "application/x-www-form-urlencoded", form).status(400);
        assert_eq!(crate::setup::say(&house.server, "EXISTS mine:new"), Answer::Int(0), "{rule}");
    }
    let form = b"kind=board&key=mine:new&limits=a+voter+5+day+bonus+t+v+2";
    admin.text("POST", "//boards/new", "application/x-www-form-urlencoded", form).status(303);
}

#[test]
fn each_operation_of_a_batch_is_judged_by_itself() {
    let house = House::new();
    house.tidy();
    let ops = |key: &str| -> Vec<Value> {
        OPERATIONS
            .iter()
            .map(|(_, op)| serde_json::from_str(&op.replace("KEY", key)).expect("an operation"))
            .collect()
    };
    let both = [ops("mine"), ops("other")].concat();
    let all = json!({ "ops": both });
    let mut wrong = Vec::new();
    for (gateway, is_read_only) in [(&house.usual, false), (&house.read_only, true)] {
        for (role, name) in ROLES.iter().enumerate() {
            let before = crate::setup::say(&house.server, "DEBUG DIGEST-VALUE other:b");
            let reply = gateway.api().bearer(&house.tokens[role]).post("/batch", all.clone()).value(200);
            let statuses: Vec<_> = reply["results"]
                .as_array()
                .expect("results")
                .iter()
                .map(|result| result["status"].clone())
                .collect();
            assert_eq!(statuses.len(), OPERATIONS.len() * 2);
            for (at, status) in statuses.iter().enumerate() {
                let (may, op) = OPERATIONS[at % OPERATIONS.len()];
                let is_allowed =
                    at < OPERATIONS.len() && may.allows(role) && !(is_read_only && may.is_change());
                let came = status.as_u64().expect("a status");
                if (came < 300) != is_allowed || (!is_allowed && came != 403) {
                    wrong.push(format!(
                        "{name}, read-only {is_read_only}: {came} for {op}, {}",
                        if at < OPERATIONS.len() { "mine" } else { "other" }
                    ));
                }
            }
            assert_eq!(crate::setup::say(&house.server, "DEBUG DIGEST-VALUE other:b"), before);
        }
        gateway.api().post("/batch", all.clone()).problem(401);
        gateway.api().bearer("x").post("/batch", all.clone()).problem(401);
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn keys_that_a_token_is_not_for_stay_out_of_sight() {
    let house = House::new();
    house.tidy();
    for command in ["LB.CREATE ours:1", "LB.CREATE ours:12"] {
        crate::setup::say(&house.server, command);
    }
    let admin = house.usual.api().bearer(&house.tokens[3]);
    for path in ["/boards", "/boards?filter=:", "/boards?filter=o", "/boards?kind=board"] {
        let list = admin.get(path).value(200);
        let keys: Vec<_> = list["boards"]
            .as_array()
            .expect("boards")
            .iter()
            .map(|board| board["key"].as_str().expect("a key"))
            .collect();
        assert!(keys.iter().all(|key| key.starts_with("mine:") || *key == "ours:1"), "{path}: {keys:?}");
        assert!(keys.contains(&"ours:1"), "{path}: {keys:?}");
    }
    // The rules of another board are as secret as the board.
    admin.post("/boards", json!({"key": "mine:new", "like": "other:b"})).problem(403);
    admin.post("/boards", json!({"key": "mine:new", "like": "mine:b"})).status(201);
    // The reply is the same, whether the key exists or not.
    let there = admin.get("/boards/other:b/top").problem(403);
    let absent = admin.get("/boards/other:z/top").problem(403);
    assert_eq!(there.replace("other:b", "other:z"), absent);
    admin.get("//metrics").status(200);
    admin.get("//metrics?board=mine:b").status(200);
    admin.get("//metrics?board=mine:b&board=other:b").problem(403);
    house.usual.api().get("//metrics").problem(401);
    house.usual.api().get("//healthz").status(200);
}

#[test]
fn read_only_is_for_all_without_tokens_too() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::builder(&[&server]).flag("--read-only").start();
    let api = gateway.api();
    crate::setup::say(&server, "LB.ADD songs 5 tide");
    api.get("/boards/songs/top").status(200);
    api.post("/boards", json!({"key": "new"})).problem(403);
    api.post("/boards/songs/votes", json!({"votes": [{"member": "tide"}]})).problem(403);
    api.delete("/boards/songs?confirm=songs").problem(403);
    assert_eq!(crate::setup::say(&server, "EXISTS songs new"), Answer::Int(1));
}

#[test]
fn tokens_are_taken_from_one_header_alone() {
    let house = House::new();
    house.tidy();
    let (api, token) = (house.usual.api(), &house.tokens[0]);
    for header in [
        format!("Basic {token}"),
        token.clone(),
        format!("Bearer{token}"),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {token}x"),
    ] {
        let reply = api.with("authorization", &header).get("/boards").status(401);
        assert!(
            reply.header("www-authenticate").is_some_and(|value| value.starts_with("Bearer")),
            "{header}"
        );
        reply.problem(401);
    }
    api.get(&format!("/boards?token={token}")).problem(401);
    api.get(&format!("/boards?access_token={token}")).problem(401);
    // The name of the scheme is not case-sensitive.
    api.with("authorization", &format!("bearer {token}")).get("/boards").status(200);
}

/// Checks that pages need the same roles as the API. Other tests check the content of the pages.
#[test]
fn pages_ask_for_roles_too() {
    let house = House::new();
    house.tidy();
    let mut wrong = Vec::new();
    let looks = ["", "/members/ann", "/campaign", "/options", "/voter", "/rows.csv"]
        .map(|page| (0, format!("/boards/KEY:b{page}")));
    let more = [
        (0, "/leagues/KEY:l".to_owned()),
        (0, "/counters/KEY:c".to_owned()),
        (0, "/plots/boards/KEY:b/votes".to_owned()),
    ];
    let keyless = [
        (0, "/boards".to_owned()),
        (0, "/health".to_owned()),
        (3, "/audit".to_owned()),
        (3, "/audit.jsonl".to_owned()),
        (3, "/hooks".to_owned()),
        (3, "/api/v1/hooks".to_owned()),
    ];
    for (least, page) in looks.into_iter().chain(more).chain(keyless) {
        for (role, name) in ROLES.iter().enumerate() {
            let api = house.usual.api().bearer(&house.tokens[role]);
            let mine = api.get(&format!("/{}", page.replace("KEY", "mine"))).status;
            let expected = if role >= least { 200 } else { 403 };
            if mine != expected {
                wrong.push(format!("GET {page} by {name}, mine: {mine}, not {expected}"));
            }
            let other = api.get(&format!("/{}", page.replace("KEY", "other"))).status;
            if page.contains("KEY") && other != 403 {
                wrong.push(format!("GET {page} by {name}, other: {other}, not 403"));
            }
        }
    }
    let before = house.digest();
    let forms = [
        "members/ann/score",
        "members/ann/meta",
        "members/ann/remove",
        "members/ann/hide",
        "campaign/dates",
        "campaign/limits",
    ];
    for form in forms {
        let path = |key: &str| format!("//boards/{key}:b/{form}");
        let kind = "application/x-www-form-urlencoded";
        let body = b"id=x&score=9&points=9&meta=x&confirm=ann&opens=&closes=&name=a&scope=voter&max=5&unit=day&bonuses=";
        let attempts = [
            (house.usual.api().bearer(&house.tokens[0]), path("mine"), 403),
            (house.usual.api().bearer(&house.tokens[1]), path("mine"), 403),
            (house.usual.api().bearer(&house.tokens[3]), path("other"), 403),
            (house.read_only.api().bearer(&house.tokens[3]), path("mine"), 403),
        ];
        for (api, path, expected) in attempts {
            let came = api.text("POST", &path, kind, body).status;
            if came != expected {
                wrong.push(format!("POST {path}: {came}, not {expected}"));
            }
        }
        // A request without a token or session is refused, and so is a request from another site with a user's
        // session.
        assert!(
            [303, 401].contains(&house.usual.api().text("POST", &path("mine"), kind, body).status),
            "{form}"
        );
        let forged = house.usual.api().bearer(&house.tokens[3]).with("sec-fetch-site", "cross-site");
        assert_eq!(forged.text("POST", &path("mine"), kind, body).status, 403, "{form}");
    }
    assert_eq!(house.digest(), before);
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
