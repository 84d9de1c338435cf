//! Prizes on real servers that are killed and that fail over: each prize is paid once, whatever a payer repeats.

use std::collections::BTreeMap;

use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, wait_for_sync};
use redis::{Connection, Value};

const WINNERS: usize = 2_000;
const SETUP: &str = "LB.CREATE cup VIEWS day CLOCK EVENT PRIZES day 1-2000=prize
    LB.ADD cup 1 late AT 86399999";

fn fill(con: &mut Connection) {
    play(con, SETUP);
    let mut add = redis::cmd("LB.MADD");
    add.arg("cup").arg("AT").arg(5);
    (0..WINNERS).for_each(|number| _ = add.arg(WINNERS * 2 - number).arg(format!("m{number}")));
    add.query::<Value>(con).expect("scores");
    assert_eq!(say(con, "LB.ALTER cup NOW 86400000"), "OK");
}

/// Claims a prize. Returns whether the reply says that it has to be paid; `None` if no reply came.
fn claim(con: &mut Connection, member: usize, id: &str) -> Option<bool> {
    let claim =
        redis::cmd("LB.CLAIM").arg("cup").arg(format!("m{member}")).arg("ID").arg(id).query::<Value>(con);
    match claim {
        Ok(Value::Array(reply)) => Some(reply.last() == Some(&Value::Int(1))),
        Ok(other) => panic!("{other:?}"),
        Err(error) if error.is_io_error() => None,
        Err(error) => panic!("{error}"),
    }
}

/// What two payers were told: for each member, the ids that have to be paid.
#[derive(Default)]
struct Ledger(BTreeMap<usize, Vec<String>>);

impl Ledger {
    /// Lets two payers claim the prize of a member. Returns false if a reply did not come.
    fn pay(&mut self, con: &mut Connection, member: usize) -> bool {
        ["one", "two"].iter().all(|payer| {
            let id = format!("{payer}-{member}");
            let told = claim(con, member, &id);
            let paid = self.0.entry(member).or_default();
            if told == Some(true) && !paid.contains(&id) {
                paid.push(id);
            }
            told.is_some()
        })
    }

    #[track_caller]
    fn check(&self, con: &mut Connection) {
        assert_eq!(self.0.len(), WINNERS);
        for (member, paid) in &self.0 {
            assert_eq!(paid.len(), 1, "m{member} was paid by {paid:?}");
        }
        assert_eq!(say(con, "LB.PRIZES cup 0 UNCLAIMED COUNT 1000"), "[\"1000\" []]");
        assert_eq!(say(con, "LB.PRIZES cup 1000 UNCLAIMED COUNT 1000"), "[\"0\" []]");
    }
}

#[test]
fn each_prize_is_paid_once_by_servers_that_are_killed() {
    for flavor in [Flavor::Redis70, Flavor::Valkey91] {
        let mut server =
            Server::builder(flavor).arg("appendonly", "yes").arg("appendfsync", "always").start();
        fill(&mut server.connection());
        let mut ledger = Ledger::default();
        let mut member = 0;
        for until in [137, 900, 901, 1_500, WINNERS] {
            let mut con = server.connection();
            while member < until {
                assert!(ledger.pay(&mut con, member), "{member}");
                member += 1;
            }
            // A claim is under way when the server is killed. Its payer repeats it.
            let next = member % WINNERS;
            let mut asked = redis::cmd("LB.CLAIM");
            asked.arg("cup").arg(format!("m{next}")).arg("ID").arg(format!("one-{next}"));
            con.send_packed_command(&asked.get_packed_command()).expect("a connection");
            server.kill9();
            drop(con);
            server.start_again();
            let mut con = server.connection();
            (0..member).for_each(|again| assert!(ledger.pay(&mut con, again)));
        }
        ledger.check(&mut server.connection());
    }
}

#[test]
fn a_replica_that_takes_over_pays_nobody_twice() {
    let [primary, replica] = [Flavor::Redis82, Flavor::Redis70].map(Server::start);
    let (primary, replica) =
        if primary.flavor() == Flavor::Redis70 { (primary, replica) } else { (replica, primary) };
    replica.replica_of(&primary);
    fill(&mut primary.connection());
    let mut ledger = Ledger::default();
    let mut con = primary.connection();
    (0..1_000).for_each(|member| assert!(ledger.pay(&mut con, member)));
    wait_for_sync(&primary, &replica);
    let mut con = replica.connection();
    assert_eq!(say(&mut con, "REPLICAOF NO ONE"), "OK");
    (0..WINNERS).for_each(|member| assert!(ledger.pay(&mut con, member)));
    ledger.check(&mut con);
}
