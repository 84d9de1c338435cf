//! A random session on a board: whole commands in a server in memory against a plain model, every reply compared byte for
//! byte. On the way the server saves and loads the board, does its work between commands, and checks what always holds in a
//! board. A refused command sends replicas nothing. In the end a replica that got the stream has the same board.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_core::Board;

use crate::board::Rules;
use crate::checked::differences;
use crate::pair::{BEGIN, Call, Expected, Pair, Profile, dimensions, rules};
use crate::random::Random;

/// Calls of a session, without its beginning and its end.
pub const CALLS: usize = 200;
const KEY: &str = "board";

/// A board in a server, and its model.
pub struct Session {
    server: PlainServer,
    replica: PlainServer,
    pair: Pair,
    /// All calls, for the message of a failure.
    story: Vec<(u64, Call)>,
}

impl Session {
    fn new(random: &mut Random, (pair, creation): (Pair, Call)) -> Self {
        let protocol = *random.pick(&[Protocol::Resp2, Protocol::Resp3]);
        let settings = Settings { clock: BEGIN, protocol, ..Settings::default() };
        let [server, replica] = [settings.clone(), settings].map(PlainServer::new);
        let mut session = Self { server, replica, pair, story: Vec::new() };
        session.run(creation);
        session
    }

    /// A board of few members.
    pub fn of_few(profile: Profile, seed: u64) -> Self {
        let (mut random, own) = (Random::new(seed), Random::new(seed + 1));
        let rules = rules(&mut random, profile);
        let members = *random.pick(if profile == Profile::Segments { &[6, 14, 30] } else { &[3, 6, 14] });
        let pair = match profile {
            Profile::Views if random.percent(5) => Pair::unmade(KEY, own, members),
            _ => pair(KEY, profile, rules, (&mut random, own), members),
        };
        Self::new(&mut random, pair)
    }

    /// A board of many members, so that it has its form with a tree.
    pub fn of_many(profile: Profile, seed: u64) -> Self {
        let (mut random, own) = (Random::new(seed), Random::new(seed + 1));
        let rules = rules(&mut random, profile);
        let pair = pair(KEY, profile, rules, (&mut random, own), 400);
        let mut session = Self::new(&mut random, pair);
        let crowd = session.pair.crowd();
        session.run(crowd);
        session
    }

    fn run(&mut self, call: Call) {
        self.server.settings.clock = self.pair.wall;
        let got = self.server.run(&call.words);
        let is_right = call.expected.is(&got, self.server.settings.protocol);
        let is_error = matches!(call.expected, Expected::Error(_));
        self.story.push((self.pair.wall, call));
        assert!(is_right, "{}\ngot:      {}", self.shown(), got.escape_ascii());
        self.follow(is_error);
    }

    /// The replica gets the stream. It looks at no clock. A refused command sends nothing.
    fn follow(&self, is_error: bool) {
        let stream = self.server.take_stream();
        assert!(!is_error || stream.is_empty(), "replicas got something: {}", self.shown());
        for words in stream {
            let reply = self.replica.apply(&words);
            assert!(!reply.starts_with(b"-"), "{}: {}", reply.escape_ascii(), self.shown());
        }
    }

    /// Makes all calls of a session, and compares the whole board at its end, with the model and with the replica. Returns the
    /// number of calls.
    pub fn play(mut self) -> usize {
        self.play_all();
        self.story.len()
    }

    /// Works like [`Self::play`], but returns the saved board.
    pub fn play_and_save(mut self) -> Vec<Vec<u8>> {
        self.play_all();
        self.server.saved(KEY.as_bytes()).unwrap_or_default()
    }

    fn play_all(&mut self) {
        (0..CALLS).for_each(|_| self.go_on());
        self.finish();
    }

    fn go_on(&mut self) {
        self.pair.pass_time();
        if self.pair.random.percent(60) {
            // Enough to prepare the next period of all views, or to pass a boundary before the next command.
            self.server.settings.clock = self.pair.wall;
            self.server.work(2_000);
        }
        let call = self.pair.draw();
        self.run(call);
        match self.pair.random.below(200) {
            0 => assert!(self.server.reload().is_empty(), "a board cannot be loaded: {}", self.shown()),
            1..4 => self.server.work(20),
            4..24 => _ = self.server.with(KEY.as_bytes(), |board: &mut Board| board.check()),
            _ => {}
        }
    }

    fn finish(&mut self) {
        self.pair.whole().into_iter().for_each(|call| self.run(call));
        self.replica.settings.clock = self.server.settings.clock;
        for server in [&self.server, &self.replica] {
            server.run(&["LB.COUNT", KEY]);
        }
        let [own, other] = [&self.server, &self.replica].map(|server| server.saved(KEY.as_bytes()));
        assert!(own == other, "the replica differs: {}{}", self.shown(), differences(own, other));
    }

    fn shown(&self) -> String {
        let line = |(wall, call): &(u64, Call)| {
            let words: Vec<String> = call.words.iter().map(|word| short(word)).collect();
            format!("{wall} {}", words.join(" "))
        };
        let lines: Vec<String> = self.story.iter().map(line).collect();
        let expected = self.story.last().map(|(_, call)| &call.expected);
        format!("\n{}\nexpected: {expected:?}", lines.join("\n"))
    }
}

/// A board of this profile, and the command that makes it.
pub fn pair(
    key: &str,
    profile: Profile,
    rules: Rules,
    (random, own): (&mut Random, Random),
    members: u64,
) -> (Pair, Call) {
    if profile != Profile::Segments {
        return Pair::new(key, rules, own, members);
    }
    let dimensions = dimensions(random, &rules);
    Pair::with_segments(key, rules, &dimensions, own, members)
}

/// A word as a failure shows it.
fn short(word: &[u8]) -> String {
    match word {
        [b'm', ..] if word.len() > 30 => format!("{}(and so on)", word[..8].escape_ascii()),
        _ => word.escape_ascii().to_string(),
    }
}
