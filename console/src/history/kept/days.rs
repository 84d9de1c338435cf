//! The days of a board, for the report of a campaign and its totals.

use leaderboard_client::{Info, Sample};

use super::reading::held_back_by;
use super::{Kept, Subject};
use crate::history::{BoardFigure, Range};
use crate::link::Link;
use crate::problem::Problem;

/// What was counted on each day in UTC, oldest first.
#[derive(Debug, Default)]
pub struct Days {
    pub votes: Vec<Sample>,
    pub repeated: Vec<Sample>,
    /// What each rule held back. A rule that held nothing back is left out.
    pub held_back: Vec<(String, Vec<Sample>)>,
}

impl Kept {
    /// The days of a board. `told` is the reply of LB.INFO for it. `None` if nothing is kept.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn days(&self, link: &Link, key: &str, told: &Info) -> Result<Option<Days>, Problem> {
        if self.prefix().is_none() {
            return Ok(None);
        }
        let rules = self.rules(key, Some(told));
        let own = [BoardFigure::Votes, BoardFigure::Repeated].map(|figure| figure.name().to_owned());
        let figures: Vec<_> = own.into_iter().chain(rules.iter().map(|rule| held_back_by(rule))).collect();
        let mut read =
            self.slices(link, Subject::Board(key), &figures, (Range::Year, None)).await?.into_iter();
        let (votes, repeated) = (read.next().unwrap_or_default(), read.next().unwrap_or_default());
        let held_back = rules.into_iter().zip(read).filter(|(_, days)| !days.is_empty()).collect();
        Ok(Some(Days { votes, repeated, held_back }))
    }
}
