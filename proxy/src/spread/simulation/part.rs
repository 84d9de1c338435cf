//! `LB.PART`, by the contract, over the orders of a part as lists.

use leaderboard_core::amount::Bound;
use leaderboard_core::parts::Role;
use leaderboard_core::schema::{Order as Direction, Ties};
use leaderboard_core::{Schema, Score};
use redis::Value;

use super::key::{Entry, Key, Order};
use super::values::{array, bulk, bulk_or_nil, error, int, score, sum};
use super::words::{Options, Read, Words, refused};

/// Where an entry stands by score and moment: the best has the smallest place.
pub fn place(schema: &Schema, score: Score, moment: u64) -> (i128, i128) {
    let units = i128::from(score.units());
    let moment = i128::from(moment);
    (
        if schema.order == Direction::Asc { units } else { -units },
        if schema.ties == Ties::Last { -moment } else { moment },
    )
}

/// What is asked of a part.
struct Part<'a> {
    key: &'a Key,
    order: &'a Order,
    /// Those that everybody sees, in the order that is asked for.
    seen: Vec<&'a Entry>,
    options: Options<'a>,
}

/// Answers `LB.PART key operation ...` at a moment of the node's clock.
pub fn answer(key: Option<&mut Key>, words: &[Vec<u8>]) -> Read<Value> {
    let mut rest = Words::of(words);
    rest.next()?;
    rest.next()?;
    let operation = String::from_utf8_lossy(rest.next()?).to_uppercase();
    let Some(key) = key else { return Ok(error("NOPART the key is no part")) };
    let Role::Part { number, parts } = key.board.schema().role else {
        return Ok(error("NOPART the key is no part"));
    };
    let fixed = match operation.as_str() {
        "TOP" | "OF" => 1,
        "NEAR" => 5,
        "SAMPLE" | "BETWEEN" | "HISTOGRAM" => 3,
        "STATS" | "MOF" | "MNEAR" => 0,
        other => return Err(format!("ERR unknown operation '{other}'")),
    };
    let arguments: Vec<_> = (0..fixed).map(|_| rest.next()).collect::<Read<_>>()?;
    let options = Options::last(rest)?;
    let order = key.order(options.view, options.when())?;
    let mut seen: Vec<_> = order.seen().collect();
    if options.rev {
        seen.reverse();
    }
    let mut reply = vec![
        int(number),
        int(parts.count()),
        int(key.board.rules_hash()),
        int(key.now),
        order.start.map_or(Value::Nil, int),
        int(seen.len() as u64),
    ];
    let part = Part { key, order: &order, seen, options };
    reply.extend(part.perform(&operation, &arguments)?);
    Ok(array(reply))
}

