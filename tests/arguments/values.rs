//! Tests of values that are not valid, and of boards that refuse valid values.

use super::Guarded;

/// Words that are not numbers. `inf` is not in this list, because it is allowed as a bound.
const NO_NUMBERS: [&str; 16] = [
    "1e5", "0x10", "\\x201", "1\\x20", "1.", ".5", ".", "-", "--1", "+1", "1,5", "1_0", "nan", "<0>",
    "1\\x00", "\\xff",
];

/// Commands with a blank `_` for a value, and the name of this value in errors.
const POINTS: [(&str, &str); 7] = [
    ("LB.ADD KEY _ member", "points"),
    ("LB.MADD KEY _ member", "points"),
    ("LB.MADD KEY ID request 1 one _ two", "points"),
    ("LB.SET KEY _ member", "score"),
    ("LB.SET KEY _ member NX AT 5", "score"),
    ("LB.MSET KEY _ member", "score"),
    ("LB.MSET KEY ID request AT 5 1 one _ two", "score"),
];
const BOUNDS: [(&str, &str); 5] = [
    ("LB.RANGEBYSCORE KEY _ 5", "min"),
    ("LB.RANGEBYSCORE KEY (5 _ COUNT 1", "max"),
    ("LB.RANGEBYSCORE KEY 1 (_", "max"),
    ("LB.COUNT KEY _ 5", "min"),
    ("LB.COUNT KEY 1 _ VIEW all", "max"),
];
const INTEGERS: [(&str, &str); 13] = [
    ("LB.TOP KEY _", "count"),
    ("LB.TOP KEY 5 OFFSET _", "OFFSET"),
    ("LB.RANGE KEY _ 5", "first"),
    ("LB.RANGE KEY 1 _", "last"),
    ("LB.RANGEBYSCORE KEY 1 5 OFFSET _", "OFFSET"),
    ("LB.RANGEBYSCORE KEY 1 5 COUNT _", "COUNT"),
    ("LB.AROUND KEY member _", "count"),
    ("LB.CREATE KEY DECIMALS _", "DECIMALS"),
    ("LB.CREATE KEY DEDUP _", "DEDUP"),
    ("LB.ALTER KEY DEDUP _", "DEDUP"),
    ("LB.ADD KEY 5 member AT _", "AT"),
    ("LB.MADD KEY AT _ 5 member", "AT"),
    ("LB.SET KEY 5 member AT _", "AT"),
];
const MEMBERS: [&str; 27] = [
    "LB.ADD KEY 5 _",
    "LB.ADD KEY 5 _ ID request",
    "LB.MADD KEY 5 _",
    "LB.MADD KEY 5 one 6 _ 7 three",
    "LB.SET KEY 5 _",
    "LB.REM KEY _",
    "LB.REM KEY ann _",
    "LB.SETMETA KEY _ text",
    "LB.GETMETA KEY _",
    "LB.AROUND KEY _ 5",
    "LB.RANK KEY _",
    "LB.SCORE KEY _",
    "LB.MSCORE KEY MEMBERS 1 _",
    "LB.MSCORE KEY MEMBERS 2 ann _",
    "LB.STANDING KEY _",
    "LB.MSTANDING KEY MEMBERS 1 _",
    "LB.MSTANDING KEY VIEW all MEMBERS 2 ann _ RANKS DENSE",
    "LB.MSET KEY 5 _",
    "LB.MSET KEY 5 one 6 _ 7 three",
    "LB.HIDE KEY _",
    "LB.HIDE KEY ann _ bob",
    "LB.UNHIDE KEY ann _",
    "LB.AMONG KEY MEMBERS 2 _ ann",
    "LB.AMONG KEY RANKS DENSE MEMBERS 1 _ VIEW all",
    "LB.MGETMETA KEY MEMBERS 2 ann _",
    "LB.AROUND KEY _ ABOVE 1 BELOW 1 FILL",
    "LB.ADD KEY 5 _ META text",
];
const IDS: [&str; 6] = [
    "LB.ADD KEY 5 member ID _",
    "LB.MADD KEY ID _ 5 member",
    "LB.SET KEY 5 member ID _",
    "LB.SET KEY 5 member AT 5 XX ID _ WITHCHANGE",
    "LB.MSET KEY ID _ 5 member",
    "LB.ADD KEY 5 member META text ID _",
];

