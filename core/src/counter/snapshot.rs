//! A counter as bytes, in chunks like the chunks of a board (see [`crate::snapshot`]):
//!
//! ```text
//!  head      format, rules, clock, total
//!  slices    of one precision, oldest first: number, count        (for each precision)
//!  requests  request ids that are remembered, oldest first, with their age
//!  end       the number of items of each part
//! ```
//!
//! Only slices that have a count and are kept at the moment of the last write are saved.

use super::lane::first_kept;
use super::{Counter, MAX_PRECISIONS, Rules};
use crate::Error;
use crate::snapshot::chunk::{Emit, PartWriter, items, opening, read_end, write_end};
use crate::snapshot::requests;
use crate::snapshot::rules::{CLOCKS, WRONG_SCHEMA, code, one_of};
use crate::snapshot::wire::{Reader, moment, put_number, put_signed};

const HEAD: u8 = 1;
const SLICES: u8 = 2;
const END: u8 = 5;

/// The version of the format. It is increased when older software cannot read the new format.
const FORMAT: u8 = 1;
const WRONG_SLICE: Error = Error::Corrupt("a slice");

impl Counter {
    pub(super) fn save_chunks(&self, mut emit: impl FnMut(&[u8])) {
        let emit: Emit = &mut emit;
        self.write_head(emit);
        let lanes = 0..self.lanes.len();
        let slices = lanes.fold(0_u64, |sum, lane| sum.saturating_add(self.write_slices(lane, emit)));
        let requests = requests::write(self.requests.as_deref(), self.last, self.keep(), emit);
        write_end(END, &[slices, requests], emit);
    }

    fn write_head(&self, emit: Emit) {
        let mut head = vec![HEAD, FORMAT, code(&CLOCKS, &self.clock)];
        for number in [self.samples, self.dedup] {
            put_number(&mut head, u64::from(number));
        }
        put_number(&mut head, self.last);
        put_signed(&mut head, self.total);
        put_number(&mut head, self.lanes.len() as u64);
        self.lanes.iter().for_each(|lane| put_number(&mut head, u64::from(lane.seconds)));
        emit(&head);
    }

    fn write_slices(&self, number: usize, emit: Emit) -> u64 {
        let mut part = PartWriter::new(opening(SLICES, number, &[]), 0, emit);
        let Some(lane) = self.lanes.get(number) else { return 0 };
        for (slice, count) in lane.slices(0..u64::MAX) {
            put_number(&mut part.bytes, slice.saturating_sub(part.before));
            put_signed(&mut part.bytes, count);
            part.end_item(slice);
        }
        part.finish()
    }

    pub(super) fn load_head(chunk: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader(chunk);
        if reader.byte()? != HEAD {
            return Err(Error::Corrupt("it does not begin with a head"));
        }
        if reader.byte()? != FORMAT {
            return Err(Error::Corrupt("another format"));
        }
        let clock = one_of(&mut reader, &CLOCKS)?;
        let (samples, dedup) = (reader.small(WRONG_SCHEMA)?, reader.small(WRONG_SCHEMA)?);
        let (last, total) = (moment(reader.number()?)?, count(&mut reader)?);
        let lanes = reader.number()?;
        if lanes > MAX_PRECISIONS as u64 {
            return Err(WRONG_SCHEMA);
        }
        let precisions: Vec<_> = (0..lanes).map(|_| reader.small(WRONG_SCHEMA)).collect::<Result<_, _>>()?;
        reader.finish()?;
        if !precisions.is_sorted() {
            return Err(WRONG_SCHEMA);
        }
        let mut counter = Self::new(Rules { precisions, samples, clock, dedup }).map_err(|_| WRONG_SCHEMA)?;
        (counter.total, counter.loading) = (total, true);
        counter.touch(last);
        Ok(counter)
    }

    pub(super) fn load_next(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        if !self.loading {
            return Err(Error::Exists);
        }
        let mut reader = Reader(chunk);
        let kind = reader.byte()?;
        match kind {
            SLICES => self.read_slices(&mut reader)?,
            requests::REQUESTS => {
                let (last, keep) = (self.last, self.keep());
                requests::read(&mut self.requests, last, keep, &mut reader)?;
            }
            END => {
                let slices = self.lanes.iter().map(|lane| lane.slices(0..u64::MAX).count() as u64).sum();
                read_end(&mut reader, &[slices, requests::count(self.requests.as_deref())])?;
                self.loading = false;
            }
            _ => return Err(Error::Corrupt("an unknown part")),
        }
        Ok(kind == END)
    }

    fn read_slices(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let number = usize::try_from(reader.number()?).unwrap_or(usize::MAX);
        let samples = self.samples;
        let lane = self.lanes.get_mut(number).ok_or(WRONG_SLICE)?;
        let latest = lane.slices(0..u64::MAX).last().map(|(slice, _)| slice);
        let kept = first_kept(lane.current(), samples)..=lane.current();
        let slices = items(reader, |reader, before: Option<&(u64, i64)>| {
            let ahead = reader.number()?;
            let slice = before.map_or(Some(ahead), |(before, _)| before.checked_add(ahead));
            let slice = slice.filter(|slice| kept.contains(slice)).ok_or(WRONG_SLICE)?;
            let before = before.map(|(slice, _)| *slice).or(latest);
            let count = count(reader)?;
            if count == 0 || before.is_some_and(|before| before >= slice) {
                return Err(WRONG_SLICE);
            }
            Ok((slice, count))
        })?;
        slices.into_iter().for_each(|(slice, count)| lane.set(slice, count, samples));
        Ok(())
    }
}

/// Reads a count. Its range is symmetric like the range of scores.
fn count(reader: &mut Reader) -> Result<i64, Error> {
    Some(reader.signed()?).filter(|count| *count != i64::MIN).ok_or(Error::Corrupt("a count"))
}
