//! Tests of invalid views, periods and zones: the error names each of them, and nothing has changed.

use leaderboard_testkit::session::{coded, play, say};
use leaderboard_testkit::{Flavor, Server, digest, info, query};
use redis::Connection;

use super::dated;

const BOARDS: [&str; 5] = ["board", "plain", "best", "live", "empty"];

struct Guarded {
    con: Connection,
    _server: Server,
}

impl Guarded {
    fn start() -> Guarded {
        let server = Server::start(Flavor::Redis70);
        let mut con = server.connection();
        let session = "SET text value
             LB.CREATE board VIEWS day,all,day:7,week,hour,90s CLOCK EVENT CARRY week=0.5 DEDUP 1000000
             LB.ADD board 5 ann AT @2019-03-18T10:00 ID one
             LB.ADD board 6 bob AT @2019-03-19T10:00
             LB.CREATE plain CLOCK EVENT
             LB.ADD plain 5 ann AT 1000
             LB.CREATE best VIEWS day,day:3 CLOCK EVENT AGGREGATE MAX
             LB.ADD best 5 ann AT 1000
             LB.ROLLADD live 5 ann
             LB.CREATE empty VIEWS month";
        play(&mut con, &dated(session));
        Guarded { con, _server: server }
    }

    /// Runs lines that each contain a command and its error.
    #[track_caller]
    fn refuses(&mut self, lines: &str) {
        for line in dated(lines).lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, error) = line.split_once(" => ").expect("a command and its error");
            let before = self.state();
            assert_eq!(say(&mut self.con, command), coded(error), "{command}");
            assert_eq!(self.state(), before, "{command} has changed something");
        }
    }

    fn state(&mut self) -> ([String; 5], u64, String) {
        let digests = BOARDS.map(|board| digest(&mut self.con, board));
        let changes = info(&mut self.con, "persistence", "rdb_changes_since_last_save");
        (digests, query(&mut self.con, &["DBSIZE"]), changes)
    }
}

const VIEWS: &str =
    "all, or minute, hour, day, week, month, year, <seconds>s with 1 to 315360000, perhaps with :n";

#[test]
fn names_of_views_are_checked() {
    let mut guarded = Guarded::start();
    for name in [
        "days",
        "day:",
        "day:x",
        "day:-2",
        "all:2",
        ":7",
        "day:7:7",
        "0s",
        "090s",
        "1.5s",
        "s",
        "315360001s",
        "day,,all",
        "day,",
        ",day",
        "*",
    ] {
        let quoted = if name.contains(',') { "" } else { name };
        guarded.refuses(&format!("LB.CREATE new VIEWS {name} => VIEWS '{quoted}' is not a view: {VIEWS}"));
    }
    for name in ["day:0", "day:1", "day:367", "day:99999999999999999999", "90s:1"] {
        let (_, n) = name.split_once(':').unwrap_or_default();
        guarded.refuses(&format!(
            "LB.CREATE new VIEWS {name} => n of a rolling view must be 2 to 366, not '{n}'
             LB.ALTER board VIEWS +{name} => n of a rolling view must be 2 to 366, not '{n}'"
        ));
    }
    guarded.refuses(&format!(
        "LB.CREATE new VIEWS <0> => VIEWS '' is not a view: {VIEWS}
         LB.CREATE new VIEWS day,all,DAY => view 'day' is named twice
         LB.CREATE new VIEWS day:7,all,day:07 => view 'day:7' is named twice
         LB.CREATE new VIEWS 1s,2s,3s,4s,5s,6s,7s,8s,9s,10s,11s,12s,13s,14s,15s,16s,17s => VIEWS names more than 16 views
         LB.CREATE new VIEWS => option VIEWS needs a value
         LB.CREATE new VIEWS day VIEWS all => option VIEWS is given twice
         LB.CREATE board VIEWS day => BOARDEXISTS the board exists already
         LB.PERIODS board month => VIEW 'month' is not a view of this board
         LB.PERIODS board \\xff => VIEW '?' is not a view of this board
         LB.PERIODS absent dday => VIEW 'dday' is not a view of this board
         LB.PERIODS plain => wrong number of arguments for 'LB.PERIODS' command
         LB.PERIODS plain all 5 => wrong number of arguments for 'LB.PERIODS' command",
    ));
}

