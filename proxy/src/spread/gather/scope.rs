//! What of a board is read: which view, which period, from which end.

use leaderboard_core::Error;
use leaderboard_core::calendar::{Calendar, Unit, When};
use leaderboard_core::integer::natural;
use leaderboard_core::view::{Kind, Spec};

use super::super::asked::Asked;
use super::super::root::Root;

/// A view, a period of it, and an end to begin from.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    view: Option<&'a [u8]>,
    when: When<'a>,
    from_last: bool,
    calendar: &'a Calendar,
    /// The rules of the view, where the board has it.
    spec: Option<&'a Spec>,
}

/// Where a period lies for a part: parts whose clocks do not agree about that must not be added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It is not kept any more.
    Gone,
    Kept,
    /// It has not begun.
    Ahead,
}

impl<'a> Scope<'a> {
    /// What the options say.
    ///
    /// # Errors
    /// That of a moment, or of two names of a period.
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
        Ok(Self { view, when, from_last, calendar: &root.schema.calendar, spec })
    }

    /// The same view, as it is now.
    pub const fn now_of(self, view: &'a [u8], spec: Option<&'a Spec>) -> Self {
        Self { view: Some(view), when: When::Now, from_last: false, spec, ..self }
    }

    pub const fn is_from_last(&self) -> bool {
        self.from_last
    }

    fn unit(&self) -> Option<Unit> {
        self.spec?.reach().map(|(unit, _)| unit)
    }

    /// The options for a part, and those of a period whose start is known by then.
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

    /// Whether the period that is meant changes with the clock.
    pub fn moves(&self) -> bool {
        self.unit().is_some() && matches!(self.when, When::Now | When::Back(_))
    }

    /// Where a period lies for a part whose clock shows `now`.
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

    /// Whether a period has not ended for a part whose clock shows `now`.
    pub fn is_running(&self, start: Option<i64>, now: i64) -> bool {
        match (self.unit(), start) {
            (Some(unit), Some(start)) => self.calendar.period(unit, now).start <= start,
            _ => true,
        }
    }

    /// The period before the one that is read, whose start is known by then; none where the view has one period, or time
    /// as boards have it begins.
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
        Some(Self { when, ..*self })
    }

    /// Whether a period is the one just before another.
    pub fn precedes(&self, before: Option<i64>, start: Option<i64>) -> bool {
        let expected = self.unit().zip(start).map(|(unit, start)| self.calendar.back(unit, start, 1).start);
        expected == before
    }
}
