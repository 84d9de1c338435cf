//! Scores, rows and standings of the model as replies show them.

use std::collections::BTreeMap;

use leaderboard_core::schema::Ties;

use super::reply::Reply;
use crate::board::read::{Neighbour, Row, Standing, Stats};
use crate::board::score::{self, Score};
use crate::board::{Entry, Model, Name, Position, Rules};

/// A score.
pub fn score(rules: &Rules, score: &[i64]) -> Reply {
    match (&rules.levels[..], rules.decimals) {
        ([], 0) => Reply::Int(score[0]),
        _ => Reply::bulk(score::shown(rules, score)),
    }
}

/// Units of a score that may lie beyond the range of scores.
pub fn units(rules: &Rules, units: i128) -> Reply {
    match (i64::try_from(units), rules.decimals) {
        (Ok(units), _) => score(rules, &[units]),
        (Err(_), 0) => Reply::bulk(units.to_string()),
        (Err(_), places) => {
            let text = score::decimal(units, usize::from(places));
            Reply::bulk(text.trim_end_matches('0').trim_end_matches('.'))
        }
    }
}

/// Score and rank, or twice nothing.
pub fn position(rules: &Rules, position: &Position) -> [Reply; 2] {
    match position {
        Some((points, rank)) => [score(rules, points), Reply::count(*rank)],
        None => [Reply::Nil, Reply::Nil],
    }
}

/// The text of a member.
pub fn meta(model: &Model, name: &[u8]) -> Reply {
    Reply::text(model.metas.get(name))
}

/// A list of values, with the member's text behind them if it is asked for.
pub fn with_meta(model: &Model, name: &[u8], mut values: Vec<Reply>, metas: bool) -> Reply {
    if metas {
        values.push(meta(model, name));
    }
    Reply::Array(values)
}

/// One list for each row.
pub fn rows(model: &Model, rows: &[Row], metas: bool) -> Reply {
    let row = |(rank, name, points): &Row| {
        let values = vec![Reply::count(*rank), Reply::bulk(name.clone()), score(&model.rules, points)];
        with_meta(model, name, values, metas)
    };
    Reply::Array(rows.iter().map(row).collect())
}

/// All rows in one list, behind the first rank.
pub fn flat(model: &Model, rows: &[Row], metas: bool) -> Reply {
    let first = rows.first().map(|(rank, ..)| Reply::count(*rank));
    let mut values: Vec<Reply> = first.into_iter().collect();
    for (_, name, points) in rows {
        values.extend([Reply::bulk(name.clone()), score(&model.rules, points)]);
        values.extend(metas.then(|| meta(model, name)));
    }
    Reply::Array(values)
}

/// All rows in one string, behind the first rank. The moments of ended periods are not known.
pub fn packed(model: &Model, rows: &[Row], moments: Option<&BTreeMap<Name, Entry>>, metas: bool) -> Reply {
    let Some((first, ..)) = rows.first() else { return Reply::Array(Vec::new()) };
    let unknown = if model.rules.ties == Ties::Last { 0 } else { i64::MAX };
    let mut bytes = Vec::new();
    for (_, name, points) in rows {
        let moment = moments.map_or(unknown, |entries| entries[name].moment as i64);
        bytes.extend(number(&model.rules, points).to_le_bytes());
        bytes.extend(moment.to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name);
        if metas {
            let meta = model.metas.get(name);
            bytes.extend(meta.map_or(u16::MAX, |meta| meta.len() as u16).to_le_bytes());
            bytes.extend(meta.into_iter().flatten());
        }
    }
    Reply::Array(vec![Reply::count(*first), Reply::Bulk(bytes)])
}

/// The one number that stands for a score.
fn number(rules: &Rules, points: &[i64]) -> i64 {
    if rules.levels.is_empty() { points[0] } else { score::code(&rules.levels, points) }
}

/// What LB.STANDING replies. The moment is only known in a current period.
pub fn standing(
    model: &Model,
    name: &[u8],
    standing: &Standing,
    previous: Option<(u64, Score)>,
    (is_current, metas): (bool, bool),
) -> Reply {
    let rules = &model.rules;
    let percentile = format!("{}.{:02}", standing.percentile / 100, standing.percentile % 100);
    let change = previous.as_ref().map(|(rank, _)| Reply::Int(*rank as i64 - standing.rank as i64));
    let before = |(rank, points): (u64, Score)| Reply::Array(vec![Reply::count(rank), score(rules, &points)]);
    let mut fields = vec![
        ("rank", Reply::count(standing.rank)),
        ("score", score(rules, &standing.score)),
        ("members", Reply::count(standing.members)),
        ("percentile", Reply::bulk(percentile)),
        ("ahead", neighbour(rules, &standing.ahead)),
        ("behind", neighbour(rules, &standing.behind)),
        ("previous", previous.map_or(Reply::Nil, before)),
        ("change", change.unwrap_or(Reply::Nil)),
        ("at", if is_current { Reply::count(standing.at) } else { Reply::Nil }),
    ];
    if metas {
        fields.push(("meta", meta(model, name)));
    }
    Reply::Map(fields)
}

fn neighbour(rules: &Rules, neighbour: &Neighbour) -> Reply {
    let Some((name, points, gaps)) = neighbour else { return Reply::Nil };
    let gap = match &gaps[..] {
        [gap] if rules.levels.is_empty() => units(rules, *gap),
        gaps => Reply::bulk(gaps.iter().map(i128::to_string).collect::<Vec<_>>().join("/")),
    };
    Reply::Array(vec![Reply::bulk(name.clone()), score(rules, points), gap])
}

/// What LB.STATS replies.
pub fn stats(rules: &Rules, (members, sum, min, max, median): Stats, mean: Option<String>) -> Reply {
    let points = |points: Option<Score>| points.map_or(Reply::Nil, |points| score(rules, &points));
    let has_sum = rules.levels.is_empty();
    Reply::Map(vec![
        ("members", Reply::count(members)),
        ("sum", sum.map_or(Reply::Nil, |sum| units(rules, sum))),
        ("mean", mean.filter(|_| has_sum).map_or(Reply::Nil, Reply::bulk)),
        ("min", points(min)),
        ("max", points(max)),
        ("median", points(median)),
    ])
}
