//! The prizes of a saved board (see [`crate::snapshot::prizes`]).

use crate::Error;
use crate::board::Board;
use crate::parts::Role;
use crate::prizes::{PrizeTable, TableName};
use crate::short_name::{MAX_SHORT_NAME, ShortName};
use crate::snapshot::chunk::Emit;
use crate::snapshot::prizes::{self, WRONG};
use crate::snapshot::wire::{Reader, put_bytes};
use crate::view::Kind;

/// The maximum length of the name of a view.
const MAX_VIEW: usize = 32;

/// Writes the tables and the payouts, unless the saved board is to be a part: the root has them. Returns how many tables and
/// winners there are.
pub fn write(board: &Board, role: Role, emit: Emit) -> [u64; 2] {
    let prizes = board.prizes().filter(|_| role.part().is_none());
    let put_name = |chunk: &mut Vec<u8>, TableName { view, per }: TableName| {
        put_bytes(chunk, view.to_string().as_bytes());
        put_bytes(chunk, per.as_ref().map_or(b"", ShortName::as_bytes));
    };
    prizes::write(prizes, put_name, emit)
}

pub fn read_tables(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let known = &*board;
    let check = |table: &PrizeTable| {
        if known.is_root() { table.check_over_parts() } else { Ok(()) }
            .and_then(|()| table.check(&known.schema))
    };
    let read = prizes::read_tables(reader, |reader| read_name(known, reader), check)?;
    if board.prizes().is_some() {
        return Err(WRONG);
    }
    board.campaign_mut().prizes = Some(Box::new(read));
    Ok(())
}

fn read_name(board: &Board, reader: &mut Reader) -> Result<TableName, Error> {
    let view = Kind::parse(reader.bytes(1, MAX_VIEW)?).map_err(|_| WRONG)?;
    let per = reader.bytes(0, MAX_SHORT_NAME)?;
    let per = if per.is_empty() { None } else { Some(ShortName::parse(per).ok_or(WRONG)?) };
    let is_known = board.view_of(view).is_some()
        && !(board.is_root() && per.is_some())
        && per.is_none_or(|per| board.schema.segments.find(per.as_bytes()).is_ok());
    if is_known && view != Kind::All { Ok(TableName { view, per }) } else { Err(WRONG) }
}

/// Reads winners. They are added to those of the payout that is open.
pub fn read_winners(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let mut open = board.loading.as_mut().and_then(|loading| loading.payout.take());
    let known = board.prizes_mut().ok_or(WRONG)?;
    let read = prizes::read_winners(known, &mut open, reader, |name| name.per.is_some());
    if let Some(loading) = &mut board.loading {
        loading.payout = open;
    }
    read
}

/// Stores the payout whose last chunk was read.
pub fn finish(board: &mut Board) -> Result<(), Error> {
    let mut open = board.loading.as_mut().and_then(|loading| loading.payout.take());
    match board.prizes_mut() {
        Some(prizes) => prizes::finish(prizes, &mut open),
        None => Ok(()),
    }
}

/// Returns how many tables and winners there are.
pub fn counts(board: &Board) -> [u64; 2] {
    prizes::counts(board.prizes())
}
