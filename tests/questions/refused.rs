//! Tests of wrong arguments of LB.PART, and of very large numbers in them.

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Flavor, Server, digest, info};
use redis::Value::Int;

use super::*;

const WRONG: &str = "LB.PART part => ERR wrong number of arguments for 'LB.PART' command
    LB.PART part FOO => ERR operation must be one of TOP, OF, NEAR, SAMPLE, BETWEEN, STATS, HISTOGRAM, MOF, MNEAR, MAYWIN, VOTERS
    LB.PART part TOP => ERR wrong number of arguments for 'LB.PART' command
    LB.PART part TOP x => ERR count is not a whole number
    LB.PART part TOP -1 => ERR count is out of range
    LB.PART part TOP 1 OFFSET => ERR option OFFSET needs a value
    LB.PART part TOP 1 OFFSET -1 => ERR OFFSET is out of range
    LB.PART part TOP 1 ABOVE 1 => ERR unknown option 'ABOVE'
    LB.PART part TOP 1 VIEW week => ERR VIEW 'week' is not a view of this board
    LB.PART part TOP 1 VIEW day PERIOD x => ERR PERIOD 'x' is not the name of a period here
    LB.PART part TOP 1 PERIOD x => ERR PERIOD 'x' is not the name of a period here
    LB.PART part TOP 1 AT 5 PERIOD 0 => ERR options PERIOD and AT exclude each other
    LB.PART part TOP 1 RANKS DENSE => ERR unknown option 'RANKS'
    LB.PART part OF => ERR wrong number of arguments for 'LB.PART' command
    LB.PART part OF <0> => ERR member must have 1 to 512 bytes
    LB.PART part OF bob => ERR member belongs to part 1
    LB.PART part OF ann ABOVE x => ERR ABOVE is not a whole number
    LB.PART part OF ann OFFSET 1 => ERR unknown option 'OFFSET'
    LB.PART part NEAR 5 2000 BEFORE 1 => ERR wrong number of arguments for 'LB.PART' command
    LB.PART part NEAR x 2000 BEFORE 1 1 => ERR score is not a decimal number
    LB.PART part NEAR 1.5 2000 BEFORE 1 1 => ERR score must be a whole number (DECIMALS 0)
    LB.PART part NEAR 9223372036854775808 2000 BEFORE 1 1 => ERR score is out of range
    LB.PART part NEAR 5 -1 BEFORE 1 1 => ERR moment is out of range
    LB.PART part NEAR 5 9223372036854775808 BEFORE 1 1 => ERR moment is out of range
    LB.PART part NEAR 5 1 BEHIND 1 1 => ERR the side must be one of BEFORE, AFTER, or the number of a part
    LB.PART part NEAR 5 1 BEFORE -1 1 => ERR above is out of range
    LB.PART part NEAR 5 1 BEFORE 1 x => ERR below is not a whole number
    LB.PART part SAMPLE 0 0 1 => ERR m is out of range
    LB.PART part SAMPLE 1025 0 1 => ERR m is out of range
    LB.PART part SAMPLE 9223372036854775807 0 1 => ERR m is out of range
    LB.PART part SAMPLE 1 x 1 => ERR first is not a whole number
    LB.PART part SAMPLE 1 1 9223372036854775808 => ERR last is out of range
    LB.PART part SAMPLE 1 0 1 WITHMETA => ERR unknown option 'WITHMETA'
    LB.PART part BETWEEN x 1 1 => ERR min is not a decimal number
    LB.PART part BETWEEN 1 (x 1 => ERR max is not a decimal number
    LB.PART part BETWEEN 1 2 -1 => ERR count is out of range
    LB.PART part STATS 1 => ERR unknown option '1'
    LB.PART part HISTOGRAM 0 1 0 => ERR buckets is out of range
    LB.PART part HISTOGRAM 0 1 10001 => ERR buckets is out of range
    LB.PART part HISTOGRAM 2 1 5 => ERR max must not be less than min
    LB.PART part MOF => ERR MEMBERS is needed
    LB.PART part MOF ann => ERR unknown option 'ann'
    LB.PART part MOF MEMBERS 0 => ERR MEMBERS is out of range
    LB.PART part MOF MEMBERS 2 ann => ERR the list of members is incomplete
    LB.PART part MOF MEMBERS 2 ann bob => ERR member belongs to part 1
    LB.PART part MOF MEMBERS 9223372036854775807 ann => ERR the list of members is incomplete
    LB.PART part MNEAR => ERR PLACES is needed
    LB.PART part MNEAR PLACES 0 => ERR PLACES is out of range
    LB.PART part MNEAR PLACES 2 5 1 BEFORE => ERR the list of places is incomplete
    LB.PART part MNEAR PLACES 1 5 1 => ERR the list of places is incomplete
    LB.PART part MNEAR PLACES 1 5 -1 BEFORE => ERR moment is out of range
    LB.PART part MNEAR PLACES 2 5 1 BEFORE 6 1 => ERR the list of places is incomplete
    LB.PART part MNEAR PLACES 1 5 1 BEFORE 6 1 BEFORE => ERR unknown option '6'
    LB.PART part MNEAR PLACES 9223372036854775807 5 1 BEFORE => ERR the list of places is incomplete
    LB.PART absent STATS => NOPART the key is no part of a board
    LB.PART whole TOP 5 => NOPART the key is no part of a board
    LB.PART whole OF bob => NOPART the key is no part of a board
    LB.PART root TOP 5 => ERR spread over 2 parts: use a gateway or LB.INFO
    LB.PART text TOP 5 => WRONGTYPE Operation against a key holding the wrong kind of value";

#[test]
fn errors_name_what_is_wrong_and_change_nothing() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    five(&mut con);
    play(&mut con, "LB.CREATE whole\nLB.CREATE root VIEWS all,day PARTS 2\nSET text 1");
    let before = digest(&mut con, "part");
    play(&mut con, WRONG);
    assert_eq!(digest(&mut con, "part"), before);
    assert_eq!(say(&mut con, "DBSIZE"), "4");
}

