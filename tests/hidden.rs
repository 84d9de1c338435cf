//! Hidden members: they go on collecting and see where they would be; for everybody else they are not there.

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

/// Bob and dan are hidden, bob with a better score than cat by time alone.
const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve
                    LB.SETMETA board bob text
                    LB.HIDE board bob dan => 2";

/// Plays a session of which both protocols show the same.
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
