//! The goals of the benchmark and their results.

use indicatif::HumanCount;

use crate::contest::Speed;
use crate::leagues::Leagues;
use crate::moving::Moving;
use crate::pipelines::Traffic;
use crate::recorded::Recorded;
use crate::report::{Figures, Row};
use crate::segments::Segments;
use crate::sizes::Size;
use crate::tair::Tair;
use crate::{
    competitions, counters, leagues, lists, reads, rolling, segments, sizes, speed, tair, views, votes,
};

/// A goal and its result.
pub struct Goal {
    what: String,
    /// The result. For comparisons of speed, it is based on processor time.
    reached: f64,
    more: Option<Compared>,
    /// The limit; `None` if the result is only for information.
    limit: Option<f64>,
    unit: &'static str,
    is_least: bool,
}

/// Further results of a comparison of speed.
struct Compared {
    by_requests: f64,
    /// The results by processor time and by requests, with members drawn by Zipf's law.
    zipf: Option<[f64; 2]>,
}

/// The headings of [`Goal::row`].
pub const HEADINGS: [&str; 9] =
    ["", "goal", "met", "by CPU time", "was", "by requests", "Zipf, by CPU time", "was", "by requests"];

impl Goal {
    fn at_least(speed: &Speed, ours: &str, theirs: &str, limit: impl Into<Option<f64>>) -> Self {
        let of = |traffic| [speed.cpu_ratio(ours, theirs, traffic), speed.ratio(ours, theirs, traffic)];
        let [reached, by_requests] = of(Traffic::Uniform);
        let zipf = Some(of(Traffic::Zipf)).filter(|ratios| ratios.iter().all(|ratio| ratio.is_finite()));
        Self {
            what: format!("{ours} / {theirs}"),
            reached,
            more: Some(Compared { by_requests, zipf }),
            limit: limit.into(),
            unit: "×",
            is_least: true,
        }
    }

    /// Makes a goal: `slow` may be at most `limit` times slower than `fast`.
    fn slower(speed: &Speed, slow: &str, fast: &str, limit: f64) -> Self {
        let ratio = Self::at_least(speed, fast, slow, limit);
        Self { what: format!("{slow}, times as slow as {fast}"), is_least: false, ..ratio }
    }

    fn at_most(
        what: impl Into<String>,
        reached: f64,
        limit: impl Into<Option<f64>>,
        unit: &'static str,
    ) -> Self {
        Self { what: what.into(), reached, more: None, limit: limit.into(), unit, is_least: false }
    }

    /// Returns the goal's row in the table.
    pub fn row(&self, recorded: &Recorded, column: &str) -> Row {
        let Self { reached, unit, is_least, .. } = *self;
        let bound = if is_least { "at least" } else { "at most" };
        let met = |limit| if is_least { reached >= limit } else { reached <= limit };
        let digits = if unit.is_empty() { 1 } else { 2 };
        let mut row = vec![
            self.what.clone(),
            self.limit.map_or_else(String::new, |limit| format!("{bound} {limit}{unit}")),
            self.limit.map_or("", |limit| if met(limit) { "yes" } else { "no" }).to_owned(),
            format!("{reached:.digits$}{unit}"),
        ];
        if let Some(more) = &self.more {
            let [was, was_zipf] = recorded.get(&self.what, column);
            row.extend([change(reached, was), format!("{:.2}×", more.by_requests)]);
            if let Some([by_cpu, by_requests]) = more.zipf {
                row.extend([format!("{by_cpu:.2}×"), change(by_cpu, was_zipf), format!("{by_requests:.2}×")]);
            }
        }
        row.resize(HEADINGS.len(), String::new());
        row
    }

    /// Returns the goal's name and the value to record, if speed is compared.
    pub fn recorded(&self) -> Option<(String, String)> {
        let zipf = self.more.as_ref()?.zipf.map(|[by_cpu, _]| by_cpu);
        Some((self.what.clone(), both(self.reached, zipf)))
    }

    /// Returns the goal's name and its result by requests per second, if speed is compared.
    pub fn by_requests(&self) -> Option<(String, String)> {
        let more = self.more.as_ref()?;
        Some((self.what.clone(), both(more.by_requests, more.zipf.map(|[_, by_requests]| by_requests))))
    }
}

/// Writes the result of even traffic, and the result of skewed traffic if it was measured.
fn both(uniform: f64, zipf: Option<f64>) -> String {
    zipf.map_or_else(|| format!("{uniform:.2}"), |zipf| format!("{uniform:.2} / {zipf:.2}"))
}

