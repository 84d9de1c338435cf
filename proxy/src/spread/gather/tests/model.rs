//! Parts as sorted lists in memory, and what one board would say of all their entries.

use std::sync::Mutex;

use leaderboard_core::amount::Bound;
use leaderboard_core::parts::Parts;
use leaderboard_core::schema::{Order as End, Ties};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Amount, Schema, Score};
use redis::Value;

use super::super::rows::Row;
use super::super::rows::tests::pack;
use crate::nodes::{AttemptError, Command, Transport};
use crate::spread::root::Root;

pub const HASH: u64 = 77;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub score: i64,
    pub moment: u64,
    pub name: Vec<u8>,
    pub meta: Option<Vec<u8>>,
    pub is_hidden: bool,
}

/// What a part answers instead.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    Silent,
    Error(&'static [u8]),
    Hash(u64),
}

/// A board over parts: the members of each, best first.
pub struct Model {
    pub root: Root,
    pub parts: Vec<Vec<Member>>,
    /// The now of each part; the view is one of days.
    pub now: Vec<i64>,
    pub faults: Vec<Option<Fault>>,
    /// How many calls there were, and how many commands in all.
    pub sent: Mutex<(usize, usize)>,
    /// The words of the longest command.
    pub longest: Mutex<usize>,
}

/// The start of the day that the parts are in.
pub const TODAY: i64 = 86_400_000 * 100;

impl Model {
    pub fn new(parts: u16, schema: Schema, members: impl IntoIterator<Item = Member>) -> Self {
        let count = Parts::new(parts, "PARTS").unwrap();
        let specs = vec![Spec::new(Kind::parse(b"day").unwrap())];
        let root = Root { name: b"game".to_vec(), parts: count, hash: HASH, schema, specs };
        let mut all = vec![Vec::new(); usize::from(parts)];
        for member in members {
            all[usize::from(count.of(&member.name))].push(member);
        }
        let by = |member: &Member| order_key(&root.schema, member.score, member.moment);
        all.iter_mut().for_each(|part: &mut Vec<Member>| part.sort_by_key(by));
        let size = usize::from(parts);
        let (sent, longest) = Default::default();
        Self { root, parts: all, now: vec![TODAY + 5; size], faults: vec![None; size], sent, longest }
    }

    /// All members that everybody sees, best first, with their parts.
    pub fn ranking(&self, from_last: bool) -> Vec<&Member> {
        let mut all: Vec<_> = (0..)
            .zip(&self.parts)
            .flat_map(|(part, members)| {
                (0..).zip(members).map(move |(at, member)| {
                    ((order_key(&self.root.schema, member.score, member.moment), part, at), member)
                })
            })
            .collect::<Vec<((_, u16, usize), _)>>();
        all.sort_by_key(|(place, _)| *place);
        let mut all: Vec<_> =
            all.into_iter().map(|(_, member)| member).filter(|member| !member.is_hidden).collect();
        if from_last {
            all.reverse();
        }
        all
    }

    fn answer(&self, command: &Command) -> Result<Value, AttemptError> {
        let words: Vec<&[u8]> = command.words.iter().map(Vec::as_slice).collect();
        let part = (0..self.root.parts.count())
            .find(|part| self.root.parts.key(b"game", *part) == words[1])
            .unwrap();
        assert_eq!(command.slot, Some(leaderboard_core::parts::slot(tag(words[1]))));
        match &self.faults[usize::from(part)] {
            Some(Fault::Silent) => Err(AttemptError::Lost("silent".to_owned())),
            Some(Fault::Error(text)) => {
                Ok(redis::parse_redis_value(text).unwrap_or_else(|error| panic!("{error}")))
            }
            Some(Fault::Hash(hash)) => Ok(self.reply(part, *hash, &words)),
            None => Ok(self.reply(part, HASH, &words)),
        }
    }

    fn reply(&self, part: u16, hash: u64, words: &[&[u8]]) -> Value {
        if words[0] == b"LB.HIDDEN" {
            let mut hidden: Vec<_> = self.parts[usize::from(part)]
                .iter()
                .filter(|member| member.is_hidden)
                .map(|member| member.name.clone())
                .collect();
            hidden.sort();
            return Value::Array(hidden.into_iter().map(Value::BulkString).collect());
        }
        assert_eq!(words[0], b"LB.PART");
        Part::new(self, part, words).reply(part, hash, words[2], &words[3..])
    }
}

fn tag(key: &[u8]) -> &[u8] {
    key.strip_prefix(b"game:{").and_then(|rest| rest.strip_suffix(b"}")).unwrap()
}

