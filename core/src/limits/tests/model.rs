//! A model of limits with plain lists, and random requests.

use std::collections::HashMap;

use proptest::prelude::*;

use crate::calendar::{Calendar, Period, Weekday, Zone};
use crate::limits::scope::ScopePart;
use crate::limits::unit::RuleUnit;
use crate::limits::*;

/// A vote of a test.
#[derive(Debug, Clone)]
pub struct Vote {
    pub voter: Option<u8>,
    pub terminal: Option<u8>,
    pub channel: Option<u8>,
    pub votes: Vec<(u8, u64)>,
}

const NAMES: [&[u8]; 5] = [b"a", b"bb", b"acme", b"", b"0123456789"];

fn name(number: u8) -> &'static [u8] {
    NAMES[usize::from(number) % NAMES.len()]
}

impl Vote {
    /// Makes the ballot and the list of votes, and passes them to `lend`.
    pub fn lend<T>(&self, lend: impl FnOnce(&Ballot<'_>, &[(&[u8], u64)]) -> T) -> T {
        let terminal = self.terminal.map(|number| (&b"terminal"[..], name(number)));
        let channel = self.channel.map(|number| (&b"channel"[..], name(number)));
        let tags: Vec<_> = terminal.into_iter().chain(channel).collect();
        let votes: Vec<_> = self.votes.iter().map(|(member, votes)| (name(*member), *votes)).collect();
        lend(&Ballot { voter: self.voter.map(name), tags: &tags }, &votes)
    }
}

pub fn votes() -> impl Strategy<Value = Vote> {
    let member = (0..5_u8, prop_oneof![8 => 1..4_u64, 1 => 4..12_u64]);
    let votes = prop_oneof![
        4 => proptest::collection::vec(member.clone(), 1),
        2 => proptest::collection::vec(member.clone(), 1..5),
        1 => proptest::collection::vec(member, 17..30),
    ];
    let some = |most: u8| prop_oneof![9 => (0..most).prop_map(Some), 1 => Just(None)];
    (some(5), some(3), some(5), votes).prop_map(|(voter, terminal, channel, votes)| Vote {
        voter,
        terminal,
        channel,
        votes,
    })
}

pub fn rules() -> impl Strategy<Value = Rule> {
    let scopes = ["voter", "member", "voter+terminal", "member+voter", "VOTER+Member", "terminal", "voter"];
    let units = ["second", "minute", "hour", "day", "week", "month", "year", "all"];
    let rule = (0..4_u8, 0..scopes.len(), 1..20_u64, 0..units.len(), 0..3_u64);
    rule.prop_map(move |(name, scope, max, unit, extra)| {
        let mut rule =
            Rule::new(&[b'r', b'0' + name], scopes[scope].as_bytes(), max, units[unit].as_bytes()).unwrap();
        if extra > 0 {
            rule.add_bonus(b"channel", b"acme", extra).unwrap();
            rule.add_bonus(b"channel", b"a", 2).unwrap();
            rule.add_bonus(b"terminal", b"bb", 1).unwrap();
        }
        rule
    })
}

pub fn calendars() -> impl Strategy<Value = Calendar> {
    let zones: [&[u8]; 4] = [b"UTC", b"America/New_York", b"Asia/Kathmandu", b"+08:00"];
    (0..zones.len(), 0..7_usize, 0..5_000_u64).prop_map(move |(zone, day, origin)| Calendar {
        zone: Zone::parse(zones[zone]).unwrap(),
        week_start: Weekday::ALL[day],
        origin,
    })
}

/// The counts of a period, in the order of their first votes.
#[derive(Debug, Clone)]
struct Page {
    period: Period,
    entries: Vec<(Vec<u8>, u32)>,
}

impl Page {
    fn used(&self, key: &[u8]) -> u64 {
        self.entries.iter().find(|(other, _)| other == key).map_or(0, |(_, used)| (*used).into())
    }
}

#[derive(Debug, Clone)]
struct Row {
    rule: Rule,
    /// The current page and the other page.
    pages: Vec<Page>,
    /// The moment since which the clock is inside of the current page's period, or outside of it.
    since: Option<i64>,
}

/// A model with the same rules as the limits under test.
#[derive(Debug, Clone)]
pub struct Model {
    pub calendar: Calendar,
    rows: Vec<Row>,
}

/// Returns the values of a scope, each with its length; `None` if the ballot lacks a value.
fn key(rule: &Rule, ballot: &Ballot<'_>, member: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    for part in rule.scope().parts() {
        let value = match part {
            ScopePart::Member => member?,
            ScopePart::Voter => ballot.voter?,
            ScopePart::Tag(name) => ballot.tag(name)?,
        };
        key.extend((value.len() as u16).to_le_bytes());
        key.extend(value);
    }
    Some(key)
}

fn hash(key: &[u8]) -> u64 {
    u64::from_le_bytes(blake3::hash(key).as_bytes()[..8].try_into().unwrap())
}

fn inside(period: Period, now: i64) -> bool {
    (period.start..period.end).contains(&now)
}

impl Row {
    fn page(&self, now: i64) -> Option<&Page> {
        self.pages.iter().find(|page| inside(page.period, now))
    }

