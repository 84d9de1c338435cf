//! Reads of section 4, in segments too.

use super::board::Board;
use super::calendar::View;
use super::ranking::Entry;
use super::replies::{list, or_nil};

/// The options of a read.
#[derive(Debug, Clone, Default)]
pub struct Read {
    pub view: String,
    /// Back from the current one, as PERIOD has it.
    pub back: i64,
    pub at: Option<i64>,
    /// IN: the dimension and the value.
    pub inside: Option<(String, String)>,
    pub within: String,
    pub is_reversed: bool,
}

impl Read {
    /// Returns the words of the options.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if !self.view.is_empty() {
            words += &format!(" VIEW {}", self.view);
        }
        match self.at {
            Some(at) => words += &format!(" AT {at}"),
            None if self.back != 0 => words += &format!(" PERIOD -{}", self.back),
            None => {}
        }
        if let Some((name, value)) = &self.inside {
            words += &format!(" IN {name} {value}");
        }
        if !self.within.is_empty() {
            words += &format!(" WITHIN {}", self.within);
        }
        words + if self.is_reversed { " REV" } else { "" }
    }
}

impl Board {
    /// Returns the view and the period of a read; no period if it is not kept.
    pub fn read_place(&self, read: &Read, now: i64) -> (&View, Option<i64>) {
        let view = self.view(&read.view);
        let period = read.at.map_or_else(|| view.period(now) - read.back, |at| view.period(at));
        (view, Some(period).filter(|&period| self.is_readable(view, period, now)))
    }

    /// Says whether a member is in the segment that a read is restricted to.
    fn is_inside(&self, read: &Read, place: (&View, i64), about: &str, member: &str) -> bool {
        let own = self.segment(about, &read.within, place);
        let within =
            read.within.is_empty() || (!own.is_empty() && self.segment(member, &read.within, place) == own);
        let inside = |(name, value): &(String, String)| self.segment(member, name, place) == value;
        within && read.inside.as_ref().is_none_or(inside)
    }

    /// Returns the entries that a read shows, best first.
    pub fn entries(&self, read: &Read, about: &str, now: i64) -> Vec<Entry> {
        let (view, Some(period)) = self.read_place(read, now) else { return Vec::new() };
        let mut all = self.visible(view, period);
        all.retain(|entry| self.is_inside(read, (view, period), about, &entry.member));
        if read.is_reversed {
            all.reverse();
        }
        all
    }

    /// Returns the reply of LB.TOP.
    pub fn top(&self, read: &Read, count: usize, now: i64) -> String {
        let all = self.entries(read, "", now);
        let rows = all.iter().take(count).enumerate();
        list(
            &rows
                .map(|(place, entry)| format!("[{} {} {}]", place + 1, entry.member, entry.score))
                .collect::<Vec<_>>(),
        )
    }

    /// Returns a member's score, its rank, and the number of members that it sees.
    pub fn own(&self, read: &Read, member: &str, now: i64) -> Option<(i64, usize, usize)> {
        let (view, period) = self.read_place(read, now);
        let place = (view, period?);
        let holds = |other: &str| self.is_inside(read, place, member, other);
        let (entry, rank) = self.standing(place, member, holds)?;
        let hidden = usize::from(self.hidden.contains(member));
        let members = self.entries(read, member, now).len() + hidden;
        let rank = if read.is_reversed { members + 1 - rank } else { rank };
        Some((entry.score, rank, members))
    }

    /// Returns what LB.STANDING says of rank, score, members, previous and change.
    pub fn standing_of(&self, read: &Read, member: &str, now: i64) -> Option<[String; 5]> {
        let (score, rank, members) = self.own(read, member, now)?;
        let view = self.view(&read.view);
        let period = read.at.map_or_else(|| view.period(now) - read.back, |at| view.period(at));
        let before = Read { at: Some(view.unit.start(period - 1)), ..read.clone() };
        let previous = if view.is_all() { None } else { self.own(&before, member, now) };
        let change = or_nil(previous.map(|previous| previous.1 as i64 - rank as i64));
        let previous = or_nil(previous.map(|previous| format!("[{} {}]", previous.1, previous.0)));
        Some([rank.to_string(), score.to_string(), members.to_string(), previous, change])
    }
}
