//! Changes of a board's rules.

use super::{Kind, Model, View};

impl Model {
    /// Sets how many members a view keeps. Whether the board can do so.
    pub fn set_keep(&mut self, keep: usize) -> bool {
        let is_possible =
            keep == 0 || !self.rules.shown && self.views.iter().all(|view| !view.kind.is_rolling());
        if is_possible {
            if (keep == 0) != (self.rules.keep == 0) {
                // Who was in the dropped periods stays, as on a board that keeps all.
                self.rules.keep = 0;
                self.drop_periods();
            }
            self.rules.keep = keep;
            self.drop_periods();
            self.trim(&[]);
        }
        is_possible
    }

    /// Drops a view.
    pub fn drop_view(&mut self, number: usize) {
        self.rules.kinds.remove(number);
        self.drop_periods();
        let view = self.views.remove(number);
        self.forget(view.everybody());
        if self.rules.shown {
            self.real.remove(number);
        }
    }

    /// Sets how many ended periods all views keep.
    pub fn set_retain(&mut self, retain: u64) {
        self.views.iter_mut().chain(&mut self.real).for_each(|view| view.set_retain(retain));
    }

    /// Whether the board can have one more view of this kind. It has one ended period to read.
    pub fn add_view(&mut self, kind: Kind, now: u64) -> bool {
        if self.rules.kinds.contains(&kind) || self.rules.keep > 0 && kind.is_rolling() {
            return false;
        }
        self.rules.kinds.push(kind);
        let mut view = View::new(kind);
        view.retain = Some(1);
        self.views.push(view.clone());
        if self.rules.shown {
            self.real.push(view);
        }
        self.advance(now);
        true
    }
}
