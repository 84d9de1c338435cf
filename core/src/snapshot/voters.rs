//! Sketches of the distinct voters: of the board and of its candidates, for all time and for the periods
//! of views, there also by how many periods late the votes came.

use super::chunk::{Emit, Part};
use super::places::{self, Places};
use super::values::start;
use super::wire::{Reader, put_bytes, put_number, put_signed};
use crate::Error;
use crate::board::Board;
use crate::index::MemberId;
use crate::view::Kind;
use crate::voters::{Batch, SERIES};

pub const KIND: u8 = 12;

/// Most bytes of a sketch.
const MAX_SKETCH: usize = 16 * 1024;
const WRONG: Error = Error::Corrupt("voters");

pub fn members(board: &Board) -> impl Iterator<Item = MemberId> {
    board.campaign().into_iter().flat_map(|campaign| campaign.voters.candidates())
}

/// Writes the sketches of the board, then those of members by place.
pub fn write(board: &Board, places: &Places, emit: Emit) -> u64 {
    let mut part = Part::new(vec![KIND], (), emit);
    let Some(campaign) = board.campaign() else { return 0 };
    let number = |id| places.find(id).map(|place| (place.saturating_add(1), Some(id)));
    let mut records: Vec<_> = members(board).filter_map(number).chain([(0, None)]).collect();
    records.sort_unstable();
    let mut bytes = Vec::new();
    for (number, member) in records {
        let named = |(batch, sketch)| Some((period(board, batch)?, sketch));
        let mut sketches: Vec<_> = campaign.voters.sketches(member).filter_map(named).collect();
        sketches.sort_unstable_by_key(|(period, _)| *period);
        for ((view, start, late), sketch) in sketches {
            put_number(&mut part.bytes, number);
            put_number(&mut part.bytes, view);
            put_signed(&mut part.bytes, start);
            put_number(&mut part.bytes, u64::from(late));
            sketch.save(&mut bytes);
            put_bytes(&mut part.bytes, &bytes);
            bytes.clear();
            part.end_item(());
        }
    }
    part.finish()
}

/// The period of a batch: the place of its view from 1, 0 for all time; the start, and how many periods
/// late the votes came.
fn period(board: &Board, batch: Option<Batch>) -> Option<(u64, i64, u16)> {
    let Some(Batch { series, start, late }) = batch else { return Some((0, 0, 0)) };
    let campaign = board.campaign()?;
    let view = board.specs().position(|spec| campaign.series.find(spec.kind) == Some(series))?;
    Some((view.saturating_add(1) as u64, start, late))
}

pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    if board.campaign().is_none() {
        return Err(WRONG);
    }
    let kinds: Vec<_> = board.specs().map(|spec| spec.kind).collect();
    let series = &mut board.campaign_mut().series;
    let series: Vec<_> =
        kinds.iter().map(|kind| (*kind != Kind::All).then(|| series.number(*kind))).collect();
    let mut sketches = Vec::new();
    while !reader.is_empty() {
        let member = match reader.number()? {
            0 => None,
            number => Some(places::member(board, number.saturating_sub(1))?),
        };
        let batch = read_batch(reader, &series)?;
        sketches.push((member, batch, reader.bytes(1, MAX_SKETCH)?));
    }
    board.campaign_mut().voters.restore(&sketches, SERIES)
}

fn read_batch(reader: &mut Reader, series: &[Option<u8>]) -> Result<Option<Batch>, Error> {
    let view: usize = reader.small(WRONG)?;
    let (start, late) = (start(reader)?, reader.small(WRONG)?);
    match view.checked_sub(1) {
        None if (start, late) == (0, 0) => Ok(None),
        None => Err(WRONG),
        Some(view) => {
            let series = series.get(view).copied().flatten().ok_or(WRONG)?;
            Ok(Some(Batch { series, start, late }))
        }
    }
}

pub fn count(board: &Board) -> u64 {
    let Some(campaign) = board.campaign() else { return 0 };
    let records = [None].into_iter().chain(members(board).map(Some));
    records.map(|member| campaign.voters.sketches(member).count() as u64).sum()
}
