//! The shapes of replies.

use super::super::reply::{map, text};
use super::parts::BEGUN;
use super::*;
use crate::spread::simulation::cluster::NODES;

/// Returns a board of few members, with this number of decimals.
fn few(decimals: u8) -> Spread {
    let scores = if decimals == 0 { ["2000", "1050", "1500"] } else { ["20", "10.5", "15"] };
    let member = |name: &str, score: usize, moment| Member {
        name: name.to_owned(),
        score: scores[score].to_owned(),
        moment,
        meta: None,
        is_hidden: false,
    };
    let members = [
        member("anna", 0, 9),
        Member { meta: Some("Hi"), ..member("bob", 1, 5) },
        member("carl", 1, 7),
        Member { is_hidden: true, ..member("mallory", 2, 1) },
    ];
    Spread::new(&Rules { decimals, ..rules(4) }, &members)
}

fn array<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(values.to_vec())
}

#[tokio::test(start_paused = true)]
async fn lines_have_texts_and_scores_have_decimals() {
    let spread = few(2);
    let line = |rank, name, score: &str, meta| array([Value::Int(rank), text(name), text(score), meta]);
    let expected = array([line(2, "bob", "10.5", text("Hi")), line(3, "carl", "10.5", Value::Nil)]);
    assert_eq!(ask(&spread, "LB.RANGE game 2 -1 WITHMETA").await, expected);
    assert_eq!(ask(&spread, "LB.SCORE game bob").await, text("10.5"));
    assert_eq!(ask(&spread, "LB.SCORE game nobody").await, Value::Nil);
    assert_eq!(ask(&spread, "LB.GETMETA game bob").await, text("Hi"));
    let expected = array([Value::Nil, text("Hi"), Value::Nil]);
    assert_eq!(ask(&spread, "LB.MGETMETA game MEMBERS 3 anna bob nobody").await, expected);
    assert_eq!(ask(&spread, "LB.HIDDEN game").await, array([text("mallory")]));
}

#[tokio::test(start_paused = true)]
async fn a_hidden_member_sees_itself_where_it_would_be() {
    let spread = few(0);
    assert_eq!(ask(&spread, "LB.RANK game mallory").await, Value::Int(2));
    assert_eq!(ask(&spread, "LB.RANK game bob").await, Value::Int(2));
    assert_eq!(ask(&spread, "LB.RANK game bob REV").await, Value::Int(2));
    let line = |rank, name, score| array([Value::Int(rank), text(name), Value::Int(score)]);
    let expected = array([line(1, "anna", 2000), line(2, "mallory", 1500), line(2, "bob", 1050)]);
    for ranks in ["ORDINAL", "COMPETITION", "DENSE"] {
        assert_eq!(ask(&spread, &format!("LB.AROUND game mallory 1 RANKS {ranks}")).await, expected);
    }
    assert_eq!(ask(&spread, "LB.AMONG game MEMBERS 1 mallory").await, array([]));
}

#[tokio::test(start_paused = true)]
async fn a_standing_tells_everything() {
    let spread = few(0);
    let neighbour = |name, score, gap| array([text(name), Value::Int(score), Value::Int(gap)]);
    let expected = map([
        ("rank", Value::Int(2)),
        ("score", Value::Int(1050)),
        ("members", Value::Int(3)),
        ("percentile", text("66.67")),
        ("ahead", neighbour("anna", 2000, 950)),
        ("behind", neighbour("carl", 1050, 0)),
        ("previous", Value::Nil),
        ("change", Value::Nil),
        ("at", Value::Int((BEGUN + 5) as i64)),
        ("meta", text("Hi")),
    ]);
    let standing = Value::Map(expected);
    assert_eq!(ask(&spread, "LB.STANDING game bob WITHMETA").await, standing);
    let expected = array([Value::Nil, standing]);
    assert_eq!(ask(&spread, "LB.MSTANDING game MEMBERS 2 nobody bob WITHMETA").await, expected);
    let Value::Map(fields) = ask(&spread, "LB.STANDING game mallory RANKS DENSE").await else { panic!() };
    let expected = map([
        ("rank", Value::Int(2)),
        ("score", Value::Int(1500)),
        ("members", Value::Int(4)),
        ("percentile", text("75.00")),
    ]);
    assert_eq!(fields[..4], expected[..]);
}

#[tokio::test(start_paused = true)]
async fn statistics_of_all_parts() {
    let expected = map([
        ("members", Value::Int(3)),
        ("sum", text("41")),
        ("mean", text("13.666667")),
        ("min", text("10.5")),
        ("max", text("20")),
        ("median", text("10.5")),
    ]);
    assert_eq!(ask(&few(2), "LB.STATS game").await, Value::Map(expected));
    let nobody = Spread::new(&rules(2), &[]);
    let nil = Value::Nil;
    let expected = map([
        ("members", Value::Int(0)),
        ("sum", Value::Int(0)),
        ("mean", nil.clone()),
        ("min", nil.clone()),
        ("max", nil.clone()),
        ("median", nil.clone()),
    ]);
    assert_eq!(ask(&nobody, "LB.STATS game").await, Value::Map(expected));
    assert_eq!(ask(&nobody, "LB.QUANTILE game 0.5").await, array([nil]));
}

