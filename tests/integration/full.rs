//! Tests of the memory limit: at the limit, values can only be read and made smaller.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

struct Case {
    /// Commands that run before the limit.
    made: &'static str,
    /// Commands that are refused at the limit.
    refused: &'static [&'static str],
    /// Commands that are allowed at the limit.
    allowed: &'static str,
    /// A write after the limit is removed.
    again: &'static str,
}

const CASES: [Case; 5] = [
    Case {
        made: "LB.MADD board AT 1 5 ann 6 bob",
        refused: &[
            "LB.ADD board 5 ann",
            "LB.MADD board 5 ann",
            "LB.SET board 5 ann",
            "LB.SETMETA board ann text",
            "LB.CREATE other",
        ],
        allowed: "LB.RANK board ann => 2
                  LB.TOP board 1 => [[1 \"bob\" 6]]
                  LB.REM board bob => 1
                  LB.ALTER board DEDUP 5 => OK",
        again: "LB.ADD board 5 ann => [10 1 1]",
    },
    Case {
        made: "LB.MADD board AT 1 5 ann 6 bob 7 cat 8 dan\nLB.HIDE board ann",
        refused: &["LB.HIDE board bob", "LB.MSET board 5 ann", "LB.ADD board 5 ann META text"],
        allowed: r#"LB.UNHIDE board ann => 1
                    LB.REMRANGE board 1 1 => 1
                    LB.REMRANGEBYSCORE board 7 7 => 1
                    LB.ALTER board KEEP 1 => OK
                    LB.TOP board 9 => [[1 "bob" 6]]
                    LB.AMONG board MEMBERS 2 ann bob => [[1 "bob" 6 1]]
                    LB.STATS board => ["members" 1 "sum" 6 "mean" "6.000000" "min" 6 "max" 6 "median" 6]"#,
        again: "LB.HIDE board bob => 1",
    },
    Case {
        made: "LB.CREATE poll LIMIT r voter 5 all\nLB.VOTE poll 2 ann BY v",
        refused: &["LB.VOTE poll 1 ann BY v", "LB.MVOTE poll BY v 1 ann", "LB.OPTION poll bob"],
        allowed: r#"LB.QUOTA poll BY v => [["r" 2 5 -1]]
                    LB.VOTERS poll => 1
                    LB.OPTIONS poll 0 => ["0" []]
                    LB.ALTER poll UNLIMIT r => OK"#,
        again: "LB.VOTE poll 1 ann BY v => [1 [[3 1 1]]]",
    },
    Case {
        made: "LB.LEAGUE.CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
               LB.LEAGUE.ADD league 5 ann
               LB.LEAGUE.ADD league 6 bob",
        refused: &[
            "LB.LEAGUE.CREATE other TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
            "LB.LEAGUE.JOIN league cat",
            "LB.LEAGUE.ADD league 5 ann",
            "LB.LEAGUE.TIER league ann a",
            "LB.LEAGUE.SETMETA league ann x",
            "LB.LEAGUE.RESTORE other x",
        ],
        allowed: r#"LB.LEAGUE.TOP league ann => [[1 "bob" 6 nil] [2 "ann" 5 nil]]
                    LB.LEAGUE.REM league bob => 1
                    LB.LEAGUE.ALTER league GROUP 5 => OK"#,
        again: "LB.LEAGUE.ADD league 5 ann => [10 1 1]",
    },
    Case {
        made: "LB.COUNTER.CREATE c PRECISIONS 1,60 CLOCK EVENT\nLB.COUNTER.INCR c BY 5 AT 61000",
        refused: &[
            "LB.COUNTER.CREATE other",
            "LB.COUNTER.INCR c AT 61000",
            "LB.COUNTER.INCR other",
            "LB.COUNTER.RESTORE other x",
        ],
        allowed: "LB.COUNTER.GET c 60 => [[60000 5]]
                  LB.COUNTER.MGET 60 KEYS 1 c => [[[60000 5]]]
                  LB.COUNTER.ALTER c SAMPLES 5 PRECISIONS -1 => OK",
        again: "LB.COUNTER.INCR c AT 61000 => 6",
    },
];

#[test]
fn at_the_limit_of_memory_values_can_be_read_and_made_smaller() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        for case in &CASES {
            play(&mut con, &format!("FLUSHALL\n{}\nCONFIG SET maxmemory 1", case.made));
            for line in case.refused {
                assert!(say(&mut con, line).starts_with("OOM "), "{flavor:?}: {line}");
            }
            play(&mut con, &format!("{}\nCONFIG SET maxmemory 0\n{}", case.allowed, case.again));
        }
    }
}
