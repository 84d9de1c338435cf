//! Finds what a hook has to tell of a board next.

use std::collections::HashMap;

use leaderboard_client::{Info, InfoValue, Period, info, periods, settle, top};
use leaderboard_core::calendar::{Calendar, Unit, Weekday, Zone};
use leaderboard_core::view::Kind as View;

use super::file::{Event, Hook};
use super::state::{Kind, Progress, Subject, table};
use crate::link::Link;
use crate::problem::Problem;

/// The most periods of a table without winners that are passed in one visit.
const MOST_STEPS: usize = 500;
/// How many periods of a table are looked at whose members are no longer kept. Boards keep their winners for as many.
const MOST_PERIODS: u32 = 10_000;
/// How long a board is left alone at the most, in ms.
const LONGEST: i64 = 60_000;
/// The same for boards whose clock moves with their writes, and for what `top` tells.
const SHORT: i64 = 5_000;
/// How soon a board is looked at again at the earliest, in ms.
const SOON: i64 = 500;

/// What there is to tell.
#[derive(Debug)]
pub enum Found {
    Subject(Subject),
    /// Nothing before this moment, in ms.
    Later(i64),
}

/// What a board tells about itself, read once in a visit.
pub struct Facts<'a> {
    link: &'a Link,
    key: &'a str,
    told: Info,
    calendar: Calendar,
    periods: HashMap<String, Vec<Period>>,
}

/// A period that has ended.
#[derive(Debug, Clone)]
struct Ended {
    label: String,
    start: i64,
    end: i64,
    /// `None` if only its winners are kept.
    members: Option<u64>,
}

/// The table of prizes of a view, or of a view and a dimension; the view alone for a hook of periods.
type Table = (String, Option<String>);

impl<'a> Facts<'a> {
    /// Reads a board. `None` if there is none, or if the key is a part of a board.
    pub async fn read(link: &'a Link, key: &'a str) -> Result<Option<Self>, Problem> {
        let Some(told) = link.ask(&info(key)).await? else { return Ok(None) };
        if told.part().is_some() {
            return Ok(None);
        }
        let text = |name| told.text(name).unwrap_or_default().as_bytes();
        let origin = told.number("origin").and_then(|origin| u64::try_from(origin).ok());
        let calendar = Calendar {
            zone: Zone::parse(text("tz")).unwrap_or_default(),
            week_start: Weekday::parse(text("weekstart")).unwrap_or_default(),
            origin: origin.unwrap_or_default(),
        };
        Ok(Some(Self { link, key, told, calendar, periods: HashMap::new() }))
    }

    /// Finds what a hook tells next. Notes in its progress what there is nothing to tell about.
    pub async fn next(&mut self, hook: &Hook, progress: &mut Progress, now: i64) -> Result<Found, Problem> {
        match hook.event {
            Event::Top => self.next_top(hook, progress, now).await,
            Event::Period | Event::Prizes => self.next_period(hook, progress, now).await,
        }
    }

    async fn next_top(&self, hook: &Hook, progress: &Progress, now: i64) -> Result<Found, Problem> {
        let request = top(self.key, hook.count);
        let request = if let Some(view) = &hook.view { request.view(view) } else { request };
        let rows = self.link.ask(&request).await?;
        let order = order(rows.iter().map(|row| row.member.as_bytes()));
        let is_first_and_empty = progress.top.is_none() && rows.is_empty();
        if is_first_and_empty || progress.top.as_deref() == Some(&order) {
            return Ok(Found::Later(now.saturating_add(SHORT)));
        }
        Ok(Found::Subject(Subject {
            id: id(&[&hook.name, self.key, &order, &now.to_string()]),
            kind: Kind::TopChanged,
            view: hook.view.clone().unwrap_or_default(),
            per: None,
            period: String::new(),
            start: now,
            end: now,
            members: None,
            winners: None,
            page: 0,
            cursor: 0,
            order: Some(order),
        }))
    }

