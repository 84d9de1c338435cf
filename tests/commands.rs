//! What commands reply when all goes well: shapes, ranks, scores, and the boards behind them.

mod among;
mod around;
mod forms;
mod meta;
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

/// Plays a session of which both protocols show the same.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}
