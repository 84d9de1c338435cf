//! Tests that read a board: rows, counts, periods, statistics and single members, with all options.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::servers::Server;
use crate::setup::{make, rows, say};
use crate::support::{Api, Pair, encoded, shared};

const DAY: i64 = 86_400_000;

/// Makes a board of events over two days, with equal scores. Second day: dan 9, ann 5, bob 5, cat 1. First day: ann 3,
/// bob 2. View `all`: dan 9, ann 8, bob 7, cat 1.
fn played(server: &Server, key: &str) {
    say(server, &format!("LB.CREATE {key} VIEWS all,day CLOCK EVENT RETAIN 2"));
    for (points, member, at) in [(3, "ann", DAY + 1), (2, "bob", DAY + 2)] {
        say(server, &format!("LB.ADD {key} {points} {member} AT {at}"));
    }
    for (points, member, at) in [(5, "ann", 1), (5, "bob", 2), (9, "dan", 3), (1, "cat", 4)] {
        say(server, &format!("LB.ADD {key} {points} {member} AT {}", 2 * DAY + at));
    }
    say(server, &format!("LB.SETMETA {key} ann Ann"));
}

struct Board {
    // Keeps the server and the gateway running while this value exists.
    _pair: Arc<Pair>,
    api: Api,
    path: String,
}

impl Board {
    fn played(key: &str) -> Board {
        let pair = shared();
        played(&pair.server, key);
        Board { api: pair.api(), _pair: pair, path: format!("/boards/{key}") }
    }

    #[track_caller]
    fn get(&self, what: &str) -> Value {
        self.api.get(&format!("{}{what}", self.path)).value(200)
    }

    #[track_caller]
    fn refuses(&self, what: &str, word: &str) {
        self.api.get(&format!("{}{what}", self.path)).refuses(&[word]);
    }
}

#[test]
fn the_best_are_shown() {
    let board = Board::played("r:top");
    let all = [(1, "dan", "9"), (2, "ann", "8"), (3, "bob", "7"), (4, "cat", "1")];
    assert_eq!(board.get("/top"), rows(&all));
    assert_eq!(board.get("/top?count=2"), rows(&all[..2]));
    assert_eq!(board.get("/top?count=2&offset=1"), rows(&all[1..3]));
    assert_eq!(board.get("/top?count=0"), rows(&[]));
    assert_eq!(board.get("/top?rev=true&count=2"), rows(&[(1, "cat", "1"), (2, "bob", "7")]));
    assert_eq!(board.get("/top?count=1000"), rows(&all));
    let with_meta = json!({"rank": 2, "member": "ann", "score": "8", "meta": "Ann"});
    assert_eq!(board.get("/top?offset=1&count=1&meta=true")["rows"], json!([with_meta]));
    let none = board.get("/top?count=1&meta=true")["rows"][0].clone();
    assert!(none.get("meta").is_none_or(Value::is_null), "{none}");
}

#[test]
fn views_and_periods_are_chosen() {
    let board = Board::played("r:views");
    let today = rows(&[(1, "dan", "9"), (2, "ann", "5"), (3, "bob", "5"), (4, "cat", "1")]);
    let before = rows(&[(1, "ann", "3"), (2, "bob", "2")]);
    for query in
        ["view=day", "view=day&period=0", "view=day&period=1970-01-03", &format!("view=day&at={}", 2 * DAY)]
    {
        assert_eq!(board.get(&format!("/top?{query}")), today, "{query}");
    }
    for query in ["view=day&period=-1", "view=day&period=1970-01-02", &format!("view=day&at={}", 2 * DAY - 1)]
    {
        assert_eq!(board.get(&format!("/top?{query}")), before, "{query}");
    }
    assert_eq!(board.get("/top?view=day&period=-9"), rows(&[]));
    board.refuses("/top?view=week", "week");
    board.refuses("/top?view=day&period=soon", "soon");
    board.refuses("/top?view=day&period=-1&at=5", "at");
}

#[test]
fn ranks_of_equals_are_chosen() {
    let board = Board::played("r:ranks");
    let ranks = |how: &str| {
        let rows = board.get(&format!("/top?view=day&{how}"))["rows"].take();
        rows.as_array()
            .expect("rows")
            .iter()
            .map(|row| row["rank"].as_u64().expect("a rank"))
            .collect::<Vec<_>>()
    };
    assert_eq!(ranks(""), [1, 2, 3, 4]);
    assert_eq!(ranks("ranks=ordinal"), [1, 2, 3, 4]);
    assert_eq!(ranks("ranks=competition"), [1, 2, 2, 4]);
    assert_eq!(ranks("ranks=dense"), [1, 2, 2, 3]);
    board.refuses("/top?ranks=fair", "ranks");
}

