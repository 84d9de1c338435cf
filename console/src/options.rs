//! All options of a board at once: reading them, and changing them to the values in a file.

use leaderboard_client::{OptionsPage, VotingOption, info, options as page_of};

use crate::access::Caller;
use crate::access::audit::Event;
use crate::app::App;
use crate::candidates_csv::{Difference, MOST_OPTIONS, Rules, difference, read};
use crate::link::{Link, OPTIONS, problem};
use crate::problem::Problem;
use crate::share::Visit;

/// Up to `count` options after a cursor. They are asked for in pieces.
///
/// # Errors
/// As [`Link::ask`].
pub async fn page(link: &Link, key: &str, cursor: u64, count: u64) -> Result<OptionsPage, Problem> {
    let mut page = OptionsPage { cursor, options: Vec::new() };
    let mut left = count;
    loop {
        let piece = link.ask(&page_of(key, page.cursor).count(left.min(OPTIONS))).await?;
        left = left.saturating_sub(u64::try_from(piece.options.len()).unwrap_or(u64::MAX));
        page.options.extend(piece.options);
        page.cursor = piece.cursor;
        if page.cursor == 0 || left == 0 {
            return Ok(page);
        }
    }
}

/// The options of a board in the order of their declaration; an empty list for an absent board.
///
/// # Errors
/// As [`Link::ask`]; 400 for a board with more options than a file can have, and 413 if the options have too many
/// bytes.
pub async fn all(link: &Link, key: &str) -> Result<Vec<VotingOption>, Problem> {
    Visit::allow_a_file();
    let most = u64::try_from(MOST_OPTIONS).unwrap_or(u64::MAX);
    let found = page(link, key, 0, most.saturating_add(1)).await?;
    if found.options.len() > MOST_OPTIONS {
        return Err(Problem::invalid(format!("the board has more than {MOST_OPTIONS} options")));
    }
    Ok(found.options)
}

/// Finds what a file would change. Does not change anything.
///
/// # Errors
/// As [`all`]; 400 with all faults of the file.
pub async fn compare(link: &Link, key: &str, file: &[u8]) -> Result<Difference, Problem> {
    let rules = rules(link, key).await?;
    let rows = read(file, rules).map_err(Problem::invalid_lines)?;
    Ok(difference(&all(link, key).await?, rows))
}

async fn rules(link: &Link, key: &str) -> Result<Rules, Problem> {
    let Some(told) = link.ask(&info(key)).await? else { return Ok(Rules { shown: false, decimals: 0 }) };
    if told.text("aggregate").is_some_and(|aggregate| aggregate != "SUM") {
        return Err(Problem::invalid("options need a board with AGGREGATE SUM"));
    }
    if told.text("levels").is_some_and(|levels| !levels.is_empty()) {
        return Err(Problem::invalid("options need a board without LEVELS"));
    }
    let decimals = told.number("decimals").and_then(|digits| u32::try_from(digits).ok()).unwrap_or_default();
    Ok(Rules { shown: told.number("shown") == Some(1), decimals })
}

/// Makes the changes in one transaction, and notes them as one change in the audit log.
///
/// # Errors
/// As [`Link::transaction`]. [`compare`] has already found all faults of the file. So if a single command fails here,
/// the board was changed in the meantime.
pub async fn apply(app: &App, caller: &Caller, key: &str, difference: &Difference) -> Result<(), Problem> {
    let requests = difference.requests(key);
    if requests.is_empty() {
        return Ok(());
    }
    let commands = requests.iter().map(leaderboard_client::Request::cmd);
    let done = app.link.transaction(commands).await.and_then(|replies| {
        let failed: Vec<_> = replies.iter().filter_map(|reply| reply.as_ref().err()).collect();
        match failed.first() {
            None => Ok(()),
            Some(error) if failed.len() == replies.len() => Err(problem(error)),
            Some(error) => Err(partly(failed.len(), replies.len(), &problem(error))),
        }
    });
    let detail = format!("{} options added, {} changed", difference.added.len(), difference.changed.len());
    let outcome = done.clone().map_err(|problem| problem.detail().to_owned());
    let event = Event { action: "import", key: key.to_owned(), detail, ..Event::default() };
    app.audit.note(caller, event, outcome);
    done
}

fn partly(failed: usize, all: usize, first: &Problem) -> Problem {
    Problem::invalid(format!(
        "{failed} of {all} options were refused, the others were applied: {}",
        first.detail()
    ))
}
