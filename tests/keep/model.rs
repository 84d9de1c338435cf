//! Random boards that keep their best against plain lists, cut after each command.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use leaderboard_testkit::random::{Random, seed};
use leaderboard_testkit::session::{play, say};
use leaderboard_testkit::{Flavor, Server, digest, wait_for_sync};
use redis::Connection;

const DAY: u64 = 86_400_000;
const MEMBERS: u64 = 24;
const KEEP: usize = 6;

#[derive(Clone, Debug)]
struct Entry {
    member: String,
    score: i64,
    moment: u64,
    arrival: u64,
}

/// The lines of a view, in no order.
type View = Vec<Entry>;

struct Model {
    aggregate: &'static str,
    ascending: bool,
    ties: &'static str,
    /// `all`, and the current day.
    views: [View; 2],
    /// Days that ended, with what they kept.
    ended: BTreeMap<u64, View>,
    metas: BTreeMap<String, String>,
    hidden: BTreeSet<String>,
    now: u64,
    arrivals: u64,
}

impl Model {
    fn new(aggregate: &'static str, ascending: bool, ties: &'static str) -> Model {
        Model {
            aggregate,
            ascending,
            ties,
            views: [Vec::new(), Vec::new()],
            ended: BTreeMap::new(),
            metas: BTreeMap::new(),
            hidden: BTreeSet::new(),
            now: 0,
            arrivals: 0,
        }
    }

    fn order(&self, a: &Entry, b: &Entry) -> Ordering {
        let scores = if self.ascending { a.score.cmp(&b.score) } else { b.score.cmp(&a.score) };
        let times = (a.moment, a.arrival).cmp(&(b.moment, b.arrival));
        scores.then_with(|| match self.ties {
            "FIRST" => times,
            "LAST" => times.reverse(),
            _ => a.member.cmp(&b.member),
        })
    }

    fn sorted(&self, view: &View) -> View {
        let mut all = view.clone();
        all.sort_by(|a, b| self.order(a, b));
        all
    }

    fn clock(&mut self, at: u64) {
        if self.now / DAY != at / DAY {
            self.ended.insert(self.now / DAY, std::mem::take(&mut self.views[1]));
        }
        self.now = at;
    }

    fn put(&mut self, view: usize, member: &str, score: i64) {
        self.arrivals += 1;
        let entry = Entry { member: member.to_owned(), score, moment: self.now, arrival: self.arrivals };
        self.views[view].retain(|entry| entry.member != member);
        self.views[view].push(entry);
    }

    fn score(&self, view: usize, member: &str) -> Option<i64> {
        self.views[view].iter().find(|entry| entry.member == member).map(|entry| entry.score)
    }

    fn add(&mut self, member: &str, points: i64) {
        for view in 0..2 {
            let old = self.score(view, member);
            let new = match (self.aggregate, old) {
                (_, None) | ("LAST", _) => points,
                ("SUM", Some(old)) => old + points,
                ("MAX", Some(old)) => old.max(points),
                (_, Some(old)) => old.min(points),
            };
            if old != Some(new) {
                self.put(view, member, new);
            }
        }
    }

    fn set(&mut self, view: usize, member: &str, score: i64) {
        if self.aggregate == "SUM" {
            return self.add(member, score - self.score(view, member).unwrap_or(0));
        }
        for view in 0..2 {
            if self.score(view, member) != Some(score) {
                self.put(view, member, score);
            }
        }
    }

    /// Lets fall out who is too many, after a write of these members.
    fn cut(&mut self, written: &[String]) {
        let mut out = BTreeSet::new();
        for view in 0..2 {
            let mut seen = 0;
            for entry in self.sorted(&self.views[view]) {
                let hidden = self.hidden.contains(&entry.member);
                let is_out = seen >= KEEP && (!hidden || written.contains(&entry.member));
                if is_out {
                    self.views[view].retain(|other| other.member != entry.member);
                    out.insert(entry.member);
                } else if !hidden {
                    seen += 1;
                }
            }
        }
        for member in out {
            let held = self.views.iter().chain(self.ended.values());
            let is_held = held.flatten().any(|entry| entry.member == member);
            if !is_held && !self.hidden.contains(&member) {
                self.metas.remove(&member);
            }
        }
    }

    fn remove(&mut self, member: &str) {
        for view in self.views.iter_mut().chain(self.ended.values_mut()) {
            view.retain(|entry| entry.member != member);
        }
        self.metas.remove(member);
        self.hidden.remove(member);
    }

    /// What LB.TOP shows.
    fn top(&self, view: &View) -> String {
        let seen = self.sorted(view).into_iter().filter(|entry| !self.hidden.contains(&entry.member));
        let lines =
            seen.enumerate().map(|(at, entry)| format!("[{} \"{}\" {}]", at + 1, entry.member, entry.score));
        format!("[{}]", lines.collect::<Vec<_>>().join(" "))
    }

    /// What LB.MSCORE tells of a member: its rank is behind those who are seen.
    fn place(&self, view: &View, member: &str) -> String {
        let sorted = self.sorted(view);
        let Some(at) = sorted.iter().position(|entry| entry.member == member) else {
            return "nil".to_owned();
        };
        let before = sorted[..at].iter().filter(|entry| !self.hidden.contains(&entry.member)).count();
        format!("[{} {}]", before + 1, sorted[at].score)
    }
}