impl Part<'_> {
    fn schema(&self) -> &Schema {
        self.key.board.schema()
    }

    fn perform(&self, operation: &str, arguments: &[&[u8]]) -> Read<Vec<Value>> {
        let number = |at: usize| leaderboard_core::integer::natural(arguments[at], "number").map_err(refused);
        Ok(match operation {
            "TOP" => vec![self.rows(self.options.offset, number(0)?)],
            "OF" => self.of(arguments[0])?,
            "NEAR" => {
                let before = self.before(arguments[0], arguments[1], arguments[2])?;
                let above = number(3)?.min(before);
                vec![int(before), self.rows(before - above, above), self.rows(before, number(4)?)]
            }
            "SAMPLE" => vec![self.sample(
                number(0)?,
                leaderboard_core::integer::integer(arguments[1], "first").map_err(refused)?,
                leaderboard_core::integer::integer(arguments[2], "last").map_err(refused)?,
            )?],
            "BETWEEN" => {
                let (before, within) = self.within(arguments[0], arguments[1])?;
                let offset = self.options.offset.min(within);
                let count = number(2)?.min(within - offset);
                vec![int(before), int(within), self.rows(before + offset, count)]
            }
            "STATS" => {
                let total = self.seen.iter().map(|entry| i128::from(entry.score.units())).sum::<i128>();
                match self.schema().notation() {
                    leaderboard_core::notation::Notation::Levels(_) => vec![Value::Nil],
                    // In smallest units, whatever the decimals.
                    _ => match sum(total, &leaderboard_core::notation::Notation::Decimals(0)) {
                        Value::Int(number) => vec![bulk(number.to_string())],
                        text => vec![text],
                    },
                }
            }
            "HISTOGRAM" => vec![self.histogram(arguments[0], arguments[1], number(2)?)?],
            "MOF" => vec![array(
                self.options
                    .members
                    .iter()
                    .map(|member| self.standing_of(member))
                    .collect::<Read<Vec<_>>>()?,
            )],
            _ => vec![array(
                self.options
                    .places
                    .iter()
                    .map(|[score, moment, side]| self.before(score, moment, side).map(int))
                    .collect::<Read<Vec<_>>>()?,
            )],
        })
    }

    /// Up to `count` rows behind so many, packed.
    fn rows(&self, before: u64, count: u64) -> Value {
        let mut packed = Vec::new();
        let clamped = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        for entry in self.seen.iter().skip(clamped(before)).take(clamped(count)) {
            packed.extend(entry.score.units().to_le_bytes());
            packed.extend(entry.moment.to_le_bytes());
            packed.extend((entry.name.len() as u16).to_le_bytes());
            packed.extend(&entry.name);
            if self.options.with_meta {
                match self.key.board.meta(&entry.name) {
                    Some(meta) => {
                        packed.extend((meta.len() as u16).to_le_bytes());
                        packed.extend(meta);
                    }
                    None => packed.extend(u16::MAX.to_le_bytes()),
                }
            }
        }
        bulk(packed)
    }

    fn own(&self, member: &[u8]) -> Read<()> {
        let Role::Part { number, parts } = self.schema().role else { return Ok(()) };
        match parts.of(member) {
            own if own == number => Ok(()),
            other => Err(format!("ERR member belongs to part {other}")),
        }
    }

    /// A member's entry, and how many are seen before it.
    fn find(&self, member: &[u8]) -> Option<(u64, &Entry)> {
        let entries = &self.order.entries;
        let at = entries.iter().position(|entry| entry.name == member)?;
        let others = if self.options.rev { &entries[at + 1..] } else { &entries[..at] };
        let before = others.iter().filter(|entry| !entry.hidden).count() as u64;
        Some((before, &entries[at]))
    }

    fn meta(&self, member: &[u8]) -> Option<Value> {
        self.options.with_meta.then(|| bulk_or_nil(self.key.board.meta(member)))
    }

    fn score(&self, entry: &Entry) -> Value {
        score(entry.score, &self.schema().notation())
    }

    fn of(&self, member: &[u8]) -> Read<Vec<Value>> {
        self.own(member)?;
        let Some((before, entry)) = self.find(member) else {
            return Ok([Value::Nil].into_iter().chain(self.meta(member)).collect());
        };
        let above = self.options.above.unwrap_or(0).min(before);
        let behind = before + u64::from(!entry.hidden);
        let reply = [
            int(before),
            self.score(entry),
            int(entry.moment),
            int(u64::from(entry.hidden)),
            self.rows(before - above, above),
            self.rows(behind, self.options.below.unwrap_or(0)),
        ];
        Ok(reply.into_iter().chain(self.meta(member)).collect())
    }

    fn standing_of(&self, member: &[u8]) -> Read<Value> {
        self.own(member)?;
        let entry = self.find(member).map_or(Value::Nil, |(before, entry)| {
            array([int(before), self.score(entry), int(entry.moment), int(u64::from(entry.hidden))])
        });
        Ok(match self.meta(member) {
            Some(meta) => array([entry, meta]),
            None => entry,
        })
    }

    /// How many come before a score and a moment.
    fn before(&self, score: &[u8], moment: &[u8], side: &[u8]) -> Read<u64> {
        let bound = Bound::parse(score, "score").map_err(refused)?;
        let range = self.schema().score_range(bound, bound).map_err(refused)?;
        let (score, _) = range.ok_or("ERR score is no score of the board")?;
        let moment = leaderboard_core::integer::natural(moment, "moment").map_err(refused)?;
        let with_equals = match side.to_ascii_uppercase().as_slice() {
            b"BEFORE" => false,
            b"AFTER" => true,
            _ => return Err("ERR BEFORE or AFTER".to_owned()),
        };
        let here = place(self.schema(), score, moment);
        let is_before = |entry: &&&Entry| {
            let there = place(self.schema(), entry.score, entry.moment);
            let order = if self.options.rev { here.cmp(&there) } else { there.cmp(&here) };
            order.is_lt() || (with_equals && order.is_eq())
        };
        Ok(self.seen.iter().filter(is_before).count() as u64)
    }

    fn within(&self, min: &[u8], max: &[u8]) -> Read<(u64, u64)> {
        let min = Bound::parse(min, "min").map_err(refused)?;
        let max = Bound::parse(max, "max").map_err(refused)?;
        let Some((low, high)) = self.schema().score_range(min, max).map_err(refused)? else {
            return Ok((0, 0));
        };
        let inside = |entry: &&Entry| (low..=high).contains(&entry.score);
        // Where nobody is inside, those before it are those of better scores.
        let best = match (self.schema().order, self.options.rev) {
            (Direction::Desc, false) | (Direction::Asc, true) => high,
            _ => low,
        };
        let greater_first = (self.schema().order == Direction::Desc) != self.options.rev;
        let ahead = |entry: &&&Entry| if greater_first { entry.score > best } else { entry.score < best };
        let within = self.seen.iter().copied().filter(inside).count() as u64;
        Ok((self.seen.iter().filter(ahead).count() as u64, within))
    }

    /// Up to `m` places at equal distances.
    fn sample(&self, m: u64, first: i64, last: i64) -> Read<Value> {
        if !(1..=1024).contains(&m) {
            return Err("ERR m is out of range".to_owned());
        }
        let members = self.seen.len() as i64;
        let clamped = |place: i64| if place < 0 { members + place } else { place };
        let (first, last) = (clamped(first).max(0), clamped(last).min(members - 1));
        let mut places: Vec<i64> = match m {
            _ if first > last => Vec::new(),
            1 => vec![first],
            _ => (0..m as i64).map(|number| first + number * (last - first) / (m as i64 - 1)).collect(),
        };
        places.dedup();
        Ok(array(places.into_iter().map(|at| {
            let entry = self.seen[at as usize];
            array([int(at), self.score(entry), int(entry.moment)])
        })))
    }

    /// Counts in buckets whose edges are those of `LB.HISTOGRAM`.
    fn histogram(&self, min: &[u8], max: &[u8], buckets: u64) -> Read<Value> {
        let min = Bound::parse(min, "min").map_err(refused)?;
        let max = Bound::parse(max, "max").map_err(refused)?;
        let range = self.schema().score_range(min, max).map_err(refused)?;
        let (low, high) = range.ok_or_else(|| refused(leaderboard_core::Error::MaxBelowMin))?;
        let width = u128::from(low.distance(high));
        let edge = |number: u64| {
            i128::from(low.units()) + (width * u128::from(number)).div_ceil(buckets.into()) as i128
        };
        let mut counts = vec![0_u64; buckets as usize];
        for entry in self.seen.iter().filter(|entry| (low..=high).contains(&entry.score)) {
            let units = i128::from(entry.score.units());
            let bucket = (1..buckets).find(|number| units < edge(*number)).unwrap_or(buckets);
            counts[bucket as usize - 1] += 1;
        }
        Ok(array(counts.into_iter().map(int)))
    }
}
