//! From which score on a member is beyond the others, and by which rule.

use leaderboard_client::Score;

/// How many times a distance scores may be beyond the others: Tukey's outer fence (Exploratory Data Analysis, 1977).
const TIMES: f64 = 3.0;
/// The share of members within the second rule. At least two members are left out of it, but never more than a quarter.
const MOST: f64 = 0.95;
const LEAST: f64 = 0.75;
const LEFT_OUT: f64 = 2.0;

/// The score from which on scores are far better than the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fence {
    /// Three times the distance of the quartiles beyond them.
    Quartiles(String),
    /// The middle half of the members has one score: three times the distance from it to the score that 19 of 20 members do not exceed.
    Tail(String),
    /// The fence is beyond the greatest score that a board can have.
    TooFar,
    /// Scores with levels have no distances, and an empty board has no scores.
    None,
}

impl Fence {
    /// The score; `None` if no member can be beyond it.
    pub fn score(&self) -> Option<&str> {
        match self {
            Self::Quartiles(score) | Self::Tail(score) => Some(score),
            Self::TooFar | Self::None => None,
        }
    }
}

/// The shares of the members whose scores `fence` needs: the quartiles, and the share of the second rule.
pub fn shares(members: u64, is_descending: bool) -> [String; 3] {
    let members = members.max(1) as f64;
    let share = (1.0 - LEFT_OUT / members).clamp(LEAST, MOST);
    // From the bottom, half a member more: the server takes the first score with at least this share at or below it.
    let share = if is_descending { share } else { 1.0 - share + 0.5 / members };
    ["0.25".to_owned(), "0.75".to_owned(), format!("{share:.9}")]
}

/// The fence of scores at the shares of [`shares`].
pub fn fence(scores: &[Option<Score>], is_descending: bool, decimals: usize) -> Fence {
    let [Some(low), Some(high), Some(tail)] = scores else { return Fence::None };
    let number = |score: &Score| score.as_str().parse::<f64>().unwrap_or(f64::NAN);
    let [bottom, top] = [number(low), number(high)];
    let (near, sign) = if is_descending { (top, 1.0) } else { (bottom, -1.0) };
    let beyond = |distance: f64| near + sign * TIMES * distance;
    let written = |fence: f64| format!("{fence:.decimals$}");
    // Beyond the greatest score that a board can have, there is nobody.
    let greatest = i64::MAX as f64 / 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    let is_possible = |fence: f64| fence.abs() < greatest;
    if low != high {
        let fence = beyond(top - bottom);
        return if is_possible(fence) { Fence::Quartiles(written(fence)) } else { Fence::TooFar };
    }
    if tail == low {
        return Fence::Tail(low.as_str().to_owned());
    }
    let fence = beyond((number(tail) - near).abs());
    if is_possible(fence) { Fence::Tail(written(fence)) } else { Fence::TooFar }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scores: [&str; 3], is_descending: bool, decimals: usize) -> Fence {
        fence(&scores.map(|score| Some(Score(score.to_owned()))), is_descending, decimals)
    }

    #[test]
    fn the_fence_is_three_distances_beyond_the_quartiles() {
        assert_eq!(of(["10", "20", "90"], true, 0), Fence::Quartiles("50".to_owned()));
        assert_eq!(of(["10.5", "20.5", "1"], false, 2), Fence::Quartiles("-19.50".to_owned()));
        assert_eq!(of(["-4000000000000000000", "4000000000000000000", "0"], true, 0), Fence::TooFar);
        assert_eq!(of(["0.5", "900000000000000000.5", "1"], true, 1), Fence::TooFar);
        assert_eq!(fence(&[None, None, None], true, 0), Fence::None);
    }

    #[test]
    fn of_one_score_for_the_middle_half_the_next_members_make_the_distance() {
        assert_eq!(of(["1", "1", "1"], true, 0), Fence::Tail("1".to_owned()));
        assert_eq!(of(["1", "1", "11"], true, 0), Fence::Tail("31".to_owned()));
        assert_eq!(of(["60.0", "60.0", "50.0"], false, 1), Fence::Tail("30.0".to_owned()));
        // A score that a 64-bit number of floating point cannot hold stays as it is.
        assert_eq!(of(["9007199254740993"; 3], true, 0), Fence::Tail("9007199254740993".to_owned()));
    }

    #[test]
    fn the_share_leaves_out_two_members_of_a_few_and_one_of_twenty_of_many() {
        let share = |members, is_descending| shares(members, is_descending)[2].parse::<f64>().unwrap();
        assert_eq!([share(3, true), share(10, true), share(1_000, true)], [0.75, 0.8, 0.95]);
        assert_eq!([share(10, false), share(1_000, false)], [0.25, 0.0505]);
    }
}
