//! The prizes of a saved board: the tables and the moments at which they were set, and the payouts of periods: the winners,
//! what they have claimed, and by which requests.

use crate::Error;
use crate::board::Board;
use crate::dimensions::MAX_SEGMENT;
use crate::members::MAX_NAME;
use crate::prizes::{MAX_DAYS, MAX_PRIZE, MAX_TABLE, Payout, PrizeTable, Prizes, TableName, Tables, Winner};
use crate::score::Score;
use crate::short_name::{MAX_SHORT_NAME, ShortName};
use crate::snapshot::chunk::{Emit, PartWriter, items, opening};
use crate::snapshot::wire::{Reader, moment, put_bytes, put_hash, put_number, put_signed, start};
use crate::view::Kind;

pub const TABLES: u8 = 21;
pub const WINNERS: u8 = 22;

const WRONG: Error = Error::Corrupt("a prize");
/// The maximum length of the name of a view.
const MAX_VIEW: usize = 32;
/// The bits of a winner's marks.
const HAS_REQUEST: u64 = 1;
const IS_REMOVED: u64 = 2;

/// A payout whose chunks are being loaded.
#[derive(Debug, Clone)]
pub struct OpenPayout {
    table: usize,
    start: i64,
    end: i64,
    prizes: Vec<Box<[u8]>>,
    segments: Vec<(u32, Box<[u8]>)>,
    winners: Vec<Winner>,
    requests: Vec<(u32, [u64; 2])>,
}

/// A winner as it is saved.
struct SavedWinner {
    winner: Winner,
    prize: Box<[u8]>,
    segment: Box<[u8]>,
    request: Option<[u64; 2]>,
}

/// Writes the tables and the payouts. Returns how many tables and winners there are.
pub fn write(board: &Board, emit: Emit) -> [u64; 2] {
    let Some(prizes) = board.prizes() else { return [0; 2] };
    let mut chunk = vec![TABLES];
    put_number(&mut chunk, prizes.days().into());
    for tables in prizes.tables() {
        put_bytes(&mut chunk, tables.name.view.to_string().as_bytes());
        put_bytes(&mut chunk, tables.name.per.as_ref().map_or(b"", ShortName::as_bytes));
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
    let mut part = PartWriter::new(opening(WINNERS, table, &[start, payout.end]), (), emit);
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
    part.finish()
}

pub fn read_tables(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let mut prizes = Prizes::default();
    prizes.set_days(reader.small(WRONG)?);
    if prizes.days() == 0 || prizes.days() > MAX_DAYS || board.prizes().is_some() {
        return Err(WRONG);
    }
    let read = items(reader, |reader, _| read_table(board, reader))?;
    for (name, versions) in read {
        if prizes.find(name).is_some() {
            return Err(WRONG);
        }
        prizes.add(name, versions);
    }
    board.campaign_mut().prizes = Some(Box::new(prizes));
    Ok(())
}

type SavedTable = (TableName, Vec<(u64, PrizeTable)>);

fn read_table(board: &Board, reader: &mut Reader) -> Result<SavedTable, Error> {
    let view = Kind::parse(reader.bytes(1, MAX_VIEW)?).map_err(|_| WRONG)?;
    let per = reader.bytes(0, MAX_SHORT_NAME)?;
    let per = if per.is_empty() { None } else { Some(ShortName::parse(per).ok_or(WRONG)?) };
    let is_known = board.view_of(view).is_some()
        && per.is_none_or(|per| board.schema.segments.find(per.as_bytes()).is_ok());
    if !is_known || view == Kind::All {
        return Err(WRONG);
    }
    let mut versions: Vec<(u64, PrizeTable)> = Vec::new();
    for _ in 0..reader.number()? {
        let from = moment(reader.number()?)?;
        let table = PrizeTable::parse(reader.bytes(0, MAX_TABLE)?).map_err(|_| WRONG)?;
        table.check(&board.schema).map_err(|_| WRONG)?;
        if versions.last().is_some_and(|(before, _)| *before >= from) {
            return Err(WRONG);
        }
        versions.push((from, table));
    }
    Ok((TableName { view, per }, versions))
}

/// Reads winners. They are added to those of the payout that is open.
pub fn read_winners(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let table: usize = reader.small(WRONG)?;
    let (start, end) = (start(reader)?, start(reader)?);
    let known = board.prizes().and_then(|prizes| prizes.tables().get(table)).ok_or(WRONG)?;
    let is_sound = start < end && known.payout(start).is_none();
    let has_segments = known.name.per.is_some();
    let read = items(reader, |reader, _| read_winner(has_segments, reader))?;
    let is_open = |open: &OpenPayout| (open.table, open.start, open.end) == (table, start, end);
    let loading = board.loading.as_deref_mut().ok_or(WRONG)?;
    let goes_on = loading.payout.as_ref().is_some_and(is_open);
    let last = loading.payout.as_ref().filter(|_| goes_on).and_then(|open| open.winners.last());
    let places = last.into_iter().chain(read.iter().map(|saved| &saved.winner)).map(Winner::place);
    if !is_sound || !places.is_sorted_by(|one, other| one < other) {
        return Err(WRONG);
    }
    if !goes_on {
        finish(board)?;
    }
    let loading = board.loading.as_deref_mut().ok_or(WRONG)?;
    let open = loading.payout.get_or_insert_with(|| OpenPayout {
        table,
        start,
        end,
        prizes: Vec::new(),
        segments: Vec::new(),
        winners: Vec::new(),
        requests: Vec::new(),
    });
    let before = (open.prizes.len(), open.segments.len(), open.winners.len(), open.requests.len());
    let added = read.into_iter().try_for_each(|saved| open.add(saved));
    if added.is_err() {
        open.prizes.truncate(before.0);
        open.segments.truncate(before.1);
        open.winners.truncate(before.2);
        open.requests.truncate(before.3);
    }
    added
}

impl OpenPayout {
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
        && (has_segments || number == 0)
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
pub fn finish(board: &mut Board) -> Result<(), Error> {
    let open = board.loading.as_deref_mut().and_then(|loading| loading.payout.take());
    let Some(OpenPayout { table, start, end, prizes, segments, winners, requests }) = open else {
        return Ok(());
    };
    let payout = Payout::loaded(end, (prizes, segments.into()), winners, requests).ok_or(WRONG)?;
    let known = board.prizes_mut().ok_or(WRONG)?;
    if payout.requests().any(|(_, request)| known.claimed(request).is_some()) {
        return Err(WRONG);
    }
    known.fix(table, start, payout);
    Ok(())
}

/// Returns how many tables and winners there are.
pub fn counts(board: &Board) -> [u64; 2] {
    let Some(prizes) = board.prizes() else { return [0; 2] };
    let payouts = prizes.tables().iter().flat_map(Tables::payouts);
    let winners = payouts.map(|(_, payout)| payout.winners().len() as u64).sum();
    [prizes.tables().len() as u64, winners]
}
