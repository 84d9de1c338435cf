//! Tests of the replication stream: writes have the time at which they were applied, and commands that change nothing
//! are not sent.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, run};
use redis::Connection;

pub struct Watched {
    server: Server,
    pub con: Connection,
    stream: ReplicationStream,
}

impl Watched {
    pub fn start(flavor: Flavor) -> Watched {
        let server = Server::start(flavor);
        let (con, stream) = (server.connection(), ReplicationStream::of(&server));
        Watched { server, con, stream }
    }

    /// Runs each line, and checks the commands that it sends. Moments in this century are shown as `now`.
    #[track_caller]
    pub fn sends(&mut self, table: &[(&str, &[&str])]) {
        for (line, expected) in table {
            say(&mut self.con, line);
            let sent = self.stream.take();
            // Redis 6.2 wraps each write in a transaction.
            let frame = |command: &&String| self.server.flavor() != Flavor::Redis62 || !is_frame(command);
            let sent: Vec<String> = sent.iter().filter(frame).map(|command| timeless(command)).collect();
            assert_eq!(sent, *expected, "{:?}: {line}", self.server.flavor());
        }
    }
}

fn is_frame(command: &str) -> bool {
    ["MULTI", "EXEC"].contains(&command)
}

fn timeless(command: &str) -> String {
    let is_now = |word: &&str| word.len() == 13 && word.parse::<u64>().is_ok();
    command.split(' ').map(|word| if is_now(&word) { "now" } else { word }).collect::<Vec<_>>().join(" ")
}

#[test]
fn writes_are_sent_with_the_time_they_were_applied_at() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.ADD board 5 ann", &["LB.ADD board 5 ann AT now"]),
            ("lb.add board 5 ann withchange view ALL", &["LB.ADD board 5 ann AT now"]),
            ("LB.ADD board 5 ann AT 1000", &["LB.ADD board 5 ann AT 1000 NOW now"]),
            ("LB.ADD board 5 ann ID one", &["LB.ADD board 5 ann ID one AT now"]),
            ("LB.ADD board 5 ann AT 1000 ID two", &["LB.ADD board 5 ann ID two AT 1000 NOW now"]),
            ("LB.ADD board 0 ann", &["LB.ADD board 0 ann AT now"]),
            ("LB.MADD board 5 ann 6 bob", &["LB.MADD board AT now 5 ann 6 bob"]),
            ("LB.MADD board AT 1000 5 ann", &["LB.MADD board AT 1000 NOW now 5 ann"]),
            ("LB.MADD board ID three VIEW all 5 ann", &["LB.MADD board ID three AT now 5 ann"]),
            ("LB.MADD board AT 1 ID four 5 ann", &["LB.MADD board ID four AT 1 NOW now 5 ann"]),
            ("LB.ADD board 5 ann QUIET", &["LB.ADD board 5 ann AT now"]),
            ("LB.MADD board QUIET 5 ann 6 bob", &["LB.MADD board AT now 5 ann 6 bob"]),
            ("LB.SET board 5 ann", &["LB.SET board 5 ann AT now"]),
            ("LB.SET board 6 ann AT 1000 WITHCHANGE", &["LB.SET board 6 ann AT 1000 NOW now"]),
            ("LB.SET board 7 ann ID five", &["LB.SET board 7 ann ID five AT now"]),
            ("LB.SET board 8 ann ID six AT 9", &["LB.SET board 8 ann ID six AT 9 NOW now"]),
        ]);
    }
}

#[test]
fn a_score_keeps_its_condition() {
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        Watched::start(flavor).sends(&[
            ("LB.SET board 5 ann NX ID one", &["LB.SET board 5 ann NX ID one AT now"]),
            ("LB.SET board 6 ann gt xx", &["LB.SET board 6 ann XX GT AT now"]),
            ("LB.SET board 5 ann AT 9 LT", &["LB.SET board 5 ann LT AT 9 NOW now"]),
            ("LB.SET board 7 ann ID two AT 9 XX GT", &["LB.SET board 7 ann XX GT ID two AT 9 NOW now"]),
        ]);
    }
}

#[test]
fn an_event_board_sends_the_events_time_and_the_clients_words_if_they_say_all() {
    Watched::start(Flavor::Redis70).sends(&[
        ("LB.CREATE board CLOCK EVENT", &["LB.CREATE board CLOCK EVENT"]),
        ("LB.ADD board 5 ann AT 1000", &["LB.ADD board 5 ann AT 1000"]),
        ("LB.ADD board 5 ann ID one AT 2000", &["LB.ADD board 5 ann ID one AT 2000"]),
        ("LB.ADD board 5 ann AT 2000", &["LB.ADD board 5 ann AT 2000"]),
        ("lb.add board 5 ann at 3000 id three", &["lb.add board 5 ann at 3000 id three"]),
        ("LB.ADD board 5 ann AT 3000 ID four QUIET", &["LB.ADD board 5 ann ID four AT 3000"]),
        ("LB.ADD board 5 ann VIEW all AT 3000", &["LB.ADD board 5 ann AT 3000"]),
        ("LB.ADD board 5 ann PARTS 1 AT 3000", &["LB.ADD board 5 ann AT 3000"]),
        ("LB.MADD board AT 3000 5 ann 6 bob", &["LB.MADD board AT 3000 5 ann 6 bob"]),
        ("LB.ADD board 5 ann AT 1500", &["LB.ADD board 5 ann AT 1500 NOW 3000"]),
        ("LB.MADD board AT 0 ID two 5 ann", &["LB.MADD board ID two AT 0 NOW 3000 5 ann"]),
        ("LB.SET board 5 ann AT 1 LT", &["LB.SET board 5 ann LT AT 1 NOW 3000"]),
    ]);
}

