//! Clocks of servers under test that a test sets: a library that is loaded before the server adds milliseconds from a file.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::workspace::root;

/// The source of the library.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/clock.c");

/// Returns the environment of a server whose files are in this directory.
pub fn environment(dir: &Path) -> [(&'static str, PathBuf); 2] {
    if !file(dir).exists() {
        set(dir, 0);
    }
    [("LD_PRELOAD", library().to_owned()), ("LEADERBOARD_CLOCK", file(dir))]
}

/// Sets by how many milliseconds the clock is ahead of the system's clock.
pub fn set(dir: &Path, ahead: i64) {
    let file = File::options().create(true).write(true).truncate(false).open(file(dir)).expect("a file");
    file.write_all_at(&ahead.to_ne_bytes(), 0).expect("room for a number");
}

fn file(dir: &Path) -> PathBuf {
    dir.join("clock")
}

/// Returns the library. Each process compiles it once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = root().join("target/tmp");
        fs::create_dir_all(&folder).expect("a folder");
        let (new, library) =
            (folder.join(format!("clock-{}.so", std::process::id())), folder.join("clock.so"));
        let compiled =
            Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&new).arg(SOURCE).status();
        assert!(compiled.expect("a C compiler: run `make deps`").success(), "{SOURCE} was not compiled");
        // Other processes may run servers with the last one.
        fs::rename(new, &library).expect("a file in the same folder");
        library
    })
}
