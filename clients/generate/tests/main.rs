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

use std::fs;

#[test]
fn the_files_of_the_clients_are_those_of_the_description() {
    for (path, text) in leaderboard_clients::files().expect("files") {
        let written = fs::read_to_string(leaderboard_clients::root().join(&path)).unwrap_or_default();
        assert!(written == text, "{path} is old: run `make clients`");
    }
}
