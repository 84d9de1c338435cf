//! One session: a server, a replica, and the model.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_testkit::random::Random;

use super::board::Board;
use super::making;
use super::replies::text;

pub struct Session {
    pub server: PlainServer,
    pub replica: PlainServer,
    pub board: Board,
    pub random: Random,
    pub story: Vec<String>,
    /// How many request ids there were.
    pub ids: u64,
    /// Whether rules for scores change.
    pub has_rules: bool,
    /// Whether the server's clock may leap, and what it would be if it had not leapt.
    pub can_leap: bool,
    pub has_leapt: bool,
    pub right_clock: Option<i64>,
}

impl Session {
    pub fn new(seed: u64) -> Session {
        let mut random = Random::new(seed);
        let clock = making::BEGIN + random.within(0..200_000_000);
        let settings = Settings { clock: clock as u64, protocol: Protocol::Resp2, ..Settings::default() };
        let [server, replica] = [settings.clone(), settings].map(PlainServer::new);
        let (words, board) = making::board(&mut random, clock);
        let can_leap = board.can_leap();
        let has_rules = !can_leap && random.percent(60);
        let mut session = Session {
            has_rules,
            can_leap,
            has_leapt: false,
            right_clock: None,
            server,
            replica,
            board,
            random,
            story: Vec::new(),
            ids: 0,
        };
        session.says(&words, "OK");
        session
    }

    /// The server's clock.
    pub fn clock(&self) -> i64 {
        self.server.settings.clock as i64
    }

    /// The board's now.
    pub fn now(&self) -> i64 {
        self.board.now(self.clock())
    }

    /// Runs a command. Returns its reply. What is refused sends replicas nothing, and on a clock of events changes no byte.
    pub fn run(&mut self, words: &str) -> String {
        self.story.push(format!("{} {words}", self.server.settings.clock));
        let words: Vec<_> = words.split(' ').map(|word| if word == "<empty>" { "" } else { word }).collect();
        let before = self.server.saved(b"b");
        let reply = text(&self.server.run(&words));
        let stream = self.server.take_stream();
        if reply.starts_with('!') {
            assert!(stream.is_empty(), "{} {}", reply, self.told());
            assert!(!self.board.has_events || before == self.server.saved(b"b"), "{reply} {}", self.told());
        }
        for words in stream {
            self.replica.apply(&words);
        }
        if let Some(last) = self.story.last_mut() {
            *last += &format!("  -> {reply}");
        }
        reply
    }

    /// Runs a command whose reply is known.
    pub fn says(&mut self, words: &str, expected: &str) {
        let reply = self.run(words);
        assert_eq!(reply, expected, "the reply, and what the contract says\n{}", self.told());
    }

    /// Returns the story so far.
    pub fn told(&self) -> String {
        self.story.join("\n")
    }

    /// Compares the replica with the server.
    pub fn compare(&self) {
        assert!(self.server.saved(b"b") == self.replica.saved(b"b"), "another replica\n{}", self.told());
    }

    /// Restarts the server.
    pub fn reload(&mut self) {
        self.story.push("(restart)".to_owned());
        assert!(self.server.reload().is_empty(), "all is loaded\n{}", self.told());
    }
}
