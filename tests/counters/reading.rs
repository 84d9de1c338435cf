//! Tests of reads: ranges of slices, empty slices that are filled in, and several counters in one command.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

use crate::votes::plays;

/// A counter that stores ten slices of ten seconds. Its present time is in the tenth slice.
const SETUP: &str = "LB.COUNTER.CREATE c PRECISIONS 10,60 SAMPLES 10 CLOCK EVENT
    LB.COUNTER.INCR c AT 20000
    LB.COUNTER.INCR c BY 2 AT 59999
    LB.COUNTER.INCR c BY 7 AT 70000
    LB.COUNTER.INCR c BY -7 AT 71000
    LB.COUNTER.INCR c BY 0 AT 95000 => 3";

fn reads(session: &str) {
    plays(&format!("{SETUP}\n{session}"));
}

#[test]
fn a_range_takes_in_the_slices_of_both_ends() {
    reads(
        "LB.COUNTER.GET c 10 => [[20000 1] [50000 2]]
         LB.COUNTER.GET c 10 FROM 20000 => [[20000 1] [50000 2]]
         LB.COUNTER.GET c 10 FROM 29999 => [[20000 1] [50000 2]]
         LB.COUNTER.GET c 10 FROM 30000 => [[50000 2]]
         LB.COUNTER.GET c 10 FROM 59999 => [[50000 2]]
         LB.COUNTER.GET c 10 FROM 60000 => []
         LB.COUNTER.GET c 10 TO 50000 => [[20000 1] [50000 2]]
         LB.COUNTER.GET c 10 TO 49999 => [[20000 1]]
         LB.COUNTER.GET c 10 TO 20000 => [[20000 1]]
         LB.COUNTER.GET c 10 TO 19999 => []
         LB.COUNTER.GET c 10 FROM 25000 TO 25000 => [[20000 1]]
         LB.COUNTER.GET c 10 to 49999 from 10000 => [[20000 1]]
         LB.COUNTER.GET c 10 FROM 30000 TO 49999 => []
         LB.COUNTER.GET c 10 FROM 0 TO 253402300799999 => [[20000 1] [50000 2]]
         LB.COUNTER.GET c 60 FROM 59999 TO 59999 => [[0 3]]
         LB.COUNTER.GET c 60 FROM 60000 => []",
    );
}

#[test]
fn a_range_that_ends_before_it_begins_is_empty() {
    reads(
        "LB.COUNTER.GET c 10 FROM 50000 TO 20000 => []
         LB.COUNTER.GET c 10 FROM 25001 TO 25000 => []
         LB.COUNTER.GET c 10 FROM 25001 TO 25000 FILL => []
         LB.COUNTER.GET c 10 FROM 60000 TO 50000 FILL => []",
    );
}

#[test]
fn fill_lists_what_is_empty_between_the_ends() {
    reads(
        "LB.COUNTER.GET c 10 FILL => [[20000 1] [30000 0] [40000 0] [50000 2]]
         LB.COUNTER.GET c 10 FROM 30000 FILL => [[30000 0] [40000 0] [50000 2]]
         LB.COUNTER.GET c 10 FROM 9999 FILL => [[0 0] [10000 0] [20000 1] [30000 0] [40000 0] [50000 2]]
         LB.COUNTER.GET c 10 FILL TO 65000 => [[20000 1] [30000 0] [40000 0] [50000 2] [60000 0]]
         LB.COUNTER.GET c 10 TO 49999 FILL => [[20000 1] [30000 0] [40000 0]]
         LB.COUNTER.GET c 10 fill from 39999 to 40000 => [[30000 0] [40000 0]]
         LB.COUNTER.GET c 10 FROM 60000 TO 60000 FILL => [[60000 0]]
         LB.COUNTER.GET c 10 FROM 60000 TO 75000 FILL => [[60000 0] [70000 0]]
         LB.COUNTER.GET c 60 FILL => [[0 3]]
         LB.COUNTER.GET c 60 FROM 0 TO 60000 FILL => [[0 3] [60000 0]]",
    );
}

#[test]
fn fill_needs_both_ends_where_nothing_was_counted() {
    reads(
        "LB.COUNTER.GET c 10 FROM 60000 FILL => []
         LB.COUNTER.GET c 10 TO 19999 FILL => []
         LB.COUNTER.CREATE new PRECISIONS 10 CLOCK EVENT
         LB.COUNTER.GET new 10 => []
         LB.COUNTER.GET new 10 FILL => []
         LB.COUNTER.GET new 10 FROM 0 FILL => []
         LB.COUNTER.GET new 10 TO 0 FILL => []
         LB.COUNTER.GET new 10 FROM 0 TO 9 FILL => [[0 0]]
         LB.COUNTER.GET new 10 FROM 0 TO 25000 FILL => [[0 0]]",
    );
}

