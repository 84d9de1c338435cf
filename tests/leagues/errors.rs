//! Tests of refused commands: the error names what is wrong, and the command has changed nothing.

use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, info, query};
use redis::Connection;

const LEAGUES: [&str; 4] = ["event", "live", "cents", "full"];

/// Leagues of several kinds. Observes everything that a command could change.
struct Guarded {
    con: Connection,
    stream: ReplicationStream,
    _server: Server,
}

impl Guarded {
    fn start() -> Guarded {
        Guarded::of(Flavor::Redis70)
    }

    fn of(flavor: Flavor) -> Guarded {
        let server = Server::builder(flavor).arg("repl-ping-replica-period", "3600").start();
        let mut con = server.connection();
        play(
            &mut con,
            "SET text value
             LB.ADD board 5 ann
             LB.LEAGUE.CREATE event TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT DEDUP 864000
             LB.LEAGUE.ADD event 5 ann AT 86400000 ID used
             LB.LEAGUE.ADD event 6 ann AT 172800000
             LB.LEAGUE.SETMETA event ann text
             LB.LEAGUE.TIER event bob high
             LB.LEAGUE.CREATE live TIERS low,high PROMOTE 1,0 DEMOTE 0,1 CYCLE year
             LB.LEAGUE.ADD live 5 ann ID used
             LB.LEAGUE.CREATE cents TIERS t PROMOTE 0 DEMOTE 0 CYCLE year DECIMALS 2
             LB.LEAGUE.ADD cents 5.25 ann
             LB.LEAGUE.CREATE full TIERS t PROMOTE 0 DEMOTE 0 CYCLE year
             LB.LEAGUE.ADD full 9223372036854775807 ann
             LB.LEAGUE.ADD full -9223372036854775807 bob",
        );
        let stream = ReplicationStream::of(&server);
        Guarded { con, stream, _server: server }
    }

    /// Runs lines that each contain a command and its error, without the prefix of the command and of the error.
    #[track_caller]
    fn refuses(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, error) = line.split_once(" => ").expect("a command and its error");
            let before = self.state();
            assert_eq!(say(&mut self.con, &format!("LB.LEAGUE.{command}")), coded(error), "{command}");
            assert_eq!(self.state(), before, "{command} has changed something");
        }
        assert!(self.stream.take().is_empty(), "errors were replicated");
    }

    fn state(&mut self) -> (Vec<String>, u64, Vec<String>) {
        let mut digests = vec!["DEBUG", "DIGEST-VALUE"];
        digests.extend(LEAGUES);
        let fields = ["leagues", "league_members", "writes", "repeated_requests", "writes_held_back"];
        let counters =
            fields.map(|field| info(&mut self.con, "leaderboard", &format!("leaderboard_{field}")));
        let server = [
            info(&mut self.con, "persistence", "rdb_changes_since_last_save"),
            info(&mut self.con, "replication", "master_repl_offset"),
        ];
        (query(&mut self.con, &digests), query(&mut self.con, &["DBSIZE"]), [&counters[..], &server].concat())
    }
}

#[test]
fn a_league_needs_its_rules() {
    Guarded::start().refuses(
        "CREATE new => TIERS is needed
         CREATE new TIERS a,b PROMOTE 1,0 DEMOTE 0,1 => CYCLE is needed
         CREATE new TIERS a,b PROMOTE 1,0 CYCLE day => DEMOTE is needed
         CREATE new TIERS a,b DEMOTE 0,1 CYCLE day => PROMOTE is needed
         CREATE new PROMOTE 1,0 DEMOTE 0,1 CYCLE day => TIERS is needed
         CREATE new TIERS => option TIERS needs a value
         CREATE new TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE => option CYCLE needs a value
         CREATE new TIERS a TIERS b PROMOTE 0 DEMOTE 0 CYCLE day => option TIERS is given twice
         CREATE new TIERS a PROMOTE 0 promote 0 DEMOTE 0 CYCLE day => option PROMOTE is given twice
         CREATE new TIERS a PROMOTE 0 DEMOTE 0 CYCLE day GROUP 5 GROUP 5 => option GROUP is given twice
         CREATE new TIERS a PROMOTE 0 DEMOTE 0 CYCLE day VIEWS all => unknown option 'VIEWS'
         CREATE new TIERS a PROMOTE 0 DEMOTE 0 CYCLE day more => unknown option 'more'
         CREATE new TIERS a PROMOTE 0 DEMOTE 0 CYCLE day NOW 5 => unknown option 'NOW'",
    );
}

