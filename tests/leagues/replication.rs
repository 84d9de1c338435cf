//! Tests of the exact commands that replicas get for leagues.

use leaderboard_testkit::session::words;
use leaderboard_testkit::{Flavor, ReplicationStream, Server, query, run};

use super::play;
use crate::replication::stream::Watched;

const CREATE: &str = "LB.LEAGUE.CREATE live TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE year";

#[test]
fn writes_are_sent_with_the_time_they_were_applied_at() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            (CREATE, &[CREATE]),
            ("LB.LEAGUE.JOIN live ann", &["LB.LEAGUE.JOIN live ann AT now"]),
            ("LB.LEAGUE.JOIN live ann META text", &["LB.LEAGUE.JOIN live ann META text AT now"]),
            ("lb.league.join live bob meta one", &["LB.LEAGUE.JOIN live bob META one AT now"]),
            ("LB.LEAGUE.JOIN live bob META <0>", &["LB.LEAGUE.JOIN live bob META  AT now"]),
            ("LB.LEAGUE.ADD live 5 ann", &["LB.LEAGUE.ADD live 5 ann AT now"]),
            ("LB.LEAGUE.ADD live 0 ann", &["LB.LEAGUE.ADD live 0 ann AT now"]),
            ("lb.league.add live 5 ann id one", &["LB.LEAGUE.ADD live 5 ann ID one AT now"]),
            ("LB.LEAGUE.ADD live -5 cat", &["LB.LEAGUE.ADD live -5 cat AT now"]),
            ("LB.LEAGUE.TIER live ann b", &["LB.LEAGUE.TIER live ann b"]),
            ("LB.LEAGUE.SETMETA live ann text2", &["LB.LEAGUE.SETMETA live ann text2"]),
            ("LB.LEAGUE.REM live ann nobody", &["LB.LEAGUE.REM live NOW now ann nobody"]),
            ("LB.LEAGUE.JOIN live NOW", &["LB.LEAGUE.JOIN live NOW AT now"]),
            ("lb.league.rem live NOW 5 ann", &["LB.LEAGUE.REM live NOW now NOW 5 ann"]),
            ("LB.LEAGUE.ALTER live GROUP 5", &["LB.LEAGUE.ALTER live GROUP 5 NOW now"]),
            (
                "lb.league.alter live idle 1 PROMOTE 20%,0",
                &["LB.LEAGUE.ALTER live idle 1 PROMOTE 20%,0 NOW now"],
            ),
            (r"LB.LEAGUE.ADD live 1 \x00\xff ID \xff", &[r"LB.LEAGUE.ADD live 1 \x00\xff ID \xff AT now"]),
            ("DEL live", &["DEL live"]),
        ]);
    }
}

#[test]
fn an_event_league_sends_the_events_time() {
    const CREATE: &str = "LB.LEAGUE.CREATE event TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT";
    for flavor in [Flavor::Redis62, Flavor::Redis70] {
        Watched::start(flavor).sends(&[
            (CREATE, &[CREATE]),
            ("LB.LEAGUE.ALTER event IDLE 1", &["LB.LEAGUE.ALTER event IDLE 1 NOW 0"]),
            ("LB.LEAGUE.JOIN event ann AT 150000", &["LB.LEAGUE.JOIN event ann AT 150000"]),
            (
                "LB.LEAGUE.JOIN event bob AT 120000 META x",
                &["LB.LEAGUE.JOIN event bob META x AT 120000 NOW 150000"],
            ),
            ("LB.LEAGUE.ADD event 5 ann AT 130000", &["LB.LEAGUE.ADD event 5 ann AT 130000 NOW 150000"]),
            ("LB.LEAGUE.ADD event 5 ann AT 150000 ID one", &["LB.LEAGUE.ADD event 5 ann AT 150000 ID one"]),
            ("LB.LEAGUE.REM event bob", &["LB.LEAGUE.REM event NOW 150000 bob"]),
            ("LB.LEAGUE.ADD event 5 bob AT 200000", &["LB.LEAGUE.ADD event 5 bob AT 200000"]),
            ("LB.LEAGUE.ALTER event REWARD 1", &["LB.LEAGUE.ALTER event REWARD 1 NOW 200000"]),
        ]);
    }
}

#[test]
fn a_moment_a_little_ahead_is_sent_as_now() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    run(&mut con, &words(CREATE));
    let mut stream = ReplicationStream::of(&server);
    let [now, _]: [u64; 2] = query(&mut con, &["TIME"]);
    let ahead = (now + 30) * 1_000;
    play(&mut con, &format!("LB.LEAGUE.ADD live 5 ann AT {ahead} => [5 1 1]"));
    let sent = stream.take().join(" ");
    let at: u64 = sent.rsplit(' ').next().expect("a time").parse().expect("a time");
    assert!(at >= now * 1_000 && at < ahead - 10_000 && !sent.contains("NOW"), "{sent}");
}

#[test]
fn transactions_and_scripts_send_only_what_they_changed() {
    for flavor in Flavor::all() {
        let server = Server::start(flavor);
        let mut con = server.connection();
        run(&mut con, &words(CREATE));
        let mut stream = ReplicationStream::of(&server);
        if flavor == Flavor::Redis62 {
            run(&mut con, &["CONFIG", "SET", "lua-replicate-commands", "yes"]);
        }
        play(
            &mut con,
            "MULTI
             LB.LEAGUE.ADD live 5 ann ID one
             LB.LEAGUE.ADD live 5 ann ID one
             LB.LEAGUE.JOIN live ann
             LB.LEAGUE.REM live nobody
             LB.LEAGUE.TIER live ann b
             EXEC",
        );
        let names = |sent: Vec<String>| -> String {
            let name = |line: &String| line.split(' ').next().unwrap_or_default().to_owned();
            sent.iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(stream.take()), "MULTI LB.LEAGUE.ADD LB.LEAGUE.TIER EXEC", "{flavor:?}");
        let script = "redis.call('LB.LEAGUE.JOIN', KEYS[1], 'ann')
            redis.call('LB.LEAGUE.JOIN', KEYS[1], 'bob')
            return redis.call('LB.LEAGUE.REM', KEYS[1], 'ann', 'nobody')";
        run(&mut con, &["EVAL", script, "1", "live"]);
        assert_eq!(names(stream.take()), "MULTI LB.LEAGUE.JOIN LB.LEAGUE.REM EXEC", "{flavor:?}");
    }
}
