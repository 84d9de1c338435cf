//! Taking up members, views, points and ended periods. Each chunk is checked as it is read, and what
//! it has changed until a fault shows is taken back.

use super::head::{moment, start};
use super::wire::Reader;
use super::{WITH_EVENT, WITH_META};
use crate::Error;
use crate::board::{Board, MAX_META};
use crate::bucket::Points;
use crate::calendar::Period;
use crate::index::{Key, MemberId};
use crate::members::{MAX_ARRIVAL, MAX_NAME};
use crate::schema::Aggregate;
use crate::score::Score;
use crate::time::MAX_MILLIS;
use crate::view::{Order, Past, View};

/// The greatest grade that a score has: as many as there are scores, from 0.
const MAX_GRADE: u64 = Score::MAX.units().abs_diff(Score::MIN.units());

/// An ended period as far as it has been read: its view, its start, its entries.
type OpenPast = (usize, i64, Vec<(Key, MemberId)>);

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
        let numbered = board.views.len() > 1 || board.views.iter().any(|view| view.cycle.is_some());
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

/// What was read of an entry before this one.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    grade: u64,
    moment: u64,
    arrival: u64,
}

impl Before {
    fn key(&mut self, reader: &mut Reader) -> Result<Key, Error> {
        self.grade = grade(reader, self.grade)?;
        self.moment = moment(reader.difference(self.moment)?)?;
        Ok(Key { grade: self.grade, moment: self.moment })
    }

    fn arrival(&mut self, reader: &mut Reader) -> Result<u64, Error> {
        self.arrival = reader.difference(self.arrival)?;
        if self.arrival <= MAX_ARRIVAL { Ok(self.arrival) } else { Err(Error::Corrupt("a write's number")) }
    }
}

