//! Random boards that keep their best against the model, in a server, its replica and its append-only file.

use leaderboard_core::board::Condition;
use leaderboard_core::schema::{Aggregate, Ranks, Ties};
use leaderboard_testkit::board::read::Ranking;
use leaderboard_testkit::board::{Kind, Model, Op, Rules, Sent, Told};
use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, wait_for_sync};
use redis::Connection;

const BEGIN: u64 = 1_700_000_000_000;
const DAY: u64 = 86_400_000;
const MEMBERS: u64 = 24;
const KEEP: usize = 6;

/// A board with views of everything and of days, of which many that ended stay readable.
fn model(ascending: bool, aggregate: Aggregate, ties: Ties) -> Model {
    let kinds = [("all", 0), ("day", DAY)].map(|(name, length)| Kind { name, length, count: 1 }).to_vec();
    let (levels, is_event, keep) = (Vec::new(), true, KEEP);
    let (decimals, retain, shown) = (0, 10_000, false);
    Model::new(Rules { ascending, aggregate, ties, decimals, is_event, levels, kinds, retain, keep, shown })
}

fn write(model: &mut Model, op: Op, view: usize, meta: Option<&str>, at: u64) -> Told {
    let meta = meta.map(|meta| meta.as_bytes().to_vec());
    model.write(&Sent { op, id: None, view, meta }, Some(at), 0).expect("a write that is possible")
}

fn points(random: &mut Random) -> i64 {
    random.below(30) as i64 - 8
}

fn member(random: &mut Random) -> String {
    format!("m{}", random.below(MEMBERS))
}

/// One step on both; the command is kept for a failure.
fn step(con: &mut Connection, random: &mut Random, model: &mut Model, number: usize) -> String {
    let at = model.last.max(BEGIN) + random.below(4) / 3 * random.below(DAY / 2);
    tick(con, model, at, number);
    let (member, points, text) = (member(random), points(random), format!("text{number}"));
    let name = member.as_bytes().to_vec();
    let line = match random.below(20) {
        0 | 1 => {
            model.hide(&name);
            format!("LB.HIDE board {member}")
        }
        2 => {
            model.unhide(&name);
            format!("LB.UNHIDE board {member}")
        }
        3 => {
            model.remove(&name);
            format!("LB.REM board {member}")
        }
        4 => {
            model.set_meta(&name, text.as_bytes());
            format!("LB.SETMETA board {member} {text}")
        }
        5..10 => return list(con, random, model, at),
        10 | 11 => {
            let view = random.below(2) as usize;
            write(model, Op::Set(vec![points], name, Condition::default()), view, Some(&text), at);
            format!("LB.SET board {points} {member} AT {at} VIEW {} META {text}", ["all", "day"][view])
        }
        _ => {
            write(model, Op::Add(vec![points], name), 0, None, at);
            format!("LB.ADD board {points} {member} AT {at}")
        }
    };
    play(con, &line);
    line
}

/// A write of one who is always the best.
fn tick(con: &mut Connection, model: &mut Model, at: u64, number: usize) {
    let best = 10_000 + number as i64;
    let best = if model.rules.ascending { -best } else { best };
    write(model, Op::Add(vec![best], b"tick".to_vec()), 0, None, at);
    play(con, &format!("LB.ADD board {best} tick AT {at}"));
}

fn list(con: &mut Connection, random: &mut Random, model: &mut Model, at: u64) -> String {
    let pairs: Vec<(i64, String)> =
        (0..1 + random.below(9)).map(|_| (points(random), member(random))).collect();
    let command = *random.pick(&["LB.MADD", "LB.MSET"]);
    let told = pairs.iter().map(|(points, member)| (vec![*points], member.as_bytes().to_vec())).collect();
    let op = if command == "LB.MADD" { Op::Many(told) } else { Op::SetMany(told) };
    let places = write(model, op, 0, None, at).now.into_iter().map(|place| match place {
        Some((score, rank)) => format!("[{} {rank} 1]", score[0]),
        None => "[nil nil 1]".to_owned(),
    });
    let words = pairs.iter().map(|(points, member)| format!(" {points} {member}")).collect::<String>();
    let line = format!("{command} board AT {at}{words}");
    assert_eq!(say(con, &line), format!("[{}]", places.collect::<Vec<_>>().join(" ")), "{line}");
    line
}

