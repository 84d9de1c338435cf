//! Taking up members, views, points and ended periods. Each chunk is checked as it is read, and what
//! it has changed until a fault shows is taken back.

use super::WITH_META;
use super::head::{moment, start};
use super::wire::Reader;
use crate::Error;
use crate::board::{Board, MAX_META};
use crate::bucket::Points;
use crate::calendar::Period;
use crate::index::{Key, MemberId};
use crate::members::{MAX_NAME, MAX_SEQUENCE};
use crate::schema::Aggregate;
use crate::score::Score;
use crate::time::MAX_MILLIS;
use crate::view::{Past, PastOrder, View};

/// The greatest rank_key that a score has: as many as there are scores, from 0.
const MAX_GRADE: u64 = Score::MAX.units().abs_diff(Score::MIN.units());

/// The order of ended periods as far as it has been read: its view, the starts of the first and the last
/// period, its entries.
type OpenPast = (usize, (i64, i64), Vec<(Key, MemberId)>);

/// What is known while a board is being loaded, and not any more afterwards.
#[derive(Debug, Clone, Default)]
pub(crate) struct Loading {
    /// Members in the order in which they were named.
    members: Vec<MemberId>,
    /// Whether they are named by their place anywhere.
    numbered: bool,
    /// The ended period that is being read.
    past: Option<OpenPast>,
}

impl Loading {
    pub(super) fn of(board: &Board) -> Self {
        let numbered = board.views.len() > 1 || board.views.iter().any(|view| view.periods().is_some());
        Self { numbered, ..Self::default() }
    }

    /// From now on members are named by their place.
    pub(super) const fn name_by_number(&mut self) {
        self.numbered = true;
    }

    /// Gives all members other numbers, on a board that grows.
    pub(crate) fn renumber(&mut self, renumbered: impl Fn(MemberId) -> MemberId) {
        self.members.iter_mut().for_each(|id| *id = renumbered(*id));
        if let Some((_, _, entries)) = &mut self.past {
            entries.iter_mut().for_each(|(_, id)| *id = renumbered(*id));
        }
    }
}

/// An entry of a view.
struct Entry {
    key: Key,
    /// The number of the write that gave it its key; 0 where the view has no such numbers.
    arrived: u64,
    /// The latest event, if that is later than the moment.
    event: Option<u64>,
}

/// What was read of an entry before this one.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    rank_key: u64,
    moment: u64,
    sequence: u64,
}

impl Before {
    fn key(&mut self, reader: &mut Reader) -> Result<Key, Error> {
        self.rank_key = rank_key(reader, self.rank_key)?;
        self.moment = moment(reader.difference(self.moment)?)?;
        Ok(Key { rank_key: self.rank_key, moment: self.moment })
    }

    fn sequence(&mut self, reader: &mut Reader) -> Result<u64, Error> {
        self.sequence = reader.difference(self.sequence)?;
        if self.sequence <= MAX_SEQUENCE {
            Ok(self.sequence)
        } else {
            Err(Error::Corrupt("a write's number"))
        }
    }
}

fn rank_key(reader: &mut Reader, before: u64) -> Result<u64, Error> {
    let rank_key = before.checked_add(reader.number()?).filter(|rank_key| *rank_key <= MAX_GRADE);
    rank_key.ok_or(Error::Corrupt("a score out of range"))
}

impl Board {
    /// Runs a step that enters members, and takes them out again if it fails.
    pub(super) fn absorb_members<'a>(
        &mut self,
        step: impl FnOnce(&mut Self, &mut Vec<&'a [u8]>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let named = self.loading.as_ref().map_or(0, |loading| loading.members.len());
        let mut new = Vec::new();
        let result = step(self, &mut new);
        if result.is_err() {
            for name in new {
                self.remove(name);
            }
            if let Some(loading) = &mut self.loading {
                loading.members.truncate(named);
            }
        }
        result
    }