fn grade(reader: &mut Reader, before: u64) -> Result<u64, Error> {
    let grade = before.checked_add(reader.number()?).filter(|grade| *grade <= MAX_GRADE);
    grade.ok_or(Error::Corrupt("a score out of range"))
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
        let arrival = self.views.first().and_then(View::arrival);
        let mut before = Before::default();
        while !reader.is_empty() {
            let flags = flags(reader)?;
            let name = reader.bytes(1, MAX_NAME)?;
            let key = before.key(reader)?;
            let arrived = if arrival.is_some() { before.arrival(reader)? } else { 0 };
            let (event, meta) = self.read_extras(flags, reader, key.moment)?;
            let id = self.absorb_member(name, new)?;
            self.append(0, key, id, arrived)?;
            self.absorb_extras(id, event, meta);
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
            let (event, meta) = self.read_extras(flags, reader, 0)?;
            let id = self.absorb_member(name, new)?;
            self.absorb_extras(id, event, meta);
        }
        Ok(())
    }

    pub(super) fn absorb_unranked<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        new: &mut Vec<&'a [u8]>,
    ) -> Result<(), Error> {
        while !reader.is_empty() {
            let name = reader.bytes(1, MAX_NAME)?;
            let meta = reader.bytes(1, MAX_META)?;
            let id = self.absorb_member(name, new)?;
            self.absorb_extras(id, None, Some(meta));
        }
        Ok(())
    }

    /// A later event and a text, as far as the flags announce them. The first format counts an event
    /// from the moment before it.
    fn read_extras<'a>(
        &self,
        flags: u8,
        reader: &mut Reader<'a>,
        moment: u64,
    ) -> Result<(Option<u64>, Option<&'a [u8]>), Error> {
        let event = if flags & WITH_EVENT == 0 { None } else { Some(self.event(moment, reader.number()?)?) };
        let meta = if flags & WITH_META == 0 { None } else { Some(reader.bytes(1, MAX_META)?) };
        Ok((event, meta))
    }

    fn event(&self, at: u64, later: u64) -> Result<u64, Error> {
        let event = at.checked_add(later).filter(|event| *event <= MAX_MILLIS);
        event.filter(|_| self.schema.aggregate == Aggregate::Last).ok_or(Error::Corrupt("an event's time"))
    }

    fn absorb_extras(&mut self, id: MemberId, event: Option<u64>, meta: Option<&[u8]>) {
        self.set_event(id, event);
        if let Some(meta) = meta {
            self.extras.get_or_insert_default().set_text(id, meta);
        }
    }

    /// Enters a member behind all others of a view.
    fn append(&mut self, view: usize, key: Key, id: MemberId, arrived: u64) -> Result<(), Error> {
        let view = self.views.get_mut(view).ok_or(Error::Corrupt("a view"))?;
        let arrival = view.arrival();
        if view.find(id, &self.members).is_some() {
            return Err(Error::Corrupt("a member twice in a view"));
        }
        if let Some(column) = arrival {
            self.members.set_arrival(id, column, arrived);
        }
        view.index.append(key, id, &mut self.members.seats_mut(view.leaf, arrival))
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
        let arrival = self.views.get(number).and_then(View::arrival);
        let mut before = Before::default();
        while !reader.is_empty() {
            let id = self.named(reader.number()?)?;
            let key = before.key(reader)?;
            let arrived = if arrival.is_some() { before.arrival(reader)? } else { 0 };
            self.append(number, key, id, arrived)?;
            new.push(id);
        }
        Ok(())
    }

    fn take_off(&mut self, number: usize, id: MemberId) {
        let Some(view) = self.views.get_mut(number) else { return };
        if let Some(place) = view.find(id, &self.members) {
            let arrival = view.arrival();
            view.index.remove(place, id, &mut self.members.seats_mut(view.leaf, arrival));
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
        let cycle = self.views.get_mut(view).and_then(|view| view.cycle.as_deref_mut());
        let cycle = cycle.ok_or(Error::Corrupt("points of a view"))?;
        // Points of one period alone are those that the clock has not reached.
        let is_single = cycle.arrival.is_none();
        let counts = |from, current| from <= begin && !(is_single && begin == current);
        if !cycle.span.is_some_and(|span| counts(span.from, span.period.start)) {
            return Err(Error::Corrupt("a period"));
        }
        let Some(bucket) = cycle.bucket_mut(begin) else { return Ok(()) };
        if points.iter().any(|(id, _)| bucket.contains(*id)) {
            return Err(Error::Corrupt("a member twice in a period"));
        }
        let mut peak = 0;
        for (id, points) in points {
            peak = peak.max(points.units.unsigned_abs());
            bucket.set(id, points);
        }
        cycle.peak = cycle.peak.max(peak);
        Ok(())
    }

    fn read_points(&self, reader: &mut Reader, begin: i64) -> Result<Vec<(MemberId, Points)>, Error> {
        let (mut number, mut at) = (0_u64, begin as u64);
        let mut points = Vec::new();
        while !reader.is_empty() {
            let gap = reader.number()?;
            if gap == 0 && !points.is_empty() {
                return Err(Error::Corrupt("a member twice in a period"));
            }
            number = number.checked_add(gap).ok_or(Error::Corrupt("a member that was not named"))?;
            let units = Score::from_units(reader.signed()?).ok_or(Error::Corrupt("a score out of range"))?;
            at = moment(reader.difference(at)?)?;
            points.push((self.named(number)?, Points { units: units.units(), moment: at }));
        }
        Ok(points)
    }

    pub(super) fn absorb_past(&mut self, reader: &mut Reader) -> Result<(), Error> {
        let view = self.view_number(reader)?;
        let begin = start(reader)?;
        let is_open = |(open, start, _): &OpenPast| (*open, *start) == (view, begin);
        let continues =
            self.loading.as_ref().is_some_and(|loading| loading.past.as_ref().is_some_and(is_open));
        if !continues {
            self.end_past()?;
            self.check_past(view, begin)?;
        }
        let last = self.loading.as_ref().and_then(|loading| loading.past.as_ref()?.2.last().copied());
        let (mut grade_before, mut entries) = (0, Vec::new());
        while !reader.is_empty() {
            let id = self.named(reader.number()?)?;
            grade_before = grade(reader, grade_before)?;
            entries.push((Key { grade: grade_before, moment: 0 }, id));
        }
        if last.zip(entries.first()).is_some_and(|(last, first)| last.0.grade > first.0.grade) {
            return Err(Error::Corrupt("entries out of order"));
        }
        if let Some(loading) = &mut self.loading {
            loading.past.get_or_insert_with(|| (view, begin, Vec::new())).2.extend(entries);
        }
        Ok(())
    }

    /// Ended periods come newest first, all before the current one.
    fn check_past(&self, view: usize, begin: i64) -> Result<(), Error> {
        let cycle = self.views.get(view).and_then(|view| view.cycle.as_deref());
        let later = cycle.and_then(|cycle| {
            let current = cycle.span?.period.start;
            Some(cycle.past.back().map_or(current, |past| past.period.start))
        });
        if later.is_some_and(|later| begin < later) { Ok(()) } else { Err(Error::Corrupt("a period")) }
    }

    /// Takes up the ended period that was read, now that all of it is there.
    pub(super) fn end_past(&mut self) -> Result<(), Error> {
        let Some((view, begin, entries)) = self.loading.as_mut().and_then(|loading| loading.past.take())
        else {
            return Ok(());
        };
        let order = self.order_of(&entries).ok_or(Error::Corrupt("a member twice in a period"))?;
        let calendar = self.schema.calendar;
        let Some(view) = self.views.get_mut(view) else { return Ok(()) };
        if let (Some((unit, _)), Some(cycle)) = (view.spec.reach(), &mut view.cycle) {
            let end = calendar.period(unit, begin).end;
            cycle.past.push_back(Past { period: Period { start: begin, end }, order });
        }
        Ok(())
    }

    fn order_of(&mut self, entries: &[(Key, MemberId)]) -> Option<Order> {
        if self.members.is_large() { Order::of(entries) } else { Order::of_few(entries, &mut self.members) }
    }
}

fn flags(reader: &mut Reader) -> Result<u8, Error> {
    let flags = reader.byte()?;
    if flags & !(WITH_META | WITH_EVENT) == 0 { Ok(flags) } else { Err(Error::Corrupt("an unknown flag")) }
}
