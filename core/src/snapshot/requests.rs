//! The ids of requests that the board remembers, oldest first, each with how long ago it was applied.

use super::chunk::{Emit, PartWriter};
use super::wire::{Reader, put_hash, put_number};
use crate::Error;
use crate::board::Board;
use crate::requests::{Request, Requests};
use crate::time::Millis;

pub const REQUESTS: u8 = 4;

pub fn write(board: &Board, emit: Emit) -> u64 {
    let mut part = PartWriter::new(vec![REQUESTS], (), emit);
    let requests = board.requests.iter().flat_map(|requests| requests.kept(board.last, board.keep()));
    for (Request { hash, fingerprint }, age) in requests {
        hash.into_iter().for_each(|half| put_hash(&mut part.bytes, half));
        put_number(&mut part.bytes, u64::from(fingerprint));
        put_number(&mut part.bytes, age);
        part.end_item(());
    }
    part.finish()
}

pub fn read(board: &mut Board, reader: &mut Reader) -> Result<(), Error> {
    let (last, keep) = (board.last(), board.keep());
    let epoch = i64::try_from(last).unwrap_or(0).saturating_sub_unsigned(keep);
    let requests = board.requests.get_or_insert_with(|| Box::new(Requests::new(epoch)));
    let saved = std::iter::from_fn(|| (!reader.is_empty()).then(|| request(reader, keep)));
    requests.restore(saved, last, keep)
}

fn request(reader: &mut Reader, keep: Millis) -> Result<(Request, Millis), Error> {
    let hash = [reader.hash()?, reader.hash()?];
    let fingerprint = reader.small(Error::Corrupt("a fingerprint"))?;
    let age = reader.number()?;
    if age > keep {
        return Err(Error::Corrupt("age of a request"));
    }
    Ok((Request { hash, fingerprint }, age))
}

pub fn count(board: &Board) -> u64 {
    board.requests.as_ref().map_or(0, |requests| requests.len() as u64)
}
