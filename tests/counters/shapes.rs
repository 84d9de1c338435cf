//! Tests of keys of other types, which commands refuse in both directions, and of replies that are the same in both
//! protocols.

use leaderboard_testkit::session::play;
use leaderboard_testkit::{Flavor, Server};

const SETUP: &str = "LB.COUNTER.CREATE counter PRECISIONS 1,60 CLOCK EVENT
    LB.COUNTER.INCR counter BY 5 ID one AT 61000
    SET text value
    LB.ADD board 5 ann
    LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day
    ZADD zset 1 ann
    RPUSH list a
    HSET hash a 1";

const WRONG: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";

#[test]
fn keys_of_other_types_are_refused() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        for key in ["text", "board", "league", "zset", "list", "hash"] {
            for line in [
                "CREATE KEY",
                "CREATE KEY PRECISIONS 1 SAMPLES 5",
                "INCR KEY",
                "INCR KEY BY 0",
                "INCR KEY ID one AT 5",
                "GET KEY 60",
                "GET KEY 7 FROM 5 TO 4",
                "MGET 60 KEYS 1 KEY",
                "MGET 60 KEYS 3 counter absent KEY",
                "MGET 60 FROM 5 FILL KEYS 2 KEY counter",
                "ALTER KEY SAMPLES 5",
                "ALTER KEY PRECISIONS +7",
                "INFO KEY",
                "RESTORE KEY x",
            ] {
                // The word KEY after the last KEYS is replaced by the key.
                let line = match line.rsplit_once("KEYS") {
                    Some((head, list)) => format!("{head}KEYS{}", list.replace("KEY", key)),
                    None => line.replace("KEY", key),
                };
                play(&mut con, &format!("LB.COUNTER.{line} => {WRONG}"));
            }
        }
        play(&mut con, "GET text => \"value\"\nLB.SCORE board ann => 5\nZSCORE zset ann => \"1\"");
    }
}

#[test]
fn a_counter_is_refused_by_commands_of_other_types() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, SETUP);
        for line in [
            "LB.CREATE counter",
            "LB.ADD counter 5 ann",
            "LB.MADD counter 5 ann",
            "LB.ROLLADD counter 5 ann",
            "LB.SET counter 5 ann",
            "LB.VOTE counter 5 ann",
            "LB.MVOTE counter 5 ann",
            "LB.OPTION counter ann",
            "LB.OPTIONS counter 0",
            "LB.QUOTA counter",
            "LB.VOTERS counter",
            "LB.REM counter ann",
            "LB.SETMETA counter ann x",
            "LB.GETMETA counter ann",
            "LB.ALTER counter DEDUP 5",
            "LB.TOP counter 5",
            "LB.RANK counter ann",
            "LB.STANDING counter ann",
            "LB.COUNT counter",
            "LB.PERIODS counter all",
            "LB.INFO counter",
            "LB.RESTORE counter x",
            "LB.LEAGUE.CREATE counter TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
            "LB.LEAGUE.JOIN counter ann",
            "LB.LEAGUE.ADD counter 5 ann",
            "LB.LEAGUE.REM counter ann",
            "LB.LEAGUE.TIER counter ann a",
            "LB.LEAGUE.SETMETA counter ann x",
            "LB.LEAGUE.TOP counter ann",
            "LB.LEAGUE.GROUP counter a 1",
            "LB.LEAGUE.STANDING counter ann",
            "LB.LEAGUE.INFO counter",
            "LB.LEAGUE.ALTER counter GROUP 5",
            "LB.LEAGUE.RESTORE counter x",
            "GET counter",
            "INCR counter",
            "ZADD counter 1 ann",
            "HGETALL counter",
        ] {
            play(&mut con, &format!("{line} => {WRONG}"));
        }
        play(&mut con, "LB.COUNTER.GET counter 1 => [[61000 5]]\nLB.COUNTER.INCR counter AT 61000 => 6");
    }
}

#[test]
fn replies_are_the_same_in_both_protocols_on_every_server() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        for mut con in [server.connection(), server.connection_resp3()] {
            play(
                &mut con,
                "LB.COUNTER.CREATE c PRECISIONS 1,60 SAMPLES 5 CLOCK EVENT DEDUP 60 => OK
                 LB.COUNTER.INCR c BY -5 ID one AT 61000 => -5
                 LB.COUNTER.INCR c BY -5 ID one AT 61000 => -5
                 LB.COUNTER.INCR c BY 7 AT 63000 => 2
                 LB.COUNTER.GET c 1 => [[61000 -5] [63000 7]]
                 LB.COUNTER.GET c 1 FILL => [[61000 -5] [62000 0] [63000 7]]
                 LB.COUNTER.GET c 60 FROM 0 TO 59999 => []
                 LB.COUNTER.MGET 1 FROM 62000 FILL KEYS 2 c absent => [[[62000 0] [63000 7]] []]
                 LB.COUNTER.ALTER c PRECISIONS -60 SAMPLES 6 DEDUP 0 => OK
                 LB.COUNTER.INFO absent => nil
                 DEL c => 1",
            );
        }
    }
}
