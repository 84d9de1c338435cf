//! The numbers that identify views where voters are counted. A view keeps its number when other views are added or
//! dropped.

use crate::size_class::bytes_of;
use crate::view::Kind;
use crate::voters::{PeriodWindow, SERIES, VoteBatch};

/// A view whose voters are counted, and its current window at the last vote.
#[derive(Debug, Clone)]
struct Series {
    kind: Kind,
    window: PeriodWindow,
}

/// All series. The index of a series is its number.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeriesList(Vec<Option<Series>>);

impl SeriesList {
    /// Returns the number of a view, if it has one.
    pub(crate) fn find(&self, kind: Kind) -> Option<u8> {
        let at = self.0.iter().position(|series| series.as_ref().is_some_and(|series| series.kind == kind));
        u8::try_from(at?).ok()
    }

    /// Returns the number of a view. A view without a number gets one.
    pub(crate) fn number(&mut self, kind: Kind) -> u8 {
        if let Some(number) = self.find(kind) {
            return number;
        }
        // New numbers are preferred to numbers of dropped views, whose sketches may not be freed yet.
        let is_new = self.0.len() < usize::from(SERIES);
        let free = self.0.iter().position(Option::is_none).filter(|_| !is_new);
        let at = free.unwrap_or(self.0.len());
        if free.is_none() {
            self.0.push(None);
        }
        if let Some(slot) = self.0.get_mut(at) {
            *slot = Some(Series { kind, window: PeriodWindow::default() });
        }
        u8::try_from(at).unwrap_or(u8::MAX)
    }

    /// Returns the batch of a vote that is not late, for each view that had votes.
    pub(crate) fn current_batches(&self) -> impl Iterator<Item = VoteBatch> {
        let series = (0_u8..).zip(&self.0);
        series.filter_map(|(series, of)| {
            Some(VoteBatch { series, start: of.as_ref()?.window.last()?, late: 0 })
        })
    }

    /// Returns the current window of a view, at the last vote.
    pub(crate) fn window(&self, number: u8) -> Option<&PeriodWindow> {
        self.0.get(usize::from(number))?.as_ref().map(|series| &series.window)
    }

    pub(crate) fn set_window(&mut self, number: u8, window: PeriodWindow) {
        if let Some(Some(series)) = self.0.get_mut(usize::from(number)) {
            series.window = window;
        }
    }

    /// Makes the numbers of dropped views free, and returns these numbers. Forgets the windows of the other views,
    /// since the periods that they keep may have changed.
    pub(crate) fn keep(&mut self, stays: impl Fn(Kind) -> bool) -> Vec<u8> {
        let mut dropped = Vec::new();
        for (number, slot) in (0_u8..).zip(&mut self.0) {
            match slot {
                Some(series) if stays(series.kind) => series.window = PeriodWindow::default(),
                Some(_) => {
                    *slot = None;
                    dropped.push(number);
                }
                None => {}
            }
        }
        dropped
    }

    pub(crate) fn memory(&self) -> usize {
        let windows = self.0.iter().flatten().map(|series| series.window.memory());
        windows.fold(bytes_of::<Option<Series>>(self.0.capacity()), usize::saturating_add)
    }
}
