//! From chunks to a board.

use super::wire::Reader;
use super::{END, ENTRIES, FORMAT, HEAD, REQUESTS, UNRANKED, WITH_EVENT, WITH_META};
use crate::Error;
use crate::board::{Board, MAX_META};
use crate::index::{Key, MemberId};
use crate::members::MAX_NAME;
use crate::requests::{Request, Requests};
use crate::schema::{Aggregate, Order, Schema, Ties};
use crate::score::Score;
use crate::time::{Clock, MAX_MILLIS};

/// The greatest grade that a score has: as many as there are scores, from 0.
const MAX_GRADE: u64 = Score::MAX.units().abs_diff(Score::MIN.units());

impl Board {
    /// Begins a board from its first chunk, the head.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where it is not one, or of a format that this version cannot read.
    pub fn load(head: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader(head);
        if reader.byte()? != HEAD {
            return Err(Error::Corrupt("it does not begin with a head"));
        }
        if reader.byte()? != FORMAT {
            return Err(Error::Corrupt("a newer format"));
        }
        let order = [Order::Desc, Order::Asc];
        let aggregate = [Aggregate::Sum, Aggregate::Max, Aggregate::Min, Aggregate::Last];
        let ties = [Ties::First, Ties::Last, Ties::Lex];
        let clock = [Clock::Server, Clock::Event];
        let schema = Schema {
            order: one_of(&mut reader, &order)?,
            aggregate: one_of(&mut reader, &aggregate)?,
            ties: one_of(&mut reader, &ties)?,
            decimals: reader.byte()?,
            clock: one_of(&mut reader, &clock)?,
            dedup: reader.number()?.try_into().map_err(|_| Error::Corrupt("DEDUP"))?,
        };
        let last = moment(reader.number()?)?;
        at_end(&reader)?;
        let mut board = Self::new(schema).map_err(|_| Error::Corrupt("the schema"))?;
        board.last = last;
        Ok(board)
    }

    /// Takes up one more chunk; whether it was the last. A chunk that is refused changes nothing.
    ///
    /// # Errors
    /// [`Error::Corrupt`] with what does not hold.
    pub fn absorb(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        let mut reader = Reader(chunk);
        match reader.byte()? {
            ENTRIES => self.absorb_members(|board, new| board.absorb_entries(&mut reader, new))?,
            UNRANKED => self.absorb_members(|board, new| board.absorb_unranked(&mut reader, new))?,
            REQUESTS => self.absorb_requests(&mut reader)?,
            END => {
                let counts = [reader.number()?, reader.number()?, reader.number()?];
                at_end(&reader)?;
                return if counts == self.counts() {
                    Ok(true)
                } else {
                    Err(Error::Corrupt("a part is missing"))
                };
            }
            _ => return Err(Error::Corrupt("an unknown part")),
        }
        Ok(false)
    }

    fn counts(&self) -> [u64; 3] {
        let members = self.members.len() as u64;
        let requests = self.requests.as_ref().map_or(0, |requests| requests.len() as u64);
        [self.len(), members.saturating_sub(self.len()), requests]
    }

    /// Runs a step that enters members, and takes them out again if it fails.
    fn absorb_members<'a>(
        &mut self,
        step: impl FnOnce(&mut Self, &mut Vec<&'a [u8]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut new = Vec::new();
        let result = step(self, &mut new);
        if result.is_err() {
            for name in new {
                self.remove(name);
            }
        }
        result
    }

    fn absorb_entries<'a>(&mut self, reader: &mut Reader<'a>, new: &mut Vec<&'a [u8]>) -> Result<(), Error> {
        let mut before = (0_u64, 0);
        while !reader.is_empty() {
            let flags = reader.byte()?;
            if flags & !(WITH_META | WITH_EVENT) != 0 {
                return Err(Error::Corrupt("an unknown flag"));
            }
            let name = reader.bytes(1, MAX_NAME)?;
            let grade = before.0.checked_add(reader.number()?).filter(|grade| *grade <= MAX_GRADE);
            let grade = grade.ok_or(Error::Corrupt("a score out of range"))?;
            let at = moment(reader.difference(before.1)?)?;
            let event = if flags & WITH_EVENT == 0 { None } else { Some(self.event(at, reader.number()?)?) };
            let meta = if flags & WITH_META == 0 { None } else { Some(reader.bytes(1, MAX_META)?) };
            let id = self.absorb_member(name, new)?;
            self.index.append(Key { grade, moment: at }, id, &mut self.members)?;
            self.set_event(id, event);
            self.absorb_meta(id, meta);
            before = (grade, at);
        }
        Ok(())
    }

    fn absorb_unranked<'a>(&mut self, reader: &mut Reader<'a>, new: &mut Vec<&'a [u8]>) -> Result<(), Error> {
        while !reader.is_empty() {
            let name = reader.bytes(1, MAX_NAME)?;
            let meta = reader.bytes(1, MAX_META)?;
            let id = self.absorb_member(name, new)?;
            self.absorb_meta(id, Some(meta));
        }
        Ok(())
    }

    fn absorb_member<'a>(&mut self, name: &'a [u8], new: &mut Vec<&'a [u8]>) -> Result<MemberId, Error> {
        if self.members.find(name).is_some() {
            return Err(Error::Corrupt("a member twice"));
        }
        let id = self.enter_member(name)?;
        new.push(name);
        Ok(id)
    }

    fn absorb_meta(&mut self, id: MemberId, meta: Option<&[u8]>) {
        if let Some(meta) = meta {
            self.extras.get_or_insert_default().set_text(id, meta);
        }
    }

    fn event(&self, at: u64, later: u64) -> Result<u64, Error> {
        let event = at.checked_add(later).filter(|event| *event <= MAX_MILLIS && later > 0);
        event.filter(|_| self.schema.aggregate == Aggregate::Last).ok_or(Error::Corrupt("an event's time"))
    }

    fn absorb_requests(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let (last, keep) = (self.last, self.keep());
        let epoch = i64::try_from(last).unwrap_or(0).saturating_sub_unsigned(keep);
        let requests = self.requests.get_or_insert_with(|| Box::new(Requests::new(epoch)));
        let len = requests.len();
        let result = restore_all(requests, reader, last, keep);
        if result.is_err() {
            requests.truncate(len);
        }
        result
    }
}

fn restore_all(requests: &mut Requests, reader: &mut Reader, now: u64, keep: u64) -> Result<(), Error> {
    while !reader.is_empty() {
        let mut half = || {
            let mut raw = [0; 8];
            raw.copy_from_slice(reader.take(8)?);
            Ok(u64::from_le_bytes(raw))
        };
        let hash = [half()?, half()?];
        let fingerprint = reader.number()?.try_into().map_err(|_| Error::Corrupt("a fingerprint"))?;
        let age = reader.number()?;
        if age > keep {
            return Err(Error::Corrupt("age of a request"));
        }
        requests.restore(Request { hash, fingerprint }, age, now, keep)?;
    }
    Ok(())
}

fn one_of<T: Copy>(reader: &mut Reader, all: &[T]) -> Result<T, Error> {
    let code = reader.byte()?;
    all.get(usize::from(code)).copied().ok_or(Error::Corrupt("the schema"))
}

fn moment(at: u64) -> Result<u64, Error> {
    if at <= MAX_MILLIS { Ok(at) } else { Err(Error::Corrupt("a moment out of range")) }
}

fn at_end(reader: &Reader) -> Result<(), Error> {
    if reader.is_empty() { Ok(()) } else { Err(Error::Corrupt("it goes on too long")) }
}
