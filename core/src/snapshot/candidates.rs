//! The candidates of a vote in the order of their declaration.

use super::chunk::{Emit, Part};
use super::places::{self, Places};
use super::values::moment;
use super::wire::{Reader, put_number, put_signed};
use crate::Error;
use crate::board::Board;
use crate::campaign::{Candidate, MAX_WEIGHT};
use crate::index::MemberId;
use crate::score::Score;

pub const KIND: u8 = 10;

/// The greatest number that a candidate can have here: as many can be declared behind it.
const MAX_NUMBER: u32 = u32::MAX / 2;
const WRONG: Error = Error::Corrupt("an option");

pub fn members(board: &Board) -> impl Iterator<Item = MemberId> {
    candidates(board).map(|(id, _)| id)
}

fn candidates(board: &Board) -> impl Iterator<Item = (MemberId, &Candidate)> {
    board.campaign().into_iter().flat_map(|campaign| campaign.candidates.from(0))
}

pub fn write(board: &Board, places: &Places, emit: Emit) -> u64 {
    let mut part = Part::new(vec![KIND], (), emit);
    for (id, candidate) in candidates(board) {
        put_number(&mut part.bytes, u64::from(candidate.number));
        put_number(&mut part.bytes, places.of(id));
        put_number(&mut part.bytes, u64::from(candidate.weight));
        put_signed(&mut part.bytes, candidate.initial.units());
        put_number(&mut part.bytes, candidate.moment);
        put_number(&mut part.bytes, candidate.sequence);
        part.end_item(());
    }
    part.finish()
}

pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let known = &board.campaign().ok_or(WRONG)?.candidates;
    let mut last = known.last_number();
    let mut candidates: Vec<(MemberId, Candidate)> = Vec::new();
    while !reader.is_empty() {
        let (id, candidate) = read_one(board, reader, last)?;
        if known.get(id).is_some() {
            return Err(WRONG);
        }
        last = candidate.number;
        candidates.push((id, candidate));
    }
    let starting = || candidates.iter().map(|(_, candidate)| candidate).filter(|one| one.starts());
    let is_twice = repeats(candidates.iter().map(|(id, _)| u64::from(*id)))
        || repeats(starting().map(|candidate| candidate.sequence))
        || starting().any(|candidate| known.is_taken(candidate.sequence));
    if is_twice {
        return Err(WRONG);
    }
    let known = &mut board.campaign_mut().candidates;
    candidates.into_iter().for_each(|(id, candidate)| known.set(id, candidate));
    Ok(())
}

fn read_one(board: &Board, reader: &mut Reader, last: u32) -> Result<(MemberId, Candidate), Error> {
    let number = reader.small(WRONG)?;
    if number <= last || number > MAX_NUMBER {
        return Err(WRONG);
    }
    let id = places::member(board, reader.number()?)?;
    let weight = reader.small(WRONG)?;
    if u64::from(weight) > MAX_WEIGHT {
        return Err(WRONG);
    }
    let initial = Score::from_units(reader.signed()?).filter(|initial| *initial >= Score::ZERO);
    let initial = initial.ok_or(WRONG)?;
    let (moment, sequence) = (moment(reader.number()?)?, reader.number()?);
    let is_plain = (weight, initial) == (Candidate::PLAIN.weight, Candidate::PLAIN.initial);
    if sequence > board.sequences || (!is_plain && !board.schema.shown) {
        return Err(WRONG);
    }
    Ok((id, Candidate { number, weight, initial, moment, sequence }))
}

/// Whether a number comes twice.
fn repeats(numbers: impl Iterator<Item = u64>) -> bool {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable();
    numbers.windows(2).any(|pair| pair.first() == pair.last())
}

pub fn count(board: &Board) -> u64 {
    board.campaign().map_or(0, |campaign| campaign.candidates.len() as u64)
}
