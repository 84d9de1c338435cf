//! Tests that each error has the right kind.

use leaderboard_client::{
    Kind, Leaderboard, Request, add, alter, count, counters, create, info, kind, leagues,
};
use leaderboard_testkit::{Flavor, Server, run};
use redis::{Client, FromRedisValue};

use crate::client::with_each;

#[test]
fn a_program_can_go_by_the_kind() {
    with_each(|client| {
        client.get(create("game"));
        client.get(add("game", 5, "ann").id("one"));
        client.get(counters::incr("visits").id("one"));
        let league = leagues::create("words").tiers("one").promote("0").demote("0").cycle("week");
        client.get(league.clone());
        client.get(leagues::add("words", 5, "ann").id("one"));
        let mut is = |request: Request<redis::Value>, due| {
            let error = client.ask(&request).expect_err("an error");
            assert_eq!(kind(&error), due, "{request:?}: {error}");
        };
        is(untyped("LB.CREATE game"), Kind::BoardExists);
        is(untyped("LB.ALTER absent KEEP 5"), Kind::NoBoard);
        is(untyped("LB.COUNT words"), Kind::WrongType);
        is(untyped("LB.ADD game 6 ann ID one"), Kind::RequestReused);
        is(untyped("LB.COUNTER.INCR visits BY 6 ID one"), Kind::RequestReused);
        is(untyped("LB.LEAGUE.ADD words 6 ann ID one"), Kind::RequestReused);
        is(untyped("LB.ADD game 5 ann PARTS 4"), Kind::NoPart);
        is(untyped("LB.ADD absent 5 ann PARTS 4"), Kind::NoPart);
        is(untyped("LB.ADD game x ann"), Kind::Refused);
        is(untyped("LB.ADD game 5"), Kind::Refused);
        is(untyped("LB.TOP game 5 VIEW day"), Kind::Refused);
        is(untyped("EVALSHA 0000000000000000000000000000000000000000 0"), Kind::Other);
    });
}

fn untyped(line: &str) -> Request<redis::Value> {
    let mut words = line.split(' ');
    words.clone().skip(1).fold(Request::new(words.next().expect("a name")), Request::argument)
}

#[test]
fn rights_and_roles_have_their_kinds() {
    let (server, other) = (Server::start(Flavor::Redis70), Server::start(Flavor::Redis70));
    server.replica_of(&other);
    let mut con = server.connection();
    is(&mut con, &add("game", 5, "ann"), Kind::Unavailable);
    run(&mut server.connection(), &["ACL", "SETUSER", "default", "-lb.add"]);
    run(&mut server.connection(), &["REPLICAOF", "NO", "ONE"]);
    is(&mut con, &add("game", 5, "ann"), Kind::Denied);
}

#[track_caller]
fn is<R: FromRedisValue>(con: &mut redis::Connection, request: &Request<R>, due: Kind) {
    let error = con.lb(request).err().expect("an error");
    assert_eq!(kind(&error), due, "{request:?}: {error}");
}

#[test]
fn a_server_that_is_gone_is_unavailable() {
    let mut server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    server.kill9();
    is(&mut con, &count("game"), Kind::Unavailable);
    let refused = Client::open(format!("redis://127.0.0.1:{}", server.port())).unwrap().get_connection();
    assert_eq!(kind(&refused.err().expect("no server")), Kind::Unavailable);
}

#[test]
fn a_pipeline_tells_the_kind_of_its_first_error() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    let mut pipeline = redis::pipe();
    pipeline.add_command(count("game").cmd()).add_command(alter("absent").keep(5).cmd());
    let error = pipeline.query::<Vec<redis::Value>>(&mut con).expect_err("an error");
    assert_eq!(kind(&error), Kind::NoBoard);
}

#[test]
fn each_request_of_a_pipeline_reads_its_own_reply() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection_resp3();
    let (write, read, wrong) = (add("game", 5, "ann"), info("game"), add("game", "x", "ann"));
    let mut pipeline = redis::pipe();
    pipeline.add_command(write.cmd()).add_command(read.cmd()).add_command((&wrong).into());
    let replies: Vec<redis::Value> = pipeline.ignore_errors().query(&mut con).expect("replies");
    let [first, second, third] = replies.try_into().expect("three");
    assert!(write.parse(first).unwrap().applied);
    assert_eq!(read.parse(second).unwrap().expect("a board").number("members"), Some(1));
    assert_eq!(wrong.parse(third).map_err(|error| kind(&error)), Err(Kind::Refused));
}
