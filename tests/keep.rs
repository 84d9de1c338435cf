//! `KEEP`: views that keep their best members only.

mod altering;
mod falling;
mod hidden;
mod memory;
mod views;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

/// Plays a session of which both protocols show the same.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}