    /// Returns the votes for each key, in the order of the keys' first votes.
    fn sums(&self, ballot: &Ballot<'_>, votes: &[(&[u8], u64)]) -> Option<Vec<(Vec<u8>, u64)>> {
        let mut sums: Vec<(Vec<u8>, u64)> = Vec::new();
        for (member, votes) in votes {
            let key = key(&self.rule, ballot, Some(member))?;
            match sums.iter_mut().find(|(other, _)| *other == key) {
                Some((_, sum)) => *sum += votes,
                None => sums.push((key, *votes)),
            }
        }
        Some(sums)
    }

    fn begin(&mut self, calendar: &Calendar, now: i64) {
        if self.pages.first().is_none_or(|page| !inside(page.period, now)) {
            let period = self.rule.unit().period(calendar, now);
            let known = self.pages.iter().position(|page| inside(page.period, now));
            let page = known.map_or(Page { period, entries: Vec::new() }, |known| self.pages.remove(known));
            self.pages.insert(0, page);
            self.pages.truncate(2);
            self.since = Some(now);
        }
        self.retire(now);
    }

    fn retire(&mut self, now: i64) {
        let Some(current) = self.pages.first().map(|page| page.period) else { return };
        if self.since.is_none_or(|since| inside(current, now) != inside(current, since)) {
            self.since = Some(now);
        }
        let grace = |period: Period| (period.end.saturating_sub(period.start) / 8).min(3_600_000);
        let since = self.since.unwrap();
        self.pages.retain(|Page { period, .. }| period.end > now || now - since < grace(*period));
    }
}

impl Model {
    pub fn new(calendar: Calendar) -> Self {
        Self { calendar, rows: Vec::new() }
    }

    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rows.iter().map(|row| &row.rule)
    }

    pub fn replace(&mut self, rule: Rule) {
        match self.rows.iter_mut().find(|row| row.rule.name() == rule.name()) {
            None => self.rows.push(Row { rule, pages: Vec::new(), since: None }),
            Some(row) => {
                if row.rule.scope() != rule.scope() || row.rule.unit() != rule.unit() {
                    (row.pages, row.since) = (Vec::new(), None);
                }
                row.rule = rule;
            }
        }
    }

    pub fn remove(&mut self, name: &[u8]) -> bool {
        let before = self.rows.len();
        self.rows.retain(|row| row.rule.name() != name);
        self.rows.len() < before
    }

    /// Returns whether the ballot lacks a value that a rule needs.
    pub fn lacks(&self, ballot: &Ballot<'_>) -> bool {
        self.rows.iter().any(|row| key(&row.rule, ballot, Some(b"")).is_none())
    }

    /// Returns the rule that holds votes back, and the time until it begins anew.
    pub fn judge(
        &self,
        now: i64,
        ballot: &Ballot<'_>,
        votes: &[(&[u8], u64)],
    ) -> Option<(&Rule, Option<u64>)> {
        self.rows.iter().find_map(|row| {
            let max = u64::from(row.rule.allowance(ballot));
            let sums = row.sums(ballot, votes)?;
            if sums.iter().any(|(_, votes)| *votes > max) {
                return Some((&row.rule, None));
            }
            let used = |key: &[u8]| row.page(now).map_or(0, |page| page.used(key));
            let held = sums.iter().any(|(key, votes)| used(key) + votes > max);
            held.then(|| (&row.rule, self.wait(&row.rule, now)))
        })
    }

    fn wait(&self, rule: &Rule, now: i64) -> Option<u64> {
        let period = rule.unit().period(&self.calendar, now);
        (rule.unit() != RuleUnit::All).then(|| (period.end - now) as u64)
    }

    pub fn count(&mut self, now: i64, ballot: &Ballot<'_>, votes: &[(&[u8], u64)]) {
        let calendar = self.calendar;
        for row in &mut self.rows {
            let sums = row.sums(ballot, votes).unwrap();
            row.begin(&calendar, now);
            let page = &mut row.pages[0];
            let mut places: HashMap<_, _> =
                page.entries.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
            for (key, votes) in sums {
                let at = *places.entry(key.clone()).or_insert_with(|| {
                    page.entries.push((key, 0));
                    page.entries.len() - 1
                });
                page.entries[at].1 += votes as u32;
            }
        }
    }

    pub fn quota(
        &self,
        now: i64,
        ballot: &Ballot<'_>,
        member: Option<&[u8]>,
    ) -> Vec<(&[u8], u64, u64, Option<u64>)> {
        let rows = self.rows.iter().filter_map(|row| {
            let key = key(&row.rule, ballot, member)?;
            let used = row.page(now).map_or(0, |page| page.used(&key));
            let max = u64::from(row.rule.allowance(ballot));
            Some((row.rule.name(), used, max, self.wait(&row.rule, now)))
        });
        rows.collect()
    }

    pub fn work(&mut self, now: i64) {
        self.rows.iter_mut().for_each(|row| row.retire(now));
    }

    /// Does what saving and loading do: forgets what was seen of the clock, and drops the counts of other periods.
    pub fn reload(&mut self, now: i64) {
        for row in &mut self.rows {
            row.since = None;
            row.pages.retain(|page| inside(page.period, now));
        }
    }

    pub fn saved(&self) -> Vec<super::Listing> {
        let pages =
            self.rows.iter().enumerate().flat_map(|(at, row)| row.pages.iter().map(move |page| (at, page)));
        pages
            .map(|(at, Page { period, entries })| {
                let mut counts: Vec<_> = entries.iter().map(|(key, used)| (hash(key), *used)).collect();
                counts.sort_unstable();
                (at, period.start, counts)
            })
            .collect()
    }
}
