//! Tests of LB.IMPORT in one command: the order of equal members, all kinds of scores, and names.

use leaderboard_testkit::session::{play, say, words};
use leaderboard_testkit::{Flavor, ReplicationStream, Server, query, run};
use redis::Connection;

use super::scores::{Random, Unfit, rounded, shown, units_of};
use super::{
    Scored, fitting, in_each_server, lines, made, make_zset, plays_everywhere, refuses, some_names, state,
    zset,
};

const ORDERS: [&str; 2] = ["DESC", "ASC"];
const TIES: [&str; 4] = ["FIRST", "LAST", "LEX", "REVLEX"];

/// Returns the lines that a board with this order and this rule for equal scores must show after the import of a
/// sorted set.
fn expected(
    con: &mut Connection,
    zset_key: &str,
    order: &str,
    ties: &str,
    decimals: usize,
) -> Vec<(Vec<u8>, String)> {
    let mut members = zset(con, if order == "DESC" { "ZREVRANGE" } else { "ZRANGE" }, zset_key);
    if ties.ends_with("LEX") {
        members.sort_by(|(a, x), (b, y)| {
            let scores = x.partial_cmp(y).expect("numbers");
            (if order == "DESC" { scores.reverse() } else { scores })
                .then_with(|| if ties == "LEX" { a.cmp(b) } else { b.cmp(a) })
        });
    }
    let text = |score| shown(units_of(score, decimals).expect("a score that fits"), decimals);
    members.into_iter().map(|(member, score)| (member, text(score))).collect()
}

#[test]
fn members_stand_in_the_order_of_the_zset() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 1);
        for (round, size) in [30, 120, 600].into_iter().enumerate() {
            for decimals in [0, round * 3 + 1, 9] {
                let members = fitting(&mut random, size, decimals);
                make_zset(&mut con, "zset", &members);
                for order in ORDERS {
                    for ties in TIES {
                        let create = format!("LB.CREATE board ORDER {order} TIES {ties} DECIMALS {decimals}");
                        made(&mut con, &create);
                        assert_eq!(
                            query::<usize, _>(&mut con, &["LB.IMPORT", "board", "zset"]),
                            members.len()
                        );
                        let expected = expected(&mut con, "zset", order, ties, decimals);
                        assert!(lines(&mut con, "board", &[]) == expected, "{create}, {size} members");
                        run(&mut con, &["DEL", "board"]);
                    }
                }
            }
        }
    });
}

#[test]
fn both_encodings_of_a_zset_are_read() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(3);
        let long = vec![b'l'; 512];
        for (size, long, encodings) in [
            (8, None, ["\"listpack\"", "\"ziplist\""]),
            (8, Some(long), ["\"skiplist\""; 2]),
            (300, None, ["\"skiplist\""; 2]),
        ] {
            let members = (0..size).map(|n| (format!("m{n}").into_bytes(), random.below(4) as f64));
            let members: Scored = members.chain(long.map(|name| (name, 2.0))).collect();
            make_zset(&mut con, "zset", &members);
            let encoding = say(&mut con, "OBJECT ENCODING zset");
            assert!(encodings.contains(&encoding.as_str()), "{encoding}");
            run(&mut con, &["DEL", "board"]);
            run(&mut con, &["LB.IMPORT", "board", "zset"]);
            let expected = expected(&mut con, "zset", "DESC", "FIRST", 0);
            assert_eq!(lines(&mut con, "board", &[]), expected);
        }
    });
}

#[test]
fn a_sum_of_doubles_is_the_decimal_that_it_prints_as() {
    plays_everywhere(
        r#"LB.CREATE board DECIMALS 9
           ZADD zset 0.1 tenth -0.25 less 1e9 many 123456.789 some -0 nothing 1e-9 least
           LB.IMPORT board zset => 6
           LB.RANGE board 1 -1 => [[1 "many" "1000000000"] [2 "some" "123456.789"] [3 "tenth" "0.1"] [4 "least" "0.000000001"] [5 "nothing" "0"] [6 "less" "-0.25"]]
           ZINCRBY zset 0.2 tenth
           ZREM zset less some least
           LB.IMPORT other zset => ERR the score of 'tenth' has more digits than are kept (DECIMALS 0)
           LB.CREATE sum DECIMALS 9
           LB.IMPORT sum zset => ERR the score of 'tenth' has more digits than are kept (DECIMALS 9)
           LB.IMPORT sum zset ROUND => 3
           LB.SCORE sum tenth => "0.3"
           ZADD whole 9007199254740993 even 1152921504606846976 power -9223372036854774784 edge
           LB.IMPORT plain whole => 3
           LB.SCORE plain even => 9007199254740992
           LB.SCORE plain power => 1152921504606847000
           LB.SCORE plain edge => -9223372036854775000"#,
    );
}