    async fn next_period(
        &mut self,
        hook: &Hook,
        progress: &mut Progress,
        now: i64,
    ) -> Result<Found, Problem> {
        for _ in 0..MOST_STEPS {
            let Some((table, ended)) = self.first_ended(hook, progress).await? else {
                return Ok(Found::Later(self.next_end(hook, now)));
            };
            let due = ended.end.saturating_add(hook.delay);
            if due > now {
                return Ok(Found::Later(due.min(now.saturating_add(LONGEST))));
            }
            if let Some(subject) = self.subject(hook, &table, &ended).await? {
                return Ok(Found::Subject(subject));
            }
            progress.tell(name(&table), ended.end);
        }
        Ok(Found::Later(now))
    }

    /// Finds the period that ended first of all periods that were not told. Periods of several tables that end at one
    /// moment are told in the order of the tables.
    async fn first_ended(
        &mut self,
        hook: &Hook,
        progress: &Progress,
    ) -> Result<Option<(Table, Ended)>, Problem> {
        let mut first: Option<(Table, Ended)> = None;
        for table in self.tables(hook, progress) {
            let told = progress.told.get(&name(&table)).copied().unwrap_or(hook.since);
            let Some(ended) = self.ended_behind(hook, &table.0, told).await? else { continue };
            if first.as_ref().is_none_or(|(_, other)| ended.end < other.end) {
                first = Some((table, ended));
            }
        }
        Ok(first)
    }

    /// The tables or views that a hook tells.
    fn tables(&self, hook: &Hook, progress: &Progress) -> Vec<Table> {
        let views = self.told.text("views").unwrap_or_default().split(',').filter(|view| *view != "all");
        let views: Vec<String> = views.map(str::to_owned).collect();
        let mut tables: Vec<Table> = match (&hook.view, hook.event) {
            (Some(view), _) => vec![(view.clone(), hook.per.clone())],
            (None, Event::Prizes) => match self.told.get("prizes") {
                Some(InfoValue::Texts(tables)) => tables.iter().filter_map(|text| read_table(text)).collect(),
                _ => Vec::new(),
            },
            (None, _) => views.iter().map(|view| (view.clone(), None)).collect(),
        };
        if hook.view.is_none() {
            // Prizes of a table that has ended since can still be won.
            let earlier = progress.told.keys().filter_map(|name| read_name(name));
            let earlier: Vec<_> = earlier.filter(|table| !tables.contains(table)).collect();
            tables.extend(earlier);
        }
        tables.retain(|(view, _)| views.contains(view));
        tables
    }

    async fn periods(&mut self, view: &str) -> Result<&[Period], Problem> {
        if !self.periods.contains_key(view) {
            let listed = self.link.ask(&periods(self.key, view)).await?;
            self.periods.insert(view.to_owned(), listed);
        }
        Ok(self.periods.get(view).map(Vec::as_slice).unwrap_or_default())
    }

    /// The first period of a view that ended after a moment. A hook of prizes also finds periods of which only the
    /// winners are kept.
    async fn ended_behind(&mut self, hook: &Hook, view: &str, told: i64) -> Result<Option<Ended>, Problem> {
        let calendar = self.calendar;
        let days = self.told.number("prizedays").unwrap_or_default();
        let now = self.told.number("now").unwrap_or_default();
        // Over parts, only a period that was settled has winners beyond `RETAIN`.
        let may_be_kept =
            self.told.parts().is_none() || self.told.number("payouts").is_some_and(|payouts| payouts > 0);
        let Some((running, kept)) = self.periods(view).await?.split_first() else { return Ok(None) };
        let oldest = kept.last().unwrap_or(running).start.unwrap_or_default();
        if hook.event == Event::Prizes
            && may_be_kept
            && told < oldest
            && let Ok(View::Periods { unit, .. }) = View::parse(view.as_bytes())
        {
            let over = now.saturating_sub(days.saturating_mul(86_400_000));
            let least = calendar.back(unit, oldest, MOST_PERIODS).start;
            let ended = forgotten(calendar, unit, told.max(over).max(least));
            if ended.end <= oldest {
                return Ok(Some(ended));
            }
        }
        let behind = kept.iter().rev().filter_map(ended).find(|ended| ended.end > told);
        Ok(behind)
    }

