//! Tests of the effects of a change: an event, a command to the replicas, and the end of a transaction that watches
//! the key. A command that changes nothing has none of these effects.

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, ReplicationStream, Server};

use super::events::Events;

/// Commands without their prefix, each with its event without the prefix. An empty event means that the command
/// changes nothing.
struct Session {
    prefix: &'static str,
    lines: &'static [(&'static str, &'static str)],
}

const BOARD: Session = Session {
    prefix: "LB.",
    lines: &[
        ("CREATE board DEDUP 60", "create board"),
        ("CREATE board", ""),
        ("ALTER board DEDUP 600", "alter board"),
        ("ALTER absent DEDUP 600", ""),
        ("ADD board 5 ann ID one", "add board"),
        ("ADD board 5 ann ID one", ""),
        ("ADD board 6 ann ID one", ""),
        ("ADD board x ann", ""),
        ("ADD board 5 ann AT 253402300799999", ""),
        ("ADD board 1 ann", "add board"),
        ("ADD board 5 eve", "add board"),
        ("ADD new 5 ann", "add new"),
        ("ADD other x ann", ""),
        ("ADD other 5 ann FOO", ""),
        ("ADD other 5 ann AT 253402300799999", ""),
        ("ADD text 5 ann", ""),
        ("MADD board ID two 5 ann 6 bob", "add board"),
        ("MADD board ID two 5 ann 6 bob", ""),
        ("MADD board 5 ann x bob", ""),
        ("MADD board 5 ann 9223372036854775807 ann", ""),
        ("SET board 5 ann", "set board"),
        ("SET board 4 ann GT", ""),
        ("SET board 4 ann NX", ""),
        ("SET board 4 cat XX", ""),
        ("SET absent 4 cat XX", ""),
        ("SET absent 4 ann XX ID four", ""),
        ("SET board 4 ann ID three", "set board"),
        ("SET board 4 ann ID three", ""),
        ("SETMETA board ann text", "setmeta board"),
        ("SETMETA board ann text", ""),
        ("SETMETA board ann other", "setmeta board"),
        ("SETMETA board ann <0>", "setmeta board"),
        ("SETMETA board ann <0>", ""),
        ("SETMETA absent ann <0>", ""),
        ("REM board nobody", ""),
        ("REM absent nobody", ""),
        ("REM board ann nobody", "rem board"),
        ("ADD board 5 ann ID one", ""),
        ("TOP board 5", ""),
        ("STANDING board bob", ""),
        ("INFO board", ""),
        ("COUNT board", ""),
        ("RESTORE board nonsense", ""),
        ("RESTORE absent nonsense", ""),
        ("REM board bob", "rem board"),
        ("REM board bob", ""),
    ],
};

const HIDING: Session = Session {
    prefix: "LB.",
    lines: &[
        ("MADD board 5 ann 6 bob 7 cat", "add board"),
        ("HIDE board ann bob", "hide board"),
        ("HIDE board ann", ""),
        ("HIDE board ann ghost", "hide board"),
        ("HIDE absent ann", ""),
        ("HIDE board <513>", ""),
        ("HIDDEN board", ""),
        ("UNHIDE board cat nobody", ""),
        ("UNHIDE board cat bob", "unhide board"),
        ("UNHIDE board bob", ""),
        ("UNHIDE absent ann", ""),
        ("MSET board ID one 5 ann 6 bob", "set board"),
        ("MSET board ID one 5 ann 6 bob", ""),
        ("MSET board ID one 5 ann 7 bob", ""),
        ("MSET board 5 ann x bob", ""),
        ("MSET new 5 ann", "set new"),
        ("ADD board 5 bob META text", "add board"),
        ("SET board 5 bob META text XX", "set board"),
        ("REMRANGE board 9 10", ""),
        ("REMRANGE absent 1 -1", ""),
        ("REMRANGE board 2 2", "rem board"),
        ("REMRANGEBYSCORE board 100 200", ""),
        ("REMRANGEBYSCORE absent -inf +inf", ""),
        ("REMRANGEBYSCORE board -inf +inf", "rem board"),
        ("STATS board", ""),
        ("AMONG board MEMBERS 1 ann", ""),
        // The removal of the worst member is part of the write.
        ("CREATE kept KEEP 1", "create kept"),
        ("ADD kept 5 ann", "add kept"),
        ("ADD kept 6 bob", "add kept"),
        ("ADD kept 1 cat", "add kept"),
        ("ALTER kept KEEP 2", "alter kept"),
    ],
};

