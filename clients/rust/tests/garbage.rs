//! Tests with replies that no server of this module sends. The client must return an error or a value, and never
//! panic.

use leaderboard_client::{
    Request, add, among, boards, claim, counters, create, histogram, import_step, info, leagues, mscore,
    options, periods, prizes, quota, score, standing, stats, top, vote,
};
use redis::Value::{self, Boolean, Double, Int, Nil, Okay};
use redis::{ErrorKind, FromRedisValue, VerbatimFormat};

use crate::values::{array, bulk, flat, map};

fn garbage() -> Vec<Value> {
    vec![
        Nil,
        Okay,
        Int(-1),
        Int(i64::MIN),
        bulk(""),
        bulk("x"),
        Value::BulkString(vec![0xff, 0xfe]),
        Value::SimpleString("x".to_owned()),
        Value::VerbatimString { format: VerbatimFormat::Text, text: "x".to_owned() },
        array([]),
        array([Nil]),
        array([array([])]),
        array(vec![Int(1); 9]),
        array(vec![bulk("rank"); 3]),
        Value::Set(vec![Int(1)]),
        map([]),
        map([("rank", Nil)]),
        Value::Map(vec![(array([]), Nil)]),
        Double(f64::NAN),
        Boolean(true),
    ]
}

fn packed_row(behind: &[u8]) -> Vec<u8> {
    [&5_i64.to_le_bytes(), &7_u64.to_le_bytes(), &b"\x03\0ann"[..], behind].concat()
}

/// Returns variants of the reply. In each variant, one item is replaced by garbage, removed, or repeated.
fn mutants(reply: &Value) -> Vec<Value> {
    let mut all = garbage();
    match reply {
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                let with = |part: Vec<Value>| {
                    let mut items = items.clone();
                    items.splice(number..=number, part);
                    array(items)
                };
                all.extend([with(vec![]), with(vec![item.clone(), item.clone()])]);
                all.extend(mutants(item).into_iter().map(|mutant| with(vec![mutant])));
            }
        }
        Value::Map(fields) => {
            for (number, (name, value)) in fields.iter().enumerate() {
                for mutant in mutants(value) {
                    let mut fields = fields.clone();
                    fields[number] = (name.clone(), mutant);
                    all.push(Value::Map(fields));
                }
            }
        }
        _ => {}
    }
    all
}

/// Parses the reply and each of its variants. Returns how many of these the client refused.
#[track_caller]
fn survives<R: FromRedisValue>(request: &Request<R>, reply: Value) -> usize {
    let mut refused = 0;
    for form in [reply.clone(), flat(&reply)] {
        assert!(request.parse(form.clone()).is_ok(), "{request:?}: {form:?}");
        for mutant in mutants(&form) {
            if let Err(error) = request.parse(mutant) {
                assert_eq!(error.kind(), ErrorKind::UnexpectedReturnType, "{request:?}: {error}");
                refused += 1;
            }
        }
    }
    refused
}

#[test]
fn packed_rows_are_whole_or_an_error() {
    let row = packed_row(b"\x02\0hi");
    let read = |bytes: &[u8]| {
        top("b", 9).packed_with_meta().parse(array([Int(1), Value::BulkString(bytes.to_vec())]))
    };
    assert_eq!(read(&[row.as_slice(), &packed_row(b"\xff\xff")].concat()).expect("two rows").rows.len(), 2);
    for length in 1..row.len() {
        assert!(read(&row[..length]).is_err(), "{length}");
        assert!(read(&[row.as_slice(), &row[..length]].concat()).is_err(), "{length}");
    }
}