#[test]
fn rows_are_read_by_rank_and_by_score() {
    let board = Board::played("r:range");
    let all = [(1, "dan", "9"), (2, "ann", "8"), (3, "bob", "7"), (4, "cat", "1")];
    assert_eq!(board.get("/range?first=2&last=3"), rows(&all[1..3]));
    assert_eq!(board.get("/range?first=-2&last=-1"), rows(&all[2..]));
    assert_eq!(board.get("/range?first=1&last=2&rev=true"), rows(&[(1, "cat", "1"), (2, "bob", "7")]));
    assert_eq!(board.get("/range?min=7&max=8"), rows(&all[1..3]));
    assert_eq!(board.get("/range?min=(7&max=%2Binf"), rows(&all[..2]));
    assert_eq!(board.get("/range?min=-inf&max=(8&offset=1&count=1"), rows(&all[3..]));
    assert_eq!(
        board.get("/range?min=1&max=5&view=day"),
        rows(&[(2, "ann", "5"), (3, "bob", "5"), (4, "cat", "1")])
    );
    let with_meta = json!({"rank": 2, "member": "ann", "score": "8", "meta": "Ann"});
    assert_eq!(board.get("/range?first=2&last=2&meta=true")["rows"], json!([with_meta]));
    for (query, word) in [
        ("first=0&last=1", "first"),
        ("first=1", "last"),
        ("last=1", "first"),
        ("min=1", "max"),
        ("min=x&max=2", "min"),
        ("first=1&last=2&min=1&max=2", "min"),
        ("first=one&last=2", "first"),
    ] {
        board.refuses(&format!("/range?{query}"), word);
    }
    board.api.get("/boards/r:range/range").problem(422);
}

#[test]
fn neighbours_are_shown() {
    let board = Board::played("r:around");
    let all = [(1, "dan", "9"), (2, "ann", "8"), (3, "bob", "7"), (4, "cat", "1")];
    assert_eq!(board.get("/around/ann?count=1"), rows(&all[..3]));
    assert_eq!(board.get("/around/bob?above=2&below=0"), rows(&all[..3]));
    assert_eq!(board.get("/around/ann?below=1"), rows(&all[1..3]));
    assert_eq!(board.get("/around/dan?count=1&fill=true"), rows(&all[..3]));
    assert_eq!(board.get("/around/dan?count=1&fill=false"), rows(&all[..2]));
    assert_eq!(board.get("/around/nobody?count=1"), rows(&[]));
    assert_eq!(
        board.get("/around/bob?count=1&view=day&period=-1"),
        rows(&[(1, "ann", "3"), (2, "bob", "2")])
    );
    board.refuses("/around/ann?count=1&above=1", "above");
}

#[test]
fn members_are_counted_and_periods_listed() {
    let board = Board::played("r:count");
    assert_eq!(board.get("/count"), json!({"members": 4}));
    assert_eq!(board.get("/count?min=7&max=%2Binf"), json!({"members": 3}));
    assert_eq!(board.get("/count?view=day&period=-1"), json!({"members": 2}));
    board.refuses("/count?min=7", "max");
    let all = json!([{"label": "all", "start": null, "end": null, "members": 4}]);
    assert_eq!(board.get("/periods"), json!({"periods": all}));
    let days = json!([
        {"label": "1970-01-03", "start": 2 * DAY, "end": 3 * DAY, "members": 4},
        {"label": "1970-01-02", "start": DAY, "end": 2 * DAY, "members": 2},
    ]);
    assert_eq!(board.get("/periods?view=day"), json!({"periods": days}));
    board.refuses("/periods?view=week", "week");
}

#[test]
fn scores_are_described() {
    let board = Board::played("r:stats");
    let stats = json!({"members": 4, "sum": "25", "mean": "6.250000", "min": "1", "max": "9", "median": "7"});
    assert_eq!(board.get("/stats"), stats);
    let quantiles = json!([{"q": "0.5", "score": "7"}, {"q": "0.9", "score": "9"}]);
    assert_eq!(board.get("/quantile?q=0.5&q=0.9"), json!({"quantiles": quantiles}));
    let buckets = json!([{"from": "0", "to": "5", "members": 1}, {"from": "5", "to": "10", "members": 3}]);
    assert_eq!(board.get("/histogram?min=0&max=10&buckets=2"), json!({"buckets": buckets}));
    board.refuses("/quantile", "q");
    board.refuses("/quantile?q=2", "q");
    board.refuses("/histogram?min=0&max=10&buckets=0", "buckets");
    board.refuses("/histogram?min=0&buckets=2", "max");
    board.refuses("/histogram?min=0&max=10&buckets=1000000", "buckets");
}

