//! Scores as lists of numbers, one number for each level. A plain score has one number, in the smallest unit.

use std::cmp::Ordering;

use leaderboard_core::schema::Aggregate;

use super::Rules;

/// One number for each level.
pub type Score = Vec<i64>;

/// A level of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Its name.
    pub name: &'static str,
    /// Whether less is more.
    pub ascending: bool,
    /// The greatest number.
    pub max: i64,
}

/// Which of two scores is greater: the first level that differs decides. Of an ascending level, less is more.
pub fn compare(levels: &[Level], a: &[i64], b: &[i64]) -> Ordering {
    for (number, (a, b)) in a.iter().zip(b).enumerate() {
        let turned = levels.get(number).is_some_and(|level| level.ascending);
        let ordering = if turned { b.cmp(a) } else { a.cmp(b) };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    Ordering::Equal
}

/// The order of places: the better one is less.
pub fn places(rules: &Rules, a: &[i64], b: &[i64]) -> Ordering {
    let ordering = compare(&rules.levels, a, b);
    if rules.ascending { ordering } else { ordering.reverse() }
}

/// Whether a score replaces an older one on a board of best scores.
pub fn is_new_best(rules: &Rules, new: &[i64], old: &[i64]) -> bool {
    let wanted = if rules.aggregate == Aggregate::Max { Ordering::Greater } else { Ordering::Less };
    compare(&rules.levels, new, old) == wanted
}

/// Level by level. What is out of range shows as the lowest number of all.
pub fn sum(a: &[i64], b: &[i64]) -> Score {
    let sum = |(a, b): (&i64, &i64)| if *a == i64::MIN { *a } else { a.checked_add(*b).unwrap_or(i64::MIN) };
    a.iter().zip(b).map(sum).collect()
}

/// Level by level, the sum of several scores. A part of the sum may be out of range.
pub fn total<'a>(scores: impl Iterator<Item = &'a Score>) -> Score {
    let mut total: Vec<i128> = Vec::new();
    for score in scores {
        total.resize(score.len(), 0);
        total.iter_mut().zip(score).for_each(|(sum, points)| *sum += i128::from(*points));
    }
    total.into_iter().map(|sum| i64::try_from(sum).unwrap_or(i64::MIN)).collect()
}

/// What errors say of a score that is out of range.
pub fn beyond(levels: &[Level], score: &[i64]) -> Vec<String> {
    if levels.is_empty() {
        let is_beyond = score[0] == i64::MIN;
        return if is_beyond { vec!["the score would be out of range".to_owned()] } else { Vec::new() };
    }
    let beyond = levels.iter().zip(score).filter(|(level, points)| points.unsigned_abs() > level.max as u64);
    beyond.map(|(level, _)| format!("level {} would be out of range", level.name)).collect()
}

/// Returns the module's code for a score of levels: the sum of value(i) · w(i) over all levels i. The values of `ASC`
/// levels are negated. w(i) is the product of (2·max + 1) over all levels after level i.
pub fn code(levels: &[Level], score: &[i64]) -> i64 {
    let mut code = 0;
    for (number, (level, points)) in levels.iter().zip(score).enumerate() {
        let weight: i64 = levels[number + 1..].iter().map(|level| 2 * level.max + 1).product();
        code += if level.ascending { -points } else { *points } * weight;
    }
    code
}

/// The score that a code means.
pub fn decoded(levels: &[Level], code: i64) -> Score {
    let mut rest = i128::from(code);
    let mut score = Vec::new();
    for level in levels.iter().rev() {
        let width = 2 * i128::from(level.max) + 1;
        let digit = (rest + i128::from(level.max)).rem_euclid(width) - i128::from(level.max);
        rest = (rest - digit) / width;
        score.push((if level.ascending { -digit } else { digit }) as i64);
    }
    score.reverse();
    score
}

/// The score as clients write it.
pub fn text(rules: &Rules, score: &[i64]) -> String {
    if rules.levels.is_empty() {
        return decimal(i128::from(score[0]), usize::from(rules.decimals));
    }
    score.iter().map(i64::to_string).collect::<Vec<_>>().join("/")
}

/// The score as replies show it: in its shortest form.
pub fn shown(rules: &Rules, score: &[i64]) -> String {
    let text = text(rules, score);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// So many units, the last so many digits of them behind the point.
pub fn decimal(units: i128, places: usize) -> String {
    let digits = format!("{:01$}", units.unsigned_abs(), places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let point = if places == 0 { "" } else { "." };
    format!("{}{whole}{point}{fraction}", if units < 0 { "-" } else { "" })
}
