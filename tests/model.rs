//! Boards in a real server against a plain model: random operations, every reply compared, through every way in
//! which a board can be saved, moved, copied and handed over, after which both go on.

mod board;
mod operations;
mod replies;

use std::collections::HashMap;

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::{
    Flavor, Server, Words, bgrewriteaof_and_wait, digest, pipeline, query, run, wait_for_sync, words,
};
use redis::{Connection, Value};

use board::{Aggregate, Board, Schema, Ties};
use operations::{Operations, Step};

const SCHEMAS: u64 = 10;
const STEPS: usize = 50;

/// A board under test beside its model.
struct Pair {
    key: String,
    board: Board,
    operations: Operations,
}

fn schema(random: &mut Random) -> Schema {
    Schema {
        ascending: random.percent(40),
        aggregate: *random.pick(&[Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last]),
        ties: *random.pick(&[Ties::First, Ties::First, Ties::Last, Ties::Lex, Ties::RevLex]),
        decimals: *random.pick(&[0, 0, 2, 9]),
        dedup: *random.pick(&[600, 10, 1, 0]),
    }
}

fn told(key: &str, schema: &Schema) -> Words {
    let order = if schema.ascending { "ASC" } else { "DESC" };
    let (aggregate, ties) = (format!("{:?}", schema.aggregate), format!("{:?}", schema.ties));
    let (decimals, dedup) = (schema.decimals.to_string(), schema.dedup.to_string());
    let rules = ["ORDER", order, "AGGREGATE", &aggregate, "TIES", &ties, "DECIMALS", &decimals];
    let time = ["CLOCK", "EVENT", "DEDUP", &dedup];
    [words(&["LB.CREATE", key]), words(&rules), words(&time)].concat()
}

impl Pair {
    fn new(con: &mut Connection, key: &str, schema: Schema, operations: Operations) -> Pair {
        run(con, &told(key, &schema));
        Pair { key: key.to_owned(), board: Board::new(schema), operations }
    }

    fn random(con: &mut Connection, number: u64) -> Pair {
        let mut random = Random::new(seed() * 1_000 + number);
        let members = *random.pick(&[3, 30, 150, 400]);
        let schema = schema(&mut random);
        Pair::new(con, &format!("board:{number}"), schema, Operations::new(random, members))
    }

    /// Operations on both; every reply compared, and the whole board in the end.
    fn go_on(&mut self, con: &mut Connection, steps: usize) {
        let steps: Vec<Step> = (0..steps).map(|_| self.operations.next(&mut self.board)).collect();
        self.compare_steps(con, &steps);
        self.compare(con);
    }

    fn compare_steps(&self, con: &mut Connection, steps: &[Step]) {
        let commands: Vec<Words> = steps.iter().map(|step| step.words(&self.key)).collect();
        let replies = pipeline(con, &commands);
        for ((step, command), reply) in steps.iter().zip(&commands).zip(replies) {
            assert_eq!(reply.as_ref().ok(), step.expected.as_ref(), "{}: {reply:?}", self.shown(command));
        }
    }

    fn compare(&mut self, con: &mut Connection) {
        let reads = replies::reads(&self.key, &self.board, &mut self.operations);
        let (commands, expected): (Vec<Words>, Vec<Value>) = reads.into_iter().unzip();
        for ((command, expected), reply) in commands.iter().zip(expected).zip(pipeline(con, &commands)) {
            assert_eq!(reply, Ok(expected), "{}", self.shown(command));
        }
        let info: HashMap<String, Value> = query(con, &["LB.INFO", &self.key]);
        let expected = [self.board.entries.len() as u64, self.board.remembered() as u64, self.board.now];
        let counts = ["members", "requests", "now"].map(|field| match info[field] {
            Value::Int(count) => count as u64,
            ref other => panic!("{field}: {other:?}"),
        });
        assert_eq!(counts, expected, "LB.INFO {}: members, requests, now", self.key);
    }

    fn shown(&self, command: &Words) -> String {
        let words: Vec<String> = command.iter().map(|word| word.escape_ascii().to_string()).collect();
        format!("{:?}: {}", self.board.schema, words.join(" "))
    }
}

