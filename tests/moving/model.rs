//! A simple model of LB.UNION and LB.INTER. It reads the sources with the reads of boards and sorted sets. All further
//! steps are sums of whole numbers and one sort.

use std::collections::{BTreeMap, BTreeSet};

use leaderboard_testkit::session::say;
use leaderboard_testkit::{Words, query, run, words};
use redis::{Connection, Value};

use super::scores::{read, units_of};
use super::{Scored, field, lines, zset};

/// A weight of 1, because the model counts weights in billionths.
const BILLION: i128 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregate {
    Sum,
    Min,
    Max,
}

/// A command in parts, before its words are written.
#[derive(Clone, Debug)]
pub struct Question {
    pub inter: bool,
    pub dest: String,
    pub keys: Vec<String>,
    /// The weights, as they are written in the command.
    pub weights: Option<Vec<String>>,
    pub aggregate: Option<Aggregate>,
    /// No view, one view, or one view for each key. The same is true for the periods.
    pub views: Vec<String>,
    pub periods: Vec<String>,
    pub at: Option<u64>,
    pub real: bool,
}

impl Question {
    pub fn words(&self) -> Words {
        let name = if self.inter { "LB.INTER" } else { "LB.UNION" };
        let mut line = format!("{name} {} {} {}", self.dest, self.keys.len(), self.keys.join(" "));
        if !self.views.is_empty() {
            line += &format!(" VIEW {}", self.views.join(","));
        }
        if let Some(weights) = &self.weights {
            line += &format!(" WEIGHTS {}", weights.join(" "));
        }
        if let Some(aggregate) = self.aggregate {
            line += &format!(" AGGREGATE {aggregate:?}");
        }
        if !self.periods.is_empty() {
            line += &format!(" PERIOD {}", self.periods.join(","));
        }
        if let Some(at) = self.at {
            line += &format!(" AT {at}");
        }
        if self.real {
            line += " REAL";
        }
        words(&line.split(' ').collect::<Vec<_>>())
    }

    fn weight(&self, source: usize) -> i128 {
        self.weights.as_ref().map_or(BILLION, |weights| {
            let text = &weights[source];
            let magnitude = i128::from(read(text.trim_start_matches('-'), 9));
            if text.starts_with('-') { -magnitude } else { magnitude }
        })
    }

    /// Returns the options for the read of one source.
    fn reading(&self, source: usize) -> Vec<&str> {
        let one = |list: &'_ [String]| -> Option<usize> {
            if list.is_empty() { None } else { Some(if list.len() == 1 { 0 } else { source }) }
        };
        let mut options = Vec::new();
        if let Some(at) = one(&self.views) {
            options.extend(["VIEW", self.views[at].as_str()]);
        }
        if let Some(at) = one(&self.periods) {
            options.extend(["PERIOD", self.periods[at].as_str()]);
        }
        if self.real {
            options.push("REAL");
        }
        options
    }
}

/// The rules that the result takes from the first board.
#[derive(Clone, Debug)]
pub struct Rules {
    pub ascending: bool,
    pub ties: String,
    pub decimals: usize,
    /// The rules that must be the same for all boards.
    pub others: Vec<(&'static str, String)>,
    /// The board's time; `None` if it uses the server's time.
    pub now: Option<u64>,
}

impl Rules {
    fn of(con: &mut Connection, key: &str) -> Rules {
        let info = run(con, &["LB.INFO", key]);
        let text = |name| field::<String>(&info, name);
        Rules {
            ascending: text("order") == "ASC",
            ties: text("ties"),
            decimals: field(&info, "decimals"),
            others: ["clock", "tz", "weekstart", "origin", "dedup"].map(|name| (name, text(name))).to_vec(),
            now: (text("clock") == "EVENT").then(|| field(&info, "now")),
        }
    }

