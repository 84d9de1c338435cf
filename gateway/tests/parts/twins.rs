//! A board over parts gives through HTTP what a plain board with the same writes gives.

use leaderboard_testkit::random::Random;
use serde_json::{Value, json};

use super::{now, spread_by};
use crate::servers::wait_until;
use crate::setup::say;
use crate::support::{Api, Reply, encoded, shared};

/// A plain board, and a board over parts.
const TWINS: [&str; 2] = ["t:plain", "t:wide"];
const RULES: &str = "VIEWS all,1s RETAIN 300";
const PRIZES: &str = "PRIZES 1s 1=gold,2-4=silver";
const MEMBERS: usize = 40;
const WRITES: u64 = 150;
/// Reads of a ranking. Each of them takes more arguments.
const READS: [&str; 13] = [
    "top?count=7&meta=true",
    "top?count=5&offset=6",
    "range?first=3&last=9",
    "range?min=5&max=60&count=5&offset=1",
    "count?min=5&max=70",
    "count?min=-inf&max=%2Binf",
    "stats?strict=true",
    "quantile?q=0&q=0.5&q=0.9&q=1",
    "histogram?min=0&max=100&buckets=7",
    "members/m1?meta=true",
    "members/nobody?meta=true",
    "around/m7?count=2&fill=true",
    "around/m20?above=1&below=3&meta=true",
];
const RANKS: [&str; 5] = ["", "&ranks=competition", "&ranks=dense", "&rev=true", "&real=true"];
/// Other requests, and some that are wrong.
const OTHERS: [&str; 11] = [
    "hidden",
    "members/m1/meta",
    "members/nobody/meta",
    "options",
    "quota?by=x",
    "top?view=week",
    "top?count=0",
    "count?min=x&max=1",
    "count?ranks=x",
    "quantile?q=2",
    "histogram?min=5&max=1&buckets=3",
];

/// Sends the same request to both boards, and compares the answers without `but`.
fn compare(but: &str, path: &str, send: impl Fn(&str) -> Reply) {
    let [plain, wide] = TWINS.map(|key| {
        let reply = send(&format!("/boards/{key}/{path}"));
        let mut lines: Vec<Value> = reply.text().lines().map(|line| read(line, but)).collect();
        lines.insert(0, json!(reply.status));
        lines
    });
    assert_eq!(plain, wide, "{path}");
}

/// A line as JSON, or as a text.
fn read(line: &str, but: &str) -> Value {
    let mut value = serde_json::from_str(line).unwrap_or_else(|_| json!(line));
    if let Some(fields) = value.as_object_mut() {
        fields.remove(but);
    }
    value
}

/// Writes of all kinds, each at a moment of its own: the order of equal scores of one moment is that of the parts.
fn play(api: &Api, random: &mut Random) {
    let begin = now();
    for number in 0..WRITES {
        // Moments of the future wait.
        wait_until(|| begin + 4 * number < now());
        let at = begin + 4 * number + random.below(4);
        let member = format!("members/m{}", random.below(MEMBERS as u64));
        let points = random.below(50);
        match random.below(10) {
            0 => {
                let body = json!({"meta": format!("text {number}")});
                compare("", &format!("{member}/meta"), |path| api.put(path, body.clone()));
            }
            1 => compare("", &format!("{member}/hidden"), |path| api.post(path, json!({}))),
            2 => compare("", &format!("{member}/hidden"), |path| api.delete(path)),
            3 => {
                let body = json!({"score": points, "at": at});
                compare("rank", &format!("{member}/score"), |path| api.put(path, body.clone()));
            }
            _ => {
                let body = json!({"points": points, "at": at});
                compare("rank", &format!("{member}/score"), |path| api.post(path, body.clone()));
            }
        }
    }
}

#[test]
fn a_board_over_parts_answers_as_a_plain_board() {
    let pair = shared();
    let api = pair.api();
    say(&pair.server, &format!("LB.CREATE {} {RULES} {PRIZES}", TWINS[0]));
    spread_by(&pair.server, TWINS[1], RULES, PRIZES);
    let began = now();
    play(&api, &mut Random::new(1));
    let periods = || {
        let periods = api.get(&format!("/boards/{}/periods?view=1s", TWINS[0])).value(200)["periods"].clone();
        periods.as_array().expect("a list").clone()
    };
    let since = now() + 1_000;
    wait_until(|| now() > since + 1_000);
    let played = periods().into_iter().filter(|period| {
        let start = period["start"].as_u64().expect("a moment");
        start + 1_000 > began && start < since
    });
    let labels: Vec<String> =
        played.map(|period| encoded(period["label"].as_str().expect("a label"))).collect();
    assert!(labels.len() > 1, "{labels:?}");
    let mut places = vec![String::new()];
    places.extend(labels.iter().map(|label| format!("&view=1s&period={label}")));
    for (read, place) in READS.iter().flat_map(|read| places.iter().map(move |place| (read, place))) {
        for ranks in RANKS {
            compare("", &format!("{read}{place}{ranks}"), |path| api.get(path));
        }
    }
    for label in &labels {
        compare("", &format!("prizes?view=1s&period={label}&count=3"), |path| api.get(path));
        let page = api.get(&format!("/boards/{}/prizes?view=1s&period={label}", TWINS[0])).value(200);
        let first = page["winners"][0]["member"].as_str().unwrap_or("nobody").to_owned();
        for (member, id) in [(first.as_str(), "one"), (&first, "two"), ("nobody", "one")] {
            let claim = format!("claims/{member}?view=1s&period={label}");
            compare("", &claim, |path| api.once(&format!("{path}{id}")).send("PUT", path, None));
        }
        compare("claimed", &format!("periods/{label}.jsonl?view=1s"), |path| api.get(path));
        compare("", &format!("prizes?view=1s&period={label}&unclaimed=true"), |path| api.get(path));
    }
    for other in OTHERS {
        compare("", other, |path| api.get(path));
    }
}
