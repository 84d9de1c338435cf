//! The page of a league: its rules, tiers and groups, a member in several periods, and the forms that change a member.

mod avatar;
mod changes;
mod forms;
mod group;
mod rules;

use std::borrow::Borrow;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::{get, post};
use leaderboard_client::{Info, Zone, leagues};
use serde::Deserialize;

use crate::access::Role;
use crate::access::tokens::random;
use crate::app::App;
use crate::pages::arguments::Query;
use crate::pages::frame::{Frame, Page, Shown, page};
use crate::pages::league::group::{Group, Line, Past, Which, in_period, periods, read};
use crate::pages::league::rules::League;
use crate::pages::member::ask_all;
use crate::pages::names::{Member, encoded, shown};
use crate::problem::Problem;

/// The number of lines of a group that are shown at first; `MOST_LINES` is the most that the visitor can choose.
const LINES: u64 = 100;
const MOST_LINES: u64 = 1_000;
/// The most past periods that the page shows.
const MOST_PERIODS: u64 = 12;

/// The routes.
pub fn router() -> Router<App> {
    Router::new()
        .route("/leagues/{key}", get(show))
        .route("/leagues/{key}/add", post(forms::add))
        .route("/leagues/{key}/tier", post(forms::tier))
        .route("/leagues/{key}/meta", post(forms::meta))
        .route("/leagues/{key}/rules", post(changes::rules).get(changes::back))
        .route("/leagues/{key}/remove", post(changes::remove).get(changes::back))
        .route("/leagues/{key}/delete", post(changes::delete).get(changes::back))
}

/// What the page shows of the league.
#[derive(Debug, Clone, Default, Deserialize)]
struct Choice {
    tier: Option<String>,
    #[serde(default)]
    group: String,
    #[serde(default)]
    period: String,
    #[serde(default)]
    count: String,
    #[serde(default)]
    member: String,
    #[serde(default)]
    b64: bool,
    #[serde(default)]
    notice: String,
}

impl Choice {
    fn group(&self) -> Option<u64> {
        self.group.trim().parse().ok()
    }

    /// The label of the chosen period; empty for the current period. Addresses may also count back: -1 is the period before the
    /// current one.
    fn period(&self, current: &str, past: &[String]) -> String {
        let chosen = self.period.trim();
        let back = chosen.strip_prefix('-').and_then(|back| back.parse::<usize>().ok());
        let counted = back.and_then(|back| past.get(back.checked_sub(1)?));
        let label = counted.map_or(chosen, String::as_str);
        if label == current || label == "0" { String::new() } else { label.to_owned() }
    }

    /// The number of lines to read.
    fn count(&self) -> u64 {
        self.count.parse().map_or(LINES, |count: u64| count.clamp(1, MOST_LINES))
    }
}

#[derive(Template)]
#[template(path = "league.html")]
struct LeaguePage {
    frame: Frame,
    key: String,
    /// The league now, with its rules.
    league: League,
    /// The league in the chosen period: its tiers, and the period itself.
    season: League,
    tier: String,
    number: u64,
    /// The label of the chosen period; empty for the current period.
    period: String,
    group: Group,
    /// The labels of the past periods that can be chosen, such as `2026-W47`.
    labels: Vec<String>,
    found: Option<Found>,
    notice: Option<&'static str>,
    /// The reason why a change was refused.
    refused: Option<String>,
    /// The request id of the form that adds points. A form that is sent twice counts once.
    id: String,
}

/// The member that the visitor searched for.
struct Found {
    member: Member,
    /// The name as the address and forms contain it.
    typed: String,
    is_b64: bool,
    past: Vec<Past>,
    meta: String,
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(choice): Query<Choice>,
) -> Page {
    frame.caller.require_for(Role::Viewer, &key).shown(&frame)?;
    render(&app, frame, key, choice, None).await
}

async fn render(app: &App, frame: Frame, key: String, choice: Choice, refused: Option<String>) -> Page {
    let loaded = load(app, &key, &choice).await.shown(&frame)?;
    let Loaded { league, season, labels, period, found, group, tier, number } = loaded;
    page(&LeaguePage {
        notice: forms::notice(&frame, &choice.notice),
        id: random().map_err(Problem::internal).shown(&frame)?,
        frame,
        key,
        league,
        season,
        tier,
        number,
        period,
        group,
        labels,
        found,
        refused,
    })
}

struct Loaded {
    league: League,
    season: League,
    labels: Vec<String>,
    period: String,
    found: Option<Found>,
    group: Group,
    tier: String,
    number: u64,
}

