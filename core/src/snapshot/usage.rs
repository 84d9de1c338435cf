//! What was used of the limits of votes: a part for each limit and its current period, with the hash of
//! who used it, and how much.

use super::chunk::{Emit, Part, opening};
use super::wire::{Reader, put_hash, put_number};
use crate::Error;
use crate::board::Board;
use crate::limits::SavedCounts;

pub const KIND: u8 = 11;

fn used(board: &Board) -> impl Iterator<Item = SavedCounts<'_>> {
    board.campaign().into_iter().flat_map(|campaign| campaign.limits.saved(board.last))
}

pub fn write(board: &Board, emit: Emit) -> u64 {
    let mut count = 0_u64;
    for used in used(board) {
        let mut part = Part::new(opening(KIND, used.rule, &[used.start()]), (), &mut *emit);
        for (hash, votes) in used.iter() {
            put_hash(&mut part.bytes, hash);
            put_number(&mut part.bytes, u64::from(votes));
            part.end_item(());
        }
        count = count.saturating_add(part.finish());
    }
    count
}

pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let wrong = Error::Corrupt("what was used of a limit");
    let rule = reader.small(wrong)?;
    // A limit for all time has a period without a beginning.
    let start = reader.signed()?;
    let mut used = Vec::new();
    while !reader.is_empty() {
        used.push((reader.hash()?, reader.small(wrong)?));
    }
    if board.campaign().is_none() {
        return Err(wrong);
    }
    let (calendar, now) = (board.schema.calendar, board.last);
    board.campaign_mut().limits.restore(&calendar, now, rule, start, &used)
}

pub fn count(board: &Board) -> u64 {
    used(board).map(|used| used.entries() as u64).sum()
}
