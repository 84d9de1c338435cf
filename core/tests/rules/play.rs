//! Calls of a board, in one place. They translate writes of the model into calls, and replies of a board into replies
//! of the model.

use leaderboard_core::amount::Bound;
use leaderboard_core::board::{
    Alter, Around, Declaration, Edit, Effect, Outcome, Positions, Reading, Verdict, Write,
};
use leaderboard_core::calendar::When;
use leaderboard_core::levels::Levels;
use leaderboard_core::limits::Ballot;
use leaderboard_core::native::Work;
use leaderboard_core::schema::{Order, Ranks, Tally};
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::view::{self, Spec};
use leaderboard_core::{Amount, Board, Error, NativeType, Schema, Score as Units};

use leaderboard_testkit::board::MAX_FUTURE;
use leaderboard_testkit::board::read::{Neighbour, Row, Standing, Stats};
use leaderboard_testkit::board::score::{self, Score};
use leaderboard_testkit::board::{Fate, Kind, Name, Op, Rules, Sent, Told};

/// A time in seconds, so long that no request id is forgotten.
const YEARS: u32 = 315_360_000;

pub fn client(wall: u64) -> TimeSource {
    TimeSource::Client { wall, max_future: MAX_FUTURE }
}

/// Returns the time source of a write that another server decided.
pub fn decided(now: u64) -> TimeSource {
    TimeSource::Decided { now: Some(now) }
}

fn kind(kind: Kind) -> view::Kind {
    view::Kind::parse(kind.name.as_bytes()).unwrap()
}

fn schema(rules: &Rules) -> Schema {
    let levels = rules.levels.iter().map(|level| {
        let order = if level.ascending { "ASC" } else { "DESC" };
        format!("{}:{order}:{}", level.name, level.max)
    });
    let levels = levels.collect::<Vec<_>>().join(",");
    Schema {
        order: if rules.ascending { Order::Asc } else { Order::Desc },
        aggregate: rules.aggregate,
        ties: rules.ties,
        decimals: rules.decimals,
        clock: if rules.is_event { Clock::Event } else { Clock::Server },
        dedup: YEARS,
        shown: rules.shown,
        keep: rules.keep as u32,
        levels: (!levels.is_empty()).then(|| Levels::parse(levels.as_bytes()).unwrap()),
        ..Schema::default()
    }
}

pub fn made(rules: &Rules) -> Result<Board, Error> {
    let retain = rules.retain as u32;
    let specs = rules.kinds.iter().map(|each| {
        let retain = if each.is_period() { retain } else { 1 };
        Spec { retain, ..Spec::new(kind(*each)) }
    });
    Board::new(schema(rules), &specs.collect::<Vec<_>>())
}

pub fn set_keep(board: &mut Board, keep: usize) -> Result<(), Error> {
    board.alter(&Alter { keep: Some(keep as u32), ..Alter::default() })
}

pub fn add_view(board: &mut Board, each: Kind) -> Result<(), Error> {
    board.alter(&Alter { views: vec![(kind(each), Edit::Add)], ..Alter::default() })
}

pub fn drop_view(board: &mut Board, each: Kind) -> Result<(), Error> {
    board.alter(&Alter { views: vec![(kind(each), Edit::Drop)], ..Alter::default() })
}

pub fn declare(board: &mut Board, name: &[u8], weight: i64, origin: TimeSource) {
    let declaration = Declaration { weight: Some(weight as u32), ..Declaration::default() };
    board.declare(name, declaration, origin).unwrap();
}

pub fn hide(board: &mut Board, name: &[u8]) -> bool {
    board.hide(name).unwrap()
}

pub fn unhide(board: &mut Board, name: &[u8]) -> bool {
    board.unhide(name)
}

pub fn hidden(board: &Board) -> Vec<Name> {
    board.hidden().iter().map(|name| name.to_vec()).collect()
}

/// Does up to this number of pieces of work ahead.
pub fn work(board: &mut Board, now: u64, times: u16) {
    for _ in 0..times {
        if let Work::Later(moment) = board.work(now) {
            assert!(moment > now as i64, "work that is late");
            return;
        }
    }
    assert!(times < u16::MAX, "work without end");
}

/// Returns a score as a client may write it, sometimes with extra zeros at the end of the fraction.
fn amount(rules: &Rules, score: &Score) -> String {
    let text = score::text(rules, score);
    match (score[0] & 3, text.contains('.')) {
        (1, true) => text + "0000000000",
        (1, false) if rules.levels.is_empty() => text + ".000",
        _ => text,
    }
}

/// Returns a write without a request id or a moment.
pub fn write(now: u64) -> Write<'static> {
    Write { positions: Positions::BeforeAndAfter, ..Write::new(client(now)) }
}