#[test]
fn the_time_sent_is_the_time_of_the_entry() {
    let mut watched = Watched::start(Flavor::Redis70);
    play(&mut watched.con, "LB.ADD board 5 ann => [5 1 1]");
    let standing = say(&mut watched.con, "LB.STANDING board ann");
    let [sent] = &watched.stream.take()[..] else { panic!("one command") };
    let at = sent.rsplit(' ').next().expect("a time");
    assert!(standing.ends_with(&format!("\"at\" {at}]")), "{standing} for {sent}");
}

#[test]
fn other_changes_are_sent_as_they_are() {
    Watched::start(Flavor::Redis70).sends(&[
        ("LB.CREATE board ORDER ASC DEDUP 60", &["LB.CREATE board ORDER ASC DEDUP 60"]),
        ("LB.ALTER board DEDUP 5", &["LB.ALTER board DEDUP 5 NOW now"]),
        ("LB.SETMETA board ann text", &["LB.SETMETA board ann text"]),
        ("LB.SETMETA board ann <0>", &["LB.SETMETA board ann "]),
        ("LB.MADD board 5 ann 6 bob", &["LB.MADD board AT now 5 ann 6 bob"]),
        ("LB.REM board ann nobody", &["LB.REM board ann nobody"]),
        ("LB.CREATE daily VIEWS day", &["LB.CREATE daily VIEWS day"]),
        ("LB.ADD daily 5 ann", &["LB.ADD daily 5 ann AT now"]),
        ("LB.REM daily ann nobody", &["LB.REM daily NOW now ann nobody"]),
        ("DEL board", &["DEL board"]),
    ]);
}

#[test]
fn bytes_are_sent_as_they_came() {
    Watched::start(Flavor::Redis70).sends(&[
        (r"LB.ADD \x00k 5 \x00\xff ID \xff\x00", &[r"LB.ADD \x00k 5 \x00\xff ID \xff\x00 AT now"]),
        (r"LB.MADD \x00k ID \x00 5 \x00", &[r"LB.MADD \x00k ID \x00 AT now 5 \x00"]),
        (r"LB.SET \x00k 7 \x00 XX ID \x0d\x0a", &[r"LB.SET \x00k 7 \x00 XX ID \r\n AT now"]),
        (r"LB.REM \x00k \xff \x00", &[r"LB.REM \x00k \xff \x00"]),
    ]);
}

#[test]
fn a_transaction_sends_only_what_it_changed() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        play(
            &mut watched.con,
            "MULTI
             LB.ADD board 5 ann ID one
             LB.ADD board 5 ann ID one
             LB.SET board 4 ann GT
             LB.MADD board 1 ann 1 bob
             LB.REM board nobody
             EXEC",
        );
        let sent: Vec<_> = watched.stream.take().iter().map(|command| timeless(command)).collect();
        let expected =
            ["MULTI", "LB.ADD board 5 ann ID one AT now", "LB.MADD board AT now 1 ann 1 bob", "EXEC"];
        assert_eq!(sent, expected, "{flavor:?}");
        play(&mut watched.con, "MULTI\nLB.ADD board 5 ann ID one\nLB.REM board nobody\nEXEC");
        assert!(watched.stream.take().is_empty(), "{flavor:?}");
    }
}

#[test]
fn a_script_sends_what_its_commands_changed() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        if flavor == Flavor::Redis62 {
            // Before 7.0, a server may replicate a whole script instead of its commands.
            run(&mut watched.con, &["CONFIG", "SET", "lua-replicate-commands", "yes"]);
        }
        let script = "redis.call('LB.ADD', KEYS[1], 5, 'ann', 'ID', 'one')
                      redis.call('LB.ADD', KEYS[1], 5, 'ann', 'ID', 'one')
                      redis.call('LB.SET', KEYS[1], 9, 'bob', 'NX')
                      return redis.call('LB.REM', KEYS[1], 'nobody')";
        run(&mut watched.con, &["EVAL", script, "1", "board"]);
        let sent: Vec<_> = watched.stream.take().iter().map(|command| timeless(command)).collect();
        let expected = ["MULTI", "LB.ADD board 5 ann ID one AT now", "LB.SET board 9 bob NX AT now", "EXEC"];
        assert_eq!(sent, expected, "{flavor:?}");
        run(&mut watched.con, &["EVAL", "return redis.call('LB.TOP', KEYS[1], 5)", "1", "board"]);
        assert!(watched.stream.take().is_empty(), "{flavor:?}");
    }
}
