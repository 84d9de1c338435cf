//! Compares LB.PART with a model, with random members, scores, moments and places.

use leaderboard_testkit::random::Random;
use leaderboard_testkit::session::{play, words};
use leaderboard_testkit::slots::members_of;
use leaderboard_testkit::{Flavor, Server, query, run};
use redis::{Connection, Value};

use super::ranking::{Ranking, Row, Told, int, rows, told};

/// The greatest score of the model's members. Reads use no greater score than this.
const SCORES: u64 = 12;
const BEGIN: i64 = 1_600_000_000_000;

/// A part, its model, and the random requests that both get.
struct Asker {
    con: Connection,
    model: Ranking,
    random: Random,
    members: Vec<String>,
    decimals: bool,
    /// The hash of the part's rules.
    hash: i64,
}

#[derive(Clone, Copy)]
struct Options {
    rev: bool,
    metas: bool,
}

impl Asker {
    fn new(server: &Server, seed: u64, options: &str) -> Asker {
        let mut con = server.connection();
        play(&mut con, "FLUSHALL");
        play(&mut con, &format!("LB.CREATE part VIEWS all,day,day:3 {options} PART 3 OF 8"));
        let ascending = options.contains("ASC");
        let model = Ranking { ascending, last: options.contains("LAST"), ..Ranking::default() };
        let (random, decimals) = (Random::new(seed), options.contains("DECIMALS"));
        let hash = crate::parts::hash(&mut con, "part") as i64;
        Asker { con, model, random, members: members_of(3, 8, 40), decimals, hash }
    }

    fn member(&mut self) -> String {
        self.random.pick(&self.members).clone()
    }

    /// Returns a score in the form of commands.
    fn written(&self, score: i64) -> String {
        if self.decimals { decimal(score) } else { score.to_string() }
    }

    fn score(&self, value: &Value) -> i64 {
        match value {
            Value::Int(number) if self.decimals => number * 100,
            Value::Int(number) => *number,
            Value::BulkString(text) => units(std::str::from_utf8(text).unwrap()),
            other => panic!("no score but {other:?}"),
        }
    }

    /// Sends one random write to the part and to the model.
    fn write(&mut self) {
        let member = self.member();
        match self.random.below(20) {
            0 => {
                run(&mut self.con, &["LB.REM", "part", &member]);
                self.model.entries.retain(|entry| entry.row.name != member);
            }
            1 | 2 => {
                // Only members on the board are hidden, because the model can store this only in an existing entry.
                let Some(entry) = self.model.entries.iter_mut().find(|entry| entry.row.name == member) else {
                    return;
                };
                entry.hidden = self.random.percent(50);
                let command = if entry.hidden { "LB.HIDE" } else { "LB.UNHIDE" };
                run(&mut self.con, &[command, "part", &member]);
            }
            3 => {
                let Some(entry) = self.model.entries.iter_mut().find(|entry| entry.row.name == member) else {
                    return;
                };
                let meta = format!("text {}", self.random.below(9));
                run(&mut self.con, &["LB.SETMETA", "part", &member, &meta]);
                entry.row.meta = Some(meta);
            }
            _ => {
                let points = self.random.below(SCORES) as i64 - 3;
                let moment = BEGIN + 1_000 * self.random.below(30) as i64;
                let written = self.written(points);
                run(&mut self.con, &["LB.ADD", "part", &written, &member, "AT", &moment.to_string()]);
                self.model.add(&member, points, moment);
            }
        }
    }

