//! The invented events of three weeks, the same in each run.

use client::Random;
use leaderboard_client::{Applied, Joined, Request, leagues};
use redis::Cmd;

/// Monday, 4 May 2026, 0:00 in Paris: the beginning of 2026-W19. All times are in ms.
const FIRST: u64 = 1_777_845_600_000;
const HOUR: u64 = 3_600_000;
const WEEK: u64 = 7 * 24 * HOUR;
pub const WEEKS: u64 = 3;
const PLAYERS: u64 = 4_000;
const NAMES: [&str; 8] = ["Ada", "Bela", "Cora", "Dario", "Ella", "Fynn", "Gina", "Hugo"];

/// An action of a player.
#[derive(Clone)]
pub struct Event {
    pub at: u64,
    pub player: u64,
    pub action: Action,
}

#[derive(Clone)]
pub enum Action {
    Join,
    Add {
        points: u64,
        /// The request id, so that a retry counts once.
        request: String,
    },
}

/// The command of an event.
pub enum Write {
    Join(Request<Joined>),
    Add(Request<Applied>),
}

impl Event {
    /// Returns the command of the event.
    pub fn write(&self, key: &str) -> Write {
        let (player, at) = (name(self.player), self.at.cast_signed());
        match &self.action {
            Action::Join => Write::Join(leagues::join(key, player).meta(shown(self.player)).at(at)),
            Action::Add { points, request } => {
                Write::Add(leagues::add(key, *points, player).id(request).at(at))
            }
        }
    }
}

impl From<&Write> for Cmd {
    fn from(write: &Write) -> Self {
        match write {
            Write::Join(request) => request.cmd(),
            Write::Add(request) => request.cmd(),
        }
    }
}

/// Returns a player's name in commands.
pub fn name(player: u64) -> String {
    format!("p{player}")
}

/// Returns the meta of a player: the name that other players see.
pub fn shown(player: u64) -> String {
    let first = usize::try_from(player).ok().and_then(|player| NAMES.iter().cycle().nth(player));
    format!("{} {player}", first.unwrap_or(&"Ida"))
}

/// Returns the label of a week.
pub fn label(week: u64) -> String {
    format!("2026-W{}", week.saturating_add(19))
}

/// Returns the events of a week, in order of time. Some players skip the week, some begin in it, and some play much
/// more than other players.
pub fn week(number: u64) -> Vec<Event> {
    let mut random = Random::new(number);
    let start = FIRST.saturating_add(WEEK.saturating_mul(number));
    let mut events = Vec::new();
    for player in 0..PLAYERS {
        let zeal = random.below(4).saturating_add(player % 5);
        let skips = random.below(6) == 0 || (number == 0 && player % 10 == 9);
        if skips {
            continue;
        }
        let mut at = start.saturating_add(random.below(WEEK / 2));
        events.push(Event { at, player, action: Action::Join });
        for time in 0..zeal {
            at = at.saturating_add(random.below(9 * HOUR)).saturating_add(1);
            let points = random.below(20).saturating_add(1).saturating_mul(5);
            let request = format!("w{number}-{player}-{time}");
            events.push(Event { at, player, action: Action::Add { points, request } });
        }
    }
    events.sort_by_key(|event| event.at);
    events
}
