//! Puts the winners of a period into its ranking.

use std::collections::{HashMap, VecDeque};

use leaderboard_client::{Name, Row, Score, Winner};

/// A line of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub rank: u64,
    pub member: Name,
    /// The member's text. The lines of winners without a row get it later.
    pub meta: Option<Vec<u8>>,
    /// Whether a row of the ranking shows the member.
    pub has_row: bool,
    pub score: Score,
    /// The prize, and when it was claimed.
    pub won: Option<(Name, Option<i64>)>,
    /// The dimensions in which the member ended the period in a segment, and the segments.
    pub segments: Vec<(String, Name)>,
}

/// A winner that waits for its place in the ranking.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub winner: Winner,
    /// Whether the member has a place in the ranking. A hidden member has one, although no row shows it.
    pub has_place: bool,
}

/// The winners that wait, by rank.
#[derive(Debug, Default)]
pub struct Winners(VecDeque<Waiting>);

impl Winners {
    pub fn add(&mut self, winners: impl IntoIterator<Item = Waiting>) {
        self.0.extend(winners);
    }

    /// How many winners with a place wait.
    pub fn len(&self) -> usize {
        self.0.iter().filter(|waiting| waiting.has_place).count()
    }

    /// The lines of these rows, and of the winners before them that no row shows. Winners come in the order of the ranking.
    /// So if a row is that of a winner, no row shows the winners that wait before it.
    pub fn merge(&mut self, rows: Vec<Row>) -> Vec<Line> {
        let named = |(place, waiting): (usize, &Waiting)| (waiting.winner.member.0.clone(), place);
        let places: HashMap<Vec<u8>, usize> = self.0.iter().enumerate().map(named).collect();
        let mut taken = 0_usize;
        let mut lines = Vec::new();
        for row in rows {
            let place = places.get(row.member.as_bytes()).copied().filter(|place| *place >= taken);
            let is_before = |taken, first: &Waiting| match place {
                Some(place) => taken < place,
                None => !first.has_place,
            };
            while self.0.front().is_some_and(|first| is_before(taken, first)) {
                lines.extend(self.0.pop_front().map(Line::of_winner));
                taken = taken.saturating_add(1);
            }
            let winner = place.and_then(|_| self.0.pop_front());
            taken = taken.saturating_add(usize::from(winner.is_some()));
            lines.push(Line::of_row(row, winner));
        }
        lines
    }

    /// The lines of all winners that still wait, when there are no more rows.
    pub fn rest(&mut self) -> Vec<Line> {
        self.0.drain(..).map(Line::of_winner).collect()
    }
}

impl Line {
    fn of_winner(Waiting { winner, .. }: Waiting) -> Self {
        let Winner { rank, member, score, prize, claimed, .. } = winner;
        let won = Some((prize, claimed));
        Self { rank, member, meta: None, has_row: false, score, won, segments: Vec::new() }
    }

    /// A winner has the rank that its prize is for.
    fn of_row(Row { rank, member, score, meta }: Row, winner: Option<Waiting>) -> Self {
        let won = winner.map(|Waiting { winner, .. }| (winner.rank, (winner.prize, winner.claimed)));
        let rank = won.as_ref().map_or(rank, |(rank, _)| *rank);
        let won = won.map(|(_, won)| won);
        Self { rank, member, meta, has_row: true, score, won, segments: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(members: &str) -> Vec<Row> {
        let row = |(rank, member): (u64, char)| Row {
            rank,
            member: Name::from(member.to_string().as_str()),
            score: "1".into(),
            meta: None,
        };
        (1..).zip(members.chars()).map(row).collect()
    }

    fn waiting(winners: &str, without_place: &str) -> Vec<Waiting> {
        let winner = |row: Row| Winner {
            rank: row.rank,
            member: row.member,
            score: row.score,
            prize: Name::from("gold"),
            claimed: None,
            value: None,
        };
        let has_place = |row: &Row| !without_place.as_bytes().contains(&row.member.0[0]);
        let waiting = |row: Row| Waiting { has_place: has_place(&row), winner: winner(row) };
        rows(winners).into_iter().map(waiting).collect()
    }

    /// The members of lines; winners are upper case.
    fn shown(lines: &[Line]) -> String {
        let name = |line: &Line| String::from_utf8(line.member.0.clone()).unwrap();
        lines
            .iter()
            .map(|line| if line.won.is_some() { name(line).to_uppercase() } else { name(line) })
            .collect()
    }

    #[test]
    fn winners_without_a_row_come_between_their_neighbours() {
        let mut winners = Winners::default();
        // `b` and `x` were removed, and `d` is hidden. `e` wins nothing.
        winners.add(waiting("abcdfgx", "bx"));
        assert_eq!(winners.len(), 5);
        assert_eq!(shown(&winners.merge(rows("ac"))), "ABC");
        assert_eq!(shown(&winners.merge(rows("efg"))), "eDFG");
        assert_eq!(shown(&winners.merge(rows("hi"))), "Xhi");
        assert_eq!(shown(&winners.rest()), "");
    }

    #[test]
    fn winners_wait_for_later_rows() {
        let mut winners = Winners::default();
        winners.add(waiting("ce", ""));
        assert_eq!(shown(&winners.merge(rows("ab"))), "ab");
        winners.add(waiting("fg", ""));
        assert_eq!(shown(&winners.merge(rows("cdf"))), "CdEF");
        assert_eq!(shown(&winners.rest()), "G");
    }

    #[test]
    fn winners_have_the_ranks_of_their_prizes() {
        let mut winners = Winners::default();
        winners.add(waiting("abc", "a"));
        let lines = winners.merge(rows("bcd"));
        assert_eq!(lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 3]);
    }
}
