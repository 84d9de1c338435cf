//! Tests of refused requests: the error names what is wrong, and the request has changed nothing.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, info, query};
use redis::Connection;

const BOARDS: [&str; 6] = ["poll", "shown", "best", "some", "event", "plain"];

/// Boards of several kinds. Observes everything that a command could change.
struct Guarded {
    con: Connection,
    stream: ReplicationStream,
    _server: Server,
}

impl Guarded {
    fn start() -> Guarded {
        let server = Server::builder(Flavor::Redis70).arg("repl-ping-replica-period", "3600").start();
        let mut con = server.connection();
        play(
            &mut con,
            "SET text value
             LB.CREATE poll VIEWS all,day LIMIT r voter 5 day LIMIT t voter+ip 5 all LIMIT m member 7 all
             LB.VOTE poll 1 ann BY v TAG ip x ID q
             LB.CREATE shown SHOWN
             LB.OPTION shown ann WEIGHT 2 INITIAL 5
             LB.CREATE best AGGREGATE MAX
             LB.CREATE some DECLARED
             LB.OPTION some ann
             LB.CREATE event CLOCK EVENT
             LB.CREATE plain
             LB.ADD plain 9223372036854775807 full",
        );
        let stream = ReplicationStream::of(&server);
        Guarded { con, stream, _server: server }
    }