#[test]
fn zones_weekdays_and_origins_are_checked() {
    let mut guarded = Guarded::start();
    for zone in ["Mars/Olympus", "+8", "+08", "08:00", "+18:01", "+08:60", "+0800", "-24:00", "+:00", "Z"] {
        guarded.refuses(&format!(
            "LB.CREATE new TZ {zone} => TZ '{zone}' is not a time zone: an IANA name, or +hh:mm"
        ));
    }
    guarded.refuses(
        "LB.CREATE new TZ <0> => TZ '' is not a time zone: an IANA name, or +hh:mm
         LB.CREATE new TZ UTC\\x00 => TZ 'UTC?' is not a time zone: an IANA name, or +hh:mm
         LB.CREATE new WEEKSTART monday => WEEKSTART must be one of MON, TUE, WED, THU, FRI, SAT, SUN
         LB.CREATE new ORIGIN -1 => ORIGIN is out of range
         LB.CREATE new ORIGIN 253402300800000 => ORIGIN is out of range
         LB.CREATE new ORIGIN 1.5 => ORIGIN is not a whole number
         LB.CREATE new ORIGIN noon => ORIGIN is not a whole number
         LB.ALTER board TZ UTC => unknown option 'TZ'
         LB.ALTER board ORIGIN 5 => unknown option 'ORIGIN'",
    );
}

#[test]
fn what_is_kept_and_carried_over_is_checked() {
    let mut guarded = Guarded::start();
    for begin in ["LB.CREATE new VIEWS all,day,week,day:7", "LB.ALTER board"] {
        guarded.refuses(&format!(
            "{begin} RETAIN -1 => RETAIN is out of range
             {begin} RETAIN 10001 => RETAIN is out of range
             {begin} RETAIN day=10001 => RETAIN is out of range
             {begin} RETAIN 99999999999999999999 => RETAIN is out of range
             {begin} RETAIN many => RETAIN is not a whole number
             {begin} RETAIN day=2,week => RETAIN 'week' must be view=value
             {begin} RETAIN day= => RETAIN is not a whole number
             {begin} RETAIN day=1,all=1 => RETAIN names all, which has no past periods
             {begin} RETAIN month=1 => RETAIN 'month' is not a view of this board
             {begin} RETAIN day=1,DAY=2 => view 'day' is named twice
             {begin} RETAIN days=1 => RETAIN 'days' is not a view: {VIEWS}
             {begin} CARRY 0.5 => CARRY '0.5' must be view=value
             {begin} CARRY week => CARRY 'week' must be view=value
             {begin} CARRY week=half => CARRY is not a decimal number
             {begin} CARRY week=-0.5 => CARRY must be from 0 to 1
             {begin} CARRY week=1.000000001 => CARRY must be from 0 to 1
             {begin} CARRY week=0.0000000001 => CARRY has more than 9 digits after the point
             {begin} CARRY week=0.5,week=0.5 => view 'week' is named twice
             {begin} CARRY all=0.5 => CARRY 'all' is not possible: only views of one period carry over
             {begin} CARRY day:7=0.5 => CARRY 'day:7' is not possible: only views of one period carry over
             {begin} CARRY week=0.5,day:7=0.5 => CARRY 'day:7' is not possible: only views of one period carry over
             {begin} CARRY month=0.5 => CARRY 'month' is not a view of this board
             {begin} DECAY 0.5 => DECAY '0.5' must be view=value
             {begin} DECAY week=half => DECAY is not a decimal number
             {begin} DECAY week=-0.5 => DECAY must be from 0 to 0.99, or 1
             {begin} DECAY week=0.990000001 => DECAY must be from 0 to 0.99, or 1
             {begin} DECAY week=1.000000001 => DECAY must be from 0 to 0.99, or 1
             {begin} DECAY week=0.0000000001 => DECAY has more than 9 digits after the point
             {begin} DECAY week=0.5,week=0.5 => view 'week' is named twice
             {begin} DECAY all=0.5 => DECAY 'all' is not possible: only views of one period decay
             {begin} DECAY week=0.5,day:7=0.5 => DECAY 'day:7' is not possible: only views of one period decay
             {begin} DECAY week=0.5 CARRY day=0.5,week=0.5 => DECAY 'week' is not possible: the view has CARRY
             {begin} DECAY month=0.5 => DECAY 'month' is not a view of this board"
        ));
    }
    for aggregate in ["MAX", "MIN", "LAST"] {
        guarded.refuses(&format!(
            "LB.CREATE new VIEWS week CARRY week=0.5 AGGREGATE {aggregate} => CARRY needs AGGREGATE SUM
             LB.CREATE new VIEWS week DECAY week=0.5 AGGREGATE {aggregate} => DECAY needs AGGREGATE SUM"
        ));
    }
    guarded.refuses(
        "LB.ALTER best CARRY day=0.5 => CARRY needs AGGREGATE SUM
         LB.ALTER best DECAY day=0.5 => DECAY needs AGGREGATE SUM
         LB.CREATE new VIEWS week DECAY week=0.5 SHOWN => DECAY is not possible with SHOWN",
    );
}