/// Imports one score. Returns the board's score, or the error.
fn import_one(con: &mut Connection, score: f64, options: &str) -> String {
    make_zset(con, "zset", &[(b"bob".to_vec(), score)]);
    match say(con, &format!("LB.IMPORT board zset MERGE {options}")).as_str() {
        "1" => say(con, "LB.SCORE board bob").replace('"', ""),
        error => error.to_owned(),
    }
}

#[test]
fn scores_of_all_sizes_are_held_exactly_or_refused() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(server.flavor() as u64 + 11);
        for decimals in 0..=9 {
            made(&mut con, &format!("LB.CREATE board DECIMALS {decimals} AGGREGATE LAST"));
            for _ in 0..60 {
                let score = random.score(decimals);
                let expected = match units_of(score, decimals) {
                    Ok(units) => shown(units, decimals),
                    Err(unfit) => unfit.error("bob", decimals),
                };
                assert_eq!(import_one(&mut con, score, ""), expected, "{score:?} with {decimals} decimals");
                let near = match rounded(score, decimals) {
                    Ok(units) => units.into_iter().map(|units| shown(units, decimals)).collect(),
                    Err(unfit) => vec![unfit.error("bob", decimals)],
                };
                let reply = import_one(&mut con, score, "ROUND");
                assert!(near.contains(&reply), "{score:?} with {decimals} decimals: {reply}, not {near:?}");
            }
            run(&mut con, &["DEL", "board"]);
        }
    });
}

#[test]
fn a_score_that_fits_is_the_same_with_round() {
    plays_everywhere(
        r#"ZADD zset 770913414779007000 ann 1152921504606846976 bob
           LB.IMPORT plain zset => 2
           LB.TOP plain 9 => [[1 "bob" 1152921504606847000] [2 "ann" 770913414779007000]]
           LB.IMPORT rounded zset ROUND => 2
           LB.TOP rounded 9 => [[1 "bob" 1152921504606847000] [2 "ann" 770913414779007000]]
           LB.CREATE tenths DECIMALS 1
           ZADD tenth 900719925474099.3 ann
           LB.IMPORT tenths tenth MERGE => 1
           LB.SCORE tenths ann => "900719925474099.3"
           LB.REM tenths ann
           LB.IMPORT tenths tenth ROUND => 1
           LB.SCORE tenths ann => "900719925474099.3""#,
    );
}

#[test]
fn scores_that_round_to_the_same_stand_as_in_the_zset() {
    plays_everywhere(
        r#"ZADD zset 1.9 ann 2.1 bob 2 zoe 2 cat 2.4 dan 1.6 eve -1.75 fay -2.25 gus
           LB.IMPORT desc zset ROUND => 8
           LB.RANGE desc 1 -1 => [[1 "dan" 2] [2 "bob" 2] [3 "zoe" 2] [4 "cat" 2] [5 "ann" 2] [6 "eve" 2] [7 "fay" -2] [8 "gus" -2]]
           LB.CREATE asc ORDER ASC TIES LAST
           LB.IMPORT asc zset ROUND => 8
           LB.RANGE asc 1 -1 => [[1 "gus" -2] [2 "fay" -2] [3 "eve" 2] [4 "ann" 2] [5 "cat" 2] [6 "zoe" 2] [7 "bob" 2] [8 "dan" 2]]"#,
    );
}

/// Makes a sorted set of `count` valid members and one other member, whose score gives its position among them.
pub fn with_a_bad_one(con: &mut Connection, count: usize, bad: (&[u8], f64)) {
    let mut members: Scored = (0..count).map(|n| (format!("m{n}").into_bytes(), (n % 100) as f64)).collect();
    members.push((bad.0.to_vec(), bad.1));
    make_zset(con, "zset", &members);
}