#[test]
fn no_reply_makes_the_client_panic() {
    let row = || array([Int(1), bulk("ann"), Int(5), bulk("meta")]);
    let write = || array([Int(5), Int(1), Int(1), Nil, Nil]);
    let number = |name| (name, Int(7));
    let neighbour = || array([bulk("ann"), Int(5), Int(1)]);
    let refused = [
        survives(&score("b", "m"), Int(5)),
        survives(&add("b", 1, "m"), write()),
        survives(&create("b"), Okay),
        survives(&top("b", 1), array([row()])),
        survives(&top("b", 1).packed(), array([Int(1), Value::BulkString(packed_row(b""))])),
        survives(&top("b", 1).packed_with_meta(), array([Int(1), Value::BulkString(packed_row(b"\x01\0m"))])),
        survives(&among("b", ["m"]), array([array([Int(1), bulk("m"), Int(5), Int(1), Nil])])),
        survives(&mscore("b", ["m"]), array([array([Int(1), Int(5), Nil]), Nil])),
        survives(&periods("b", "all"), array([array([bulk("all"), Nil, Nil, Int(1)])])),
        survives(&histogram("b", 0, 1, 1), array([array([Int(0), Int(1), Int(5)])])),
        survives(&quota("b"), array([array([bulk("daily"), Int(1), Int(2), Int(3)])])),
        survives(&vote("b", 1, "m"), array([Int(1), array([write()])])),
        survives(&vote("b", 1, "m"), array([Int(0), bulk("daily"), Int(5)])),
        survives(&counters::get("c", 1), array([array([Int(0), Int(5)])])),
        survives(&counters::mget(1, ["c"]), array([array([array([Int(0), Int(5)])])])),
        survives(&import_step("b", "z", "0"), array([bulk("0"), Int(5)])),
        survives(
            &stats("b"),
            map([
                number("members"),
                number("sum"),
                ("mean", bulk("1.0")),
                number("min"),
                number("max"),
                number("median"),
            ]),
        ),
        survives(
            &standing("b", "m"),
            map([
                number("rank"),
                number("score"),
                number("members"),
                ("percentile", bulk("1.00")),
                ("ahead", neighbour()),
                ("behind", neighbour()),
                ("previous", array([Int(1), Int(5)])),
                number("change"),
                number("at"),
                ("meta", bulk("x")),
            ]),
        ),
        survives(
            &options("b", 0),
            array([
                bulk("0"),
                array([map([
                    ("member", bulk("m")),
                    number("weight"),
                    number("initial"),
                    ("meta", Nil),
                    number("real"),
                    number("shown"),
                    number("voters"),
                ])]),
            ]),
        ),
        survives(
            &leagues::standing("l", "m"),
            map([
                ("tier", bulk("gold")),
                number("group"),
                number("rank"),
                number("members"),
                number("score"),
                ("zone", bulk("stay")),
            ]),
        ),
        survives(
            &leagues::join("l", "m"),
            map([
                ("tier", bulk("gold")),
                number("group"),
                number("rank"),
                number("members"),
                ("joined", Int(1)),
                ("waiting", Int(0)),
                (
                    "last",
                    map([
                        ("period", bulk("2019")),
                        ("tier", bulk("gold")),
                        number("group"),
                        number("rank"),
                        number("members"),
                        number("score"),
                        ("outcome", bulk("stayed")),
                        number("reward"),
                    ]),
                ),
            ]),
        ),
        survives(
            &prizes("b", 0),
            array([bulk("0"), array([array([Int(1), bulk("m"), Int(5), bulk("gold"), Int(9), bulk("fr")])])]),
        ),
        survives(
            &leagues::prizes("b", 0),
            array([
                bulk("0"),
                array([array([bulk("low"), Int(1), Int(1), bulk("m"), Int(5), bulk("gold"), Int(9)])]),
            ]),
        ),
        survives(
            &leagues::top("b", "m").with_zone(),
            array([array([Int(1), bulk("m"), Int(5), Nil, bulk("stay")])]),
        ),
        survives(&claim("b", "m"), array([bulk("gold"), Int(1), Int(1), bulk("fr")])),
        survives(
            &info("b"),
            map([
                ("views", bulk("all")),
                ("held_back", map([number("closed")])),
                ("limit", array([bulk("x")])),
            ]),
        ),
    ];
    assert!(refused.iter().all(|refused| *refused > 5), "{refused:?}");
}

#[test]
fn what_is_missing_or_too_much_is_an_error() {
    let refuses = |reply: Value| {
        let error = standing("b", "m").parse(reply).expect_err("no standing");
        assert_eq!(error.kind(), ErrorKind::UnexpectedReturnType);
    };
    refuses(map([("rank", Int(1))]));
    refuses(array([bulk("rank")]));
    refuses(Int(5));
    for items in [2, 5, 6] {
        assert!(top("b", 1).parse(array([array(vec![Int(1); items])])).is_err());
    }
    assert!(add("b", 1, "m").parse(array([Int(5), Int(1), Int(2)])).is_err());
    assert!(add("b", 1, "m").parse(array(vec![Int(1); 7])).is_err());
    assert!(score("b", "m").parse(Value::BulkString(vec![0xff])).is_err());
    assert!(boards::create("b").parse(Int(2)).is_err());
    assert!(top("b", 1).parse(array([array([Int(-1), bulk("m"), Int(5)])])).is_err());
}