const VOTES: Session = Session {
    prefix: "LB.",
    lines: &[
        ("CREATE poll LIMIT r voter 2 all", "create poll"),
        ("VOTE poll 1 ann BY v ID one", "vote poll"),
        ("VOTE poll 1 ann BY v ID one", ""),
        ("VOTE poll 2 ann BY v ID two", ""),
        ("VOTE poll 3 ann BY w", ""),
        ("MVOTE poll BY v 1 ann 1 bob", ""),
        ("MVOTE poll BY v 1 bob", "vote poll"),
        ("VOTE poll 1 ann", ""),
        ("VOTE new 1 ann", "vote new"),
        ("VOTE other x ann", ""),
        ("VOTE other 0 ann", ""),
        ("OPTION poll ann", "option poll"),
        ("OPTION poll ann", ""),
        ("OPTION poll ann WEIGHT 2", ""),
        ("OPTION made ann", "option made"),
        ("QUOTA poll BY v", ""),
        ("OPTIONS poll 0", ""),
        ("VOTERS poll", ""),
        ("ALTER poll CLOSES 1", "alter poll"),
        ("VOTE poll 1 ann BY w", ""),
        ("ALTER poll CLOSES 0 UNLIMIT r", "alter poll"),
        ("CREATE shown SHOWN", "create shown"),
        ("OPTION shown ann", "option shown"),
        ("OPTION shown ann WEIGHT 1 INITIAL 0", ""),
        ("OPTION shown ann WEIGHT 2", "option shown"),
        ("OPTION shown bob", "option shown"),
    ],
};

const LEAGUE: Session = Session {
    prefix: "LB.LEAGUE.",
    lines: &[
        (
            "CREATE league TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5",
            "create league",
        ),
        ("CREATE league TIERS a PROMOTE 0 DEMOTE 0 CYCLE day", ""),
        ("CREATE other TIERS a PROMOTE 1 DEMOTE 0 CYCLE day", ""),
        ("JOIN league ann AT 110000", "join league"),
        ("JOIN league ann AT 120000", ""),
        ("JOIN league ann AT 120000 META x", "setmeta league"),
        ("JOIN league ann AT 120000 META x", ""),
        ("JOIN league ann AT 99999 META other", ""),
        ("JOIN league ann", ""),
        ("JOIN league bob AT 120000 META x", "join league"),
        ("JOIN league cat AT 99999", ""),
        ("JOIN league cat AT 150000", ""),
        ("JOIN league cat AT 150000 META x", ""),
        ("JOIN absent cat AT 150000", ""),
        ("ADD league 5 ann AT 130000 ID one", "add league"),
        ("ADD league 5 ann AT 130000 ID one", ""),
        ("ADD league 6 ann AT 130000 ID one", ""),
        ("ADD league 5 ann AT 130000", "add league"),
        ("ADD league 0 ann AT 140000", "add league"),
        ("ADD league 0 dan AT 130000", "add league"),
        ("ADD league 5 cat AT 99999", ""),
        ("ADD league 5 cat AT 99999 ID two", ""),
        ("ADD league 5 cat AT 150000", ""),
        ("ADD league 5 cat AT 199999 ID two", ""),
        ("ADD league 5 cat AT 149999 ID two", "add league"),
        ("ADD league 5 ann AT 99999", ""),
        ("ADD league x ann AT 130000", ""),
        ("ADD league 9223372036854775807 ann AT 145000", ""),
        ("TIER league ann b", "tier league"),
        ("TIER league ann b", ""),
        ("TIER league ann c", ""),
        ("SETMETA league ann y", "setmeta league"),
        ("SETMETA league ann y", ""),
        ("SETMETA league nobody <0>", ""),
        ("ALTER league GROUP 5", "alter league"),
        ("ALTER league GROUP 0", ""),
        ("ALTER absent GROUP 5", ""),
        ("REM league nobody", ""),
        ("TOP league ann PERIOD -1", ""),
        ("REM league ann nobody bob", "rem league"),
        ("REM absent ann", ""),
        ("TOP league dan", ""),
        ("GROUP league a 1", ""),
        ("STANDING league dan", ""),
        ("INFO league", ""),
        ("RESTORE absent nonsense", ""),
    ],
};

