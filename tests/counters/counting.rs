//! Tests of the effect of an increase on the total and on one slice of each precision.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use crate::votes::plays;

#[test]
fn a_first_increase_makes_a_counter_and_each_answers_the_total() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                "LB.COUNTER.INCR visits => 1
                 LB.COUNTER.INCR visits => 2
                 LB.COUNTER.INCR visits BY 5 => 7
                 lb.counter.incr visits by -10 => -3
                 LB.COUNTER.INCR visits BY 0 => -3
                 LB.COUNTER.INCR other BY 0 => 0
                 EXISTS visits other => 2
                 FLUSHALL",
            );
        }
    }
}

#[test]
fn a_slice_holds_its_beginning_and_not_its_end() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 60,1,5 CLOCK EVENT => OK
         LB.COUNTER.INCR c AT 0 => 1
         LB.COUNTER.INCR c BY 2 AT 999 => 3
         LB.COUNTER.INCR c BY 4 AT 1000 => 7
         LB.COUNTER.INCR c BY 8 AT 4999 => 15
         LB.COUNTER.INCR c BY 16 AT 5000 => 31
         LB.COUNTER.INCR c BY 32 AT 59999 => 63
         LB.COUNTER.INCR c BY 64 AT 60000 => 127
         LB.COUNTER.GET c 1 => [[0 3] [1000 4] [4000 8] [5000 16] [59000 32] [60000 64]]
         LB.COUNTER.GET c 5 => [[0 15] [5000 16] [55000 32] [60000 64]]
         LB.COUNTER.GET c 60 => [[0 63] [60000 64]]",
    );
}

#[test]
fn slices_begin_at_multiples_from_the_epoch() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 7,86400,315360000 CLOCK EVENT
         LB.COUNTER.INCR c AT @2019-03-18T10:05 => 1
         LB.COUNTER.GET c 7 => [[1552903499000 1]]
         LB.COUNTER.GET c 86400 => [[@2019-03-18 1]]
         LB.COUNTER.GET c 315360000 => [[1261440000000 1]]",
    );
}

#[test]
fn as_many_slices_are_kept_as_samples_the_current_one_included() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,5,60 SAMPLES 3 CLOCK EVENT
         LB.COUNTER.INCR c AT 61000 => 1
         LB.COUNTER.INCR c BY 2 AT 62500 => 3
         LB.COUNTER.INCR c BY 4 AT 63999 => 7
         LB.COUNTER.GET c 1 => [[61000 1] [62000 2] [63000 4]]
         LB.COUNTER.INCR c BY 8 AT 64000 => 15
         LB.COUNTER.GET c 1 => [[62000 2] [63000 4] [64000 8]]
         LB.COUNTER.GET c 5 => [[60000 15]]
         LB.COUNTER.INCR c BY 16 AT 74999 => 31
         LB.COUNTER.GET c 1 => [[74000 16]]
         LB.COUNTER.GET c 5 => [[60000 15] [70000 16]]
         LB.COUNTER.INCR c BY 32 AT 75000 => 63
         LB.COUNTER.GET c 1 => [[74000 16] [75000 32]]
         LB.COUNTER.GET c 5 => [[70000 16] [75000 32]]
         LB.COUNTER.GET c 60 => [[60000 63]]
         LB.COUNTER.INCR c BY 0 AT 240000 => 63
         LB.COUNTER.GET c 1 => []
         LB.COUNTER.GET c 5 => []
         LB.COUNTER.GET c 60 => []",
    );
}

#[test]
fn one_sample_is_the_current_slice() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 10 SAMPLES 1 CLOCK EVENT
         LB.COUNTER.INCR c BY 3 AT 19999
         LB.COUNTER.GET c 10 => [[10000 3]]
         LB.COUNTER.INCR c BY 4 AT 20000 => 7
         LB.COUNTER.GET c 10 => [[20000 4]]
         LB.COUNTER.INCR c BY 4 AT 19999 => 11
         LB.COUNTER.GET c 10 => [[20000 4]]",
    );
}

#[test]
fn an_earlier_moment_counts_wherever_its_slice_is_kept() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,5,60 SAMPLES 3 CLOCK EVENT
         LB.COUNTER.INCR c AT 124000 => 1
         LB.COUNTER.INCR c BY 2 AT 122000 => 3
         LB.COUNTER.GET c 1 => [[122000 2] [124000 1]]
         LB.COUNTER.INCR c BY 4 AT 121999 => 7
         LB.COUNTER.GET c 1 => [[122000 2] [124000 1]]
         LB.COUNTER.GET c 5 => [[120000 7]]
         LB.COUNTER.INCR c BY 8 AT 110000 => 15
         LB.COUNTER.INCR c BY 16 AT 109999 => 31
         LB.COUNTER.GET c 5 => [[110000 8] [120000 7]]
         LB.COUNTER.GET c 60 => [[60000 24] [120000 7]]
         LB.COUNTER.INCR c BY 32 AT 0 => 63
         LB.COUNTER.GET c 60 => [[0 32] [60000 24] [120000 7]]
         LB.COUNTER.INCR c AT 180000 => 64
         LB.COUNTER.INCR c BY 100 AT 59999 => 164
         LB.COUNTER.GET c 60 => [[60000 24] [120000 7] [180000 1]]
         LB.COUNTER.GET c 1 => [[180000 1]]",
    );
}

