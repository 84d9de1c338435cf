//! Finds members that stand out: scores far beyond the others, and names that differ only by digits.

use std::collections::BTreeMap;

use leaderboard_client::{Row, count_between, quantile, range_by_score, stats, top};

use super::fence::{Fence, fence, shares};
use super::picture::{Picture, picture};
use crate::app::App;
use crate::pages::board_info::BoardInfo;
use crate::problem::Problem;

/// How many members beyond the others are shown.
const MOST: u64 = 50;
/// How many members at the top are compared by their names, how many groups are shown, and how many members of each.
const COMPARED: u64 = 500;
const GROUPS: usize = 10;
const OF_A_GROUP: usize = 20;
/// From how many members on names that differ only by digits stand out.
const MANY: usize = 3;

/// What was found on a board.
pub struct Found {
    pub picture: Option<Picture>,
    pub fence: Fence,
    pub beyond: Vec<Row>,
    pub count_beyond: u64,
    pub alike: Vec<Alike>,
}

/// Members whose names differ only by digits.
pub struct Alike {
    /// The name with `#` for digits.
    pub pattern: String,
    pub rows: Vec<Row>,
}

/// Looks at the default view of a board.
///
/// # Errors
/// If the server does not answer.
pub async fn find(app: &App, key: &str, info: &BoardInfo) -> Result<Found, Problem> {
    let rows = app.link.ask(&top(key, COMPARED)).await?;
    let mut found =
        Found { picture: None, fence: Fence::None, beyond: Vec::new(), count_beyond: 0, alike: alike(rows) };
    // Scores with levels have no distances.
    if info.told.text("levels").is_some_and(|levels| !levels.is_empty()) {
        return Ok(found);
    }
    let Some(told) = app.link.ask(&stats(key)).await? else { return Ok(found) };
    let decimals = info.told.number("decimals").and_then(|digits| usize::try_from(digits).ok()).unwrap_or(0);
    found.picture = picture(app, key, &told, decimals).await?;
    let is_descending = info.told.text("order") != Some("ASC");
    let scores = app.link.ask(&quantile(key, shares(told.members, is_descending))).await?;
    found.fence = fence(&scores, is_descending, decimals);
    if let Some(fence) = found.fence.score() {
        let [low, high] = if is_descending {
            [format!("({fence}"), "+inf".to_owned()]
        } else {
            ["-inf".to_owned(), format!("({fence}")]
        };
        found.beyond = app.link.ask(&range_by_score(key, &low, &high).count(MOST)).await?;
        found.count_beyond = app.link.ask(&count_between(key, &low, &high)).await?;
    }
    Ok(found)
}

/// Groups members whose names differ only by digits, the largest group first.
fn alike(rows: Vec<Row>) -> Vec<Alike> {
    let mut groups: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows {
        if let Some(pattern) = pattern(&row.member.0) {
            groups.entry(pattern).or_default().push(row);
        }
    }
    let mut groups: Vec<Alike> = groups
        .into_iter()
        .filter(|(_, rows)| rows.len() >= MANY)
        .map(|(pattern, rows)| Alike { pattern, rows })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.rows.len()));
    groups.truncate(GROUPS);
    groups.iter_mut().for_each(|group| group.rows.truncate(OF_A_GROUP));
    groups
}

/// A name with `#` for each run of digits. `None` for names without digits or without letters: a name that is only a number tells
/// nothing.
fn pattern(name: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(name).ok()?.to_lowercase();
    let (mut pattern, mut has_letters) = (String::new(), false);
    for c in text.chars() {
        has_letters |= c.is_alphabetic();
        match c.is_ascii_digit() {
            true if pattern.ends_with('#') => {}
            true => pattern.push('#'),
            false => pattern.push(c),
        }
    }
    Some(pattern).filter(|pattern| has_letters && pattern.contains('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use leaderboard_client::{Name, Score};

    #[test]
    fn names_are_alike_that_differ_by_digits() {
        let row = |name: &str| Row {
            rank: 1,
            member: Name(name.as_bytes().to_vec()),
            score: Score("1".to_owned()),
            meta: None,
        };
        let names = ["Bot-17", "ann", "bot-2", "bob1", "bot-0333", "1", "22", "333", "bob2"];
        let groups = alike(names.map(row).into());
        let told: Vec<_> = groups.iter().map(|group| (group.pattern.as_str(), group.rows.len())).collect();
        assert_eq!(told, [("bot-#", 3)]);
    }
}