/// Checks that a large number in a command does not make the server allocate memory.
#[test]
fn great_numbers_are_as_many_as_there_are() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    five(&mut con);
    let con = &mut con;
    let peak = |con: &mut Connection| info(con, "memory", "used_memory_peak").parse::<u64>().expect("bytes");
    let before = peak(con);
    let most = i64::MAX;
    assert_eq!(answer(con, &format!("part TOP {most}")), [rows(&[JON, ANN, CAT, LEO, MAX])]);
    assert_eq!(answer(con, &format!("part TOP {most} OFFSET {most}")), [rows(&[])]);
    assert_eq!(answer(con, &format!("part TOP {most} OFFSET 4 REV")), [rows(&[JON])]);
    let of = answer(con, &format!("part OF ann ABOVE {most} BELOW {most}"));
    assert_eq!(of[4..], [rows(&[JON]), rows(&[CAT, LEO, MAX])]);
    let near = answer(con, &format!("part NEAR -{most} {most} AFTER {most} {most}"));
    assert_eq!(near, [Int(5), rows(&[JON, ANN, CAT, LEO, MAX]), rows(&[])]);
    let near = answer(con, &format!("part NEAR {most} 0 BEFORE {most} {most} REV"));
    assert_eq!(near, [Int(5), rows(&[MAX, LEO, CAT, ANN, JON]), rows(&[])]);
    let between = answer(con, &format!("part BETWEEN -inf +inf {most} OFFSET {most}"));
    assert_eq!(between, [Int(0), Int(5), rows(&[])]);
    assert_eq!(answer(con, &format!("part SAMPLE 1024 -{most} {most}")).len(), 1);
    assert_eq!(answer(con, &format!("part SAMPLE 1024 {most} -{most}")), [list([])]);
    assert!(peak(con) < before + (4 << 20), "{} {before}", peak(con));
}
