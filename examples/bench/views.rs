//! The cost of more views: compares a board of five views with a board of one view, and with five sorted sets.

use crate::contest::{self, Contestant, Speed, is_text, numbers, owned};
use crate::pipelines::{MEMBER, POINTS};
use crate::server::Server;
use crate::{Options, fill};
use client::Result;

/// Additions to a board of five views.
pub const FIVE: &str = "LB.ADD, 5 views";
/// Additions to a board of one view.
pub const ONE: &str = "LB.ADD, 1 view";
/// The five commands of one addition to sorted sets.
pub const ZSETS: &str = "5 ZINCRBY";

const VIEWS: &str = "all,hour,day,week,month";

/// Fills boards and sorted sets, and measures additions to random members.
pub fn measure(server: &Server, options: &Options) -> Result<Speed> {
    server.client()?.ask::<()>(&["LB.CREATE", "five", "VIEWS", VIEWS])?;
    fill::board(server, "five", options.members())?;
    fill::board(server, "one", options.members())?;
    for key in zsets() {
        fill::zset(server, 0, &key, options.members())?;
    }
    contest::measure(server, options, contestants())
}

fn zsets() -> impl Iterator<Item = String> {
    VIEWS.split(',').map(|view| format!("five:{view}"))
}

fn contestants() -> Vec<Contestant> {
    let member = &format!("m:{MEMBER}");
    let add = |key| vec![owned(&["LB.ADD", key, POINTS, member])];
    let zincrby = |key: String| owned(&["ZINCRBY", &key, POINTS, member]);
    let three = |reply: &_| numbers(reply, 3);
    let zsets = Contestant::of_several(ZSETS, zsets().map(zincrby).collect(), is_text);
    vec![
        Contestant::of_several(FIVE, add("five"), three),
        Contestant::of_several(ONE, add("one"), three),
        Contestant { share: 5, ..zsets },
    ]
}
