//! What was delivered for a board: a text of JSON in one key beside the board. Every gateway goes on from it.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::file::Patience;
use super::post::Failure;

/// How many deliveries of a board stay in its list.
const KEPT: usize = 50;
/// The longest wait between two tries, in ms.
const LONGEST_WAIT: u64 = 3_600_000;

/// What a delivery tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = DeliveryKind)]
pub enum Kind {
    #[serde(rename = "period.ended")]
    PeriodEnded,
    #[serde(rename = "prizes.won")]
    PrizesWon,
    #[serde(rename = "top.changed")]
    TopChanged,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::PeriodEnded => "period.ended",
            Self::PrizesWon => "prizes.won",
            Self::TopChanged => "top.changed",
        }
    }
}

/// What a delivery is about: enough to write its body again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subject {
    /// The id, which all tries share.
    #[schema(example = "msg_0f2c6a1d9b8e4f70a1b2c3d4e5f60718")]
    pub id: String,
    pub kind: Kind,
    /// The view.
    #[schema(example = "week")]
    pub view: String,
    /// The dimension of prizes of segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// The label of the period; empty for `top.changed`.
    #[schema(example = "2026-W48")]
    pub period: String,
    /// The first moment of the period, in ms.
    pub start: i64,
    /// The first moment after the period, in ms.
    pub end: i64,
    /// How many members the period had when it was found; absent if only its winners are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
    /// How many prizes were won, for a hook of prizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winners: Option<u64>,
    /// The number of the page of winners, from 1; 0 for other deliveries.
    pub page: u64,
    /// The cursor of the page of winners.
    pub cursor: u64,
    /// The order of the members that `top.changed` tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
}

impl Subject {
    /// The name of the table of prizes, or the view, by which a board keeps how far it was told.
    pub fn table(&self) -> String {
        table(&self.view, self.per.as_deref())
    }
}

/// The name of the table of a view, or of a view and a dimension.
pub fn table(view: &str, per: Option<&str>) -> String {
    per.map_or_else(|| view.to_owned(), |per| format!("{view} PER {per}"))
}

/// A delivery that comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pending {
    #[serde(flatten)]
    pub subject: Subject,
    /// How often it was tried.
    pub tries: u32,
    /// When it was tried first, in ms; 0 before the first try.
    pub first: u64,
    /// When it is tried next, in ms.
    pub next: u64,
    /// Why the last try failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<Subject> for Pending {
    fn from(subject: Subject) -> Self {
        Self { subject, tries: 0, first: 0, next: 0, error: None }
    }
}

impl Pending {
    /// Notes a try that failed. Returns whether the delivery is given up.
    pub fn fail(&mut self, now: u64, failure: &Failure, patience: Patience) -> bool {
        if self.tries == 0 {
            self.first = now;
        }
        let doubled = 1_u64.checked_shl(self.tries).unwrap_or(u64::MAX);
        let own = patience.first_wait.saturating_mul(doubled);
        let asked = failure.retry_after.map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
        self.next = now.saturating_add(own.max(asked).min(LONGEST_WAIT));
        self.tries = self.tries.saturating_add(1);
        self.error = Some(failure.reason.clone());
        now.saturating_sub(self.first) >= patience.max_age
    }
}

/// How far a hook has told a board.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The end of the last period that was told wholly, by its table or view, in ms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub told: BTreeMap<String, i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// The order of members that was told last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<String>,
}

impl Progress {
    /// Goes on behind the delivery that comes next, which has arrived or was given up. `then` is the delivery that
    /// belongs to it.
    pub fn pass(&mut self, then: Option<Subject>) {
        let Some(done) = self.pending.take() else { return };
        match then {
            Some(then) => self.pending = Some(then.into()),
            None if done.subject.kind == Kind::TopChanged => self.top = done.subject.order,
            None => self.tell(done.subject.table(), done.subject.end),
        }
    }

    /// Notes that all periods of a table to this end were told.
    pub fn tell(&mut self, table: String, end: i64) {
        let told = self.told.entry(table).or_insert(end);
        *told = end.max(*told);
    }
}

/// A delivery that has arrived, or that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delivery {
    /// The name of the hook.
    #[schema(example = "payouts")]
    pub hook: String,
    #[serde(flatten)]
    pub subject: Subject,
    /// When it arrived or was given up, in ms.
    pub at: u64,
    /// How often it was tried.
    #[schema(example = 1)]
    pub tries: u32,
    /// Why it was given up; absent if it has arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many winners were marked as claimed.
    pub claimed: u64,
}