    fn absorb_member<'a>(&mut self, name: &'a [u8], new: &mut Vec<&'a [u8]>) -> Result<MemberId, Error> {
        if self.members.find(name).is_some() {
            return Err(Error::Corrupt("a member twice"));
        }
        let id = self.enter_member(name)?;
        if let Some(loading) = self.loading.as_mut().filter(|loading| loading.numbered) {
            loading.members.push(id);
        }
        new.push(name);
        Ok(id)
    }

    pub(super) fn absorb_entries<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        new: &mut Vec<&'a [u8]>,
    ) -> Result<(), Error> {
        let mut before = Before::default();
        while !reader.is_empty() {
            let flags = flags(reader)?;
            let name = reader.bytes(1, MAX_NAME)?;
            let entry = self.read_entry(0, reader, &mut before)?;
            let meta = read_meta(flags, reader)?;
            let id = self.absorb_member(name, new)?;
            self.append(0, id, entry)?;
            self.absorb_meta(id, meta);
        }
        Ok(())
    }

    pub(super) fn absorb_others<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        new: &mut Vec<&'a [u8]>,
    ) -> Result<(), Error> {
        while !reader.is_empty() {
            let flags = flags(reader)?;
            let name = reader.bytes(1, MAX_NAME)?;
            let meta = read_meta(flags, reader)?;
            let id = self.absorb_member(name, new)?;
            self.absorb_meta(id, meta);
        }
        Ok(())
    }

    /// What a view knows of an entry.
    fn read_entry(&self, view: usize, reader: &mut Reader, before: &mut Before) -> Result<Entry, Error> {
        let numbered = self.views.get(view).is_some_and(|view| view.sequence().is_some());
        let key = before.key(reader)?;
        let arrived = if numbered { before.sequence(reader)? } else { 0 };
        let event = match self.schema.aggregate {
            Aggregate::Last => key.moment.checked_add(reader.number()?),
            _ => Some(key.moment),
        };
        let event = event.filter(|event| *event <= MAX_MILLIS).ok_or(Error::Corrupt("an event's time"))?;
        Ok(Entry { key, arrived, event: Some(event).filter(|event| *event > key.moment) })
    }

    fn absorb_meta(&mut self, id: MemberId, meta: Option<&[u8]>) {
        if let Some(meta) = meta {
            self.extras.get_or_insert_default().set_text(id, meta);
        }
    }

    /// Enters a member behind all others of a view.
    fn append(&mut self, view: usize, id: MemberId, entry: Entry) -> Result<(), Error> {
        let Entry { key, arrived, event } = entry;
        let view = self.views.get_mut(view).ok_or(Error::Corrupt("a view"))?;
        let sequence = view.sequence();
        if view.find(id, &self.members).is_some() {
            return Err(Error::Corrupt("a member twice in a view"));
        }
        if let Some(column) = sequence {
            self.members.set_sequence(id, column, arrived);
        }
        view.set_event(id, event);
        view.index.append(key, id, &mut self.members.index_members_mut(view.leaf, sequence))
    }

    pub(super) fn absorb_view(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let number = self.view_number(reader)?;
        let mut new = Vec::new();
        let result = self.append_all(number, reader, &mut new);
        if result.is_err() {
            for id in new {
                self.take_off(number, id);
            }
        }
        result
    }

    fn append_all(
        &mut self,
        number: usize,
        reader: &mut Reader,
        new: &mut Vec<MemberId>,
    ) -> Result<(), Error> {
        let mut before = Before::default();
        while !reader.is_empty() {
            let id = self.named(reader.number()?)?;
            let entry = self.read_entry(number, reader, &mut before)?;
            self.append(number, id, entry)?;
            new.push(id);
        }
        Ok(())
    }

    fn take_off(&mut self, number: usize, id: MemberId) {
        let Some(view) = self.views.get_mut(number) else { return };
        if let Some(place) = view.find(id, &self.members) {
            let sequence = view.sequence();
            view.index.remove(place, id, &mut self.members.index_members_mut(view.leaf, sequence));
            view.set_event(id, None);
        }
    }

    fn view_number(&self, reader: &mut Reader) -> Result<usize, Error> {
        let number = usize::try_from(reader.number()?).ok();
        number.filter(|number| *number < self.views.len()).ok_or(Error::Corrupt("a view"))
    }

    pub(super) fn named(&self, number: u64) -> Result<MemberId, Error> {
        let members = self.loading.as_ref().map(|loading| &loading.members);
        let id = usize::try_from(number).ok().and_then(|number| members?.get(number));
        id.copied().ok_or(Error::Corrupt("a member that was not named"))
    }

    pub(super) fn absorb_points(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let view = self.view_number(reader)?;
        let begin = start(reader)?;
        let points = self.read_points(reader, begin)?;
        let periods = self.views.get_mut(view).and_then(View::periods_mut);
        let periods = periods.ok_or(Error::Corrupt("points of a view"))?;
        // Points of one period alone are those that the clock has not reached.
        let is_single = !periods.has_buckets();
        let counts = |from, current| from <= begin && !(is_single && begin == current);
        // Oldest first, as they are saved: a period is never put in before others.
        let is_next = periods.buckets.back().is_none_or(|(last, _)| *last <= begin);
        if !is_next || !periods.span.is_some_and(|span| counts(span.from, span.period.start)) {
            return Err(Error::Corrupt("a period"));
        }
        let Some(bucket) = periods.bucket_mut(begin) else { return Ok(()) };
        if points.iter().any(|(id, _)| bucket.contains(*id)) {
            return Err(Error::Corrupt("a member twice in a period"));
        }
        let mut peak = 0;
        for (id, points) in points {
            peak = peak.max(points.units.unsigned_abs());
            bucket.set(id, points);
        }
        periods.peak = periods.peak.max(peak);
        Ok(())
    }

    fn read_points(&self, reader: &mut Reader, begin: i64) -> Result<Vec<(MemberId, Points)>, Error> {
        let (mut number, mut at, mut sequence) = (0_u64, begin as u64, 0_u64);
        let mut points = Vec::new();
        while !reader.is_empty() {
            let gap = reader.number()?;
            if gap == 0 && !points.is_empty() {
                return Err(Error::Corrupt("a member twice in a period"));
            }
            number = number.checked_add(gap).ok_or(Error::Corrupt("a member that was not named"))?;
            let units = Score::from_units(reader.signed()?).ok_or(Error::Corrupt("a score out of range"))?;
            at = moment(reader.difference(at)?)?;
            sequence = reader.difference(sequence)?;
            if sequence > MAX_SEQUENCE {
                return Err(Error::Corrupt("a write's number"));
            }
            points.push((self.named(number)?, Points { units: units.units(), moment: at, sequence }));
        }
        Ok(points)
    }

    pub(super) fn absorb_past(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let view = self.view_number(reader)?;
        let run = (start(reader)?, start(reader)?);
        let is_open = |(open, other, _): &OpenPast| (*open, *other) == (view, run);
        let continues =
            self.loading.as_ref().is_some_and(|loading| loading.past.as_ref().is_some_and(is_open));
        if !continues {
            self.end_past()?;
            self.check_past(view, run)?;
        }
        let last = self.loading.as_ref().and_then(|loading| loading.past.as_ref()?.2.last().copied());
        let (mut rank_key_before, mut entries) = (0, Vec::new());
        while !reader.is_empty() {
            let id = self.named(reader.number()?)?;
            rank_key_before = rank_key(reader, rank_key_before)?;
            entries.push((Key { rank_key: rank_key_before, moment: 0 }, id));
        }
        if last.zip(entries.first()).is_some_and(|(last, first)| last.0.rank_key > first.0.rank_key) {
            return Err(Error::Corrupt("entries out of order"));
        }
        if let Some(loading) = &mut self.loading {
            loading.past.get_or_insert_with(|| (view, run, Vec::new())).2.extend(entries);
        }
        Ok(())
    }

    /// Ended periods come newest first, all before the current one.
    fn check_past(&self, view: usize, (first, last): (i64, i64)) -> Result<(), Error> {
        let periods = self.views.get(view).and_then(View::periods);
        let later = periods.and_then(|periods| {
            let current = periods.span?.period.start;
            Some(periods.past.back().map_or(current, |past| past.period.start))
        });
        let fits = first <= last && later.is_some_and(|later| last < later);
        if fits { Ok(()) } else { Err(Error::Corrupt("a period")) }
    }

    /// Takes up the ended period that was read, now that all of it is there.
    pub(super) fn end_past(&mut self) -> Result<(), Error> {
        let Some((view, (first, last), entries)) =
            self.loading.as_mut().and_then(|loading| loading.past.take())
        else {
            return Ok(());
        };
        let order = self.order_of(&entries).ok_or(Error::Corrupt("a member twice in a period"))?;
        let calendar = self.schema.calendar;
        if let Some(periods) = self.views.get_mut(view).and_then(View::periods_mut) {
            let period = Period { start: first, end: calendar.period(periods.rules.unit, first).end };
            periods.past.push_back(Past::new(period, last, order));
        }
        Ok(())
    }

    fn order_of(&mut self, entries: &[(Key, MemberId)]) -> Option<PastOrder> {
        if self.members.is_large() {
            PastOrder::of(entries)
        } else {
            PastOrder::of_few(entries, &mut self.members)
        }
    }
}

fn read_meta<'a>(flags: u8, reader: &mut Reader<'a>) -> Result<Option<&'a [u8]>, Error> {
    if flags & WITH_META == 0 { Ok(None) } else { reader.bytes(1, MAX_META).map(Some) }
}

fn flags(reader: &mut Reader) -> Result<u8, Error> {
    let flags = reader.byte()?;
    if flags & !WITH_META == 0 { Ok(flags) } else { Err(Error::Corrupt("an unknown flag")) }
}
