//! A test with random requests: a simple model of a counter and the counter on the server must give the same replies.

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{play, shown, words};
use leaderboard_testkit::{Flavor, Server, Words, pipeline};

const OVERFLOW: &str = "ERR the count would be out of range";
const REUSED: &str = "IDREUSED request id was used for a different write";

/// A model of a counter. `slices` contains, for each precision in seconds, the counts by the start of their slices in
/// ms.
#[derive(Clone)]
struct Twin {
    slices: BTreeMap<i64, BTreeMap<i64, i64>>,
    samples: i64,
    now: i64,
    total: i64,
    ids: BTreeMap<u64, i64>,
}

fn start(moment: i64, precision: i64) -> i64 {
    moment.div_euclid(precision * 1_000) * precision * 1_000
}

impl Twin {
    fn new(precisions: &[i64], samples: i64) -> Twin {
        let slices = precisions.iter().map(|precision| (*precision, BTreeMap::new())).collect();
        Twin { slices, samples, now: 0, total: 0, ids: BTreeMap::new() }
    }

    fn first_kept(&self, precision: i64) -> i64 {
        start(self.now, precision) - (self.samples - 1) * precision * 1_000
    }

    fn drop_old(&mut self) {
        let firsts: Vec<i64> = self.slices.keys().map(|precision| self.first_kept(*precision)).collect();
        for (slices, first) in self.slices.values_mut().zip(firsts) {
            slices.retain(|start, count| *start >= first && *count != 0);
        }
    }

    /// Applies an increase and returns the reply. An error changes nothing.
    fn increase(&mut self, by: i64, id: Option<u64>, at: i64) -> String {
        if let Some(known) = id.and_then(|id| self.ids.get(&id)) {
            return if *known == by { self.total.to_string() } else { REUSED.to_owned() };
        }
        let mut next = self.clone();
        next.now = next.now.max(at);
        next.drop_old();
        let Some(total) = next.total.checked_add(by) else { return OVERFLOW.to_owned() };
        next.total = total;
        for precision in self.slices.keys() {
            if start(at, *precision) >= next.first_kept(*precision) {
                let slices = next.slices.get_mut(precision).expect("the same precisions");
                let count = slices.entry(start(at, *precision)).or_default();
                let Some(sum) = count.checked_add(by) else { return OVERFLOW.to_owned() };
                *count = sum;
            }
        }
        next.ids.extend(id.map(|id| (id, by)));
        next.drop_old();
        *self = next;
        self.total.to_string()
    }

    fn read(&self, precision: i64, from: Option<i64>, to: Option<i64>, fill: bool) -> String {
        let Some(slices) = self.slices.get(&precision) else {
            return format!("ERR precision {precision} is not kept by this counter");
        };
        let first = from.map_or(i64::MIN, |from| start(from, precision)).max(self.first_kept(precision));
        let last = to.map_or(i64::MAX, |to| start(to, precision)).min(start(self.now, precision));
        let is_empty = from.zip(to).is_some_and(|(from, to)| from > to);
        let within = |start: &&i64| !is_empty && (first..=last).contains(*start);
        let counted: Vec<i64> = slices.keys().filter(within).copied().collect();
        let begin = if from.is_some() { Some(first) } else { counted.first().copied() };
        let end = if to.is_some() { Some(last) } else { counted.last().copied() };
        let starts = match (begin, end) {
            (Some(begin), Some(end)) if fill && !is_empty => {
                let is_open = from.is_none() || to.is_none();
                let none = is_open && counted.is_empty();
                if none { vec![] } else { (begin..=end).step_by(precision as usize * 1_000).collect() }
            }
            _ => counted,
        };
        let list = starts.iter().map(|start| format!("[{start} {}]", slices.get(start).unwrap_or(&0)));
        format!("[{}]", list.collect::<Vec<_>>().join(" "))
    }

    /// Changes the rules. Returns whether the change was possible.
    fn alter(&mut self, edits: &[i64], samples: Option<i64>) -> bool {
        let names: BTreeSet<i64> = edits.iter().map(|edit| edit.abs()).collect();
        let fits = |edit: &i64| self.slices.contains_key(&edit.abs()) == (*edit < 0);
        let left = edits.iter().fold(self.slices.len() as i64, |left, edit| left + edit.signum());
        if names.len() != edits.len() || !edits.iter().all(fits) || !(1..=16).contains(&left) {
            return false;
        }
        for edit in edits {
            match edit {
                0.. => drop(self.slices.insert(*edit, BTreeMap::new())),
                _ => drop(self.slices.remove(&-edit)),
            }
        }
        self.samples = samples.unwrap_or(self.samples);
        self.drop_old();
        true
    }
}

