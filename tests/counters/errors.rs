//! Tests of refused commands: the error names what is wrong, and the command has changed nothing.

use leaderboard_testkit::session::{coded, play, say, words};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, Words, info, pipeline};
use redis::{Connection, Value};

const COUNTERS: [&str; 4] = ["event", "live", "full", "many"];

/// Counters of several kinds. Observes everything that a command could change.
pub struct Guarded {
    pub con: Connection,
    stream: ReplicationStream,
    _server: Server,
}

/// Everything that a command could change: digests and dumps, the number of keys, unsaved changes, replicated bytes.
type State = (Vec<Result<Value, String>>, [String; 2]);

impl Guarded {
    pub fn start() -> Guarded {
        Guarded::of(Flavor::Redis70)
    }

    pub fn of(flavor: Flavor) -> Guarded {
        let server = Server::builder(flavor).arg("repl-ping-replica-period", "3600").start();
        let mut con = server.connection();
        let many = (1..17).map(|second| second.to_string()).collect::<Vec<_>>().join(",");
        play(
            &mut con,
            &format!(
                "SET text value
                 LB.ADD board 5 ann
                 LB.COUNTER.CREATE event PRECISIONS 1,5,60 SAMPLES 7 CLOCK EVENT DEDUP 864000
                 LB.COUNTER.INCR event BY 5 ID used AT 60000
                 LB.COUNTER.INCR event AT 120000
                 LB.COUNTER.INCR live BY 5 ID used
                 LB.COUNTER.CREATE full PRECISIONS 1,60 CLOCK EVENT
                 LB.COUNTER.INCR full BY 9223372036854775807 AT 1000
                 LB.COUNTER.CREATE many PRECISIONS {many}"
            ),
        );
        let stream = ReplicationStream::of(&server);
        Guarded { con, stream, _server: server }
    }

    /// Runs lines that each contain a command and its error, without the prefix of the command and of the error. After
    /// `~>`, the line contains parts of the error, separated by `&`; upper and lower case are equal.
    #[track_caller]
    pub fn refuses(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let exact = line.split_once(" => ");
            let (command, error) = exact.or(line.split_once(" ~> ")).expect("a command and its error");
            let before = self.state();
            let reply = say(&mut self.con, &format!("LB.COUNTER.{command}"));
            match exact {
                Some(_) => assert_eq!(reply, coded(error), "{command}"),
                None => {
                    let has = |part: &str| reply.to_lowercase().contains(&part.trim().to_lowercase());
                    assert!(reply.starts_with("ERR ") && error.split('&').all(has), "{command}: {reply}");
                }
            }
            assert_eq!(self.state(), before, "{command} has changed something");
        }
        assert!(self.stream.take().is_empty(), "errors were replicated");
    }

    fn state(&mut self) -> State {
        let digests = format!("DEBUG DIGEST-VALUE {}", COUNTERS.join(" "));
        let mut asked: Vec<Words> = vec![words(&digests), words("DBSIZE")];
        asked.extend(COUNTERS.map(|key| words(&format!("DUMP {key}"))));
        let changes = [
            info(&mut self.con, "persistence", "rdb_changes_since_last_save"),
            info(&mut self.con, "replication", "master_repl_offset"),
        ];
        (pipeline(&mut self.con, &asked), changes)
    }
}

#[test]
fn a_guard_sees_every_change() {
    let mut guarded = Guarded::start();
    for line in ["LB.COUNTER.INCR event BY 0 AT 120000", "SET other x", "LB.COUNTER.ALTER many SAMPLES 119"] {
        let before = guarded.state();
        play(&mut guarded.con, line);
        assert_ne!(guarded.state(), before, "{line}");
    }
}