const COUNTER: Session = Session {
    prefix: "LB.COUNTER.",
    lines: &[
        ("CREATE counter PRECISIONS 1,60 CLOCK EVENT", "create counter"),
        ("CREATE counter", ""),
        ("CREATE other PRECISIONS 0", ""),
        ("CREATE other SAMPLES 0", ""),
        ("INCR counter AT 61000", "incr counter"),
        ("INCR counter BY 0 AT 61000", "incr counter"),
        ("INCR counter BY 5 ID one AT 61000", "incr counter"),
        ("INCR counter BY 5 ID one AT 61000", ""),
        ("INCR counter BY 5 ID one AT 99000", ""),
        ("INCR counter BY 6 ID one AT 61000", ""),
        ("INCR counter AT 5", "incr counter"),
        ("INCR counter", ""),
        ("INCR counter BY x AT 61000", ""),
        ("INCR counter BY 9223372036854775807 AT 61000", ""),
        ("INCR other BY x", ""),
        ("INCR other AT 253402300799999", ""),
        // As with boards, one event reports both the new key and the write.
        ("INCR new", "incr new"),
        ("ALTER counter SAMPLES 5", "alter counter"),
        ("ALTER counter SAMPLES 0", ""),
        ("ALTER counter PRECISIONS +1", ""),
        ("ALTER counter PRECISIONS +5", "alter counter"),
        ("ALTER counter PRECISIONS +5", ""),
        ("ALTER counter PRECISIONS -1", "alter counter"),
        ("ALTER absent SAMPLES 5", ""),
        ("GET counter 60", ""),
        ("GET counter 60 FILL", ""),
        ("GET counter 7", ""),
        ("GET absent 60", ""),
        ("MGET 60 KEYS 2 counter absent", ""),
        ("INFO counter", ""),
        ("INFO absent", ""),
        ("RESTORE absent nonsense", ""),
        ("RESTORE counter nonsense", ""),
        ("INCR counter BY 1 AT 999000", "incr counter"),
    ],
};

const SESSIONS: [Session; 5] = [BOARD, HIDING, VOTES, LEAGUE, COUNTER];

/// Runs a session while other connections read the events, the replication stream and a watched key.
fn follow(server: &Server, classes: &str, session: &Session) {
    let (mut con, mut watcher) = (server.connection(), server.connection());
    play(&mut con, "FLUSHALL\nSET text value");
    let mut events = Events::of(server, classes);
    let mut stream = ReplicationStream::of(server);
    for (line, event) in session.lines {
        let key = line.split(' ').nth(1).expect("a key");
        play(&mut watcher, &format!("WATCH {key} absent\nMULTI\nPING"));
        say(&mut con, &format!("{}{line}", session.prefix));
        let changed = !event.is_empty();
        let event = changed.then(|| format!("{}{event}", session.prefix.to_lowercase()));
        let what = format!("{:?}, {classes}: {}{line}", server.flavor(), session.prefix);
        assert_eq!(events.take(&mut con), event.into_iter().collect::<Vec<_>>(), "{what}");
        // Redis 6.2 wraps each possible write in a transaction, and `events` publishes messages, so only the module's
        // commands count.
        let is_sent = stream.take().iter().any(|sent| sent.starts_with("LB."));
        assert_eq!(is_sent, changed, "{what}: sent to replicas");
        let breaks = say(&mut watcher, "EXEC");
        assert_eq!(breaks, if changed { "nil" } else { "[PONG]" }, "{what}: a transaction that watches");
    }
}

#[test]
fn a_change_is_an_event_is_sent_and_breaks_a_watch_and_nothing_else_does() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        // Redis 6.2 has no event class for modules.
        let classes: &[&str] = if flavor == Flavor::Redis62 { &["EA"] } else { &["EA", "Ed"] };
        for classes in classes {
            SESSIONS.iter().for_each(|session| follow(&server, classes, session));
        }
    }
}

#[test]
fn a_key_that_goes_breaks_a_watch() {
    let server = Server::start(Flavor::Redis70);
    let (mut con, mut watcher) = (server.connection(), server.connection());
    for make in [
        "LB.ADD key 5 ann",
        "LB.LEAGUE.CREATE key TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
        "LB.COUNTER.INCR key",
    ] {
        play(&mut con, make);
        play(&mut watcher, "WATCH key\nMULTI\nPING");
        play(&mut con, "DEL key => 1");
        assert_eq!(say(&mut watcher, "EXEC"), "nil", "{make}");
    }
}

#[test]
fn a_piece_of_a_saved_value_is_an_event() {
    let server = super::corruption::server(Flavor::Redis70);
    let mut con = server.connection();
    let mut events = Events::of(&server, "EA");
    for key in super::corruption::SMALL {
        let native = crate::natives::find(key).0;
        let dump = crate::natives::dump_of(&mut con, key);
        let head = leaderboard_testkit::payload::Payload::parse(&dump).chunks.remove(0);
        events.take(&mut con);
        leaderboard_testkit::run(&mut con, &native.piece("again", &head));
        let event = format!("{}restore again", native.prefix.to_lowercase());
        assert_eq!(events.take(&mut con), [event]);
        play(&mut con, "DEL again");
    }
}
