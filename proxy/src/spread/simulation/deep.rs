//! Tests of the cost of a read: its rounds, and the rows that parts send, with 100,000 members in 16 parts.

use std::sync::OnceLock;

use leaderboard_core::board::NewRow;
use leaderboard_core::parts::{Parts, Role};
use leaderboard_core::schema::Schema;
use leaderboard_core::{Board, Score};
use redis::Value;
use tokio::time::Instant;

use super::cases::{BOARD, words};
use super::cluster::{Asked, Faults, Simulated, World};
use super::quiet::{ask, engine, paused};
use super::truth::told;

const MEMBERS: u32 = 100_000;
const PARTS: u16 = 16;
/// The time that each round takes, in ms. So the time of a read shows the number of its rounds.
const WAY: u64 = 20;

/// A member in the order: score, moment, part, place, name.
type Placed = (i64, u64, u16, usize, Vec<u8>);

/// The distribution of the scores: few distinct scores, all scores different, or a few scores far ahead of nearly equal
/// scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Few,
    Distinct,
    Skewed,
}

impl Shape {
    fn score(self, number: u32) -> i64 {
        let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        match self {
            Self::Few => (mixed % 21) as i64,
            Self::Distinct => i64::from(number) * 7919 % 1_000_003,
            Self::Skewed => {
                if mixed % 1000 == 0 {
                    mixed as i64
                } else {
                    (mixed % 3) as i64
                }
            }
        }
    }
}

/// For each part, its rows, best first. Also the order of all members over all parts, and their scores.
struct Full {
    parts: Vec<Vec<(i64, u64, Vec<u8>)>>,
    order: Vec<Vec<u8>>,
    scores: Vec<i64>,
}

fn full(shape: Shape) -> &'static Full {
    static ALL: [OnceLock<Full>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    ALL[shape as usize].get_or_init(|| {
        let parts = Parts::new(PARTS, "PARTS").unwrap();
        let mut rows = vec![Vec::new(); usize::from(PARTS)];
        for number in 0..MEMBERS {
            let name = format!("player{number}").into_bytes();
            // Many members have the same moment.
            rows[usize::from(parts.of(&name))].push((
                shape.score(number),
                1_000 + u64::from(number / 50),
                name,
            ));
        }
        let mut order: Vec<Placed> = Vec::new();
        for (part, rows) in rows.iter_mut().enumerate() {
            rows.sort_by_key(|(score, moment, _)| (-score, *moment));
            order.extend(
                rows.iter()
                    .enumerate()
                    .map(|(at, (score, moment, name))| (-score, *moment, part as u16, at, name.clone())),
            );
        }
        order.sort();
        let scores = order.iter().map(|placed| -placed.0).collect();
        Full { parts: rows, order: order.into_iter().map(|placed| placed.4).collect(), scores }
    })
}

fn nodes(shape: Shape) -> Simulated {
    let parts = Parts::new(PARTS, "PARTS").unwrap();
    let mut boards = Vec::new();
    let root = Board::new(Schema { role: Role::Root(parts), ..Schema::default() }, &[all()]).unwrap();
    boards.push((BOARD.to_vec(), root));
    for (number, rows) in (0..PARTS).zip(&full(shape).parts) {
        let schema = Schema { role: Role::Part { number, parts }, ..Schema::default() };
        let rows: Vec<_> = rows
            .iter()
            .map(|(score, moment, name)| NewRow {
                name,
                score: Score::from_units(*score).unwrap(),
                moment: *moment,
            })
            .collect();
        let board = Board::of_rows(schema, 10_000, rows.into_iter()).unwrap();
        boards.push((parts.key(BOARD, number), board));
    }
    let mut world = World::new(boards, 1);
    world.faults = Faults { way: Some(WAY), ..Faults::default() };
    world.advance();
    Simulated::new(world)
}

fn all() -> leaderboard_core::view::Spec {
    leaderboard_core::view::Spec::new(leaderboard_core::view::Kind::All)
}

/// The result and the cost of a read: its reply, its rounds, and the commands to the parts.
struct Cost {
    reply: Value,
    rounds: u128,
    asked: Asked,
}

async fn cost(nodes: &Simulated, engine: &crate::spread::Engine<Simulated>, asked: &str) -> Cost {
    nodes.with(|world| world.asked = Asked::default());
    let begun = Instant::now();
    let reply = ask(engine, &words(asked)).await;
    Cost {
        reply,
        rounds: begun.elapsed().as_millis() / u128::from(WAY),
        asked: nodes.with(|world| world.asked.clone()),
    }
}

