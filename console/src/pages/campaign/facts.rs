//! The data that the page of a campaign shows.

use std::collections::BTreeMap;

use leaderboard_client::{Info, Request, Sample, info, voters};

use crate::access::{Caller, Role};
use crate::app::App;
use crate::history::Days;
use crate::i18n::Words;
use crate::pages::campaign::votes::{self, OptionVotes};
use crate::pages::times::Zone;
use crate::problem::Problem;
use leaderboard_client::LimitRule;
use leaderboard_client::limit_rule::written;

/// The name under which the server counts votes that came before opening or after closing.
const CLOSED: &str = "closed";
/// The number of options with bars.
const MOST_BARS: u64 = 20;

/// The data of a board about its campaign.
pub struct Facts {
    pub zone: Zone,
    pub views: Vec<String>,
    pub now: i64,
    pub opens: Option<i64>,
    pub closes: Option<i64>,
    /// Whether votes for members are possible at all.
    pub takes_votes: bool,
    /// Whether the board counts real and shown votes separately.
    pub has_shown: bool,
    pub counted: u64,
    pub repeated: u64,
    /// How many votes came before opening or after closing; `None` if the board has no dates.
    pub held_back_closed: Option<u64>,
    pub rules: Vec<Rule>,
    /// What other rules held back: those of scores, and limits that were dropped.
    pub other_rules: BTreeMap<String, u64>,
    /// What was noted on each day; `None` if no history is kept.
    pub days: Option<Days>,
    /// Why the history was not read.
    pub trouble: Option<Problem>,
    pub votes: Vec<OptionVotes>,
    pub voters: u64,
    pub voters_by_view: Vec<(String, u64)>,
}

/// A rule, and how many votes it held back.
pub struct Rule {
    pub limit: LimitRule,
    pub held_back: u64,
}

/// The state of a campaign.
pub enum State {
    Coming(u64),
    Open(Option<u64>),
    Closed(u64),
}

/// Reads all data for a caller that may see the board.
///
/// # Errors
/// 403, 404, or the reason why the server did not answer.
pub async fn read(app: &App, caller: &Caller, key: &str) -> Result<Facts, Problem> {
    caller.require_for(Role::Viewer, key)?;
    let told = app.link.ask(&info(key)).await?;
    let told = told.ok_or_else(|| Problem::not_found(format!("no board at the key '{key}'")))?;
    let mut facts = Facts::of(&told);
    match app.kept.days(&app.link, key, &told).await {
        Ok(days) => days.into_iter().for_each(|days| facts.add(days)),
        Err(problem) => facts.trouble = Some(problem),
    }
    facts.voters = app.link.ask(&voters(key)).await?;
    facts.voters_by_view = by_view(app, key, &facts.views).await?;
    facts.votes = votes::read(app, key, &facts.views, facts.has_shown, MOST_BARS).await?;
    Ok(facts)
}

/// The number of voters in the current period, for each view that has periods.
async fn by_view(app: &App, key: &str, views: &[String]) -> Result<Vec<(String, u64)>, Problem> {
    let views: Vec<&String> = views.iter().filter(|view| *view != "all").collect();
    if views.is_empty() {
        return Ok(Vec::new());
    }
    let requests: Vec<Request<u64>> = views.iter().map(|view| voters(key).view(view)).collect();
    let replies = app.link.pipeline(requests.iter().map(Request::cmd)).await?;
    let counts = requests.iter().zip(replies).filter_map(|(request, reply)| request.parse(reply.ok()?).ok());
    Ok(views.into_iter().cloned().zip(counts).collect())
}

/// Whether members of a board can be voted for.
pub fn takes_votes(told: &Info) -> bool {
    told.text("aggregate") == Some("SUM") && told.text("levels").is_none_or(str::is_empty)
}

impl Facts {
    fn of(told: &Info) -> Self {
        let number = |name| told.number(name).unwrap_or(0);
        let count = |name| u64::try_from(number(name)).unwrap_or(0);
        let moment = |name| Some(number(name)).filter(|ms| *ms != 0);
        let held_back = told.held_back();
        let by = |name: &str| held_back.iter().find(|(rule, _)| rule == name).map(|(_, count)| *count);
        let rule = |limit: LimitRule| Rule {
            held_back: by(&String::from_utf8_lossy(&limit.name)).unwrap_or(0),
            limit,
        };
        let rules: Vec<_> = told.limits().into_iter().map(rule).collect();
        let is_other = |name: &str| name != CLOSED && rules.iter().all(|rule| rule.name() != name);
        let other_rules = held_back.iter().filter(|(name, count)| *count > 0 && is_other(name));
        Self {
            other_rules: other_rules.cloned().collect(),
            days: None,
            trouble: None,
            zone: Zone::of_board(told.text("tz").unwrap_or("UTC")),
            views: told.text("views").unwrap_or_default().split(',').map(str::to_owned).collect(),
            now: number("now"),
            opens: moment("opens"),
            closes: moment("closes"),
            takes_votes: takes_votes(told),
            has_shown: number("shown") == 1,
            counted: count("votes"),
            repeated: count("repeated"),
            held_back_closed: by(CLOSED),
            rules,
            votes: Vec::new(),
            voters: 0,
            voters_by_view: Vec::new(),
        }
    }

