//! Boards in a real server against a plain model: random commands, every reply compared in both protocols, on every way in
//! which a board can be saved, moved, copied and handed over, after which both go on. What commands reply is tested with
//! many more sessions in `commands/tests/model`, without a server.

use leaderboard_commands::plain::Protocol;
use leaderboard_testkit::board::Rules;
use leaderboard_testkit::pair::{Call, PROFILES, Pair, rules};
use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::{
    Flavor, Server, Words, digest, pipeline, query, rewrite_and_restart, run, wait_for_sync,
};
use redis::Connection;

/// Commands on a board between two trips.
const STEPS: usize = 40;
/// Members of the boards, and of the largest one.
const MEMBERS: [u64; 4] = [3, 30, 150, 400];
const MANY: u64 = 3_000;

/// A board under test, and the protocol that its client speaks.
struct Board {
    pair: Pair,
    protocol: Protocol,
}

/// A board whose clock follows its events: the clock of a server cannot be set.
fn board(server: &Server, number: u64, members: u64) -> Board {
    let mut random = Random::new(seed() * 1_000 + number);
    let profile = PROFILES[number as usize % PROFILES.len()];
    let rules = Rules { is_event: true, ..rules(&mut random, profile) };
    let (pair, creation) = Pair::new(&format!("board:{number}"), rules, random, members);
    let protocol = if number < 4 { Protocol::Resp2 } else { Protocol::Resp3 };
    let board = Board { pair, protocol };
    board.play(server, vec![creation]);
    board
}

fn boards(server: &Server) -> Vec<Board> {
    let few = (0..8).map(|number| board(server, number, MEMBERS[number as usize / 2]));
    let mut many = board(server, 8, MANY);
    let crowd = many.pair.crowd();
    many.play(server, vec![crowd]);
    few.chain([many]).collect()
}

impl Board {
    fn connection(&self, server: &Server) -> Connection {
        match self.protocol {
            Protocol::Resp2 => server.connection(),
            Protocol::Resp3 => server.connection_resp3(),
        }
    }

    fn play(&self, server: &Server, calls: Vec<Call>) {
        let commands: Vec<Words> = calls.iter().map(|call| call.words.clone()).collect();
        let replies = pipeline(&mut self.connection(server), &commands);
        for (call, reply) in calls.iter().zip(replies) {
            let shown: Vec<String> = call.words.iter().map(|word| word.escape_ascii().to_string()).collect();
            let is_right = call.expected.is_served(&reply, self.protocol);
            assert!(is_right, "{:?}\n{}\n{reply:?}\n{call:?}", self.pair.model.rules, shown.join(" "));
        }
    }

    /// Random commands; every reply compared, and the whole board in the end.
    fn go_on(&mut self, server: &Server) {
        let pair = &mut self.pair;
        let mut next = || {
            pair.pass_time();
            pair.draw()
        };
        let calls = (0..STEPS).map(|_| next()).collect();
        self.play(server, calls);
        self.compare(server);
    }

    fn compare(&mut self, server: &Server) {
        let calls = self.pair.whole();
        self.play(server, calls);
    }
}

/// A name, and what happens to boards between commands.
type Trip = (&'static str, fn(&mut Server, &[Board]));

fn trips() -> [Trip; 8] {
    [
        ("the append-only file as it was written", |server, _| server.restart_nosave()),
        ("a rewrite in commands", |server, _| rewrite_and_restart(server, "no")),
        ("commands behind a rewrite", |server, _| server.restart_nosave()),
        ("a rewrite with a snapshot", |server, _| rewrite_and_restart(server, "yes")),
        ("a snapshot", |server, _| {
            run(&mut server.connection(), &["DEBUG", "RELOAD"]);
        }),
        ("DUMP and RESTORE", |server, boards| {
            boards.iter().for_each(|board| dump_and_restore(server, &board.pair.key));
        }),
        ("COPY", |server, boards| boards.iter().for_each(|board| copy(server, &board.pair.key))),
        ("the power going", |server, _| {
            server.kill9();
            server.start_again();
        }),
    ]
}

fn dump_and_restore(server: &Server, key: &str) {
    let mut con = server.connection();
    let dump: Vec<u8> = query(&mut con, &["DUMP", key]);
    run(&mut con, &[b"RESTORE", key.as_bytes(), b"0", &dump, b"REPLACE"]);
}

fn copy(server: &Server, key: &str) {
    let mut con = server.connection();
    run(&mut con, &["COPY", key, "copy"]);
    run(&mut con, &["LB.REM", key, "m1", "m2"]);
    run(&mut con, &["RENAME", "copy", key]);
}

fn digests(server: &Server, boards: &[Board]) -> Vec<String> {
    let mut con = server.connection();
    boards.iter().map(|board| digest(&mut con, &board.pair.key)).collect()
}

fn travel(server: &mut Server, boards: &mut [Board]) {
    for (name, trip) in trips() {
        println!("{name}");
        boards.iter_mut().for_each(|board| board.go_on(server));
        let before = digests(server, boards);
        trip(server, boards);
        assert_eq!(digests(server, boards), before);
        boards.iter_mut().for_each(|board| board.compare(server));
    }
}

/// The replica has the same boards all the time, and then they go on there.
fn hand_over(primary: Server, replica: Server, boards: &mut [Board]) {
    for _ in 0..2 {
        boards.iter_mut().for_each(|board| board.go_on(&primary));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        assert_eq!(digests(&replica, boards), digests(&primary, boards));
        boards.iter_mut().for_each(|board| board.compare(&replica));
    }
    run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
    drop(primary);
    boards.iter_mut().for_each(|board| board.go_on(&replica));
}

#[test]
fn boards_do_what_the_plain_model_does() {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("appendfsync", "always");
    let mut server = builder.arg("aof-use-rdb-preamble", "no").start();
    let mut boards = boards(&server);
    travel(&mut server, &mut boards);
    hand_over(server, Server::start(Flavor::Redis70), &mut boards);
}
