//! Lines of a ranking as a table, with the change of each rank since the last period, and the changes since the table
//! was last sent.

use std::collections::HashMap;

use askama::Template;
use leaderboard_client::{Name, Row, Score, Standing, mstanding};

use crate::app::App;
use crate::i18n::Words;
use crate::i18n::numbers::grouped;
use crate::pages::names::{Member, member_path, shown};
use crate::pages::reading::{Reading, with_query};

/// The table.
#[derive(Template)]
#[template(path = "board_rows.html")]
pub struct Ranking {
    pub words: &'static Words,
    pub lines: Vec<Line>,
    /// Whether ranks are compared with the period before.
    pub has_change: bool,
    /// The reason why these lines are not the newest.
    pub problem: Option<String>,
}

/// A line.
pub struct Line {
    pub rank: String,
    /// A CSS class for the best three members.
    pub medal: &'static str,
    pub member: String,
    pub path: String,
    pub mark: String,
    pub score: String,
    pub meta: Option<String>,
    pub change: Change,
    pub tick: Tick,
    /// The member that the page is about.
    pub is_self: bool,
}

/// The rank of a member, compared with its rank in the period before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    New,
    Same,
    Up(String),
    Down(String),
}

impl Change {
    pub fn of(standing: Option<&Standing>) -> Self {
        let Some(change) = standing.and_then(|standing| standing.change) else { return Self::New };
        let places = grouped(&change.unsigned_abs().to_string());
        match change {
            0 => Self::Same,
            1.. => Self::Up(places),
            _ => Self::Down(places),
        }
    }
}

/// The change of a member since the table was last sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    Nothing,
    Rose,
    Fell,
    Scored,
    Came,
}

/// The ranks and scores of the members when the table was last sent.
#[derive(Default)]
pub struct LastLook(Option<HashMap<Name, (u64, Score)>>);

impl LastLook {
    /// The change of a member since the table was last sent. No member has a change when the table is sent for the first
    /// time.
    fn tick(&self, row: &Row) -> Tick {
        let Some(places) = &self.0 else { return Tick::Nothing };
        match places.get(&row.member) {
            None => Tick::Came,
            Some((rank, _)) if *rank > row.rank => Tick::Rose,
            Some((rank, _)) if *rank < row.rank => Tick::Fell,
            Some((_, score)) if *score != row.score => Tick::Scored,
            Some(_) => Tick::Nothing,
        }
    }

    /// Remembers these lines.
    pub fn note(&mut self, rows: &[Row]) {
        let place = |row: &Row| (row.member.clone(), (row.rank, row.score.clone()));
        self.0 = Some(rows.iter().map(place).collect());
    }
}

/// How lines are shown.
pub struct Look<'a> {
    pub key: &'a str,
    pub reading: &'a Reading,
    pub has_change: bool,
    pub last: &'a LastLook,
    /// The member that the page is about.
    pub about: Option<&'a Member>,
}

impl Look<'_> {
    /// The lines. If the server does not report standings in the period before, the lines show no changes of rank.
    pub async fn lines(&self, app: &App, rows: &[Row]) -> Vec<Line> {
        let standings = if self.has_change && !rows.is_empty() {
            let request = self.reading.put(mstanding(self.key, rows.iter().map(|row| &row.member)));
            app.link.ask(&request).await.unwrap_or_default()
        } else {
            Vec::new()
        };
        let standings = standings.into_iter().chain(std::iter::repeat(None));
        rows.iter().zip(standings).map(|(row, standing)| self.line(row, standing.as_ref())).collect()
    }

    fn line(&self, row: &Row, standing: Option<&Standing>) -> Line {
        let member = Member(row.member.0.clone());
        Line {
            rank: grouped(&row.rank.to_string()),
            medal: medal(row.rank),
            path: with_query(&member_path(self.key, &member, ""), &self.reading.query()),
            mark: member.mark(),
            score: grouped(row.score.as_str()),
            meta: row.meta.as_deref().map(shown),
            change: Change::of(standing),
            tick: self.last.tick(row),
            is_self: self.about == Some(&member),
            member: member.shown(),
        }
    }
}

/// The best members, numbered in the way that the reading asks for. In `rows`, they are numbered 1, 2, 3 and so on,
/// even with equal scores.
pub fn renumbered(rows: &[Row], ranks: &str) -> Vec<Row> {
    let mut rows = rows.to_vec();
    let (mut before, mut different): (Option<(u64, Score)>, u64) = (None, 0);
    for row in &mut rows {
        let equal = before.as_ref().filter(|(_, score)| *score == row.score);
        different = different.saturating_add(u64::from(equal.is_none()));
        row.rank = match (ranks, equal) {
            ("dense", _) => different,
            ("competition", Some((rank, _))) => *rank,
            _ => row.rank,
        };
        before = Some((row.rank, row.score.clone()));
    }
    rows
}

fn medal(rank: u64) -> &'static str {
    match rank {
        1 => "first",
        2 => "second",
        3 => "third",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rank: u64, member: &str, score: &str) -> Row {
        Row { rank, member: Name::from(member), score: Score::from(score), meta: None }
    }

    #[test]
    fn equals_are_numbered_as_chosen() {
        let rows = [row(1, "a", "9"), row(2, "b", "7"), row(3, "c", "7"), row(4, "d", "5")];
        let ranks = |how: &str| renumbered(&rows, how).iter().map(|row| row.rank).collect::<Vec<_>>();
        assert_eq!(ranks("competition"), [1, 2, 2, 4]);
        assert_eq!(ranks("dense"), [1, 2, 2, 3]);
        assert_eq!(ranks(""), [1, 2, 3, 4]);
    }

    #[test]
    fn who_moved_since_the_last_look() {
        let mut last = LastLook::default();
        assert_eq!(last.tick(&row(1, "ann", "5")), Tick::Nothing, "nobody has looked before");
        last.note(&[row(1, "ann", "5"), row(2, "bob", "4"), row(3, "eve", "3"), row(4, "joe", "2")]);
        let cases = [
            (row(2, "ann", "5"), Tick::Fell),
            (row(1, "bob", "6"), Tick::Rose),
            (row(3, "eve", "4"), Tick::Scored),
            (row(4, "joe", "2"), Tick::Nothing),
            (row(5, "kim", "1"), Tick::Came),
        ];
        for (row, tick) in cases {
            assert_eq!(last.tick(&row), tick, "{}", row.member);
        }
    }
}