async fn load(app: &App, key: &str, choice: &Choice) -> Result<Loaded, Problem> {
    let absent = || Problem::not_found(format!("no league '{key}'"));
    let told = app.link.ask(&leagues::info(key)).await?;
    let league = League::of(&told.ok_or_else(absent)?);
    let labels = labels(app, key, &league).await?;
    let period = choice.period(&league.period, &labels);
    let told = app.link.ask(&in_period(leagues::info(key), &period)).await?;
    let season = League::of(&told.ok_or_else(absent)?);
    let found = find(app, key, &labels, choice).await?;
    let standing = found.as_ref().and_then(|found| found.in_period(&period));
    let first = || season.first_tier().map(|tier| tier.name.clone()).unwrap_or_default();
    let tier = choice.tier.clone().filter(|tier| league.tier(tier).is_some());
    let tier = tier.or_else(|| standing.as_ref().map(|(tier, _)| tier.clone())).unwrap_or_else(first);
    let number = choice.group().or_else(|| standing.map(|(_, group)| group)).unwrap_or(1).max(1);
    let which = Which { key, tier: &tier, number, period: &period, count: choice.count() };
    let group = read(app, &which).await?;
    let found = found.map(|found| found.with_meta(&group));
    Ok(Loaded { league, season, labels, period, found, group, tier, number })
}

/// The labels of the past periods that can be chosen, newest first.
async fn labels(app: &App, key: &str, league: &League) -> Result<Vec<String>, Problem> {
    let past: Vec<_> = (1..=league.retain.min(MOST_PERIODS))
        .map(|back| leagues::info(key).period(&format!("-{back}")))
        .collect();
    let told = ask_all(app, &past).await?;
    let label = |told: Option<Info>| Some(told?.text("period")?.to_owned()).filter(|label| !label.is_empty());
    Ok(told.into_iter().filter_map(label).collect())
}

async fn find(app: &App, key: &str, labels: &[String], choice: &Choice) -> Result<Option<Found>, Problem> {
    if choice.member.is_empty() {
        return Ok(None);
    }
    let member = Member::of_path(&choice.member, choice.b64)?;
    let past = periods(app, key, &member, labels).await?;
    let (typed, is_b64) = (choice.member.clone(), choice.b64);
    Ok(Some(Found { member, typed, is_b64, past, meta: String::new() }))
}

impl Found {
    /// The tier and the group of the member in a period.
    fn in_period(&self, period: &str) -> Option<(String, u64)> {
        let past = self.past.iter().find(|past| past.period == period)?;
        past.standing.as_ref().map(|standing| (standing.tier.clone(), standing.group))
    }

    /// Adds the text of the member. It is taken from the group, because other replies do not contain texts.
    fn with_meta(mut self, group: &Group) -> Self {
        let line = group.lines.iter().find(|line| line.member == self.member);
        self.meta = line.and_then(|line| line.meta.as_deref()).map(shown).unwrap_or_default();
        self
    }
}

impl LeaguePage {
    /// The address of this page with another choice.
    fn at(&self, tier: &str, group: impl Borrow<u64>, period: &str) -> String {
        format!("{}?tier={}&group={}{}", self.path(), encoded(tier), group.borrow(), of_period(period))
    }

    /// The address of this page that shows the standing of a member.
    fn member_at(&self, member: &Member) -> String {
        format!("{}?{}{}#found", self.path(), forms::of_member(member), of_period(&self.period))
    }

    fn path(&self) -> String {
        format!("/leagues/{}", encoded(&self.key))
    }

    /// The number of groups of the tier.
    fn groups(&self) -> u64 {
        self.season.tier(&self.tier).map_or(1, |tier| tier.groups.max(1))
    }

    fn has_next(&self) -> bool {
        self.number < self.groups()
    }

    fn next(&self) -> u64 {
        self.number.saturating_add(1)
    }

    fn previous(&self) -> u64 {
        self.number.saturating_sub(1)
    }

    /// The periods that the visitor can choose: the current one, and the past ones by their labels.
    fn periods(&self) -> Vec<String> {
        std::iter::once(String::new()).chain(self.labels.iter().cloned()).collect()
    }

    fn period_name<'a>(&'a self, label: &'a str) -> &'a str {
        if label.is_empty() { self.frame.words.league.this_period } else { label }
    }

    fn is_found(&self, line: &Line) -> bool {
        self.found.as_ref().is_some_and(|found| found.member == line.member)
    }

