//! What the service must answer: the model of all its boards, and what each request changes in it.

mod replies;

use std::collections::BTreeMap;

use chrono_tz::Tz;

use super::model::board::{Board, Span};
use super::model::calendar::Unit;
use super::model::campaign::{Campaign, Limit, Scope};
use super::model::counter::Counter;
use super::model::league::{self, Amount, League};
use super::model::prizes::{self, Payout, Place, Table};
use super::model::segments::{By, Segments};
use super::request::TIERS;
pub use replies::Reply;

/// The options of the campaign: weight, and initial votes.
pub const SONGS: [(i64, i64); 8] = [(1, 0), (1, 40), (2, 0), (1, 0), (3, 25), (1, 0), (1, 10), (2, 0)];
pub const PAGES: usize = 4;
pub const PRECISIONS: [u64; 3] = [60, 3_600, 86_400];
pub const SAMPLES: u64 = 48;
pub const PRIZES: Table =
    &[(Place::Ranks(1, 1), "gold"), (Place::Ranks(2, 3), "silver"), (Place::Percent(7), "badge")];
pub const OTHER_PRIZES: Table = &[(Place::Ranks(1, 5), "car"), (Place::Ranks(6, 12), "bike")];

/// The whole service.
#[derive(Clone)]
pub struct Model {
    pub arena: Board,
    /// The table of the arena's days.
    pub table: Table,
    /// The prizes of days that have ended, by their starts.
    pub payouts: BTreeMap<u64, Payout>,
    pub form: Board,
    pub nations: Board,
    pub segments: Segments,
    pub league: League,
    pub finals: Campaign,
    pub pages: Vec<Counter>,
}

impl Model {
    /// A service with this number of players. The campaign opens and closes then.
    pub fn new(players: usize, (opens, closes): (u64, u64), group: usize) -> Self {
        let day = Span::Last(1, Unit::Day);
        let nations = Board::new(
            false,
            Tz::America__New_York,
            players,
            &[("day", day, 3), ("all", Span::All, 0), ("day:3", Span::Last(3, Unit::Day), 2)],
        );
        let mut segments = Segments::default();
        segments.add("country", By::Sum, &nations);
        segments.add("guild", By::Best, &nations);
        Self {
            arena: Board::new(false, Tz::Europe__Berlin, players, &[("day", day, 7), ("all", Span::All, 0)]),
            table: PRIZES,
            payouts: BTreeMap::new(),
            form: Board::new(
                true,
                Tz::Europe__Berlin,
                players,
                &[("day:3", Span::Last(3, Unit::Day), 3), ("hour:24", Span::Last(24, Unit::Hour), 5)],
            ),
            nations,
            segments,
            league: League::new(rules(group), Tz::Europe__Berlin),
            finals: finals(opens, closes),
            pages: (0..PAGES).map(|_| Counter::new(&PRECISIONS, SAMPLES)).collect(),
        }
    }

    /// Ends the periods that are over by this time of the server's clock.
    pub fn advance(&mut self, wall: u64) {
        self.advance_arena(self.arena.now(wall));
        self.advance_nations(self.nations.now(wall));
        self.form.advance(self.form.now(wall), |_, _, _| {});
        self.league.advance(self.league.now(wall));
        self.finals.advance(self.finals.shown.now(wall));
    }

    fn advance_arena(&mut self, now: u64) {
        let (payouts, table) = (&mut self.payouts, self.table);
        self.arena.advance(now, |_, start, view| {
            if view.name == "day" {
                payouts.insert(start, Payout::new(table));
            }
        });
        self.trim_payouts();
    }

    /// Drops the prizes of days that are not kept.
    fn trim_payouts(&mut self) {
        let days = &self.arena.view("day").ended;
        self.payouts.retain(|start, _| days.contains_key(start));
    }

    fn advance_nations(&mut self, now: u64) {
        let segments = &mut self.segments;
        self.nations.advance(now, |view, start, _| segments.end(view, start));
        self.segments.trim(&self.nations.views);
    }
}

fn rules(group: usize) -> league::Rules {
    league::Rules {
        tiers: TIERS.to_vec(),
        promote: vec![Amount::Number(5), Amount::Percent(20), Amount::Number(0)],
        demote: vec![Amount::Number(0), Amount::Number(3), Amount::Percent(10)],
        group,
        reward: 3,
        idle: 1,
        retain: 3,
    }
}

fn finals(opens: u64, closes: u64) -> Campaign {
    let limit = |name, scope, most, unit, bonus| Limit { name, scope, most, unit, bonus };
    let limits = vec![
        limit("perminute", Scope::Voter, 5, Unit::Minute, 0),
        limit("flood", Scope::Option, 60, Unit::Minute, 0),
        limit("daily", Scope::Voter, 10, Unit::Day, 5),
    ];
    let [hour, day] = [Unit::Hour, Unit::Day].map(|unit| Span::Last(1, unit));
    let views = [("all", Span::All, 0), ("hour", hour, 24), ("day", day, 3)];
    let mut finals = Campaign::new(Tz::Asia__Seoul, SONGS.len(), &views, limits);
    (finals.opens, finals.closes) = (opens, closes);
    finals
}

/// Returns the commands that make the service. `opens` and `closes` are those of the campaign.
pub fn creation((opens, closes): (u64, u64), group: usize) -> Vec<String> {
    let mut lines = vec![
        format!(
            "LB.CREATE arena VIEWS day,all TZ Europe/Berlin RETAIN day=7 DEDUP 7200 PRIZES day {}",
            prizes::written(PRIZES)
        ),
        "LB.CREATE form VIEWS day:3,hour:24 TZ Europe/Berlin RETAIN day:3=3,hour:24=5 CLOCK EVENT DEDUP 21600"
            .to_owned(),
        "LB.CREATE nations VIEWS day,all,day:3 TZ America/New_York RETAIN day=3,day:3=2 DEDUP 7200 \
         SEGMENTS country:SUM,guild:BEST"
            .to_owned(),
        format!(
            "LB.LEAGUE.CREATE course TIERS {} PROMOTE 5,20%,0 DEMOTE 0,3,10% CYCLE day TZ Europe/Berlin \
             GROUP {group} REWARD 3 IDLE 1 RETAIN 3 DEDUP 7200",
            TIERS.join(",")
        ),
        format!(
            "LB.CREATE finals VIEWS all,hour,day TZ Asia/Seoul RETAIN hour=24,day=3 SHOWN DECLARED DEDUP 7200 \
             OPENS {opens} CLOSES {closes} LIMIT perminute voter 5 minute LIMIT flood member 60 minute \
             LIMIT daily voter 10 day BONUS channel acme 5"
        ),
    ];
    let precisions = PRECISIONS.map(|seconds| seconds.to_string()).join(",");
    lines.extend((0..PAGES).map(|page| {
        format!("LB.COUNTER.CREATE page:{page} PRECISIONS {precisions} SAMPLES {SAMPLES} DEDUP 7200")
    }));
    lines.extend(SONGS.iter().enumerate().map(|(song, (weight, initial))| {
        format!("LB.OPTION finals song{song} WEIGHT {weight} INITIAL {initial}")
    }));
    lines
}