/// What LB.TOP shows.
fn top(ranking: &Ranking) -> String {
    let rows = ranking.rows(Ranks::Ordinal, false).into_iter();
    let rows = rows.map(|(rank, name, score)| format!("[{rank} \"{}\" {}]", name.escape_ascii(), score[0]));
    format!("[{}]", rows.collect::<Vec<_>>().join(" "))
}

/// What LB.MSCORE tells of a member: its rank is behind those who are seen.
fn place(ranking: &Ranking, member: &str) -> String {
    let place = ranking.position(member.as_bytes(), Ranks::Ordinal, false);
    place.map_or("nil".to_owned(), |(rank, score)| format!("[{rank} {}]", score[0]))
}

#[track_caller]
fn compare(con: &mut Connection, model: &Model, line: &str) {
    let names: Vec<String> = (0..MEMBERS).map(|number| format!("m{number}")).collect();
    let list = format!("MEMBERS {MEMBERS} {}", names.join(" "));
    let [all, days] = &model.views[..] else { panic!("two views") };
    let mut lists = vec![("VIEW all".to_owned(), &all.entries), ("VIEW day".to_owned(), &days.entries)];
    let ended = days.past.iter().rev().take(3);
    lists.extend(ended.map(|(day, entries)| (format!("VIEW day AT {}", day * DAY), entries)));
    for (options, entries) in lists {
        let ranking = model.ranking(entries);
        assert_eq!(say(con, &format!("LB.TOP board 99 {options}")), top(&ranking), "{options}: {line}");
        let places: Vec<String> = names.iter().map(|member| place(&ranking, member)).collect();
        let told = say(con, &format!("LB.MSCORE board {list} {options}"));
        assert_eq!(told, format!("[{}]", places.join(" ")), "{options}: {line}");
    }
    let meta = |name: &String| {
        let meta = model.metas.get(name.as_bytes());
        meta.map_or("nil".to_owned(), |meta| format!("\"{}\"", meta.escape_ascii()))
    };
    let metas: Vec<String> = names.iter().map(meta).collect();
    assert_eq!(say(con, &format!("LB.MGETMETA board {list}")), format!("[{}]", metas.join(" ")), "{line}");
}

#[test]
fn a_board_that_keeps_its_best_does_what_the_plain_model_does() {
    let builder = Server::builder(Flavor::Redis70).arg("appendonly", "yes").arg("aof-use-rdb-preamble", "no");
    let (mut server, replica) = (builder.start(), Server::start(Flavor::Redis70));
    replica.replica_of(&server);
    wait_for_sync(&server, &replica);
    let mut random = Random::new(seed() + 2);
    for (aggregate, ascending, ties) in [
        (Aggregate::Sum, false, Ties::First),
        (Aggregate::Sum, true, Ties::Last),
        (Aggregate::Sum, false, Ties::Lex),
        (Aggregate::Max, false, Ties::Last),
        (Aggregate::Min, true, Ties::First),
        (Aggregate::Last, false, Ties::First),
    ] {
        let mut con = server.connection();
        let order = if ascending { "ASC" } else { "DESC" };
        let rules = format!("AGGREGATE {aggregate:?} ORDER {order} TIES {ties:?}");
        println!("{rules}");
        let views = "VIEWS all,day RETAIN 10000 CLOCK EVENT";
        play(&mut con, &format!("FLUSHALL\nLB.CREATE board {views} KEEP {KEEP} {rules}"));
        let mut model = model(ascending, aggregate, ties);
        for number in 0..400 {
            let line = step(&mut con, &mut random, &mut model, number);
            compare(&mut con, &model, &line);
            if number % 150 == 149 {
                play(&mut con, "DEBUG RELOAD => OK");
                compare(&mut con, &model, "a reload");
            }
        }
        let whole = digest(&mut con, "board");
        wait_for_sync(&server, &replica);
        assert_eq!(digest(&mut replica.connection(), "board"), whole, "the replica");
        compare(&mut replica.connection(), &model, "the replica");
        server.restart_nosave();
        assert_eq!(digest(&mut server.connection(), "board"), whole, "the append-only file");
        wait_for_sync(&server, &replica);
    }
}