    fn zone_class(&self, zone: impl Borrow<Option<Zone>>) -> &'static str {
        match zone.borrow() {
            Some(Zone::Promote) => "promote",
            Some(Zone::Demote) => "demote",
            _ => "stay",
        }
    }

    /// The text for a zone: what happens at the end of the period, or happened at its end.
    fn zone_name(&self, zone: impl Borrow<Option<Zone>>, period: &str) -> &'static str {
        let words = &self.frame.words.league;
        match (zone.borrow(), period.is_empty()) {
            (Some(Zone::Promote), true) => words.zone_up,
            (Some(Zone::Demote), true) => words.zone_down,
            (Some(Zone::Stay), true) => words.zone_stay,
            (Some(Zone::Promote), false) => words.moved_up,
            (Some(Zone::Demote), false) => words.moved_down,
            (Some(Zone::Stay), false) => words.moved_nowhere,
            (None, _) => "",
        }
    }

    /// The time until the period ends: `3 d 4 h`.
    fn left(&self) -> String {
        let words = &self.frame.words.league;
        let minutes = self.season.minutes_left();
        let (days, hours, minutes) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
        match (days, hours) {
            (0, 0) if self.season.end <= self.season.now => words.ended.to_owned(),
            (0, 0) => words.left.replace("{}", &format!("{minutes} {}", words.minute)),
            (0, _) => words.left.replace("{}", &format!("{hours} {} {minutes} {}", words.hour, words.minute)),
            _ => words.left.replace("{}", &format!("{days} {} {hours} {}", words.day, words.hour)),
        }
    }

    /// A text whose `{}` is replaced by a number.
    fn with(&self, text: &str, number: impl Borrow<u64>) -> String {
        text.replacen("{}", &self.frame.number(number.borrow()), 1)
    }

    /// A text whose two `{}` are replaced by numbers.
    fn with_both(&self, text: &str, first: impl Borrow<u64>, second: impl Borrow<u64>) -> String {
        self.with(&self.with(text, first), second)
    }

    /// The moment when the period ends, in the time zone of the league.
    fn ends(&self) -> String {
        let zone = &self.season.zone;
        format!("{} {}", zone.minute(self.season.end), zone.name)
    }

    /// The text after the number of the group, such as `of 12`.
    fn group_of(&self) -> String {
        self.with(self.frame.words.league.group_of, self.groups())
    }

    /// The text for the move of a member at the end of a period.
    fn past_zone(&self, past: &Past) -> &'static str {
        self.zone_name(past.zone(), &past.period)
    }

    fn past_class(&self, past: &Past) -> &'static str {
        self.zone_class(past.zone())
    }

    /// The length of a period as a text.
    fn cycle(&self) -> String {
        let words = &self.frame.words.league;
        let units = ["minute", "hour", "day", "week", "month", "year"];
        let named = units.iter().zip(words.cycles).find(|(unit, _)| **unit == self.league.cycle);
        let seconds = || words.seconds.replace("{}", self.league.cycle.trim_end_matches('s'));
        named.map_or_else(seconds, |(_, name)| name.to_owned())
    }

    fn is_past(&self) -> bool {
        !self.period.is_empty()
    }

    fn gets_reward(&self, line: &Line) -> bool {
        line.rank <= self.league.reward
    }

    fn has_more(&self) -> bool {
        self.group.members > self.lines() && self.lines() < MOST_LINES
    }

    /// The number of lines that are shown.
    fn lines(&self) -> u64 {
        u64::try_from(self.group.lines.len()).unwrap_or(u64::MAX)
    }

    fn join_share(&self) -> String {
        self.frame.words.league.join_share.replace("{}", &self.league.join_until)
    }
}

/// The part of an address that names a past period by its label, which never means another period.
fn of_period(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("&period={}", encoded(label)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_is_named_by_its_label_or_counted_back() {
        let past = ["2026-W47", "2026-W46"].map(str::to_owned);
        let chosen = |period: &str| {
            Choice { period: period.to_owned(), ..Choice::default() }.period("2026-W48", &past)
        };
        for current in ["", "0", "2026-W48"] {
            assert_eq!(chosen(current), "");
        }
        assert_eq!([chosen("-1"), chosen("2026-W47")], ["2026-W47", "2026-W47"]);
        assert_eq!(chosen("2025-W01"), "2025-W01", "the server knows whether it is kept");
        assert_eq!(chosen("-9"), "-9");
    }
}
