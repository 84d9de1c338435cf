//! The data of the plots: figures of servers and boards. Those of the last hour and day are in memory of fixed size, which a restart
//! loses: `sampler` reads the figures once a second; `line` and `ring` keep them. `kept` has those of more than a year, by the
//! minute, in counters of the servers.

mod kept;
mod line;
mod ring;
mod sampler;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use leaderboard_client::Info;

use crate::history::line::{Line, Measure, Moment};

pub use kept::{Days, Kept, record};
pub use sampler::sample;

/// How many boards are read at most.
const MOST_BOARDS: usize = 64;
/// How many servers have figures at most.
const MOST_SERVERS: usize = 64;
/// How long a board is still read after the last visit of its page.
const INTEREST: Duration = Duration::from_secs(3_600);
/// How long the figures of a server are kept after its last answer.
const LEFT: Duration = Duration::from_secs(24 * 3_600);

/// The length of time that a plot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Range {
    #[default]
    Hour,
    Day,
    Week,
    /// 31 days.
    Month,
    /// 366 days.
    Year,
}

impl Range {
    /// The seconds from one value to the next in memory: a value for each second, or the mean of each minute.
    const fn step(self) -> u64 {
        match self {
            Self::Hour => 1,
            _ => 60,
        }
    }

    /// The seconds of a slice of the counters.
    const fn slice(self) -> u64 {
        match self {
            Self::Hour => 60,
            Self::Day => 300,
            Self::Week => 3_600,
            Self::Month => 21_600,
            Self::Year => 86_400,
        }
    }

    /// Whether the memory does not reach back so far.
    const fn is_only_kept(self) -> bool {
        !matches!(self, Self::Hour | Self::Day)
    }

    /// The seconds from the first value to the last.
    const fn span(self) -> u64 {
        match self {
            Self::Hour => 3_600,
            Self::Day => 86_400,
            Self::Week => 7 * 86_400,
            Self::Month => 31 * 86_400,
            Self::Year => 366 * 86_400,
        }
    }

    /// How many values the range has in memory.
    const fn length(self) -> u64 {
        self.span().div_euclid(self.step())
    }
}

/// The time of this machine, in seconds since the Unix epoch.
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// A figure of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardFigure {
    /// Accepted requests to vote, per second.
    Votes,
    /// Applied writes, per second.
    Writes,
    /// Members in the default view.
    Members,
    /// Requests that a rule refused, per second. What the counters keep is by rule.
    HeldBack,
    /// Repeated requests, per second.
    Repeated,
    /// The memory of the board, in bytes.
    Memory,
}

impl BoardFigure {
    pub const ALL: [Self; 6] =
        [Self::Votes, Self::Writes, Self::Members, Self::HeldBack, Self::Repeated, Self::Memory];

    /// The name in addresses and in the keys of counters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Votes => "votes",
            Self::Writes => "writes",
            Self::Members => "members",
            Self::HeldBack => "held_back",
            Self::Repeated => "repeated",
            Self::Memory => "memory",
        }
    }

    /// Reads the figure from the reply of LB.INFO.
    fn read(self, told: &Info) -> i64 {
        match self {
            Self::HeldBack => {
                let sum = told.held_back().iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
                i64::try_from(sum).unwrap_or(i64::MAX)
            }
            _ => told.number(self.name()).unwrap_or(0),
        }
    }

    const fn measure(self) -> Measure {
        match self {
            Self::Members | Self::Memory => Measure::Level,
            Self::Votes | Self::Writes | Self::HeldBack | Self::Repeated => Measure::Count,
        }
    }
}

/// A figure of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerFigure {
    /// Commands per second.
    Ops,
    /// Memory in use, in bytes.
    Memory,
    /// Connected clients.
    Clients,
    /// Writes to boards and leagues, per second.
    Writes,
}

impl ServerFigure {
    pub const ALL: [Self; 4] = [Self::Ops, Self::Memory, Self::Clients, Self::Writes];

