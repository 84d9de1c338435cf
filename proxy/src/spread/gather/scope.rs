//! The data of a board that is read: the view, the period, and the end of the ranking where reading begins.

use leaderboard_core::Error;
use leaderboard_core::calendar::{Calendar, Unit, When};
use leaderboard_core::integer::natural;
use leaderboard_core::view::{Kind, Spec};

use super::super::asked::Asked;
use super::super::root::Root;

/// A view, a period of it, and the end of the ranking where reading begins.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    view: Option<&'a [u8]>,
    when: When<'a>,
    from_last: bool,
    calendar: &'a Calendar,
    /// The rules of the view, or `None` if the board does not have this view.
    spec: Option<&'a Spec>,
    /// Whether the period is read besides the period after it, which decides about both.
    is_besides: bool,
}

/// Whether a period is past, kept or future according to the clock of a part. If parts disagree about this, their
/// answers must not be added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The period is past, and its data is no longer kept.
    Gone,
    Kept,
    /// The period has not begun yet.
    Ahead,
}

impl<'a> Scope<'a> {
    /// Reads the scope from the options of a command.
    ///
    /// # Errors
    /// An `AT` that is not a number, or a call with both `PERIOD` and `AT`.
    pub fn new(root: &'a Root, asked: &Asked<'a>, from_last: bool) -> Result<Self, Error> {
        let when = match (asked.value("PERIOD"), asked.value("AT")) {
            (Some(_), Some(_)) => return Err(Error::Conflict("PERIOD", "AT")),
            (Some(name), None) => When::parse(name),
            (None, Some(at)) => When::At(natural(at, "AT")?),
            (None, None) => When::Now,
        };
        let view = asked.value("VIEW");
        let kind = view.map(Kind::parse);
        let spec = match kind {
            None => root.specs.first(),
            Some(kind) => root.specs.iter().find(|spec| Ok(spec.kind) == kind),
        };
        Ok(Self { view, when, from_last, calendar: &root.schema.calendar, spec, is_besides: false })
    }

    /// Returns the period of a view that begins at a moment.
    pub fn beginning_at(root: &'a Root, view: &'a [u8], start: i64) -> Self {
        let kind = Kind::parse(view);
        let spec = root.specs.iter().find(|spec| Ok(spec.kind) == kind);
        let when = When::At(start.max(0).cast_unsigned());
        let calendar = &root.schema.calendar;
        Self { view: Some(view), when, from_last: false, calendar, spec, is_besides: false }
    }

    /// Returns the current period of a view.
    pub const fn now_of(self, view: &'a [u8], spec: Option<&'a Spec>) -> Self {
        Self { view: Some(view), when: When::Now, from_last: false, spec, is_besides: false, ..self }
    }

    pub const fn is_from_last(&self) -> bool {
        self.from_last
    }

    /// Returns whether the board has the view.
    pub const fn has_spec(&self) -> bool {
        self.spec.is_some()
    }

    fn unit(&self) -> Option<Unit> {
        self.spec?.reach().map(|(unit, _)| unit)
    }

    /// Returns the options for a part. `start` is the start of the period, if it is already known.
    pub fn words(&self, start: Option<i64>) -> Vec<Vec<u8>> {
        let mut words = Vec::with_capacity(5);
        if let Some(view) = self.view {
            words.extend([b"VIEW".to_vec(), view.to_vec()]);
        }
        words.extend(self.period_words(start));
        if self.from_last {
            words.push(b"REV".to_vec());
        }
        words
    }

    fn period_words(&self, start: Option<i64>) -> Vec<Vec<u8>> {
        let pair = |word: &str, value: String| vec![word.as_bytes().to_vec(), value.into_bytes()];
        match (self.when, start) {
            (When::Now | When::Back(_), Some(start)) if self.moves() => pair("AT", start.max(0).to_string()),
            (When::Now, _) => Vec::new(),
            (When::Back(count), _) => pair("PERIOD", format!("-{count}")),
            (When::Ahead, _) => pair("PERIOD", "1".to_owned()),
            (When::Label(label), _) => vec![b"PERIOD".to_vec(), label.to_vec()],
            (When::At(at), _) => pair("AT", at.to_string()),
        }
    }

    /// Returns whether the options mean another period when time has passed.
    pub fn moves(&self) -> bool {
        self.unit().is_some() && matches!(self.when, When::Now | When::Back(_))
    }

    /// Returns whether all parts read the later period if their clocks do not agree on the period. The earliest period
    /// of all is kept no longer by a part whose clock is ahead. The period after it has ended there. A part whose clock
    /// is behind still writes into it, and can read it, too.
    pub fn prefers_later(&self) -> bool {
        let kept = self.spec.map(|spec| spec.retain);
        matches!(self.when, When::Back(count) if !self.is_besides && count > 0 && kept == Some(count))
    }

    /// Returns the phase of a period for a part whose clock shows `now`.
    pub fn phase(&self, start: Option<i64>, now: i64) -> Phase {
        let (Some(unit), Some(start), Some(spec)) = (self.unit(), start, self.spec) else {
            return Phase::Kept;
        };
        let current = self.calendar.period(unit, now).start;
        if start > current {
            return Phase::Ahead;
        }
        let most = spec.retain.saturating_add(1);
        if self.calendar.count(unit, start, current, most) > spec.retain { Phase::Gone } else { Phase::Kept }
    }

    /// Returns whether a period has not ended yet for a part whose clock shows `now`.
    pub fn is_running(&self, start: Option<i64>, now: i64) -> bool {
        match (self.unit(), start) {
            (Some(unit), Some(start)) => self.calendar.period(unit, now).start <= start,
            _ => true,
        }
    }

    /// Returns the period before the period that is read. `start` is the start of the period that is read, if it is
    /// already known. `None` if the view has only one period, or if the earlier period would end before the first
    /// moment that boards know.
    pub fn before(&self, start: Option<i64>) -> Option<Self> {
        let unit = self.unit()?;
        let at = |start: i64| {
            let before = self.calendar.back(unit, start, 1);
            (before.end > 0).then(|| When::At(before.start.max(0).cast_unsigned()))
        };
        let when = match (start, self.when) {
            (Some(start), _) => at(start)?,
            (None, When::Now) => When::Back(1),
            (None, When::Back(count)) => When::Back(count.saturating_add(1)),
            (None, When::Ahead) => return None,
            (None, When::At(moment)) => {
                at(self.calendar.period(unit, i64::try_from(moment).unwrap_or(i64::MAX)).start)?
            }
            (None, When::Label(label)) => at(self.calendar.parse(unit, label).ok()??.start)?,
        };
        Some(Self { when, is_besides: true, ..*self })
    }

    /// Returns whether a period comes directly before another. Both are given by their starts.
    pub fn precedes(&self, before: Option<i64>, start: Option<i64>) -> bool {
        let expected = self.unit().zip(start).map(|(unit, start)| self.calendar.back(unit, start, 1).start);
        expected == before
    }
}
