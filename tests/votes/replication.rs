//! What replicas are sent of votes: who cast them, when, and nothing of what was held back.

use leaderboard_testkit::session::{play, shown};
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, pipeline, query, run, wait_for_sync, words,
};
use redis::{Connection, Value};

use super::play_dated;
use crate::replication::stream::Watched;

#[test]
fn votes_are_sent_with_who_cast_them_and_when() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            ("LB.VOTE poll 1 ann", &["LB.VOTE poll 1 ann AT now"]),
            ("lb.vote poll 1 ann id one", &["LB.VOTE poll 1 ann ID one AT now"]),
            ("LB.VOTE poll 1 ann ID one", &[]),
            ("LB.VOTE poll 2 ann ID one", &[]),
            ("LB.VOTE poll 1 ann by v", &["LB.VOTE poll 1 ann BY v AT now"]),
            (
                "LB.VOTE poll 1 ann TAG ip x AT 1000 tag os y ID two BY v",
                &["LB.VOTE poll 1 ann ID two BY v TAG ip x TAG os y AT 1000 NOW now"],
            ),
            ("LB.VOTE poll 1 ann AT 1000", &["LB.VOTE poll 1 ann AT 1000 NOW now"]),
            ("LB.MVOTE poll 1 ann 2 bob", &["LB.MVOTE poll AT now 1 ann 2 bob"]),
            (
                "LB.MVOTE poll BY v ID three TAG ip x AT 5 1 ann 2 bob",
                &["LB.MVOTE poll ID three BY v TAG ip x AT 5 NOW now 1 ann 2 bob"],
            ),
            ("LB.MVOTE poll BY v ID three TAG ip x AT 5 1 ann 2 bob", &[]),
            (
                r"LB.VOTE poll 1 \x00 BY \xff TAG \x01 \x02",
                &[r"LB.VOTE poll 1 \x00 BY \xff TAG \x01 \x02 AT now"],
            ),
            ("LB.OPTION poll ann", &["LB.OPTION poll ann NOW now"]),
            ("LB.OPTION poll ann", &[]),
            ("LB.CREATE shown SHOWN", &["LB.CREATE shown SHOWN"]),
            ("LB.OPTION shown ann weight 2 INITIAL 5", &["LB.OPTION shown ann weight 2 INITIAL 5 NOW now"]),
            ("LB.OPTION shown ann INITIAL 5 WEIGHT 2", &[]),
            ("LB.OPTION shown ann INITIAL 6", &["LB.OPTION shown ann INITIAL 6 NOW now"]),
            ("LB.QUOTA poll BY v", &[]),
            ("LB.OPTIONS poll 0", &[]),
            ("LB.VOTERS poll", &[]),
        ]);
    }
}

#[test]
fn what_is_held_back_is_not_sent() {
    for flavor in Flavor::all() {
        Watched::start(flavor).sends(&[
            (
                "LB.CREATE poll CLOCK EVENT CLOSES 9000 LIMIT r voter 2 second",
                &["LB.CREATE poll CLOCK EVENT CLOSES 9000 LIMIT r voter 2 second"],
            ),
            ("LB.VOTE poll 2 ann BY v AT 1000 ID one", &["LB.VOTE poll 2 ann ID one BY v AT 1000"]),
            ("LB.VOTE poll 1 ann BY v AT 1000", &[]),
            ("LB.VOTE poll 1 ann BY v AT 1000 ID two", &[]),
            ("LB.MVOTE poll BY v AT 1999 ID two 1 ann", &[]),
            ("LB.MVOTE poll BY w AT 2000 2 ann 1 bob", &[]),
            ("LB.VOTE poll 1 ann BY v AT 9000", &[]),
            ("LB.VOTE poll 1 ann BY v AT 2500 ID two", &["LB.VOTE poll 1 ann ID two BY v AT 2500"]),
            ("LB.VOTE poll 1 ann BY w AT 1000", &["LB.VOTE poll 1 ann BY w AT 1000 NOW 2500"]),
            ("LB.VOTE poll 2 ann BY w AT 1000", &[]),
            ("LB.VOTE poll 1 ann AT 2500", &[]),
            ("LB.OPTION poll bob", &["LB.OPTION poll bob NOW 2500"]),
            (
                "LB.ALTER poll UNLIMIT r LIMIT s member 5 all OPENS 0",
                &["LB.ALTER poll UNLIMIT r LIMIT s member 5 all OPENS 0 NOW 2500"],
            ),
        ]);
    }
}

