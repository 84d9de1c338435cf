//! Tests of `LB.STATS`, `LB.QUANTILE` and `LB.HISTOGRAM`: with fixed results, and with random boards compared with
//! simple sums and counts.

mod random;
mod refused;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server};

const FIVE: &str = "LB.MADD board AT 1 50 ann 40 bob 40 cat 30 dan 20 eve";

/// Runs a session that gives the same replies in both protocols.
#[track_caller]
fn plays(session: &str) {
    let server = Server::start(Flavor::Redis70);
    for mut con in [server.connection(), server.connection_resp3()] {
        play(&mut con, session);
        play(&mut con, "FLUSHALL");
    }
}

/// Returns the map of LB.STATS with these values, as a map or as a flat array.
fn stats(values: [&str; 6], flat: bool) -> String {
    let names = ["members", "sum", "mean", "min", "max", "median"];
    let (open, between, close) = if flat { ("[", " ", "]") } else { ("{", ": ", "}") };
    let fields = names.iter().zip(values).map(|(name, value)| format!("\"{name}\"{between}{value}"));
    format!("{open}{}{close}", fields.collect::<Vec<_>>().join(if flat { " " } else { ", " }))
}

/// Checks the reply of LB.STATS for a board that this session makes.
#[track_caller]
fn tells(session: &str, values: [&str; 6]) {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, session);
    assert_eq!(say(&mut con, "LB.STATS board"), stats(values, true), "{session}");
}

