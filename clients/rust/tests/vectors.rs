//! The vectors that all clients are tested with: commands and the bytes of their replies, in RESP2 and RESP3.

use std::fs;
use std::path::Path;

use leaderboard_client::{
    Kind, Request, add, alter, among, around, claim, count, counters, create, export, find, getmeta,
    getsegment, hidden, hide, histogram, history, import, import_step, info, inter, join, kind, leagues,
    leave, madd, mgetmeta, mscore, mset, mstanding, mvote, option, options, periods, prizes, quantile, quota,
    range, range_by_score, rank, rem, remrange, remrangebyscore, rolladd, score, segment, segmentrank,
    segments, set, setmeta, settle, standing, stats, top, unhide, union, vote, voters,
};
use redis::{FromRedisValue, RedisResult, parse_redis_value};
use serde_json::Value;

/// A command with the bytes of its reply.
struct Wire<'a>(&'a str);

impl Wire<'_> {
    fn bytes(&self) -> Vec<u8> {
        self.0.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
    }

    fn read<R: FromRedisValue>(&self, request: Request<R>) -> RedisResult<R> {
        request.parse(parse_redis_value(&self.bytes())?)
    }
}

/// Reads a reply as the type of its command.
fn read(call: &Value, wire: &Wire) -> RedisResult<()> {
    let many = ["m"; 0];
    let pairs = [(1, "m"); 0];
    match call["command"].as_str().unwrap() {
        "LB.CREATE" => wire.read(create("k")).map(drop),
        "LB.ALTER" => wire.read(alter("k")),
        "LB.INFO" => wire.read(info("k")).map(drop),
        "LB.PERIODS" => wire.read(periods("k", "day")).map(drop),
        "LB.ADD" => wire.read(add("k", 1, "m")).map(drop),
        "LB.ROLLADD" => wire.read(rolladd("k", 1, "m")).map(drop),
        "LB.MADD" => wire.read(madd("k", pairs)).map(drop),
        "LB.SET" => wire.read(set("k", 1, "m")).map(drop),
        "LB.MSET" => wire.read(mset("k", pairs)).map(drop),
        "LB.REM" => wire.read(rem("k", many)).map(drop),
        "LB.REMRANGE" => wire.read(remrange("k", 1, 2)).map(drop),
        "LB.REMRANGEBYSCORE" => wire.read(remrangebyscore("k", 1, 2)).map(drop),
        "LB.HIDE" => wire.read(hide("k", many)).map(drop),
        "LB.UNHIDE" => wire.read(unhide("k", many)).map(drop),
        "LB.HIDDEN" => wire.read(hidden("k")).map(drop),
        "LB.SETMETA" => wire.read(setmeta("k", "m", "t")),
        "LB.GETMETA" => wire.read(getmeta("k", "m")).map(drop),
        "LB.MGETMETA" => wire.read(mgetmeta("k", many)).map(drop),
        "LB.TOP" => wire.read(top("k", 1)).map(drop),
        "LB.RANGE" => wire.read(range("k", 1, 2)).map(drop),
        "LB.RANGEBYSCORE" => wire.read(range_by_score("k", 1, 2)).map(drop),
        "LB.AROUND" => wire.read(around("k", "m", 1)).map(drop),
        "LB.AMONG" => wire.read(among("k", many)).map(drop),
        "LB.RANK" => wire.read(rank("k", "m")).map(drop),
        "LB.SCORE" => wire.read(score("k", "m")).map(drop),
        "LB.MSCORE" => wire.read(mscore("k", many)).map(drop),
        "LB.STANDING" => wire.read(standing("k", "m")).map(drop),
        "LB.MSTANDING" => wire.read(mstanding("k", many)).map(drop),
        "LB.HISTORY" => wire.read(history("k", "m")).map(drop),
        "LB.FIND" => wire.read(find("k", 0, "*")).map(drop),
        "LB.COUNT" => wire.read(count("k")).map(drop),
        "LB.STATS" => wire.read(stats("k")).map(drop),
        "LB.QUANTILE" => wire.read(quantile("k", [0.5])).map(drop),
        "LB.HISTOGRAM" => wire.read(histogram("k", 0, 1, 2)).map(drop),
        "LB.SEGMENT" => wire.read(segment("k", "m", [("n", "v")])).map(drop),
        "LB.GETSEGMENT" => wire.read(getsegment("k", "m")).map(drop),
        "LB.SEGMENTS" => wire.read(segments("k", "n")).map(drop),
        "LB.SEGMENTRANK" => wire.read(segmentrank("k", "n", "v")).map(drop),
        "LB.IMPORT" if call["options"].get("cursor").is_some() => {
            wire.read(import_step("k", "z", "0")).map(drop)
        }
        "LB.IMPORT" => wire.read(import("k", "z")).map(drop),
        "LB.EXPORT" => wire.read(export("d", "k")).map(drop),
        "LB.UNION" => wire.read(union("d", many)).map(drop),
        "LB.INTER" => wire.read(inter("d", many)).map(drop),
        "LB.VOTE" => wire.read(vote("k", 1, "m")).map(drop),
        "LB.MVOTE" => wire.read(mvote("k", pairs)).map(drop),
        "LB.QUOTA" => wire.read(quota("k")).map(drop),
        "LB.OPTION" => wire.read(option("k", "m")),
        "LB.JOIN" => wire.read(join("k", "m")).map(drop),
        "LB.LEAVE" => wire.read(leave("k", "m")).map(drop),
        "LB.OPTIONS" => wire.read(options("k", 0)).map(drop),
        "LB.VOTERS" => wire.read(voters("k")).map(drop),
        "LB.PRIZES" => wire.read(prizes("k", 0)).map(drop),
        "LB.SETTLE" => wire.read(settle("k")).map(drop),
        "LB.CLAIM" => wire.read(claim("k", "m")).map(drop),
        "LB.LEAGUE.CREATE" => wire.read(leagues::create("k")).map(drop),
        "LB.LEAGUE.JOIN" => wire.read(leagues::join("k", "m")).map(drop),
        "LB.LEAGUE.ADD" => wire.read(leagues::add("k", 1, "m")).map(drop),
        "LB.LEAGUE.REM" => wire.read(leagues::rem("k", many)).map(drop),
        "LB.LEAGUE.TIER" => wire.read(leagues::tier("k", "m", "t")),
        "LB.LEAGUE.SETMETA" => wire.read(leagues::setmeta("k", "m", "t")),
        "LB.LEAGUE.TOP" if call["options"].get("withzone").is_some() => {
            wire.read(leagues::top("k", "m").with_zone()).map(drop)
        }
        "LB.LEAGUE.TOP" => wire.read(leagues::top("k", "m")).map(drop),
        "LB.LEAGUE.GROUP" => wire.read(leagues::group("k", "t", 1)).map(drop),
        "LB.LEAGUE.STANDING" => wire.read(leagues::standing("k", "m")).map(drop),
        "LB.LEAGUE.INFO" => wire.read(leagues::info("k")).map(drop),
        "LB.LEAGUE.ALTER" => wire.read(leagues::alter("k")),
        "LB.LEAGUE.PRIZES" => wire.read(leagues::prizes("k", 0)).map(drop),
        "LB.LEAGUE.CLAIM" => wire.read(leagues::claim("k", "m")).map(drop),
        "LB.COUNTER.CREATE" => wire.read(counters::create("k")).map(drop),
        "LB.COUNTER.INCR" => wire.read(counters::incr("k")).map(drop),
        "LB.COUNTER.GET" => wire.read(counters::get("k", 60)).map(drop),
        "LB.COUNTER.MGET" => wire.read(counters::mget(60, many)).map(drop),
        "LB.COUNTER.ALTER" => wire.read(counters::alter("k")),
        "LB.COUNTER.INFO" => wire.read(counters::info("k")).map(drop),
        command if command.ends_with("_QUIET") => wire.read(add("k", 1, "m").quiet()).map(drop),
        unknown => panic!("{unknown}"),
    }
}