#[test]
fn an_existing_league_is_not_made_again() {
    let mut guarded = Guarded::start();
    guarded.refuses("CREATE event TIERS a PROMOTE 0 DEMOTE 0 CYCLE day => the key exists already");
}

#[test]
fn tiers_have_names_of_their_own() {
    let mut guarded = Guarded::start();
    let rest = "PROMOTE 0,0,0 DEMOTE 0,0,0 CYCLE day";
    let bad = "is not the name of a tier: 1 to 64 bytes without spaces, control characters and commas";
    guarded.refuses(&format!(
        "CREATE new TIERS a,b,a {rest} => TIERS names 'a' twice
         CREATE new TIERS a,,b {rest} => TIERS '' {bad}
         CREATE new TIERS a,b, {rest} => TIERS '' {bad}
         CREATE new TIERS <0> PROMOTE 0 DEMOTE 0 CYCLE day => TIERS '' {bad}
         CREATE new TIERS a\\x20b,c,d {rest} => TIERS 'a?b' {bad}
         CREATE new TIERS a,b\\x00,c {rest} => TIERS 'b?' {bad}
         CREATE new TIERS a,b,\\x7f {rest} => TIERS '?' {bad}
         CREATE new TIERS <65> PROMOTE 0 DEMOTE 0 CYCLE day => TIERS '{}...' {bad}",
        "m".repeat(24),
    ));
    let (names, zeros): (Vec<_>, Vec<_>) = (0..65).map(|n| (format!("t{n}"), "0")).unzip();
    let (names, zeros) = (names.join(","), zeros.join(","));
    guarded.refuses(&format!(
        "CREATE new TIERS {names} PROMOTE {zeros} DEMOTE {zeros} CYCLE day => TIERS names more than 64 tiers
         CREATE new TIERS a PROMOTE {zeros} DEMOTE 0 CYCLE day => PROMOTE names more than 64 amounts
         ALTER event DEMOTE {zeros} => DEMOTE names more than 64 amounts"
    ));
}

/// Amounts that are not valid, each with its error.
const AMOUNTS: [(&str, &str); 16] = [
    ("1", "must name one amount for each of the 2 tiers"),
    ("0,0,0", "must name one amount for each of the 2 tiers"),
    ("x,0", "is not a whole number"),
    ("<0>", "is not a whole number"),
    ("0,", "is not a whole number"),
    ("1.5,0", "is not a whole number"),
    ("-1,0", "is out of range"),
    ("1000001,0", "is out of range"),
    ("99999999999999999999,0", "is out of range"),
    ("100.01%,0", "is out of range"),
    ("101%,0", "is out of range"),
    ("-1%,0", "is out of range"),
    ("%,0", "is not a decimal number"),
    ("x%,0", "is not a decimal number"),
    ("1.005%,0", "has more than 2 digits after the point"),
    ("1%%,0", "is not a decimal number"),
];

#[test]
fn amounts_are_counts_or_shares_of_each_tier() {
    let mut guarded = Guarded::start();
    for (amounts, error) in AMOUNTS {
        for option in ["PROMOTE", "DEMOTE"] {
            let other = if option == "PROMOTE" { "DEMOTE" } else { "PROMOTE" };
            guarded.refuses(&format!(
                "CREATE new TIERS a,b {option} {amounts} {other} 0,0 CYCLE day => {option} {error}
                 ALTER event {option} {amounts} => {option} {error}"
            ));
        }
    }
    for (amount, other) in [("1", "0"), ("1%", "0%"), ("0.01%", "0")] {
        guarded.refuses(&format!(
            "CREATE new TIERS a,b PROMOTE {other},{amount} DEMOTE 0,0 CYCLE day => PROMOTE must be 0 for the highest tier 'b'
             CREATE new TIERS a,b PROMOTE 0,0 DEMOTE {amount},{other} CYCLE day => DEMOTE must be 0 for the lowest tier 'a'
             CREATE new TIERS a PROMOTE {amount} DEMOTE 0 CYCLE day => PROMOTE must be 0 for the highest tier 'a'
             ALTER event PROMOTE 0,{amount} => PROMOTE must be 0 for the highest tier 'high'
             ALTER event DEMOTE {amount},0 => DEMOTE must be 0 for the lowest tier 'low'"
        ));
    }
}