pub fn send(
    board: &mut Board,
    rules: &Rules,
    sent: &Sent,
    at: Option<u64>,
    origin: TimeSource,
) -> Result<Told, Error> {
    let view = rules.kinds[sent.view].name.as_bytes();
    let (request, meta) = (sent.id.as_deref(), sent.meta.as_deref());
    let write = Write {
        at,
        request,
        positions: Positions::BeforeAndAfter,
        view: Some(view),
        meta,
        ..Write::new(origin)
    };
    let pairs = sent.op.pairs();
    let texts: Vec<String> = pairs.iter().map(|(score, _)| amount(rules, score)).collect();
    let amounts = texts.iter().map(|text| Amount::parse(text.as_bytes(), "points"));
    let amounts = amounts.collect::<Result<Vec<_>, Error>>()?;
    let given: Vec<(Amount, &[u8])> =
        amounts.iter().zip(&pairs).map(|(amount, (_, name))| (*amount, &name[..])).collect();
    let ballot = Ballot { voter: None, tags: &[] };
    let plain = Write { view: None, ..write };
    let votes = |votes: i64| votes as u64;
    match &sent.op {
        Op::Add(_, name) => board.add(&write, amounts[0], name).map(|told| one(rules, &told)),
        Op::Roll(_, name) => board.roll_add(&write, None, amounts[0], name).map(|told| one(rules, &told)),
        Op::Set(_, name, condition) => {
            board.set(&write, amounts[0], name, *condition).map(|told| one(rules, &told))
        }
        Op::Many(_) => board.add_many(&write, &given).map(|(effect, now)| several(rules, effect, &now)),
        Op::SetMany(_) => board.set_many(&write, &given).map(|(effect, now)| several(rules, effect, &now)),
        Op::Vote(count, name) => match board.vote(&plain, &ballot, (name, votes(*count)))? {
            Verdict::Accepted(told) => Ok(several(rules, told.effect, &[told.now])),
            Verdict::HeldBack { .. } => unreachable!("there are no limits"),
        },
        Op::VoteMany(list) => {
            let list: Vec<_> = list.iter().map(|(count, name)| (&name[..], votes(*count))).collect();
            match board.vote_many(&plain, &ballot, &list)? {
                Verdict::Accepted((effect, now)) => Ok(several(rules, effect, &now)),
                Verdict::HeldBack { .. } => unreachable!("there are no limits"),
            }
        }
    }
}

type Place = leaderboard_core::board::Position;

fn position(rules: &Rules, place: Option<Place>) -> Option<(Score, u64)> {
    place.map(|place| (score_of(rules, place.score), place.rank))
}

fn fate(effect: Effect) -> Fate {
    match effect {
        Effect::Applied(Stamp { now, at }) => Fate::Applied(now, at),
        Effect::Repeated | Effect::SameAttempt => Fate::Repeated,
        Effect::HeldBack => Fate::HeldBack,
    }
}

fn several(rules: &Rules, effect: Effect, now: &[Option<Place>]) -> Told {
    Told { fate: fate(effect), now: now.iter().map(|place| position(rules, *place)).collect(), before: None }
}

fn one(rules: &Rules, told: &Outcome) -> Told {
    let is_applied = matches!(told.effect, Effect::Applied(_));
    Told {
        before: is_applied.then(|| position(rules, told.before)),
        ..several(rules, told.effect, &[told.now])
    }
}

fn score_of(rules: &Rules, score: Units) -> Score {
    if rules.levels.is_empty() { vec![score.units()] } else { score::decoded(&rules.levels, score.units()) }
}

/// The standing, the position in the period before, and whether the reply contains the moment.
type Stands = (Standing, Option<(u64, Score)>, bool);

/// A reading of a period of a view. It returns the types of the model.
pub struct Read<'a> {
    board: &'a Board,
    rules: &'a Rules,
    reading: Reading<'a>,
    ranks: Ranks,
}

impl<'a> Read<'a> {
    /// Reads the period that is `back` periods ago.
    pub fn new(board: &'a Board, rules: &'a Rules, (view, tally): (Kind, Tally), back: u64) -> Self {
        let when = if back == 0 { When::Now } else { When::Back(back as u32) };
        let reading = board.read(Some(view.name.as_bytes()), when, tally).unwrap();
        Self { board, rules, reading, ranks: Ranks::Ordinal }
    }

    pub fn counted(self, ranks: Ranks, rev: bool) -> Self {
        let reading = if rev { self.reading.reversed() } else { self.reading };
        Self { reading, ranks, ..self }
    }

    fn score(&self, score: Units) -> Score {
        score_of(self.rules, score)
    }

    fn told(&self, rows: impl Iterator<Item = leaderboard_core::board::Row>) -> Vec<Row> {
        rows.map(|row| (row.rank, self.board.name(row.id).to_vec(), self.score(row.score))).collect()
    }