#[test]
fn changes_of_views_are_checked() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "LB.ALTER board VIEWS month => VIEWS 'month' must begin with + or -
         LB.ALTER board VIEWS <0> => VIEWS '' must begin with + or -
         LB.ALTER board VIEWS +month, => VIEWS '' must begin with + or -
         LB.ALTER board VIEWS +day => view 'day' is named twice
         LB.ALTER board VIEWS +month,+month => view 'month' is named twice
         LB.ALTER board VIEWS -day,+day => view 'day' is named twice
         LB.ALTER board VIEWS -month => VIEWS 'month' is not a view of this board
         LB.ALTER board VIEWS -day,-all,-day:7,-week,-hour,-90s => VIEWS leaves the board without a view
         LB.ALTER plain VIEWS -all => VIEWS leaves the board without a view
         LB.ALTER board VIEWS -week RETAIN week=5 => RETAIN 'week' is not a view of this board
         LB.ALTER board VIEWS +1s,+2s,+3s,+4s,+5s,+6s,+7s,+8s,+9s,+10s,+11s => VIEWS names more than 16 views
         LB.ALTER board VIEWS +month DEDUP -1 => DEDUP is out of range
         LB.ALTER board NOW 5 => NOW is before the board's now
         LB.ALTER board NOW 9999999999 DEDUP 5 => options NOW and other options exclude each other
         LB.ALTER board NOW -1 => NOW is out of range
         LB.ALTER board => wrong number of arguments for 'LB.ALTER' command
         LB.ALTER absent VIEWS +day => NOBOARD the board does not exist",
    );
}

/// All reads. `*` is replaced by options.
const READS: [&str; 15] = [
    "LB.TOP KEY 5 *",
    "LB.RANGE KEY 1 5 *",
    "LB.RANGEBYSCORE KEY 1 5 *",
    "LB.AROUND KEY ann 5 *",
    "LB.RANK KEY ann *",
    "LB.SCORE KEY ann *",
    "LB.MSCORE KEY * MEMBERS 1 ann",
    "LB.STANDING KEY ann *",
    "LB.MSTANDING KEY MEMBERS 1 ann *",
    "LB.COUNT KEY *",
    "LB.COUNT KEY 1 5 *",
    "LB.AMONG KEY * MEMBERS 2 ann bob",
    "LB.STATS KEY *",
    "LB.QUANTILE KEY 0.5 *",
    "LB.HISTOGRAM KEY 1 5 2 *",
];

#[test]
fn periods_of_reads_are_checked() {
    let mut guarded = Guarded::start();
    for read in READS {
        let mut refuses = |key: &str, options: &str, error: &str| {
            guarded.refuses(&format!("{} => {error}", read.replace("KEY", key).replace('*', options)));
        };
        for label in [
            "1000",
            "+1",
            "-",
            "--1",
            "00",
            "2019",
            "2019-03",
            "2019-3-18",
            "2019-02-29",
            "2019-W12",
            "2019-03-18T10",
            "@2019-03-18",
            "now",
            "-1x",
        ] {
            refuses(
                "board",
                &format!("PERIOD {label}"),
                &format!("PERIOD '{label}' is not the name of a period here"),
            );
        }
        refuses("board", "VIEW week PERIOD 2019-W53", "PERIOD '2019-W53' is not the name of a period here");
        refuses(
            "board",
            "VIEW week PERIOD 2019-03-18",
            "PERIOD '2019-03-18' is not the name of a period here",
        );
        refuses(
            "board",
            "VIEW hour PERIOD 2019-03-18T24",
            "PERIOD '2019-03-18T24' is not the name of a period here",
        );
        refuses("board", "VIEW 90s PERIOD 1000", "PERIOD '1000' is not the name of a period here");
        refuses("board", "VIEW all PERIOD 2019", "PERIOD '2019' is not the name of a period here");
        refuses("board", "VIEW month", "VIEW 'month' is not a view of this board");
        refuses("plain", "VIEW day PERIOD -1", "VIEW 'day' is not a view of this board");
        refuses("board", "PERIOD -1 AT 5", "options PERIOD and AT exclude each other");
        refuses("absent", "AT 5 PERIOD -1", "options PERIOD and AT exclude each other");
        refuses("board", "AT -1", "AT is out of range");
        refuses("board", "AT 253402300800000", "AT is out of range");
        refuses("board", "AT noon", "AT is not a whole number");
        refuses("board", "PERIOD -1 PERIOD -1", "option PERIOD is given twice");
        refuses("absent", "VIEW weeks", "VIEW 'weeks' is not a view of this board");
    }
}