    /// Runs lines that each contain a command and its error.
    fn refuses(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (command, error) = line.split_once(" => ").expect("a command and its error");
            let before = self.state();
            assert_eq!(say(&mut self.con, command), error, "{command}");
            assert_eq!(self.state(), before, "{command} has changed something");
        }
        assert!(self.stream.take().is_empty(), "errors were replicated");
    }

    fn state(&mut self) -> (Vec<String>, u64, Vec<String>) {
        let mut digests = vec!["DEBUG", "DIGEST-VALUE"];
        digests.extend(BOARDS);
        let fields =
            ["boards", "members", "writes", "repeated_requests", "writes_held_back", "votes_held_back"];
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
fn votes_are_whole_numbers_from_one() {
    let mut guarded = Guarded::start();
    for key in ["poll", "absent"] {
        for (votes, error) in [
            ("0", "votes is out of range"),
            ("00", "votes is out of range"),
            ("-1", "votes is out of range"),
            ("1.5", "votes is not a whole number"),
            ("1.0", "votes is not a whole number"),
            ("x", "votes is not a whole number"),
            ("1e3", "votes is not a whole number"),
            ("+1", "votes is not a whole number"),
            ("<0>", "votes is not a whole number"),
            ("9223372036854775808", "votes is out of range"),
            ("99999999999999999999999", "votes is out of range"),
        ] {
            guarded.refuses(&format!(
                "LB.VOTE {key} {votes} ann BY v TAG ip x => ERR {error}
                 LB.MVOTE {key} BY v TAG ip x 1 bob {votes} ann => ERR {error}"
            ));
        }
    }
    guarded.refuses(
        "LB.VOTE plain 1 full => ERR the score would be out of range
         LB.VOTE plain 9223372036854775807 full => ERR the score would be out of range
         LB.MVOTE plain 1 new 1 full => ERR the score would be out of range
         LB.VOTE shown 9223372036854775807 ann => ERR the score would be out of range",
    );
}

#[test]
fn who_votes_has_to_be_said_where_rules_count_by_it() {
    Guarded::start().refuses(
        "LB.VOTE poll 1 ann => ERR BY is needed: the rule 'r' counts by voter
         LB.VOTE poll 1 ann TAG ip x => ERR BY is needed: the rule 'r' counts by voter
         LB.VOTE poll 1 ann BY v => ERR TAG 'ip' is needed: the rule 't' counts by it
         LB.VOTE poll 1 ann BY v TAG IP x => ERR TAG 'ip' is needed: the rule 't' counts by it
         LB.MVOTE poll 1 ann => ERR BY is needed: the rule 'r' counts by voter
         LB.MVOTE poll BY v 1 ann 1 bob => ERR TAG 'ip' is needed: the rule 't' counts by it
         LB.VOTE poll 1 ann BY => ERR option BY needs a value
         LB.VOTE poll 1 ann BY <0> TAG ip x => ERR BY must have 1 to 256 bytes
         LB.VOTE poll 1 ann BY <257> TAG ip x => ERR BY must have 1 to 256 bytes
         LB.VOTE poll 1 ann BY v BY v TAG ip x => ERR option BY is given twice
         LB.VOTE poll 1 ann TAG => ERR option TAG needs a value
         LB.VOTE poll 1 ann TAG ip => ERR option TAG is incomplete: TAG name value
         LB.VOTE poll 1 ann TAG <0> x => ERR the name of a TAG must have 1 to 64 bytes
         LB.VOTE poll 1 ann TAG <65> x => ERR the name of a TAG must have 1 to 64 bytes
         LB.VOTE poll 1 ann TAG ip <0> => ERR the value of a TAG must have 1 to 256 bytes
         LB.VOTE poll 1 ann TAG ip <257> => ERR the value of a TAG must have 1 to 256 bytes
         LB.VOTE poll 1 ann BY v TAG ip x TAG ip y => ERR TAG 'ip' is given twice
         LB.VOTE poll 1 ann BY v TAG ip x TAG ip x => ERR TAG 'ip' is given twice
         LB.VOTE absent 1 ann BY v TAG a 1 TAG b 1 TAG c 1 TAG d 1 TAG e 1 TAG f 1 TAG g 1 TAG h 1 TAG i 1 TAG j 1 TAG k 1 TAG l 1 TAG m 1 TAG n 1 TAG o 1 TAG p 1 TAG q 1 => ERR the number of TAGs is out of range
         LB.QUOTA poll TAG ip => ERR option TAG is incomplete: TAG name value
         LB.QUOTA poll BY <257> => ERR BY must have 1 to 256 bytes
         LB.QUOTA poll MEMBER <0> => ERR MEMBER must have 1 to 512 bytes
         LB.QUOTA poll MEMBER <513> => ERR MEMBER must have 1 to 512 bytes
         LB.QUOTA poll TAG ip x TAG ip x => ERR TAG 'ip' is given twice
         LB.QUOTA poll AT x => ERR AT is not a whole number
         LB.QUOTA poll FOO => ERR unknown option 'FOO'
         LB.QUOTA text => WRONGTYPE Operation against a key holding the wrong kind of value",
    );
}

#[test]
fn a_vote_is_for_a_member_of_a_board_that_adds_up() {
    Guarded::start().refuses(
        "LB.VOTE poll 1 <0> BY v TAG ip x => ERR member must have 1 to 512 bytes
         LB.VOTE poll 1 <513> BY v TAG ip x => ERR member must have 1 to 512 bytes
         LB.VOTE best 1 ann => ERR a vote needs AGGREGATE SUM
         LB.MVOTE best 1 ann => ERR a vote needs AGGREGATE SUM
         LB.OPTION best ann => ERR an option needs AGGREGATE SUM
         LB.ALTER best LIMIT r voter 5 day => ERR voting needs AGGREGATE SUM
         LB.VOTE some 1 bob => ERR member is not an option of this board (DECLARED)
         LB.MVOTE some 1 ann 1 bob => ERR member is not an option of this board (DECLARED)
         LB.VOTE event 1 ann => ERR AT is needed with CLOCK EVENT
         LB.MVOTE event 1 ann => ERR AT is needed with CLOCK EVENT
         LB.VOTE plain 1 ann AT 253402300799999 => ERR AT is too far in the future (max-future-ms)
         LB.VOTE plain 1 ann VIEW all => ERR unknown option 'VIEW'
         LB.VOTE plain 1 ann WITHCHANGE => ERR unknown option 'WITHCHANGE'
         LB.VOTE plain 1 ann ID <0> => ERR ID must have 1 to 256 bytes
         LB.VOTE plain 1 ann ID <257> => ERR ID must have 1 to 256 bytes
         LB.VOTE plain 1 ann NOW 5 => ERR unknown option 'NOW'
         LB.VOTE plain 1 ann AT 5 NOW 5 => ERR unknown option 'NOW'
         LB.MVOTE plain AT 5 NOW 5 1 ann => ERR unknown option 'NOW'
         LB.OPTION plain ann NOW 5 => ERR unknown option 'NOW'
         LB.ALTER plain OPENS 5 NOW 5 => ERR options NOW and other options exclude each other
         LB.VOTE poll 2 ann BY v TAG ip x ID q => IDREUSED request id was used for a different write
         LB.VOTE poll 1 ann BY w TAG ip x ID q => IDREUSED request id was used for a different write
         LB.MVOTE poll BY v TAG ip x ID q 1 ann => IDREUSED request id was used for a different write
         LB.ADD poll 1 ann ID q => IDREUSED request id was used for a different write
         LB.VOTE text 1 ann => WRONGTYPE Operation against a key holding the wrong kind of value
         LB.MVOTE text 1 ann => WRONGTYPE Operation against a key holding the wrong kind of value
         LB.OPTION text ann => WRONGTYPE Operation against a key holding the wrong kind of value
         LB.OPTIONS text 0 => WRONGTYPE Operation against a key holding the wrong kind of value
         LB.VOTERS text => WRONGTYPE Operation against a key holding the wrong kind of value",
    );
}

#[test]
fn a_list_of_votes_is_whole() {
    Guarded::start().refuses(
        "LB.MVOTE poll BY v TAG ip x => ERR the list of votes and members is incomplete
         LB.MVOTE poll BY v TAG ip x 1 => ERR the list of votes and members is incomplete
         LB.MVOTE poll BY v TAG ip x 1 ann 1 => ERR the list of votes and members is incomplete
         LB.MVOTE absent BY v TAG ip x 1 ann 1 => ERR the list of votes and members is incomplete
         LB.MVOTE absent AT 5 BY => ERR option BY needs a value
         LB.MVOTE absent BY v 1 ann AT 5 => ERR votes is not a whole number
         LB.MVOTE absent BY v BY w 1 ann => ERR option BY is given twice
         LB.MVOTE absent ID a ID a 1 ann => ERR option ID is given twice
         LB.MVOTE absent 1 <0> => ERR member must have 1 to 512 bytes
         LB.MVOTE absent 1 ann 1 <513> => ERR member must have 1 to 512 bytes",
    );
}

const NOT_A_MAX: &str = "LIMIT 'a': max must be a whole number from 1 to 4294967295";
const LIMIT: &str = "option LIMIT is incomplete: LIMIT rule scope max unit [BONUS tag value extra]...";
const TOO_MANY: &str =
    "LIMIT 'a': extra must be a whole number from 1, and max and all extras at most 4294967295";

#[test]
fn a_rule_is_a_name_a_scope_a_number_and_a_unit() {
    let mut guarded = Guarded::start();
    for command in ["LB.CREATE absent", "LB.ALTER plain"] {
        for (rule, error) in [
            ("LIMIT", "option LIMIT needs a value"),
            ("LIMIT a", LIMIT),
            ("LIMIT a voter", LIMIT),
            ("LIMIT a voter 5", LIMIT),
            ("LIMIT a voter 0 day", NOT_A_MAX),
            ("LIMIT a voter -5 day", NOT_A_MAX),
            ("LIMIT a voter 1.5 day", NOT_A_MAX),
            ("LIMIT a voter x day", NOT_A_MAX),
            ("LIMIT a voter 4294967296 day", NOT_A_MAX),
            (
                "LIMIT a voter 5 days",
                "LIMIT 'a': unit must be one of second, minute, hour, day, week, month, year, all",
            ),
            (
                "LIMIT a voter 5 60s",
                "LIMIT 'a': unit must be one of second, minute, hour, day, week, month, year, all",
            ),
            (
                "LIMIT a voter 5 day:2",
                "LIMIT 'a': unit must be one of second, minute, hour, day, week, month, year, all",
            ),
            ("LIMIT a <0> 5 day", "'' is not a scope: member, voter or tag names, each once, joined by +"),
            (
                "LIMIT a voter+ 5 day",
                "'voter+' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            (
                "LIMIT a +voter 5 day",
                "'+voter' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            (
                "LIMIT a voter+VOTER 5 day",
                "'voter+VOTER' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            (
                "LIMIT a ip+voter+ip 5 day",
                "'ip+voter+ip' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            (
                "LIMIT a i\\x20p 5 day",
                "'i?p' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            (
                "LIMIT a <65> 5 day",
                "'mmmmmmmmmmmmmmmmmmmmmmmm...' is not a scope: member, voter or tag names, each once, joined by +",
            ),
            ("LIMIT <0> voter 5 day", "rule must have 1 to 64 bytes"),
            ("LIMIT <65> voter 5 day", "rule must have 1 to 64 bytes"),
            (
                "LIMIT a\\x20b voter 5 day",
                "'a?b' is not the name of a rule: no spaces or control characters, no + in tags",
            ),
            ("LIMIT closed voter 5 day", "LIMIT 'closed' has the name of a rule of the board"),
            ("LIMIT a voter 5 day LIMIT a member 5 day", "LIMIT 'a' is given twice"),
            ("LIMIT a voter 5 day BONUS", "option BONUS needs a value"),
            ("LIMIT a voter 5 day BONUS channel", "option BONUS needs a value"),
            ("LIMIT a voter 5 day BONUS channel acme", "option BONUS needs a value"),
            ("LIMIT a voter 5 day BONUS channel acme 0", TOO_MANY),
            ("LIMIT a voter 5 day BONUS channel acme -1", TOO_MANY),
            ("LIMIT a voter 5 day BONUS channel acme x", TOO_MANY),
            ("LIMIT a voter 5 day BONUS channel acme 4294967291", TOO_MANY),
            ("LIMIT a voter 5 day BONUS <0> acme 5", "tag must have 1 to 64 bytes"),
            ("LIMIT a voter 5 day BONUS <65> acme 5", "tag must have 1 to 64 bytes"),
            ("LIMIT a voter 5 day BONUS channel <0> 5", "tag value must have 1 to 256 bytes"),
            ("LIMIT a voter 5 day BONUS channel <257> 5", "tag value must have 1 to 256 bytes"),
            (
                "LIMIT a voter 5 day BONUS a+b acme 5",
                "'a+b' is not the name of a tag: no spaces or control characters, no + in tags",
            ),
            (
                "LIMIT a voter 5 day BONUS channel acme 5 BONUS channel acme 6",
                "BONUS 'channel' 'acme' is given twice",
            ),
            ("BONUS channel acme 5", "unknown option 'BONUS'"),
            ("BONUS channel acme 5 LIMIT a voter 5 day", "unknown option 'BONUS'"),
            ("LIMIT a voter 5 day OPENS 5 BONUS channel acme 5", "unknown option 'BONUS'"),
            ("LIMIT a voter 5 day WITHMETA", "unknown option 'WITHMETA'"),
        ] {
            guarded.refuses(&format!("{command} {rule} => ERR {error}"));
        }
        let rules: String = (0..17).map(|n| format!(" LIMIT r{n} voter 5 day")).collect();
        guarded.refuses(&format!("{command}{rules} => ERR LIMIT leaves the board with more than 16 rules"));
        let bonuses: String = (0..65).map(|n| format!(" BONUS t{n} x 5")).collect();
        guarded.refuses(&format!(
            "{command} LIMIT a voter 5 day{bonuses} => ERR LIMIT 'a' has more than 64 bonuses"
        ));
        let parts: Vec<String> = (0..17).map(|n| format!("t{n}")).collect();
        guarded.refuses(&format!(
            "{command} LIMIT a {} 5 day => ERR 't0+t1+t2+t3+t4+t5+t6+t7+...' is not a scope: member, voter or tag names, each once, joined by +",
            parts.join("+")
        ));
    }
    guarded.refuses(
        "LB.ALTER poll UNLIMIT x => ERR UNLIMIT 'x' is not a rule of this board
         LB.ALTER poll UNLIMIT R => ERR UNLIMIT 'R' is not a rule of this board
         LB.ALTER poll UNLIMIT r UNLIMIT r => ERR UNLIMIT 'r' is not a rule of this board
         LB.ALTER poll UNLIMIT r UNLIMIT x LIMIT y voter 5 day => ERR UNLIMIT 'x' is not a rule of this board
         LB.ALTER poll UNLIMIT => ERR option UNLIMIT needs a value
         LB.ALTER poll UNLIMIT closed => ERR UNLIMIT 'closed' is not a rule of this board
         LB.ALTER absent LIMIT y voter 5 day => NOBOARD the board does not exist
         LB.CREATE absent UNLIMIT x => ERR unknown option 'UNLIMIT'
         LB.ALTER poll SHOWN => ERR unknown option 'SHOWN'
         LB.CREATE poll LIMIT y voter 5 day => BOARDEXISTS the board exists already",
    );
}

#[test]
fn hours_and_counts_are_possible() {
    let mut guarded = Guarded::start();
    for command in ["LB.CREATE absent", "LB.ALTER plain"] {
        for (rule, error) in [
            ("CLOSES 5 OPENS 5", "CLOSES must be after OPENS"),
            ("OPENS 6 CLOSES 5", "CLOSES must be after OPENS"),
            ("OPENS x", "OPENS is not a whole number"),
            ("OPENS -1", "OPENS is out of range"),
            ("CLOSES 253402300800000", "CLOSES is out of range"),
            ("CLOSES", "option CLOSES needs a value"),
            ("OPENS 5 OPENS 5", "option OPENS is given twice"),
            ("CLOSES 5 CLOSES 5", "option CLOSES is given twice"),
        ] {
            guarded.refuses(&format!("{command} {rule} => ERR {error}"));
        }
    }
    guarded.refuses(
        "LB.CREATE absent SHOWN SHOWN => ERR option SHOWN is given twice
         LB.CREATE absent DECLARED DECLARED => ERR option DECLARED is given twice
         LB.CREATE absent SHOWN AGGREGATE MAX => ERR SHOWN needs AGGREGATE SUM
         LB.CREATE absent AGGREGATE LAST SHOWN => ERR SHOWN needs AGGREGATE SUM
         LB.CREATE absent AGGREGATE MIN LIMIT a voter 5 day => ERR voting needs AGGREGATE SUM
         LB.CREATE absent AGGREGATE MAX LIMIT a voter 5 day => ERR voting needs AGGREGATE SUM",
    );
}

#[test]
fn options_are_declared_with_whole_numbers_where_counts_are_shown() {
    Guarded::start().refuses(
        "LB.OPTION shown ann WEIGHT -1 => ERR WEIGHT is out of range
         LB.OPTION shown ann WEIGHT 1.5 => ERR WEIGHT is not a whole number
         LB.OPTION shown ann WEIGHT x => ERR WEIGHT is not a whole number
         LB.OPTION shown ann WEIGHT 1000000001 => ERR WEIGHT is out of range
         LB.OPTION shown ann WEIGHT 99999999999999999999 => ERR WEIGHT is out of range
         LB.OPTION shown ann WEIGHT => ERR option WEIGHT needs a value
         LB.OPTION shown ann WEIGHT 2 WEIGHT 2 => ERR option WEIGHT is given twice
         LB.OPTION shown ann INITIAL -1 => ERR INITIAL is out of range
         LB.OPTION shown ann INITIAL 1.5 => ERR INITIAL is not a whole number
         LB.OPTION shown ann INITIAL 9223372036854775808 => ERR INITIAL is out of range
         LB.OPTION shown ann INITIAL 5 INITIAL 6 => ERR option INITIAL is given twice
         LB.OPTION shown new INITIAL => ERR option INITIAL needs a value
         LB.OPTION shown <0> => ERR member must have 1 to 512 bytes
         LB.OPTION shown <513> => ERR member must have 1 to 512 bytes
         LB.OPTION shown new FOO => ERR unknown option 'FOO'
         LB.OPTION shown new AT 5 => ERR unknown option 'AT'
         LB.OPTION plain ann WEIGHT 2 => ERR WEIGHT needs a board with SHOWN
         LB.OPTION plain ann INITIAL 5 => ERR INITIAL needs a board with SHOWN
         LB.OPTION absent ann WEIGHT 2 => ERR WEIGHT needs a board with SHOWN
         LB.OPTION absent ann INITIAL 1 => ERR INITIAL needs a board with SHOWN
         LB.OPTIONS shown => ERR wrong number of arguments for 'LB.OPTIONS' command
         LB.OPTIONS shown x => ERR cursor is not a whole number
         LB.OPTIONS shown -1 => ERR cursor is out of range
         LB.OPTIONS shown 99999999999999999999 => ERR cursor is out of range
         LB.OPTIONS shown 0 COUNT 0 => ERR COUNT is out of range
         LB.OPTIONS shown 0 COUNT -1 => ERR COUNT is out of range
         LB.OPTIONS shown 0 COUNT x => ERR COUNT is not a whole number
         LB.OPTIONS shown 0 COUNT => ERR option COUNT needs a value
         LB.OPTIONS shown 0 COUNT 5 COUNT 5 => ERR option COUNT is given twice
         LB.OPTIONS shown 0 FOO => ERR unknown option 'FOO'
         LB.OPTIONS absent 0 COUNT 0 => ERR COUNT is out of range",
    );
}

#[test]
fn an_initial_count_stays_in_range() {
    Guarded::start().refuses(
        "LB.OPTION shown ann INITIAL 9223372036854775807 WEIGHT 3 INITIAL 5 => ERR option INITIAL is given twice",
    );
    let server = Server::start(Flavor::Redis70);
    play(
        &mut server.connection(),
        "LB.CREATE poll SHOWN DECIMALS 2 CLOCK EVENT
         LB.OPTION poll ann INITIAL 92233720368547758 => OK
         LB.OPTION poll bob INITIAL 92233720368547759 => ERR INITIAL is out of range
         LB.VOTE poll 1 ann AT 5 => ERR the score would be out of range
         LB.OPTION poll bob WEIGHT 1000000000
         LB.VOTE poll 92233720368547758 bob AT 5 => ERR the score would be out of range
         LB.VOTE poll 92233720 bob AT 5 => [1 [[\"92233720000000000\" 2 1]]]
         LB.OPTION poll bob INITIAL 1000000000 => ERR the score would be out of range
         LB.OPTION poll bob INITIAL 300000000 => OK
         LB.SCORE poll bob REAL => \"92233720\"",
    );
}

#[test]
fn voters_are_those_of_a_view_and_a_period() {
    Guarded::start().refuses(
        "LB.VOTERS poll VIEW week => ERR VIEW 'week' is not a view of this board
         LB.VOTERS poll VIEW x => ERR VIEW 'x' is not a view of this board
         LB.VOTERS absent VIEW x => ERR VIEW 'x' is not a view of this board
         LB.VOTERS poll VIEW day PERIOD x => ERR PERIOD 'x' is not the name of a period here
         LB.VOTERS poll VIEW day PERIOD 2019-W12 => ERR PERIOD '2019-W12' is not the name of a period here
         LB.VOTERS poll VIEW day PERIOD 01 => ERR PERIOD '01' is not the name of a period here
         LB.VOTERS poll PERIOD 2019-03-18 => ERR PERIOD '2019-03-18' is not the name of a period here
         LB.VOTERS poll PERIOD -1 AT 5 => ERR options PERIOD and AT exclude each other
         LB.VOTERS poll MEMBER <0> => ERR MEMBER must have 1 to 512 bytes
         LB.VOTERS poll MEMBER <513> => ERR MEMBER must have 1 to 512 bytes
         LB.VOTERS poll MEMBER a MEMBER b => ERR option MEMBER is given twice
         LB.VOTERS poll REAL => ERR unknown option 'REAL'
         LB.TOP poll 5 REAL REAL => ERR option REAL is given twice",
    );
}
