//! The prizes of a saved value: the tables and the moments at which they were set, and the payouts of periods: the winners,
//! what they have claimed, and by which requests.

use crate::Error;
use crate::dimensions::MAX_SEGMENT;
use crate::members::MAX_NAME;
use crate::prizes::{MAX_DAYS, MAX_PRIZE, MAX_TABLE, Payout, PrizeTable, Prizes, Tables, Winner};
use crate::requests::RequestHash;
use crate::score::Score;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_hash, put_number, put_signed, start};
use crate::time::Millis;

pub const TABLES: u8 = 21;
pub const WINNERS: u8 = 22;

pub const WRONG: Error = Error::Corrupt("a prize");
/// The bits of a winner's marks.
const HAS_REQUEST: u64 = 1;
const IS_REMOVED: u64 = 2;

/// A payout whose chunks are being loaded.
#[derive(Debug, Clone)]
pub struct OpenPayout {
    table: usize,
    start: i64,
    end: i64,
    is_settled: bool,
    prizes: Vec<Box<[u8]>>,
    segments: Vec<(u32, Box<[u8]>)>,
    winners: Vec<Winner>,
    requests: Vec<(u32, RequestHash)>,
}

/// A winner as it is saved.
struct SavedWinner {
    winner: Winner,
    prize: Box<[u8]>,
    segment: Box<[u8]>,
    request: Option<RequestHash>,
}

/// Writes the tables and the payouts. `put_name` writes the name of a table. Returns how many tables there are, and how many
/// payouts and winners.
pub fn write<N: Copy + PartialEq>(
    prizes: Option<&Prizes<N>>,
    put_name: impl Fn(&mut Vec<u8>, N),
    emit: Emit,
) -> [u64; 2] {
    let Some(prizes) = prizes else { return [0; 2] };
    let mut chunk = vec![TABLES];
    put_number(&mut chunk, prizes.days().into());
    for tables in prizes.tables() {
        put_name(&mut chunk, tables.name);
        put_number(&mut chunk, tables.versions().len() as u64);
        for (from, table) in tables.versions() {
            put_number(&mut chunk, *from);
            put_bytes(&mut chunk, &table.to_bytes());
        }
    }
    emit(&chunk);
    let mut winners = 0_u64;
    for (number, tables) in prizes.tables().iter().enumerate() {
        for (start, payout) in tables.payouts() {
            winners = winners.saturating_add(write_payout(number, start, payout, &mut *emit));
        }
    }
    [prizes.tables().len() as u64, winners]
}

fn write_payout(table: usize, start: i64, payout: &Payout, emit: Emit) -> u64 {
    let mut part = PartWriter::new(
        opening(WINNERS, table, &[start, payout.end, i64::from(payout.is_settled())]),
        (),
        emit,
    );
    for (number, winner) in (0_u32..).zip(payout.winners()) {
        let request = payout.request(number);
        put_bytes(&mut part.bytes, &winner.member);
        put_bytes(&mut part.bytes, payout.prize(winner));
        put_bytes(&mut part.bytes, payout.segment(winner).unwrap_or_default());
        put_signed(&mut part.bytes, winner.score.units());
        put_number(&mut part.bytes, winner.rank.into());
        put_number(&mut part.bytes, winner.segment.into());
        put_number(&mut part.bytes, winner.claimed);
        let marks =
            if request.is_some() { HAS_REQUEST } else { 0 } | if winner.is_removed { IS_REMOVED } else { 0 };
        put_number(&mut part.bytes, marks);
        request.into_iter().flatten().for_each(|half| put_hash(&mut part.bytes, half));
        part.end_item(());
    }
    part.finish().saturating_add(1)
}

/// Reads the tables. `name` reads the name of a table, and `check` checks its scores.
pub fn read_tables<N: Copy + PartialEq>(
    reader: &mut Reader,
    name: impl Fn(&mut Reader) -> Result<N, Error>,
    check: impl Fn(&PrizeTable) -> Result<(), Error>,
) -> Result<Prizes<N>, Error> {
    let mut prizes = Prizes::default();
    prizes.set_days(reader.small(WRONG)?);
    if prizes.days() == 0 || prizes.days() > MAX_DAYS {
        return Err(WRONG);
    }
    for (name, versions) in items(reader, |reader, _| Ok((name(reader)?, read_versions(reader, &check)?)))? {
        if prizes.find(name).is_some() {
            return Err(WRONG);
        }
        prizes.add(name, versions);
    }
    Ok(prizes)
}

fn read_versions(
    reader: &mut Reader,
    check: impl Fn(&PrizeTable) -> Result<(), Error>,
) -> Result<Vec<(Millis, PrizeTable)>, Error> {
    let mut versions: Vec<(Millis, PrizeTable)> = Vec::new();
    for _ in 0..reader.number()? {
        let from = moment(reader.number()?)?;
        let table = PrizeTable::parse(reader.bytes(0, MAX_TABLE)?).map_err(|_| WRONG)?;
        check(&table).map_err(|_| WRONG)?;
        if versions.last().is_some_and(|(before, _)| *before >= from) {
            return Err(WRONG);
        }
        versions.push((from, table));
    }
    Ok(versions)
}