    /// The name in addresses and in the keys of counters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Memory => "memory",
            Self::Clients => "clients",
            Self::Writes => "writes",
        }
    }

    const fn measure(self) -> Measure {
        match self {
            Self::Ops | Self::Memory | Self::Clients => Measure::Level,
            Self::Writes => Measure::Count,
        }
    }
}

/// The figures of one board or server, in the order of the enum.
#[derive(Debug)]
struct Track<const N: usize> {
    lines: [Line; N],
    /// The moment of the last visit to the board, or of the last answer of the server.
    seen: Instant,
}

impl<const N: usize> Track<N> {
    fn new(measures: [Measure; N]) -> Self {
        Self { lines: measures.map(Line::new), seen: Instant::now() }
    }

    fn note(&mut self, moment: Moment, read: Option<[f64; N]>) {
        for (place, line) in self.lines.iter_mut().enumerate() {
            line.note(moment, read.as_ref().and_then(|read| read.get(place)).copied());
        }
    }

    fn line(&self, place: usize) -> Option<&Line> {
        self.lines.get(place)
    }
}

/// All figures.
#[derive(Debug, Default)]
pub struct History(Mutex<Tracks>);

#[derive(Debug, Default)]
struct Tracks {
    boards: HashMap<String, Track<6>>,
    servers: BTreeMap<String, Track<4>>,
}

/// Some lines, and the times of their values.
#[derive(Debug, Default, PartialEq, serde::Serialize)]
pub struct Plot {
    /// The times, in seconds since the Unix epoch.
    pub times: Vec<u64>,
    pub series: Vec<Series>,
}

/// A line of a plot.
#[derive(Debug, PartialEq, serde::Serialize)]
pub struct Series {
    pub label: String,
    /// The values; `None` is a gap.
    pub values: Vec<Option<f64>>,
}

/// The last hour of a line as a few numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub label: String,
    pub latest: Option<f64>,
    pub greatest: Option<f64>,
}

impl History {
    fn tracks(&self) -> MutexGuard<'_, Tracks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a visit to a board: its figures are read from now on. If too many boards are read, the board with the
    /// oldest last visit is no longer read.
    pub fn look(&self, key: &str) {
        let boards = &mut self.tracks().boards;
        if let Some(track) = boards.get_mut(key) {
            track.seen = Instant::now();
            return;
        }
        if boards.len() >= MOST_BOARDS {
            let oldest = boards.iter().min_by_key(|(_, track)| track.seen).map(|(key, _)| key.clone());
            oldest.and_then(|key| boards.remove(&key));
        }
        boards.insert(key.to_owned(), Track::new(BoardFigure::ALL.map(BoardFigure::measure)));
    }

    /// A figure of a board, from the second `after` on.
    pub fn board(&self, key: &str, figure: BoardFigure, range: Range, after: u64) -> Plot {
        let tracks = self.tracks();
        let line = tracks.boards.get(key).and_then(|track| track.line(figure as usize));
        plot(&line.map(|line| (key, line)).into_iter().collect::<Vec<_>>(), range, after)
    }

    /// A figure of each server, from the second `after` on.
    pub fn servers(&self, figure: ServerFigure, range: Range, after: u64) -> Plot {
        let tracks = self.tracks();
        let lines = tracks.servers.iter();
        let lines: Vec<_> =
            lines.filter_map(|(name, track)| Some((name.as_str(), track.line(figure as usize)?))).collect();
        plot(&lines, range, after)
    }

    /// A summary of a figure of a board.
    pub fn board_summary(&self, key: &str, figure: BoardFigure) -> Vec<Summary> {
        let tracks = self.tracks();
        let line = tracks.boards.get(key).and_then(|track| track.line(figure as usize));
        line.map(|line| summary(key, line)).into_iter().collect()
    }

    /// A summary of a figure for each server.
    pub fn server_summaries(&self, figure: ServerFigure) -> Vec<Summary> {
        let tracks = self.tracks();
        let of = |(name, track): (&String, &Track<4>)| Some(summary(name, track.line(figure as usize)?));
        tracks.servers.iter().filter_map(of).collect()
    }