/// What was delivered for a board, and what comes next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardState {
    /// By the names of hooks.
    pub hooks: BTreeMap<String, Progress>,
    /// The last deliveries, oldest first.
    pub deliveries: VecDeque<Delivery>,
}

impl BoardState {
    /// Adds a delivery to the list. The list keeps the latest ones.
    pub fn note(&mut self, delivery: Delivery) {
        if self.deliveries.len() >= KEPT {
            self.deliveries.pop_front();
        }
        self.deliveries.push_back(delivery);
    }
}

/// The key of the state of a board. It matches the patterns of keys that allow the board, and has its hash tag.
pub fn state_key(board: &str) -> String {
    format!("{board}:hooks")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const HOUR: u64 = 3_600_000;

    fn subject(kind: Kind, page: u64) -> Subject {
        Subject {
            id: format!("msg_{page}"),
            kind,
            view: "day".to_owned(),
            per: None,
            period: "2026-11-27".to_owned(),
            start: 1,
            end: 9,
            members: Some(5),
            winners: Some(3),
            page,
            cursor: page,
            order: (kind == Kind::TopChanged).then(|| "ab".to_owned()),
        }
    }

    #[test]
    fn an_hour_of_failures_is_tried_again_and_again_with_growing_waits() {
        let patience = Patience { first_wait: 5_000, max_age: 72 * HOUR };
        let mut pending = Pending::from(subject(Kind::PrizesWon, 1));
        let (start, mut now, mut waits) = (1_000_000, 1_000_000, Vec::new());
        while now < start + HOUR {
            let is_given_up = pending.fail(now, &"the receiver answered 500".to_owned().into(), patience);
            assert!(!is_given_up);
            waits.push((pending.next - now) / 1_000);
            now = pending.next;
        }
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560]);
        assert_eq!((pending.tries, pending.first), (10, start));
        // From then on, it is tried once an hour, for three days.
        let mut hours = 0;
        while !pending.fail(now, &"the receiver answered 500".to_owned().into(), patience) {
            assert_eq!(pending.next - now, HOUR);
            now = pending.next;
            hours += 1;
        }
        assert_eq!(hours, 71);
    }

    #[test]
    fn a_receiver_that_asks_for_more_time_gets_it_up_to_an_hour() {
        let patience = Patience { first_wait: 5_000, max_age: HOUR };
        let wait = |asked: u64| {
            let failure = Failure { reason: "429".to_owned(), retry_after: Some(Duration::from_secs(asked)) };
            let mut pending = Pending::from(subject(Kind::PeriodEnded, 0));
            pending.fail(7, &failure, patience);
            pending.next - 7
        };
        assert_eq!([wait(0), wait(60), wait(u64::MAX)], [5_000, 60_000, HOUR]);
    }

    #[test]
    fn a_hook_goes_on_to_the_pages_and_then_to_the_next_period() {
        let mut progress =
            Progress { pending: Some(subject(Kind::PeriodEnded, 0).into()), ..Progress::default() };
        progress.pass(Some(subject(Kind::PrizesWon, 1)));
        assert_eq!(progress.pending.as_ref().map(|pending| pending.subject.page), Some(1));
        assert!(progress.told.is_empty());
        progress.pass(None);
        assert_eq!((progress.pending.is_none(), progress.told.get("day")), (true, Some(&9)));
        progress.tell("day".to_owned(), 5);
        assert_eq!(progress.told.get("day"), Some(&9));
        progress.pending = Some(subject(Kind::TopChanged, 0).into());
        progress.pass(None);
        assert_eq!((progress.top.as_deref(), progress.told.len()), (Some("ab"), 1));
    }

    #[test]
    fn a_state_is_read_as_it_was_written_and_keeps_the_latest_deliveries() {
        let mut state = BoardState::default();
        for at in 0..60 {
            let subject = subject(Kind::PrizesWon, at);
            state.note(Delivery { hook: "pay".to_owned(), subject, at, tries: 1, error: None, claimed: 0 });
        }
        let progress = state.hooks.entry("pay".to_owned()).or_default();
        progress.pending = Some(subject(Kind::PrizesWon, 3).into());
        progress.tell("day PER country".to_owned(), 5);
        let written = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<BoardState>(&written).unwrap(), state);
        assert_eq!((state.deliveries.len(), state.deliveries[0].at), (50, 10));
    }
}