#[tokio::test(start_paused = true)]
async fn errors_are_those_of_the_module() {
    let spread = few(0);
    for (command, text) in [
        ("LB.TOP game x", "ERR count is not a whole number"),
        ("LB.TOP game -1", "ERR count is out of range"),
        ("LB.RANGE game 0 5", "ERR first must be a rank: 1 is the top, negative ranks count from the end"),
        ("LB.COUNT game RANKS x", "ERR RANKS must be one of ORDINAL, COMPETITION, DENSE"),
        ("LB.TOP game 5 RANKS x", "ERR RANKS must be one of ORDINAL, COMPETITION, DENSE"),
        ("LB.AROUND game bob", "ERR count is needed"),
        ("LB.TOP game 5 FLAT PACKED", "ERR options FLAT and PACKED exclude each other"),
        ("LB.RANGE game 1 5 RANKS DENSE FLAT", "ERR options FLAT and RANKS DENSE exclude each other"),
        (
            "LB.RANGEBYSCORE game 1 5 PACKED RANKS COMPETITION",
            "ERR options PACKED and RANKS COMPETITION exclude each other",
        ),
        ("LB.AROUND game bob 5 PACKED RANKS DENSE", "ERR options PACKED and RANKS DENSE exclude each other"),
        ("LB.AROUND game bob 5 ABOVE 2", "ERR options count and ABOVE exclude each other"),
        ("LB.TOP game 5 AT 5 PERIOD -1", "ERR options PERIOD and AT exclude each other"),
        ("LB.HISTOGRAM game 5 1 3", "ERR max must not be less than min"),
        ("LB.QUANTILE game 1.5", "ERR q must be from 0 to 1"),
        ("LB.PERIODS game month", "ERR VIEW 'month' is not a view of this board"),
    ] {
        assert_eq!(try_ask(&spread, command).await, Err(Refused::Invalid(text.to_owned())), "{command}");
    }
}

/// Tests that the gateway asks the member's own part first, and then all other parts at once: with one command a node, or
/// one command a part if the nodes do not know the command for several parts.
#[tokio::test(start_paused = true)]
async fn a_rank_takes_two_rounds_of_one_command_a_node() {
    let parts = rules(16);
    let spread = Spread::new(&parts, &members(3, 200, 50, 4));
    let rank = format!("LB.RANK game {}", spread.names[7]);
    for (command, commands) in
        [(rank.as_str(), (2, 1 + 3)), ("LB.TOP game 2", (1, 3)), ("LB.COUNT game 5 9", (1, 3))]
    {
        let (_, rounds, asked) = spread.cost(check(&spread, command)).await;
        assert_eq!((rounds, asked.commands), commands, "{command}");
    }
    let old = Spread::new(&parts, &members(3, 200, 50, 4));
    old.nodes.with(|world| world.faults.old = (0..NODES).collect());
    for (command, commands) in
        [(rank.as_str(), (2, 16)), ("LB.TOP game 2", (1, 16)), ("LB.COUNT game 5 9", (1, 16))]
    {
        let sender = RetryingClient::new(old.nodes.clone());
        let words = words(command);
        let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
        let read = || read(&sender, &old.root, &asked, Instant::now() + Duration::from_secs(1));
        // The first read finds out that the nodes do not know the command.
        assert!(read().await.is_ok());
        let (result, rounds, cost) = old.cost(read()).await;
        assert_eq!(result, Ok(old.one(command)), "{command}");
        assert_eq!((rounds, cost.commands), commands, "{command}");
    }
}

/// Tests that a command for several parts does not keep a server busy for long.
#[tokio::test(start_paused = true)]
async fn a_command_for_several_parts_has_little_work() {
    let spread = Spread::new(&rules(16), &members(3, 200, 50, 4));
    // Two parts with up to 2,000 rows each are enough for one command, and parts have likely shares of the rows.
    let (_, rounds, asked) = spread.cost(ask(&spread, "LB.TOP game 28000")).await;
    assert_eq!((rounds, asked.commands), (1, 9));
    let (_, rounds, asked) = spread.cost(ask(&spread, "LB.TOP game 1000")).await;
    assert_eq!((rounds, asked.commands), (1, 3));
}

/// Tests the other answers of a node: some parts are on another node by now, or all, or one part is absent or wrong.
#[tokio::test(start_paused = true)]
async fn parts_that_are_not_where_they_were_are_asked_alone() {
    let spread = Spread::new(&rules(16), &members(5, 200, 50, 4));
    for moved in [vec![3], vec![0, 1, 2, 9], (0..16).collect()] {
        let keys: Vec<_> = moved.iter().map(|part| spread.root.key(*part)).collect();
        spread.nodes.with(|world| world.not_gathered = keys);
        for command in ["LB.TOP game 20", "LB.MSCORE game MEMBERS 3 m1 m2 m3", "LB.HISTOGRAM game 0 50 5"] {
            check(&spread, command).await;
        }
        let (_, rounds, asked) = spread.cost(ask(&spread, "LB.COUNT game")).await;
        assert_eq!((rounds, asked.commands), (2, 3 + moved.len()));
    }
}
