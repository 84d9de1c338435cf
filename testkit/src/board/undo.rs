//! What a refused write takes back.

use super::score::Score;
use super::view::Held;
use super::{Model, Name};

/// What the board was before a write.
pub enum Undo {
    /// A period ends, so every member can change; or members have segments, which change with them.
    Whole(Box<Model>),
    /// The clock, the number of the last write, and in each view what the written members had.
    Members(u64, u64, Vec<Vec<Held>>),
}

impl Undo {
    /// Before a write of these members at this time of the board.
    pub fn new(model: &Model, pairs: &[(Score, Name)], now: u64) -> Self {
        let views = || model.views.iter().chain(&model.real);
        if !model.is_at(now) || !model.dimensions.is_empty() {
            return Self::Whole(Box::new(model.clone()));
        }
        let held = pairs.iter().map(|(_, name)| views().map(|view| view.held(name)).collect());
        Self::Members(model.last, model.number, held.collect())
    }

    /// Makes the board what it was.
    pub fn restore(self, model: &mut Model, pairs: &[(Score, Name)]) {
        match self {
            Self::Whole(whole) => *model = *whole,
            Self::Members(last, number, held) => {
                (model.last, model.number) = (last, number);
                for ((_, name), held) in pairs.iter().zip(held) {
                    let views = model.views.iter_mut().chain(&mut model.real);
                    views.zip(held).for_each(|(view, held)| view.put(name, held));
                }
            }
        }
    }
}