/// A name, and what happens to boards between operations.
type Trip = (&'static str, fn(&mut Server, &[Pair]));

fn trips() -> [Trip; 8] {
    [
        ("the append-only file as it was written", |server, _| server.restart_nosave()),
        ("a rewrite in commands", |server, _| rewrite(server, "no")),
        ("commands behind a rewrite", |server, _| server.restart_nosave()),
        ("a rewrite with a snapshot", |server, _| rewrite(server, "yes")),
        ("a snapshot", |server, _| {
            run(&mut server.connection(), &["DEBUG", "RELOAD"]);
        }),
        ("DUMP and RESTORE", |server, pairs| pairs.iter().for_each(|pair| dump_and_restore(server, pair))),
        ("COPY", |server, pairs| pairs.iter().for_each(|pair| copy(server, pair))),
        ("the power going", |server, _| {
            server.kill9();
            server.start_again();
        }),
    ]
}

fn rewrite(server: &mut Server, preamble: &str) {
    let mut con = server.connection();
    run(&mut con, &["CONFIG", "SET", "aof-use-rdb-preamble", preamble]);
    bgrewriteaof_and_wait(&mut con);
    server.restart_nosave();
}

fn dump_and_restore(server: &Server, pair: &Pair) {
    let mut con = server.connection();
    let dump: Vec<u8> = query(&mut con, &["DUMP", &pair.key]);
    run(&mut con, &[b"RESTORE", pair.key.as_bytes(), b"0", &dump, b"REPLACE"]);
}

fn copy(server: &Server, pair: &Pair) {
    let mut con = server.connection();
    run(&mut con, &["COPY", &pair.key, "copy"]);
    run(&mut con, &["LB.REM", &pair.key, "m1", "m2"]);
    run(&mut con, &["RENAME", "copy", &pair.key]);
}

fn travel(server: &mut Server, pairs: &mut [Pair]) {
    for (name, trip) in trips() {
        println!("{name}");
        let mut con = server.connection();
        pairs.iter_mut().for_each(|pair| pair.go_on(&mut con, STEPS));
        let before: Vec<String> = pairs.iter().map(|pair| digest(&mut con, &pair.key)).collect();
        trip(server, pairs);
        let mut con = server.connection();
        let after: Vec<String> = pairs.iter().map(|pair| digest(&mut con, &pair.key)).collect();
        assert_eq!(after, before);
        pairs.iter_mut().for_each(|pair| pair.compare(&mut con));
    }
}

/// The replica has the same boards all the time, and then they go on there.
fn hand_over(primary: Server, replica: Server, pairs: &mut [Pair]) {
    for _ in 0..2 {
        let mut con = primary.connection();
        pairs.iter_mut().for_each(|pair| pair.go_on(&mut con, STEPS));
        replica.replica_of(&primary);
        wait_for_sync(&primary, &replica);
        for pair in &mut *pairs {
            assert_eq!(digest(&mut replica.connection(), &pair.key), digest(&mut con, &pair.key));
            pair.compare(&mut replica.connection());
        }
    }
    run(&mut replica.connection(), &["REPLICAOF", "NO", "ONE"]);
    drop(primary);
    pairs.iter_mut().for_each(|pair| pair.go_on(&mut replica.connection(), STEPS));
}

fn primary() -> Server {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("appendfsync", "always");
    builder.arg("aof-use-rdb-preamble", "no").start()
}

#[test]
fn boards_do_what_the_plain_model_does() {
    let mut server = primary();
    let mut con = server.connection();
    let mut pairs: Vec<Pair> = (0..SCHEMAS).map(|number| Pair::random(&mut con, number)).collect();
    travel(&mut server, &mut pairs);
    hand_over(server, Server::start(Flavor::Redis70), &mut pairs);
}

#[test]
fn a_board_of_thousands_does_what_the_plain_model_does() {
    const BATCHES: usize = 10;
    const BATCH: usize = 400;
    let mut server = primary();
    let mut con = server.connection();
    let schema =
        Schema { ascending: false, aggregate: Aggregate::Sum, ties: Ties::First, decimals: 0, dedup: 600 };
    let operations = Operations::new(Random::new(seed()), 3_000);
    let mut pair = Pair::new(&mut con, "big", schema, operations);
    for _ in 0..BATCHES {
        let step = pair.operations.many(&mut pair.board, BATCH);
        pair.compare_steps(&mut con, &[step]);
    }
    let mut pairs = [pair];
    travel(&mut server, &mut pairs);
    hand_over(server, Server::start(Flavor::Redis70), &mut pairs);
}
