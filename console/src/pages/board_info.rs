//! The reply of LB.INFO in the form that pages need.

use leaderboard_client::Info;

use crate::pages::times::Zone;

/// The rules and the size of a board.
pub struct BoardInfo {
    pub views: Vec<String>,
    /// The names of the dimensions of segments.
    pub dimensions: Vec<String>,
    pub zone: Zone,
    pub members: u64,
    pub memory: u64,
    pub is_shown: bool,
    pub state: State,
    pub opens: i64,
    pub closes: i64,
    pub now: i64,
    pub told: Info,
}

/// The state of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The board has no rules of votes.
    NoCampaign,
    NotYet,
    Open,
    Closed,
}

impl BoardInfo {
    pub fn of(told: Info) -> Self {
        let signed = |name| told.number(name).unwrap_or(0);
        let number = |name| u64::try_from(signed(name)).unwrap_or(0);
        let (opens, closes, now) = (signed("opens"), signed("closes"), signed("now"));
        let is_shown = signed("shown") == 1;
        let is_campaign = is_shown
            || signed("declared") == 1
            || signed("votes") > 0
            || opens != 0
            || closes != 0
            || !told.limits().is_empty();
        Self {
            views: told.text("views").unwrap_or_default().split(',').map(str::to_owned).collect(),
            dimensions: dimensions(told.text("segments").unwrap_or_default()),
            zone: Zone::of_board(told.text("tz").unwrap_or("UTC")),
            members: number("members"),
            memory: number("memory"),
            is_shown,
            state: state(is_campaign, opens, closes, now),
            opens,
            closes,
            now,
            told,
        }
    }
}

impl BoardInfo {
    /// The views whose ended periods can be read.
    pub fn kept_views(&self) -> Vec<&str> {
        let retain = self.told.text("retain").unwrap_or_default().split(',');
        let kept = retain.filter_map(|rule| rule.split_once('=')).filter(|(_, periods)| *periods != "0");
        kept.map(|(view, _)| view).filter(|view| self.views.iter().any(|name| name == view)).collect()
    }
}

/// The names in a list such as `country:SUM,guild:COUNT`.
fn dimensions(list: &str) -> Vec<String> {
    let names = list.split(',').filter_map(|dimension| dimension.split(':').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn state(is_campaign: bool, opens: i64, closes: i64, now: i64) -> State {
    match () {
        () if !is_campaign => State::NoCampaign,
        () if now < opens => State::NotYet,
        () if closes != 0 && now >= closes => State::Closed,
        () => State::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_have_names() {
        assert_eq!(dimensions("country:SUM,guild:COUNT"), ["country", "guild"]);
        assert_eq!(dimensions(""), Vec::<String>::new());
    }

    #[test]
    fn a_campaign_is_open_from_its_first_to_before_its_last_moment() {
        let cases = [
            ((false, 0, 0, 5), State::NoCampaign),
            ((true, 0, 0, 5), State::Open),
            ((true, 6, 9, 5), State::NotYet),
            ((true, 6, 9, 6), State::Open),
            ((true, 6, 9, 8), State::Open),
            ((true, 6, 9, 9), State::Closed),
        ];
        for ((is_campaign, opens, closes, now), expected) in cases {
            assert_eq!(state(is_campaign, opens, closes, now), expected);
        }
    }
}
