//! Which number the voters of each view are counted under. Numbers stay with their view while others
//! come and go.

use crate::view::Kind;
use crate::voters::SERIES;

/// A view whose voters are counted, and the period that this has come to.
#[derive(Debug, Clone, Copy)]
struct Series {
    kind: Kind,
    start: Option<i64>,
}

/// All of them, each at the place of its number.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeriesList(Vec<Option<Series>>);

impl SeriesList {
    /// The number of a view that has one.
    pub(crate) fn find(&self, kind: Kind) -> Option<u8> {
        let at = self.0.iter().position(|series| series.is_some_and(|series| series.kind == kind));
        u8::try_from(at?).ok()
    }

    /// The number of a view, from now on if it had none.
    pub(crate) fn number(&mut self, kind: Kind) -> u8 {
        if let Some(number) = self.find(kind) {
            return number;
        }
        // One that nobody had is ready for use at once.
        let is_new = self.0.len() < usize::from(SERIES);
        let free = self.0.iter().position(Option::is_none).filter(|_| !is_new);
        let at = free.unwrap_or(self.0.len());
        if free.is_none() {
            self.0.push(None);
        }
        if let Some(slot) = self.0.get_mut(at) {
            *slot = Some(Series { kind, start: None });
        }
        u8::try_from(at).unwrap_or(u8::MAX)
    }

    /// The current periods of all views, as far as anybody voted in them.
    pub(crate) fn current(&self) -> impl Iterator<Item = (u8, i64)> {
        let series = (0_u8..).zip(&self.0);
        series.filter_map(|(number, series)| Some((number, series.as_ref()?.start?)))
    }

    /// Notes the current period of a view; whether it is another one.
    pub(crate) fn turn(&mut self, number: u8, start: i64) -> bool {
        let Some(Some(series)) = self.0.get_mut(usize::from(number)) else { return false };
        series.start.replace(start) != Some(start)
    }

    /// Takes the numbers from views that are gone; which ones. All others are asked for their period
    /// once more, since what is kept may have changed.
    pub(crate) fn keep(&mut self, stays: impl Fn(Kind) -> bool) -> Vec<u8> {
        let mut dropped = Vec::new();
        for (number, slot) in (0_u8..).zip(&mut self.0) {
            match slot {
                Some(series) if stays(series.kind) => series.start = None,
                Some(_) => {
                    *slot = None;
                    dropped.push(number);
                }
                None => {}
            }
        }
        dropped
    }

    pub(crate) const fn memory(&self) -> usize {
        self.0.capacity().saturating_mul(size_of::<Option<Series>>())
    }
}
