//! Which ranking of a board a page shows: the view, the period, how equal scores are numbered, and which votes count.

use leaderboard_client::{Period, Ranks, Request};
use serde::Deserialize;

use crate::pages::names::encoded;

/// The choices in the query of an address. An empty text means the default of the board.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Reading {
    pub view: String,
    /// The label of a past period.
    pub period: String,
    pub ranks: String,
    /// `true` for the real votes.
    pub real: String,
    /// A dimension of segments.
    pub dimension: String,
    /// The segment of this dimension whose members alone are shown.
    pub segment: String,
}

impl Reading {
    /// Puts the choices into a request.
    pub fn put<R>(&self, request: Request<R>) -> Request<R> {
        let request = self.put_period(request);
        let request = match self.segment() {
            Some((dimension, segment)) => request.in_segment(dimension, segment),
            None => request,
        };
        let request = match self.ranks.as_str() {
            "competition" => request.ranks(Ranks::Competition),
            "dense" => request.ranks(Ranks::Dense),
            _ => request,
        };
        if self.is_real() { request.real() } else { request }
    }

    /// Puts the view and the period alone into a request.
    pub fn put_period<R>(&self, request: Request<R>) -> Request<R> {
        let request = if self.view.is_empty() { request } else { request.view(&self.view) };
        if self.period.is_empty() { request } else { request.period(&self.period) }
    }

    /// The dimension and the segment whose members alone are shown.
    pub fn segment(&self) -> Option<(&str, &str)> {
        let is_given = !self.dimension.is_empty() && !self.segment.is_empty();
        is_given.then_some((self.dimension.as_str(), self.segment.as_str()))
    }

    pub fn is_real(&self) -> bool {
        self.real == "true"
    }

    /// The same reading for a board without shown votes: it does not ask for the real votes, because all votes are
    /// real.
    pub fn without_shown_votes(mut self) -> Self {
        self.real.clear();
        self
    }

    /// The view that is read: the chosen one, or the default view, which is the first one.
    pub fn view_of(&self, views: &[String]) -> String {
        let chosen = (!self.view.is_empty()).then_some(&self.view);
        chosen.or(views.first()).cloned().unwrap_or_default()
    }

    /// Takes in that a form sent these choices from a page of the view `was`. A period of that view cannot be used in another
    /// view.
    pub fn come_from(&mut self, was: &str) {
        if was != self.view {
            self.period.clear();
        }
    }

    /// Whether the period is counted back from the current one, such as `-1`. Tomorrow, this means another period.
    pub fn counts_back(&self) -> bool {
        self.period.starts_with('-')
    }

    /// Replaces a period that is counted back by its label. Returns whether it is in the list.
    pub fn name_period(&mut self, periods: &[Period]) -> bool {
        let back = self.period.strip_prefix('-').and_then(|back| back.parse::<usize>().ok());
        let Some(period) = back.and_then(|back| periods.get(back)) else { return false };
        self.period.clone_from(&period.label);
        true
    }

    /// Whether the chosen period is not in the list.
    pub fn is_unlisted(&self, periods: &[Period]) -> bool {
        !self.is_current() && periods.iter().all(|period| period.label != self.period)
    }

    /// Whether the current period is read. Only the current period can be followed live.
    pub fn is_current(&self) -> bool {
        self.period.is_empty()
    }

    /// The query of an address with the same choices, such as `view=day&real=true`; empty if nothing is chosen.
    pub fn query(&self) -> String {
        let given = [
            ("view", &self.view),
            ("period", &self.period),
            ("ranks", &self.ranks),
            ("real", &self.real),
            ("dimension", &self.dimension),
            ("segment", &self.segment),
        ];
        let part = |(name, value): &(&str, &String)| format!("{name}={}", encoded(value));
        given.iter().filter(|(_, value)| !value.is_empty()).map(part).collect::<Vec<_>>().join("&")
    }

    /// Whether the period before the chosen period can be read, so that ranks can be compared.
    pub fn has_last(&self, periods: &[Period]) -> bool {
        let chosen = periods.iter().position(|period| self.period.is_empty() || period.label == self.period);
        chosen.is_some_and(|place| place.saturating_add(1) < periods.len())
    }
}

/// An address to which a query is added.
pub fn with_query(path: &str, query: &str) -> String {
    match (query.is_empty(), path.contains('?')) {
        (true, _) => path.to_owned(),
        (false, false) => format!("{path}?{query}"),
        (false, true) => format!("{path}&{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(label: &str) -> Period {
        Period { label: label.to_owned(), start: None, end: None, members: 0 }
    }

    #[test]
    fn a_choice_is_what_its_query_says() {
        let reading = Reading { view: "day:7".into(), real: "true".into(), ..Reading::default() };
        assert_eq!(reading.query(), "view=day%3A7&real=true");
        assert_eq!(with_query("/a?b64=true", &reading.query()), "/a?b64=true&view=day%3A7&real=true");
        assert_eq!(with_query("/a", &Reading::default().query()), "/a");
    }

    #[test]
    fn a_period_counted_back_gets_its_label() {
        let periods = [period("2026-W48"), period("2026-W47")];
        let named = |label: &str| {
            let mut reading = Reading { period: label.into(), ..Reading::default() };
            (reading.counts_back() && reading.name_period(&periods), reading.period)
        };
        assert_eq!(named("-1"), (true, "2026-W47".to_owned()));
        for other in ["-2", "-x", "2026-W47", ""] {
            assert_eq!(named(other), (false, other.to_owned()));
        }
    }

    #[test]
    fn the_oldest_period_has_none_before_it() {
        let periods = [period("3"), period("2")];
        let of = |label: &str| Reading { period: label.into(), ..Reading::default() }.has_last(&periods);
        assert_eq!((of(""), of("3"), of("2"), of("1")), (true, true, false, false));
    }
}
