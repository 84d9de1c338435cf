//! The metrics of the gateway itself: commands over parts, the queue before them, unread replies, and the states of
//! roots.

use std::sync::atomic::Ordering::Relaxed;

use leaderboard_proxy::{Counts, Histogram, Load, Lost};

use crate::exposition::{Exposition, Kind, Sample};
use crate::traffic::{Door, Traffic, Usage};

/// A metric that has one value.
type Single = (&'static str, Kind, &'static str, fn(&Load) -> u64);

const SINGLE: [Single; 6] = [
    (
        "leaderboard_gateway_gathers_waiting",
        Kind::Gauge,
        "Commands over parts that wait for places.",
        |load| count(load.gate.waiting()),
    ),
    (
        "leaderboard_gateway_places",
        Kind::Gauge,
        "How many parts may be asked at once now: at most --gathers.",
        |load| load.gate.limit().into(),
    ),
    ("leaderboard_gateway_places_taken", Kind::Gauge, "How many parts are being asked.", |load| {
        load.gate.taken().into()
    }),
    (
        "leaderboard_gateway_unread_bytes",
        Kind::Gauge,
        "Bytes of replies that clients of --resp have not read.",
        |load| load.replies.unread(),
    ),
    (
        "leaderboard_gateway_clients_overflowed_total",
        Kind::Counter,
        "Clients that were disconnected because their unread replies did not fit (--replies-mb).",
        |load| load.replies.overflowed.load(Relaxed),
    ),
    (
        "leaderboard_gateway_clients_stalled_total",
        Kind::Counter,
        "Clients that were disconnected because they did not read for a minute.",
        |load| load.replies.stalled.load(Relaxed),
    ),
];

/// Adds all metrics of the gateway.
pub fn add(text: &mut Exposition, load: &Load) {
    for (name, kind, help, value) in SINGLE {
        text.add(name, kind, help, [sample(Vec::new(), value(load))]);
    }
    let gathers = load.gathers.counts();
    let times = gathers.iter().flat_map(|(command, counts)| times(command, &counts.times));
    let help = "How long commands over parts took, with their wait.";
    text.add_histogram("leaderboard_gateway_gather_seconds", help, times);
    let of = |value: fn(&Counts) -> u64| {
        let sample = move |(command, counts): &(&str, Counts)| sample(vec![label(command)], value(counts));
        gathers.iter().map(sample)
    };
    let help = "Commands that were sent to parts.";
    text.add("leaderboard_gateway_part_commands_total", Kind::Counter, help, of(|counts| counts.sent));
    let help = "Commands that were sent to parts again.";
    text.add("leaderboard_gateway_part_repeats_total", Kind::Counter, help, of(|counts| counts.repeated));
    let errors = gathers.iter().flat_map(|(command, counts)| {
        let sample =
            |(code, count): (&&str, &u64)| sample(vec![label(command), ("code", (*code).to_owned())], *count);
        counts.errors.iter().map(sample)
    });
    let help = "Commands over parts that ended with an error of the gateway.";
    text.add("leaderboard_gateway_gather_errors_total", Kind::Counter, help, errors);
    let unanswered = load.unanswered.counts();
    let help = "Commands for one part that got no answer.";
    let samples = unanswered.iter().map(|(lost, count)| sample(labels(lost), *count));
    text.add("leaderboard_gateway_unanswered_total", Kind::Counter, help, samples);
    let help = "Boards over parts that were used in the last ten minutes, by the state of their roots.";
    let states = load.states.counts().into_iter().map(|(state, count)| sample(vec![("state", state)], count));
    text.add("leaderboard_gateway_roots", Kind::Gauge, help, states);
}

/// Adds what requests over HTTP were answered.
pub fn add_traffic(text: &mut Exposition, traffic: &Traffic) {
    let door = |door: Door| ("door", door.name().to_owned());
    let answers = traffic.answers().into_iter();
    let answers =
        answers.map(|((of, status), count)| sample(vec![door(of), ("status", status.to_string())], count));
    let help = "Answers to requests over HTTP.";
    text.add("leaderboard_gateway_http_requests_total", Kind::Counter, help, answers);
    let times = traffic.times();
    let times = times.iter().flat_map(|(of, times)| times_of(door(*of), times));
    let help = "How long the gateway took until the head of an answer was there.";
    text.add_histogram("leaderboard_gateway_http_seconds", help, times);
    let tokens = traffic.tokens();
    let of = |value: fn(&Usage) -> u64| {
        tokens.iter().map(move |(name, usage)| sample(vec![("token", name.clone())], value(usage)))
    };
    let help = "Requests of a token.";
    text.add("leaderboard_gateway_token_requests_total", Kind::Counter, help, of(|usage| usage.requests));
    let help = "Requests of a token that were not allowed, or were too many.";
    text.add("leaderboard_gateway_token_refused_total", Kind::Counter, help, of(|usage| usage.refused));
}

fn times(command: &str, times: &Histogram) -> Vec<(&'static str, Sample)> {
    times_of(label(command), times)
}

fn times_of(of: (&'static str, String), times: &Histogram) -> Vec<(&'static str, Sample)> {
    let bucket = |bound: String, count| ("_bucket", sample(vec![of.clone(), ("le", bound)], count));
    let mut samples: Vec<_> =
        times.up_to().map(|(bound, count)| bucket(bound.as_secs_f64().to_string(), count)).collect();
    samples.push(bucket("+Inf".to_owned(), times.count));
    let sum = times.sum.as_secs_f64().to_string();
    samples.push(("_sum", Sample { labels: vec![of.clone()], value: sum }));
    samples.push(("_count", sample(vec![of], times.count)));
    samples
}

fn label(command: &str) -> (&'static str, String) {
    ("command", command.to_owned())
}

fn labels(lost: &Lost) -> Vec<(&'static str, String)> {
    let part = lost.part.map_or_else(|| "other".to_owned(), |part| part.to_string());
    vec![("code", lost.code.to_owned()), ("reason", lost.reason.to_owned()), ("part", part)]
}

fn sample(labels: Vec<(&'static str, String)>, value: u64) -> Sample {
    Sample { labels, value: value.to_string() }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_metric_is_described_before_its_samples() {
        let load = Load::default();
        load.states.note(b"game", &"altering to 3");
        load.unanswered.add(Lost { code: "UNKNOWN", reason: "timeout", part: Some(3) });
        let mut text = Exposition::default();
        add(&mut text, &load);
        let mut times_of_top = Histogram::default();
        times_of_top.add(Duration::from_micros(1_500));
        text.add_histogram("times", "Times.", times("LB.TOP", &times_of_top));
        let text = text.into_text();
        for line in [
            "leaderboard_gateway_gathers_waiting 0",
            "leaderboard_gateway_unread_bytes 0",
            "leaderboard_gateway_roots{state=\"altering\"} 1",
            "leaderboard_gateway_unanswered_total{code=\"UNKNOWN\",reason=\"timeout\",part=\"3\"} 1",
            "# TYPE times histogram",
            "times_bucket{command=\"LB.TOP\",le=\"0.001\"} 0",
            "times_bucket{command=\"LB.TOP\",le=\"0.0025\"} 1",
            "times_bucket{command=\"LB.TOP\",le=\"+Inf\"} 1",
            "times_sum{command=\"LB.TOP\"} 0.0015",
            "times_count{command=\"LB.TOP\"} 1",
        ] {
            assert!(text.lines().any(|given| given == line), "{line}\n{text}");
        }
    }
}
