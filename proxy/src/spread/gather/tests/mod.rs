//! Reads of parts in memory against what one board would say.
#![allow(clippy::arithmetic_side_effects, reason = "numbers of a test")]

mod model;
mod shapes;
mod troubles;

use std::collections::BTreeSet;
use std::time::Duration;

use leaderboard_core::Schema;
use leaderboard_core::schema::{Order as End, Ties};
use redis::Value;
use tokio::time::Instant;

use self::model::{Member, Model};
use super::{Refused, read};
use crate::nodes::RetryingClient;
use crate::spread::asked::{Asked, Row};

/// Words of a command.
fn words(command: &str) -> Vec<Vec<u8>> {
    command.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
}

async fn try_ask(model: &Model, command: &str) -> Result<Value, Refused> {
    let words = words(command);
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
    let deadline = Instant::now() + Duration::from_secs(1);
    read(&RetryingClient::new(model), &model.root, &asked, deadline).await
}

async fn ask(model: &Model, command: &str) -> Value {
    try_ask(model, command).await.unwrap_or_else(|refused| panic!("{command}: {refused:?}"))
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn members(dice: &mut Dice, count: u64, scores: u64, moments: u64) -> Vec<Member> {
    (0..count)
        .map(|number| Member {
            score: dice.roll(scores) as i64 - 3,
            moment: 1_000 + dice.roll(moments),
            name: format!("m{number}").into_bytes(),
            meta: (dice.roll(3) == 0).then(|| format!("text{number}").into_bytes()),
            is_hidden: dice.roll(20) == 0,
        })
        .collect()
}

fn schemas() -> [Schema; 4] {
    [(End::Desc, Ties::First), (End::Asc, Ties::First), (End::Desc, Ties::Last), (End::Asc, Ties::Last)]
        .map(|(order, ties)| Schema { order, ties, ..Schema::default() })
}

/// Rank of a place of a ranking.
fn rank(ranking: &[&Member], at: usize, ranks: &str) -> i64 {
    let score = ranking[at].score;
    let better = || ranking[..at].iter().filter(|other| other.score != score);
    let before = match ranks {
        "COMPETITION" => better().count(),
        "DENSE" => better().map(|other| other.score).collect::<BTreeSet<_>>().len(),
        _ => at,
    };
    before as i64 + 1
}

fn rows(ranking: &[&Member], range: std::ops::Range<usize>, ranks: &str) -> Value {
    let row = |at: usize| {
        let member = ranking[at];
        Value::Array(vec![
            Value::Int(rank(ranking, at, ranks)),
            Value::BulkString(member.name.clone()),
            Value::Int(member.score),
        ])
    };
    Value::Array(range.filter(|at| *at < ranking.len()).map(row).collect())
}

const RANKS: [&str; 3] = ["ORDINAL", "COMPETITION", "DENSE"];

#[tokio::test]
async fn pages_and_ranges_are_those_of_one_board() {
    let mut dice = Dice(1);
    for schema in schemas() {
        for scores in [4, 60] {
            let model = Model::new(4, schema.clone(), members(&mut dice, 300, scores, 5));
            for rev in ["", " REV"] {
                let ranking = model.ranking(!rev.is_empty());
                for ranks in RANKS {
                    for (offset, count) in [(0, 10), (0, 1000), (37, 25), (280, 50), (500, 5), (3, 0)] {
                        let command = format!("LB.TOP game {count} OFFSET {offset} RANKS {ranks}{rev}");
                        let expected = rows(&ranking, offset..offset + count, ranks);
                        assert_eq!(ask(&model, &command).await, expected, "{command}");
                    }
                    let command = format!("LB.RANGE game -20 -3 RANKS {ranks}{rev}");
                    let expected = rows(&ranking, ranking.len() - 20..ranking.len() - 2, ranks);
                    assert_eq!(ask(&model, &command).await, expected, "{command}");
                    for (low, high) in [(0, 2), (-3, 100), (50, 55), (1, 1), (9, 2)] {
                        let is_in = |at: &usize| (low..=high).contains(&ranking[*at].score);
                        let within: Vec<_> = (0..ranking.len()).filter(is_in).collect();
                        let from = within.first().copied().unwrap_or(0);
                        let range = from + 5.min(within.len())..from + 65.min(within.len());
                        let command =
                            format!("LB.RANGEBYSCORE game {low} {high} OFFSET 5 COUNT 60 RANKS {ranks}{rev}");
                        assert_eq!(ask(&model, &command).await, rows(&ranking, range, ranks), "{command}");
                        let command = format!("LB.COUNT game {low} {high}{rev}");
                        assert_eq!(ask(&model, &command).await, Value::Int(within.len() as i64), "{command}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn ranks_of_members_are_those_of_one_board() {
    let mut dice = Dice(2);
    for schema in schemas() {
        let model = Model::new(8, schema, members(&mut dice, 120, 12, 3));
        for rev in ["", " REV"] {
            let ranking = model.ranking(!rev.is_empty());
            for ranks in RANKS {
                let names: Vec<_> =
                    ranking.iter().map(|member| String::from_utf8_lossy(&member.name)).collect();
                let all =
                    format!("MEMBERS {} {} RANKS {ranks}{rev}", names.len() + 1, names.join(" ") + " nobody");
                let scores = ask(&model, &format!("LB.MSCORE game {all}")).await;
                let expected = (0..ranking.len()).map(|at| {
                    Value::Array(vec![Value::Int(rank(&ranking, at, ranks)), Value::Int(ranking[at].score)])
                });
                assert_eq!(scores, Value::Array(expected.chain([Value::Nil]).collect()), "{all}");
                let Value::Array(among) = ask(&model, &format!("LB.AMONG game {all}")).await else {
                    panic!()
                };
                for (at, row) in among.into_iter().enumerate() {
                    let place = Value::Int(rank(&ranking, at, ranks));
                    let name = Value::BulkString(ranking[at].name.clone());
                    let score = Value::Int(ranking[at].score);
                    assert_eq!(row, Value::Array(vec![place.clone(), name, score, place]), "{all}");
                }
                for (at, name) in names.iter().enumerate().step_by(7) {
                    let command = format!("LB.RANK game {name} RANKS {ranks}{rev}");
                    assert_eq!(
                        ask(&model, &command).await,
                        Value::Int(rank(&ranking, at, ranks)),
                        "{command}"
                    );
                }
            }
        }
    }
}

/// A list as long as a request may be is asked for in pieces, so that no part is busy with one command for long.
#[tokio::test]
async fn a_long_list_of_members_is_asked_for_in_pieces() {
    let model = Model::new(2, Schema::default(), members(&mut Dice(9), 60, 12, 3));
    let ranking = model.ranking(false);
    let places: Vec<_> = (0..3_000).map(|number| number * 7 % ranking.len()).collect();
    let names: Vec<_> =
        places.iter().map(|at| String::from_utf8_lossy(&ranking[*at].name).into_owned()).collect();
    let command = format!("LB.MSCORE game RANKS COMPETITION MEMBERS {} {}", names.len(), names.join(" "));
    let expected = places.iter().map(|at| {
        let rank = rank(&ranking, *at, "COMPETITION");
        Value::Array(vec![Value::Int(rank), Value::Int(ranking[*at].score)])
    });
    assert_eq!(ask(&model, &command).await, Value::Array(expected.collect()));
    // 500 points of entries and as many of their scores, each three words, and a few more.
    assert!(*model.longest.lock().unwrap() < 3_100);
}

#[tokio::test]
async fn around_a_member_are_those_of_one_board() {
    let mut dice = Dice(3);
    for schema in schemas() {
        let model = Model::new(4, schema, members(&mut dice, 150, 20, 3));
        for rev in ["", " REV"] {
            let ranking = model.ranking(!rev.is_empty());
            for ranks in RANKS {
                for at in [0, 1, 30, 77, ranking.len() - 1] {
                    let name = String::from_utf8_lossy(&ranking[at].name);
                    let command = format!("LB.AROUND game {name} 20 RANKS {ranks}{rev}");
                    let expected = rows(&ranking, at.saturating_sub(20)..at + 21, ranks);
                    assert_eq!(ask(&model, &command).await, expected, "{command}");
                    let command = format!("LB.AROUND game {name} ABOVE 5 BELOW 30 FILL RANKS {ranks}{rev}");
                    let last = (at.saturating_sub(5) + 36).min(ranking.len());
                    let first = if at < 5 { 0 } else { (at - 5).min(last.saturating_sub(36)) };
                    assert_eq!(ask(&model, &command).await, rows(&ranking, first..last, ranks), "{command}");
                }
            }
        }
    }
}

#[tokio::test]
async fn deep_pages_and_quantiles_are_those_of_one_board() {
    let mut dice = Dice(4);
    // Scores of one entry each, of some, and the same for all: then only the places lead there.
    for (scores, moments) in [(1_000_000, 1_000), (50, 40), (1, 1)] {
        let model = Model::new(4, Schema::default(), members(&mut dice, 60_000, scores, moments));
        let ranking = model.ranking(false);
        for offset in [10_001, 33_333, ranking.len() - 3] {
            for ranks in ["ORDINAL", "COMPETITION"] {
                let command = format!("LB.TOP game 20 OFFSET {offset} RANKS {ranks}");
                let expected = rows(&ranking, offset..offset + 20, ranks);
                assert_eq!(ask(&model, &command).await, expected, "{scores} {command}");
            }
        }
        let shares = [
            ("0", 1),
            ("0.25", ranking.len().div_ceil(4)),
            ("0.5", ranking.len().div_ceil(2)),
            ("1", ranking.len()),
        ];
        let expected = shares.map(|(_, number)| Value::Int(ranking[ranking.len() - number].score));
        assert_eq!(ask(&model, "LB.QUANTILE game 0 0.25 0.5 1 REV").await, Value::Array(expected.to_vec()));
    }
}
