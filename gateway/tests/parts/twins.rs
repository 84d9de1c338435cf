//! A board over parts gives through HTTP what a plain board with the same writes gives.

use leaderboard_testkit::random::Random;
use serde_json::{Value, json};

use super::{now, spread_by};
use crate::servers::{Server, wait_until};
use crate::setup::say;
use crate::support::{Api, Reply, encoded, shared};

/// The ms of a period.
const PERIOD: u64 = 1_000;
const RULES: &str = "VIEWS all,1s RETAIN 300";
const PRIZES: &str = "PRIZES 1s 1=gold,2-4=silver";
const MEMBERS: u64 = 40;
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

/// A plain board, and a board over parts.
struct Twins {
    api: Api,
    keys: [String; 2],
}

impl Twins {
    fn make(api: Api, server: &Server, attempt: u32) -> Self {
        let keys = ["plain", "wide"].map(|name| format!("t:{name}{attempt}"));
        say(server, &format!("LB.CREATE {} {RULES} {PRIZES}", keys[0]));
        spread_by(server, &keys[1], RULES, PRIZES);
        Self { api, keys }
    }

    /// Sends the same request to both boards, and compares the answers without `but`.
    fn compare(&self, but: &str, path: &str, send: impl Fn(&str) -> Reply) {
        let [plain, wide] = self.keys.each_ref().map(|key| {
            let reply = send(&format!("/boards/{key}/{path}"));
            let mut lines: Vec<Value> = reply.text().lines().map(|line| read(line, but)).collect();
            lines.insert(0, json!(reply.status));
            lines
        });
        assert_eq!(plain, wide, "{path}");
    }

    fn compare_get(&self, path: &str) {
        self.compare("", path, |path| self.api.get(path));
    }

    /// Writes of all kinds, each at a moment of its own: the order of equal scores of one moment is that of the parts.
    /// Returns whether both boards got each write in the period of its moment. A late write changes no ended period.
    fn play(&self, random: &mut Random) -> bool {
        (0..WRITES).all(|number| {
            let begin = now();
            // Not at the end of a period, and later than the write before.
            wait_until(|| now() > begin && now() % PERIOD < PERIOD - 200);
            let at = now();
            self.write(number, at, random);
            at / PERIOD == now() / PERIOD
        })
    }

    fn write(&self, number: u64, at: u64, random: &mut Random) {
        let api = &self.api;
        let member = format!("members/m{}", random.below(MEMBERS));
        let points = random.below(50);
        match random.below(10) {
            0 => {
                let body = json!({"meta": format!("text {number}")});
                self.compare("", &format!("{member}/meta"), |path| api.put(path, body.clone()));
            }
            1 => self.compare("", &format!("{member}/hidden"), |path| api.post(path, json!({}))),
            2 => self.compare("", &format!("{member}/hidden"), |path| api.delete(path)),
            3 => {
                let body = json!({"score": points, "at": at});
                self.compare("rank", &format!("{member}/score"), |path| api.put(path, body.clone()));
            }
            _ => {
                let body = json!({"points": points, "at": at});
                self.compare("rank", &format!("{member}/score"), |path| api.post(path, body.clone()));
            }
        }
    }

    /// The periods that can be read: labels and numbers of members.
    fn periods(&self) -> Vec<(String, u64)> {
        let periods = self.api.get(&format!("/boards/{}/periods?view=1s", self.keys[0])).value(200);
        let period = |it: &Value| Some((encoded(it["label"].as_str()?), it["members"].as_u64()?));
        periods["periods"].as_array().expect("a list").iter().filter_map(period).collect()
    }

    /// Compares the winners, their claims and the file of an ended period.
    fn compare_prizes(&self, label: &str) {
        self.compare_get(&format!("prizes?view=1s&period={label}&count=3"));
        let page =
            self.api.get(&format!("/boards/{}/prizes?view=1s&period={label}", self.keys[0])).value(200);
        let first = page["winners"][0]["member"].as_str().unwrap_or("nobody").to_owned();
        for (member, id) in [(first.as_str(), "one"), (&first, "two"), ("nobody", "one")] {
            let claim = format!("claims/{member}?view=1s&period={label}");
            self.compare("", &claim, |path| self.api.once(&format!("{path}{id}")).send("PUT", path, None));
        }
        self.compare("claimed", &format!("periods/{label}.jsonl?view=1s"), |path| self.api.get(path));
        self.compare_get(&format!("prizes?view=1s&period={label}&unclaimed=true"));
    }
}

/// A line as JSON, or as a text.
fn read(line: &str, but: &str) -> Value {
    let mut value = serde_json::from_str(line).unwrap_or_else(|_| json!(line));
    if let Some(fields) = value.as_object_mut() {
        fields.remove(but);
    }
    value
}

#[test]
fn a_board_over_parts_answers_as_a_plain_board() {
    let pair = shared();
    let played = (0..10).find_map(|attempt| {
        let twins = Twins::make(pair.api(), &pair.server, attempt);
        twins.play(&mut Random::new(1)).then_some(twins)
    });
    let twins = played.expect("a machine that is not too busy");
    let end = (now() / PERIOD + 1) * PERIOD;
    wait_until(|| now() > end + PERIOD / 2);
    let labels: Vec<_> = twins.periods().into_iter().filter(|(_, members)| *members > 0).collect();
    assert!(!labels.is_empty());
    let mut places = vec![String::new()];
    places.extend(labels.iter().map(|(label, _)| format!("&view=1s&period={label}")));
    for (read, place) in READS.iter().flat_map(|read| places.iter().map(move |place| (read, place))) {
        RANKS.iter().for_each(|ranks| twins.compare_get(&format!("{read}{place}{ranks}")));
    }
    labels.iter().for_each(|(label, _)| twins.compare_prizes(label));
    OTHERS.iter().for_each(|other| twins.compare_get(other));
}