#[test]
fn a_score_that_does_not_fit_is_named_and_nothing_changes() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(
            &mut con,
            "LB.MADD board AT 1000 5 ann 5 m7
             LB.CREATE fresh VIEWS all,day DECIMALS 2 CLOCK EVENT",
        );
        let mut stream = ReplicationStream::of(server);
        for (score, whole, cents) in [
            (0.5, Some(Unfit::Digits), None),
            (50.125, Some(Unfit::Digits), Some(Unfit::Digits)),
            (-0.001, Some(Unfit::Digits), Some(Unfit::Digits)),
            (1e17, None, Some(Unfit::Range)),
            (-1e19, Some(Unfit::Range), Some(Unfit::Range)),
            (f64::INFINITY, Some(Unfit::Range), Some(Unfit::Range)),
            (f64::NEG_INFINITY, Some(Unfit::Range), Some(Unfit::Range)),
        ] {
            for count in [0, 50, 2_000] {
                with_a_bad_one(&mut con, count, (b"bob", score));
                stream.take();
                let keys = ["board", "fresh", "zset", "absent"];
                let mut refused = |line: &str, error: Option<Unfit>, decimals| {
                    if let Some(unfit) = error {
                        refuses(&mut con, &keys, &words(line), &unfit.error("bob", decimals));
                    }
                };
                refused("LB.IMPORT board zset MERGE", whole, 0);
                refused("LB.IMPORT board zset NX AT 5", whole, 0);
                refused("LB.IMPORT absent zset", whole, 0);
                refused("LB.IMPORT absent zset CURSOR 0 COUNT 9999", whole, 0);
                refused("LB.IMPORT fresh zset AT 5", cents, 2);
                refused("LB.IMPORT fresh zset AT 5 ROUND", cents.filter(|unfit| *unfit == Unfit::Range), 2);
                assert!(stream.take().is_empty(), "errors were replicated");
            }
        }
    });
}

#[test]
fn a_member_that_no_board_takes_is_named_and_nothing_changes() {
    in_each_server(|server| {
        let mut con = server.connection();
        play(&mut con, "LB.ADD board 5 ann");
        let long = [&b"longer"[..], &[b'x'; 600]].concat();
        let binary = [&b"\0\xff\r\nlonger"[..], &[0; 600]].concat();
        for (name, named) in [(&long, "'longer"), (&binary, "longer"), (&Vec::new(), "''")] {
            for count in [0, 5, 500] {
                with_a_bad_one(&mut con, count, (name, 50.0));
                for line in
                    ["LB.IMPORT board zset MERGE", "LB.IMPORT absent zset", "LB.IMPORT absent zset ROUND"]
                {
                    let keys = ["board", "zset", "absent"];
                    let before = state(&mut con, &keys);
                    let reply = say(&mut con, line);
                    assert!(reply.starts_with("ERR ") && reply.contains(named), "{line}: {reply}");
                    assert!(reply.len() < 200 && !reply.contains(['\0', '\r', '\n']), "{line}: {reply}");
                    assert!(state(&mut con, &keys) == before, "{line} has changed something");
                }
            }
        }
    });
}

#[test]
fn a_binary_name_in_an_error_is_quoted_with_care() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    for name in [&b"a\0\xff\r\n'z"[..], &[0xff; 512], "Zo\u{eb}".as_bytes()] {
        make_zset(&mut con, "zset", &[(name.to_vec(), 0.5)]);
        let reply = say(&mut con, "LB.IMPORT board zset");
        assert!(reply.starts_with("ERR the score of '"), "{reply}");
        assert!(reply.ends_with("' has more digits than are kept (DECIMALS 0)"), "{reply}");
        assert!(reply.len() < 200 && reply.is_ascii() && !reply.contains(['\0', '\r', '\n']), "{reply}");
        play(&mut con, "PING => PONG");
    }
}

#[test]
fn names_of_any_bytes_and_of_512_are_imported() {
    in_each_server(|server| {
        let mut con = server.connection();
        let mut random = Random::new(5);
        let mut members: Scored = some_names(&mut random, 200).into_iter().map(|name| (name, 1.0)).collect();
        members.extend([(vec![0xff; 512], 1.0), (vec![0], 2.0), (vec![b'm'; 511], 0.0)]);
        make_zset(&mut con, "zset", &members);
        assert_eq!(query::<usize, _>(&mut con, &["LB.IMPORT", "board", "zset"]), members.len());
        let board: Vec<_> = lines(&mut con, "board", &[]).into_iter().map(|(member, _)| member).collect();
        let zset: Vec<_> =
            zset(&mut con, "ZREVRANGE", "zset").into_iter().map(|(member, _)| member).collect();
        assert!(board == zset);
    });
}

#[test]
fn steps_after_the_first_need_merge_or_nx() {
    let server = Server::start(Flavor::Redis70);
    let mut con = server.connection();
    play(&mut con, "ZADD zset 1 ann 2 bob 3 cat 4 dan => 4");
    for word in ["MERGE", "NX"] {
        let first = say(&mut con, "LB.IMPORT board zset CURSOR 0 COUNT 2");
        let cursor = first.trim_start_matches("[\"").split('"').next().unwrap();
        play(
            &mut con,
            &format!(
                "LB.IMPORT board zset CURSOR {cursor} COUNT 2 => ERR the board has members: MERGE adds to them, NX \
                 leaves them alone
                 LB.IMPORT board zset CURSOR {cursor} COUNT 2 {word} => [\"0\" 2]
                 DEL board => 1"
            ),
        );
    }
}