#[test]
fn statistics_are_a_map_where_there_are_any() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        play(&mut con, FIVE);
        play(&mut con, "LB.CREATE empty\nLB.CREATE cents DECIMALS 2\nLB.MADD cents AT 1 0.5 ann -1.25 bob");
        let maps = flavor != Flavor::Redis62;
        for (mut con, flat) in [(server.connection(), true), (server.connection_resp3(), !maps)] {
            for (key, values) in [
                ("board", ["5", "180", "\"36.000000\"", "20", "50", "40"]),
                ("cents", ["2", "\"-0.75\"", "\"-0.375000\"", "\"-1.25\"", "\"0.5\"", "\"-1.25\""]),
                ("empty", ["0", "0", "nil", "nil", "nil", "nil"]),
            ] {
                assert_eq!(say(&mut con, &format!("LB.STATS {key}")), stats(values, flat), "{flavor:?}");
            }
            play(
                &mut con,
                "LB.STATS absent => nil
                 LB.QUANTILE board 0.5 => [40]
                 LB.QUANTILE cents 0 1 => [\"-1.25\" \"0.5\"]
                 LB.HISTOGRAM board 20 50 2 => [[20 35 2] [35 50 3]]
                 LB.HISTOGRAM cents -2 1 2 => [[\"-2\" \"-0.5\" 1] [\"-0.5\" \"1\" 1]]",
            );
        }
    }
}

#[test]
fn the_least_and_the_greatest_are_so_whatever_the_order() {
    tells(
        "LB.CREATE board ORDER ASC\nLB.MADD board 3 ann 1 bob 2 cat",
        ["3", "6", "\"2.000000\"", "1", "3", "2"],
    );
    plays(
        "LB.CREATE board ORDER ASC
         LB.MADD board 3 ann 1 bob 2 cat
         LB.QUANTILE board 0 0.333333333 0.333333334 0.666666666 0.666666667 1 => [1 1 2 2 3 3]
         LB.HISTOGRAM board 1 3 2 => [[1 2 1] [2 3 2]]",
    );
}

#[test]
fn a_mean_is_rounded_to_the_nearest_and_halves_away_from_zero() {
    let zeros = |count: usize| (1..count).map(|n| format!(" 0 m{n}")).collect::<String>();
    for (board, mean) in [
        ("LB.MADD board 1 a 1 b 2 c".to_owned(), "1.333333"),
        ("LB.MADD board 1 a 1 b 3 c".to_owned(), "1.666667"),
        ("LB.MADD board -1 a -1 b -3 c".to_owned(), "-1.666667"),
        (format!("LB.MADD board 1 m0{}", zeros(128)), "0.007813"),
        (format!("LB.MADD board -1 m0{}", zeros(128)), "-0.007813"),
        ("LB.CREATE board DECIMALS 9\nLB.ADD board 0.0000005 a".to_owned(), "0.000001"),
        ("LB.CREATE board DECIMALS 9\nLB.ADD board -0.0000005 a".to_owned(), "-0.000001"),
        ("LB.CREATE board DECIMALS 9\nLB.ADD board 0.000000499 a".to_owned(), "0.000000"),
        ("LB.CREATE board DECIMALS 9\nLB.ADD board -0.000000499 a".to_owned(), "0.000000"),
        ("LB.MADD board 5 a -5 b".to_owned(), "0.000000"),
    ] {
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        play(&mut con, &board);
        let told = say(&mut con, "LB.STATS board");
        assert!(told.contains(&format!("\"mean\" \"{mean}\"")), "{board}: {told}");
    }
}

#[test]
fn a_sum_is_exact_however_large() {
    tells(
        "LB.MADD board 9223372036854775807 a 9223372036854775807 b 9223372036854775807 c",
        [
            "3",
            "\"27670116110564327421\"",
            "\"9223372036854775807.000000\"",
            "9223372036854775807",
            "9223372036854775807",
            "9223372036854775807",
        ],
    );
    tells(
        "LB.MADD board -9223372036854775807 a -9223372036854775807 b 9223372036854775807 c 1 d",
        [
            "4",
            "-9223372036854775806",
            "\"-2305843009213693951.500000\"",
            "-9223372036854775807",
            "9223372036854775807",
            "-9223372036854775807",
        ],
    );
    tells(
        "LB.CREATE board DECIMALS 2\nLB.MADD board 92233720368547758.07 a 92233720368547758.07 b",
        [
            "2",
            "\"184467440737095516.14\"",
            "\"92233720368547758.070000\"",
            "\"92233720368547758.07\"",
            "\"92233720368547758.07\"",
            "\"92233720368547758.07\"",
        ],
    );
    tells(
        "LB.MADD board 9223372036854775807 a 1 b",
        ["2", "\"9223372036854775808\"", "\"4611686018427387904.000000\"", "1", "9223372036854775807", "1"],
    );
}

#[test]
fn a_quantile_is_the_least_score_with_at_least_that_share_at_or_below() {
    plays(&format!(
        "{FIVE}
         LB.QUANTILE board 0 => [20]
         LB.QUANTILE board 0.2 0.200000001 0.4 0.400000001 => [20 30 30 40]
         LB.QUANTILE board 0.5 0.8 0.800000001 1 => [40 40 50 50]
         LB.QUANTILE board 1 0 1.0 0.0 0.5 0.5 VIEW all => [50 20 50 20 40 40]
         LB.QUANTILE absent 0 0.5 1 => [nil nil nil]
         LB.CREATE empty
         LB.QUANTILE empty 0 1 => [nil nil]
         EXISTS absent => 0"
    ));
}

#[test]
fn edges_of_a_histogram_are_whole_units() {
    plays(&format!(
        r#"{FIVE}
           LB.HISTOGRAM board 20 50 3 => [[20 30 1] [30 40 1] [40 50 3]]
           LB.HISTOGRAM board 0 100 1 => [[0 100 5]]
           LB.HISTOGRAM board 0 19 2 => [[0 10 0] [10 19 0]]
           LB.HISTOGRAM board 19 21 2 => [[19 20 0] [20 21 1]]
           LB.HISTOGRAM board 20 40 2 => [[20 30 1] [30 40 3]]
           LB.HISTOGRAM board (20 (50 2 => [[21 35 1] [35 49 2]]
           LB.HISTOGRAM board 30 40 3 => [[30 34 1] [34 37 0] [37 40 2]]
           LB.HISTOGRAM board 40 40 1 => [[40 40 2]]
           LB.HISTOGRAM board 40 40 3 => [[40 40 0] [40 40 0] [40 40 2]]
           LB.HISTOGRAM board 40 42 5 => [[40 41 2] [41 41 0] [41 42 0] [42 42 0] [42 42 0]]
           LB.HISTOGRAM board -inf +inf 2 => [[-9223372036854775807 0 0] [0 9223372036854775807 5]]
           LB.HISTOGRAM board (-inf (+inf 1 => ERR min is not a decimal number
           LB.HISTOGRAM board 40 +inf 1 VIEW all => [[40 9223372036854775807 3]]
           LB.HISTOGRAM absent 0 10 2 => []
           LB.CREATE empty DECIMALS 1
           LB.HISTOGRAM empty 0 1 4 => [["0" "0.3" 0] ["0.3" "0.5" 0] ["0.5" "0.8" 0] ["0.8" "1" 0]]
           EXISTS absent => 0"#
    ));
}

#[test]
fn the_greatest_score_counts_in_the_last_bucket() {
    plays(
        "LB.MADD board 9223372036854775807 ann -9223372036854775807 bob 0 cat
         LB.HISTOGRAM board -inf +inf 2 => [[-9223372036854775807 0 1] [0 9223372036854775807 2]]
         LB.HISTOGRAM board 9223372036854775807 +inf 1 => [[9223372036854775807 9223372036854775807 1]]
         LB.QUANTILE board 0 0.5 1 => [-9223372036854775807 0 9223372036854775807]",
    );
}

#[test]
fn ended_periods_and_real_votes_have_statistics_too() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(
        &mut con,
        r#"LB.CREATE board VIEWS all,10s,10s:2 CLOCK EVENT RETAIN 3
           LB.MADD board AT 5000 9 ann 8 bob 7 cat
           LB.MADD board AT 15000 3 ann 5 bob
           LB.STATS board => ["members" 3 "sum" 32 "mean" "10.666667" "min" 7 "max" 13 "median" 12]
           LB.STATS board VIEW 10s => ["members" 2 "sum" 8 "mean" "4.000000" "min" 3 "max" 5 "median" 3]
           LB.STATS board VIEW 10s PERIOD -1 RANKS DENSE REV => ["members" 3 "sum" 24 "mean" "8.000000" "min" 7 "max" 9 "median" 8]
           LB.STATS board AT 5000 VIEW 10s => ["members" 3 "sum" 24 "mean" "8.000000" "min" 7 "max" 9 "median" 8]
           LB.STATS board VIEW 10s PERIOD -2 => ["members" 0 "sum" 0 "mean" nil "min" nil "max" nil "median" nil]
           LB.STATS board VIEW 10s:2 => ["members" 3 "sum" 32 "mean" "10.666667" "min" 7 "max" 13 "median" 12]
           LB.QUANTILE board 0.5 VIEW 10s PERIOD -1 => [8]
           LB.QUANTILE board 0.5 0 VIEW 10s PERIOD -2 => [nil nil]
           LB.HISTOGRAM board 7 9 2 VIEW 10s PERIOD -1 => [[7 8 1] [8 9 2]]
           LB.HISTOGRAM board 7 9 2 VIEW 10s PERIOD -2 => [[7 8 0] [8 9 0]]
           LB.CREATE poll SHOWN
           LB.OPTION poll ann WEIGHT 3 INITIAL 4
           LB.VOTE poll 2 ann
           LB.VOTE poll 1 bob
           LB.STATS poll => ["members" 2 "sum" 11 "mean" "5.500000" "min" 1 "max" 10 "median" 1]
           LB.STATS poll REAL => ["members" 2 "sum" 3 "mean" "1.500000" "min" 1 "max" 2 "median" 1]
           LB.QUANTILE poll 1 REAL => [2]
           LB.HISTOGRAM poll 1 2 1 REAL => [[1 2 2]]"#,
    );
}

#[test]
fn a_histogram_runs_over_the_scores_that_its_bounds_let_in() {
    plays(
        "LB.MADD board AT 1 0 ann 5 bob 7 cat 10 dan 20 eve
         LB.HISTOGRAM board (0 (10 2 => [[1 5 0] [5 9 2]]
         LB.HISTOGRAM board 0.5 10.5 2 => [[1 6 1] [6 10 2]]
         LB.HISTOGRAM board -inf +inf 2 => [[-9223372036854775807 0 0] [0 9223372036854775807 5]]
         LB.HISTOGRAM board 5 5 3 => [[5 5 0] [5 5 0] [5 5 1]]
         LB.HISTOGRAM board 0 1 3 => [[0 1 1] [1 1 0] [1 1 0]]
         LB.HISTOGRAM board (0 (1 2 => ERR max must not be less than min",
    );
}