fn change(now: f64, was: Option<f64>) -> String {
    let was = was.map(|was| format!("{was:.2}×, {:+.0} %", (now / was - 1.0) * 100.0));
    was.unwrap_or_else(|| "not recorded".to_owned())
}

/// Returns the goals for these figures.
pub fn goals(figures: &Figures) -> Vec<Goal> {
    let mut goals = Vec::new();
    if let Some(speed) = &figures.speed {
        let limit = of_one(figures);
        goals.push(Goal::at_least(speed, speed::ADD, speed::ZINCRBY, limit));
        let same_work = of_same_work(figures);
        goals.push(Goal::at_least(speed, speed::ADD, speed::BOTH, same_work));
        goals.push(Goal::at_least(speed, speed::ADD, speed::BOTH_LUA, None));
        goals.push(Goal::slower(speed, speed::ADD_ID, speed::ADD, 1.2));
        goals.push(Goal::at_least(speed, speed::ADD_ID, speed::LUA, 5.0));
        goals.push(Goal::at_least(speed, speed::RANK, speed::ZREVRANK, limit));
        for (top, limit) in of_top(&figures.version) {
            goals.push(Goal::at_least(speed, top, speed::ZREVRANGE, limit));
        }
    }
    of_many(figures, &mut goals);
    if let Some(tair) = &figures.tair {
        of_tair(tair, &mut goals);
    }
    if let Some(speed) = &figures.reads {
        goals.push(Goal::at_least(speed, reads::HISTOGRAM, reads::ZCOUNTS, None));
        goals.push(Goal::at_least(speed, reads::AMONG, reads::ZSCORES, None));
        goals.push(Goal::at_least(speed, reads::HIDDEN, reads::RANK, None));
        goals.push(Goal::at_least(speed, reads::KEEP, reads::ZKEEP, None));
        let micros = speed.micros(reads::STATS);
        goals.push(Goal::at_most("microseconds inside LB.STATS", micros, 20.0, " µs"));
    }
    if let Some(speed) = &figures.rolling {
        goals.push(Goal::at_least(speed, rolling::ROLLADD, rolling::SCRIPTED, 12.0));
        goals.push(Goal::at_least(speed, rolling::ROLLADD_ID, rolling::SCRIPTED, None));
    }
    if let Some(speed) = &figures.views {
        goals.push(Goal::slower(speed, views::FIVE, views::ONE, 2.0));
        goals.push(Goal::at_least(speed, views::FIVE, views::ZSETS, None));
    }
    if let Some(segments) = &figures.segments {
        of_segments(segments, &mut goals);
    }
    if let Some(speed) = &figures.competitions {
        goals.push(Goal::slower(speed, competitions::ATTEMPTS, competitions::PLAIN, 1.35));
        goals.push(Goal::slower(speed, competitions::TABLE, competitions::TWO, 1.05));
        goals.push(Goal::at_most("processor time of LB.CLAIM", speed.cpu(competitions::CLAIM), 5.0, " µs"));
        goals.push(Goal::at_least(speed, competitions::CLAIM, competitions::NOTE, None));
        let pages = [competitions::OPEN, competitions::FIXED].map(|page| speed.cpu(page));
        let [open, fixed] = pages;
        goals.push(Goal::at_most("processor time of 100 winners, before a claim", open, 25.0, " µs"));
        goals.push(Goal::at_most("processor time of 100 winners", fixed, 25.0, " µs"));
    }
    if let Some(speed) = &figures.votes {
        goals.push(Goal::at_least(speed, votes::VOTE, votes::PIPELINE, 5.0));
        goals.push(Goal::at_least(speed, votes::VOTE_ID, votes::PIPELINE, None));
    }
    if let Some(leagues) = &figures.leagues {
        of_leagues(leagues, &mut goals);
    }
    if let Some(counters) = &figures.counters {
        of_counters(&counters.speed, &mut goals);
    }
    if let Some(moving) = &figures.moving {
        of_moving(moving, &mut goals);
    }
    memory(figures, &mut goals);
    longest(figures, &mut goals);
    goals
}