fn calls() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors.json");
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let sessions = vectors["sessions"].as_array().unwrap().iter();
    sessions.flat_map(|session| session["calls"].as_array().unwrap().clone()).collect()
}

#[test]
fn the_replies_of_all_commands_are_read() {
    for call in calls() {
        for protocol in ["resp2", "resp3"] {
            let outcome = read(&call, &Wire(call[protocol].as_str().unwrap()));
            let shown = format!("{} {protocol}: {outcome:?}", call["words"]);
            match call.get("error") {
                None => assert!(outcome.is_ok(), "{shown}"),
                Some(error) => {
                    let expected = match error["code"].as_str().unwrap() {
                        "BOARDEXISTS" => Kind::BoardExists,
                        "IDREUSED" => Kind::RequestReused,
                        "HELDBACK" => Kind::HeldBack,
                        "WRONGTYPE" => Kind::WrongType,
                        _ => Kind::Refused,
                    };
                    assert_eq!(outcome.as_ref().map_err(kind), Err(expected), "{shown}");
                }
            }
        }
    }
}

#[test]
fn scores_and_ranks_are_those_of_the_vectors() {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    for call in calls().iter().filter(|call| call.get("value").is_some()) {
        let wire = Wire(call["resp2"].as_str().unwrap());
        let value = &call["value"];
        match call["command"].as_str().unwrap() {
            "LB.ADD" | "LB.SET" => {
                let read = wire.read(add("k", 1, "m")).unwrap();
                assert_eq!(read.score.map(|score| score.to_string()), text(&value["score"]), "{call}");
                assert_eq!((read.rank, read.applied), (value["rank"].as_u64(), value["applied"] == true));
            }
            "LB.TOP" => {
                let rows = wire.read(top("k", 1)).unwrap();
                assert_eq!(rows.len(), value.as_array().unwrap().len());
                for (row, value) in rows.iter().zip(value.as_array().unwrap()) {
                    assert_eq!(Some(row.rank), value["rank"].as_u64(), "{call}");
                    assert_eq!(row.member, value["member"].as_str().unwrap(), "{call}");
                    assert_eq!(Some(row.score.to_string()), text(&value["score"]), "{call}");
                }
            }
            _ => {}
        }
    }
}
