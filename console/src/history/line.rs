//! One figure over time: a value for each second of the last hour, and a mean for each minute of the last day.

use std::time::Instant;

use crate::history::Range;
use crate::history::ring::Ring;

/// How a figure is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The number is shown unchanged.
    Level,
    /// A number that only grows. Its growth per second is shown.
    Count,
}

/// The time of a reading.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The second since the Unix epoch that the reading belongs to.
    pub second: u64,
    /// For the growth: a correction of the system clock does not change this time.
    pub at: Instant,
}

impl Moment {
    const fn minute(self) -> u64 {
        self.second / 60
    }
}

/// One figure over time.
#[derive(Debug)]
pub struct Line {
    measure: Measure,
    seconds: Ring,
    minutes: Ring,
    /// The number of the last reading and its time; `None` if the last reading failed.
    before: Option<(f64, Instant)>,
    minute: Minute,
}

/// The values of the current minute.
#[derive(Debug, Default)]
struct Minute {
    number: u64,
    sum: f64,
    values: u32,
}

impl Line {
    pub fn new(measure: Measure) -> Self {
        let ring = |range: Range| Ring::new(usize::try_from(range.length()).unwrap_or(usize::MAX));
        Self {
            measure,
            seconds: ring(Range::Hour),
            minutes: ring(Range::Day),
            before: None,
            minute: Minute::default(),
        }
    }

    /// Notes a reading; `None` if no answer came.
    pub fn note(&mut self, moment: Moment, read: Option<f64>) {
        let value = match self.measure {
            Measure::Level => read,
            Measure::Count => self.growth(moment.at, read),
        };
        self.seconds.put(moment.second, value);
        self.minutes.put(moment.minute(), self.minute.mean(moment, value));
    }

    /// The growth per second. `None` after a gap, and if the number is smaller than before, because the data was loaded
    /// or made again.
    fn growth(&mut self, now: Instant, read: Option<f64>) -> Option<f64> {
        let before = std::mem::replace(&mut self.before, read.map(|number| (number, now)));
        let ((earlier, then), number) = (before?, read?);
        let passed = now.saturating_duration_since(then).as_secs_f64();
        (number >= earlier && passed > 0.0).then(|| (number - earlier) / passed)
    }

    /// The ring of a range.
    pub const fn ring(&self, range: Range) -> &Ring {
        match range {
            Range::Hour => &self.seconds,
            _ => &self.minutes,
        }
    }
}

impl Minute {
    /// The mean of the current minute up to this moment.
    fn mean(&mut self, moment: Moment, value: Option<f64>) -> Option<f64> {
        let number = moment.minute();
        if number != self.number {
            *self = Self { number, ..Self::default() };
        }
        if let Some(value) = value {
            self.sum += value;
            self.values = self.values.saturating_add(1);
        }
        (self.values > 0).then(|| self.sum / f64::from(self.values))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn noted(measure: Measure, reads: &[Option<f64>]) -> Line {
        let (mut line, start) = (Line::new(measure), Instant::now());
        for (second, read) in (600..).zip(reads) {
            line.note(Moment { second, at: start.checked_add(Duration::from_secs(second)).unwrap() }, *read);
        }
        line
    }

    fn shown(line: &Line, range: Range) -> Vec<Option<f64>> {
        let ring = line.ring(range);
        ring.steps().into_iter().flatten().map(|step| ring.at(step)).collect()
    }

    #[test]
    fn a_count_is_shown_as_its_growth() {
        let line = noted(Measure::Count, &[Some(10.0), Some(15.0), Some(15.0)]);
        assert_eq!(shown(&line, Range::Hour), [None, Some(5.0), Some(0.0)]);
        assert_eq!(shown(&line, Range::Day), [Some(2.5)]);
    }

    #[test]
    fn a_count_that_went_back_is_a_gap_and_never_below_zero() {
        let line = noted(Measure::Count, &[Some(10.0), Some(900.0), Some(0.0), Some(3.0)]);
        assert_eq!(shown(&line, Range::Hour), [None, Some(890.0), None, Some(3.0)]);
    }

    #[test]
    fn no_answer_is_a_gap_and_no_zero() {
        let line = noted(Measure::Count, &[Some(10.0), Some(20.0), None, Some(50.0), Some(60.0)]);
        assert_eq!(shown(&line, Range::Hour), [None, Some(10.0), None, None, Some(10.0)]);
        let line = noted(Measure::Level, &[Some(7.0), None]);
        assert_eq!(shown(&line, Range::Hour), [Some(7.0), None]);
    }
}