    /// Sends a read with random common options, and checks the head of the reply.
    fn ask(&mut self, operation: &str, before: &[String], counted: &[String]) -> (Told, Options) {
        let metas_too = ["TOP", "OF", "NEAR", "BETWEEN", "MOF"].contains(&operation);
        let options = Options { rev: self.random.percent(30), metas: metas_too && self.random.percent(40) };
        let mut line: Vec<String> = ["LB.PART", "part", operation].map(str::to_owned).into();
        line.extend_from_slice(before);
        let flags =
            [(options.rev, "REV"), (options.metas, "WITHMETA"), (self.random.percent(30), "VIEW all")];
        for (wanted, flag) in flags {
            if wanted {
                line.extend(flag.split(' ').map(str::to_owned));
            }
        }
        line.extend_from_slice(counted);
        let reply = told(run(&mut self.con, &line));
        assert_eq!([reply.part, reply.parts, reply.hash], [3, 8, self.hash]);
        assert_eq!(reply.start, Some(0), "{line:?}");
        assert_eq!(reply.members, self.model.rows(false).len() as i64, "{line:?}");
        (reply, options)
    }

    #[track_caller]
    fn same_rows(&self, value: &Value, expected: &[Row], options: Options) {
        let mut expected = expected.to_vec();
        if !options.metas {
            expected.iter_mut().for_each(|row| row.meta = None);
        }
        assert_eq!(rows(value, options.metas), expected);
    }

    /// Checks the rows before and after a place in a reply. `before` is the number of rows before the place, and
    /// `counts` gives the maximum numbers of rows on both sides.
    #[track_caller]
    fn same_place(&self, told: &[Value], before: usize, skip: usize, counts: [usize; 2], options: Options) {
        let all = self.model.rows(options.rev);
        self.same_rows(&told[0], &all[before.saturating_sub(counts[0])..before], options);
        let behind: Vec<_> = all[before + skip..].iter().take(counts[1]).cloned().collect();
        self.same_rows(&told[1], &behind, options);
    }

    fn top(&mut self) {
        let (count, offset) = (self.random.below(50) as usize, self.random.below(50) as usize);
        let mut words = vec![count.to_string()];
        let offset = if self.random.percent(50) { offset } else { 0 };
        if offset > 0 {
            words.extend(["OFFSET".to_owned(), offset.to_string()]);
        }
        let (told, options) = self.ask("TOP", &words, &[]);
        let all = self.model.rows(options.rev);
        let expected: Vec<_> = all.into_iter().skip(offset).take(count).collect();
        self.same_rows(&told.rest[0], &expected, options);
    }

    fn of(&mut self) {
        let member = self.member();
        let mut words = vec![member.clone()];
        let mut counts = [0, 0];
        for (count, name) in counts.iter_mut().zip(["ABOVE", "BELOW"]) {
            if self.random.percent(60) {
                *count = self.random.below(9) as usize;
                words.extend([name.to_owned(), count.to_string()]);
            }
        }
        let (told, options) = self.ask("OF", &words, &[]);
        let rest = &told.rest;
        let Some((before, entry)) = self.model.find(&member, options.rev) else {
            let expected = if options.metas { vec![Value::Nil; 2] } else { vec![Value::Nil] };
            assert_eq!(*rest, expected);
            return;
        };
        self.same_entry(&rest[..4], before, &entry);
        self.same_place(&rest[4..6], before, usize::from(!entry.hidden), counts, options);
        let meta = entry.row.meta.map_or(Value::Nil, |meta| Value::BulkString(meta.into_bytes()));
        assert_eq!(rest[6..], if options.metas { vec![meta] } else { Vec::new() });
    }

    #[track_caller]
    fn same_entry(&self, told: &[Value], before: usize, entry: &super::ranking::Entry) {
        let expected = (before as i64, entry.row.score, entry.row.moment, i64::from(entry.hidden));
        assert_eq!((int(&told[0]), self.score(&told[1]), int(&told[2]), int(&told[3])), expected);
    }

    /// Returns a score, a moment and a side, close to those of a member.
    fn point(&mut self) -> (i64, i64, bool) {
        let rows = self.model.rows(false);
        let after = self.random.percent(50);
        if rows.is_empty() || self.random.percent(40) {
            let moment = *self.random.pick(&[0, BEGIN, BEGIN + 5_500, i64::MAX]);
            return (self.random.below(3 * SCORES) as i64 - 9, moment, after);
        }
        let row = self.random.pick(&rows);
        (row.score, row.moment, after)
    }