    /// Returns the default rules.
    fn defaults() -> Rules {
        let others =
            [("clock", "SERVER"), ("tz", "UTC"), ("weekstart", "MON"), ("origin", "0"), ("dedup", "600")];
        Rules {
            ascending: false,
            ties: "FIRST".to_owned(),
            decimals: 0,
            others: others.map(|(name, value)| (name, value.to_owned())).to_vec(),
            now: None,
        }
    }
}

/// A member in one source.
#[derive(Clone, Debug)]
struct Part {
    member: Vec<u8>,
    score: Score,
    moment: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Score {
    /// A number of smallest units, and the number of decimals.
    Exact(i64, usize),
    Double(f64),
}

/// The members of a source, best first. The members of a sorted set are in the order in which LB.IMPORT reads them
/// into the result.
type Source = Vec<Part>;

/// A member of the result.
#[derive(Clone, Debug)]
pub struct Entry {
    pub member: Vec<u8>,
    pub units: i64,
    /// The moment; `None` for the present time of a result that uses the server's time.
    pub moment: Option<u64>,
    /// The number of the source from which the moment comes, and the place in this source.
    origin: (usize, usize),
}

#[derive(Debug)]
pub struct Answer {
    pub rules: Rules,
    /// The members of the result, best first.
    pub entries: Vec<Entry>,
    /// The time of the result, as in LB.INFO.
    pub now: Option<u64>,
    /// Errors of which one must be returned.
    pub refused: BTreeSet<String>,
    /// Errors of which one may be returned, because of members that are not in the result.
    pub perhaps: BTreeSet<String>,
}

pub fn answer(con: &mut Connection, question: &Question) -> Answer {
    let types: Vec<String> = question.keys.iter().map(|key| say(con, &format!("TYPE {key}"))).collect();
    let first = types.iter().position(|kind| kind == "lb-board1");
    let rules = first.map_or_else(Rules::defaults, |at| Rules::of(con, &question.keys[at]));
    let sources: Vec<Source> = question
        .keys
        .iter()
        .zip(&types)
        .enumerate()
        .map(|(at, (key, kind))| match kind.as_str() {
            "none" => Vec::new(),
            "zset" => of_zset(zset(con, if rules.ascending { "ZRANGE" } else { "ZREVRANGE" }, key)),
            _ => of_board(con, key, question, at),
        })
        .collect();
    combined(question, rules, &sources)
}

fn of_zset(members: Scored) -> Source {
    let part = |(member, score)| Part { member, score: Score::Double(score), moment: None };
    members.into_iter().map(part).collect()
}

fn of_board(con: &mut Connection, key: &str, question: &Question, at: usize) -> Source {
    let mut options = question.reading(at);
    let moment = question.at.map(|at| at.to_string());
    if let Some(moment) = &moment {
        options.extend(["AT", moment]);
    }
    let lines = lines(con, key, &options);
    if lines.is_empty() {
        return Vec::new();
    }
    let decimals = Rules::of(con, key).decimals;
    let moments = match end(con, key, question, at) {
        Some(end) => vec![end - 1; lines.len()],
        None => moments(con, key, &options, &lines),
    };
    let parts = lines.into_iter().zip(moments).map(|((member, text), moment)| Part {
        member,
        score: Score::Exact(read(&text, decimals), decimals),
        moment: Some(moment),
    });
    parts.collect()
}

/// Returns the moments when the members got their present scores.
pub fn moments(con: &mut Connection, key: &str, options: &[&str], lines: &[(Vec<u8>, String)]) -> Vec<u64> {
    if lines.is_empty() {
        return Vec::new();
    }
    let count = lines.len().to_string();
    let mut command = words(&[&["LB.MSTANDING", key], options, &["MEMBERS", &count]].concat());
    command.extend(lines.iter().map(|(member, _)| member.clone()));
    let standings: Vec<Value> = query(con, &command);
    standings.iter().map(|standing| field(standing, "at")).collect()
}

/// Returns the end of the requested period, if it has ended.
fn end(con: &mut Connection, key: &str, question: &Question, at: usize) -> Option<u64> {
    let options = question.reading(at);
    let told = |word| options.iter().position(|option| *option == word).map(|at| options[at + 1]);
    let views: String = field(&run(con, &["LB.INFO", key]), "views");
    let view = told("VIEW").unwrap_or(views.split(',').next().expect("a view")).to_owned();
    if view == "all" {
        return None;
    }
    let periods: Vec<(String, u64, u64, usize)> = query(con, &["LB.PERIODS", key, &view]);
    let found = match (told("PERIOD"), question.at) {
        (Some(period), _) => period
            .parse::<i64>()
            .ok()
            .filter(|number| *number <= 0)
            .map(|number| number.unsigned_abs() as usize)
            .or_else(|| periods.iter().position(|row| row.0 == period)),
        (None, Some(moment)) => periods.iter().position(|row| (row.1..row.2).contains(&moment)),
        (None, None) => Some(0),
    };
    let found = found.expect("a period, as it has members");
    (found > 0).then(|| periods[found].2)
}

/// A member in one source, with its weighted units and their origin.
struct Weighed {
    units: i128,
    moment: Option<u64>,
    origin: (usize, usize),
    error: Option<String>,
}

fn weighed(part: &Part, weight: i128, decimals: usize, origin: (usize, usize)) -> Weighed {
    let digits = |units: i64, has: usize| {
        let surplus = 10_i64.pow(has.saturating_sub(decimals) as u32);
        if units % surplus == 0 { Ok(()) } else { Err(super::scores::Unfit::Digits) }
    };
    let (units, has, unfit) = match part.score {
        Score::Exact(units, has) => (units, has, digits(units, has).err()),
        Score::Double(score) => match units_of(score, decimals) {
            Ok(units) => (units, decimals, None),
            Err(unfit) => (0, decimals, Some(unfit)),
        },
    };
    // The product in billionths of units with `has` decimals, rounded down to units of the result.
    let units = (i128::from(units) * weight).div_euclid(10_i128.pow((has + 9 - decimals) as u32));
    let name = String::from_utf8_lossy(&part.member);
    Weighed { units, moment: part.moment, origin, error: unfit.map(|unfit| unfit.error(&name, decimals)) }
}

fn combined(question: &Question, rules: Rules, sources: &[Source]) -> Answer {
    let mut members: BTreeMap<Vec<u8>, Vec<Weighed>> = BTreeMap::new();
    for (at, source) in sources.iter().enumerate() {
        for (place, part) in source.iter().enumerate() {
            let weighed = weighed(part, question.weight(at), rules.decimals, (at, place));
            members.entry(part.member.clone()).or_default().push(weighed);
        }
    }
    let latest = members.values().flatten().filter_map(|part| part.moment).max();
    let now = rules.now.map(|now| now.max(latest.unwrap_or(0)));
    let (mut refused, mut perhaps, mut entries) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (member, parts) in members {
        let errors = parts.iter().filter_map(|part| part.error.clone());
        if question.inter && parts.len() < sources.len() {
            perhaps.extend(errors);
            continue;
        }
        refused.extend(errors);
        let entry = entry(member, &parts, question.aggregate, now);
        refused.extend(entry.is_none().then(|| "ERR the score would be out of range".to_owned()));
        entries.extend(entry);
    }
    sort(&mut entries, &rules);
    Answer { rules, entries, now, refused, perhaps }
}

fn entry(
    member: Vec<u8>,
    parts: &[Weighed],
    aggregate: Option<Aggregate>,
    now: Option<u64>,
) -> Option<Entry> {
    let units = parts.iter().map(|part| part.units);
    let units = match aggregate.unwrap_or(Aggregate::Sum) {
        Aggregate::Sum => units.sum(),
        Aggregate::Min => units.min()?,
        Aggregate::Max => units.max()?,
    };
    let units = i64::try_from(units).ok().filter(|units| *units != i64::MIN)?;
    // `None` is ordered before every moment. If several parts have the same moment, the part of the last source is
    // used.
    let last = parts.iter().max_by_key(|part| (part.moment, part.origin.0))?;
    Some(Entry { member, units, moment: last.moment.or(now), origin: last.origin })
}

fn sort(entries: &mut [Entry], rules: &Rules) {
    // The server's present time is later than all moments.
    let moment = |entry: &Entry| entry.moment.unwrap_or(u64::MAX);
    entries.sort_by(|a, b| {
        let scores = if rules.ascending { a.units.cmp(&b.units) } else { b.units.cmp(&a.units) };
        scores.then_with(|| match rules.ties.as_str() {
            "FIRST" => moment(a).cmp(&moment(b)).then(a.origin.cmp(&b.origin)),
            "LAST" => moment(b).cmp(&moment(a)).then(a.origin.cmp(&b.origin)),
            "LEX" => a.member.cmp(&b.member),
            _ => b.member.cmp(&a.member),
        })
    });
}

impl Answer {
    /// Returns the members in an order in which single writes give the same board.
    pub fn in_time(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        // If the later member ranks higher, this is also true for the later write.
        let last = self.rules.ties == "LAST";
        entries.sort_by(|a, b| {
            let origins = a.origin.cmp(&b.origin);
            a.moment.cmp(&b.moment).then(if last { origins.reverse() } else { origins })
        });
        entries
    }
}
