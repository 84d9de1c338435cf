//! Tests of numbers and lists that are not valid: the error names each of them, and nothing has changed.

use super::errors::Guarded;

/// Words that are not whole numbers.
const NO_NUMBERS: [&str; 14] =
    ["1e5", "0x10", "\\x201", "1\\x20", "1.5", ".", "-", "--1", "+1", "1,5", "nan", "<0>", "1\\x00", "\\xff"];
const BEYOND: [&str; 3] = ["9223372036854775808", "-9223372036854775808", "99999999999999999999999"];

/// The error for a word that is not a valid length of a slice.
const NO_SECONDS: &str = "precision ' & ' must be whole seconds, 1 to 315360000";

/// Commands with a blank `_` for a value, the name of this value in errors, and values outside its range.
const BLANKS: [(&str, &str, &[&str]); 15] = [
    ("INCR event BY _ AT 120000", "BY", &[]),
    ("INCR absent BY _", "BY", &[]),
    ("INCR absent AT _", "AT", &["-1", "253402300800000"]),
    ("INCR event AT _", "AT", &["-1", "253402300800000"]),
    ("GET event 60 FROM _", "FROM", &["-1", "253402300800000"]),
    ("GET absent 60 FROM _", "FROM", &["-1", "253402300800000"]),
    ("GET event 60 FILL TO _ FROM 5", "TO", &["-1", "253402300800000"]),
    ("MGET 60 FROM _ KEYS 1 absent", "FROM", &["-1", "253402300800000"]),
    ("MGET 60 FILL TO _ KEYS 1 event", "TO", &["-1", "253402300800000"]),
    ("CREATE absent SAMPLES _", "SAMPLES", &["0", "-1", "10001", "4294967297"]),
    ("ALTER event SAMPLES _", "SAMPLES", &["0", "-1", "10001", "4294967297"]),
    ("ALTER event PRECISIONS +7 SAMPLES _", "SAMPLES", &["0"]),
    ("CREATE absent DEDUP _", "DEDUP", &["-1", "315360001", "4294967296"]),
    ("ALTER event DEDUP _", "DEDUP", &["-1", "315360001", "4294967296"]),
    ("ALTER event SAMPLES 5 DEDUP _", "DEDUP", &["-1"]),
];

#[test]
fn what_is_no_whole_number_or_out_of_range_is_refused_by_name() {
    let mut guarded = Guarded::start();
    for (command, name, out) in BLANKS {
        for value in NO_NUMBERS {
            guarded.refuses(&format!("{} => {name} is not a whole number", command.replace('_', value)));
        }
        for value in BEYOND.iter().chain(out) {
            guarded.refuses(&format!("{} => {name} is out of range", command.replace('_', value)));
        }
    }
}

#[test]
fn a_precision_is_so_many_seconds() {
    let mut guarded = Guarded::start();
    for command in ["GET event _", "GET absent _ FILL", "MGET _ KEYS 1 event", "MGET _ FILL KEYS 1 absent"] {
        let out = ["0", "315360001", "9223372036854775808", "060", "00", "-60", "+60", "-0"];
        for value in NO_NUMBERS.into_iter().chain(out) {
            guarded.refuses(&format!("{} ~> {NO_SECONDS}", command.replace('_', value)));
        }
    }
}

#[test]
fn texts_have_a_least_and_a_greatest_length() {
    Guarded::start().refuses(
        "INCR event ID <0> AT 120000 => ID must have 1 to 256 bytes
         INCR event ID <257> AT 120000 => ID must have 1 to 256 bytes
         INCR absent ID <257> => ID must have 1 to 256 bytes",
    );
}

/// Returns a list of `count` precisions, beginning with `from`, each with this sign.
fn list(sign: &str, from: u32, count: u32) -> String {
    (from..from + count).map(|second| format!("{sign}{second}")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_counter_has_one_to_sixteen_precisions_each_once() {
    let mut guarded = Guarded::start();
    for (values, error) in [
        ("<0> , 1, ,1 1,,5 x 1;5 1.5 0 0,1 1,0 -1 +1 1,+5 01 1,05 1s 315360001 1,315360001", NO_SECONDS),
        ("99999999999999999999 1,\\x205 1,5\\x00 \\xff", NO_SECONDS),
        ("1,1 60,1,5,1", "precision 1 is named twice"),
    ] {
        for value in values.split(' ') {
            guarded.refuses(&format!(
                "CREATE absent PRECISIONS {value} ~> {error}
                 CREATE absent SAMPLES 5 PRECISIONS {value} CLOCK EVENT ~> {error}"
            ));
        }
    }
    for count in [17, 18, 100, 1_000] {
        let list = list("", 1, count);
        guarded
            .refuses(&format!("CREATE absent PRECISIONS {list} => PRECISIONS names more than 16 precisions"));
    }
}

#[test]
fn a_change_of_precisions_adds_and_drops_what_it_can() {
    let mut guarded = Guarded::start();
    for (values, error) in [
        ("7 60 <0> , ,+7 +7, +7,,+8 x", "PRECISIONS ' & ' must begin with + or -"),
        ("+ - +x +7.5 +0 -0 ++7 +-7 --5 +07 -05 +315360001 +99999999999999999999", NO_SECONDS),
        ("+60 +60,+7 -1,+60", "precision 60 is kept by this counter already"),
        ("+7,+7 +7,-7 -1,+7,-5,-7", "precision 7 is named twice"),
        ("-5,-5 -5,+5", "precision 5 is named twice"),
        ("-7 +9,-7", "precision 7 is not kept by this counter"),
        ("-1,-5,-60 -60,-5,-1", "PRECISIONS leaves the counter without a precision"),
    ] {
        for value in values.split(' ') {
            guarded.refuses(&format!(
                "ALTER event PRECISIONS {value} ~> {error}
                 ALTER event SAMPLES 5 PRECISIONS {value} DEDUP 5 ~> {error}"
            ));
        }
    }
    guarded.refuses(&format!(
        "ALTER many PRECISIONS +17 => PRECISIONS names more than 16 precisions
         ALTER many PRECISIONS -1,+17,+18 => PRECISIONS names more than 16 precisions
         ALTER event PRECISIONS {} => PRECISIONS names more than 16 precisions
         ALTER event PRECISIONS {} ~> PRECISIONS names more than
         ALTER many PRECISIONS {} => PRECISIONS leaves the counter without a precision",
        list("+", 100, 14),
        list("+", 100, 1_000),
        list("-", 1, 16),
    ));
}
