//! Append-only files that end early, as after a crash of the machine: cut at each of their last 4,096 bytes. The server starts with what
//! is whole, and has exactly the state that it had after these requests. The requests that were lost are repeated, and count once, also
//! after another restart: a server can leave a part of a torn transaction in its file.

use std::fs::{self, File};
use std::path::PathBuf;
use std::slice;

use leaderboard_testkit::random::Random;
use leaderboard_testkit::{Flavor, Server, Words, bgrewriteaof_and_wait, info, pipeline, query};
use redis::Connection;

use crate::requests::{Drawing, compare, found, make};
use crate::workers::note;

/// How many of the last bytes are cut off, at the most.
const BYTES: u64 = 4_096;
/// Cuts of a session, this number of bytes apart. As many sessions on a server cover all positions.
const APART: u64 = 64;
/// Requests before the last part of the file.
const BEFORE: usize = 500;

/// Cuts the file of a server at some positions. Returns how many.
pub fn session(seed: u64) -> u64 {
    positions(seed, BYTES / APART)
}

fn positions(seed: u64, count: u64) -> u64 {
    let mut written = Written::new(seed);
    let first = seed / 4 % APART;
    for position in 0..count {
        written.cut(1 + first + position * (BYTES / count));
    }
    count
}

/// A stopped server, its file, and the states that led to it.
struct Written {
    server: Server,
    path: PathBuf,
    whole: Vec<u8>,
    drawing: Drawing,
    states: Vec<State>,
}

/// A request, the length of the file after it, and the digest of all keys.
struct State {
    words: Option<Words>,
    length: u64,
    digest: String,
}

impl Written {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let flavor = Flavor::all()[(seed % 4) as usize];
        let builder = Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always");
        let builder = builder.arg("aof-load-truncated", "yes");
        let preamble = *random.pick(&["yes", "no"]);
        let mut server = builder.arg("aof-use-rdb-preamble", preamble).start();
        let mut con = server.connection();
        make(&mut con, 1);
        let mut drawing = Drawing::new(0, Random::new(random.number()));
        let before: Vec<Words> = (0..BEFORE).map(|_| drawing.draw(5).words).collect();
        pipeline(&mut con, &before);
        if random.percent(50) {
            bgrewriteaof_and_wait(&mut con);
        }
        let states = write_on(&mut con, &mut drawing);
        server.kill9();
        let path = server.append_only_file();
        let whole = fs::read(&path).expect("the file");
        Self { server, path, whole, drawing, states }
    }

    /// Cuts off this number of bytes, and starts the server.
    fn cut(&mut self, bytes: u64) {
        note(format!("{:?}, {bytes} bytes cut off", self.server.flavor()).as_bytes());
        fs::write(&self.path, &self.whole).expect("the whole file");
        let file = File::options().write(true).open(&self.path).expect("a file to cut");
        file.set_len(self.whole.len() as u64 - bytes).expect("a shorter file");
        self.server.start_again();
        let last = self.states.last().map_or(0, |state| state.length);
        let place = self.states.iter().rposition(|state| state.length + bytes <= last);
        let (kept, lost) = self.states.split_at(place.expect("an earlier state") + 1);
        let expected = &kept[kept.len() - 1];
        let found = digest_of_all(&mut self.server.connection());
        let place = self.states.iter().rposition(|state| state.digest == found);
        assert_eq!(
            found,
            expected.digest,
            "{} states, but this is that of number {place:?}",
            self.states.len()
        );
        if self.has_lost_its_file() {
            return self.server.kill9();
        }
        let lost: Vec<Words> = lost.iter().filter_map(|state| state.words.clone()).collect();
        self.repeat(&lost);
    }

    /// Redis 6.2 makes the file empty if the first command behind its snapshot is cut. It has all data in memory, and would lose it with
    /// the next restart.
    fn has_lost_its_file(&self) -> bool {
        let length = fs::metadata(&self.path).expect("the file").len();
        self.server.flavor() == Flavor::Redis62 && length == 0
    }

    /// Sends the lost requests again, and compares all sums before and after another restart.
    fn repeat(&mut self, lost: &[Words]) {
        let mut con = self.server.connection();
        let replies = pipeline(&mut con, lost);
        assert!(replies.iter().all(Result::is_ok), "{replies:?}");
        let before = found(&mut con, slice::from_ref(&self.drawing).iter());
        self.server.kill9();
        self.server.start_again();
        let after = found(&mut self.server.connection(), slice::from_ref(&self.drawing).iter());
        compare("after another restart", &after, &before, &before);
        self.server.kill9();
    }
}

/// Writes until more bytes are in the file than any cut takes away. Returns the state after each request, and before the first.
fn write_on(con: &mut Connection, drawing: &mut Drawing) -> Vec<State> {
    let mut states = vec![state(con, None)];
    while states[states.len() - 1].length <= states[0].length + BYTES {
        let words = drawing.draw(5).words;
        let reply = pipeline(con, slice::from_ref(&words));
        assert!(reply.iter().all(Result::is_ok), "{reply:?}");
        states.push(state(con, Some(words)));
    }
    states
}

fn state(con: &mut Connection, words: Option<Words>) -> State {
    let length = info(con, "persistence", "aof_current_size").parse().expect("a number");
    State { words, length, digest: digest_of_all(con) }
}

fn digest_of_all(con: &mut Connection) -> String {
    query(con, &["DEBUG", "DIGEST"])
}

#[cfg(test)]
mod tests {
    use crate::workers::Run;

    #[test]
    fn a_file_that_ends_early_gives_the_state_after_its_last_whole_request() {
        let run =
            Run::new("cuts", 12, leaderboard_testkit::random::seed()).all(|seed| super::positions(seed, 3));
        assert!(run.failures.is_empty(), "{run}");
    }
}