#[test]
fn writes_into_views_are_checked() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "LB.ADD board 5 ann => AT is needed with CLOCK EVENT
         LB.ROLLADD board 5 ann => AT is needed with CLOCK EVENT
         LB.SET board 5 ann VIEW day => AT is needed with CLOCK EVENT
         LB.MADD board VIEW day 5 ann => AT is needed with CLOCK EVENT
         LB.ADD board 5 ann AT @2019-03-19T11:00 VIEW month => VIEW 'month' is not a view of this board
         LB.ADD board 5 ann AT 253402300800000 => AT is out of range
         LB.ADD live 5 ann AT 253402300799999 => AT is too far in the future (max-future-ms)
         LB.ROLLADD live 5 ann AT 253402300799999 => AT is too far in the future (max-future-ms)
         LB.ROLLADD absent 5 ann AT 253402300799999 => AT is too far in the future (max-future-ms)
         LB.ADD board 9223372036854775807 ann AT @2019-03-25 => the score would be out of range
         LB.ADD board 9223372036854775807 ann AT @2019-03-18T11:00 => the score would be out of range
         LB.SET board 9223372036854775807 ann VIEW day AT @2019-03-20 ID new => the score would be out of range
         LB.MADD board AT @2019-03-20 ID new 1 ann 9223372036854775807 ann => the score would be out of range
         LB.ADD board 6 ann ID one AT @2019-03-18T10:00 => IDREUSED request id was used for a different write
         LB.ROLLADD board 5 ann ID one AT @2019-03-18T10:00 => IDREUSED request id was used for a different write
         LB.ADD absent 5 ann VIEW day => VIEW 'day' is not a view of this board
         LB.SET absent 5 ann VIEW day:7 => VIEW 'day:7' is not a view of this board",
    );
}

#[test]
fn windows_are_checked() {
    let mut guarded = Guarded::start();
    guarded.refuses(
        "LB.ROLLADD board 5 ann WINDOW 8 day AT @2019-03-20 => WINDOW 'day:8' is not a view of this board
         LB.ROLLADD absent 5 ann WINDOW 1 day => n of a rolling view must be 2 to 366, not '1'
         LB.ROLLADD absent 5 ann WINDOW 367 day => n of a rolling view must be 2 to 366, not '367'
         LB.ROLLADD absent 5 ann WINDOW seven day => n of a rolling view must be 2 to 366, not 'seven'
         LB.ROLLADD absent 5 ann WINDOW -7 day => n of a rolling view must be 2 to 366, not '-7'
         LB.ROLLADD absent 5 ann WINDOW 7 days => WINDOW 'days' must be minute, hour, day, week, month, year or <seconds>s
         LB.ROLLADD absent 5 ann WINDOW 7 all => WINDOW 'all' must be minute, hour, day, week, month, year or <seconds>s
         LB.ROLLADD absent 5 ann WINDOW 7 day:7 => WINDOW 'day:7' must be minute, hour, day, week, month, year or <seconds>s
         LB.ROLLADD absent 5 ann WINDOW day:7 => option WINDOW is incomplete: WINDOW n unit
         LB.ROLLADD absent 5 ann WINDOW => option WINDOW needs a value
         LB.ROLLADD absent 5 ann VIEW day:7 => unknown option 'VIEW'
         LB.ROLLADD absent 5 ann WINDOW 7 day WINDOW 7 day => option WINDOW is given twice
         LB.ROLLADD plain 5 ann AT 2000 => WINDOW is needed: the board has no rolling view
         LB.ROLLADD absent 1.5 ann => points must be a whole number (DECIMALS 0)
         LB.ROLLADD absent 5 <0> => member must have 1 to 512 bytes"
    );
}
