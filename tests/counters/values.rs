//! Numbers and lists that are none: each is named, and nothing has changed.

use super::errors::Guarded;

/// What is no whole number.
const NO_NUMBERS: [&str; 14] =
    ["1e5", "0x10", "\\x201", "1\\x20", "1.5", ".", "-", "--1", "+1", "1,5", "nan", "<0>", "1\\x00", "\\xff"];
const BEYOND: [&str; 3] = ["9223372036854775808", "-9223372036854775808", "99999999999999999999999"];

/// Commands with a blank, how the blank is named, and values out of its range.
const BLANKS: [(&str, &str, &[&str]); 15] = [
    ("INCR event BY _ AT 120000", "BY", &[]),
    ("INCR absent BY _", "BY", &[]),
    ("INCR absent AT _", "AT", &["-1", "253402300800000"]),
    ("INCR event AT _", "AT", &["-1", "253402300800000"]),
    ("GET event 60 FROM _", "FROM", &["-1"]),
    ("GET absent 60 FROM _", "FROM", &["-1"]),
    ("GET event 60 FILL TO _ FROM 5", "TO", &["-1"]),
    ("MGET 60 FROM _ KEYS 1 absent", "FROM", &["-1"]),
    ("MGET 60 FILL TO _ KEYS 1 event", "TO", &["-1"]),
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
            let error = "precision ' & ' must be whole seconds, 1 to 315360000";
            guarded.refuses(&format!("{} ~> {error}", command.replace('_', value)));
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

/// So many precisions, from one on, each with this sign.
fn list(sign: &str, from: u32, count: u32) -> String {
    (from..from + count).map(|second| format!("{sign}{second}")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_counter_has_one_to_sixteen_precisions_each_once() {
    let mut guarded = Guarded::start();
    for value in [
        "<0>",
        ",",
        "1,",
        ",1",
        "1,,5",
        "x",
        "1;5",
        "1.5",
        "0",
        "0,1",
        "1,0",
        "-1",
        "+1",
        "1,+5",
        "01",
        "1,05",
        "1s",
        "315360001",
        "1,315360001",
        "99999999999999999999",
        "1,\\x205",
        "1,5\\x00",
        "1,1",
        "5,1,60,5",
    ] {
        guarded.refuses(&format!("CREATE absent PRECISIONS {value} ~> precision"));
        guarded.refuses(&format!("CREATE absent SAMPLES 5 PRECISIONS {value} CLOCK EVENT ~> precision"));
    }
    for count in [17, 18, 100, 1_000] {
        guarded.refuses(&format!("CREATE absent PRECISIONS {} ~> precisions & 16", list("", 1, count)));
    }
}

#[test]
fn a_change_of_precisions_adds_and_drops_what_it_can() {
    let mut guarded = Guarded::start();
    for value in [
        "7",
        "60",
        "<0>",
        ",",
        "+",
        "-",
        "+7,",
        ",+7",
        "+7,,+8",
        "+x",
        "+7.5",
        "+0",
        "-0",
        "++7",
        "+-7",
        "--5",
        "+07",
        "-05",
        "+315360001",
        "+1",
        "+60",
        "-7",
        "-61",
        "+7,+7",
        "-5,-5",
        "-5,+5",
        "+7,-7",
        "+7,-9",
        "+7,+60",
        "-1,-5,-60",
        "-60,-5,-1",
        "+99999999999999999999",
    ] {
        guarded.refuses(&format!("ALTER event PRECISIONS {value} ~> precision"));
        guarded.refuses(&format!("ALTER event SAMPLES 5 PRECISIONS {value} DEDUP 5 ~> precision"));
    }
    guarded.refuses(&format!(
        "ALTER many PRECISIONS +17 ~> precisions & 16
         ALTER many PRECISIONS -1,+17,+18 ~> precisions & 16
         ALTER many PRECISIONS {} ~> precisions
         ALTER event PRECISIONS {} ~> precisions
         ALTER event PRECISIONS {} ~> precisions",
        list("-", 1, 16),
        list("+", 100, 14),
        list("+", 100, 1_000),
    ));
}
