//! The shapes of replies.

use super::super::reply::{map, text};
use super::*;

fn member(name: &str, score: i64, moment: u64) -> Member {
    Member { score, moment, name: name.as_bytes().to_vec(), meta: None, is_hidden: false }
}

fn hidden(member: Member) -> Member {
    Member { is_hidden: true, ..member }
}

fn few() -> Vec<Member> {
    let texts = Member { meta: Some(b"Hi".to_vec()), ..member("bob", 1050, 5) };
    vec![member("anna", 2000, 9), texts, member("carl", 1050, 7), hidden(member("mallory", 1500, 1))]
}

fn model(decimals: u8) -> Model {
    Model::new(4, Schema { decimals, ..Schema::default() }, few())
}

fn array<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(values.to_vec())
}

#[tokio::test]
async fn lines_have_texts_and_scores_have_decimals() {
    let model = model(2);
    let line = |rank, name, score: &str, meta| array([Value::Int(rank), text(name), text(score), meta]);
    let expected = array([line(2, "bob", "10.5", text("Hi")), line(3, "carl", "10.5", Value::Nil)]);
    assert_eq!(ask(&model, "LB.RANGE game 2 -1 WITHMETA").await, expected);
    assert_eq!(ask(&model, "LB.SCORE game bob").await, text("10.5"));
    assert_eq!(ask(&model, "LB.SCORE game nobody").await, Value::Nil);
    assert_eq!(ask(&model, "LB.GETMETA game bob").await, text("Hi"));
    let expected = array([Value::Nil, text("Hi"), Value::Nil]);
    assert_eq!(ask(&model, "LB.MGETMETA game MEMBERS 3 anna bob nobody").await, expected);
    assert_eq!(ask(&model, "LB.HIDDEN game").await, array([text("mallory")]));
}

#[tokio::test]
async fn a_hidden_member_sees_itself_where_it_would_be() {
    let model = model(0);
    assert_eq!(ask(&model, "LB.RANK game mallory").await, Value::Int(2));
    assert_eq!(ask(&model, "LB.RANK game bob").await, Value::Int(2));
    assert_eq!(ask(&model, "LB.RANK game bob REV").await, Value::Int(2));
    let line = |rank, name, score| array([Value::Int(rank), text(name), Value::Int(score)]);
    let expected = array([line(1, "anna", 2000), line(2, "mallory", 1500), line(2, "bob", 1050)]);
    for ranks in RANKS {
        assert_eq!(ask(&model, &format!("LB.AROUND game mallory 1 RANKS {ranks}")).await, expected);
    }
    assert_eq!(ask(&model, "LB.AMONG game MEMBERS 1 mallory").await, array([]));
}

#[tokio::test]
async fn a_standing_tells_everything() {
    let model = model(0);
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
        ("at", Value::Int(5)),
        ("meta", text("Hi")),
    ]);
    let standing = Value::Map(expected);
    assert_eq!(ask(&model, "LB.STANDING game bob WITHMETA").await, standing);
    let expected = array([Value::Nil, standing]);
    assert_eq!(ask(&model, "LB.MSTANDING game MEMBERS 2 nobody bob WITHMETA").await, expected);
    let Value::Map(fields) = ask(&model, "LB.STANDING game mallory RANKS DENSE").await else { panic!() };
    let expected = map([
        ("rank", Value::Int(2)),
        ("score", Value::Int(1500)),
        ("members", Value::Int(4)),
        ("percentile", text("75.00")),
    ]);
    assert_eq!(fields[..4], expected[..]);
}

#[tokio::test]
async fn statistics_of_all_parts() {
    let expected = map([
        ("members", Value::Int(3)),
        ("sum", text("41")),
        ("mean", text("13.666667")),
        ("min", text("10.5")),
        ("max", text("20")),
        ("median", text("10.5")),
    ]);
    assert_eq!(ask(&model(2), "LB.STATS game").await, Value::Map(expected));
    let nobody = Model::new(2, Schema::default(), []);
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

#[tokio::test]
async fn errors_are_those_of_the_module() {
    let model = model(0);
    for (command, text) in [
        ("LB.TOP game x", "ERR count is not a whole number"),
        ("LB.TOP game -1", "ERR count is out of range"),
        ("LB.RANGE game 0 5", "ERR first must be a rank: 1 is the top, negative ranks count from the end"),
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
        ("LB.QUANTILE game 1.5", "ERR q is out of range"),
        ("LB.PERIODS game month", "ERR VIEW 'month' is not a view of this board"),
    ] {
        assert_eq!(try_ask(&model, command).await, Err(Refused::Invalid(text.to_owned())), "{command}");
    }
}

/// The own part first, then all others at once.
#[tokio::test]
async fn a_rank_takes_two_rounds_of_one_command_a_part() {
    let model = model(0);
    ask(&model, "LB.RANK game bob").await;
    assert_eq!(*model.sent.lock().unwrap(), (2, 4));
    ask(&model, "LB.TOP game 2").await;
    assert_eq!(*model.sent.lock().unwrap(), (3, 8));
}
