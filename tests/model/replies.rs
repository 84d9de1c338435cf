//! What a server ought to reply, made from the model.

use leaderboard_testkit::{Words, words};
use redis::Value;

use super::board::{Action, Board, Entry, Write};
use super::operations::Operations;

/// Applies a write to the model. Nothing where an error is due.
pub fn of_write(board: &mut Board, write: &Write) -> Option<Value> {
    let before = match &write.action {
        Action::Add(_, member) | Action::Set(_, member, _) if write.change => Some(position(board, member)),
        _ => None,
    };
    let applied = Value::Int(i64::from(board.write(write).ok()?));
    let line = |member: &[u8]| [position(board, member), vec![applied.clone()]].concat();
    Some(Value::Array(match &write.action {
        Action::Add(_, member) | Action::Set(_, member, _) => {
            [line(member), before.unwrap_or_default()].concat()
        }
        Action::AddMany(pairs) => pairs.iter().map(|(_, member)| Value::Array(line(member))).collect(),
    }))
}

fn position(board: &Board, member: &[u8]) -> Vec<Value> {
    match board.place(member) {
        Some(place) => vec![score(board, board.entries[place].score), number(place + 1)],
        None => vec![Value::Nil, Value::Nil],
    }
}

/// Shortest form.
pub fn decimal(units: u64, negative: bool, decimals: u32) -> String {
    let digits = format!("{units:0>width$}", width = decimals as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    let sign = if negative { "-" } else { "" };
    let text = format!("{sign}{whole}.{fraction}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn score(board: &Board, units: i64) -> Value {
    match board.schema.decimals {
        0 => Value::Int(units),
        decimals => bulk(decimal(units.unsigned_abs(), units < 0, decimals)),
    }
}

fn gap(board: &Board, a: i64, b: i64) -> Value {
    match (board.schema.decimals, i64::try_from(a.abs_diff(b))) {
        (0, Ok(gap)) => Value::Int(gap),
        (decimals, _) => bulk(decimal(a.abs_diff(b), false, decimals)),
    }
}

fn number(count: usize) -> Value {
    Value::Int(count as i64)
}

fn bulk(bytes: impl Into<Vec<u8>>) -> Value {
    Value::BulkString(bytes.into())
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ranks {
    Ordinal,
    Competition,
    Dense,
}

impl Ranks {
    fn word(self) -> &'static str {
        match self {
            Ranks::Ordinal => "ordinal",
            Ranks::Competition => "COMPETITION",
            Ranks::Dense => "Dense",
        }
    }

    fn of(self, board: &Board, place: usize) -> usize {
        let better = board.entries[..place].iter().filter(|entry| entry.score != board.entries[place].score);
        match self {
            Ranks::Ordinal => place + 1,
            Ranks::Competition => better.count() + 1,
            Ranks::Dense => {
                let mut scores: Vec<i64> = better.map(|entry| entry.score).collect();
                scores.dedup();
                scores.len() + 1
            }
        }
    }
}

/// Commands that read the board, and their replies.
pub fn reads(key: &str, board: &Board, random: &mut Operations) -> Vec<(Words, Value)> {
    let all = board.entries.len();
    let mut reads = vec![
        (words(&["LB.TOP", key, "100000", "WITHMETA"]), lines(board, 0, all, Ranks::Ordinal, true)),
        (words(&["LB.COUNT", key]), number(all)),
    ];
    for ranks in [Ranks::Ordinal, Ranks::Competition, Ranks::Dense] {
        reads.push(window(key, board, random, ranks));
        for member in [random.member(), random.member()] {
            reads.push(around(key, board, random, &member, ranks));
            reads.push(standing(key, board, &member, ranks));
            reads.push(rank(key, board, &member, ranks));
        }
    }
    reads.push(by_score(key, board, random));
    let member = random.member();
    let meta = meta(board, &member);
    reads.push((vec![b"LB.GETMETA".to_vec(), key.into(), member], meta));
    reads
}

fn meta(board: &Board, member: &[u8]) -> Value {
    board.metas.get(member).map_or(Value::Nil, |meta| bulk(meta.clone()))
}

/// Lines `from..to`.
fn lines(board: &Board, from: usize, to: usize, ranks: Ranks, metas: bool) -> Value {
    let line = |place: usize| {
        let Entry { member, score: units, .. } = &board.entries[place];
        let mut line = vec![number(ranks.of(board, place)), bulk(member.clone()), score(board, *units)];
        if metas {
            line.push(meta(board, member));
        }
        Value::Array(line)
    };
    Value::Array((from..to.min(board.entries.len())).map(line).collect())
}

fn window(key: &str, board: &Board, random: &mut Operations, ranks: Ranks) -> (Words, Value) {
    let first = random.random.below(board.entries.len() as u64 + 3) as usize + 1;
    let last = first + random.random.below(20) as usize;
    let (first_word, last_word) = (first.to_string(), last.to_string());
    let command = words(&["LB.RANGE", key, &first_word, &last_word, "RANKS", ranks.word()]);
    (command, lines(board, first - 1, last, ranks, false))
}

fn around(key: &str, board: &Board, random: &mut Operations, member: &[u8], ranks: Ranks) -> (Words, Value) {
    let count = random.random.below(6) as usize;
    let lines = match board.place(member) {
        Some(place) => lines(board, place.saturating_sub(count), place + count + 1, ranks, true),
        None => Value::Array(Vec::new()),
    };
    let count = count.to_string();
    let command: [&[u8]; 7] = [
        b"LB.AROUND",
        key.as_bytes(),
        member,
        count.as_bytes(),
        b"RANKS",
        ranks.word().as_bytes(),
        b"WITHMETA",
    ];
    (words(&command), lines)
}

fn rank(key: &str, board: &Board, member: &[u8], ranks: Ranks) -> (Words, Value) {
    let rank = board.place(member).map_or(Value::Nil, |place| number(ranks.of(board, place)));
    (words(&[b"LB.RANK", key.as_bytes(), member, b"RANKS", ranks.word().as_bytes()]), rank)
}

fn by_score(key: &str, board: &Board, random: &mut Operations) -> (Words, Value) {
    let scores: Vec<i64> = board.entries.iter().map(|entry| entry.score).chain([0]).collect();
    let (low, high) = (*random.random.pick(&scores), *random.random.pick(&scores));
    let within = |entry: &Entry| entry.score >= low && entry.score < high;
    let from = board.entries.iter().position(within).unwrap_or(0);
    let count = board.entries.iter().filter(|entry| within(entry)).count();
    let text = |units: i64| decimal(units.unsigned_abs(), units < 0, board.schema.decimals);
    let command = words(&["LB.RANGEBYSCORE", key, &text(low), &format!("({}", text(high))]);
    (command, lines(board, from, from + count, Ranks::Ordinal, false))
}

fn standing(key: &str, board: &Board, member: &[u8], ranks: Ranks) -> (Words, Value) {
    let command = words(&[b"LB.STANDING", key.as_bytes(), member, b"RANKS", ranks.word().as_bytes()]);
    let Some(place) = board.place(member) else { return (command, Value::Nil) };
    let entry = &board.entries[place];
    let neighbour = |other: Option<&Entry>| {
        other.map_or(Value::Nil, |other| {
            let (units, gap) = (score(board, other.score), gap(board, other.score, entry.score));
            Value::Array(vec![bulk(other.member.clone()), units, gap])
        })
    };
    let fields = [
        ("rank", number(ranks.of(board, place))),
        ("score", score(board, entry.score)),
        ("members", number(board.entries.len())),
        ("percentile", bulk(percentile(board, place, ranks))),
        ("ahead", neighbour(place.checked_sub(1).map(|above| &board.entries[above]))),
        ("behind", neighbour(board.entries.get(place + 1))),
        ("previous", Value::Nil),
        ("change", Value::Nil),
        ("at", Value::Int(entry.moment as i64)),
    ];
    (command, Value::Array(fields.into_iter().flat_map(|(name, value)| [bulk(name), value]).collect()))
}

/// The share of members ranked at or below it, with two decimals.
fn percentile(board: &Board, place: usize, ranks: Ranks) -> String {
    let own = ranks.of(board, place);
    let all = board.entries.len();
    let below = (0..all).filter(|other| ranks.of(board, *other) >= own).count();
    let hundredths = (below * 20_000 + all) / (2 * all);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