    fn near(&mut self) {
        let (score, moment, after) = self.point();
        let counts = [self.random.below(6) as usize, self.random.below(6) as usize];
        let side = if after { "AFTER" } else { "BEFORE" };
        let words = [
            self.written(score),
            moment.to_string(),
            side.to_owned(),
            counts[0].to_string(),
            counts[1].to_string(),
        ];
        let (told, options) = self.ask("NEAR", &words, &[]);
        let before = self.model.before(score, moment, after, options.rev);
        assert_eq!(int(&told.rest[0]), before as i64, "{words:?} {}", options.rev);
        self.same_place(&told.rest[1..3], before, 0, counts, options);
    }

    fn many_near(&mut self) {
        let points: Vec<_> = (0..1 + self.random.below(9)).map(|_| self.point()).collect();
        let mut words = vec!["PLACES".to_owned(), points.len().to_string()];
        for (score, moment, after) in &points {
            let side = if *after { "AFTER" } else { "BEFORE" };
            words.extend([self.written(*score), moment.to_string(), side.to_owned()]);
        }
        let (told, options) = self.ask("MNEAR", &[], &words);
        let expected: Vec<_> = points
            .iter()
            .map(|(score, moment, after)| {
                Value::Int(self.model.before(*score, *moment, *after, options.rev) as i64)
            })
            .collect();
        assert_eq!(told.rest, [Value::Array(expected)], "{words:?}");
    }

    fn many_of(&mut self) {
        let members: Vec<_> = (0..1 + self.random.below(9)).map(|_| self.member()).collect();
        let mut words = vec!["MEMBERS".to_owned(), members.len().to_string()];
        words.extend_from_slice(&members);
        let (told, options) = self.ask("MOF", &[], &words);
        let [Value::Array(entries)] = &told.rest[..] else { panic!("{:?}", told.rest) };
        assert_eq!(entries.len(), members.len());
        for (member, told) in members.iter().zip(entries) {
            let found = self.model.find(member, options.rev);
            let mut told = told.clone();
            if options.metas {
                let Value::Array(pair) = told else { panic!("no pair but {told:?}") };
                let meta = found.as_ref().and_then(|(_, entry)| entry.row.meta.clone());
                assert_eq!(pair[1], meta.map_or(Value::Nil, |meta| Value::BulkString(meta.into_bytes())));
                told = pair[0].clone();
            }
            match (found, &told) {
                (None, Value::Nil) => {}
                (Some((before, entry)), Value::Array(told)) => self.same_entry(told, before, &entry),
                (found, told) => panic!("{found:?} and {told:?}"),
            }
        }
    }

    fn sample(&mut self) {
        let count = 1 + self.random.below(12) as usize;
        let first = self.random.below(30) as usize;
        let last = if self.random.percent(40) { -1 } else { (first + self.random.below(30) as usize) as i64 };
        let words = [count.to_string(), first.to_string(), last.to_string()];
        let (told, options) = self.ask("SAMPLE", &words, &[]);
        let [Value::Array(sample)] = &told.rest[..] else { panic!("{:?}", told.rest) };
        let all = self.model.rows(options.rev);
        let end = if last < 0 { all.len() } else { all.len().min(last as usize + 1) };
        let span = end.saturating_sub(first);
        assert_eq!(sample.len(), span.min(count), "{words:?} of {}", all.len());
        let mut places = Vec::new();
        for taken in sample {
            let Value::Array(taken) = taken else { panic!("no place but {taken:?}") };
            let place = int(&taken[0]) as usize;
            assert_eq!((self.score(&taken[1]), int(&taken[2])), (all[place].score, all[place].moment));
            places.push(place);
        }
        for (number, place) in places.iter().enumerate() {
            assert!((first..end).contains(place), "{places:?}");
            if sample.len() > 1 {
                let even = first as f64 + number as f64 * (span - 1) as f64 / (sample.len() - 1) as f64;
                assert!((*place as f64 - even).abs() <= 1.0, "{places:?} of {first} to {end}");
            }
        }
        assert!(places.is_sorted_by(|one, next| one < next), "{places:?}");
        if places.len() > 1 {
            assert_eq!([places[0], places[places.len() - 1]], [first, end - 1]);
        }
    }

