//! The voter check: how much of each rule a voter has used, and whether one more vote would count now.

use std::collections::HashMap;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use leaderboard_client::{Quota, quota};

use crate::app::App;
use crate::i18n::{Words, fill};
use crate::pages::arguments::Query;
use crate::pages::campaign::{Facts, Rule, Standing, read_facts};
use crate::pages::frame::{Frame, Page, Shown, page};

/// The prefix in the names of the fields for tags.
const TAG: &str = "tag:";

/// The route.
pub fn router() -> Router<App> {
    Router::new().route("/boards/{key}/voter", get(show))
}

#[derive(Template)]
#[template(path = "voter.html")]
struct VoterPage {
    frame: Frame,
    key: String,
    by: String,
    member: String,
    /// The tags that rules use, each with its typed value.
    tags: Vec<(String, String)>,
    takes_votes: bool,
    /// The name of the board's time zone.
    zone: String,
    rows: Vec<Row>,
    verdict: Option<Verdict>,
}

/// A rule, applied to this voter.
struct Row {
    rule: String,
    told: Result<Used, String>,
}

/// How much of a rule is used.
struct Used {
    used: u64,
    max: u64,
    left: u64,
    again: Option<String>,
}

/// The answer whether one more vote would count.
struct Verdict {
    /// The CSS class of the notice.
    class: &'static str,
    text: String,
    more: String,
}

async fn show(
    State(app): State<App>,
    frame: Frame,
    Path(key): Path<String>,
    Query(given): Query<HashMap<String, String>>,
) -> Page {
    let facts = read_facts(&app, &frame.caller, &key).await.shown(&frame)?;
    let field = |name: &str| given.get(name).cloned().unwrap_or_default();
    let (by, member) = (field("by"), field("member"));
    let tags: Vec<(String, String)> =
        tag_names(&facts).into_iter().map(|tag| (tag.clone(), field(&format!("{TAG}{tag}")))).collect();
    let (takes_votes, zone) = (facts.takes_votes, facts.zone.name.clone());
    let (rows, verdict) = (Vec::new(), None);
    let mut shown = VoterPage { frame, key, by, member, tags, takes_votes, zone, rows, verdict };
    if shown.takes_votes && shown.is_asked() {
        let quotas = app.link.ask(&shown.request()).await.shown(&shown.frame)?;
        shown.rows = shown.rows(&facts, &quotas);
        shown.verdict = Some(shown.verdict(&facts, &quotas));
    }
    page(&shown)
}

