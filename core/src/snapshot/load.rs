//! From chunks to a board: which chunk may come, and that all of them came.

use super::absorb::Loading;
use super::wire::Reader;
use super::{CHOICES, END, ENTRIES, OTHERS, PAST, POINTS, REQUESTS, RULES, USED, VIEW, VOTERS};
use crate::Error;
use crate::board::Board;
use crate::requests::{Request, Requests};
use crate::view::View;

impl Board {
    /// Takes up one more chunk; whether it was the last. A chunk that is refused changes nothing.
    ///
    /// # Errors
    /// [`Error::Corrupt`] with what does not hold.
    pub fn absorb(&mut self, chunk: &[u8]) -> Result<bool, Error> {
        let mut reader = Reader(chunk);
        let kind = reader.byte()?;
        if self.loading.is_none() {
            self.loading = Some(Box::new(Loading::of(self)));
        }
        if kind != PAST {
            self.end_past()?;
        }
        match kind {
            ENTRIES => self.absorb_members(|board, new| board.absorb_entries(&mut reader, new))?,
            OTHERS => self.absorb_members(|board, new| board.absorb_others(&mut reader, new))?,
            VIEW => self.absorb_view(&mut reader)?,
            POINTS => self.absorb_points(&mut reader)?,
            PAST => self.absorb_past(&mut reader)?,
            RULES => self.absorb_rules(&mut reader)?,
            CHOICES => self.absorb_choices(&mut reader)?,
            USED => self.absorb_used(&mut reader)?,
            VOTERS => self.absorb_voters(&mut reader)?,
            REQUESTS => self.absorb_requests(&mut reader)?,
            END => {
                self.check_counts(&mut reader)?;
                self.loading = None;
                return Ok(true);
            }
            _ => return Err(Error::Corrupt("an unknown part")),
        }
        Ok(false)
    }

    fn check_counts(&self, reader: &mut Reader) -> Result<(), Error> {
        for count in self.parts() {
            if reader.number()? != count {
                return Err(Error::Corrupt("a part is missing"));
            }
        }
        at_end(reader)
    }

    fn parts(&self) -> [u64; 9] {
        let members = self.members.len() as u64;
        let requests = self.requests.as_ref().map_or(0, |requests| requests.len() as u64);
        let entries = self.views.iter().skip(1).map(|view| view.index.len()).sum();
        let all = || self.views.iter().filter_map(View::periods);
        let points = all().flat_map(|periods| &periods.buckets).map(|(_, bucket)| bucket.len() as u64).sum();
        let past = all().flat_map(|periods| &periods.past).map(|past| past.order.len()).sum();
        let [candidates, used, sketches] = self.campaign_parts();
        let others = members.saturating_sub(self.len());
        [self.len(), others, requests, entries, points, past, candidates, used, sketches]
    }

    fn absorb_requests(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let (last, keep) = (self.last(), self.keep());
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

pub(super) fn at_end(reader: &Reader) -> Result<(), Error> {
    if reader.is_empty() { Ok(()) } else { Err(Error::Corrupt("it goes on too long")) }
}
