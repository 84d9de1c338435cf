//! Moves of members between segments, and dimensions that come and go.

use super::change::Cause;
use super::segment::{Dimension, Placed, Rule};
use super::{Model, Name};

/// How many dimensions a board can have.
const MOST: usize = 4;

impl Model {
    /// Puts a member into a segment; an empty value takes it out of its segment. The member leaves the old segment before
    /// it enters the new one. Whether its value has changed.
    pub fn place(&mut self, name: &Name, dimension: &'static str, value: &[u8]) -> bool {
        let old = self.places.get(dimension).and_then(|places| places.get(name)).cloned();
        if old.as_deref().unwrap_or_default() == value {
            return false;
        }
        let places = self.places.entry(dimension).or_default();
        places.remove(name);
        self.step(Cause::Move);
        if !value.is_empty() {
            self.places.entry(dimension).or_default().insert(name.clone(), value.to_vec());
            self.step(Cause::Move);
        }
        true
    }

    /// Does what LB.SEGMENT does, at this time of the board. Returns in how many dimensions the value has changed.
    pub fn place_all(&mut self, name: &Name, placed: &[Placed], now: u64) -> u64 {
        let is_changed = |model: &Self| {
            let now = |(dimension, value): &Placed| {
                model.places.get(dimension).and_then(|places| places.get(name)).map_or(&[][..], Vec::as_slice)
                    != *value
            };
            placed.iter().any(now)
        };
        if is_changed(self) {
            self.drop_periods();
        }
        self.command(now, |model| {
            placed.iter().filter(|(dimension, value)| model.place(name, dimension, value)).count() as u64
        })
    }

    /// Forgets all values of a member. Whether it had one.
    pub fn unplace(&mut self, name: &[u8]) -> bool {
        self.places.values_mut().fold(false, |had, places| had | places.remove(name).is_some())
    }

    /// The values of a member, in the order of the dimensions.
    pub fn placed(&self, name: &[u8]) -> Vec<Placed> {
        let value = |dimension: &Dimension| {
            let value = self.places.get(dimension.name)?.get(name)?;
            Some((dimension.name, value.clone()))
        };
        self.dimensions.iter().filter_map(value).collect()
    }

    /// Whether the board can have this dimension as well. It begins empty.
    pub fn add_dimension(&mut self, dimension: Dimension) -> bool {
        let is_possible = self.dimension(dimension.name).is_none()
            && self.dimensions.len() < MOST
            && (dimension.rule != Rule::Sum || self.rules.levels.is_empty());
        if is_possible {
            self.dimensions.push(dimension);
        }
        is_possible
    }

    /// Drops a dimension with all that is known of it, in ended periods too. Whether the board had it.
    pub fn drop_dimension(&mut self, name: &str) -> bool {
        let had = self.dimension(name).is_some();
        self.dimensions.retain(|dimension| dimension.name != name);
        self.places.remove(name);
        for view in self.views.iter_mut().chain(&mut self.real) {
            view.marks.retain(|(dimension, _), _| *dimension != name);
            for ended in view.ended.values_mut() {
                ended.places.remove(name);
                ended.marks.retain(|(dimension, _), _| *dimension != name);
            }
        }
        had
    }
}