#[test]
fn the_standing_of_a_member_is_told() {
    let board = Board::played("r:standing");
    let standing = json!({
        "member": "ann", "rank": 2, "score": "5", "members": 4, "percentile": "75.00",
        "ahead": {"member": "dan", "score": "9", "gap": "4"}, "behind": {"member": "bob", "score": "5", "gap": "0"},
        "previous": {"rank": 1, "score": "3"}, "change": -1, "at": 2 * DAY + 1, "meta": "Ann",
    });
    assert_eq!(board.get("/members/ann?view=day&meta=true"), standing);
    let mut first = board.get("/members/ann?view=day&period=-1&meta=true");
    let expected = json!({
        "member": "ann", "rank": 1, "score": "3", "members": 2, "percentile": "100.00", "ahead": null,
        "behind": {"member": "bob", "score": "2", "gap": "1"}, "previous": null, "change": null, "at": null, "meta": "Ann",
    });
    assert_eq!(first.take(), expected);
    assert_eq!(board.get("/members/cat?rev=true")["rank"], 1);
    assert_eq!(board.get("/members/bob?view=day&ranks=dense")["rank"], 2);
    board.api.get("/boards/r:standing/members/dan?view=day&period=-1").problem(404);
    board.api.get("/boards/r:standing/members/nobody").problem(404);
    board.refuses("/members/ann?view=week", "week");
}

#[test]
fn an_absent_board_reads_as_an_empty_one() {
    let pair = shared();
    let api = pair.api();
    for what in ["top", "range?first=1&last=9", "range?min=1&max=9", "around/ann?count=1"] {
        api.get(&format!("/boards/r:absent/{what}")).is(200, rows(&[]));
    }
    for (what, empty) in [
        ("periods?view=day", json!({"periods": []})),
        ("count", json!({"members": 0})),
        ("voters", json!({"voters": 0})),
        ("hidden", json!({"members": []})),
        ("options", json!({"options": []})),
        ("quota?by=ann", json!({"quota": []})),
        ("histogram?min=0&max=9&buckets=3", json!({"buckets": []})),
    ] {
        api.get(&format!("/boards/r:absent/{what}")).is(200, empty);
    }
    for what in ["", "/members/ann", "/members/ann/meta"] {
        api.get(&format!("/boards/r:absent{what}")).problem(404);
    }
    assert_eq!(say(&pair.server, "EXISTS r:absent"), redis::Value::Int(0));
}

#[test]
fn another_type_of_key_is_told() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, "SET r:text x");
    for what in [
        "",
        "/top",
        "/range?first=1&last=2",
        "/around/ann?count=1",
        "/periods?view=all",
        "/count",
        "/voters",
        "/stats",
    ] {
        let problem = api.get(&format!("/boards/r:text{what}")).problem_value(409);
        assert_eq!(problem["type"], "urn:leaderboard:wrong-type", "{what}");
    }
    api.post("/boards/r:text/members/ann/score", json!({"points": 1})).problem(409);
    api.post("/boards/r:text/votes", json!({"votes": [{"member": "ann"}]})).problem(409);
    api.get("/leagues/r:text").problem(409);
    api.get("/counters/r:text?precision=60").problem(409);
}

#[test]
fn real_and_shown_scores_are_told_apart() {
    let pair = shared();
    let api = pair.api();
    make(&api, "r:real", json!({"views": "all", "shown": true}));
    api.put("/boards/r:real/options/tide", json!({"weight": 3, "initial": 100})).empty(204);
    api.post("/boards/r:real/votes", json!({"votes": [{"member": "tide", "votes": 2}]})).status(200);
    api.get("/boards/r:real/top").is(200, rows(&[(1, "tide", "106")]));
    api.get("/boards/r:real/top?real=true").is(200, rows(&[(1, "tide", "2")]));
    assert_eq!(api.get("/boards/r:real/members/tide?real=true").value(200)["score"], "2");
    assert_eq!(api.get("/boards/r:real/stats?real=true").value(200)["sum"], "2");
}