/// Adds the goals against TairZset. Only pages with three levels have limits.
fn of_tair(Tair { speed, bytes }: &Tair, goals: &mut Vec<Goal>) {
    for (form, limits) in tair::FORMS.iter().zip([[None; 2], [Some(1.5), Some(3.0)]]) {
        let [nested, flat] = limits;
        goals.push(Goal::at_least(speed, form.add, form.exzincrby, None));
        goals.push(Goal::at_least(speed, form.add, form.both, None));
        goals.push(Goal::at_least(speed, form.rank, form.exzrevrank, None));
        goals.push(Goal::at_least(speed, form.top, form.exzrevrange, nested));
        goals.push(Goal::at_least(speed, form.flat, form.exzrevrange, flat));
        goals.push(Goal::at_least(speed, form.packed, form.exzrevrange, None));
    }
    for ([board, zset], what) in bytes.iter().zip(["1 level", "3 levels"]) {
        let what = format!("bytes a member, {what}, where TairZset takes {zset:.0}");
        goals.push(Goal::at_most(what, *board, None, ""));
    }
}

/// Adds the goals for commands of many members, and for boards of few members.
fn of_many(figures: &Figures, goals: &mut Vec<Goal>) {
    if let Some(speed) = &figures.lists {
        goals.push(Goal::at_least(speed, lists::MADD, lists::ADDS, 4.0));
        goals.push(Goal::at_least(speed, lists::MADD, lists::INCRS, 10.0));
        goals.push(Goal::at_least(speed, lists::MADD, lists::ZADD, None));
        goals.push(Goal::at_least(speed, lists::MADD_QUIET, lists::ZADD, 10.0));
        goals.push(Goal::at_least(speed, lists::MSCORE, lists::RANKS, 4.0));
        goals.push(Goal::at_least(speed, lists::MSCORE, lists::ZREVRANKS, None));
    }
    if let Some(speed) = &figures.sizes {
        let least = if is_older(&figures.version) { 1.5 } else { 1.25 };
        for Size { add, zincrby, both, script, madd, zadd, .. } in sizes::SIZES {
            goals.push(Goal::at_least(speed, add, zincrby, None));
            goals.push(Goal::at_least(speed, add, both, least));
            goals.push(Goal::at_least(speed, add, script, None));
            if speed.has(madd) {
                goals.push(Goal::at_least(speed, madd, zadd, 2.0));
            }
        }
    }
}

/// Returns the goal for commands of one member. It is higher on bigger boards, where access to memory is slower.
fn of_one(figures: &Figures) -> Option<f64> {
    match figures.big.as_ref()?.pair.members {
        10_000_000.. => Some(5.0),
        1_000_000.. => Some(4.0),
        _ => None,
    }
}

/// Returns the goal for score and rank against the two commands of a sorted set that do the same.
fn of_same_work(figures: &Figures) -> Option<f64> {
    let is_older = is_older(&figures.version);
    match figures.big.as_ref()?.pair.members {
        10_000_000.. if is_older => Some(5.5),
        1_000_000.. if is_older => Some(4.0),
        1_000_000.. => Some(if figures.version.starts_with("Valkey") { 3.0 } else { 3.5 }),
        _ => None,
    }
}

/// Returns whether a server is one of those that write the replies of their own commands slowly.
fn is_older(version: &str) -> bool {
    ["Redis 6", "Redis 7"].iter().any(|older| version.starts_with(older))
}

