//! Tests of LB.COUNTER.ALTER: what changes, what is deleted at once, and what does not return.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, wait_for_sync};

use crate::periods::idle::stopped_since;
use crate::votes::plays;

#[test]
fn fewer_samples_drop_the_oldest_at_once_and_more_bring_nothing_back() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,10 SAMPLES 3 CLOCK EVENT
         LB.COUNTER.INCR c AT 1000
         LB.COUNTER.INCR c BY 2 AT 12000
         LB.COUNTER.INCR c BY 4 AT 13000
         LB.COUNTER.INCR c BY 8 AT 14000 => 15
         LB.COUNTER.ALTER c SAMPLES 2 => OK
         LB.COUNTER.GET c 1 => [[13000 4] [14000 8]]
         LB.COUNTER.GET c 10 => [[0 1] [10000 14]]
         LB.COUNTER.ALTER c SAMPLES 4 => OK
         LB.COUNTER.GET c 1 => [[13000 4] [14000 8]]
         LB.COUNTER.INCR c AT 12000 => 16
         LB.COUNTER.INCR c AT 15000 => 17
         LB.COUNTER.GET c 1 => [[12000 1] [13000 4] [14000 8] [15000 1]]
         LB.COUNTER.INCR c AT 16000 => 18
         LB.COUNTER.GET c 1 => [[13000 4] [14000 8] [15000 1] [16000 1]]
         LB.COUNTER.ALTER c SAMPLES 1 => OK
         LB.COUNTER.GET c 1 => [[16000 1]]
         LB.COUNTER.GET c 10 => [[10000 17]]
         LB.COUNTER.INCR c AT 0 => 19",
    );
}

#[test]
fn an_added_precision_begins_empty_and_takes_late_events() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 60 SAMPLES 5 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 AT 61000 => 5
         LB.COUNTER.ALTER c PRECISIONS +10,+1 => OK
         LB.COUNTER.GET c 10 => []
         LB.COUNTER.GET c 1 => []
         LB.COUNTER.GET c 10 FROM 60000 TO 99999 FILL => [[60000 0]]
         LB.COUNTER.INCR c BY 2 AT 61000 => 7
         LB.COUNTER.INCR c BY 3 AT 45000 => 10
         LB.COUNTER.GET c 1 => [[61000 2]]
         LB.COUNTER.GET c 10 => [[40000 3] [60000 2]]
         LB.COUNTER.GET c 60 => [[0 3] [60000 7]]",
    );
}

#[test]
fn a_dropped_precision_is_gone_with_its_counts() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 1,10,60 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 AT 61000
         LB.COUNTER.ALTER c PRECISIONS -10 => OK
         LB.COUNTER.GET c 10 => ERR precision 10 is not kept by this counter
         LB.COUNTER.ALTER c PRECISIONS +10 => OK
         LB.COUNTER.GET c 10 => []
         LB.COUNTER.GET c 1 => [[61000 5]]
         LB.COUNTER.ALTER c PRECISIONS -1,+7,-60 => OK
         LB.COUNTER.INCR c BY 2 AT 62000 => 7
         LB.COUNTER.GET c 7 => [[56000 2]]
         LB.COUNTER.GET c 10 => [[60000 2]]
         LB.COUNTER.GET c 60 => ERR precision 60 is not kept by this counter",
    );
}

#[test]
fn info_tells_the_altered_rules() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        "LB.COUNTER.CREATE c PRECISIONS 10,60 SAMPLES 5 CLOCK EVENT DEDUP 60
         LB.COUNTER.INCR c BY 5 ID one AT 61000
         lb.counter.alter c dedup 90 samples 7 precisions -10,+3600,+1 => OK",
    );
    let info = say(&mut con, "LB.COUNTER.INFO c");
    let expected = r#"["precisions" "1,60,3600" "clock" "EVENT" "samples" 7 "dedup" 90 "total" 5 "requests" 1 "now" 61000 "#;
    assert!(info.starts_with(expected), "{info}");
}

#[test]
fn all_sixteen_precisions_can_give_way_to_as_many_others() {
    let list =
        |sign: &str, from: u32| (from..from + 16).map(|s| format!("{sign}{s}")).collect::<Vec<_>>().join(",");
    let (first, drop, add) = (list("", 1), list("-", 1), list("+", 21));
    plays(&format!(
        "LB.COUNTER.CREATE c PRECISIONS {first} CLOCK EVENT => OK
         LB.COUNTER.INCR c AT 5
         LB.COUNTER.ALTER c PRECISIONS {drop},{add} => OK
         LB.COUNTER.GET c 21 => []
         LB.COUNTER.ALTER c PRECISIONS {},{} => OK
         LB.COUNTER.GET c 16 => []",
        list("+", 1),
        list("-", 21)
    ));
}

#[test]
fn ids_outlive_a_change_of_rules() {
    plays(
        "LB.COUNTER.CREATE c PRECISIONS 10 CLOCK EVENT
         LB.COUNTER.INCR c BY 5 ID one AT 1000 => 5
         LB.COUNTER.ALTER c PRECISIONS -10,+20 SAMPLES 3 DEDUP 900 => OK
         LB.COUNTER.INCR c BY 5 ID one AT 1000 => 5
         LB.COUNTER.INCR c BY 6 ID one AT 1000 => IDREUSED request id was used for a different write",
    );
}

const DAY: u64 = 86_400_000;

/// Starts a server with a counter of three days that has had no write for ten days.
fn idle(flavor: Flavor) -> (Server, u64) {
    let now = super::wall(&mut Server::start(flavor).connection());
    let old = now - 10 * DAY;
    let server = stopped_since(
        flavor,
        &format!(
            "LB.COUNTER.CREATE c PRECISIONS 86400,864000 SAMPLES 3
             LB.COUNTER.INCR c BY 5 AT {old}"
        ),
    );
    (server, old)
}

#[test]
fn what_was_gone_when_it_was_altered_stays_gone() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let (server, old) = idle(flavor);
        let replica = Server::start(flavor);
        replica.replica_of(&server);
        wait_for_sync(&server, &replica);
        let mut con = server.connection();
        let kept = format!("[[{} 5]]", old / (10 * DAY) * (10 * DAY));
        play(
            &mut con,
            &format!(
                "LB.COUNTER.GET c 86400 => []
                 LB.COUNTER.ALTER c SAMPLES 100 => OK
                 LB.COUNTER.GET c 86400 => []
                 LB.COUNTER.GET c 864000 => {kept}
                 LB.COUNTER.INCR c BY 2 AT {old} => 7
                 LB.COUNTER.GET c 86400 => [[{} 2]]",
                old / DAY * DAY
            ),
        );
        wait_for_sync(&server, &replica);
        assert_eq!(digest(&mut replica.connection(), "c"), digest(&mut con, "c"), "{flavor:?}");
        play(&mut con, "DEBUG RELOAD");
        assert_eq!(digest(&mut replica.connection(), "c"), digest(&mut con, "c"), "{flavor:?}");
    }
}