/// Returns a line for each value in each blank.
fn lines(blanks: &[(&str, &str)], values: &[&str], error: &str) -> String {
    let mut lines = String::new();
    for (command, name) in blanks {
        for value in values {
            lines += &format!("{} => {name} {error}\n", command.replace('_', value));
        }
    }
    lines
}

fn named<'a>(commands: &[&'a str], name: &'a str) -> Vec<(&'a str, &'a str)> {
    commands.iter().map(|command| (*command, name)).collect()
}

#[test]
fn what_is_no_number_is_refused_by_name() {
    let mut guarded = Guarded::start();
    let error = "is not a decimal number";
    guarded.refuses(&lines(&POINTS, &NO_NUMBERS, error));
    guarded.refuses(&lines(&POINTS, &["inf", "-inf", "+inf", "(1"], error));
    guarded.refuses(&lines(&BOUNDS, &NO_NUMBERS, error));
    guarded.refuses(&lines(&BOUNDS[2..3], &["inf", "(1", "-inf"], error));
    guarded.refuses(&lines(&INTEGERS, &NO_NUMBERS, "is not a whole number"));
    guarded.refuses(&lines(&INTEGERS, &["1.5", "inf", "ten"], "is not a whole number"));
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let mut guarded = Guarded::start();
    let beyond = ["9223372036854775808", "-9223372036854775808", "99999999999999999999999"];
    for blanks in [&POINTS[..], &INTEGERS] {
        guarded.refuses(&lines(blanks, &beyond, "is out of range"));
    }
    let counts: Vec<_> = INTEGERS.into_iter().filter(|(_, name)| !["first", "last"].contains(name)).collect();
    guarded.refuses(&lines(&counts, &["-1", "-9223372036854775807"], "is out of range"));
    guarded.refuses(&lines(&INTEGERS[7..8], &["10", "256", "4294967296"], "is out of range"));
    guarded.refuses(&lines(&INTEGERS[8..10], &["315360001", "4294967296"], "is out of range"));
    guarded.refuses(&lines(&INTEGERS[10..], &["253402300800000"], "is out of range"));
    guarded.refuses(&lines(
        &INTEGERS[10..],
        &["253402300799999"],
        "is too far in the future (max-future-ms)",
    ));
}

#[test]
fn there_is_no_rank_zero() {
    let error = "must be a rank: 1 is the top, negative ranks count from the end";
    Guarded::start().refuses(&lines(&INTEGERS[2..4], &["0", "-0"], error));
}

#[test]
fn texts_have_a_least_and_a_greatest_length() {
    let mut guarded = Guarded::start();
    guarded.refuses(&lines(&named(&MEMBERS, "member"), &["<0>", "<513>"], "must have 1 to 512 bytes"));
    guarded.refuses(&lines(&named(&IDS, "ID"), &["<0>", "<257>"], "must have 1 to 256 bytes"));
    guarded.refuses("LB.SETMETA KEY ann <4097> => meta must have at most 4096 bytes");
}

#[test]
fn a_board_keeps_the_digits_that_it_was_made_for() {
    let mut guarded = Guarded::start();
    guarded.refuses(&lines(&POINTS, &["1.5", "-0.5", "1.01"], "must be a whole number (DECIMALS 0)"));
    let kept = "has more digits than are kept (DECIMALS 2)";
    guarded.refuses(&lines(&POINTS, &["1.125", "1.0010", "0.001"], kept).replace("KEY", "cents"));
    let scaled = ["92233720368547758.08", "92233720368547759", "-92233720368547758.08"];
    guarded.refuses(&lines(&POINTS, &scaled, "is out of range").replace("KEY", "cents"));
}