#[test]
fn numbers_of_the_rules_stay_in_their_ranges() {
    let mut guarded = Guarded::start();
    for (option, value, error) in [
        ("GROUP", "0", "is out of range"),
        ("GROUP", "1000001", "is out of range"),
        ("GROUP", "-1", "is out of range"),
        ("GROUP", "x", "is not a whole number"),
        ("REWARD", "1000001", "is out of range"),
        ("REWARD", "-1", "is out of range"),
        ("REWARD", "1.5", "is not a whole number"),
        ("IDLE", "65", "is out of range"),
        ("IDLE", "4294967296", "is out of range"),
        ("RETAIN", "10001", "is out of range"),
        ("RETAIN", "week=1", "is not a whole number"),
        ("DEDUP", "x", "is not a whole number"),
        ("DEDUP", "315360001", "is out of range"),
        ("JOINUNTIL", "0", "must be more than 0, at most 1"),
        ("JOINUNTIL", "0.0", "must be more than 0, at most 1"),
        ("JOINUNTIL", "1.000000001", "must be more than 0, at most 1"),
        ("JOINUNTIL", "2", "must be more than 0, at most 1"),
        ("JOINUNTIL", "-0.5", "must be more than 0, at most 1"),
        ("JOINUNTIL", "50%", "is not a decimal number"),
        ("JOINUNTIL", "0.0000000001", "has more than 9 digits after the point"),
    ] {
        guarded.refuses(&format!(
            "CREATE new TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE day {option} {value} => {option} {error}
             ALTER event {option} {value} => {option} {error}
             ALTER event GROUP 7 {option} {value} => {}",
            if option == "GROUP" {
                "option GROUP is given twice".to_owned()
            } else {
                format!("{option} {error}")
            },
        ));
    }
    let made = "CREATE new TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE";
    let units = "must be minute, hour, day, week, month, year or <seconds>s";
    guarded.refuses(&format!(
        "{made} weeks => CYCLE 'weeks' {units}
         {made} 0s => CYCLE '0s' {units}
         {made} second => CYCLE 'second' {units}
         {made} day:7 => CYCLE 'day:7' {units}
         {made} all => CYCLE 'all' {units}
         {made} day DECIMALS 10 => DECIMALS is out of range
         {made} day TZ Mars => TZ 'Mars' is not a time zone: an IANA name, or +hh:mm
         {made} day WEEKSTART x => WEEKSTART must be one of MON, TUE, WED, THU, FRI, SAT, SUN
         {made} day ORIGIN -1 => ORIGIN is out of range
         {made} day ORIGIN 253402300800000 => ORIGIN is out of range
         {made} day CLOCK x => CLOCK must be one of SERVER, EVENT"
    ));
}

#[test]
fn only_what_may_change_is_altered() {
    let mut guarded = Guarded::start();
    for option in
        ["TIERS a,b", "CYCLE week", "TZ UTC", "WEEKSTART MON", "ORIGIN 0", "DECIMALS 0", "CLOCK EVENT"]
    {
        let name = option.split(' ').next().unwrap();
        guarded.refuses(&format!("ALTER event {option} => unknown option '{name}'"));
    }
    guarded.refuses(
        "ALTER event => wrong number of arguments for 'LB.LEAGUE.ALTER' command
         ALTER event GROUP => option GROUP needs a value
         ALTER event GROUP 5 NOW 5 => unknown option 'NOW'
         ALTER event NOW 5 => unknown option 'NOW'
         ALTER event NOW x => NOW is not a whole number",
    );
}

