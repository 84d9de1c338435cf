//! The options of a report: first those that have votes, by rank, and then the declared ones that have none.

use std::collections::HashMap;

use leaderboard_client::{Name, Request, VotingOption, voters};

use super::facts::Facts;
use super::votes::{self, OptionVotes};
use crate::app::App;
use crate::options;
use crate::pages::names::{Member, shown};
use crate::problem::Problem;
use crate::share::Visit;

/// How many options the report lists.
const MOST: usize = 1_000;

/// The options of a report.
pub struct Options {
    pub rows: Vec<Row>,
    /// Whether the board has options that are not listed.
    pub has_more: bool,
}

/// An option.
pub struct Row {
    pub name: String,
    pub meta: String,
    pub real: String,
    pub shown: String,
    pub voters: u64,
}

/// Reads the options.
///
/// # Errors
/// The reason why the server did not answer.
pub async fn read(app: &App, key: &str, facts: &Facts) -> Result<Options, Problem> {
    // The texts of declared options are read twice.
    Visit::allow_a_file();
    let most = u64::try_from(MOST).unwrap_or(u64::MAX);
    let ranked = votes::read(app, key, &facts.views, facts.has_shown, most.saturating_add(1)).await?;
    let page = options::page(&app.link, key, 0, most).await?;
    let mut declared: HashMap<Name, VotingOption> = HashMap::new();
    let mut order = Vec::new();
    for option in page.options {
        order.push(option.member.clone());
        declared.insert(option.member.clone(), option);
    }
    let mut rows = Vec::new();
    let counted = voters_of(app, key, &ranked, &declared).await?;
    for (option, voters) in ranked.into_iter().zip(counted) {
        declared.remove(&Name(option.member.0.clone()));
        rows.push(Row::of_votes(option, voters));
    }
    rows.extend(order.into_iter().filter_map(|name| declared.remove(&name)).map(Row::of_option));
    let has_more = page.cursor != 0 || rows.len() > MOST;
    rows.truncate(MOST);
    Ok(Options { rows, has_more })
}

/// How many voters each option has. The list of declared options contains the numbers of those.
async fn voters_of(
    app: &App,
    key: &str,
    ranked: &[OptionVotes],
    declared: &HashMap<Name, VotingOption>,
) -> Result<Vec<u64>, Problem> {
    let told =
        |option: &OptionVotes| declared.get(&Name(option.member.0.clone())).map(|option| option.voters);
    let unknown = ranked.iter().filter(|option| told(option).is_none());
    let requests: Vec<_> = unknown.map(|option| voters(key).member(&option.member.0)).collect();
    let mut replies = Vec::new();
    if !requests.is_empty() {
        replies = app.link.pipeline(requests.iter().map(Request::cmd)).await?;
    }
    let mut asked = requests.iter().zip(replies);
    let count = |option| match told(option) {
        Some(voters) => Ok(voters),
        None => asked.next().map_or(Ok(0), |(request, reply)| Ok(request.parse(reply?).unwrap_or(0))),
    };
    ranked.iter().map(count).collect()
}

impl Row {
    fn of_votes(option: OptionVotes, voters: u64) -> Self {
        Self {
            name: option.member.shown(),
            meta: option.meta.unwrap_or_default(),
            real: option.real,
            shown: option.shown,
            voters,
        }
    }

    fn of_option(option: VotingOption) -> Self {
        Self {
            real: option.real.0,
            shown: option.shown.0,
            voters: option.voters,
            meta: option.meta.as_deref().map(shown).unwrap_or_default(),
            name: Member::from(option.member).shown(),
        }
    }
}