/// What is smaller is ahead.
fn order_key(schema: &Schema, score: i64, moment: u64) -> (i128, i128) {
    let score = if schema.order == End::Asc { i128::from(score) } else { -i128::from(score) };
    let moment = if schema.ties == Ties::Last { -i128::from(moment) } else { i128::from(moment) };
    (score, moment)
}

/// A period of a part, from one of its ends.
struct Part<'a> {
    model: &'a Model,
    /// Those that everybody sees.
    seen: Vec<&'a Member>,
    all: Vec<&'a Member>,
    from_last: bool,
    with_meta: bool,
    now: i64,
    start: i64,
}

/// The value behind an option.
fn option<'a>(words: &[&'a [u8]], name: &[u8]) -> Option<&'a [u8]> {
    words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied()
}

fn number(word: &[u8]) -> usize {
    std::str::from_utf8(word).unwrap().parse().unwrap()
}

fn int(number: usize) -> Value {
    Value::Int(number as i64)
}

impl<'a> Part<'a> {
    fn new(model: &'a Model, part: u16, words: &[&[u8]]) -> Self {
        let now = model.now[usize::from(part)];
        let day = |at: i64| at - at.rem_euclid(86_400_000);
        let start = match (option(words, b"AT"), option(words, b"PERIOD")) {
            (Some(at), _) => day(number(at) as i64),
            (_, Some(back)) => {
                day(now) + 86_400_000 * std::str::from_utf8(back).unwrap().parse::<i64>().unwrap()
            }
            _ => day(now),
        };
        // All members are of today.
        let members = if start == TODAY { &model.parts[usize::from(part)][..] } else { &[] };
        let from_last = words.contains(&&b"REV"[..]);
        let mut all: Vec<_> = members.iter().collect();
        if from_last {
            all.reverse();
        }
        let seen = all.iter().copied().filter(|member| !member.is_hidden).collect();
        Self { model, seen, all, from_last, with_meta: words.contains(&&b"WITHMETA"[..]), now, start }
    }

    fn reply(&self, part: u16, hash: u64, operation: &[u8], words: &[&[u8]]) -> Value {
        let head = [
            Value::Int(part.into()),
            Value::Int(self.model.root.parts.count().into()),
            Value::Int(hash as i64),
        ];
        let period = [Value::Int(self.now), Value::Int(self.start), int(self.seen.len())];
        Value::Array(head.into_iter().chain(period).chain(self.elements(operation, words)).collect())
    }

    fn elements(&self, operation: &[u8], words: &[&[u8]]) -> Vec<Value> {
        match operation {
            b"TOP" => vec![self.rows(option(words, b"OFFSET").map_or(0, number), number(words[0]))],
            b"OF" => self.of(words),
            b"NEAR" => {
                let before = self.before(&words[..3]);
                let above = number(words[3]).min(before);
                vec![int(before), self.rows(before - above, above), self.rows(before, number(words[4]))]
            }
            b"SAMPLE" => vec![self.sample(words)],
            b"BETWEEN" => self.between(words),
            b"STATS" => vec![Value::BulkString(
                self.seen
                    .iter()
                    .map(|member| i128::from(member.score))
                    .sum::<i128>()
                    .to_string()
                    .into_bytes(),
            )],
            b"MOF" => {
                let at = words.iter().position(|word| *word == b"MEMBERS").unwrap();
                let entry = |member: &&[u8]| self.member(member);
                vec![Value::Array(words[at + 2..at + 2 + number(words[at + 1])].iter().map(entry).collect())]
            }
            b"MNEAR" => {
                let at = words.iter().position(|word| *word == b"PLACES").unwrap();
                let list = &words[at + 2..];
                assert_eq!(list.len(), 3 * number(words[at + 1]));
                vec![Value::Array(list.chunks(3).map(|point| int(self.before(point))).collect())]
            }
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }

    fn rows(&self, from: usize, count: usize) -> Value {
        let row = |member: &&'a Member| Row {
            score: Score::from_units(member.score).unwrap(),
            moment: member.moment,
            name: &member.name,
            meta: member.meta.as_deref(),
        };
        let rows: Vec<_> = self.seen.iter().skip(from).take(count).map(row).collect();
        Value::BulkString(pack(&rows, self.with_meta))
    }

    fn score(&self, units: i64) -> Value {
        let schema = &self.model.root.schema;
        super::super::reply::score(Score::from_units(units).unwrap(), &schema.notation())
    }

