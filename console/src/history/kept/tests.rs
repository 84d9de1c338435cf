//! Notes minutes in a real server, with gateways that take turns, and reads the plots.

use std::time::Duration;

use leaderboard_client::{Request, Sample, add, create, info};
use leaderboard_proxy::{Servers, Timing};
use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server};

use super::recorder::Recorder;
use super::sweep::Sweeper;
use super::{Kept, Subject};
use crate::history::{BoardFigure, History, Plot, Range, ServerFigure, seconds};
use crate::link::Link;

/// A gateway that has not begun to note by itself.
struct Gateway {
    link: Link,
    history: History,
    kept: Kept,
    recorder: Recorder,
}

impl Gateway {
    fn beside(server: &Server) -> Self {
        let second = Duration::from_secs(1);
        let timing = Timing { timeout: second, gather: second, cache: Duration::ZERO };
        let servers = Servers::new(&[format!("redis://127.0.0.1:{}", server.port())], timing).unwrap();
        Self {
            link: Link::new(servers),
            history: History::default(),
            kept: Kept::new("lb:history", false),
            recorder: Recorder::default(),
        }
    }

    async fn note(&mut self, minute: u64) {
        self.recorder.note(&self.link, &self.history, &self.kept, minute).await.unwrap();
    }

    async fn board(&self, figure: BoardFigure) -> Plot {
        self.kept.board(&self.link, "songs", figure, (Range::Week, 0)).await.unwrap().unwrap()
    }

    async fn ask<R: redis::FromRedisValue>(&self, request: Request<R>) -> R {
        self.link.ask(&request).await.unwrap()
    }
}

/// The values of the only line.
fn values(plot: &Plot) -> Vec<f64> {
    plot.series.iter().flat_map(|line| line.values.iter().flatten()).copied().collect()
}

/// The sum of all values, which are means of one or two slices: the hour can end during the test.
fn all(plot: &Plot) -> f64 {
    values(plot).iter().sum()
}

#[tokio::test]
async fn gateways_take_turns_and_count_everything_once() {
    let server = Server::start(Flavor::Redis70);
    let [mut one, mut other] = [Gateway::beside(&server), Gateway::beside(&server)];
    one.ask(create("songs").views("all").limit(&["daily", "voter", "1", "all"])).await;
    one.note(100).await;
    other.note(100).await;
    for number in 0..60 {
        one.ask(add("songs", 1, format!("member-{number}"))).await;
    }
    // Only the first of the two counts the growth.
    one.note(101).await;
    other.note(101).await;
    assert_eq!(all(&one.board(BoardFigure::Writes).await), 1.0, "60 writes in a minute");
    assert_eq!(values(&one.board(BoardFigure::Members).await).last(), Some(&60.0));
    assert_eq!(one.board(BoardFigure::Writes).await, other.board(BoardFigure::Writes).await);
    // The first is gone. The other one goes on without a gap: it has read the minute before, too.
    drop(one);
    other.ask(add("songs", 1, "ann")).await;
    other.note(102).await;
    let total = other.ask(leaderboard_client::counters::info("lb:history:board:songs:writes")).await.unwrap();
    assert_eq!(total.number("total"), Some(61));
    let samples =
        other.ask(leaderboard_client::counters::info("lb:history:board:songs:samples")).await.unwrap();
    assert_eq!(samples.number("total"), Some(2));
    assert_eq!(
        (samples.text("precisions"), samples.number("samples")),
        (Some("60,300,3600,21600,86400"), Some(400))
    );
    let names = vec![format!("127.0.0.1:{}", server.port())];
    let memory =
        other.kept.servers(&other.link, &names, ServerFigure::Memory, (Range::Year, 0)).await.unwrap();
    assert!(all(&memory.unwrap()) > 100_000.0);
}

#[tokio::test]
async fn a_gateway_that_has_just_started_leaves_the_turn_to_another() {
    let server = Server::start(Flavor::Redis70);
    let [mut old, mut new] = [Gateway::beside(&server), Gateway::beside(&server)];
    old.ask(create("songs").views("all")).await;
    old.note(100).await;
    old.ask(add("songs", 1, "ann")).await;
    new.note(101).await;
    old.note(101).await;
    let written = old.ask(leaderboard_client::counters::info("lb:history:board:songs:writes")).await;
    assert_eq!(written.unwrap().number("total"), Some(1));
    // From its second minute on, it takes turns as the others.
    new.ask(add("songs", 1, "bob")).await;
    new.note(102).await;
    let written = new.ask(leaderboard_client::counters::info("lb:history:board:songs:writes")).await;
    assert_eq!(written.unwrap().number("total"), Some(2));
}

/// A gateway that has noted a board whose limit held back 6 of 7 votes.
async fn beside_a_limit(server: &Server) -> Gateway {
    let mut gateway = Gateway::beside(server);
    gateway.ask(create("songs").views("all").limit(&["daily", "voter", "1", "all"])).await;
    gateway.note(100).await;
    for _ in 0..7 {
        say(&mut server.connection(), "LB.VOTE songs 1 tide BY ann");
    }
    gateway.note(101).await;
    gateway
}

#[tokio::test]
async fn what_rules_held_back_is_a_line_for_each() {
    let server = Server::start(Flavor::Redis70);
    let gateway = beside_a_limit(&server).await;
    let plot = gateway.board(BoardFigure::HeldBack).await;
    assert_eq!(plot.series.iter().map(|line| line.label.as_str()).collect::<Vec<_>>(), ["daily"]);
    assert_eq!(all(&plot), 0.1, "6 in a minute");
}