    pub fn len(&self) -> u64 {
        let members = self.reading.len();
        assert_eq!(self.reading.is_empty(), members == 0);
        members
    }

    pub fn rows(&self, before: u64, count: u64) -> Vec<Row> {
        self.told(self.reading.rows(before, count, self.ranks))
    }

    pub fn range(&self, first: i64, last: i64) -> Vec<Row> {
        self.told(self.reading.range(first, last, self.ranks).unwrap())
    }

    pub fn around(&self, name: &[u8], [above, below]: [u64; 2], fill: bool) -> Vec<Row> {
        self.told(self.reading.around(name, Around { above, below, fill }, self.ranks))
    }

    pub fn among(&self, names: &[Name]) -> Vec<(u64, Name, Score, u64)> {
        let names: Vec<&[u8]> = names.iter().map(|name| &name[..]).collect();
        let rows = self.reading.among(&names, self.ranks);
        let told = |place: u64, row: &leaderboard_core::board::Row| {
            (place, self.board.name(row.id).to_vec(), self.score(row.score), row.rank)
        };
        rows.iter().map(|among| told(among.place, &among.row)).collect()
    }

    pub fn position(&self, name: &[u8]) -> Option<(u64, Score)> {
        let place = self.reading.rank_and_score(name, self.ranks);
        assert_eq!(self.reading.rank(name, self.ranks), place.map(|(rank, _)| rank));
        assert_eq!(self.reading.score(name), place.map(|(_, score)| score));
        place.map(|(rank, score)| (rank, self.score(score)))
    }

    pub fn standing(&self, name: &[u8]) -> Option<Stands> {
        let told = self.reading.standing(name, self.ranks)?;
        let neighbour = |other: Option<leaderboard_core::board::Neighbour>| -> Neighbour {
            other.map(|other| {
                (self.board.name(other.id).to_vec(), self.score(other.score), self.gap(told.score, &other))
            })
        };
        let standing = Standing {
            rank: told.rank,
            score: self.score(told.score),
            members: told.members,
            percentile: told.percentile,
            ahead: neighbour(told.ahead),
            behind: neighbour(told.behind),
            at: told.at.unwrap_or(0),
        };
        let previous = told.previous.map(|(rank, score)| (rank, self.score(score)));
        Some((standing, previous, told.at.is_some()))
    }

    /// Returns the gap to a neighbour, level by level.
    fn gap(&self, own: Units, other: &leaderboard_core::board::Neighbour) -> Vec<i128> {
        let text = self.board.schema().notation().gap(own, other.score).to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let units = |whole: &str| {
            let places = if self.rules.levels.is_empty() { usize::from(self.rules.decimals) } else { 0 };
            format!("{whole}{fraction:0<places$}").parse().unwrap()
        };
        whole.split('/').map(units).collect()
    }

    pub fn dated(&self) -> Vec<(Name, Score, u64)> {
        let mut all = Vec::new();
        self.reading.dated(|id, score, at| all.push((self.board.name(id).to_vec(), self.score(score), at)));
        all
    }

    pub fn stats(&self) -> Stats {
        let stats = self.reading.stats();
        let score = |score: Option<Units>| score.map(|score| self.score(score));
        let sum = Some(stats.sum).filter(|_| self.rules.levels.is_empty());
        (stats.members, sum, score(stats.min), score(stats.max), score(stats.median))
    }

    /// Returns the mean as text, or nothing if no member is ranked.
    pub fn mean(&self) -> Option<String> {
        let stats = self.reading.stats();
        (stats.members > 0).then(|| stats.mean(self.rules.decimals).to_string())
    }

    /// Returns the lower bound, the upper bound and the number of members of each bucket. Bounds are in smallest
    /// units.
    pub fn histogram(&self, low: i64, high: i64, buckets: u64) -> Vec<(i64, i64, u64)> {
        let units = |units| Units::from_units(units).unwrap();
        let rows = self.reading.histogram(units(low), units(high), buckets);
        rows.iter().map(|row| (row.from.units(), row.to.units(), row.members)).collect()
    }

    pub fn quantile(&self, billionths: u64) -> Option<Score> {
        self.reading.quantile(billionths as u32).map(|score| self.score(score))
    }

    /// Returns how many members have a score within bounds as clients write them, and the rows of these members.
    pub fn between(&self, [min, max]: [&str; 2], offset: u64, count: u64) -> (u64, Vec<Row>) {
        let low = Bound::parse(min.as_bytes(), "min").unwrap();
        let high = Bound::parse(max.as_bytes(), "max").unwrap();
        let Some((low, high)) = self.board.schema().score_range(low, high).unwrap() else {
            return (0, Vec::new());
        };
        let rows = self.reading.rows_between(low, high, offset, count, self.ranks);
        (self.reading.count_between(low, high), self.told(rows))
    }
}
