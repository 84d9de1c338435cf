//! The module's native types in one table: how values of each are made, how one is written to, and how all of it is read.
//! `integration` checks with it what all types owe the server.

mod boards;
mod campaigns;
mod counters;
mod leagues;
mod portrait;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Words, pipeline, query, run};
use redis::Connection;

pub use portrait::Portraits;

/// A native type. Campaigns are boards that are voted on: a type of their own as far as tests go.
pub struct Native {
    pub name: &'static str,
    /// Its commands begin with this.
    pub prefix: &'static str,
    pub kinds: fn() -> Vec<&'static dyn Kind>,
    /// What is done with a value of any bytes: lines without the prefix, in which KEY stands for its key.
    pub uses: fn() -> Vec<String>,
    /// Ends of the errors that such a value may give.
    pub may_fail: &'static [&'static str],
    /// Lines that no value takes while it is being restored.
    pub waits: &'static [&'static str],
}

pub static NATIVES: [Native; 4] = [boards::BOARD, campaigns::CAMPAIGN, leagues::LEAGUE, counters::COUNTER];

/// A value to be made, and what is asked about it.
pub trait Kind: Sync {
    fn key(&self) -> &'static str;

    /// The commands that make it.
    fn make(&self) -> Vec<Words>;

    /// All that can be read of it, each part with its name.
    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)>;

    /// Writes of a later time to a copy, `scratch`. None on the server's clock.
    fn later(&self) -> Vec<Words>;

    /// Sends a request again that is remembered, or one that is forgotten to a copy.
    fn retry(&self, con: &mut Connection);
}

impl Native {
    /// The commands of lines without the prefix.
    pub fn commands<T: AsRef<str>>(&self, lines: &[T]) -> Vec<Words> {
        commands(self.prefix, lines)
    }

    /// The command that takes a piece of a saved value.
    pub fn piece(&self, key: &str, chunk: &[u8]) -> Words {
        vec![format!("{}RESTORE", self.prefix).into(), key.into(), chunk.to_vec()]
    }

    /// Whether a value of any bytes may say so.
    pub fn may_be(&self, error: &str) -> bool {
        self.may_fail.iter().any(|part| error.contains(part))
    }

    /// The commands of [`Self::uses`] on a key, and what any type is asked.
    pub fn used(&self, key: &str) -> Vec<Words> {
        let on = |line: String| {
            line.split(' ').map(|word| if word == "KEY" { key } else { word }).collect::<Vec<_>>().join(" ")
        };
        let lines: Vec<String> = (self.uses)().into_iter().map(on).collect();
        let rest = ["MEMORY USAGE", "DEBUG DIGEST-VALUE", "DUMP"].map(|line| words(&format!("{line} {key}")));
        [self.commands(&lines), rest.to_vec()].concat()
    }
}

fn commands<T: AsRef<str>>(prefix: &str, lines: &[T]) -> Vec<Words> {
    lines.iter().map(|line| words(&format!("{prefix}{}", line.as_ref()))).collect()
}

/// The values of all types.
pub fn kinds() -> impl Iterator<Item = &'static dyn Kind> {
    NATIVES.iter().flat_map(|native| (native.kinds)())
}

/// The type of the value that this key has, and the value.
#[track_caller]
pub fn find(key: &str) -> (&'static Native, &'static dyn Kind) {
    let mut all =
        NATIVES.iter().flat_map(|native| (native.kinds)().into_iter().map(move |kind| (native, kind)));
    all.find(|(_, kind)| kind.key() == key).unwrap_or_else(|| panic!("no kind {key}"))
}

/// Makes all values in the connection's database, in place of those that are there.
pub fn make(con: &mut Connection) {
    kinds().for_each(|kind| make_one(con, kind));
}

pub fn make_one(con: &mut Connection, kind: &dyn Kind) {
    run(con, &["DEL", kind.key()]);
    let commands = kind.make();
    for (command, reply) in commands.iter().zip(pipeline(con, &commands)) {
        assert!(reply.is_ok(), "{}: {reply:?}", command.join(&b' ').escape_ascii());
    }
}

/// What DUMP gives of the value of this key, which is made for it.
#[track_caller]
pub fn dump_of(con: &mut Connection, key: &str) -> Vec<u8> {
    make_one(con, find(key).1);
    query(con, &["DUMP", key])
}
