//! Parts that do not answer, are others, or are in another period.

use super::super::Disagreement;
use super::super::recent::TopCache;
use super::model::{Fault, TODAY};
use super::*;

fn model() -> Model {
    Model::new(4, Schema::default(), members(&mut Dice(7), 400, 50, 4))
}

fn with(fault: Fault) -> Model {
    let mut model = model();
    model.faults[2] = Some(fault);
    model
}

#[tokio::test]
async fn without_a_part_there_is_no_answer_but_a_partial_one() {
    let model = with(Fault::Silent);
    let down = Err(Refused::PartsDown { silent: 1, parts: 4 });
    for command in
        ["LB.TOP game 5", "LB.STATS game", "LB.COUNT game", "LB.HIDDEN game", "LB.QUANTILE game 0.5"]
    {
        assert_eq!(try_ask(&model, command).await, down, "{command}");
    }
    let mut others = self::model();
    others.parts[2].clear();
    for command in ["LB.TOP game 50", "LB.COUNT game", "LB.STATS game", "LB.HIDDEN game"] {
        let expected = Value::Array(vec![Value::Int(3), Value::Int(4), ask(&others, command).await]);
        assert_eq!(ask(&model, &format!("{command} PARTIAL")).await, expected, "{command}");
    }
    let lost = String::from_utf8(self::model().parts[2][0].name.clone()).unwrap();
    let expected = Value::Array(vec![Value::Int(3), Value::Int(4), Value::Nil]);
    assert_eq!(ask(&model, &format!("LB.RANK game {lost} PARTIAL")).await, expected);
    let all = Value::Array(vec![Value::Int(4), Value::Int(4), ask(&self::model(), "LB.TOP game 3").await]);
    assert_eq!(ask(&self::model(), "LB.TOP game 3 PARTIAL").await, all);
}

#[tokio::test]
async fn a_part_that_is_another_is_told() {
    let gone = with(Fault::Error(b"-NOPART the key is no part of 4\r\n"));
    assert_eq!(try_ask(&gone, "LB.TOP game 5").await, Err(Refused::Disagree(Disagreement::Gone(2))));
    let other = with(Fault::Hash(3));
    assert_eq!(try_ask(&other, "LB.COUNT game").await, Err(Refused::Disagree(Disagreement::Rules(2))));
    // With a root that was asked just now, a part that is gone is one that does not answer.
    let words = words("LB.TOP game 5");
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap().settled();
    let deadline = Instant::now() + Duration::from_secs(1);
    let result = read(&RetryingClient::new(&gone), &gone.root, &asked, deadline).await;
    assert_eq!(result, Err(Refused::PartsDown { silent: 1, parts: 4 }));
}

#[tokio::test]
async fn the_error_of_a_part_is_passed_on() {
    let model = with(Fault::Error(b"-WRONGTYPE no\r\n"));
    let Err(Refused::Server(Value::ServerError(error))) = try_ask(&model, "LB.TOP game 5").await else {
        panic!()
    };
    assert_eq!(error.code(), "WRONGTYPE");
}

/// Two parts are in the next day already: all are read as of today.
#[tokio::test]
async fn parts_that_are_ahead_are_asked_for_the_period_before() {
    let (mut model, expected) = (model(), self::model());
    model.now[0] = TODAY + 86_400_000;
    model.now[3] = TODAY + 86_400_001;
    for command in
        ["LB.TOP game 50", "LB.COUNT game", "LB.MSCORE game MEMBERS 3 m1 m2 m3", "LB.QUANTILE game 0.5"]
    {
        assert_eq!(ask(&model, command).await, ask(&expected, command).await, "{command}");
    }
    for (part, members) in (0..).zip(&model.parts) {
        let command = format!("LB.RANK game {}", String::from_utf8_lossy(&members[3].name));
        // In a part that is ahead, nobody has a score yet.
        let rank = if [0, 3].contains(&part) { Value::Nil } else { ask(&expected, &command).await };
        assert_eq!(ask(&model, &command).await, rank, "{command}");
    }
}

/// Who is ahead has dropped the period: nothing is added up until the clocks agree.
#[tokio::test(start_paused = true)]
async fn periods_that_a_part_does_not_keep_any_more_are_waited_for() {
    let mut model = model();
    model.now = vec![TODAY + 86_400_005; 4];
    let full = ask(&model, "LB.TOP game 5 PERIOD -1").await;
    assert_eq!(full, ask(&self::model(), "LB.TOP game 5").await);
    model.now[1] += 86_400_000;
    assert_eq!(
        try_ask(&model, "LB.TOP game 5 PERIOD -1").await,
        Err(Refused::PartsDown { silent: 1, parts: 4 })
    );
}

#[tokio::test]
async fn an_estimate_says_how_far_off_it_may_be() {
    let model = Model::new(4, Schema::default(), members(&mut Dice(8), 20_000, 5_000, 4));
    let memory = TopCache::new(Duration::ZERO);
    let ranking = model.ranking(false);
    for at in [0, 5, 9_999, ranking.len() - 1] {
        let words = words(&format!("LB.RANK game {} ESTIMATE", String::from_utf8_lossy(&ranking[at].name)));
        let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
        let deadline = Instant::now() + Duration::from_secs(1);
        let reply = memory.read(&RetryingClient::new(&model), &model.root, &asked, deadline).await.unwrap();
        let Value::Array(fields) = reply else { panic!() };
        let [Value::Int(rank), Value::Int(error)] = fields[..] else { panic!() };
        assert!((rank - at as i64 - 1).abs() <= error, "{at}: {rank} {error}");
        assert!(error < 100, "{error}");
    }
    // Samples were taken once.
    assert_eq!(*model.sent.lock().unwrap(), (5, 8));
}

#[tokio::test(start_paused = true)]
async fn a_top_is_read_once_in_a_while() {
    let model = model();
    let memory = TopCache::new(Duration::from_millis(100));
    let words = words("LB.TOP game 5");
    let asked = Asked::read(Row::of(&words[0]).unwrap(), &words).unwrap();
    let sender = RetryingClient::new(&model);
    let deadline = Instant::now() + Duration::from_secs(9);
    let read = || memory.read(&sender, &model.root, &asked, deadline);
    let (first, second) = tokio::join!(read(), read());
    assert!(first.is_ok() && first == second && read().await == first);
    assert_eq!(model.sent.lock().unwrap().0, 1);
    tokio::time::advance(Duration::from_millis(100)).await;
    assert_eq!(read().await, first);
    assert_eq!(model.sent.lock().unwrap().0, 2);
}
