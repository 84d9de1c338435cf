//! The generator of sessions about segments, without a server: the sessions come to the cases that matter, and what the
//! model expects is consistent in itself.

use std::collections::BTreeMap;

use super::reply::{Expected, Reply};
use super::{Call, Pair, Profile, dimensions, rules};
use crate::board::segment::{Rule, Tally};
use crate::random::Random;

const SESSIONS: u64 = 60;
const CALLS: usize = 200;

fn pair(seed: u64) -> Pair {
    let mut random = Random::new(seed);
    let rules = rules(&mut random, Profile::Segments);
    let dimensions = dimensions(&mut random, &rules);
    let members = *random.pick(&[6, 14, 30]);
    Pair::with_segments("board", rules, &dimensions, random, members).0
}

/// What a session came to, and how often.
#[derive(Default)]
struct Seen(BTreeMap<String, u64>);

impl Seen {
    fn count(&mut self, what: &str, times: usize) {
        *self.0.entry(what.to_owned()).or_default() += times as u64;
    }

    fn look(&mut self, pair: &Pair, call: &Call) {
        let has = |word: &str| call.words.iter().any(|other| other == word.as_bytes());
        let command = String::from_utf8_lossy(&call.words[0]).to_uppercase();
        let Expected::Reply(reply) = &call.expected else { return };
        self.count(&command, 1);
        self.count("rank within", usize::from(has("WITHIN") && has_rank(reply)));
        match (&command[..], reply) {
            ("LB.SEGMENT", Reply::Int(changed)) if *changed > 0 => self.count_move(pair),
            ("LB.SEGMENTS", Reply::Array(rows)) => self.count_rows(rows, has("PERIOD") || has("AT")),
            ("LB.ADD" | "LB.SET", _) if has("SEGMENT") && has("AT") => self.count("placed with AT", 1),
            ("LB.MADD" | "LB.MSET", _) if has("SEGMENT") => self.count("placed lists", 1),
            (_, Reply::Nil) if has("WITHIN") => self.count("nil within", 1),
            ("LB.STANDING" | "LB.MSTANDING", reply) if has("WITHIN") || has("IN") => {
                self.count("previous in a segment", usize::from(has_previous(reply)));
            }
            (_, Reply::Array(values)) if has("IN") && !values.is_empty() => self.count("rows in", 1),
            _ => {}
        }
    }

    fn count_move(&mut self, pair: &Pair) {
        self.count("moves", 1);
        let mut lengths = pair.model.rules.kinds.iter().map(|kind| kind.length).filter(|length| *length > 0);
        if lengths.any(|length| pair.wall.is_multiple_of(length)) {
            self.count("moves at a boundary", 1);
        }
    }

    fn count_rows(&mut self, rows: &[Reply], is_named: bool) {
        let scores: Vec<&Reply> = rows
            .iter()
            .map(|row| match row {
                Reply::Array(values) => &values[2],
                _ => unreachable!("rows are arrays"),
            })
            .collect();
        self.count("equal segments", scores.windows(2).filter(|pair| pair[0] == pair[1]).count());
        self.count("segments of named periods", if is_named { rows.len() } else { 0 });
        self.count("no segments", usize::from(rows.is_empty()));
    }
}

/// Whether a rank ends the reply to a read or a write.
fn has_rank(reply: &Reply) -> bool {
    match reply {
        Reply::Int(_) => true,
        Reply::Array(values) => matches!(values.last(), Some(Reply::Int(_))),
        _ => false,
    }
}

fn has_previous(reply: &Reply) -> bool {
    match reply {
        Reply::Map(fields) => fields.iter().any(|(name, value)| *name == "previous" && *value != Reply::Nil),
        Reply::Array(replies) => replies.iter().any(has_previous),
        _ => false,
    }
}

/// What holds for all segments, however they are computed.
fn check(pair: &Pair) {
    let model = &pair.model;
    for view in &model.views {
        let seen = model.ranking(&view.entries);
        let seen = seen.seen(false);
        for dimension in &model.dimensions {
            let segments = model.segments(*dimension, &view.entries, &model.places, &view.marks);
            let value = |name: &Vec<u8>| model.places.get(dimension.name)?.get(name);
            let mut members = 0;
            for segment in &segments {
                let own: Vec<_> =
                    seen.iter().filter(|line| value(&line.name) == Some(&segment.value)).collect();
                members += own.len();
                assert_eq!(segment.members, own.len() as u64);
                let tally = match dimension.rule {
                    Rule::Sum => Tally::Sum(own.iter().map(|line| i128::from(line.score[0])).sum()),
                    Rule::Count => Tally::Count(own.len() as u64),
                    Rule::Best => Tally::Best(own[0].score.clone()),
                };
                assert_eq!(segment.tally, tally);
                let key = (dimension.name, segment.value.clone());
                assert!(dimension.rule == Rule::Best || view.marks.contains_key(&key));
            }
            assert_eq!(members, seen.iter().filter(|line| value(&line.name).is_some()).count());
        }
    }
}

#[test]
fn sessions_come_to_the_cases_that_matter() {
    let mut seen = Seen::default();
    for seed in 0..SESSIONS {
        let mut pair = pair(seed);
        for _ in 0..CALLS {
            pair.pass_time();
            let call = pair.draw();
            seen.look(&pair, &call);
            check(&pair);
        }
        pair.whole().iter().for_each(|call| seen.look(&pair, call));
    }
    for (what, least) in [
        ("moves", 500),
        ("moves at a boundary", 50),
        ("equal segments", 600),
        ("segments of named periods", 100),
        ("no segments", 50),
        ("placed with AT", 100),
        ("placed lists", 100),
        ("nil within", 50),
        ("rank within", 50),
        ("previous in a segment", 15),
        ("rows in", 100),
        ("LB.GETSEGMENT", 100),
        ("LB.SEGMENTRANK", 100),
    ] {
        let times = seen.0.get(what).copied().unwrap_or(0);
        assert!(times >= least, "{what}: {times} times");
    }
}
