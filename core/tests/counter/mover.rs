//! A mover in place of the server's defragmentation. It moves everything.

use leaderboard_core::NativeType;
use leaderboard_core::mover::Mover;

/// Moves everything, and asks for a pause after this number of steps.
#[derive(Debug)]
pub struct Restless {
    pub moved: usize,
    steps: usize,
    left: usize,
}

impl Restless {
    pub fn new(steps: usize) -> Self {
        Self { moved: 0, steps, left: steps }
    }

    /// Walks from this step until a pause. Returns the step at which to continue, or nothing when all is done.
    pub fn walk(&mut self, value: &mut impl NativeType, from: usize) -> Option<usize> {
        self.left = self.steps;
        let next = value.relocate(from, self);
        assert!(next.is_none_or(|next| next > from), "a walk that does not get on");
        next
    }

    /// Walks over all steps.
    pub fn walk_all(&mut self, value: &mut impl NativeType) {
        let mut next = Some(0);
        while let Some(from) = next {
            next = self.walk(value, from);
        }
    }
}

impl Mover for Restless {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        self.moved += 1;
        Box::new(*item)
    }

    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
        self.moved += 1;
        items.into_iter().collect()
    }

    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
        self.moved += 1;
        let mut moved = Vec::with_capacity(items.capacity());
        moved.extend(items);
        moved
    }

    fn pause(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }
}
