//! Tests of LB.PART, with which a gateway reads one part of a board. The modules `random`, `ended` and `asking` were
//! written from the description alone, with a separate model (`ranking`), so they are an independent check.

mod asking;
mod ended;
mod kept;
mod random;
pub mod ranking;
mod refused;
mod replies;
mod together;

use leaderboard_testkit::run;
use leaderboard_testkit::session::{play, words};
use redis::{Connection, Value};

/// Five members of part 0 of 2. Three of them have the same score.
const FIVE: &str = "LB.CREATE part VIEWS all,day PART 0 OF 2
                    LB.ADD part 5 ann AT 1000
                    LB.ADD part 5 cat AT 2000
                    LB.ADD part 7 jon AT 3000
                    LB.ADD part 5 leo AT 2000
                    LB.ADD part 3 max AT 500";

/// The name, the score and the moment of a member.
type Row = (&'static str, i64, u64);

const JON: Row = ("jon", 7, 3_000);
const ANN: Row = ("ann", 5, 1_000);
const CAT: Row = ("cat", 5, 2_000);
const LEO: Row = ("leo", 5, 2_000);
const MAX: Row = ("max", 3, 500);

/// The number of items in a reply before the result of the operation.
const HEAD: usize = 6;

fn five(con: &mut Connection) {
    play(con, FIVE);
}

/// Sends LB.PART, and returns the reply.
#[track_caller]
fn ask(con: &mut Connection, question: &str) -> Vec<Value> {
    let command: Vec<Vec<u8>> = words(&format!("LB.PART {question}"));
    match run(con, &command) {
        Value::Array(values) => values,
        other => panic!("{question}: {other:?}"),
    }
}

/// Sends LB.PART, and returns the items of the reply after its head.
#[track_caller]
fn answer(con: &mut Connection, question: &str) -> Vec<Value> {
    ask(con, question).split_off(HEAD)
}

/// Returns names, scores and moments as one string.
fn rows(rows: &[Row]) -> Value {
    let one = |(name, score, moment): &Row| {
        let len = (name.len() as u16).to_le_bytes();
        [&score.to_le_bytes()[..], &moment.to_le_bytes(), &len, name.as_bytes()].concat()
    };
    Value::BulkString(rows.iter().flat_map(one).collect())
}

/// Returns names, scores, moments and metas as one string.
fn rows_with_meta(rows: &[(Row, Option<&str>)]) -> Value {
    let one = |(row, meta): &(Row, Option<&str>)| {
        let Value::BulkString(row) = self::rows(&[*row]) else { panic!("a string") };
        let len = meta.map_or(u16::MAX, |meta| meta.len() as u16).to_le_bytes();
        [&row[..], &len, meta.unwrap_or_default().as_bytes()].concat()
    };
    Value::BulkString(rows.iter().flat_map(one).collect())
}

fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(values.into_iter().collect())
}

fn ints(values: &[i64]) -> Value {
    list(values.iter().map(|value| Value::Int(*value)))
}

fn text(text: &str) -> Value {
    Value::BulkString(text.as_bytes().to_vec())
}
