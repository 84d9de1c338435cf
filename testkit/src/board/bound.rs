//! Bounds of ranges. On a board without levels, they are decimals of any length: at the scores of the board, near
//! them, or far away. On a board with levels, a level of a bound may be out of its range.

use std::cmp::Ordering;

use super::Rules;
use super::score::{self, Score};
use crate::random::Random;

#[derive(Debug)]
enum Place {
    Lowest,
    Highest,
    /// A number of parts of the smallest unit. A unit has ten to the power of the second number parts.
    Decimal(i128, u32),
    Levels(Score),
}

/// A bound.
#[derive(Debug)]
pub struct Bound {
    /// As clients write it.
    pub text: String,
    place: Place,
    is_excluded: bool,
}

impl Bound {
    /// Compares the bound with a score.
    fn compare(&self, rules: &Rules, score: &[i64]) -> Ordering {
        match &self.place {
            Place::Lowest => Ordering::Less,
            Place::Highest => Ordering::Greater,
            Place::Decimal(parts, places) => parts.cmp(&(i128::from(score[0]) * 10_i128.pow(*places))),
            Place::Levels(levels) => score::compare(&rules.levels, levels, score),
        }
    }

    /// Returns whether a score is in the range if this is its lower bound.
    pub fn is_below(&self, rules: &Rules, score: &[i64]) -> bool {
        let ordering = self.compare(rules, score);
        ordering == Ordering::Less || ordering == Ordering::Equal && !self.is_excluded
    }

    /// Returns whether a score is in the range if this is its upper bound.
    pub fn is_above(&self, rules: &Rules, score: &[i64]) -> bool {
        let ordering = self.compare(rules, score);
        ordering == Ordering::Greater || ordering == Ordering::Equal && !self.is_excluded
    }
}

/// Picks a bound at one of these scores, near it, or far away.
pub fn any(rules: &Rules, scores: &[Score], random: &mut Random) -> Bound {
    let near = if scores.is_empty() { Vec::new() } else { random.pick(scores).clone() };
    match random.below(12) {
        0 => return Bound { text: "-inf".into(), place: Place::Lowest, is_excluded: false },
        1 => return Bound { text: "+inf".into(), place: Place::Highest, is_excluded: false },
        _ => {}
    }
    let (text, place) =
        if rules.levels.is_empty() { decimal(rules, &near, random) } else { levels(rules, &near, random) };
    let is_excluded = random.percent(30);
    Bound { text: format!("{}{text}", if is_excluded { "(" } else { "" }), place, is_excluded }
}

fn decimal(rules: &Rules, near: &[i64], random: &mut Random) -> (String, Place) {
    let places = *random.pick(&[0, 0, 1, 3, 12]);
    let near = i128::from(near.first().copied().unwrap_or(0)) * 10_i128.pow(places);
    let away = match random.below(6) {
        0 | 1 => 0,
        2 => 1,
        3 => -1,
        4 => i128::from(random.within(-2_000..2_000)),
        _ => i128::from(random.within(-9..10)) * 10_i128.pow(18 + places),
    };
    let units = near + away;
    let mut text = score::decimal(units, usize::from(rules.decimals) + places as usize);
    if random.percent(20) {
        text += if text.contains('.') { "000000000000000000000000" } else { ".0" };
    }
    (text, Place::Decimal(units, places))
}

fn levels(rules: &Rules, near: &[i64], random: &mut Random) -> (String, Place) {
    let mut levels = near.to_vec();
    levels.resize(rules.levels.len(), 0);
    for (points, level) in levels.iter_mut().zip(&rules.levels) {
        match random.below(8) {
            0 => *points += 1,
            1 => *points -= 1,
            2 => *points = random.within(-level.max..level.max + 1),
            3 => *points = level.max + 1 + random.below(3) as i64,
            4 => *points = -level.max - 1 - random.below(3) as i64,
            _ => {}
        }
    }
    (score::text(rules, &levels), Place::Levels(levels))
}