/// The labels of the lines.
fn labels(plot: &Plot) -> Vec<&str> {
    plot.series.iter().map(|line| line.label.as_str()).collect()
}

#[tokio::test]
async fn what_rules_held_back_outlives_a_restart_and_the_rule() {
    let mut server = Server::start(Flavor::Redis70);
    beside_a_limit(&server).await;
    server.restart();
    let mut gateway = Gateway::beside(&server);
    let plot = gateway.board(BoardFigure::HeldBack).await;
    assert_eq!((labels(&plot), all(&plot)), (vec!["daily"], 0.1), "LB.INFO says 0 after the restart");
    // A rule that never held anything back has no line.
    let altered = say(&mut server.connection(), "LB.ALTER songs LIMIT hourly voter 9 hour UNLIMIT daily");
    assert_eq!(altered, "OK");
    gateway.note(102).await;
    gateway.note(103).await;
    let plot = gateway.board(BoardFigure::HeldBack).await;
    assert_eq!(labels(&plot), ["daily"], "the sweep has found the counter");
    let news = (Range::Week, seconds());
    let news = gateway.kept.board(&gateway.link, "songs", BoardFigure::HeldBack, news).await.unwrap();
    assert_eq!(labels(&news.unwrap()), ["daily"], "new values have the same lines");
    let told = gateway.ask(info("songs")).await.unwrap();
    let days = gateway.kept.days(&gateway.link, "songs", &told).await.unwrap().unwrap();
    let sum = |days: &[Sample]| days.iter().map(|day| day.count).sum::<i64>();
    let held_back: Vec<_> = days.held_back.iter().map(|(rule, days)| (rule.as_str(), sum(days))).collect();
    assert_eq!((sum(&days.votes), held_back), (1, vec![("daily", 6)]));
}

impl Gateway {
    /// How much a counter of a board has counted.
    async fn total(&self, board: &str, figure: &str) -> i64 {
        let key = self.kept.key(Subject::Board(board), figure).unwrap();
        let told = self.ask(leaderboard_client::counters::info(&key)).await;
        told.and_then(|told| told.number("total")).unwrap_or(0)
    }
}

#[tokio::test]
async fn a_new_board_counts_from_its_begin() {
    let server = Server::start(Flavor::Redis70);
    let [mut one, mut other] = [Gateway::beside(&server), Gateway::beside(&server)];
    let vote = |board: &str| {
        say(&mut server.connection(), &format!("LB.VOTE {board} 1 tide"));
    };
    (0..5).for_each(|_| vote("old"));
    one.note(100).await;
    other.note(100).await;
    (0..3).for_each(|_| vote("new"));
    vote("old");
    // Both gateways find the new board. One counts it, the other one goes on.
    one.note(101).await;
    other.note(101).await;
    assert_eq!((one.total("new", "votes").await, one.total("new", "samples").await), (3, 1));
    assert_eq!(one.total("old", "votes").await, 1, "nobody knows when the votes before came");
    vote("new");
    other.note(102).await;
    one.note(102).await;
    assert_eq!((one.total("new", "votes").await, one.total("new", "samples").await), (4, 2));
    // A walk may miss a board. What was counted is not counted again.
    say(&mut server.connection(), "RENAME new missed");
    one.note(103).await;
    say(&mut server.connection(), "RENAME missed new");
    one.note(104).await;
    one.note(105).await;
    assert_eq!(one.total("new", "votes").await, 4);
}

#[tokio::test]
async fn a_board_that_is_made_beside_a_gateway_that_starts_counts_from_its_begin() {
    let server = Server::start(Flavor::Redis70);
    let mut gateway = Gateway::beside(&server);
    gateway.recorder.begin(&gateway.link, 99).await;
    say(&mut server.connection(), "LB.VOTE songs 1 tide");
    gateway.note(100).await;
    say(&mut server.connection(), "LB.VOTE songs 1 tide");
    gateway.note(101).await;
    assert_eq!((gateway.total("songs", "votes").await, gateway.total("songs", "samples").await), (2, 2));
}

#[tokio::test]
async fn a_sweep_forgets_what_was_not_noted_for_long() {
    let server = Server::start(Flavor::Redis70);
    let gateway = Gateway::beside(&server);
    let mut con = server.connection();
    let now = seconds() * 1_000;
    for (board, days) in [("old", 63), ("new", 1)] {
        for figure in ["samples", "votes"] {
            let key = gateway.kept.key(Subject::Board(board), figure).unwrap();
            say(&mut con, &format!("LB.COUNTER.CREATE {key} PRECISIONS 86400 SAMPLES 400"));
            say(&mut con, &format!("LB.COUNTER.INCR {key} AT {}", now - days * 86_400_000));
        }
    }
    say(&mut con, "LB.COUNTER.INCR visits");
    say(&mut con, "LB.COUNTER.INCR lb:history:board:orphan:votes");
    assert!(Sweeper::default().step(&gateway.link, &gateway.kept).await.unwrap());
    let mut left: Vec<String> = redis::cmd("KEYS").arg("*").query(&mut con).unwrap();
    left.sort();
    assert_eq!(left, ["lb:history:board:new:samples", "lb:history:board:new:votes", "visits"]);
}

#[tokio::test]
async fn a_user_that_may_not_write_is_told() {
    let server = Server::start(Flavor::Redis70);
    say(&mut server.connection(), "ACL SETUSER default -lb.counter.incr");
    let mut gateway = Gateway::beside(&server);
    gateway.note(100).await;
    let refused = gateway.recorder.note(&gateway.link, &gateway.history, &gateway.kept, 101).await;
    let problem = refused.unwrap_err();
    assert!(problem.detail().to_lowercase().contains("permission"), "{}", problem.detail());
}