/// Reads winners. They are added to those of the payout that is open. If they are those of another payout, the one that was
/// open is stored. `has_segments` tells whether the winners of a table have segments with names.
pub fn read_winners<N: Copy + PartialEq>(
    prizes: &mut Prizes<N>,
    open: &mut Option<OpenPayout>,
    reader: &mut Reader,
    has_segments: impl Fn(N) -> bool,
) -> Result<(), Error> {
    let table: usize = reader.small(WRONG)?;
    let (start, end) = (start(reader)?, start(reader)?);
    let is_settled = match reader.signed()? {
        0 => false,
        1 => true,
        _ => return Err(WRONG),
    };
    let known = prizes.tables().get(table).ok_or(WRONG)?;
    let is_sound = start < end && known.payout(start).is_none();
    let has_segments = has_segments(known.name);
    let read = items(reader, |reader, _| read_winner(has_segments, reader))?;
    let is_open = |open: &OpenPayout| {
        (open.table, open.start, open.end, open.is_settled) == (table, start, end, is_settled)
    };
    let goes_on = open.as_ref().is_some_and(is_open);
    if read.is_empty() && goes_on {
        return Err(WRONG);
    }
    let last = open.as_ref().filter(|_| goes_on).and_then(|open| open.winners.last());
    let places = last.into_iter().chain(read.iter().map(|saved| &saved.winner)).map(Winner::place);
    if !is_sound || !places.is_sorted_by(|one, other| one < other) {
        return Err(WRONG);
    }
    if !goes_on {
        finish(prizes, open)?;
    }
    let none = || OpenPayout {
        table,
        start,
        end,
        is_settled,
        prizes: Vec::new(),
        segments: Vec::new(),
        winners: Vec::new(),
        requests: Vec::new(),
    };
    open.get_or_insert_with(none).add_all(read)
}

impl OpenPayout {
    /// Adds winners: all of them, or none.
    fn add_all(&mut self, read: Vec<SavedWinner>) -> Result<(), Error> {
        let before = (self.prizes.len(), self.segments.len(), self.winners.len(), self.requests.len());
        let added = read.into_iter().try_for_each(|saved| self.add(saved));
        if added.is_err() {
            self.prizes.truncate(before.0);
            self.segments.truncate(before.1);
            self.winners.truncate(before.2);
            self.requests.truncate(before.3);
        }
        added
    }

    fn add(&mut self, SavedWinner { mut winner, prize, segment, request }: SavedWinner) -> Result<(), Error> {
        let at = self.prizes.iter().position(|known| *known == prize);
        let at = at.unwrap_or_else(|| {
            self.prizes.push(prize);
            self.prizes.len().saturating_sub(1)
        });
        winner.prize = u8::try_from(at).map_err(|_| WRONG)?;
        if !segment.is_empty() {
            match self.segments.last() {
                Some((place, name)) if *place == winner.segment => {
                    if *name != segment {
                        return Err(WRONG);
                    }
                }
                _ => self.segments.push((winner.segment, segment)),
            }
        }
        if let Some(request) = request {
            self.requests.push((u32::try_from(self.winners.len()).map_err(|_| WRONG)?, request));
        }
        self.winners.push(winner);
        Ok(())
    }
}

fn read_winner(has_segments: bool, reader: &mut Reader) -> Result<SavedWinner, Error> {
    let member = reader.bytes(1, MAX_NAME)?.into();
    let prize = reader.bytes(1, MAX_PRIZE)?.into();
    let segment: Box<[u8]> = reader.bytes(0, MAX_SEGMENT)?.into();
    let score = Score::from_units(reader.signed()?).ok_or(WRONG)?;
    let (rank, number) = (reader.small(WRONG)?, reader.small(WRONG)?);
    let claimed = moment(reader.number()?)?;
    let marks = reader.number()?;
    let request = if marks & HAS_REQUEST > 0 { Some([reader.hash()?, reader.hash()?]) } else { None };
    let is_sound = rank > 0
        && marks <= (HAS_REQUEST | IS_REMOVED)
        && has_segments != segment.is_empty()
        && !(claimed == 0 && request.is_some())
        && !(claimed > 0 && marks & IS_REMOVED > 0);
    if !is_sound {
        return Err(WRONG);
    }
    let is_removed = marks & IS_REMOVED > 0;
    let winner = Winner { member, score, claimed, rank, segment: number, prize: 0, is_removed };
    Ok(SavedWinner { winner, prize, segment, request })
}

/// Stores the payout whose last chunk was read.
pub fn finish<N: Copy + PartialEq>(
    prizes: &mut Prizes<N>,
    open: &mut Option<OpenPayout>,
) -> Result<(), Error> {
    let Some(OpenPayout { table, start, end, is_settled, prizes: won, segments, winners, requests }) =
        open.take()
    else {
        return Ok(());
    };
    let payout = Payout::loaded((end, is_settled), (won, segments.into()), winners, requests).ok_or(WRONG)?;
    if payout.requests().any(|(_, request)| prizes.claimed(request).is_some()) {
        return Err(WRONG);
    }
    prizes.fix(table, start, payout);
    Ok(())
}

/// Returns how many tables there are, and how many payouts and winners.
pub fn counts<N: Copy + PartialEq>(prizes: Option<&Prizes<N>>) -> [u64; 2] {
    let Some(prizes) = prizes else { return [0; 2] };
    let payouts = prizes.tables().iter().flat_map(Tables::payouts);
    let winners = payouts.map(|(_, payout)| (payout.winners().len() as u64).saturating_add(1)).sum();
    [prizes.tables().len() as u64, winners]
}
