//! The figures of a board or a server at one minute, and what is counted of them.

use leaderboard_client::Info;

use crate::history::line::Measure;
use crate::history::{BoardFigure, ServerFigure};

/// The greatest number of minutes between two readings that are counted together. After a longer time nothing is known of the
/// minutes between.
const MOST_MINUTES: u64 = 5;

/// The figures of a board or a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The minute since the Unix epoch.
    pub minute: u64,
    /// Numbers that are shown as they are.
    pub levels: Vec<(&'static str, i64)>,
    /// Numbers that only grow. A rule that held nothing back is left out.
    pub counts: Vec<(String, i64)>,
}

impl Reading {
    /// The figures of a board.
    pub fn of_board(minute: u64, told: &Info) -> Self {
        let mut reading = Self { minute, ..Self::default() };
        for figure in BoardFigure::ALL {
            let (name, number) = (figure.name(), figure.read(told));
            match figure.measure() {
                // What rules held back is counted by rule.
                _ if figure == BoardFigure::HeldBack => {}
                Measure::Level => reading.levels.push((name, number)),
                Measure::Count => reading.counts.push((name.to_owned(), number)),
            }
        }
        let held_back = told.held_back().into_iter().filter(|(_, count)| *count > 0);
        let held_back =
            held_back.map(|(rule, count)| (held_back_by(&rule), i64::try_from(count).unwrap_or(i64::MAX)));
        reading.counts.extend(held_back);
        reading
    }

    /// The figures of a server.
    pub fn of_server(minute: u64, figures: [f64; 4]) -> Self {
        let mut reading = Self { minute, ..Self::default() };
        for (figure, number) in ServerFigure::ALL.into_iter().zip(figures) {
            // Figures of servers are whole numbers.
            let (name, number) = (figure.name(), number as i64);
            match figure.measure() {
                Measure::Level => reading.levels.push((name, number)),
                Measure::Count => reading.counts.push((name.to_owned(), number)),
            }
        }
        reading
    }

    /// What is counted between an earlier reading and this one: the counters and the numbers. `None` if the earlier reading is too
    /// old, or if a number is less than before, because the board was loaded or made again.
    pub fn since(&self, before: &Self) -> Option<Vec<(String, i64)>> {
        let minutes =
            self.minute.checked_sub(before.minute).filter(|minutes| (1..=MOST_MINUTES).contains(minutes))?;
        let minutes = i64::try_from(minutes).unwrap_or(i64::MAX);
        let level = |(name, number): &(&str, i64)| ((*name).to_owned(), number.saturating_mul(minutes));
        let mut counted = vec![(super::SAMPLES.to_owned(), minutes)];
        counted.extend(self.levels.iter().map(level));
        for (name, number) in &self.counts {
            let earlier = before.counts.iter().find(|(its, _)| its == name).map_or(0, |(_, number)| *number);
            counted.push((name.clone(), number.checked_sub(earlier).filter(|growth| *growth >= 0)?));
        }
        counted.retain(|(_, number)| *number != 0);
        Some(counted)
    }

    /// As [`Reading::since`], of a board that was not there in an earlier minute: its numbers have grown from zero.
    pub fn since_absent(&self, absent: u64) -> Option<Vec<(String, i64)>> {
        let minute = absent.max(self.minute.saturating_sub(MOST_MINUTES));
        self.since(&Self { minute, ..Self::default() })
    }
}

/// The name of the counter of what a rule held back.
pub fn held_back_by(rule: &str) -> String {
    format!("held_back:{rule}")
}

/// The rule whose counter this is.
pub fn rule_of(figure: &str) -> Option<&str> {
    figure.strip_prefix("held_back:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(minute: u64, members: i64, writes: i64) -> Reading {
        Reading { minute, levels: vec![("members", members)], counts: vec![("writes".to_owned(), writes)] }
    }

    fn counted(names: &[(&str, i64)]) -> Option<Vec<(String, i64)>> {
        Some(names.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect())
    }

    #[test]
    fn a_level_is_a_sum_of_minutes_and_a_count_is_its_growth() {
        let first = reading(10, 5, 100);
        let expected = counted(&[("samples", 1), ("members", 7), ("writes", 20)]);
        assert_eq!(reading(11, 7, 120).since(&first), expected);
        let expected = counted(&[("samples", 3), ("members", 21)]);
        assert_eq!(reading(13, 7, 100).since(&first), expected, "minutes that were missed");
    }

    #[test]
    fn nothing_is_counted_twice_or_after_a_long_time() {
        let first = reading(10, 5, 100);
        assert_eq!(reading(10, 5, 110).since(&first), None);
        assert_eq!(reading(16, 5, 110).since(&first), None);
        assert_eq!(reading(9, 5, 110).since(&first), None, "a clock that was put back");
    }

    #[test]
    fn a_board_that_was_made_again_begins_anew() {
        assert_eq!(reading(11, 1, 99).since(&reading(10, 5, 100)), None);
    }

    #[test]
    fn a_new_board_counts_from_zero() {
        let expected = |minutes| counted(&[("samples", minutes), ("members", 5 * minutes), ("writes", 100)]);
        assert_eq!(reading(10, 5, 100).since_absent(9), expected(1));
        assert_eq!(reading(90, 5, 100).since_absent(9), expected(5), "a walk over many keys");
        assert_eq!(reading(9, 5, 100).since_absent(9), None, "the same minute");
    }

    #[test]
    fn a_rule_counts_from_its_first_refusal() {
        let mut now = reading(11, 5, 100);
        now.counts.push((held_back_by("daily"), 3));
        let expected = counted(&[("samples", 1), ("members", 5), ("held_back:daily", 3)]);
        assert_eq!(now.since(&reading(10, 5, 100)), expected);
    }
}