#[test]
fn nothing_but_create_makes_a_league() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "JOIN absent ann => the league does not exist
         JOIN absent ann META text AT 5 => the league does not exist
         ADD absent 5 ann => the league does not exist
         ADD absent 5 ann AT 5 ID one => the league does not exist
         TIER absent ann low => the league does not exist
         SETMETA absent ann text => the league does not exist
         SETMETA absent ann <0> => the league does not exist
         ALTER absent GROUP 5 => the league does not exist
         RESTORE absent nonsense => bad data: it does not begin with a head",
    );
    assert_eq!(say(&mut guarded.con, "LB.LEAGUE.REM absent ann"), "0");
    assert_eq!(say(&mut guarded.con, "EXISTS absent new"), "0");
}

#[test]
fn members_points_and_texts_are_checked() {
    let mut guarded = Guarded::start();
    for key in ["live", "absent"] {
        guarded.refuses(
            &"JOIN KEY <0> => member must have 1 to 512 bytes
              JOIN KEY <513> => member must have 1 to 512 bytes
              JOIN KEY ann META <4097> => META must have at most 4096 bytes
              JOIN KEY ann META => option META needs a value
              JOIN KEY ann META x META x => option META is given twice
              JOIN KEY ann ID x => unknown option 'ID'
              JOIN KEY ann AT x => AT is not a whole number
              JOIN KEY ann AT -1 => AT is out of range
              JOIN KEY ann AT 253402300800000 => AT is out of range
              JOIN KEY ann NOW 5 => unknown option 'NOW'
              JOIN KEY ann AT 5 NOW 5 => unknown option 'NOW'
              ADD KEY x ann => points is not a decimal number
              ADD KEY 1e3 ann => points is not a decimal number
              ADD KEY +1 ann => points is not a decimal number
              ADD KEY nan ann => points is not a decimal number
              ADD KEY <0> ann => points is not a decimal number
              ADD KEY 5 <0> => member must have 1 to 512 bytes
              ADD KEY 5 <513> => member must have 1 to 512 bytes
              ADD KEY 5 ann ID <0> => ID must have 1 to 256 bytes
              ADD KEY 5 ann ID <257> => ID must have 1 to 256 bytes
              ADD KEY 5 ann ID a ID a => option ID is given twice
              ADD KEY 5 ann META x => unknown option 'META'
              ADD KEY 5 ann NOW 5 => unknown option 'NOW'
              ADD KEY 5 ann ID new AT 5 NOW 5 => unknown option 'NOW'
              REM KEY ann <513> => member must have 1 to 512 bytes
              REM KEY <0> => member must have 1 to 512 bytes
              REM KEY ann <0> => member must have 1 to 512 bytes
              TIER KEY <0> low => member must have 1 to 512 bytes
              SETMETA KEY <0> text => member must have 1 to 512 bytes
              SETMETA KEY ann <4097> => meta must have at most 4096 bytes
              TOP KEY <0> => member must have 1 to 512 bytes
              TOP KEY ann COUNT x => COUNT is not a whole number
              TOP KEY ann COUNT -1 => COUNT is out of range
              TOP KEY ann COUNT 1 COUNT 1 => option COUNT is given twice
              TOP KEY ann PERIOD => option PERIOD needs a value
              TOP KEY ann VIEW all => unknown option 'VIEW'
              TOP KEY ann AT 5 => unknown option 'AT'
              GROUP KEY low x => group is not a whole number
              GROUP KEY low -1 => group is out of range
              GROUP KEY low 1 WITHMETA => unknown option 'WITHMETA'
              STANDING KEY <513> => member must have 1 to 512 bytes
              STANDING KEY ann COUNT 5 => unknown option 'COUNT'
              INFO KEY more => unknown option 'more'"
                .replace("KEY", key),
        );
    }
    guarded.refuses(
        "ADD live 1.5 ann => points must be a whole number (DECIMALS 0)
         ADD cents 1.005 ann => points has more digits than are kept (DECIMALS 2)
         ADD live 9223372036854775808 new => points is out of range
         ADD cents 92233720368547758.08 new => points is out of range
         ADD full 1 ann => the score would be out of range
         ADD full 1 ann ID new => the score would be out of range
         ADD full -1 bob ID new => the score would be out of range",
    );
}