const SETUP: &str =
    "LB.CREATE poll VIEWS all,minute,minute:3,hour CLOCK EVENT SHOWN RETAIN 3 DEDUP 3600 LIMIT a voter 3 minute LIMIT b voter+ip 4 hour BONUS ip i1 2 LIMIT c member 9 second LIMIT d ip 200 all
     LB.CREATE some VIEWS day,all DECLARED CLOCK EVENT OPENS @2019-03-18T00:02 CLOSES @2019-03-18T04:00 LIMIT a voter 5 hour
     LB.CREATE live VIEWS all,hour LIMIT a voter 15 year LIMIT b member 90 all";

const BOARDS: [&str; 3] = ["poll", "some", "live"];

/// Numbers that look like chance, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Requests of all kinds, over four hours; about half of the votes are held back.
fn requests(random: &mut Random, count: u64, from: u64) -> Vec<Words> {
    (from..from + count)
        .map(|step| {
            let at =
                1_552_867_200_000 + step * 9_000 - random.below(2) * random.below(200_000).min(step * 9_000);
            let board = BOARDS[random.below(3) as usize];
            let time = if board == "live" { String::new() } else { format!(" AT {at}") };
            let (voter, member) = (random.below(12), random.below(6));
            let id = if random.below(3) == 0 { format!(" ID r{}", random.below(150)) } else { String::new() };
            let who = format!("BY v{voter} TAG ip i{}{id}{time}", voter % 4);
            let line = match random.below(20) {
                0 => format!("LB.OPTION {board} m{member}"),
                1 => {
                    format!("LB.OPTION poll m{member} WEIGHT {} INITIAL {}", random.below(4), random.below(9))
                }
                2 => format!("LB.REM {board} m{member}"),
                3 if board == "live" => format!("LB.ALTER live LIMIT a voter {} year", 10 + random.below(10)),
                3 => format!("LB.ALTER {board} LIMIT a voter {} minute", 2 + random.below(4)),
                4 => format!("LB.ALTER {board} LIMIT e voter {} day", 25 + random.below(20)),
                5 => format!("LB.ALTER {board} UNLIMIT e"),
                6 if board == "poll" => format!("LB.ALTER poll RETAIN {}", random.below(4)),
                6..10 => {
                    format!("LB.MVOTE {board} {who} {} m{member} 1 m{}", 1 + random.below(3), random.below(6))
                }
                10 => format!("LB.ADD {board} 5 m{member}{id}{time}"),
                _ => format!("LB.VOTE {board} {} m{member} {who}", 1 + random.below(2)),
            };
            words(&line.split(' ').collect::<Vec<_>>())
        })
        .collect()
}

fn digests(con: &mut Connection) -> [String; 3] {
    BOARDS.map(|board| digest(con, board))
}

/// What voters can see of their limits.
fn quotas(con: &mut Connection) -> Vec<String> {
    let ask = |board: &'static str| {
        (0..12).map(move |voter| {
            let (by, ip) = (format!("v{voter}"), format!("i{}", voter % 4));
            words(&["LB.QUOTA", board, "BY", &by, "TAG", "ip", &ip, "MEMBER", "m1"])
        })
    };
    let asked: Vec<Words> = ["poll", "some"].into_iter().flat_map(ask).collect();
    let mut seen: Vec<String> = pipeline(con, &asked).iter().map(shown).collect();
    for line in [
        "LB.VOTERS poll",
        "LB.VOTERS poll VIEW minute:3",
        "LB.VOTERS poll VIEW minute:3 PERIOD -1",
        "LB.VOTERS poll VIEW minute:3 PERIOD -2 MEMBER m1",
        "LB.VOTERS some VIEW day",
        "LB.VOTERS live MEMBER m1",
    ] {
        seen.push(query::<u64, _>(con, &line.split(' ').collect::<Vec<_>>()).to_string());
    }
    seen
}

