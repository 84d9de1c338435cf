//! The goals and the results.

use indicatif::HumanCount;

use crate::contest::Speed;
use crate::leagues::Leagues;
use crate::moving::Moving;
use crate::pipelines::Traffic;
use crate::report::{Figures, Row};
use crate::{counters, leagues, reads, rolling, speed, views, votes};

/// A goal and its result.
pub struct Goal {
    what: String,
    reached: f64,
    /// The same by processor time, for speed.
    by_cpu: Option<f64>,
    /// None: only for information.
    limit: Option<f64>,
    unit: &'static str,
    /// Whether more is better.
    more: bool,
}

impl Goal {
    fn at_least(speed: &Speed, ours: &str, theirs: &str, limit: impl Into<Option<f64>>) -> Self {
        Self {
            what: format!("{ours} / {theirs}"),
            reached: speed.ratio(ours, theirs, Traffic::Uniform),
            by_cpu: Some(speed.cpu_ratio(ours, theirs, Traffic::Uniform)),
            limit: limit.into(),
            unit: "×",
            more: true,
        }
    }

    fn at_most(
        what: impl Into<String>,
        reached: f64,
        limit: impl Into<Option<f64>>,
        unit: &'static str,
    ) -> Self {
        Self { what: what.into(), reached, by_cpu: None, limit: limit.into(), unit, more: false }
    }

    /// Its row in the table.
    pub fn row(&self) -> Row {
        let Self { reached, unit, more, .. } = *self;
        let bound = if more { "at least" } else { "at most" };
        let met = |limit| if more { reached >= limit } else { reached <= limit };
        let digits = if unit.is_empty() { 1 } else { 2 };
        vec![
            self.what.clone(),
            format!("{reached:.digits$}{unit}"),
            self.by_cpu.map_or_else(String::new, |ratio| format!("{ratio:.2}{unit}")),
            self.limit.map_or_else(String::new, |limit| format!("{bound} {limit}{unit}")),
            self.limit.map_or("", |limit| if met(limit) { "yes" } else { "no" }).to_owned(),
        ]
    }
}

/// The goals for these figures.
pub fn goals(figures: &Figures) -> Vec<Goal> {
    let mut goals = Vec::new();
    if let Some(speed) = &figures.speed {
        goals.push(Goal::at_least(speed, speed::ADD, speed::ZINCRBY, 5.0));
        goals.push(Goal::at_least(speed, speed::ADD_ID, speed::LUA, 5.0));
        goals.push(Goal::at_least(speed, speed::RANK, speed::ZREVRANK, 4.0));
        goals.push(Goal::at_least(speed, speed::TOP, speed::ZREVRANGE, 2.0));
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
        goals.push(slower(speed));
        goals.push(Goal::at_least(speed, views::FIVE, views::ZSETS, None));
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

/// How many times slower a board of five views is.
fn slower(speed: &Speed) -> Goal {
    let ratio = Goal::at_least(speed, views::ONE, views::FIVE, 3.0);
    Goal { what: format!("{}, times as slow as {}", views::FIVE, views::ONE), more: false, ..ratio }
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
        goals.push(Goal::at_most(what, big.pair.board.used, 45.0, ""));
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

/// The longest commands that the module causes.
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
