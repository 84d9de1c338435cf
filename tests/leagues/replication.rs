//! What replicas are sent of leagues, and that they hold the same after any mix of requests.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{say, shown, words};
use leaderboard_testkit::{
    Flavor, ReplicationStream, Server, Words, bgrewriteaof_and_wait, digest, pipeline, query, run,
    wait_for_sync,
};
use redis::Connection;

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
            ("LB.LEAGUE.ADD event 5 ann AT 150000 ID one", &["LB.LEAGUE.ADD event 5 ann ID one AT 150000"]),
            ("LB.LEAGUE.REM event bob", &["LB.LEAGUE.REM event NOW 150000 bob"]),
            ("LB.LEAGUE.ADD event 5 bob AT 200000", &["LB.LEAGUE.ADD event 5 bob AT 200000"]),
            ("LB.LEAGUE.ALTER event REWARD 1", &["LB.LEAGUE.ALTER event REWARD 1 NOW 200000"]),
        ]);
    }
}

#[test]
fn what_changes_nothing_is_not_sent() {
    for flavor in Flavor::all() {
        let mut watched = Watched::start(flavor);
        watched.sends(&[(
            "LB.LEAGUE.CREATE e TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5",
            &["LB.LEAGUE.CREATE e TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 100s CLOCK EVENT JOINUNTIL 0.5"],
        )]);
        let applied = [
            ("LB.LEAGUE.ADD e 5 ann AT 110000 ID one", &["LB.LEAGUE.ADD e 5 ann ID one AT 110000"][..]),
            ("LB.LEAGUE.JOIN e ann META text AT 140000", &["LB.LEAGUE.JOIN e ann META text AT 140000"]),
            ("LB.LEAGUE.TIER e ann b", &["LB.LEAGUE.TIER e ann b"]),
        ];
        watched.sends(&applied);
        for line in [
            "ADD e 5 ann AT 140000 ID one",
            "ADD e 6 ann AT 140000 ID one",
            "JOIN e ann AT 145000",
            "JOIN e ann AT 145000 META text",
            "JOIN e ann AT 99999 META other",
            "JOIN e bob AT 99999",
            "ADD e 5 bob AT 99999 ID two",
            "ADD e 5 ann AT 99999",
            "JOIN e bob AT 150000 META x",
            "ADD e 5 bob AT 199999 ID two",
            "TIER e ann b",
            "TIER e ann c",
            "SETMETA e ann text",
            "SETMETA e nobody <0>",
            "REM e nobody",
            "REM absent ann",
            "CREATE e TIERS a PROMOTE 0 DEMOTE 0 CYCLE day",
            "ALTER absent GROUP 5",
            "ALTER e GROUP 0",
            "ADD e x ann AT 145000",
            "ADD e 9223372036854775807 ann AT 145000",
            "JOIN e ann",
            "TOP e ann",
            "GROUP e a 1",
            "STANDING e ann",
            "INFO e",
        ] {
            watched.sends(&[(&format!("LB.LEAGUE.{line}"), &[])]);
        }
        watched.sends(&[
            ("LB.LEAGUE.ADD e 0 ann AT 140000", &["LB.LEAGUE.ADD e 0 ann AT 140000"]),
            ("LB.LEAGUE.ADD e 5 bob AT 149999 ID two", &["LB.LEAGUE.ADD e 5 bob ID two AT 149999"]),
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

const LEAGUES: [&str; 4] = ["days", "hours", "short", "live"];

const SETUP: &str = "LB.LEAGUE.CREATE days TIERS a,b,c,d PROMOTE 2,25%,1,0 DEMOTE 0,1,30%,1 CYCLE day CLOCK EVENT GROUP 4 REWARD 2 RETAIN 3 IDLE 1 DEDUP 864000
    LB.LEAGUE.CREATE hours TIERS a,b,c PROMOTE 50%,50%,0 DEMOTE 0,50%,50% CYCLE hour CLOCK EVENT GROUP 3 RETAIN 0 JOINUNTIL 0.7
    LB.LEAGUE.CREATE short TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE 1s RETAIN 1 GROUP 5 DEDUP 1
    LB.LEAGUE.CREATE live TIERS a,b,c PROMOTE 1,1,0 DEMOTE 0,1,1 CYCLE year GROUP 6 DECIMALS 1";

/// Requests of all kinds; what takes a time comes from the last hours, and some of it is late.
fn requests(random: &mut Random, count: u64, from: u64) -> Vec<Words> {
    let line = |random: &mut Random, step: u64| {
        let league = *random.pick(&LEAGUES);
        let at = 1_552_867_200_000 + step * 400_000
            - random.below(3) / 2 * random.below(9_000_000).min(step * 400_000);
        let at = if ["days", "hours"].contains(&league) { format!(" AT {at}") } else { String::new() };
        let (member, n) = (random.below(40), random.below(4));
        let id = if random.percent(30) { format!(" ID r{}", random.below(200)) } else { String::new() };
        match random.below(40) {
            0 => format!("REM {league} m{member}"),
            1 => format!("REM {league} m{member} m{} nobody", random.below(40)),
            2 => format!("TIER {league} m{member} {}", random.pick(&["a", "b", "c"])),
            3 => format!("SETMETA {league} m{member} text{n}"),
            4 => format!("SETMETA {league} m{member} <0>"),
            5 => format!("ALTER {league} GROUP {} REWARD {n}", 1 + random.below(7)),
            6 => format!("ALTER {league} IDLE {n} JOINUNTIL 0.{}", 5 + n),
            7 => format!("ALTER {league} RETAIN {n}"),
            8 => format!("ALTER {league} DEDUP {}", n * 30_000),
            9 => format!("ALTER days PROMOTE {n},1,10%,0 DEMOTE 0,1,{n},2"),
            10..15 => format!("JOIN {league} m{member} META text{n}{at}"),
            15..20 => format!("JOIN {league} m{member}{at}"),
            _ => format!("ADD {league} {} m{member}{id}{at}", random.below(9) as i64 - 2),
        }
    };
    (from..from + count).map(|step| words(&format!("LB.LEAGUE.{}", line(random, step)))).collect()
}

fn digests(con: &mut Connection) -> [String; 4] {
    LEAGUES.map(|league| digest(con, league))
}

/// What can be read, but for the league whose periods pass meanwhile.
fn seen(con: &mut Connection) -> Vec<String> {
    let mut lines = Vec::new();
    for league in ["days", "hours", "live"] {
        for period in ["0", "-1", "-2", "-3"] {
            let groups = (1..4).flat_map(|group| ["a", "b"].map(|tier| format!("{tier} {group}")));
            lines.extend(
                groups.map(|group| words(&format!("LB.LEAGUE.GROUP {league} {group} PERIOD {period}"))),
            );
            lines.push(words(&format!("LB.LEAGUE.STANDING {league} m7 PERIOD {period}")));
        }
    }
    pipeline(con, &lines).iter().map(shown).collect()
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_requests() {
    for flavor in [Flavor::Redis62, Flavor::Redis82, Flavor::Valkey91] {
        let preamble = if flavor == Flavor::Redis82 { "yes" } else { "no" };
        let aof = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
        let (mut primary, replica) = (aof.start(), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play(&mut con, SETUP);
        let mut random = Random::new(flavor as u64 + 11);
        let [mut done, mut held] = [0; 2];
        for round in 0..6 {
            for reply in pipeline(&mut con, &requests(&mut random, 500, round * 500)) {
                let reply = shown(&reply);
                assert!(!reply.contains("inside the module"), "{reply}");
                held += u32::from(
                    ["ERR", "IDREUSED", "[nil"].iter().any(|begin| reply.starts_with(begin))
                        || reply.ends_with(" 0]"),
                );
                done += u32::from(reply.ends_with(" 1]") || reply.contains("\"joined\" 1"));
            }
            // Reading changes nothing, here or there.
            let (here, there) = (seen(&mut con), {
                wait_for_sync(&primary, &replica);
                seen(&mut replica.connection())
            });
            assert_eq!(there, here, "{flavor:?}, round {round}");
            assert_eq!(digests(&mut replica.connection()), digests(&mut con), "{flavor:?}, round {round}");
            match round {
                1 | 4 => drop(run(&mut con, &["DEBUG", "RELOAD"])),
                2 => bgrewriteaof_and_wait(&mut con),
                3 => drop(run(&mut replica.connection(), &["DEBUG", "RELOAD"])),
                _ => {}
            }
        }
        assert!(done > 800 && held > 100, "{done} done, {held} held back");
        let before = (digests(&mut con), seen(&mut con));
        primary.restart_nosave();
        let mut con = primary.connection();
        assert_eq!((digests(&mut con), seen(&mut con)), before, "{flavor:?}, from the file");
    }
}

#[test]
fn a_promoted_replica_goes_on_with_tiers_outcomes_and_ids() {
    const STEPS: &str = r#"LB.LEAGUE.CREATE e TIERS a,b PROMOTE 1,0 DEMOTE 0,1 CYCLE day CLOCK EVENT DEDUP 864000 REWARD 1
        LB.LEAGUE.ADD e 5 ann AT @2019-03-18T10:00 ID one
        LB.LEAGUE.ADD e 5 bob AT @2019-03-18T09:00
        LB.LEAGUE.TIER e cat b
        LB.LEAGUE.JOIN e dan META Dan AT @2019-03-18T10:00
        LB.LEAGUE.REM e dan
        LB.LEAGUE.CREATE live TIERS a PROMOTE 0 DEMOTE 0 CYCLE year
        LB.LEAGUE.ADD live 4 ann ID one => [4 1 1]"#;
    const REST: &str = r#"LB.LEAGUE.ADD e 5 ann AT @2019-03-18T11:00 ID one => [5 2 0]
        LB.LEAGUE.ADD e 6 ann AT @2019-03-18T11:00 ID one => IDREUSED request id was used for a different write
        LB.LEAGUE.JOIN e bob AT @2019-03-19 => [place(b 1 1 1) "joined" 1 "waiting" 0 "last" ["period" "2019-03-18" place(a 1 1 2) "score" 5 "outcome" "promoted" "reward" 1]]
        LB.LEAGUE.JOIN e cat AT @2019-03-19 => [place(b 1 2 2) "joined" 1 "waiting" 0 "last" nil]
        LB.LEAGUE.JOIN e dan AT @2019-03-19 => [place(a 1 1 1) "joined" 1 "waiting" 0 "last" nil]
        LB.LEAGUE.TOP e dan => [[1 "dan" 0 nil]]
        LB.LEAGUE.ADD live 4 ann ID one => [4 1 0]
        LB.LEAGUE.ADD live 4 ann ID two => [8 1 1]"#;
    for flavor in Flavor::all() {
        let [primary, by_stream, by_sync] = [(); 3].map(|()| Server::start(flavor));
        by_stream.replica_of(&primary);
        wait_for_sync(&primary, &by_stream);
        play(&mut primary.connection(), STEPS);
        by_sync.replica_of(&primary);
        for replica in [&by_stream, &by_sync] {
            wait_for_sync(&primary, replica);
            let mut con = replica.connection();
            assert!(say(&mut con, "LB.LEAGUE.JOIN live bob").starts_with("READONLY"));
            play(&mut con, "REPLICAOF NO ONE => OK");
            play(&mut con, REST);
        }
        play(&mut primary.connection(), REST);
        let whole = digest(&mut primary.connection(), "e");
        assert_eq!(
            [&by_stream, &by_sync].map(|server| digest(&mut server.connection(), "e")),
            [&whole[..]; 2]
        );
    }
}