#[test]
fn words_are_missing_or_too_many() {
    for flavor in Flavor::all() {
        let mut guarded = Guarded::of(flavor);
        for (name, lines) in [
            ("CREATE", &[""][..]),
            ("INCR", &[""]),
            ("GET", &["", "event"]),
            ("INFO", &["", "event more"]),
            ("ALTER", &["", "event"]),
            ("RESTORE", &["", "event", "event x more"]),
        ] {
            for line in lines {
                // The server refuses this itself, before the module sees the command. The case of its letters depends
                // on the version.
                let text = say(&mut guarded.con, &format!("LB.COUNTER.{name} {line}")).to_uppercase();
                let expected = format!("ERR WRONG NUMBER OF ARGUMENTS FOR 'LB.COUNTER.{name}' COMMAND");
                assert_eq!(text, expected, "{flavor:?}: {name} {line}");
            }
        }
        guarded.refuses(
            "MGET ~> err
             MGET 60 ~> err
             MGET 60 KEYS ~> err
             MGET 60 KEYS 1 ~> err
             MGET 60 FROM 5 KEYS 1 ~> err",
        );
    }
}

#[test]
fn a_counter_that_exists_is_not_made_again_and_one_that_does_not_is_not_altered() {
    Guarded::start().refuses(
        "CREATE event => the key exists already
         CREATE event PRECISIONS 1,5,60 SAMPLES 7 CLOCK EVENT DEDUP 864000 => the key exists already
         CREATE live => the key exists already
         ALTER absent SAMPLES 5 => the counter does not exist
         ALTER absent PRECISIONS -1 => the counter does not exist
         ALTER absent DEDUP 5 => the counter does not exist
         RESTORE absent nonsense => bad data: it does not begin with a head",
    );
}

#[test]
fn options_are_those_of_the_command_once_and_with_a_value() {
    let mut guarded = Guarded::start();
    for key in ["event", "absent"] {
        guarded.refuses(
            &"CREATE KEY PRECISIONS => option PRECISIONS needs a value
              CREATE KEY PRECISIONS 1 SAMPLES => option SAMPLES needs a value
              CREATE KEY CLOCK => option CLOCK needs a value
              CREATE KEY DEDUP => option DEDUP needs a value
              CREATE KEY PRECISIONS 1 PRECISIONS 1 => option PRECISIONS is given twice
              CREATE KEY SAMPLES 5 samples 6 => option SAMPLES is given twice
              CREATE KEY CLOCK EVENT DEDUP 5 CLOCK EVENT => option CLOCK is given twice
              CREATE KEY DEDUP 5 DEDUP 5 => option DEDUP is given twice
              CREATE KEY CLOCK WALL => CLOCK must be one of SERVER, EVENT
              CREATE KEY CLOCK <0> => CLOCK must be one of SERVER, EVENT
              CREATE KEY BY 5 => unknown option 'BY'
              CREATE KEY 1,5,60 => unknown option '1,5,60'
              CREATE KEY SAMPLES 5 more => unknown option 'more'
              CREATE KEY NOW 5 => unknown option 'NOW'
              INCR KEY BY => option BY needs a value
              INCR KEY ID => option ID needs a value
              INCR KEY AT => option AT needs a value
              INCR KEY BY 5 BY 5 => option BY is given twice
              INCR KEY ID a ID a => option ID is given twice
              INCR KEY AT 5 at 5 => option AT is given twice
              INCR KEY 5 => unknown option '5'
              INCR KEY BY 5 VIEW all => unknown option 'VIEW'
              INCR KEY NOW 5 => unknown option 'NOW'
              INCR KEY AT 5 NOW 5 => unknown option 'NOW'
              INCR KEY BY 5 ID a AT 120000 NOW 120000 => unknown option 'NOW'
              GET KEY 60 FROM => option FROM needs a value
              GET KEY 60 FILL TO => option TO needs a value
              GET KEY 60 FROM 5 FROM 5 => option FROM is given twice
              GET KEY 60 TO 5 TO 5 => option TO is given twice
              GET KEY 60 FILL FILL => option FILL is given twice
              GET KEY 60 COUNT 5 => unknown option 'COUNT'
              GET KEY 60 AT 5 => unknown option 'AT'
              GET KEY 60 5 => unknown option '5'
              ALTER KEY SAMPLES => option SAMPLES needs a value
              ALTER KEY PRECISIONS => option PRECISIONS needs a value
              ALTER KEY SAMPLES 5 SAMPLES 5 => option SAMPLES is given twice
              ALTER KEY PRECISIONS +7 PRECISIONS +9 => option PRECISIONS is given twice
              ALTER KEY DEDUP 5 SAMPLES 5 DEDUP 6 => option DEDUP is given twice
              ALTER KEY CLOCK EVENT => unknown option 'CLOCK'
              ALTER KEY SAMPLES 5 NOW 5 => unknown option 'NOW'
              ALTER KEY NOW 5 => unknown option 'NOW'
              MGET 60 FROM KEYS 1 KEY => FROM is not a whole number
              MGET 60 FROM 5 FROM 5 KEYS 1 KEY => option FROM is given twice
              MGET 60 TO 5 TO 5 KEYS 1 KEY => option TO is given twice
              MGET 60 FILL FILL KEYS 1 KEY => option FILL is given twice
              MGET 60 VIEW all KEYS 1 KEY => unknown option 'VIEW'
              MGET 60 KEY FILL KEYS 1 KEY => unknown option 'KEY'"
                .replace(" KEY", &format!(" {key}"))
                .replace(&format!("{key}S"), "KEYS")
                .replace("'KEY'", &format!("'{key}'")),
        );
    }
}