/// One step on both; the command is kept for a failure.
fn step(con: &mut Connection, random: &mut Random, model: &mut Model, number: usize) -> String {
    let at = model.now + random.below(4) / 3 * random.below(DAY / 2);
    tick(con, model, at, number);
    let member = format!("m{}", random.below(MEMBERS));
    let points = random.below(30) as i64 - 8;
    match random.below(20) {
        0 | 1 => {
            model.hidden.insert(member.clone());
            run(con, format!("LB.HIDE board {member}"))
        }
        2 => {
            let line = run(con, format!("LB.UNHIDE board {member}"));
            model.hidden.remove(&member);
            tick(con, model, at, number);
            line
        }
        3 => {
            model.remove(&member);
            run(con, format!("LB.REM board {member}"))
        }
        4 => {
            model.metas.insert(member.clone(), format!("text{number}"));
            run(con, format!("LB.SETMETA board {member} text{number}"))
        }
        5..10 => list(con, random, model, at),
        10 | 11 => {
            let view = random.below(2) as usize;
            model.set(view, &member, points);
            model.metas.insert(member.clone(), format!("text{number}"));
            model.cut(std::slice::from_ref(&member));
            let name = ["all", "day"][view];
            run(con, format!("LB.SET board {points} {member} AT {at} VIEW {name} META text{number}"))
        }
        _ => {
            model.add(&member, points);
            model.cut(std::slice::from_ref(&member));
            run(con, format!("LB.ADD board {points} {member} AT {at}"))
        }
    }
}

fn run(con: &mut Connection, line: String) -> String {
    play(con, &line);
    line
}

/// A write of one who is always the best.
fn tick(con: &mut Connection, model: &mut Model, at: u64, number: usize) {
    let best = if model.ascending { -10_000 - number as i64 } else { 10_000 + number as i64 };
    model.clock(at);
    model.add("tick", best);
    model.cut(&["tick".to_owned()]);
    play(con, &format!("LB.ADD board {best} tick AT {at}"));
}

fn list(con: &mut Connection, random: &mut Random, model: &mut Model, at: u64) -> String {
    let pairs: Vec<(i64, String)> = (0..1 + random.below(9))
        .map(|_| (random.below(30) as i64 - 8, format!("m{}", random.below(MEMBERS))))
        .collect();
    let command = *random.pick(&["LB.MADD", "LB.MSET"]);
    for (points, member) in &pairs {
        if command == "LB.MADD" { model.add(member, *points) } else { model.set(0, member, *points) }
    }
    let members: Vec<String> = pairs.iter().map(|(_, member)| member.clone()).collect();
    model.cut(&members);
    let words = pairs.iter().map(|(points, member)| format!(" {points} {member}")).collect::<String>();
    let line = format!("{command} board AT {at}{words}");
    let places: Vec<String> = members
        .iter()
        .map(|member| match model.place(&model.views[0], member).as_str() {
            "nil" => "[nil nil 1]".to_owned(),
            place => {
                let (rank, score) = place.trim_matches(['[', ']']).split_once(' ').expect("two numbers");
                format!("[{score} {rank} 1]")
            }
        })
        .collect();
    assert_eq!(say(con, &line), format!("[{}]", places.join(" ")), "{line}");
    line
}

#[track_caller]
fn compare(con: &mut Connection, model: &Model, line: &str) {
    let names: Vec<String> = (0..MEMBERS).map(|number| format!("m{number}")).collect();
    let list = format!("MEMBERS {MEMBERS} {}", names.join(" "));
    let views = ["all", "day"].into_iter().zip(&model.views);
    let mut lists: Vec<(String, &View)> = views.map(|(name, view)| (format!("VIEW {name}"), view)).collect();
    let ended = model.ended.iter().rev().take(3);
    lists.extend(ended.map(|(day, view)| (format!("VIEW day AT {}", day * DAY), view)));
    for (options, view) in lists {
        assert_eq!(say(con, &format!("LB.TOP board 99 {options}")), model.top(view), "{options}: {line}");
        let places: Vec<String> = names.iter().map(|member| model.place(view, member)).collect();
        let told = say(con, &format!("LB.MSCORE board {list} {options}"));
        assert_eq!(told, format!("[{}]", places.join(" ")), "{options}: {line}");
    }
    let meta = |member| model.metas.get(member).map_or("nil".to_owned(), |meta| format!("\"{meta}\""));
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
        ("SUM", false, "FIRST"),
        ("SUM", true, "LAST"),
        ("SUM", false, "LEX"),
        ("MAX", false, "LAST"),
        ("MIN", true, "FIRST"),
        ("LAST", false, "FIRST"),
    ] {
        let mut con = server.connection();
        let order = if ascending { "ASC" } else { "DESC" };
        let rules = format!("AGGREGATE {aggregate} ORDER {order} TIES {ties}");
        println!("{rules}");
        let views = "VIEWS all,day RETAIN 10000 CLOCK EVENT";
        play(&mut con, &format!("FLUSHALL\nLB.CREATE board {views} KEEP {KEEP} {rules}"));
        let mut model = Model::new(aggregate, ascending, ties);
        model.now = 1_700_000_000_000;
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