fn names(reply: &Value) -> Vec<Vec<u8>> {
    let Value::Array(lines) = reply else { panic!("{}", told(reply)) };
    let name = |line: &Value| match line {
        Value::Array(fields) => match &fields[1] {
            Value::BulkString(name) => name.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    lines.iter().map(name).collect()
}

/// Reads a page, and checks the page and its cost.
async fn page(
    nodes: &Simulated,
    engine: &crate::spread::Engine<Simulated>,
    (shape, asked): (Shape, &str),
    (before, count): (usize, usize),
    (rounds, rows): (u128, usize),
) {
    let cost = cost(nodes, engine, asked).await;
    let wanted: Vec<_> = full(shape).order.iter().skip(before).take(count).cloned().collect();
    let got = names(&cost.reply);
    assert!(wanted == got, "{asked} of {shape:?}: {} rows, first {:?}", got.len(), got.first());
    let Asked { by_name, .. } = &cost.asked;
    assert!(cost.rounds <= rounds, "{asked} of {shape:?} took {} rounds: {by_name:?}", cost.rounds);
    assert!(cost.asked.rows <= rows, "{asked} of {shape:?} took {} rows: {by_name:?}", cost.asked.rows);
}

/// Returns the maximum number of rows that all parts may send for a page of 100 rows. For pages that are not deep, the
/// parts also send all rows before the page.
fn bound(before: usize) -> usize {
    if before < 10_000 { before + before / 2 + 2_000 } else { 6_000 }
}

fn check_pages(shape: Shape) {
    paused(async || {
        let nodes = nodes(shape);
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        let all = MEMBERS as usize;
        for before in [0, 150, 5_000, 50_000, 77_777, 99_950] {
            let asked = format!("LB.TOP game 100 OFFSET {before}");
            page(&nodes, &engine, (shape, &asked), (before, 100), (5, bound(before))).await;
            let asked = format!("LB.RANGE game {} {}", before + 1, before + 100);
            page(&nodes, &engine, (shape, &asked), (before, 100), (5, bound(before))).await;
        }
        page(&nodes, &engine, (shape, "LB.RANGE game -100 -1"), (all - 100, 100), (5, 6_000)).await;
        page(&nodes, &engine, (shape, "LB.RANGE game -60000 -59901"), (all - 60_000, 100), (5, 6_000)).await;
        page(&nodes, &engine, (shape, "LB.TOP game 1"), (0, 1), (2, 1_000)).await;
        page(&nodes, &engine, (shape, "LB.TOP game 100 OFFSET 100000"), (all, 0), (5, 6_000)).await;
    });
}

#[test]
fn deep_pages_of_few_scores() {
    check_pages(Shape::Few);
}

#[test]
fn deep_pages_of_distinct_scores() {
    check_pages(Shape::Distinct);
}

#[test]
fn deep_pages_of_a_few_far_ahead() {
    check_pages(Shape::Skewed);
}

/// Checks that a top takes one round, and that each part sends about its share of the rows.
#[test]
fn a_top_is_one_round() {
    for shape in [Shape::Few, Shape::Distinct, Shape::Skewed] {
        paused(async || {
            let nodes = nodes(shape);
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            let mut quick = 0;
            for count in [100, 99, 98, 101, 10, 500] {
                let asked = format!("LB.TOP game {count}");
                let cost = cost(&nodes, &engine, &asked).await;
                assert!(names(&cost.reply) == full(shape).order[..count], "{asked}");
                let share = (count as f64 / f64::from(PARTS)).ceil();
                let most = (share + (4.0 * share.sqrt()).ceil() + 3.0) * f64::from(PARTS);
                quick += usize::from(cost.rounds == 1 && cost.asked.rows as f64 <= most);
                assert!(cost.rounds <= 2, "{asked} of {shape:?}: {} rounds", cost.rounds);
            }
            assert!(quick >= 4, "{shape:?}: {quick} of 6 in one round");
        });
    }
}

#[test]
fn ranks_take_two_rounds() {
    paused(async || {
        let nodes = nodes(Shape::Few);
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        for place in [0, 1, 17, 4_242, 50_000, 99_999] {
            let name = String::from_utf8(full(Shape::Few).order[place].clone()).unwrap();
            let cost = cost(&nodes, &engine, &format!("LB.RANK game {name}")).await;
            assert_eq!(cost.reply, Value::Int(place as i64 + 1));
            assert!(
                cost.rounds <= 2 && cost.asked.commands <= usize::from(PARTS) + 1,
                "{} rounds",
                cost.rounds
            );
        }
        for asked in [
            "LB.COUNT game",
            "LB.STATS game",
            "LB.RANGEBYSCORE game 20 20 COUNT 50",
            "LB.HISTOGRAM game 0 20 4",
        ] {
            let cost = cost(&nodes, &engine, asked).await;
            // The median of LB.STATS is a quantile.
            let most = if asked.starts_with("LB.STATS") { 5 } else { 2 };
            assert!(cost.rounds <= most, "{asked}: {} rounds, {:?}", cost.rounds, cost.asked.by_name);
        }
    });
}

#[test]
fn quantiles_are_exact_and_take_few_rounds() {
    for shape in [Shape::Few, Shape::Distinct, Shape::Skewed] {
        paused(async || {
            let nodes = nodes(shape);
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            let shares = ["0", "0.001", "0.25", "0.5", "0.9", "0.99999", "1"];
            let asked = format!("LB.QUANTILE game {}", shares.join(" "));
            let cost = cost(&nodes, &engine, &asked).await;
            let scores = &full(shape).scores;
            let wanted = shares.map(|share| {
                let number = (share.parse::<f64>().unwrap() * f64::from(MEMBERS)).ceil().max(1.0) as usize;
                Value::Int(scores[MEMBERS as usize - number])
            });
            assert_eq!(cost.reply, Value::Array(wanted.to_vec()), "{shape:?}");
            assert!(
                cost.rounds <= 5 && cost.asked.rows <= 20_000,
                "{shape:?}: {} rounds, {:?}",
                cost.rounds,
                cost.asked
            );
        });
    }
}

#[test]
fn too_large_a_reply_is_refused_before_it_is_asked_for() {
    paused(async || {
        let nodes = nodes(Shape::Few);
        let engine = engine(&nodes);
        ask(&engine, &words("LB.COUNT game")).await;
        let cost = cost(&nodes, &engine, "LB.TOP game 100001").await;
        let text = super::values::error_text(&cost.reply);
        let wanted = "ERR over parts, a reply has at most 100000 rows";
        // The reply can contain all existing members, although the client has requested more.
        assert!(text.as_deref() == Some(wanted) || names(&cost.reply).len() == MEMBERS as usize, "{text:?}");
        assert!(cost.asked.rows <= 200_000, "{}", cost.asked.rows);
    });
}

#[test]
fn more_members_than_one_command_may_handle_are_refused() {
    paused(async || {
        let nodes = nodes(Shape::Few);
        let engine = engine(&nodes);
        for more in ["LB.ADD game 1 more", "LB.ADD game 1 another"] {
            assert_eq!(super::values::error_text(&ask(&engine, &words(more)).await), None);
        }
        for (command, wanted) in [
            ("LB.REMRANGE game 1 -1", "ERR over parts, LB.REMRANGE removes at most 100000 members"),
            ("LB.REMRANGE game 1 100001", "ERR over parts, LB.REMRANGE removes at most 100000 members"),
            (
                "LB.EXPORT dest game COUNT 100001",
                "ERR over parts, LB.EXPORT stores at most the best 100000 members",
            ),
        ] {
            let refused = ask(&engine, &words(command)).await;
            assert_eq!(super::values::error_text(&refused).as_deref(), Some(wanted), "{command}");
        }
        let members = ask(&engine, &words("LB.COUNT game")).await;
        assert_eq!(members, Value::Int(MEMBERS as i64 + 2), "nothing was removed");
    });
}

/// Checks estimates: the true rank must be within the error that the reply contains. As soon as the gateway has
/// samples, an estimate must take at most one round.
#[test]
fn estimates_tell_their_errors() {
    for shape in [Shape::Few, Shape::Distinct, Shape::Skewed] {
        paused(async || {
            let nodes = nodes(shape);
            let engine = engine(&nodes);
            ask(&engine, &words("LB.COUNT game")).await;
            for (number, place) in [50_000, 0, 1, 170, 4_242, 77_000, 99_999].into_iter().enumerate() {
                let name = String::from_utf8(full(shape).order[place].clone()).unwrap();
                let cost = cost(&nodes, &engine, &format!("LB.RANK game {name} ESTIMATE")).await;
                let Value::Array(told) = &cost.reply else { panic!("{:?}", cost.reply) };
                let [Value::Int(rank), Value::Int(error)] = told.as_slice() else { panic!("{told:?}") };
                let off = (place as i64 + 1).abs_diff(*rank);
                assert!(off <= error.unsigned_abs(), "{shape:?}: place {place} has {rank} with {error}");
                assert!(error.unsigned_abs() <= 2_000, "{shape:?}: place {place} has {rank} with {error}");
                assert!(number == 0 || cost.rounds <= 1, "{} rounds: {:?}", cost.rounds, cost.asked.by_name);
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        });
    }
}