#[test]
fn an_empty_slice_is_one_whose_count_is_0() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,10 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 AT 1000
         LB.COUNTER.INCR c BY -5 AT 1500 => 0
         LB.COUNTER.INCR c BY 0 AT 2000 => 0
         LB.COUNTER.GET c 1 => []
         LB.COUNTER.GET c 10 => []
         LB.COUNTER.INCR c BY -3 AT 3000 => -3
         LB.COUNTER.INCR c BY 3 AT 4000 => 0
         LB.COUNTER.GET c 1 => [[3000 -3] [4000 3]]
         LB.COUNTER.GET c 10 => []
         LB.COUNTER.INCR c BY 1 AT 1700 => 1
         LB.COUNTER.GET c 1 => [[1000 1] [3000 -3] [4000 3]]
         LB.COUNTER.GET c 10 => [[0 1]]",
    );
}

#[test]
fn an_increase_by_0_moves_the_clock() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 SAMPLES 2 CLOCK EVENT
         LB.COUNTER.INCR c AT 1000
         LB.COUNTER.INCR c BY 0 AT 2999 => 1
         LB.COUNTER.GET c 1 => [[1000 1]]
         LB.COUNTER.INCR c BY 0 AT 3000 => 1
         LB.COUNTER.GET c 1 => []",
    );
}

#[test]
fn counts_reach_the_ends_of_their_range() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,60 CLOCK EVENT
         LB.COUNTER.INCR c BY 9223372036854775807 AT 1000 => 9223372036854775807
         LB.COUNTER.INCR c AT 1000 => ERR the count would be out of range
         LB.COUNTER.INCR c AT 99000 => ERR the count would be out of range
         LB.COUNTER.INCR c BY -9223372036854775807 AT 2000 => 0
         LB.COUNTER.GET c 1 => [[1000 9223372036854775807] [2000 -9223372036854775807]]
         LB.COUNTER.GET c 60 => []
         LB.COUNTER.INCR c BY 1 AT 1500 => ERR the count would be out of range
         LB.COUNTER.INCR c BY -2 AT 2500 => ERR the count would be out of range
         LB.COUNTER.INCR c BY -9223372036854775807 AT 3000 => -9223372036854775807
         LB.COUNTER.INCR c BY -2 AT 3000 => ERR the count would be out of range
         LB.COUNTER.INCR c BY 1 AT 3000 => -9223372036854775806
         LB.COUNTER.GET c 60 => [[0 -9223372036854775806]]",
    );
}

#[test]
fn a_slice_that_is_gone_is_never_full() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1 SAMPLES 2 CLOCK EVENT
         LB.COUNTER.INCR c BY 9223372036854775807 AT 1000
         LB.COUNTER.INCR c BY -9223372036854775807 AT 3000 => 0
         LB.COUNTER.INCR c BY 5 AT 1000 => 5
         LB.COUNTER.GET c 1 => [[3000 -9223372036854775807]]",
    );
}

#[test]
fn what_is_late_or_old_counts_on_the_servers_clock_too() {
    for flavor in [Flavor::Redis62, Flavor::Redis82] {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(
            &mut con,
            "LB.COUNTER.CREATE c PRECISIONS 1,315360000 SAMPLES 7
             LB.COUNTER.INCR c AT 1000 => 1
             LB.COUNTER.INCR c BY 2 AT 1261440000000 => 3
             LB.COUNTER.INCR c BY 4 AT 1261439999999 => 7
             LB.COUNTER.GET c 1 => []
             LB.COUNTER.GET c 315360000 TO 1261440000000 => [[0 1] [946080000000 4] [1261440000000 2]]",
        );
    }
}

#[test]
fn the_last_moment_there_is_counts() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,315360000 SAMPLES 10000 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 AT 0
         LB.COUNTER.INCR c BY 2 AT 253402300799999 => 7
         LB.COUNTER.GET c 1 FROM 253402300798000 TO 253402300799999 FILL => [[253402300798000 0] [253402300799000 2]]
         LB.COUNTER.GET c 315360000 => [[0 5] [253234080000000 2]]",
    );
}
