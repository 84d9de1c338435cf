//! The boards, commands and voters that the fuzzer makes of bytes.

use arbitrary::Arbitrary;
use leaderboard_core::board::Write;
use leaderboard_core::dimensions::parse_dimensions;
use leaderboard_core::limits::{Ballot, Rule};
use leaderboard_core::schema::{Aggregate, Order, Ties};
use leaderboard_core::share::Share;
use leaderboard_core::time::{Clock, Stamp, TimeSource};
use leaderboard_core::view::{Kind, Spec};
use leaderboard_core::{Board, Schema};

/// The views that there may be beside `all`.
pub const VIEWS: [&str; 5] = ["minute", "minute:3", "hour", "300s:2", "day:7"];
pub const WEIGHTS: [u32; 4] = [0, 1, 3, 1_000_000_000];
pub const SCOPES: [&str; 4] = ["voter", "member", "ip", "voter+member"];
pub const UNITS: [&str; 5] = ["second", "minute", "hour", "day", "all"];

#[derive(Debug, Arbitrary)]
pub enum Step {
    Add {
        points: i64,
        member: u8,
        segment: u8,
    },
    /// A list of neighbours, so that boards grow large.
    AddMany {
        points: i16,
        first: u16,
        count: u8,
        segment: u8,
    },
    Set {
        score: i64,
        member: u8,
        condition: u8,
    },
    Vote {
        votes: u32,
        member: u8,
        ballot: u8,
        late: u16,
    },
    VoteMany {
        votes: u8,
        first: u16,
        count: u8,
        ballot: u8,
        late: u16,
    },
    Declare {
        member: u16,
        weight: Option<u8>,
        initial: Option<u64>,
    },
    /// A list of neighbours, so that there are many options.
    DeclareMany {
        first: u16,
        count: u8,
        initial: u8,
    },
    Views(u8),
    Retain(u8),
    Carry(u8, u8),
    Limit {
        rule: u8,
        scope: u8,
        max: u8,
        unit: u8,
    },
    Lift(u8),
    /// Minutes from now; `None` removes the bound.
    VotingWindow(Option<i8>, Option<i8>),
    Dedup(u8),
    Remove {
        first: u16,
        count: u8,
    },
    SetMeta {
        member: u16,
        len: u8,
    },
    SetSegments {
        member: u16,
        segment: u8,
    },
    /// Adds the dimension `guild`, or drops it.
    Guild,
    Wait(u16),
    /// So many minutes, and some seconds.
    Sleep(u8, u8),
    /// Some steps of background work.
    Work(u8),
    Reload,
    Compare,
}

#[derive(Debug, Arbitrary)]
pub struct Input {
    pub rules: (bool, u8, u8),
    /// Shown votes apart from real ones, declared options only, a clock of events, segments.
    pub kind: (bool, bool, bool, bool),
    /// Which views there are beside `all`.
    pub views: u8,
    pub steps: Vec<(Step, Option<u8>)>,
}

pub fn schema(
    (ascending, aggregate, ties): (bool, u8, u8),
    (shown, declared, events, segments): (bool, bool, bool, bool),
) -> Schema {
    let aggregates = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
    // Most have sums, since only those can be voted on.
    let aggregate = aggregates[usize::from((aggregate % 8).saturating_sub(4))];
    let is_sum = aggregate == Aggregate::Sum;
    let dimensions: &[u8] = if is_sum { b"country:SUM,platform" } else { b"country:BEST" };
    let segments = segments.then(|| parse_dimensions(dimensions).expect("dimensions"));
    Schema {
        order: if ascending { Order::Asc } else { Order::Desc },
        aggregate,
        ties: [Ties::First, Ties::Last, Ties::Lex, Ties::RevLex][usize::from(ties % 4)],
        clock: if events { Clock::Event } else { Clock::Server },
        dedup: 1,
        shown: shown && is_sum,
        declared: declared && is_sum,
        segments: segments.unwrap_or_default(),
        ..Schema::default()
    }
}