/// Returns the goals for a hundred rows. Newer servers write the replies of their own commands much faster.
fn of_top(version: &str) -> [(&'static str, f64); 3] {
    let [nested, flat, packed] = if is_older(version) { [2.0, 3.0, 8.0] } else { [0.8, 1.2, 4.0] };
    [(speed::TOP, nested), (speed::TOP_FLAT, flat), (speed::TOP_PACKED, packed)]
}

fn of_segments(Segments { speed, more, .. }: &Segments, goals: &mut Vec<Goal>) {
    use segments::{ADD, ADD_WITHIN, PIPELINE, PLAIN, RANK_IN, RANK_WITHIN, SEGMENTS, ZREVRANK};
    goals.push(Goal::at_least(speed, ADD_WITHIN, PIPELINE, 3.5));
    goals.push(Goal::slower(speed, ADD, PLAIN, 1.5));
    goals.push(Goal::at_least(speed, RANK_IN, ZREVRANK, 2.0));
    goals.push(Goal::at_least(speed, RANK_WITHIN, ZREVRANK, None));
    let what = "processor time of LB.SEGMENTS, 10 of 200";
    goals.push(Goal::at_most(what, speed.cpu(SEGMENTS), 10.0, " µs"));
    let what = "bytes a member that a dimension of 200 segments takes";
    goals.push(Goal::at_most(what, *more, 12.0, ""));
}

fn of_leagues(leagues: &Leagues, goals: &mut Vec<Goal>) {
    use leagues::speed::{ADD, ADD_ID, ADD_ID_KEYS, ADD_KEYS, ADD_LUA, JOIN, JOIN_KEYS, TOP, TOP_KEYS};
    let Leagues { memory, boundary, speed } = leagues;
    goals.push(Goal::at_least(speed, JOIN, JOIN_KEYS, None));
    goals.push(Goal::at_least(speed, ADD, ADD_KEYS, 4.0));
    goals.push(Goal::at_least(speed, ADD, ADD_LUA, None));
    goals.push(Goal::at_least(speed, ADD_ID, ADD_ID_KEYS, None));
    goals.push(Goal::at_least(speed, TOP, TOP_KEYS, 3.0));
    let what = "bytes a member of a league, beside name and meta";
    goals.push(Goal::at_most(what, memory.running.used, 60.0, ""));
    let phases = boundary.phases.iter().map(|phase| phase.longest.cpu);
    let firsts = boundary.firsts.iter().map(|(_, millis)| *millis);
    let reached = phases.chain(firsts).fold(0.0, f64::max);
    goals.push(Goal::at_most("longest command where weeks of a league end", reached, 5.0, " ms"));
}

fn of_counters(speed: &Speed, goals: &mut Vec<Goal>) {
    use counters::speed::{
        GET, HGETALL, HGETALLS, HOT, HOT_KEYS, INCR, INCR_ID, KEYS, MGET, OLD, OLD_KEYS, STEP,
    };
    goals.push(Goal::at_least(speed, INCR, KEYS, 4.0));
    goals.push(Goal::at_least(speed, HOT, HOT_KEYS, 4.0));
    for (ours, theirs) in [(INCR, STEP), (INCR_ID, KEYS), (OLD, OLD_KEYS), (GET, HGETALL), (MGET, HGETALLS)] {
        goals.push(Goal::at_least(speed, ours, theirs, None));
    }
}

fn of_moving(moving: &Moving, goals: &mut Vec<Goal>) {
    let longest = moving.imports.iter().map(|import| import.longest.cpu).fold(0.0, f64::max);
    goals.push(Goal::at_most("longest step of an import", longest, None, " ms"));
}

fn memory(figures: &Figures, goals: &mut Vec<Goal>) {
    if let Some(big) = &figures.big {
        let what = format!("bytes a member, {} members", HumanCount(big.pair.members));
        goals.push(Goal::at_most(what, big.pair.board.used, 40.0, ""));
    }
    if !figures.small.is_empty() {
        let small = figures.small.iter().map(|pair| pair.board.used).fold(0.0, f64::max);
        goals.push(Goal::at_most("bytes a member, 16 to 128 members (worst)", small, 45.0, ""));
    }
    if let Some(ids) = &figures.ids {
        goals.push(Goal::at_most("bytes a request id", ids.bytes.used, 40.0, ""));
    }
    if let Some(week) = &figures.week {
        let share = week.board.usage / week.zset.usage * 100.0;
        goals.push(Goal::at_most("memory of 7 days, of the sorted sets'", share, 15.0, " %"));
    }
}

/// Adds the goals for the longest commands that the module causes.
fn longest(figures: &Figures, goals: &mut Vec<Goal>) {
    let most = |times: &mut dyn Iterator<Item = f64>| times.reduce(f64::max);
    let growth = figures.big.iter().map(|big| big.longest.cpu);
    let ids = figures.ids.iter().map(|ids| ids.longest.cpu);
    let endings = figures.endings.iter().filter(|ending| ending.counts).map(|ending| ending.millis);
    if let Some(reached) = most(&mut growth.chain(ids).chain(endings)) {
        goals.push(Goal::at_most("longest single command", reached, 5.0, " ms"));
    }
    if let Some(switch) = &figures.switch {
        let phases = switch.phases.iter().map(|phase| phase.longest.cpu).chain([switch.first]);
        let reached = most(&mut { phases }).unwrap_or(f64::NAN);
        goals.push(Goal::at_most("longest command around midnight, 7 days", reached, 5.0, " ms"));
    }
    if let Some(turnover) = &figures.turnover {
        let phases = turnover.phases.iter().map(|phase| phase.longest.cpu);
        let firsts = [turnover.minute, turnover.midnight, turnover.freed];
        let reached = most(&mut phases.chain(firsts)).unwrap_or(f64::NAN);
        goals.push(Goal::at_most("longest LB.VOTE where limits start anew", reached, 5.0, " ms"));
    }
}