/// Applies a random request to the model. Returns the command for the server, and the model's reply; `None` for any
/// error.
fn request(twin: &mut Twin, key: &str, random: &mut Random) -> (Words, Option<String>) {
    let near = |random: &mut Random, now: i64, spread: u64| {
        (now + random.below(spread) as i64 - spread as i64 * 9 / 10).max(0)
    };
    let spread = *random.pick(&[20, 3_000, 60_000, 5_000_000]);
    let (line, answer) = match random.below(100) {
        0..55 => {
            let by = *random.pick(&[
                1,
                1,
                2,
                -1,
                -2,
                0,
                120,
                128,
                40_000,
                -70_000,
                3_000_000_000,
                (1 << 62) + 7,
                -(1 << 62) - 7,
            ]);
            let id = random.percent(20).then(|| random.below(400));
            let at = near(random, twin.now, spread);
            let named = id.map_or_else(String::new, |id| format!(" ID r{id}"));
            (format!("INCR {key} BY {by}{named} AT {at}"), Some(twin.increase(by, id, at)))
        }
        55..95 => {
            let known: Vec<i64> = twin.slices.keys().copied().chain([17]).collect();
            let precision = *random.pick(&known);
            let end = |random: &mut Random| random.percent(60).then(|| near(random, twin.now, spread * 4));
            let (from, to, fill) = (end(random), end(random), random.percent(50));
            // A list of that many slices would take too much time.
            let (from, fill) = if spread > 60_000 && precision < 60 { (from, false) } else { (from, fill) };
            let word = |name: &str, value: Option<i64>| {
                value.map_or_else(String::new, |value| format!(" {name} {value}"))
            };
            let options =
                format!("{}{}{}", word("FROM", from), word("TO", to), if fill { " FILL" } else { "" });
            let answer = twin.read(precision, from, to, fill);
            if random.percent(20) && !answer.starts_with("ERR") {
                let line = format!("MGET {precision}{options} KEYS 3 {key} absent {key}");
                (line, Some(format!("[{answer} [] {answer}]")))
            } else {
                (format!("GET {key} {precision}{options}"), Some(answer))
            }
        }
        _ => {
            let edits: Vec<i64> = (0..random.below(3))
                .map(|_| *random.pick(&[1, -1, 2, -2, 5, -5, 7, -7, 60, -60, 61, -61]))
                .collect();
            let samples =
                (edits.is_empty() || random.percent(40)).then(|| *random.pick(&[1, 2, 3, 10, 120, 1_000]));
            let list = edits.iter().map(|edit| format!("{edit:+}")).collect::<Vec<_>>().join(",");
            let list = if edits.is_empty() { list } else { format!(" PRECISIONS {list}") };
            let size = samples.map_or_else(String::new, |samples| format!(" SAMPLES {samples}"));
            let done = twin.alter(&edits, samples);
            (format!("ALTER {key}{list}{size}"), done.then(|| "OK".to_owned()))
        }
    };
    (words(&format!("LB.COUNTER.{line}")), answer)
}

#[test]
fn a_counter_answers_as_its_twin() {
    for (flavor, seed) in [(Flavor::Redis70, 1), (Flavor::Valkey91, 2)] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        let mut random = Random::new(seed);
        for (number, (precisions, samples)) in
            [(&[1, 5, 60][..], 10), (&[2, 7], 120), (&[1], 1), (&[1, 2, 3, 60, 61], 1_000)]
                .into_iter()
                .enumerate()
        {
            let (key, mut twin) = (format!("twin{number}"), Twin::new(precisions, samples));
            let list = precisions.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            play(
                &mut con,
                &format!(
                    "LB.COUNTER.CREATE {key} PRECISIONS {list} SAMPLES {samples} CLOCK EVENT DEDUP 315360000"
                ),
            );
            for _ in 0..3 {
                let (asked, answers): (Vec<_>, Vec<_>) =
                    (0..1_000).map(|_| request(&mut twin, &key, &mut random)).unzip();
                for ((asked, answer), reply) in asked.iter().zip(answers).zip(pipeline(&mut con, &asked)) {
                    let (reply, asked) = (shown(&reply), asked.join(&b' ').escape_ascii().to_string());
                    match answer {
                        Some(answer) => assert_eq!(reply, answer, "{flavor:?}: {asked}"),
                        None => assert!(reply.starts_with("ERR "), "{flavor:?}: {asked}: {reply}"),
                    }
                }
                play(&mut con, "DEBUG RELOAD");
            }
        }
    }
}