/// The segment that a byte means: none is named, a country is left, or a country of few.
pub fn country(segment: u8) -> Vec<(&'static [u8], &'static [u8])> {
    const NAMES: [&[u8]; 6] = [b"", b"de", b"jp", b"us", b"no", b"pe"];
    let name = usize::from(segment).checked_sub(128).map(|number| NAMES[number % NAMES.len()]);
    name.map(|name| (&b"country"[..], name)).into_iter().collect()
}

pub fn kind(view: &str) -> Kind {
    Kind::parse(view.as_bytes()).expect("a view")
}

pub fn specs(views: u8, aggregate: Aggregate) -> Vec<Spec> {
    let mut specs = vec![Spec::new(Kind::All)];
    for (bit, view) in VIEWS.into_iter().enumerate() {
        if views >> bit & 1 == 1 {
            let kind = kind(view);
            let half = Share::from_billionths(500_000_000);
            let carry = half.filter(|_| !kind.is_rolling() && aggregate == Aggregate::Sum);
            specs.push(Spec { carry, retain: u32::from(views >> 5), ..Spec::new(kind) });
        }
    }
    specs
}

pub fn name(number: u16) -> Vec<u8> {
    [&number.to_be_bytes()[..], &vec![b'x'; usize::from(number % 29)]].concat()
}

pub fn names(first: u16, count: u8) -> Vec<Vec<u8>> {
    (0..u16::from(count)).map(|more| name(first.wrapping_add(more) % 2_000)).collect()
}

pub fn saved(board: &Board) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    board.save(|chunk| chunks.push(chunk.to_vec()));
    chunks
}

pub fn reload(chunks: &[Vec<u8>]) -> Board {
    let mut board = Board::load(&chunks[0]).expect("a saved head");
    for (number, chunk) in chunks.iter().enumerate().skip(1) {
        assert_eq!(board.load_chunk(chunk), Ok(number + 1 == chunks.len()));
    }
    board
}

/// A score after the aggregate has added points. Time never runs back here.
pub fn added(aggregate: Aggregate, old: Option<i128>, points: i128) -> i128 {
    match (aggregate, old) {
        (_, None) | (Aggregate::Last, _) => points,
        (Aggregate::Sum, Some(old)) => old + points,
        (Aggregate::Max, Some(old)) => old.max(points),
        (Aggregate::Min, Some(old)) => old.min(points),
    }
}

pub fn rule(rule: u8, scope: u8, max: u8, unit: u8) -> Rule {
    let scope = SCOPES[usize::from(scope) % SCOPES.len()].as_bytes();
    let unit = UNITS[usize::from(unit) % UNITS.len()].as_bytes();
    let mut rule = Rule::new(&[b'a' + rule % 4], scope, u64::from(max) + 1, unit).expect("a rule");
    if max % 2 == 1 {
        rule.add_bonus(b"ip", b"1", 5).expect("a bonus");
    }
    rule
}

/// Who votes: perhaps nobody, perhaps without a tag.
pub struct Voter {
    pub name: Option<[u8; 1]>,
    pub address: Option<[u8; 1]>,
}

impl Voter {
    pub fn new(ballot: u8) -> Self {
        let name = (!ballot.is_multiple_of(32)).then_some([b'A' + ballot % 32]);
        Self { name, address: (ballot < 224).then_some([b'0' + ballot / 32]) }
    }

    pub fn cast<T>(&self, vote: impl FnOnce(&Ballot) -> T) -> T {
        let tags: Vec<(&[u8], &[u8])> = self.address.iter().map(|ip| (&b"ip"[..], &ip[..])).collect();
        vote(&Ballot { voter: self.name.as_ref().map(|name| &name[..]), tags: &tags })
    }
}

/// A write as the primary decided it.
pub fn decided(stamp: Stamp, id: Option<&[u8]>) -> Write<'_> {
    let origin = TimeSource::Decided { now: Some(stamp.now) };
    Write { at: Some(stamp.at), request: id, ..Write::new(origin) }
}
