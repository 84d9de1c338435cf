//! Tests that a panic in the module ends as an error, a refused key or a line in the log. The server lives, and all other
//! keys keep their values. `make panics` builds a module with points at which it panics when a file names them.

mod commands;
mod files;
mod timer;
mod values;

use std::fs;
use std::path::PathBuf;

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Builder, Flavor, Server, digest, wait_until};
use redis::Connection;

use crate::natives::{find, make_one};

/// The error of a command that panicked.
const FAILED: &str = "ERR the command failed inside the module, see the server's log";
/// The text of the panics. The module for users does not contain it.
const REQUESTED: &[u8] = b"a test requested this panic";
/// Values of all types. No test lets the module fail on them.
const OTHERS: [&str; 4] = ["small", "poll", "small_league", "small_counter"];

/// Returns the path of the module with points of failure.
fn module() -> PathBuf {
    let target =
        std::env::current_exe().expect("this program").ancestors().nth(2).expect("a folder").to_owned();
    let path = target.join("libleaderboard.so");
    let bytes = fs::read(&path).unwrap_or_default();
    assert!(contains(&bytes, REQUESTED), "{} cannot panic: run `make panics`", path.display());
    path
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// A server whose module panics at points that the test names.
struct Failing {
    server: Server,
    /// The digests of the values of [`OTHERS`].
    others: Vec<String>,
}

impl Failing {
    fn builder(flavor: Flavor) -> Builder {
        Server::builder(flavor).panicking(module())
    }

    fn start(builder: Builder) -> Self {
        let server = builder.start();
        let mut con = server.connection();
        OTHERS.iter().for_each(|key| make_one(&mut con, find(key).1));
        let others = OTHERS.iter().map(|key| digest(&mut con, key)).collect();
        Self { server, others }
    }

    /// Starts a server of each kind.
    fn each(check: impl Fn(Self, &mut Connection)) {
        for flavor in Flavor::all() {
            let failing = Self::start(Self::builder(flavor));
            let mut con = failing.server.connection();
            check(failing, &mut con);
        }
    }

    /// Returns how often work failed, which the log names.
    fn failures(&self, work: &str) -> usize {
        self.server.log().matches(&format!("{work} failed inside the module")).count()
    }

    /// Lets the module panic at this point from now on.
    fn set(&self, point: &str) {
        fs::write(self.server.dir().join("fault"), point).expect("a file");
    }

    /// Lets the module work again.
    fn mend(&self) {
        fs::remove_file(self.server.dir().join("fault")).expect("a file");
    }

    /// Calls `run` while the module panics at a point. Checks that it did so in this work, and that nothing else changed.
    #[track_caller]
    fn failing_in<A>(&self, point: &str, work: &str, run: impl FnOnce() -> A) -> A {
        let before = self.failures(work);
        self.set(point);
        let done = run();
        wait_until(|| self.failures(work) > before);
        self.mend();
        self.check();
        done
    }

    /// Calls `run` while the module panics in this work.
    #[track_caller]
    fn failing<A>(&self, work: &str, run: impl FnOnce() -> A) -> A {
        self.failing_in(work, work, run)
    }

    /// Checks that the server lives, and that the other values are what they were.
    #[track_caller]
    fn check(&self) {
        let mut con = self.server.connection();
        for (key, before) in OTHERS.iter().zip(&self.others) {
            assert_eq!(digest(&mut con, key), *before, "{:?}: {key}", self.server.flavor());
        }
    }
}

#[test]
fn the_module_for_users_has_no_points_of_failure() {
    let path = std::env::var_os("LEADERBOARD_MODULE").map(PathBuf::from);
    let path = path
        .unwrap_or_else(|| module().ancestors().nth(2).expect("target").join("release/libleaderboard.so"));
    assert!(!contains(&fs::read(path).expect("the release build"), REQUESTED));
}

#[test]
fn a_panic_has_a_place_in_the_log() {
    Failing::each(|failing, con| {
        failing.failing("a command", || assert_eq!(say(con, "LB.TOP small 1"), FAILED));
        assert!(failing.server.log().contains("panic at src/fault.rs:"), "{:?}", failing.server.flavor());
    });
}