/// The tags that the rules use, each once.
fn tag_names(facts: &Facts) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for tag in facts.rules.iter().flat_map(|rule| rule.limit.tags()) {
        let name = String::from_utf8_lossy(tag).into_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl VoterPage {
    fn is_asked(&self) -> bool {
        let tags = self.tags.iter().map(|(_, value)| value);
        tags.chain([&self.by, &self.member]).any(|value| !value.is_empty())
    }

    fn request(&self) -> leaderboard_client::Request<Vec<Quota>> {
        let mut request = quota(&self.key);
        if !self.by.is_empty() {
            request = request.by(self.by.as_str());
        }
        if !self.member.is_empty() {
            request = request.member(&self.member);
        }
        let given = self.tags.iter().filter(|(_, value)| !value.is_empty());
        given.fold(request, |request, (name, value)| request.tag(name, value))
    }

    /// A row for each rule. If the server did not report on a rule, its row shows which values are missing.
    fn rows(&self, facts: &Facts, quotas: &[Quota]) -> Vec<Row> {
        let words = self.frame.words;
        let row = |rule: &Rule| {
            let name = rule.name();
            let told = match quotas.iter().find(|quota| quota.rule == name) {
                Some(quota) => Ok(Used::of(quota, facts, words)),
                None => Err(fill(words.voter.not_judged, &[&self.missing(rule).join(", ")])),
            };
            Row { rule: name, told }
        };
        facts.rules.iter().map(row).collect()
    }

    /// The values that a rule needs and that the visitor has not typed.
    fn missing(&self, rule: &Rule) -> Vec<String> {
        let given = |part: &str| match part {
            "voter" => self.by.as_str(),
            "member" => self.member.as_str(),
            tag => self.tags.iter().find(|(name, _)| name == tag).map_or("", |(_, value)| value),
        };
        let parts = rule.limit.parts().map(|part| String::from_utf8_lossy(part).into_owned());
        parts.filter(|part| given(part).is_empty()).collect()
    }

    /// Whether one more vote would count. The dates are checked first, then the rules in their order.
    fn verdict(&self, facts: &Facts, quotas: &[Quota]) -> Verdict {
        let words = self.frame.words;
        if let Some(verdict) = outside(facts, words) {
            return verdict;
        }
        if let Some(quota) = quotas.iter().find(|quota| quota.used >= quota.max) {
            return Verdict::no(held_back(quota, facts, words));
        }
        let is_judged = |rule: &Rule| quotas.iter().any(|quota| quota.rule == rule.name());
        match facts.rules.iter().find(|rule| !is_judged(rule)) {
            Some(rule) => self.depends(rule),
            None => Verdict { class: "good", text: words.voter.yes.to_owned(), more: fewest(quotas, words) },
        }
    }

    /// The answer if the server did not report on a rule. A real vote always has a member, but it may lack a voter or
    /// tags.
    fn depends(&self, rule: &Rule) -> Verdict {
        let (texts, missing) = (&self.frame.words.voter, self.missing(rule));
        let is_refused = missing.iter().any(|part| part != "member");
        let more = if is_refused { texts.missing.to_owned() } else { String::new() };
        Verdict { class: "wait", text: fill(texts.unknown, &[&rule.name(), &missing.join(", ")]), more }
    }
}

/// The answer if the campaign is not open; `None` if it is open.
fn outside(facts: &Facts, words: &Words) -> Option<Verdict> {
    let texts = &words.voter;
    let moment = |ms: Option<i64>| ms.map(|ms| facts.moment(ms)).unwrap_or_default();
    match facts.state() {
        Standing::Coming(span) => {
            let (span, at) = (words.spans.text(span), moment(facts.opens));
            Some(Verdict::no(fill(texts.no_coming, &[&span, &at])))
        }
        Standing::Closed(_) => Some(Verdict::no(fill(texts.no_closed, &[&moment(facts.closes)]))),
        Standing::Open(_) => None,
    }
}

impl Verdict {
    fn no(text: String) -> Self {
        Self { class: "bad", text, more: String::new() }
    }
}

impl Used {
    fn of(quota: &Quota, facts: &Facts, words: &Words) -> Self {
        let text = |(span, at): (String, i64)| fill(words.voter.again_in, &[&span, &facts.zone.moment(at)]);
        let again = again(quota, facts, words).map(text);
        Self { used: quota.used, max: quota.max, left: quota.max.saturating_sub(quota.used), again }
    }
}

/// After which time a rule starts again, and at which moment.
fn again(quota: &Quota, facts: &Facts, words: &Words) -> Option<(String, i64)> {
    let ms = u64::try_from(quota.ms).ok()?;
    // The clock of the board was read shortly before the quota. Half a second is added to round to the nearest second.
    let at = facts.now.saturating_add(quota.ms).saturating_add(500);
    Some((words.spans.text(ms), at))
}

fn held_back(quota: &Quota, facts: &Facts, words: &Words) -> String {
    match again(quota, facts, words) {
        Some((span, at)) => fill(words.voter.no_rule, &[&quota.rule, &span, &facts.moment(at)]),
        None => fill(words.voter.no_rule_ever, &[&quota.rule]),
    }
}

fn fewest(quotas: &[Quota], words: &Words) -> String {
    let left = |quota: &Quota| quota.max.saturating_sub(quota.used);
    match quotas.iter().min_by_key(|quota| left(quota)) {
        Some(quota) => {
            let number = crate::i18n::numbers::grouped(&left(quota).to_string());
            fill(words.voter.yes_left, &[&number, &quota.rule])
        }
        None => words.voter.unlimited.to_owned(),
    }
}