    fn between(&mut self) {
        let [one, other] = [0, 1].map(|_| self.random.below(2 * SCORES) as i64 - 5);
        let (min, max) = (one.min(other), one.max(other));
        let [open_min, open_max] = [0, 1].map(|_| self.random.percent(40));
        let (count, offset) = (self.random.below(9) as usize, self.random.below(9) as usize);
        let bound = |score, open| format!("{}{}", if open { "(" } else { "" }, self.written(score));
        let words = [
            bound(min, open_min),
            bound(max, open_max),
            count.to_string(),
            "OFFSET".into(),
            offset.to_string(),
        ];
        let (told, options) = self.ask("BETWEEN", &words, &[]);
        let all = self.model.rows(options.rev);
        let above_min = |row: &Row| if open_min { row.score > min } else { row.score >= min };
        let below_max = |row: &Row| if open_max { row.score < max } else { row.score <= max };
        let within: Vec<_> = all.iter().filter(|row| above_min(row) && below_max(row)).cloned().collect();
        // The rows before the range, in the order of the ranking.
        let greatest_first = self.model.ascending == options.rev;
        let ahead = |row: &&Row| if greatest_first { !below_max(row) } else { !above_min(row) };
        let before = all.iter().filter(ahead).count();
        // If no score can be in the range, the number of rows before the range is not defined.
        let empty = min + i64::from(open_min) > max - i64::from(open_max);
        if !empty {
            assert_eq!(int(&told.rest[0]), before as i64, "{words:?} {}", options.rev);
        }
        assert_eq!(int(&told.rest[1]), within.len() as i64, "{words:?}");
        let expected: Vec<_> = within.into_iter().skip(offset).take(count).collect();
        self.same_rows(&told.rest[2], &expected, options);
    }

    fn statistics(&mut self) {
        let (told, _) = self.ask("STATS", &[], &[]);
        let sum: i64 = self.model.rows(false).iter().map(|row| row.score).sum();
        assert_eq!(told.rest, [Value::BulkString(sum.to_string().into_bytes())]);
        let buckets = 1 + self.random.below(9);
        let (min, max) = (self.written(-4), self.written(30));
        let (told, _) = self.ask("HISTOGRAM", &[min.clone(), max.clone(), buckets.to_string()], &[]);
        let line = format!("LB.HISTOGRAM part {min} {max} {buckets}");
        let plain: Vec<Vec<Value>> = query(&mut self.con, &words(&line));
        let counts = plain.iter().map(|bucket| bucket[2].clone()).collect();
        assert_eq!(told.rest, [Value::Array(counts)], "{line}");
    }
}

/// Reads a score of a board with two decimals, and returns it in smallest units.
fn units(text: &str) -> i64 {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    sign * (whole.parse::<i64>().unwrap() * 100 + format!("{part:0<2}").parse::<i64>().unwrap())
}

fn decimal(units: i64) -> String {
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", units.abs() / 100, units.abs() % 100)
}

#[test]
fn a_part_tells_what_the_model_tells() {
    let server = Server::start(Flavor::Redis70);
    let kinds = ["", "TIES LAST", "ORDER ASC", "ORDER ASC TIES LAST DECIMALS 2"];
    for seed in 0..12 {
        let mut asker = Asker::new(&server, seed + 1, kinds[seed as usize % kinds.len()]);
        let operations = [
            Asker::top,
            Asker::of,
            Asker::near,
            Asker::many_near,
            Asker::many_of,
            Asker::sample,
            Asker::between,
            Asker::statistics,
        ];
        for _ in 0..25 {
            for operation in operations {
                operation(&mut asker);
            }
            (0..8).for_each(|_| asker.write());
        }
    }
}