fn beginning_with(replies: &[Result<Value, String>], begin: &str) -> usize {
    replies.iter().filter(|reply| shown(reply).starts_with(begin)).count()
}

#[test]
fn replicas_and_files_hold_the_same_after_any_mix_of_votes() {
    for flavor in Flavor::all() {
        let preamble = if flavor == Flavor::Redis82 { "yes" } else { "no" };
        let aof = Server::builder(flavor).arg("appendonly", "yes").arg("aof-use-rdb-preamble", preamble);
        let (mut primary, replica) = (aof.start(), Server::start(flavor));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        let mut con = primary.connection();
        play_dated(&mut con, SETUP);
        let (mut random, mut held, mut taken) = (Random(flavor as u64 + 7), 0, 0);
        for round in 0..4 {
            let replies = pipeline(&mut con, &requests(&mut random, 250, round * 250));
            (held, taken) = (
                held + beginning_with(&replies, "[0 \""),
                taken + beginning_with(&replies, "[1 [[") - beginning_with(&replies, "[1 [[nil"),
            );
            wait_for_sync(&primary, &replica);
            assert_eq!(digests(&mut replica.connection()), digests(&mut con), "{flavor:?}, round {round}");
            if round == 1 {
                run(&mut con, &["DEBUG", "RELOAD"]);
            }
            if round == 2 {
                bgrewriteaof_and_wait(&mut con);
            }
        }
        assert!(held > 150 && taken > 150, "{held} held back, {taken} taken");
        let before = (digests(&mut con), quotas(&mut con));
        let other = (digests(&mut replica.connection()), quotas(&mut replica.connection()));
        assert_eq!(other, before, "{flavor:?}");
        primary.restart_nosave();
        let mut con = primary.connection();
        assert_eq!((digests(&mut con), quotas(&mut con)), before, "{flavor:?}, from the file");
    }
}

#[test]
fn a_promoted_replica_goes_on_with_limits_voters_and_ids() {
    const STEPS: &str = r#"LB.CREATE poll CLOCK EVENT LIMIT r voter 5 day
        LB.VOTE poll 4 ann BY v ID one AT 1000 => [1 [[4 1 1]]]
        LB.VOTE poll 1 ann BY w AT 900 => [1 [[5 1 1]]]
        LB.CREATE live LIMIT r voter 5 all
        LB.VOTE live 4 ann BY v ID one => [1 [[4 1 1]]]
        LB.VOTE live 2 ann BY v => [0 "r" -1]"#;
    const REST: &str = r#"LB.QUOTA poll BY v => [["r" 4 5 86399000]]
        LB.VOTERS poll => 2
        LB.VOTE poll 4 ann BY v ID one AT 1000 => [1 [[5 1 0]]]
        LB.VOTE poll 2 ann BY v AT 2000 => [0 "r" 86398000]
        LB.VOTE poll 1 ann BY v AT 2000 => [1 [[6 1 1]]]
        LB.VOTE poll 1 ann BY v AT 2000 => [0 "r" 86398000]
        LB.VOTERS poll => 2
        LB.VOTE live 4 ann BY v ID one => [1 [[4 1 0]]]
        LB.VOTE live 2 ann BY v => [0 "r" -1]
        LB.VOTE live 1 ann BY v => [1 [[5 1 1]]]
        LB.VOTE live 1 ann BY v => [0 "r" -1]
        LB.VOTERS live => 1"#;
    for flavor in Flavor::all() {
        let [primary, by_stream, by_sync] = [(); 3].map(|()| Server::start(flavor));
        by_stream.replica_of(&primary);
        wait_for_sync(&primary, &by_stream);
        play(&mut primary.connection(), STEPS);
        by_sync.replica_of(&primary);
        for replica in [&by_stream, &by_sync] {
            wait_for_sync(&primary, replica);
            let mut con = replica.connection();
            play(&mut con, "REPLICAOF NO ONE => OK");
            play(&mut con, REST);
        }
    }
}