    fn before(&self, point: &[&[u8]]) -> usize {
        let schema = &self.model.root.schema;
        let score = Amount::parse(point[0], "score").unwrap().to_score(schema, "score").unwrap().units();
        let point_key = order_key(schema, score, number(point[1]) as u64);
        let is_after = point[2] == b"AFTER";
        let is_ahead = |member: &&&Member| {
            let key = order_key(schema, member.score, member.moment);
            let order = if self.from_last { point_key.cmp(&key) } else { key.cmp(&point_key) };
            order.is_lt() || is_after && order.is_eq()
        };
        self.seen.iter().filter(is_ahead).count()
    }

    /// Where a member is, or would be.
    fn spot(&self, member: &[u8]) -> Option<(usize, &'a Member)> {
        let at = self.all.iter().position(|other| other.name == member)?;
        Some((self.all[..at].iter().filter(|other| !other.is_hidden).count(), self.all[at]))
    }

    fn entry(&self, (before, member): (usize, &Member)) -> Vec<Value> {
        vec![
            int(before),
            self.score(member.score),
            Value::Int(member.moment as i64),
            Value::Int(member.is_hidden.into()),
        ]
    }

    fn meta(&self, member: &[u8]) -> Value {
        let meta = self.spot(member).and_then(|(_, member)| member.meta.clone());
        meta.map_or(Value::Nil, Value::BulkString)
    }

    fn of(&self, words: &[&[u8]]) -> Vec<Value> {
        let mut elements = match self.spot(words[0]) {
            None => vec![Value::Nil],
            Some((before, member)) => {
                let above = option(words, b"ABOVE").map_or(0, number).min(before);
                let own = usize::from(!member.is_hidden);
                let mut elements = self.entry((before, member));
                elements.push(self.rows(before - above, above));
                elements.push(self.rows(before + own, option(words, b"BELOW").map_or(0, number)));
                elements
            }
        };
        elements.extend(self.with_meta.then(|| self.meta(words[0])));
        elements
    }

    fn member(&self, member: &[u8]) -> Value {
        let entry = self.spot(member).map_or(Value::Nil, |spot| Value::Array(self.entry(spot)));
        if self.with_meta { Value::Array(vec![entry, self.meta(member)]) } else { entry }
    }

    fn sample(&self, words: &[&[u8]]) -> Value {
        let (count, first) = (number(words[0]), number(words[1]));
        let last =
            if words[2] == b"-1" { self.seen.len() } else { (number(words[2]) + 1).min(self.seen.len()) };
        let mut places: Vec<_> = match (last.saturating_sub(first), count) {
            (0, _) => Vec::new(),
            (_, 1) => vec![first],
            (width, count) => (0..count).map(|at| first + at * (width - 1) / (count - 1)).collect(),
        };
        places.dedup();
        let spot = |at: usize| Value::Array(self.entry((at, self.seen[at]))[..3].to_vec());
        Value::Array(places.into_iter().map(spot).collect())
    }

    fn between(&self, words: &[&[u8]]) -> Vec<Value> {
        let schema = &self.model.root.schema;
        let range = schema
            .score_range(Bound::parse(words[0], "min").unwrap(), Bound::parse(words[1], "max").unwrap())
            .unwrap();
        let Some((low, high)) = range else { return vec![int(0), int(0), Value::BulkString(Vec::new())] };
        let is_in = |member: &&Member| (low.units()..=high.units()).contains(&member.score);
        let within = self.seen.iter().filter(|member| is_in(member)).count();
        // Those ahead of the range: from the end that is read, all before the first in it or behind it.
        let is_ahead = |member: &&&Member| {
            let key = order_key(schema, member.score, 0).0;
            let ends = [low, high].map(|score| order_key(schema, score.units(), 0).0);
            if self.from_last { key > ends[0].max(ends[1]) } else { key < ends[0].min(ends[1]) }
        };
        let before = self.seen.iter().filter(is_ahead).count();
        let count = number(words[2]).min(within);
        vec![int(before), int(within), self.rows(before, count)]
    }
}

impl Transport for &Model {
    async fn send(&self, commands: &[&Command]) -> Vec<Result<Value, AttemptError>> {
        let mut sent = self.sent.lock().unwrap();
        (sent.0, sent.1) = (sent.0 + 1, sent.1 + commands.len());
        let mut longest = self.longest.lock().unwrap();
        *longest = commands.iter().map(|command| command.words.len()).fold(*longest, usize::max);
        commands.iter().map(|command| self.answer(command)).collect()
    }
}