    /// The boards that must be read. All other boards are removed.
    pub fn wanted(&self) -> Vec<String> {
        let boards = &mut self.tracks().boards;
        boards.retain(|_, track| track.seen.elapsed() < INTEREST);
        boards.keys().cloned().collect()
    }

    /// The names of the servers with figures.
    pub fn server_names(&self) -> Vec<String> {
        self.tracks().servers.keys().cloned().collect()
    }

    fn note_board(&self, key: &str, moment: Moment, read: Option<[f64; 6]>) {
        if let Some(track) = self.tracks().boards.get_mut(key) {
            track.note(moment, read);
        }
    }

    /// Notes the figures of the servers. A server that did not answer gets a gap.
    fn note_servers(&self, moment: Moment, told: &HashMap<String, [f64; 4]>) {
        let servers = &mut self.tracks().servers;
        servers.retain(|_, track| track.seen.elapsed() < LEFT);
        for name in told.keys() {
            if servers.len() < MOST_SERVERS && !servers.contains_key(name) {
                servers.insert(name.clone(), Track::new(ServerFigure::ALL.map(ServerFigure::measure)));
            }
        }
        for (name, track) in servers {
            let read = told.get(name).copied();
            if read.is_some() {
                track.seen = moment.at;
            }
            track.note(moment, read);
        }
    }
}

fn plot(lines: &[(&str, &Line)], range: Range, after: u64) -> Plot {
    let rings = lines.iter().map(|(label, line)| (*label, line.ring(range)));
    let steps = rings.clone().filter_map(|(_, ring)| ring.steps());
    let all = steps.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()));
    let Some(all) = all else { return Plot::default() };
    let steps = (*all.start()).max(after.div_ceil(range.step()))..=*all.end();
    let values = |ring: &ring::Ring| steps.clone().map(|step| ring.at(step).map(rounded)).collect();
    let series = rings.map(|(label, ring)| Series { label: label.to_owned(), values: values(ring) });
    Plot {
        series: series.collect(),
        times: steps.clone().map(|step| step.saturating_mul(range.step())).collect(),
    }
}

/// A value rounded to hundredths, which is exact enough for a plot.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn summary(label: &str, line: &Line) -> Summary {
    let ring = line.ring(Range::Hour);
    Summary {
        label: label.to_owned(),
        latest: ring.latest().map(rounded),
        greatest: ring.greatest().map(rounded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(second: u64) -> Moment {
        Moment { second, at: Instant::now() }
    }

    #[test]
    fn servers_share_their_times_and_a_silent_one_has_gaps() {
        let history = History::default();
        let told = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), [3.0; 4])).collect();
        history.note_servers(moment(100), &told(&["a"]));
        history.note_servers(moment(101), &told(&["a", "b"]));
        history.note_servers(moment(102), &told(&["b"]));
        let plot = history.servers(ServerFigure::Ops, Range::Hour, 0);
        assert_eq!(plot.times, [100, 101, 102]);
        assert_eq!(plot.series[0].values, [Some(3.0), Some(3.0), None]);
        assert_eq!(plot.series[1].values, [None, Some(3.0), Some(3.0)]);
        assert_eq!(history.servers(ServerFigure::Ops, Range::Hour, 102).times, [102]);
        assert_eq!(history.servers(ServerFigure::Ops, Range::Day, 0).times, [60]);
    }

    #[test]
    fn only_so_many_boards_are_read() {
        let history = History::default();
        for number in 0..=MOST_BOARDS {
            history.look(&number.to_string());
        }
        let wanted = history.wanted();
        assert_eq!(wanted.len(), MOST_BOARDS);
        assert!(!wanted.contains(&"0".to_owned()), "the one that nobody has looked at for longest");
        assert_eq!(history.board("0", BoardFigure::Votes, Range::Hour, 0), Plot::default());
    }
}
