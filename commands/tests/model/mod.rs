//! Random sessions on boards: whole commands in a server in memory against a plain model, every reply compared byte for
//! byte. On the way the server saves and loads the board, does its work between commands, and checks what always holds in a
//! board. A refused command sends replicas nothing. In the end a replica that got the stream has the same board.

use leaderboard_commands::plain::{PlainServer, Protocol, Settings};
use leaderboard_core::Board;
use leaderboard_testkit::board::Rules;
use leaderboard_testkit::pair::{BEGIN, Call, Expected, Pair, Profile, dimensions, rules};
use leaderboard_testkit::random::{Random, seed};

/// Sessions of one test on boards of few members, and of many.
const SESSIONS: u64 = 100;
const CROWDS: u64 = 10;
/// Calls of a session.
const CALLS: usize = 200;
const KEY: &str = "board";

/// A board in a server, and its model.
struct Session {
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

    fn of_few(profile: Profile, seed: u64) -> Self {
        let (mut random, own) = (Random::new(seed), Random::new(seed + 1));
        let rules = rules(&mut random, profile);
        let members = *random.pick(if profile == Profile::Segments { &[6, 14, 30] } else { &[3, 6, 14] });
        let pair = match profile {
            Profile::Views if random.percent(5) => Pair::unmade(KEY, own, members),
            _ => pair(profile, rules, (&mut random, own), members),
        };
        Self::new(&mut random, pair)
    }

    /// So many that the board has another form.
    fn of_many(profile: Profile, seed: u64) -> Self {
        let (mut random, own) = (Random::new(seed), Random::new(seed + 1));
        let rules = rules(&mut random, profile);
        let pair = pair(profile, rules, (&mut random, own), 400);
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

    /// Compares the whole board, with the model and with the replica.
    fn finish(&mut self) {
        self.pair.whole().into_iter().for_each(|call| self.run(call));
        self.replica.settings.clock = self.server.settings.clock;
        for server in [&self.server, &self.replica] {
            server.run(&["LB.COUNT", KEY]);
        }
        let key = KEY.as_bytes();
        assert!(self.server.saved(key) == self.replica.saved(key), "the replica differs: {}", self.shown());
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

/// A board, and the command that makes it.
fn pair(profile: Profile, rules: Rules, (random, own): (&mut Random, Random), members: u64) -> (Pair, Call) {
    if profile != Profile::Segments {
        return Pair::new(KEY, rules, own, members);
    }
    let dimensions = dimensions(random, &rules);
    Pair::with_segments(KEY, rules, &dimensions, own, members)
}

/// A word as a failure shows it.
fn short(word: &[u8]) -> String {
    match word {
        [b'm', ..] if word.len() > 30 => format!("{}(and so on)", word[..8].escape_ascii()),
        _ => word.escape_ascii().to_string(),
    }
}

fn play(profile: Profile) {
    play_from(profile, seed() * 1_000_000);
}

fn play_from(profile: Profile, first: u64) {
    let few = (0..SESSIONS).map(|number| Session::of_few(profile, first + number));
    let many = (0..CROWDS).map(|number| Session::of_many(profile, first + SESSIONS + number));
    for mut session in few.chain(many) {
        (0..CALLS).for_each(|_| session.go_on());
        session.finish();
    }
}

#[test]
fn boards_of_all_views_do_what_the_plain_model_does() {
    play(Profile::Views);
}

#[test]
fn boards_that_keep_their_best_do_what_the_plain_model_does() {
    play(Profile::Keep);
}

#[test]
fn boards_of_levels_do_what_the_plain_model_does() {
    play(Profile::Levels);
}

#[test]
fn boards_of_shown_votes_do_what_the_plain_model_does() {
    play(Profile::Shown);
}

#[test]
fn boards_of_segments_do_what_the_plain_model_does() {
    play(Profile::Segments);
}

/// A replica had noted that a member left a segment. Its primary had forgotten the member in between, and had not.
#[test]
fn replicas_of_boards_that_forget_members_save_the_same_bytes() {
    play_from(Profile::Segments, 613_000_000);
}
