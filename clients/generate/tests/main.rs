//! Tests that the files of the clients and the vectors are as new as the description of the commands.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that fails ought to panic"
)]

mod parsing;
mod typed;
mod vectors;
mod wire;

use std::collections::BTreeSet;
use std::fs;

#[test]
fn the_files_of_the_clients_are_those_of_the_description() {
    for (path, text) in leaderboard_clients::files().expect("files") {
        let written = fs::read_to_string(leaderboard_clients::root().join(&path)).unwrap_or_default();
        assert!(written == text, "{path} is old: run `make clients`");
    }
}

#[test]
fn folders_have_no_file_that_is_no_longer_made() {
    let made: BTreeSet<_> =
        leaderboard_clients::files().expect("files").into_iter().map(|(path, _)| path).collect();
    for folder in ["clients/php/src/Options", "clients/php/src/Replies"] {
        for entry in fs::read_dir(leaderboard_clients::root().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            let path = format!("{folder}/{}", name.to_string_lossy());
            assert!(made.contains(&path), "{path}: nothing makes it");
        }
    }
}

/// Codes of every server, for which the libraries below the clients have types.
const OF_SERVERS: [&str; 3] = ["ERR", "OOM", "LOADING"];

#[test]
fn the_clients_have_a_type_for_each_code() {
    let description = leaderboard_clients::description().expect("the description");
    for path in [
        "clients/python/src/leaderboard/errors.py",
        "clients/node/src/errors.ts",
        "clients/php/src/Errors/LeaderboardError.php",
    ] {
        let text = fs::read_to_string(leaderboard_clients::root().join(path)).expect("a file");
        let codes = description.errors.iter().map(|error| error.code.as_str());
        let missing: Vec<_> = codes
            .filter(|code| !OF_SERVERS.contains(code) && !text.contains(&format!("\"{code}\"")))
            .collect();
        assert_eq!(missing, [""; 0], "{path}");
    }
}

#[test]
fn the_packages_have_the_version_of_the_module() {
    let version = leaderboard_clients::description().expect("the description").version;
    for (path, line) in [
        ("clients/python/pyproject.toml", format!("version = \"{version}\"")),
        ("clients/node/package.json", format!("\"version\": \"{version}\"")),
        ("clients/php/composer.json", format!("\"version\": \"{version}\"")),
        ("packages/python/pyproject.toml", format!("version = \"{version}\"")),
        ("packages/python/pyproject.toml", format!("\"leaderboard-client=={version}\"")),
    ] {
        let text = fs::read_to_string(leaderboard_clients::root().join(path)).expect("a file");
        assert!(text.contains(&line), "{path}: {line}");
    }
}
