//! Tests of request ids: which ids are remembered, for how long, and the reply to a repeated request.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use crate::votes::plays;

#[test]
fn a_repeat_changes_nothing_and_answers_the_total_as_it_is() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                r"LB.COUNTER.INCR c BY 5 ID one => 5
                  LB.COUNTER.INCR c BY 5 ID one => 5
                  LB.COUNTER.INCR c BY 2 => 7
                  LB.COUNTER.INCR c ID one BY 5 => 7
                  LB.COUNTER.INCR c ID two => 8
                  LB.COUNTER.INCR c BY 1 ID two => 8
                  LB.COUNTER.INCR c BY 0 ID three => 8
                  LB.COUNTER.INCR c BY 0 ID three => 8
                  LB.COUNTER.INCR c BY 1 ID three => IDREUSED request id was used for a different write
                  LB.COUNTER.INCR c BY -5 ID one => IDREUSED request id was used for a different write
                  LB.COUNTER.INCR c ID one => IDREUSED request id was used for a different write
                  LB.COUNTER.INCR c ID \x00\xff => 9
                  LB.COUNTER.INCR c ID \x00\xff => 9
                  LB.COUNTER.INCR c ID \x00 => 10
                  LB.COUNTER.INCR c ID <256> => 11
                  LB.COUNTER.INCR c ID <256> => 11
                  LB.COUNTER.INCR c ID ONE => 12
                  LB.COUNTER.INCR other ID one => 1
                  FLUSHALL",
            );
        }
    }
}

#[test]
fn the_moment_of_a_repeat_does_not_matter() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 ID one AT 1000 => 5
         LB.COUNTER.INCR c BY 5 ID one AT 99000 => 5
         LB.COUNTER.INCR c BY 5 AT 0 ID one => 5
         LB.COUNTER.INCR c BY 6 ID one AT 99000 => IDREUSED request id was used for a different write
         LB.COUNTER.GET c 1 FROM 0 TO 99000 FILL => [[0 0] [1000 5]]
         LB.COUNTER.INCR c BY 7 ID two AT 0 => 12
         LB.COUNTER.INCR c BY 7 ID two AT 1000 => 12
         LB.COUNTER.GET c 1 => [[0 7] [1000 5]]",
    );
}

#[test]
fn an_id_is_remembered_for_as_long_as_was_asked() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT DEDUP 60
         LB.COUNTER.INCR c ID one AT 1000 => 1
         LB.COUNTER.INCR c ID two AT 50000 => 2
         LB.COUNTER.INCR c AT 60999 => 3
         LB.COUNTER.INCR c ID one AT 60999 => 3
         LB.COUNTER.INCR c AT 109999 => 4
         LB.COUNTER.INCR c ID two AT 109999 => 4
         LB.COUNTER.INCR c AT 9000000 => 5
         LB.COUNTER.INCR c ID one AT 9000000 => 6
         LB.COUNTER.INCR c BY 10 ID two AT 9000000 => 16",
    );
}

#[test]
fn an_id_lasts_from_when_it_was_applied_however_old_the_event() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT DEDUP 60
         LB.COUNTER.INCR c AT 5000000 => 1
         LB.COUNTER.INCR c ID late AT 1000 => 2
         LB.COUNTER.INCR c AT 5059999 => 3
         LB.COUNTER.INCR c ID late AT 1000 => 3",
    );
}

#[test]
fn ids_can_be_switched_off() {
    plays(
        r#"LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT DEDUP 0
           LB.COUNTER.INCR c ID one AT 1000 => 1
           LB.COUNTER.INCR c ID one AT 1000 => 2
           LB.COUNTER.INCR c ID one BY 5 AT 1000 => 7
           LB.COUNTER.ALTER c DEDUP 60 => OK
           LB.COUNTER.INCR c ID one AT 1000 => 8
           LB.COUNTER.INCR c ID one AT 1000 => 8
           LB.COUNTER.ALTER c DEDUP 0 => OK
           LB.COUNTER.INCR c ID one AT 1000 => 9"#,
    );
}

#[test]
fn a_refused_increase_remembers_no_id() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 CLOCK EVENT
         LB.COUNTER.INCR c BY 9223372036854775807 AT 1000
         LB.COUNTER.INCR c BY 1 ID one AT 1000 => ERR the count would be out of range
         LB.COUNTER.INCR c BY 1 ID two => ERR AT is needed with CLOCK EVENT
         LB.COUNTER.INCR c BY -5 ID one AT 1000 => 9223372036854775802
         LB.COUNTER.INCR c BY 2 ID two AT 1000 => 9223372036854775804",
    );
}
