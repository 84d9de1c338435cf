//! Finds members that stand out: scores far beyond the others, and names that differ only by digits.

use std::collections::BTreeMap;

use leaderboard_client::{Row, Score, Stats, count_between, histogram, quantile, range_by_score, stats, top};

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
/// The number of bars of the picture.
const BARS: u64 = 40;
/// How many times the distance of the quartiles scores may be beyond them: Tukey's outer fence (Exploratory Data Analysis, 1977).
const FENCE: f64 = 3.0;

/// What was found on a board.
#[derive(Default)]
pub struct Found {
    pub bars: Vec<Bar>,
    pub least: Option<String>,
    pub greatest: Option<String>,
    /// The score from which on scores are far from the others; `None` if the scores do not spread.
    pub fence: Option<String>,
    pub beyond: Vec<Row>,
    pub count_beyond: u64,
    pub alike: Vec<Alike>,
}

/// A bar of the picture of all scores.
pub struct Bar {
    /// The place from the left, from 0.
    pub place: usize,
    /// The height, of 100.
    pub height: u64,
    /// What it stands for.
    pub text: String,
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
    let mut found = Found { alike: alike(rows), ..Found::default() };
    // Scores with levels have no distances.
    if info.told.text("levels").is_some_and(|levels| !levels.is_empty()) {
        return Ok(found);
    }
    let Some(Stats { min: Some(min), max: Some(max), .. }) = app.link.ask(&stats(key)).await? else {
        return Ok(found);
    };
    found.bars = bars(app, key, (&min, &max)).await?;
    let quartiles = app.link.ask(&quantile(key, ["0.25", "0.75"])).await?;
    let decimals = info.told.number("decimals").and_then(|digits| usize::try_from(digits).ok()).unwrap_or(0);
    let is_descending = info.told.text("order") != Some("ASC");
    if let Some(fence) = fence(&quartiles, is_descending, decimals) {
        let [low, high] = if is_descending {
            [format!("({fence}"), "+inf".to_owned()]
        } else {
            ["-inf".to_owned(), format!("({fence}")]
        };
        found.beyond = app.link.ask(&range_by_score(key, &low, &high).count(MOST)).await?;
        found.count_beyond = app.link.ask(&count_between(key, &low, &high)).await?;
        found.fence = Some(fence);
    }
    (found.least, found.greatest) = (Some(min.0), Some(max.0));
    Ok(found)
}

/// The score from which on scores are far better than the others. `None` if the middle half of all scores is one score.
fn fence(quartiles: &[Option<Score>], is_descending: bool, decimals: usize) -> Option<String> {
    let quartile = |at: usize| quartiles.get(at)?.as_ref()?.as_str().parse::<f64>().ok();
    let (low, high) = (quartile(0)?, quartile(1)?);
    let spread = high - low;
    let fence = if is_descending { high + FENCE * spread } else { low - FENCE * spread };
    // Beyond the greatest score that a board can have, there is nobody.
    let greatest = i64::MAX as f64 / 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    (spread > 0.0 && fence.abs() < greatest).then(|| format!("{fence:.decimals$}"))
}

/// The picture of all scores. The heights are logarithms, so that a few members can be seen beside a million.
async fn bars(app: &App, key: &str, (min, max): (&Score, &Score)) -> Result<Vec<Bar>, Problem> {
    let buckets = app.link.ask(&histogram(key, min.as_str(), max.as_str(), BARS)).await?;
    let height = |members: u64| (members as f64).ln_1p();
    let most = buckets.iter().map(|bucket| height(bucket.members)).fold(1.0, f64::max);
    let bar = |(place, bucket): (usize, leaderboard_client::Bucket)| Bar {
        place,
        // From 0 to 100.
        height: (100.0 * height(bucket.members) / most).round() as u64,
        text: format!("{} – {}: {}", bucket.from.as_str(), bucket.to.as_str(), bucket.members),
    };
    Ok(buckets.into_iter().enumerate().map(bar).collect())
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
    use leaderboard_client::Name;

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

    #[test]
    fn the_fence_is_three_distances_beyond_the_quartiles() {
        let scores = |low: &str, high: &str| [low, high].map(|score| Some(Score(score.to_owned())));
        assert_eq!(fence(&scores("10", "20"), true, 0).as_deref(), Some("50"));
        assert_eq!(fence(&scores("10.5", "20.5"), false, 2).as_deref(), Some("-19.50"));
        assert_eq!(fence(&scores("10", "10"), true, 0), None);
        assert_eq!(fence(&scores("-4000000000000000000", "4000000000000000000"), true, 0), None);
        assert_eq!(fence(&scores("0.5", "900000000000000000.5"), true, 1), None);
        assert_eq!(fence(&[None, None], true, 0), None);
    }
}