#[test]
fn long_decimals_and_levels_stay_exact() {
    let pair = shared();
    let api = pair.api();
    make(&api, "r:exact", json!({"decimals": 9}));
    let path = "/boards/r:exact/members/ann/score";
    api.post(path, json!({"points": "123456789.123456789"})).is(200, written("123456789.123456789", 1));
    api.post(path, json!({"points": "0.000000001"})).is(200, written("123456789.12345679", 1));
    api.post(path, json!({"points": "-0.5"})).is(200, written("123456788.62345679", 1));
    api.get("/boards/r:exact/top").is(200, rows(&[(1, "ann", "123456788.62345679")]));
    api.get("/boards/r:exact/range?min=123456788.62345679&max=123456788.62345679")
        .is(200, rows(&[(1, "ann", "123456788.62345679")]));
    make(&api, "r:whole", json!({}));
    api.post("/boards/r:whole/members/ann/score", json!({"points": "999999999999999999"}))
        .is(200, written("999999999999999999", 1));
    api.post("/boards/r:whole/members/bob/score", json!({"points": 999_999_999_999_999_998_i64}))
        .is(200, written("999999999999999998", 2));
    assert_eq!(
        api.get("/boards/r:whole/members/bob").value(200)["ahead"],
        json!({"member": "ann", "score": "999999999999999999", "gap": "1"})
    );
    make(&api, "r:medals", json!({"levels": "gold:DESC:2000,silver:DESC:2000,bronze:DESC:2000"}));
    api.post("/boards/r:medals/members/nor/score", json!({"points": "12/5/3"})).is(200, written("12/5/3", 1));
    api.post("/boards/r:medals/members/ger/score", json!({"points": "12/6/0"})).is(200, written("12/6/0", 1));
    api.post("/boards/r:medals/members/nor/score", json!({"points": "0/1/0"})).is(200, written("12/6/3", 1));
    api.get("/boards/r:medals/top").is(200, rows(&[(1, "nor", "12/6/3"), (2, "ger", "12/6/0")]));
    api.get("/boards/r:medals/range?min=12/6/1&max=99/0/0").is(200, rows(&[(1, "nor", "12/6/3")]));
}

fn written(score: &str, rank: u64) -> Value {
    json!({"score": score, "rank": rank, "applied": true})
}

#[test]
fn members_that_are_no_text_are_named_in_base64() {
    let pair = shared();
    let api = pair.api();
    let mut con = pair.server.connection();
    let bytes = |command: &[&[u8]]| crate::servers::run(&mut pair.server.connection(), command);
    bytes(&[b"LB.ADD", b"r:bytes", b"5", b"\xff\xfe\xfb"]);
    bytes(&[b"LB.SETMETA", b"r:bytes", b"\xff\xfe\xfb", b"\xfa"]);
    // `//77` is the name in standard Base64, `__77` in the Base64 for paths.
    let row = json!({"rank": 1, "member_b64": "//77", "score": "5", "meta_b64": "+g=="});
    api.get("/boards/r:bytes/top?meta=true").is(200, json!({"rows": [row]}));
    let around = json!({"rank": 1, "member_b64": "//77", "score": "5"});
    api.get("/boards/r:bytes/around/__77?b64=true&count=1").is(200, json!({"rows": [around]}));
    let standing = api.get("/boards/r:bytes/members/__77?b64=true").value(200);
    assert_eq!([&standing["member_b64"], &standing["score"]], ["//77", "5"]);
    assert!(standing.get("member").is_none(), "{standing}");
    api.get("/boards/r:bytes/members/__77/meta?b64=true").is(200, json!({"meta_b64": "+g=="}));
    api.put("/boards/r:bytes/members/__77/meta?b64=true", json!({"meta_b64": "/w=="})).empty(204);
    let meta: Vec<u8> =
        crate::servers::query(&mut con, &[b"LB.GETMETA".as_slice(), b"r:bytes", b"\xff\xfe\xfb"]);
    assert_eq!(meta, b"\xff");
    api.post("/boards/r:bytes/members/__77/score?b64=true", json!({"points": 1})).is(200, written("6", 1));
    api.post("/boards/r:bytes/votes", json!({"votes": [{"member_b64": "//77"}]})).status(200);
    api.get("/boards/r:bytes/members/%21?b64=true").names(422, &["member"]);
    api.get(&format!("/boards/r:bytes/members/{}", "%FF")).problem(400);
    api.delete("/boards/r:bytes/members/__77?b64=true&confirm=__77").empty(204);
    api.get("/boards/r:bytes/top").is(200, rows(&[]));
}

#[test]
fn names_with_every_sign_reach_the_board() {
    let pair = shared();
    let api = pair.api();
    for member in
        ["a/b", "a b", "a+b", "ä€😀", "a%2Fb", "a?b#c", "..", ".", "\"\\\n\t\u{0}", "<b>", "&amp;", " "]
    {
        let path = format!("/boards/{}/members/{}", encoded("r:né/ w"), encoded(member));
        api.post(&format!("{path}/score"), json!({"points": 3})).status(200);
        let standing = api.get(&path).value(200);
        assert_eq!([&standing["member"], &standing["score"]], [member, "3"], "{member:?}");
    }
    assert_eq!(api.get(&format!("/boards/{}", encoded("r:né/ w"))).value(200)["members"], 12);
}
