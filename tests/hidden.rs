//! Tests of hidden members: they continue to collect points and can see their own place, but all other members do not
//! see them.

mod integration;
mod many;
mod moved;
mod organiser;
mod periods;
mod refused;
mod seen;
mod twins;

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

/// A board where bob and dan are hidden. The scores of bob and cat are equal, and bob ranks higher because of the
/// time.
const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board bob text
                    LB.HIDE board bob dan => 2";

/// Runs a session that gives the same replies in both protocols.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}

#[track_caller]
fn on_five(session: &str) {
    plays(&format!("{FIVE}\n{session}"));
}
