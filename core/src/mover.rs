//! The interface to a server that defragments memory. The core has no allocator, so it passes its allocations to
//! the server, a few at a time, and gets them back at better places.
//!
//! All structures have the same three methods for this. `memory` returns the bytes on the heap, rounded as the
//! allocator rounds them. `allocations` (for a whole structure: `effort`) returns about how many allocations must
//! be freed. `relocate` passes the allocations to a [`Mover`], in steps. `relocate` of a whole structure can begin
//! with any step, and returns the step at which to continue after a pause, or `None` when all steps are done.
#![allow(clippy::arithmetic_side_effects, reason = "steps are counted by parts that are there")]

/// Moves allocations to better places: the server's active defragmentation.
pub trait Mover {
    /// Returns the same value, possibly at another address.
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T>;
    /// Returns the same values, possibly at another address.
    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]>;
    /// Returns the same values with the same capacity, possibly at another address.
    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T>;
    /// Returns whether to stop for now and continue later.
    fn pause(&mut self) -> bool;
}

/// A walk over the parts of a structure, one after another. Each part has steps. The steps of all parts are
/// numbered in one sequence, so one number is enough to continue after a pause. If a part has changed during the
/// pause, the walk may repeat or miss a few steps, which does no harm.
/// repeat or miss a few steps, which does no harm.
pub(crate) struct Relocation<'a, M> {
    mover: &'a mut M,
    /// The step to begin with. It is done before `pause` is called, so that each walk makes progress.
    from: usize,
    /// The number of steps of the parts so far.
    counted: usize,
    paused: Option<usize>,
}

impl<'a, M: Mover> Relocation<'a, M> {
    /// Does the steps from `from` on. Returns the step at which to continue, or `None` when all steps are done.
    pub fn run(from: usize, mover: &'a mut M, parts: impl FnOnce(&mut Self)) -> Option<usize> {
        let mut walk = Self { mover, from, counted: 0, paused: None };
        parts(&mut walk);
        walk.paused
    }

    /// Adds the next part, with `count` steps. `relocate` does the step with the given number within the part.
    pub fn steps(&mut self, count: usize, mut relocate: impl FnMut(usize, &mut M)) {
        let first = self.counted;
        self.counted += count;
        if self.paused.is_some() {
            return;
        }
        for step in first.max(self.from)..self.counted {
            if step > self.from && self.mover.pause() {
                self.paused = Some(step);
                return;
            }
            relocate(step - first, self.mover);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Moves every allocation, counts the moves, and requests a pause after each step.
    #[derive(Default)]
    pub struct Restless(pub usize);

    impl Mover for Restless {
        fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
            self.0 += 1;
            Box::new(*item)
        }

        fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
            self.0 += 1;
            items.into_iter().collect()
        }

        fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
            self.0 += 1;
            let mut moved = Vec::with_capacity(items.capacity());
            moved.extend(items);
            moved
        }

        fn pause(&mut self) -> bool {
            true
        }
    }

    /// Walks to the end, one step at a time. Returns the number of steps.
    pub fn walk_all(mut relocate: impl FnMut(usize, &mut Restless) -> Option<usize>) -> usize {
        let (mut mover, mut next, mut steps) = (Restless(0), Some(0), 0);
        while let Some(from) = next {
            next = relocate(from, &mut mover);
            steps += 1;
        }
        steps
    }

    #[test]
    fn each_step_of_each_part_is_taken_once() {
        let mut taken = Vec::new();
        let steps = walk_all(|from, mover| {
            Relocation::run(from, mover, |walk| {
                for part in [3, 0, 1, 4] {
                    walk.steps(part, |step, _| taken.push((part, step)));
                }
            })
        });
        assert_eq!(steps, 8);
        assert_eq!(taken, [(3, 0), (3, 1), (3, 2), (1, 0), (4, 0), (4, 1), (4, 2), (4, 3)]);
    }
}
