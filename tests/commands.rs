//! Tests of commands that succeed: the form of replies, ranks, scores, and the content of the boards.

mod among;
mod around;
mod forms;
mod meta;
mod quiet;
mod reading;
mod removing;
mod requests;
mod reverse;
mod rules;
mod scores;
mod setting;
mod shapes;
mod writing;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

/// Runs a session that gives the same replies in both protocols.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}
