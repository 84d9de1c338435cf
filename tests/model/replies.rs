//! What a server ought to reply, made from the model.

use leaderboard_core::schema::Ranks;
use leaderboard_testkit::board::read::{Neighbour, Ranking, Row};
use leaderboard_testkit::board::{Fate, Model, Position, Sent, score};
use leaderboard_testkit::{Words, words};
use redis::Value;

use super::operations::Operations;

/// Applies a write to the model. Nothing where an error is due.
pub fn of_write(board: &mut Model, sent: &Sent, at: u64, change: bool) -> Option<Value> {
    let before = board.ranking(&board.views[0].entries);
    let told = board.write(sent, Some(at), 0).ok()?;
    let applied = Value::Int(i64::from(matches!(told.fate, Fate::Applied(..))));
    let line = |now: &Position| [position(board, now), vec![applied.clone()]].concat();
    let lines: Vec<Vec<Value>> = told.now.iter().map(line).collect();
    if !sent.op.is_single() {
        return Some(Value::Array(lines.into_iter().map(Value::Array).collect()));
    }
    let (_, member) = &sent.op.pairs()[0];
    let before = before.position(member, Ranks::Ordinal, false).map(|(rank, score)| (score, rank));
    let before = if change { position(board, &before) } else { Vec::new() };
    Some(Value::Array([lines.concat(), before].concat()))
}

fn position(board: &Model, position: &Position) -> Vec<Value> {
    match position {
        Some((score, rank)) => vec![shown(board, score), number(*rank)],
        None => vec![Value::Nil, Value::Nil],
    }
}

fn shown(board: &Model, points: &[i64]) -> Value {
    if board.rules.decimals == 0 { Value::Int(points[0]) } else { bulk(score::shown(&board.rules, points)) }
}

/// In shortest form.
fn gap(board: &Model, units: i128) -> Value {
    if let (0, Ok(gap)) = (board.rules.decimals, i64::try_from(units)) {
        return Value::Int(gap);
    }
    let text = score::decimal(units, usize::from(board.rules.decimals));
    bulk(if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text })
}

fn number(count: u64) -> Value {
    Value::Int(count as i64)
}

fn bulk(bytes: impl Into<Vec<u8>>) -> Value {
    Value::BulkString(bytes.into())
}

const RANKS: [(Ranks, &str); 3] =
    [(Ranks::Ordinal, "ordinal"), (Ranks::Competition, "COMPETITION"), (Ranks::Dense, "Dense")];

/// Commands that read the board, and their replies.
pub fn reads(key: &str, board: &Model, random: &mut Operations) -> Vec<(Words, Value)> {
    let ranking = board.ranking(&board.views[0].entries);
    let all = ranking.rows(Ranks::Ordinal, false);
    let mut reads = vec![
        (words(&["LB.TOP", key, "100000", "WITHMETA"]), lines(board, &all, true)),
        (words(&["LB.COUNT", key]), number(all.len() as u64)),
    ];
    for (ranks, word) in RANKS {
        reads.push(window(key, board, random, (&ranking.rows(ranks, false), word)));
        for member in [random.member(), random.member()] {
            let count = random.random.below(6);
            let around = ranking.around(&member, [count; 2], false, ranks, false);
            let ask = |command: &str, more: &[&[u8]]| {
                let question: [&[u8]; 3] = [command.as_bytes(), key.as_bytes(), &member];
                words(&[&question, more, &[b"RANKS", word.as_bytes()]].concat())
            };
            let counted = count.to_string();
            let with_texts = [ask("LB.AROUND", &[counted.as_bytes()]), words(&["WITHMETA"])].concat();
            reads.push((with_texts, lines(board, &around, true)));
            reads.push((ask("LB.STANDING", &[]), standing(board, &ranking, &member, ranks)));
            let rank = ranking.position(&member, ranks, false);
            reads.push((ask("LB.RANK", &[]), rank.map_or(Value::Nil, |(rank, _)| number(rank))));
        }
    }
    reads.push(by_score(key, board, &all, random));
    let member = random.member();
    let meta = meta(board, &member);
    reads.push((vec![b"LB.GETMETA".to_vec(), key.into(), member], meta));
    reads
}

fn meta(board: &Model, member: &[u8]) -> Value {
    board.metas.get(member).map_or(Value::Nil, |meta| bulk(meta.clone()))
}

fn lines(board: &Model, rows: &[Row], metas: bool) -> Value {
    let line = |(rank, member, score): &Row| {
        let mut line = vec![number(*rank), bulk(member.clone()), shown(board, score)];
        if metas {
            line.push(meta(board, member));
        }
        Value::Array(line)
    };
    Value::Array(rows.iter().map(line).collect())
}

fn window(
    key: &str,
    board: &Model,
    random: &mut Operations,
    (rows, ranks): (&[Row], &str),
) -> (Words, Value) {
    let first = random.random.below(rows.len() as u64 + 3) as usize + 1;
    let last = first + random.random.below(20) as usize;
    let command = words(&["LB.RANGE", key, &first.to_string(), &last.to_string(), "RANKS", ranks]);
    let within: Vec<Row> = rows.iter().take(last).skip(first - 1).cloned().collect();
    (command, lines(board, &within, false))
}

fn by_score(key: &str, board: &Model, all: &[Row], random: &mut Operations) -> (Words, Value) {
    let zero = vec![0];
    let scores: Vec<&Vec<i64>> = all.iter().map(|(_, _, score)| score).chain([&zero]).collect();
    let (low, high) = (*random.random.pick(&scores), *random.random.pick(&scores));
    let within: Vec<Row> = all.iter().filter(|(_, _, score)| score >= low && score < high).cloned().collect();
    let text = |points: &[i64]| score::shown(&board.rules, points);
    let command = words(&["LB.RANGEBYSCORE", key, &text(low), &format!("({}", text(high))]);
    (command, lines(board, &within, false))
}

fn standing(board: &Model, ranking: &Ranking, member: &[u8], ranks: Ranks) -> Value {
    let Some(standing) = ranking.standing(member, ranks, false) else { return Value::Nil };
    let neighbour = |other: Neighbour| {
        other.map_or(Value::Nil, |(name, score, gaps)| {
            Value::Array(vec![bulk(name), shown(board, &score), gap(board, gaps[0])])
        })
    };
    let percentile = standing.percentile;
    let fields = [
        ("rank", number(standing.rank)),
        ("score", shown(board, &standing.score)),
        ("members", number(standing.members)),
        ("percentile", bulk(format!("{}.{:02}", percentile / 100, percentile % 100))),
        ("ahead", neighbour(standing.ahead)),
        ("behind", neighbour(standing.behind)),
        ("previous", Value::Nil),
        ("change", Value::Nil),
        ("at", Value::Int(standing.at as i64)),
    ];
    Value::Array(fields.into_iter().flat_map(|(name, value)| [bulk(name), value]).collect())
}