#[test]
fn the_keys_of_mget_are_as_many_as_it_says() {
    for flavor in [Flavor::Redis62, Flavor::Redis70, Flavor::Valkey91] {
        let mut guarded = Guarded::of(flavor);
        guarded.refuses(
            "MGET 60 KEYS 0 event => KEYS is out of range
             MGET 60 KEYS -1 event => KEYS is out of range
             MGET 60 KEYS x event => KEYS is not a whole number
             MGET 60 KEYS 1.5 event => KEYS is not a whole number
             MGET 60 KEYS <0> event => KEYS is not a whole number
             MGET 60 KEYS 2 event => the list of keys is incomplete
             MGET 60 KEYS 3 event live => the list of keys is incomplete
             MGET 60 FROM 5 KEYS 4294967297 event => the list of keys is incomplete
             MGET 60 KEYS 9223372036854775807 event => the list of keys is incomplete
             MGET 60 KEYS 9223372036854775808 event => KEYS is out of range
             MGET 60 KEYS 18446744073709551617 event => KEYS is out of range
             MGET 60 KEYS 1 event live => wrong number of arguments for 'LB.COUNTER.MGET' command
             MGET 60 KEYS 1 event FILL => wrong number of arguments for 'LB.COUNTER.MGET' command
             MGET 60 KEYS 1 event KEYS 1 event => wrong number of arguments for 'LB.COUNTER.MGET' command
             MGET 60 FROM 5 FILL => KEYS is needed
             MGET 60 event live event => unknown option 'event'
             MGET 60 FILL event live => unknown option 'event'",
        );
    }
}

#[test]
fn times_and_requests_are_checked() {
    Guarded::start().refuses(
        "INCR event => AT is needed with CLOCK EVENT
         INCR event BY 0 => AT is needed with CLOCK EVENT
         INCR event ID new => AT is needed with CLOCK EVENT
         INCR live AT 253402300799999 => AT is too far in the future (max-future-ms)
         INCR live BY 5 ID new AT 253402300799999 => AT is too far in the future (max-future-ms)
         INCR absent AT 253402300799999 => AT is too far in the future (max-future-ms)
         INCR event BY 6 ID used AT 120000 => IDREUSED request id was used for a different write
         INCR event BY -5 ID used AT 120000 => IDREUSED request id was used for a different write
         INCR event ID used AT 500000 => IDREUSED request id was used for a different write
         INCR live BY 6 ID used => IDREUSED request id was used for a different write
         INCR full AT 1000 => the count would be out of range
         INCR full AT 1 => the count would be out of range
         INCR full BY 9223372036854775807 ID new AT 99000 => the count would be out of range",
    );
}