#[test]
fn an_error_about_digits_tells_how_many_this_board_keeps() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "LB.ADD KEY 1.0123456789 member => points must be a whole number (DECIMALS 0)
         LB.ADD cents 1.0123456789 member => points has more digits than are kept (DECIMALS 2)",
    );
}

#[test]
fn a_sum_out_of_range_is_refused_for_all_members() {
    Guarded::start().refuses(
        "LB.ADD full 1 ann => the score would be out of range
         LB.ADD full 9223372036854775807 ann ID other WITHCHANGE => the score would be out of range
         LB.ADD worst -1 ann => the score would be out of range
         LB.MADD full 5 bob 1 ann => the score would be out of range
         LB.MADD full ID other 5 bob -1 ann 2 ann => the score would be out of range
         LB.MADD full 9223372036854775807 bob 1 bob => the score would be out of range
         LB.MADD worst -9223372036854775807 bob -1 bob => the score would be out of range
         LB.MADD KEY 9223372036854775807 bob 1 bob => the score would be out of range",
    );
}

#[test]
fn the_last_pair_of_a_list_may_not_spoil_the_first() {
    Guarded::start().refuses(
        "LB.MADD KEY 1 one 2 two x three => points is not a decimal number
         LB.MADD KEY 1 one 2 two 3 <513> => member must have 1 to 512 bytes
         LB.MADD KEY 1 one 2 two 3.5 three => points must be a whole number (DECIMALS 0)
         LB.MADD KEY 1 one 2 two 3 => the list of points and members is incomplete
         LB.MSET KEY 1 one 2 two x three => score is not a decimal number
         LB.MSET KEY 1 one 2 two 3 <513> => member must have 1 to 512 bytes
         LB.MSET KEY 1 one 2 two 3 => the list of scores and members is incomplete
         LB.MADD KEY ID request AT 5 1 => the list of points and members is incomplete
         LB.MADD KEY ID request AT 5 => the list of points and members is incomplete
         LB.MSCORE KEY VIEW all => MEMBERS is needed
         LB.MSCORE KEY MEMBERS 3 ann bob => the list of members is incomplete
         LB.MSTANDING KEY VIEW all MEMBERS 1 => the list of members is incomplete",
    );
}

#[test]
fn a_board_that_exists_is_not_made_anew_and_one_that_does_not_is_not_altered() {
    Guarded::start().refuses(
        "LB.CREATE board => BOARDEXISTS the board exists already
         LB.CREATE board ORDER ASC DEDUP 5 => BOARDEXISTS the board exists already
         LB.CREATE cents DECIMALS 2 => BOARDEXISTS the board exists already
         LB.ALTER absent DEDUP 5 => NOBOARD the board does not exist",
    );
}

#[test]
fn an_event_board_needs_a_time_with_every_write() {
    Guarded::start().refuses(
        "LB.ADD event 5 ann => AT is needed with CLOCK EVENT
         LB.ADD event 5 ann ID other => AT is needed with CLOCK EVENT
         LB.MADD event 5 ann => AT is needed with CLOCK EVENT
         LB.SET event 5 ann => AT is needed with CLOCK EVENT
         LB.MSET event 5 ann 6 bob => AT is needed with CLOCK EVENT
         LB.ADD event 5 ann AT -1 => AT is out of range
         LB.ADD event 5 ann NOW 5 => unknown option 'NOW'",
    );
}

#[test]
fn a_request_id_is_not_for_two_writes() {
    Guarded::start().refuses(
        "LB.ADD asked 6 ann ID request => IDREUSED request id was used for a different write
         LB.ADD asked 5 bob ID request => IDREUSED request id was used for a different write
         LB.SET asked 5 ann ID request => IDREUSED request id was used for a different write
         LB.MSET asked ID request 5 ann => IDREUSED request id was used for a different write
         LB.MADD asked ID request 5 ann => IDREUSED request id was used for a different write
         LB.MADD asked ID request 5 ann 1 bob => IDREUSED request id was used for a different write",
    );
}
