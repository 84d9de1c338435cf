//! The module's native types in one table: the commands that make values of each type, write to them and read them.
//! The tests of `integration` use this table to check what all types must support.

mod boards;
mod campaigns;
mod counters;
mod leagues;
mod portrait;

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Words, pipeline, query, run};
use redis::Connection;

pub use portrait::Portraits;

/// A native type. Campaigns are boards with votes; the tests handle them as a separate type.
pub struct Native {
    pub name: &'static str,
    /// The prefix of the type's commands.
    pub prefix: &'static str,
    pub kinds: fn() -> Vec<&'static dyn Kind>,
    /// Commands that are run on a value of any bytes, without the prefix. KEY is replaced by its key.
    pub uses: fn() -> Vec<String>,
    /// Parts of the errors that such a value may give.
    pub may_fail: &'static [&'static str],
    /// Commands that every value refuses while it is being restored.
    pub waits: &'static [&'static str],
}

pub static NATIVES: [Native; 4] = [boards::BOARD, campaigns::CAMPAIGN, leagues::LEAGUE, counters::COUNTER];

/// A value for tests, with the commands that make it and read it.
pub trait Kind: Sync {
    fn key(&self) -> &'static str;

    /// Returns the commands that make the value.
    fn make(&self) -> Vec<Words>;

    /// Returns everything that can be read of the value, in named parts.
    fn read(&self, con: &mut Connection) -> Vec<(&'static str, String)>;

    /// Returns writes with a later moment to a copy named `scratch`. Empty if the value uses the server's time.
    fn later(&self) -> Vec<Words>;

    /// Sends a remembered request again to the value, or a forgotten request to a copy.
    fn retry(&self, con: &mut Connection);
}

impl Native {
    /// Returns the commands for lines without the prefix.
    pub fn commands<T: AsRef<str>>(&self, lines: &[T]) -> Vec<Words> {
        commands(self.prefix, lines)
    }

    /// Returns the command that restores a piece of a saved value.
    pub fn piece(&self, key: &str, chunk: &[u8]) -> Words {
        vec![format!("{}RESTORE", self.prefix).into(), key.into(), chunk.to_vec()]
    }

    /// Checks that a value of any bytes may give this error.
    pub fn may_be(&self, error: &str) -> bool {
        self.may_fail.iter().any(|part| error.contains(part))
    }

    /// Returns the commands of [`Self::uses`] for a key, and the commands that every type supports.
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

/// Returns the test values of all native types.
pub fn kinds() -> impl Iterator<Item = &'static dyn Kind> {
    NATIVES.iter().flat_map(|native| (native.kinds)())
}

/// Returns the type and the value that belong to this key.
#[track_caller]
pub fn find(key: &str) -> (&'static Native, &'static dyn Kind) {
    let mut all =
        NATIVES.iter().flat_map(|native| (native.kinds)().into_iter().map(move |kind| (native, kind)));
    all.find(|(_, kind)| kind.key() == key).unwrap_or_else(|| panic!("no kind {key}"))
}

/// Creates all test values in the connection's database, each at its key. Existing values are replaced.
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

/// Makes the value of this key, and returns its DUMP.
#[track_caller]
pub fn dump_of(con: &mut Connection, key: &str) -> Vec<u8> {
    make_one(con, find(key).1);
    query(con, &["DUMP", key])
}