    /// When the next period can have ended, in ms.
    fn next_end(&self, hook: &Hook, now: i64) -> i64 {
        let is_event = self.told.text("clock") == Some("EVENT");
        let next = self.periods.values().filter_map(|periods| periods.first()?.end).min();
        // The first write can begin a period at any moment.
        let latest = now.saturating_add(if is_event || next.is_none() { SHORT } else { LONGEST });
        let next = next.unwrap_or(i64::MAX).saturating_add(hook.delay);
        next.clamp(now.saturating_add(SOON), latest)
    }

    /// What is told of an ended period; `None` if it is nothing.
    async fn subject(&self, hook: &Hook, table: &Table, ended: &Ended) -> Result<Option<Subject>, Problem> {
        let (view, per) = table;
        let winners = match hook.event {
            Event::Prizes => {
                let request = settle(self.key).view(view).at(ended.start);
                let request = if let Some(per) = per { request.per(per) } else { request };
                self.link.ask(&request).await?
            }
            _ => None,
        };
        let is_told = match hook.event {
            Event::Prizes => winners.is_some_and(|winners| winners > 0),
            _ => ended.members.is_some_and(|members| members > 0),
        };
        Ok(is_told.then(|| Subject {
            id: id(&[&hook.name, self.key, &name(table), &ended.start.to_string(), "period"]),
            kind: Kind::PeriodEnded,
            view: view.clone(),
            per: per.clone(),
            period: ended.label.clone(),
            start: ended.start,
            end: ended.end,
            members: ended.members,
            winners,
            page: 0,
            cursor: 0,
            order: None,
        }))
    }
}

/// The page of winners that follows a delivery.
pub fn page(hook: &Hook, key: &str, before: &Subject, cursor: u64) -> Subject {
    let start = before.start.to_string();
    let id = id(&[&hook.name, key, &before.table(), &start, "page", &cursor.to_string()]);
    let page = before.page.saturating_add(1);
    Subject { id, kind: Kind::PrizesWon, page, cursor, ..before.clone() }
}

/// The order of members, as a short text.
pub fn order<'a>(members: impl Iterator<Item = &'a [u8]>) -> String {
    let mut hasher = blake3::Hasher::new();
    for member in members {
        hasher.update(&member.len().to_le_bytes());
        hasher.update(member);
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}

/// The id of a delivery: the same for the same parts.
fn id(parts: &[&str]) -> String {
    format!("msg_{}", order(parts.iter().map(|part| part.as_bytes())))
}

fn name((view, per): &Table) -> String {
    table(view, per.as_deref())
}

fn read_name(name: &str) -> Option<Table> {
    let mut words = name.split(" PER ");
    Some((words.next()?.to_owned(), words.next().map(str::to_owned)))
}

/// Reads `view places` or `view places PER dimension`, as LB.INFO writes tables. Prizes can contain spaces.
fn read_table(text: &str) -> Option<Table> {
    let (view, places) = text.split_once(' ')?;
    let per = places.rsplit_once(" PER ").map(|(_, per)| per.to_owned());
    Some((view.to_owned(), per))
}

fn ended(period: &Period) -> Option<Ended> {
    let (start, end) = (period.start?, period.end?);
    Some(Ended { label: period.label.clone(), start, end, members: Some(period.members) })
}

/// The period that contains a moment, and of which only the winners are kept.
fn forgotten(calendar: Calendar, unit: Unit, at: i64) -> Ended {
    let period = calendar.period(unit, at);
    Ended { label: calendar.label(unit, period.start), start: period.start, end: period.end, members: None }
}