#[test]
fn fill_lists_nothing_that_is_not_kept_or_not_begun() {
    reads(
        "LB.COUNTER.GET c 10 FROM 96000 TO 99999 FILL => [[90000 0]]
         LB.COUNTER.GET c 10 FROM 80000 TO 253402300799999 FILL => [[80000 0] [90000 0]]
         LB.COUNTER.GET c 10 FROM 100000 TO 120000 FILL => []
         LB.COUNTER.GET c 10 FROM 100000 => []
         LB.COUNTER.GET c 10 TO 253402300799999 FILL => [[20000 1] [30000 0] [40000 0] [50000 2] [60000 0] [70000 0] [80000 0] [90000 0]]
         LB.COUNTER.INCR c BY 0 AT 125000
         LB.COUNTER.GET c 10 FROM 0 TO 50000 FILL => [[30000 0] [40000 0] [50000 2]]
         LB.COUNTER.GET c 10 FROM 0 FILL => [[30000 0] [40000 0] [50000 2]]
         LB.COUNTER.GET c 10 FROM 0 TO 29999 FILL => []
         LB.COUNTER.GET c 10 TO 29999 => []
         LB.COUNTER.GET c 10 => [[50000 2]]",
    );
}

#[test]
fn an_absent_key_reads_as_empty_whatever_the_precision() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                "LB.COUNTER.GET absent 60 => []
                 LB.COUNTER.GET absent 7 FROM 0 TO 99999 FILL => []
                 LB.COUNTER.MGET 7 KEYS 1 absent => [[]]
                 LB.COUNTER.MGET 7 FROM 0 TO 5 FILL KEYS 2 absent absent => [[] []]
                 LB.COUNTER.INFO absent => nil
                 EXISTS absent => 0",
            );
        }
    }
}

#[test]
fn a_precision_that_is_not_kept_is_an_error() {
    reads(
        "LB.COUNTER.GET c 7 => ERR precision 7 is not kept by this counter
         LB.COUNTER.GET c 7 FROM 5 TO 0 => ERR precision 7 is not kept by this counter
         LB.COUNTER.GET c 315360000 FILL => ERR precision 315360000 is not kept by this counter
         LB.COUNTER.MGET 7 KEYS 2 absent c => ERR precision 7 is not kept by this counter
         LB.COUNTER.CREATE other PRECISIONS 60
         LB.COUNTER.MGET 10 KEYS 2 c other => ERR precision 10 is not kept by this counter
         LB.COUNTER.MGET 60 KEYS 2 c other => [[[0 3]] []]",
    );
}

#[test]
fn several_counters_are_read_at_once() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(&mut con, SETUP);
            play(
                &mut con,
                "LB.COUNTER.CREATE d PRECISIONS 10 CLOCK EVENT
                 LB.COUNTER.INCR d BY 5 AT 30000
                 LB.COUNTER.MGET 10 KEYS 1 c => [[[20000 1] [50000 2]]]
                 LB.COUNTER.MGET 10 KEYS 4 c absent d c => [[[20000 1] [50000 2]] [] [[30000 5]] [[20000 1] [50000 2]]]
                 LB.COUNTER.MGET 10 FROM 30000 KEYS 2 c d => [[[50000 2]] [[30000 5]]]
                 LB.COUNTER.MGET 10 TO 29999 KEYS 2 c d => [[[20000 1]] []]
                 LB.COUNTER.MGET 10 FILL FROM 30000 TO 40000 KEYS 2 c d => [[[30000 0] [40000 0]] [[30000 5]]]
                 lb.counter.mget 10 fill to 29999 keys 2 c d => [[[20000 1]] []]
                 LB.COUNTER.INCR keys AT 0
                 LB.COUNTER.MGET 60 KEYS 1 KEYS => [[]]
                 FLUSHALL",
            );
        }
    }
}

#[test]
fn a_hundred_counters_are_read_at_once() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut keys = String::new();
    for n in 0..100 {
        play(
            &mut con,
            &format!(
                "LB.COUNTER.CREATE k{n} PRECISIONS 1 CLOCK EVENT
                 LB.COUNTER.INCR k{n} BY {n} AT {n}000"
            ),
        );
        keys.push_str(&format!(" k{n} none"));
    }
    let counts = (0..100).map(|n| if n == 0 { "[] []".to_owned() } else { format!("[[{n}000 {n}]] []") });
    let counts = counts.collect::<Vec<_>>().join(" ");
    play(&mut con, &format!("LB.COUNTER.MGET 1 KEYS 200{keys} => [{counts}]"));
}
