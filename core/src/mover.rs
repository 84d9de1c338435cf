//! What the core asks of a server that defragments memory: it owns no allocator, so it lends what it
//! holds to somebody who does.

/// Somebody who can move allocations to better places: the server's active defragmentation.
pub trait Mover {
    /// The same value, perhaps elsewhere.
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T>;
    /// The same values, perhaps elsewhere.
    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]>;
    /// The same values with the same capacity, perhaps elsewhere.
    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T>;
    /// Whether to stop for now and go on later.
    fn pause(&mut self) -> bool;
}

/// A mover for tests: it moves everything, and wants a pause after each step.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Restless {
    pub(crate) moves: usize,
}

#[cfg(test)]
impl Mover for Restless {
    fn relocate<T>(&mut self, item: Box<T>) -> Box<T> {
        self.moves = self.moves.saturating_add(1);
        Box::new(*item)
    }
    fn relocate_slice<T>(&mut self, items: Box<[T]>) -> Box<[T]> {
        self.moves = self.moves.saturating_add(1);
        items.into_iter().collect()
    }
    fn relocate_vec<T>(&mut self, items: Vec<T>) -> Vec<T> {
        self.moves = self.moves.saturating_add(usize::from(items.capacity() > 0));
        let mut moved = Vec::with_capacity(items.capacity());
        moved.extend(items);
        moved
    }
    fn pause(&mut self) -> bool {
        true
    }
}