    /// Adds what was noted on each day. LB.INFO counts since the server loaded the board, and the history lacks the minutes that no
    /// gateway noted. The truth is at least the greater of the two numbers.
    fn add(&mut self, days: Days) {
        self.counted = self.counted.max(sum(&days.votes));
        self.repeated = self.repeated.max(sum(&days.repeated));
        for (name, noted) in &days.held_back {
            let count = self.count_of(name);
            *count = sum(noted).max(*count);
        }
        self.days = Some(days);
    }

    /// The count of a rule.
    fn count_of(&mut self, name: &str) -> &mut u64 {
        if name == CLOSED {
            return self.held_back_closed.get_or_insert(0);
        }
        if let Some(rule) = self.rules.iter_mut().find(|rule| rule.name() == name) {
            return &mut rule.held_back;
        }
        self.other_rules.entry(name.to_owned()).or_insert(0)
    }

    /// The present state of the campaign.
    pub fn state(&self) -> State {
        let span = |from: i64, to: i64| u64::try_from(to.saturating_sub(from)).unwrap_or(0);
        match (self.opens, self.closes) {
            (Some(opens), _) if self.now < opens => State::Coming(span(self.now, opens)),
            (_, Some(closes)) if closes <= self.now => State::Closed(span(closes, self.now)),
            (_, closes) => State::Open(closes.map(|closes| span(self.now, closes))),
        }
    }

    /// The state as a CSS class, in a few words, and as a sentence with the time.
    pub fn state_texts(&self, words: &Words) -> (&'static str, &'static str, String) {
        let texts = &words.campaign;
        let with = |text: &str, span| text.replace("{}", &words.spans.text(span));
        match self.state() {
            State::Coming(span) => ("coming", texts.state_coming, with(texts.opens_in, span)),
            State::Open(Some(span)) => ("open", texts.state_open, with(texts.closes_in, span)),
            State::Open(None) => ("open", texts.state_open, texts.no_end.to_owned()),
            State::Closed(span) => ("closed", texts.state_closed, with(texts.closed_ago, span)),
        }
    }

    /// A moment as a text, with the name of the time zone.
    pub fn moment(&self, ms: i64) -> String {
        format!("{} {}", self.zone.moment(ms), self.zone.name)
    }

    pub fn opening(&self) -> Option<String> {
        self.opens.map(|ms| self.zone.moment(ms))
    }

    pub fn closing(&self) -> Option<String> {
        self.closes.map(|ms| self.zone.moment(ms))
    }

    pub fn clock(&self) -> String {
        self.zone.moment(self.now)
    }

    /// The number of all votes that were held back.
    pub fn held_back(&self) -> u64 {
        let others = self.other_rules.values().copied();
        let rules = self.rules.iter().map(|rule| rule.held_back).chain(others);
        rules.fold(self.held_back_closed.unwrap_or(0), u64::saturating_add)
    }

    /// The rule of this name. The name is given in its written form.
    pub fn rule(&self, name: &str) -> Option<&LimitRule> {
        self.rules.iter().map(|rule| &rule.limit).find(|limit| written(&limit.name) == name)
    }
}

fn sum(days: &[Sample]) -> u64 {
    let counts = days.iter().map(|day| u64::try_from(day.count).unwrap_or(0));
    counts.fold(0, u64::saturating_add)
}

impl Rule {
    /// The name in a form that can be displayed.
    pub fn name(&self) -> String {
        String::from_utf8_lossy(&self.limit.name).into_owned()
    }

    /// The name in its written form, for forms and links.
    pub fn written_name(&self) -> String {
        written(&self.limit.name)
    }

    pub fn scope(&self) -> String {
        self.limit.parts().map(String::from_utf8_lossy).collect::<Vec<_>>().join(" + ")
    }

    pub fn max(&self) -> String {
        String::from_utf8_lossy(&self.limit.max).into_owned()
    }

    pub fn unit(&self) -> String {
        String::from_utf8_lossy(&self.limit.unit).into_owned()
    }

    /// The bonuses: the number of additional votes, and the tag and its value that give them.
    pub fn bonuses(&self) -> Vec<(String, String)> {
        let text = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
        let bonuses = self.limit.bonuses.iter();
        bonuses
            .map(|bonus| (text(&bonus.extra), format!("{}={}", text(&bonus.tag), text(&bonus.value))))
            .collect()
    }
}