#[test]
fn tiers_groups_and_periods_have_to_be_those_of_the_league() {
    Guarded::start().refuses(
        "TIER event ann none => tier 'none' is not a tier of this league
         TIER event new none => tier 'none' is not a tier of this league
         TIER event ann LOW => tier 'LOW' is not a tier of this league
         TIER event ann <0> => tier '' is not a tier of this league
         GROUP event none 1 => tier 'none' is not a tier of this league
         GROUP event none 1 PERIOD -9 => tier 'none' is not a tier of this league
         GROUP event low 0 => group is out of range
         GROUP event low 0 PERIOD -9 => group is out of range
         GROUP event low 2 => group does not exist: the tier has 0
         GROUP event high 2 => group does not exist: the tier has 1
         GROUP event low 2 PERIOD -1 => group does not exist: the tier has 1
         GROUP event high 9223372036854775807 => group does not exist: the tier has 1
         TOP event ann PERIOD 01 => PERIOD '01' is not the name of a period here
         TOP event ann PERIOD x => PERIOD 'x' is not the name of a period here
         TOP event ann PERIOD 1970-01 => PERIOD '1970-01' is not the name of a period here
         STANDING event ann PERIOD 1970-W01 => PERIOD '1970-W01' is not the name of a period here
         GROUP event low 1 PERIOD 1970-02-30 => PERIOD '1970-02-30' is not the name of a period here",
    );
}

#[test]
fn times_and_requests_are_checked() {
    Guarded::start().refuses(
        "JOIN event ann => AT is needed with CLOCK EVENT
         JOIN event ann META x => AT is needed with CLOCK EVENT
         ADD event 5 ann => AT is needed with CLOCK EVENT
         ADD event 5 ann ID new => AT is needed with CLOCK EVENT
         JOIN live ann AT 253402300799999 => AT is too far in the future (max-future-ms)
         JOIN live new AT 253402300799999 META x => AT is too far in the future (max-future-ms)
         ADD live 5 ann AT 253402300799999 => AT is too far in the future (max-future-ms)
         ADD live 5 new AT 253402300799999 ID new => AT is too far in the future (max-future-ms)
         ADD event 6 ann AT 172800000 ID used => IDREUSED request id was used for a different write
         ADD event 5 bob AT 172800000 ID used => IDREUSED request id was used for a different write
         ADD event 5 bob AT 5 ID used => IDREUSED request id was used for a different write
         ADD live 6 ann ID used => IDREUSED request id was used for a different write",
    );
}

#[test]
fn words_are_missing_or_too_many() {
    let mut guarded = Guarded::of(Flavor::Valkey91);
    for (name, lines) in [
        ("CREATE", &[""][..]),
        ("JOIN", &["", "event"]),
        ("ADD", &["", "event", "event 5"]),
        ("REM", &["", "event"]),
        ("TIER", &["", "event", "event ann", "event ann low more"]),
        ("SETMETA", &["", "event", "event ann", "event ann text more"]),
        ("TOP", &["", "event"]),
        ("GROUP", &["", "event", "event low"]),
        ("STANDING", &["", "event"]),
        ("INFO", &[""]),
        ("ALTER", &["", "event"]),
        ("RESTORE", &["", "event", "event x more"]),
    ] {
        for line in lines {
            // The server refuses this itself, before the module sees the command. The case of its letters depends on
            // the version.
            let text = say(&mut guarded.con, &format!("LB.LEAGUE.{name} {line}")).to_uppercase();
            let expected = format!("ERR WRONG NUMBER OF ARGUMENTS FOR 'LB.LEAGUE.{name}' COMMAND");
            assert_eq!(text, expected, "{name} {line}");
        }
    }
}
